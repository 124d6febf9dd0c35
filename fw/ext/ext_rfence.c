// SPDX-License-Identifier: BSD-2-Clause
/*
 * ext_rfence.c - RFENCE: fences on other harts; all are executed when the call returns.
 *
 * Each hart has one request of its own, hart.rfence, and the set of harts whose requests it must
 * still execute, hart.rfence_from.  The sender writes its request, adds itself to the set of each
 * target, raises the target's software interrupt, and waits until todo is 0.  While it waits, it
 * executes requests of others, so that two harts that send to each other do not deadlock.  A hart
 * that is suspended, or parked after a fault, still answers.  A hart that is stopped is not asked:
 * smode_enter() fences everything.
 *
 * Implements: SBI 3.0 chapter 8; events 8 to 21 of §11.5.
 */
#include <machine.h>
#include <rv/first_bit.h>

#include "ext_rfence.h"
#include "ipi.h"
#include "rfence.h"

static void ask(struct hart *h, struct hart *to)
{
	sbipmu_fw_event(&h->pmu, rfence_sent_event[h->rfence.fid]);
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
			struct hart *to = hart_at(i * RV_XLEN + rv_first_bit(left));

			if (to == h)
				self = true;
			else if (hart_is_running(to))
				ask(h, to);
		}
	}
	if (self)
		rfence_carry_out(&h->rfence);
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
	h->rfence.start = a2 & ~(rv_ulong)(RFENCE_PAGE - 1);
	h->rfence.size = all ? (rv_ulong)-1 : a3 + (a2 & (RFENCE_PAGE - 1));
	if (h->rfence.size < a3)
		h->rfence.size = (rv_ulong)-1;
	h->rfence.id = a4;
	h->rfence.vmid = h->has_h ? csr_read(CSR_HGATP) & HGATP_VMID : 0;
	rfence_all(h, harts);
	return sbi_ok(0);
}

static rv_ulong rfence_probe(const struct hart *h)
{
	return hart_nr == 1 || h->dt.msip;
}

const struct sbi_ext ext_rfence = {
	.eid = SBI_EXT_RFENCE,
	.handle = rfence,
	.probe = rfence_probe,
	.name = "rfence",
};
