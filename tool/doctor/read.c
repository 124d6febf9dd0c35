// SPDX-License-Identifier: BSD-2-Clause
/*
 * read.c - reads files through struct doctor_ops, and stores facts (doctor.h).
 */
#include <errno.h>
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

	va_start(args, format);
	n = VEC_ROOM(&d->facts, 1) ? vasprintf(&value, format, args) : -1;
	va_end(args);
	if (n < 0)
		d->no_memory = true;
	else
		d->facts.at[d->facts.nr++] = (struct doctor_fact){ layer, name, value };
}

void doctor_free_names(char **names, int nr)
{
	for (int i = 0; i < nr; i++)
		free(names[i]);
	if (nr >= 0)
		free(names);
}

ssize_t doctor_read(struct doctor *d, const char *path, char **data)
{
	ssize_t n = d->ops->read(d->ops, path, data);

	d->no_memory |= n < 0 && errno == ENOMEM;
	return n;
}

int doctor_list(struct doctor *d, const char *path, char ***names)
{
	int nr = d->ops->list(d->ops, path, names);

	d->no_memory |= nr < 0 && errno == ENOMEM;
	return nr;
}

char *doctor_slurp(struct doctor *d, const char *path)
{
	char *data;
	ssize_t n = doctor_read(d, path, &data);

	if (n < 0)
		return NULL;
	if (n > 0 && data[n - 1] == '\n')
		data[n - 1] = '\0';
	return data;
}

bool doctor_exists(struct doctor *d, const char *path)
{
	char **names;
	int nr = doctor_list(d, path, &names);

	doctor_free_names(names, nr);
	return nr >= 0;
}

char *doctor_after(struct doctor *d, const char *text, const char *key)
{
	const char *at = text ? strstr(text, key) : NULL;
	char *rest;

	if (!at)
		return NULL;
	at += strlen(key);
	rest = strndup(at, strcspn(at, "\n"));
	d->no_memory |= !rest;
	return rest;
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
