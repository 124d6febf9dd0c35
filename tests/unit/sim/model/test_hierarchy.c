// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_hierarchy.c - the caches of a machine: compared with a second machine built of plain caches
 * (model_cache_ref.h), which follows the rules of hierarchy.h from top to bottom; and with
 * sequences computed by hand.
 */
#include "hierarchy.h"
#include "model_cache_ref.h"

#define HARTS 3

/* The plain machine. what[] counts the MEMORY_ events of the current access. */
struct plain {
	struct hierarchy_config config;
	unsigned harts;
	struct ref_cache l1i[HARTS], l1d[HARTS], l2[HARTS], ll;
	unsigned what[HIERARCHY_EVENTS];
};

static struct plain plain_create(const struct hierarchy_config *config, unsigned harts)
{
	struct plain p = { .config = *config, .harts = harts, .ll = ref_create(&config->ll) };

	for (unsigned n = 0; n < harts; n++) {
		p.l1i[n] = ref_create(&config->l1i);
		p.l1d[n] = ref_create(&config->l1d);
		p.l2[n] = ref_create(&config->l2);
	}
	return p;
}

static void plain_destroy(struct plain *p)
{
	for (unsigned n = 0; n < p->harts; n++) {
		ref_destroy(&p->l1i[n]);
		ref_destroy(&p->l1d[n]);
		ref_destroy(&p->l2[n]);
	}
	ref_destroy(&p->ll);
}

/* What a cache leaves to the level below it; lower tells how (a line to read, one to write). */
typedef unsigned plain_read(struct plain *p, unsigned h, uint64_t line, char by);
typedef unsigned plain_write(struct plain *p, unsigned h, uint64_t line, bool whole);

static unsigned bus_read(struct plain *p, unsigned h, uint64_t line, char by)
{
	p->what[by == 'p' ? HIERARCHY_BUS_PREFETCH : HIERARCHY_BUS_READ]++;
	return p->config.bus_cycles;
}

static unsigned bus_write(struct plain *p, unsigned h, uint64_t line, bool whole)
{
	p->what[HIERARCHY_BUS_WRITE]++;
	return p->config.bus_cycles;
}

static void rest(struct plain *p, unsigned h, const struct cache_answer *a, unsigned prefetch,
		 unsigned writeback, plain_read *read, plain_write *write)
{
	if (a->bits & CACHE_EVICTED) {
		p->what[writeback]++;
		write(p, h, a->evicted, true);
	}
	if (a->bits & CACHE_PREFETCH)
		p->what[prefetch]++;
	if ((a->bits & CACHE_PREFETCH) && !(a->bits & CACHE_PREFETCH_HIT)) {
		p->what[prefetch + 1]++;
		read(p, h, a->prefetched, 'p');
	}
	if (a->bits & CACHE_PREFETCH_EVICTED) {
		p->what[writeback]++;
		write(p, h, a->prefetch_evicted, true);
	}
}

static unsigned ll_read(struct plain *p, unsigned h, uint64_t line, char by)
{
	unsigned event = by == 'r'   ? HIERARCHY_LL_READ
			 : by == 'w' ? HIERARCHY_LL_WRITE
				     : HIERARCHY_LL_PREFETCH;
	unsigned cycles = p->config.ll_cycles;
	struct cache_answer a;

	if (!p->config.ll.sets)
		return bus_read(p, h, line, by);
	a = ref_access(&p->ll, CACHE_READ, line);
	p->what[event]++;
	if (!(a.bits & CACHE_HIT)) {
		p->what[event + 1]++;
		cycles = bus_read(p, h, line, by);
	}
	rest(p, h, &a, HIERARCHY_LL_PREFETCH, HIERARCHY_LL_WRITEBACK, bus_read, bus_write);
	return cycles;
}

