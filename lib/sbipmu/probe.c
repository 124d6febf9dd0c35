/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * probe.c - finds the counters of a hart and brings them to their state at boot.
 *
 * May call: every CSR operation of sbipmu_ops.
 * Implements: Priv 1.13 §3.1.10 to §3.1.12 (counters are WARL: width and existence are found
 * by writing), Sscofpmf 1.0, Smcntrpmf 1.0, Smcdeleg 1.0.
 */
#include <rv/trap.h>

#include "pmu_counter.h"
#include "pmu_dt.h"

/* Alternating bits stop a carry after a few bits, see counter_width(). */
#define PATTERN_A 0xaaaaaaaaaaaaaaaaull
#define PATTERN_B 0x5555555555555555ull

#define PROGRAMMABLE RV_MASK(COUNTER_HPM_LAST, COUNTER_HPM_FIRST)
#define STOPPABLE    (PROGRAMMABLE | FIXED_CTRS)

/*
 * The width of counter ctr in bits; 0 if it is hard-wired to zero.  Its value is kept.
 *
 * A counter may count a few events between the write and the read; in an emulator even a stopped
 * one may.  All ones would then wrap to zero.  Each pattern shows half of the bits that exist, and
 * a few events change low bits only.
 */
static uint8_t counter_width(const struct sbipmu_hart *h, unsigned ctr)
{
	uint64_t old = sbipmu_ctr_read(h, ctr);
	uint64_t bits;

	sbipmu_ctr_write(h, ctr, PATTERN_A);
	bits = sbipmu_ctr_read(h, ctr);
	sbipmu_ctr_write(h, ctr, PATTERN_B);
	bits |= sbipmu_ctr_read(h, ctr);
	sbipmu_ctr_write(h, ctr, old);
	return bit_length(bits);
}

static bool csr_exists(const struct sbipmu_hart *h, unsigned num)
{
	rv_ulong value;

	return h->pmu->ops->csr_probe(h->ctx, num, &value);
}

/* True if every CSR of counter ctr exists. */
static bool counter_exists(const struct sbipmu_hart *h, unsigned ctr)
{
	if (!csr_exists(h, CSR_MHPMCOUNTER + ctr))
		return false;
	if (RV_XLEN == 32 && !csr_exists(h, CSR_MHPMCOUNTER + ctr + COUNTER_CSR_HIGH))
		return false;
	return RV_BIT(ctr) & FIXED_CTRS || csr_exists(h, CSR_MHPMEVENT + ctr);
}

/*
 * True if the hart has Sscofpmf: scountovf exists, and OF of mhpmevent keeps a written 1.  ctr is
 * a programmable counter.  A write of OF raises no interrupt.
 */
static bool probe_sscofpmf(const struct sbipmu_hart *h, unsigned ctr)
{
	unsigned csr = event_csr(ctr) + (RV_XLEN == 32 ? EVENT_CSR_HIGH : 0);
	rv_ulong of = (rv_ulong)1 << (RV_XLEN - 1);
	bool kept;

	if (!csr_exists(h, CSR_SCOUNTOVF) || !csr_exists(h, csr))
		return false;
	csr_set(h, csr, of);
	kept = (csr_get(h, csr) & of) != 0;
	csr_set(h, csr, 0);
	return kept;
}

static bool probe_smcntrpmf(const struct sbipmu_hart *h)
{
	if (!csr_exists(h, CSR_MCYCLECFG) || !csr_exists(h, CSR_MINSTRETCFG))
		return false;
	return RV_XLEN == 64 || (csr_exists(h, CSR_MCYCLECFGH) && csr_exists(h, CSR_MINSTRETCFGH));
}

/*
 * Opens the counters of *f to S-mode in mcounteren and leaves TM as it is.  cycle and instret are
 * opened even if they are not offered because they cannot be stopped.  A counter that stays closed
 * is not offered: Linux reads every counter that it is offered, and would trap.
 */
