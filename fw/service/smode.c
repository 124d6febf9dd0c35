// SPDX-License-Identifier: BSD-2-Clause
/*
 * smode.c - sets the CSRs of a hart for S-mode, and enters S-mode.
 *
 * Implements: Priv 1.13 §3.1.8 (delegation), §3.1.11 (mcounteren), §3.1.18 (menvcfg), §18.3 (fences
 * of guests); Smstateen 1.0; Sstc 1.0; Zkr 1.0 (mseccfg).
 */
#include <machine.h>

#include "aclint.h"
#include "csr.h"
#include "jump.h"
#include "pmp.h"
#include "smode.h"

/*
 * Exceptions that are delegated to S-mode.  Illegal instructions, misaligned accesses and access
 * faults are not: M-mode emulates some of them and counts all (SBI 3.0 §11.5, table 35).
 */
#define DELEGATED                                                                                  \
	(RV_BIT(CAUSE_MISALIGNED_FETCH) | RV_BIT(CAUSE_FETCH_ACCESS) | RV_BIT(CAUSE_BREAKPOINT) |  \
	 RV_BIT(CAUSE_ECALL_U) | RV_BIT(CAUSE_FETCH_PAGE_FAULT) | RV_BIT(CAUSE_LOAD_PAGE_FAULT) |  \
	 RV_BIT(CAUSE_STORE_PAGE_FAULT) | RV_BIT(CAUSE_SOFTWARE_CHECK))
#define DELEGATED_H                                                                                \
	(RV_BIT(CAUSE_ECALL_VS) | RV_BIT(CAUSE_FETCH_GUEST_FAULT) |                                \
	 RV_BIT(CAUSE_LOAD_GUEST_FAULT) | RV_BIT(CAUSE_VIRTUAL_INSN) |                             \
	 RV_BIT(CAUSE_STORE_GUEST_FAULT))

static void init_delegation(struct hart *h)
{
	csr_write(CSR_MIDELEG, MIP_SSIP | MIP_STIP | MIP_SEIP | MIP_LCOFIP);
	csr_write(CSR_MEDELEG, DELEGATED | (h->has_h ? DELEGATED_H : 0));
	csr_write(CSR_MIE, MIP_MSIP);
	csr_clear(CSR_MIP, MIP_SSIP | MIP_STIP | MIP_LCOFIP);
}

/*
 * menvcfg: features that S-mode and U-mode may use, S-mode's timer (Sstc), and its own counters
 * (Smcdeleg): a kernel that knows them does not call the PMU extension for what mcounteren has.
 * sbipmu_hart_init() then hides M-mode from these counters.
 */
static void init_envcfg(struct hart *h)
{
	uint64_t want = MENVCFG_CBIE | MENVCFG_CBCFE | MENVCFG_CBZE | MENVCFG_PBMTE | MENVCFG_STCE |
			MENVCFG_CDE;
	rv_ulong unused;

	h->has_menvcfg = csr_num_probe(h, CSR_MENVCFG, &unused);
	if (!h->has_menvcfg)
		return;
	/*
	 * Svadu without Svade in the device tree means that the hart updates A and D bits from
	 * the start.  Otherwise S-mode turns this on through FWFT.
	 */
	if (h->dt.svadu && !h->dt.svade)
		want |= MENVCFG_ADUE;
	csr_write64(CSR_MENVCFG, CSR_MENVCFGH, want);
	/* QEMU 7.2 keeps the bit even if stimecmp does not exist. */
	h->has_sstc = csr_read64(CSR_MENVCFG, CSR_MENVCFGH) & MENVCFG_STCE &&
		      csr_num_probe(h, CSR_STIMECMP, &unused);
	if (!h->has_sstc)
		csr_write64(CSR_MENVCFG, CSR_MENVCFGH, want & ~MENVCFG_STCE);
}

/* Lets S-mode access all state that it manages; bit 0 (custom state) stays 0. */
static void init_stateen(struct hart *h)
{
	rv_ulong unused;

	if (csr_num_probe(h, CSR_MSTATEEN0, &unused))
		csr_write64(CSR_MSTATEEN0, CSR_MSTATEEN0H, ~(uint64_t)1);
}

