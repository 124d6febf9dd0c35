// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_hierarchy_time.c - when data arrives in the caches of a machine: cycles computed by hand.
 */
#include "hierarchy_rig.h"

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
	/* L1I never finds the line of a fetch on its way: the front end has waited for it. */
	is(FETCH(0, 0x3000, 3070), 0);
	is(READ(0, 0x4000, 4000), 100);
	a = answer(&m, 0, HIERARCHY_FETCH, 0x4000, 4095);
	is(a.cycles, 10);
	is(a.from, HIERARCHY_FROM_L2);
	is(FETCH(0, 0x4000, 4101), 0);
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
	 * Hart 0 has run ahead.  Hart 1 comes to the line before: it waits as long as the line
	 * took, and for the others the line comes as much earlier.
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

/* L1D waits for two lines at a time. */
static void outstanding(void)
{
	struct hierarchy_config config = base;
	struct hierarchy m;

	config.misses = 2;
	m = make(&config, 1);
	is(READ(0, 0x1000, 1000), 100);
	is(READ(0, 0x1040, 1010), 100);
	is(READ(0, 0x1080, 1020), 180); /* from 1100 on */
	is(READ(0, 0x1080, 1030), 170); /* the same line */
	is(WALK(0, 0x10c0, 1040), 170); /* from 1110 on */
	is(FETCH(0, 0x1100, 1040), 100);
	is(WRITE(0, 0x1140, 1050), 250); /* from 1200 on */
	hierarchy_cbo(&m, 0, HIERARCHY_CBO_ZERO, 0x1180, 1060, &(struct hierarchy_answer){ 0 });
	is(ATOMIC(0, 0x11c0, 1205), 105); /* from 1210 on */
	/* A line in L2 needs one of the two, too. */
	is(READ(0, 0x1100, 1206), 104); /* from 1300 on */
	hierarchy_free(&m);

	config.misses = 1;
	m = make(&config, 1);
	for (unsigned n = 0; n < 10; n++)
		is(READ(0, 0x1000 + n * 64, 1000 + n), 100 + n * 99);
	hierarchy_free(&m);
	config.misses = 0;
	m = make(&config, 1);
	for (unsigned n = 0; n < 40; n++)
		is(READ(0, 0x1000 + n * 64, 1000 + n), 100);
	hierarchy_free(&m);
}

/* A line that has come counts for 30 cycles more. */
static void filling(void)
{
	struct hierarchy_config config = base;
	struct hierarchy m;

	config.misses = 2;
	config.fill_cycles = 30;
	m = make(&config, 1);
	is(READ(0, 0x1000, 1000), 100);
	is(READ(0, 0x1040, 1010), 100);
	is(READ(0, 0x1000, 1110), 0); /* its data is there */
	is(READ(0, 0x1080, 1110), 120); /* from 1130 on */
	is(READ(0, 0x10c0, 1140), 100); /* the second was free at 1140 */
	is(READ(0, 0x1100, 1150), 210); /* from 1260 on */
	is(READ(0, 0x1140, 1300), 100); /* the entry of 0x10c0, free since 1270 */
	hierarchy_free(&m);
	config.fill_cycles = 1001;
	ok(!hierarchy_check(&config, &(struct model_error){ 0 }));
}