static unsigned ll_write(struct plain *p, unsigned h, uint64_t line, bool whole)
{
	unsigned event = whole ? HIERARCHY_LL_UPDATE : HIERARCHY_LL_WRITE,
		 cycles = p->config.ll_cycles;
	struct cache_answer a;

	if (!p->config.ll.sets)
		return bus_write(p, h, line, whole);
	a = ref_access(&p->ll, whole ? CACHE_WHOLE : CACHE_WRITE, line);
	p->what[event]++;
	p->what[event + 1] += !(a.bits & CACHE_HIT);
	if (p->config.ll.write_through)
		cycles = bus_write(p, h, line, whole);
	else if (!(a.bits & CACHE_HIT) && !whole)
		cycles = bus_read(p, h, line, 'w');
	rest(p, h, &a, HIERARCHY_LL_PREFETCH, HIERARCHY_LL_WRITEBACK, bus_read, bus_write);
	return cycles;
}

/*
 * In the other harts' L1D and L2: the line is invalidated or cleaned.  Returns whether it cost
 * time.
 */
static bool others(struct plain *p, unsigned h, uint64_t line, bool lose, bool *dirty)
{
	bool moved = false;

	*dirty = false;
	for (unsigned n = 0; n < p->harts; n++) {
		bool there;

		if (n == h)
			continue;
		there = ref_state(&p->l1d[n], line) || ref_state(&p->l2[n], line);
		*dirty = *dirty || ref_state(&p->l1d[n], line) == CACHE_MODIFIED ||
			 ref_state(&p->l2[n], line) == CACHE_MODIFIED;
		ref_clean(&p->l1d[n], line);
		ref_clean(&p->l2[n], line);
		if (lose) {
			ref_drop(&p->l1d[n], line);
			ref_drop(&p->l2[n], line);
			p->what[HIERARCHY_SNOOP_INVALIDATE] += there;
			moved = moved || there;
		}
	}
	return moved || *dirty;
}

static unsigned plain_snoop(struct plain *p, unsigned h, uint64_t line, bool lose)
{
	bool dirty, moved = others(p, h, line, lose, &dirty);

	if (dirty) {
		p->what[HIERARCHY_SNOOP_WRITEBACK]++;
		ll_write(p, h, line, true);
	}
	return moved ? p->config.snoop_cycles : 0;
}

static unsigned shared_read(struct plain *p, unsigned h, uint64_t line, char by)
{
	unsigned cycles = plain_snoop(p, h, line, false);

	return cycles + ll_read(p, h, line, by);
}

static unsigned l2_read(struct plain *p, unsigned h, uint64_t line, char by)
{
	unsigned event = by == 'r'   ? HIERARCHY_L2_READ
			 : by == 'w' ? HIERARCHY_L2_WRITE
				     : HIERARCHY_L2_PREFETCH;
	unsigned cycles = p->config.l2_cycles;
	struct cache_answer a;

	if (!p->config.l2.sets)
		return shared_read(p, h, line, by);
	a = ref_access(&p->l2[h], CACHE_READ, line);
	p->what[event]++;
	if (!(a.bits & CACHE_HIT)) {
		p->what[event + 1]++;
		cycles = shared_read(p, h, line, by);
	}
	rest(p, h, &a, HIERARCHY_L2_PREFETCH, HIERARCHY_L2_WRITEBACK, shared_read, ll_write);
	return cycles;
}

static unsigned l2_write(struct plain *p, unsigned h, uint64_t line, bool whole)
{
	unsigned event = whole ? HIERARCHY_L2_UPDATE : HIERARCHY_L2_WRITE,
		 cycles = p->config.l2_cycles;
	struct cache_answer a;

	if (!p->config.l2.sets)
		return ll_write(p, h, line, whole);
	a = ref_access(&p->l2[h], whole ? CACHE_WHOLE : CACHE_WRITE, line);
	p->what[event]++;
	p->what[event + 1] += !(a.bits & CACHE_HIT);
	if (p->config.l2.write_through)
		cycles = ll_write(p, h, line, whole);
	else if (!(a.bits & CACHE_HIT) && !whole)
		cycles = shared_read(p, h, line, 'w');
	rest(p, h, &a, HIERARCHY_L2_PREFETCH, HIERARCHY_L2_WRITEBACK, shared_read, ll_write);
	return cycles;
}

