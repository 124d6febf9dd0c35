// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_pmu_race.c - writes to counters and to their configuration right before, at and right after
 * the instruction that makes a counter overflow; which bits these registers store; widths; many
 * counters.
 *
 * The rule: an instruction is counted by the configuration before it, and what it writes is valid
 * from the next one on.  If it writes a register that counting would change, its write wins (Priv
 * 1.13 §3.1.10, §3.1.12; Sscofpmf 1.0).
 */
#include "rig.h"

#define HPM(n)	 (CSR_MHPMCOUNTER + (n))
#define EVENT(n) (CSR_MHPMEVENT + (n))
#define HANDLER	 (RAM_BASE + 0x2000)
#define OF	 MHPMEVENT_OF

static bool paranoid;

static uint64_t selector(enum event e)
{
	return event_table[e].selector;
}

static uint64_t insns(void)
{
	return selector(EVENT_INSTRUCTIONS);
}

static struct machine *create(unsigned counters, unsigned width)
{
	struct machine_options o = { .counters = counters, .width = width, .paranoid = paranoid };
	struct machine *m = rig_create(&o);

	RIG_CODE(m, HANDLER, csrw(CSR_MIE, ZERO), END);
	csr_write(m->cl.hart[0], CSR_MTVEC, HANDLER);
	return m;
}

/* Instructions as constants, for tables. */
#define CSR_OP(f3, rd, csr, rs1)                                                                   \
	(0x73u | (rd) << 7 | (f3) << 12 | (rs1) << 15 | (uint32_t)(csr) << 20)
#define WRITE(csr, rs1) CSR_OP(1, ZERO, csr, rs1)
#define SET(csr, rs1)	CSR_OP(2, ZERO, csr, rs1)
#define CLEAR(csr, rs1) CSR_OP(3, ZERO, csr, rs1)

/*
 * Six instructions at RAM_BASE; counter 3 counts instructions and starts at -left. a0 is 1 << 3, a1
 * a counter's value, a2 and a3 configurations, a4 LCOFIP.  Interrupts are off, so a pending one
 * stays.
 */
