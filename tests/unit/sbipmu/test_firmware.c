/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_firmware.c - firmware events and firmware counters.
 *
 * Covers: SBI 3.0 §11.5 (events), §11.11 (FID 5), §11.12 (FID 6), and §11.8 to §11.10 for
 * firmware counters.
 */
#include "rig.h"

#define FIRST 7u /* on a hart with counters 3 to 6 */
#define ALL   0xffffu
#define AUTO  SBI_PMU_CFG_FLAG_AUTO_START
#define CLEAR SBI_PMU_CFG_FLAG_CLEAR_VALUE
#define SKIP  SBI_PMU_CFG_FLAG_SKIP_MATCH
#define INIT  SBI_PMU_START_SET_INIT_VALUE
#define RESET SBI_PMU_STOP_FLAG_RESET

static struct rig r;
static struct rig_state before;

static void every_named_event(void)
{
	rig_usual(&r);
	for (unsigned code = 0; code < SBI_PMU_FW_COUNT; code++) {
		tap_context("event %u", code);
		is(rig_choose(&r, FIRST, ALL, AUTO | CLEAR, EIDX_FW(code), 0), FIRST);
		for (unsigned other = 0; other < SBI_PMU_FW_COUNT; other++)
			for (unsigned n = 0; n <= other; n++)
				sbipmu_fw_event(&r.h, (enum sbi_pmu_fw)other);
		is(rig_fw_read(&r, FIRST), code + 1);
		is_error(rig_stop(&r, FIRST, 1, RESET), SBI_SUCCESS);
	}
	is(SBI_PMU_FW_COUNT, 22);
}

static void reserved_codes(void)
{
	rig_usual(&r);
	rig_state_save(&r, &before);
	for (unsigned code = 22; code < 256; code++) {
		tap_context("code %u", code);
		is_error(rig_config(&r, FIRST, ALL, 0, EIDX_FW(code), 0), SBI_ERR_NOT_SUPPORTED);
	}
	ok(rig_state_same(&r, &before));
}

/* The host decides which of the codes 256 to 65534 and of the platform's it knows. */
static void events_of_the_host(void)
{
	rig_usual(&r);
	is(rig_choose(&r, FIRST, ALL, AUTO, EIDX_FW(256), 0), FIRST);
	is(rig_choose(&r, FIRST, ALL, AUTO, EIDX_FW(263), 0), FIRST + 1);
	is(rig_choose(&r, FIRST, ALL, AUTO, EIDX_FW(65535), FAKE_FW_PLATFORM + 7), FIRST + 2);
	r.fake.fw_total[0] += 5;
	r.fake.fw_total[7] += 6;
	r.fake.fw_total[15] += 7;
	is(rig_fw_read(&r, FIRST), 5);
	is(rig_fw_read(&r, FIRST + 1), 6);
	is(rig_fw_read(&r, FIRST + 2), 7);
	is_error(rig_config(&r, FIRST, ALL, 0, EIDX_FW(264), 0), SBI_ERR_NOT_SUPPORTED);
	is_error(rig_config(&r, FIRST, ALL, 0, EIDX_FW(65534), 0), SBI_ERR_NOT_SUPPORTED);
	is_error(rig_config(&r, FIRST, ALL, 0, EIDX_FW(65535), 0), SBI_ERR_NOT_SUPPORTED);
	is_error(rig_config(&r, FIRST, ALL, 0, EIDX_FW(65535), 1ull << 32 | FAKE_FW_PLATFORM),
		 SBI_ERR_NOT_SUPPORTED);
	/* only the platform event uses event_data */
	is_error(rig_config(&r, FIRST, ALL, 0, EIDX_FW(256), 1), SBI_ERR_NOT_SUPPORTED);
}

/* The host's totals are older than the counter, and wrap. */
static void totals_of_the_host_wrap(void)
{
	rig_usual(&r);
	r.fake.fw_total[3] = ~0ull - 1;
	is(rig_choose(&r, FIRST, ALL, AUTO, EIDX_FW(259), 0), FIRST);
	r.fake.fw_total[3] += 10;
	is(rig_fw_read(&r, FIRST), 10);
}

static void two_counters_on_one_event(void)
{
	rig_usual(&r);
	is(rig_choose(&r, FIRST, ALL, AUTO, EIDX_FW(5), 0), FIRST);
	sbipmu_fw_event(&r.h, SBI_PMU_FW_SET_TIMER);
	is(rig_choose(&r, FIRST, ALL, AUTO, EIDX_FW(5), 0), FIRST + 1);
	sbipmu_fw_event(&r.h, SBI_PMU_FW_SET_TIMER);
	is_error(rig_stop(&r, FIRST, 1, 0), SBI_SUCCESS);
	sbipmu_fw_event(&r.h, SBI_PMU_FW_SET_TIMER);
	is(rig_fw_read(&r, FIRST), 2);
	is(rig_fw_read(&r, FIRST + 1), 2);
}

