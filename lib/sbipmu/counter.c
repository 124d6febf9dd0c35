/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counter.c - hardware counters: values, event selectors, start and stop.
 *
 * May call: ops->csr_read, csr_write, set_lcofip.
 * Implements: Priv 1.13 §3.1.10 to §3.1.12, Sscofpmf 1.0, Smcntrpmf 1.0, Smcdeleg 1.0; the
 * hardware half of SBI 3.0 §11.8 to §11.10.
 *
 * Life of an overflow: a counter wraps and the hart sets mhpmevent.OF and mip.LCOFIP -> the
 * interrupt goes directly to S-mode (mideleg bit 13) -> Linux calls STOP for its counters
 * (counter_stop), reads scountovf and clears sip.LCOFIP -> Linux calls START with a new value
 * (counter_start), which clears OF, so that the next overflow interrupts again.
 *
 * If Linux finds LCOFIP without any OF, it leaves every counter stopped.  Two rules prevent this:
 * only the hardware sets OF (and the library sets it again after a suspend); and when this file
 * clears the last OF, it also clears a pending LCOFIP (lcofip_settle).
 *
 * mcountinhibit is never read: its value follows from started and mapped.  One write of it
 * starts or stops a set of counters.
 */
#include <rv/trap.h>

#include "pmu_counter.h"

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
		/* With a low half of 0 no carry can reach the new high half before the end. */
		csr_set(h, csr, 0);
		csr_set(h, csr + COUNTER_CSR_HIGH, (rv_ulong)(value >> 31 >> 1));
	}
	csr_set(h, csr, (rv_ulong)value);
}

/* Like mhpmevent_write, also for cycle and instret: mcyclecfg, minstretcfg, if they exist. */
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

/*
 * Writes the event CSR of a counter that is not mapped.  QEMU counts an event in one counter only,
 * and forgets which when its whole mhpmevent becomes 0: so it is 0 first, without MINH.
 */
static void write_idle(const struct sbipmu_hart *h, unsigned ctr)
{
	sbipmu_event_write(h, ctr, 0);
	if (h->event[ctr])
		sbipmu_event_write(h, ctr, h->event[ctr]);
}

/*
 * Gives a counter that is not mapped the event CSR that it then has.  S-mode may configure it if it
 * is delegated, and can neither read nor change MINH (Smcdeleg 1.0 §3): MINH is 1, so that S-mode
 * does not observe the firmware.
 */
void sbipmu_event_idle(struct sbipmu_hart *h, unsigned ctr)
{
	const bool filters = FIXED_CTRS & RV_BIT(ctr) ? h->facts.smcntrpmf : h->facts.sscofpmf;

	h->event[ctr] = h->facts.delegated && filters ? MHPMEVENT_MINH : 0;
	write_idle(h, ctr);
}

void sbipmu_asking_choose(const struct sbipmu_hart *h, struct asking *asking, uint64_t set)
{
	if (!asking->asked)
		asking->overflown = hw_overflown(h, h->hw);
	asking->set = set;
	asking->ctr = rv_first_bit(set);
	asking->asked |= RV_BIT(asking->ctr);
}

void sbipmu_selectors_restore(const struct sbipmu_hart *h, const struct asking *asking)
{
	for (uint64_t left = asking->asked; left;) {
		unsigned ctr = take_ctr(&left);

		if (h->mapped & RV_BIT(ctr))
			mhpmevent_write(h, ctr, h->event[ctr] | asked_overflow(asking, ctr));
		else
			write_idle(h, ctr);
	}
}

bool sbipmu_selector_taken(const struct sbipmu_hart *h, unsigned ctr, uint64_t selector)
{
	struct asking asking = { 0 };
	bool taken = selector_try(h, asked_ctr(h, &asking, RV_BIT(ctr)), selector, &asking);

	sbipmu_selectors_restore(h, &asking);
	return taken;
}

/* Lets the started counters run, and cycle and instret unless S-mode has mapped them. */
void sbipmu_inhibit_update(const struct sbipmu_hart *h)
{
	uint64_t run = h->started | (FIXED_CTRS & ~h->mapped);

	csr_set(h, CSR_MCOUNTINHIBIT, (rv_ulong)(~run & HW_CTRS & ~RV_BIT(COUNTER_TM)));
}

/*
 * Clears a pending LCOFIP if no counter has OF set.  It clears first and reads scountovf again
 * afterwards, so that an overflow between the two is not lost.
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
 * Records the event of stopped counter ctr and returns the value of its event CSR.  MINH is always
 * set: S-mode must not observe the firmware.
 */
static uint64_t map(struct sbipmu_hart *h, unsigned ctr, uint64_t event, bool filters,
		    rv_ulong flags)
{
	/* The filter bits of SBI 3.0 table 37 have the order of mhpmevent's, VUINH to MINH. */
	if (filters)
		event |= (uint64_t)(flags & SBI_PMU_CFG_FLAG_FILTER) << 55 | MHPMEVENT_MINH;
	h->event[ctr] = event;
	h->mapped |= RV_BIT(ctr);
	return event;
}

/* Configures a fixed counter: it has no selector, and it has been running. */
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

/* Lets fixed counters run again, without S-mode's mode filters. */
static __attribute__((noinline)) void free_fixed(struct sbipmu_hart *h, uint64_t ctrs)
{
	while (ctrs)
		sbipmu_event_idle(h, take_ctr(&ctrs));
	sbipmu_inhibit_update(h);
}

/* Unmaps stopped counters.  The selector of a programmable one is cleared together with its OF. */
void sbipmu_hw_unmap(struct sbipmu_hart *h, uint64_t ctrs)
{
	uint64_t overflown = hw_overflown(h, ctrs);
	uint64_t left = ctrs & ~FIXED_CTRS;

	h->mapped &= ~ctrs;
	while (left)
		sbipmu_event_idle(h, take_ctr(&left));
	if (ctrs & FIXED_CTRS)
		free_fixed(h, ctrs & FIXED_CTRS);
	if (overflown)
		lcofip_settle(h);
}
