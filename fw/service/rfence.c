// SPDX-License-Identifier: BSD-2-Clause
/*
 * rfence.c - executes the fences that other harts ask for; ext_rfence.c describes the protocol.
 *
 * Implements: SBI 3.0 chapter 8; events 8 to 21 of §11.5.
 */
#include <machine.h>
#include <rv/first_bit.h>

#include "rfence.h"

/* For more pages than this, one fence of all addresses is cheaper. */
#define PAGES_MAX 64

const unsigned char rfence_sent_event[SBI_RFENCE_HFENCE_VVMA + 1] = {
	[SBI_RFENCE_FENCE_I] = SBI_PMU_FW_FENCE_I_SENT,
	[SBI_RFENCE_SFENCE_VMA] = SBI_PMU_FW_SFENCE_VMA_SENT,
	[SBI_RFENCE_SFENCE_VMA_ASID] = SBI_PMU_FW_SFENCE_VMA_ASID_SENT,
	[SBI_RFENCE_HFENCE_GVMA_VMID] = SBI_PMU_FW_HFENCE_GVMA_VMID_SENT,
	[SBI_RFENCE_HFENCE_GVMA] = SBI_PMU_FW_HFENCE_GVMA_SENT,
	[SBI_RFENCE_HFENCE_VVMA_ASID] = SBI_PMU_FW_HFENCE_VVMA_ASID_SENT,
	[SBI_RFENCE_HFENCE_VVMA] = SBI_PMU_FW_HFENCE_VVMA_SENT,
};

/* One fence, of one page or of all addresses. */
static void fence_one(unsigned fid, bool all, rv_ulong addr, rv_ulong id)
{
	switch (fid) {
	case SBI_RFENCE_SFENCE_VMA:
		fence_vm(SFENCE_VMA, all, addr, true, 0);
		break;
	case SBI_RFENCE_SFENCE_VMA_ASID:
		fence_vm(SFENCE_VMA, all, addr, false, id);
		break;
	case SBI_RFENCE_HFENCE_GVMA:
		fence_vm(HFENCE_GVMA, all, addr >> 2, true, 0);
		break;
	case SBI_RFENCE_HFENCE_GVMA_VMID:
		fence_vm(HFENCE_GVMA, all, addr >> 2, false, id);
		break;
	case SBI_RFENCE_HFENCE_VVMA:
		fence_vm(HFENCE_VVMA, all, addr, true, 0);
		break;
	case SBI_RFENCE_HFENCE_VVMA_ASID:
		fence_vm(HFENCE_VVMA, all, addr, false, id);
		break;
	}
}

void rfence_carry_out(const struct rfence *r)
{
	bool vvma = r->fid == SBI_RFENCE_HFENCE_VVMA || r->fid == SBI_RFENCE_HFENCE_VVMA_ASID;
	rv_ulong hgatp = 0, done;

	if (r->fid == SBI_RFENCE_FENCE_I) {
		fence_code();
		return;
	}
	/*
	 * HFENCE.VVMA takes the VMID from hgatp, but the sender's VMID is meant.  MODE is Bare
	 * meanwhile: otherwise the hart might translate speculatively with its own guest's table
	 * and cache the result under the sender's VMID.
	 */
	if (vvma)
		hgatp = csr_swap(CSR_HGATP, r->vmid);
	if (r->size / RFENCE_PAGE >= PAGES_MAX)
		fence_one(r->fid, true, 0, r->id);
	for (done = 0; r->size / RFENCE_PAGE < PAGES_MAX && done < r->size; done += RFENCE_PAGE)
		fence_one(r->fid, false, r->start + done, r->id);
	if (vvma)
		csr_write(CSR_HGATP, hgatp);
}

void rfence_take(struct hart *h)
{
	unsigned i;

	for (i = 0; i < HART_WORDS; i++) {
		rv_ulong from = __atomic_exchange_n(&h->rfence_from[i], 0, __ATOMIC_ACQUIRE);

		for (; from; from &= from - 1) {
			struct hart *sender = hart_at(i * RV_XLEN + rv_first_bit(from));

			rfence_carry_out(&sender->rfence);
			sbipmu_fw_event(&h->pmu, rfence_sent_event[sender->rfence.fid] + 1);
			__atomic_fetch_sub(&sender->rfence.todo, 1, __ATOMIC_RELEASE);
		}
	}
}
