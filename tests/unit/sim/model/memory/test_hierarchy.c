// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_hierarchy.c - the caches of a machine: compared with those of plain_hierarchy.h, and with
 * sequences computed by hand.
 */
#include "hierarchy_rig.h"
#include "plain_hierarchy.h"

static bool same_answer(const struct plain *p, const struct hierarchy_answer *a, unsigned cycles)
{
	for (unsigned n = 0; n < HIERARCHY_EVENTS; n++) {
		if ((a->what >> n & 1 ? a->count[n] : 0) != p->what[n])
			return false;
	}
	return a->cycles == cycles;
}

/* The same of one access, which also tells where the line was. */
static bool same_access(const struct plain *p, const struct hierarchy_answer *a, unsigned cycles)
{
	return same_answer(p, a, cycles) && a->written == p->written &&
	       (!cycles || a->from == p->from);
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
		 uint64_t pa, uint64_t at)
{
	static const uint8_t access[] = { HIERARCHY_L1I_READ, HIERARCHY_L1D_READ,
					  HIERARCHY_L1D_WRITE, HIERARCHY_L1D_WRITE };
	bool fast = pa & 16 &&
		    hits(&m->hart[h], kind, pa); /* or the slow path: the answer must be the same */
	struct hierarchy_answer a = { 0 };
	unsigned cycles;

	/* A load for each 8 KiB. */
	m->hart[h].pc = p->pc = pa >> 13 << 1;
	cycles = plain_access(p, h, kind, pa, at);
	if (fast) {
		a.what = 1ull << access[kind];
		a.count[access[kind]] = 1;
	} else {
		hierarchy_access(m, h, kind, pa, at, &a);
	}
	return same_access(p, &a, cycles);
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
		c[k]->ahead = (struct prefetch_config){ 1 << n % 3, 1 + n % 4, 1 + n % 7,
							1 << n % 5 };
		if (n & 16)
			c[k]->policy = rig_random(&seed) % REPLACE_POLICIES;
		c[k]->line = n & 32 ? 32 : n & 64 ? 128 : 64;
	}
	if (n % 3) { /* limits that are often reached */
		config.misses = n % 5;
		config.l2_line_cycles = n % 7 * 2;
		config.ll_line_cycles = n % 11 * 3;
		config.bus_line_cycles = n % 13 * 5;
		config.turn = n * 10;
		config.l2_banks = 1 << n % 4;
		config.ll_banks = 8 >> n % 4;
		config.write_stream = n % 4;
		config.row_hit_cycles = n % 100;
		config.row_bytes = n % 5 ? 128 << n % 4 : 0;
		config.row_banks = 1 << n % 5;
		config.row_interleave = 128 << n % (n % 4 + 1);
	}
	config.l2.sets = n & 1 ? 0 : config.l2.sets;
	config.ll.sets = n & 2 ? 0 : config.ll.sets;
	return config;
}