/*
 * Zkr: if the device tree names it, Linux reads seed early at boot and tells programs about it
 * (hwprobe).  The firmware does not emulate seed, so S-mode and U-mode must be able to read it.
 * Without Zkr the bits stay 0.
 */
static void init_seed(void)
{
	rv_ulong unused;

	if (csr_num_probe(NULL, CSR_MSECCFG, &unused))
		csr_set(CSR_MSECCFG, MSECCFG_SSEED | MSECCFG_USEED);
}

/* mstatus with UXL and SXL as they are and all other fields 0. */
static rv_ulong mstatus_clean(void)
{
	return RV_XLEN == 32 ? 0 : csr_read(CSR_MSTATUS) & (MSTATUS_UXL | MSTATUS_SXL);
}

void smode_init(struct hart *h)
{
	rv_ulong misa = csr_read(CSR_MISA), unused;

	h->has_h = misa & MISA_EXT('H');
	h->has_fsdsp = misa & MISA_EXT('C') && misa & MISA_EXT('D');
	h->has_time = csr_num_probe(h, CSR_TIME, &unused);
	csr_write(CSR_MSTATUS, mstatus_clean());
	csr_write(CSR_SATP, 0);
	init_delegation(h);
	init_envcfg(h);
	init_stateen(h);
	init_seed();
	/* sbipmu_hart_init() sets the other bits. */
	csr_write(CSR_MCOUNTEREN, RV_BIT(COUNTER_TM));
	csr_write(CSR_SCOUNTEREN, RV_BIT(COUNTER_TM));
	if (h->has_h)
		csr_write(CSR_HCOUNTEREN, RV_BIT(COUNTER_TM));
	pmp_init(h);
	aclint_timer_off(h);
	h->fwft_locked = 0;
}

/*
 * Removes the cached translations of guests.  HFENCE.GVMA covers every VMID, but HFENCE.VVMA only
 * the VMID in hgatp, so it is executed for each VMID: at most 16384.  A hart that has not run
 * S-mode has cached none.
 */
static void fence_guests(const struct hart *h)
{
	const rv_ulong one = HGATP_VMID & -HGATP_VMID;
	rv_ulong last, vmid;

	if (!h->has_h)
		return;
	fence_vm(HFENCE_GVMA, true, 0, true, 0);
	csr_write(CSR_HGATP, h->ran ? HGATP_VMID : 0);
	last = csr_read(CSR_HGATP) & HGATP_VMID;
	for (vmid = 0; vmid <= last; vmid += one) {
		csr_write(CSR_HGATP, vmid);
		fence_vm(HFENCE_VVMA, true, 0, true, 0);
	}
	csr_write(CSR_HGATP, 0);
}

/* mret to S-mode: satp 0, interrupts off, not a guest. */
static void __attribute__((noreturn)) leave(struct hart *h, rv_ulong addr, rv_ulong arg)
{
	csr_write(CSR_SATP, 0);
	csr_write(CSR_MSTATUS, mstatus_clean() | (rv_ulong)PRV_S << MSTATUS_MPP_SHIFT);
	if (RV_XLEN == 32 && h->has_h)
		csr_clear(CSR_MSTATUSH, MSTATUSH_MPV);
	csr_write(CSR_MEPC, addr);
	/* Code and page tables may have changed while no other hart sent fences to this one. */
	fence_everything();
	jump_to_s(h, h->id, arg);
}

void smode_enter(struct hart *h, rv_ulong addr, rv_ulong arg)
{
	csr_write(CSR_MIE, MIP_MSIP);
	csr_clear(CSR_MIP, MIP_SSIP | MIP_STIP | MIP_LCOFIP);
	/* Other harts did not send fences to this one while it was stopped (ext_rfence.c). */
	fence_guests(h);
	h->ran = true;
	leave(h, addr, arg);
}

void smode_resume(struct hart *h, rv_ulong addr, rv_ulong arg)
{
	leave(h, addr, arg);
}
