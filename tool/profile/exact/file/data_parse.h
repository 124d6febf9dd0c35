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
	uint64_t satp; /* of memory that a site has allocated: the number of the site */
	uint64_t address;
};

struct exact_site { /* a path of calls that allocates memory */
	enum exact_whose whose;
	unsigned hart;
	uint64_t satp;
	uint32_t call; /* a node of the file, or 0 */
	unsigned function; /* enum exact_allocates of sim/profile/exact.h */
	uint64_t times, bytes;
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
	unsigned offset; /* in the line; line_bytes: none, a prefetch has asked for the line */
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
	VEC(struct exact_site) sites;
	VEC(struct exact_piece) pieces;
	VEC(struct exact_data_row) rows;
	VEC(struct exact_cell) cells; /* event: of the head */
	VEC(struct exact_shared) lines;
	VEC(struct exact_trade) trades;
};

struct parser;

/* What reads the numbers: exact_parse.c. */
struct data_source {
	struct parser *parser;
	/* A number of at most max; 0 after an error.  what names it in the error text. */
	uint64_t (*below)(struct parser *p, uint64_t max, const char *what);
	bool (*good)(const struct parser *p); /* nothing was wrong yet */
	bool (*no_memory)(struct parser *p); /* says so; returns false */
	unsigned harts, events; /* the numbers of harts and events in the head of the file */
	uint32_t calls; /* the nodes of the file */
};

/* Reads the section.  False: the parser has said why.  data_free() frees *d in any case. */
bool data_get(const struct data_source *p, struct exact_data *d);
void data_free(struct exact_data *d);

#endif
