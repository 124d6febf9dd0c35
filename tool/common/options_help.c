// SPDX-License-Identifier: BSD-2-Clause
/*
 * options_help.c - prints a table of options (options_help.h).
 */
#include <string.h>

#include "fit.h"
#include "number.h"
#include "options_help.h"

#define COLUMNS	  80
#define NAMES_MAX 22 /* a longer option has its text on the next line */

static void wrap(FILE *to, const char *text, unsigned column)
{
	fit_wrap(to, text, column, column, COLUMNS);
	fputc('\n', to);
}

/* "-e, --event LIST": how long it is, at most size - 1. */
static size_t names(const struct option_row *row, bool letters, char *to, size_t size)
{
	const char letter[] = { '-', row->letter, '\0' };
	const char *before = row->letter ? letter : letters ? "    " : "";

	snprintf(to, size, "%s%s%s%s%s%s", before, row->letter && row->name ? ", " : "",
		 row->name ? "--" : "", row->name ? row->name : "", row->argument ? " " : "",
		 row->argument ? row->argument : "");
	return strlen(to);
}

/* The help text with the range and the default. */
static void text_of(const struct option_row *row, char *to, size_t size)
{
	const bool units = row->kind == OPTION_SIZE;
	size_t len = (size_t)snprintf(to, size, "%s", row->help);
	char low[24], high[24];

	number_print(low, units ? NUMBER_UNITS : NUMBER_DECIMAL, row->low);
	number_print(high, units ? NUMBER_UNITS : NUMBER_DECIMAL, row->high);
	/* A bound that only the field's size gives is not worth reading. */
	if ((units || (row->kind == OPTION_NUMBER && row->high < INT32_MAX)) && len < size)
		len += (size_t)snprintf(to + len, size - len, ", %s to %s", low, high);
	if (row->standard && len < size)
		snprintf(to + len, size - len, " (default %s)", row->standard);
}

static void help_row(const struct option_row *row, bool letters, size_t width, FILE *to)
{
	char text[600], name[64];
	size_t len = names(row, letters, name, sizeof(name));

	text_of(row, text, sizeof(text));
	fprintf(to, "  %s", name);
	if (len > width)
		fprintf(to, "\n%*s", (int)width + 4, "");
	else
		fprintf(to, "%*s", (int)(width - len + 2), "");
	wrap(to, text, (unsigned)width + 4);
}

/* Whether a row with a name has a letter, too: all names stand after the room for one. */
static bool has_letters(const struct option_row *rows)
{
	for (; rows->kind != OPTION_END; rows++) {
		if (rows->name && rows->letter)
			return true;
	}
	return false;
}

static void help_rows(const struct option_row *rows, FILE *to)
{
	const bool letters = has_letters(rows);
	char name[64];
	size_t width = 0;

	for (const struct option_row *row = rows; row->kind != OPTION_END; row++) {
		size_t len = row->kind == OPTION_FACT ? 0 : names(row, letters, name, sizeof(name));

		width = len > width && len <= NAMES_MAX ? len : width;
	}
	for (const struct option_row *row = rows; row->kind != OPTION_END; row++) {
		if (row->kind == OPTION_FACT)
			continue;
		if (row->group)
			fprintf(to, "\n%s:\n", row->group);
		help_row(row, letters, width, to);
	}
}

void options_help(const struct options *o, FILE *to)
{
	const char *line = o->usage;

	for (size_t len; *line; line += len + (line[len] == '\n')) {
		len = strcspn(line, "\n");
		fprintf(to, "%s holter %.*s\n", line == o->usage ? "usage:" : "      ", (int)len,
			line);
	}
	wrap(to, o->about, 0);
	if (!o->rows->group)
		fputc('\n', to);
	help_rows(o->rows, to);
	if (o->end) {
		fputc('\n', to);
		wrap(to, o->end, 0);
	}
}

void options_list(const struct options *o, FILE *to)
{
	for (const struct option_row *row = o->rows; row->kind != OPTION_END; row++) {
		const char *argument = row->argument ? row->argument : "-";

		if (row->kind == OPTION_FACT)
			continue;
		if (row->letter)
			fprintf(to, "-%c\t%s\n", row->letter, argument);
		if (row->name)
			fprintf(to, "--%s\t%s\n", row->name, argument);
	}
}
