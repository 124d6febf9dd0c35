// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_delegation.c - counters that M-mode delegates to S-mode: the CSRs of Smcsrind and Smcdeleg,
 * compared with a second model of them in random sequences, and overflows of delegated counters.
 */
#include "rig.h"

#define COUNTERS_ALL 0xfffffffdu /* all but time */

static bool paranoid;

static struct machine *create(bool smstateen)
{
	struct machine_options o = { .paranoid = paranoid, .smstateen = smstateen };
	struct machine *m = rig_create(&o);
	struct hart *h = m->cl.hart[0];

	rig_open_memory(h);
	return m;
}

/* Whether an instruction in this mode may read or write a CSR, which it then does. */
static bool access_csr(struct machine *m, unsigned mode, unsigned num, const uint64_t *to,
		       uint64_t *value)
{
	struct hart *h = m->cl.hart[0];
	bool ok;

	rig_set_mode(h, mode);
	ok = csr_read(h, num, to, value);
	if (ok && to)
		csr_write(h, num, *to);
	rig_set_mode(h, PRV_M);
	return ok;
}

/* The second model: plain arrays, and the sentences of the specification as they stand. */
struct plain {
	uint64_t siselect, mcounteren, inhibit, counter[32], event[32];
	bool cde, csrind;
};

static bool plain_is_counter(const struct plain *p)
{
	return p->siselect >= 0x40 && p->siselect <= 0x5f;
}

static bool plain_may(const struct plain *p, unsigned mode, unsigned num)
{
	if (mode == PRV_U)
		return false;
	if (num == CSR_SCOUNTINHIBIT)
		return p->cde;
	if (mode == PRV_S && !p->csrind)
		return false;
	if (num == CSR_SISELECT)
		return true;
	if (num != CSR_SIREG && num != CSR_SIREG2)
		return false;
	return plain_is_counter(p) && p->cde && p->siselect != 0x41 &&
	       (p->mcounteren >> (p->siselect - 0x40) & 1);
}

static uint64_t plain_read(const struct plain *p, unsigned num)
{
	unsigned n = p->siselect - 0x40;

	switch (num) {
	case CSR_SCOUNTINHIBIT:
		return p->inhibit & p->mcounteren & COUNTERS_ALL;
	case CSR_SISELECT:
		return p->siselect;
	case CSR_SIREG:
		return p->counter[n];
	default:
		return p->event[n] & ~(1ull << 62);
	}
}

static void plain_write(struct plain *p, unsigned num, uint64_t value)
{
	unsigned n = p->siselect - 0x40;
	uint64_t mask = p->mcounteren & COUNTERS_ALL;

	switch (num) {
	case CSR_SCOUNTINHIBIT:
		p->inhibit = (p->inhibit & ~mask) | (value & mask);
		break;
	case CSR_SISELECT:
		p->siselect = value & 0xfff;
		break;
	case CSR_SIREG:
		p->counter[n] = value;
		break;
	default:
		/* OF belongs to the programmable counters; the selectors that are tried exist. */
		value &= n > 2 ? 0xb0000000ffffffffull : 0x3000000000000000ull;
		p->event[n] = value | (p->event[n] & 1ull << 62);
		break;
	}
}

static uint64_t seed;

