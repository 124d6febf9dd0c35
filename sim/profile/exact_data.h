/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_data.h - an exact profile by data address: misses, write-backs, invalidations and the
 * cycles that loads waited, for each piece of data and each instruction; and which harts take
 * which lines from each other, with the accesses of both sides.  exact_data.c collects it,
 * exact_data_file.c writes it.
 *
 *	piece	an address in an address space; an offset in what an allocation site has
 *		allocated; or, without an address, all of a stack, of page tables, of code.  With
 *		too many pieces, new ones are whole pages
 *	user	an instruction that accesses data, in a context (exact_parts.h)
 *	row	(piece, user): its events
 *	touch	an access of a line: its row, and where in the line it was
 *	trade	(line, touch that took it, touch of the hart that lost it): how often
 *
 * How an access gets here.  The hart tells which line it is about to ask the models for
 * (listener.accesses).  The hierarchy tells which lines other harts lose and which are written
 * back while it answers (hierarchy_watch).  The events of the answer come through
 * listener.adds, the cycles for which its load waits later through listener.credits.
 *
 * A hit that changes nothing but the order of replacement is not heard of: the engine may not ask
 * the models about it.  So the last touch of a hart is the last one that missed in L1D or made
 * the line dirty.  The row of a write-back is that of the last touch that made the line dirty.
 */
#ifndef SIM_EXACT_DATA_H
#define SIM_EXACT_DATA_H

#include "exact_heap.h"
#include "exact_parts.h"
#include "vec.h"

/* The events of data. */
enum data_event {
	DATA_L1D_READ_MISS,
	DATA_L1D_WRITE_MISS,
	DATA_L1D_WALK_MISS,
	DATA_L1D_WRITEBACK,
	DATA_L2_READ_MISS,
	DATA_L2_WRITE_MISS,
	DATA_L2_WRITEBACK,
	DATA_LL_READ_MISS,
	DATA_LL_WRITE_MISS,
	DATA_LL_WRITEBACK,
	DATA_BUS_READ,
	DATA_UNCACHED_READ,
	DATA_UNCACHED_WRITE,
	DATA_SNOOP_INVALIDATE,
	DATA_SNOOP_WRITEBACK,
	DATA_WAIT_READ_L2,
	DATA_WAIT_READ_LL,
	DATA_WAIT_READ_MEMORY,
	DATA_EVENTS
};

/* The enum event of each. */
extern const uint8_t exact_data_event[DATA_EVENTS];

/* exact_format.h numbers the kinds of pieces. */
struct piece {
	struct node
		node; /* address; what kind, whether it is a page, number of the space or site */
	uint32_t id;
};

static inline unsigned piece_kind(const struct piece *p)
{
	return p->node.key[1] & 0x7f;
}

static inline bool piece_is_page(const struct piece *p)
{
	return p->node.key[1] & 0x80;
}

/* The number of its space, or of its site. */
static inline uint32_t piece_space(const struct piece *p)
{
	return (uint32_t)(p->node.key[1] >> 8);
}

struct data_user {
	struct node node; /* va, context */
	const struct context *context;
	uint32_t id, raw;
	uint8_t does, bytes; /* exact_format.h: EXACT_READS, EXACT_WRITES */
};

/* (place, row): a load of which the hart remembers that others wait for it. */
struct data_load {
	struct data_load *next; /* the next load of the row */
	struct place *place;
	struct data_row *row;
};

struct data_row {
	struct node node; /* number of the piece and of its user; 0 */
	uint32_t id;
	const struct piece *piece;
	const struct data_user *user;
	struct data_load *loads;
	uint64_t count[DATA_EVENTS];
};

struct touch {
	uint32_t row; /* 0: none is known */
	uint16_t offset; /* in the line */
};

struct shared_line {
	struct node node; /* its number: physical address / bytes of a line; 0 */
	uint32_t id;
	/*
	 * The address space and address with which an access took the line; a program's is
	 * preferred; 0: not known.
	 */
	uint64_t satp, va;
};

struct trade {
	struct node node; /* key: line, hart that lost it, dropped, offsets; the two rows */
	const struct shared_line *line;
	struct touch by, from;
	unsigned hart; /* the hart that lost the line */
	bool dropped; /* whether that hart lost the line; false: it was only cleaned there */
	uint64_t times;
};

struct data {
	const struct listener *inner; /* what the profile hears without data */
	struct listener listener;
	struct hierarchy_watch watch;
	int8_t index[EVENT_NR]; /* enum data_event, or -1 */
	uint64_t line; /* bytes of a line */
	struct table spaces, pieces, users, rows, lines, trades;
	VEC(uint64_t) satps; /* by number of the space */
	VEC(struct piece *) all_pieces;
	VEC(struct data_user *) all_users;
	VEC(struct data_row *) all_rows;
	VEC(struct shared_line *) all_lines;
	VEC(struct trade *) all_trades;
	struct touch *last[HARTS_MAX]; /* by line of RAM: the last touch of a hart that has it */
	uint32_t *writer; /* by line of RAM: the row that made it dirty */
	struct heap *heap; /* NULL: no allocator is known */
	uint64_t folded; /* accesses without a piece or row of their own */
	uint64_t lost; /* trades for which there was no room */
	struct { /* the present access */
		struct hart *h;
		enum hierarchy_kind kind;
		uint64_t pa;
		struct data_row *row; /* NULL: not looked up yet */
		uint64_t va, satp;
	} now;
};

/* Frees the data of x, if it has any. */
void exact_data_free(struct exact *x);

/* exact_data_file.c: writes the section of a profile, number by number. */
void exact_data_write(const struct exact *x, void (*put)(void *arg, uint64_t n), void *arg);

#endif
