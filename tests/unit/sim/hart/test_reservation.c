// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_reservation.c - reservations of lr over the turns of several harts: what ends them, what
 * does not, and that they are saved and restored.  Each case runs on the normal engine and on the
 * paranoid one, without and with models.
 *
 * A round is one turn of each hart.  In it each hart runs a few instructions and waits.
 *
 * Implements: Unpriv 20240411 §13.2.
 */
#include "reservation.h"
#include "rig.h"
#include "shot.h"
#include "small_cpu.h"

#define WORD  (RIG_DATA + 0x48) /* S0: the reserved doubleword */
#define OLD   0x1122334455667788 /* A5: its value */
#define NEW   0x99aabbccddeeff00 /* A1 */
#define TABLE (RAM_BASE + 0x2000)

#define LR	      r_type(0x1000302f, A4, S0, 0)
#define LR_W	      r_type(0x1000202f, A4, S0, 0)
#define SC	      r_type(0x1800302f, A2, S0, A1)
#define SC_W	      r_type(0x1800202f, A2, S0, A1)
#define AMOADD(at)    r_type(0x0000302f, A4, at, ZERO)
#define AMOSWAP_W(at) r_type(0x0800202f, A4, at, A1)
#define SB(r, imm)    (sd(r, imm, S0) & ~0x3000u)
#define SW(r, imm)    ((sd(r, imm, S0) & ~0x3000u) | 0x2000)
#define CBO_ZERO      (0x0040200fu | S0 << 15)

static bool paranoid;
static bool modelled;

static struct machine *create(unsigned harts)
{
	static struct cpu cpu;
	static struct cpu_models models;
	struct machine_options o = { .harts = harts, .paranoid = paranoid };
	struct machine *m;

	small_cpu(&cpu, &models);
	o.cpu = modelled ? &cpu : NULL;
	o.models = modelled;
	m = rig_create(&o);
	*(uint64_t *)cluster_ram(&m->cl, WORD, 8) = OLD;
	for (unsigned n = 0; n < harts; n++) {
		struct hart *h = m->cl.hart[n];

		h->x[S0] = WORD;
		h->x[S1] = WORD + 8;
		h->x[A1] = NEW;
		h->x[A5] = OLD;
		h->x[T0] = WORD - 8;
		h->idle = true;
	}
	return m;
}

/* What a hart runs in the next round. */
static void put(struct machine *m, unsigned hart, const uint32_t *code, unsigned nr)
{
	uint64_t at = RAM_BASE + 0x100ull * hart;
	const uint32_t end = END;

	rig_put(m, at, code, nr);
	rig_put(m, at + 4ull * nr, &end, 1);
	m->cl.hart[hart]->pc = at;
	m->cl.hart[hart]->idle = false;
}

#define PUT(m, hart, ...)                                                                          \
	do {                                                                                       \
		const uint32_t code[] = { __VA_ARGS__ };                                           \
		put(m, hart, code, TAP_NR(code));                                                  \
	} while (0)

static void one_round(struct machine *m)
{
	machine_pause_at(m, m->now + 1);
	machine_run(m);
	ok(m->paused);
	for (unsigned n = 0; n < m->cl.harts; n++)
		ok(m->cl.hart[n]->idle);
}

/* Whether an sc of the hart holds now. */
static bool holds(struct machine *m, unsigned hart)
{
	PUT(m, hart, SC);
	one_round(m);
	return !m->cl.hart[hart]->x[A2];
}

/* Whether the hart's stores to the page of WORD hit its software TLB. */
static bool stores_are_fast(const struct machine *m, unsigned hart)
{
	const struct soft_line *l = m->cl.hart[hart]->soft[CTX_M].write;

	return l[(WORD >> PAGE_SHIFT) % SOFT_NR].tag == (WORD & PAGE_MASK);
}

/* What hart 1 does between lr and sc of hart 0. */
struct row {
	const char *name;
	bool word; /* lr.w and sc.w */
	bool ends;
	uint32_t code[2];
};

