// SPDX-License-Identifier: BSD-2-Clause
/*
 * read.c - reads files through struct doctor_ops, and stores facts (doctor.h).
 */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "number.h"

void doctor_fact(struct doctor *d, enum doctor_layer layer, const char *name, const char *format,
		 ...)
{
	char *value;
	va_list args;
	int n;

	if (!VEC_ROOM(&d->facts, 1))
		return;
	va_start(args, format);
	n = vasprintf(&value, format, args);
	va_end(args);
	if (n >= 0)
		d->facts.at[d->facts.nr++] = (struct doctor_fact){ layer, name, value };
}

void doctor_free_names(char **names, int nr)
{
	for (int i = 0; i < nr; i++)
		free(names[i]);
	if (nr >= 0)
		free(names);
}

char *doctor_slurp(const struct doctor *d, const char *path)
{
	char *data;
	ssize_t n = d->ops->read(d->ops, path, &data);

	if (n < 0)
		return NULL;
	if (n > 0 && data[n - 1] == '\n')
		data[n - 1] = '\0';
	return data;
}

bool doctor_exists(const struct doctor *d, const char *path)
{
	char **names;
	int nr = d->ops->list(d->ops, path, &names);

	doctor_free_names(names, nr);
	return nr >= 0;
}

char *doctor_after(const char *text, const char *key)
{
	const char *at = text ? strstr(text, key) : NULL;

	if (!at)
		return NULL;
	at += strlen(key);
	return strndup(at, strcspn(at, "\n"));
}

void doctor_version(const char *text, int *major, int *minor)
{
	uint64_t first, second;

	if (!number_read(&text, NUMBER_DECIMAL, INT_MAX, &first) || *text++ != '.' ||
	    !number_read(&text, NUMBER_DECIMAL, INT_MAX, &second))
		return;
	*major = (int)first;
	*minor = (int)second;
}
