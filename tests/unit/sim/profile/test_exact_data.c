// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_exact_data.c - an exact profile by data address (exact_data.h), written and read again:
 * counts that are known by hand, and in all programs sums that are the totals.
 */
#include "data_parse.h"
#include "exact.h"
#include "exact_data.h"
#include "exact_format.h"
#include "rig.h"
#include "small_cpu.h"

#define CODE   RAM_BASE
#define F      0x100
#define STACK  (RAM_BASE + 0x180000)
#define ROOT   (RAM_BASE + 0x200000)
#define U_BASE 0xc0000000ull
#define EVENTS 20
#define ANY    UINT64_MAX

static bool paranoid, full; /* full: some accesses have no place of their own */
static struct cpu cpu;
static struct cpu_models models;

static struct machine *create(unsigned harts)
{
	struct machine_options o = {
		.paranoid = paranoid, .harts = harts, .cpu = &cpu, .models = true
	};
	struct machine *m = rig_create(&o);

	for (unsigned n = 0; n < m->cl.harts; n++) {
		pmu_count_all(m->cl.hart[n]);
		m->cl.hart[n]->x[S0] = RIG_DATA;
		m->cl.hart[n]->x[SP] = STACK;
		m->cl.hart[n]->pc = CODE;
	}
	ok(exact_start(&m->cl) && exact_data(&m->cl));
	return m;
}

/* Runs a hart until it waits. */
static void go_on(struct machine *m, unsigned hart)
{
	struct hart *h = m->cl.hart[hart];
	uint64_t end = h->now + 100000;

	h->idle = false;
	m->current = h;
	hart_run(h, &end);
	m->current = NULL;
	ok(h->idle);
}

/* The same from CODE on. */
static void run(struct machine *m, unsigned hart)
{
	m->cl.hart[hart]->pc = CODE;
	go_on(m, hart);
}

/* What is looked for in a file, and the sum of what was found. */
struct wanted {
	unsigned event, kind, hart;
	uint64_t satp, address, va; /* ANY: any */
	uint64_t sum;
	/* Of trades: */
	unsigned by, from; /* offsets */
	uint64_t trades, lines;
	struct exact_shared line; /* the last one */
	bool dropped, parsed;
};

static bool row_matches(const struct exact_data *d, const struct exact_data_row *r,
			const struct wanted *w)
{
	const struct exact_piece *p = &d->pieces.at[r->piece];

	return (w->kind == EXACT_DATA_KINDS || p->kind == w->kind) &&
	       (w->address == ANY || p->address == w->address) &&
	       (w->satp == ANY || p->satp == w->satp) &&
	       (w->va == ANY || (r->user && d->users.at[r->user - 1].va == w->va)) &&
	       (w->hart == HARTS_MAX || (r->user && d->users.at[r->user - 1].hart == w->hart));
}

static void see(void *cookie, const struct exact_data *d)
{
	struct wanted *w = cookie;

	w->parsed = true;
	w->lines = d->lines.nr;
	if (w->lines)
		w->line = d->lines.at[w->lines - 1];
	is(d->folded > 0, full);
	is(d->lost, 0);
	for (size_t n = 0; n < d->rows.nr; n++) {
		const struct exact_data_row *r = &d->rows.at[n];

		if (!row_matches(d, r, w))
			continue;
		for (uint32_t c = 0; c < r->nr; c++) {
			if (d->cells.at[r->cell + c].event == w->event)
				w->sum += d->cells.at[r->cell + c].count;
		}
	}
	for (size_t n = 0; n < d->trades.nr; n++) {
		const struct exact_trade *t = &d->trades.at[n];

		if (t->hart == w->hart && t->by.offset == w->by && t->from.offset == w->from &&
		    t->dropped == w->dropped && t->from.row)
			w->trades += t->times;
	}
}

static struct wanted look(struct machine *m, struct wanted w)
{
	const struct exact_visitor v = { .data = see, .cookie = &w };
	struct error_text why = { "" }, said = { "" };
	size_t len = 0;
	char *data = NULL;
	FILE *f = open_memstream(&data, &len);

	ok(exact_write(&m->cl, f, NULL, 0, &why));
	fclose(f);
	ok(exact_parse(data, len, &v, &said));
	is_str(said.text, "");
	ok(w.parsed);
	free(data);
	return w;
}

/* How often the event has happened to a piece. */
static uint64_t of_piece(struct machine *m, enum event e, unsigned kind, uint64_t address)
{
	return look(m, (struct wanted){ .event = e,
					.kind = kind,
					.hart = HARTS_MAX,
					.satp = ANY,
					.address = address,
					.va = ANY })
		.sum;
}

