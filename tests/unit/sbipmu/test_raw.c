/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_raw.c - raw events, and harts whose mhpmevent does not store every selector.
 *
 * Covers: SBI 3.0 §11.3 and §11.4; riscv,raw-event-to-mhpmcounters of OpenSBI's
 * docs/pmu_support.md; mhpmevent as a WARL register (Priv 1.13 §3.1.10). test_dt.c has the
 * malformed tables.
 */
#include "rig.h"

#define SKIP SBI_PMU_CFG_FLAG_SKIP_MATCH

static struct rig r;
static struct rig_state before;

/* One row that allows everything, on counters 3 to 6. */
static void boot_open(bool sscofpmf)
{
	static const uint32_t raw[] = { 0, 0, 0, 0, 0x78 };

	rig_init(&r, 4, 64);
	r.fake.hw.sscofpmf = sscofpmf;
	rig_cells(&r.raw, raw, TAP_NR(raw));
	rig_boot(&r);
}

/* Version 1 has 48 bits, version 2 has 56, and 32 if mhpmevent has no high half. */
static void which_bits(void)
{
	for (unsigned ovf = 0; ovf < 2; ovf++)
		for (unsigned bit = 0; bit < 64; bit++) {
			bool narrow = RV_XLEN == 32 && !ovf;
			uint64_t data = 1ull << bit;
			uint64_t minh = ovf ? MHPMEVENT_MINH : 0;

			tap_context("Sscofpmf %u, bit %u", ovf, bit);
			boot_open(ovf);
			if (bit < (narrow ? 32 : 48)) {
				is(rig_choose(&r, 3, 1, SKIP, EIDX_RAW, data), 3);
				is(fake_event(&r.fake, 3), data | minh);
			} else {
				is_error(rig_config(&r, 3, 1, SKIP, EIDX_RAW, data),
					 SBI_ERR_NOT_SUPPORTED);
			}
			if (bit < (narrow ? 32 : 56)) {
				is(rig_choose(&r, 3, 1, SKIP, EIDX_RAW_V2, data), 3);
				is(fake_event(&r.fake, 3), data | minh);
			} else {
				is_error(rig_config(&r, 3, 1, SKIP, EIDX_RAW_V2, data),
					 SBI_ERR_NOT_SUPPORTED);
			}
		}
}

static void all_bits_of_event_data(void)
{
	boot_open(true);
	is(rig_choose(&r, 3, 1, 0, EIDX_RAW_V2, RV_MASK(55, 0)), 3);
	is(r.fake.regs.event[3], RV_MASK(55, 0) | MHPMEVENT_MINH);
	is_error(rig_config(&r, 4, 1, 0, EIDX_RAW_V2, ~0ull), SBI_ERR_NOT_SUPPORTED);
}

static void rows_and_masks(void)
{
	boot_open(true);
	rig_usual(&r);
	is(rig_choose(&r, 3, 1, SKIP, EIDX_RAW, 0x1000), 3);
	is(rig_choose(&r, 3, 1, SKIP, EIDX_RAW, 0x1fff), 3);
	is(rig_choose(&r, 3, 1, SKIP, EIDX_RAW, 0x2001), 3);
	is_error(rig_config(&r, 3, 1, SKIP, EIDX_RAW, 0xfff), SBI_ERR_NOT_SUPPORTED);
	is_error(rig_config(&r, 3, 1, SKIP, EIDX_RAW, 0x2000), SBI_ERR_NOT_SUPPORTED);
	is_error(rig_config(&r, 3, 1, SKIP, EIDX_RAW, 0x2002), SBI_ERR_NOT_SUPPORTED);
	is_error(rig_config(&r, 3, 1, SKIP, EIDX_RAW, 0x100001000), SBI_ERR_NOT_SUPPORTED);
	is_error(rig_config(&r, 3, 1, SKIP, EIDX_RAW_V2, 1ull << 55 | 0x2001),
		 SBI_ERR_NOT_SUPPORTED);
}

/* A table as large as the index allows; each row is found, and nothing else is. */
static void a_full_index(void)
{
	rig_init(&r, 4, 64);
	r.raw.len = 0;
	for (unsigned i = 0; i < RIG_SLOTS / 2; i++) {
		rig_cell(&r.raw, i & 1 ? i : 0);
		rig_cell(&r.raw, i * 0x10001);
		rig_cell(&r.raw, 0xffffffff);
		rig_cell(&r.raw, 0xffffffff);
		rig_cell(&r.raw, 1u << (3 + i % 4));
	}
	rig_boot(&r);
	is(r.pmu.nr_raw_rows, RIG_SLOTS / 2);
	is(r.fake.nr_diags, 0);
	for (unsigned i = 0; i < RIG_SLOTS / 2; i++) {
		uint64_t data = (uint64_t)(i & 1 ? i : 0) << 32 | i * 0x10001;

		tap_context("row %u", i);
		is(rig_choose(&r, 3, 0xf, 0, EIDX_RAW_V2, data), 3 + (int)i % 4);
		is_error(rig_stop(&r, 0, 0x7d, SBI_PMU_STOP_FLAG_RESET), SBI_ERR_ALREADY_STOPPED);
		is_error(rig_config(&r, 3, 0xf, 0, EIDX_RAW_V2, data + 1), SBI_ERR_NOT_SUPPORTED);
	}
}

