// SPDX-License-Identifier: BSD-2-Clause
/*
 * mmu.c - translation: page walks and the modelled TLB (mmu.h).  Accesses are in access.c.
 *
 * Implements: Priv 1.13 §10.3-10.7, Svade/Svadu (§11), Svnapot, Svpbmt; Ssnpm, Smnpm, Smmpm 1.0;
 * Zicfiss 1.0 (Priv §22.2).
 */
#include <string.h>

#include "cluster.h"
#include "guard.h"
#include "hart.h"
#include "timing.h"
#include "trace.h"

#define PTE_V	 0x01
#define PTE_R	 0x02
#define PTE_W	 0x04
#define PTE_X	 0x08
#define PTE_U	 0x10
#define PTE_G	 0x20
#define PTE_A	 0x40
#define PTE_D	 0x80
#define PTE_RWX	 (PTE_R | PTE_W | PTE_X)
#define PTE_PBMT RV_MASK(62, 61)
#define PTE_N	 RV_BIT(63)
#define PTE_RSVD RV_MASK(60, 54)

#define SATP_MODE(satp) ((satp) >> 60)
#define SATP_ASID(satp) ((uint16_t)((satp) >> 44))
#define SATP_PPN(satp)	((satp)&RV_MASK(43, 0))

/* The TLBs of a machine without models: pages of 4 KiB, first in, first out. */
#define PLAIN_SHAPE                                                                                \
	{                                                                                          \
		.sets = 256, .ways = 4, .policy = REPLACE_FIFO, .sizes = 1 << TLB_4K,              \
	}
static const struct tlb_config plain_tlb = {
	.part = { [TLB_I] = PLAIN_SHAPE, [TLB_D] = PLAIN_SHAPE },
};

static bool fault(struct hart *h, enum access access, bool page, uint64_t va)
{
	static const uint8_t cause[3][2] = {
		{ CAUSE_FETCH_ACCESS, CAUSE_FETCH_PAGE_FAULT },
		{ CAUSE_LOAD_ACCESS, CAUSE_LOAD_PAGE_FAULT },
		{ CAUSE_STORE_ACCESS, CAUSE_STORE_PAGE_FAULT },
	};
	unsigned row = access < ACCESS_STORE ? access : ACCESS_STORE;

	h->fault = (struct fault){ cause[row][page], va };
	return false;
}

/*
 * How many upper bits of the addresses of loads and stores are ignored: none while MXR has an
 * effect (Smnpm 1.0 §2.5).
 */
static unsigned ignored_bits(const struct hart *h)
{
	uint64_t config = h->data_mode == PRV_M	  ? h->mseccfg
			  : h->data_mode == PRV_S ? h->menvcfg
						  : h->senvcfg;

	if (h->data_mode != PRV_M && h->mstatus & MSTATUS_MXR)
		return 0;
	switch (config & MENVCFG_PMM) {
	case ENVCFG_PMM_7:
		return 7;
	case ENVCFG_PMM_16:
		return 16;
	default:
		return 0;
	}
}

/* Called when the translation of loads and stores may have changed. */
static void translation_changed(struct hart *h)
{
	h->translated = h->data_mode != PRV_M && SATP_MODE(h->satp) != SATP64_MODE_BARE;
	h->ignored = ignored_bits(h);
	h->guarded = guard_needed(h);
	h->shadow_stacks = h->mode != PRV_M && h->menvcfg & MENVCFG_SSE &&
			   (h->mode == PRV_S || h->senvcfg & MENVCFG_SSE);
	if (!h->timing) {
		pmu_key_changed(h);
		return;
	}
	h->tlb_wants_hits = h->translated && tlb_touches(&h->tlb, TLB_D);
	timing_forget_fetch(h);
	pmu_translation_changed(h);
}

void mmu_space_changed(struct hart *h)
{
	translation_changed(h);
	soft_tlb_flush_paged(h);
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
	const struct soft_tlb *before = h->lines;

	h->data_mode = h->mode;
	if (h->mode == PRV_M && (h->mstatus & MSTATUS_MPRV))
		h->data_mode = (h->mstatus & MSTATUS_MPP) >> MSTATUS_MPP_SHIFT;
	h->lines = &h->soft[context(h, h->data_mode)];
	if (h->lines != before)
		l0_clear(&h->l0);
	h->fetch_key &= (1 << JUMP_GEN_BITS) - 1;
	h->fetch_key |= (uint64_t)h->mode << JUMP_GEN_BITS;
	translation_changed(h);
}

/* The modelled TLB */

