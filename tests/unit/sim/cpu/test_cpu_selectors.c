// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_cpu_selectors.c - on each CPU of cpu/, every selector counts the sum of the events that it
 * names, in every counter that has it and with every filter, whatever else is counted; and the
 * counts obey the laws that hold between events.
 *
 * The program is that of models_program.h.
 *
 * usage: test_sim_cpu_selectors FOLDER    with the compiled descriptions
 */
#include "cpu_blobs.h"
#include "cpu_models.h"
#include "csr.h"
#include "exact.h"
#include "models_program.h"

#define HPM(n)	 (CSR_MHPMCOUNTER + (n))
#define EVENT(n) (CSR_MHPMEVENT + (n))
#define LIMIT	 10000000

/* Events that happened, by mode. */
struct totals {
	uint64_t of[4][EVENT_NR];
};

static struct machine *create(const struct cpu *cpu)
{
	struct machine_options o = {
		.cpu = cpu,
		.models = true,
		.memory = 4 << 20,
		.counters = MACHINE_AS_CPU,
		.width = MACHINE_AS_CPU,
	};
	struct machine *m = rig_create(&o);

	program_put(m);
	return m;
}

static struct totals totals_of(const struct cpu *cpu)
{
	struct machine *m = create(cpu);
	struct totals t;

	pmu_count_all(m->cl.hart[0]);
	program_start(m);
	rig_run(m, LIMIT);
	memcpy(t.of, m->cl.hart[0]->pmu.total, sizeof(t.of));
	machine_destroy(m);
	return t;
}

static uint64_t sum(const struct totals *t, const struct event_set *set, unsigned filter)
{
	uint64_t n = 0;

	for (unsigned e = event_set_next(set, 0); e < EVENT_NR; e = event_set_next(set, e + 1))
		n += (filter & 4 ? 0 : t->of[PRV_M][e]) + (filter & 2 ? 0 : t->of[PRV_S][e]) +
		     (filter & 1 ? 0 : t->of[PRV_U][e]);
	return n;
}

/* In all counters that have the selector, at the same time; the others do not store it. */
static void select_in_all(struct machine *m, const struct totals *t, uint64_t value,
			  unsigned filter)
{
	const struct pmu_table *table = &m->o.cpu->pmu;
	uint32_t has = selector_counters(table, UINT_MAX, value);
	struct event_set set = { 0 };

	ok(has && !(has & ~table->counters));
	ok(selector_events(table, UINT_MAX, __builtin_ctz(has), value, &set));
	program_start(m);
	for (unsigned ctr = 3; ctr < 32; ctr++) {
		csr_write(m->cl.hart[0], EVENT(ctr), value | (uint64_t)filter << 60);
		csr_write(m->cl.hart[0], HPM(ctr), 0);
	}
	rig_run(m, LIMIT);
	for (unsigned ctr = 3; ctr < 32; ctr++) {
		is(rig_csr(m, EVENT(ctr)) & ((1ull << 58) - 1), has >> ctr & 1 ? value : 0);
		/* With Sscofpmf, filters exist. */
		is(rig_csr(m, HPM(ctr)),
		   has >> ctr & 1 ? sum(t, &set, cluster_has(&m->cl, ISA_EXT_SSCOFPMF) ? filter : 0)
				  : 0);
	}
}

static void every_selector(void)
{
	static const uint8_t filters[] = { 0, 3, 5, 6 };

	for (unsigned n = 0; n < TAP_NR(cpus); n++) {
		struct cpu *cpu = load(cpus[n]);
		struct totals t = totals_of(cpu);
		struct machine *m = create(cpu);
		const struct pmu_table *table = &cpu->pmu;

		for (unsigned i = 0; i < table->nr + table->eidx_nr; i++) {
			uint64_t value = i < table->nr ? table->selector[i].value
						       : table->eidx[i - table->nr].value;

			for (unsigned f = 0; f < TAP_NR(filters); f++) {
				tap_context("%s: 0x%llx, filter %u", cpus[n],
					    (unsigned long long)value, filters[f]);
				select_in_all(m, &t, value, filters[f]);
			}
		}
		machine_destroy(m);
		cpu_free(cpu);
	}
}

/*
 * Selectors made of classes: any combination of bits of one class counts their sum; other bits are
 * refused.
 */
