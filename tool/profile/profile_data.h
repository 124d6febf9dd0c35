/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * profile_data.h - what an exact profile knows of data: which pieces of data the events of a
 * struct profile happened at, by which accesses, and which lines harts took from each other.
 *
 * Indices from 0 name its elements, as in profile.h.
 */
#ifndef TOOL_PROFILE_DATA_H
#define TOOL_PROFILE_DATA_H

#include "profile.h"

enum profile_data_kind {
	PROFILE_DATA_UNKNOWN,
	PROFILE_DATA_USER, /* memory of a program */
	PROFILE_DATA_KERNEL,
	PROFILE_DATA_PHYSICAL, /* memory where nothing is translated */
	PROFILE_DATA_STACK,
	PROFILE_DATA_TABLES, /* page tables */
	PROFILE_DATA_CODE, /* code that was fetched */
	PROFILE_DATA_DEVICE,
	PROFILE_DATA_HEAP, /* memory that a site has allocated */
};

struct profile_piece {
	enum profile_data_kind kind;
	bool page; /* all of the page at addr */
	uint32_t process; /* whose memory it is; PROFILE_NONE: not a process's */
	uint32_t object; /* the file that has it; PROFILE_NONE: none */
	uint64_t addr; /* in the object's ELF file, or where it was; of a site: the offset */
	uint32_t site; /* PROFILE_NONE: no site has allocated it */
};

struct profile_site { /* a call that allocates memory */
	uint32_t place; /* of the call; PROFILE_NONE: not known */
	uint64_t times, bytes;
};

struct profile_access { /* the accesses of an instruction */
	uint32_t place; /* PROFILE_NONE: not known */
	unsigned hart;
	bool reads, writes;
	unsigned bytes; /* 0: not known */
};

struct profile_data_row {
	uint32_t piece;
	uint32_t access; /* PROFILE_NONE: not known */
	uint32_t cell, nr; /* the first of its counts, and how many */
};

struct profile_cell {
	uint32_t event; /* of the profile */
	uint64_t count;
};

struct profile_line {
	uint64_t physical; /* from the beginning of RAM's addresses on */
	uint64_t addr; /* virtual; 0: not known */
	uint32_t process; /* in whose memory; PROFILE_NONE: the kernel's, or not known */
};

struct profile_touch {
	uint32_t row; /* PROFILE_NONE: not known */
	unsigned offset; /* in the line; line_bytes: none, a prefetch took the line */
};

/* A hart took a line from another, which lost it (dropped) or had to clean it. */
struct profile_trade {
	uint32_t line;
	unsigned hart; /* that had it */
	bool dropped;
	struct profile_touch by, from;
	uint64_t times;
};

struct profile_data {
	uint64_t folded; /* accesses that are counted with others of their page */
	uint64_t lost; /* trades for which there was no room */
	VEC(struct profile_piece) pieces;
	VEC(struct profile_site) sites;
	VEC(struct profile_access) accesses;
	VEC(struct profile_data_row) rows;
	VEC(struct profile_cell) cells;
	unsigned line_bytes;
	VEC(struct profile_line) lines;
	VEC(struct profile_trade) trades;
};

void profile_data_free(struct profile_data *d); /* NULL is fine */

#endif
