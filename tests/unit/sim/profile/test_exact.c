// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_exact.c - the exact profile (exact.h): programs whose counts at each instruction are known
 * by hand, on the normal engine and on the paranoid one. fuzz_engine checks that the sums are the
 * totals for any program.
 */
#include "exact.h"
#include "exact_parse.h"
#include "hash.h"
#include "rig.h"
#include "small_cpu.h"

#define CODE	 RAM_BASE
#define ROOT(n)	 (RAM_BASE + 0x200000 + (n)*PAGE_SIZE)
#define U_BASE	 0xc0000000ull /* RAM in U-mode's address space */
#define ROWS_MAX 8192

static bool paranoid;
static struct cpu cpu;
static struct cpu_models models;

struct seen {
	struct exact_page page;
	unsigned pages, rows;
	struct {
		struct exact_page page;
		uint64_t va, count[EVENT_NR];
		uint32_t raw;
	} row[ROWS_MAX];
};

static void see_page(void *arg, const struct exact_page *p)
{
	struct seen *s = arg;

	s->page = *p;
	s->pages++;
}

static void see_row(void *arg, const struct exact_row *r)
{
	struct seen *s = arg;

	if (s->rows == ROWS_MAX)
		return;
	s->row[s->rows].page = s->page;
	s->row[s->rows].va = r->va;
	s->row[s->rows].raw = r->raw;
	memcpy(s->row[s->rows].count, r->count, sizeof(s->row[0].count));
	for (unsigned e = 0; e < EVENT_NR; e++)
		ok(event_set_has(&r->set, e) == (r->count[e] != 0));
	s->rows++;
}

static const struct seen *see(struct machine *m)
{
	static struct seen s;

	s = (struct seen){ .rows = 0 };
	ok(exact_read(&m->cl, &(struct exact_reader){ see_page, see_row, &s }));
	ok(s.rows < ROWS_MAX);
	return &s;
}

/* The sum of all address spaces. */
static uint64_t at(const struct seen *s, uint64_t va, enum event e)
{
	uint64_t sum = 0;

	for (unsigned n = 0; n < s->rows; n++)
		sum += s->row[n].va == va ? s->row[n].count[e] : 0;
	return sum;
}

static void sums_are_totals(struct machine *m, const struct seen *s)
{
	for (unsigned n = 0; n < m->cl.harts; n++) {
		for (unsigned i = 0; i < 4 * EVENT_NR; i++) {
			unsigned mode = i / EVENT_NR, e = i % EVENT_NR;
			uint64_t sum = 0;

			for (unsigned r = 0; r < s->rows; r++) {
				if (s->row[r].page.hart == n && s->row[r].page.mode == mode)
					sum += s->row[r].count[e];
			}
			tap_context("hart %u, mode %u, %s", n, mode, event_table[e].name);
			is(sum, m->cl.hart[n]->pmu.total[mode][e]);
		}
	}
	tap_context("%s", "");
}

static struct machine *create(bool timed, unsigned harts)
{
	struct machine_options o = { .paranoid = paranoid, .harts = harts };
	struct machine *m;

	o.cpu = timed ? &cpu : NULL;
	o.models = timed;
	m = rig_create(&o);
	for (unsigned n = 0; n < m->cl.harts; n++)
		pmu_count_all(m->cl.hart[n]);
	ok(exact_start(&m->cl));
	return m;
}

/* T2 rounds of a load, a store and a branch that is taken every second time. */
static void put_loop(struct machine *m)
{
	RIG_CODE(m, CODE, addi(T2, ZERO, 10), /* 0 */
		 ld(A0, 0, S0), sd(A0, 8, S0), /* 4, 8 */
		 i_type(0x13, 1, T2, 7, T1), /* andi t1, t2, 1: c */
		 bnez(T1, 8), /* 10 */
		 r_type(0x02000033, A1, T1, T1), /* mul: 14 */
		 addi(T2, T2, -1), bnez(T2, -24), /* 18, 1c */
		 END); /* 20 */
	m->cl.hart[0]->x[S0] = RIG_DATA;
	m->cl.hart[0]->pc = CODE;
}

