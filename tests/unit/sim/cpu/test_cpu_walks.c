// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_cpu_walks.c - walks over memory, code and pages, of sizes around each cache and each TLB of
 * each CPU of cpu/: their counts follow from sizes, ways, policies and prefetchers.
 *
 * A walk goes over n lines (or pages) several times.  A cache with room for all lines of the walk
 * in each of its sets holds them all after the first pass.  If more lines fall into each set than
 * it has ways, LRU and FIFO have evicted each line before the walk comes back to it.  So has
 * tree-PLRU, if the number of lines is a multiple of the ways, because as many misses as there are
 * ways replace each way once.  There is no such rule for random replacement: the test takes the
 * counts from a plain second cache (model_cache_ref.h).
 *
 * usage: test_sim_cpu_walks FOLDER        with the compiled descriptions
 */
#include "cpu_rig.h"
#include "model_cache_ref.h"

#define DATA	  (RAM_BASE + 0x800000)
#define LINE	  64u
#define IN_A_PAGE (PAGE_SIZE / LINE)
#define LEVELS	  3

static bool paranoid;

struct walk {
	uint64_t from, apart; /* bytes */
	unsigned n, passes;
	bool writes;
};

/* The caches that a data read goes through. */
static unsigned levels(const struct hierarchy_config *m, const struct cache_config **to)
{
	unsigned nr = 0;

	to[nr++] = &m->l1d;
	if (m->l2.sets)
		to[nr++] = &m->l2;
	if (m->ll.sets)
		to[nr++] = &m->ll;
	return nr;
}

enum stay { FITS, THRASHES, UNRULY };

static enum stay stay(const struct cache_config *c, uint64_t apart, unsigned n)
{
	uint64_t span = (uint64_t)c->sets * c->line;
	unsigned sets = apart >= span ? 1 : span / apart, each = (n + sets - 1) / sets;

	if (each <= c->ways)
		return FITS;
	if (n % sets || c->policy == REPLACE_RANDOM ||
	    (c->policy == REPLACE_PLRU && each % c->ways))
		return UNRULY;
	return THRASHES;
}

/* The counts that a walk must have. */
struct counts {
	uint64_t nr[EVENT_NR];
};

/* By level: counted from the first, and from the last to the caches before it. */
static const uint8_t reads[2][LEVELS] = { { EVENT_L1D_READ, EVENT_LL_READ },
					  { EVENT_L1D_READ, EVENT_L2_READ, EVENT_LL_READ } };
static const uint8_t read_misses[2][LEVELS] = { { EVENT_L1D_READ_MISS, EVENT_LL_READ_MISS },
						{ EVENT_L1D_READ_MISS, EVENT_L2_READ_MISS,
						  EVENT_LL_READ_MISS } };
static const uint8_t writes[2][LEVELS] = { { EVENT_L1D_WRITE, EVENT_LL_WRITE },
					   { EVENT_L1D_WRITE, EVENT_L2_WRITE, EVENT_LL_WRITE } };
static const uint8_t write_misses[2][LEVELS] = { { EVENT_L1D_WRITE_MISS, EVENT_LL_WRITE_MISS },
						 { EVENT_L1D_WRITE_MISS, EVENT_L2_WRITE_MISS,
						   EVENT_LL_WRITE_MISS } };
static const uint8_t prefetches[2][LEVELS] = { { EVENT_L1D_PREFETCH, EVENT_LL_PREFETCH },
					       { EVENT_L1D_PREFETCH, EVENT_L2_PREFETCH,
						 EVENT_LL_PREFETCH } };
static const uint8_t prefetch_misses[2][LEVELS] = {
	{ EVENT_L1D_PREFETCH_MISS, EVENT_LL_PREFETCH_MISS },
	{ EVENT_L1D_PREFETCH_MISS, EVENT_L2_PREFETCH_MISS, EVENT_LL_PREFETCH_MISS }
};

/* The latency of a line from level n, or from memory past the last level. */
static uint64_t latency(const struct cpu_models *models, unsigned n, unsigned nr)
{
	const struct hierarchy_config *m = &models->hierarchy;
	uint64_t cycles = n == nr ? m->bus_cycles : n == nr - 1 ? m->ll_cycles : m->l2_cycles;

	return cycles;
}

