// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_cpu_ax45mp.c - each raw selector of the AX45MP's table, in the AX45MP's own counters: for
 * each there is a program that causes its event a known number of times.
 *
 * The numbers of instructions are counted by hand; the events of caches, TLBs and pipeline follow
 * from the parameters in cpu/ax45mp.dts: L1D has 4 ways of 128 lines and a prefetcher that is ahead
 * of a walk, L1I has 2 ways of 256 lines and a prefetcher that fetches the next line after a miss,
 * the TLBs have 4 ways of 16 pages.
 *
 * usage: test_sim_cpu_ax45mp FOLDER       with the compiled descriptions
 */
#include "cpu_rig.h"
#include "csr.h"

#define HPM(n)	 (CSR_MHPMCOUNTER + (n))
#define EVENT(n) (CSR_MHPMEVENT + (n))
#define DATA	 (RAM_BASE + 0x800000)

static struct cpu *cpu;
static bool seen[0x200]; /* selectors that a program has tested, or that cannot count */

struct row {
	uint64_t selector, want;
};

/* Runs a program once for each four selectors. */
static void check(const char *what, void (*program)(struct machine *m), const struct row *rows,
		  unsigned nr)
{
	for (unsigned first = 0; first < nr; first += 4) {
		struct machine *m = cpu_machine(cpu, false);
		struct hart *h = m->cl.hart[0];

		h->mstatus |= MSTATUS_FS;
		for (unsigned n = first; n < nr && n < first + 4; n++) {
			csr_write(h, EVENT(3 + n - first), rows[n].selector);
			csr_write(h, HPM(3 + n - first), 0);
		}
		program(m);
		h->mode = PRV_M; /* to look at them */
		for (unsigned n = first; n < nr && n < first + 4; n++) {
			tap_context("%s: selector %x", what, (unsigned)rows[n].selector);
			is(rig_csr(m, HPM(3 + n - first)), rows[n].want);
			seen[rows[n].selector] |= rows[n].want > 0;
		}
		machine_destroy(m);
	}
}

#define CHECK(what, program, ...)                                                                  \
	do {                                                                                       \
		const struct row rows[] = { __VA_ARGS__ };                                         \
		check(what, program, rows, TAP_NR(rows));                                          \
	} while (0)

/* Instructions: a different number of each kind; all accesses are to one line of one page. */
static const struct {
	unsigned nr;
	uint32_t insn;
} kinds[] = {
	{ 2, 0x0002b303 }, /* ld t1, (t0) */
	{ 3, 0x0002a303 }, /* lw */
	{ 4, 0x0062b423 }, /* sd t1, 8(t0) */
	{ 4, 0x0062b02f }, /* amoadd.d zero, t1, (t0) */
	{ 1, 0x1002b32f }, /* lr.d t1, (t0) */
	{ 1, 0x1862b02f }, /* sc.d zero, t1, (t0) */
	{ 7, 0x00102373 }, /* csrr t1, fflags */
	{ 5, 0x00130313 }, /* addi t1, t1, 1 */
	{ 3, 0x40638333 }, /* sub t1, t2, t1 */
	{ 6, 0x0063c333 }, /* xor t1, t2, t1 */
	{ 9, 0x00001463 }, /* bnez zero, 8 */
	{ 8, 0x00000263 }, /* beqz zero, 4 */
	{ 10, 0x0040006f }, /* j 4 */
	{ 13, 0x02638333 }, /* mul t1, t2, t1 */
	{ 2, 0x0263d333 }, /* divu t1, t2, t1 */
	{ 9, 0x0263f333 }, /* remu */
	{ 15, 0x0002b087 }, /* fld f1, (t0) */
	{ 16, 0x0012b827 }, /* fsd f1, 16(t0) */
	{ 11, 0x02208153 }, /* fadd.d f2, f1, f2 */
	{ 7, 0x0a208153 }, /* fsub.d */
	{ 19, 0x12208153 }, /* fmul.d */
	{ 20, 0x0220f143 }, /* fmadd.d f2, f1, f2, f0 */
	{ 12, 0x1a208153 }, /* fdiv.d */
	{ 5, 0x5a008153 }, /* fsqrt.d f2, f1 */
	{ 14, 0xd2028153 }, /* fcvt.d.w f2, t0 */
	{ 8, 0x22208153 }, /* fsgnj.d */
};