static void every_instruction(void)
{
	static const struct {
		unsigned at, instructions, loads, stores, mul, branches, taken, not_taken, system;
	} rows[] = {
		{ 0x00, 1, 0, 0, 0, 0, 0, 0, 0 },   { 0x04, 10, 10, 0, 0, 0, 0, 0, 0 },
		{ 0x08, 10, 0, 10, 0, 0, 0, 0, 0 }, { 0x0c, 10, 0, 0, 0, 0, 0, 0, 0 },
		{ 0x10, 10, 0, 0, 0, 10, 5, 5, 0 }, { 0x14, 5, 0, 0, 5, 0, 0, 0, 0 },
		{ 0x18, 10, 0, 0, 0, 0, 0, 0, 0 },  { 0x1c, 10, 0, 0, 0, 10, 9, 1, 0 },
		{ 0x20, 1, 0, 0, 0, 0, 0, 0, 1 },
	};
	struct machine *m = create(false, 1);
	const struct seen *s;

	put_loop(m);
	rig_run(m, 1000);
	s = see(m);
	is(s->pages, 1);
	is(s->rows, TAP_NR(rows));
	is(s->row[0].page.mode, PRV_M);
	is(s->row[0].page.satp, 0);
	is(s->row[0].page.va, CODE);
	ok(s->row[0].page.known);
	is(s->row[0].page.content, fnv_add(FNV_START, cluster_ram(&m->cl, CODE, 4096), 4096));
	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		uint64_t va = CODE + rows[n].at;

		tap_context("%#x", rows[n].at);
		is(s->row[n].va, va);
		is(s->row[n].raw, *(uint32_t *)cluster_ram(&m->cl, va, 4));
		is(at(s, va, EVENT_CYCLES), rows[n].instructions);
		is(at(s, va, EVENT_INSTRUCTIONS), rows[n].instructions);
		is(at(s, va, EVENT_LOAD), rows[n].loads);
		is(at(s, va, EVENT_STORE), rows[n].stores);
		is(at(s, va, EVENT_MUL), rows[n].mul);
		is(at(s, va, EVENT_BRANCH), rows[n].branches);
		is(at(s, va, EVENT_TAKEN), rows[n].taken);
		is(at(s, va, EVENT_NOT_TAKEN), rows[n].not_taken);
		is(at(s, va, EVENT_SYSTEM), rows[n].system);
		is(at(s, va, EVENT_L1D_READ), 0);
	}
	sums_are_totals(m, s);
	machine_destroy(m);
}

/* Reading in between changes nothing: later counts are added. */
static void read_twice(void)
{
	struct machine *m = create(false, 1);

	for (unsigned n = 1; n <= 2; n++) {
		put_loop(m);
		rig_run(m, 1000);
		is(at(see(m), CODE + 4, EVENT_INSTRUCTIONS), 10 * n);
		is(at(see(m), CODE + 4, EVENT_LOAD), 10 * n);
	}
	machine_destroy(m);
}

/*
 * Two passes over 20 lines; L1D has 16, and finds the lines that it lacks in L2 in the second pass.
 * A line of code has 16 instructions, and only its first fetch misses.
 */
