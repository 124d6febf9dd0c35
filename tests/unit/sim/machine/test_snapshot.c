// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_snapshot.c - a machine that is saved and restored anywhere ends like one that never was.
 * That a snapshot contains every part of a hart: test_state.c.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "rig.h"
#include "shot.h"
#include "small_cpu.h"
#include "snapshot.h"

#define HPM(n)	 (CSR_MHPMCOUNTER + (n))
#define EVENT(n) (CSR_MHPMEVENT + (n))

/* More registers than rig.h names. */
enum { S2 = 18, S3, S4, S5, S6, S7, S8, S9, S10, S11, T3, T4, T5, T6 };

#define LUI(rd, imm20)	  (0x37u | (rd) << 7 | (uint32_t)(imm20) << 12)
#define ADD(rd, a, b)	  r_type(0x33, rd, a, b)
#define ANDI(rd, a, imm)  i_type(0x13, imm, a, 7, rd)
#define BEQ(a, b, to)	  branch(0, a, b, to)
#define BNE(a, b, to)	  branch(1, a, b, to)
#define BGE(a, b, to)	  branch(5, a, b, to)
#define BLTU(a, b, to)	  branch(6, a, b, to)
#define SB(rs2, imm, rs1) (sd(rs2, imm, rs1) & ~0x7000u)
#define SW(rs2, imm, rs1) ((sd(rs2, imm, rs1) & ~0x7000u) | 0x2000)

#define TRAPS	 (RAM_BASE + 0x400) /* the handler, in M-mode */
#define TABLE	 (RAM_BASE + 0x2000) /* Sv39: two leaves of 1 GiB, for devices and for RAM */
#define SHARED	 (RAM_BASE + 0x3000)
#define STRIDE	 (4096 + 64)
#define SPAN	 0x900000 /* more pages than a TLB has entries */
#define LOOPS	 120
#define OVERFLOW (-37) /* start value of a counter */

/*
 * Each hart runs LOOPS times in S-mode: touches a page, adds to a shared word with lr/sc, calls
 * M-mode, sleeps until its timer (sometimes for long, so that output becomes due), prints a byte.
 * The handler counts overflows of a counter of loads in S5, and restarts the counter.
 */
static void put_program(struct machine *m)
{
	RIG_CODE(m, RAM_BASE, ld(A0, 0, S0), /* 00 */
		 addi(A0, A0, 1), sd(A0, 0, S0), ADD(S0, S0, S6), /* 04 */
		 BLTU(S0, S7, 8), addi(S0, S8, 0), /* 10 */
		 r_type(0x1000302f, A1, S9, 0), addi(A1, A1, 1), /* 18 */
		 r_type(0x1800302f, A2, S9, A1), BNE(A2, ZERO, -12), /* 20 */
		 ECALL, csrr(A3, CSR_TIME), addi(A3, A3, 3), ANDI(A4, T0, 15), /* 28 */
		 BNE(A4, ZERO, 8), addi(A3, A3, 2000), csrw(CSR_STIMECMP, A3), END, /* 38 */
		 SB(T0, 0, S11), addi(T0, T0, -1), BNE(T0, ZERO, -80), /* 48 */
		 addi(A4, S9, 8), addi(A5, ZERO, 1), /* 54: done; hart 0 waits for all */
		 r_type(0x0000302f, ZERO, A4, A5), BNE(TP, ZERO, 0), /* 5c */
		 ld(A5, 0, A4), BNE(A5, GP, -4), /* 64 */
		 LUI(T5, 0x100), LUI(T6, 0x5), addi(T6, T6, 0x555), SW(T6, 0, T5), jal(ZERO, 0));
	RIG_CODE(m, TRAPS, csrr(A6, CSR_MCAUSE), BGE(A6, ZERO, 56), /* 00 */
		 ANDI(A6, A6, 0xff), addi(A7, ZERO, 5), BEQ(A6, A7, 32), /* 08 */
		 csrw(HPM(3), S3), csrw(EVENT(3), S2), csrc(CSR_MIP, S4), /* 14 */
		 csrr(A7, HPM(4)), addi(S5, S5, 1), MRET, NOP, /* 20 */
		 addi(A7, ZERO, -1), csrw(CSR_STIMECMP, A7), MRET, /* 30 */
		 /* 3c */ csrr(A6, CSR_MEPC), addi(A6, A6, 4), csrw(CSR_MEPC, A6), MRET);
}