/*
 * By the rules above.  On a walk that skips no line, a tagged prefetcher is ahead of it, except at
 * the first line of each page.  On other walks it fetches an unused line with each miss, which
 * fills the set beside just as full.  Returns false if there is no rule.
 */
static bool by_rule(const struct cpu_models *models, const struct walk *w, struct counts *to)
{
	const struct cache_config *at[LEVELS];
	unsigned nr = levels(&models->hierarchy, at), kind = nr == 3;
	bool tagged = at[0]->prefetch == CACHE_PREFETCH_TAGGED, dense = w->apart == LINE;
	uint64_t demand = tagged && dense ? w->n / IN_A_PAGE : w->n;
	uint64_t ahead = !tagged ? 0 : dense ? w->n - demand : w->n;
	uint64_t rounds = w->passes;
	const uint8_t(*access)[LEVELS] = w->writes ? writes : reads;
	const uint8_t(*miss)[LEVELS] = w->writes ? write_misses : read_misses;

	to->nr[access[kind][0]] = (uint64_t)w->n * w->passes;
	for (unsigned n = 0; n < nr; n++) {
		enum stay s = stay(at[n], w->apart, w->n);
		uint64_t before = rounds;

		if (s == UNRULY || (n && w->writes && s != FITS))
			return false;
		if (n)
			to->nr[access[kind][n]] = demand * rounds;
		rounds = s == FITS ? 1 : rounds;
		to->nr[prefetches[kind][n]] = ahead * (n ? before : rounds);
		to->nr[miss[kind][n]] = demand * rounds;
		to->nr[prefetch_misses[kind][n]] = ahead * rounds;
		if (n && !w->writes)
			to->nr[EVENT_WAIT_READ] += demand * (before - rounds) *
						   latency(models, n, nr);
		if (!n && w->writes && s == THRASHES)
			to->nr[EVENT_L1D_WRITEBACK] = (uint64_t)w->n * w->passes -
						      (dense ? at[0]->sets * at[0]->ways
							     : at[0]->ways);
	}
	if (!w->writes)
		to->nr[EVENT_WAIT_READ] += demand * rounds * latency(models, nr, nr);
	to->nr[nr == 3 ? EVENT_L2_UPDATE : EVENT_LL_UPDATE] = to->nr[EVENT_L1D_WRITEBACK];
	to->nr[EVENT_BUS_READ] = demand * rounds;
	to->nr[EVENT_BUS_PREFETCH] = ahead * rounds;
	return true;
}

/* By caches that are simpler than ours; nothing is prefetched. */
static void by_reference(const struct cpu_models *models, const struct walk *w, struct counts *to)
{
	const struct cache_config *at[LEVELS];
	unsigned nr = levels(&models->hierarchy, at), kind = nr == 3;
	struct ref_cache ref[LEVELS];

	ok(at[0]->prefetch == CACHE_PREFETCH_NONE && !w->writes);
	for (unsigned n = 0; n < nr; n++)
		ref[n] = ref_create(at[n]);
	for (unsigned i = 0; i < w->n * w->passes; i++) {
		uint64_t pa = w->from + i % w->n * w->apart;
		unsigned n = 0;

		while (n < nr) {
			to->nr[reads[kind][n]]++;
			if (ref_access(&ref[n], CACHE_READ, pa).bits & CACHE_HIT)
				break;
			to->nr[read_misses[kind][n++]]++;
		}
		to->nr[EVENT_BUS_READ] += n == nr;
		to->nr[EVENT_WAIT_READ] += n ? latency(models, n, nr) : 0;
	}
	for (unsigned n = 0; n < nr; n++)
		ref_destroy(&ref[n]);
}

