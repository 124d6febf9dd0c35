// SPDX-License-Identifier: BSD-2-Clause
/*
 * prefetch.c - prefetchers: rules PF1 and PF4 to PF6 of holter-model(7).
 */
#include <stdlib.h>

#include "prefetch.h"
#include "room.h"

static uint64_t line_of(const struct prefetcher *p, uint64_t pa)
{
	return pa / p->line * p->line;
}

static int64_t greater(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static unsigned more_confident(unsigned confidence)
{
	return confidence < 3 ? confidence + 1 : 3;
}

void prefetch_init(struct prefetcher *p, const struct cpu_cache *shape, unsigned line)
{
	*p = (struct prefetcher){ .kind = shape->prefetch,
				  .line = line,
				  .entries = shape->entries,
				  .degree = shape->degree,
				  .distance = shape->distance,
				  .region = (uint64_t)PAGE * shape->pages };
	p->entry = room(p->entries, sizeof(*p->entry));
}

/* PF6 */
static void ask_ahead(const struct prefetcher *p, struct prefetch_entry *e,
		      struct prefetch_lines *lines)
{
	while (e->confidence >= 2 && lines->n < p->degree && e->ahead < p->distance) {
		uint64_t t = e->last + (uint64_t)((e->ahead + 1) * e->step);

		if (t / p->region != e->last / p->region)
			return;
		e->ahead++;
		lines->line[lines->n++] = line_of(p, t);
	}
}

/* The entry of the region, at the front of the list; PF4, 1. */
static struct prefetch_entry *stream_entry(struct prefetcher *p, uint64_t pa)
{
	struct prefetch_entry front = { .held = true,
					.of = pa / p->region,
					.last = line_of(p, pa) };
	unsigned at;

	for (at = 0; at < p->entries - 1; at++)
		if (p->entry[at].held && p->entry[at].of == pa / p->region)
			break;
	if (p->entry[at].held && p->entry[at].of == pa / p->region)
		front = p->entry[at];
	for (; at > 0; at--)
		p->entry[at] = p->entry[at - 1];
	p->entry[0] = front;
	return &p->entry[0];
}

/* PF4.  A new entry has the line of pa as its last one, so that nothing more happens to it. */
static void stream(struct prefetcher *p, uint64_t pa, struct prefetch_lines *lines)
{
	struct prefetch_entry *e = stream_entry(p, pa);
	int64_t n = (int64_t)(line_of(p, pa) - e->last) / (int64_t)p->line;

	if (n == 0)
		return;
	e->last = line_of(p, pa);
	if ((n > 0 && e->step > 0) || (n < 0 && e->step < 0)) {
		e->confidence = more_confident(e->confidence);
		e->ahead = greater(e->ahead - (n > 0 ? n : -n), 0);
		ask_ahead(p, e, lines);
		return;
	}
	e->step = n > 0 ? (int64_t)p->line : -(int64_t)p->line;
	e->confidence = 1;
	e->ahead = 0;
}

/* PF5, 5: the trigger does not confirm. */
static void stride_differs(const struct prefetcher *p, struct prefetch_entry *e, int64_t d)
{
	int64_t line = p->line;

	e->ahead = 0;
	if (e->confidence)
		e->confidence--;
	if (e->confidence)
		return;
	e->step = 0;
	if (d <= -PAGE || d >= PAGE)
		return;
	e->step = d;
	if (d > -line && d < line)
		e->step = d > 0 ? line : -line;
	e->confidence = 1;
}

/* PF5 */
static void stride(struct prefetcher *p, uint64_t pa, const struct cause *cause,
		   struct prefetch_lines *lines)
{
	struct prefetch_entry *e;
	int64_t d;
	bool confirms;

	if (!cause->is_load)
		return;
	e = &p->entry[cause->insn_pa / 2 % p->entries];
	if (!e->held || e->of != cause->insn_pa) {
		*e = (struct prefetch_entry){ .held = true, .of = cause->insn_pa, .last = pa };
		return;
	}
	d = (int64_t)(pa - e->last);
	if (pa / p->region != e->last / p->region) {
		e->last = pa;
		e->ahead = 0;
		ask_ahead(p, e, lines);
		return;
	}
	if (d == 0)
		return;
	confirms = e->step && line_of(p, e->last + (uint64_t)e->step) == line_of(p, pa);
	e->last = pa;
	if (!confirms) {
		stride_differs(p, e, d);
		return;
	}
	e->confidence = more_confident(e->confidence);
	e->ahead = greater(e->ahead - 1, 0);
	ask_ahead(p, e, lines);
}

void prefetch_ask(struct prefetcher *p, uint64_t pa, const struct cause *cause,
		  struct prefetch_lines *lines)
{
	uint64_t next = line_of(p, pa) + p->line;

	lines->n = 0;
	switch (p->kind) {
	case PREFETCH_NONE:
		break;
	case PREFETCH_ON_MISS:
	case PREFETCH_TAGGED:
		if (next / PAGE == pa / PAGE)
			lines->line[lines->n++] = next;
		break;
	case PREFETCH_STREAM:
		stream(p, pa, lines);
		break;
	case PREFETCH_STRIDE:
		stride(p, pa, cause, lines);
		break;
	}
}

void prefetch_free(struct prefetcher *p)
{
	free(p->entry);
}
