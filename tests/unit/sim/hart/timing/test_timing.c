// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_timing.c - programs on the models of small_cpu.h whose counts are computed by hand; each
 * runs on the normal engine and on the paranoid one.
 */
#include "rig.h"
#include "shot.h"
#include "small_cpu.h"

#define CODE	 RAM_BASE
#define HPM(n)	 (CSR_MHPMCOUNTER + (n))
#define EVENT(n) (CSR_MHPMEVENT + (n))

static struct cpu cpu;
static struct cpu_models models;
static bool paranoid;

static struct machine *create(void)
{
	struct machine_options o = { .cpu = &cpu, .models = true, .paranoid = paranoid };

	return rig_create(&o);
}

struct expected {
	enum event e;
	uint64_t n;
};

/* Counter ctr counts an event from 0. */
static void count(struct machine *m, unsigned ctr, enum event e)
{
	csr_write(m->cl.hart[0], EVENT(ctr), event_table[e].selector);
	csr_write(m->cl.hart[0], HPM(ctr), 0);
}

static void restart(struct machine *m)
{
	m->cl.hart[0]->pc = CODE;
	rig_run(m, 10000000);
}

static uint64_t counted(struct machine *m, unsigned ctr)
{
	return rig_csr(m, HPM(ctr));
}

/*
 * Loads from a number of lines, one each, two times: 16 lines fit L1D, 64 fit L2, 256 the last
 * level.  All caches are LRU, so a walk over more lines than fit always misses.
 */
static void stride(struct machine *m, unsigned lines)
{
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, CODE, ld(T1, 0, T0), addi(T0, T0, 64), addi(T2, T2, -1), bnez(T2, -12), END);
	h->x[T0] = RIG_DATA;
	h->x[T2] = lines;
	restart(m);
	h->x[T0] = RIG_DATA;
	h->x[T2] = lines;
	restart(m);
}

static void strides(void)
{
	static const struct {
		unsigned lines, l1, l2, ll;
	} rows[] = {
		{ 8, 8, 8, 8 },	     { 16, 16, 16, 16 },     { 32, 64, 32, 32 },
		{ 63, 126, 63, 63 }, { 128, 256, 256, 128 }, { 512, 1024, 1024, 1024 },
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct machine *m = create();

		tap_context("%u lines", rows[n].lines);
		count(m, 3, EVENT_L1D_READ);
		count(m, 4, EVENT_L1D_READ_MISS);
		count(m, 5, EVENT_L2_READ);
		count(m, 6, EVENT_L2_READ_MISS);
		count(m, 7, EVENT_LL_READ_MISS);
		count(m, 8, EVENT_BUS_READ);
		count(m, 9, EVENT_L1I_READ);
		count(m, 10, EVENT_L1I_READ_MISS);
		count(m, 11, EVENT_WAIT_READ);
		count(m, 12, EVENT_WAIT_FETCH);
		count(m, 13, EVENT_INSTRUCTIONS);
		stride(m, rows[n].lines);
		is(counted(m, 3), 2 * rows[n].lines);
		is(counted(m, 4), rows[n].l1);
		/* The line of code went through L2 and the last level, too. */
		is(counted(m, 5), rows[n].l1 + 1);
		is(counted(m, 6), rows[n].l2 + 1);
		is(counted(m, 7), rows[n].ll + 1);
		is(counted(m, 8), rows[n].ll + 1);
		is(counted(m, 9), 1);
		is(counted(m, 10), 1);
		is(counted(m, 11), 10 * (rows[n].l1 - rows[n].l2) + 30 * (rows[n].l2 - rows[n].ll) +
					   100 * rows[n].ll);
		is(counted(m, 12), 100);
		is(counted(m, 13), 2 * (4 * rows[n].lines + 1));
		machine_destroy(m);
	}
}

/*
 * Two instructions a cycle; a load's result is ready after three cycles, a division's after twelve.
 */