/* The line of the code passes through the other levels, too. */
static void add_code(const struct cpu_models *models, struct counts *to)
{
	bool l2 = models->hierarchy.l2.sets;
	unsigned ahead = models->hierarchy.l1i.prefetch != CACHE_PREFETCH_NONE;

	to->nr[EVENT_L2_READ] += l2;
	to->nr[EVENT_L2_READ_MISS] += l2;
	to->nr[EVENT_L2_PREFETCH] += l2 * ahead;
	to->nr[EVENT_L2_PREFETCH_MISS] += l2 * ahead;
	to->nr[EVENT_LL_READ]++;
	to->nr[EVENT_LL_READ_MISS]++;
	to->nr[EVENT_LL_PREFETCH] += ahead;
	to->nr[EVENT_LL_PREFETCH_MISS] += ahead;
	to->nr[EVENT_BUS_READ]++;
	to->nr[EVENT_BUS_PREFETCH] += ahead;
	to->nr[EVENT_L1I_READ_MISS] = 1;
	to->nr[EVENT_L1I_PREFETCH] = to->nr[EVENT_L1I_PREFETCH_MISS] = ahead;
}

static struct machine *run(const struct cpu *cpu, const struct walk *w)
{
	struct machine *m = cpu_machine(cpu, paranoid);
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, CODE, w->writes ? sd(T1, 0, T0) : ld(T1, 0, T0), add(T0, T0, S0),
		 addi(T2, T2, -1), bnez(T2, -12), END);
	h->x[S0] = w->apart;
	for (unsigned pass = 0; pass < w->passes; pass++) {
		h->x[T0] = w->from;
		h->x[T2] = w->n;
		restart(m);
	}
	return m;
}

/*
 * The loads of the walk wait for their misses, and for the rest of each prefetch that is late: at
 * most for each as long as for memory.
 */
static void is_wait(const struct cpu *cpu, struct machine *m, const struct counts *want)
{
	uint64_t is = total(m, EVENT_WAIT_READ), least = want->nr[EVENT_WAIT_READ];
	uint64_t late = want->nr[EVENT_L1D_PREFETCH_MISS] * cpu->models->hierarchy.bus_cycles;

	ok(is >= least && is <= least + late);
}

/* Lines of code take any places of a random level behind L1 that the walk just fills. */
static bool just_fills_random(const struct cpu_models *models, const struct walk *w)
{
	const struct cache_config *at[LEVELS];
	unsigned nr = levels(&models->hierarchy, at);

	for (unsigned n = 1; n < nr; n++) {
		if (at[n]->policy == REPLACE_RANDOM && w->n == at[n]->sets * at[n]->ways)
			return true;
	}
	return false;
}

/* Runs a walk and compares all counts that it may change.  False: there is no expected value. */
static bool walk(const struct cpu *cpu, const struct walk *w)
{
	static const uint8_t all[] = {
		EVENT_L1D_READ,	      EVENT_L1D_READ_MISS,    EVENT_L1D_WRITE,
		EVENT_L1D_WRITE_MISS, EVENT_L1D_PREFETCH,     EVENT_L1D_PREFETCH_MISS,
		EVENT_L1D_WRITEBACK,  EVENT_L1D_WALK,	      EVENT_L2_READ,
		EVENT_L2_READ_MISS,   EVENT_L2_WRITE,	      EVENT_L2_WRITE_MISS,
		EVENT_L2_PREFETCH,    EVENT_L2_PREFETCH_MISS, EVENT_L2_UPDATE,
		EVENT_L2_UPDATE_MISS, EVENT_L2_WRITEBACK,     EVENT_LL_READ,
		EVENT_LL_READ_MISS,   EVENT_LL_WRITE,	      EVENT_LL_WRITE_MISS,
		EVENT_LL_PREFETCH,    EVENT_LL_PREFETCH_MISS, EVENT_LL_UPDATE,
		EVENT_LL_UPDATE_MISS, EVENT_LL_WRITEBACK,     EVENT_BUS_READ,
		EVENT_BUS_WRITE,      EVENT_BUS_PREFETCH,     EVENT_DTLB_READ,
		EVENT_DTLB_WRITE,     EVENT_L1I_READ_MISS,    EVENT_L1I_PREFETCH,
		EVENT_UNCACHED_READ,  EVENT_SNOOP_INVALIDATE,
	};
	struct counts want = { 0 };
	struct machine *m;

	if (just_fills_random(cpu->models, w))
		return false;
	if (!by_rule(cpu->models, w, &want)) {
		if (w->n > 4096 || w->writes || cpu->models->hierarchy.l1d.prefetch)
			return false;
		want = (struct counts){ 0 };
		by_reference(cpu->models, w, &want);
	}
	add_code(cpu->models, &want);
	m = run(cpu, w);
	for (unsigned n = 0; n < TAP_NR(all); n++) {
		tap_context("%s: %u lines, %llu apart, %u times, %s: %s", cpu->name, w->n,
			    (unsigned long long)w->apart, w->passes, w->writes ? "written" : "read",
			    event_table[all[n]].name);
		is(total(m, all[n]), want.nr[all[n]]);
	}
	is_wait(cpu, m, &want);
	is(total(m, EVENT_INSTRUCTIONS), (4ull * w->n + 1) * w->passes);
	machine_destroy(m);
	return true;
}

