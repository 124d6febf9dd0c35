// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_pmu.c - the counters, compared with numbers computed from the programs; each case runs on
 * the normal engine and on the paranoid one.
 */
#include <inttypes.h>

#include "rig.h"

#define HPM(n)	 (CSR_MHPMCOUNTER + (n))
#define EVENT(n) (CSR_MHPMEVENT + (n))
#define LOOPS	 100

static bool paranoid;

static struct machine *create(void)
{
	struct machine_options o = { .paranoid = paranoid };

	return rig_create(&o);
}

static uint64_t selector(enum event e)
{
	return event_table[e].selector;
}

/* Counter ctr counts e, starting at value. */
static void count(struct machine *m, unsigned ctr, enum event e, uint64_t value)
{
	csr_write(m->cl.hart[0], EVENT(ctr), selector(e));
	csr_write(m->cl.hart[0], HPM(ctr), value);
}

/*
 * A loop with one instruction of each kind: 2 before, 9 in the loop, END.
 */
static void put_loop(struct machine *m)
{
	m->cl.hart[0]->x[S0] = RIG_DATA;
	RIG_CODE(m, RAM_BASE, addi(T0, ZERO, LOOPS), /* 00 */
		 addi(T1, ZERO, 7), /* 04 */
		 ld(A0, 0, S0), /* 08 loop: */
		 sd(A0, 8, S0), /* 0c */
		 r_type(0x02000033, A1, T0, T1), /* 10 mul */
		 r_type(0x02004033, A1, T0, T1), /* 14 div */
		 r_type(0x0000202f, A2, S0, T1), /* 18 amoadd.w */
		 jal(RA, 8), /* 1c call 24 */
		 END, /* 20 */
		 addi(T0, T0, -1), /* 24 */
		 branch(0, T0, ZERO, -8), /* 28 beqz: to END at last */
		 jal(ZERO, -36)); /* 2c j loop */
}

static const struct {
	enum event e;
	uint64_t n;
} loop_counts[] = {
	{ EVENT_INSTRUCTIONS, 2 + 9 * LOOPS - 1 + 1 },
	{ EVENT_CYCLES, 2 + 9 * LOOPS - 1 + 1 },
	{ EVENT_LOAD, LOOPS },
	{ EVENT_INT_LOAD, LOOPS },
	{ EVENT_STORE, LOOPS },
	{ EVENT_INT_STORE, LOOPS },
	{ EVENT_AMO, LOOPS },
	{ EVENT_MUL, LOOPS },
	{ EVENT_DIV, LOOPS },
	{ EVENT_ALU, 2 + LOOPS },
	{ EVENT_INT_ADD, 2 + LOOPS },
	{ EVENT_BRANCH, LOOPS },
	{ EVENT_TAKEN, 1 },
	{ EVENT_NOT_TAKEN, LOOPS - 1 },
	{ EVENT_CALL, LOOPS },
	{ EVENT_JUMP, 2 * LOOPS - 1 },
	{ EVENT_JAL, 2 * LOOPS - 1 },
	{ EVENT_CONTROL, 3 * LOOPS - 1 },
	{ EVENT_INDIRECT, 0 },
	{ EVENT_SYSTEM, 1 },
	{ EVENT_EXCEPTION, 0 },
};

static void each_event(void)
{
	struct machine *m = create();
	unsigned nr = TAP_NR(loop_counts);

	put_loop(m);
	for (unsigned n = 0; n < nr; n++)
		count(m, 3 + n, loop_counts[n].e, n);
	rig_run(m, 10000);
	for (unsigned n = 0; n < nr; n++) {
		tap_context("%s", event_table[loop_counts[n].e].name);
		is(rig_csr(m, HPM(3 + n)), loop_counts[n].n + n);
	}
	is(rig_csr(m, CSR_MCYCLE), loop_counts[0].n);
	is(rig_csr(m, CSR_MINSTRET), loop_counts[0].n);
	machine_destroy(m);
}

