// SPDX-License-Identifier: BSD-2-Clause
/*
 * said.c - see said.h.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <holter.h>

#include "said.h"

char said[512];

static unsigned lines;

int holter_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(said, sizeof(said), format, args);
	va_end(args);
	lines++;
	return 2;
}

bool has_said(const char *words)
{
	bool has = strstr(said, words) != NULL;

	if (!has)
		printf("# said: %s\n", said);
	said[0] = '\0';
	lines = 0;
	return has;
}

bool has_said_only(const char *words)
{
	bool one = lines == 1 && !strchr(said, '\n');

	if (!one)
		printf("# said: %u lines; the last one: %s\n", lines, said);
	return has_said(words) && one;
}