static uint64_t of_user(struct machine *m, enum event e, unsigned hart, uint64_t va)
{
	return look(m, (struct wanted){ .event = e,
					.kind = EXACT_DATA_KINDS,
					.hart = hart,
					.satp = ANY,
					.address = ANY,
					.va = va })
		.sum;
}

/* How often a hart has lost a line from `from` to an access at `by`, or had to clean it. */
static uint64_t trades(struct machine *m, unsigned hart, unsigned by, unsigned from, bool dropped)
{
	return look(m, (struct wanted){ .hart = hart, .by = by, .from = from, .dropped = dropped })
		.trades;
}

/* The sums of all rows are the totals of the machine. */
static void sums_are_totals(struct machine *m)
{
	static const enum event event[] = {
		EVENT_L1D_READ_MISS,  EVENT_L1D_WRITE_MISS,   EVENT_L1D_WALK_MISS,
		EVENT_L1D_WRITEBACK,  EVENT_L2_READ_MISS,     EVENT_L2_WRITE_MISS,
		EVENT_L2_WRITEBACK,   EVENT_LL_READ_MISS,     EVENT_LL_WRITE_MISS,
		EVENT_LL_WRITEBACK,   EVENT_BUS_READ,	      EVENT_UNCACHED_READ,
		EVENT_UNCACHED_WRITE, EVENT_SNOOP_INVALIDATE, EVENT_SNOOP_WRITEBACK,
		EVENT_WAIT_READ_L2,   EVENT_WAIT_READ_LL,     EVENT_WAIT_READ_MEMORY,
	};

	for (unsigned n = 0; n < TAP_NR(event); n++) {
		uint64_t total = 0;

		for (unsigned hart = 0; hart < m->cl.harts; hart++) {
			for (unsigned mode = 0; mode < 4; mode++)
				total += m->cl.hart[hart]->pmu.total[mode][event[n]];
		}
		tap_context("%s", event_table[event[n]].name);
		is(of_piece(m, event[n], EXACT_DATA_KINDS, ANY), total);
	}
	tap_context("%s", "");
}

/* Two harts store in turns, each to its own double word; apart: bytes between the two. */
static struct machine *in_turns(unsigned apart)
{
	struct machine *m = create(2);

	RIG_CODE(m, CODE, sd(A0, 0, S0), END);
	m->cl.hart[1]->x[S0] = RIG_DATA + apart;
	for (unsigned n = 0; n < 10; n++) {
		run(m, 0);
		run(m, 1);
	}
	return m;
}

/* In one line, each store but the first takes it from the other hart, where it is dirty. */
static void false_sharing(void)
{
	struct machine *m = in_turns(8);

	is(trades(m, 0, 8, 0, true), 10);
	is(trades(m, 1, 0, 8, true), 9);
	is(trades(m, 0, 8, 0, false), 0);
	is(of_piece(m, EVENT_SNOOP_INVALIDATE, EXACT_DATA_PHYSICAL, RIG_DATA), 9);
	is(of_piece(m, EVENT_SNOOP_INVALIDATE, EXACT_DATA_PHYSICAL, RIG_DATA + 8), 10);
	is(of_piece(m, EVENT_L1D_WRITE_MISS, EXACT_DATA_PHYSICAL, RIG_DATA), 10);
	is(of_piece(m, EVENT_L1D_WRITE_MISS, EXACT_DATA_PHYSICAL, RIG_DATA + 8), 10);
	/* The line that goes down is that of the hart that loses it. */
	is(of_piece(m, EVENT_SNOOP_WRITEBACK, EXACT_DATA_PHYSICAL, RIG_DATA), 10);
	is(of_piece(m, EVENT_SNOOP_WRITEBACK, EXACT_DATA_PHYSICAL, RIG_DATA + 8), 9);
	is(of_user(m, EVENT_L1D_WRITE_MISS, 1, CODE), 10);
	is(look(m, (struct wanted){ .hart = HARTS_MAX }).lines, 1);
	sums_are_totals(m);
	machine_destroy(m);
}

/* In lines of their own, the first stores miss, and nothing else happens. */
static void padding(void)
{
	struct machine *m = in_turns(64);

	is(look(m, (struct wanted){ .hart = HARTS_MAX }).lines, 0);
	is(of_piece(m, EVENT_SNOOP_INVALIDATE, EXACT_DATA_KINDS, ANY), 0);
	is(of_piece(m, EVENT_L1D_WRITE_MISS, EXACT_DATA_PHYSICAL, RIG_DATA), 1);
	is(of_piece(m, EVENT_L1D_WRITE_MISS, EXACT_DATA_PHYSICAL, RIG_DATA + 64), 1);
	sums_are_totals(m);
	machine_destroy(m);
}

