// SPDX-License-Identifier: BSD-2-Clause
/*
 * ledger.c - the turns that a level gives to requests: rules R19 to R21 of holter-model(7), for
 * one hart.
 */
#include <stddef.h>

#include "ledger.h"

/* The period that has a cycle, or NULL. */
static struct period *period_at(struct ledger *l, uint64_t cycle)
{
	for (unsigned n = 0; n < l->n; n++)
		if (l->period[n].from <= cycle && cycle < l->period[n].to)
			return &l->period[n];
	return NULL;
}

/* A period is the last one: of more than PERIODS, the earliest is forgotten. */
static void remember(struct ledger *l, uint64_t from, uint64_t to)
{
	unsigned at = l->n;

	if (l->n == PERIODS) {
		at = 0;
		for (unsigned n = 1; n < PERIODS; n++)
			if (l->period[n].from < l->period[at].from)
				at = n;
	} else {
		l->n++;
	}
	l->period[at] = (struct period){ from, to };
}

/* A cycle is served: periods that touch are one. */
static void serve(struct ledger *l, uint64_t cycle)
{
	struct period *before = cycle ? period_at(l, cycle - 1) : NULL;
	struct period *behind = period_at(l, cycle + 1);

	if (before && behind) {
		before->to = behind->to;
		*behind = l->period[--l->n];
	} else if (before) {
		before->to++;
	} else if (behind) {
		behind->from--;
	} else {
		remember(l, cycle, cycle + 1);
	}
}

uint64_t ledger_turn(struct ledger *l, uint64_t time)
{
	uint64_t first = UINT64_MAX;

	if (!l->cycles)
		return time;
	/*
	 * It is served in the first cycles that are free, which need not be one behind the
	 * other.
	 */
	for (unsigned left = l->cycles; left; time++) {
		if (period_at(l, time))
			continue;
		if (first == UINT64_MAX)
			first = time;
		serve(l, time);
		left--;
	}
	return first;
}
