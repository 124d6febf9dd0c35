/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * native_copy.h - copies one stencil, with its values and pinned registers (native.c).
 */
#ifndef SIM_NATIVE_COPY_H
#define SIM_NATIVE_COPY_H

#include "native.h"

/* What code counts: native_counts. */
enum counts { COUNTS_NOTHING, COUNTS_RUNS, COUNTS_JUMPS, COUNTS_ALL };

struct native {
	const struct native_stencils *s;
	bool timed, full;
	enum counts counts, wanted; /* what code counts now, and after the next native_flush */
	const uint64_t *targets; /* of the listener */
	uint8_t *rw, *rx;
	size_t size, fixed; /* fixed: C calls and routines */
	size_t hot, cold; /* the end of the hot code, the beginning of the cold code */
	unsigned way_hot, way_cold; /* bytes of a way */
	unsigned (*enter)(struct hart *h, struct block_run **r, uint64_t *pc, const void *code);
	uint32_t routine[]; /* where each is */
};

/* Where a stencil is copied to, and what its relocations mean there. */
struct place {
	const struct native_code *code;
	size_t hot, cold, next, way[2];
	int64_t hole[HOLE_NR];
	/*
	 * Pinned registers, a bit each, that this copy finds in hart.x, because it computes their
	 * address; and those of them that it writes.
	 */
	unsigned in_memory, written;
};

/* Sets in_memory and written for a copy of p->code with these values. */
void native_find_pins(const struct native *n, struct place *p);

/*
 * Whether the copy can lose what it writes to hart.x in place of a pinned register: a call of a C
 * function stores the pinned register there, and so does code that leaves.
 */
bool native_loses(const struct native *n, const struct place *p);

/* Stores pinned registers in hart.x, or loads them.  Returns where the code ends. */
size_t native_put_pins(struct native *n, size_t at, bool store, unsigned pins);

/* Copies a stencil.  False: a value does not fit. */
bool native_copy(struct native *n, const struct place *p);

/* The target of the jump with which the hot code ends: _NEXT, _WAY0 or _WAY1.  _HOLE: none. */
enum native_target native_last_jump(const struct native *n, const struct native_code *c);

/* The bytes of the hot code without its last jump, if this goes to what follows. */
unsigned native_hot_bytes(const struct native *n, const struct native_code *c);

#endif
