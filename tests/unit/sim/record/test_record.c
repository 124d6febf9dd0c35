// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_record.c - recorded traces of small programs, record by record; recording changes no count.
 */
#include <errno.h>

#include "record.h"
#include "rig.h"
#include "small_cpu.h"
#include "trace_read.h"

#define CODE  RAM_BASE
#define ROOT  (RAM_BASE + 0x10000)
#define MID   (RAM_BASE + 0x11000)
#define LOW   (RAM_BASE + 0x12000)
#define PAGES (RAM_BASE + 0x20000) /* of physical memory */
#define VA    0x40000000ull

#define PTE(pa, bits) ((uint64_t)(pa) >> 2 | (bits))
#define TABLE	      0x01
#define RW	      0x07
#define RWXAD	      0xcf

#define LR_D(rd, rs1)	   r_type(0x1000302f, rd, rs1, 0)
#define SC_D(rd, rs2, rs1) r_type(0x1800302f, rd, rs1, rs2)
#define CBO_CLEAN(rs1)	   (0x0010200fu | (rs1) << 15)
#define SFENCE(rs1, rs2)   r_type(0x12000073, 0, rs1, rs2)

static struct cpu cpu;
static struct cpu_models models;

static struct machine *create(bool record)
{
	struct machine_options o = { .cpu = &cpu, .models = true, .record = record };

	return rig_create(&o);
}

/* A record, or the beginning of one. */
struct want {
	unsigned type, flags;
	uint32_t more;
	uint64_t field[4];
	unsigned fields;
};

/* Runs the program of m until its wfi, and compares the records after RESET. */
static void records(struct machine *m, const struct want *want, unsigned nr)
{
	const struct record_about about = { m->hz, 1, 0 };
	struct trace_reader t = { .from = tmpfile() };
	struct trace_header header;
	struct trace_record r = { 0 };
	struct error_text why = { "" };
	struct record *record = record_start(&m->cl, &about, t.from);

	rig_run(m, 1000000);
	ok(record_end(record));
	rewind(t.from);
	ok(trace_read_header(&t, &header, &why));
	is(header.ram_size, m->cl.ram_size);
	ok(trace_read(&t, &r, &why));
	is(r.type, RECORD_RESET);
	is(r.field[0], CODE);
	for (unsigned n = 0; n < nr; n++) {
		tap_context("record %u", n);
		ok(trace_read(&t, &r, &why));
		is(r.type, want[n].type);
		is(r.flags, want[n].flags);
		is(r.more, want[n].more);
		is(r.fields, want[n].fields);
		for (unsigned f = 0; f < want[n].fields && f < 4; f++)
			is(r.field[f], want[n].field[f]);
	}
	tap_context("the end");
	ok(trace_read(&t, &r, &why));
	is(r.type, RECORD_END);
	is_str(why.text, "");
	fclose(t.from);
}

#define M  PRV_M
#define S  PRV_S
#define OK (RECORD_RETIRED | RECORD_FETCHED)

#define INSN(flags, raw, pc, next)                                                                 \
	{                                                                                          \
		RECORD_INSN, flags, raw, { pc, pc, next }, 3                                       \
	}
#define ACCESS(flags, kind, bytes, va, pa)                                                         \
	{                                                                                          \
		RECORD_ACCESS, flags, (kind) | (bytes) << 16, { va, pa }, 2                        \
	}

