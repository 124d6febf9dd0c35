/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event.c - from an event_idx and its event_data to the counters that can count it.
 *
 * May call: ops->shmem, csr_read (scountovf), csr_write, csr_update.
 * Implements: SBI 3.0 §11.1 to §11.5, §11.14 (event info).
 *
 * The code of a general or cache event is the index of its row.  The rows of raw events are in one
 * hash table; a lookup probes it once for each distinct select_mask.  Nothing is scanned.  Counter
 * matching (FID 2: event_find) and event information (FID 8: event_supported) read the same
 * tables in the same way, so that they agree.
 */
#include "pmu_counter.h"
#include "pmu_find.h"
#include "pmu_fwcount.h"
#include "pmu_snapshot.h"

/*
 * The row of the raw index with that key; NULL if there is none.  A lookup reads at most
 * raw_longest slots, also for a key that is in no row.
 */
static inline const struct sbipmu_raw_slot *raw_row(const struct sbipmu *pmu, uint64_t key)
{
	size_t last = (size_t)(~0ull >> pmu->raw_shift);
	size_t i = (size_t)(key * pmu->raw_mult >> pmu->raw_shift);

	for (unsigned n = 1; pmu->raw_slot[i].key != key; n++) {
		if (n == pmu->raw_longest)
			return NULL;
		i = (i + 1) & last;
	}
	return &pmu->raw_slot[i];
}

/* The bits of event_data that must be 0 in a raw event (SBI 3.0 §11.3, §11.4). */
static inline uint64_t raw_reserved(const struct sbipmu *pmu, rv_ulong eidx, uint64_t data)
{
	if (RV_XLEN == 32 && !pmu->facts.sscofpmf)
		return data >> 32; /* mhpmevent has no high half */
	if (eidx == SBI_PMU_EIDX(SBI_PMU_TYPE_RAW, 0))
		return data >> 48;
	return data >> 56;
}

/* Adds up the counters of all rows that match a selector; several rows may. */
static inline void raw_rows(const struct sbipmu_hart *h, rv_ulong eidx, uint64_t data,
			    struct answer *a)
{
	const struct sbipmu *pmu = h->pmu;
	uint64_t ctrs = 0;
	uint32_t inexact = 0;

	if (raw_reserved(pmu, eidx, data))
		return;
	for (const struct sbipmu_raw_mask *m = pmu->raw_mask; m != pmu->raw_mask_end; m++) {
		const struct sbipmu_raw_slot *row;

		if ((data & m->alike) != m->value)
			continue;
		row = m->only ? m->only : raw_row(pmu, (data & m->mask) | m->tag);
		if (row) {
			ctrs |= row->ctrs;
			inexact |= row->inexact;
		}
	}
	a->ctrs = ctrs & h->valid;
	a->selector = data;
	a->inexact = inexact != 0;
}

/*
 * raw_find and fw_find are not inlined: sbipmu_event_find_other tail-calls them, and each saves
 * only the registers that it needs itself.
 */
static __attribute__((noinline)) void raw_find(const struct sbipmu_hart *h, rv_ulong eidx,
					       uint64_t data, struct answer *a)
{
	raw_rows(h, eidx, data, a);
}

static __attribute__((noinline)) void fw_find(const struct sbipmu_hart *h, rv_ulong eidx,
					      uint64_t data, struct answer *a)
{
	a->key = sbipmu_fw_key(h, eidx & SBI_PMU_EIDX_CODE_MASK, data);
	if (a->key >= 0)
		a->ctrs = h->valid & ~h->hw;
}

/* Types 2 and 3, code 0. */
static bool is_raw(rv_ulong eidx)
{
	return (eidx & ~SBI_PMU_EIDX(SBI_PMU_TYPE_RAW ^ SBI_PMU_TYPE_RAW_V2, 0)) ==
	       SBI_PMU_EIDX(SBI_PMU_TYPE_RAW & SBI_PMU_TYPE_RAW_V2, 0);
}

static bool is_fw(rv_ulong eidx)
{
	return eidx >> SBI_PMU_EIDX_TYPE_SHIFT == SBI_PMU_TYPE_FW;
}

/* event_find for raw and firmware events.  *a is zero before. */
void sbipmu_event_find_other(const struct sbipmu_hart *h, rv_ulong eidx, uint64_t data,
			     struct answer *a)
{
	if (is_raw(eidx))
		raw_find(h, eidx, data, a);
	else if (is_fw(eidx))
		fw_find(h, eidx, data, a);
}

/*
 * True if a counter of ctrs keeps a selector whose row stands for many selectors: the row does not
 * say which of them the hart has.  Only stopped counters can be tried; a running one is assumed
 * to keep it.
 */
static inline bool some_counter_takes(const struct sbipmu_hart *h, uint64_t ctrs, uint64_t selector,
				      struct asking *asking)
{
	for (uint64_t left = ctrs & asking->stopped; left; left &= left - 1)
		if (selector_try(h, asked_ctr(h, asking, left), selector, asking))
			return true;
	return (ctrs & ~asking->stopped) != 0;
}

/* True if config_matching would find a counter while all counters are free. */
static inline bool event_supported(const struct sbipmu_hart *h, uint32_t eidx, uint64_t data,
				   struct asking *asking)
{
	const struct sbipmu_event *e = event_row(h->pmu, eidx);
	struct answer a = { 0 };

	if (e)
		return data == 0 && e->ctrs & h->valid;
	if (!is_raw(eidx))
		return is_fw(eidx) && sbipmu_fw_key(h, eidx & SBI_PMU_EIDX_CODE_MASK, data) >= 0;
	raw_rows(h, eidx, data, &a);
	return a.inexact ? some_counter_takes(h, a.ctrs, data, asking) : a.ctrs != 0;
}

/* One entry of the caller's array (SBI 3.0 table 47). */
struct event_info {
	uint32_t eidx;
	uint32_t output;
	uint64_t data;
};

struct sbiret sbipmu_event_info(struct sbipmu_hart *h, rv_ulong lo, rv_ulong hi, rv_ulong entries,
				rv_ulong flags)
{
	volatile struct event_info *info;
	struct asking asking = { .stopped = ~h->started };
	uint32_t seen = 0;

	if (!h->pmu->ops->shmem)
		return sbi_fail(SBI_ERR_NOT_SUPPORTED);
	if (flags || lo % SBI_PMU_EVENT_INFO_ALIGN)
		return sbi_fail(SBI_ERR_INVALID_PARAM);
	if (entries > SBIPMU_EVENT_INFO_MAX)
		return sbi_fail(SBI_ERR_FAILED);
	if (!entries)
		return sbi_ok(0);
	info = sbipmu_shmem(h, lo, hi, entries * SBI_PMU_EVENT_INFO_SIZE);
	if (!info)
		return sbi_fail(SBI_ERR_INVALID_ADDRESS);
	for (rv_ulong i = 0; i < entries; i++)
		seen |= info[i].eidx;
	if (seen & ~SBI_PMU_EIDX_VALID_MASK)
		return sbi_fail(SBI_ERR_INVALID_PARAM);
	for (rv_ulong i = 0; i < entries; i++)
		info[i].output = event_supported(h, info[i].eidx & SBI_PMU_EIDX_VALID_MASK,
						 info[i].data, &asking);
	sbipmu_selectors_restore(h, &asking);
	return sbi_ok(0);
}
