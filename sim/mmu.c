// SPDX-License-Identifier: BSD-2-Clause
/*
 * mmu.c - translation: page tables, the TLB that software sees, and the soft lines that the
 * engine asks (mmu.h).  Accesses are in access.c.
 *
 * Implements: Priv 1.13 §10.3-10.6, Svade/Svadu (§11), Svnapot, Svpbmt.
 */
#include <string.h>

#include "access.h"
#include "machine.h"

#define PTE_V	 0x01
#define PTE_R	 0x02
#define PTE_W	 0x04
#define PTE_X	 0x08
#define PTE_U	 0x10
#define PTE_G	 0x20
#define PTE_A	 0x40
#define PTE_D	 0x80
#define PTE_PBMT RV_MASK(62, 61)
#define PTE_N	 RV_BIT(63)
#define PTE_RSVD RV_MASK(60, 54)

#define SATP_MODE(satp) ((satp) >> 60)
#define SATP_ASID(satp) ((uint16_t)((satp) >> 44))
#define SATP_PPN(satp)	((satp)&RV_MASK(43, 0))

static bool fault(struct hart *h, enum access access, bool page, uint64_t va)
{
	static const uint8_t cause[3][2] = {
		{ CAUSE_FETCH_ACCESS, CAUSE_FETCH_PAGE_FAULT },
		{ CAUSE_LOAD_ACCESS, CAUSE_LOAD_PAGE_FAULT },
		{ CAUSE_STORE_ACCESS, CAUSE_STORE_PAGE_FAULT },
	};

	h->fault = (struct fault){ cause[access][page], va };
	return false;
}

/* Soft lines */

static void soft_clear(struct soft_tlb *s)
{
	for (unsigned n = 0; n < SOFT_NR; n++)
		s->read[n].tag = s->write[n].tag = SOFT_BAD;
}

static void line_drop(struct soft_line *l, uint64_t va)
{
	if (l->tag == va)
		l->tag = SOFT_BAD;
}

/* The lines of one page of the paged modes. */
static void soft_drop(struct hart *h, uint64_t vpn)
{
	for (unsigned ctx = CTX_U; ctx <= CTX_SUM; ctx++) {
		line_drop(&h->soft[ctx].read[vpn % SOFT_NR], vpn << PAGE_SHIFT);
		line_drop(&h->soft[ctx].write[vpn % SOFT_NR], vpn << PAGE_SHIFT);
	}
}

void mmu_forget_jumps(struct hart *h)
{
	/* The mode stands in the two lowest bits, the generation above: it never comes again. */
	h->fetch_key += 4;
}

void mmu_flush_soft(struct hart *h)
{
	for (unsigned ctx = 0; ctx < CTX_NR; ctx++)
		soft_clear(&h->soft[ctx]);
	mmu_forget_jumps(h);
}

void mmu_space_changed(struct hart *h)
{
	for (unsigned ctx = CTX_U; ctx <= CTX_SUM; ctx++)
		soft_clear(&h->soft[ctx]);
	mmu_forget_jumps(h);
}

void mmu_guard_page(struct hart *h, uint64_t pa)
{
	uint64_t host = (uint64_t)machine_ram(h->m, pa & PAGE_MASK, PAGE_SIZE);

	for (unsigned ctx = 0; ctx < CTX_NR; ctx++) {
		for (unsigned n = 0; n < SOFT_NR; n++) {
			struct soft_line *l = &h->soft[ctx].write[n];

			if (l->tag != SOFT_BAD && l->tag + l->addend == host)
				l->tag = SOFT_BAD;
		}
	}
}

static unsigned context(const struct hart *h, unsigned mode)
{
	if (mode == PRV_M)
		return CTX_M;
	if (h->mstatus & MSTATUS_MXR)
		return CTX_NONE;
	if (mode == PRV_U)
		return CTX_U;
	return h->mstatus & MSTATUS_SUM ? CTX_SUM : CTX_S;
}

void hart_mode_changed(struct hart *h)
{
	h->data_mode = h->mode;
	if (h->mode == PRV_M && (h->mstatus & MSTATUS_MPRV))
		h->data_mode = (h->mstatus & MSTATUS_MPP) >> MSTATUS_MPP_SHIFT;
	h->tlb = &h->soft[context(h, h->data_mode)];
	h->fetch_key = (h->fetch_key & ~3ull) | h->mode;
}

void mmu_soft_fill(struct hart *h, uint64_t va, uint64_t pa, bool write)
{
	unsigned n = (va >> PAGE_SHIFT) % SOFT_NR;
	struct soft_line *l = write ? &h->tlb->write[n] : &h->tlb->read[n];
	uint8_t *host = machine_ram(h->m, pa & PAGE_MASK, PAGE_SIZE);
	const struct page *page = host ? machine_page(h->m, pa) : NULL;

	if (!host || h->tlb == &h->soft[CTX_NONE] || (write && (page->code | page->watch)))
		return;
	if (h->m->o.paranoid) {
		if (h->last_line)
			h->last_line->tag = SOFT_BAD;
		h->last_line = l;
	}
	l->tag = va & PAGE_MASK;
	l->addend = (uint64_t)host - l->tag;
}

