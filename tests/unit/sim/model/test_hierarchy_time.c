// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_hierarchy_time.c - when data arrives in the caches of a machine: cycles computed by hand.
 */
#include "hierarchy.h"
#include "model_rig.h"

static const struct hierarchy_config base = {
	.l1i = { .line = 64, .sets = 64, .ways = 2 },
	.l1d = { .line = 64, .sets = 64, .ways = 2 },
	.l2 = { .line = 64, .sets = 64, .ways = 4 },
	.ll = { .line = 64, .sets = 64, .ways = 8 },
	.l2_cycles = 10,
	.ll_cycles = 30,
	.bus_cycles = 100,
	.snoop_cycles = 7,
	.uncached_cycles = 55,
	.cbo_bytes = 64,
};

static struct hierarchy make(const struct hierarchy_config *config, unsigned harts)
{
	struct model_error why = { 0 };
	struct hierarchy m;

	ok(hierarchy_check(config, &why));
	ok(hierarchy_init(&m, config, harts));
	return m;
}

static struct hierarchy_answer answer(struct hierarchy *m, unsigned hart, enum hierarchy_kind kind,
				      uint64_t pa, uint64_t at)
{
	struct hierarchy_answer a;

	hierarchy_access(m, hart, kind, pa, at, &a);
	return a;
}

#define FETCH(hart, pa, at)  answer(&m, hart, HIERARCHY_FETCH, pa, at).cycles
#define READ(hart, pa, at)   answer(&m, hart, HIERARCHY_READ, pa, at).cycles
#define WRITE(hart, pa, at)  answer(&m, hart, HIERARCHY_WRITE, pa, at).cycles
#define ATOMIC(hart, pa, at) answer(&m, hart, HIERARCHY_ATOMIC, pa, at).cycles
#define WALK(hart, pa, at)   answer(&m, hart, HIERARCHY_WALK, pa, at).cycles
#define BIT(event)	     (1ull << HIERARCHY_##event)

/* Hit under miss, in L1D and L2. */
static void coming(void)
{
	struct hierarchy m = make(&base, 1);
	struct hierarchy_answer a;

	is(READ(0, 0x1000, 1000), 100);
	a = answer(&m, 0, HIERARCHY_READ, 0x1020, 1040);
	is(a.what, BIT(L1D_READ));
	is(a.cycles, 60);
	is(a.from, HIERARCHY_FROM_MEMORY);
	ok(!a.written);
	is(WALK(0, 0x1008, 1050), 50);
	is(ATOMIC(0, 0x1000, 1060), 40);
	is(READ(0, 0x1000, 1099), 1);
	ok(!hierarchy_read_hit(&m.hart[0], 0x1000));
	is(READ(0, 0x1000, 1100), 0);
	ok(hierarchy_read_hit(&m.hart[0], 0x1000) && hierarchy_write_hit(&m.hart[0], 0x1000));
	/* It has come: an access that is a little earlier does not wait. */
	is(READ(0, 0x1000, 1098), 0);

	/* L2 waits for the line, too: its own ten cycles end before, or after. */
	is(READ(0, 0x3000, 3000), 100);
	a = answer(&m, 0, HIERARCHY_FETCH, 0x3000, 3050);
	is(a.what, BIT(L1I_READ) | BIT(L1I_READ_MISS) | BIT(L2_READ));
	is(a.cycles, 50);
	is(a.from, HIERARCHY_FROM_MEMORY);
	is(FETCH(0, 0x3000, 3070), 30);
	is(READ(0, 0x4000, 4000), 100);
	a = answer(&m, 0, HIERARCHY_FETCH, 0x4000, 4095);
	is(a.cycles, 10);
	is(a.from, HIERARCHY_FROM_L2);
	is(FETCH(0, 0x4000, 4101), 4);
	hierarchy_free(&m);
}

