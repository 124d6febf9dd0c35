// SPDX-License-Identifier: BSD-2-Clause
/*
 * errtext.c - the setters of errtext.h.
 */
#include <stdio.h>

#include "errtext.h"

bool error_vset(struct error_text *e, const char *format, va_list args)
{
	if (e)
		vsnprintf(e->text, sizeof(e->text), format, args);
	return false;
}

bool error_set(struct error_text *e, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	error_vset(e, format, args);
	va_end(args);
	return false;
}