/* Lines that occupy L2 for 4 cycles, the last level for 8, memory for 20. */
static void bandwidth(void)
{
	struct hierarchy_config config = base;
	struct hierarchy_answer a;
	struct hierarchy m;

	config.l1d.ways = 1;
	config.l2_line_cycles = 4;
	config.ll_line_cycles = 8;
	config.bus_line_cycles = 20;
	m = make(&config, 1);
	is(READ(0, 0x1000, 1000), 100);
	is(READ(0, 0x1040, 1000), 120); /* L2 from 1004 on, the last level 1008, memory 1020 */
	is(READ(0, 0x1080, 1000), 140);
	is(READ(0, 0x1080, 1010), 130);
	for (unsigned n = 0; n < 3; n++)
		is(FETCH(0, 0x1000 + n * 64, 3000), 10 + n * 4);
	/* A line that is written back is served after the one for which it has to go. */
	is(WRITE(0, 0x10c0, 5000), 100);
	a = answer(&m, 0, HIERARCHY_READ, 0x20c0, 6000);
	ok(a.what & BIT(L1D_WRITEBACK) && a.what & BIT(L2_UPDATE));
	is(a.cycles, 100);
	is(FETCH(0, 0x10c0, 6000), 18);
	/* cbo.flush takes turns of memory. */
	is(WRITE(0, 0x1100, 7000), 100);
	is(WRITE(0, 0x1140, 7000), 120);
	hierarchy_cbo(&m, 0, HIERARCHY_CBO_FLUSH, 0x1100, 8000, &a);
	is(a.cycles, 100);
	hierarchy_cbo(&m, 0, HIERARCHY_CBO_FLUSH, 0x1140, 8000, &a);
	is(a.cycles, 120);
	hierarchy_free(&m);

	/* A prefetch is served after the miss that caused it, also one that is wrong. */
	config.l1d.prefetch = CACHE_PREFETCH_ON_MISS;
	m = make(&config, 1);
	is(READ(0, 0x1000, 1000), 100);
	is(READ(0, 0x1040, 1100), 20);
	is(READ(0, 0x2000, 2000), 100);
	is(READ(0, 0x3000, 2000), 140);
	hierarchy_free(&m);

	/* The parts of lines that a write-through L1D hands on. */
	config.l1d.prefetch = CACHE_PREFETCH_NONE;
	config.l1d.write_through = true;
	m = make(&config, 1);
	is(READ(0, 0x1000, 1000), 100);
	for (unsigned n = 0; n < 3; n++)
		is(WRITE(0, 0x1000 + n * 8, 2000), 10 + n * 4);
	hierarchy_free(&m);

	/* Each hart has an L2.  Memory has 256 cycles in a window, which harts share. */
	config = base;
	config.l2_line_cycles = 4;
	config.bus_line_cycles = 20;
	config.turn = 1000;
	m = make(&config, 2);
	for (unsigned n = 0; n < 8; n++)
		is(READ(0, 0x1000 + n * 64, 1024), 100 + n * 20);
	is(READ(1, 0x2000, 1024), 100);
	for (unsigned n = 1; n < 4; n++)
		is(READ(1, 0x2000 + n * 64, 1024), 100 + n * 20);
	is(READ(1, 0x2100, 1024), 100 + 4 * 20); /* 16 cycles of this window, 4 of the next */
	is(READ(1, 0x2140, 1024), 100 + 256 + 4);
	is(FETCH(0, 0x1000, 9000), 10);
	is(FETCH(1, 0x2000, 9000), 10);
	hierarchy_free(&m);
}

/* Two banks of the last level: lines with even and with odd numbers. */
static void banks(void)
{
	struct hierarchy_config config = base;
	struct hierarchy m;

	config.ll_line_cycles = 8;
	config.ll_banks = 2;
	m = make(&config, 1);
	for (unsigned n = 0; n < 6; n++)
		is(READ(0, 0x1000 + n * 64, 1000), 100 + n / 2 * 8);
	for (unsigned n = 0; n < 3; n++)
		is(READ(0, 0x2000 + n * 128, 2000), 100 + n * 8);
	hierarchy_free(&m);
}

static struct hierarchy_config with_rows(void)
{
	struct hierarchy_config config = base;

	config.row_hit_cycles = 60;
	config.row_bytes = 1024;
	config.row_banks = 4;
	config.row_interleave = 256;
	config.l2.sets = config.ll.sets = 0;
	return config;
}