static void static_costs(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	h->x[T0] = RIG_DATA;
	h->x[A1] = 3;
	for (unsigned run = 0; run < 2; run++) {
		RIG_CODE(m, CODE, addi(A0, ZERO, 7), addi(A2, ZERO, 1), /* cycle 0 */
			 ld(T1, 0, T0), addi(A3, ZERO, 2), /* 1 */
			 addi(T1, T1, 1), /* 4: two in which nothing issues */
			 r_type(0x02004033, A4, A0, A1), /* 5: one division unit and two ALUs */
			 addi(A4, A4, 1), /* 16 or 17 */
			 END);
		count(m, 3, EVENT_WAIT_LOAD);
		count(m, 4, EVENT_WAIT_INT);
		count(m, 5, EVENT_CYCLES);
		count(m, 6, EVENT_WAIT_SERIAL);
		count(m, 7, EVENT_INSTRUCTIONS);
		restart(m);
	}
	is(counted(m, 3), 2);
	/* The division issues with addi t1 in cycle 4; its result is ready in 16. */
	is(counted(m, 4), 11);
	/* 0, 1, 2 and 3 waiting, 4, eleven, 16, and wfi alone for two. */
	is(counted(m, 5), 19);
	is(counted(m, 6), 1);
	is(counted(m, 7), 8);
	machine_destroy(m);
}

/* A loop of eight turns, many times: gshare with four branches of history never learns its end. */
static void branches(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, CODE, addi(T0, T0, -1), bnez(T0, -4), END);
	for (unsigned run = 0; run < 40; run++) {
		h->x[T0] = 8;
		if (run == 20) {
			count(m, 3, EVENT_BAD_DIRECTION);
			count(m, 4, EVENT_BAD_TAKEN);
			count(m, 5, EVENT_BTB_MISS);
			count(m, 6, EVENT_WAIT_BRANCH);
			count(m, 7, EVENT_TAKEN);
		}
		restart(m);
	}
	is(counted(m, 3), 20);
	is(counted(m, 4), 0);
	is(counted(m, 5), 0);
	is(counted(m, 6), 20 * (7 * 1 + 7));
	is(counted(m, 7), 20 * 7);
	machine_destroy(m);
}

/* A store, and a load that crosses the end of a line. */
static void accesses(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	h->x[T0] = RIG_DATA;
	h->x[S0] = 0x101000;
	RIG_CODE(m, CODE, sd(T1, 0, T0), ld(T1, 60, T0), i_type(0x03, 0, S0, 2, A0), END);
	count(m, 3, EVENT_L1D_READ);
	count(m, 4, EVENT_L1D_READ_MISS);
	count(m, 5, EVENT_L1D_WRITE);
	count(m, 6, EVENT_L1D_WRITE_MISS);
	count(m, 7, EVENT_UNCACHED_READ);
	count(m, 8, EVENT_WAIT_UNCACHED_READ);
	count(m, 9, EVENT_DTLB_READ);
	restart(m);
	is(counted(m, 3), 2);
	is(counted(m, 4), 1);
	is(counted(m, 5), 1);
	is(counted(m, 6), 1);
	is(counted(m, 7), 1);
	is(counted(m, 8), 40);
	is(counted(m, 9), 0); /* M-mode's addresses are not translated */
	machine_destroy(m);
}

/*
 * A loop of three lines, which runs as a superblock while L1I holds them.  In every second turn the
 * load in the second line faults.  The handler's line is in the same set as the first line; it
 * continues after the load.
 */