static void put_hart(struct machine *m, struct hart *h)
{
	csr_write(h, CSR_MENVCFG, MENVCFG_STCE);
	csr_write(h, CSR_MCOUNTEREN, UINT32_MAX);
	csr_write(h, CSR_MTVEC, TRAPS);
	csr_write(h, CSR_MIE, MIP_STIP | MIP_LCOFIP);
	rig_open_memory(h);
	csr_write(h, CSR_SATP, (uint64_t)SATP64_MODE_SV39 << 60 | TABLE >> 12);
	csr_write(h, EVENT(3), event_table[EVENT_LOAD].selector);
	csr_write(h, HPM(3), (uint64_t)OVERFLOW);
	csr_write(h, EVENT(4), event_table[EVENT_DTLB_READ_MISS].selector | MHPMEVENT_MINH);
	h->x[S2] = event_table[EVENT_LOAD].selector;
	h->x[S3] = (uint64_t)OVERFLOW;
	h->x[S4] = MIP_LCOFIP;
	h->x[S6] = STRIDE;
	h->x[S0] = h->x[S8] = RIG_DATA + 0x100 * h->id;
	h->x[S7] = h->x[S8] + SPAN;
	h->x[S9] = SHARED;
	h->x[S11] = SERIAL_BASE;
	h->x[T0] = LOOPS;
	h->x[TP] = h->id;
	h->x[GP] = m->cl.harts;
	rig_set_mode(h, PRV_S);
	h->pmu.all = true;
	csr_write(h, CSR_MCOUNTINHIBIT, 0);
	pmu_write_config(h, COUNTER_CY, 0);
}

/* A machine with the program, not started; or one to restore into. */
static struct machine *create(const struct machine_options *o, bool program)
{
	struct error_text why = { "" };
	struct machine *m = machine_create(o, &why);
	uint64_t *table;

	if (!m) {
		printf("Bail out! %s\n", why.text);
		exit(1);
	}
	m->entry = RAM_BASE;
	if (!program)
		return m;
	machine_reset(m);
	table = cluster_ram(&m->cl, TABLE, 4096);
	table[0] = 0xc7; /* V R W A D */
	table[2] = (RAM_BASE >> 12) << 10 | 0xcf; /* and X */
	put_program(m);
	for (unsigned n = 0; n < m->cl.harts; n++)
		put_hart(m, m->cl.hart[n]);
	return m;
}

static struct machine_options shape(unsigned harts)
{
	return (struct machine_options){
		.harts = harts,
		.memory = 16 << 20,
		.counters = 8,
		.width = 48,
		.console_in = -1,
		.console_out = -1,
		.trace_to = stderr,
	};
}

/* The same, on small models with a last level that the harts share. */
static struct machine_options shape_with_models(unsigned harts)
{
	static struct cpu cpu;
	static struct cpu_models models;
	struct machine_options o = shape(harts);

	small_cpu(&cpu, &models);
	models.cost.loads = 3;
	models.hierarchy.misses = 2;
	models.hierarchy.ll_line_cycles = 4;
	models.hierarchy.bus_line_cycles = 16;
	models.hierarchy.l1d.prefetch = CACHE_PREFETCH_TAGGED;
	o.cpu = &cpu;
	o.models = true;
	return o;
}

/* The result of a run: its trace, its output, and its complete state at the end. */
struct tale {
	char *trace;
	size_t trace_len;
	char printed[4 * LOOPS + 1];
	ssize_t printed_len;
	struct shot end;
	uint64_t at;
	unsigned saves;
};

static char file[64];

static struct machine *through_file(struct machine *m)
{
	struct error_text why = { "" };
	struct machine_options o = m->o;
	struct machine *again;

