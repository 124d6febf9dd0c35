// SPDX-License-Identifier: BSD-2-Clause
/*
 * ext_rfence.c - RFENCE: fences on other harts, carried out before the call returns.
 *
 * Each hart has one request of its own, hart.rfence, and a set of harts whose requests it
 * still has to carry out, hart.rfence_from.  The sender fills its request in, adds itself to
 * every target's set, rings, and waits until todo is 0; meanwhile it carries out what others
 * ask of it, so that harts that fence each other cannot block each other.  A hart that is
 * suspended or parked after a fault still answers; one that is stopped or never ran is not asked,
 * since a start fences everything (hart_enter_s).
 *
 * Implements: SBI 3.0 chapter 8; events 8 to 21 of §11.5.
 */
#include "fw.h"

/* More pages than this cost more one by one than a fence of everything. */
#define PAGES_MAX 64
#define PAGE	  4096

/* The sent event of each function; the received one follows it. */
static const unsigned char sent_event[] = {
	[SBI_RFENCE_FENCE_I] = SBI_PMU_FW_FENCE_I_SENT,
	[SBI_RFENCE_SFENCE_VMA] = SBI_PMU_FW_SFENCE_VMA_SENT,
	[SBI_RFENCE_SFENCE_VMA_ASID] = SBI_PMU_FW_SFENCE_VMA_ASID_SENT,
	[SBI_RFENCE_HFENCE_GVMA_VMID] = SBI_PMU_FW_HFENCE_GVMA_VMID_SENT,
	[SBI_RFENCE_HFENCE_GVMA] = SBI_PMU_FW_HFENCE_GVMA_SENT,
	[SBI_RFENCE_HFENCE_VVMA_ASID] = SBI_PMU_FW_HFENCE_VVMA_ASID_SENT,
	[SBI_RFENCE_HFENCE_VVMA] = SBI_PMU_FW_HFENCE_VVMA_SENT,
};

/* One fence, of one page or of everything. */
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

/* Carries a request out on the calling hart. */
static void fence_range(const struct rfence *r)
{
	bool vvma = r->fid == SBI_RFENCE_HFENCE_VVMA || r->fid == SBI_RFENCE_HFENCE_VVMA_ASID;
	rv_ulong hgatp = 0, done;

	if (r->fid == SBI_RFENCE_FENCE_I) {
		fence_code();
		return;
	}
	/*
	 * HFENCE.VVMA takes the VMID from hgatp: the sender's is meant, not this hart's.  MODE is
	 * Bare meanwhile, or what the hart translates ahead with its own guest's table would be
	 * kept under the sender's VMID.
	 */
	if (vvma)
		hgatp = csr_swap(CSR_HGATP, r->vmid);
	if (r->size / PAGE >= PAGES_MAX)
		fence_one(r->fid, true, 0, r->id);
	for (done = 0; r->size / PAGE < PAGES_MAX && done < r->size; done += PAGE)
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
			struct hart *sender = hart_at(i * RV_XLEN + first_bit(from));

			fence_range(&sender->rfence);
			sbipmu_fw_event(&h->pmu, sent_event[sender->rfence.fid] + 1);
			__atomic_fetch_sub(&sender->rfence.todo, 1, __ATOMIC_RELEASE);
		}
	}
}

static void ask(struct hart *h, struct hart *to)
{
	sbipmu_fw_event(&h->pmu, sent_event[h->rfence.fid]);
	__atomic_fetch_add(&h->rfence.todo, 1, __ATOMIC_RELAXED);
	__atomic_fetch_or(&to->rfence_from[h->index / RV_XLEN], (rv_ulong)1 << h->index % RV_XLEN,
			  __ATOMIC_RELEASE);
	ipi_send(to, IPI_RFENCE);
}

static void rfence_all(struct hart *h, const rv_ulong harts[HART_WORDS])
{
	rv_ulong left;
	bool self = false;
	unsigned i;

	for (i = 0; i < HART_WORDS; i++) {
		for (left = harts[i]; left; left &= left - 1) {
			struct hart *to = hart_at(i * RV_XLEN + first_bit(left));

			if (to == h)
				self = true;
			else if (hart_is_running(to))
				ask(h, to);
		}
	}
	if (self)
		fence_range(&h->rfence);
	while (__atomic_load_n(&h->rfence.todo, __ATOMIC_ACQUIRE))
		rfence_take(h);
}

static struct sbiret rfence(rv_ulong a0, rv_ulong a1, rv_ulong a2, rv_ulong a3, rv_ulong a4,
			    rv_ulong a5, rv_ulong fid, struct hart *h)
{
	rv_ulong harts[HART_WORDS];
	bool all = (a2 == 0 && a3 == 0) || a3 == (rv_ulong)-1;

	if (fid > (h->has_h ? SBI_RFENCE_HFENCE_VVMA : SBI_RFENCE_SFENCE_VMA_ASID))
		return sbi_fail(SBI_ERR_NOT_SUPPORTED);
	if (!hart_mask(a0, a1, harts))
		return sbi_fail(SBI_ERR_INVALID_PARAM);
	if (fid != SBI_RFENCE_FENCE_I && !all && a3 && a2 + (a3 - 1) < a2)
		return sbi_fail(SBI_ERR_INVALID_ADDRESS);
	h->rfence.fid = (unsigned)fid;
	h->rfence.start = a2 & ~(rv_ulong)(PAGE - 1);
	h->rfence.size = all ? (rv_ulong)-1 : a3 + (a2 & (PAGE - 1));
	if (h->rfence.size < a3)
		h->rfence.size = (rv_ulong)-1;
	h->rfence.id = a4;
	h->rfence.vmid = h->has_h ? csr_read(CSR_HGATP) & HGATP_VMID : 0;
	rfence_all(h, harts);
	return sbi_ok(0);
}

static rv_ulong rfence_probe(const struct hart *h)
{
	return platform.nr_harts == 1 || h->dt.msip;
}

const struct sbi_ext ext_rfence = {
	.eid = SBI_EXT_RFENCE,
	.handle = rfence,
	.probe = rfence_probe,
	.name = "rfence",
};
