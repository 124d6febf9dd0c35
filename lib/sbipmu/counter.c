/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counter.c - hardware counters: values, event selectors, running and standing still.
 *
 * May call: ops->csr_read, csr_write, set_lcofip.
 * Implements: Priv 1.13 §3.1.10 to §3.1.12, Sscofpmf 1.0, Smcntrpmf 1.0; the hardware half of
 * SBI 3.0 §11.8 to §11.10.
 *
 * Life of an overflow, across the parts: a counter wraps and the hart sets mhpmevent.OF and
 * mip.LCOFIP -> the trap goes straight to S-mode (mideleg bit 13) -> Linux calls STOP for the
 * counters in use (counter_stop), reads scountovf, clears sip.LCOFIP -> calls START with a
 * new value (counter_start), which clears OF so that the next overflow interrupts again.
 *
 * Two rules keep LCOFIP and OF in step, since Linux that finds LCOFIP without any OF leaves
 * every counter stopped: OF is only ever set by the hardware (and put back after a suspend), and
 * whoever clears the last OF here takes a pending LCOFIP with it (lcofip_settle).
 *
 * mcountinhibit is never read: what it should be follows from started and mapped, and a set of
 * counters starts and stops with one write of it.
 */
#include <rv/trap.h>

#include "internal.h"

uint64_t sbipmu_ctr_read(const struct sbipmu_hart *h, unsigned ctr)
{
	unsigned csr = CSR_MHPMCOUNTER + ctr;
	rv_ulong high, low;

	if (RV_XLEN == 64)
		return csr_get(h, csr);
	do {
		high = csr_get(h, csr + COUNTER_CSR_HIGH);
		low = csr_get(h, csr);
	} while (csr_get(h, csr + COUNTER_CSR_HIGH) != high);
	return (uint64_t)high << 32 | low;
}

void sbipmu_ctr_write(const struct sbipmu_hart *h, unsigned ctr, uint64_t value)
{
	unsigned csr = CSR_MHPMCOUNTER + ctr;

	if (RV_XLEN == 32) {
		/* A low half of zero: neither half's old value can carry into the new. */
		csr_set(h, csr, 0);
		csr_set(h, csr + COUNTER_CSR_HIGH, (rv_ulong)(value >> 31 >> 1));
	}
	csr_set(h, csr, (rv_ulong)value);
}

/* mhpmevent_write for any counter; the fixed ones have mcyclecfg and minstretcfg, or nothing. */
void sbipmu_event_write(const struct sbipmu_hart *h, unsigned ctr, uint64_t event)
{
	if (!(FIXED_CTRS & RV_BIT(ctr))) {
		mhpmevent_write(h, ctr, event);
	} else if (h->facts.smcntrpmf) {
		csr_set(h, event_csr(ctr), (rv_ulong)event);
		if (RV_XLEN == 32)
			csr_set(h, event_csr(ctr) + EVENT_CSR_HIGH, (rv_ulong)(event >> 31 >> 1));
	}
}

void sbipmu_asking_choose(const struct sbipmu_hart *h, struct asking *asking, uint64_t set)
{
	if (!asking->asked)
		asking->overflown = hw_overflown(h, h->hw);
	asking->set = set;
	asking->ctr = first_ctr(set);
	asking->asked |= RV_BIT(asking->ctr);
}

void sbipmu_selectors_restore(const struct sbipmu_hart *h, const struct asking *asking)
{
	for (uint64_t left = asking->asked; left;) {
		unsigned ctr = take_ctr(&left);

		mhpmevent_write(h, ctr, h->event[ctr] | asked_overflow(asking, ctr));
	}
}

bool sbipmu_selector_taken(const struct sbipmu_hart *h, unsigned ctr, uint64_t selector)
{
	struct asking asking = { 0 };
	bool taken = selector_try(h, asked_ctr(h, &asking, RV_BIT(ctr)), selector, &asking);

	sbipmu_selectors_restore(h, &asking);
	return taken;
}