static void lines_left_in_the_middle(void)
{
	enum { WORDS = 48, LOAD = 20, TIMES = 10, HANDLER = 0x1000 };
	static uint64_t cycles; /* on the normal engine */
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];
	uint32_t loop[WORDS + 1];

	for (unsigned n = 0; n < WORDS; n++)
		loop[n] = NOP;
	loop[1] = r_type(0x4033, A0, A0, A1); /* xor */
	loop[LOAD] = ld(T1, 0, A0);
	loop[WORDS - 2] = addi(T2, T2, -1);
	loop[WORDS - 1] = bnez(T2, -4 * (WORDS - 1));
	loop[WORDS] = END;
	rig_put(m, CODE, loop, WORDS + 1);
	RIG_CODE(m, CODE + HANDLER, csrr(T0, CSR_MEPC), addi(T0, T0, 4), csrw(CSR_MEPC, T0), MRET);
	csr_write(h, CSR_MTVEC, CODE + HANDLER);
	h->x[A1] = RIG_DATA;
	h->x[T2] = TIMES;
	count(m, 3, EVENT_L1I_READ);
	count(m, 4, EVENT_L1I_READ_MISS);
	count(m, 5, EVENT_INSTRUCTIONS);
	count(m, 6, EVENT_EXCEPTION);
	count(m, 7, EVENT_CYCLES);
	count(m, 8, EVENT_WAIT_FETCH);
	count(m, 9, EVENT_L1D_READ);
	restart(m);
	/*
	 * Three lines, or with a fault two, the handler's, and the last two; then the line of END.
	 */
	is(counted(m, 3), TIMES / 2 * (3 + 5) + 1);
	is(counted(m, 4), 5);
	is(counted(m, 5), TIMES * WORDS - TIMES / 2 + TIMES / 2 * 4 + 1);
	is(counted(m, 6), TIMES / 2);
	is(counted(m, 8), 5 * 100);
	is(counted(m, 9), TIMES / 2);
	if (!paranoid)
		cycles = counted(m, 7);
	is(counted(m, 7), cycles);
	machine_destroy(m);
}

#define TABLES (RAM_BASE + 0x200000)

/* S-mode: one leaf maps 2 GiB and up to itself; from 1 GiB on there are pages of 4 KiB. */
static void paging(struct machine *m)
{
	struct hart *h = m->cl.hart[0];
	uint64_t *table = cluster_ram(&m->cl, TABLES, 3 * PAGE_SIZE);

	table[1] = (TABLES + PAGE_SIZE) >> 2 | 1;
	table[2] = RAM_BASE >> 2 | 0xcf;
	table[512] = (TABLES + 2 * PAGE_SIZE) >> 2 | 1;
	for (unsigned n = 0; n < 512; n++)
		table[1024 + n] = (RAM_BASE + 0x300000 + n * PAGE_SIZE) >> 2 | 0xc7;
	rig_open_memory(h);
	csr_write(h, CSR_SATP, (uint64_t)SATP64_MODE_SV39 << 60 | TABLES >> 12);
	rig_set_mode(h, PRV_S);
}

/* Loads from pages, two times: 4 fit the first level, 16 the second. */
static void pages(void)
{
	static const struct {
		unsigned pages, first, second;
	} rows[] = { { 3, 3, 3 }, { 4, 4, 4 }, { 8, 16, 8 }, { 20, 40, 40 } };

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		static const enum event events[] = {
			EVENT_DTLB_READ,       EVENT_DTLB_READ_MISS, EVENT_STLB_READ,
			EVENT_STLB_READ_MISS,  EVENT_ITLB,	     EVENT_ITLB_MISS,
			EVENT_STLB_FETCH_MISS, EVENT_WALK,	     EVENT_WALK_READ,
			EVENT_L1D_WALK,	       EVENT_WALK_CYCLES,    EVENT_WAIT_DTLB,
			EVENT_WAIT_ITLB,
		};
		unsigned first = rows[n].first, second = rows[n].second;
		const unsigned want[] = {
			2 * rows[n].pages, first,	   first,	   second, 1, 1, 1,
			second + 1,	   3 * second + 1, 3 * second + 1,
		};
		struct machine *m = create();
		struct hart *h = m->cl.hart[0];

		RIG_CODE(m, CODE, ld(T1, 0, T0), r_type(0x33, T0, T0, S0), addi(T2, T2, -1),
			 bnez(T2, -12), END);
		paging(m);
		for (unsigned k = 0; k < TAP_NR(events); k++)
			count(m, 3 + k, events[k]);
		h->x[S0] = PAGE_SIZE;
		for (unsigned run = 0; run < 2; run++) {
			h->x[T0] = 0x40000000;
			h->x[T2] = rows[n].pages;
			restart(m);
		}
		h->mode = PRV_M; /* which may read the counters */
		for (unsigned k = 0; k < TAP_NR(want); k++) {
			tap_context("%u pages, %s", rows[n].pages, event_table[events[k]].name);
			is(counted(m, 3 + k), want[k]);
		}
		is(counted(m, 14) + counted(m, 15), counted(m, 13) + 4 * (first - second));
		machine_destroy(m);
	}
}