static void open_counters(const struct sbipmu_hart *h, struct sbipmu_facts *f)
{
	rv_ulong open;

	csr_set(h, CSR_MCOUNTEREN,
		(csr_get(h, CSR_MCOUNTEREN) & RV_BIT(COUNTER_TM)) | FIXED_CTRS | f->hw_ctrs);
	open = csr_get(h, CSR_MCOUNTEREN);
	f->closed = f->hw_ctrs & ~(uint32_t)open;
	f->hw_ctrs &= (uint32_t)open;
}

/*
 * Clears the event CSR of a counter before it is known whether the counter will be offered: in one
 * that is not, an OF left from before the reset would stay in scountovf for ever.
 */
static void clear_event(const struct sbipmu_hart *h, unsigned ctr)
{
	unsigned csr = event_csr(ctr);

	csr_set(h, csr, 0);
	if (RV_XLEN == 32 && csr_exists(h, csr + EVENT_CSR_HIGH))
		csr_set(h, csr + EVENT_CSR_HIGH, 0);
}

/* Fills h->facts; leaves every programmable counter inhibited and zero. */
static void probe(struct sbipmu_hart *h)
{
	struct sbipmu_facts *f = &h->facts;
	uint64_t programmable;
	uint32_t stoppable = 0;

	*f = (struct sbipmu_facts){ 0 };
	if (csr_exists(h, CSR_MCOUNTINHIBIT)) {
		csr_set(h, CSR_MCOUNTINHIBIT, (rv_ulong)STOPPABLE);
		stoppable = (uint32_t)(csr_get(h, CSR_MCOUNTINHIBIT) & STOPPABLE);
	}
	f->mcountinhibit = stoppable != 0;
	for (uint64_t left = STOPPABLE; left;) {
		unsigned ctr = take_ctr(&left);

		if (!counter_exists(h, ctr))
			continue;
		if (!(RV_BIT(ctr) & FIXED_CTRS))
			clear_event(h, ctr);
		f->width[ctr] = counter_width(h, ctr);
		if (!(RV_BIT(ctr) & FIXED_CTRS))
			sbipmu_ctr_write(h, ctr, 0);
		if (f->width[ctr] && !(stoppable & RV_BIT(ctr)))
			f->unstoppable |= (uint32_t)RV_BIT(ctr);
		else if (f->width[ctr])
			f->hw_ctrs |= (uint32_t)RV_BIT(ctr);
	}
	programmable = f->hw_ctrs & PROGRAMMABLE;
	f->sscofpmf = programmable && probe_sscofpmf(h, rv_first_bit(programmable));
	f->smcntrpmf = probe_smcntrpmf(h);
	f->delegated = csr_exists(h, CSR_SCOUNTINHIBIT); /* if menvcfg.CDE is 1 */
	open_counters(h, f);
}

/*
 * Stops and clears all counters, and lets cycle and instret run: S-mode can read these two even if
 * they are not offered.
 */
static void reset_counters(struct sbipmu_hart *h)
{
	if (h->facts.mcountinhibit)
		sbipmu_inhibit_update(h);
	for (uint64_t left = h->facts.hw_ctrs | FIXED_CTRS; left;)
		sbipmu_event_idle(h, take_ctr(&left));
	if (h->facts.sscofpmf)
		h->pmu->ops->set_lcofip(h->ctx, false);
}

/*
 * The hardware counters that are valid on this hart.  Numbers, widths and tables are those of the
 * boot hart, because S-mode learns them once for all harts.  A counter that is missing or narrower
 * here is not valid.  Nor is a wider programmable one if the boot hart has Sscofpmf: S-mode sets
 * its value so that it overflows at the width that it was told.
 */
static uint64_t common_ctrs(const struct sbipmu_hart *h)
{
	const struct sbipmu_facts *all = &h->pmu->facts;
	uint64_t ctrs = all->hw_ctrs & h->facts.hw_ctrs;

	if (all->sscofpmf && !h->facts.sscofpmf)
		ctrs &= FIXED_CTRS;
	if (all->smcntrpmf && !h->facts.smcntrpmf)
		ctrs &= ~FIXED_CTRS;
	for (uint64_t left = ctrs; left;) {
		unsigned ctr = take_ctr(&left);

		if (h->facts.width[ctr] < all->width[ctr] ||
		    (h->facts.width[ctr] != all->width[ctr] && all->sscofpmf &&
		     !(RV_BIT(ctr) & FIXED_CTRS)))
			ctrs &= ~RV_BIT(ctr);
	}
	return ctrs;
}