static unsigned nr_of(uint32_t insn)
{
	for (unsigned n = 0; n < TAP_NR(kinds); n++) {
		if (kinds[n].insn == insn)
			return kinds[n].nr;
	}
	ok(!"no such row");
	return 0;
}

static unsigned all_kinds(void)
{
	unsigned all = 1; /* wfi */

	for (unsigned n = 0; n < TAP_NR(kinds); n++)
		all += kinds[n].nr;
	return all;
}

static void run_kinds(struct machine *m)
{
	uint64_t at = CODE;

	pages(m);
	for (unsigned n = 0; n < TAP_NR(kinds); n++) {
		for (unsigned i = 0; i < kinds[n].nr; i++, at += 4)
			RIG_CODE(m, at, kinds[n].insn);
	}
	RIG_CODE(m, at, END);
	m->cl.hart[0]->x[T0] = PAGES_VA;
	m->cl.hart[0]->x[T2] = 99;
	restart(m);
}

static void instructions(void)
{
	unsigned loads = 2 + 3, stores = 4, fp_loads = nr_of(0x0002b087), fp_stores = 16;
	unsigned branches = 9 + 8, reads = loads + fp_loads + 1,
		 writes = stores + fp_stores + 1 + 4;
	unsigned all = all_kinds();

	CHECK("instructions", run_kinds, { 0x30, loads }, { 0x40, stores }, { 0x50, 4 + 1 + 1 },
	      { 0x60, 7 + 1 }, { 0x70, 5 + 3 + 6 }, { 0x80, branches }, { 0x90, 8 }, { 0xa0, 10 },
	      { 0xb0, 0 }, { 0xc0, 0 }, { 0xd0, branches + 10 }, { 0xe0, 0 }, { 0xf0, 13 },
	      { 0x100, 2 + 9 }, { 0x110, fp_loads }, { 0x120, fp_stores }, { 0x130, 11 + 7 },
	      { 0x140, 19 }, { 0x150, 20 }, { 0x160, 12 + 5 }, { 0x170, 14 + 8 },
	      { 0x180, 13 + 5 + 3 }, { 0x190, all }, { 0x20, all }, { 0x1, 0 }, { 0x11, 0 },
	      { 0x41, reads + writes }, { 0x61, reads }, { 0x81, writes }, { 0x51, 1 }, { 0x71, 1 },
	      { 0x91, 0 }, { 0xa1, 0 }, { 0x131, reads + writes }, { 0x141, 1 },
	      { 0x21, (all * 4 + 63) / 64 }, { 0x111, (all * 4 + 63) / 64 }, { 0x121, 1 },
	      { 0xe1, 0 }, { 0xd1, 0 });
}

/* Data: walks over twice the size of L1D, line by line, two times. */
#define LINES (2 * 4 * 128)

static void walk(struct machine *m, uint32_t access)
{
	RIG_CODE(m, CODE, access, addi(T0, T0, 64), addi(T2, T2, -1), bnez(T2, -12), END);
	for (unsigned pass = 0; pass < 2; pass++) {
		m->cl.hart[0]->x[T0] = DATA;
		m->cl.hart[0]->x[T2] = LINES;
		restart(m);
	}
}

static void run_reads(struct machine *m)
{
	walk(m, ld(T1, 0, T0));
}

static void run_writes(struct machine *m)
{
	walk(m, sd(T1, 0, T0));
}