/* Compares the counts of events; a row of want is an event and its number. */
static void counts(struct machine *m, const struct expected *want, unsigned nr)
{
	m->cl.hart[0]->mode = PRV_M; /* which may read the counters */
	for (unsigned n = 0; n < nr; n++) {
		tap_context("%s", event_table[want[n].e].name);
		is(counted(m, 3 + n), want[n].n);
	}
}

/*
 * Svpbmt: the first page from 1 GiB on is uncached memory, the second one I/O; an access takes 40
 * cycles.
 */
static struct machine *uncached_pages(void)
{
	struct machine *m = create();
	uint64_t *table = cluster_ram(&m->cl, TABLES, 3 * PAGE_SIZE);

	paging(m);
	csr_write(m->cl.hart[0], CSR_MENVCFG, MENVCFG_PBMTE | MENVCFG_CBZE);
	table[1024] |= 1ull << 61 | 8;
	table[1025] |= 2ull << 61;
	return m;
}

static void uncached_data(void)
{
	static const struct expected want[] = {
		{ EVENT_UNCACHED_READ, 2 * 4 },	 { EVENT_WAIT_UNCACHED_READ, 2 * 4 * 40 },
		{ EVENT_UNCACHED_WRITE, 2 * 4 }, { EVENT_WAIT_UNCACHED_WRITE, 2 * 4 * 40 },
		{ EVENT_BUS_WRITE, 2 * 4 },	 { EVENT_L1D_READ, 0 },
		{ EVENT_L1D_WRITE, 0 },		 { EVENT_DTLB_READ, 2 * 4 },
		{ EVENT_DTLB_WRITE, 2 * 4 },	 { EVENT_DTLB_READ_MISS, 2 * 2 },
		{ EVENT_LOAD, 2 * 3 },		 { EVENT_MISALIGNED, 2 },
	};
	struct machine *m = uncached_pages();
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, CODE, ld(T1, 0, T0), sd(T1, 8, T0),
		 r_type(0x0000202f, A2, T0, T1), /* amoadd.w */
		 r_type(0x1000202f, A2, T0, ZERO), /* lr.w */
		 r_type(0x1800202f, A3, T0, A2), /* sc.w */
		 i_type(0x0f, 4, T0, 2, ZERO), /* cbo.zero */
		 ld(T1, -4, S0), /* the end of one page and the beginning of the other */
		 END);
	for (unsigned n = 0; n < TAP_NR(want); n++)
		count(m, 3 + n, want[n].e);
	for (unsigned run = 0; run < 2; run++) {
		h->x[T0] = 0x40000100;
		h->x[S0] = 0x40001000;
		rig_set_mode(h, PRV_S);
		restart(m);
		mmu_fence(h, NULL, NULL);
	}
	counts(m, want, TAP_NR(want));
	machine_destroy(m);
}