/* True if the i-th instruction of the loop's run is the event; and its address. */
static uint64_t loop_step(unsigned i, enum event e, bool *hit)
{
	static const uint8_t order[9] = { 0x08, 0x0c, 0x10, 0x14, 0x18, 0x1c, 0x24, 0x28, 0x2c };
	unsigned at = i < 2 ? 4 * i : order[(i - 2) % 9];
	bool last = i >= 2 + 9 * LOOPS - 1;

	if (last)
		at = 0x20;
	*hit = e == EVENT_INSTRUCTIONS || e == EVENT_CYCLES || (e == EVENT_LOAD && at == 0x08) ||
	       (e == EVENT_STORE && at == 0x0c) || (e == EVENT_AMO && at == 0x18) ||
	       (e == EVENT_CALL && at == 0x1c) || (e == EVENT_BRANCH && at == 0x28) ||
	       (e == EVENT_NOT_TAKEN && at == 0x28 && i != 2 + 9 * LOOPS - 2) ||
	       (e == EVENT_TAKEN && i == 2 + 9 * LOOPS - 2) ||
	       (e == EVENT_CONTROL && (at == 0x1c || at == 0x28 || at == 0x2c));
	return RAM_BASE + at;
}

/* The address that mepc must have if the n-th event made a counter overflow. */
static uint64_t after_event(enum event e, unsigned n)
{
	bool hit, ignored;

	for (unsigned i = 0; i < 2 + 9 * LOOPS; i++) {
		loop_step(i, e, &hit);
		if (hit && !--n)
			return loop_step(i + 1, e, &ignored);
	}
	return 0;
}

static void put_overflow_handler(struct machine *m)
{
	struct hart *h = m->cl.hart[0];

	/* A pending interrupt would end the wfi. */
	RIG_CODE(m, RAM_BASE + 0x2000, csrw(CSR_MIE, ZERO), END);
	csr_write(h, CSR_MTVEC, RAM_BASE + 0x2000);
	csr_write(h, CSR_MIE, MIP_LCOFIP);
	csr_write(h, CSR_MSTATUS, MSTATUS_MIE);
}

static void overflow_is_exact(void)
{
	static const enum event events[] = { EVENT_INSTRUCTIONS, EVENT_CYCLES,	  EVENT_LOAD,
					     EVENT_STORE,	 EVENT_AMO,	  EVENT_CALL,
					     EVENT_BRANCH,	 EVENT_NOT_TAKEN, EVENT_TAKEN,
					     EVENT_CONTROL };

	for (unsigned i = 0; i < TAP_NR(events); i++) {
		for (unsigned n = 1; n < 60; n++) {
			struct machine *m;
			uint64_t pc = after_event(events[i], n);

			if (!pc)
				break;
			tap_context("%s, event %u", event_table[events[i]].name, n);
			m = create();
			put_loop(m);
			put_overflow_handler(m);
			count(m, 5, events[i], -(uint64_t)n);
			rig_run(m, 10000);
			is(rig_csr(m, CSR_MEPC), pc);
			is(rig_csr(m, CSR_MCAUSE), RV_BIT(63) | IRQ_LCOF);
			is(rig_csr(m, CSR_MHPMEVENT + 5), selector(events[i]) | MHPMEVENT_OF);
			is(rig_csr(m, CSR_SCOUNTOVF), 1 << 5);
			machine_destroy(m);
		}
	}
}

/*
 * Sums: counters that count several events; an instruction can be more than one of them.  The table
 * is a CPU's: it replaces the machine's own.
 */
static const struct sum {
	uint64_t value;
	enum event e[4];
	unsigned nr;
} sums[] = {
	{ 0x10, { EVENT_LOAD, EVENT_STORE }, 2 },
	{ 0x11, { EVENT_LOAD, EVENT_INT_LOAD }, 2 },
	{ 0x12, { EVENT_INSTRUCTIONS, EVENT_LOAD, EVENT_MUL }, 3 },
	{ 0x13, { EVENT_CONTROL, EVENT_BRANCH, EVENT_TAKEN, EVENT_NOT_TAKEN }, 4 },
	{ 0x14, { EVENT_CYCLES, EVENT_INSTRUCTIONS }, 2 },
	{ 0x15, { EVENT_TAKEN, EVENT_NOT_TAKEN }, 2 },
	{ 0x16, { EVENT_ALU, EVENT_EXCEPTION, EVENT_NOT_TAKEN, EVENT_CALL }, 4 },
};

