/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_dt.c - malformed device-tree tables: each fault is reported once, and only the faulty row is
 * ignored.
 *
 * Covers: how sbipmu_init reads riscv,event-to-mhpmevent, riscv,event-to-mhpmcounters and
 * riscv,raw-event-to-mhpmcounters (OpenSBI's docs/pmu_support.md). test_boards.c has the correct
 * tables.
 */
#include "rig.h"

#define SELECTORS SELECTORS_PROPERTY
#define COUNTERS  COUNTERS_PROPERTY
#define RAW	  RAW_PROPERTY

static struct rig r;

/* A table of one test: some cells, and how many bytes of them the property has. */
struct cells {
	uint32_t cell[30];
	size_t bytes;
};

#define CELLS(...)                                                                                 \
	{                                                                                          \
		{ __VA_ARGS__ }, sizeof((uint32_t[]){ __VA_ARGS__ })                               \
	}

static void load(struct rig_table *t, const struct cells *c)
{
	rig_cells(t, c->cell, (c->bytes + 3) / 4);
	t->len = c->bytes;
}

/* A hart with counters 3 to 6 and these tables. */
static void boot(const struct cells *selectors, const struct cells *counters,
		 const struct cells *raw)
{
	rig_init(&r, 4, 64);
	rig_no_tables(&r);
	if (selectors)
		load(&r.selectors, selectors);
	if (counters)
		load(&r.counters, counters);
	if (raw)
		load(&r.raw, raw);
	rig_boot(&r);
	is(r.fake.nr_diags, r.pmu.nr_diags);
}

/* Every table here also has a correct row, for event 5, after the faulty one. */
static void check_event_5(void)
{
	is(rig_choose(&r, 0, 0x7d, 0, 5, 0), 3);
	is(r.fake.regs.event[3], 0x55 | MHPMEVENT_MINH);
}

static void faulty_counter_rows(void)
{
	static const struct {
		const char *name;
		struct cells counters;
		const char *text;
		uint64_t value;
		uint32_t absent; /* an event that must not be supported */
	} rows[] = {
		{ "range ends before it begins", CELLS(9, 8, 0x78, 5, 5, 0x78), "ends before", 8,
		  9 },
		{ "counters that do not exist", CELLS(6, 6, 0xff000000, 5, 5, 0x78), "no counter",
		  0xff000000, 6 },
		{ "TIME", CELLS(6, 6, 2, 5, 5, 0x78), "no counter", 2, 6 },
		{ "no counters", CELLS(6, 6, 0, 5, 5, 0x78), "no counter", 0, 6 },
		{ "a fixed counter for another event", CELLS(6, 6, 5, 5, 5, 0x78), "no counter", 5,
		  6 },
		{ "two event types", CELLS(6, 0x10000, 0x78, 5, 5, 0x78), "two event types",
		  0x10000, 6 },
		{ "raw events", CELLS(0x20000, 0x20000, 0x78, 5, 5, 0x78), "raw events", 0x20000,
		  6 },
		{ "raw events v2", CELLS(0x30000, 0x30001, 0x78, 5, 5, 0x78), "raw events", 0x30000,
		  6 },
		{ "firmware events", CELLS(0xf0000, 0xf0005, 0x78, 5, 5, 0x78), "not a hardware",
		  0xf0000, 6 },
		{ "reserved bits", CELLS(0x100006, 0x100006, 0x78, 5, 5, 0x78), "not a hardware",
		  0x100006, 6 },
		{ "event 0", CELLS(0, 0, 0x78, 5, 5, 0x78), "not an event", 0, 6 },
		{ "event 0 to 6", CELLS(0, 6, 0x78, 5, 5, 0x78), "not an event", 0, 6 },
		{ "a general event that does not exist", CELLS(11, 12, 0x78, 5, 5, 0x78),
		  "no such event", 11, 11 },
		{ "a cache event that does not exist", CELLS(0x10038, 0x10040, 0x78, 5, 5, 0x78),
		  "no such event", 0x10038, 0x10038 },
	};
	static const struct cells selectors = CELLS(5, 0, 0x55, 6, 0, 0x66, 9, 0, 0x99);

	for (unsigned i = 0; i < TAP_NR(rows); i++) {
		tap_context("%s", rows[i].name);
		boot(&selectors, &rows[i].counters, NULL);
		ok(rig_said(&r, COUNTERS, 0, rows[i].text));
		is(r.fake.diag[0].value, rows[i].value);
		/* and one for each selector that has no counters now */
		is(r.fake.nr_diags, 3);
		ok(!rig_supported(&r, rows[i].absent, 0));
		check_event_5();
	}
}

/* Rows that are usable in part. */
static void partly_faulty_counter_rows(void)
{
	static const struct {
		const char *name;
		struct cells counters;
		int row;
		const char *text;
		uint64_t value;
	} rows[] = {
		{ "some counters do not exist", CELLS(5, 5, 0xfffffff8), 0, "do not exist",
		  0xffffff80 },
		{ "fixed counters, too", CELLS(5, 5, 0x7f), 0, "do not exist", 7 },
		{ "overlap", CELLS(5, 5, 0x38, 4, 6, 0x40), 1, "overlaps", 5 },
		{ "twice the same", CELLS(5, 5, 0x78, 5, 5, 0x78), 1, "overlaps", 5 },
	};
	static const struct cells selectors = CELLS(4, 0, 0x44, 5, 0, 0x55, 6, 0, 0x66);

	for (unsigned i = 0; i < TAP_NR(rows); i++) {
		tap_context("%s", rows[i].name);
		boot(&selectors, &rows[i].counters, NULL);
		ok(rig_said(&r, COUNTERS, rows[i].row, rows[i].text));
		is(r.fake.diag[0].value, rows[i].value);
		is(r.fake.nr_diags, i == 2 ? 1 : 3); /* events 4 and 6 without counters */
		check_event_5();
		for (int ctr = 4; ctr < 7; ctr++)
			is(rig_choose(&r, ctr, 1, 0, 5, 0), ctr);
		is_error(rig_config(&r, 0, 1, 0, 5, 0), SBI_ERR_NOT_SUPPORTED);
	}
}

/* A row whose events have no selector: one line for all of them. */
static void events_without_selectors(void)
{
	static const struct cells selectors = CELLS(5, 0, 0x55);
	static const struct cells counters = CELLS(1, 10, 0x78, 0x10000, 0x10035, 0x78);

	boot(&selectors, &counters, NULL);
	is(r.fake.nr_diags, 2);
	ok(rig_said(&r, COUNTERS, 0, "no selector"));
	is(r.fake.diag[0].value, 1);
	ok(rig_said(&r, COUNTERS, 1, "no selector"));
	is(r.fake.diag[1].value, 0x10000);
	check_event_5();
	ok(!rig_supported(&r, 4, 0));
	ok(!rig_supported(&r, 0x10001, 0));
	is(rig_choose(&r, 0, 0x7d, 0, EIDX_CYCLES, 0), 0);
}

/* Rows that continue past the last defined event: the events that exist are counted. */
static void long_ranges(void)
{
	static const struct cells counters = CELLS(3, 0xffff, 0x78, 0x10008, 0x1ffff, 0x78, 0x10000,
						   0x10007, 0x8);

	boot(NULL, &counters, NULL);
	is(r.fake.nr_diags, 0);
	is(r.pmu.nr_events, 10 + 42);
	for (uint32_t eidx = 0; eidx < 0x10100; eidx = eidx == 0x100 ? 0x10000 : eidx + 1) {
		bool defined = eidx < 0x10000 ? eidx >= 1 && eidx <= 10
					      : eidx < 0x10038 && (eidx >> 1 & 3) < 3;

		tap_context("event 0x%x", eidx);
		is(rig_supported(&r, eidx, 0), defined);
	}
	is_error(rig_config(&r, 4, 1, 0, 0x10001, 0), SBI_ERR_NOT_SUPPORTED);
	is(rig_choose(&r, 4, 1, 0, 0x10008, 0), 4);
}

static void faulty_selector_rows(void)
{
	static const struct {
		const char *name;
		struct cells selectors;
		int row;
		const char *text;
		uint64_t value;
	} rows[] = {
		{ "raw event", CELLS(0x20000, 0, 1, 5, 0, 0x55), 0, "raw events", 0x20000 },
		{ "raw event v2", CELLS(0x30000, 0, 1, 5, 0, 0x55), 0, "raw events", 0x30000 },
		{ "firmware event", CELLS(0xf0001, 0, 1, 5, 0, 0x55), 0, "not a hardware",
		  0xf0001 },
		{ "event 0", CELLS(0, 0, 1, 5, 0, 0x55), 0, "not an event", 0 },
		{ "no such event", CELLS(0xb, 0, 1, 5, 0, 0x55), 0, "no such event", 0xb },
		{ "no such cache", CELLS(0x10038, 0, 1, 5, 0, 0x55), 0, "no such event", 0x10038 },
		{ "the same event twice", CELLS(5, 0, 0x55, 5, 0, 0x56), 1, "selector already", 5 },
		{ "OF", CELLS(5, 0x80000000, 1, 5, 0, 0x55), 0, "OF or a filter",
		  0x8000000000000001 },
		{ "a filter", CELLS(5, 0x04000000, 0, 5, 0, 0x55), 0, "OF or a filter",
		  0x0400000000000000 },
		{ "selector without counters", CELLS(6, 0, 0x66, 5, 0, 0x55), -1, "no counters",
		  6 },
	};
	static const struct cells counters = CELLS(5, 5, 0x78);

	for (unsigned i = 0; i < TAP_NR(rows); i++) {
		tap_context("%s", rows[i].name);
		boot(&rows[i].selectors, &counters, NULL);
		is(r.fake.nr_diags, 1);
		ok(rig_said(&r, SELECTORS, rows[i].row, rows[i].text));
		is(r.fake.diag[0].value, rows[i].value);
		check_event_5();
	}
}

/* Properties that end within a row: the complete rows are used. */
static void wrong_lengths(void)
{
	static const struct cells selectors = CELLS(5, 0, 0x55);
	static const struct cells counters = CELLS(5, 5, 0x78);

	for (size_t more = 1; more < 12; more++) {
		struct cells odd = CELLS(5, 0, 0x55, 6, 0, 0x66);

		tap_context("%zu bytes more", more);
		odd.bytes = 12 + more;
		boot(&odd, &counters, NULL);
		is(r.fake.nr_diags, 1);
		ok(rig_said(&r, SELECTORS, -1, "length"));
		is(r.fake.diag[0].value, 12 + more);
		check_event_5();

		odd = (struct cells)CELLS(5, 5, 0x78, 6, 6, 0x78);
		odd.bytes = 12 + more;
		boot(&selectors, &odd, NULL);
		is(r.fake.nr_diags, 1);
		ok(rig_said(&r, COUNTERS, -1, "length"));
		check_event_5();
	}
	for (size_t more = 1; more < 20; more++) {
		struct cells odd = CELLS(0, 0x55, ~0u, ~0u, 0x78, 0, 0x66, ~0u, ~0u, 0x78);

		tap_context("%zu bytes more", more);
		odd.bytes = 20 + more;
		boot(NULL, NULL, &odd);
		is(r.fake.nr_diags, 1);
		ok(rig_said(&r, RAW, -1, "length"));
		is(rig_choose(&r, 0, 0x7d, 0, EIDX_RAW, 0x55), 3);
		ok(!rig_supported(&r, EIDX_RAW, 0x66));
	}
}

static void selectors_without_counters(void)
{
	static const struct cells selectors = CELLS(5, 0, 0x55, 6, 0, 0x66);

	boot(&selectors, NULL, NULL);
	is(r.fake.nr_diags, 1);
	ok(rig_said(&r, SELECTORS, -1, "without " COUNTERS));
	ok(!rig_supported(&r, 5, 0));
	ok(rig_supported(&r, EIDX_CYCLES, 0));
}

static void faulty_raw_rows(void)
{
	static const struct {
		const char *name;
		struct cells raw;
		int row;
		const char *text;
		uint64_t value;
	} rows[] = {
		{ "select outside its mask",
		  CELLS(0, 0x12, ~0u, 0xfffffff0, 0x78, 0, 5, ~0u, ~0u, 0x78), 0,
		  "outside its select_mask", 0x12 },
		{ "bits that no raw event has",
		  CELLS(~0u, ~0xfu, ~0u, ~0xfu, 0x78, 0, 5, ~0u, ~0u, 0x78), 0, "no raw event",
		  0xfffffffffffffff0 },
		{ "no counters", CELLS(0, 6, ~0u, ~0u, 0, 0, 5, ~0u, ~0u, 0x78), 0,
		  "no programmable", 0 },
		{ "fixed counters", CELLS(0, 6, ~0u, ~0u, 7, 0, 5, ~0u, ~0u, 0x78), 0,
		  "no programmable", 7 },
		{ "absent counters", CELLS(0, 6, ~0u, ~0u, 0xff0000, 0, 5, ~0u, ~0u, 0x78), 0,
		  "no programmable", 0xff0000 },
		{ "some absent counters", CELLS(0, 5, ~0u, ~0u, 0xfffffff8), 0, "do not exist",
		  0xffffff80 },
		{ "twice the same", CELLS(0, 5, ~0u, ~0u, 0x38, 0, 5, ~0u, ~0u, 0x48), 1, "same as",
		  5 },
		{ "overlap", CELLS(0, 0, ~0u, ~0xfu, 0x38, 0, 5, ~0u, ~0u, 0x48), 1, "overlaps",
		  5 },
	};

	for (unsigned i = 0; i < TAP_NR(rows); i++) {
		tap_context("%s", rows[i].name);
		boot(NULL, NULL, &rows[i].raw);
		is(r.fake.nr_diags, 1);
		ok(rig_said(&r, RAW, rows[i].row, rows[i].text));
		is(r.fake.diag[0].value, rows[i].value);
		for (unsigned n = 0; n < 4; n++)
			ok(rig_choose(&r, 0, 0x7d, 0, EIDX_RAW, 5) >= 3);
		is_error(rig_config(&r, 0, 0x7d, 0, EIDX_RAW, 5), SBI_ERR_NOT_SUPPORTED);
		ok(!rig_supported(&r, EIDX_RAW, 0x10));
	}
}

/* Nine different masks are one more than fits; the rows of the other eight work. */
static void too_many_masks(void)
{
	rig_init(&r, 4, 64);
	rig_no_tables(&r);
	for (unsigned i = 0; i <= SBIPMU_RAW_MASKS; i++) {
		rig_cell(&r.raw, 0);
		rig_cell(&r.raw, 0x1000000u * (i + 1));
		rig_cell(&r.raw, 0xffffffff);
		rig_cell(&r.raw, 0xffffffffu << i);
		rig_cell(&r.raw, 0x78);
	}
	rig_boot(&r);
	is(r.fake.nr_diags, 1);
	ok(rig_said(&r, RAW, SBIPMU_RAW_MASKS, "too many different"));
	is(r.pmu.nr_raw_rows, SBIPMU_RAW_MASKS);
	for (unsigned i = 0; i <= SBIPMU_RAW_MASKS; i++) {
		tap_context("mask %u", i);
		is(rig_supported(&r, EIDX_RAW, 0x1000000u * (i + 1) + (1u << i) - 1),
		   i < SBIPMU_RAW_MASKS);
	}
}

/* Each row that does not fit is reported in a line. */
static void full_index(void)
{
	rig_init(&r, 4, 64);
	rig_no_tables(&r);
	for (unsigned i = 0; i < 12; i++) {
		rig_cell(&r.raw, 0);
		rig_cell(&r.raw, 0x100 + i);
		rig_cell(&r.raw, 0xffffffff);
		rig_cell(&r.raw, 0xffffffff);
		rig_cell(&r.raw, 0x78);
	}
	r.nr_slots = 16;
	rig_boot(&r);
	is(r.pmu.nr_raw_rows, 8);
	is(r.fake.nr_diags, 4);
	for (int i = 0; i < 12; i++) {
		tap_context("row %d", i);
		is(rig_said(&r, RAW, i, "full"), i >= 8);
		is(rig_supported(&r, EIDX_RAW, 0x100 + (unsigned)i), i < 8);
	}
}

static void no_memory_for_raw_events(void)
{
	for (size_t slots = 0; slots < 2; slots++) {
		rig_init(&r, 4, 64);
		r.nr_slots = slots;
		rig_boot(&r);
		is(r.fake.nr_diags, 1);
		ok(rig_said(&r, RAW, -1, "no memory"));
		ok(!rig_supported(&r, EIDX_RAW, 0x2001));
		ok(rig_supported(&r, 5, 0));
	}
}

/* The smallest size for one row, and a size that is not a power of two. */
static void odd_memory_for_raw_events(void)
{
	static const size_t sizes[] = { 2, 3, 6, 63 };

	for (unsigned i = 0; i < TAP_NR(sizes); i++) {
		tap_context("%zu slots", sizes[i]);
		rig_init(&r, 4, 64);
		r.nr_slots = sizes[i];
		rig_boot(&r);
		ok(rig_supported(&r, EIDX_RAW, 0x1234));
		is(rig_supported(&r, EIDX_RAW, 0x2001), sizes[i] > 3);
		ok(!rig_supported(&r, EIDX_RAW, 0x2002));
	}
}

/*
 * QEMU 7.2's own node: the table has room for twenty cells, of which fifteen are written.
 */
static void qemu_7_2(void)
{
	static const struct cells selectors = CELLS(1, 0, 1, 2, 0, 2, 0x10019, 0, 0x10019, 0x1001b,
						    0, 0x1001b, 0x10021, 0, 0x10021);
	static const struct cells counters = CELLS(1, 1, 0x7fff9, 2, 2, 0x7fffc, 0x10019, 0x10019,
						   0x7fff8, 0x1001b, 0x1001b, 0x7fff8, 0x10021,
						   0x10021, 0x7fff8, 0, 0, 0, 0, 0);

	is(counters.bytes, 80);
	rig_init(&r, 16, 64);
	rig_no_tables(&r);
	load(&r.selectors, &selectors);
	load(&r.counters, &counters);
	rig_boot(&r);
	is(r.fake.nr_diags, 2);
	ok(rig_said(&r, COUNTERS, -1, "length"));
	ok(rig_said(&r, COUNTERS, 5, "not an event"));
	is(r.pmu.nr_events, 5);
	is(rig_choose(&r, 0, 0x7fffd, 0, 0x1001b, 0), 3);
	is(fake_event(&r.fake, 3), 0x1001b | MHPMEVENT_MINH);
	is(rig_choose(&r, 0, 0x7fffd, 0, EIDX_CYCLES, 0), 4);
}

/* Selectors that mhpmevent does not store. */
static void refused_selectors(void)
{
	static const struct cells selectors = CELLS(5, 0, 0x55, 6, 0, 0x166, 7, 0, 0x177);
	static const struct cells counters = CELLS(5, 7, 0x78);

	rig_init(&r, 4, 64);
	rig_no_tables(&r);
	load(&r.selectors, &selectors);
	load(&r.counters, &counters);
	for (unsigned ctr = 3; ctr < 7; ctr++)
		r.fake.hw.warl[ctr].mask = ctr == 6 ? 0x1ff : 0xff;
	rig_boot(&r);
	is(r.fake.nr_diags, 2);
	ok(rig_said(&r, COUNTERS, -1, "refuses the selector"));
	is(r.fake.diag[0].value, 6);
	is(r.fake.diag[1].value, 7);
	is(rig_choose(&r, 0, 0x7d, 0, 6, 0), 6);
	is_error(rig_config(&r, 0, 0x7d, 0, 7, 0), SBI_ERR_NOT_SUPPORTED);
	check_event_5();
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "faulty rows of counters", faulty_counter_rows },
		{ "rows of counters with a usable part", partly_faulty_counter_rows },
		{ "events without selectors", events_without_selectors },
		{ "ranges past the last event", long_ranges },
		{ "faulty rows of selectors", faulty_selector_rows },
		{ "wrong lengths", wrong_lengths },
		{ "selectors without counters", selectors_without_counters },
		{ "faulty raw rows", faulty_raw_rows },
		{ "nine different masks", too_many_masks },
		{ "a full index", full_index },
		{ "no memory for raw events", no_memory_for_raw_events },
		{ "odd memory for raw events", odd_memory_for_raw_events },
		{ "QEMU 7.2's node of twenty cells", qemu_7_2 },
		{ "selectors that mhpmevent refuses", refused_selectors },
	};

	return tap_run(cases, TAP_NR(cases));
}
