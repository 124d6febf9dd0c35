/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_rows.h - the code records of an exact profile in memory: exact_load.c goes through them
 * twice, before and after the processes have their names, and reads the file once.
 *
 * A row takes 24 bytes, and its counts as many as in the file: two or three each.
 */
#ifndef REPORT_EXACT_ROWS_H
#define REPORT_EXACT_ROWS_H

#include "exact_parse.h"
#include "leb.h"

struct exact_row {
	uint64_t instructions; /* how many it ran */
	uint32_t call, raw; /* struct exact_insn */
	uint32_t cells; /* where its counts are */
	uint16_t offset; /* in the page */
	uint16_t nr; /* of counts */
};

struct exact_rows_page {
	struct exact_code code;
	size_t first; /* row */
};

struct exact_rows {
	unsigned instructions; /* the event; the caller sets it before the first row */
	VEC(struct exact_rows_page) pages;
	VEC(struct exact_row) rows;
	struct leb_bytes cells; /* (event, count) of all rows */
};

void exact_rows_free(struct exact_rows *r);

/* Appends a page, and an instruction to the last page.  False: no memory, or counts of 4 GiB. */
bool exact_rows_add_page(struct exact_rows *r, const struct exact_code *code);
bool exact_rows_add(struct exact_rows *r, const struct exact_insn *insn);

/* The row after the last one of a page. */
static inline size_t exact_rows_end(const struct exact_rows *r, size_t page)
{
	return page + 1 < r->pages.nr ? r->pages.at[page + 1].first : r->rows.nr;
}

static inline struct leb_in exact_rows_counts(const struct exact_rows *r, size_t row)
{
	return (struct leb_in){ r->cells.at + r->rows.at[row].cells, r->cells.at + r->cells.nr,
				false };
}

#endif
