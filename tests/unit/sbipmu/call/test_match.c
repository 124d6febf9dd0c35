/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_match.c - which counter config_matching takes.
 *
 * Covers: SBI 3.0 §11.8 ("find ... a counter from a set of counters which is not started and can
 * monitor the specified event"), and the order that match.c promises within that freedom.
 */
#include "rig.h"

#define SKIP SBI_PMU_CFG_FLAG_SKIP_MATCH

static struct rig r;

/* Counters 3 to 6: 3 counts all, 4 cache events, 5 events 3 and 4, 6 event 3 only. */
static void scarce_hart(bool sscofpmf, bool smcntrpmf)
{
	static const uint32_t counters[] = { 1, 10, 0x8,  0x10000, 0x10035, 0x18,
					     3, 4,  0x20, 3,	   3,	    0x40 };

	rig_init(&r, 4, 64);
	r.fake.hw.sscofpmf = sscofpmf;
	r.fake.hw.smcntrpmf = smcntrpmf;
	rig_cells(&r.counters, counters, TAP_NR(counters));
	r.raw.len = 0;
	rig_boot(&r);
}

static void scarce(bool sscofpmf)
{
	scarce_hart(sscofpmf, true);
}

static void least_flexible_first(void)
{
	scarce(true);
	is(rig_choose(&r, 0, 0x7d, 0, 3, 0), 6);
	is(rig_choose(&r, 0, 0x7d, 0, 3, 0), 5);
	is(rig_choose(&r, 0, 0x7d, 0, 0x10000, 0), 4);
	is(rig_choose(&r, 0, 0x7d, 0, 3, 0), 3);
	is_error(rig_config(&r, 0, 0x7d, 0, 3, 0), SBI_ERR_NOT_SUPPORTED);
	is_error(rig_config(&r, 0, 0x7d, 0, 0x10000, 0), SBI_ERR_NOT_SUPPORTED);
	/* a counter that was released is found again */
	is_error(rig_stop(&r, 5, 1, SBI_PMU_STOP_FLAG_RESET), SBI_ERR_ALREADY_STOPPED);
	is(rig_choose(&r, 0, 0x7d, 0, 4, 0), 5);
}

static void only_from_the_set(void)
{
	scarce(true);
	is(rig_choose(&r, 3, 1, 0, 3, 0), 3);
	is(rig_choose(&r, 0, 0x28, 0, 3, 0), 5);
	is_error(rig_config(&r, 0, 0x28, 0, 3, 0), SBI_ERR_NOT_SUPPORTED);
	is_error(rig_config(&r, 4, 1, 0, 3, 0), SBI_ERR_NOT_SUPPORTED);
	is_error(rig_config(&r, 6, 1, 0, 4, 0), SBI_ERR_NOT_SUPPORTED);
	is_error(rig_config(&r, 0, 5, 0, 3, 0), SBI_ERR_NOT_SUPPORTED);
	is_error(rig_config(&r, 7, 0xffff, 0, 3, 0), SBI_ERR_NOT_SUPPORTED);
}

/* Linux stops its counters to read them: a stopped counter is not free. */
static void mapped_but_stopped_is_not_free(void)
{
	scarce(true);
	is(rig_choose(&r, 6, 1, SBI_PMU_CFG_FLAG_AUTO_START, 3, 0), 6);
	is_error(rig_stop(&r, 6, 1, 0), SBI_SUCCESS);
	is_error(rig_config(&r, 6, 1, 0, 3, 0), SBI_ERR_NOT_SUPPORTED);
	is(rig_choose(&r, 0, 0x7d, 0, 3, 0), 5);
}

/* Without overflow interrupts fixed counters are taken first, so that the others stay free. */
static void fixed_first_without_sscofpmf(void)
{
	scarce(false);
	is(rig_choose(&r, 0, 0x7d, 0, EIDX_CYCLES, 0), 0);
	is(rig_choose(&r, 0, 0x7d, 0, EIDX_CYCLES, 0), 3);
	is_error(rig_config(&r, 0, 0x7d, 0, EIDX_CYCLES, 0), SBI_ERR_NOT_SUPPORTED);
	is(rig_choose(&r, 0, 0x7d, 0, EIDX_INSTRUCTIONS, 0), 2);
	is_error(rig_config(&r, 0, 0x7d, 0, EIDX_INSTRUCTIONS, 0), SBI_ERR_NOT_SUPPORTED);
}

/*
 * With Sscofpmf any event may be sampled, and a fixed counter never interrupts: it is taken last.
 */
static void programmable_first_with_sscofpmf(void)
{
	scarce(true);
	is(rig_choose(&r, 0, 0x7d, 0, EIDX_CYCLES, 0), 3);
	is(rig_choose(&r, 0, 0x7d, 0, EIDX_CYCLES, 0), 0);
	is_error(rig_config(&r, 0, 0x7d, 0, EIDX_CYCLES, 0), SBI_ERR_NOT_SUPPORTED);
	is(rig_choose(&r, 0, 0x75, 0, EIDX_INSTRUCTIONS, 0), 2);
}

/* A fixed counter that cannot filter does not replace a programmable one that can. */
static void no_fixed_counter_for_a_filter(void)
{
	static const struct {
		rv_ulong flags;
		bool smcntrpmf, stands_in;
	} rows[] = {
		{ SBI_PMU_CFG_FLAG_SET_UINH, false, false },
		{ SBI_PMU_CFG_FLAG_SET_SINH, false, false },
		{ SBI_PMU_CFG_FLAG_SET_UINH, true, true },
		{ SBI_PMU_CFG_FLAG_SET_VSINH | SBI_PMU_CFG_FLAG_SET_VUINH, false, true },
		{ SBI_PMU_CFG_FLAG_SET_MINH, false, true },
	};

	for (unsigned i = 0; i < TAP_NR(rows); i++) {
		tap_context("row %u", i);
		scarce_hart(true, rows[i].smcntrpmf);
		is(rig_choose(&r, 0, 0x7d, rows[i].flags, EIDX_CYCLES, 0), 3);
		is_error(rig_config(&r, 0, 0x7d, rows[i].flags, EIDX_CYCLES, 0),
			 rows[i].stands_in ? SBI_SUCCESS : SBI_ERR_NOT_SUPPORTED);
		/* a caller that names it, or has no other, gets it: filters are hints */
		if (!rows[i].stands_in)
			is(rig_choose(&r, 0, 1, rows[i].flags, EIDX_CYCLES, 0), 0);
	}
}

static void explicit_fixed_counter(void)
{
	static const rv_ulong flags[] = { 0, SKIP };

	for (unsigned ovf = 0; ovf < 2; ovf++)
		for (unsigned i = 0; i < TAP_NR(flags); i++) {
			tap_context("Sscofpmf %u, flags %u", ovf, i);
			scarce(ovf);
			is(rig_choose(&r, 0, 1, flags[i], EIDX_CYCLES, 0), 0);
			is(rig_choose(&r, 2, 1, flags[i], EIDX_INSTRUCTIONS, 0), 2);
			is_error(rig_config(&r, 0, 1, 0, EIDX_CYCLES, 0), SBI_ERR_NOT_SUPPORTED);
			is_error(rig_config(&r, 2, 1, 0, EIDX_INSTRUCTIONS, 0),
				 SBI_ERR_NOT_SUPPORTED);
			is_error(rig_config(&r, 0, 1, 0, EIDX_INSTRUCTIONS, 0),
				 SBI_ERR_NOT_SUPPORTED);
		}
	/* SKIP_MATCH with a larger set means the first counter of the set */
	scarce(true);
	is(rig_choose(&r, 0, 0x7d, SKIP, EIDX_CYCLES, 0), 0);
}

/* Boards whose tables have no row for cycles and instructions, or none at all. */
static void fixed_counters_without_rows(void)
{
	static const uint32_t only_misses[] = { 4, 4, 0x78 };

	for (unsigned ovf = 0; ovf < 2; ovf++) {
		tap_context("Sscofpmf %u", ovf);
		rig_init(&r, 4, 64);
		r.fake.hw.sscofpmf = ovf;
		rig_cells(&r.counters, only_misses, TAP_NR(only_misses));
		r.selectors.len = 0;
		rig_boot(&r);
		is(rig_choose(&r, 0, 0x7d, 0, EIDX_CYCLES, 0), 0);
		is(rig_choose(&r, 0, 0x7d, 0, EIDX_INSTRUCTIONS, 0), 2);
		is_error(rig_config(&r, 0, 0x7d, 0, EIDX_CYCLES, 0), SBI_ERR_NOT_SUPPORTED);
	}
}

static void every_counter_once(void)
{
	uint64_t seen = 0;

	rig_init(&r, 29, 64);
	rig_boot(&r);
	for (unsigned i = 0; i < 29; i++) {
		int ctr = rig_choose(&r, 0, 0xfffffffd, 0, 3, 0);

		ok(ctr >= 3 && ctr < 32 && !(seen >> ctr & 1));
		seen |= RV_BIT(ctr & 63);
	}
	is_error(rig_config(&r, 0, 0xfffffffd, 0, 3, 0), SBI_ERR_NOT_SUPPORTED);
}

/* Rows are cumulative: if the first row's counters are taken, a later row's are used. */
static void later_rows_are_tried(void)
{
	static const uint32_t raw[] = { 0, 0x10, 0xffffffff, 0xfffffff0, 0x8,
					0, 0x10, 0xffffffff, 0xffffff00, 0x10, /* too wide */
					0, 0,	 0xffffffff, 0xffffff00, 0x20,
					0, 0x12, 0xffffffff, 0xffffffff, 0x40 };

	rig_init(&r, 4, 64);
	rig_cells(&r.raw, raw, TAP_NR(raw));
	rig_boot(&r);
	is(r.fake.nr_diags, 3); /* the wide select mask; two overlaps */
	is(rig_choose(&r, 0, 0x28, 0, EIDX_RAW, 0x12), 3);
	is(rig_choose(&r, 0, 0x28, 0, EIDX_RAW, 0x12), 5);
	is(rig_choose(&r, 0, 0x7d, 0, EIDX_RAW, 0x12), 6);
	is_error(rig_config(&r, 0, 0x7d, 0, EIDX_RAW, 0x12), SBI_ERR_NOT_SUPPORTED);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the least flexible counter first", least_flexible_first },
		{ "no counter outside the caller's set", only_from_the_set },
		{ "a mapped, stopped counter is not free", mapped_but_stopped_is_not_free },
		{ "fixed counters first without Sscofpmf", fixed_first_without_sscofpmf },
		{ "programmable counters first with Sscofpmf", programmable_first_with_sscofpmf },
		{ "no fixed counter for a filter that it lacks", no_fixed_counter_for_a_filter },
		{ "an explicit fixed counter is honoured", explicit_fixed_counter },
		{ "cycles and instructions without rows", fixed_counters_without_rows },
		{ "each counter is handed out once", every_counter_once },
		{ "a later row's counters are used, too", later_rows_are_tried },
	};

	return tap_run(cases, TAP_NR(cases));
}