/* Rows of 1 KiB in four banks, one after the other each 256 bytes: row 0 ends at 4 KiB. */
static void rows(void)
{
	struct hierarchy_config config = with_rows();
	struct hierarchy m = make(&config, 2);

	is(READ(0, 0x10000, 1000), 100);
	is(READ(0, 0x10040, 2000), 60);
	is(READ(0, 0x100c0, 3000), 60);
	is(READ(0, 0x10100, 4000), 100); /* the next bank */
	is(READ(1, 0x10400, 900), 60); /* the first one again; another hart, and earlier */
	is(FETCH(0, 0x10440, 5000), 60);
	is(WRITE(0, 0x10480, 6000), 60);
	/* The next row: it begins in the next bank, where it closes the row that was open. */
	is(READ(0, 0x11000, 7000), 100);
	is(READ(0, 0x10540, 8000), 100);
	is(READ(0, 0x100c0 + 0x800, 9000), 60); /* still open */
	is(READ(0, 0x11040, 10000), 100);
	hierarchy_reset(&m);
	is(READ(0, 0x100c0, 1000), 100);
	hierarchy_free(&m);

	/* A prefetch opens a row. */
	config.l1d.prefetch = CACHE_PREFETCH_ON_MISS;
	m = make(&config, 1);
	is(READ(0, 0x100c0, 1000), 100);
	is(READ(0, 0x10180, 2000), 60);
	hierarchy_free(&m);
}

/* What writes a line opens no row, and finds none open. */
static void rows_of_writes(void)
{
	struct hierarchy_config config = with_rows();
	struct hierarchy_answer a;
	struct hierarchy m;

	m = make(&config, 1);
	is(WRITE(0, 0x10000, 1000), 100);
	is(READ(0, 0x10000 + 0x4000, 2000), 100); /* closes its row */
	hierarchy_cbo(&m, 0, HIERARCHY_CBO_FLUSH, 0x10000, 3000, &a);
	is(a.cycles, 100);
	is(READ(0, 0x10040, 4000), 100);
	is(READ(0, 0x10080, 5000), 60);
	hierarchy_free(&m);
}

/* A stream of stores: its first two lines are read, the others are not. */
static void write_stream(void)
{
	struct hierarchy_config config = base;
	struct hierarchy_answer a;
	struct hierarchy m;

	config.write_stream = 2;
	m = make(&config, 1);
	is(WRITE(0, 0x1f80, 1000), 100);
	is(WRITE(0, 0x1fc0, 2000), 100);
	a = answer(&m, 0, HIERARCHY_WRITE, 0x5000, 3000); /* it goes on in any page */
	is(a.what, BIT(L1D_WRITE) | BIT(L1D_WRITE_MISS));
	is(a.cycles, 0);
	is(WRITE(0, 0x5044, 4000), 0);
	ok(hierarchy_read_hit(&m.hart[0], 0x5040));
	/* Neither a load nor an atomic belongs to it, or ends it. */
	is(READ(0, 0x9000, 5000), 100);
	is(ATOMIC(0, 0x5080, 5200), 100);
	is(WRITE(0, 0x50c0, 6000), 100); /* after 0x5040 comes 0x5080 */
	is(WRITE(0, 0x5100, 6200), 100);
	is(WRITE(0, 0x5140, 6400), 0);
	/* In the middle of a line. */
	is(WRITE(0, 0x5188, 7000), 100);
	is(WRITE(0, 0x51c0, 7200), 100);
	/* Down. */
	is(WRITE(0, 0xa078, 8000), 100);
	is(WRITE(0, 0xa038, 8200), 100);
	is(WRITE(0, 0x7ffc, 8400), 0);
	is(WRITE(0, 0x7fb8, 8600), 0);
	is(WRITE(0, 0x7fc0, 8700), 0); /* it is there */
	is(WRITE(0, 0x7f40, 8800), 100); /* the end at which a stream up begins */
	hierarchy_free(&m);

	/* The store that evicts a line waits until it has its turn. */
	config.l1d.sets = 1;
	config.l1d.ways = 2;
	config.l2_line_cycles = 20;
	m = make(&config, 1);
	is(WRITE(0, 0x1000, 1000), 100);
	is(WRITE(0, 0x1040, 2000), 100);
	is(WRITE(0, 0x1080, 3000), 0); /* the line written back takes L2 until 3020 */
	is(WRITE(0, 0x10c0, 3001), 19);
	is(WRITE(0, 0x1100, 3002), 38);
	/* The stream's last line has gone meanwhile: the rest of it is not read, either. */
	is(READ(0, 0x8000, 4000), 100);
	is(READ(0, 0x8040, 5000), 100);
	is(WRITE(0, 0x1120, 6000), 0);
	is(WRITE(0, 0x1140, 7000), 0);
	hierarchy_free(&m);
}

