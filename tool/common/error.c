// SPDX-License-Identifier: BSD-2-Clause
/*
 * error.c - prints the error message of a command (holter.h).  It stands alone because every file
 * of the tool may call it.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "holter.h"
#include "term.h"

int holter_error(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	term_printable(text);
	fprintf(stderr, "holter: %s\n", text ? text : "out of memory");
	free(text);
	return 2;
}