/* Reads and writes of a line that a write has asked for. */
static void written(void)
{
	struct hierarchy m = make(&base, 1);
	struct hierarchy_answer a;

	is(WRITE(0, 0x2000, 2000), 100);
	a = answer(&m, 0, HIERARCHY_READ, 0x2000, 2010);
	is(a.cycles, 90);
	ok(a.written);
	a = answer(&m, 0, HIERARCHY_WRITE, 0x2008, 2020);
	is(a.cycles, 80);
	ok(a.written);
	a = answer(&m, 0, HIERARCHY_READ, 0x2000, 2100);
	is(a.cycles, 0);
	ok(!a.written);
	/* The first write of a line that a read has asked for waits by itself. */
	is(READ(0, 0x2400, 3000), 100);
	a = answer(&m, 0, HIERARCHY_WRITE, 0x2400, 3010);
	is(a.cycles, 90);
	ok(!a.written);
	ok(answer(&m, 0, HIERARCHY_WRITE, 0x2400, 3020).written);
	/* cbo.zero needs no data. */
	hierarchy_cbo(&m, 0, HIERARCHY_CBO_ZERO, 0x2800, 4000, &a);
	is(a.cycles, 0);
	is(READ(0, 0x2800, 4000), 0);
	/* cbo.flush waits for the line that it writes back: 50, then the bus. */
	is(WRITE(0, 0x2c00, 5000), 100);
	hierarchy_cbo(&m, 0, HIERARCHY_CBO_FLUSH, 0x2c00, 5050, &a);
	is(a.cycles, 150);
	hierarchy_free(&m);
}

/* Prefetches that come in time, or late. */
static void prefetches(void)
{
	struct hierarchy_config config = base;
	struct hierarchy m;
	struct hierarchy_answer a;

	config.l1d.prefetch = CACHE_PREFETCH_TAGGED;
	m = make(&config, 1);
	is(READ(0, 0x1000, 0), 100);
	/* Line 1 arrives at 100; line 2 is asked for at 30. */
	a = answer(&m, 0, HIERARCHY_READ, 0x1040, 30);
	is(a.what, BIT(L1D_READ) | BIT(L1D_PREFETCH) | BIT(L1D_PREFETCH_MISS) | BIT(L2_PREFETCH) |
			   BIT(L2_PREFETCH_MISS) | BIT(LL_PREFETCH) | BIT(LL_PREFETCH_MISS) |
			   BIT(BUS_PREFETCH));
	is(a.cycles, 70);
	is(a.from, HIERARCHY_FROM_MEMORY);
	is(READ(0, 0x1080, 120), 10);
	is(READ(0, 0x10c0, 220), 0);
	/* A prefetch that L2 has takes ten cycles. */
	is(FETCH(0, 0x2040, 1000), 100);
	is(READ(0, 0x2000, 2000), 100);
	a = answer(&m, 0, HIERARCHY_READ, 0x2040, 2003);
	is(a.cycles, 7);
	is(a.from, HIERARCHY_FROM_L2);
	hierarchy_free(&m);
}

/* Harts that share a line. */
static void sharing(void)
{
	struct hierarchy m = make(&base, 2);
	struct hierarchy_answer a;

	/* The last level waits for the line that hart 0 has asked for. */
	is(READ(0, 0x5000, 1000), 100);
	a = answer(&m, 1, HIERARCHY_READ, 0x5000, 1020);
	is(a.what,
	   BIT(L1D_READ) | BIT(L1D_READ_MISS) | BIT(L2_READ) | BIT(L2_READ_MISS) | BIT(LL_READ));
	is(a.cycles, 80);
	is(a.from, HIERARCHY_FROM_MEMORY);
	/*
	 * Hart 0 has run ahead.  Hart 1 comes to the line before: it waits as long as the line took,
	 * and for the others the line comes as much earlier.
	 */
	is(READ(0, 0x5400, 9000), 100);
	is(READ(1, 0x5400, 5000), 100);
	is(READ(1, 0x5400, 5040), 60);
	is(FETCH(1, 0x5400, 5050), 50);
	/* A line that is dirty in hart 0 must be there before hart 1 gets it: 80, 7, 30. */
	is(WRITE(0, 0x6000, 10000), 100);
	a = answer(&m, 1, HIERARCHY_READ, 0x6000, 10020);
	is(a.what, BIT(L1D_READ) | BIT(L1D_READ_MISS) | BIT(L2_READ) | BIT(L2_READ_MISS) |
			   BIT(SNOOP_WRITEBACK) | BIT(LL_UPDATE) | BIT(LL_READ));
	is(a.cycles, 117);
	is(a.from, HIERARCHY_FROM_LL);
	/* A write waits for the others, and for its line. */
	is(WRITE(0, 0x6000, 10200), 7);
	is(READ(0, 0x6400, 11000), 100);
	is(READ(1, 0x6400, 11010), 90);
	is(WRITE(1, 0x6400, 11096), 7);
	is(READ(0, 0x6800, 12000), 100);
	is(READ(1, 0x6800, 12010), 90);
	is(WRITE(1, 0x6800, 12020), 80);
	hierarchy_free(&m);
}