	if (!machine_save(m, file, &why))
		printf("# %s\n", why.text);
	machine_destroy(m);
	again = create(&o, false);
	ok(machine_restore(again, file, &why));
	is_str(why.text, "");
	return again;
}

/*
 * Runs the program with a pause at first and, if step is not 0, after each step from there on.  At
 * each pause the machine is saved, or (restores) replaced by a restored one.
 */
static void tell(struct tale *t, struct machine_options o, uint64_t first, uint64_t step,
		 bool restores)
{
	int out = memfd_create("console", 0);
	struct error_text why;
	struct machine *m;

	memset(t, 0, sizeof(*t));
	o.trace = TRACE_INSN | TRACE_TRAP | TRACE_PMU | TRACE_CSR | TRACE_MMU;
	o.trace_to = open_memstream(&t->trace, &t->trace_len);
	o.console_out = out;
	m = create(&o, true);
	machine_pause_at(m, first);
	while (machine_run(m), m->paused) {
		uint64_t now = m->now;

		t->saves++;
		if (restores)
			m = through_file(m);
		else
			ok(machine_save(m, file, &why));
		machine_pause_at(m, step ? now + step : UINT64_MAX);
	}
	is(m->status, 0);
	ok(!m->stuck);
	t->at = m->now;
	shot_save(&t->end, m);
	machine_destroy(m);
	fclose(o.trace_to);
	t->printed_len = pread(out, t->printed, sizeof(t->printed), 0);
	close(out);
}

static void tale_end(struct tale *t)
{
	free(t->trace);
	shot_end(&t->end);
}

static void alike(const struct tale *a, const struct tale *b)
{
	is(b->at, a->at);
	is(b->printed_len, a->printed_len);
	ok(!memcmp(a->printed, b->printed, sizeof(a->printed)));
	is(b->trace_len, a->trace_len);
	ok(a->trace_len == b->trace_len && !memcmp(a->trace, b->trace, a->trace_len));
	is(b->end.len, a->end.len);
	ok(a->end.len == b->end.len && !memcmp(a->end.data, b->end.data, a->end.len));
}

/*
 * One run without pauses; one that is saved again and again, a step of time apart; one that is
 * restored there, too.
 */
static void the_same(struct machine_options o, uint64_t step)
{
	struct tale straight, saved, restored;

	tell(&straight, o, UINT64_MAX, 0, false);
	ok(straight.at > 10000 && straight.trace_len > 100000);
	is(straight.printed_len, LOOPS * o.harts);
	tell(&saved, o, 1, step, false);
	alike(&straight, &saved);
	tell(&restored, o, 1, step, true);
	ok(restored.saves > 7);
	is(restored.saves, saved.saves);
	alike(&straight, &restored);
	tale_end(&straight);
	tale_end(&saved);
	tale_end(&restored);
}

static void one_hart(void)
{
	struct machine_options o = shape(1);

	/*
	 * A turn of 97 cycles ends anywhere: in a loop, in the handler, in a sleep, before an
	 * overflow.
	 */
	o.quantum = 97;
	the_same(o, 1);
}

static void four_harts(void)
{
	struct machine_options o = shape(4);

	o.quantum = 531;
	the_same(o, 2000);
	o.quantum = 0;
	the_same(o, 1);
}

static void paranoid_too(void)
{
	struct machine_options o = shape(2);

	o.paranoid = true;
	o.quantum = 211;
	the_same(o, 2000);
}

/* Harts that take lines from each other in a shared last level. */
static void with_models(void)
{
	for (unsigned harts = 1; harts <= 4; harts++) {
		struct machine_options o = shape_with_models(harts);

		tap_context("%u harts", harts);
		o.quantum = harts == 1 ? 97 : 531;
		the_same(o, 2500);
	}
}

