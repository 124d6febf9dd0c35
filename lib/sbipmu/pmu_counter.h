/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu_counter.h - hardware counters (counter.c).
 */
#ifndef SBIPMU_PMU_COUNTER_H
#define SBIPMU_PMU_COUNTER_H

#include "pmu_csr.h"

uint64_t sbipmu_ctr_read(const struct sbipmu_hart *h, unsigned ctr);
void sbipmu_ctr_write(const struct sbipmu_hart *h, unsigned ctr, uint64_t value);
void sbipmu_event_write(const struct sbipmu_hart *h, unsigned ctr, uint64_t event);
void sbipmu_event_idle(struct sbipmu_hart *h, unsigned ctr);
void sbipmu_inhibit_update(const struct sbipmu_hart *h);
void sbipmu_hw_config(struct sbipmu_hart *h, unsigned ctr, uint64_t selector, rv_ulong flags);
void sbipmu_hw_clear_overflow(struct sbipmu_hart *h, uint64_t overflown);
void sbipmu_hw_unmap(struct sbipmu_hart *h, uint64_t ctrs);

/*
 * Trying selectors on the hardware: mhpmevent is WARL, so that a hart may refuse a selector that it
 * cannot count.  Ends with sbipmu_selectors_restore().
 */
struct asking {
	uint64_t stopped; /* counters that may be tried */
	uint64_t overflown; /* counters whose OF is set and must stay set */
	uint64_t asked; /* counters that were tried: restore writes their mhpmevent */
	uint64_t set; /* the set of the last try ... */
	unsigned ctr; /* ... and its lowest counter */
};

void sbipmu_asking_choose(const struct sbipmu_hart *h, struct asking *asking, uint64_t set);

/* The lowest counter of set.  It is kept, because most tries in a row have the same set. */
static inline unsigned asked_ctr(const struct sbipmu_hart *h, struct asking *asking, uint64_t set)
{
	if (set != asking->set)
		sbipmu_asking_choose(h, asking, set);
	return asking->ctr;
}

static inline uint64_t asked_overflow(const struct asking *asking, unsigned ctr)
{
	return (asking->overflown >> ctr & 1) << 63;
}

/*
 * True if mhpmevent of stopped programmable counter ctr keeps this selector.  The selector stays
 * there until sbipmu_selectors_restore(): many tries of one counter need one restore only.
 */
static inline bool selector_try(const struct sbipmu_hart *h, unsigned ctr, uint64_t selector,
				struct asking *asking)
{
	uint64_t event = selector | asked_overflow(asking, ctr);
	unsigned high = CSR_MHPMEVENTH + ctr;
	uint64_t got;

	got = csr_update(h, CSR_MHPMEVENT + ctr, (rv_ulong)event);
	if (RV_XLEN == 32 && h->facts.sscofpmf)
		got |= (uint64_t)csr_update(h, high, (rv_ulong)(event >> 31 >> 1)) << 32;
	return got == event;
}

void sbipmu_selectors_restore(const struct sbipmu_hart *h, const struct asking *asking);
bool sbipmu_selector_taken(const struct sbipmu_hart *h, unsigned ctr, uint64_t selector);

#endif
