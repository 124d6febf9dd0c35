// SPDX-License-Identifier: BSD-2-Clause
/*
 * perf_base.c - error texts, which all files of the perf.data reader use (perf_internal.h).
 */
#include <stdarg.h>
#include <stdio.h>

#include "perf_internal.h"

bool perf_refuse(struct perf_reader *r, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	error_vset(r->why, format, args);
	va_end(args);
	return false;
}

bool perf_damaged(struct perf_reader *r, const char *at, const char *what)
{
	if (at >= r->data && at <= r->data + r->len)
		return perf_refuse(r, "is damaged or cut short: at byte %zu, %s",
				   (size_t)(at - r->data), what);
	return perf_refuse(r, "is damaged: in its compressed records, %s", what);
}
