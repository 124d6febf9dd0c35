// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_pmu_exact.c - every event of sim/event/event.def in every mode and with every filter, across
 * traps: the counts of one program, computed by hand; and the place where each of its events makes
 * a counter overflow.
 *
 * The program runs a loop with an instruction of each kind in M-mode, then in S-mode and in U-mode
 * under Sv39, with exceptions that are delegated and one that is not, and an interrupt.  The place
 * of each overflow interrupt comes from a run in single steps, in which nothing is batched.
 */
#include <string.h>

#include "rig.h"
#include "steps.h"

#define HPM(n)	 (CSR_MHPMCOUNTER + (n))
#define EVENT(n) (CSR_MHPMEVENT + (n))
#define L	 3 /* loops in each mode */
#define LIMIT	 100000

#define ROOT	 (RAM_BASE + 0x200000)
#define U_BASE	 0xc0000000ull /* RAM in U-mode's address space */
#define NOWHERE	 0x40000000ull
#define BODY	 (RAM_BASE + 0x100)
#define M_CODE	 (RAM_BASE + 0x200)
#define S_CODE	 (RAM_BASE + 0x300)
#define U_CODE	 (RAM_BASE + 0x400)
#define M_VECTOR (RAM_BASE + 0x2000)
#define S_VECTOR (RAM_BASE + 0x500)

enum { T3 = 28, S2 = 18, S3, S4, S5, S6, S7 };

static bool paranoid;

static uint64_t selector(enum event e)
{
	return event_table[e].selector;
}

/* One instruction of each kind; BODY returns to s1 after t0 rounds. */
static void put_body(struct machine *m)
{
	RIG_CODE(m, BODY, ld(A0, 0, S0), sd(A0, 8, S0),
		 r_type(0x0000202f, A2, S0, T1), /* amoadd.w */
		 r_type(0x1000302f, A3, S0, 0), /* lr.d */
		 r_type(0x1800302f, A4, S0, A0), /* sc.d */
		 r_type(0x02000033, A1, T0, T1), /* mul */
		 r_type(0x02004033, A1, T0, T1), /* div */
		 i_type(0x07, 16, S0, 3, 0), /* fld f0, 16(s0) */
		 0x3027u | 24 << 7 | S0 << 15, /* fsd f0, 24(s0) */
		 r_type(0x02000053, 1, 0, 0), /* fadd.d */
		 r_type(0x12000053, 1, 0, 0), /* fmul.d */
		 r_type(0x02000043, 1, 0, 0), /* fmadd.d */
		 r_type(0x1a000053, 1, 0, 0), /* fdiv.d */
		 r_type(0xd2000053, 1, T0, 0), /* fcvt.d.w */
		 r_type(0x22000053, 1, 0, 0), /* fsgnj.d */
		 csrr(A5, CSR_FFLAGS), 0x0ff0000f, /* fence */
		 jal(RA, 16), /* call the return below */
		 jal(ZERO, 16), NOP, NOP, jalr(ZERO, 0, RA), /* 18 to 21 */
		 addi(T0, T0, -1), branch(0, T0, ZERO, 8), jal(ZERO, -96), jalr(ZERO, 0, S1));
}

#define STAGE(at)                                                                                  \
	0x17u | S1 << 7, addi(S1, S1, 16), addi(T0, ZERO, L), jal(ZERO, (int)(BODY - (at)-12))

static void put_program(struct machine *m)
{
	put_body(m);
	RIG_CODE(m, M_CODE, STAGE(M_CODE), MRET);
	RIG_CODE(m, S_CODE, STAGE(S_CODE), sd(A0, 0, S6), ld(A0, 0, S2),
		 i_type(0x73, CSR_SIP, 2, 6, ZERO), /* csrsi sip, 2: an interrupt */
		 ECALL, csrw(CSR_SEPC, S3), csrc(CSR_SSTATUS, S4), SRET);
	RIG_CODE(m, U_CODE, r_type(0x33, S0, S5, ZERO), STAGE(U_CODE + 4), sd(A0, 0, S7),
		 ld(A0, 0, S2), ECALL);
	RIG_CODE(m, M_VECTOR, jal(ZERO, 0x100));
	RIG_CODE(m, M_VECTOR + 4 * IRQ_LCOF, csrw(CSR_MIE, ZERO), END);
	RIG_CODE(m, M_VECTOR + 0x100, csrr(T3, CSR_MEPC), addi(T3, T3, 4), csrw(CSR_MEPC, T3),
		 MRET);
	/* S-mode's handler: an ecall ends the program */
	RIG_CODE(m, S_VECTOR, jal(ZERO, 0x40), jal(ZERO, 0x7c));
	RIG_CODE(m, S_VECTOR + 0x40, csrr(T3, CSR_SCAUSE), addi(T3, T3, -CAUSE_ECALL_U),
		 bnez(T3, 8), END, csrr(T3, CSR_SEPC), addi(T3, T3, 4), csrw(CSR_SEPC, T3), SRET);
	RIG_CODE(m, S_VECTOR + 0x80, i_type(0x73, CSR_SIP, 2, 7, ZERO), SRET);
	/* RAM is identity-mapped for S-mode and elsewhere for U-mode, in leaves of 1 GiB. */
	((uint64_t *)cluster_ram(&m->cl, ROOT, 4096))[2] = RAM_BASE >> 2 | 0xcf;
	((uint64_t *)cluster_ram(&m->cl, ROOT, 4096))[3] = RAM_BASE >> 2 | 0xdf;
}

