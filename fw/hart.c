// SPDX-License-Identifier: BSD-2-Clause
/*
 * hart.c - the hart table, and the CSRs of a hart that is to run S-mode.
 *
 * The table has the order of the device tree's cpu nodes; ids may be sparse.
 *
 * Implements: Priv 1.13 §3.1.8 (delegation), §3.1.11 (mcounteren), §3.1.18 (menvcfg), §18.3 (fences
 * of guests); Smstateen 1.0; Sstc 1.0; Zkr 1.0 (mseccfg); SBI 3.0 §3.1 (hart masks).
 */
#include "fw.h"

union hart_slot hart_slot[HART_MAX] __attribute__((aligned(16)));
rv_ulong hart_ids[HART_MAX];
/* For start.S, which cannot know it. */
extern const rv_ulong hart_struct_size;
const rv_ulong hart_struct_size = sizeof(struct hart);

_Static_assert(sizeof(union hart_slot) == HART_SLOT_SIZE, "hart.h");
_Static_assert(sizeof(struct hart) % 16 == 0, "the stack begins at struct hart");

/*
 * Causes that go straight to S-mode.  Illegal instructions, misaligned accesses and access
 * faults do not: M-mode emulates some of them and counts all (reference/000, table 35).
 */
#define DELEGATED                                                                                  \
	(RV_BIT(CAUSE_MISALIGNED_FETCH) | RV_BIT(CAUSE_FETCH_ACCESS) | RV_BIT(CAUSE_BREAKPOINT) |  \
	 RV_BIT(CAUSE_ECALL_U) | RV_BIT(CAUSE_FETCH_PAGE_FAULT) | RV_BIT(CAUSE_LOAD_PAGE_FAULT) |  \
	 RV_BIT(CAUSE_STORE_PAGE_FAULT) | RV_BIT(CAUSE_SOFTWARE_CHECK))
#define DELEGATED_H                                                                                \
	(RV_BIT(CAUSE_ECALL_VS) | RV_BIT(CAUSE_FETCH_GUEST_FAULT) |                                \
	 RV_BIT(CAUSE_LOAD_GUEST_FAULT) | RV_BIT(CAUSE_VIRTUAL_INSN) |                             \
	 RV_BIT(CAUSE_STORE_GUEST_FAULT))

struct hart *hart_find(rv_ulong id)
{
	unsigned i;

	/* Ids are the table's order on most machines. */
	if (id < platform.nr_harts && hart_ids[id] == id)
		return hart_at(id);
	for (i = 0; i < platform.nr_harts; i++) {
		if (hart_ids[i] == id)
			return hart_at(i);
	}
	return NULL;
}

bool hart_mask(rv_ulong mask, rv_ulong base, rv_ulong harts[HART_WORDS])
{
	unsigned i;

	for (i = 0; i < HART_WORDS; i++)
		harts[i] = 0;
	if (base == (rv_ulong)-1) {
		for (i = 0; i < platform.nr_harts; i++)
			harts[i / RV_XLEN] |= (rv_ulong)1 << i % RV_XLEN;
		return true;
	}
	for (; mask; mask &= mask - 1) {
		rv_ulong id = base + first_bit(mask);
		const struct hart *h = id < base ? NULL : hart_find(id);

		if (!h)
			return false;
		harts[h->index / RV_XLEN] |= (rv_ulong)1 << h->index % RV_XLEN;
	}
	return true;
}

bool hart_is_running(const struct hart *h)
{
	switch (__atomic_load_n(&h->state, __ATOMIC_ACQUIRE)) {
	case SBI_HSM_STATE_STARTED:
	case SBI_HSM_STATE_STOP_PENDING:
	case SBI_HSM_STATE_SUSPENDED:
	case SBI_HSM_STATE_SUSPEND_PENDING:
	case SBI_HSM_STATE_RESUME_PENDING:
		return true;
	default:
		return false;
	}
}

static void init_delegation(struct hart *h)
{
	csr_write(CSR_MIDELEG, MIP_SSIP | MIP_STIP | MIP_SEIP | MIP_LCOFIP);
	csr_write(CSR_MEDELEG, DELEGATED | (h->has_h ? DELEGATED_H : 0));
	csr_write(CSR_MIE, MIP_MSIP);
	csr_clear(CSR_MIP, MIP_SSIP | MIP_STIP | MIP_LCOFIP);
}