static const struct race {
	const char *name;
	int left;
	uint32_t code[6];
	uint64_t value; /* value of counter 3 at the end, with END counted */
	bool of, lcofip;
} races[] = {
	{ "nothing", 3, { NOP, NOP, NOP, NOP, NOP, NOP }, 4, true, true },
	{ "the counter, before",
	  3,
	  { NOP, WRITE(HPM(3), A1), NOP, NOP, NOP, NOP },
	  100 + 5,
	  false,
	  false },
	{ "the counter, at", 2, { NOP, WRITE(HPM(3), A1), NOP, NOP, NOP, NOP }, 105, false, false },
	{ "the counter, after",
	  1,
	  { NOP, WRITE(HPM(3), A1), NOP, NOP, NOP, NOP },
	  105,
	  true,
	  true },
	{ "write of the counter's own value: the read is counted, the write is not",
	  2,
	  { NOP, CSR_OP(2, T0, HPM(3), ZERO), WRITE(HPM(3), T0), NOP, NOP, NOP },
	  3,
	  true,
	  true },
	{ "the same, at: it overflows two later",
	  3,
	  { NOP, CSR_OP(2, T0, HPM(3), ZERO), WRITE(HPM(3), T0), NOP, NOP, NOP },
	  2,
	  true,
	  true },
	{ "inhibit, before",
	  3,
	  { NOP, SET(CSR_MCOUNTINHIBIT, A0), NOP, NOP, NOP, NOP },
	  -1ull,
	  false,
	  false },
	{ "inhibit, at",
	  2,
	  { NOP, SET(CSR_MCOUNTINHIBIT, A0), NOP, NOP, NOP, NOP },
	  0,
	  true,
	  true },
	{ "inhibit, after",
	  1,
	  { NOP, SET(CSR_MCOUNTINHIBIT, A0), NOP, NOP, NOP, NOP },
	  1,
	  true,
	  true },
	{ "inhibit, then clear: the one that clears is not counted",
	  4,
	  { NOP, SET(CSR_MCOUNTINHIBIT, A0), NOP, CLEAR(CSR_MCOUNTINHIBIT, A0), NOP, NOP },
	  1,
	  true,
	  true },
	{ "the filter, before",
	  3,
	  { NOP, WRITE(EVENT(3), A2), NOP, NOP, NOP, NOP },
	  -1ull,
	  false,
	  false },
	{ "the filter, at: the write of OF wins",
	  2,
	  { NOP, WRITE(EVENT(3), A2), NOP, NOP, NOP, NOP },
	  0,
	  false,
	  false },
	{ "the filter, after: OF is cleared, LCOFIP stays",
	  1,
	  { NOP, WRITE(EVENT(3), A2), NOP, NOP, NOP, NOP },
	  1,
	  false,
	  true },
	{ "OF set before: the overflow is not reported",
	  3,
	  { NOP, WRITE(EVENT(3), A3), NOP, NOP, NOP, NOP },
	  4,
	  true,
	  false },
	{ "OF set at the overflow: it is not reported",
	  2,
	  { NOP, WRITE(EVENT(3), A3), NOP, NOP, NOP, NOP },
	  5,
	  true,
	  false },
	{ "another counter's configuration, at",
	  2,
	  { NOP, WRITE(EVENT(4), A2), NOP, NOP, NOP, NOP },
	  5,
	  true,
	  true },
	{ "another counter, at", 2, { NOP, WRITE(HPM(4), A1), NOP, NOP, NOP, NOP }, 5, true, true },
	{ "another inhibit bit, at",
	  2,
	  { NOP, WRITE(CSR_MCOUNTINHIBIT, T1), NOP, NOP, NOP, NOP },
	  5,
	  true,
	  true },
	{ "mcounteren, at: counting ignores it",
	  2,
	  { NOP, WRITE(CSR_MCOUNTEREN, ZERO), NOP, NOP, NOP, NOP },
	  5,
	  true,
	  true },
	{ "LCOFIP cleared before",
	  3,
	  { NOP, CLEAR(CSR_MIP, A4), NOP, NOP, NOP, NOP },
	  4,
	  true,
	  true },
	{ "LCOFIP cleared at the overflow: it is set after that",
	  2,
	  { NOP, CLEAR(CSR_MIP, A4), NOP, NOP, NOP, NOP },
	  5,
	  true,
	  true },
	{ "LCOFIP cleared after: OF stays, no new interrupt",
	  1,
	  { NOP, CLEAR(CSR_MIP, A4), NOP, NOP, NOP, NOP },
	  6,
	  true,
	  false },
};

static void write_races(void)
{
	struct machine *m = create(29, 64);
	struct hart *h = m->cl.hart[0];

	for (unsigned n = 0; n < TAP_NR(races); n++) {
		tap_context("%s", races[n].name);
		machine_reset(m);
		rig_put(m, RAM_BASE, races[n].code, 6);
		RIG_CODE(m, RAM_BASE + 24, END);
		h->x[A0] = 1 << 3;
		h->x[A1] = 100;
		h->x[A2] = insns() | MHPMEVENT_MINH;
		h->x[A3] = insns() | OF;
		h->x[A4] = MIP_LCOFIP;
		h->x[T1] = 1 << 4;
		csr_write(h, EVENT(3), insns());
		csr_write(h, HPM(3), -(uint64_t)races[n].left);
		rig_run(m, 1000);
		is(rig_csr(m, HPM(3)), races[n].value);
		is(rig_csr(m, CSR_SCOUNTOVF), races[n].of ? 1 << 3 : 0);
		is(rig_csr(m, CSR_MIP), races[n].lcofip ? MIP_LCOFIP : 0);
	}
	machine_destroy(m);
}

/* Clearing OF arms the counter again: it overflows when it wraps once more. */
static void rearmed(void)
{
	struct machine *m = create(29, 64);
	struct hart *h = m->cl.hart[0];

	h->x[A0] = insns();
	h->x[A1] = -4ull;
	RIG_CODE(m, RAM_BASE, NOP, NOP, csrw(EVENT(3), A0), csrw(HPM(3), A1), csrw(CSR_MIP, ZERO),
		 NOP, NOP, NOP, NOP, END);
	csr_write(h, EVENT(3), insns());
	csr_write(h, HPM(3), -1ull);
	csr_write(h, CSR_MIE, MIP_LCOFIP);
	h->x[T0] = MSTATUS_MIE;
	RIG_CODE(m, RAM_BASE + 40, END);
	/* Interrupts from the fifth instruction on. */
	RIG_CODE(m, RAM_BASE + 20, csrw(CSR_MSTATUS, T0));
	rig_run(m, 1000);
	is(h->mepc, RAM_BASE + 4 * 8);
	is(h->mcause, RV_BIT(63) | IRQ_LCOF);
	is(rig_csr(m, CSR_SCOUNTOVF), 1 << 3);
	machine_destroy(m);
}

