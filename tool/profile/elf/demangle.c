// SPDX-License-Identifier: BSD-2-Clause
/*
 * demangle.c - demangles names of C++ (Itanium C++ ABI, section 5.1) and of Rust (both manglings)
 * (demangle.h).
 */
#include <libiberty/demangle.h>
#include <stddef.h>
#include <string.h>

#include "demangle.h"

#define NAME_MAX_LEN 4096 /* a longer name is taken for an attack */

char *demangle(const char *name)
{
	/* Mangled names of C++ and Rust begin with one of these.  Other names stay as they are. */
	if ((strncmp(name, "_Z", 2) != 0 && strncmp(name, "_R", 2) != 0) ||
	    strlen(name) > NAME_MAX_LEN)
		return NULL;
	return cplus_demangle(name, DMGL_AUTO | DMGL_PARAMS | DMGL_ANSI);
}