static void start(struct machine *m)
{
	struct hart *h = m->cl.hart[0];

	machine_reset(m);
	h->pc = M_CODE;
	h->x[S0] = RIG_DATA;
	h->x[S2] = NOWHERE;
	h->x[S3] = U_CODE - RAM_BASE + U_BASE;
	h->x[S4] = MSTATUS_SPP;
	h->x[S5] = RIG_DATA - RAM_BASE + U_BASE;
	h->x[S6] = RIG_DATA + 0x1000;
	h->x[S7] = h->x[S5] + 0x1000;
	rig_open_memory(h);
	csr_write(h, CSR_SATP, 8ull << 60 | ROOT >> 12);
	csr_write(h, CSR_MTVEC, M_VECTOR | 1);
	csr_write(h, CSR_STVEC, S_VECTOR | 1);
	csr_write(h, CSR_MEDELEG, 1 << CAUSE_LOAD_PAGE_FAULT | 1 << CAUSE_ECALL_U);
	csr_write(h, CSR_MIDELEG, MIP_SSIP);
	csr_write(h, CSR_MIE, MIP_SSIP | MIP_LCOFIP);
	csr_write(h, CSR_MEPC, S_CODE);
	csr_write(h, CSR_MSTATUS,
		  (uint64_t)PRV_S << MSTATUS_MPP_SHIFT | MSTATUS_FS | MSTATUS_MIE | MSTATUS_MPIE |
			  MSTATUS_SIE);
}

/* Runs the program to its end in S-mode, then enters M-mode, so that counters can be read. */
static void run(struct machine *m)
{
	rig_run(m, LIMIT);
	m->cl.hart[0]->mode = PRV_M;
}

static struct machine *create(void)
{
	struct machine_options o = { .paranoid = paranoid, .memory = 4 << 20 };
	struct machine *m = rig_create(&o);

	put_program(m);
	start(m);
	return m;
}

/*
 * By hand.  A stage has 3 ALU instructions and a jump (U-mode: one ALU more), L rounds of 22
 * instructions with L - 1 jumps back, and an indirect jump.  S-mode's handler: 8 instructions for
 * each of the 2 faults, 5 for the ecall that ends, 3 for the interrupt; M-mode's handler 5.
 */
#define ROUNDS (4 + 22 * L + L - 1 + 1)