void sbipmu_hart_init(struct sbipmu_hart *h, const struct sbipmu *pmu, void *ctx)
{
	*h = (struct sbipmu_hart){ .pmu = pmu, .ops = pmu->ops, .ctx = ctx };
	probe(h);
	reset_counters(h);
	h->facts.sscofpmf &= pmu->facts.sscofpmf;
	h->facts.smcntrpmf &= pmu->facts.smcntrpmf;
	h->hw = common_ctrs(h);
	h->valid = h->hw | RV_MASK(SBIPMU_FW_CTRS - 1, 0) << pmu->fw_first;
}

void sbipmu_init(struct sbipmu *pmu, const struct sbipmu_ops *ops, void *ctx,
		 const struct sbipmu_config *config)
{
	struct sbipmu_hart h = { .pmu = pmu, .ops = ops, .ctx = ctx };

	*pmu = (struct sbipmu){ .ops = ops, .snapshot = config->snapshot };
	probe(&h);
	pmu->facts = h.facts;
	pmu->fw_first = COUNTER_HPM_FIRST;
	if (h.facts.hw_ctrs & PROGRAMMABLE)
		pmu->fw_first = bit_length(h.facts.hw_ctrs);
	h.valid = h.hw = h.facts.hw_ctrs;
	reset_counters(&h);
	pmu->raw_mask_end = pmu->raw_mask;
	sbipmu_dt_compile(pmu, &h, config);
}

/*
 * An overflow that S-mode has not seen must survive.  OF is kept in h->event until restore: Linux
 * would wait for ever for a counter that has lost it.  LCOFIP is kept as it is, since LCOFIP
 * without OF makes Linux stop every counter.
 */
void sbipmu_hart_save(struct sbipmu_hart *h)
{
	uint64_t hw = h->hw;
	uint64_t overflown = 0;

	if (!hw)
		return;
	csr_set(h, CSR_MCOUNTINHIBIT, (rv_ulong)STOPPABLE);
	if (h->facts.sscofpmf) {
		overflown = csr_get(h, CSR_SCOUNTOVF);
		h->saved_lcofip = (csr_get(h, CSR_MIP) & MIP_LCOFIP) != 0;
	}
	while (hw) {
		unsigned ctr = take_ctr(&hw);

		h->saved[ctr] = sbipmu_ctr_read(h, ctr);
		if (overflown & RV_BIT(ctr))
			h->event[ctr] |= MHPMEVENT_OF;
	}
}

/* Writes the event CSRs of counters that are not offered, too: they may hold garbage. */
void sbipmu_hart_restore(struct sbipmu_hart *h)
{
	const struct sbipmu_facts *f = &h->facts;
	uint64_t left = f->hw_ctrs | f->unstoppable | f->closed;

	csr_set(h, CSR_MCOUNTEREN,
		csr_get(h, CSR_MCOUNTEREN) | (rv_ulong)(f->hw_ctrs | FIXED_CTRS));
	if (f->mcountinhibit)
		csr_set(h, CSR_MCOUNTINHIBIT, (rv_ulong)STOPPABLE);
	while (left) {
		unsigned ctr = take_ctr(&left);

		if (h->hw & RV_BIT(ctr))
			sbipmu_ctr_write(h, ctr, h->saved[ctr]);
		sbipmu_event_write(h, ctr, h->event[ctr]);
		h->event[ctr] &= ~MHPMEVENT_OF;
	}
	if (f->sscofpmf)
		h->pmu->ops->set_lcofip(h->ctx, h->saved_lcofip);
	if (f->mcountinhibit)
		sbipmu_inhibit_update(h);
}