/* Lets run what was started and the fixed counters that S-mode has not taken. */
void sbipmu_inhibit_update(const struct sbipmu_hart *h)
{
	uint64_t run = h->started | (FIXED_CTRS & ~h->mapped);

	csr_set(h, CSR_MCOUNTINHIBIT, (rv_ulong)(~run & HW_CTRS & ~RV_BIT(COUNTER_TM)));
}

/*
 * Takes a pending LCOFIP away if no overflow is left that it could stand for.  It is cleared
 * first and looked for afterwards, so that an overflow in between is not lost.
 */
static void lcofip_settle(const struct sbipmu_hart *h)
{
	if (!(csr_get(h, CSR_MIP) & MIP_LCOFIP) || csr_get(h, CSR_SCOUNTOVF))
		return;
	h->pmu->ops->set_lcofip(h->ctx, false);
	if (csr_get(h, CSR_SCOUNTOVF))
		h->pmu->ops->set_lcofip(h->ctx, true);
}

/*
 * Notes what stopped counter ctr is to count, and returns it.  M-mode is never counted,
 * whatever the caller asks: S-mode must not see what the firmware does.
 */
static uint64_t map(struct sbipmu_hart *h, unsigned ctr, uint64_t event, bool filters,
		    rv_ulong flags)
{
	/* Table 37's five bits, VUINH to MINH, stand in the order of mhpmevent's. */
	if (filters)
		event |= (uint64_t)(flags & SBI_PMU_CFG_FLAG_FILTER) << 55 | MHPMEVENT_MINH;
	h->event[ctr] = event;
	h->mapped |= RV_BIT(ctr);
	return event;
}

/* A fixed counter has no selector, and ran freely until now. */
static __attribute__((noinline)) void config_fixed(struct sbipmu_hart *h, unsigned ctr,
						   rv_ulong flags)
{
	uint64_t event = map(h, ctr, 0, h->facts.smcntrpmf, flags);

	sbipmu_inhibit_update(h);
	sbipmu_event_write(h, ctr, event);
}

/* Programs stopped counter ctr for an event. */
void sbipmu_hw_config(struct sbipmu_hart *h, unsigned ctr, uint64_t selector, rv_ulong flags)
{
	if (h->mapped & RV_BIT(ctr)) /* SKIP_MATCH takes it over */
		sbipmu_hw_unmap(h, RV_BIT(ctr));
	if (FIXED_CTRS & RV_BIT(ctr))
		config_fixed(h, ctr, flags);
	else
		mhpmevent_write(h, ctr, map(h, ctr, selector, h->facts.sscofpmf, flags));
}

/* Clears OF of stopped counters that have it set and are about to start. */
void sbipmu_hw_clear_overflow(struct sbipmu_hart *h, uint64_t overflown)
{
	while (overflown) {
		unsigned ctr = take_ctr(&overflown);

		sbipmu_event_write(h, ctr, h->event[ctr]);
	}
	lcofip_settle(h);
}

/* Lets fixed counters run freely again, filtered by nothing. */
static __attribute__((noinline)) void free_fixed(struct sbipmu_hart *h, uint64_t ctrs)
{
	while (ctrs) {
		unsigned ctr = take_ctr(&ctrs);

		h->event[ctr] = 0;
		sbipmu_event_write(h, ctr, 0);
	}
	sbipmu_inhibit_update(h);
}

/*
 * Frees stopped counters.  A programmable one loses its selector with its OF: an emulator may
 * know one counter for an event only, and it had better not be this one (QEMU 7.2).
 */
void sbipmu_hw_unmap(struct sbipmu_hart *h, uint64_t ctrs)
{
	uint64_t overflown = hw_overflown(h, ctrs);
	uint64_t left = ctrs & ~FIXED_CTRS;

	h->mapped &= ~ctrs;
	while (left) {
		unsigned ctr = take_ctr(&left);

		h->event[ctr] = 0;
		mhpmevent_write(h, ctr, 0);
	}
	if (ctrs & FIXED_CTRS)
		free_fixed(h, ctrs & FIXED_CTRS);
	if (overflown)
		lcofip_settle(h);
}