/* What only makes the emulation fast does not change what harts do to each other. */
static void with_models_paranoid(void)
{
	struct machine_options o = shape_with_models(3);
	struct tale fast, slow;

	o.quantum = 211;
	tell(&fast, o, UINT64_MAX, 0, false);
	o.paranoid = true;
	tell(&slow, o, UINT64_MAX, 0, false);
	alike(&fast, &slow);
	tale_end(&fast);
	tale_end(&slow);
	the_same(o, 7000);
}

/* The harts do so here: they take the shared dirty word from each other. */
static void models_are_shared(void)
{
	struct machine_options o = shape_with_models(4);
	struct machine *m = create(&o, true);

	is(machine_run(m), 0);
	for (unsigned n = 0; n < 4; n++) {
		const uint64_t *total = m->cl.hart[n]->pmu.total[PRV_S];

		tap_context("hart %u", n);
		ok(total[EVENT_SNOOP_INVALIDATE] > 0);
		ok(total[EVENT_SNOOP_WRITEBACK] > 0);
		ok(total[EVENT_LL_READ] > LOOPS);
		ok(total[EVENT_LL_READ_MISS] > LOOPS / 2);
		ok(total[EVENT_CYCLES] > 2 * total[EVENT_INSTRUCTIONS]);
	}
	machine_destroy(m);
}

/* The run without pauses has used everything that a snapshot could lose. */
static void program_does_it_all(void)
{
	struct machine_options o = shape(2);
	struct machine *m = create(&o, true);
	struct hart *h = m->cl.hart[1];

	is(machine_run(m), 0);
	ok(h->x[S5] > 3);
	ok(pmu_read(h, 4) > 2 * LOOPS / 3);
	ok(h->pmu.total[PRV_S][EVENT_EXCEPTION] >= LOOPS);
	ok(h->pmu.total[PRV_S][EVENT_INTERRUPT] >= LOOPS);
	is(*(uint64_t *)cluster_ram(&m->cl, SHARED, 8), 2 * LOOPS);
	machine_destroy(m);
}

/* A long sleep in which only a timer can come. */
static void asleep(void)
{
	struct machine_options o = shape(1);
	struct machine *m = create(&o, true);

	m->cl.hart[0]->x[A3] = 1000000;
	m->cl.hart[0]->pc = RAM_BASE + 0x40; /* csrw stimecmp */
	machine_pause_at(m, 5000000);
	machine_run(m);
	ok(m->paused);
	/* Time has advanced to the timer in one step, and the hart has not noticed it yet. */
	is(m->now, 100000000);
	ok(m->cl.hart[0]->idle);
	m = through_file(m);
	is(machine_run(m), 0);
	ok(!m->stuck);
	machine_destroy(m);
}

/* A reset machine, one that has run, the same one: all accept a snapshot. */
static void into_a_used_machine(void)
{
	struct machine_options o = shape(2);
	struct machine *m = create(&o, true);
	struct error_text why = { "" };
	struct shot first = { 0 }, again = { 0 };

	machine_pause_at(m, 30000);
	machine_run(m);
	ok(machine_save(m, file, &why));
	is(machine_run(m), 0);
	shot_save(&first, m);
	ok(machine_restore(m, file, &why));
	ok(!m->cl.finished);
	is(machine_run(m), 0);
	shot_save(&again, m);
	is(again.len, first.len);
	ok(again.len == first.len && !memcmp(again.data, first.data, first.len));
	shot_end(&first);
	shot_end(&again);
	machine_destroy(m);
}

/* Runs m to its end, where software must have made its sums.  Returns the cycles of hart 0. */
static uint64_t ends_well(struct machine *m)
{
	is(machine_run(m), 0);
	ok(!m->stuck);
	is(*(uint64_t *)cluster_ram(&m->cl, SHARED, 8), 2 * LOOPS);
	return m->cl.hart[0]->pmu.total[PRV_S][EVENT_CYCLES];
}

/*
 * The snapshot goes on in a machine of shape o, whose models are empty, twice: software ends well,
 * in the same state.  Without o.booted it is refused.  Returns the cycles.
 */
