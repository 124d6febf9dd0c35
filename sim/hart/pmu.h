/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu.h - the counters of a hart.
 *
 * No instruction increments a counter.  total[mode][event] is how often an event has happened in a
 * mode since reset.  The value of a counter is computed when it is read:
 *
 *	value = (base + sum over its modes and its events of total[mode][event]) modulo 2^width
 *
 * So any number of counters can count one event.  The value is exact when the totals are,
 * that is, after hart_sync, and for the events of code after tally_settle (tally.h), which the
 * functions here call when they need such totals.  A counter that can still overflow has a target:
 * the sum at which it overflows.  Such a counter is armed.
 *
 * Implements: Priv 1.13 §3.1.10-3.1.12 (mhpmevent: §3.1.10), Sscofpmf 1.0, Smcntrpmf 1.0.
 */
#ifndef SIM_PMU_H
#define SIM_PMU_H

#include <stdbool.h>
#include <stdint.h>

#include "selector.h"

struct hart;
struct block;
struct block_run;
struct insn;
struct tally;

#define COUNTERS 32

struct counter {
	uint64_t base;
	uint64_t config; /* mhpmevent, mcyclecfg, minstretcfg */
	uint64_t target; /* the sum at which it overflows; UINT64_MAX: not armed */
	struct event_set set; /* the events that it counts */
	uint64_t code; /* the CODE events in set, as bits */
	uint8_t time; /* the number of TIME events in set */
	uint8_t most; /* the most that one instruction can add, without RARE and CYCLE events */
	bool edge; /* set contains an EDGE event */
	bool tallied; /* set contains an event of code: CODE, EDGE or a static stall */
	uint8_t modes; /* bits PRV_: the modes in which it counts */
};

struct pmu {
	uint64_t total[4][EVENT_NR]; /* how often each event has happened, by mode (PRV_) */
	struct counter ctr[COUNTERS];
	uint32_t inhibit; /* mcountinhibit */
	uint32_t armed; /* counters with a target */
	uint64_t code_set; /* the CODE and EDGE events to add up, as bits */
	uint64_t code_now; /* the part of code_set that happens while h->translated is as now */
	/* code_set as a list; the events that need data translation come last. */
	uint8_t code[EVENT_CODE_NR];
	uint8_t code_all; /* how many are in code[] */
	uint8_t code_plain; /* how many of these to add up where no data is translated */
	bool stalls; /* add up static stalls, too (timing.h) */
	bool elements; /* a counter counts vector elements */
	bool all; /* add up all events, selected or not (--stats) */
	bool listens; /* pmu_adds calls pmu_tell: there is a listener or a watched event */
	struct event_set watched; /* the RARE and CYCLE events that armed counters count */
};

void pmu_reset(struct hart *h);

/* From now on adds up all events, also those that no counter selects (--stats). */
void pmu_count_all(struct hart *h);

/*
 * Called when totals, counters and inhibit have been restored from a snapshot: computes the other
 * fields.  Returns false if they are not a possible state.
 */
bool pmu_restored(struct hart *h);

/* The value of a counter.  Between instructions, or after pmu_settle of this counter. */
uint64_t pmu_read(const struct hart *h, unsigned ctr);
void pmu_settle(struct hart *h, unsigned ctr);
void pmu_write(struct hart *h, unsigned ctr, uint64_t value);
void pmu_write_config(struct hart *h, unsigned ctr, uint64_t config);
void pmu_write_inhibit(struct hart *h, uint32_t inhibit);
bool pmu_exists(const struct hart *h, unsigned ctr);

/*
 * How many instructions of b may run: at most limit, and up to and including the one that makes a
 * counter overflow.  At least 1.  If it is all of b, *further is the budget: how many instructions
 * may run, b's included, before the next call.
 */
unsigned pmu_limit(struct hart *h, const struct block *b, uint64_t limit, uint64_t *further);

/* How much an armed counter can still count before it overflows.  0: its overflow is due. */
uint64_t pmu_left(struct hart *h, unsigned ctr);

/* To be called when h->translated may have changed. */
void pmu_translation_changed(struct hart *h);

/* To be called when the mode or h->translated may have changed: then the key changes (tally.h). */
void pmu_key_changed(struct hart *h);

/* Sets OF and LCOFIP for every counter that has reached its target. */
void pmu_overflow(struct hart *h);

/*
 * Count the CODE and EDGE events of code that has run.  pmu_add_run: all of r, which has gone on at
 * target; its tally counts it.  pmu_add_part: instructions `from` to `to` - 1 of r; none is a
 * conditional branch.
 */
void pmu_add_run(struct hart *h, struct block_run *r, bool taken, uint64_t target);
void pmu_add_part(struct hart *h, const struct block_run *r, unsigned from, unsigned to);

/* r has ended with a jump that it wants to know: tells the listener, if any. */
void pmu_jumped(struct hart *h, const struct block_run *r, uint64_t target);

/*
 * pmu_adds (hart.h) calls it when pmu.listens.  Tells the listener, and sets h->stop if an armed
 * counter counts the event, so that the engine returns after this instruction.
 */
void pmu_tell(struct hart *h, enum event e, uint64_t n);

/* The value of scountovf before mcounteren masks it. */
uint32_t pmu_overflowed(const struct hart *h);

#endif