#define HARTS  8
#define BEGIN  40000
#define END    440000
#define LINE   16 /* cycles of memory */
#define STREAM 4 /* lines that a hart waits for */

/* A hart that reads one line after the other, and waits for some at a time. */
struct streamer {
	uint64_t now, lines, arrives[STREAM];
};

static void next_line(struct hierarchy *m, unsigned hart, struct streamer *s)
{
	uint64_t *oldest = &s->arrives[s->lines % STREAM], pa = (hart + 1ull) << 32 | s->lines << 6;

	s->lines++;
	if (s->now < *oldest)
		s->now = *oldest;
	*oldest = s->now + answer(m, hart, HIERARCHY_READ, pa, s->now).cycles;
	s->now++;
}

/* Harts that stream in turns, from the same time on.  lines: what each gets from BEGIN to END. */
static void stream(unsigned harts, uint64_t turn, uint64_t lines[HARTS])
{
	struct hierarchy_config config = base;
	struct streamer s[HARTS] = { 0 };
	struct hierarchy m;

	config.bus_line_cycles = LINE;
	config.turn = turn;
	config.misses = STREAM;
	m = make(&config, harts);
	for (uint64_t from = 0; from < END; from += turn) {
		for (unsigned hart = 0; hart < harts; hart++) {
			if (from == BEGIN)
				lines[hart] = s[hart].lines;
			while (s[hart].now < from + turn)
				next_line(&m, hart, &s[hart]);
		}
	}
	for (unsigned hart = 0; hart < harts; hart++)
		lines[hart] = s[hart].lines - lines[hart];
	hierarchy_free(&m);
}

static bool near(uint64_t value, uint64_t want, unsigned percent)
{
	return value * 100 >= want * (100 - percent) && value * 100 <= want * (100 + percent);
}