/* In M-mode: accesses of each kind, a branch to the next instruction, a CSR, a trap. */
static void accesses(void)
{
	const unsigned hit = M | RECORD_ALLOWED | RECORD_REACHED;
	const struct want want[] = {
		INSN(M | OK, LR_D(T1, T0), CODE, CODE + 4),
		ACCESS(hit, RECORD_LR, 8, RIG_DATA, RIG_DATA),
		INSN(M | OK, SC_D(T1, T1, T0), CODE + 4, CODE + 8),
		ACCESS(hit | RECORD_SUCCEEDED, RECORD_SC, 8, RIG_DATA, RIG_DATA),
		INSN(M | OK, SC_D(T1, T1, T0), CODE + 8, CODE + 12),
		ACCESS(hit, RECORD_SC, 8, RIG_DATA, RIG_DATA),
		INSN(M | OK | RECORD_TAKEN, bnez(T1, 4), CODE + 12, CODE + 16),
		INSN(M | OK, bnez(ZERO, 8), CODE + 16, CODE + 20),
		INSN(M | OK, ld(T1, 61, T0), CODE + 20, CODE + 24),
		ACCESS(hit, RECORD_LOAD, 8, RIG_DATA + 61, RIG_DATA + 61),
		INSN(M | OK, CBO_CLEAN(T0), CODE + 24, CODE + 28),
		ACCESS(hit, RECORD_CBO_CLEAN, 64, RIG_DATA, RIG_DATA),
		INSN(M | OK, csrw(CSR_MSCRATCH, T0), CODE + 28, CODE + 32),
		{ RECORD_CSR, 0, CSR_MSCRATCH, { RIG_DATA, 0, RIG_DATA }, 3 },
		INSN(M | OK, SFENCE(T0, T2), CODE + 32, CODE + 36),
		{ RECORD_FENCE, RECORD_FENCE_VA | RECORD_FENCE_ASID, 0, { RIG_DATA, 9 }, 2 },
		INSN(M | OK, sd(T0, 0, A3), CODE + 36, CODE + 40),
		ACCESS(hit | RECORD_PAST, RECORD_STORE, 8, 0x2004000, 0x2004000),
		INSN(M | RECORD_FETCHED, ECALL, CODE + 40, 0),
		{ RECORD_EXCEPTION,
		  M | M << RECORD_TO_SHIFT,
		  CAUSE_ECALL_M,
		  { CODE + 40, CODE + 64, 0 },
		  3 },
		INSN(M | OK, END, CODE + 64, CODE + 68),
	};
	struct machine *m = create(true);
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, CODE, LR_D(T1, T0), SC_D(T1, T1, T0), SC_D(T1, T1, T0), bnez(T1, 4),
		 bnez(ZERO, 8), ld(T1, 61, T0), CBO_CLEAN(T0), csrw(CSR_MSCRATCH, T0),
		 SFENCE(T0, T2), sd(T0, 0, A3), ECALL);
	RIG_CODE(m, CODE + 64, END);
	h->x[T0] = RIG_DATA;
	h->x[T2] = 9;
	h->x[A3] = 0x2004000; /* the CLINT */
	h->mtvec = CODE + 64;
	records(m, want, TAP_NR(want));
	machine_destroy(m);
}

static void put_word(struct machine *m, uint64_t pa, uint64_t word)
{
	memcpy(cluster_ram(&m->cl, pa, 8), &word, 8);
}

/* Sv39: code where it is, and from VA on two pages that can be written, and nothing after them. */
static void page_tables(struct machine *m)
{
	struct hart *h = m->cl.hart[0];

	put_word(m, ROOT + 8, PTE(MID, TABLE));
	put_word(m, ROOT + 16, PTE(RAM_BASE, RWXAD));
	put_word(m, MID, PTE(LOW, TABLE));
	put_word(m, LOW, PTE(PAGES + 0x5000, RW));
	put_word(m, LOW + 8, PTE(PAGES, RWXAD));
	h->satp = 8ull << 60 | 3ull << 44 | ROOT >> 12;
	h->pmpaddr[0] = UINT64_MAX >> 10;
	h->pmpcfg[0] = 0x1f;
	pmp_changed(h);
	rig_set_mode(h, PRV_S);
	h->mtvec = CODE + 64;
}

#define PAGED (S | RECORD_PAGED | RECORD_ALLOWED)

