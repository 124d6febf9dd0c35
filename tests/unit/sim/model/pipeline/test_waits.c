// SPDX-License-Identifier: BSD-2-Clause
/* test_waits.c - registers that wait, the load queue and the store buffer, with times by hand. */
#include "model_rig.h"
#include "tap.h"
#include "waits.h"

static const struct cost_config two = { .loads = 2, .stores = 2 };
static const struct cost_config one_miss = { .stores = 2 };
static const struct cost_config none = { .loads = 0 };

static struct wait until(uint64_t time, uint8_t from)
{
	return (struct wait){ .until = time, .from = from };
}

static void registers(void)
{
	struct waits w = { 0 };
	struct wait a = until(130, HIERARCHY_FROM_LL), b = until(120, HIERARCHY_FROM_L2);

	ok(!waits_longest(&w, UINT64_MAX));
	waits_for(&w, 5, &a);
	waits_for(&w, 5, &b);
	is(w.wait[5].until, 130);
	waits_for(&w, 40, &b);
	is(waits_longest(&w, UINT64_MAX)->until, 130);
	is(waits_longest(&w, 1ull << 40)->from, HIERARCHY_FROM_L2);
	ok(!waits_longest(&w, 1 << 4));
	waits_settle(&w, 119);
	is(w.registers, 1ull << 40 | 1 << 5);
	waits_settle(&w, 120);
	is(w.registers, 1 << 5);
	b.until = 200;
	waits_for(&w, 5, &b);
	is(w.wait[5].until, 200);
	waits_settle(&w, 200);
	is(w.registers, 0);
}

static void load_queue(void)
{
	struct waits w = { 0 };
	struct wait a = until(150, HIERARCHY_FROM_MEMORY), b = until(120, HIERARCHY_FROM_LL),
		    c = until(160, HIERARCHY_FROM_L2), first;

	is(waits_load(&two, &w, 100, &a, &first), 0);
	is(waits_load(&two, &w, 101, &b, &first), 0);
	/* The third waits for the one that came second, whose line comes first. */
	is(waits_load(&two, &w, 102, &c, &first), 18);
	is(first.from, HIERARCHY_FROM_LL);
	is(w.loads, 2);
	/* At 150 one of them has its line. */
	c.until = 170;
	is(waits_load(&two, &w, 150, &c, &first), 0);
	is(waits_drain_loads(&w, 155, &first), 15);
	is(first.until, 170);
	is(waits_drain_loads(&w, 155, &first), 0);
}

static void store_buffer(void)
{
	struct waits w = { 0 };

	/* Their lines come at the same time; the third store waits until the first is done. */
	is(waits_store(&two, &w, 100, 0), 0);
	is(waits_store(&two, &w, 100, 30), 0);
	is(waits_store(&two, &w, 101, 30), 0);
	is(waits_store(&two, &w, 110, 30), 20);
	is(waits_drain_stores(&w, 131), 9);
	/* They leave in their order: the second, whose line came at 210, leaves at 230. */
	is(waits_store(&two, &w, 200, 30), 0);
	is(waits_store(&two, &w, 200, 10), 0);
	is(waits_store(&two, &w, 215, 1), 15);
	is(waits_drain_stores(&w, 220), 10);
	is(waits_drain_stores(&w, 220), 0);
	is(waits_store(&none, &w, 300, 30), 30);
}

/* Without a load queue each line comes after the one before it. */
static void one_store(void)
{
	struct waits w = { 0 };

	is(waits_store(&one_miss, &w, 100, 30), 0);
	is(waits_store(&one_miss, &w, 101, 30), 0);
	is(waits_store(&one_miss, &w, 110, 30), 20);
	is(waits_drain_stores(&w, 150), 40);
	is(waits_store(&one_miss, &w, 200, 10), 0);
	is(waits_store(&one_miss, &w, 200, 10), 0);
	is(waits_store(&one_miss, &w, 210, 10), 0);
	is(waits_drain_stores(&w, 1000), 0);
}

static bool save(void *model, const struct stream *s)
{
	return waits_save(model, s);
}

static bool restore(void *model, const struct stream *s)
{
	return waits_restore(&two, model, 1000, s);
}

static void reset(void *model)
{
	*(struct waits *)model = (struct waits){ 0 };
}

static void snapshots(void)
{
	struct waits w = { 0 };
	struct rig_model m = { &w, save, restore, reset };
	struct wait a = until(1100, HIERARCHY_FROM_LL), first;

	waits_for(&w, 7, &a);
	is(waits_load(&two, &w, 1000, &a, &first), 0);
	is(waits_store(&two, &w, 1000, 30), 0);
	is(waits_store(&two, &w, 1000, 50), 0);
	ok(rig_hostile(&m, 400) > 100);
	is(w.wait[7].until, 1100);
	is(waits_drain_loads(&w, 1000, &first), 100);
	is(waits_drain_stores(&w, 1000), 50);
}

/* A division's register, and the divider; only a core whose divisions take longer has them. */
static void division(void)
{
	static const struct cost_config divides = { .loads = 2, .stores = 2, .div_bits = 1 };
	const struct wait result = until(1070, WAITS_DIVISION), late = until(1075, WAITS_DIVIDER);
	struct waits w = { .divider = 1068 }, again;
	struct bytes b = { NULL, 0, 0, 0 };
	const struct stream s = bytes_stream(&b);

	waits_for(&w, 5, &result);
	waits_for(&w, 6, &late);
	ok(waits_save(&w, &s));
	ok(waits_restore(&divides, &again, 1000, &s));
	is(again.divider, 1068);
	is(again.wait[5].from, WAITS_DIVISION);
	is(again.wait[6].from, WAITS_DIVIDER);
	b.at = 0;
	ok(!waits_restore(&two, &again, 1000, &s));
	ok(!waits_any(&again));
	free(b.data);
	waits_settle(&w, 1067);
	ok(w.divider);
	waits_settle(&w, 1070);
	ok(!w.divider);
	is(w.registers, 1 << 6);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "registers wait for the latest of their lines", registers },
		{ "the load queue has room when a line has come", load_queue },
		{ "stores leave the buffer in their order", store_buffer },
		{ "a core with one miss at a time", one_store },
		{ "snapshots, damaged ones too", snapshots },
		{ "divisions", division },
	};

	return tap_run(cases, TAP_NR(cases));
}
