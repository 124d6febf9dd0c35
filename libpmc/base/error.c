// SPDX-License-Identifier: BSD-2-Clause
/*
 * error.c - why the last call failed: errno for programs, a text for people.
 *
 * Each thread has its own text.  This file uses nothing else of the library.
 */
#include <stdarg.h>
#include <stdio.h>

#include "error.h"
#include "pmc.h"

static __thread char text[320];

/* Sets the text.  It is one line of printable ASCII, even if a name from the caller is not. */
static void set(const char *format, va_list args)
{
	vsnprintf(text, sizeof(text), format, args);
	for (char *c = text; *c; c++) {
		if (*c < ' ' || *c > '~')
			*c = '?';
	}
}

int lpmc_null(const void *pointer, const char *function)
{
	return pointer ? 0 : lpmc_fail(EFAULT, "%s: a pointer is NULL", function);
}

int lpmc_fail(int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set(format, args);
	va_end(args);
	errno = error;
	return -1;
}

void lpmc_remark(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	set(format, args);
	va_end(args);
}

const char *pmc_error_text(void)
{
	return text;
}