/*
 * A counter whose mhpmevent refuses a selector of a wide row is skipped, as if it were not in the
 * row.
 */
static const struct sbipmu_ops *choosy_ops = &fake_ops;

static void boot_choosy(void)
{
	static const uint64_t low[] = { 0x10, 0x11 }, high[] = { 0x11, 0x12 };
	static const uint32_t raw[] = { 0, 0x10, 0xffffffff, 0xfffffff0, 0x38 };

	rig_init(&r, 3, 64);
	r.ops = choosy_ops;
	rig_cells(&r.raw, raw, TAP_NR(raw));
	r.counters.len = r.selectors.len = 0;
	r.fake.hw.warl[3] = (struct fake_warl){ ~0ull, low, TAP_NR(low) };
	r.fake.hw.warl[4] = (struct fake_warl){ ~0ull, high, TAP_NR(high) };
	r.fake.hw.warl[5] = (struct fake_warl){ 0, NULL, 0 };
	rig_boot(&r);
}

static void refused_selectors_of_a_wide_row(void)
{
	boot_choosy();
	is(rig_choose(&r, 0, 0x3d, 0, EIDX_RAW, 0x10), 3);
	is_error(rig_config(&r, 0, 0x3d, 0, EIDX_RAW, 0x10), SBI_ERR_NOT_SUPPORTED);
	boot_choosy();
	is(rig_choose(&r, 0, 0x3d, 0, EIDX_RAW, 0x12), 4);
	is(fake_event(&r.fake, 4), 0x12 | MHPMEVENT_MINH);
	is_error(rig_config(&r, 0, 0x3d, 0, EIDX_RAW, 0x12), SBI_ERR_NOT_SUPPORTED);
	boot_choosy();
	is(rig_choose(&r, 0, 0x3d, 0, EIDX_RAW, 0x11), 3);
	is(rig_choose(&r, 0, 0x3d, 0, EIDX_RAW, 0x11), 4);
	is_error(rig_config(&r, 0, 0x3d, 0, EIDX_RAW, 0x11), SBI_ERR_NOT_SUPPORTED);
	boot_choosy();
	is_error(rig_config(&r, 0, 0x3d, 0, EIDX_RAW, 0x13), SBI_ERR_NOT_SUPPORTED);
}

static void event_info_asks_every_counter(void)
{
	boot_choosy();
	ok(rig_supported(&r, EIDX_RAW, 0x10));
	ok(rig_supported(&r, EIDX_RAW, 0x12));
	ok(!rig_supported(&r, EIDX_RAW, 0x13));
	/* mapped counters that stand still are tried, too */
	is(rig_choose(&r, 4, 1, 0, EIDX_RAW, 0x11), 4);
	ok(rig_supported(&r, EIDX_RAW, 0x12));
	ok(!rig_supported(&r, EIDX_RAW, 0x13));
	is(fake_event(&r.fake, 4), 0x11 | MHPMEVENT_MINH);
}

/* A host may leave csr_update out. */
static void asks_without_csr_update(void)
{
	struct sbipmu_ops ops = fake_ops;

	ops.csr_update = NULL;
	choosy_ops = &ops;
	refused_selectors_of_a_wide_row();
	event_info_asks_every_counter();
	choosy_ops = &fake_ops;
}

/* One call with many entries: each has its own answer, and mhpmevent and OF are unchanged. */
static void many_questions_in_one_call(void)
{
	enum { N = 64 };

	boot_choosy();
	is(rig_choose(&r, 4, 1, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_RAW, 0x11), 4);
	r.fake.regs.value[4] = ~0ull;
	fake_tick(&r.fake, 4, 9, FAKE_S);
	is_error(rig_stop(&r, 4, 1, 0), SBI_SUCCESS);
	for (unsigned i = 0; i < N; i++) {
		fake_ram_set32(&r.fake, 16 * i, EIDX_RAW);
		fake_ram_set64(&r.fake, 16 * i + 8, 0x10 + i % 4);
	}
	rig_state_save(&r, &before);
	is_error(rig_event_info(&r, fake_addr(0), 0, N, 0), SBI_SUCCESS);
	for (unsigned i = 0; i < N; i++)
		is(fake_ram32(&r.fake, 16 * i + 4), i % 4 != 3);
	ok(memcmp(&r.h, &before.h, sizeof(r.h)) == 0);
	ok(memcmp(&r.fake.regs, &before.regs, sizeof(before.regs)) == 0);
	is(fake_scountovf(&r.fake), 1u << 4);
}

