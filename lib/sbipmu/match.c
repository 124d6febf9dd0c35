/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * match.c - which counter of a set to take for an event.  Pure: reads state, changes none.
 *
 * Implements: SBI 3.0 §11.8 (matching, SKIP_MATCH).
 *
 * A counter that is mapped but stopped is not free: Linux stops its counters to read them and
 * starts them again.  Only SKIP_MATCH, with which S-mode names a counter, takes one over.
 */
#include "internal.h"

const unsigned char sbipmu_debruijn[32] = {
	0,  1,	28, 2,	29, 14, 24, 3, 30, 22, 20, 15, 25, 17, 4,  8,
	31, 27, 13, 23, 21, 19, 16, 7, 26, 12, 18, 6,  11, 5,  10, 9,
};

/* The free counter that can count the fewest other events, so that a scarce one is not wasted. */
static int least_flexible(const struct sbipmu *pmu, uint64_t ctrs)
{
	for (unsigned i = 0; i < pmu->nr_classes; i++) {
		uint64_t found = ctrs & pmu->class[i];

		if (found)
			return (int)first_ctr(found);
	}
	return -1;
}

/* Filters that change a count on any hart; VS-mode and VU-mode may not exist. */
#define FILTER_SU (SBI_PMU_CFG_FLAG_SET_UINH | SBI_PMU_CFG_FLAG_SET_SINH)

/*
 * The free hardware counters among ctrs, all of which can count the event, from which to take
 * one.  The fixed counters count one event each and are taken first, but not on a hart with
 * Sscofpmf: there is no hint whether an event will be sampled, and a fixed counter never
 * interrupts.  There they are the last resort, which the specification wants ("none of the
 * counters can monitor" is not so while one can), and no resort for a filtered event that a
 * programmable counter of the set would filter and they cannot: a count of the wrong modes is
 * worse than waiting for one's turn.
 */
static uint64_t preferred(const struct sbipmu_hart *h, uint64_t ctrs, rv_ulong flags)
{
	uint64_t fixed = ctrs & FIXED_CTRS & ~h->mapped;
	uint64_t programmable = ctrs & ~FIXED_CTRS & ~h->mapped;

	if (!h->facts.sscofpmf)
		return fixed ? fixed : programmable;
	if (!programmable && ctrs & ~FIXED_CTRS && flags & FILTER_SU && !h->facts.smcntrpmf)
		return 0;
	return programmable ? programmable : fixed;
}

int sbipmu_match(const struct sbipmu_hart *h, uint64_t set, const struct answer *a, rv_ulong flags)
{
	uint64_t ctrs = set & a->ctrs;

	if (!ctrs)
		return -1;
	if (flags & SBI_PMU_CFG_FLAG_SKIP_MATCH) {
		uint64_t first = set & -set;

		return first & a->ctrs & ~h->started ? (int)first_ctr(first) : -1;
	}
	if (!hw_among(h, ctrs)) {
		ctrs &= ~h->mapped;
		return ctrs ? (int)first_ctr(ctrs) : -1;
	}
	ctrs = preferred(h, ctrs, flags);
	if (ctrs & FIXED_CTRS)
		return (int)first_ctr(ctrs & FIXED_CTRS);
	return least_flexible(h->pmu, ctrs);
}