static void data(void)
{
	const struct cpu_models *real = cpu->models;
	struct cpu_models near = *real;
	const struct hierarchy_config *memory = &near.hierarchy;
	/*
	 * The first line of each of the 16 pages is not prefetched; the others are, in time, as
	 * memory is no farther than the next load.
	 */
	unsigned misses = LINES / 64, ahead = LINES - misses;

	near.hierarchy.bus_cycles = 2;
	near.hierarchy.ll_cycles = 1;
	cpu->models = &near;
	CHECK("reads", run_reads, { 0x41, 2 * LINES }, { 0x51, 2 * misses }, { 0x61, 2 * LINES },
	      { 0x71, 2 * misses }, { 0x81, 0 }, { 0x91, 0 }, { 0xa1, 0 },
	      /*
	       * The first walk reads from memory, and one line more for the code; the second one
	       * from L2.
	       */
	      { 0x171, ahead + 1 },
	      { 0xc1, misses * memory->bus_cycles + misses * memory->ll_cycles }, { 0x131, 0 },
	      { 0x80, 2 * LINES }, { 0x90, 2 * (LINES - 1) });
	CHECK("writes", run_writes, { 0x41, 2 * LINES }, { 0x51, 2 * misses }, { 0x61, 0 },
	      { 0x71, 0 }, { 0x81, 2 * LINES }, { 0x91, 2 * misses },
	      /* All lines except those that are still in L1D. */
	      { 0xa1, 2 * LINES - 4 * 128 }, { 0x40, 2 * LINES });
	cpu->models = real;
}

/* Code: walks over twice the size of L1I, one jump in each line, two times. */
#define CODE_LINES (2 * 2 * 256)

static void run_code(struct machine *m)
{
	for (unsigned n = 0; n < CODE_LINES; n++)
		RIG_CODE(m, CODE + n * 64, n < CODE_LINES - 1 ? jal(ZERO, 64) : END);
	restart(m);
	restart(m);
}

static void fetches(void)
{
	const struct hierarchy_config *memory = &cpu->models->hierarchy;
	/* The line after a miss has been prefetched. */
	unsigned misses = CODE_LINES / 2;

	CHECK("code", run_code, { 0x21, 2 * CODE_LINES }, { 0x31, 2 * misses },
	      { 0xb1, misses * memory->bus_cycles + misses * memory->ll_cycles },
	      { 0xa0, 2 * (CODE_LINES - 1) }, { 0x171, misses }, { 0x111, 0 }, { 0xf1, 0 });
}

static void run_uncached(struct machine *m)
{
	RIG_CODE(m, CODE, i_type(0x03, 0, S0, 2, A0), sd(ZERO, 0, S1), addi(T2, T2, -1),
		 bnez(T2, -12), END);
	m->cl.hart[0]->x[S0] = 0x101000; /* the clock */
	m->cl.hart[0]->x[S1] = 0x2004000; /* when to interrupt */
	m->cl.hart[0]->x[T2] = 30;
	restart(m);
}

static void uncached(void)
{
	CHECK("devices", run_uncached, { 0xe1, 30 },
	      { 0x101, 30 * cpu->models->hierarchy.uncached_cycles }, { 0xd1, 0 }, { 0xf1, 0 },
	      { 0x41, 0 }, { 0x30, 30 }, { 0x40, 30 });
}

/* Pages: eight pages of one set of the DTLB, five times; the code is in a set of its own. */
static void run_pages(struct machine *m)
{
	pages(m);
	RIG_CODE(m, CODE, ld(T1, 0, T0), add(T0, T0, S0), addi(T2, T2, -1), bnez(T2, -12), END);
	m->cl.hart[0]->x[S0] = 16 * PAGE_SIZE;
	for (unsigned pass = 0; pass < 5; pass++) {
		m->cl.hart[0]->x[T0] = PAGES_VA + 5 * PAGE_SIZE;
		m->cl.hart[0]->x[T2] = 8;
		restart(m);
	}
}

static void translation(void)
{
	const struct hierarchy_config *memory = &cpu->models->hierarchy;
	unsigned walks = 5 * 8, extra = cpu->models->cost.walk_cycles;
	/*
	 * What a page-table walk reads: the root twice, in one line; one line of the middle table;
	 * the leaf entries are 128 bytes apart, so each is in its own line, and none evicts
	 * another.
	 */
	unsigned lines = 1 + 8;

	CHECK("pages", run_pages, { 0x111, 1 }, { 0x121, 1 }, { 0x131, walks }, { 0x141, walks },
	      /* The walk for the code comes first, and reads the line of the root. */
	      { 0x151, extra + memory->bus_cycles },
	      { 0x161, walks * extra + lines * memory->bus_cycles }, { 0x61, walks });
}