static void models_are_told(void)
{
	struct machine *m = create(true, 1);
	const struct seen *s;

	RIG_CODE(m, CODE, addi(A2, ZERO, 2), /* 0 */
		 addi(T2, ZERO, 20), r_type(0x33, T0, S0, ZERO), /* 4, 8 */
		 ld(T1, 0, T0), addi(T0, T0, 64), /* c, 10 */
		 addi(T2, T2, -1), bnez(T2, -12), /* 14, 18 */
		 addi(A2, A2, -1), bnez(A2, -28), END); /* 1c, 20, 24 */
	m->cl.hart[0]->x[S0] = RIG_DATA;
	m->cl.hart[0]->pc = CODE;
	rig_run(m, 1000000);
	s = see(m);
	is(at(s, CODE + 0xc, EVENT_L1D_READ), 40);
	is(at(s, CODE + 0xc, EVENT_L1D_READ_MISS), 40);
	is(at(s, CODE + 0xc, EVENT_L2_READ), 40);
	is(at(s, CODE + 0xc, EVENT_L2_READ_MISS), 20);
	is(at(s, CODE + 0xc, EVENT_BUS_READ), 20);
	is(at(s, CODE, EVENT_L1I_READ_MISS), 1);
	is(at(s, CODE, EVENT_WAIT_FETCH), m->cl.hart[0]->pmu.total[PRV_M][EVENT_WAIT_FETCH]);
	is(at(s, CODE + 0xc, EVENT_WAIT_READ), m->cl.hart[0]->pmu.total[PRV_M][EVENT_WAIT_READ]);
	/* Two instructions a cycle, except those that depend on the one before. */
	ok(at(s, CODE + 0x10, EVENT_CYCLES) <= 40);
	ok(at(s, CODE + 0xc, EVENT_CYCLES) >= at(s, CODE + 0xc, EVENT_WAIT_READ));
	/* The last round is mispredicted, and so are the first ones. */
	ok(at(s, CODE + 0x18, EVENT_BAD_DIRECTION) >= 2);
	is(at(s, CODE + 0x18, EVENT_BAD_DIRECTION) + at(s, CODE + 0x20, EVENT_BAD_DIRECTION),
	   m->cl.hart[0]->pmu.total[PRV_M][EVENT_BAD_DIRECTION]);
	is(at(s, CODE + 0x18, EVENT_WAIT_BRANCH) + at(s, CODE + 0x20, EVENT_WAIT_BRANCH),
	   m->cl.hart[0]->pmu.total[PRV_M][EVENT_WAIT_BRANCH]);
	sums_are_totals(m, s);
	machine_destroy(m);
}

/*
 * A chain of ten jumps, 256 bytes apart: all are in one set of the BTB, which has two ways, so that
 * none is known there.  20 rounds.
 */
static void jumps_are_told(void)
{
	struct machine *m = create(true, 1);
	const struct seen *s;

	for (unsigned n = 0; n < 10; n++)
		RIG_CODE(m, CODE + 0x100 * n, jal(ZERO, 0x100));
	RIG_CODE(m, CODE + 0xa00, addi(T2, T2, -1), bnez(T2, -0xa04), END);
	m->cl.hart[0]->x[T2] = 20;
	m->cl.hart[0]->pc = CODE;
	rig_run(m, 1000000);
	s = see(m);
	for (unsigned n = 0; n < 10; n++) {
		uint64_t cycles = models.cost.taken + models.cost.btb_miss;

		is(at(s, CODE + 0x100 * n, EVENT_BTB_MISS), 20);
		is(at(s, CODE + 0x100 * n, EVENT_WAIT_BRANCH), 20 * cycles);
	}
	sums_are_totals(m, s);
	machine_destroy(m);
}

/* S-mode with the page table ROOT(root), which identity-maps RAM, too. */
static void set_spaces(struct machine *m)
{
	for (unsigned n = 0; n < 2; n++) {
		uint64_t *table = cluster_ram(&m->cl, ROOT(n), PAGE_SIZE);

		table[2] = RAM_BASE >> 2 | 0xcf;
		table[3] = RAM_BASE >> 2 | 0xdf;
	}
	rig_open_memory(m->cl.hart[0]);
}

static uint64_t satp(unsigned n)
{
	return 8ull << 60 | ROOT(n) >> 12;
}

