/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_info.c - how many counters there are and what each is; function numbers.
 *
 * Covers: SBI 3.0 §11.6 (FID 0), §11.7 (FID 1), §11.15; the limits that sbipmu.h promises.
 */
#include "rig.h"

static struct rig r;

static rv_ulong info(unsigned csr, unsigned width)
{
	return (rv_ulong)(width - 1) << SBI_PMU_INFO_WIDTH_SHIFT | csr;
}

static void number_of_counters(void)
{
	static const struct {
		unsigned programmable;
		unsigned nr;
	} rows[] = { { 29, 48 }, { 16, 35 }, { 1, 20 }, { 0, 19 } };

	for (unsigned i = 0; i < TAP_NR(rows); i++) {
		tap_context("%u programmable", rows[i].programmable);
		rig_init(&r, rows[i].programmable, 64);
		r.fake.hw.sscofpmf = rows[i].programmable > 0;
		rig_boot(&r);
		/* whatever the registers contain */
		is_ret(rig_call(&r, 0, -1, -1, -1, -1, -1, -1), SBI_SUCCESS, rows[i].nr);
	}
}

static void hardware_counters(void)
{
	static const unsigned widths[] = { 32, 40, 48, 63, 64 };

	for (unsigned i = 0; i < TAP_NR(widths); i++) {
		unsigned w = widths[i];

		tap_context("%u bits", w);
		rig_init(&r, 16, w);
		rig_boot(&r);
		is_ret(rig_info(&r, 0), SBI_SUCCESS, info(CSR_CYCLE, w));
		is_ret(rig_info(&r, 2), SBI_SUCCESS, info(CSR_INSTRET, w));
		for (unsigned ctr = 3; ctr < 19; ctr++)
			is_ret(rig_info(&r, ctr), SBI_SUCCESS, info(CSR_HPMCOUNTER + ctr, w));
	}
}

static void each_counter_its_own_width(void)
{
	rig_init(&r, 4, 64);
	r.fake.hw.width[3] = 32;
	r.fake.hw.width[4] = 40;
	r.fake.hw.width[5] = 48;
	rig_boot(&r);
	is_ret(rig_info(&r, 0), SBI_SUCCESS, info(CSR_CYCLE, 64));
	is_ret(rig_info(&r, 3), SBI_SUCCESS, info(CSR_HPMCOUNTER + 3, 32));
	is_ret(rig_info(&r, 4), SBI_SUCCESS, info(CSR_HPMCOUNTER + 4, 40));
	is_ret(rig_info(&r, 5), SBI_SUCCESS, info(CSR_HPMCOUNTER + 5, 48));
	is_ret(rig_info(&r, 6), SBI_SUCCESS, info(CSR_HPMCOUNTER + 6, 64));
}

static void time_is_nobodys_counter(void)
{
	rig_usual(&r);
	is_error(rig_info(&r, COUNTER_TM), SBI_ERR_INVALID_PARAM);
}

/*
 * Linux masks deltas of firmware counters with the width, which the specification says to ignore.
 */
static void firmware_counters(void)
{
	unsigned first;

	rig_init(&r, 4, 40);
	rig_boot(&r);
	first = rig_fw_first(&r);
	is(first, 7);
	for (unsigned ctr = first; ctr < first + SBIPMU_FW_CTRS; ctr++) {
		struct sbiret ret = rig_info(&r, ctr);

		is(ret.error, SBI_SUCCESS);
		is(ret.value >> (RV_XLEN - 1), 1);
		is(ret.value >> SBI_PMU_INFO_WIDTH_SHIFT & 0x3f, 63);
		is(ret.value & 0xfff, SBIPMU_FW_CSR);
		is((rv_ulong)(ret.value << 1) >> 19, 0); /* reserved bits */
	}
	is_error(rig_info(&r, first + SBIPMU_FW_CTRS), SBI_ERR_INVALID_PARAM);
}

/* No bit of an index register is ignored. */
static void hostile_indexes(void)
{
	rig_init(&r, 29, 64);
	rig_boot(&r);
	for (unsigned bit = 6; bit < RV_XLEN; bit++)
		for (unsigned ctr = 0; ctr < 64; ctr++)
			is_error(rig_info(&r, (rv_ulong)1 << bit | ctr), SBI_ERR_INVALID_PARAM);
	is_error(rig_info(&r, (rv_ulong)-1), SBI_ERR_INVALID_PARAM);
}

static void unknown_functions(void)
{
	static struct rig_state before;

	rig_usual(&r);
	rig_state_save(&r, &before);
	is_error(sbipmu_call(0, 1, 0, 1, 0, 0, 9, &r.h), SBI_ERR_NOT_SUPPORTED);
	for (unsigned bit = 4; bit < RV_XLEN; bit++)
		for (unsigned fid = 0; fid < 9; fid++)
			is_error(sbipmu_call(0, 0, 0, 0, 0, 0, (rv_ulong)1 << bit | fid, &r.h),
				 SBI_ERR_NOT_SUPPORTED);
	ok(rig_state_same(&r, &before));
}

static void asking_writes_nothing(void)
{
	rig_init(&r, 16, 64);
	rig_boot(&r);
	rig_fw_first(&r);
	rig_valid(&r);
	is(r.fake.nr_log, 0);
}

static void a_hart_is_under_1_kib(void)
{
	ok(sizeof(struct sbipmu_hart) < 1024);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "num_counters counts hardware, TIME's gap and firmware", number_of_counters },
		{ "get_info: CSR and width of hardware counters", hardware_counters },
		{ "get_info: each counter has its own width", each_counter_its_own_width },
		{ "get_info: TIME is nobody's counter", time_is_nobodys_counter },
		{ "get_info: type and width of firmware counters", firmware_counters },
		{ "get_info: no bit of the index is ignored", hostile_indexes },
		{ "unknown functions are not supported", unknown_functions },
		{ "num_counters and get_info touch no CSR", asking_writes_nothing },
		{ "struct sbipmu_hart is under 1 KiB", a_hart_is_under_1_kib },
	};

	return tap_run(cases, TAP_NR(cases));
}