/* Hart 1 reads what hart 0 writes: the line is cleaned there, and dropped by the next write. */
static void true_sharing(void)
{
	struct machine *m = create(2);

	RIG_CODE(m, CODE, branch(0, A1, ZERO, 12), ld(A0, 16, S0), END, sd(A0, 16, S0), END);
	m->cl.hart[1]->x[A1] = 1;
	for (unsigned n = 0; n < 5; n++) {
		run(m, 0);
		run(m, 1);
	}
	is(trades(m, 0, 16, 16, false), 5);
	is(trades(m, 1, 16, 16, true), 4);
	is(of_piece(m, EVENT_SNOOP_INVALIDATE, EXACT_DATA_PHYSICAL, RIG_DATA + 16), 4);
	is(of_user(m, EVENT_L1D_READ_MISS, 1, CODE + 4), 5);
	sums_are_totals(m);
	machine_destroy(m);
}

/* Loads wait 100 cycles for memory, 10 for L2; the fifth line of a set drives the first out. */
static void levels(void)
{
	struct machine *m = create(1);

	RIG_CODE(m, CODE, sd(A0, 0, S0), sd(A0, 256, S0), sd(A0, 512, S0), sd(A0, 768, S0), /* 0 */
		 ld(A1, 1024, S0), ld(A2, 8, S0), END); /* 10, 14 */
	run(m, 0);
	is(of_piece(m, EVENT_L1D_WRITEBACK, EXACT_DATA_PHYSICAL, RIG_DATA), 1);
	is(of_piece(m, EVENT_L1D_READ_MISS, EXACT_DATA_PHYSICAL, RIG_DATA + 1024), 1);
	is(of_piece(m, EVENT_LL_READ_MISS, EXACT_DATA_PHYSICAL, RIG_DATA + 1024), 1);
	is(of_piece(m, EVENT_WAIT_READ_MEMORY, EXACT_DATA_PHYSICAL, RIG_DATA + 1024), 100);
	is(of_piece(m, EVENT_L1D_READ_MISS, EXACT_DATA_PHYSICAL, RIG_DATA + 8), 1);
	is(of_piece(m, EVENT_L2_READ_MISS, EXACT_DATA_PHYSICAL, RIG_DATA + 8), 0);
	is(of_piece(m, EVENT_WAIT_READ_L2, EXACT_DATA_PHYSICAL, RIG_DATA + 8), 10);
	/* The second line was the next to go. */
	is(of_piece(m, EVENT_L1D_WRITEBACK, EXACT_DATA_PHYSICAL, RIG_DATA + 256), 1);
	is(of_user(m, EVENT_L1D_WRITEBACK, 0, CODE), 1);
	is(of_user(m, EVENT_L1D_WRITEBACK, 0, CODE + 4), 1);
	is(of_piece(m, EVENT_L1D_WRITEBACK, EXACT_DATA_KINDS, ANY), 2);
	sums_are_totals(m);
	machine_destroy(m);
}

/* What a function has on its stack is a piece of its own, whatever its address. */
static void stack(void)
{
	struct machine *m = create(1);

	RIG_CODE(m, CODE, jal(RA, F), ld(A0, 0, S0), END);
	RIG_CODE(m, CODE + F, addi(SP, SP, -512), sd(A0, 8, SP), sd(A0, 256, SP), addi(SP, SP, 512),
		 jalr(ZERO, 0, RA));
	run(m, 0);
	is(of_piece(m, EVENT_L1D_WRITE_MISS, EXACT_DATA_STACK, 0), 2);
	is(of_piece(m, EVENT_L1D_WRITE_MISS, EXACT_DATA_KINDS, ANY), 2);
	is(of_piece(m, EVENT_L1D_READ_MISS, EXACT_DATA_PHYSICAL, RIG_DATA), 1);
	sums_are_totals(m);
	machine_destroy(m);
}

