/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vunit.h - the vector units of a hart: when a vector instruction can execute, and when its results
 * are there.  Times are cycles of the hart.
 *
 * A vector instruction issues as any other one (cost.h), of class fp-misc, load, store or amo.
 * Then it waits here, and everything after it waits with it, until its unit is free and its
 * registers are there.  It works on the registers of a group one after the other:
 *
 *	registers	how many the widest of its groups has, at least one
 *	busy		the cycles for all of them; its unit takes nothing else until then
 *	latency		the cycles from the work on a register to its result
 *
 * With chaining, the result of each register can be used as soon as it is there; without, all
 * registers of a result are there when the last one is, and operands must be there at the
 * beginning.  Some classes need all operands at the beginning in any case: reductions, gathers,
 * operations on masks.
 *
 * How many elements there are changes nothing, unless each is an access to memory by itself.
 */
#ifndef SIM_MODEL_VUNIT_H
#define SIM_MODEL_VUNIT_H

#include "waits.h"

#define VUNIT_REGS	 32
#define VUNIT_SIZES	 4 /* of elements: 8, 16, 32, 64 bits */
#define VUNIT_CYCLES_MAX 255

enum vunit_class {
	VUNIT_ADD, /* additions, minima, maxima; saturating, averaging and widening ones, too */
	VUNIT_LOGIC, /* logic, shifts, moves, extensions, comparisons, carries, what narrows */
	VUNIT_MUL, /* multiplications, multiply-adds */
	VUNIT_DIV,
	VUNIT_FP_ADD, /* additions, multiplications, multiply-adds, minima, maxima */
	VUNIT_FP_MISC, /* signs, comparisons, conversions, moves */
	VUNIT_FP_DIV, /* and square roots */
	VUNIT_MASK, /* logic of masks */
	VUNIT_PERMUTE, /* slides, gathers of one element, viota, vid */
	VUNIT_GATHER, /* each element from anywhere: its cycles grow as the square of the group */
	VUNIT_REDUCE,
	VUNIT_FP_REDUCE, /* unordered sums, minima, maxima */
	VUNIT_FP_ORDERED, /* ordered sums */
	VUNIT_SCALAR, /* one element, or a number of elements, from or to a scalar register */
	VUNIT_CRYPTO, /* steps of ciphers and hashes */
	VUNIT_LOAD, /* and AMOs that write a register */
	VUNIT_STORE, /* and other AMOs */
	VUNIT_CLASSES
};

struct vunit_config {
	uint8_t cycles[VUNIT_CLASSES][VUNIT_SIZES]; /* of a register, by size: 1 to 255 */
	uint8_t latency[VUNIT_CLASSES]; /* 1 to 255 */
	uint8_t masked; /* the least cycles of a register if there is a mask: 1 to 255 */
	uint8_t element; /* cycles of an element that is an access by itself: 1 to 255 */
	bool chaining;
};

/* The registers of an operand; nr 0: none. */
struct vunit_group {
	uint8_t first, nr;
};

#define VUNIT_SOURCES 4 /* vs1, vs2, vd or the data of a store, v0 */

struct vunit_insn {
	uint8_t class, size; /* logarithm of the bytes of an element */
	uint8_t eighths; /* of a register, that its widest group has; 0: no groups */
	bool masked;
	bool each; /* each element is an access to memory by itself */
	uint32_t elements;
	struct vunit_group to, from[VUNIT_SOURCES];
};

#define VUNIT_WORK_REGS 40 /* of which an instruction uses 33 at most */

/* What vunit_work() makes of an instruction. */
struct vunit_work {
	uint32_t used; /* registers that it reads or writes, as bits */
	uint32_t busy; /* cycles of its unit */
	uint8_t unit;
	/* How many of reg it reads, which come first; and how many it reads or writes. */
	uint8_t reads, all;
	uint8_t reg[VUNIT_WORK_REGS];
	/* By reg: the cycles from the beginning until it is needed, or its result is there. */
	uint32_t later[VUNIT_WORK_REGS];
};

enum { VUNIT_INT, VUNIT_FP, VUNIT_MEMORY, VUNIT_UNITS };

struct vunit {
	uint64_t free[VUNIT_UNITS]; /* when a unit takes an instruction again */
	uint64_t ready[VUNIT_REGS]; /* when the value of a register is there */
	uint32_t waiting; /* registers that wait for lines of memory, as bits */
	struct wait wait[VUNIT_REGS]; /* only where the bit is set */
};

bool vunit_check(const struct vunit_config *c, struct model_error *why);

/* All zero: as at the beginning. */
bool vunit_save(const struct vunit *u, const struct stream *s);
bool vunit_restore(struct vunit *u, uint64_t now, const struct stream *s);

void vunit_work(const struct vunit_config *c, const struct vunit_insn *i, struct vunit_work *w);

/* vunit_waits, if registers wait. */
const struct wait *vunit_waits_now(struct vunit *u, const struct vunit_work *w, uint64_t now);

/*
 * The registers that wait for lines: ends the waiting of those whose data is there, and returns
 * what the instruction waits for, the last if there are several; or NULL.
 */
static inline const struct wait *vunit_waits(struct vunit *u, const struct vunit_work *w,
					     uint64_t now)
{
	return u->waiting ? vunit_waits_now(u, w, now) : NULL;
}

/* The registers that a load writes wait for a line. */
void vunit_waits_for(struct vunit *u, const struct vunit_work *w, const struct wait *wait);

/* When the instruction can execute. */
static inline uint64_t vunit_earliest(const struct vunit *u, const struct vunit_work *w)
{
	const unsigned all = w->all;
	int64_t e = u->free[w->unit];

	for (unsigned n = 0; n < all; n++) {
		int64_t from = (int64_t)u->ready[w->reg[n]] - w->later[n];

		e = from > e ? from : e;
	}
	return e;
}

/* It executes at a time. */
static inline void vunit_execute(struct vunit *u, const struct vunit_work *w, uint64_t at)
{
	const unsigned all = w->all;

	u->free[w->unit] = at + w->busy;
	for (unsigned n = w->reads; n < all; n++)
		u->ready[w->reg[n]] = at + w->later[n];
}

#endif