/* An entry is about to go: drops what was found through it. */
static void gone(void *opaque, enum tlb_part part, const struct tlb_entry *e)
{
	if (part == TLB_I)
		hart_forget_jumps(opaque);
	else
		soft_tlb_drop(opaque, e);
}

bool mmu_create(struct hart *h)
{
	return tlb_init(&h->tlb, h->cl->shape ? &h->cl->shape->tlb : &plain_tlb, gone, h);
}

void mmu_destroy(struct hart *h)
{
	tlb_free(&h->tlb);
}

void mmu_fence(struct hart *h, const uint64_t *va, const uint64_t *asid)
{
	uint16_t space = asid ? (uint16_t)*asid : 0;

	if (h->cl->recorder)
		h->cl->recorder->fenced(h, va, asid);
	tlb_fence(&h->tlb, va, asid ? &space : NULL);
	if (h->timing)
		timing_forget_fetch(h);
	/* Without paging no TLB entry backs the software TLB, and its entries stay valid. */
	if (!va && !asid)
		mmu_space_changed(h);
}

void mmu_reset(struct hart *h)
{
	tlb_reset(&h->tlb);
	soft_tlb_reset(h);
}

bool mmu_save(const struct hart *h, const struct stream *s)
{
	return tlb_save(&h->tlb, s);
}

bool mmu_restore(struct hart *h, const struct stream *s)
{
	return tlb_restore(&h->tlb, s);
}

/* Page walks */

/* What TLBs and models know an access as. */
static enum access plain(enum access access)
{
	switch (access) {
	case ACCESS_CBO:
	case ACCESS_SS_READ:
		return ACCESS_LOAD;
	case ACCESS_SS_WRITE:
		return ACCESS_STORE;
	default:
		return access;
	}
}

static bool is_shadow_stack(enum access access)
{
	return access == ACCESS_SS_READ || access == ACCESS_SS_WRITE;
}

/* Whether this page-table entry maps a page of a shadow stack. */
static bool maps_shadow_stack(const struct hart *h, uint64_t pte)
{
	return (pte & PTE_RWX) == PTE_W && h->menvcfg & MENVCFG_SSE;
}

/* Whether bit U lets this mode access the page. */
static bool is_open(const struct hart *h, uint64_t pte, enum access access, unsigned mode)
{
	if (mode == PRV_U)
		return pte & PTE_U;
	return !(pte & PTE_U) || (access != ACCESS_FETCH && h->mstatus & MSTATUS_SUM);
}

static bool permitted(const struct hart *h, uint64_t pte, enum access access, unsigned mode)
{
	if (!is_open(h, pte, access, mode))
		return false;
	switch (access) {
	case ACCESS_FETCH:
		return pte & PTE_X;
	case ACCESS_LOAD:
		return pte & PTE_R || (pte & PTE_X && h->mstatus & MSTATUS_MXR) ||
		       maps_shadow_stack(h, pte);
	case ACCESS_CBO:
		return pte & PTE_R || (pte & PTE_X && h->mstatus & MSTATUS_MXR);
	case ACCESS_STORE:
		return (pte & (PTE_R | PTE_W)) == (PTE_R | PTE_W);
	default:
		return maps_shadow_stack(h, pte);
	}
}

/*
 * Whether an access that is not permitted is an access fault, which the kernel cannot repair: one
 * to a page of a shadow stack, or one of an instruction of shadow stacks to another page, unless it
 * can only be read (it may be copied on a write).
 */
static bool is_fatal(const struct hart *h, uint64_t pte, enum access access, unsigned mode)
{
	if (!is_open(h, pte, access, mode))
		return false;
	return maps_shadow_stack(h, pte) || (is_shadow_stack(access) && (pte & PTE_RWX) != PTE_R);
}

/* Whether a page-table entry of this level is valid and sets no bit that must be 0. */
static bool well_formed(const struct hart *h, uint64_t pte, unsigned level)
{
	uint64_t pbmt = pte & PTE_PBMT;

	if (!(pte & PTE_V) || (pte & PTE_RSVD) ||
	    ((pte & (PTE_R | PTE_W)) == PTE_W && !maps_shadow_stack(h, pte)))
		return false;
	if (!(pte & PTE_RWX))
		return level && !(pte & (PTE_D | PTE_A | PTE_U | PTE_N | PTE_PBMT));
	if (pbmt && (!(h->menvcfg & MENVCFG_PBMTE) || pbmt == PTE_PBMT))
		return false;
	if (pte & PTE_N)
		return cluster_has(h->cl, ISA_EXT_SVNAPOT) && !level && (pte >> 10 & 15) == 8;
	return !(pte >> 10 & ((1ull << 9 * level) - 1));
}

