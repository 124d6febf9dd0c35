/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * waits.h - what waits for memory in a hart: the registers of loads that missed, the load queue,
 * and the store buffer.  Times are cycles of the hart.
 *
 *	register	A load that misses lets the pipeline go on.  Its register waits until the
 *			data is there; an instruction that needs the register waits, too.
 *	load queue	holds the loads whose line is on its way.  One more load that misses waits
 *			until one of them has its line.
 *	store buffer	holds the stores whose line is on its way.  They leave it in their order.
 *			One more store that misses waits until the oldest one has left.  Without a
 *			load queue one store at a time gets its line.
 *
 * Hits need no place in either.  The lines of loads and stores come from hierarchy.h, which knows
 * how many can be outstanding.
 */
#ifndef SIM_MODEL_WAITS_H
#define SIM_MODEL_WAITS_H

#include "cost.h"

#define WAITS_LOADS_MAX	 COST_LOADS_MAX
#define WAITS_STORES_MAX COST_STORES_MAX

/* What is waited for: a load's data (register) or its line (load queue). */
struct wait {
	uint64_t until;
	void *load; /* the caller's: which instruction is the load; NULL after a restore */
	uint8_t from; /* enum hierarchy_place */
};

struct waits {
	uint64_t registers; /* those that wait, as bits; bit n is register n of cost.h */
	struct wait wait[COST_REGS]; /* only where the bit is set */
	struct wait load[WAITS_LOADS_MAX]; /* the load queue */
	uint64_t store[WAITS_STORES_MAX]; /* when each store has its line: a ring, in order */
	uint8_t loads, stores, first_store;
};

/* An empty struct waits is as at the beginning.  waits_restore: the time of the hart is now. */
bool waits_save(const struct waits *w, const struct stream *s);
bool waits_restore(const struct cost_config *c, struct waits *w, uint64_t now,
		   const struct stream *s);

/* Register reg, not COST_NO_REG, waits.  If it did before, it waits for both. */
void waits_for(struct waits *w, unsigned reg, const struct wait *wait);

/* Ends the waiting of all registers whose data is there. */
void waits_settle(struct waits *w, uint64_t now);

/* Returns what the registers among these bits wait for, the last if there are several; or NULL. */
const struct wait *waits_longest(const struct waits *w, uint64_t registers);

/*
 * A load misses, and the core has a load queue.  Puts it there until its line is there.  Returns
 * the cycles until there is room for it; *first is then the load that makes it.
 */
uint64_t waits_load(const struct cost_config *c, struct waits *w, uint64_t now,
		    const struct wait *load, struct wait *first);

/*
 * A store misses at time now, and takes cycles.  Returns the cycles that the hart waits for it, or
 * for room in the store buffer.  0 cycles, a hit: returns 0.
 */
uint64_t waits_store(const struct cost_config *c, struct waits *w, uint64_t now, uint64_t cycles);

/*
 * Return the cycles until all loads, or all stores, have their lines, and forget them.  *last is
 * the last such load.
 */
uint64_t waits_drain_loads(struct waits *w, uint64_t now, struct wait *last);
uint64_t waits_drain_stores(struct waits *w, uint64_t now);

#endif
