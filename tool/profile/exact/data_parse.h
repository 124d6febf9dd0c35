/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * data_parse.h - what an exact profile knows of data, holter-profile(5): reads that section.
 * exact_parse.c calls it, which reads the numbers of the file.
 *
 * Every index is checked: users, pieces, rows and lines that are named exist.  Memory grows with
 * what is really in the file.
 */
#ifndef REPORT_DATA_PARSE_H
#define REPORT_DATA_PARSE_H

#include "exact_parse.h"
#include "vec.h"

struct exact_user { /* an instruction that accesses data */
	enum exact_whose whose;
	unsigned hart, mode;
	uint64_t satp, va;
	uint32_t raw; /* its encoding; 0: not known */
	unsigned does; /* EXACT_READS, EXACT_WRITES */
	unsigned bytes; /* that it accesses; 0: not known */
};

struct exact_piece { /* of data; exact_format.h tells the kinds */
	unsigned kind;
	bool page; /* the whole page at address */
	uint64_t satp, address;
};

struct exact_data_row {
	uint32_t piece;
	uint32_t user; /* its index + 1; 0: not known */
	uint32_t cell, nr; /* the first of its counts, and how many */
};

struct exact_shared { /* a line that harts have taken from each other */
	uint64_t number; /* physical address / bytes of a line, from the beginning of RAM's */
	uint64_t satp, va; /* va 0: not known */
};

struct exact_touch {
	uint32_t row; /* its index + 1; 0: not known */
	unsigned offset; /* in the line; line_bytes: elsewhere, a prefetch has asked for the line */
};

struct exact_trade {
	uint32_t line;
	unsigned hart; /* that lost the line, or had to clean it */
	bool dropped; /* it lost it */
	struct exact_touch by, from;
	uint64_t times;
};

struct exact_data {
	uint64_t folded, lost;
	unsigned line_bytes;
	VEC(struct exact_user) users;
	VEC(struct exact_piece) pieces;
	VEC(struct exact_data_row) rows;
	VEC(struct exact_cell) cells; /* event: of the head */
	VEC(struct exact_shared) lines;
	VEC(struct exact_trade) trades;
};

struct parser;

/*
 * Reads the section.  harts, events: those of the head.  False: the parser has said why.
 * data_free() frees *d in any case.
 */
bool data_get(struct parser *p, unsigned harts, unsigned events, struct exact_data *d);
void data_free(struct exact_data *d);

/*
 * exact_parse.c: reads a number of at most max; 0 after an error.  what names it in the error
 * text.  parse_good: nothing was wrong yet.  parse_no_memory: says so; returns false.
 */
uint64_t parse_below(struct parser *p, uint64_t max, const char *what);
bool parse_good(const struct parser *p);
bool parse_no_memory(struct parser *p);

#endif
