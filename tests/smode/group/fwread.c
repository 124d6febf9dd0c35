/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fwread.c - counter_fw_read and counter_fw_read_hi.
 *
 * Covers: SBI 3.0 §11.11, §11.12.
 */
#include "group.h"

static struct sbiret read_any(rv_ulong fid, rv_ulong ctr)
{
	return sbi1(SBI_EXT_PMU, fid, ctr);
}

/* arg: the function. */
static void of_hw(const struct test *t)
{
	for (unsigned c = 0; c < 64; c++)
		if (facts.hw & BITS64(c) && read_any(t->arg, c).error != SBI_ERR_INVALID_PARAM)
			deviation("hardware counter %u: got error %ld, expected -3", c,
				  (long)read_any(t->arg, c).error);
	if (facts.ovf_ctrs) {
		unsigned c = first_ctr(facts.ovf_ctrs);

		ctr_config(c, SBI_PMU_CFG_FLAG_AUTO_START, EV_CYCLES, 0);
		expect_err("running hardware counter", read_any(t->arg, c), SBI_ERR_INVALID_PARAM);
	}
}

static void of_invalid(const struct test *t)
{
	const rv_ulong n = facts.nr_ctrs;
	const rv_ulong bad[] = { n,
				 n + 1,
				 64 > n ? 64 : n,
				 4096,
				 (rv_ulong)1 << (RV_XLEN - 1),
				 (rv_ulong)-1,
				 RV_XLEN == 64 ? (rv_ulong)BITS64(32) + facts.fw_first : n };

	for (unsigned i = 0; i < ARRAY_LEN(bad); i++)
		if (read_any(t->arg, bad[i]).error != SBI_ERR_INVALID_PARAM)
			deviation("counter 0x%lx: got error %ld, expected -3",
				  (unsigned long)bad[i], (long)read_any(t->arg, bad[i]).error);
	for (unsigned c = 0; c < 64 && c < n; c++)
		if (!((facts.hw | facts.fw) & BITS64(c)))
			expect_err("index that get_info refuses", read_any(t->arg, c),
				   SBI_ERR_INVALID_PARAM);
}

static void unconfigured(const struct test *t)
{
	for (unsigned c = 0; c < 64; c++)
		if (facts.fw & BITS64(c) && read_any(t->arg, c).error)
			deviation("firmware counter %u: got error %ld, expected success", c,
				  (long)read_any(t->arg, c).error);
}

static void high(const struct test *t)
{
	const unsigned c = facts.fw_first;

	fw_take(c);
	expect_ok("start", ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 0xabcd000012345678ull));
	expect_ret("fw_read_hi", read_any(SBI_PMU_COUNTER_FW_READ_HI, c), SBI_SUCCESS,
		   RV_XLEN == 32 ? 0xabcd0000 : 0);
	expect_ret("fw_read", pmu_fw_read(c), SBI_SUCCESS, (rv_ulong)0xabcd000012345678ull);
}

static void carry(const struct test *t)
{
	const unsigned c = facts.fw_first;

	fw_take(c);
	expect_ok("start", ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 0xffffffff));
	fw_tick(1);
	expect_u64("value after one event", fw_value(c), BITS64(32));
}

#define PF (NEED_PMU | NEED_FW)
static const struct test fwread_tests[] = {
	{ "fw_read of a hardware counter is INVALID_PARAM", "SBI 3.0 §11.11", of_hw, NEED_PMU,
	  SBI_PMU_COUNTER_FW_READ },
	{ "fw_read of no counter is INVALID_PARAM", "SBI 3.0 §11.11", of_invalid, NEED_PMU,
	  SBI_PMU_COUNTER_FW_READ },
	{ "fw_read of a firmware counter without an event", "SBI 3.0 §11.11", unconfigured,
	  NEED_PMU, SBI_PMU_COUNTER_FW_READ },
	{ "fw_read_hi of a hardware counter is INVALID_PARAM", "SBI 3.0 §11.12", of_hw,
	  NEED_PMU | NEED_V2, SBI_PMU_COUNTER_FW_READ_HI },
	{ "fw_read_hi of no counter is INVALID_PARAM", "SBI 3.0 §11.12", of_invalid,
	  NEED_PMU | NEED_V2, SBI_PMU_COUNTER_FW_READ_HI },
	{ "fw_read_hi of a firmware counter without an event", "SBI 3.0 §11.12", unconfigured,
	  NEED_PMU | NEED_V2, SBI_PMU_COUNTER_FW_READ_HI },
	{ "fw_read_hi gives the upper 32 bits, zero on RV64", "SBI 3.0 §11.12", high, PF | NEED_V2,
	  0 },
	{ "the lower half carries into the upper", "SBI 3.0 §11.11, §11.12", carry, PF | NEED_V2,
	  0 },
};

const struct group group_fwread = { "fw_read", fwread_tests, ARRAY_LEN(fwread_tests) };
