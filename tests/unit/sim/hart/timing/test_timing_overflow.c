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

static struct machine *create(void)
{
	struct machine_options o = {
		.cpu = &cpu, .models = true, .paranoid = paranoid, .memory = 4 << 20
	};
	struct machine *m = rig_create(&o);

	program_put(m);
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
			for (uint64_t n = 1; n <= nr; n += by, tried++)
				overflow_of(m, e, filters[f], n);
			if (nr)
				overflow_of(m, e, filters[f], nr);
		}
	}
	printf("# %u steps, %u overflows\n", nr_steps, tried);
	ok(tried > 1000);
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
	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
