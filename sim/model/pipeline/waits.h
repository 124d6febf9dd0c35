/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * waits.h - what waits for memory in a hart: the registers of loads that missed, the load queue,
 * and the store buffer; and what waits for a division that takes longer than the pipeline knows.
 * Times are cycles of the hart.
 *
 *	register	A load that misses lets the pipeline go on.  Its register waits until the
 *			data is there; an instruction that needs the register waits, too.
 *	load queue	holds the loads whose line is coming.  One more load that misses waits
 *			until one of them has its line.
 *	store buffer	holds the stores whose line is coming.  They leave it in their order.
 *			One more store that misses waits until the oldest one has left.  Without a
 *			load queue one store at a time gets its line.
 *
 *	division	Its register waits like that of a load, and the divider is busy: another
 *			division waits until it is free.
 *
 * On an out-of-order core instructions that need data wait in the queues of their units, and those
 * after them go on.  A load that misses retires when its data is there, and with it the hart's
 * clock moves on to that time.  The time of the pipeline is then earlier than that clock: it is in
 * the shadow of the load.  What the pipeline does in the shadow takes no time, until it has caught
 * up.
 *
 *	shadow		by how many cycles the time of the pipeline is earlier than the clock
 *	queue		the instructions in the queues of units that need such data
 *
 * If `window` instructions have followed a load that waits, or the queue of a unit is full, the
 * pipeline catches up at once with the first moment at which there is room (waits_window and
 * waits_queue).
 *
 * Hits need no entry in either.  The lines of loads and stores come from hierarchy.h, which knows
 * how many can be outstanding.
 */
#ifndef SIM_MODEL_WAITS_H
#define SIM_MODEL_WAITS_H

#include "cost.h"

#define WAITS_LOADS_MAX	 COST_LOADS_MAX
#define WAITS_STORES_MAX COST_STORES_MAX
#define WAITS_QUEUE_MAX	 32 /* instructions that wait in the queue of a unit, at most */

/* Where the result of a division comes from, in place of an enum hierarchy_place. */
enum { WAITS_DIVISION = HIERARCHY_PLACES, WAITS_DIVIDER, WAITS_PLACES };

/*
 * What is waited for: a load's data (register) or its line (load queue), a division's result, or
 * the divider (and a register whose instruction has waited for it).
 */
struct wait {
	uint64_t until;
	uint64_t number; /* the load's number, counted from any load (load queue) */
	void *load; /* the caller's data about the load instruction; NULL after a restore */
	uint8_t from; /* enum hierarchy_place, or WAITS_ */
};

/* A store whose data waits. */
struct waits_store {
	struct cost_operand at;
	struct wait data;
};

/* When each instruction issues that waits in the queue of a unit: a ring, the soonest first. */
struct waits_queue {
	uint64_t at[WAITS_QUEUE_MAX];
	unsigned first, nr;
};

struct waits {
	uint64_t registers; /* those that wait, as bits; bit n is register n of cost.h */
	struct wait wait[COST_REGS]; /* only where the bit is set */
	struct wait load[WAITS_LOADS_MAX]; /* the load queue */
	uint64_t store[WAITS_STORES_MAX]; /* when each store has its line: a ring, in order */
	uint8_t loads, stores, first_store;
	uint64_t divider; /* until when it is busy; 0: it is free, or the pipeline knows */
	uint64_t first_over; /* no register and no divider stops waiting before */
	/* Out of order: */
	uint64_t shadow;
	uint64_t number; /* the number of the current instruction */
	uint64_t last_load; /* no load of the queue is there later */
	struct waits_queue queue[COST_UNITS];
	uint8_t late_stores; /* of late: those that loads can meet, in their order */
	struct waits_store late[COST_OPERANDS];
	uint64_t bases; /* the registers of their addresses that can be written, as bits */
};

/* An empty struct waits is as at the beginning.  waits_restore: the time of the hart is now. */
bool waits_save(const struct waits *w, const struct stream *s);
bool waits_restore(const struct cost_config *c, struct waits *w, uint64_t now,
		   const struct stream *s);

