// SPDX-License-Identifier: BSD-2-Clause
/*
 * pmp.c - physical memory protection (mmu.h).
 *
 * Implements: Priv 1.13 §3.7, 16 entries, grain of four bytes.
 */
#include "hart.h"

static uint64_t napot_last(uint64_t first_field)
{
	/* The address field ends in n ones: the size is 8 << n. */
	return ((first_field ^ (first_field + 1)) << 2) | 3;
}

static struct pmp_range range(const struct hart *h, unsigned n)
{
	struct pmp_range r = { .first = 1, .last = 0, .cfg = h->pmpcfg[n] };
	uint64_t address = h->pmpaddr[n], span;

	switch (r.cfg & PMP_NAPOT) {
	case PMP_TOR:
		r.first = n ? h->pmpaddr[n - 1] << 2 : 0;
		r.last = (address << 2) - 1;
		if (!address || r.first > r.last)
			r = (struct pmp_range){ 1, 0, r.cfg };
		break;
	case PMP_NA4:
		r.first = address << 2;
		r.last = r.first + 3;
		break;
	case PMP_NAPOT:
		span = napot_last(address);
		r.first = (address << 2) & ~span;
		r.last = r.first | span;
		break;
	}
	return r;
}

void pmp_changed(struct hart *h)
{
	h->pmp_used = 0;
	for (unsigned n = 0; n < PMP_NR; n++) {
		h->pmp[n] = range(h, n);
		if (h->pmp[n].first <= h->pmp[n].last)
			h->pmp_used = n + 1;
	}
	mmu_flush_soft(h);
}

/* Whether an entry that matches permits an access in mode. */
static bool permits(uint8_t cfg, enum access access, unsigned mode)
{
	static const uint8_t needs[] = {
		[ACCESS_FETCH] = PMP_X,
		[ACCESS_LOAD] = PMP_R,
		[ACCESS_STORE] = PMP_W,
	};

	if (mode == PRV_M && !(cfg & PMP_L))
		return true;
	return cfg & needs[access];
}

bool pmp_allows(const struct hart *h, uint64_t pa, unsigned bytes, enum access access,
		unsigned mode, bool *whole)
{
	uint64_t last = pa + bytes - 1, page = pa & PAGE_MASK, page_last = pa | ~PAGE_MASK;

	*whole = true;
	for (unsigned n = 0; n < h->pmp_used; n++) {
		const struct pmp_range *r = &h->pmp[n];

		if (r->first > page_last || r->last < page)
			continue;
		if (r->first > page || r->last < page_last)
			*whole = false;
		if (r->first > last || r->last < pa)
			continue;
		return r->first <= pa && r->last >= last && permits(r->cfg, access, mode);
	}
	return mode == PRV_M;
}