/* Line by line: half the size of a cache, its whole size, twice its size. */
static void sizes_of(const struct cpu *cpu)
{
	const struct cache_config *at[LEVELS];
	unsigned nr = levels(&cpu->models->hierarchy, at), done = 0;

	for (unsigned n = 0; n < nr; n++) {
		unsigned lines = at[n]->sets * at[n]->ways;

		for (unsigned size = lines / 2; size <= lines * 2; size *= 2) {
			struct walk w = { DATA, LINE, size, size > 4096 ? 2 : 3, false };

			/* The paranoid mode is slow. */
			done += paranoid && size > 4096 ? 1 : walk(cpu, &w);
			/* Only a random last level itself knows which lines it still has. */
			ok(done || at[n]->policy == REPLACE_RANDOM);
		}
	}
	if (nr == 3 && at[1]->policy == REPLACE_RANDOM)
		ok(done >= 3);
	else
		ok(done >= (at[0]->policy == REPLACE_RANDOM || at[nr - 1]->policy == REPLACE_RANDOM
				    ? 3 * nr - 3
				    : 3 * nr));
}

/*
 * There are no rules for prefetchers that learn, nor for an L1D that prefetches and replaces at
 * random; these tests leave them out, and what lets loads and stores overlap or queue, and rows of
 * DRAM that are open.
 */
static struct cpu_models ruled(const struct cpu_models *real)
{
	struct cpu_models m = *real;
	struct cache_config *l1d = &m.hierarchy.l1d;

	if (l1d->prefetch >= CACHE_PREFETCH_STREAM || l1d->policy == REPLACE_RANDOM)
		l1d->prefetch = CACHE_PREFETCH_NONE;
	m.hierarchy.write_stream = 0;
	m.hierarchy.l2_line_cycles = m.hierarchy.ll_line_cycles = m.hierarchy.bus_line_cycles = 0;
	m.hierarchy.row_bytes = 0;
	m.cost.loads = 0;
	m.cost.order = COST_IN_ORDER;
	return m;
}

static void each_cpu(void (*test)(const struct cpu *cpu))
{
	for (unsigned n = 0; n < TAP_NR(cpus); n++) {
		struct cpu *cpu = load_every(cpus[n]);
		const struct cpu_models *real = cpu->models;
		struct cpu_models models = ruled(real);

		cpu->models = &models;
		cpu->trap_misaligned = false; /* what they cost */
		test(cpu);
		cpu->models = real;
		cpu_free(cpu);
	}
}

static void sizes(void)
{
	each_cpu(sizes_of);
}

/*
 * Lines of one set: half of its ways, all, and more.  The second line of a page is not in the set
 * of the code.
 */
static void conflicts_of(const struct cpu *cpu)
{
	const struct cache_config *at[LEVELS];
	unsigned nr = levels(&cpu->models->hierarchy, at);

	for (unsigned n = 0; n < nr; n++) {
		for (unsigned ways = at[n]->ways / 2; ways <= 4 * at[n]->ways; ways *= 2) {
			struct walk w = { DATA + 17 * LINE, at[n]->sets * LINE, ways, 4, false };

			ok(walk(cpu, &w));
			w.n = at[n]->ways + 1;
			ok(at[n]->policy == REPLACE_PLRU || walk(cpu, &w));
		}
	}
}

static void conflicts(void)
{
	each_cpu(conflicts_of);
}

