/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_boards.c - correct tables of boards and bindings, and the events that perf gets from them.
 *
 * Covers: OpenSBI's docs/pmu_support.md (the bindings and their example), the whole table of an
 * Andes AX45MP, and the shapes of tables that boards have: rows for the fixed counters only, no
 * rows for cycles, counters without a selector.
 */
#include "rig.h"

static struct rig r;

static void boot(unsigned programmable, bool sscofpmf)
{
	rig_init(&r, programmable, 64);
	r.fake.hw.sscofpmf = sscofpmf;
	rig_no_tables(&r);
}

#define LOAD(table, ...)                                                                           \
	rig_cells(&r.table, (const uint32_t[]){ __VA_ARGS__ },                                     \
		  sizeof((const uint32_t[]){ __VA_ARGS__ }) / sizeof(uint32_t))

static void andes_ax45mp(void)
{
	static const uint16_t raw[] = {
		0x30,  0x40,  0x50,  0x60,  0x70,  0x80,  0x90,	 0xa0,	0xb0,  0xc0,  0xd0,
		0xe0,  0xf0,  0x100, 0x110, 0x120, 0x130, 0x140, 0x150, 0x160, 0x170, 0x180,
		0x190, 0x01,  0x11,  0x21,  0x31,  0x41,  0x51,	 0x61,	0x71,  0x81,  0x91,
		0xa1,  0xb1,  0xc1,  0xd1,  0xe1,  0xf1,  0x101, 0x111, 0x121, 0x131, 0x141,
		0x151, 0x161, 0x171, 0x181, 0x02,  0x12,  0x22,
	};
	static struct sbipmu_raw_slot slots[128];
	struct sbipmu_dt dt;
	struct sbipmu_config config = { slots, TAP_NR(slots), false, &dt };

	boot(4, false);
	LOAD(selectors, 0x3, 0, 0x41, 0x4, 0, 0x51, 0x10000, 0, 0x61, 0x10001, 0, 0x71, 0x10002, 0,
	     0x81, 0x10003, 0, 0x91, 0x10008, 0, 0x21, 0x10009, 0, 0x31);
	LOAD(counters, 0x3, 0x4, 0x78, 0x10000, 0x10003, 0x78, 0x10008, 0x10009, 0x78);
	for (unsigned i = 0; i < TAP_NR(raw); i++) {
		rig_cell(&r.raw, 0);
		rig_cell(&r.raw, raw[i]);
		rig_cell(&r.raw, 0xffffffff);
		rig_cell(&r.raw, 0xffffffff);
		rig_cell(&r.raw, 0x78);
	}
	dt = (struct sbipmu_dt){ r.selectors.bytes, r.selectors.len, r.counters.bytes,
				 r.counters.len,    r.raw.bytes,     r.raw.len };
	sbipmu_init(&r.pmu, &fake_ops, &r.fake, &config);
	rig_hart(&r, &r.h, &r.fake);
	is(r.fake.nr_diags, 0);
	is(r.pmu.nr_events, 8 + 2);
	is(r.pmu.nr_raw_rows, TAP_NR(raw));
	for (unsigned i = 0; i < TAP_NR(raw); i++) {
		tap_context("raw 0x%x", raw[i]);
		is(rig_choose(&r, 3, 1, SBI_PMU_CFG_FLAG_SKIP_MATCH, EIDX_RAW, raw[i]), 3);
		is(fake_event(&r.fake, 3), raw[i]);
		ok(!rig_supported(&r, EIDX_RAW, raw[i] + 3u));
	}
	is(rig_choose(&r, 0, 0x7d, 0, EIDX_CYCLES, 0), 0);
	is(rig_choose(&r, 0, 0x75, 0, 0x10009, 0), 4);
	is(fake_event(&r.fake, 4), 0x31);
	ok(!rig_supported(&r, 0x10018, 0));
}

