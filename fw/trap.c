// SPDX-License-Identifier: BSD-2-Clause
/*
 * trap.c - traps other than calls: interrupts, what M-mode emulates, what it hands on, and
 * the firmware's own.
 *
 * Handing on must look to S-mode as if the hart had delegated the trap.  A trap of a guest
 * that the hypervisor delegated to it (hedeleg) goes to VS-mode.
 *
 * Implements: Priv 1.13 §3.1.15-3.1.17, §12.1.1 (S-mode traps), §18.5-18.6 (H: traps of
 * guests), §18.2.1 (hstatus); Zicfilp (ELP over traps).
 */
#include <isa.h>

#include "fw.h"

_Static_assert(offsetof(struct hart, x) == HART_X(0), "hart.h");
_Static_assert(offsetof(struct hart, mepc) == HART_MEPC, "hart.h");
_Static_assert(offsetof(struct hart, mstatus) == HART_MSTATUS, "hart.h");
_Static_assert(offsetof(struct hart, mstatush) == HART_MSTATUSH, "hart.h");
_Static_assert(offsetof(struct hart, nr_calls) == HART_NR_CALLS, "hart.h");
_Static_assert(offsetof(struct trap_info, cause) == INFO_CAUSE, "hart.h");
_Static_assert(offsetof(struct trap_info, tval) == INFO_TVAL, "hart.h");
_Static_assert(offsetof(struct sbi_ext, eid) == EXT_EID, "hart.h");
_Static_assert(offsetof(struct sbi_ext, handle) == EXT_HANDLE, "hart.h");

#define INTERRUPT ((rv_ulong)1 << (RV_XLEN - 1))

void trap_interrupt(struct hart *h)
{
	rv_ulong cause = csr_read(CSR_MCAUSE) & ~INTERRUPT;

	switch (cause) {
	case IRQ_M_SOFT:
		ipi_take(h);
		break;
	case IRQ_M_TIMER:
		time_fired(h);
		break;
	default:
		/* Nobody enabled it: see to it that it does not come again. */
		csr_clear(CSR_MIE, (rv_ulong)1 << cause % RV_XLEN);
	}
}

/* Fields that RV32 keeps in mstatush, at the place where RV64 has them in mstatus. */
static uint64_t status64(const struct hart *h)
{
	return RV_XLEN == 32 ? (uint64_t)h->mstatush << 32 | (uint32_t)h->mstatus : h->mstatus;
}

static void status64_clear(struct hart *h, uint64_t bits)
{
	h->mstatus &= ~(rv_ulong)bits;
	if (RV_XLEN == 32)
		h->mstatush &= ~(rv_ulong)(bits >> 32);
}

bool trap_from_guest(const struct hart *h)
{
	return status64(h) & MSTATUS_MPV;
}

static unsigned previous_mode(const struct hart *h)
{
	return h->mstatus >> MSTATUS_MPP_SHIFT & 3;
}

static void set_previous_mode(struct hart *h, rv_ulong mode)
{
	h->mstatus = (h->mstatus & ~(rv_ulong)MSTATUS_MPP) | mode << MSTATUS_MPP_SHIFT;
}

/* sstatus, or vsstatus, after a trap: the old SIE kept in SPIE, the old mode in SPP. */
static rv_ulong status_after_trap(rv_ulong status, bool from_s, bool elp)
{
	rv_ulong next = status & ~(rv_ulong)(MSTATUS_SPIE | MSTATUS_SIE | MSTATUS_SPP);

	if (status & MSTATUS_SIE)
		next |= MSTATUS_SPIE;
	if (from_s)
		next |= MSTATUS_SPP;
	if (elp)
		next |= MSTATUS_SPELP;
	return next;
}

/* To the guest's own kernel.  It stays a guest: MPV is kept. */
static void redirect_to_vs(struct hart *h, const struct trap_info *info, bool elp)
{
	bool from_s = previous_mode(h) == PRV_S;

	csr_write(CSR_VSEPC, h->mepc);
	csr_write(CSR_VSCAUSE, info->cause);
	csr_write(CSR_VSTVAL, info->tval);
	csr_write(CSR_VSSTATUS, status_after_trap(csr_read(CSR_VSSTATUS), from_s, elp));
	set_previous_mode(h, PRV_S);
	h->mepc = csr_read(CSR_VSTVEC) & ~(rv_ulong)3;
}

