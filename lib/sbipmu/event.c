/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event.c - from an event_idx and its event_data to the counters that can count it.
 *
 * Implements: SBI 3.0 §11.1 to §11.5.
 *
 * General and cache events index a table by their code; raw events look into one hash table
 * that holds all rows, once for each distinct select_mask.  Nothing is scanned, and counter
 * matching (FID 2) and event information (FID 8) ask the same tables in the same way (event_find
 * and event_supported, in internal.h), so they agree.
 */
#include "internal.h"

/*
 * The place of a raw row in the index: the slot that holds its key, or the free one where it
 * belongs.  The index is never more than half full, so there always is one.  *probes is set to
 * how many slots were looked at.
 */
static inline struct sbipmu_raw_slot *raw_place(const struct sbipmu *pmu, uint64_t key,
						unsigned *probes)
{
	size_t last = (size_t)(~0ull >> pmu->raw_shift);
	size_t i = (size_t)(key * pmu->raw_mult >> pmu->raw_shift);

	for (*probes = 1;; ++*probes, i = (i + 1) & last) {
		struct sbipmu_raw_slot *slot = &pmu->raw_slot[i];

		if (slot->key == key || slot->key == 0)
			return slot;
	}
}

struct sbipmu_raw_slot *sbipmu_raw_place(const struct sbipmu *pmu, uint64_t key, unsigned *probes)
{
	return raw_place(pmu, key, probes);
}

/* The bits of event_data that a raw event may not use (§11.3, §11.4). */
static uint64_t raw_reserved(const struct sbipmu *pmu, rv_ulong eidx)
{
	if (RV_XLEN == 32 && !pmu->facts.sscofpmf)
		return ~0xffffffffull; /* mhpmevent has no high half */
	return eidx == SBI_PMU_EIDX(SBI_PMU_TYPE_RAW, 0) ? ~SBI_PMU_RAW_DATA_MASK
							 : ~SBI_PMU_RAW_V2_DATA_MASK;
}

/*
 * Several rows may hold one selector; every one of them gives its counters.  This and fw_find
 * are jumped to with the registers of event_find_other, so that neither pays for the other.
 */
static __attribute__((noinline)) void raw_find(const struct sbipmu_hart *h, rv_ulong eidx,
					       uint64_t data, struct answer *a)
{
	const struct sbipmu *pmu = h->pmu;
	uint64_t ctrs = 0;
	uint32_t inexact = 0;
	unsigned probes;

	if (data & raw_reserved(pmu, eidx))
		return;
	for (unsigned g = 0; g < pmu->nr_raw_masks; g++) {
		uint64_t key = (data & pmu->raw_mask[g].mask) | pmu->raw_mask[g].tag;
		const struct sbipmu_raw_slot *slot = raw_place(pmu, key, &probes);

		/* a free slot has neither */
		ctrs |= slot->ctrs;
		inexact |= slot->inexact;
	}
	a->ctrs = ctrs & h->valid;
	a->selector = data;
	a->inexact = inexact != 0;
}

static __attribute__((noinline)) void fw_find(const struct sbipmu_hart *h, rv_ulong eidx,
					      uint64_t data, struct answer *a)
{
	a->key = sbipmu_fw_key(h, eidx & SBI_PMU_EIDX_CODE_MASK, data);
	if (a->key >= 0)
		a->ctrs = h->valid & ~h->hw;
}

/* event_find for raw and firmware events: adds to *a what there is. */
void sbipmu_event_find_other(const struct sbipmu_hart *h, rv_ulong eidx, uint64_t data,
			     struct answer *a)
{
	if (eidx == SBI_PMU_EIDX(SBI_PMU_TYPE_RAW_V2, 0) ||
	    eidx == SBI_PMU_EIDX(SBI_PMU_TYPE_RAW, 0))
		raw_find(h, eidx, data, a);
	else if (eidx >> SBI_PMU_EIDX_TYPE_SHIFT == SBI_PMU_TYPE_FW)
		fw_find(h, eidx, data, a);
}

/*
 * event_supported for raw and firmware events.  A row that stands for many selectors does not
 * say which of them the hart has: its counters are asked, but for those that run, which cannot
 * be and get the benefit of the doubt.
 */
bool sbipmu_event_asked(struct sbipmu_hart *h, rv_ulong eidx, uint64_t data)
{
	struct answer a = { 0 };

	sbipmu_event_find_other(h, eidx, data, &a);
	if (!a.inexact)
		return a.ctrs != 0;
	for (uint64_t left = a.ctrs & ~h->started; left;)
		if (sbipmu_selector_taken(h, take_ctr(&left), a.selector))
			return true;
	return (a.ctrs & h->started) != 0;
}
