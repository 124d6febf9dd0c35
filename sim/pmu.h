/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu.h - the counters of a hart.
 *
 * total[mode][event] is what has happened; a counter is
 *
 *	value = (base + sum over its modes and its events of total[mode][event]) modulo 2^width
 *
 * so that any number of counters may count one event, and reading one is exact whenever the
 * totals are (hart_sync).  A counter that may still overflow has a target: the sum at which it
 * does.
 *
 * Implements: Priv 1.13 §3.1.10-3.1.12, Sscofpmf 1.0, Smcntrpmf 1.0; reference text of mhpmevent.
 */
#ifndef SIM_PMU_H
#define SIM_PMU_H

#include <stdbool.h>
#include <stdint.h>

#include "selector.h"

struct hart;
struct block;

#define COUNTERS 32

struct counter {
	uint64_t base;
	uint64_t config; /* mhpmevent, mcyclecfg, minstretcfg */
	uint64_t target; /* UINT64_MAX: does not overflow any more */
	struct event_set set; /* what it counts */
	uint64_t code; /* of these, bits of CODE events */
	uint8_t time; /* how many are of TIME kind */
	uint8_t most; /* how many one instruction can be, RARE and CYCLE ones not counted */
	bool edge; /* one is of EDGE kind, or more */
	uint8_t modes; /* bit PRV_: counts there */
};

struct pmu {
	uint64_t total[4][EVENT_NR]; /* by PRV_ */
	struct counter ctr[COUNTERS];
	uint32_t inhibit; /* mcountinhibit */
	uint32_t armed; /* counters with a target */
	uint8_t code[EVENT_CODE_NR]; /* CODE and EDGE events to be added up */
	uint8_t code_all; /* of them; those that count only where data is translated come last */
	uint8_t code_nr; /* of them, in what state translation is now */
	bool stalls; /* add up static stalls, too (timing.h) */
	bool all; /* add up everything (--stats) */
	bool listens; /* RARE and CYCLE events are told: some are watched, or profiled (exact.h) */
	struct event_set watched; /* RARE and CYCLE events that an armed counter counts */
};

void pmu_reset(struct hart *h);

/* From now on every event is added up, whether a counter selects it or not (--stats). */
void pmu_count_all(struct hart *h);

/* Totals, counters, inhibit come from a snapshot: whether they can be, and then the rest is made. */
bool pmu_restored(struct hart *h);

uint64_t pmu_read(const struct hart *h, unsigned ctr);
void pmu_write(struct hart *h, unsigned ctr, uint64_t value);
void pmu_write_config(struct hart *h, unsigned ctr, uint64_t config);
void pmu_write_inhibit(struct hart *h, uint32_t inhibit);
bool pmu_exists(const struct hart *h, unsigned ctr);

/*
 * How many instructions of b, from its beginning and at most limit, may run until the one that
 * makes a counter overflow, it included: at least 1.  *further: if that is all of b, how many
 * may run before this must be asked again.
 */
unsigned pmu_limit(struct hart *h, const struct block *b, uint64_t limit, uint64_t *further);

/* How much until counter ctr, which is armed, overflows: 0, it is due. */
uint64_t pmu_left(const struct hart *h, unsigned ctr);

/* h->translated may be another. */
void pmu_translation_changed(struct hart *h);

/* Sets OF and LCOFIP for every counter that has reached its target. */
void pmu_overflow(struct hart *h);

/*
 * Adds what code counts (CODE and EDGE events): a block that has run to its end and goes on at
 * target, or its instructions from to to - 1, none of them a conditional branch.
 */
void pmu_add_block(struct hart *h, const struct block *b, bool taken, uint64_t target);
void pmu_add_part(struct hart *h, const struct block *b, unsigned from, unsigned to);

/* pmu_adds (hart.h): somebody wants to know. */
void pmu_tell(struct hart *h, enum event e, uint64_t n);

/* Bits of scountovf, before mcounteren. */
uint32_t pmu_overflowed(const struct hart *h);

#endif
