// SPDX-License-Identifier: BSD-2-Clause
/*
 * ext_srst.c - SRST: power off and reboot, through the finisher that the device tree names
 * (SiFive's test device, or syscon-poweroff and syscon-reboot).
 *
 * Implements: SBI 3.0 chapter 10.
 */
#include "fw.h"

/* SiFive's test device: a failure's exit status in bits 31:16. */
#define TEST_FAIL 0x3333

void system_reset(bool reboot, bool failure)
{
	const struct finisher *f = reboot ? &platform.reboot : &platform.poweroff;

	if (!f->reg)
		return;
	full_fence();
	*(volatile uint32_t *)f->reg = failure && f->is_test && !reboot ? 1 << 16 | TEST_FAIL
									: f->value;
	/* It takes a moment; nothing may run meanwhile. */
	for (;;)
		wait_for_interrupt();
}

static struct sbiret srst(rv_ulong a0, rv_ulong a1, rv_ulong a2, rv_ulong a3, rv_ulong a4,
			  rv_ulong a5, rv_ulong fid, struct hart *h)
{
	uint32_t type = (uint32_t)a0, reason = (uint32_t)a1;

	if (fid != SBI_SRST_RESET)
		return sbi_fail(SBI_ERR_NOT_SUPPORTED);
	if (type > SBI_SRST_TYPE_WARM_REBOOT || reason > SBI_SRST_REASON_FAILURE)
		return sbi_fail(SBI_ERR_INVALID_PARAM);
	system_reset(type != SBI_SRST_TYPE_SHUTDOWN, reason == SBI_SRST_REASON_FAILURE);
	return sbi_fail(SBI_ERR_NOT_SUPPORTED);
}

static rv_ulong srst_probe(const struct hart *h)
{
	return platform.poweroff.reg || platform.reboot.reg;
}

const struct sbi_ext ext_srst = {
	.eid = SBI_EXT_SRST,
	.handle = srst,
	.probe = srst_probe,
	.name = "srst",
};