static struct event_set set_of(const struct sum *sum)
{
	struct event_set set = { 0 };

	for (unsigned n = 0; n < sum->nr; n++)
		event_set_add(&set, sum->e[n]);
	return set;
}

static struct machine *create_with_sums(void)
{
	struct machine *m = create();

	m->cl.pmu = (struct pmu_table){ .counters = 0x78, .width = 64 };
	for (unsigned n = 0; n < TAP_NR(sums); n++) {
		struct event_set set = set_of(&sums[n]);

		ok(selector_add(&m->cl.pmu, sums[n].value, &set, 1 << (3 + n % 4), "sum"));
	}
	selector_sort(&m->cl.pmu);
	return m;
}

/* How many events of the sum the i-th instruction of the loop is. */
static unsigned sum_step(const struct sum *sum, unsigned i)
{
	unsigned hits = 0;
	bool hit;

	for (unsigned n = 0; n < sum->nr; n++) {
		uint64_t pc = loop_step(i, sum->e[n], &hit) - RAM_BASE;

		hits += hit || (sum->e[n] == EVENT_INT_LOAD && pc == 0x08) ||
			(sum->e[n] == EVENT_MUL && pc == 0x10) ||
			(sum->e[n] == EVENT_ALU && (pc <= 4 || pc == 0x24));
	}
	return hits;
}

static void sums_are_exact(void)
{
	for (unsigned s = 0; s < TAP_NR(sums); s++) {
		unsigned ctr = 3 + s % 4, i = 0, total = 0;

		for (unsigned n = 1; n < 40; n++) {
			struct machine *m = create_with_sums();
			struct hart *h = m->cl.hart[0];
			bool ignored;

			/* The first instruction at which the count reaches or passes n. */
			for (; total < n; i++)
				total += sum_step(&sums[s], i);
			tap_context("sum %" PRIx64 ", %u", sums[s].value, n);
			put_loop(m);
			put_overflow_handler(m);
			csr_write(h, EVENT(ctr), sums[s].value);
			csr_write(h, HPM(ctr), -(uint64_t)n);
			is(rig_csr(m, EVENT(ctr)), sums[s].value);
			rig_run(m, 10000);
			is(rig_csr(m, CSR_MEPC), loop_step(i, EVENT_LOAD, &ignored));
			is(rig_csr(m, CSR_SCOUNTOVF), 1 << ctr);
			machine_destroy(m);
		}
	}
}

static void sums_add_up(void)
{
	for (unsigned s = 0; s < TAP_NR(sums); s++) {
		struct machine *m = create_with_sums();
		uint64_t want = 0;

		tap_context("sum %" PRIx64, sums[s].value);
		for (unsigned i = 0; i < 2 + 9 * LOOPS; i++)
			want += sum_step(&sums[s], i);
		put_loop(m);
		csr_write(m->cl.hart[0], EVENT(3 + s % 4), sums[s].value);
		rig_run(m, 10000);
		is(rig_csr(m, HPM(3 + s % 4)), want);
		machine_destroy(m);
	}
}

/* A selector that exists but not for this counter reads back as 0, and so does an unknown one. */
static void selectors_have_counters(void)
{
	struct machine *m = create_with_sums();
	struct hart *h = m->cl.hart[0];

	for (unsigned ctr = 3; ctr < 32; ctr++) {
		for (unsigned s = 0; s < TAP_NR(sums); s++) {
			uint64_t kept = ctr == 3 + s % 4 ? sums[s].value : 0;

			tap_context("counter %u, selector %" PRIx64, ctr, sums[s].value);
			csr_write(h, EVENT(ctr), MHPMEVENT_UINH | sums[s].value);
			is(rig_csr(m, EVENT(ctr)), ctr < 7 ? MHPMEVENT_UINH | kept : 0);
		}
		csr_write(h, EVENT(ctr), 0x2);
		is(rig_csr(m, EVENT(ctr)), 0);
	}
	is(selector_counters(&m->cl.pmu, 0, 0x10), 1 << 3);
	is(selector_counters(&m->cl.pmu, 0, 0x13), 1 << 6);
	is(selector_counters(&m->cl.pmu, 0, 0x2), 0);
	machine_destroy(m);
}