static void classes_add_up(void)
{
	static const struct {
		const char *cpu;
		uint64_t value;
		enum event events[4];
	} rows[] = {
		{ "u74", 0x600, { EVENT_INT_LOAD, EVENT_INT_STORE } },
		{ "u74", 0x1c000, { EVENT_BRANCH, EVENT_JAL, EVENT_INDIRECT } },
		{ "u74", 0x1802, { EVENT_ITLB_MISS, EVENT_DTLB_READ_MISS, EVENT_DTLB_WRITE_MISS } },
		{ "p550",
		  0x302,
		  { EVENT_L1I_READ_MISS, EVENT_L1D_READ_MISS, EVENT_L1D_WRITE_MISS } },
		{ "rocket", 0x600, { EVENT_INT_LOAD, EVENT_INT_STORE } },
		{ "rocket", 0x1c000, { EVENT_BRANCH, EVENT_JAL, EVENT_INDIRECT } },
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct cpu *cpu = load(rows[n].cpu);
		struct totals t = totals_of(cpu);
		struct machine *m = create(cpu);
		struct event_set set = { 0 };

		for (unsigned i = 0; i < 4 && rows[n].events[i]; i++)
			event_set_add(&set, rows[n].events[i]);
		tap_context("%s: 0x%llx", rows[n].cpu, (unsigned long long)rows[n].value);
		select_in_all(m, &t, rows[n].value, 0);
		is(rig_csr(m, HPM(3)), sum(&t, &set, 0));
		ok(sum(&t, &set, 0));
		machine_destroy(m);
		cpu_free(cpu);
	}
}

/*
 * Laws: the sum of some events equals the sum of others, in each mode.  If a level does not exist,
 * its events are 0, and its readers ask the next level.
 */
enum relation { SAME, NO_MORE };

struct law {
	enum relation relation;
	uint8_t left[4], right[6];
};

static const struct law laws[] = {
	{ SAME, { EVENT_CONTROL }, { EVENT_BRANCH, EVENT_JUMP } },
	{ SAME, { EVENT_JUMP }, { EVENT_JAL, EVENT_INDIRECT } },
	{ SAME, { EVENT_BRANCH }, { EVENT_TAKEN, EVENT_NOT_TAKEN } },
	{ NO_MORE, { EVENT_RETURN }, { EVENT_INDIRECT } },
	{ SAME, { EVENT_LOAD }, { EVENT_INT_LOAD, EVENT_FP_LOAD, EVENT_LR } },
	{ SAME, { EVENT_STORE }, { EVENT_INT_STORE, EVENT_FP_STORE, EVENT_SC } },
	{ NO_MORE, { EVENT_BAD_TAKEN }, { EVENT_BAD_DIRECTION } },
	{ NO_MORE, { EVENT_BAD_DIRECTION }, { EVENT_BRANCH } },
	{ NO_MORE, { EVENT_BAD_TAKEN }, { EVENT_TAKEN } },
	{ NO_MORE, { EVENT_BAD_TARGET, EVENT_BAD_RETURN }, { EVENT_INDIRECT } },
	{ NO_MORE, { EVENT_BAD_RETURN }, { EVENT_RETURN } },
	{ NO_MORE, { EVENT_BTB_MISS }, { EVENT_TAKEN, EVENT_JUMP } },
	{ NO_MORE, { EVENT_L1I_READ_MISS }, { EVENT_L1I_READ } },
	{ NO_MORE, { EVENT_L1I_PREFETCH }, { EVENT_L1I_READ_MISS } },
	{ NO_MORE, { EVENT_L1D_READ_MISS }, { EVENT_L1D_READ } },
	{ NO_MORE, { EVENT_L1D_WRITE_MISS }, { EVENT_L1D_WRITE } },
	{ NO_MORE, { EVENT_L1D_PREFETCH_MISS }, { EVENT_L1D_PREFETCH } },
	{ SAME, { EVENT_L1D_WALK }, { EVENT_WALK_READ } },
	{ NO_MORE, { EVENT_WALK }, { EVENT_WALK_READ } },
	{ NO_MORE, { EVENT_L1D_WRITEBACK }, { EVENT_L1D_WRITE } },
	{ NO_MORE, { EVENT_L2_READ_MISS }, { EVENT_L2_READ } },
	{ NO_MORE, { EVENT_LL_READ_MISS }, { EVENT_LL_READ } },
	{ NO_MORE, { EVENT_LL_WRITE_MISS }, { EVENT_LL_WRITE } },
	{ SAME,
	  { EVENT_BUS_READ },
	  { EVENT_LL_READ_MISS, EVENT_LL_WRITE_MISS, EVENT_UNCACHED_READ, EVENT_UNCACHED_FETCH } },
	{ SAME, { EVENT_BUS_WRITE }, { EVENT_LL_WRITEBACK, EVENT_UNCACHED_WRITE } },
	{ SAME, { EVENT_BUS_PREFETCH }, { EVENT_LL_PREFETCH_MISS } },
	{ SAME, { EVENT_STLB_FETCH }, { EVENT_ITLB_MISS } },
	{ NO_MORE, { EVENT_ITLB_MISS }, { EVENT_ITLB } },
	{ NO_MORE, { EVENT_DTLB_READ_MISS }, { EVENT_DTLB_READ } },
	{ NO_MORE, { EVENT_DTLB_WRITE_MISS }, { EVENT_DTLB_WRITE } },
	/* The walk for a load whose address is late is part of what that waits for. */
	{ NO_MORE, { EVENT_WALK_CYCLES }, { EVENT_WAIT_ITLB, EVENT_WAIT_DTLB, EVENT_WAIT_READ } },
};