/*
 * Sets A, and D for a store.  Without Svadu this is a page fault (Svade); if PMP forbids the write
 * it is an access fault.
 */
static bool update_ad(struct hart *h, uint64_t va, uint64_t *pte, uint64_t pte_pa, uint64_t *mem,
		      enum access access)
{
	uint64_t want = PTE_A | (plain(access) == ACCESS_STORE ? PTE_D : 0);
	bool whole;

	if ((*pte & want) == want)
		return true;
	if (!(h->menvcfg & MENVCFG_ADUE))
		return fault(h, access, true, va);
	if (!pmp_allows(h, pte_pa, 8, ACCESS_STORE, PRV_S, &whole))
		return fault(h, access, false, va);
	*pte |= want;
	*mem = *pte;
	bus_written(&h->cl->bus, pte_pa, 8);
	return true;
}

static uint64_t pte_address(uint64_t table, uint64_t va, unsigned level)
{
	return table + (va >> (PAGE_SHIFT + 9 * level) & 511) * 8;
}

static unsigned top_level(const struct hart *h)
{
	return 2 + (SATP_MODE(h->satp) - SATP64_MODE_SV39);
}

/* The TLB entry for va that a leaf page-table entry of this level gives. */
static struct tlb_entry leaf_of(const struct hart *h, uint64_t va, uint64_t pte, unsigned level)
{
	static const uint8_t sizes[] = { TLB_4K, TLB_2M, TLB_1G, TLB_512G, TLB_256T };
	enum tlb_size size = pte & PTE_N ? TLB_64K : sizes[level];
	uint64_t span = tlb_bytes(size) - 1;

	return (struct tlb_entry){
		.va = va & ~span,
		.pa = (pte >> 10 & RV_MASK(43, 0)) << PAGE_SHIFT & ~span,
		.pte = pte,
		.asid = SATP_ASID(h->satp),
		.leaf = size,
		.global = pte & PTE_G,
	};
}

static bool walk(struct hart *h, uint64_t va, enum access access, unsigned mode,
		 struct tlb_entry *leaf)
{
	unsigned level = top_level(h) + 1;
	uint64_t table = SATP_PPN(h->satp) << PAGE_SHIFT, pte, pte_pa, *mem;
	bool whole, ok;

	pmu_happens(h, EVENT_WALK);
	do {
		level--;
		pte_pa = pte_address(table, va, level);
		mem = cluster_ram(h->cl, pte_pa, 8);
		if (!mem || !pmp_allows(h, pte_pa, 8, ACCESS_LOAD, PRV_S, &whole))
			return fault(h, access, false, va);
		pte = *mem;
		pmu_happens(h, EVENT_WALK_READ);
		if (h->timing)
			timing_walk_read(h, pte_pa);
		if (h->cl->recorder)
			h->cl->recorder->walk_reads(h, pte_pa, pte);
		if (!well_formed(h, pte, level))
			break;
		table = (pte >> 10 & RV_MASK(43, 0)) << PAGE_SHIFT;
	} while (!(pte & PTE_RWX));

	if (!well_formed(h, pte, level))
		ok = fault(h, access, true, va);
	else if (permitted(h, pte, access, mode))
		ok = update_ad(h, va, &pte, pte_pa, mem, access);
	else
		ok = fault(h, access, !is_fatal(h, pte, access, mode), va);
	trace_walk(h, va, access, pte, ok);
	if (!ok)
		return false;
	*leaf = leaf_of(h, va, pte, level);
	return true;
}

/* Whether the upper bits of va are copies of the highest bit that this paging mode translates. */
static bool canonical(const struct hart *h, uint64_t va)
{
	unsigned bits = PAGE_SHIFT + 9 * (top_level(h) + 1);

	return (uint64_t)((int64_t)(va << (64 - bits)) >> (64 - bits)) == va;
}

/*
 * Whether a TLB entry permits the access.  If not, a walk must follow: software may have given the
 * permission since without a fence.
 */
static bool allows(const struct hart *h, const struct tlb_entry *e, enum access access,
		   unsigned mode)
{
	return permitted(h, e->pte, access, mode) &&
	       (plain(access) != ACCESS_STORE || e->pte & PTE_D);
}