/* In S-mode: walks, a load across pages, one whose second half faults. */
static void walks(void)
{
	const uint64_t low = PTE(PAGES + 0x5000, RW);
	const uint32_t asid = 3 << 16;
	const struct want want[] = {
		INSN(S | OK, ld(T1, -4, T0), CODE, CODE + 4),
		{ RECORD_WALK,
		  RECORD_WALK_FETCH | RECORD_FOUND,
		  30 | asid,
		  { CODE, PTE(RAM_BASE, RWXAD), ROOT + 16 },
		  3 },
		ACCESS(PAGED | RECORD_REACHED, RECORD_LOAD, 4, VA + 0xffc, PAGES + 0x5ffc),
		{ RECORD_WALK,
		  RECORD_WALK_LOAD | RECORD_FOUND | RECORD_WROTE,
		  12 | asid,
		  { VA + 0xffc, low, ROOT + 8, MID },
		  5 },
		ACCESS(PAGED | RECORD_REACHED | RECORD_CONTINUES, RECORD_LOAD, 4, VA + 0x1000,
		       PAGES),
		{ RECORD_WALK,
		  RECORD_WALK_LOAD | RECORD_FOUND,
		  12 | asid,
		  { VA + 0x1000, PTE(PAGES, RWXAD), ROOT + 8, MID },
		  5 },
		/* The TLB has an entry without D. */
		INSN(S | OK, sd(T1, -8, T0), CODE + 4, CODE + 8),
		ACCESS(PAGED | RECORD_REACHED, RECORD_STORE, 8, VA + 0xff8, PAGES + 0x5ff8),
		{ RECORD_WALK,
		  RECORD_WALK_STORE | RECORD_FOUND | RECORD_WROTE,
		  12 | asid,
		  { VA + 0xff8, low | 0x40, ROOT + 8, MID },
		  5 },
		INSN(S | RECORD_FETCHED, sd(T1, -1, T2), CODE + 8, 0),
		ACCESS(PAGED, RECORD_STORE, 1, VA + 0x1fff, PAGES + 0xfff),
		ACCESS(S | RECORD_PAGED | RECORD_CONTINUES, RECORD_STORE, 7, VA + 0x2000, 0),
		{ RECORD_WALK, RECORD_WALK_STORE, asid, { VA + 0x2000, 0, ROOT + 8, MID }, 5 },
		{ RECORD_EXCEPTION,
		  S | M << RECORD_TO_SHIFT,
		  CAUSE_STORE_PAGE_FAULT,
		  { CODE + 8, CODE + 64, VA + 0x2000 },
		  3 },
		INSN(M | OK, END, CODE + 64, CODE + 68),
	};
	struct machine *m = create(true);
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, CODE, ld(T1, -4, T0), sd(T1, -8, T0), sd(T1, -1, T2));
	RIG_CODE(m, CODE + 64, END);
	page_tables(m);
	h->x[T0] = VA + 0x1000;
	h->x[T2] = VA + 0x2000;
	records(m, want, TAP_NR(want));
	machine_destroy(m);
}

