// SPDX-License-Identifier: BSD-2-Clause
/*
 * translate.c - a translation: rules T3 to T7 of holter-model(7).
 */
#include "levels.h"
#include "record_format.h"
#include "run.h"

/* The events of a translation, by enum tlb_access. */
static const struct {
	enum event lookup, miss, second, second_miss;
} events[] = {
	[TLB_FETCH] = { EV_ITLB_LOOKUPS, EV_ITLB_MISSES, EV_STLB_FETCHES, EV_STLB_FETCH_MISSES },
	[TLB_LOAD] = { EV_DTLB_READS, EV_DTLB_READ_MISSES, EV_STLB_READS, EV_STLB_READ_MISSES },
	[TLB_STORE] = { EV_DTLB_WRITES, EV_DTLB_WRITE_MISSES, EV_STLB_WRITES,
			EV_STLB_WRITE_MISSES },
};

enum { PTE_G = 0x20, PTE_A = 0x40, PTE_D = 0x80 };

bool is_canonical(uint64_t satp, uint64_t va)
{
	unsigned unused = satp >> 60 == 9 ? 64 - 48 : 64 - 39;

	return (uint64_t)((int64_t)(va << unused) >> unused) == va;
}

static uint16_t asid_of(const struct hart *h)
{
	return h->satp >> 44 & 0xffff;
}

/* T7: the entry of a walk goes into a TLB. */
static void put_walked(struct tlb *t, uint64_t va, const struct tlb_entry *e)
{
	tlb_remove_matches(t, va, e->asid);
	tlb_put(t, va, e);
}

/* T5.  True: the walk has found a page that permits the access. */
static bool walk(struct machine *m, struct hart *h, const struct asked *a, struct tlb *side)
{
	const struct trace_record *w = a->walk;
	bool is_fetch = a->rights.access == TLB_FETCH;
	struct tlb_entry e = { 0 };
	/* L1, O3 */
	const uint64_t at = is_fetch && !h->is_table ? memtime_fetch_time(h)
						     : memtime_walk_time(h, &m->cpu);
	uint64_t cycles = 0;

	if (!w) {
		complain(m, a->nr, "no TLB permits %#llx, but nothing was walked",
			 (unsigned long long)a->va);
		return true;
	}
	count(&h->totals, EV_PAGE_WALKS);
	for (unsigned n = 2; n < w->fields; n++) {
		count(&h->totals, EV_WALK_READS);
		cycles += levels_walk(m, h, w->field[n], at + cycles).cycles;
	}
	memtime_walk(h, &m->cpu, a->rights.access, cycles);
	if (!(w->flags & RECORD_FOUND))
		return false;
	/* T4: what the walk has set is in the entry, too. */
	e.pte = w->field[1] | PTE_A | (a->rights.access == TLB_STORE ? PTE_D : 0);
	e.global = e.pte & PTE_G;
	e.asid = asid_of(h);
	e.piece = e.leaf = w->more & 0xff;
	e.va = a->va >> e.leaf << e.leaf;
	if (m->cpu.stlb.there)
		put_walked(&h->stlb, a->va, &e);
	put_walked(side, a->va, &e);
	return true;
}

bool translate(struct machine *m, struct hart *h, const struct asked *a)
{
	const enum tlb_access access = a->rights.access;
	struct tlb *side = access == TLB_FETCH ? &h->itlb : &h->dtlb;
	const struct tlb_entry *e = tlb_lookup(side, a->va, asid_of(h));
	bool missed = !e;

	count(&h->totals, events[access].lookup);
	if (!e && m->cpu.stlb.there) {
		count(&h->totals, events[access].second);
		e = tlb_lookup(&h->stlb, a->va, asid_of(h));
		if (e) {
			tlb_put(side, a->va, e);
			memtime_second_tlb(h, &m->cpu, a->rights.access);
		} else {
			count(&h->totals, events[access].second_miss);
		}
	}
	if (missed || !tlb_permits(e, &a->rights))
		count(&h->totals, events[access].miss);
	if (!e || !tlb_permits(e, &a->rights))
		return walk(m, h, a, side);
	if (a->walk)
		complain(m, a->nr, "a TLB permits %#llx, but the machine has walked",
			 (unsigned long long)a->va);
	return true;
}