/* warm: hart 1 has stored to the page before, so that its software TLB has it. */
static void one_row(const struct row *row, bool warm)
{
	struct machine *m = create(2);

	tap_context("%s%s%s", row->name, warm ? ", warm" : "", modelled ? ", models" : "");
	if (warm) {
		PUT(m, 1, sd(ZERO, 16, S0), sd(ZERO, 24, S0));
		one_round(m);
		ok(stores_are_fast(m, 1));
	}
	PUT(m, 0, row->word ? LR_W : LR);
	put(m, 1, row->code, TAP_NR(row->code));
	one_round(m);
	is(m->cl.hart[0]->reservation == WORD, !row->ends);
	/* More turns of both harts change nothing. */
	PUT(m, 0, NOP);
	PUT(m, 1, NOP);
	one_round(m);
	PUT(m, 0, row->word ? SC_W : SC);
	one_round(m);
	is(m->cl.hart[0]->x[A2], row->ends);
	machine_destroy(m);
}

static void what_ends_it(void)
{
	const struct row rows[] = {
		{ "nothing", false, false, { NOP, NOP } },
		{ "a load", false, false, { ld(A0, 0, S0), NOP } },
		{ "an lr of the same word", false, false, { LR, NOP } },
		{ "a store just before it", false, false, { sd(A1, -8, S0), NOP } },
		{ "a store just after it", false, false, { sd(A1, 8, S0), NOP } },
		{ "an AMO just after it", false, false, { AMOADD(S1), NOP } },
		{ "an sc that fails", false, false, { SC, NOP } },
		{ "a store after a reserved word", true, false, { SW(A1, 4), NOP } },
		{ "a store", false, true, { sd(A1, 0, S0), NOP } },
		{ "a store of the same value", false, true, { sd(A5, 0, S0), NOP } },
		{ "ABA: another value, then the old one",
		  false,
		  true,
		  { sd(A1, 0, S0), sd(A5, 0, S0) } },
		{ "a store of the last byte", false, true, { SB(A1, 7), NOP } },
		{ "a misaligned store of the first byte", false, true, { sd(A1, -7, S0), NOP } },
		{ "a wider store", true, true, { sd(A5, 0, S0), NOP } },
		{ "an AMO that changes nothing", false, true, { AMOADD(S0), NOP } },
		{ "an AMO of a part", false, true, { AMOSWAP_W(S0), NOP } },
		{ "an sc that holds", false, true, { LR, SC } },
		{ "cbo.zero", false, true, { CBO_ZERO, NOP } },
		{ "cbo.zero and a store elsewhere", false, true, { CBO_ZERO, sd(A1, 8, S0) } },
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		for (unsigned way = 0; way < 4; way++) {
			modelled = way & 1;
			one_row(&rows[n], way & 2);
		}
	}
	modelled = false;
}

/* Stores that miss the software TLB and stores that hit it, before and after the turn's end. */
static void own_stores(void)
{
	struct machine *m = create(2);

	PUT(m, 0, LR, sd(A1, 0, S0), AMOADD(S0), sd(A5, 0, S0));
	PUT(m, 1, NOP);
	one_round(m);
	PUT(m, 0, sd(A1, 0, S0), AMOADD(S0), CBO_ZERO, sd(A5, 0, S0));
	one_round(m);
	ok(holds(m, 0));
	ok(!holds(m, 0)); /* an sc ends it */
	machine_destroy(m);
}

/* A hart's stores miss its software TLB only while another hart has a reservation in the page. */
static void slow_no_longer_than_needed(void)
{
	struct machine *m = create(3);

	PUT(m, 1, sd(A1, 8, S0));
	one_round(m);
	ok(stores_are_fast(m, 1));
	PUT(m, 0, LR);
	PUT(m, 1, sd(A1, 8, S0));
	one_round(m);
	ok(!stores_are_fast(m, 1));
	PUT(m, 0, sd(A1, 16, S0), sd(A1, 16, S0));
	one_round(m);
	ok(stores_are_fast(m, 0));
	PUT(m, 0, SC);
	PUT(m, 1, sd(A1, 8, S0));
	one_round(m);
	ok(stores_are_fast(m, 1));
	/* The store that ends it is slow, the next one is not. */
	PUT(m, 0, LR);
	one_round(m);
	ok(!stores_are_fast(m, 1));
	PUT(m, 2, sd(A1, 0, S0), sd(A1, 0, S0));
	one_round(m);
	ok(stores_are_fast(m, 2));
	ok(!holds(m, 0));
	machine_destroy(m);
}