/* SiFive's encoding: the low byte is a class, the other bits select events, which are summed. */
static void classes_combine(void)
{
	static const enum event bits[3][3] = {
		{ EVENT_EXCEPTION, EVENT_LOAD, EVENT_STORE },
		{ EVENT_MUL, EVENT_DIV, EVENT_L1D_READ },
		{ EVENT_CALL, EVENT_BRANCH, EVENT_JUMP },
	};
	static const struct {
		uint64_t value, want;
		bool kept;
	} cases[] = {
		{ 0x200, LOOPS, true },	    { 0x600, 2 * LOOPS, true },
		{ 0x700, 2 * LOOPS, true }, { 0x301, 2 * LOOPS, true },
		{ 0x1, 0, true },	    { 0x2, 0, true },
		{ 0x3, 0, false },	    { 0x800, 0, false },
		{ 0xa00, 0, false },	    { 0x701, 0, false },
		{ 0x302, 2 * LOOPS, true }, { 0x502, 3 * LOOPS - 1, true },
	};

	for (unsigned n = 0; n < TAP_NR(cases); n++) {
		struct machine *m = create();

		tap_context("selector %" PRIx64, cases[n].value);
		m->cl.pmu = (struct pmu_table){ .counters = 0x18, .width = 64, .class_mask = 0xff };
		for (unsigned i = 0; i < 9; i++) {
			struct event_set set = { 0 };

			event_set_add(&set, bits[i / 3][i % 3]);
			selector_add(&m->cl.pmu, i / 3 | 0x100 << i % 3, &set, 0x18, "");
		}
		selector_sort(&m->cl.pmu);
		put_loop(m);
		csr_write(m->cl.hart[0], EVENT(4), cases[n].value);
		is(rig_csr(m, EVENT(4)), cases[n].kept ? cases[n].value : 0);
		rig_run(m, 10000);
		is(rig_csr(m, HPM(4)), cases[n].want);
		machine_destroy(m);
	}
}

/* An event that one instruction can cause several times: OF is set, the value is exact. */
static void amounts_pass_the_target(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	m->cl.models = m->cl.known_models = MODEL_COST;
	count(m, 3, EVENT_WAIT_READ, -5ull);
	count(m, 4, EVENT_WAIT_READ, 0);
	pmu_adds(h, EVENT_WAIT_READ, 4);
	ok(!h->stop || rig_csr(m, CSR_SCOUNTOVF) == 0);
	h->stop = false;
	pmu_adds(h, EVENT_WAIT_READ, 7);
	ok(h->stop);
	pmu_overflow(h);
	is(rig_csr(m, HPM(3)), 6);
	is(rig_csr(m, HPM(4)), 11);
	is(rig_csr(m, CSR_SCOUNTOVF), 1 << 3);
	machine_destroy(m);
}

/* An event of a model that is off cannot be selected, alone or in a sum. */
static void models_that_are_off(void)
{
	struct machine *m = create();
	unsigned offered = 0;

	for (unsigned models = 0; models < 16; models++) {
		for (unsigned n = 0; n < m->cl.pmu.nr; n++) {
			const struct selector *s = &m->cl.pmu.selector[n];
			bool can = !(event_set_needs(&s->set) & ~models);

			m->cl.models = m->cl.known_models = models;
			csr_write(m->cl.hart[0], EVENT(5), s->value);
			is(rig_csr(m, EVENT(5)), can ? s->value : 0);
			offered += can;
		}
	}
	ok(offered > m->cl.pmu.nr);
	machine_destroy(m);
}