static uint64_t draw(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

/* M-mode changes what it delegates, and its own view of the counters. */
static void by_m(struct machine *m, struct plain *p)
{
	struct hart *h = m->cl.hart[0];
	unsigned n = 3 + draw() % 29;

	switch (draw() % 5) {
	case 0:
		p->cde = draw() & 3;
		csr_write(h, CSR_MENVCFG, p->cde ? MENVCFG_CDE : 0);
		break;
	case 1:
		p->csrind = draw() & 3;
		csr_write(h, CSR_MSTATEEN0, p->csrind ? MSTATEEN0_CSRIND : 0);
		break;
	case 2:
		p->mcounteren = (uint32_t)(draw() | draw());
		csr_write(h, CSR_MCOUNTEREN, p->mcounteren);
		break;
	case 3:
		p->inhibit = draw() & COUNTERS_ALL;
		csr_write(h, CSR_MCOUNTINHIBIT, p->inhibit);
		break;
	default:
		p->event[n] = (draw() & 7) << 60;
		csr_write(h, CSR_MHPMEVENT + n, p->event[n]);
		break;
	}
}

static void random_sequences(void)
{
	static const unsigned nums[] = { CSR_SISELECT, CSR_SISELECT,	 CSR_SIREG,  CSR_SIREG,
					 CSR_SIREG2,   CSR_SIREG2,	 CSR_SIREG3, CSR_SIREG4,
					 CSR_SIREG6,   CSR_SCOUNTINHIBIT };
	static const unsigned modes[] = { PRV_U, PRV_S, PRV_S, PRV_S, PRV_M };
	struct machine *m = create(true);
	struct plain p = { 0 };

	seed = 88172645463325252ull;
	for (unsigned step = 0; step < 20000; step++) {
		unsigned num = nums[draw() % TAP_NR(nums)], mode = modes[draw() % TAP_NR(modes)];
		uint64_t value = draw(), got;
		bool writes = draw() & 1, may;

		tap_context("step %u, mode %u, CSR %x, siselect %llx", step, mode, num,
			    (unsigned long long)p.siselect);
		if (draw() % 4 == 0)
			by_m(m, &p);
		if (num == CSR_SISELECT)
			value = draw() % 8 ? 0x3e + draw() % 36 : value;
		if (num == CSR_SIREG2)
			value &= 0xf000000000000000ull;
		may = plain_may(&p, mode, num);
		is(access_csr(m, mode, num, writes ? &value : NULL, &got), may);
		if (!may)
			continue;
		is(got, plain_read(&p, num));
		if (writes)
			plain_write(&p, num, value);
		if (num == CSR_SIREG && writes)
			is(rig_csr(m, CSR_MHPMCOUNTER + p.siselect - 0x40), value);
		if (num == CSR_SIREG2 && writes && p.siselect > 0x42)
			is(rig_csr(m, CSR_MHPMEVENT + p.siselect - 0x40),
			   p.event[p.siselect - 0x40]);
		is(rig_csr(m, CSR_MCOUNTINHIBIT), p.inhibit);
	}
	machine_destroy(m);
}

#define HANDLER (RAM_BASE + 0x2000)

/*
 * S-mode programs counter 5 by siselect alone: loads, one below the overflow.  The interrupt comes
 * after the second load; sireg2 then has OF, scountovf too, and clearing OF in sireg2 clears both.
 */
static void overflows(void)
{
	struct machine *m = create(false);
	struct hart *h = m->cl.hart[0];
	uint64_t value, old, config = event_table[EVENT_LOAD].selector | MHPMEVENT_MINH;

	csr_write(h, CSR_MENVCFG, MENVCFG_CDE);
	csr_write(h, CSR_MCOUNTEREN, 1 << 5);
	csr_write(h, CSR_MIDELEG, MIP_LCOFIP);
	csr_write(h, CSR_MHPMEVENT + 5, MHPMEVENT_MINH);
	csr_write(h, CSR_STVEC, HANDLER);
	csr_write(h, CSR_SIE, MIP_LCOFIP);
	csr_write(h, CSR_MSTATUS, MSTATUS_SIE);
	h->x[S0] = RIG_DATA;
	h->x[T0] = SISELECT_COUNTER + 5;
	h->x[T1] = UINT64_MAX - 1;
	h->x[A6] = MIP_LCOFIP;
	h->x[T2] = event_table[EVENT_LOAD].selector | MHPMEVENT_UINH;
	RIG_CODE(m, RAM_BASE, csrw(CSR_SISELECT, T0), csrw(CSR_SIREG, T1), csrw(CSR_SIREG2, T2),
		 ld(A0, 0, S0), ld(A0, 0, S0), ld(A0, 0, S0), END);
	RIG_CODE(m, HANDLER, csrr(A1, CSR_SIREG), csrr(A2, CSR_SIREG2), csrr(A3, CSR_SCOUNTOVF),
		 csrr(A4, CSR_SCOUNTINHIBIT), csrw(CSR_SIREG2, T2), csrr(A5, CSR_SCOUNTOVF),
		 csrc(CSR_SIP, A6), END);
	h->pc = RAM_BASE;
	rig_set_mode(h, PRV_S);
	rig_run(m, 100000);
	is(h->sepc, RAM_BASE + 5 * 4);
	is(h->scause, RV_BIT(63) | IRQ_LCOF);
	is(h->x[A1], 0);
	is(h->x[A2], (config & ~MHPMEVENT_MINH) | MHPMEVENT_OF | MHPMEVENT_UINH);
	is(h->x[A3], 1 << 5);
	is(h->x[A4], 0);
	is(h->x[A5], 0);
	rig_set_mode(h, PRV_M);
	is(rig_csr(m, CSR_MHPMEVENT + 5), config | MHPMEVENT_UINH);
	/* What is inhibited by scountinhibit does not count. */
	value = 1 << 5;
	ok(access_csr(m, PRV_S, CSR_SCOUNTINHIBIT, &value, &old));
	csr_write(h, CSR_MHPMCOUNTER + 5, 10);
	RIG_CODE(m, RAM_BASE, ld(A0, 0, S0), END);
	h->pc = RAM_BASE;
	csr_write(h, CSR_MSTATUS, 0);
	rig_set_mode(h, PRV_S);
	rig_run(m, 100000);
	rig_set_mode(h, PRV_M);
	is(rig_csr(m, CSR_MHPMCOUNTER + 5), 10);
	machine_destroy(m);
}

/* The fixed counters, with the filters of Smcntrpmf; the machine-level window is empty. */
static void fixed(void)
{
	struct machine *m = create(false);
	struct hart *h = m->cl.hart[0];
	uint64_t value, old;

	csr_write(h, CSR_MENVCFG, MENVCFG_CDE);
	csr_write(h, CSR_MCOUNTEREN, UINT32_MAX);
	csr_write(h, CSR_MINSTRETCFG, MHPMEVENT_MINH);
	csr_write(h, CSR_SISELECT, SISELECT_COUNTER + COUNTER_IR);
	value = UINT64_MAX;
	ok(access_csr(m, PRV_S, CSR_SIREG2, &value, &old));
	is(rig_csr(m, CSR_MINSTRETCFG), MHPMEVENT_MINH | MHPMEVENT_SINH | MHPMEVENT_UINH);
	value = 0;
	ok(access_csr(m, PRV_S, CSR_SIREG2, &value, &old));
	is(old, MHPMEVENT_SINH | MHPMEVENT_UINH);
	is(rig_csr(m, CSR_MINSTRETCFG), MHPMEVENT_MINH);
	csr_write(h, CSR_MISELECT, UINT64_MAX);
	is(rig_csr(m, CSR_MISELECT), 0xfff);
	csr_write(h, CSR_MISELECT, SISELECT_COUNTER + COUNTER_IR);
	for (unsigned num = CSR_MIREG; num <= CSR_MIREG6; num++)
		ok(num == CSR_MIP || num == CSR_MIREG3 + 1 ||
		   !access_csr(m, PRV_M, num, NULL, &value));
	machine_destroy(m);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "random sequences", random_sequences },
		{ "an overflow of a delegated counter", overflows },
		{ "cycle and instret", fixed },
	};

	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