/* What a trap into HS-mode leaves in hstatus, htval and htinst. */
static void redirect_h(struct hart *h, const struct trap_info *info)
{
	rv_ulong hstatus = csr_read(CSR_HSTATUS) & ~(rv_ulong)(HSTATUS_SPV | HSTATUS_GVA);

	if (trap_from_guest(h)) {
		hstatus |= HSTATUS_SPV;
		hstatus &= ~(rv_ulong)HSTATUS_SPVP;
		if (previous_mode(h) == PRV_S)
			hstatus |= HSTATUS_SPVP;
	}
	if (info->gva)
		hstatus |= HSTATUS_GVA;
	csr_write(CSR_HSTATUS, hstatus);
	csr_write(CSR_HTVAL, info->tval2);
	csr_write(CSR_HTINST, info->tinst);
}

void trap_redirect(struct hart *h, const struct trap_info *info)
{
	bool from_s = previous_mode(h) == PRV_S, elp = status64(h) & MSTATUS_MPELP;

	h->nr_redirects++;
	status64_clear(h, MSTATUS_MPELP);
	if (trap_from_guest(h) && csr_read(CSR_HEDELEG) >> info->cause & 1) {
		redirect_to_vs(h, info, elp);
		return;
	}
	if (h->has_h)
		redirect_h(h, info);
	csr_write(CSR_SEPC, h->mepc);
	csr_write(CSR_SCAUSE, info->cause);
	csr_write(CSR_STVAL, info->tval);
	h->mstatus = status_after_trap(h->mstatus, from_s, elp);
	status64_clear(h, MSTATUS_MPV | MSTATUS_GVA);
	set_previous_mode(h, PRV_S);
	h->mepc = csr_read(CSR_STVEC) & ~(rv_ulong)3;
}

bool trap_fetch(struct hart *h, uint32_t *insn, unsigned *length, struct trap_info *fault)
{
	unsigned i;

	*insn = 0;
	*length = 2;
	for (i = 0; i < *length; i++) {
		*insn |= (uint32_t)mprv_load(h->mepc + i, fault, MSTATUS_MXR) << 8 * i;
		if (fault->cause != MPRV_OK) {
			/* Another hart took the page away: as if fetching it had failed. */
			fault->cause = fault->cause == CAUSE_LOAD_PAGE_FAULT
					       ? CAUSE_FETCH_PAGE_FAULT
				       : fault->cause == CAUSE_LOAD_GUEST_FAULT
					       ? CAUSE_FETCH_GUEST_FAULT
					       : CAUSE_FETCH_ACCESS;
			mprv_fault_complete(h, fault);
			return false;
		}
		if (i == 1)
			*length = isa_length(*insn);
	}
	if (*length == 2)
		*insn = isa_expand((uint16_t)*insn, RV_XLEN);
	return true;
}

void mprv_fault_complete(struct hart *h, struct trap_info *fault)
{
	fault->gva = trap_from_guest(h);
	fault->tval2 = h->has_h ? csr_read(CSR_MTVAL2) : 0;
	/*
	 * mtinst describes the firmware's access, not S-mode's instruction; only the pseudo
	 * instructions for faults of the guest's page tables (Priv §18.6.3) hold for both.
	 */
	fault->tinst = h->has_h ? csr_read(CSR_MTINST) : 0;
	if ((fault->tinst & ~(rv_ulong)0x1020) != 0x2000)
		fault->tinst = 0;
}

void trap_exception(struct hart *h)
{
	struct trap_info info = { .cause = csr_read(CSR_MCAUSE), .tval = csr_read(CSR_MTVAL) };

	if (previous_mode(h) == PRV_M)
		trap_fatal(h);
	if (h->has_h) {
		info.tval2 = csr_read(CSR_MTVAL2);
		info.tinst = csr_read(CSR_MTINST);
		info.gva = status64(h) & MSTATUS_GVA;
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

	/* Should the line itself trap, the second time is silent. */
	h->fatal = true;
	if (again)
		hart_park(h);
	console_unlock();
	print("holter: hart %lu: the firmware trapped: cause 0x%lx epc 0x%lx tval 0x%lx; "
	      "this hart stops\n",
	      (unsigned long)h->id, (unsigned long)csr_read(CSR_MCAUSE),
	      (unsigned long)csr_read(CSR_MEPC), (unsigned long)csr_read(CSR_MTVAL));
	hart_park(h);
}
