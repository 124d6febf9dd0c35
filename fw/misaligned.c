// SPDX-License-Identifier: BSD-2-Clause
/*
 * misaligned.c - loads and stores that the hart refuses because of their alignment.
 *
 * The instruction is fetched and decoded (lib/isa), its bytes are moved one by one with the
 * rights of the mode that trapped; a fault on the way becomes the fault that the hart would
 * have raised for that byte.  Atomic and vector accesses are handed on.
 *
 * Implements: Priv 1.13 §3.1.15 (which fault), Unpriv chapters 2, 20, 21 (NaN boxing).
 */
#include <isa.h>

#include "fw.h"

/* A value in memory order and in registers' order. */
union value {
	uint64_t u64;
	unsigned char byte[8];
};

/* A fault of an emulated access is one that the hart would have reported and M-mode counted. */
static void access_fault(struct hart *h, struct trap_info *fault, bool is_store)
{
	mprv_fault_complete(h, fault);
	if (fault->cause == CAUSE_LOAD_ACCESS)
		sbipmu_fw_event(&h->pmu, SBI_PMU_FW_ACCESS_LOAD);
	if (fault->cause == CAUSE_STORE_ACCESS)
		sbipmu_fw_event(&h->pmu, SBI_PMU_FW_ACCESS_STORE);
	trap_redirect(h, fault);
}

/* True if S-mode, and for a guest its own kernel, has the floating-point unit on. */
static bool float_on(const struct hart *h)
{
	return h->mstatus & MSTATUS_FS &&
	       (!trap_from_guest(h) || csr_read(CSR_VSSTATUS) & MSTATUS_FS);
}

/* fp_load changed a register: FS is what this trap will restore, so it must say so. */
static void float_dirty(struct hart *h)
{
	h->mstatus |= MSTATUS_FS;
	if (trap_from_guest(h))
		csr_set(CSR_VSSTATUS, MSTATUS_FS);
}

static void write_register(struct hart *h, const struct isa_access *a, union value v)
{
	unsigned shift = 64 - 8 * a->bytes;

	if (a->is_float) {
		/* A half is boxed like a single: all ones above it. */
		if (a->bytes == 2)
			v.u64 |= ~(uint64_t)0xffff;
		fp_load(a->reg, &v, a->bytes == 8 ? 8 : 4);
		float_dirty(h);
	} else if (a->reg) {
		v.u64 <<= shift;
		h->x[a->reg] = (rv_ulong)(a->is_signed ? (uint64_t)((int64_t)v.u64 >> shift)
						       : v.u64 >> shift);
	}
}

static union value read_register(struct hart *h, const struct isa_access *a)
{
	union value v = { 0 };

	if (a->is_float)
		fp_store(a->reg, &v, a->bytes == 8 ? 8 : 4);
	else if (a->reg)
		v.u64 = h->x[a->reg];
	return v;
}

/* Moves the bytes; false after a fault, which has been handed on. */
static bool carry_out(struct hart *h, const struct isa_access *a, rv_ulong addr)
{
	union value v = { 0 };
	struct trap_info fault;
	unsigned i;

	if (a->is_store)
		v = read_register(h, a);
	for (i = 0; i < a->bytes; i++) {
		if (a->is_store)
			mprv_store(addr + i, &fault, v.byte[i]);
		else
			v.byte[i] = mprv_load(addr + i, &fault, 0);
		if (fault.cause != MPRV_OK) {
			access_fault(h, &fault, a->is_store);
			return false;
		}
	}
	if (!a->is_store)
		write_register(h, a, v);
	return true;
}

void misaligned_emulate(struct hart *h, struct trap_info *info)
{
	bool is_store = info->cause == CAUSE_MISALIGNED_STORE;
	struct isa_access a;
	struct trap_info fault;
	unsigned length;
	uint32_t insn;

	if (!trap_fetch(h, &insn, &length, &fault)) {
		trap_redirect(h, &fault);
		return;
	}
	/* S-mode may have changed the instruction meanwhile: nothing of it is taken on trust. */
	if (!isa_decode_access(insn, RV_XLEN, &a) || a.is_store != is_store ||
	    (a.is_float && !float_on(h))) {
		trap_redirect(h, info);
		return;
	}
	/* mtval is the address, pointer masking applied; the register is not used for it. */
	if (carry_out(h, &a, info->tval)) {
		h->nr_emulated++;
		h->mepc += length;
	}
}