/* Every counter overflows at the same instruction: all bits of scountovf, one interrupt. */
static void all_at_once(void)
{
	struct machine *m = create(29, 64);
	struct hart *h = m->cl.hart[0];

	for (unsigned i = 0; i < 12; i++)
		RIG_CODE(m, RAM_BASE + 4 * i, NOP);
	for (unsigned ctr = 3; ctr < 32; ctr++) {
		csr_write(h, EVENT(ctr), selector(ctr & 1 ? EVENT_INSTRUCTIONS : EVENT_ALU));
		csr_write(h, HPM(ctr), -7ull);
	}
	csr_write(h, CSR_MIE, MIP_LCOFIP);
	csr_write(h, CSR_MSTATUS, MSTATUS_MIE);
	rig_run(m, 1000);
	is(h->mepc, RAM_BASE + 4 * 7);
	is(rig_csr(m, CSR_SCOUNTOVF), 0xfffffff8);
	/* and two counters of the same event, one after the other */
	machine_reset(m);
	csr_write(h, CSR_MTVEC, HANDLER);
	csr_write(h, EVENT(3), insns());
	csr_write(h, HPM(3), -3ull);
	csr_write(h, EVENT(4), insns());
	csr_write(h, HPM(4), -5ull);
	csr_write(h, CSR_MIE, MIP_LCOFIP);
	csr_write(h, CSR_MSTATUS, MSTATUS_MIE);
	rig_run(m, 1000);
	is(h->mepc, RAM_BASE + 4 * 3);
	is(rig_csr(m, CSR_SCOUNTOVF), 1 << 3 | 1 << 4); /* the handler counts 4 and 5 */
	is(rig_csr(m, HPM(4)), 0);
	machine_destroy(m);
}

/*
 * For every width: values are cut when written, and OF is set when the counter wraps to 0, not
 * before.
 */
static void widths(void)
{
	for (unsigned width = 1; width <= 64; width++) {
		struct machine *m = create(2, width);
		struct hart *h = m->cl.hart[0];
		uint64_t max = width == 64 ? UINT64_MAX : (1ull << width) - 1;

		tap_context("width %u", width);
		csr_write(h, HPM(3), UINT64_MAX);
		is(rig_csr(m, HPM(3)), max);
		csr_write(h, EVENT(3), insns());
		csr_write(h, HPM(3), max);
		RIG_CODE(m, RAM_BASE, csrr(A0, HPM(3)), csrr(A1, HPM(3)), csrr(A2, CSR_SCOUNTOVF),
			 END);
		csr_write(h, EVENT(4), insns());
		csr_write(h, HPM(4), max - 1);
		rig_run(m, 1000);
		is(h->x[A0], max);
		is(h->x[A1], 0);
		is(h->x[A2], 1 << 3 | 1 << 4);
		is(rig_csr(m, HPM(3)), 3 & max);
		machine_destroy(m);
	}
}

/* With 0 to 29 counters, those exist; the others are 0 and stay 0. */
static void numbers(void)
{
	for (unsigned counters = 0; counters <= 29; counters++) {
		struct machine *m = create(29, 48);
		struct hart *h = m->cl.hart[0];
		uint32_t there = (uint32_t)(((1ull << counters) - 1) << 3);

		tap_context("%u counters", counters);
		m->cl.pmu.counters = ((1u << counters) - 1) << COUNTER_HPM_FIRST;
		machine_reset(m);
		csr_write(h, CSR_MCOUNTINHIBIT, UINT64_MAX);
		is(rig_csr(m, CSR_MCOUNTINHIBIT), there | 5);
		csr_write(h, CSR_MCOUNTEREN, UINT64_MAX);
		is(rig_csr(m, CSR_MCOUNTEREN), there | 7);
		csr_write(h, CSR_SCOUNTEREN, UINT64_MAX);
		is(rig_csr(m, CSR_SCOUNTEREN), there | 7);
		for (unsigned ctr = 3; ctr < 32; ctr++) {
			csr_write(h, EVENT(ctr), insns() | OF);
			csr_write(h, HPM(ctr), 77);
			is(rig_csr(m, EVENT(ctr)), there >> ctr & 1 ? insns() | OF : 0);
			is(rig_csr(m, HPM(ctr)), there >> ctr & 1 ? 77 : 0);
		}
		is(rig_csr(m, CSR_SCOUNTOVF), there);
		machine_destroy(m);
	}
}