/* OF set: the counter continues, and does not interrupt again; after clearing OF it does. */
static void overflow_is_sticky(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	put_loop(m);
	put_overflow_handler(m);
	csr_write(h, EVENT(3), selector(EVENT_INSTRUCTIONS) | MHPMEVENT_OF);
	csr_write(h, HPM(3), -5ull);
	count(m, 4, EVENT_LOAD, -3ull);
	rig_run(m, 10000);
	is(rig_csr(m, CSR_MEPC), after_event(EVENT_LOAD, 3));
	/* 21 instructions, and the handler's */
	is(rig_csr(m, HPM(3)), 21 + 2 - 5);
	is(rig_csr(m, CSR_MIP), MIP_LCOFIP);
	/* The interrupt stays until software clears it, and so does the overflow bit. */
	csr_write(h, CSR_MIP, 0);
	is(rig_csr(m, CSR_MIP), 0);
	is(rig_csr(m, CSR_SCOUNTOVF), 1 << 3 | 1 << 4);
	machine_destroy(m);
}

static void one_event_in_many_counters(void)
{
	struct machine *m = create();

	put_loop(m);
	for (unsigned ctr = 3; ctr < 32; ctr++)
		count(m, ctr, EVENT_LOAD, 1000 * ctr);
	rig_run(m, 10000);
	for (unsigned ctr = 3; ctr < 32; ctr++)
		is(rig_csr(m, HPM(ctr)), 1000 * ctr + LOOPS);
	machine_destroy(m);
}

/*
 * What an instruction writes is valid from the next one on: the instruction that inhibits is
 * counted, the one that clears the inhibit bit is not; the next instruction reads the value
 * written.
 */
static void writes_take_effect_after(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	h->x[T0] = 1 << 3;
	h->x[T1] = 500;
	h->x[T2] = selector(EVENT_INSTRUCTIONS) | MHPMEVENT_MINH;
	h->x[S1] = selector(EVENT_INSTRUCTIONS);
	RIG_CODE(m, RAM_BASE, NOP, NOP, /* 2 */
		 csrs(CSR_MCOUNTINHIBIT, T0), /* 3 */
		 NOP, csrr(A0, HPM(3)), csrc(CSR_MCOUNTINHIBIT, T0), NOP,
		 csrr(A1, HPM(3)), /* reads 4, is 5 */
		 csrw(HPM(3), T1), csrr(A2, HPM(3)), /* reads 500 */
		 csrr(A3, HPM(3)), /* reads 501, is 502 */
		 csrw(EVENT(3), T2), /* 503 */
		 NOP, csrr(A4, HPM(3)), csrw(EVENT(3), S1), csrr(A5, HPM(3)), /* reads 503 */
		 csrw(CSR_MINSTRET, T1), csrr(A6, CSR_MINSTRET), csrw(CSR_MCYCLE, T1), NOP,
		 csrr(A7, CSR_MCYCLE), END);
	count(m, 3, EVENT_INSTRUCTIONS, 0);
	rig_run(m, 1000);
	is(h->x[A0], 3);
	is(h->x[A1], 4);
	is(h->x[A2], 500);
	is(h->x[A3], 501);
	is(h->x[A4], 503);
	is(h->x[A5], 503);
	is(h->x[A6], 500);
	is(h->x[A7], 501);
	machine_destroy(m);
}

static void only_events_that_exist(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	csr_write(h, EVENT(3), 0x7777);
	is(rig_csr(m, EVENT(3)), 0);
	csr_write(h, EVENT(3), 0x7777 | MHPMEVENT_SINH | MHPMEVENT_OF);
	is(rig_csr(m, EVENT(3)), MHPMEVENT_SINH | MHPMEVENT_OF);
	csr_write(h, EVENT(3), UINT64_MAX);
	is(rig_csr(m, EVENT(3)), RV_MASK(63, 60));
	for (unsigned e = 0; e < EVENT_NR; e++) {
		bool counts = !(event_table[e].needs & ~m->cl.models);

		csr_write(h, EVENT(3), selector(e) | MHPMEVENT_MINH);
		is(rig_csr(m, EVENT(3)), (counts ? selector(e) : 0) | MHPMEVENT_MINH);
		for (unsigned other = 0; other < e; other++)
			ok(selector(other) != selector(e));
	}
	csr_write(h, CSR_MCYCLECFG, UINT64_MAX);
	is(rig_csr(m, CSR_MCYCLECFG), RV_MASK(62, 60));
	csr_write(h, CSR_MCOUNTINHIBIT, UINT64_MAX);
	is(rig_csr(m, CSR_MCOUNTINHIBIT), 0xfffffffd);
	csr_write(h, CSR_MCOUNTEREN, UINT64_MAX);
	is(rig_csr(m, CSR_MCOUNTEREN), 0xffffffff);
	machine_destroy(m);
}