/* The example in the bindings: its only selector is for an event that SBI does not define. */
static void example_of_the_bindings(void)
{
	boot(17, true);
	LOAD(selectors, 0xb, 0, 1);
	LOAD(counters, 1, 1, 1, 2, 2, 4, 3, 0xa, 0xff8, 0x10000, 0x10033, 0xff000);
	LOAD(raw, 0, 2, ~0u, ~0u, 0xf8, ~0u, ~0xfu, ~0u, ~0xfu, 0xff0);
	rig_boot(&r);
	is(r.fake.nr_diags, 4);
	ok(rig_said(&r, SELECTORS_PROPERTY, 0, "no such event"));
	ok(rig_said(&r, COUNTERS_PROPERTY, 2, "no selector"));
	ok(rig_said(&r, COUNTERS_PROPERTY, 3, "no selector"));
	ok(rig_said(&r, RAW_PROPERTY, 1, "no raw event"));
	is(rig_choose(&r, 0, 0xffffd, 0, EIDX_CYCLES, 0), 0);
	is(rig_choose(&r, 0, 0xffffd, 0, EIDX_INSTRUCTIONS, 0), 2);
	ok(rig_supported(&r, EIDX_RAW, 2));
}

/* The same without selectors: event_idx, zero-extended, is the selector. */
static void event_idx_as_selector(void)
{
	boot(17, true);
	LOAD(counters, 1, 1, 1, 2, 2, 4, 3, 0xa, 0xff8, 0x10000, 0x10033, 0xff000);
	rig_boot(&r);
	is(r.fake.nr_diags, 0);
	is(rig_choose(&r, 3, 0x1ffff, 0, 0xa, 0), 3);
	is(r.fake.regs.event[3], 0xa | MHPMEVENT_MINH);
	is(rig_choose(&r, 3, 0x1ffff, 0, 0x10033, 0), 12);
	is(r.fake.regs.event[12], 0x10033 | MHPMEVENT_MINH);
	is(rig_choose(&r, 0, 0xffffd, 0, EIDX_CYCLES, 0), 0);
}

/* Like a P550: rows allow only the fixed counters for cycles and instructions. */
static void rows_for_fixed_counters_only(void)
{
	for (unsigned ovf = 0; ovf < 2; ovf++) {
		boot(4, ovf);
		LOAD(selectors, 5, 0, 0x4000, 6, 0, 0x2001, 0x10021, 0, 0x1002);
		LOAD(counters, 1, 1, 1, 2, 2, 4, 5, 6, 0x78, 0x10021, 0x10021, 0x78);
		LOAD(raw, 0, 0, ~0u, 0xfc0000ff, 0x78, 0, 1, ~0u, 0xfff800ff, 0x78, 0, 2, ~0u,
		     0xffffe0ff, 0x78);
		rig_boot(&r);
		is(r.fake.nr_diags, 0);
		is(rig_choose(&r, 0, 0x7d, 0, EIDX_CYCLES, 0), 0);
		is(rig_choose(&r, 0, 0x7d, 0, EIDX_INSTRUCTIONS, 0), 2);
		is_error(rig_config(&r, 0, 0x7d, 0, EIDX_CYCLES, 0), SBI_ERR_NOT_SUPPORTED);
		ok(rig_supported(&r, EIDX_CYCLES, 0));
		is(rig_choose(&r, 0, 0x7d, 0, 6, 0), 3);
		is(rig_choose(&r, 0, 0x7d, 0, EIDX_RAW, 0x3ffff00), 4);
		is(rig_choose(&r, 0, 0x7d, 0, EIDX_RAW, 0x102), 5);
		ok(!rig_supported(&r, EIDX_RAW, 3));
		is(rig_choose(&r, 3, 0xf, 0, EIDX_CYCLES, 0), SBI_ERR_NOT_SUPPORTED);
	}
}