static void follow(unsigned number, const struct trace *t)
{
	struct hierarchy_config config = variant(number);
	struct plain p = plain_create(&config, PLAIN_HARTS);
	uint64_t seed = number;
	struct model_error why = { 0 };
	struct hierarchy m;
	uint64_t now[PLAIN_HARTS] = { 0 };
	bool same = true;

	ok(hierarchy_check(&config, &why));
	ok(hierarchy_init(&m, &config, PLAIN_HARTS));
	tap_context("variant %u", number);
	for (size_t n = 0; n < t->nr && same; n++) {
		const struct step *s = &t->step[n];
		unsigned what = rig_random(&seed) % 100, h = rig_random(&seed) % 16 % PLAIN_HARTS;
		enum hierarchy_kind kind = s->kind == STEP_WRITE ? HIERARCHY_WRITE : HIERARCHY_READ;
		struct hierarchy_answer a;
		/* Each hart has its time, which mostly goes on. */
		uint64_t at = now[h] += rig_random(&seed) % 60;

		at -= rig_random(&seed) % (at < 20 ? 1 : 20);
		if (s->kind > STEP_WRITE) {
			same = step(&m, &p, h, HIERARCHY_FETCH, s->pc, at);
		} else if (what < 4) {
			unsigned cycles = plain_cbo(&p, h, what, s->addr, at);

			hierarchy_cbo(&m, h, what, s->addr, at, &a);
			same = same_answer(&p, &a, cycles);
		} else if (what == 4) {
			hierarchy_fence_i(&m, h);
			for (unsigned k = 0; k < config.l1i.sets * config.l1i.ways; k++)
				p.l1i[h].line[k].valid = false;
		} else {
			if (what < 30)
				kind = what < 20 ? HIERARCHY_ATOMIC - what % 2 * 3
						 : what % HIERARCHY_KINDS;
			same = step(&m, &p, h, kind, s->addr, at);
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

/* The first access after the data of a line has come: the next ones are fast. */
static void settled(struct hierarchy *m, unsigned hart, uint64_t pa, uint64_t at)
{
	struct hierarchy_answer a;

	ok(!hierarchy_read_hit(&m->hart[hart], pa));
	hierarchy_access(m, hart, HIERARCHY_READ, pa, at, &a);
	is_answer(&a, BIT(L1D_READ), 0);
}

static void levels(void)
{
	struct hierarchy m = make(&base, 1);
	struct hierarchy_answer a;

	hierarchy_access(&m, 0, HIERARCHY_READ, 0x1000, 1000, &a);
	is_answer(&a,
		  BIT(L1D_READ) | BIT(L1D_READ_MISS) | BIT(L2_READ) | BIT(L2_READ_MISS) |
			  BIT(LL_READ) | BIT(LL_READ_MISS) | BIT(BUS_READ),
		  100);
	settled(&m, 0, 0x1000, 1500);
	ok(hierarchy_read_hit(&m.hart[0], 0x1038));
	/* The same line is fetched by another hart: L2 has it. */
	hierarchy_access(&m, 0, HIERARCHY_FETCH, 0x1000, 2000, &a);
	is_answer(&a, BIT(L1I_READ) | BIT(L1I_READ_MISS) | BIT(L2_READ), 10);
	hierarchy_access(&m, 0, HIERARCHY_WRITE, 0x1000, 3000, &a);
	is_answer(&a, BIT(L1D_WRITE), 0);
	ok(hierarchy_write_hit(&m.hart[0], 0x1000));
	hierarchy_access(&m, 0, HIERARCHY_READ_UNCACHED, 0x10000000, 4000, &a);
	is_answer(&a, BIT(UNCACHED_READ) | BIT(BUS_READ), 55);
	/* Two more lines in its set evict it while it is dirty. */
	hierarchy_access(&m, 0, HIERARCHY_READ, 0x1100, 5000, &a);
	hierarchy_access(&m, 0, HIERARCHY_READ, 0x1200, 6000, &a);
	is_answer(&a,
		  BIT(L1D_READ) | BIT(L1D_READ_MISS) | BIT(L2_READ) | BIT(L2_READ_MISS) |
			  BIT(LL_READ) | BIT(LL_READ_MISS) | BIT(BUS_READ) | BIT(L1D_WRITEBACK) |
			  BIT(L2_UPDATE),
		  100);
	hierarchy_cbo(&m, 0, HIERARCHY_CBO_FLUSH, 0x1010, 7000, &a);
	is_answer(&a, BIT(L2_WRITEBACK) | BIT(BUS_WRITE), 100);
	hierarchy_cbo(&m, 0, HIERARCHY_CBO_FLUSH, 0x1010, 8000, &a);
	is_answer(&a, 0, 0);
	hierarchy_cbo(&m, 0, HIERARCHY_CBO_ZERO, 0x1010, 9000, &a);
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
	hierarchy_access(&m, 0, HIERARCHY_FETCH, 0x1000, 1000, &a);
	is_answer(&a,
		  BIT(L1I_READ) | BIT(L1I_READ_MISS) | BIT(L2_READ) | BIT(L2_READ_MISS) |
			  BIT(BUS_READ) | BIT(L2_PREFETCH) | BIT(L2_PREFETCH_MISS) |
			  BIT(BUS_PREFETCH),
		  100);
	/* Line 5 replaces line 1, and line 6 replaces none. */
	hierarchy_access(&m, 0, HIERARCHY_FETCH, 0x1140, 2000, &a);
	/* L2 has line 0 still; L1D's prefetch of line 1 misses, and so L2 prefetches line 2. */
	hierarchy_access(&m, 0, HIERARCHY_READ, 0x1000, 3000, &a);
	is(a.what, BIT(L1D_READ) | BIT(L1D_READ_MISS) | BIT(L2_READ) | BIT(L1D_PREFETCH) |
			   BIT(L1D_PREFETCH_MISS) | BIT(L2_PREFETCH) | BIT(L2_PREFETCH_MISS) |
			   BIT(BUS_PREFETCH));
	is(a.count[HIERARCHY_L1D_PREFETCH], 1);
	is(a.count[HIERARCHY_L2_PREFETCH], 2);
	is(a.count[HIERARCHY_L2_PREFETCH_MISS], 2);
	is(a.count[HIERARCHY_BUS_PREFETCH], 2);
	/* If the access misses in L1D only, L2 prefetches nothing. */
	hierarchy_access(&m, 0, HIERARCHY_FETCH, 0x1080, 4000, &a);
	is_answer(&a, BIT(L1I_READ) | BIT(L1I_READ_MISS) | BIT(L2_READ), 10);
	hierarchy_free(&m);
}

static void sharing(void)
{
	struct hierarchy m = make(&base, 2);
	struct hierarchy_answer a;

	hierarchy_access(&m, 0, HIERARCHY_WRITE, 0x1000, 1000, &a);
	settled(&m, 0, 0x1000, 1500);
	ok(hierarchy_write_hit(&m.hart[0], 0x1000));
	/* Hart 1 reads it: hart 0 writes it back and keeps it clean. */
	hierarchy_access(&m, 1, HIERARCHY_READ, 0x1000, 2000, &a);
	is_answer(&a,
		  BIT(L1D_READ) | BIT(L1D_READ_MISS) | BIT(L2_READ) | BIT(L2_READ_MISS) |
			  BIT(SNOOP_WRITEBACK) | BIT(LL_UPDATE) | BIT(LL_READ),
		  37);
	ok(hierarchy_read_hit(&m.hart[0], 0x1000) && !hierarchy_write_hit(&m.hart[0], 0x1000));
	/* Hart 1 writes it: hart 0 loses it, and hart 1 waits for that only. */
	hierarchy_access(&m, 1, HIERARCHY_ATOMIC, 0x1000, 3000, &a);
	is_answer(&a, BIT(L1D_WRITE) | BIT(SNOOP_INVALIDATE), 7);
	ok(!hierarchy_read_hit(&m.hart[0], 0x1000));
	ok(hierarchy_write_hit(&m.hart[1], 0x1000));
	/* Fetched lines stay until fence.i. */
	hierarchy_access(&m, 0, HIERARCHY_FETCH, 0x1000, 4000, &a);
	hierarchy_access(&m, 1, HIERARCHY_WRITE, 0x1000, 5000, &a);
	hierarchy_access(&m, 0, HIERARCHY_FETCH, 0x1000, 6000, &a);
	is_answer(&a, BIT(L1I_READ), 0);
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
			hierarchy_access(&m, 0, HIERARCHY_READ, 0x4000 + k % walks[n].lines * 64, 0,
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
	struct hierarchy m = make(&base, PLAIN_HARTS);
	struct rig_model model = hierarchy_model(&m);
	struct trace t = trace_random(12, 3000, 16384);
	struct hierarchy_answer a;
	struct bytes b;

	for (unsigned n = 0; n < t.nr; n++) {
		hierarchy_access(&m, n % PLAIN_HARTS,
				 t.step[n].kind ? HIERARCHY_WRITE : HIERARCHY_READ, t.step[n].addr,
				 n * 20, &a);
		ok(n % 100 || exclusive(&m));
	}
	ok(rig_hostile(&model, 400) > 200);

	/* Hart 1 claims as dirty a line that hart 0 has: each cache alone would be possible. */
	hierarchy_reset(&m);
	hierarchy_access(&m, 0, HIERARCHY_READ, 0x80000000, 0, &a);
	hierarchy_access(&m, 1, HIERARCHY_READ, 0x80000000, 0, &a);
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
	rig_refused(&why, "l2", "line", "32, where L1D has 64: all caches need one line size");
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
	rig_refused(&why, NULL, "bus_cycles", "1000000 is outside 0 to 100000");
	config = base;
	config.misses = 33;
	ok(!hierarchy_check(&config, &why));
	rig_refused(&why, NULL, "misses", "33 is outside 0 to 32");
	config = base;
	config.bus_line_cycles = 4097;
	ok(!hierarchy_check(&config, &why));
	rig_refused(&why, NULL, "bus_line_cycles", "4097 is outside 0 to 4096");
	config = base;
	config.row_hit_cycles = 60;
	config.row_bytes = 1024;
	config.row_banks = 4;
	config.row_interleave = 64;
	ok(hierarchy_check(&config, &why));
	config.row_hit_cycles = 101;
	ok(!hierarchy_check(&config, &why));
	rig_refused(&why, NULL, "row_hit_cycles", "101 is outside 0 to 100");
	config.row_hit_cycles = 0;
	config.row_banks = 48;
	ok(!hierarchy_check(&config, &why));
	rig_refused(&why, NULL, "row_banks", "48 is not a power of two");
	config.row_banks = 64;
	config.row_interleave = 2048;
	ok(!hierarchy_check(&config, &why));
	rig_refused(&why, NULL, "row_interleave", "2048 is outside 64 to 1024");
	config.row_bytes = 32;
	ok(!hierarchy_check(&config, &why));
	rig_refused(&why, NULL, "row_bytes", "32 is outside 64 to 1048576");
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