/* Dirty lines that do not fit are written back, in each pass. */
static void writebacks_of(const struct cpu *cpu)
{
	const struct cache_config *l1d = &cpu->models->hierarchy.l1d;
	unsigned lines = l1d->sets * l1d->ways;

	for (unsigned twice = 1; twice <= 2; twice++) {
		struct walk dense = { DATA, LINE, twice * lines, 3, true };
		struct walk set = { DATA + 17 * LINE, l1d->sets * LINE, twice * l1d->ways, 3,
				    true };

		ok(walk(cpu, &dense) || (twice == 2 && l1d->policy == REPLACE_RANDOM));
		ok(walk(cpu, &set) || (twice == 2 && l1d->policy == REPLACE_RANDOM));
	}
}

static void writebacks(void)
{
	each_cpu(writebacks_of);
}

/* Code: a jump in each line, to the next line.  A prefetcher of L1I fetches every second line. */

static uint64_t code_misses(const struct cache_config *l1i, unsigned n, unsigned passes)
{
	struct ref_cache ref = ref_create(l1i);
	uint64_t misses = 0;

	if (stay(l1i, LINE, n) != UNRULY) {
		misses = (l1i->prefetch ? n / 2 : n) * (stay(l1i, LINE, n) == FITS ? 1 : passes);
	} else {
		ok(!l1i->prefetch);
		for (unsigned i = 0; i < n * passes; i++)
			misses += !(ref_access(&ref, CACHE_READ, CODE + i % n * LINE).bits &
				    CACHE_HIT);
	}
	ref_destroy(&ref);
	return misses;
}

static void code_of(const struct cpu *cpu)
{
	const struct hierarchy_config *memory = &cpu->models->hierarchy;
	const struct cache_config *l1i = &memory->l1i;
	const unsigned lines = l1i->sets * l1i->ways, passes = 3;
	const bool ahead = l1i->prefetch != CACHE_PREFETCH_NONE;

	for (unsigned n = lines / 2; n <= 2 * lines; n *= 2) {
		uint64_t misses = code_misses(l1i, n, passes), cold = ahead ? n / 2 : n;
		uint32_t again = memory->l2.sets ? memory->l2_cycles : memory->ll_cycles;
		struct machine *m = cpu_machine(cpu, paranoid);

		for (unsigned line = 0; line < n; line++)
			RIG_CODE(m, CODE + line * LINE, line < n - 1 ? jal(ZERO, LINE) : END);
		for (unsigned pass = 0; pass < passes; pass++)
			restart(m);
		tap_context("%s: %u lines of code", cpu->name, n);
		is(total(m, EVENT_L1I_READ), (uint64_t)n * passes);
		is(total(m, EVENT_L1I_READ_MISS), misses);
		is(total(m, EVENT_L1I_PREFETCH), ahead ? misses : 0);
		is(total(m, EVENT_L1I_PREFETCH_MISS), ahead ? misses : 0);
		is(total(m, memory->l2.sets ? EVENT_L2_READ : EVENT_LL_READ), misses);
		is(total(m, EVENT_LL_READ_MISS), cold);
		is(total(m, EVENT_BUS_READ), cold);
		is(total(m, EVENT_BUS_PREFETCH), ahead ? cold : 0);
		is(total(m, EVENT_WAIT_FETCH), cold * memory->bus_cycles + (misses - cold) * again);
		is(total(m, EVENT_JAL), (n - 1) * passes);
		is(total(m, EVENT_UNCACHED_FETCH), 0);
		machine_destroy(m);
	}
}

static void code(void)
{
	each_cpu(code_of);
}

/*
 * A pointer chase: each node holds the address of the next.  The nodes are in every second line, so
 * that prefetching the next line does not help, and in an order without a pattern.
 */