static void fewer_and_narrower(void)
{
	struct machine_options o = { .counters = 4, .width = 40, .paranoid = paranoid };
	struct machine *m = rig_create(&o);
	struct hart *h = m->cl.hart[0];

	csr_write(h, CSR_MCOUNTEREN, UINT64_MAX);
	is(rig_csr(m, CSR_MCOUNTEREN), 0x7f);
	csr_write(h, EVENT(7), selector(EVENT_LOAD));
	csr_write(h, HPM(7), 1);
	is(rig_csr(m, EVENT(7)), 0);
	is(rig_csr(m, HPM(7)), 0);
	csr_write(h, HPM(6), UINT64_MAX);
	is(rig_csr(m, HPM(6)), (1ull << 40) - 1);
	put_loop(m);
	put_overflow_handler(m);
	count(m, 6, EVENT_INSTRUCTIONS, (1ull << 40) - 7);
	rig_run(m, 10000);
	is(rig_csr(m, CSR_MEPC), after_event(EVENT_INSTRUCTIONS, 7));
	is(rig_csr(m, HPM(6)), 2); /* the handler's instructions */
	machine_destroy(m);
}

/* A delegated interrupt goes to S-mode, which can clear it there. */
static void lcofi_is_delegated(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, RAM_BASE, MRET);
	RIG_CODE(m, RAM_BASE + 0x100, NOP, NOP, NOP, NOP, NOP, NOP, NOP, END);
	RIG_CODE(m, RAM_BASE + 0x200, csrr(A0, CSR_SIP), csrc(CSR_SIP, T0), csrr(A1, CSR_SIP), END);
	h->x[T0] = MIP_LCOFIP;
	csr_write(h, CSR_MIDELEG, MIP_LCOFIP);
	csr_write(h, CSR_STVEC, RAM_BASE + 0x200);
	csr_write(h, CSR_SIE, MIP_LCOFIP);
	csr_write(h, CSR_MEPC, RAM_BASE + 0x100);
	csr_write(h, CSR_MSTATUS, (uint64_t)PRV_S << MSTATUS_MPP_SHIFT | MSTATUS_SIE);
	rig_open_memory(h);
	count(m, 3, EVENT_INSTRUCTIONS, -4ull);
	rig_run(m, 1000);
	is(h->sepc, RAM_BASE + 0x10c);
	is(h->scause, RV_BIT(63) | IRQ_LCOF);
	is(h->x[A0], MIP_LCOFIP);
	is(h->x[A1], 0);
	machine_destroy(m);
}

/* A fault in the middle of a block: the instructions before it were counted, it was not. */
static void faults_in_blocks(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	h->x[S0] = RIG_DATA;
	RIG_CODE(m, RAM_BASE, ld(A0, 0, S0), sd(A0, 0, S0), ld(A0, 8, S0), ld(A0, 0, ZERO),
		 ld(A0, 0, S0), NOP, END);
	rig_end_at_traps(m, RAM_BASE + 0x2000);
	count(m, 3, EVENT_LOAD, 0);
	count(m, 4, EVENT_STORE, 0);
	count(m, 5, EVENT_INSTRUCTIONS, 0);
	count(m, 6, EVENT_EXCEPTION, 0);
	rig_run(m, 1000);
	is(h->mepc, RAM_BASE + 12);
	is(h->mcause, CAUSE_LOAD_ACCESS);
	is(rig_csr(m, HPM(3)), 2);
	is(rig_csr(m, HPM(4)), 1);
	is(rig_csr(m, HPM(5)), 3 + 1);
	is(rig_csr(m, HPM(6)), 1);
	machine_destroy(m);
}

