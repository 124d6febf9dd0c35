// SPDX-License-Identifier: BSD-2-Clause
/*
 * redirect.c - redirects traps to S-mode, and fetches the instruction that trapped.
 *
 * S-mode must see a redirected trap as if the hart had delegated it.  A trap of a guest that the
 * hypervisor has delegated to the guest (hedeleg) goes to VS-mode.
 *
 * Implements: Priv 1.13 §12.1.1 (S-mode traps), §18.5-18.6 (H: traps of guests), §18.2.1 (hstatus);
 * Zicfilp (ELP over traps).
 */
#include <isa.h>
#include <machine.h>

#include "access.h"
#include "redirect.h"

uint64_t trap_status(const struct hart *h)
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
	return trap_status(h) & MSTATUS_MPV;
}

unsigned trap_previous_mode(const struct hart *h)
{
	return h->mstatus >> MSTATUS_MPP_SHIFT & 3;
}

static void set_previous_mode(struct hart *h, rv_ulong mode)
{
	h->mstatus = (h->mstatus & ~(rv_ulong)MSTATUS_MPP) | mode << MSTATUS_MPP_SHIFT;
}

/* sstatus or vsstatus after a trap: SPIE is the old SIE, SPP is the old mode. */
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

/* Redirects to the guest's kernel.  MPV is kept, so that mret enters VS-mode. */
static void redirect_to_vs(struct hart *h, const struct trap_info *info, bool elp)
{
	bool from_s = trap_previous_mode(h) == PRV_S;

	csr_write(CSR_VSEPC, h->mepc);
	csr_write(CSR_VSCAUSE, info->cause);
	csr_write(CSR_VSTVAL, info->tval);
	csr_write(CSR_VSSTATUS, status_after_trap(csr_read(CSR_VSSTATUS), from_s, elp));
	set_previous_mode(h, PRV_S);
	h->mepc = csr_read(CSR_VSTVEC) & ~(rv_ulong)3;
}

/* Sets hstatus, htval and htinst as a trap to HS-mode does. */
static void redirect_h(struct hart *h, const struct trap_info *info)
{
	rv_ulong hstatus = csr_read(CSR_HSTATUS) & ~(rv_ulong)(HSTATUS_SPV | HSTATUS_GVA);

	if (trap_from_guest(h)) {
		hstatus |= HSTATUS_SPV;
		hstatus &= ~(rv_ulong)HSTATUS_SPVP;
		if (trap_previous_mode(h) == PRV_S)
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
	bool from_s = trap_previous_mode(h) == PRV_S, elp = trap_status(h) & MSTATUS_MPELP;

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

/* What an instruction of 16 bits stands for; 0: none, or one of Zcmp and Zcmt. */
static uint32_t expanded(const struct hart *h, uint16_t insn)
{
	bool fsdsp = (insn & 0xe003) == 0xa002;

	return fsdsp && !h->has_fsdsp ? 0 : isa_expand(insn, RV_XLEN);
}

bool trap_fetch(struct hart *h, uint32_t *insn, unsigned *length, struct trap_info *fault)
{
	unsigned i;

	*insn = 0;
	*length = 2;
	for (i = 0; i < *length; i++) {
		*insn |= (uint32_t)mprv_load(h->mepc + i, fault, MSTATUS_MXR) << 8 * i;
		if (fault->cause != MPRV_OK) {
			/* Another hart has unmapped the page: report a fetch fault. */
			fault->cause = fault->cause == CAUSE_LOAD_PAGE_FAULT
					       ? CAUSE_FETCH_PAGE_FAULT
				       : fault->cause == CAUSE_LOAD_GUEST_FAULT
					       ? CAUSE_FETCH_GUEST_FAULT
					       : CAUSE_FETCH_ACCESS;
			trap_fault_complete(h, fault);
			return false;
		}
		if (i == 1)
			*length = isa_length(*insn);
	}
	if (*length == 2)
		*insn = expanded(h, (uint16_t)*insn);
	return true;
}

void trap_fault_complete(struct hart *h, struct trap_info *fault)
{
	fault->gva = trap_from_guest(h);
	fault->tval2 = h->has_h ? csr_read(CSR_MTVAL2) : 0;
	/*
	 * mtinst describes the firmware's access, not S-mode's instruction.  Only the
	 * pseudoinstructions for faults of the guest's page tables (Priv 1.13 §18.6.3) are right
	 * for both.
	 */
	fault->tinst = h->has_h ? csr_read(CSR_MTINST) : 0;
	if ((fault->tinst & ~(rv_ulong)0x1020) != 0x2000)
		fault->tinst = 0;
}
