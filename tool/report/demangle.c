// SPDX-License-Identifier: BSD-2-Clause
/*
 * demangle.c - names of C++ (Itanium C++ ABI, 5.1) and of Rust (both forms), demangle.h.
 */
#include <libiberty/demangle.h>
#include <stddef.h>
#include <string.h>

#include "demangle.h"

#define NAME_MAX_LEN 4096 /* what is longer is made to be */

char *demangle(const char *name)
{
	/* All begin in one of these ways; names of other languages are no business of a linker's. */
	if ((strncmp(name, "_Z", 2) != 0 && strncmp(name, "_R", 2) != 0) ||
	    strlen(name) > NAME_MAX_LEN)
		return NULL;
	return cplus_demangle(name, DMGL_AUTO | DMGL_PARAMS | DMGL_ANSI);
}