/* Times that no clock reaches. */
static void limits(void)
{
	struct hierarchy m = make(&base, 1);

	is(READ(0, 0x1000, CACHE_TIME_MAX - 99), 100);
	is(READ(0, 0x1000, CACHE_TIME_MAX - 99), 0);
	is(READ(0, 0x2000, CACHE_TIME_MAX - 100), 100);
	is(READ(0, 0x2000, CACHE_TIME_MAX - 100), 100);
	hierarchy_free(&m);
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

/* Accesses of harts that take turns: n is the number of the access. */
static struct hierarchy_answer disturb(struct hierarchy *m, uint64_t *seed, unsigned n)
{
	unsigned hart = n / 16 % m->harts, kind = rig_random(seed) % 5;
	uint64_t pa = 0x80000000 + rig_random(seed) % 32768;

	m->hart[hart].pc = pa >> 13 << 1;
	return answer(m, hart, kind, pa, n / 32 * 400 + n % 16 * 25);
}

static void snapshots(void)
{
	struct hierarchy m = make(&base, 2), other = make(&base, 2);
	struct rig_model model = { &m, save, restore, reset },
			 to = { &other, save, restore, reset };
	uint64_t seed = 5, seed2;
	unsigned waits = 0;
	struct bytes b;

	for (unsigned n = 0; n < 4000; n++)
		disturb(&m, &seed, n);
	ok(rig_hostile(&model, 400) > 200);
	b = rig_save(&model);
	ok(rig_restore(&to, &b, b.len));
	free(b.data);
	seed2 = seed;
	for (unsigned n = 4000; n < 8000; n++) {
		struct hierarchy_answer a = disturb(&m, &seed, n), c = disturb(&other, &seed2, n);

		is(a.what, c.what);
		is(a.cycles, c.cycles);
		waits += a.cycles % 10 != 0;
	}
	ok(waits > 1000);
	hierarchy_free(&m);
	hierarchy_free(&other);
}

/* Arrivals that no access leads to; the only one is at the end of its cache. */
static void hostile(void)
{
	static const struct {
		uint64_t at;
		uint32_t took, from;
		bool good;
	} cases[] = {
		{ 1100, 100, 2, true },
		{ 1100, 0, 2 },
		{ 1100, 1101, 2 },
		{ CACHE_TIME_MAX, CACHE_TOOK_MAX, 0, true },
		{ CACHE_TIME_MAX, CACHE_TOOK_MAX + 1, 0 },
		{ CACHE_TIME_MAX + 1, 100, 0 },
		{ 1100, 100, HIERARCHY_PLACES },
		{ 1100, 100, 256 },
	};
	struct hierarchy_config config = base;
	struct hierarchy m;
	struct rig_model model = { &m, save, restore, reset };
	struct bytes b;

	config.l2.sets = config.ll.sets = 0;
	m = make(&config, 1);
	is(READ(0, 0x1000, 1000), 100);
	b = rig_save(&model);
	for (unsigned n = 0; n < TAP_NR(cases); n++) {
		uint8_t *arrival = b.data + b.len - 16;

		tap_context("case %u", n);
		memcpy(arrival, &cases[n].at, 8);
		memcpy(arrival + 8, &cases[n].took, 4);
		memcpy(arrival + 12, &cases[n].from, 4);
		is(rig_restore(&model, &b, b.len), cases[n].good);
	}
	free(b.data);
	hierarchy_free(&m);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "an access that finds a line that is coming", coming },
		{ "a line that a write has asked for", written },
		{ "prefetches in time, and late ones", prefetches },
		{ "lines that harts share", sharing },
		{ "the end of time", limits },
		{ "snapshots, and damaged ones", snapshots },
		{ "arrivals that are impossible", hostile },
	};

	return tap_run(cases, TAP_NR(cases));
}