static void chase_of(const struct cpu *cpu)
{
	const struct cache_config *l1d = &cpu->models->hierarchy.l1d;
	const unsigned lines = l1d->sets * l1d->ways;
	const bool tagged = l1d->prefetch == CACHE_PREFETCH_TAGGED;

	for (unsigned n = lines / 2; n <= 2 * lines; n *= 4) {
		struct machine *m = cpu_machine(cpu, paranoid);
		struct hart *h = m->cl.hart[0];
		unsigned rounds = n > lines ? 3 : 1, at = 0;
		uint64_t misses = (uint64_t)n * rounds;

		/* i -> 5 i + 1 visits all numbers below a power of two once. */
		for (unsigned i = 0; i < n; i++) {
			unsigned to = (5 * at + 1) % n;

			*(uint64_t *)cluster_ram(&m->cl, DATA + at * 2 * LINE, 8) = DATA +
										    to * 2 * LINE;
			at = to;
		}
		is(at, 0);
		RIG_CODE(m, CODE, ld(T0, 0, T0), addi(T2, T2, -1), bnez(T2, -8), END);
		h->x[T0] = DATA;
		for (unsigned pass = 0; pass < 3; pass++) {
			h->x[T2] = n;
			restart(m);
		}
		tap_context("%s: %u nodes", cpu->name, n);
		is(h->x[T0], DATA);
		is(total(m, EVENT_L1D_READ), 3 * n);
		if (l1d->policy == REPLACE_RANDOM && rounds > 1)
			ok(total(m, EVENT_L1D_READ_MISS) > n &&
			   total(m, EVENT_L1D_READ_MISS) <= misses);
		else
			is(total(m, EVENT_L1D_READ_MISS), misses);
		if (tagged)
			is(total(m, EVENT_L1D_PREFETCH_MISS), misses);
		machine_destroy(m);
	}
}

static void chase(void)
{
	each_cpu(chase_of);
}

/* Atomics, uncached accesses, and accesses that cross a line. */
static void kinds_of(const struct cpu *cpu)
{
	const struct hierarchy_config *memory = &cpu->models->hierarchy;
	const unsigned n = 20;
	struct machine *m = cpu_machine(cpu, paranoid);
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, CODE, r_type(0x0000302f, T1, T0, T1), /* amoadd.d t1, t1, (t0) */
		 i_type(0x03, 0, S0, 2, A0), /* lw a0, (s0) */
		 i_type(0x03, 0, S0, 2, A0), sd(ZERO, 0, S1), ld(A1, 60, T0), add(T0, T0, S2),
		 addi(T2, T2, -1), bnez(T2, -28), END);
	h->x[T0] = DATA;
	h->x[T2] = n;
	h->x[S0] = 0x101000; /* the clock */
	h->x[S1] = 0x2004000; /* when the timer should interrupt; the interrupt is disabled */
	h->x[S2] = PAGE_SIZE;
	restart(m);
	tap_context("%s", cpu->name);
	is(total(m, EVENT_L1D_WRITE), n);
	is(total(m, EVENT_L1D_WRITE_MISS), n);
	is(total(m, EVENT_MISALIGNED), n);
	is(total(m, EVENT_L1D_READ), 2 * n);
	/* Its second line, which a prefetcher has fetched. */
	is(total(m, EVENT_L1D_READ_MISS), memory->l1d.prefetch ? 0 : n);
	is(total(m, EVENT_UNCACHED_READ), 2 * n);
	is(total(m, EVENT_UNCACHED_WRITE), n);
	is(total(m, EVENT_WAIT_UNCACHED_READ), 2 * n * memory->uncached_cycles);
	is(total(m, EVENT_WAIT_UNCACHED_WRITE), n * memory->uncached_cycles);
	is(total(m, EVENT_WAIT_READ),
	   n * memory->bus_cycles + (memory->l1d.prefetch ? 0 : n) * memory->bus_cycles);
	machine_destroy(m);
}

static void kinds(void)
{
	each_cpu(kinds_of);
}

/* fence.i: code that was fetched is fetched again, from the level behind L1. */
static void fence_i_of(const struct cpu *cpu)
{
	const struct hierarchy_config *memory = &cpu->models->hierarchy;
	struct machine *m = cpu_machine(cpu, paranoid);

	RIG_CODE(m, CODE, FENCE_I, NOP, FENCE_I, END);
	restart(m);
	tap_context("%s", cpu->name);
	is(total(m, EVENT_L1I_READ_MISS), 3);
	is(total(m, memory->l2.sets ? EVENT_L2_READ_MISS : EVENT_LL_READ_MISS), 1);
	is(total(m, EVENT_BUS_READ), 1);
	machine_destroy(m);
}

static void fence_i(void)
{
	each_cpu(fence_i_of);
}

/* Pages */

/* A TLB, modelled as a cache of pages. */
static struct cache_config as_cache(const struct tlb_shape *t)
{
	return (struct cache_config){
		.line = PAGE_SIZE, .sets = t->sets, .ways = t->ways, .policy = t->policy
	};
}