/* menvcfg: what S-mode may hand on to U-mode, and the timer of its own if there is one. */
static void init_envcfg(struct hart *h)
{
	uint64_t want = MENVCFG_CBIE | MENVCFG_CBCFE | MENVCFG_CBZE | MENVCFG_PBMTE | MENVCFG_STCE;
	rv_ulong unused;

	h->has_menvcfg = csr_num_probe(h, CSR_MENVCFG, &unused);
	if (!h->has_menvcfg)
		return;
	/*
	 * A tree with Svadu and without Svade promises that the hart updates the A and D bits
	 * from the start; otherwise S-mode asks for it through FWFT.
	 */
	if (h->dt.svadu && !h->dt.svade)
		want |= MENVCFG_ADUE;
	csr_write64(CSR_MENVCFG, CSR_MENVCFGH, want);
	/* QEMU 7.2 keeps the bit without having the register. */
	h->has_sstc = csr_read64(CSR_MENVCFG, CSR_MENVCFGH) & MENVCFG_STCE &&
		      csr_num_probe(h, CSR_STIMECMP, &unused);
	if (!h->has_sstc)
		csr_write64(CSR_MENVCFG, CSR_MENVCFGH, want & ~MENVCFG_STCE);
}

/* Opens every state that S-mode manages; bit 0 (custom state) stays closed. */
static void init_stateen(struct hart *h)
{
	rv_ulong unused;

	if (csr_num_probe(h, CSR_MSTATEEN0, &unused))
		csr_write64(CSR_MSTATEEN0, CSR_MSTATEEN0H, ~(uint64_t)1);
}

/*
 * Zkr: Linux draws on seed from its first instructions on where the tree names it, and tells
 * programs of it (hwprobe), which nobody would carry out for them.  Without Zkr the bits stay 0.
 */
static void init_seed(void)
{
	rv_ulong unused;

	if (csr_num_probe(NULL, CSR_MSECCFG, &unused))
		csr_set(CSR_MSECCFG, MSECCFG_SSEED | MSECCFG_USEED);
}

/* mstatus with everything off but the register widths, which S-mode may not find changed. */
static rv_ulong mstatus_clean(void)
{
	return RV_XLEN == 32 ? 0 : csr_read(CSR_MSTATUS) & (MSTATUS_UXL | MSTATUS_SXL);
}

void hart_init(struct hart *h)
{
	rv_ulong misa = csr_read(CSR_MISA), unused;

	h->has_h = misa & MISA_EXT('H');
	h->has_time = csr_num_probe(h, CSR_TIME, &unused);
	csr_write(CSR_MSTATUS, mstatus_clean());
	csr_write(CSR_SATP, 0);
	init_delegation(h);
	init_envcfg(h);
	init_stateen(h);
	init_seed();
	/* The counters' bits are sbipmu_hart_init's. */
	csr_write(CSR_MCOUNTEREN, RV_BIT(COUNTER_TM));
	csr_write(CSR_SCOUNTEREN, RV_BIT(COUNTER_TM));
	if (h->has_h)
		csr_write(CSR_HCOUNTEREN, RV_BIT(COUNTER_TM));
	pmp_init(h);
	time_off(h);
	fwft_reset(h);
}

/*
 * Forgets the translations of guests.  HFENCE.GVMA is for every VMID, HFENCE.VVMA for that in
 * hgatp only: at most 16384 of them.  A hart that has run nothing knows none.
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
	/* Code and tables may have changed while nobody sent fences to this hart. */
	fence_everything();
	trap_return_s(h, h->id, arg);
}

void hart_enter_s(struct hart *h, rv_ulong addr, rv_ulong arg)
{
	csr_write(CSR_MIE, MIP_MSIP);
	csr_clear(CSR_MIP, MIP_SSIP | MIP_STIP | MIP_LCOFIP);
	/* Nobody sent fences to this hart before (ext_rfence.c). */
	fence_guests(h);
	h->ran = true;
	leave(h, addr, arg);
}

void hart_resume_s(struct hart *h, rv_ulong addr, rv_ulong arg)
{
	leave(h, addr, arg);
}