static bool paged(struct hart *h, uint64_t va, enum access access, unsigned mode, uint64_t *pa)
{
	static const uint8_t missed[] = {
		[ACCESS_FETCH] = EVENT_ITLB_MISS,
		[ACCESS_LOAD] = EVENT_DTLB_READ_MISS,
		[ACCESS_STORE] = EVENT_DTLB_WRITE_MISS,
	};
	enum tlb_part side = access == ACCESS_FETCH ? TLB_I : TLB_D;
	enum tlb_answer answer;
	struct tlb_entry leaf;
	unsigned slot;
	bool ok;

	if (!canonical(h, va))
		return fault(h, access, true, va);
	answer = tlb_lookup(&h->tlb, side, va, SATP_ASID(h->satp), &slot);
	if (h->timing)
		timing_lookup(h, plain(access), answer);
	ok = answer != TLB_MISS && allows(h, tlb_entry(&h->tlb, side, slot), access, mode);
	if (answer != TLB_HIT || !ok)
		pmu_happens(h, missed[plain(access)]);
	if (!ok) {
		ok = walk(h, va, access, mode, &leaf);
		if (h->timing)
			timing_walked(h, plain(access));
		if (h->cl->recorder)
			h->cl->recorder->walked(h, va, plain(access), ok ? &leaf : NULL);
		if (!ok)
			return false;
		slot = tlb_fill(&h->tlb, side, va, &leaf);
	}
	*pa = tlb_pa(tlb_entry(&h->tlb, side, slot), va);
	*(side == TLB_D ? &h->data_slot : &h->code_slot) = slot;
	h->past_caches = h->timing && tlb_entry(&h->tlb, side, slot)->pte & PTE_PBMT;
	return true;
}

static bool translate(struct hart *h, uint64_t va, unsigned bytes, enum access access,
		      unsigned mode, uint64_t *pa, bool *whole)
{
	bool one_answer;

	*pa = va;
	h->past_caches = false;
	if (mode == PRV_M || SATP_MODE(h->satp) == SATP64_MODE_BARE) {
		if (is_shadow_stack(access))
			return fault(h, access, false, va);
	} else if (!paged(h, va, access, mode, pa)) {
		return false;
	}
	if (!pmp_allows(h, *pa, bytes, access, mode, &one_answer))
		return fault(h, access, false, va);
	if (whole)
		*whole = one_answer && !h->past_caches;
	return true;
}

bool mmu_translate(struct hart *h, uint64_t va, unsigned bytes, enum access access, unsigned mode,
		   uint64_t *pa, bool *whole)
{
	bool ok = translate(h, va, bytes, access, mode, pa, whole);

	if (h->cl->recorder)
		h->cl->recorder->translated(h, va, bytes, plain(access), mode, ok ? pa : NULL);
	return ok;
}

/* Where a page walk would find va now. */
static bool peek_walk(const struct hart *h, uint64_t va, uint64_t *pa)
{
	uint64_t table = SATP_PPN(h->satp) << PAGE_SHIFT;

	for (unsigned level = top_level(h);; level--) {
		const uint64_t *mem = cluster_ram(h->cl, pte_address(table, va, level), 8);

		if (!mem || !well_formed(h, *mem, level))
			return false;
		table = (*mem >> 10 & RV_MASK(43, 0)) << PAGE_SHIFT;
		if (*mem & PTE_RWX) {
			struct tlb_entry leaf = leaf_of(h, va, *mem, level);

			*pa = tlb_pa(&leaf, va);
			return true;
		}
	}
}

bool mmu_peek(struct hart *h, uint64_t va, uint64_t *pa)
{
	static const uint8_t order[] = { TLB_D, TLB_I, TLB_SECOND };

	*pa = va;
	if (h->mode == PRV_M || SATP_MODE(h->satp) == SATP64_MODE_BARE)
		return true;
	if (!canonical(h, va))
		return false;
	for (unsigned n = 0; n < sizeof(order); n++) {
		const struct tlb_entry *e = tlb_peek(&h->tlb, order[n], va, SATP_ASID(h->satp));

		if (e) {
			*pa = tlb_pa(e, va);
			return true;
		}
	}
	return peek_walk(h, va, pa);
}

bool mmu_peek_ram(struct hart *h, uint64_t va, void *to, size_t len)
{
	uint64_t pa;

	for (size_t done = 0, part; done < len; done += part) {
		uint64_t left = PAGE_SIZE - ((va + done) & ~PAGE_MASK);
		const void *p;

		part = len - done < left ? len - done : left;
		p = mmu_peek(h, va + done, &pa) ? cluster_ram(h->cl, pa, part) : NULL;
		if (!p)
			return false;
		memcpy((uint8_t *)to + done, p, part);
	}
	return true;
}