static inline uint64_t waits_sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/*
 * Register reg, not COST_NO_REG, waits.  If it did before, it waits for both.  Inline, as
 * waits_load is: a struct wait that was just put together is then never read from memory.
 */
static inline void waits_for(struct waits *w, unsigned reg, const struct wait *wait)
{
	uint64_t bit = 1ull << reg;

	if (w->registers & bit && w->wait[reg].until >= wait->until)
		return;
	w->registers |= bit;
	w->wait[reg] = *wait;
	w->first_over = waits_sooner(w->first_over, wait->until);
}

/* The divider is busy until a time, not 0. */
void waits_divides(struct waits *w, uint64_t until);

/* Whether an instruction may have to wait. */
static inline bool waits_any(const struct waits *w)
{
	return w->registers || w->shadow || w->divider;
}

/* Hides so many cycles of the pipeline, or fewer, in the shadow.  Returns how many. */
static inline unsigned waits_hide(struct waits *w, unsigned cycles)
{
	unsigned hidden = cycles < w->shadow ? cycles : w->shadow;

	w->shadow -= hidden;
	return hidden;
}

/*
 * Out of order: an instruction is dispatched at time now of the pipeline, which may have to stand
 * until there is room for it.  Both return the time from which on there is room.
 * waits_window: in the window.  waits_queue: in the queue of the unit, if it issues at time `at`.
 */
uint64_t waits_window(const struct cost_config *c, const struct waits *w, uint64_t now);
uint64_t waits_queue(const struct cost_config *c, struct waits *w, enum cost_unit unit,
		     uint64_t now, uint64_t at);

/* Whether waits_window returns now for the next instruction; it may, too, if this is false. */
static inline bool waits_has_room(const struct cost_config *c, const struct waits *w, uint64_t now)
{
	return !w->loads || w->number + 1 - w->load[0].number < c->window || w->last_load <= now;
}

/*
 * Ends the waiting of all registers whose data is there, and for a divider that is free.
 * waits_end: the same, where there may be one.
 */
void waits_end(struct waits *w, uint64_t now);

static inline void waits_settle(struct waits *w, uint64_t now)
{
	if (w->first_over <= now)
		waits_end(w, now);
}

/* Returns what the registers among these bits wait for, the last if there are several; or NULL. */
const struct wait *waits_longest(const struct waits *w, uint64_t registers);

/* The same, and what a division waits for: the divider, if that is later.  Until 0: nothing. */
struct wait waits_last(const struct waits *w, uint64_t registers, bool divides);

/*
 * Out of order, while something waits.  waits_forwards: when load i can issue because of the store
 * that it meets; its data then has been forwarded when the load is done.  Until 0: it meets none.
 * waits_executes: instruction i, which writes these registers, executes at time now of the
 * pipeline.  waits_changes_stores: the same, where a store with late data is kept or becomes one.
 */
struct wait waits_forwards(const struct cost_config *c, const struct waits *w,
			   const struct cost_insn *i);
void waits_changes_stores(const struct cost_config *c, struct waits *w, const struct cost_insn *i,
			  uint64_t writes, uint64_t now);

static inline void waits_executes(const struct cost_config *c, struct waits *w,
				  const struct cost_insn *i, uint64_t writes, uint64_t now)
{
	if (w->late_stores || (i->class == COST_STORE && w->registers >> i->rs2 & 1))
		waits_changes_stores(c, w, i, writes, now);
}

/* No load meets a store with late data any more. */
static inline void waits_forget_stores(struct waits *w)
{
	w->late_stores = 0;
	w->bases = 0;
}

/*
 * A load misses, and the core has a load queue.  Returns the cycles until there is room for it;
 * *first is then the load that makes it.
 */
uint64_t waits_room(const struct cost_config *c, struct waits *w, uint64_t now, struct wait *first);

/* As waits_room; then puts the load into the queue. */
static inline uint64_t waits_load(const struct cost_config *c, struct waits *w, uint64_t now,
				  const struct wait *load, struct wait *first)
{
	uint64_t cycles = waits_room(c, w, now, first);

	w->load[w->loads++] = *load;
	if (load->until > w->last_load)
		w->last_load = load->until;
	return cycles;
}

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