/* U-mode loads from U_BASE + 0x100000 and calls M-mode; n + 1 times in each of two spaces. */
static void spaces(void)
{
	struct machine *m = create(false, 1);
	struct hart *h = m->cl.hart[0];
	const struct seen *s;
	unsigned found = 0;

	RIG_CODE(m, CODE + 0x1000, END);
	RIG_CODE(m, CODE, ld(A0, 0, S0), ECALL);
	set_spaces(m);
	csr_write(h, CSR_MTVEC, CODE + 0x1000);
	h->x[S0] = RIG_DATA - RAM_BASE + U_BASE;
	for (unsigned n = 0; n < 3; n++) {
		csr_write(h, CSR_SATP, satp(n > 0));
		rig_set_mode(h, PRV_U);
		h->pc = U_BASE;
		rig_run(m, 100);
		is(h->mode, PRV_M);
	}
	s = see(m);
	for (unsigned n = 0; n < s->rows; n++) {
		unsigned second = s->row[n].page.satp == satp(1);
		const uint64_t *count = s->row[n].count;

		if (s->row[n].page.mode != PRV_U)
			continue;
		found++;
		ok(second || s->row[n].page.satp == satp(0));
		is(s->row[n].page.content,
		   fnv_add(FNV_START, cluster_ram(&m->cl, CODE, 4096), 4096));
		if (s->row[n].va == U_BASE) {
			is(count[EVENT_INSTRUCTIONS], 1 + second);
			is(count[EVENT_LOAD], 1 + second);
		} else {
			is(s->row[n].va, U_BASE + 4);
			is(count[EVENT_INSTRUCTIONS], 0);
			is(count[EVENT_ECALL], 1 + second);
			is(count[EVENT_EXCEPTION], 1 + second);
		}
	}
	is(found, 4);
	is(at(s, CODE + 0x1000, EVENT_INSTRUCTIONS), 3);
	sums_are_totals(m, s);
	machine_destroy(m);
}

/* Code that is overwritten is another page; what ran before keeps its counts. */
static void written_over(void)
{
	struct machine *m = create(false, 1);
	uint64_t content[2];
	const struct seen *s;

	for (unsigned n = 0; n < 2; n++) {
		RIG_CODE(m, CODE, n ? ld(A0, 0, S0) : sd(A0, 0, S0), END);
		content[n] = fnv_add(FNV_START, cluster_ram(&m->cl, CODE, 4096), 4096);
		m->cl.hart[0]->x[S0] = RIG_DATA;
		for (unsigned i = 0; i <= n; i++) {
			m->cl.hart[0]->pc = CODE;
			rig_run(m, 100);
		}
	}
	s = see(m);
	is(at(s, CODE, EVENT_STORE), 1);
	is(at(s, CODE, EVENT_LOAD), 2);
	/* Without blocks this has no effect. */
	is(s->pages, paranoid ? 1 : 2);
	is(s->rows, paranoid ? 2 : 4);
	for (unsigned n = 0; !paranoid && n < s->rows; n++) {
		bool second = s->row[n].page.content == content[1];

		ok(second || s->row[n].page.content == content[0]);
		is(s->row[n].count[EVENT_INSTRUCTIONS], 1 + second);
		if (s->row[n].va == CODE)
			is(s->row[n].count[second ? EVENT_LOAD : EVENT_STORE], 1 + second);
	}
	sums_are_totals(m, s);
	machine_destroy(m);
}

/*
 * A program that writes its own code again and again: there is not a version for each, and no count
 * is lost.
 */
static void writes_itself(void)
{
	struct machine *m = create(false, 1);
	const struct seen *s;

	/* The word at 0x10 is written, with another immediate each time. */
	RIG_CODE(m, CODE, 0x2023u | 16 << 7 | S0 << 15 | T0 << 20, /* sw t0, 16(s0) */
		 FENCE_I, /* 4 */
		 r_type(0x33, T0, T0, T1), NOP, NOP, /* 8, c, 10 */
		 addi(T2, T2, -1), bnez(T2, -24), END); /* 14, 18, 1c */
	m->cl.hart[0]->x[S0] = CODE;
	m->cl.hart[0]->x[T0] = addi(A0, ZERO, 0);
	m->cl.hart[0]->x[T1] = 1 << 20;
	m->cl.hart[0]->x[T2] = 100;
	m->cl.hart[0]->pc = CODE;
	rig_run(m, 100000);
	s = see(m);
	ok(s->pages <= 8);
	is(at(s, CODE + 0x10, EVENT_INSTRUCTIONS), 100);
	is(at(s, CODE + 0x10, EVENT_ALU), 100);
	is(at(s, CODE + 0x18, EVENT_TAKEN), 99);
	sums_are_totals(m, s);
	machine_destroy(m);
}