/* The TLB that software sees */

static struct tlb_entry *tlb_find(struct tlb *t, uint64_t vpn, uint16_t asid)
{
	struct tlb_entry *set = t->entry[vpn % TLB_SETS];

	for (unsigned way = 0; way < TLB_WAYS; way++) {
		struct tlb_entry *e = &set[way];

		if (e->vpn == vpn && (e->asid == asid || (e->pte & PTE_G)))
			return e;
	}
	return NULL;
}

/* Where an entry that is a piece of a larger leaf is counted; NULL for a page of 4 KiB. */
static uint16_t *piece_count(struct tlb *t, const struct tlb_entry *e)
{
	if (!e->level)
		return NULL;
	return e->level == 1 || e->level == TLB_NAPOT ? &t->pieces[e->vpn >> 9 & 63]
						      : &t->giant_pieces;
}

static void tlb_drop(struct hart *h, struct tlb *t, struct tlb_entry *e)
{
	uint16_t *count = piece_count(t, e);

	if (e->vpn == TLB_FREE)
		return;
	if (count)
		--*count;
	if (t == &h->itlb)
		mmu_forget_jumps(h);
	else
		soft_drop(h, e->vpn);
	e->vpn = TLB_FREE;
}

static struct tlb_entry *tlb_insert(struct hart *h, struct tlb *t, struct tlb_entry new)
{
	unsigned set = new.vpn % TLB_SETS;
	struct tlb_entry *e = tlb_find(t, new.vpn, new.asid);
	uint16_t *count;

	if (!e)
		e = &t->entry[set][t->next[set]++ % TLB_WAYS];
	tlb_drop(h, t, e);
	*e = new;
	count = piece_count(t, e);
	if (count)
		++*count;
	return e;
}

static void tlb_clear(struct tlb *t)
{
	memset(t, 0, sizeof(*t));
	for (unsigned n = 0; n < TLB_SETS * TLB_WAYS; n++)
		t->entry[n / TLB_WAYS][n % TLB_WAYS].vpn = TLB_FREE;
}

/* The 4 KiB pages that share an entry's leaf, as bits of the page number to ignore. */
static uint64_t leaf_span(const struct tlb_entry *e)
{
	return e->level == TLB_NAPOT ? 15 : (1ull << 9 * e->level) - 1;
}

static bool fenced(const struct tlb_entry *e, const uint64_t *va, const uint64_t *asid)
{
	if (e->vpn == TLB_FREE)
		return false;
	if (asid && (e->asid != (uint16_t)*asid || (e->pte & PTE_G)))
		return false;
	return !va || !(((*va >> PAGE_SHIFT) ^ e->vpn) & ~leaf_span(e));
}

static void tlb_fence(struct hart *h, struct tlb *t, const uint64_t *va, const uint64_t *asid)
{
	unsigned first = 0, last = TLB_SETS - 1;

	/* A page of 4 KiB can be in one set only. */
	if (va && !t->giant_pieces && !t->pieces[*va >> (PAGE_SHIFT + 9) & 63])
		first = last = (*va >> PAGE_SHIFT) % TLB_SETS;
	for (unsigned set = first; set <= last; set++) {
		for (unsigned way = 0; way < TLB_WAYS; way++) {
			struct tlb_entry *e = &t->entry[set][way];

			if (fenced(e, va, asid))
				tlb_drop(h, t, e);
		}
	}
}

void mmu_fence(struct hart *h, const uint64_t *va, const uint64_t *asid)
{
	tlb_fence(h, &h->itlb, va, asid);
	tlb_fence(h, &h->dtlb, va, asid);
	/* Where nothing is paged no entry stands behind a line, and none needs to go. */
	if (!va && !asid)
		mmu_space_changed(h);
}

void mmu_reset(struct hart *h)
{
	tlb_clear(&h->itlb);
	tlb_clear(&h->dtlb);
	for (unsigned n = 0; n < JUMP_NR; n++)
		h->jump[n].va = 1; /* no code is at an odd address */
	h->last_line = NULL;
	mmu_flush_soft(h);
}

/* Walks */

static bool permitted(const struct hart *h, uint64_t pte, enum access access, unsigned mode)
{
	if (mode == PRV_U && !(pte & PTE_U))
		return false;
	if (mode == PRV_S && (pte & PTE_U) &&
	    (access == ACCESS_FETCH || !(h->mstatus & MSTATUS_SUM)))
		return false;
	switch (access) {
	case ACCESS_FETCH:
		return pte & PTE_X;
	case ACCESS_LOAD:
		return pte & PTE_R || (pte & PTE_X && h->mstatus & MSTATUS_MXR);
	default:
		return pte & PTE_W;
	}
}