static const struct law with_l2[] = {
	{ SAME,
	  { EVENT_L2_READ },
	  { EVENT_L1D_READ_MISS, EVENT_L1I_READ_MISS, EVENT_L1D_WALK_MISS } },
	{ NO_MORE, { EVENT_L2_WRITE }, { EVENT_L1D_WRITE_MISS } },
	{ SAME, { EVENT_L2_PREFETCH }, { EVENT_L1D_PREFETCH_MISS, EVENT_L1I_PREFETCH_MISS } },
	{ SAME, { EVENT_L2_UPDATE }, { EVENT_L1D_WRITEBACK } },
	{ SAME, { EVENT_LL_READ }, { EVENT_L2_READ_MISS } },
	{ SAME, { EVENT_LL_WRITE }, { EVENT_L2_WRITE_MISS } },
	{ SAME, { EVENT_LL_PREFETCH }, { EVENT_L2_PREFETCH_MISS } },
	{ SAME, { EVENT_LL_UPDATE }, { EVENT_L2_WRITEBACK } },
};

static const struct law without_l2[] = {
	{ SAME,
	  { EVENT_LL_READ },
	  { EVENT_L1D_READ_MISS, EVENT_L1I_READ_MISS, EVENT_L1D_WALK_MISS } },
	{ NO_MORE, { EVENT_LL_WRITE }, { EVENT_L1D_WRITE_MISS } },
	{ SAME, { EVENT_LL_PREFETCH }, { EVENT_L1D_PREFETCH_MISS, EVENT_L1I_PREFETCH_MISS } },
	{ SAME, { EVENT_LL_UPDATE }, { EVENT_L1D_WRITEBACK } },
	{ SAME, { EVENT_L2_READ }, { EVENT_L2_WRITE, EVENT_L2_PREFETCH, EVENT_L2_UPDATE } },
};

/* If no stream of stores goes on without reading its lines. */
static const struct law every_write_reads[] = {
	{ SAME, { EVENT_LL_WRITE }, { EVENT_L1D_WRITE_MISS } },
	{ SAME, { EVENT_L2_WRITE }, { EVENT_L1D_WRITE_MISS } },
};

static const struct law with_stlb[] = {
	{ SAME, { EVENT_STLB_READ }, { EVENT_DTLB_READ_MISS } },
	{ SAME, { EVENT_STLB_WRITE }, { EVENT_DTLB_WRITE_MISS } },
	{ SAME,
	  { EVENT_WALK },
	  { EVENT_STLB_FETCH_MISS, EVENT_STLB_READ_MISS, EVENT_STLB_WRITE_MISS } },
};

static const struct law without_stlb[] = {
	{ SAME, { EVENT_WALK }, { EVENT_ITLB_MISS, EVENT_DTLB_READ_MISS, EVENT_DTLB_WRITE_MISS } },
	{ SAME, { EVENT_STLB_READ }, { EVENT_STLB_WRITE, EVENT_STLB_FETCH } },
};

static uint64_t side(const struct totals *t, unsigned mode, const uint8_t *events, unsigned nr)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < nr && events[i]; i++)
		n += t->of[mode][events[i]];
	return n;
}