/* Harts that want more than memory has get the same, together all of it, and always the same. */
static void saturated(void)
{
	static const unsigned turns[] = { 100, 1000, 10000 };
	uint64_t lines[HARTS], again[HARTS];

	/* One hart has four lines each 100 cycles, which is not all that memory has. */
	stream(1, 1000, lines);
	ok(near(lines[0], (END - BEGIN) * STREAM / 100, 1));
	for (unsigned n = 0; n < TAP_NR(turns); n++) {
		uint64_t all = 0;

		tap_context("turns of %u", turns[n]);
		stream(HARTS, turns[n], lines);
		stream(HARTS, turns[n], again);
		for (unsigned hart = 0; hart < HARTS; hart++) {
			is(again[hart], lines[hart]);
			ok(near(lines[hart], (END - BEGIN) / LINE / HARTS, 2));
			all += lines[hart];
		}
		ok(near(all, (END - BEGIN) / LINE, 1));
	}
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

/* Accesses of harts that take turns: n is the number of the access. */
static struct hierarchy_answer disturb(struct hierarchy *m, uint64_t *seed, unsigned n)
{
	unsigned hart = n / 16 % m->harts, kind = rig_random(seed) % 5;
	uint64_t pa = 0x80000000 + rig_random(seed) % 32768;

	m->hart[hart].pc = pa >> 13 << 1;
	return answer(m, hart, kind, pa, n / 32 * 400 + n % 16 * 25);
}

static struct hierarchy_config limited(void)
{
	struct hierarchy_config config = base;

	config.misses = 2;
	config.write_stream = 1;
	config.l2_banks = 2;
	config.l2_line_cycles = 3;
	config.ll_line_cycles = 5;
	config.bus_line_cycles = 20;
	config.turn = 400;
	return config;
}

static void snapshots(void)
{
	struct hierarchy_config config = limited();
	struct hierarchy m = make(&config, 2), other = make(&config, 2);
	struct rig_model model = hierarchy_model(&m), to = hierarchy_model(&other);
	uint64_t seed = 5, seed2;
	unsigned waits = 0;
	struct bytes b;

	for (unsigned n = 0; n < 4000; n++)
		disturb(&m, &seed, n);
	ok(rig_hostile(&model, 100) > 50);
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
	/* Of another shape. */
	b = rig_save(&model);
	for (unsigned n = 0; n < 6; n++) {
		uint32_t *field[] = { &config.misses,	      &config.write_stream,
				      &config.l2_banks,	      &config.l2_line_cycles,
				      &config.ll_line_cycles, &config.bus_line_cycles };

		config = limited();
		*field[n] = 0;
		hierarchy_free(&other);
		other = make(&config, 2);
		ok(!rig_restore(&to, &b, b.len));
	}
	free(b.data);
	hierarchy_free(&m);
	hierarchy_free(&other);
}

/* A snapshot has the open rows; impossible ones, and those of other banks, are refused. */
static void rows_saved(void)
{
	struct hierarchy_config config = with_rows();
	struct hierarchy m = make(&config, 1), other = make(&config, 1);
	struct rig_model model = hierarchy_model(&m), to = hierarchy_model(&other);
	struct bytes b;

	is(READ(0, 0x10000, 1000), 100);
	b = rig_save(&model);
	ok(rig_restore(&to, &b, b.len));
	is(answer(&other, 0, HIERARCHY_READ, 0x10040, 2000).cycles, 60);
	hierarchy_free(&other);
	config.row_interleave = 512;
	other = make(&config, 1);
	ok(!rig_restore(&to, &b, b.len));
	hierarchy_free(&other);
	free(b.data);
	config = with_rows();
	other = make(&config, 1);
	m.open_row[1] = UINT64_MAX / 4096 + 2; /* no address is in this row */
	b = rig_save(&model);
	ok(!rig_restore(&to, &b, b.len));
	free(b.data);
	hierarchy_free(&m);
	hierarchy_free(&other);
}

/*
 * Arrivals that no access leads to; the one of a line is at the end of its cache, that of a miss at
 * the beginning.
 */
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
	struct rig_model model = hierarchy_model(&m);
	struct bytes b;

	config.l2.sets = config.ll.sets = 0;
	config.misses = 1;
	m = make(&config, 1);
	is(READ(0, 0x1000, 1000), 100);
	b = rig_save(&model);
	for (unsigned n = 0; n < 2 * TAP_NR(cases); n++) {
		uint8_t *arrival = b.data + (n % 2 ? 32 : b.len - 16), good[16];
		bool idle = n / 2 == 1; /* a miss that took no time */

		tap_context("case %u", n);
		memcpy(good, arrival, 16);
		memcpy(arrival, &cases[n / 2].at, 8);
		memcpy(arrival + 8, &cases[n / 2].took, 4);
		memcpy(arrival + 12, &cases[n / 2].from, 4);
		is(rig_restore(&model, &b, b.len), cases[n / 2].good || (n % 2 && idle));
		memcpy(arrival, good, 16);
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
		{ "as many misses at a time as L1D has room for", outstanding },
		{ "a line that has come, until L1D is filled", filling },
		{ "lines that occupy the levels", bandwidth },
		{ "banks", banks },
		{ "rows of DRAM that are open", rows },
		{ "rows and what is written", rows_of_writes },
		{ "open rows in snapshots", rows_saved },
		{ "streams of stores", write_stream },
		{ "harts that saturate memory", saturated },
		{ "the end of time", limits },
		{ "snapshots, and damaged ones", snapshots },
		{ "arrivals that are impossible", hostile },
	};

	return tap_run(cases, TAP_NR(cases));
}