/* More code than the machine can keep decoded: blocks are discarded, counts are not. */
static void blocks_are_forgotten(void)
{
	struct machine_options o = { .paranoid = paranoid, .memory = 64 << 10 };
	struct machine *m = rig_create(&o);
	const struct seen *s;
	unsigned pairs = 3000;

	pmu_count_all(m->cl.hart[0]);
	ok(exact_start(&m->cl));
	for (unsigned n = 0; n < pairs; n++)
		RIG_CODE(m, CODE + n * 8, addi(T0, T0, 1), jal(ZERO, 4));
	RIG_CODE(m, CODE + pairs * 8, addi(T2, T2, -1), branch(0, T2, ZERO, 8), jalr(ZERO, 0, S0),
		 END);
	m->cl.hart[0]->x[S0] = CODE;
	m->cl.hart[0]->x[T2] = 3;
	m->cl.hart[0]->pc = CODE;
	rig_run(m, 1000000);
	s = see(m);
	is(m->cl.hart[0]->x[T0], 3 * pairs);
	for (unsigned n = 0; n < pairs; n += 100) {
		is(at(s, CODE + n * 8, EVENT_INT_ADD), 3);
		is(at(s, CODE + n * 8 + 4, EVENT_JAL), 3);
	}
	machine_destroy(m);
}

static void harts(void)
{
	struct machine *m = create(false, 2);
	const struct seen *s;

	RIG_CODE(m, CODE, csrr(T0, CSR_MHARTID), bnez(T0, 12), addi(T1, ZERO, 1), END, NOP, END);
	m->end = 1000;
	for (unsigned n = 0; n < 2; n++) {
		m->cl.hart[n]->pc = CODE;
		m->current = m->cl.hart[n];
		hart_run(m->cl.hart[n], &m->end);
		m->current = NULL;
	}
	s = see(m);
	for (unsigned n = 0; n < s->rows; n++) {
		uint64_t offset = s->row[n].va - CODE;

		is(s->row[n].count[EVENT_INSTRUCTIONS], 1);
		is(s->row[n].page.hart, offset < 8 ? s->row[n].page.hart : offset >= 16);
	}
	is(s->rows, 8);
	sums_are_totals(m, s);
	machine_destroy(m);
}

static const struct seen *written;
static unsigned parsed;

static void parse_head(void *cookie, const struct exact_head *head)
{
	is(head->notes, 1);
	is_str(exact_note(head, "kallsyms")->at, "what");
	is(head->harts, 1);
	is(head->events, EVENT_NR);
	for (unsigned e = 0; e < EVENT_NR; e++) {
		is_str(head->event[e].name.at, event_table[e].name);
		ok(head->event[e].counted);
	}
	for (unsigned n = 0; n < head->sums; n++) {
		if (!strcmp(head->sum[n].name.at, "cache-misses")) {
			is(head->sum[n].nr, 2);
			is(head->sum[n].event[0], EVENT_LL_READ_MISS);
			is(head->sum[n].event[1], EVENT_LL_WRITE_MISS);
			parsed++;
		}
	}
}

static void parse_insn(void *cookie, const struct exact_code *code, const struct exact_insn *insn)
{
	unsigned n = parsed++ - 1;
	uint64_t counts = 0;

	is(code->va, written->row[n].page.va);
	is(code->content, written->row[n].page.content);
	is(code->mode, PRV_M);
	is(insn->va, written->row[n].va);
	is(insn->raw, written->row[n].raw);
	for (unsigned e = 0; e < EVENT_NR; e++)
		counts += written->row[n].count[e] != 0;
	is(insn->nr, counts);
	for (unsigned i = 0; i < insn->nr; i++)
		is(insn->cell[i].count, written->row[n].count[insn->cell[i].event]);
}

/* The profile in the file is the profile that was written. */
static void written_and_parsed(void)
{
	const struct exact_visitor v = { .head = parse_head, .insn = parse_insn };
	const struct exact_note note = { "kallsyms", "what", 4 };
	struct machine *m = create(true, 1);
	struct error_text said;
	struct error_text why;
	size_t len = 0;
	char *data = NULL;
	FILE *f = open_memstream(&data, &len);

	put_loop(m);
	rig_run(m, 100000);
	written = see(m);
	parsed = 0;
	ok(exact_write(&m->cl, f, &note, 1, &why));
	fclose(f);
	ok(exact_parse(data, len, &v, &said));
	is_str(said.text, "");
	is(parsed, 1 + written->rows);
	free(data);
	/* The disk is full. */
	f = fopen("/dev/full", "w");
	if (f) {
		setvbuf(f, NULL, _IONBF, 0);
		ok(!exact_write(&m->cl, f, NULL, 0, &why));
		is_str(why.text, "the profile cannot be written: No space left on device");
		fclose(f);
	}
	machine_destroy(m);
}