static void several_harts(void)
{
	struct machine *m = create(3);

	PUT(m, 0, LR);
	PUT(m, 1, LR);
	one_round(m);
	PUT(m, 2, sd(A5, 0, S0));
	one_round(m);
	ok(!holds(m, 0));
	ok(!holds(m, 1));

	PUT(m, 0, LR);
	PUT(m, 1, LR);
	PUT(m, 2, LR);
	one_round(m);
	ok(holds(m, 1));
	ok(!holds(m, 0));
	ok(!holds(m, 2));

	/* A new reservation in another page: stores to the old one do not matter. */
	PUT(m, 0, LR);
	one_round(m);
	m->cl.hart[0]->x[S0] = WORD + PAGE_SIZE;
	PUT(m, 0, LR);
	PUT(m, 1, sd(A1, 0, S0));
	one_round(m);
	ok(holds(m, 0));
	machine_destroy(m);
}

static void device_writes(uint64_t at, uint64_t len, unsigned harts, bool ends)
{
	struct machine *m = create(harts);

	tap_context("%llu bytes at %+lld, %u harts", (unsigned long long)len,
		    (long long)(at - WORD), harts);
	PUT(m, 0, LR);
	one_round(m);
	m->board.ram_written(m->board.opaque, at, len);
	is(holds(m, 0), !ends);
	machine_destroy(m);
}

static void devices(void)
{
	for (unsigned harts = 1; harts <= 2; harts++) {
		device_writes(WORD - 8, 8, harts, false);
		device_writes(WORD + 8, 4096, harts, false);
		device_writes(WORD - 8, 9, harts, true);
		device_writes(WORD + 7, 1, harts, true);
		device_writes(WORD - 4096, 3 * 4096, harts, true);
	}
}

/* A device writes while the hart runs: HTIF clears the tohost that the hart has stored. */
static void device_in_a_turn(void)
{
	struct machine *m = create(1);

	htif_find(m, WORD, 0);
	PUT(m, 0, LR, sd(A1, 0, S0), SC);
	m->cl.hart[0]->x[A1] = 1ull << 56 | 1ull << 48 | '\n'; /* the console writes a character */
	one_round(m);
	is(*(uint64_t *)cluster_ram(&m->cl, WORD, 8), 0);
	is(m->cl.hart[0]->x[A2], 1);
	machine_destroy(m);
}

/* The page walk of another hart sets A in the reserved page-table entry. */
static void page_walks(void)
{
	for (unsigned set = 0; set < 2; set++) {
		struct machine *m = create(2);
		struct hart *h = m->cl.hart[1];
		uint64_t *table = cluster_ram(&m->cl, TABLE, PAGE_SIZE);

		table[2] = (RAM_BASE >> 12) << 10 | (set ? 0xcf : 0x0f); /* A D, X W R V */
		rig_open_memory(h);
		csr_write(h, CSR_MENVCFG, MENVCFG_ADUE);
		csr_write(h, CSR_SATP, (uint64_t)SATP64_MODE_SV39 << 60 | TABLE >> 12);
		rig_set_mode(h, PRV_S);
		m->cl.hart[0]->x[S0] = TABLE + 16;
		m->cl.hart[0]->x[A1] = table[2];
		PUT(m, 0, LR);
		PUT(m, 1, NOP);
		one_round(m);
		ok(table[2] & 0x40);
		is(holds(m, 0), set);
		machine_destroy(m);
	}
}

static struct machine *through_snapshot(struct machine *m)
{
	struct machine *to = create(m->cl.harts);
	struct error_text why = { "" };
	struct shot s = { 0 };

	/* The other machine's hart 0 has the page in its software TLB. */
	PUT(to, 0, sd(A1, 0, S0), sd(A1, 0, S0));
	one_round(to);
	shot_save(&s, m);
	ok(shot_restore(&s, to, &why));
	is_str(why.text, "");
	shot_end(&s);
	machine_destroy(m);
	return to;
}

/* The first turn after the restore is that of hart 0. */
static void saved(void)
{
	for (unsigned ends = 0; ends < 2; ends++) {
		struct machine *m = create(2);

		PUT(m, 0, NOP);
		PUT(m, 1, LR);
		one_round(m);
		m = through_snapshot(m);
		PUT(m, 0, sd(A1, 8, S0), sd(A5, ends ? 0 : 8, S0));
		one_round(m);
		is(holds(m, 1), !ends);
		machine_destroy(m);
	}
}

