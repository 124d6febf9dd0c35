/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu_find.h - from an event_idx to the counters that can count it (event.c).
 */
#ifndef SBIPMU_PMU_FIND_H
#define SBIPMU_PMU_FIND_H

#include "pmu_answer.h"

/* Pure, but sbipmu_event_info() tries selectors on the hardware. */
void sbipmu_event_find_other(const struct sbipmu_hart *h, rv_ulong eidx, uint64_t data,
			     struct answer *a);
struct sbiret sbipmu_event_info(struct sbipmu_hart *h, rv_ulong lo, rv_ulong hi, rv_ulong entries,
				rv_ulong flags);

/*
 * The row of a general or cache event; NULL for another event_idx.  Codes that the SBI does not
 * define have rows, too; these have no counters.
 */
static inline struct sbipmu_event *event_row(const struct sbipmu *pmu, rv_ulong eidx)
{
	const unsigned half = SBIPMU_EVENTS / 2;

	if (eidx & ~(rv_ulong)(SBI_PMU_EIDX(SBI_PMU_TYPE_CACHE, half - 1)))
		return NULL;
	/* the type, 0 or 1, chooses the half */
	return (struct sbipmu_event *)&pmu->event[eidx / (0x10000 / half) + eidx % half];
}

/* Sets *a to the counters that can count an event. */
static inline void event_find(const struct sbipmu_hart *h, rv_ulong eidx, uint64_t data,
			      struct answer *a)
{
	const struct sbipmu_event *e = event_row(h->pmu, eidx);

	*a = (struct answer){ 0 };
	if (!e) {
		sbipmu_event_find_other(h, eidx, data, a);
	} else if (data == 0) {
		a->ctrs = e->ctrs & h->valid;
		a->selector = e->selector;
	}
}

#endif