/* No lookup probes further than the row with the largest distance, found or not. */
static void lookups_are_short(void)
{
	rig_init(&r, 4, 64);
	r.raw.len = 0;
	for (unsigned i = 0; i < RIG_SLOTS / 2; i++) {
		rig_cell(&r.raw, 0);
		rig_cell(&r.raw, i);
		rig_cell(&r.raw, 0xffffffff);
		rig_cell(&r.raw, 0xffffffff);
		rig_cell(&r.raw, 8);
	}
	rig_boot(&r);
	ok(r.pmu.raw_longest >= 1 && r.pmu.raw_longest <= 6);
	for (unsigned i = 0; i < 4 * RIG_SLOTS; i++)
		is(rig_supported(&r, EIDX_RAW_V2, i), i < RIG_SLOTS / 2);
}

/* SKIP_MATCH with a selector that the named counter refuses: the old event remains. */
static void skip_match_refused(void)
{
	boot_choosy();
	is(rig_choose(&r, 3, 1, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_RAW, 0x11), 3);
	r.fake.regs.value[3] = ~0ull;
	fake_tick(&r.fake, 3, 9, FAKE_S);
	is_error(rig_stop(&r, 3, 1, 0), SBI_SUCCESS);
	rig_state_save(&r, &before);
	is_error(rig_config(&r, 3, 1, SKIP | SBI_PMU_CFG_FLAG_CLEAR_VALUE, EIDX_RAW, 0x12),
		 SBI_ERR_NOT_SUPPORTED);
	is_error(rig_config(&r, 3, 3, SKIP, EIDX_RAW, 0x12), SBI_ERR_NOT_SUPPORTED);
	ok(rig_state_same(&r, &before)); /* OF and LCOFIP, too */
	is(rig_choose(&r, 3, 1, SKIP, EIDX_RAW, 0x10), 3);
	is(fake_scountovf(&r.fake), 0);
}

/* Rows for exactly one selector are tried once, at boot. */
static void refused_selectors_of_exact_rows(void)
{
	static const uint64_t takes[] = { 0x20, RIG_GENERAL + 1 };
	static const uint32_t raw[] = { 0, 0x20, 0xffffffff, 0xffffffff, 0x18,
					0, 0x21, 0xffffffff, 0xffffffff, 0x18 };

	rig_init(&r, 2, 64);
	rig_cells(&r.raw, raw, TAP_NR(raw));
	r.fake.hw.warl[3] = (struct fake_warl){ ~0ull, takes, TAP_NR(takes) };
	r.selectors.len = 2 * 12; /* cycles and instructions only */
	r.counters.len = 12;
	r.counters.bytes[7] = 2; /* events 1 to 2 */
	rig_boot(&r);
	is(r.fake.nr_diags, 2);
	ok(rig_said(&r, COUNTERS_PROPERTY, -1, "refuses the selector"));
	ok(rig_said(&r, RAW_PROPERTY, 1, "refuses this selector"));
	is(rig_choose(&r, 3, 3, SKIP, EIDX_CYCLES, 0), 3);
	is_error(rig_config(&r, 3, 1, SKIP, EIDX_INSTRUCTIONS, 0), SBI_ERR_NOT_SUPPORTED);
	is(rig_choose(&r, 3, 3, 0, EIDX_INSTRUCTIONS, 0), 4);
	is(rig_choose(&r, 3, 1, SKIP, EIDX_RAW, 0x20), 3);
	is_error(rig_config(&r, 3, 1, SKIP, EIDX_RAW, 0x21), SBI_ERR_NOT_SUPPORTED);
	fake_log_clear(&r.fake);
	ok(rig_supported(&r, EIDX_RAW, 0x21));
	is(r.fake.nr_log, 0);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "48 bits for version 1, 56 for version 2", which_bits },
		{ "all of a raw event's bits at once", all_bits_of_event_data },
		{ "rows for one event and for a range", rows_and_masks },
		{ "a full index", a_full_index },
		{ "selectors of a wide row that a counter refuses",
		  refused_selectors_of_a_wide_row },
		{ "event_get_info tries every counter", event_info_asks_every_counter },
		{ "a host without csr_update", asks_without_csr_update },
		{ "many questions in one call", many_questions_in_one_call },
		{ "a lookup in a full index takes few steps", lookups_are_short },
		{ "SKIP_MATCH with a refused selector changes nothing", skip_match_refused },
		{ "selectors of exact rows are tried at boot", refused_selectors_of_exact_rows },
	};

	return tap_run(cases, TAP_NR(cases));
}
