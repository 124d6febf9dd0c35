// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_timing_overflow.c - with models on, every event overflows at its instruction.
 *
 * The program of models_program.h runs on models so small that every answer of theirs occurs.  The
 * place where the n-th occurrence of an event must interrupt comes from a run in single steps, in
 * which nothing is batched: the first instruction that can be interrupted after the one that caused
 * it.
 */
#include "csr.h"
#include "models_program.h"
#include "small_cpu.h"
#include "steps.h"

#define EVENT(n) (CSR_MHPMEVENT + (n))
#define HPM(n)	 (CSR_MHPMCOUNTER + (n))
#define LIMIT	 1000000

static bool paranoid;
static struct cpu cpu;
static struct cpu_models models;

/* A vector instruction: vd, vs2, vs1 or an immediate; bit 25 is clear where v0 is the mask. */
static uint32_t vector(uint32_t match, unsigned vd, unsigned vs2, unsigned vs1)
{
	return match | vd << 7 | vs1 << 15 | vs2 << 20 | 0x57;
}

#define VSETIVLI 0xcd027057 /* vsetivli zero, 4, e32, m1, ta, ma */

/* The targets of the program's jumps execute vector instructions of every kind; a1: data. */
static void put_vectors(struct machine *m)
{
	const uint32_t target[8][4] = {
		/* vle32.v v1, (a1); vadd.vv v2, v1, v1; vadd.vv v2, v2, v1 */
		{ VSETIVLI, r_type(0x02006007, 1, A1, 0), vector(0x02000000, 2, 1, 1),
		  vector(0x02000000, 2, 2, 1) },
		/* vse32.v v2, (a1); vsse32.v v2, (s0), zero; vadd.vv v3, v2, v2 */
		{ VSETIVLI, r_type(0x02006027, 2, A1, 0), r_type(0x0a006027, 2, S0, ZERO),
		  vector(0x02000000, 3, 2, 2) },
		/* vlse32.v v3, (s0), zero; vsaddu.vv v4, v3, v2; vsaddu.vv v4, v4, v2 */
		{ VSETIVLI, r_type(0x0a006007, 3, S0, ZERO), vector(0x82000000, 4, 3, 2),
		  vector(0x82000000, 4, 4, 2) },
		/* vmv.v.i v8, 8; vluxei32.v v5, (a1), v8; vsuxei32.v v5, (s0), v8 */
		{ VSETIVLI, vector(0x5e003000, 8, 0, 8), r_type(0x06006007, 5, A1, 8),
		  r_type(0x06006027, 5, S0, 8) },
		/* vfadd.vv v6, v1, v1; vfadd.vv v6, v6, v1; the same again */
		{ VSETIVLI, vector(0x02001000, 6, 1, 1), vector(0x02001000, 6, 6, 1),
		  vector(0x02001000, 6, 6, 1) },
		/* vredsum.vs v7, v1, v2; vmul.vv v7, v7, v7; vredsum.vs v7, v7, v7 */
		{ VSETIVLI, vector(0x02002000, 7, 1, 2), vector(0x96002000, 7, 7, 7),
		  vector(0x02002000, 7, 7, 7) },
		/* vmseq.vi v0, v1, 0; vmand.mm v0, v0, v0; vadd.vv v9, v1, v1, v0.t */
		{ VSETIVLI, vector(0x62003000, 0, 1, 0), vector(0x66002000, 0, 0, 0),
		  vector(0x00000000, 9, 1, 1) },
		/* vslideup.vi v10, v1, 1; vrgather.vv v11, v1, v8; vaesz.vs v11, v8 */
		{ VSETIVLI, vector(0x3a003000, 10, 1, 1), vector(0x32000000, 11, 1, 8),
		  0xa603a077 | 11 << 7 | 8 << 20 },
	};

	for (unsigned n = 0; n < TAP_NR(target); n++) {
		rig_put(m, TARGETS + n * APART, target[n], TAP_NR(target[n]));
		RIG_CODE(m, TARGETS + n * APART + sizeof(target[n]), jalr(ZERO, 0, S11));
	}
}

static struct machine *create(void)
{
	struct machine_options o = {
		.cpu = &cpu, .models = true, .paranoid = paranoid, .memory = 4 << 20
	};
	struct machine *m = rig_create(&o);

	program_put(m);
	put_vectors(m);
	program_start(m);
	return m;
}

static void record(struct machine *m)
{
	const uint64_t forever = UINT64_MAX;
	struct hart *h = m->cl.hart[0];

	nr_steps = 0;
	h->idle = false;
	pmu_count_all(h);
	memset(h->pmu.total, 0, sizeof(h->pmu.total));
	step_note(h);
	m->current = h;
	while (!h->idle && nr_steps < STEPS) {
		debug_resume(m, 1, 0);
		hart_run(h, &forever);
		step_note(h);
	}
	m->current = NULL;
	m->debug.step = 0;
	m->cl.debugged = false;
	ok(h->idle);
	is(h->mcause, CAUSE_ECALL_U);
}