static uint64_t goes_on_with_empty_models(struct machine_options o)
{
	struct error_text why = { "" };
	struct shot ends[2] = { 0 };
	uint64_t cycles[2];
	struct machine *m;

	for (unsigned n = 0; n < 2; n++) {
		tap_context("time %u", n);
		m = create(&o, false);
		ok(machine_restore(m, file, &why));
		is_str(why.text, "");
		ok(!machine_save(m, "other.snapshot", &why));
		is_str(why.text, "other.snapshot: the models are not those of the machine that "
				 "booted; nothing is saved");
		why.text[0] = '\0';
		cycles[n] = ends_well(m);
		shot_save(&ends[n], m);
		machine_destroy(m);
	}
	is(cycles[1], cycles[0]);
	ok(ends[1].len == ends[0].len && !memcmp(ends[1].data, ends[0].data, ends[0].len));
	shot_end(&ends[0]);
	shot_end(&ends[1]);
	tap_context("without booted");
	o.booted = NULL;
	m = create(&o, false);
	ok(!machine_restore(m, file, &why));
	machine_destroy(m);
	return cycles[0];
}

/* Runs a machine of shape o a while, and saves it.  Returns the cycles that it then takes. */
static uint64_t save_and_end(const struct machine_options *o)
{
	struct error_text why = { "" };
	struct machine *m = create(o, true);
	uint64_t cycles;

	machine_pause_at(m, 30000);
	machine_run(m);
	ok(machine_save(m, file, &why));
	cycles = ends_well(m);
	machine_destroy(m);
	return cycles;
}

/*
 * A snapshot goes on in a machine with other models, which are empty there.  Software ends the
 * same; the counts are those of the other models, the same each time.
 */
static void into_other_models(void)
{
	struct machine_options o = shape_with_models(2);
	struct cpu other = *o.cpu;
	struct cpu_models models = *o.cpu->models;
	uint64_t plain = save_and_end(&o);

	other.identity = 2;
	other.models = &models;
	models.hierarchy.l1d.sets *= 2;
	models.hierarchy.ll.sets = 0;
	models.hierarchy.bus_cycles *= 2;
	models.bpred.direction = BPRED_STATIC;
	o.booted = o.cpu;
	o.cpu = &other;
	ok(goes_on_with_empty_models(o) > plain);
}

/*
 * A machine with models_later runs as one without models, and its snapshot goes on in one with
 * models, which are empty there.
 */
static void models_come_later(void)
{
	struct machine_options o = shape_with_models(2), off = o, later = o;
	struct machine *m;
	uint64_t plain;

	off.models = false;
	later.models_later = true;
	m = create(&later, false);
	is(m->cl.models, 0);
	ok(m->cl.known_models);
	machine_destroy(m);
	plain = save_and_end(&off);
	is(save_and_end(&later), plain);
	o.booted = o.cpu;
	ok(goes_on_with_empty_models(o) > plain);
}

static void pausing(void)
{
	struct machine_options o = shape(1);
	struct machine *m = create(&o, true);

	machine_pause(m);
	machine_run(m);
	ok(m->paused);
	is(m->now, 0);
	machine_pause_at(m, 2500000);
	machine_run(m);
	ok(!m->paused); /* the run ended before */
	ok(m->cl.finished);
	machine_destroy(m);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the program uses everything that a snapshot could lose", program_does_it_all },
		{ "one hart, saved and restored anywhere, ends the same", one_hart },
		{ "four harts", four_harts },
		{ "and in the paranoid mode", paranoid_too },
		{ "models: harts meet in the shared caches", models_are_shared },
		{ "models: one to four harts, saved and restored, end the same", with_models },
		{ "models: and in the paranoid mode, with the same result", with_models_paranoid },
		{ "asleep until a timer", asleep },
		{ "restored into a machine that has run", into_a_used_machine },
		{ "restored into a machine with other models", into_other_models },
		{ "models that come later", models_come_later },
		{ "pauses", pausing },
	};
	int status;

	snprintf(file, sizeof(file), "snapshot-test.%d", (int)getpid());
	status = tap_run(cases, TAP_NR(cases));
	unlink(file);
	return status;
}
