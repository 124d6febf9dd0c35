// SPDX-License-Identifier: BSD-2-Clause
/*
 * csv.c - see csv.h.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "csv.h"
#include "term.h"

static void before(struct csv *c)
{
	if (c->later)
		fputs(c->separator, c->to);
	c->later = true;
}

static void put(FILE *to, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t room = strlen(text);

	while (room) {
		bool shown;
		size_t len = term_utf8(s, room, &shown);

		if (len && shown)
			fwrite(s, 1, len, to);
		else
			fputc('?', to);
		if (*s == '"')
			fputc('"', to);
		s += len ? len : 1;
		room -= len ? len : 1;
	}
}

void csv_text(struct csv *c, const char *text)
{
	bool formula = text && *text && strchr("=+-@", *text);
	bool quotes = text && (strchr(text, '"') || strstr(text, c->separator));

	before(c);
	if (!text)
		return;
	fputs(quotes ? "\"" : "", c->to);
	fputs(formula ? "'" : "", c->to);
	put(c->to, text);
	fputs(quotes ? "\"" : "", c->to);
}

void csv_number(struct csv *c, uint64_t value)
{
	before(c);
	fprintf(c->to, "%" PRIu64, value);
}

void csv_integer(struct csv *c, int64_t value)
{
	before(c);
	fprintf(c->to, "%" PRId64, value);
}

void csv_hex(struct csv *c, uint64_t value)
{
	before(c);
	fprintf(c->to, "0x%" PRIx64, value);
}

void csv_real(struct csv *c, double value)
{
	before(c);
	if (isfinite(value))
		fprintf(c->to, "%.9g", value);
}

void csv_end(struct csv *c)
{
	fputc('\n', c->to);
	c->later = false;
}