/* An instruction across two pages, and one whose second half is not mapped. */
static void fetches(void)
{
	const uint32_t asid = 3 << 16;
	const uint64_t low = PTE(PAGES + 0x5000, RWXAD);
	const struct want want[] = {
		INSN(S | OK, jalr(ZERO, 0, T0), CODE, VA + 0xffe),
		{ RECORD_WALK,
		  RECORD_WALK_FETCH | RECORD_FOUND,
		  30 | asid,
		  { CODE, PTE(RAM_BASE, RWXAD), ROOT + 16 },
		  3 },
		{ RECORD_INSN,
		  S | OK,
		  jalr(ZERO, 0, T2),
		  { VA + 0xffe, PAGES + 0x5ffe, VA + 0x1ffe, PAGES },
		  4 },
		{ RECORD_WALK,
		  RECORD_WALK_FETCH | RECORD_FOUND,
		  12 | asid,
		  { VA + 0xffe, low, ROOT + 8, MID },
		  5 },
		{ RECORD_WALK,
		  RECORD_WALK_FETCH | RECORD_FOUND,
		  12 | asid,
		  { VA + 0x1000, PTE(PAGES, RWXAD), ROOT + 8, MID },
		  5 },
		{ RECORD_INSN, S, 0, { VA + 0x1ffe, PAGES + 0xffe, 0, 0 }, 4 },
		{ RECORD_WALK, RECORD_WALK_FETCH, asid, { VA + 0x2000, 0, ROOT + 8, MID }, 5 },
		{ RECORD_EXCEPTION,
		  S | M << RECORD_TO_SHIFT,
		  CAUSE_FETCH_PAGE_FAULT,
		  { VA + 0x1ffe, CODE + 64, VA + 0x2000 },
		  3 },
		INSN(M | OK, END, CODE + 64, CODE + 68),
	};
	struct machine *m = create(true);
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, CODE, jalr(ZERO, 0, T0));
	RIG_CODE(m, CODE + 64, END);
	page_tables(m);
	put_word(m, LOW, low);
	put_word(m, PAGES + 0x5ff8, (uint64_t)jalr(ZERO, 0, T2) << 48);
	put_word(m, PAGES, jalr(ZERO, 0, T2) >> 16);
	put_word(m, PAGES + 0xff8, (uint64_t)addi(ZERO, ZERO, 0) << 48);
	h->x[T0] = VA + 0xffe;
	h->x[T2] = VA + 0x1ffe;
	records(m, want, TAP_NR(want));
	machine_destroy(m);
}

/* Loads and stores over more lines than fit, with branches; record NULL: without a trace. */
static struct machine *run_loop(FILE *record)
{
	struct machine *m = create(record);
	const struct record_about about = { m->hz, 1, 0 };
	struct hart *h = m->cl.hart[0];
	struct record *r;

	RIG_CODE(m, CODE, ld(T1, 3, T0), sd(T1, 0, T0), addi(T0, T0, 72), addi(T2, T2, -1),
		 bnez(T2, -16), csrr(T1, CSR_MCYCLE), END);
	h->x[T0] = RIG_DATA;
	h->x[T2] = 400;
	pmu_count_all(h);
	r = record ? record_start(&m->cl, &about, record) : NULL;
	rig_run(m, 10000000);
	ok(!r || record_end(r));
	return m;
}

static void same_counts(void)
{
	FILE *record = tmpfile();
	struct machine *with = run_loop(record), *without = run_loop(NULL);

	ok(ftell(record) > 2000 * 32);
	is(with->cl.hart[0]->now, without->cl.hart[0]->now);
	is(with->cl.hart[0]->x[T1], without->cl.hart[0]->x[T1]);
	for (unsigned e = 0; e < EVENT_NR; e++) {
		tap_context("%s", event_table[e].name);
		is(with->cl.hart[0]->pmu.total[PRV_M][e], without->cl.hart[0]->pmu.total[PRV_M][e]);
	}
	machine_destroy(with);
	machine_destroy(without);
	fclose(record);
}

/* The run goes on, and record_end tells. */
static void full_disk(void)
{
	FILE *full = fopen("/dev/full", "w");
	struct machine *m = create(true);
	const struct record_about about = { m->hz, 1, 0 };
	struct record *r = record_start(&m->cl, &about, full);

	RIG_CODE(m, CODE, addi(T2, T2, -1), bnez(T2, -4), END);
	m->cl.hart[0]->x[T2] = 10000;
	rig_run(m, 10000000);
	is(m->cl.hart[0]->x[T2], 0);
	errno = 0;
	ok(!record_end(r));
	is(errno, ENOSPC);
	fclose(full);
	machine_destroy(m);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "accesses in M-mode", accesses },  { "page walks", walks },
		{ "fetches across pages", fetches }, { "recording changes no count", same_counts },
		{ "a full disk", full_disk },
	};

	small_cpu(&cpu, &models);
	return tap_run(cases, TAP_NR(cases));
}
