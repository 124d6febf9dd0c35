/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu_csr.h - sets of counters, and the CSRs of a counter.
 *
 * May call: ops->csr_read, csr_write, csr_update.
 */
#ifndef SBIPMU_PMU_CSR_H
#define SBIPMU_PMU_CSR_H

#include <rv/first_bit.h>

#include "sbipmu.h"

#define FIXED_CTRS (RV_BIT(COUNTER_CY) | RV_BIT(COUNTER_IR))
#define HW_CTRS	   RV_MASK(31, 0)

/* 1 + the number of the highest set bit; 0 for 0. */
static inline uint8_t bit_length(uint64_t bits)
{
	uint8_t n = 0;

	for (; bits; bits >>= 1)
		n++;
	return n;
}

/* Removes the lowest set bit from *mask and returns its number. */
static inline unsigned take_ctr(uint64_t *mask)
{
	unsigned ctr = rv_first_bit(*mask);

	*mask &= *mask - 1;
	return ctr;
}

static inline rv_ulong csr_get(const struct sbipmu_hart *h, unsigned num)
{
	return h->ops->csr_read(h->ctx, num);
}

static inline void csr_set(const struct sbipmu_hart *h, unsigned num, rv_ulong value)
{
	h->ops->csr_write(h->ctx, num, value);
}

/* The number of the CSR with the selector and mode filters of hardware counter ctr. */
static inline unsigned event_csr(unsigned ctr)
{
	if (ctr == COUNTER_CY)
		return CSR_MCYCLECFG;
	if (ctr == COUNTER_IR)
		return CSR_MINSTRETCFG;
	return CSR_MHPMEVENT + ctr;
}

/* Add these to the number of an event CSR or an mhpmcounter for its high half (RV32). */
#define EVENT_CSR_HIGH	 (CSR_MHPMEVENTH - CSR_MHPMEVENT)
#define COUNTER_CSR_HIGH (CSR_MHPMCOUNTERH - CSR_MHPMCOUNTER)

/*
 * Writes mhpmevent of a programmable counter.  The counter is stopped, so the order of the two
 * halves on RV32 does not matter.
 */
static inline void mhpmevent_write(const struct sbipmu_hart *h, unsigned ctr, uint64_t event)
{
	csr_set(h, CSR_MHPMEVENT + ctr, (rv_ulong)event);
	if (RV_XLEN == 32 && h->facts.sscofpmf)
		csr_set(h, CSR_MHPMEVENTH + ctr, (rv_ulong)(event >> 31 >> 1));
}

/* Writes a CSR and returns the value that it then holds. */
static inline rv_ulong csr_update(const struct sbipmu_hart *h, unsigned num, rv_ulong value)
{
	if (h->ops->csr_update)
		return h->ops->csr_update(h->ctx, num, value);
	csr_set(h, num, value);
	return csr_get(h, num);
}

static inline bool is_fw_ctr(const struct sbipmu *pmu, unsigned ctr)
{
	return ctr >= pmu->fw_first;
}

/* The hardware counters among valid ctrs. */
static inline uint64_t hw_among(const struct sbipmu_hart *h, uint64_t ctrs)
{
	return ctrs & h->hw;
}

/* The hardware counters among ctrs whose OF is set. */
static inline uint64_t hw_overflown(const struct sbipmu_hart *h, uint64_t ctrs)
{
	return h->facts.sscofpmf ? csr_get(h, CSR_SCOUNTOVF) & ctrs : 0;
}

#endif
