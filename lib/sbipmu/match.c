/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * match.c - chooses a counter of a set for an event.  Pure: it changes no state.
 *
 * Implements: SBI 3.0 §11.8 (matching, SKIP_MATCH).
 *
 * A counter that is mapped but stopped is not free: Linux stops its counters to read them and
 * starts them again.  Only SKIP_MATCH, with which S-mode names one counter, reconfigures it.
 */
#include "pmu_csr.h"
#include "pmu_match.h"

/* The counter of ctrs that can count the fewest events: the more flexible ones stay free. */
static int least_flexible(const struct sbipmu *pmu, uint64_t ctrs)
{
	for (unsigned i = 0; i < pmu->nr_classes; i++) {
		uint64_t found = ctrs & pmu->class[i];

		if (found)
			return (int)rv_first_bit(found);
	}
	return -1;
}

/* The mode filters that have an effect on any hart; VS-mode and VU-mode may not exist. */
#define FILTER_SU (SBI_PMU_CFG_FLAG_SET_UINH | SBI_PMU_CFG_FLAG_SET_SINH)

/*
 * The free hardware counters of ctrs among which to choose; all of ctrs can count the event.
 *
 * Without Sscofpmf the fixed counters come first, because each counts one event only.  With
 * Sscofpmf they come last: S-mode does not say whether it will sample, and a fixed counter never
 * interrupts.  They are still used when no programmable counter is free, since SBI 3.0 §11.8 allows
 * NOT_SUPPORTED only if no counter can monitor the event.  One exception: the call asks for a mode
 * filter, the fixed counter cannot filter (no Smcntrpmf), and a programmable counter of the set
 * could, but is not free.  The call then fails, and Linux multiplexes: that is better than a
 * count of the wrong modes.
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

		return first & a->ctrs & ~h->started ? (int)rv_first_bit(first) : -1;
	}
	if (!hw_among(h, ctrs)) {
		ctrs &= ~h->mapped;
		return ctrs ? (int)rv_first_bit(ctrs) : -1;
	}
	ctrs = preferred(h, ctrs, flags);
	if (ctrs & FIXED_CTRS)
		return (int)rv_first_bit(ctrs & FIXED_CTRS);
	return least_flexible(h->pmu, ctrs);
}