/* Eight dependent loads and eight products; their code has been fetched before. */
static void run_waits(struct machine *m)
{
	uint32_t code[17];

	for (unsigned n = 0; n < 16; n++)
		code[n] = n < 8 ? ld(T0, 0, T0) : r_type(0x02000033, T1, T1, T1);
	code[16] = END;
	rig_put(m, CODE, code, 17);
	*(uint64_t *)cluster_ram(&m->cl, DATA, 8) = DATA;
	m->cl.hart[0]->x[T0] = DATA;
	restart(m);
}

static void operands(void)
{
	const struct cost_config *cost = &cpu->models->cost;

	CHECK("results", run_waits,
	      { 0x181, 7 * (cost->latency[COST_LOAD] - 1) + 7 * (cost->latency[COST_MUL] - 1) },
	      { 0xf0, 8 }, { 0x30, 8 }, { 0x71, 1 });
}

/* A branch that was always taken and then is not; calls to a depth of 4 and of 3. */
static void run_branch(struct machine *m)
{
	RIG_CODE(m, CODE, bnez(T0, 8), NOP, END);
	for (unsigned run = 0; run < 50; run++) {
		m->cl.hart[0]->x[T0] = run < 49;
		restart(m);
	}
}

static void run_calls(struct machine *m)
{
	RIG_CODE(m, CODE, jal(RA, 8), END, addi(SP, SP, -16), sd(RA, 0, SP), addi(T0, T0, -1),
		 branch(0, T0, ZERO, 8), jal(RA, -16), ld(RA, 0, SP), addi(SP, SP, 16),
		 jalr(ZERO, 0, RA));
	m->cl.hart[0]->x[SP] = DATA;
	m->cl.hart[0]->x[T0] = 4 + 3;
	restart(m);
}

static void predictions(void)
{
	unsigned history = cpu->models->bpred.history;

	/* For each new history, up to all taken, the first prediction is not taken. */
	CHECK("a branch", run_branch, { 0x2, history + 1 + 1 }, { 0x12, history + 1 }, { 0x80, 50 },
	      { 0x90, 49 }, { 0x22, 0 });
	CHECK("calls", run_calls, { 0x22, 7 - cpu->models->bpred.returns }, { 0xc0, 7 },
	      { 0xb0, 7 }, { 0xa0, 7 }, { 0x80, 7 }, { 0x90, 1 }, { 0xd0, 7 + 7 + 7 });
}

/* For cycles the test knows only that they are the machine's cycles. */
static void run_cycles(struct machine *m)
{
	run_waits(m);
	is(rig_csr(m, HPM(3)), rig_csr(m, CSR_MCYCLE));
	seen[0x10] = true;
}

static void cycles(void)
{
	struct machine *m = cpu_machine(cpu, false);

	csr_write(m->cl.hart[0], EVENT(3), 0x10);
	csr_write(m->cl.hart[0], HPM(3), rig_csr(m, CSR_MCYCLE));
	run_cycles(m);
	machine_destroy(m);
}

/*
 * Every selector is tested, except those that cannot count here: local memories, EXEC.IT, and code
 * outside of RAM.
 */
static void none_is_left_out(void)
{
	static const uint16_t never[] = { 0x1, 0x11, 0xe0, 0xd1, 0xf1 };

	for (unsigned n = 0; n < TAP_NR(never); n++) {
		ok(!seen[never[n]]);
		seen[never[n]] = true;
	}
	for (unsigned n = 0; n < cpu->pmu.nr; n++) {
		tap_context("selector %x", (unsigned)cpu->pmu.selector[n].value);
		ok(seen[cpu->pmu.selector[n].value]);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "kinds of instructions", instructions },
		{ "data caches, prefetches, write-backs", data },
		{ "code", fetches },
		{ "past the caches", uncached },
		{ "TLBs", translation },
		{ "waiting for operands", operands },
		{ "branches and returns", predictions },
		{ "cycles", cycles },
		{ "no selector is left out", none_is_left_out },
	};
	int status;

	cpu_folder = argc > 1 ? argv[1] : ".";
	cpu = load("ax45mp");
	status = tap_run(cases, TAP_NR(cases));
	cpu_free(cpu);
	return status;
}