static unsigned plain_l1_read(struct plain *p, unsigned h, unsigned event, uint64_t pa)
{
	bool fetch = event == HIERARCHY_L1I_READ;
	uint64_t line = pa / p->config.l1d.line * p->config.l1d.line;
	struct cache_answer a = ref_access(fetch ? &p->l1i[h] : &p->l1d[h], CACHE_READ, pa);
	unsigned cycles = 0;

	p->what[event]++;
	if (!(a.bits & CACHE_HIT)) {
		p->what[event + 1]++;
		cycles = l2_read(p, h, line, 'r');
	}
	rest(p, h, &a, fetch ? HIERARCHY_L1I_PREFETCH : HIERARCHY_L1D_PREFETCH,
	     HIERARCHY_L1D_WRITEBACK, l2_read, l2_write);
	return cycles;
}

static unsigned plain_l1_write(struct plain *p, unsigned h, uint64_t pa, bool atomic, bool whole)
{
	bool through = p->config.l1d.write_through, read_first = through && atomic;
	uint64_t line = pa / p->config.l1d.line * p->config.l1d.line;
	enum cache_op op = read_first ? CACHE_READ : whole ? CACHE_WHOLE : CACHE_WRITE;
	bool owned = ref_state(&p->l1d[h], pa) == CACHE_MODIFIED;
	struct cache_answer a = ref_access(&p->l1d[h], op, pa);
	bool missed = !(a.bits & CACHE_HIT);
	unsigned cycles = owned ? 0 : plain_snoop(p, h, line, true);

	p->what[HIERARCHY_L1D_WRITE]++;
	p->what[HIERARCHY_L1D_WRITE_MISS] += missed;
	if (missed && (read_first || (!through && !whole)))
		cycles += l2_read(p, h, line, 'w');
	if (through)
		cycles += l2_write(p, h, line, whole);
	rest(p, h, &a, HIERARCHY_L1D_PREFETCH, HIERARCHY_L1D_WRITEBACK, l2_read, l2_write);
	return cycles;
}

static unsigned plain_access(struct plain *p, unsigned h, enum hierarchy_kind kind, uint64_t pa)
{
	memset(p->what, 0, sizeof(p->what));
	switch (kind) {
	case HIERARCHY_FETCH:
		return plain_l1_read(p, h, HIERARCHY_L1I_READ, pa);
	case HIERARCHY_READ:
		return plain_l1_read(p, h, HIERARCHY_L1D_READ, pa);
	case HIERARCHY_WALK:
		return plain_l1_read(p, h, HIERARCHY_L1D_WALK, pa);
	case HIERARCHY_WRITE:
	case HIERARCHY_ATOMIC:
		return plain_l1_write(p, h, pa, kind == HIERARCHY_ATOMIC, false);
	case HIERARCHY_FETCH_UNCACHED:
		p->what[HIERARCHY_UNCACHED_FETCH] = p->what[HIERARCHY_BUS_READ] = 1;
		break;
	case HIERARCHY_READ_UNCACHED:
		p->what[HIERARCHY_UNCACHED_READ] = p->what[HIERARCHY_BUS_READ] = 1;
		break;
	default:
		p->what[HIERARCHY_UNCACHED_WRITE] = p->what[HIERARCHY_BUS_WRITE] = 1;
	}
	return p->config.uncached_cycles;
}

