// SPDX-License-Identifier: BSD-2-Clause
/*
 * soft_tlb.c - the software TLB and the jump cache: how they are filled and emptied (soft_tlb.h).
 */
#include <string.h>

#include "cluster.h"
#include "hart.h"
#include "reservation.h"
#include "trigger.h"

/*
 * The bits of an address that no pointer masking ignores.  A tag of the software TLB has the
 * address as the instruction says it: what drops entries compares only these bits.
 */
#define VA_LOW RV_MASK(47, 0)

#define FEW_PAGES 16 /* an entry of 64 KiB (Svnapot) */

/* The first n, from this one on, that has an entry; SOFT_NR: there is none. */
static unsigned filled_from(const struct soft_tlb *s, unsigned n)
{
	for (uint64_t left; n < SOFT_NR; n = (n | 63) + 1) {
		left = s->filled[n / 64] >> n % 64;
		if (left)
			return n + __builtin_ctzll(left);
	}
	return SOFT_NR;
}

static void soft_clear(struct soft_tlb *s)
{
	for (unsigned n = filled_from(s, 0); n < SOFT_NR; n = filled_from(s, n + 1))
		s->read[n].tag = s->write[n].tag = SOFT_BAD;
	memset(s->filled, 0, sizeof(s->filled));
}

static void line_drop(struct hart *h, struct soft_line *l)
{
	l0_drop_page(&h->l0, l->tag);
	l->tag = SOFT_BAD;
}

static void line_drop_at(struct hart *h, struct soft_line *l, uint64_t va)
{
	if (!((l->tag ^ va) & VA_LOW))
		line_drop(h, l);
}

/* Drops the entries of one page, in the software TLBs of S-mode and U-mode. */
static void soft_drop_page(struct hart *h, uint64_t va)
{
	uint64_t n = (va >> PAGE_SHIFT) % SOFT_NR;

	for (unsigned ctx = CTX_U; ctx <= CTX_SUM; ctx++) {
		line_drop_at(h, &h->soft[ctx].read[n], va);
		line_drop_at(h, &h->soft[ctx].write[n], va);
	}
}

static bool covers(const struct tlb_entry *e, uint64_t va)
{
	return ((va - e->va) & VA_LOW) < tlb_bytes(e->size);
}

void soft_tlb_drop(struct hart *h, const struct tlb_entry *e)
{
	uint64_t pages = tlb_bytes(e->size) >> PAGE_SHIFT;

	/* A few pages: looking at their entries is faster than looking at all that are in use. */
	if (pages <= FEW_PAGES) {
		for (uint64_t n = 0; n < pages; n++)
			soft_drop_page(h, e->va + (n << PAGE_SHIFT));
		return;
	}
	for (unsigned ctx = CTX_U; ctx <= CTX_SUM; ctx++) {
		struct soft_tlb *s = &h->soft[ctx];

		for (unsigned n = filled_from(s, 0); n < SOFT_NR; n = filled_from(s, n + 1)) {
			struct soft_line *r = &s->read[n], *w = &s->write[n];

			if (covers(e, r->tag & PAGE_MASK))
				line_drop(h, r);
			if (covers(e, w->tag & PAGE_MASK))
				line_drop(h, w);
		}
	}
}

static void jumps_clear(struct hart *h)
{
	for (uint64_t n = 0; n < JUMP_NR; n++)
		h->jump[n].state = JUMP_FREE;
	for (unsigned n = 0; n < CODE_PAGES; n++)
		h->code_page[n].va = CODE_PAGE_FREE;
}

void hart_forget_jumps(struct hart *h)
{
	uint64_t gens = (1 << JUMP_GEN_BITS) - 1, gen = (h->fetch_key + 1) & gens;

	if (!gen)
		jumps_clear(h);
	h->fetch_key = (h->fetch_key & ~gens) | gen;
}

void soft_tlb_flush(struct hart *h)
{
	for (unsigned ctx = 0; ctx < CTX_NR; ctx++)
		soft_clear(&h->soft[ctx]);
	l0_clear(&h->l0);
	hart_forget_jumps(h);
}

void soft_tlb_flush_paged(struct hart *h)
{
	for (unsigned ctx = CTX_U; ctx <= CTX_SUM; ctx++)
		soft_clear(&h->soft[ctx]);
	l0_clear(&h->l0);
	hart_forget_jumps(h);
}

void soft_tlb_reset(struct hart *h)
{
	jumps_clear(h);
	h->last_line = NULL;
	for (unsigned ctx = 0; ctx < CTX_NR; ctx++)
		memset(h->soft[ctx].filled, 0xff, sizeof(h->soft[ctx].filled));
	soft_tlb_flush(h);
}

void soft_tlb_guard_page(struct hart *h, uint64_t pa)
{
	uint64_t host = (uint64_t)cluster_ram(h->cl, pa & PAGE_MASK, PAGE_SIZE);

	for (unsigned ctx = 0; ctx < CTX_NR; ctx++) {
		struct soft_tlb *s = &h->soft[ctx];

		for (unsigned n = filled_from(s, 0); n < SOFT_NR; n = filled_from(s, n + 1)) {
			struct soft_line *l = &s->write[n];

			if (l->tag != SOFT_BAD && l->tag + l->addend == host)
				line_drop(h, l);
		}
	}
}

void soft_tlb_fill(struct hart *h, uint64_t va, uint64_t pa, bool write)
{
	unsigned n = (va >> PAGE_SHIFT) % SOFT_NR;
	struct soft_tlb *s = h->lines;
	struct soft_line *l = write ? &s->write[n] : &s->read[n];
	uint8_t *host = cluster_ram(h->cl, pa & PAGE_MASK, PAGE_SIZE);
	const struct page *page = host ? cluster_page(h->cl, pa) : NULL;

	if (!host || s == &h->soft[CTX_NONE] || h->cl->recorder)
		return;
	if (write && ((page->code | page->watch) || reservation_of_others(h, pa)))
		return;
	if (h->trigger_kinds && trigger_in_page(h, mmu_pointer(h, va)))
		return;
	if (h->cl->watched && h->cl->debugger->watches_page(h->cl, mmu_pointer(h, va)))
		return;
	if (h->cl->paranoid) {
		if (h->last_line)
			h->last_line->tag = SOFT_BAD;
		h->last_line = l;
	}
	if (l->tag != SOFT_BAD)
		line_drop(h, l);
	l->tag = va & PAGE_MASK;
	l->addend = (uint64_t)host - l->tag;
	*(write ? &s->write_slot[n] : &s->read_slot[n]) = h->data_slot;
	s->filled[n / 64] |= 1ull << n % 64;
}