/* One line with a loop, and another line; the same code as in a cached page. */
static void uncached_code(void)
{
	static const struct expected want[] = {
		{ EVENT_UNCACHED_FETCH, 2 * 2 }, { EVENT_WAIT_UNCACHED_FETCH, 2 * 2 * 40 },
		{ EVENT_BUS_READ, 2 * 2 + 3 },	 { EVENT_L1I_READ, 0 },
		{ EVENT_WAIT_FETCH, 0 },	 { EVENT_ITLB, 2 * 2 },
		{ EVENT_ITLB_MISS, 1 },		 { EVENT_INSTRUCTIONS, 2 * (2 * 10 + 16) },
	};
	struct machine *m = uncached_pages();
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, RAM_BASE + 0x300000, addi(T2, T2, -1), bnez(T2, -4), NOP, NOP, NOP, NOP, NOP,
		 NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP, END);
	for (unsigned n = 0; n < TAP_NR(want); n++)
		count(m, 3 + n, want[n].e);
	for (unsigned run = 0; run < 2; run++) {
		h->x[T2] = 10;
		h->pc = 0x40000000;
		rig_run(m, 100000);
	}
	counts(m, want, TAP_NR(want));
	machine_destroy(m);
}

/* The n-th miss of L1D interrupts before the instruction after the load that missed. */
static void overflow_at_the_miss(void)
{
	for (unsigned n = 1; n <= 3; n++) {
		struct machine *m = create();
		struct hart *h = m->cl.hart[0];

		RIG_CODE(m, CODE, ld(A0, 0, T0), addi(A1, A1, 1), ld(A0, 64, T0), ld(A0, 0, T0),
			 ld(A0, 128, T0), addi(A1, A1, 1), END);
		RIG_CODE(m, CODE + 0x100, csrw(CSR_MIE, ZERO), END);
		h->x[T0] = RIG_DATA;
		csr_write(h, CSR_MTVEC, CODE + 0x100);
		csr_write(h, CSR_MIE, MIP_LCOFIP);
		h->mstatus |= MSTATUS_MIE;
		csr_write(h, EVENT(3), event_table[EVENT_L1D_READ_MISS].selector);
		csr_write(h, HPM(3), -(uint64_t)n);
		tap_context("miss %u", n);
		restart(m);
		is(h->mepc, CODE + (n == 1 ? 4 : n == 2 ? 12 : 20));
		machine_destroy(m);
	}
}

/* Saved in the middle of a walk and restored: the run ends with the same state. */
static void snapshot(void)
{
	struct machine *m = create(), *to = create();
	struct hart *h = m->cl.hart[0];
	struct shot s = { 0 }, end = { 0 }, other = { 0 };
	struct error_text why = { "" };

	RIG_CODE(m, CODE, ld(T1, 0, T0), addi(T0, T0, 72), sd(T2, 0, T0), addi(T2, T2, -1),
		 bnez(T2, -16), END);
	h->x[T0] = RIG_DATA;
	h->x[T2] = 100;
	count(m, 3, EVENT_L1D_WRITEBACK);
	m->end = 1234;
	hart_run(h, &m->end);
	ok(!h->idle);
	ok(shot_save(&s, m) && shot_restore(&s, to, &why));
	is_str(why.text, "");
	rig_run(m, 1000000);
	rig_run(to, 1000000);
	is(h->now, to->cl.hart[0]->now);
	ok(shot_save(&end, m) && shot_save(&other, to));
	ok(end.len == other.len && !memcmp(end.data, other.data, end.len));
	shot_end(&s);
	shot_end(&end);
	shot_end(&other);
	machine_destroy(m);
	machine_destroy(to);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "walks with a stride miss what does not fit", strides },
		{ "what code costs by itself", static_costs },
		{ "a loop's end is mispredicted", branches },
		{ "accesses that are smaller than a line or cross it", accesses },
		{ "code of several lines that is left in the middle", lines_left_in_the_middle },
		{ "pages: the data TLB, the second level, walks", pages },
		{ "accesses to pages that are not cached", uncached_data },
		{ "code in a page that is not cached", uncached_code },
		{ "a miss that overflows, at its instruction", overflow_at_the_miss },
		{ "saved and restored in the middle", snapshot },
	};

	small_cpu(&cpu, &models);
	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