static void overflow_of(struct machine *m, enum event e, unsigned filter, uint64_t n)
{
	const struct step *at = step_interrupted(e, filter, n);
	struct hart *h = m->cl.hart[0];
	uint64_t config = event_table[e].selector | (uint64_t)filter << 60;

	if (!at)
		return;
	tap_context("%s, filter %u, number %llu of %llu", event_table[e].name, filter,
		    (unsigned long long)n,
		    (unsigned long long)step_happened(&steps[nr_steps - 1], e, filter));
	program_start(m);
	csr_write(h, EVENT(7), config);
	csr_write(h, HPM(7), -n);
	rig_run(m, LIMIT);
	is(h->mcause, RV_BIT(63) | IRQ_LCOF);
	is(h->mepc, at->pc);
	is(rig_csr(m, EVENT(7)), config | MHPMEVENT_OF);
	/*
	 * Counts what happens in M-mode after this: two CSR instructions and wfi, which are not the
	 * event.
	 */
	if (event_table[e].needs && event_table[e].kind == EVENT_KIND_RARE && filter & 4)
		is(rig_csr(m, HPM(7)), step_happened(at, e, filter) - n);
}

/* Events that cannot happen here, and why. */
static const char *never(enum event e)
{
	switch (e) {
	case EVENT_UNCACHED_FETCH:
	case EVENT_WAIT_UNCACHED_FETCH:
		return "all code here is cached";
	case EVENT_SNOOP_INVALIDATE:
	case EVENT_SNOOP_WRITEBACK:
		return "there is one hart";
	default:
		return NULL;
	}
}

/*
 * Whether overflows of an event are tried with a filter: those in all modes together always, and
 * one of the modes alone, chosen by the seed of the sample (tests/sample); make check-all has all.
 */
static bool is_tried(unsigned e, unsigned filter)
{
	const char *seed = getenv("HOLTER_SAMPLE");

	return !filter || (seed && !strcmp(seed, "all")) ||
	       (e + (seed ? strtoul(seed, NULL, 10) : 0)) % 3 == filter - 1;
}

/* The first, the last, and some in between, in all modes together and in each alone. */
static void every_overflow(void)
{
	static const uint8_t filters[] = { 0, 3, 5, 6 };
	struct machine *m = create();
	unsigned tried = 0;

	record(m);
	pmu_reset(m->cl.hart[0]);
	for (unsigned e = 0; e < EVENT_NR; e++) {
		for (unsigned f = 0; f < TAP_NR(filters); f++) {
			uint64_t nr = step_happened(&steps[nr_steps - 1], e, filters[f]);
			uint64_t by = nr / (f ? 2 : 6) + 1;

			tap_context("%s", event_table[e].name);
			is(f || nr != 0, !never(e) || f);
			if (!is_tried(e, f))
				continue;
			for (uint64_t n = 1; n <= nr; n += by, tried++)
				overflow_of(m, e, filters[f], n);
			if (nr)
				overflow_of(m, e, filters[f], nr);
		}
	}
	printf("# %u steps, %u overflows\n", nr_steps, tried);
	ok(tried > 700);
	machine_destroy(m);
}

/* Without steps, with every counter armed or none, the counts are the same. */
static void steps_are_the_program(void)
{
	struct machine *m = create();
	const struct step *last;

	record(m);
	last = &steps[nr_steps - 1];
	memset(m->cl.hart[0]->pmu.total, 0, sizeof(m->cl.hart[0]->pmu.total));
	program_start(m);
	rig_run(m, LIMIT);
	for (unsigned e = 0; e < EVENT_NR; e++) {
		for (unsigned mode = 0; mode < 4; mode++) {
			tap_context("%s, mode %u", event_table[e].name, mode);
			is(m->cl.hart[0]->pmu.total[mode][e], last->total[mode][e]);
		}
	}
	machine_destroy(m);
}

/* The same where registers wait for their data. */
static void with_a_load_queue(void)
{
	models.cost.loads = 3;
	steps_are_the_program();
	every_overflow();
	models.cost.loads = 0;
}

/* The same where instructions issue out of order, and the queues are soon full. */
static void out_of_order(void)
{
	const struct cost_config in_order = models.cost;

	models.cost.order = COST_OUT_OF_ORDER;
	models.cost.window = 6;
	memset(models.cost.queues, 2, sizeof(models.cost.queues));
	models.cost.loads = 3;
	steps_are_the_program();
	every_overflow();
	models.cost = in_order;
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "single steps count the same", steps_are_the_program },
		{ "every event overflows at its instruction", every_overflow },
		{ "both, if registers wait for data", with_a_load_queue },
		{ "both, if instructions issue out of order", out_of_order },
	};

	small_cpu(&cpu, &models);
	/*
	 * Smaller still: 4 lines, 8, 16, so that L1 keeps some lines that the levels below evict.
	 */
	models.hierarchy.l1i.sets = models.hierarchy.l1d.sets = 2;
	models.hierarchy.l1i.ways = models.hierarchy.l1d.ways = 2;
	models.hierarchy.l2.sets = 4;
	models.hierarchy.l2.ways = 2;
	models.hierarchy.ll.sets = 8;
	models.hierarchy.ll.ways = 2;
	models.hierarchy.l1i.prefetch = CACHE_PREFETCH_ON_MISS;
	models.hierarchy.l1d.prefetch = CACHE_PREFETCH_TAGGED;
	small_vectors(&cpu, &models);
	isa_set_add(&cpu.isa, ISA_EXT_ZVKNED);
	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