static void all_sixteen(void)
{
	rig_usual(&r);
	for (unsigned i = 0; i < SBIPMU_FW_CTRS; i++)
		is(rig_choose(&r, FIRST, ALL, 0, EIDX_FW(i), 0), (int)(FIRST + i));
	is_error(rig_config(&r, FIRST, ALL, 0, EIDX_FW(3), 0), SBI_ERR_NOT_SUPPORTED);
	is_error(rig_start(&r, FIRST, ALL, 0, 0), SBI_SUCCESS);
	for (unsigned i = 0; i < SBIPMU_FW_CTRS; i++)
		sbipmu_fw_event(&r.h, (enum sbi_pmu_fw)i);
	for (unsigned i = 0; i < SBIPMU_FW_CTRS; i++)
		is(rig_fw_read(&r, FIRST + i), 1);
	is_error(rig_stop(&r, FIRST, ALL, RESET), SBI_SUCCESS);
	is(r.h.mapped, 0);
}

/* Firmware counters are 64 bits wide; RV32 reads them in two calls. */
static void values(void)
{
	static const uint64_t value[] = {
		0, 1, 0xfffffffe, 0xffffffff, 0x123456789abcdef0, ~0ull - 1, ~0ull
	};

	rig_usual(&r);
	is(rig_choose(&r, FIRST, ALL, 0, EIDX_FW(5), 0), FIRST);
	for (unsigned i = 0; i < TAP_NR(value); i++) {
		tap_context("value %u", i);
		is_error(rig_start(&r, FIRST, 1, INIT, value[i]), SBI_SUCCESS);
		is(rig_fw_read(&r, FIRST), value[i]);
		sbipmu_fw_event(&r.h, SBI_PMU_FW_SET_TIMER);
		is(rig_fw_read(&r, FIRST), value[i] + 1);
		is_error(rig_stop(&r, FIRST, 1, 0), SBI_SUCCESS);
		sbipmu_fw_event(&r.h, SBI_PMU_FW_SET_TIMER);
		is(rig_fw_read(&r, FIRST), value[i] + 1);
		is_error(rig_start(&r, FIRST, 1, 0, 99), SBI_SUCCESS); /* not modified */
		is(rig_fw_read(&r, FIRST), value[i] + 1);
		is_error(rig_stop(&r, FIRST, 1, 0), SBI_SUCCESS);
	}
}

static void flags(void)
{
	rig_usual(&r);
	is(rig_choose(&r, FIRST, 1, AUTO, EIDX_FW(5), 0), FIRST);
	sbipmu_fw_event(&r.h, SBI_PMU_FW_SET_TIMER);
	is_error(rig_config(&r, FIRST, 1, SKIP, EIDX_FW(5), 0), SBI_ERR_NOT_SUPPORTED); /* runs */
	is_error(rig_stop(&r, FIRST, 1, 0), SBI_SUCCESS);
	is_error(rig_config(&r, FIRST, 1, 0, EIDX_FW(5), 0), SBI_ERR_NOT_SUPPORTED); /* mapped */
	is(rig_choose(&r, FIRST, 3, SKIP, EIDX_FW(6), 0), FIRST);
	is(rig_fw_read(&r, FIRST), 1);
	is(rig_choose(&r, FIRST, 1, SKIP | CLEAR | AUTO, EIDX_FW(6), 0), FIRST);
	is(rig_fw_read(&r, FIRST), 0);
	sbipmu_fw_event(&r.h, SBI_PMU_FW_IPI_SENT);
	is(rig_fw_read(&r, FIRST), 1);
	/* filters are hints, and firmware events ignore them */
	is(rig_choose(&r, FIRST + 1, 1, SBI_PMU_CFG_FLAG_FILTER, EIDX_FW(6), 0), FIRST + 1);
}