/* Each bit of mhpmevent, mcyclecfg and minstretcfg alone: stored, or 0. */
static void reserved_bits(void)
{
	struct machine *m = create(29, 64);
	struct hart *h = m->cl.hart[0];

	for (unsigned bit = 58; bit < 64; bit++) {
		uint64_t value = RV_BIT(bit), filter = value & RV_MASK(62, 60);

		tap_context("bit %u", bit);
		csr_write(h, EVENT(3), value | insns());
		is(rig_csr(m, EVENT(3)), insns() | filter | (value & OF));
		csr_write(h, CSR_MCYCLECFG, value);
		is(rig_csr(m, CSR_MCYCLECFG), filter);
		csr_write(h, CSR_MINSTRETCFG, value);
		is(rig_csr(m, CSR_MINSTRETCFG), filter);
	}
	/* A number that is nearly a selector is not a selector. */
	for (unsigned bit = 20; bit < 58; bit++) {
		csr_write(h, EVENT(3), insns() | RV_BIT(bit));
		is(rig_csr(m, EVENT(3)), 0);
	}
	csr_write(h, CSR_MCYCLECFG, 0);
	csr_write(h, CSR_MINSTRETCFG, 0);
	machine_destroy(m);
}

/* Where LCOFI goes from each mode, delegated or not, enabled or not (Priv 1.13 §3.1.9). */
static const struct {
	unsigned mode;
	bool mie, sie, delegated;
	int to; /* a mode, or -1: it stays pending */
} routes[] = {
	{ PRV_M, false, false, false, -1 },   { PRV_M, true, false, false, PRV_M },
	{ PRV_M, true, true, true, -1 },      { PRV_S, false, false, false, PRV_M },
	{ PRV_S, true, false, true, -1 },     { PRV_S, false, true, true, PRV_S },
	{ PRV_S, true, true, false, PRV_M },  { PRV_U, false, false, false, PRV_M },
	{ PRV_U, false, false, true, PRV_S }, { PRV_U, true, true, true, PRV_S },
};

static void route(unsigned n)
{
	struct machine *m = create(29, 64);
	struct hart *h = m->cl.hart[0];

	for (unsigned i = 0; i < 20; i++)
		RIG_CODE(m, RAM_BASE + 0x100 + 4 * i, NOP);
	RIG_CODE(m, RAM_BASE + 0x100 + 80, ECALL);
	RIG_CODE(m, RAM_BASE + 0x400, csrw(CSR_SIE, ZERO), END);
	csr_write(h, CSR_STVEC, RAM_BASE + 0x400);
	rig_open_memory(h);
	csr_write(h, EVENT(3), insns());
	csr_write(h, HPM(3), -6ull);
	csr_write(h, CSR_MIE, MIP_LCOFIP);
	csr_write(h, CSR_MIDELEG, routes[n].delegated ? MIP_LCOFIP : 0);
	csr_write(h, CSR_MSTATUS,
		  (routes[n].mie ? MSTATUS_MIE : 0) | (routes[n].sie ? MSTATUS_SIE : 0));
	h->pc = RAM_BASE + 0x100;
	rig_set_mode(h, routes[n].mode);
	rig_run(m, 1000);
	h->mode = PRV_M;
	if (routes[n].to == PRV_S) {
		is(h->sepc, RAM_BASE + 0x118);
		is(h->scause, RV_BIT(63) | IRQ_LCOF);
	} else if (routes[n].to == PRV_M) {
		is(h->mepc, RAM_BASE + 0x118);
		is(h->mcause, RV_BIT(63) | IRQ_LCOF);
	} else {
		is(h->mepc, RAM_BASE + 0x100 + 80);
		is(h->mcause, CAUSE_ECALL_U + routes[n].mode);
	}
	is(rig_csr(m, CSR_MIP), MIP_LCOFIP);
	is(rig_csr(m, CSR_SIP), routes[n].delegated ? MIP_LCOFIP : 0);
	machine_destroy(m);
}

