/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csv.h - writes CSV (RFC 4180) to a stream, cell by cell.
 *
 *	struct csv c = csv_to(stdout, ",");
 *
 *	csv_text(&c, "name");
 *	csv_number(&c, 1);
 *	csv_end(&c);
 *
 * A text has quotes if it needs them.  What term_printable() changes becomes a ?.  A text that
 * begins with =, +, - or @ gets a ' in front, because spreadsheets would run it as a formula.
 * ferror(3) of the stream tells write errors.
 */
#ifndef TOOL_CSV_H
#define TOOL_CSV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct csv {
	FILE *to;
	const char *separator; /* between cells; not empty */
	bool later; /* a cell of the row precedes the next one */
};

static inline struct csv csv_to(FILE *to, const char *separator)
{
	return (struct csv){ .to = to, .separator = separator };
}

void csv_text(struct csv *c, const char *text); /* NULL: an empty cell */
void csv_number(struct csv *c, uint64_t value);
void csv_integer(struct csv *c, int64_t value);
void csv_hex(struct csv *c, uint64_t value); /* 0x1f */
void csv_real(struct csv *c, double value); /* NaN and infinity become empty cells */
void csv_end(struct csv *c); /* ends the row */

#endif