/*
 * The time line of a loop in intervals of 100 cycles: each has as many instructions, and the sums
 * are the totals.  The address space that changes is another process.
 */
static void time_line(void)
{
	struct machine *m = create(false, 1);
	struct hart *h = m->cl.hart[0];
	struct exact_times t;
	uint64_t sum = 0;

	RIG_CODE(m, CODE + 0x1000, END);
	RIG_CODE(m, CODE, addi(T0, ZERO, 500), addi(T0, T0, -1), bnez(T0, -4), ECALL);
	set_spaces(m);
	csr_write(h, CSR_MTVEC, CODE + 0x1000);
	ok(exact_time_line(&m->cl, 100, 1000000));
	for (unsigned n = 0; n < 2; n++) {
		csr_write(h, CSR_SATP, satp(n));
		rig_set_mode(h, PRV_U);
		h->pc = U_BASE;
		rig_run(m, 10000);
	}
	t = exact_times(&m->cl);
	is(t.ns, 1000000);
	ok(!t.full);
	ok(t.nr > 20 && t.nr < 25);
	for (size_t n = 0; n < t.nr; n++) {
		uint64_t count = t.slice[n].count[EVENT_INSTRUCTIONS];

		sum += count;
		is(t.slice[n].hart, 0);
		is(t.slice[n].count[EVENT_LOAD], 0);
		ok(n == 0 || t.slice[n].interval >= t.slice[n - 1].interval);
		/* Whole intervals of the first space; no process is known before it. */
		if (n > 1 && n < 11) {
			is(count, 100);
			is(t.slice[n].satp, satp(0));
		}
	}
	is(t.slice[t.nr - 2].satp, satp(1));
	is(sum, h->pmu.total[PRV_U][EVENT_INSTRUCTIONS] + h->pmu.total[PRV_M][EVENT_INSTRUCTIONS]);
	machine_destroy(m);
}

/* With models and without: a profile changes no count, no state and no time. */
static void nothing_changes(void)
{
	for (unsigned timed = 0; timed < 2; timed++) {
		struct machine *m[2];

		for (unsigned n = 0; n < 2; n++) {
			struct machine_options o = { .paranoid = paranoid, .models = timed };

			o.cpu = timed ? &cpu : NULL;
			m[n] = rig_create(&o);
			ok(!n || (exact_start(&m[n]->cl) && exact_time_line(&m[n]->cl, 37, 37)));
			put_loop(m[n]);
			rig_run(m[n], 100000);
		}
		is(m[0]->cl.hart[0]->now, m[1]->cl.hart[0]->now);
		ok(!memcmp(m[0]->cl.hart[0]->x, m[1]->cl.hart[0]->x, sizeof(m[0]->cl.hart[0]->x)));
		ok(!memcmp(m[0]->cl.hart[0]->pmu.total, m[1]->cl.hart[0]->pmu.total,
			   sizeof(m[0]->cl.hart[0]->pmu.total)));
		machine_destroy(m[0]);
		machine_destroy(m[1]);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "each instruction has what it counts", every_instruction },
		{ "a profile that was read continues", read_twice },
		{ "events of caches, predictors and stalls belong to the instruction",
		  models_are_told },
		{ "jumps that the BTB does not know", jumps_are_told },
		{ "an address space has its own counts", spaces },
		{ "overwritten code is another page", written_over },
		{ "a program that modifies itself", writes_itself },
		{ "blocks are discarded, counts are not", blocks_are_forgotten },
		{ "harts are separate", harts },
		{ "the file has what was written", written_and_parsed },
		{ "the time line has each interval and process", time_line },
		{ "a profile changes nothing", nothing_changes },
	};

	small_cpu(&cpu, &models);
	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
