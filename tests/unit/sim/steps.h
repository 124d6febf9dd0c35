/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * steps.h - a program in single steps, in which nothing is batched: the counts at each place where
 * an interrupt can be taken, and so the place where an overflow must interrupt.
 */
#ifndef STEPS_H
#define STEPS_H

#include "rig.h"

#define STEPS 6000

static struct step {
	uint64_t pc;
	bool enabled; /* M-mode's interrupts */
	uint64_t total[4][EVENT_NR];
} steps[STEPS];
static unsigned nr_steps;

/* The hart has reached such a place. */
static inline void step_note(struct hart *h)
{
	struct step *s = &steps[nr_steps++];

	s->pc = h->pc;
	s->enabled = h->mode < PRV_M || (h->mstatus & MSTATUS_MIE);
	tally_settle(h);
	memcpy(s->total, h->pmu.total, sizeof(s->total));
	ok(nr_steps < STEPS);
}

/* How often the event happened, without the modes of a filter: bits 2, 1, 0 exclude M, S and U. */
static inline uint64_t step_happened(const struct step *s, enum event e, unsigned filter)
{
	return (filter & 4 ? 0 : s->total[PRV_M][e]) + (filter & 2 ? 0 : s->total[PRV_S][e]) +
	       (filter & 1 ? 0 : s->total[PRV_U][e]);
}

/* The place where the n-th event interrupts, as soon as possible; NULL: it can no longer. */
static inline const struct step *step_interrupted(enum event e, unsigned filter, uint64_t n)
{
	for (unsigned k = 0; k < nr_steps; k++) {
		if (step_happened(&steps[k], e, filter) >= n && steps[k].enabled)
			return &steps[k];
	}
	return NULL;
}

#endif
