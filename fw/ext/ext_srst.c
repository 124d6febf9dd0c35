// SPDX-License-Identifier: BSD-2-Clause
/*
 * ext_srst.c - SRST: power off and reboot, through the finisher that the device tree names
 * (SiFive's test device, or syscon-poweroff and syscon-reboot).
 *
 * Implements: SBI 3.0 chapter 10.
 */
#include <machine.h>

#include "aclint.h"
#include "ext_srst.h"
#include "ipi.h"
#include "platform.h"

/* SiFive's test device: failure; the exit status is in bits 31:16. */
#define TEST_FAIL 0x3333

/* Loop turns to wait if there is no clock. */
#define PATIENCE 10000000

/*
 * A finisher may need some time, and S-mode must not run on this hart meanwhile.  Other harts still
 * run and send fences, which this one must execute.
 */
static void wait_a_second(struct hart *h)
{
	bool clock = platform.timebase && (h->has_time || h->dt.mtime);
	uint64_t begin = aclint_time(h);
	unsigned turns;

	for (turns = 0; clock || turns < PATIENCE; turns++) {
		if (clock && aclint_time(h) - begin >= platform.timebase)
			return;
		if (csr_read(CSR_MIP) & MIP_MSIP)
			ipi_take(h);
	}
}

enum sbi_err srst_reset(struct hart *h, bool reboot, bool failure)
{
	const struct finisher *f = reboot ? &platform.reboot : &platform.poweroff;

	if (!f->reg)
		return SBI_ERR_NOT_SUPPORTED;
	full_fence();
	*(volatile uint32_t *)f->reg = failure && f->is_test && !reboot ? 1 << 16 | TEST_FAIL
									: f->value;
	wait_a_second(h);
	return SBI_ERR_FAILED;
}

static struct sbiret srst(rv_ulong a0, rv_ulong a1, rv_ulong a2, rv_ulong a3, rv_ulong a4,
			  rv_ulong a5, rv_ulong fid, struct hart *h)
{
	uint32_t type = (uint32_t)a0, reason = (uint32_t)a1;

	if (fid != SBI_SRST_RESET)
		return sbi_fail(SBI_ERR_NOT_SUPPORTED);
	if (type > SBI_SRST_TYPE_WARM_REBOOT || reason > SBI_SRST_REASON_FAILURE)
		return sbi_fail(SBI_ERR_INVALID_PARAM);
	return sbi_fail(
		srst_reset(h, type != SBI_SRST_TYPE_SHUTDOWN, reason == SBI_SRST_REASON_FAILURE));
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
