// SPDX-License-Identifier: BSD-2-Clause
/*
 * misaligned.c - emulates misaligned loads and stores.
 *
 * It fetches and decodes the instruction (lib/isa) and moves its bytes one by one with the
 * permissions of the mode that trapped.  A fault of one byte is redirected as the hart would have
 * raised it.  Atomic and vector accesses are redirected to S-mode.
 *
 * Implements: Priv 1.13 §3.1.15 (which fault), Unpriv chapters 2, 20, 21 (NaN boxing).
 */
#include <isa.h>
#include <machine.h>

#include "access.h"
#include "misaligned.h"
#include "redirect.h"

/* A value as a register and as bytes in memory. */
union value {
	uint64_t u64;
	unsigned char byte[8];
};

/* Counts and redirects a fault of an emulated access, as for a fault of the hart. */
static void access_fault(struct hart *h, struct trap_info *fault, bool is_store)
{
	trap_fault_complete(h, fault);
	if (fault->cause == CAUSE_LOAD_ACCESS)
		sbipmu_fw_event(&h->pmu, SBI_PMU_FW_ACCESS_LOAD);
	if (fault->cause == CAUSE_STORE_ACCESS)
		sbipmu_fw_event(&h->pmu, SBI_PMU_FW_ACCESS_STORE);
	trap_redirect(h, fault);
}

/* True if FS is not Off, for a guest also in vsstatus. */
static bool float_on(const struct hart *h)
{
	return h->mstatus & MSTATUS_FS &&
	       (!trap_from_guest(h) || csr_read(CSR_VSSTATUS) & MSTATUS_FS);
}

/* Sets FS to Dirty in the mstatus that the trap restores, because fp_load() changed a register. */
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
		/* A half is NaN-boxed like a single: ones in the bits above it. */
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

/* Moves the bytes; false after a fault, which it has redirected. */
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
	/* S-mode may have changed the instruction since the trap: check it again. */
	if (!isa_decode_access(insn, RV_XLEN, &a) || a.is_store != is_store ||
	    (a.is_float && !float_on(h))) {
		trap_redirect(h, info);
		return;
	}
	/* mtval is the address after pointer masking; the base register is not. */
	if (carry_out(h, &a, info->tval)) {
		h->nr_emulated++;
		h->mepc += length;
	}
}