/* Whether a valid entry of this level has no bit set that must not be. */
static bool well_formed(const struct hart *h, uint64_t pte, unsigned level)
{
	uint64_t pbmt = pte & PTE_PBMT;

	if (!(pte & PTE_V) || (pte & (PTE_R | PTE_W)) == PTE_W || (pte & PTE_RSVD))
		return false;
	if (!(pte & (PTE_R | PTE_X)))
		return level && !(pte & (PTE_D | PTE_A | PTE_U | PTE_N | PTE_PBMT));
	if (pbmt && (!(h->menvcfg & MENVCFG_PBMTE) || pbmt == PTE_PBMT))
		return false;
	if (pte & PTE_N)
		return !level && (pte >> 10 & 15) == 8;
	return !(pte >> 10 & ((1ull << 9 * level) - 1));
}

/* Sets A, and D for a store, where Svadu and PMP allow; if not, h->fault for the access at va. */
static bool update_ad(struct hart *h, uint64_t *pte, uint64_t pte_pa, uint64_t *mem, uint64_t va,
		      enum access access)
{
	uint64_t want = PTE_A | (access == ACCESS_STORE ? PTE_D : 0);
	bool whole;

	if ((*pte & want) == want)
		return true;
	if (!(h->menvcfg & MENVCFG_ADUE))
		return fault(h, access, true, va);
	if (!pmp_allows(h, pte_pa, 8, ACCESS_STORE, PRV_S, &whole))
		return fault(h, access, false, va);
	*pte |= want;
	*mem = *pte;
	machine_ram_written(h->m, pte_pa, 8);
	return true;
}

static bool walk(struct hart *h, uint64_t va, enum access access, unsigned mode,
		 struct tlb_entry *e)
{
	unsigned levels = SATP_MODE(h->satp) == SATP64_MODE_SV48 ? 4 : 3, level = levels;
	uint64_t table = SATP_PPN(h->satp) << PAGE_SHIFT, pte, pte_pa, *mem, span;
	bool whole, ok;

	pmu_happens(h, EVENT_WALK);
	do {
		level--;
		pte_pa = table + (va >> (PAGE_SHIFT + 9 * level) & 511) * 8;
		mem = machine_ram(h->m, pte_pa, 8);
		if (!mem || !pmp_allows(h, pte_pa, 8, ACCESS_LOAD, PRV_S, &whole))
			return fault(h, access, false, va);
		pte = *mem;
		pmu_happens(h, EVENT_WALK_READ);
		if (!well_formed(h, pte, level))
			break;
		table = (pte >> 10 & RV_MASK(43, 0)) << PAGE_SHIFT;
	} while (!(pte & (PTE_R | PTE_X)));

	ok = (well_formed(h, pte, level) && permitted(h, pte, access, mode)) ||
	     fault(h, access, true, va);
	ok = ok && update_ad(h, &pte, pte_pa, mem, va, access);
	trace_walk(h, va, access, pte, ok);
	if (!ok)
		return false;
	*e = (struct tlb_entry){
		.vpn = va >> PAGE_SHIFT,
		.asid = SATP_ASID(h->satp),
		.pte = pte,
		.level = pte & PTE_N ? TLB_NAPOT : level,
	};
	span = leaf_span(e);
	e->ppn = (table >> PAGE_SHIFT & ~span) | (e->vpn & span);
	return true;
}

/* Whether bits above the sign bit of this paging mode are copies of it. */
static bool canonical(const struct hart *h, uint64_t va)
{
	unsigned bits = SATP_MODE(h->satp) == SATP64_MODE_SV48 ? 48 : 39;

	return (uint64_t)((int64_t)(va << (64 - bits)) >> (64 - bits)) == va;
}

static bool paged(struct hart *h, uint64_t va, enum access access, unsigned mode, uint64_t *pa)
{
	static const uint8_t missed[] = {
		[ACCESS_FETCH] = EVENT_ITLB_MISS,
		[ACCESS_LOAD] = EVENT_DTLB_READ_MISS,
		[ACCESS_STORE] = EVENT_DTLB_WRITE_MISS,
	};
	struct tlb *t = access == ACCESS_FETCH ? &h->itlb : &h->dtlb;
	struct tlb_entry *e, new;

	if (!canonical(h, va))
		return fault(h, access, true, va);
	e = tlb_find(t, va >> PAGE_SHIFT, SATP_ASID(h->satp));
	/* What an entry does not allow may have been allowed since, without a fence. */
	if (!e || !permitted(h, e->pte, access, mode) ||
	    (access == ACCESS_STORE && !(e->pte & PTE_D))) {
		pmu_happens(h, missed[access]);
		if (!walk(h, va, access, mode, &new))
			return false;
		e = tlb_insert(h, t, new);
	}
	*pa = e->ppn << PAGE_SHIFT | (va & ~PAGE_MASK);
	return true;
}

bool mmu_translate(struct hart *h, uint64_t va, unsigned bytes, enum access access, unsigned mode,
		   uint64_t *pa, bool *whole)
{
	bool one_answer;

	*pa = va;
	if (mode != PRV_M && SATP_MODE(h->satp) != SATP64_MODE_BARE &&
	    !paged(h, va, access, mode, pa))
		return false;
	if (!pmp_allows(h, *pa, bytes, access, mode, &one_answer))
		return fault(h, access, false, va);
	if (whole)
		*whole = one_answer;
	return true;
}
