// SPDX-License-Identifier: BSD-2-Clause
/*
 * error.c - why the last call failed: errno for programs, a text for people.
 *
 * Each thread has a text of its own.  Uses nothing of the library.
 */
#include <stdio.h>

#include "internal.h"

static __thread char text[320];

/* One line for a terminal, whatever the caller has given as a name. */
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
