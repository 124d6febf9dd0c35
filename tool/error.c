// SPDX-License-Identifier: BSD-2-Clause
/*
 * error.c - the one line that a command says of what is wrong (holter.h).  By itself, because every file of
 * the tool may call it.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "holter.h"
#include "person.h"

int holter_error(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	person_printable(text);
	fprintf(stderr, "holter: %s\n", text ? text : "no memory");
	free(text);
	return 2;
}
