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

/*
 * The fixed counters count one event each and are taken first, but on a hart with Sscofpmf:
 * there is no hint whether an event will be sampled, a fixed counter never interrupts, and a
 * profile without samples would look like an idle program.  So there a set that has any
 * programmable counter for the event gets a programmable one, or none while all are taken
 * (Linux then takes turns, and says so).
 */
static uint64_t preferred(const struct sbipmu_hart *h, uint64_t ctrs)
{
	uint64_t fixed = ctrs & FIXED_CTRS;

	if (!fixed)
		return ctrs & ~h->mapped;
	if (h->pmu->facts.sscofpmf && (ctrs & ~FIXED_CTRS))
		return ctrs & ~FIXED_CTRS & ~h->mapped;
	return fixed & ~h->mapped ? fixed & ~h->mapped : ctrs & ~h->mapped;
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
	if (!hw_among(h->pmu, ctrs)) {
		ctrs &= ~h->mapped;
		return ctrs ? (int)first_ctr(ctrs) : -1;
	}
	ctrs = preferred(h, ctrs);
	if (ctrs & FIXED_CTRS)
		return (int)first_ctr(ctrs & FIXED_CTRS);
	return least_flexible(h->pmu, ctrs);
}