static unsigned plain_cbo(struct plain *p, unsigned h, enum hierarchy_cbo op, uint64_t pa)
{
	unsigned line = p->config.l1d.line, bytes = p->config.cbo_bytes, cycles = 0;
	unsigned step = line < bytes ? line : bytes;
	uint64_t first = pa / bytes * bytes;

	memset(p->what, 0, sizeof(p->what));
	for (uint64_t at = first; at < first + bytes; at += step) {
		struct ref_cache *own[] = { &p->l1d[h], &p->l2[h], &p->ll };
		static const uint8_t event[] = { HIERARCHY_L1D_WRITEBACK, HIERARCHY_L2_WRITEBACK,
						 HIERARCHY_LL_WRITEBACK };
		bool lose = op != HIERARCHY_CBO_CLEAN, dirty;

		if (op == HIERARCHY_CBO_ZERO) {
			cycles += plain_l1_write(p, h, at, false, bytes >= line);
			continue;
		}
		cycles += others(p, h, at, lose, &dirty) ? p->config.snoop_cycles : 0;
		p->what[HIERARCHY_SNOOP_WRITEBACK] += dirty && op != HIERARCHY_CBO_INVAL;
		for (unsigned n = 0; n < 3; n++) {
			bool here = ref_state(own[n], at) == CACHE_MODIFIED;

			p->what[event[n]] += here && op != HIERARCHY_CBO_INVAL;
			dirty = dirty || here;
			if (lose)
				ref_drop(own[n], at);
			else
				ref_clean(own[n], at);
		}
		if (dirty && op != HIERARCHY_CBO_INVAL)
			cycles += bus_write(p, h, at, true);
	}
	return cycles;
}

static bool same_answer(const struct plain *p, const struct hierarchy_answer *a, unsigned cycles)
{
	for (unsigned n = 0; n < HIERARCHY_EVENTS; n++) {
		if ((a->what >> n & 1 ? a->count[n] : 0) != p->what[n])
			return false;
	}
	return a->cycles == cycles;
}

static bool hits(struct hierarchy_hart *h, enum hierarchy_kind kind, uint64_t pa)
{
	switch (kind) {
	case HIERARCHY_FETCH:
		return hierarchy_fetch_hit(h, pa);
	case HIERARCHY_READ:
		return hierarchy_read_hit(h, pa);
	case HIERARCHY_WRITE:
	case HIERARCHY_ATOMIC:
		return hierarchy_write_hit(h, pa);
	default:
		return false;
	}
}

/* One access on both; an answer of the hot path is exactly one access, which hits. */
static bool step(struct hierarchy *m, struct plain *p, unsigned h, enum hierarchy_kind kind,
		 uint64_t pa)
{
	static const uint8_t access[] = { HIERARCHY_L1I_READ, HIERARCHY_L1D_READ,
					  HIERARCHY_L1D_WRITE, HIERARCHY_L1D_WRITE };
	bool fast = pa & 16 &&
		    hits(&m->hart[h], kind, pa); /* or the slow path: the answer must be the same */
	unsigned cycles = plain_access(p, h, kind, pa);
	struct hierarchy_answer a = { 0 };

	if (fast) {
		a.what = 1ull << access[kind];
		a.count[access[kind]] = 1;
	} else {
		hierarchy_access(m, h, kind, pa, &a);
	}
	return same_answer(p, &a, cycles);
}

static bool same_state(struct hierarchy *m, struct plain *p)
{
	bool same = !m->ll.word || ref_same(&p->ll, &m->ll);

	for (unsigned n = 0; n < p->harts; n++)
		same = same && ref_same(&p->l1i[n], &m->hart[n].l1i) &&
		       ref_same(&p->l1d[n], &m->hart[n].l1d) &&
		       (!m->hart[n].l2.word || ref_same(&p->l2[n], &m->hart[n].l2));
	return same;
}

static const struct hierarchy_config base = {
	.l1i = { .line = 64, .sets = 4, .ways = 2 },
	.l1d = { .line = 64, .sets = 4, .ways = 2 },
	.l2 = { .line = 64, .sets = 8, .ways = 4 },
	.ll = { .line = 64, .sets = 16, .ways = 8, .policy = REPLACE_PLRU },
	.l2_cycles = 10,
	.ll_cycles = 30,
	.bus_cycles = 100,
	.snoop_cycles = 7,
	.uncached_cycles = 55,
	.cbo_bytes = 64,
};