static void delegation(void)
{
	for (unsigned n = 0; n < TAP_NR(routes); n++) {
		tap_context("row %u: from mode %u, MIE %u, SIE %u, delegated %u", n, routes[n].mode,
			    routes[n].mie, routes[n].sie, routes[n].delegated);
		route(n);
	}
}

/* scountovf shows S-mode the bits of mcounteren, M-mode all bits, U-mode nothing. */
static void gated(void)
{
	struct machine *m = create(29, 64);
	struct hart *h = m->cl.hart[0];

	for (unsigned ctr = 3; ctr < 32; ctr++)
		csr_write(h, EVENT(ctr), OF);
	for (unsigned ctr = 0; ctr < 32; ctr++) {
		uint64_t value = 0;

		tap_context("bit %u", ctr);
		csr_write(h, CSR_MCOUNTEREN, 1u << ctr);
		h->mode = PRV_S;
		ok(csr_read(h, CSR_SCOUNTOVF, false, &value));
		is(value, ctr < 3 ? 0 : 1u << ctr);
		ok(!csr_read(h, CSR_SCOUNTOVF, true, &value));
		h->mode = PRV_U;
		ok(!csr_read(h, CSR_SCOUNTOVF, false, &value));
		h->mode = PRV_M;
		is(rig_csr(m, CSR_SCOUNTOVF), 0xfffffff8);
	}
	machine_destroy(m);
}

/* An interrupt is an event, too; the overflow that it causes is taken at its first instruction. */
static void interrupts_overflow(void)
{
	struct machine *m = create(29, 64);
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, RAM_BASE, NOP, NOP, NOP, END);
	RIG_CODE(m, HANDLER, csrr(A0, CSR_MIP), csrr(A1, CSR_SCOUNTOVF), csrw(CSR_MIE, ZERO), END);
	csr_write(h, EVENT(3), selector(EVENT_INTERRUPT));
	csr_write(h, HPM(3), -1ull);
	csr_write(h, CSR_MIE, MIP_SSIP | MIP_LCOFIP);
	csr_write(h, CSR_MIP, MIP_SSIP);
	csr_write(h, CSR_MSTATUS, MSTATUS_MIE);
	rig_run(m, 1000);
	is(h->mcause, RV_BIT(63) | IRQ_S_SOFT);
	is(h->mepc, RAM_BASE);
	is(h->x[A0], MIP_SSIP | MIP_LCOFIP);
	is(h->x[A1], 1 << 3);
	machine_destroy(m);
}

/* A due interrupt comes before the next fetch, even if that fetch faults. */
static void before_a_fetch_that_faults(void)
{
	struct machine *m = create(29, 64);
	struct hart *h = m->cl.hart[0];

	h->x[S0] = 0x40;
	RIG_CODE(m, RAM_BASE, NOP, NOP, jalr(ZERO, 0, S0));
	csr_write(h, EVENT(3), insns());
	csr_write(h, HPM(3), -3ull);
	csr_write(h, CSR_MIE, MIP_LCOFIP);
	csr_write(h, CSR_MSTATUS, MSTATUS_MIE);
	rig_run(m, 1000);
	is(h->mcause, RV_BIT(63) | IRQ_LCOF);
	is(h->mepc, 0x40);
	machine_destroy(m);
}

static void as_paranoid(void)
{
	paranoid = true;
	write_races();
	rearmed();
	all_at_once();
	widths();
	delegation();
	interrupts_overflow();
	before_a_fetch_that_faults();
	paranoid = false;
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "writes before, at and after an overflow", write_races },
		{ "clearing OF arms a counter again", rearmed },
		{ "all counters at once", all_at_once },
		{ "widths of 1 to 64 bits", widths },
		{ "0 to 29 counters", numbers },
		{ "bits that are stored, and others", reserved_bits },
		{ "LCOFI from each mode, delegated and not", delegation },
		{ "scountovf is gated", gated },
		{ "an interrupt makes a counter overflow", interrupts_overflow },
		{ "an overflow before a fetch that faults", before_a_fetch_that_faults },
		{ "paranoid: the same", as_paranoid },
	};

	return tap_run(cases, TAP_NR(cases));
}