static void obeys(const char *name, const struct totals *t, const struct law *law, unsigned nr)
{
	for (unsigned n = 0; n < nr; n++) {
		for (unsigned mode = 0; mode < 4; mode++) {
			uint64_t left = side(t, mode, law[n].left, 4);
			uint64_t right = side(t, mode, law[n].right, 6);

			/* Without a second level there are no accesses to it. */
			if (law[n].left[0] == EVENT_STLB_FETCH && !t->of[PRV_S][EVENT_STLB_FETCH])
				continue;
			tap_context("%s, mode %u: %s and so on: %llu, %s %llu", name, mode,
				    event_table[law[n].left[0]].name, (unsigned long long)left,
				    law[n].relation == SAME ? "the same as" : "no more than",
				    (unsigned long long)right);
			ok(law[n].relation == SAME ? left == right : left <= right);
		}
	}
}

static void laws_hold(void)
{
	for (unsigned n = 0; n < TAP_NR(cpus); n++) {
		struct cpu *cpu = load(cpus[n]);
		const struct cpu_models *models = cpu->models;
		struct totals t = totals_of(cpu);

		obeys(cpus[n], &t, laws, TAP_NR(laws));
		if (models->hierarchy.l2.sets)
			obeys(cpus[n], &t, with_l2, TAP_NR(with_l2));
		else
			obeys(cpus[n], &t, without_l2, TAP_NR(without_l2));
		if (!models->hierarchy.write_stream)
			obeys(cpus[n], &t, &every_write_reads[models->hierarchy.l2.sets != 0], 1);
		if (models->tlb.part[TLB_SECOND].sets)
			obeys(cpus[n], &t, with_stlb, TAP_NR(with_stlb));
		else
			obeys(cpus[n], &t, without_stlb, TAP_NR(without_stlb));
		/*
		 * Cycles: the cycles in which nothing issues; in the others at most width
		 * instructions issue.
		 */
		for (unsigned mode = 0; mode < 4; mode++) {
			uint64_t waits = 0;

			if (mode == 2)
				continue;
			for (unsigned e = EVENT_WAIT_LOAD; e <= EVENT_WAIT_VECTOR; e++)
				waits += t.of[mode][e];
			tap_context("%s, mode %u: %llu cycles waiting", cpus[n], mode,
				    (unsigned long long)waits);
			ok(t.of[mode][EVENT_INSTRUCTIONS]);
			ok(waits + t.of[mode][EVENT_INSTRUCTIONS] / models->cost.width <=
			   t.of[mode][EVENT_CYCLES]);
			ok(t.of[mode][EVENT_CYCLES] <= waits + t.of[mode][EVENT_INSTRUCTIONS]);
		}
		cpu_free(cpu);
	}
}

/* The sums of an exact profile's rows. */
struct profile_sums {
	struct totals t;
	unsigned mode;
};

static void see_page(void *arg, const struct exact_page *p)
{
	((struct profile_sums *)arg)->mode = p->mode;
}

static void see_row(void *arg, const struct exact_row *r)
{
	struct profile_sums *s = arg;

	for (unsigned e = 0; e < EVENT_NR; e++)
		s->t.of[s->mode][e] += r->count[e];
}

static void profile_adds_up(void)
{
	for (unsigned n = 0; n < TAP_NR(cpus); n++) {
		struct cpu *cpu = load(cpus[n]);
		struct totals t = totals_of(cpu);
		struct machine *m = create(cpu);
		struct profile_sums s = { 0 };

		pmu_count_all(m->cl.hart[0]);
		ok(exact_start(&m->cl));
		program_start(m);
		rig_run(m, LIMIT);
		ok(exact_read(&m->cl, &(struct exact_reader){ see_page, see_row, &s }));
		for (unsigned i = 0; i < 4 * EVENT_NR; i++) {
			tap_context("%s, mode %u: %s", cpus[n], i / EVENT_NR,
				    event_table[i % EVENT_NR].name);
			is(s.t.of[i / EVENT_NR][i % EVENT_NR], t.of[i / EVENT_NR][i % EVENT_NR]);
		}
		machine_destroy(m);
		cpu_free(cpu);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "every selector, in every counter, with every filter", every_selector },
		{ "bits of one class add up", classes_add_up },
		{ "the sums of an exact profile are the counts", profile_adds_up },
		{ "laws between events hold", laws_hold },
	};

	cpu_folder = argc > 1 ? argv[1] : ".";
	return tap_run(cases, TAP_NR(cases));
}
