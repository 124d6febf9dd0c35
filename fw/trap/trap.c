// SPDX-License-Identifier: BSD-2-Clause
/*
 * trap.c - traps other than calls: interrupts, exceptions that M-mode emulates or redirects to
 * S-mode, and traps of the firmware itself.
 *
 * Implements: Priv 1.13 §3.1.15-3.1.17.
 */
#include <machine.h>

#include "aclint.h"
#include "ecall.h"
#include "emulate.h"
#include "ipi.h"
#include "misaligned.h"
#include "print.h"
#include "redirect.h"
#include "trap.h"

_Static_assert(offsetof(struct hart, x) == HART_X(0), "hart.h");
_Static_assert(offsetof(struct hart, mepc) == HART_MEPC, "hart.h");
_Static_assert(offsetof(struct hart, mstatus) == HART_MSTATUS, "hart.h");
_Static_assert(offsetof(struct hart, mstatush) == HART_MSTATUSH, "hart.h");
_Static_assert(offsetof(struct hart, nr_calls) == HART_NR_CALLS, "hart.h");
_Static_assert(offsetof(struct trap_info, cause) == INFO_CAUSE, "hart.h");
_Static_assert(offsetof(struct trap_info, tval) == INFO_TVAL, "hart.h");
_Static_assert(offsetof(struct sbi_ext, eid) == EXT_EID, "ecall.h");
_Static_assert(offsetof(struct sbi_ext, handle) == EXT_HANDLE, "ecall.h");

#define INTERRUPT ((rv_ulong)1 << (RV_XLEN - 1))

void trap_interrupt(struct hart *h)
{
	rv_ulong cause = csr_read(CSR_MCAUSE) & ~INTERRUPT;

	switch (cause) {
	case IRQ_M_SOFT:
		ipi_take(h);
		break;
	case IRQ_M_TIMER:
		aclint_timer_fired(h);
		break;
	default:
		/* The firmware did not enable it: disable it. */
		csr_clear(CSR_MIE, (rv_ulong)1 << cause % RV_XLEN);
	}
}

void trap_exception(struct hart *h)
{
	struct trap_info info = { .cause = csr_read(CSR_MCAUSE), .tval = csr_read(CSR_MTVAL) };

	if (trap_previous_mode(h) == PRV_M)
		trap_fatal(h);
	if (h->has_h) {
		info.tval2 = csr_read(CSR_MTVAL2);
		info.tinst = csr_read(CSR_MTINST);
		info.gva = trap_status(h) & MSTATUS_GVA;
	}
	switch (info.cause) {
	case CAUSE_MISALIGNED_LOAD:
		sbipmu_fw_event(&h->pmu, SBI_PMU_FW_MISALIGNED_LOAD);
		misaligned_emulate(h, &info);
		return;
	case CAUSE_MISALIGNED_STORE:
		sbipmu_fw_event(&h->pmu, SBI_PMU_FW_MISALIGNED_STORE);
		misaligned_emulate(h, &info);
		return;
	case CAUSE_ILLEGAL_INSN:
		sbipmu_fw_event(&h->pmu, SBI_PMU_FW_ILLEGAL_INSN);
		illegal_emulate(h, &info);
		return;
	case CAUSE_LOAD_ACCESS:
		sbipmu_fw_event(&h->pmu, SBI_PMU_FW_ACCESS_LOAD);
		break;
	case CAUSE_STORE_ACCESS:
		sbipmu_fw_event(&h->pmu, SBI_PMU_FW_ACCESS_STORE);
		break;
	}
	trap_redirect(h, &info);
}

void trap_fatal(struct hart *h)
{
	bool again = h->fatal;

	/* If print() itself traps, the second time prints nothing. */
	h->fatal = true;
	if (again)
		ipi_park(h);
	console_unlock();
	print("holter: hart %lu: the firmware trapped: cause 0x%lx epc 0x%lx tval 0x%lx; "
	      "this hart stops\n",
	      (unsigned long)h->id, (unsigned long)csr_read(CSR_MCAUSE),
	      (unsigned long)csr_read(CSR_MEPC), (unsigned long)csr_read(CSR_MTVAL));
	ipi_park(h);
}
