// SPDX-License-Identifier: BSD-2-Clause
/*
 * ext_susp.c - SUSP: suspends the whole system; memory keeps its contents.
 *
 * The last running hart calls it and sleeps until an interrupt that S-mode has enabled.
 *
 * Implements: SBI 3.0 chapter 13.
 */
#include "ext_hsm.h"
#include "ext_susp.h"
#include "smode.h"

static bool others_stopped(const struct hart *h)
{
	unsigned i;

	for (i = 0; i < hart_nr; i++) {
		const struct hart *other = hart_at(i);

		if (other != h && other->present &&
		    __atomic_load_n(&other->state, __ATOMIC_ACQUIRE) != SBI_HSM_STATE_STOPPED)
			return false;
	}
	return true;
}

static struct sbiret susp(rv_ulong a0, rv_ulong a1, rv_ulong a2, rv_ulong a3, rv_ulong a4,
			  rv_ulong a5, rv_ulong fid, struct hart *h)
{
	if (fid != SBI_SUSP_SUSPEND)
		return sbi_fail(SBI_ERR_NOT_SUPPORTED);
	if ((uint32_t)a0 != SBI_SUSP_TYPE_SUSPEND_TO_RAM)
		return sbi_fail(SBI_ERR_INVALID_PARAM);
	if (!hsm_addr_ok(a1))
		return sbi_fail(SBI_ERR_INVALID_ADDRESS);
	if (!others_stopped(h))
		return sbi_fail(SBI_ERR_DENIED);
	sbipmu_hart_save(&h->pmu);
	hsm_sleep(h);
	sbipmu_hart_restore(&h->pmu);
	smode_resume(h, a1, a2);
}

const struct sbi_ext ext_susp = {
	.eid = SBI_EXT_SUSP,
	.handle = susp,
	.name = "susp",
};