/* Puts a hart before U-mode's code at CODE + 0x200, with RIG_DATA in S0.  Returns satp. */
static uint64_t to_program(struct machine *m, struct hart *h)
{
	uint64_t *table = cluster_ram(&m->cl, ROOT, PAGE_SIZE), satp = 8ull << 60 | ROOT >> 12;

	table[3] = RAM_BASE >> 2 | 0xdf;
	rig_open_memory(h);
	csr_write(h, CSR_MTVEC, CODE + F);
	csr_write(h, CSR_SATP, satp);
	RIG_CODE(m, CODE + F, END);
	h->x[S0] = U_BASE + (RIG_DATA - RAM_BASE);
	rig_set_mode(h, PRV_U);
	h->pc = U_BASE + 0x200;
	return satp;
}

/* A line that first the firmware and then a program has taken has the program's address. */
static void line_of_a_program(void)
{
	struct machine *m = create(2);
	struct hart *h = m->cl.hart[0];
	struct wanted w;
	uint64_t satp;

	RIG_CODE(m, CODE, sd(A0, 0, S0), END);
	run(m, 0);
	run(m, 1);
	w = look(m, (struct wanted){ .hart = HARTS_MAX });
	is(w.lines, 1);
	is(w.line.va, RIG_DATA);
	is(w.line.satp, 0);
	satp = to_program(m, h);
	RIG_CODE(m, CODE + 0x200, sd(A0, 0, S0), ECALL);
	go_on(m, 0);
	run(m, 1);
	w = look(m, (struct wanted){ .hart = HARTS_MAX });
	is(w.lines, 1);
	is(w.line.va, h->x[S0]);
	is(w.line.satp, satp);
	machine_destroy(m);
}

/* U-mode's addresses belong to their address space; page walks are data, too. */
static void spaces(void)
{
	struct machine *m = create(1);
	struct hart *h = m->cl.hart[0];
	uint64_t satp = to_program(m, h);

	RIG_CODE(m, CODE + 0x200, ld(A0, 24, S0), sd(A0, 60, S0), ECALL);
	rig_run(m, 100000);
	is(look(m, (struct wanted){ .event = EVENT_L1D_READ_MISS,
				    .kind = EXACT_DATA_USER,
				    .hart = 0,
				    .satp = satp,
				    .address = h->x[S0] + 24,
				    .va = U_BASE + 0x200 })
		   .sum,
	   1);
	/* The store crosses into the next line, which misses. */
	is(of_piece(m, EVENT_L1D_WRITE_MISS, EXACT_DATA_USER, h->x[S0] + 64), 1);
	ok(of_piece(m, EVENT_L1D_WALK_MISS, EXACT_DATA_TABLES, 0) > 0);
	sums_are_totals(m);
	machine_destroy(m);
}

/*
 * Allocated memory belongs to the call that got it, until it is freed.  jump: by a function that
 * jumps.
 */
static void heap_by(bool jump)
{
	struct machine *m = create(1);
	struct hart *h = m->cl.hart[0];
	uint64_t *table = cluster_ram(&m->cl, ROOT, PAGE_SIZE), block;
	struct exact_allocator a[] = {
		{ .kind = EXACT_MALLOC, .offset = 0x300, .len = 16 },
		{ .kind = EXACT_FREES, .offset = 0x400, .len = 16 },
	};

	table[3] = RAM_BASE >> 2 | 0xdf;
	rig_open_memory(h);
	csr_write(h, CSR_MTVEC, CODE + F);
	csr_write(h, CSR_SATP, 8ull << 60 | ROOT >> 12);
	RIG_CODE(m, CODE + F, END);
	RIG_CODE(m, CODE + 0x200, addi(A0, ZERO, 128),
		 jal(RA, (jump ? 0x500 : 0x300) - 0x204), /* 200, 204 */
		 sd(A1, 16, A0), jal(RA, 0x400 - 0x20c), sd(A1, 64, S0), ECALL); /* 208, 20c, 210 */
	RIG_CODE(m, CODE + 0x300, addi(A0, S0, 0), NOP, NOP, jalr(ZERO, 0, RA));
	RIG_CODE(m, CODE + 0x400, addi(A1, A1, 1), NOP, NOP, jalr(ZERO, 0, RA));
	RIG_CODE(m, CODE + 0x500, NOP, jal(ZERO, 0x300 - 0x504));
	a[0].code = cluster_ram(&m->cl, CODE + 0x300, 16);
	a[1].code = cluster_ram(&m->cl, CODE + 0x400, 16);
	ok(exact_heap(&m->cl, a, TAP_NR(a)));
	block = h->x[S0] = U_BASE + (RIG_DATA - RAM_BASE);
	rig_set_mode(h, PRV_U);
	h->pc = U_BASE + 0x200;
	rig_run(m, 100000);
	is(of_piece(m, EVENT_L1D_WRITE_MISS, EXACT_DATA_HEAP, 16), 1);
	is(of_piece(m, EVENT_L1D_WRITE_MISS, EXACT_DATA_HEAP, 64), 0);
	is(of_piece(m, EVENT_L1D_WRITE_MISS, EXACT_DATA_USER, block + 64), 1);
	sums_are_totals(m);
	machine_destroy(m);
}