/* A number chooses which levels exist, and how each works. */
static struct hierarchy_config variant(unsigned n)
{
	struct hierarchy_config config = base;
	struct cache_config *c[] = { &config.l1i, &config.l1d, &config.l2, &config.ll };
	uint64_t seed = n * 77 + 1;

	for (unsigned k = 0; k < 4; k++) {
		if (k && n & 8)
			c[k]->write_through = rig_random(&seed) % 2;
		if (n & 4)
			c[k]->prefetch = rig_random(&seed) % CACHE_PREFETCHES;
		if (n & 16)
			c[k]->policy = rig_random(&seed) % REPLACE_POLICIES;
		c[k]->line = n & 32 ? 32 : n & 64 ? 128 : 64;
	}
	config.l2.sets = n & 1 ? 0 : config.l2.sets;
	config.ll.sets = n & 2 ? 0 : config.ll.sets;
	return config;
}

static void follow(unsigned number, const struct trace *t)
{
	struct hierarchy_config config = variant(number);
	struct plain p = plain_create(&config, HARTS);
	uint64_t seed = number;
	struct model_error why = { 0 };
	struct hierarchy m;
	bool same = true;

	ok(hierarchy_check(&config, &why));
	ok(hierarchy_init(&m, &config, HARTS));
	tap_context("variant %u", number);
	for (size_t n = 0; n < t->nr && same; n++) {
		const struct step *s = &t->step[n];
		unsigned what = rig_random(&seed) % 100, h = rig_random(&seed) % 16 % HARTS;
		enum hierarchy_kind kind = s->kind == STEP_WRITE ? HIERARCHY_WRITE : HIERARCHY_READ;
		struct hierarchy_answer a;

		if (s->kind > STEP_WRITE) {
			same = step(&m, &p, h, HIERARCHY_FETCH, s->pc);
		} else if (what < 4) {
			unsigned cycles = plain_cbo(&p, h, what, s->addr);

			hierarchy_cbo(&m, h, what, s->addr, &a);
			same = same_answer(&p, &a, cycles);
		} else if (what == 4) {
			hierarchy_fence_i(&m, h);
			for (unsigned k = 0; k < config.l1i.sets * config.l1i.ways; k++)
				p.l1i[h].line[k].valid = false;
		} else {
			if (what < 30)
				kind = what < 20 ? HIERARCHY_ATOMIC - what % 2 * 3
						 : what % HIERARCHY_KINDS;
			same = step(&m, &p, h, kind, s->addr);
		}
		if (n % 499 == 0)
			same = same && same_state(&m, &p);
		if (!same)
			tap_context("variant %u, step %zu", number, n);
	}
	ok(same);
	ok(same_state(&m, &p));
	hierarchy_free(&m);
	plain_destroy(&p);
}

static void random_traces(void)
{
	struct trace t = trace_random(11, 4000, 16384);

	for (unsigned n = 0; n < 96; n++)
		follow(n, &t);
	free(t.step);
}

static void patterns(void)
{
	struct trace stride = trace_stride(1500, 8192, 64), chase = trace_chase(1500, 8192);

	for (unsigned n = 0; n < 32; n++) {
		follow(n, &stride);
		follow(n, &chase);
	}
	free(stride.step);
	free(chase.step);
}

static void recorded(void)
{
	struct trace t = trace_program(150);

	for (unsigned n = 0; n < 32; n++)
		follow(n, &t);
	free(t.step);
}

/* By hand */

static struct hierarchy make(const struct hierarchy_config *config, unsigned harts)
{
	struct hierarchy m;

	ok(hierarchy_init(&m, config, harts));
	return m;
}

#define BIT(event) (1ull << HIERARCHY_##event)

static void is_answer(const struct hierarchy_answer *a, uint64_t what, unsigned cycles)
{
	is(a->what, what);
	is(a->cycles, cycles);
	for (unsigned n = 0; n < HIERARCHY_EVENTS; n++) {
		if (what >> n & 1)
			is(a->count[n], 1);
	}
}