/* Events that vendors' tables distinguish: CSR reads and writes, misaligned accesses, ecall. */
static void finer_events(void)
{
	static const struct {
		enum event e;
		uint64_t n;
	} counts[] = {
		{ EVENT_CSR, 4 },   { EVENT_CSR_WRITE, 2 }, { EVENT_MISALIGNED, 3 },
		{ EVENT_ECALL, 1 }, { EVENT_EXCEPTION, 1 }, { EVENT_LOAD, 3 },
		{ EVENT_STORE, 2 }, { EVENT_INT_LOAD, 3 },  { EVENT_INT_STORE, 2 },
		{ EVENT_ALU, 2 },   { EVENT_INT_ADD, 1 },
	};
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	h->x[S0] = RIG_DATA;
	RIG_CODE(m, RAM_BASE, csrr(A0, CSR_MSCRATCH), csrw(CSR_MSCRATCH, S0),
		 csrs(CSR_MSCRATCH, ZERO), csrs(CSR_MSCRATCH, S0), ld(A0, 1, S0), ld(A0, 8, S0),
		 ld(A0, -4, S0), sd(A0, 3, S0), sd(A0, 16, S0), addi(A0, A0, 1),
		 i_type(0x13, 1, A0, 7, A0), ECALL);
	rig_end_at_traps(m, RAM_BASE + 0x2000);
	for (unsigned n = 0; n < TAP_NR(counts); n++)
		count(m, 3 + n, counts[n].e, 0);
	rig_run(m, 1000);
	for (unsigned n = 0; n < TAP_NR(counts); n++) {
		tap_context("%s", event_table[counts[n].e].name);
		is(rig_csr(m, HPM(3 + n)), counts[n].n);
	}
	machine_destroy(m);
}

/* Rare events are exact, too: the trap comes before the handler's first instruction. */
static void rare_events_overflow(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, RAM_BASE, NOP, ECALL);
	rig_end_at_traps(m, RAM_BASE + 0x2000);
	count(m, 3, EVENT_EXCEPTION, -1ull);
	rig_run(m, 1000);
	is(rig_csr(m, CSR_SCOUNTOVF), 1 << 3);
	is(rig_csr(m, HPM(3)), 0);
	is(rig_csr(m, CSR_MIP), MIP_LCOFIP);
	is(h->mcause, CAUSE_ECALL_M);
	machine_destroy(m);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a loop of known length has the known number of each event", each_event },
		{ "the overflow interrupt comes after the instruction that caused it",
		  overflow_is_exact },
		{ "sums count each of their events", sums_add_up },
		{ "sums overflow at the instruction that reaches the target", sums_are_exact },
		{ "only counters that have a selector store it", selectors_have_counters },
		{ "bits of a class combine", classes_combine },
		{ "one instruction may count past the target", amounts_pass_the_target },
		{ "events of models that are off cannot be selected", models_that_are_off },
		{ "OF is sticky and disables the interrupt", overflow_is_sticky },
		{ "one event in every counter", one_event_in_many_counters },
		{ "writes take effect with the next instruction", writes_take_effect_after },
		{ "selectors keep only events that exist", only_events_that_exist },
		{ "4 counters of 40 bits", fewer_and_narrower },
		{ "LCOFI is delegated to S-mode", lcofi_is_delegated },
		{ "a fault in a block", faults_in_blocks },
		{ "finer events of vendors' tables", finer_events },
		{ "rare events overflow", rare_events_overflow },
	};
	struct tap_case twice[2 * TAP_NR(cases)];
	static char name[TAP_NR(cases)][100];

	for (unsigned n = 0; n < TAP_NR(cases); n++) {
		snprintf(name[n], sizeof(name[n]), "paranoid: %s", cases[n].name);
		twice[2 * n] = cases[n];
		twice[2 * n + 1] = (struct tap_case){ name[n], cases[n].run };
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..%zu\n", 2 * TAP_NR(cases));
	for (unsigned n = 0, bad = 0;; n++) {
		if (n == 2 * TAP_NR(cases))
			return bad != 0;
		paranoid = n & 1;
		tap = (struct tap_state){ 0 };
		twice[n].run();
		printf("%sok %u - %s\n", tap.failed ? "not " : "", n + 1, twice[n].name);
		bad += tap.failed != 0;
	}
}
