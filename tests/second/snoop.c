// SPDX-License-Identifier: BSD-2-Clause
/*
 * snoop.c - what an access does in the L1D and L2 of other harts: rules C10, C11 and M12 of
 * holter-model(7).
 */
#include "snoop.h"

struct slot *private_slot(const struct machine *m, struct hart *h, unsigned which, uint64_t pa)
{
	if (which)
		return m->cpu.l2.there ? cache_find(&h->l2, pa) : NULL;
	return cache_find(&h->l1d, pa);
}

/* One cache of another hart. */
static void snoop_slot(struct slot *s, uint64_t at, enum snoop what, struct snooped *r)
{
	struct data data = { .at = at };

	if (s->dirty) {
		slot_needed(s, at, &data); /* M12 */
		if (data.at > r->end)
			r->end = data.at;
		r->dirty = true;
	}
	r->had = true;
	s->dirty = false;
	if (what == SNOOP_INVALIDATE)
		s->held = false;
}

struct snooped snoop(struct machine *m, struct hart *h, uint64_t pa, uint64_t at, enum snoop what)
{
	struct snooped all = { .end = at };

	for (unsigned n = 0; n < m->harts; n++) {
		struct snooped one = { .end = all.end };

		for (unsigned which = 0; which < 2 && n != h->number; which++) {
			struct slot *s = private_slot(m, &m->hart[n], which, pa);

			if (s)
				snoop_slot(s, at, what, &one);
		}
		if (one.had && what == SNOOP_INVALIDATE)
			count(&h->totals, EV_SNOOP_INVALIDATES);
		all.had |= one.had;
		all.dirty |= one.dirty;
		all.end = one.end;
	}
	if (all.dirty || (all.had && what == SNOOP_INVALIDATE))
		all.end += m->cpu.snoop_cycles;
	return all;
}
