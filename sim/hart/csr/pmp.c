// SPDX-License-Identifier: BSD-2-Clause
/*
 * pmp.c - physical memory protection (pmp.h), and its CSRs.
 *
 * Implements: Priv 1.13 §3.7, 16 entries, grain of four bytes; Smepmp 1.0.
 */
#include "bytes.h"
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
	soft_tlb_flush(h);
}

/* What an entry that matches permits in mode: bits PMP_R, PMP_W and PMP_X. */
static uint8_t rights(uint8_t cfg, unsigned mode)
{
	return mode == PRV_M && !(cfg & PMP_L) ? PMP_R | PMP_W | PMP_X : cfg;
}

/*
 * The same while mseccfg.MML is on (Smepmp §2): an entry belongs to M-mode if it is locked, and to
 * the other modes if not; and there are shared regions.
 */
static uint8_t rights_locked_down(uint8_t cfg, unsigned mode)
{
	unsigned rwx = cfg & (PMP_R | PMP_W | PMP_X);

	if ((rwx & (PMP_R | PMP_W)) == PMP_W) {
		if (cfg & PMP_L)
			return mode == PRV_M && rwx & PMP_X ? PMP_R | PMP_X : PMP_X;
		return mode == PRV_M || rwx & PMP_X ? PMP_R | PMP_W : PMP_R;
	}
	if (cfg & PMP_L && rwx == (PMP_R | PMP_W | PMP_X))
		return PMP_R;
	return (mode == PRV_M) == !!(cfg & PMP_L) ? rwx : 0;
}

static bool permits(const struct hart *h, uint8_t cfg, enum access access, unsigned mode)
{
	static const uint8_t needs[] = {
		[ACCESS_FETCH] = PMP_X,		  [ACCESS_LOAD] = PMP_R,
		[ACCESS_STORE] = PMP_W,		  [ACCESS_CBO] = PMP_R,
		[ACCESS_SS_READ] = PMP_R | PMP_W, [ACCESS_SS_WRITE] = PMP_R | PMP_W,
	};
	bool locked_down = h->mseccfg & MSECCFG_MML;
	uint8_t has = locked_down ? rights_locked_down(cfg, mode) : rights(cfg, mode);

	return (has & needs[access]) == needs[access];
}

/* Where no entry matches. */
static bool permits_rest(const struct hart *h, enum access access, unsigned mode)
{
	if (mode != PRV_M || h->mseccfg & MSECCFG_MMWP)
		return false;
	return access != ACCESS_FETCH || !(h->mseccfg & MSECCFG_MML);
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
		return r->first <= pa && r->last >= last && permits(h, r->cfg, access, mode);
	}
	return permits_rest(h, access, mode);
}

/* Its CSRs */

uint64_t csr_read_pmpcfg(const struct hart *h, unsigned num)
{
	return le64(&h->pmpcfg[(num - CSR_PMPCFG0) * 4]);
}

/* Whether entry n cannot be changed. */
static bool is_locked(const struct hart *h, unsigned n)
{
	return h->pmpcfg[n] & PMP_L && !(h->mseccfg & MSECCFG_RLB);
}

/* Smepmp §2: with MML, and without RLB, code of M-mode and shared code cannot be added. */
static bool adds_code(const struct hart *h, uint8_t cfg)
{
	return (h->mseccfg & (MSECCFG_MML | MSECCFG_RLB)) == MSECCFG_MML && cfg & PMP_L &&
	       rights_locked_down(cfg, PRV_M) & PMP_X;
}

void csr_write_pmpcfg(struct hart *h, unsigned num, uint64_t value)
{
	unsigned first = (num - CSR_PMPCFG0) * 4;

	for (unsigned n = 0; n < 8; n++, value >>= 8) {
		uint8_t cfg = value & (PMP_R | PMP_W | PMP_X | PMP_NAPOT | PMP_L);

		if (is_locked(h, first + n) || adds_code(h, cfg))
			continue;
		/* W without R is reserved. */
		if ((cfg & (PMP_R | PMP_W)) == PMP_W && !(h->mseccfg & MSECCFG_MML))
			cfg &= ~PMP_W;
		h->pmpcfg[first + n] = cfg;
	}
	pmp_changed(h);
}

uint64_t csr_read_pmpaddr(const struct hart *h, unsigned num)
{
	return h->pmpaddr[num - CSR_PMPADDR0];
}

void csr_write_pmpaddr(struct hart *h, unsigned num, uint64_t value)
{
	unsigned n = num - CSR_PMPADDR0;

	if (is_locked(h, n))
		return;
	if (n + 1 < PMP_NR && is_locked(h, n + 1) && (h->pmpcfg[n + 1] & PMP_NAPOT) == PMP_TOR)
		return;
	h->pmpaddr[n] = value & RV_MASK(53, 0);
	pmp_changed(h);
}

static bool any_locked(const struct hart *h)
{
	uint8_t all = 0;

	for (unsigned n = 0; n < PMP_NR; n++)
		all |= h->pmpcfg[n];
	return all & PMP_L;
}

uint64_t pmp_legal_mseccfg(const struct hart *h, uint64_t value)
{
	value |= h->mseccfg & (MSECCFG_MML | MSECCFG_MMWP);
	if (!(h->mseccfg & MSECCFG_RLB) && any_locked(h))
		value &= ~MSECCFG_RLB;
	return value;
}
