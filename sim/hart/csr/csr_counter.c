// SPDX-License-Identifier: BSD-2-Clause
/*
 * csr_counter.c - the CSRs of counters (csr_row.h), and those by which S-mode accesses the counters
 * that M-mode has delegated to it.  The counters are in pmu.c.
 *
 * Implements: Priv 1.13 §3.1.10-3.1.12, §10.1.5; Sscofpmf 1.0; Smcntrpmf 1.0; Smcdeleg 1.0.
 */
#include "cluster.h"
#include "csr.h"
#include "csr_row.h"
#include "hart.h"

bool csr_may_counter(const struct hart *h, unsigned num)
{
	uint32_t bit = 1u << (num & 31);

	if (h->mode < PRV_M && !(h->mcounteren & bit))
		return false;
	return h->mode > PRV_U || (h->scounteren & bit);
}

uint64_t csr_read_counter(const struct hart *h, unsigned num)
{
	return num == CSR_TIME ? csr_time(h) : pmu_read(h, num & 31);
}

void csr_write_counter(struct hart *h, unsigned num, uint64_t value)
{
	if (pmu_exists(h, num & 31))
		pmu_write(h, num & 31, value);
}

/* The counter that a register of this row configures: mhpmevent3-31, mcyclecfg, minstretcfg. */
static unsigned config_counter(unsigned num)
{
	return num == CSR_MCYCLECFG ? COUNTER_CY : num - CSR_MHPMEVENT;
}

uint64_t csr_read_config(const struct hart *h, unsigned num)
{
	return h->pmu.ctr[config_counter(num)].config;
}

void csr_write_config(struct hart *h, unsigned num, uint64_t value)
{
	if (pmu_exists(h, config_counter(num)))
		pmu_write_config(h, config_counter(num), value);
}

static uint32_t counter_bits(const struct hart *h)
{
	uint32_t bits = 0;

	for (unsigned ctr = 0; ctr < COUNTERS; ctr++)
		bits |= pmu_exists(h, ctr) ? 1u << ctr : 0;
	return bits;
}

uint64_t csr_read_mcountinhibit(const struct hart *h, unsigned num)
{
	return h->pmu.inhibit;
}

void csr_write_mcountinhibit(struct hart *h, unsigned num, uint64_t value)
{
	pmu_write_inhibit(h, value & counter_bits(h));
}

uint64_t csr_read_mcounteren(const struct hart *h, unsigned num)
{
	return h->mcounteren;
}

void csr_write_mcounteren(struct hart *h, unsigned num, uint64_t value)
{
	h->mcounteren = value & (counter_bits(h) | 1 << COUNTER_TM);
}

uint64_t csr_read_scounteren(const struct hart *h, unsigned num)
{
	return h->scounteren;
}

void csr_write_scounteren(struct hart *h, unsigned num, uint64_t value)
{
	h->scounteren = value & (counter_bits(h) | 1 << COUNTER_TM);
}

uint64_t csr_read_scountovf(const struct hart *h, unsigned num)
{
	return pmu_overflowed(h) & (h->mode == PRV_M ? UINT32_MAX : h->mcounteren);
}

/*
 * Counter delegation.  A counter is delegated while menvcfg.CDE and its bit of mcounteren are on.
 * While siselect is SISELECT_COUNTER + n, sireg is the value of counter n, and sireg2 its
 * configuration without MINH, which stays M-mode's.  All other combinations are illegal.
 */
static uint32_t delegated(const struct hart *h)
{
	return h->menvcfg & MENVCFG_CDE ? h->mcounteren & ~(1u << COUNTER_TM) : 0;
}

bool csr_may_scountinhibit(const struct hart *h, unsigned num)
{
	return h->menvcfg & MENVCFG_CDE;
}

uint64_t csr_read_scountinhibit(const struct hart *h, unsigned num)
{
	return h->pmu.inhibit & delegated(h);
}

void csr_write_scountinhibit(struct hart *h, unsigned num, uint64_t value)
{
	uint32_t mask = delegated(h);

	pmu_write_inhibit(h, (h->pmu.inhibit & ~mask) | (value & mask));
}

bool csr_may_siselect(const struct hart *h, unsigned num)
{
	return h->mode == PRV_M || !h->cl->smstateen || (h->mstateen0 & MSTATEEN0_CSRIND);
}

static bool is_hpm(unsigned ctr)
{
	return ctr >= COUNTER_HPM_FIRST;
}

/* The extension that a hart needs for what this row accesses of a counter. */
static enum isa_ext sireg_ext(unsigned num, unsigned ctr)
{
	if (is_hpm(ctr))
		return ISA_EXT_ZIHPM;
	return num == CSR_SIREG ? ISA_EXT_ZICNTR : ISA_EXT_SMCNTRPMF;
}

bool csr_may_sireg(const struct hart *h, unsigned num)
{
	unsigned ctr = csr_sireg_counter(h);

	return csr_may_siselect(h, num) && (num == CSR_SIREG || num == CSR_SIREG2) &&
	       ctr < COUNTERS && delegated(h) >> ctr & 1 && cluster_has(h->cl, sireg_ext(num, ctr));
}

unsigned csr_sireg_counter(const struct hart *h)
{
	return h->siselect - SISELECT_COUNTER < COUNTERS ? h->siselect - SISELECT_COUNTER
							 : COUNTERS;
}

uint64_t csr_read_sireg(const struct hart *h, unsigned num)
{
	unsigned ctr = csr_sireg_counter(h);

	if (!csr_may_sireg(h, num))
		return 0;
	return num == CSR_SIREG ? pmu_read(h, ctr) : h->pmu.ctr[ctr].config & ~MHPMEVENT_MINH;
}

void csr_write_sireg(struct hart *h, unsigned num, uint64_t value)
{
	unsigned ctr = csr_sireg_counter(h);

	if (!csr_may_sireg(h, num))
		return;
	if (num == CSR_SIREG)
		pmu_write(h, ctr, value);
	else
		pmu_write_config(h, ctr,
				 (value & ~MHPMEVENT_MINH) |
					 (h->pmu.ctr[ctr].config & MHPMEVENT_MINH));
}