static void levels(void)
{
	struct hierarchy m = make(&base, 1);
	struct hierarchy_answer a;

	hierarchy_access(&m, 0, HIERARCHY_READ, 0x1000, &a);
	is_answer(&a,
		  BIT(L1D_READ) | BIT(L1D_READ_MISS) | BIT(L2_READ) | BIT(L2_READ_MISS) |
			  BIT(LL_READ) | BIT(LL_READ_MISS) | BIT(BUS_READ),
		  100);
	ok(hierarchy_read_hit(&m.hart[0], 0x1038));
	/* The same line is fetched by another hart: L2 has it. */
	hierarchy_access(&m, 0, HIERARCHY_FETCH, 0x1000, &a);
	is_answer(&a, BIT(L1I_READ) | BIT(L1I_READ_MISS) | BIT(L2_READ), 10);
	hierarchy_access(&m, 0, HIERARCHY_WRITE, 0x1000, &a);
	is_answer(&a, BIT(L1D_WRITE), 0);
	ok(hierarchy_write_hit(&m.hart[0], 0x1000));
	hierarchy_access(&m, 0, HIERARCHY_READ_UNCACHED, 0x10000000, &a);
	is_answer(&a, BIT(UNCACHED_READ) | BIT(BUS_READ), 55);
	/* Two more lines in its set evict it while it is dirty. */
	hierarchy_access(&m, 0, HIERARCHY_READ, 0x1100, &a);
	hierarchy_access(&m, 0, HIERARCHY_READ, 0x1200, &a);
	is_answer(&a,
		  BIT(L1D_READ) | BIT(L1D_READ_MISS) | BIT(L2_READ) | BIT(L2_READ_MISS) |
			  BIT(LL_READ) | BIT(LL_READ_MISS) | BIT(BUS_READ) | BIT(L1D_WRITEBACK) |
			  BIT(L2_UPDATE),
		  100);
	hierarchy_cbo(&m, 0, HIERARCHY_CBO_FLUSH, 0x1010, &a);
	is_answer(&a, BIT(L2_WRITEBACK) | BIT(BUS_WRITE), 100);
	hierarchy_cbo(&m, 0, HIERARCHY_CBO_FLUSH, 0x1010, &a);
	is_answer(&a, 0, 0);
	hierarchy_cbo(&m, 0, HIERARCHY_CBO_ZERO, 0x1010, &a);
	is_answer(&a, BIT(L1D_WRITE) | BIT(L1D_WRITE_MISS), 0);
	hierarchy_free(&m);
}

/*
 * L1 prefetches a line that L2 lacks, so L2 prefetches the next one: an access from above is like
 * any other.  L2 has 4 lines, each in its own set.
 */
static void prefetches_of_prefetches(void)
{
	struct hierarchy_config config = base;
	struct hierarchy_answer a;
	struct hierarchy m;

	config.l1d.prefetch = config.l2.prefetch = CACHE_PREFETCH_ON_MISS;
	config.l2.sets = 4;
	config.l2.ways = 1;
	config.ll.sets = 0;
	m = make(&config, 1);
	/* L2 has line 0 for L1I, and has prefetched line 1. */
	hierarchy_access(&m, 0, HIERARCHY_FETCH, 0x1000, &a);
	is_answer(&a,
		  BIT(L1I_READ) | BIT(L1I_READ_MISS) | BIT(L2_READ) | BIT(L2_READ_MISS) |
			  BIT(BUS_READ) | BIT(L2_PREFETCH) | BIT(L2_PREFETCH_MISS) |
			  BIT(BUS_PREFETCH),
		  100);
	/* Line 5 replaces line 1, and line 6 replaces none. */
	hierarchy_access(&m, 0, HIERARCHY_FETCH, 0x1140, &a);
	/* L2 has line 0 still; L1D's prefetch of line 1 misses, and so L2 prefetches line 2. */
	hierarchy_access(&m, 0, HIERARCHY_READ, 0x1000, &a);
	is(a.what, BIT(L1D_READ) | BIT(L1D_READ_MISS) | BIT(L2_READ) | BIT(L1D_PREFETCH) |
			   BIT(L1D_PREFETCH_MISS) | BIT(L2_PREFETCH) | BIT(L2_PREFETCH_MISS) |
			   BIT(BUS_PREFETCH));
	is(a.count[HIERARCHY_L1D_PREFETCH], 1);
	is(a.count[HIERARCHY_L2_PREFETCH], 2);
	is(a.count[HIERARCHY_L2_PREFETCH_MISS], 2);
	is(a.count[HIERARCHY_BUS_PREFETCH], 2);
	/* If the access misses in L1D only, L2 prefetches nothing. */
	hierarchy_access(&m, 0, HIERARCHY_FETCH, 0x1080, &a);
	is_answer(&a, BIT(L1I_READ) | BIT(L1I_READ_MISS) | BIT(L2_READ), 10);
	hierarchy_free(&m);
}