/* Like a D1: each event has its own counter, and there are no rows for cycles. */
static void no_rows_for_cycles(void)
{
	boot(29, false);
	LOAD(selectors, 3, 0, 1, 4, 0, 2, 5, 0, 7, 6, 0, 6, 0xa, 0, 0xb, 0x10000, 0, 0xc, 0x10019,
	     0, 4);
	LOAD(counters, 3, 3, 0x8, 4, 4, 0x10, 5, 5, 0x200, 6, 6, 0x100, 0x10000, 0x10000, 0x4000,
	     0x10019, 0x10019, 0x40);
	LOAD(raw, 0, 1, ~0u, ~0u, 0x8, 0, 2, ~0u, ~0u, 0x10, 0, 0xf, ~0u, ~0u, 0x20000);
	rig_boot(&r);
	is(r.fake.nr_diags, 1);
	ok(rig_said(&r, SELECTORS_PROPERTY, -1, "no counters"));
	is(r.fake.diag[0].value, 0xa);
	is(rig_choose(&r, 0, 0xfffffffd, 0, EIDX_CYCLES, 0), 0);
	is(rig_choose(&r, 0, 0xfffffffd, 0, EIDX_INSTRUCTIONS, 0), 2);
	is(rig_choose(&r, 0, 0xfffffffd, 0, 5, 0), 9);
	is_error(rig_config(&r, 0, 0xfffffffd, 0, 5, 0), SBI_ERR_NOT_SUPPORTED);
	is(rig_choose(&r, 0, 0xfffffffd, 0, EIDX_RAW, 0xf), 17);
}

/* Like an SG2044: bus-cycles has counters but no selector; selector 7 would be another event. */
static void counters_without_a_selector(void)
{
	boot(16, true);
	LOAD(selectors, 5, 0, 7, 6, 0, 6);
	LOAD(counters, 5, 5, 0xfffffff8, 6, 6, 0xfffffff8, 7, 7, 0xfffffff8);
	rig_boot(&r);
	is(r.fake.nr_diags, 4); /* counters 19 to 31 in three rows, and the selector */
	ok(rig_said(&r, COUNTERS_PROPERTY, 2, "no selector"));
	ok(!rig_supported(&r, SBI_PMU_HW_BUS_CYCLES, 0));
	is(rig_choose(&r, 0, 0x7fffd, 0, 5, 0), 3);
}

/* A hart with raw events only. */
static void raw_events_only(void)
{
	boot(12, true);
	LOAD(raw, 0, 0, ~0u, 0xffffffe0, 0x7ff8, 0, 0x20, ~0u, 0xfffffffe, 0x7ff8, 0, 0x22, ~0u,
	     0xffffff22, 0x7ff8);
	rig_boot(&r);
	is(r.fake.nr_diags, 0);
	ok(rig_supported(&r, EIDX_RAW, 0x1f));
	ok(rig_supported(&r, EIDX_RAW, 0x21));
	ok(rig_supported(&r, EIDX_RAW, 0x22));
	ok(!rig_supported(&r, EIDX_RAW, 0x40));
	is(rig_choose(&r, 0, 0x7ffd, 0, EIDX_CYCLES, 0), 0);
}

/* A unified cache with many masks: each row is found by its own mask. */
static void eight_masks(void)
{
	boot(4, true);
	for (unsigned i = 0; i < SBIPMU_RAW_MASKS; i++) {
		rig_cell(&r.raw, 1u << (i + 8)); /* bits of event_data[63:32] */
		rig_cell(&r.raw, 0);
		rig_cell(&r.raw, 0xffffffff);
		rig_cell(&r.raw, 0xffffffffu << i);
		rig_cell(&r.raw, 0x78);
	}
	rig_boot(&r);
	is(r.fake.nr_diags, 0);
	for (unsigned i = 0; i < SBIPMU_RAW_MASKS; i++) {
		uint64_t data = (uint64_t)(1u << (i + 8)) << 32;

		tap_context("mask %u", i);
		ok(rig_supported(&r, EIDX_RAW_V2, data | ((1u << i) - 1)));
		ok(!rig_supported(&r, EIDX_RAW_V2, data | 1u << i));
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "Andes AX45MP: the whole table", andes_ax45mp },
		{ "the example in the bindings", example_of_the_bindings },
		{ "event_idx as the selector", event_idx_as_selector },
		{ "rows for the fixed counters only (P550)", rows_for_fixed_counters_only },
		{ "no rows for cycles, one counter each (D1)", no_rows_for_cycles },
		{ "counters without a selector (SG2044)", counters_without_a_selector },
		{ "raw events only (Dubhe)", raw_events_only },
		{ "eight masks", eight_masks },
	};

	return tap_run(cases, TAP_NR(cases));
}