static const struct {
	enum event e;
	uint64_t m, s, u;
} counts[] = {
	{ EVENT_CYCLES, ROUNDS + 1 + 5, ROUNDS + 5 + 2 * 8 + 5 + 3, ROUNDS + 2 },
	{ EVENT_INSTRUCTIONS, ROUNDS + 1 + 5, ROUNDS + 5 + 2 * 8 + 5 + 3, ROUNDS + 2 },
	{ EVENT_CONTROL, 5 * L + 2, 5 * L + 1 + 2 * 2 + 2 + 1, 5 * L + 1 },
	{ EVENT_LOAD, 3 * L, 3 * L, 3 * L },
	{ EVENT_STORE, 3 * L, 3 * L + 1, 3 * L + 1 },
	{ EVENT_AMO, L, L, L },
	{ EVENT_LR, L, L, L },
	{ EVENT_SC, L, L, L },
	{ EVENT_BRANCH, L, L + 3, L },
	{ EVENT_TAKEN, 1, 1 + 2, 1 },
	{ EVENT_NOT_TAKEN, L - 1, L - 1 + 1, L - 1 },
	{ EVENT_JUMP, 4 * L + 2, 4 * L + 1 + 4, 4 * L + 1 },
	{ EVENT_INDIRECT, L + 1, L + 1, L + 1 },
	{ EVENT_CALL, L, L, L },
	{ EVENT_RETURN, L, L, L },
	{ EVENT_ALU, 3 + L + 1, 3 + L + 2 * 2 + 1, 4 + L },
	{ EVENT_MUL, L, L, L },
	{ EVENT_DIV, L, L, L },
	{ EVENT_FP, 8 * L, 8 * L, 8 * L },
	{ EVENT_FP_LOAD, L, L, L },
	{ EVENT_FP_STORE, L, L, L },
	{ EVENT_FP_ADD, L, L, L },
	{ EVENT_FP_MUL, L, L, L },
	{ EVENT_FP_FMA, L, L, L },
	{ EVENT_FP_DIV, L, L, L },
	{ EVENT_FP_CVT, L, L, L },
	{ EVENT_FP_MISC, L, L, L },
	{ EVENT_CSR, L + 2, L + 3 + 2 * 3 + 1 + 1, L },
	{ EVENT_SYSTEM, 2, 1 + 2 + 1 + 1, 0 },
	{ EVENT_FENCE, L, L, L },
	{ EVENT_INT_LOAD, L, L, L },
	{ EVENT_INT_STORE, L, L + 1, L + 1 },
	{ EVENT_INT_ADD, 2 + L + 1, 2 + L + 2 * 2 + 1, 3 + L },
	{ EVENT_JAL, 3 * L + 1, 3 * L + 4, 3 * L },
	{ EVENT_CSR_WRITE, 1, 3 + 2 + 1, 0 },
	{ EVENT_ECALL, 0, 1, 1 },
	{ EVENT_EXCEPTION, 0, 2, 2 },
	{ EVENT_INTERRUPT, 0, 1, 0 },
	{ EVENT_PAGE_FAULT, 0, 1, 1 },
	{ EVENT_WALK, 0, 4, 4 }, /* code, data, data to store to, an unmapped page */
	{ EVENT_WALK_READ, 0, 4, 4 }, /* each finds a leaf of 1 GiB, or no entry, in the root */
	{ EVENT_DTLB_READ_MISS, 0, 2, 2 },
	{ EVENT_DTLB_WRITE_MISS, 0, 1, 1 },
	{ EVENT_ITLB_MISS, 0, 1, 1 },
};

static uint64_t filtered(unsigned n, unsigned filter)
{
	return (filter & 4 ? 0 : counts[n].m) + (filter & 2 ? 0 : counts[n].s) +
	       (filter & 1 ? 0 : counts[n].u);
}

/* 29 combinations of event and filter at a time, until all were counted. */
static void every_event_and_filter(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	for (unsigned first = 0; first < 8 * TAP_NR(counts); first += 29) {
		start(m);
		for (unsigned k = first; k < first + 29 && k < 8 * TAP_NR(counts); k++) {
			csr_write(h, EVENT(3 + k - first),
				  selector(counts[k / 8].e) | (uint64_t)(k % 8) << 60);
			csr_write(h, HPM(3 + k - first), 1000);
		}
		run(m);
		for (unsigned k = first; k < first + 29 && k < 8 * TAP_NR(counts); k++) {
			tap_context("%s, MINH SINH UINH %u%u%u", event_table[counts[k / 8].e].name,
				    k >> 2 & 1, k >> 1 & 1, k & 1);
			is(rig_csr(m, HPM(3 + k - first)), 1000 + filtered(k / 8, k % 8));
		}
		is(rig_csr(m, CSR_SCOUNTOVF), 0);
	}
	machine_destroy(m);
}

static void every_event_has_a_row(void)
{
	bool seen[EVENT_NR] = { false };

	for (unsigned n = 0; n < TAP_NR(counts); n++)
		seen[counts[n].e] = counts[n].m + counts[n].s + counts[n].u > 0;
	for (unsigned e = 0; e < EVENT_NR; e++) {
		/*
		 * test_timing.c has those of models, tests/second those of vectors.  Nothing here
		 * is misaligned: see test_pmu.c.
		 */
		if (event_table[e].needs != MODEL_NOTHING || e == EVENT_MISALIGNED ||
		    !strncmp(event_table[e].name, "vector", 6))
			continue;
		tap_context("%s: add it to counts[]", event_table[e].name);
		ok(seen[e]);
	}
}