static void sharing(void)
{
	struct hierarchy m = make(&base, 2);
	struct hierarchy_answer a;

	hierarchy_access(&m, 0, HIERARCHY_WRITE, 0x1000, &a);
	ok(hierarchy_write_hit(&m.hart[0], 0x1000));
	/* Hart 1 reads it: hart 0 writes it back and keeps it clean. */
	hierarchy_access(&m, 1, HIERARCHY_READ, 0x1000, &a);
	is_answer(&a,
		  BIT(L1D_READ) | BIT(L1D_READ_MISS) | BIT(L2_READ) | BIT(L2_READ_MISS) |
			  BIT(SNOOP_WRITEBACK) | BIT(LL_UPDATE) | BIT(LL_READ),
		  37);
	ok(hierarchy_read_hit(&m.hart[0], 0x1000) && !hierarchy_write_hit(&m.hart[0], 0x1000));
	/* Hart 1 writes it: hart 0 loses it, and hart 1 waits for that only. */
	hierarchy_access(&m, 1, HIERARCHY_ATOMIC, 0x1000, &a);
	is_answer(&a, BIT(L1D_WRITE) | BIT(SNOOP_INVALIDATE), 7);
	ok(!hierarchy_read_hit(&m.hart[0], 0x1000));
	ok(hierarchy_write_hit(&m.hart[1], 0x1000));
	/* Fetched lines stay until fence.i. */
	hierarchy_access(&m, 0, HIERARCHY_FETCH, 0x1000, &a);
	hierarchy_access(&m, 1, HIERARCHY_WRITE, 0x1000, &a);
	ok(hierarchy_fetch_hit(&m.hart[0], 0x1000));
	hierarchy_fence_i(&m, 0);
	ok(!hierarchy_fetch_hit(&m.hart[0], 0x1000));
	hierarchy_free(&m);
}

/*
 * Walks over arrays: smaller than, equal to and larger than each size; misses of L1 and L2 in the
 * second pass.
 */
static void sizes(void)
{
	static const struct {
		unsigned lines, l1, l2;
	} walks[] = {
		{ 7, 0, 0 },   { 8, 0, 0 },   { 9, 3, 0 },    { 12, 12, 0 },
		{ 32, 32, 0 }, { 33, 33, 5 }, { 40, 40, 40 },
	};

	for (unsigned n = 0; n < TAP_NR(walks); n++) {
		struct hierarchy m = make(&base, 1);
		unsigned l1 = 0, l2 = 0;
		struct hierarchy_answer a;

		tap_context("%u lines", walks[n].lines);
		for (unsigned k = 0; k < 2 * walks[n].lines; k++) {
			hierarchy_access(&m, 0, HIERARCHY_READ, 0x4000 + k % walks[n].lines * 64,
					 &a);
			if (k < walks[n].lines)
				continue;
			l1 += a.what >> HIERARCHY_L1D_READ_MISS & 1;
			l2 += a.what >> HIERARCHY_L2_READ_MISS & 1;
		}
		is(l1, walks[n].l1);
		is(l2, walks[n].l2);
		hierarchy_free(&m);
	}
}

