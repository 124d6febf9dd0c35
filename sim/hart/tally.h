/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tally.h - how often runs (block.h) have come to their ends.  The events of a run follow from
 * that: they are added to the totals only when someone looks (pmu.h), and not each time it runs.
 *
 *	a run begins	tally_at: finds its tally for what the hart is now (hart.key)
 *	it ends		block_run.ways is incremented; native code does so by itself
 *	someone looks	tally_settle adds the events of all that has been counted
 *
 * A run has a tally for each key with which it has run, and uses one of them: block_run.ways are
 * counts that are yet to be added to it.  A tally is active from the time when its run begins until
 * it is settled.  block_run.key is the key of the run's tally while that is active: one comparison
 * at the beginning of a run tells that it can be counted.
 *
 * Blocks for one use (hart.scratch) have no tally: their events are added at once.
 */
#ifndef SIM_TALLY_H
#define SIM_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "block.h"

struct cluster;
struct hart;

/*
 * What a count belongs to: hart, mode, translation.  A listener has keys of its own, which begin
 * with this struct.
 */
struct tally_key {
	struct hart *h;
	uint8_t mode; /* PRV_ */
	bool translated; /* paging is on for loads and stores */
};

/* hart.key: the listener must be asked (listener.key). */
#define TALLY_ASK ((const struct tally_key *)1)

struct tally {
	/* The fields used most; together one cache line of the host. */
	const struct tally_key *key; /* NULL: not active */
	const struct tally_key *of; /* the key of this tally, also while it is not active */
	struct block_run *run;
	uint64_t ran[2]; /* how often run has come to its end: its branch not taken, taken */
	uint64_t va; /* the virtual address of run */
	void *place; /* the listener's data about where run begins */
	struct tally *next; /* the next active tally of the hart */
	/*
	 * With models and a listener.  went: how often the transfer of control of run had this
	 * outcome, by [taken], and no events of its own.  fetched: how often the lines of L1I of
	 * run were fetched, all of them, or all but the first, without events of their own.
	 */
	uint64_t went[2][BLOCK_RARE], fetched[2];
	struct tally *chain; /* the next tally in the same bucket of the hash table */
} __attribute__((aligned(64)));

/* The tally of runs that have not begun yet: it is never active. */
extern const struct tally tally_none;

/* Makes the tally of r, which begins at pc, active.  If r is in h->scratch, only stores pc. */
void __attribute__((noinline)) tally_begin(struct hart *h, struct block_run *r, uint64_t pc);

/* The lines of r, which begins at pc, have been fetched; so many of them. */
void tally_fetched(struct hart *h, struct block_run *r, uint64_t pc, unsigned lines);

/* Adds the events of all of r, a block for one use. */
void tally_once(struct hart *h, const struct block_run *r, bool taken);

/* Adds the events of all that the hart's tallies have counted.  None is active then. */
void tally_settle(struct hart *h);

bool tally_create(struct cluster *cl);
void tally_destroy(struct cluster *cl);

/* All runs are about to be freed: settles and frees all tallies. */
void tally_flush(struct cluster *cl);

#endif