static void state_errors(void)
{
	rig_usual(&r);
	rig_state_save(&r, &before);
	is_error(rig_start(&r, FIRST, 1, 0, 0), SBI_ERR_INVALID_PARAM); /* not mapped */
	is_error(rig_stop(&r, FIRST, 1, 0), SBI_ERR_ALREADY_STOPPED);
	ok(rig_state_same(&r, &before));
	for (unsigned i = 0; i < 3; i++)
		is(rig_choose(&r, FIRST, ALL, i == 1 ? AUTO : 0, EIDX_FW(5), 0), (int)(FIRST + i));
	is_error(rig_start(&r, FIRST, 7, 0, 0), SBI_ERR_ALREADY_STARTED);
	sbipmu_fw_event(&r.h, SBI_PMU_FW_SET_TIMER);
	for (unsigned i = 0; i < 3; i++)
		is(rig_fw_read(&r, FIRST + i), 1);
	is_error(rig_stop(&r, FIRST, 0xf, RESET), SBI_ERR_ALREADY_STOPPED);
	is(r.h.mapped, 0);
	is(r.h.started, 0);
}

/* Hardware and firmware counters in one set. */
static void mixed_sets(void)
{
	rig_usual(&r);
	is(rig_choose(&r, 3, 1, CLEAR, EIDX_CYCLES, 0), 3);
	is(rig_choose(&r, FIRST, 1, 0, EIDX_FW(5), 0), FIRST);
	is_error(rig_start(&r, 0, 1u << FIRST | 8, 0, 0), SBI_SUCCESS);
	sbipmu_fw_event(&r.h, SBI_PMU_FW_SET_TIMER);
	fake_tick(&r.fake, 3, 1, FAKE_S);
	is_error(rig_stop(&r, 0, 1u << FIRST | 8, RESET), SBI_SUCCESS);
	is(rig_fw_read(&r, FIRST), 1);
	is(r.fake.regs.value[3], 1);
	is(r.h.mapped, 0);
	/* an event gets a counter of its own kind */
	is(rig_choose(&r, 0, 0x7ffffd, 0, EIDX_FW(1), 0), FIRST);
	is(rig_choose(&r, 0, 0x7ffffd, 0, 3, 0), 3);
}

static void reading(void)
{
	static const rv_ulong bad[] = { 0, 1, 2, 3, 6, FIRST + 16, 63, 64, (rv_ulong)-1 };

	rig_usual(&r);
	for (unsigned i = 0; i < TAP_NR(bad); i++)
		for (unsigned fid = 5; fid <= 6; fid++) {
			tap_context("counter %u, fid %u", i, fid);
			is_error(rig_call(&r, fid, bad[i], 0, 0, 0, 0, 0), SBI_ERR_INVALID_PARAM);
		}
	for (unsigned bit = 6; bit < RV_XLEN; bit++)
		for (unsigned fid = 5; fid <= 6; fid++)
			is_error(rig_call(&r, fid, (rv_ulong)1 << bit | FIRST, 0, 0, 0, 0, 0),
				 SBI_ERR_INVALID_PARAM);
	is(rig_fw_read(&r, FIRST + 15), 0); /* not mapped, but a firmware counter */
	is(r.fake.nr_log, 0);
}

/* If counter 31 exists, firmware counters are 32 to 47: the second word of a 64-bit mask. */
static void beyond_counter_31(void)
{
	rig_init(&r, 29, 64);
	rig_boot(&r);
	is(rig_fw_first(&r), 32);
	is(rig_choose(&r, 32, ALL, AUTO, EIDX_FW(5), 0), 32);
	is(rig_choose(&r, 47, 1, AUTO, EIDX_FW(5), 0), 47);
	is(rig_choose(&r, 31, 0x1ffff, 0, EIDX_FW(5), 0), 33);
	sbipmu_fw_event(&r.h, SBI_PMU_FW_SET_TIMER);
	is(rig_fw_read(&r, 32), 1);
	is(rig_fw_read(&r, 47), 1);
	is(rig_fw_read(&r, 33), 0);
	is_error(rig_stop(&r, 31, 0x10002, 0), SBI_SUCCESS);
	is(r.h.started, 0);
	is(fake_all_writes(&r.fake), 0);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "events 0 to 21 count, each only itself", every_named_event },
		{ "codes 22 to 255 are reserved", reserved_codes },
		{ "events of the host and the platform", events_of_the_host },
		{ "totals of the host may wrap", totals_of_the_host_wrap },
		{ "two counters on one event both count", two_counters_on_one_event },
		{ "all sixteen counters", all_sixteen },
		{ "values are 64 bits on RV32, too", values },
		{ "SKIP_MATCH, CLEAR_VALUE, AUTO_START, filters", flags },
		{ "ALREADY_STARTED and ALREADY_STOPPED", state_errors },
		{ "sets of hardware and firmware counters", mixed_sets },
		{ "fw_read and fw_read_hi refuse other counters", reading },
		{ "firmware counters beyond 31", beyond_counter_31 },
	};

	return tap_run(cases, TAP_NR(cases));
}
