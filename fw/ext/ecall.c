// SPDX-License-Identifier: BSD-2-Clause
/*
 * ecall.c - the table of extensions, and the legacy calls.
 *
 * trap.S computes the slot of an extension in three instructions and jumps to its handler.  To add
 * an extension: write ext_<name>.c with one const struct sbi_ext, declare it in ext_<name>.h, add
 * it to the table.
 *
 * Of the calls of SBI 0.1 (extension ids 0 to 8), set_timer, putchar, getchar and shutdown work:
 * small kernels and boot loaders use them.  The others pass hart masks by virtual address and are
 * not supported; Linux has not used them since SBI 0.2.
 *
 * Implements: SBI 3.0 §3 (binary encoding), chapter 5 (legacy).
 */
#include "aclint.h"
#include "ecall.h"
#include "ext_base.h"
#include "ext_dbcn.h"
#include "ext_fwft.h"
#include "ext_hsm.h"
#include "ext_ipi.h"
#include "ext_pmu.h"
#include "ext_rfence.h"
#include "ext_srst.h"
#include "ext_susp.h"
#include "ext_time.h"
#include "uart.h"

const struct sbi_ext *const ecall_table[ECALL_SLOTS] = {
	[ECALL_SLOT(SBI_EXT_BASE)] = &ext_base, [ECALL_SLOT(SBI_EXT_TIME)] = &ext_time,
	[ECALL_SLOT(SBI_EXT_IPI)] = &ext_ipi,	[ECALL_SLOT(SBI_EXT_RFENCE)] = &ext_rfence,
	[ECALL_SLOT(SBI_EXT_HSM)] = &ext_hsm,	[ECALL_SLOT(SBI_EXT_SRST)] = &ext_srst,
	[ECALL_SLOT(SBI_EXT_DBCN)] = &ext_dbcn, [ECALL_SLOT(SBI_EXT_PMU)] = &ext_pmu,
	[ECALL_SLOT(SBI_EXT_SUSP)] = &ext_susp, [ECALL_SLOT(SBI_EXT_FWFT)] = &ext_fwft,
};

const struct sbi_ext *ecall_find(rv_ulong eid)
{
	const struct sbi_ext *e = ecall_table[ECALL_SLOT(eid)];

	return e && e->eid == eid ? e : NULL;
}

/* A legacy call returns one value in a0 and does not change a1. */
static struct sbiret legacy(rv_long value, rv_ulong a1)
{
	return (struct sbiret){ value, a1 };
}

struct sbiret ecall_other(rv_ulong a0, rv_ulong a1, rv_ulong a2, rv_ulong a3, rv_ulong a4,
			  rv_ulong a5, rv_ulong fid, struct hart *h)
{
	switch (h->x[17]) {
	case SBI_EXT_LEGACY_SET_TIMER:
		sbipmu_fw_event(&h->pmu, SBI_PMU_FW_SET_TIMER);
		aclint_timer_set(h, RV_XLEN == 32 ? (uint64_t)a1 << 32 | a0 : a0);
		return legacy(0, a1);
	case SBI_EXT_LEGACY_CONSOLE_PUTCHAR:
		return legacy(uart_put((unsigned char)a0) ? SBI_SUCCESS : SBI_ERR_FAILED, a1);
	case SBI_EXT_LEGACY_CONSOLE_GETCHAR:
		return legacy(uart_get(), a1);
	case SBI_EXT_LEGACY_SHUTDOWN:
		return legacy(srst_reset(h, false, false), a1);
	default:
		return sbi_fail(SBI_ERR_NOT_SUPPORTED);
	}
}
