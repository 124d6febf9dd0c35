// SPDX-License-Identifier: BSD-2-Clause
/*
 * tlb.c - one TLB: rules T1, T2, T4 and T6 to T9 of holter-model(7).
 */
#include <stdlib.h>

#include "room.h"
#include "tlb.h"

static const unsigned piece_bits[PIECES] = { 12, 16, 21, 30, 39, 48 };

/* Bits of a page-table entry (privileged architecture). */
enum { PTE_R = 0x02, PTE_W = 0x04, PTE_X = 0x08, PTE_U = 0x10, PTE_D = 0x80 };

void tlb_init(struct tlb *t, const struct cpu *cpu, const struct cpu_tlb *shape, unsigned kind,
	      uint64_t seed)
{
	*t = (struct tlb){ .sets = shape->sets, .ways = shape->ways };
	for (unsigned k = 0; k < PIECES; k++)
		t->allowed[k] = cpu->piece[k];
	t->entry = room((size_t)t->sets * t->ways, sizeof(*t->entry));
	replace_init(&t->replace, shape->policy, t->sets, t->ways, kind, cpu->random_seed, seed);
}

static unsigned set_of(const struct tlb *t, uint64_t va, unsigned bits)
{
	return (va >> bits) % t->sets;
}

static bool matches(const struct tlb_entry *e, uint64_t va, uint16_t asid)
{
	return e->held && va >> e->piece == e->va >> e->piece && (e->asid == asid || e->global);
}

const struct tlb_entry *tlb_lookup(struct tlb *t, uint64_t va, uint16_t asid)
{
	for (unsigned k = 0; k < PIECES; k++) {
		unsigned set = set_of(t, va, piece_bits[k]);

		for (unsigned way = 0; way < t->ways; way++) {
			const struct tlb_entry *e = &t->entry[(size_t)set * t->ways + way];

			if (e->piece == piece_bits[k] && matches(e, va, asid)) {
				replace_use(&t->replace, set, way);
				return e;
			}
		}
	}
	return NULL;
}

bool tlb_permits(const struct tlb_entry *e, const struct tlb_rights *r)
{
	bool user = e->pte & PTE_U, shadow = (e->pte & (PTE_R | PTE_W | PTE_X)) == PTE_W;

	if (r->mode == 0 && !user)
		return false;
	if (r->mode == 1 && user && (r->access == TLB_FETCH || !r->sum))
		return false;
	if (r->shadow)
		return shadow && r->pages && (r->access == TLB_LOAD || e->pte & PTE_D);
	switch (r->access) {
	case TLB_FETCH:
		return e->pte & PTE_X;
	case TLB_LOAD:
		return e->pte & PTE_R || (r->mxr && e->pte & PTE_X) || (shadow && r->pages);
	case TLB_STORE:
		break;
	}
	return !shadow && e->pte & PTE_W && e->pte & PTE_D;
}

void tlb_put(struct tlb *t, uint64_t va, const struct tlb_entry *e)
{
	unsigned bits = 12, set, way;
	struct tlb_entry *to;

	for (unsigned k = 0; k < PIECES; k++)
		if (t->allowed[k] && piece_bits[k] <= e->piece)
			bits = piece_bits[k];
	set = set_of(t, va, bits);
	to = &t->entry[(size_t)set * t->ways];
	for (way = 0; way < t->ways && to[way].held; way++)
		;
	if (way == t->ways)
		way = replace_choose(&t->replace, set);
	to[way] = *e;
	to[way].held = true;
	to[way].va = va >> bits << bits;
	to[way].piece = bits;
	replace_fill(&t->replace, set, way);
}

void tlb_remove_matches(struct tlb *t, uint64_t va, uint16_t asid)
{
	for (size_t n = 0; n < (size_t)t->sets * t->ways; n++)
		if (matches(&t->entry[n], va, asid))
			t->entry[n].held = false;
}

void tlb_fence(struct tlb *t, const uint64_t *va, const uint64_t *asid)
{
	for (size_t n = 0; n < (size_t)t->sets * t->ways; n++) {
		struct tlb_entry *e = &t->entry[n];

		if (va && *va >> e->leaf != e->va >> e->leaf)
			continue;
		if (asid && (e->global || e->asid != (uint16_t)*asid))
			continue;
		e->held = false;
	}
}

void tlb_free(struct tlb *t)
{
	free(t->entry);
	replace_free(&t->replace);
}