static bool save(void *model, const struct stream *s)
{
	return hierarchy_save(model, s);
}

static bool restore(void *model, const struct stream *s)
{
	return hierarchy_restore(model, s);
}

static void reset(void *model)
{
	hierarchy_reset(model);
}

/* A line that is dirty in c is in no other hart's caches: the hot path depends on this. */
static bool exclusive(const struct hierarchy *m)
{
	for (uint64_t line = 0x80000000; line < 0x80004000; line += 64) {
		unsigned dirty = 0, holders = 0;

		for (unsigned n = 0; n < m->harts; n++) {
			enum cache_state l1d = cache_find(&m->hart[n].l1d, line),
					 l2 = cache_find(&m->hart[n].l2, line);

			dirty += l1d == CACHE_MODIFIED || l2 == CACHE_MODIFIED;
			holders += l1d != CACHE_ABSENT || l2 != CACHE_ABSENT;
		}
		if (dirty && holders != 1)
			return false;
	}
	return true;
}

static void snapshots(void)
{
	struct hierarchy m = make(&base, HARTS);
	struct rig_model model = { &m, save, restore, reset };
	struct trace t = trace_random(12, 3000, 16384);
	struct hierarchy_answer a;
	struct bytes b;

	for (unsigned n = 0; n < t.nr; n++) {
		hierarchy_access(&m, n % HARTS, t.step[n].kind ? HIERARCHY_WRITE : HIERARCHY_READ,
				 t.step[n].addr, &a);
		ok(n % 100 || exclusive(&m));
	}
	ok(rig_hostile(&model, 400) > 200);

	/* Hart 1 claims as dirty a line that hart 0 has: each cache alone would be possible. */
	hierarchy_reset(&m);
	hierarchy_access(&m, 0, HIERARCHY_READ, 0x80000000, &a);
	hierarchy_access(&m, 1, HIERARCHY_READ, 0x80000000, &a);
	m.hart[1].l1d.word[0] |= CACHE_DIRTY;
	b = rig_save(&model);
	ok(!rig_restore(&model, &b, b.len));
	is(cache_find(&m.hart[0].l1d, 0x80000000), CACHE_ABSENT);
	free(b.data);
	free(t.step);
	hierarchy_free(&m);
}

static void impossible(void)
{
	struct hierarchy_config config = base;
	struct model_error why = { 0 };

	ok(hierarchy_check(&config, &why));
	config.l2.line = 32;
	ok(!hierarchy_check(&config, &why));
	is_str(why.part, "l2");
	is_str(why.field, "line");
	is_str(why.error.text, "32, where L1D has 64: all caches need one line size");
	config = base;
	config.l1i.sets = 0; /* the first level must exist */
	ok(!hierarchy_check(&config, &why));
	is_str(why.part, "l1i");
	is_str(why.field, "sets");
	config = base;
	config.l2.sets = config.ll.sets = 0;
	ok(hierarchy_check(&config, &why));
	config.cbo_bytes = 0;
	ok(!hierarchy_check(&config, &why));
	ok(!why.part);
	is_str(why.field, "cbo_bytes");
	config = base;
	config.bus_cycles = 1000000;
	ok(!hierarchy_check(&config, &why));
	is_str(why.field, "bus_cycles");
	is_str(why.error.text, "1000000 is outside 0 to 100000");
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "random traces of three harts, compared with the plain machine", random_traces },
		{ "stride walks and chases, compared with the plain machine", patterns },
		{ "a recorded program, compared with the plain machine", recorded },
		{ "each level by hand", levels },
		{ "L2 prefetches for prefetches of L1", prefetches_of_prefetches },
		{ "harts that share a line", sharing },
		{ "walks over arrays around each size", sizes },
		{ "snapshots, and damaged ones", snapshots },
		{ "impossible shapes", impossible },
	};

	return tap_run(cases, TAP_NR(cases));
}