static void impossible_ones(void)
{
	static const struct {
		uint64_t reservation, reserved;
		bool possible;
	} states[] = {
		{ RESERVATION_NONE, 0, true },
		{ RESERVATION_NONE, UINT64_MAX, true },
		{ WORD, 8, true },
		{ WORD + 4, 4, true },
		{ RAM_BASE + (16 << 20) - 8, 8, true },
		{ WORD, 0, false },
		{ WORD, 16, false },
		{ WORD, UINT64_MAX, false },
		{ WORD + 4, 8, false },
		{ WORD + 2, 4, false },
		{ 0, 8, false },
		{ RAM_BASE - 8, 8, false },
		{ RAM_BASE + (16 << 20), 8, false },
		{ UINT64_MAX - 7, 8, false },
	};

	for (unsigned n = 0; n < TAP_NR(states); n++) {
		struct machine *m = create(2), *to = create(2);
		struct error_text why = { "" };
		struct shot s = { 0 };

		tap_context("row %u", n);
		m->cl.hart[1]->reservation = states[n].reservation;
		m->cl.hart[1]->reserved = states[n].reserved;
		shot_save(&s, m);
		is(shot_restore(&s, to, &why), states[n].possible);
		is(!!strstr(why.text, "of hart 1"), !states[n].possible);
		shot_end(&s);
		machine_destroy(m);
		machine_destroy(to);
	}
}

static void reset_ends_it(void)
{
	struct machine *m = create(2);

	PUT(m, 0, LR);
	PUT(m, 1, NOP);
	one_round(m);
	machine_reset(m);
	is(m->cl.hart[0]->reservation, RESERVATION_NONE);
	m->cl.hart[1]->x[S0] = WORD;
	m->cl.hart[0]->idle = true;
	PUT(m, 1, sd(A1, 0, S0));
	one_round(m);
	ok(stores_are_fast(m, 1));
	machine_destroy(m);
}

/*
 * Harts that add to words of their own, in one page, never repeat an sc, wherever their turns end;
 * and harts that add to one word lose nothing, even if each turn is one instruction.
 */
static void loops(bool shared, unsigned quantum)
{
	struct machine_options o = { .harts = 4, .quantum = quantum, .paranoid = paranoid };
	struct machine *m = rig_create(&o);
	uint64_t *words = cluster_ram(&m->cl, RIG_DATA, 32);

	tap_context("%s, quantum %u", shared ? "one word" : "own words", quantum);
	RIG_CODE(m, RAM_BASE, r_type(0x1000302f, A0, S0, 0), addi(A0, A0, 1),
		 r_type(0x1800302f, A1, S0, A0), bnez(A1, -12), sd(T0, 32, S0), addi(T0, T0, -1),
		 bnez(T0, -24), END);
	for (unsigned n = 0; n < 4; n++) {
		m->cl.hart[n]->x[S0] = RIG_DATA + (shared ? 0 : 8 * n);
		m->cl.hart[n]->x[T0] = 100;
	}
	machine_run(m);
	ok(m->stuck); /* all harts wait */
	for (unsigned n = 0; n < 4; n++) {
		uint64_t nr = m->cl.hart[n]->pmu.total[PRV_M][EVENT_INSTRUCTIONS];

		if (!shared)
			is(words[n], 100);
		ok(shared ? nr >= 701 : nr == 701);
	}
	if (shared)
		is(words[0], 400);
	machine_destroy(m);
}

static void loops_of_harts(void)
{
	for (unsigned quantum = 1; quantum <= 9; quantum++) {
		loops(false, quantum);
		loops(true, quantum);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "what another hart does after the turn of the lr", what_ends_it },
		{ "the hart's own stores do not matter", own_stores },
		{ "stores are slow no longer than needed", slow_no_longer_than_needed },
		{ "several reservations", several_harts },
		{ "a device that writes", devices },
		{ "a device that writes while the hart runs", device_in_a_turn },
		{ "a page walk that sets A", page_walks },
		{ "saved and restored", saved },
		{ "impossible reservations in a snapshot", impossible_ones },
		{ "a reset", reset_ends_it },
		{ "loops of harts that take turns", loops_of_harts },
	};

	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
