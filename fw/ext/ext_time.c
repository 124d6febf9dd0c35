// SPDX-License-Identifier: BSD-2-Clause
/*
 * ext_time.c - TIME: the next timer interrupt (aclint.c does it).
 *
 * Implements: SBI 3.0 chapter 6.
 */
#include "aclint.h"
#include "ext_time.h"

static struct sbiret time_call(rv_ulong a0, rv_ulong a1, rv_ulong a2, rv_ulong a3, rv_ulong a4,
			       rv_ulong a5, rv_ulong fid, struct hart *h)
{
	if (fid != SBI_TIME_SET_TIMER)
		return sbi_fail(SBI_ERR_NOT_SUPPORTED);
	sbipmu_fw_event(&h->pmu, SBI_PMU_FW_SET_TIMER);
	aclint_timer_set(h, RV_XLEN == 32 ? (uint64_t)a1 << 32 | a0 : a0);
	return sbi_ok(0);
}

static rv_ulong time_probe(const struct hart *h)
{
	return h->has_sstc || h->dt.mtimecmp;
}

const struct sbi_ext ext_time = {
	.eid = SBI_EXT_TIME,
	.handle = time_call,
	.probe = time_probe,
	.name = "time",
};