/* One load from each of n pages, apart pages from each other, starting with page first. */
static void page_walk(const struct cpu *cpu, unsigned first, unsigned apart, unsigned n)
{
	const struct tlb_config *tlb = &cpu->models->tlb;
	struct cache_config one = as_cache(&tlb->part[TLB_D]),
			    two = as_cache(&tlb->part[TLB_SECOND]);
	enum stay stays = stay(&one, apart * PAGE_SIZE, n);
	struct machine *m = cpu_machine(cpu, paranoid);
	struct hart *h = m->cl.hart[0];
	const unsigned passes = 3;
	uint64_t misses = (uint64_t)n * (stays == FITS ? 1 : passes), walks = misses;

	tap_context("%s: %u pages, %u apart", cpu->name, n, apart);
	ok(stays != UNRULY);
	if (two.sets) {
		stays = stay(&two, apart * PAGE_SIZE, n);
		ok(stays != UNRULY);
		walks = stays == FITS ? n : misses;
	}
	RIG_CODE(m, CODE, ld(T1, 0, T0), add(T0, T0, S0), addi(T2, T2, -1), bnez(T2, -12), END);
	pages(m);
	h->x[S0] = apart * PAGE_SIZE;
	for (unsigned pass = 0; pass < passes; pass++) {
		h->x[T0] = PAGES_VA + first * PAGE_SIZE;
		h->x[T2] = n;
		restart(m);
	}
	is(total(m, EVENT_DTLB_READ), (uint64_t)n * passes);
	is(total(m, EVENT_DTLB_READ_MISS), misses);
	is(total(m, EVENT_DTLB_WRITE), 0);
	is(total(m, EVENT_STLB_READ), two.sets ? misses : 0);
	is(total(m, EVENT_STLB_READ_MISS), two.sets ? walks : 0);
	/* The code's page is one of 1 GiB. */
	is(total(m, EVENT_ITLB_MISS), 1);
	is(total(m, EVENT_STLB_FETCH_MISS), two.sets ? 1 : 0);
	is(total(m, EVENT_WALK), walks + 1);
	is(total(m, EVENT_WALK_READ), 3 * walks + 1);
	is(total(m, EVENT_L1D_WALK), 3 * walks + 1);
	is(total(m, EVENT_L1D_READ), (uint64_t)n * passes);
	is(total(m, EVENT_WAIT_DTLB) + total(m, EVENT_WAIT_ITLB),
	   total(m, EVENT_WALK_CYCLES) + (misses - walks) * cpu->models->cost.second_tlb_cycles);
	ok(total(m, EVENT_WALK_CYCLES) >= (walks + 1) * cpu->models->cost.walk_cycles);
	is(h->mode, PRV_S);
	machine_destroy(m);
}

/* Page by page around the size of each TLB, and pages of one set around its ways. */
static void tlbs_of(const struct cpu *cpu)
{
	for (unsigned part = TLB_D; part <= TLB_SECOND; part++) {
		const struct tlb_shape *t = &cpu->models->tlb.part[part];
		unsigned entries = t->sets * t->ways;

		if (!t->sets)
			continue;
		for (unsigned n = entries / 2; n <= 2 * entries; n *= 2) {
			/*
			 * The code's page is in the second TLB, too, so the walk over all of its
			 * entries is skipped.
			 */
			if (part == TLB_D || n != entries)
				page_walk(cpu, t->sets / 2, 1, n);
		}
		for (unsigned n = t->ways; n <= 4 * t->ways && t->sets > 1; n *= 2)
			page_walk(cpu, 5, t->sets, n);
	}
}

static void tlbs(void)
{
	each_cpu(tlbs_of);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "line by line, around the size of each cache", sizes },
		{ "lines of one set, around the ways of each cache", conflicts },
		{ "dirty lines that do not fit are written back", writebacks },
		{ "code, around the size of L1I", code },
		{ "a pointer chase, which no prefetcher helps", chase },
		{ "atomics, uncached accesses, accesses of two lines", kinds },
		{ "fence.i", fence_i },
		{ "pages, around the size and the ways of each TLB", tlbs },
	};

	cpu_folder = argc > 1 ? argv[1] : ".";
	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