static void heap(void)
{
	heap_by(false);
}

static void tail_call(void)
{
	heap_by(true);
}

/* There is no room for another piece: then for that of its page, and for that of a stack, too. */
static void no_room(void)
{
	struct machine *m = create(1);
	struct table *pieces = &exact_of(&m->cl)->data->pieces;
	struct table *rows = &exact_of(&m->cl)->data->rows;
	size_t few = pieces->used;

	RIG_CODE(m, CODE, jal(RA, F), sd(A0, 8, S0), END);
	RIG_CODE(m, CODE + F, addi(SP, SP, -512), sd(A0, 8, SP), addi(SP, SP, 512),
		 jalr(ZERO, 0, RA));
	pieces->used = 1u << 20; /* PIECES_MAX */
	full = true;
	run(m, 0);
	is(of_piece(m, EVENT_L1D_WRITE_MISS, EXACT_DATA_STACK, 0), 1);
	is(of_piece(m, EVENT_L1D_WRITE_MISS, EXACT_DATA_PHYSICAL, RIG_DATA), 1);
	sums_are_totals(m);
	pieces->used = 1u << 21; /* not even for pages */
	m->cl.hart[0]->x[S0] += PAGE_SIZE;
	run(m, 0);
	is(of_piece(m, EVENT_L1D_WRITE_MISS, EXACT_DATA_UNKNOWN, ANY), 1);
	sums_are_totals(m);
	pieces->used = few;
	rows->used = 1u << 20; /* ROWS_MAX */
	m->cl.hart[0]->x[S0] += PAGE_SIZE + 64;
	run(m, 0);
	is(of_piece(m, EVENT_L1D_WRITE_MISS, EXACT_DATA_PHYSICAL, RIG_DATA + 2 * PAGE_SIZE), 1);
	sums_are_totals(m);
	rows->used = 1u << 21;
	m->cl.hart[0]->x[S0] += PAGE_SIZE;
	run(m, 0);
	is(of_piece(m, EVENT_L1D_WRITE_MISS, EXACT_DATA_UNKNOWN, ANY), 2);
	sums_are_totals(m);
	full = false;
	machine_destroy(m);
}

/* Counts and time are the same with and without. */
static void changes_nothing(void)
{
	struct machine *m[2];
	uint64_t now[2];

	for (unsigned n = 0; n < 2; n++) {
		struct machine_options o = { .paranoid = paranoid, .cpu = &cpu, .models = true };

		m[n] = n ? create(1) : rig_create(&o);
		if (!n)
			pmu_count_all(m[n]->cl.hart[0]);
		m[n]->cl.hart[0]->x[S0] = RIG_DATA;
		m[n]->cl.hart[0]->x[SP] = STACK;
		RIG_CODE(m[n], CODE, addi(T2, ZERO, 99), ld(A0, 0, S0), sd(A0, 72, S0),
			 addi(S0, S0, 40), addi(T2, T2, -1), bnez(T2, -16), END);
		run(m[n], 0);
		now[n] = m[n]->cl.hart[0]->now;
	}
	is(now[0], now[1]);
	for (unsigned e = 0; e < EVENT_NR; e++)
		is(m[0]->cl.hart[0]->pmu.total[PRV_M][e], m[1]->cl.hart[0]->pmu.total[PRV_M][e]);
	sums_are_totals(m[1]);
	machine_destroy(m[0]);
	machine_destroy(m[1]);
}

static const struct tap_case cases[] = {
	{ "two harts write different parts of a line in turns", false_sharing },
	{ "in lines of their own, they take nothing from each other", padding },
	{ "one hart reads what another writes", true_sharing },
	{ "levels, write-backs and waits", levels },
	{ "a stack", stack },
	{ "address spaces, page walks, an access of two lines", spaces },
	{ "a line of the firmware's and a program's has the program's address", line_of_a_program },
	{ "memory by the call that allocated it", heap },
	{ "the same by a function that ends with a jump to the allocator", tail_call },
	{ "more pieces than there is room for", no_room },
	{ "counts and time are as without data", changes_nothing },
};

int main(void)
{
	small_cpu(&cpu, &models);
	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