/* Smcntrpmf: the same filters on mcycle and minstret, which do not affect each other. */
static void fixed_counters(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	for (unsigned f = 0; f < 8; f++) {
		tap_context("MINH SINH UINH %u%u%u", f >> 2, f >> 1 & 1, f & 1);
		start(m);
		csr_write(h, CSR_MCYCLECFG, (uint64_t)f << 60);
		csr_write(h, CSR_MINSTRETCFG, (uint64_t)(7 - f) << 60);
		csr_write(h, CSR_MCYCLE, 0);
		csr_write(h, CSR_MINSTRET, -5ull); /* wraps, and has no OF */
		run(m);
		is(rig_csr(m, CSR_MCYCLE), filtered(0, f));
		is(rig_csr(m, CSR_MINSTRET), filtered(1, 7 - f) - 5);
		is(rig_csr(m, CSR_MCYCLECFG), (uint64_t)f << 60);
		is(rig_csr(m, CSR_MIP) & MIP_LCOFIP, 0);
	}
	machine_destroy(m);
}

static void record(struct machine *m)
{
	struct hart *h = m->cl.hart[0];

	nr_steps = 0;
	h->idle = false;
	h->pmu.all = true;
	csr_write(h, CSR_MCOUNTINHIBIT, 0); /* otherwise the hart would not check for interrupts */
	memset(h->pmu.total, 0, sizeof(h->pmu.total));
	step_note(h);
	m->current = h;
	while (!h->idle && nr_steps < STEPS - 1) {
		uint64_t now = h->now + 1, misses = h->pmu.total[h->mode][EVENT_ITLB_MISS];

		if (trap_interrupt(h)) {
			step_note(h);
			continue;
		}
		/* The events of a fetch come before the instruction. */
		if (hart_fetch(h) && misses != h->pmu.total[h->mode][EVENT_ITLB_MISS])
			step_note(h);
		hart_run(h, &now);
		step_note(h);
	}
	m->current = NULL;
	h->pmu.all = false;
}

static void overflow_of(struct machine *m, enum event e, unsigned filter, uint64_t n)
{
	struct hart *h = m->cl.hart[0];
	const struct step *at = step_interrupted(e, filter, n);

	tap_context("%s, filter %u, event %llu", event_table[e].name, filter,
		    (unsigned long long)n);
	start(m);
	csr_write(h, EVENT(7), selector(e) | (uint64_t)filter << 60);
	csr_write(h, HPM(7), -n);
	run(m);
	is(h->mcause, RV_BIT(63) | IRQ_LCOF);
	is(h->mepc, at ? at->pc : 0);
	is(rig_csr(m, CSR_SCOUNTOVF), 1 << 7);
	is(rig_csr(m, EVENT(7)), selector(e) | (uint64_t)filter << 60 | MHPMEVENT_OF);
}

/* Every occurrence of every event; with filters the first, a middle one and the last. */
static void every_overflow(void)
{
	struct machine *m = create();
	const struct step *last;

	record(m);
	last = &steps[nr_steps - 1];
	for (unsigned e = 0; e < EVENT_NR; e++) {
		for (unsigned filter = 0; filter < 7; filter++) {
			uint64_t nr = step_happened(last, e, filter);
			uint64_t by = filter && nr > 3 ? nr / 2 : 1;

			for (uint64_t n = 1; n <= nr; n += by)
				overflow_of(m, e, filter, n);
			if (nr)
				overflow_of(m, e, filter, nr);
		}
	}
	machine_destroy(m);
}

/* The stepped run has the counts of the table, so the steps are the program. */
static void steps_are_the_program(void)
{
	struct machine *m = create();
	const struct step *last;

	record(m);
	last = &steps[nr_steps - 1];
	for (unsigned n = 0; n < TAP_NR(counts); n++) {
		tap_context("%s", event_table[counts[n].e].name);
		is(last->total[PRV_M][counts[n].e], counts[n].m);
		is(last->total[PRV_S][counts[n].e], counts[n].s);
		is(last->total[PRV_U][counts[n].e], counts[n].u);
	}
	machine_destroy(m);
}

static void as_paranoid(void)
{
	paranoid = true;
	every_event_and_filter();
	fixed_counters();
	steps_are_the_program();
	every_overflow();
	paranoid = false;
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "every event has a row", every_event_has_a_row },
		{ "every event in every mode, with every filter", every_event_and_filter },
		{ "mcycle and minstret, with every filter", fixed_counters },
		{ "single steps give the same counts", steps_are_the_program },
		{ "every event overflows at its instruction", every_overflow },
		{ "paranoid: the same", as_paranoid },
	};

	return tap_run(cases, TAP_NR(cases));
}
