/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event.c - from an event_idx and its event_data to the counters that can count it.
 *
 * Implements: SBI 3.0 §11.1 to §11.5.
 *
 * General and cache events index a table by their code; raw events look into one hash table
 * that holds all rows, once for each distinct select_mask.  Nothing is scanned, and counter
 * matching (FID 2) and event information (FID 8) ask the same function, so they agree.
 */
#include "internal.h"

/*
 * The place of a raw row in the index: the slot that holds it, or the free one where it
 * belongs.  The index is never more than half full, so there always is one.  group is
 * 1 + the number of the row's select_mask; *probes is set to how many slots were looked at.
 */
struct sbipmu_raw_slot *sbipmu_raw_place(const struct sbipmu *pmu, unsigned group, uint64_t select,
					 unsigned *probes)
{
	uint32_t last = 0xffffffffu >> pmu->raw_shift;
	uint32_t x = (uint32_t)select + (uint32_t)(select >> 32) * 0x85ebca6bu + group;
	uint32_t i = (x * pmu->raw_mult) >> pmu->raw_shift;

	for (*probes = 1;; ++*probes, i = (i + 1) & last) {
		struct sbipmu_raw_slot *slot = &pmu->raw_slot[i];

		if (slot->group == 0 || (slot->group == group && slot->select == select))
			return slot;
	}
}

/* Several rows may hold one selector; every one of them gives its counters. */
static void raw_find(const struct sbipmu *pmu, uint64_t data, struct answer *a)
{
	unsigned probes;

	a->selector = data;
	for (unsigned g = 0; g < pmu->nr_raw_masks; g++) {
		const struct sbipmu_raw_slot *slot =
			sbipmu_raw_place(pmu, g + 1, data & pmu->raw_mask[g], &probes);

		if (!slot->group)
			continue;
		a->ctrs |= slot->ctrs;
		if (~pmu->raw_mask[g] & SBI_PMU_RAW_V2_DATA_MASK)
			a->inexact = true;
	}
}

/* The bits of event_data that a raw event may use (§11.3, §11.4). */
static uint64_t raw_data_mask(const struct sbipmu *pmu, unsigned type)
{
	if (RV_XLEN == 32 && !pmu->facts.sscofpmf)
		return 0xffffffff; /* mhpmevent has no high half */
	return type == SBI_PMU_TYPE_RAW ? SBI_PMU_RAW_DATA_MASK : SBI_PMU_RAW_V2_DATA_MASK;
}

/* event_find for raw and firmware events: adds to *a what there is. */
void sbipmu_event_find_other(const struct sbipmu_hart *h, rv_ulong eidx, uint64_t data,
			     struct answer *a)
{
	unsigned code = eidx & SBI_PMU_EIDX_CODE_MASK;

	switch (eidx >> SBI_PMU_EIDX_TYPE_SHIFT) {
	case SBI_PMU_TYPE_RAW:
	case SBI_PMU_TYPE_RAW_V2:
		if (code == 0 &&
		    !(data & ~raw_data_mask(h->pmu, (unsigned)(eidx >> SBI_PMU_EIDX_TYPE_SHIFT))))
			raw_find(h->pmu, data, a);
		a->ctrs &= h->valid;
		return;
	case SBI_PMU_TYPE_FW:
		a->key = sbipmu_fw_key(h, code, data);
		if (a->key >= 0)
			a->ctrs = h->valid & ~h->hw;
		return;
	}
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
