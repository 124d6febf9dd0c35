// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_runs.c - resolves how often runs have come to their ends into counts of their instructions
 * (exact_parts.h).
 */
#include <string.h>

#include "exact_parts.h"
#include "hash.h"
#include "timing.h"

void exact_add_cost(struct sink *s, uint64_t va, const struct insn *i, const struct cost_sum *sum,
		    uint64_t runs)
{
	s->add(s, va, i->raw, EVENT_CYCLES, sum->cycles * runs);
	for (unsigned n = 0; n < COST_STATIC_STALLS; n++) {
		if (sum->stall[n])
			s->add(s, va, i->raw, timing_stall_event(n), sum->stall[n] * runs);
	}
}

void exact_add_retired(struct sink *s, uint64_t va, const struct insn *i, bool translated,
		       uint64_t runs)
{
	uint64_t code = block_insn_events(i) & s->x->code;

	s->add(s, va, i->raw, EVENT_INSTRUCTIONS, runs);
	if (!s->x->cl->models)
		s->add(s, va, i->raw, EVENT_CYCLES, runs);
	if (!translated)
		code &= ~EVENTS_TRANSLATED;
	for (; code; code &= code - 1)
		s->add(s, va, i->raw, __builtin_ctzll(code), runs);
}

unsigned exact_lines_at(const struct cluster *cl, const struct insn insn[], uint64_t va, unsigned n)
{
	const struct cache *l1i = &cl->hierarchy->hart[0].l1i;
	uint64_t before = n ? va + insn[n].at - 2 : va, last = va + insn[n + 1].at - 2;

	return ((last & l1i->line_mask) - (before & l1i->line_mask)) / l1i->config.line;
}

bool exact_is_paged(const struct context *c)
{
	return c->mode != PRV_M && c->node.key[0] >> 60 != SATP64_MODE_BARE;
}

static void add_fetches(struct sink *s, uint64_t va, const struct context *c, const struct times *t,
			unsigned n)
{
	const struct insn *i = &t->sheet->insn[n];
	uint64_t fetches = (t->fetched[0] + t->fetched[1]) *
			   exact_lines_at(s->x->cl, t->sheet->insn, va, n);

	fetches += n ? 0 : t->fetched[0];
	if (!fetches)
		return;
	s->add(s, va + i->at, i->raw, EVENT_L1I_READ, fetches);
	if (exact_is_paged(c))
		s->add(s, va + i->at, i->raw, EVENT_ITLB, fetches);
}

/* Adds the transfers of control at the end of a run that were not reported as events. */
static void add_ways(struct sink *s, uint64_t va, const struct times *t)
{
	const struct insn *i = &t->sheet->insn[t->sheet->nr - 1];
	uint64_t bad = t->went[0][BLOCK_WRONG] + t->went[1][BLOCK_WRONG], cycles = 0;

	va += i->at;
	if (t->sheet->branches) {
		s->add(s, va, i->raw, EVENT_NOT_TAKEN, t->ran[0]);
		s->add(s, va, i->raw, EVENT_TAKEN, t->ran[1]);
	}
	for (unsigned way = 0; way < 2; way++) {
		for (unsigned outcome = 0; outcome < BLOCK_RARE; outcome++)
			cycles += t->went[way][outcome] * t->sheet->way_cycles[way][outcome];
	}
	if (bad)
		s->add(s, va, i->raw, EVENT_BAD_DIRECTION, bad);
	if (t->went[1][BLOCK_WRONG])
		s->add(s, va, i->raw, EVENT_BAD_TAKEN, t->went[1][BLOCK_WRONG]);
	if (!cycles)
		return;
	s->add(s, va, i->raw, EVENT_WAIT_BRANCH, cycles);
	s->add(s, va, i->raw, EVENT_CYCLES, cycles);
}

static void resolve_times(const struct place *p, const struct times *t, struct sink *s)
{
	const struct sheet *sheet = t->sheet;
	uint64_t ran = t->ran[0] + t->ran[1], va = p->node.key[0];
	const struct context *c = p->version->site->context;

	for (unsigned n = 0; n < sheet->nr; n++) {
		const struct insn *i = &sheet->insn[n];
		uint64_t runs = ran + (n + 1 < sheet->nr ? t->head : t->last);

		if (runs)
			exact_add_retired(s, va + i->at, i, c->translated, runs);
		if (sheet->each && runs)
			exact_add_cost(s, va + i->at, i, &sheet->each[n], runs);
		if (sheet->each)
			add_fetches(s, va, c, t, n);
	}
	add_ways(s, va, t);
}

void exact_resolve(const struct place *p, struct sink *s)
{
	for (const struct times *t = p->times; t; t = t->next)
		resolve_times(p, t, s);
}

/* Sheets */

static bool is_of(const struct sheet *s, const struct block_run *r, const struct cost_sum each[])
{
	return s->nr == r->nr && !memcmp(s->insn, r->insn, (r->nr + 1) * sizeof(*r->insn)) &&
	       (!s->each ||
		(!memcmp(s->each, each, r->nr * sizeof(*each)) &&
		 !memcmp(s->way_cycles[0], r->way_cycles[0], sizeof(s->way_cycles[0])) &&
		 !memcmp(s->way_cycles[1], r->way_cycles[1], sizeof(s->way_cycles[1]))));
}

/* The sheet of r.  NULL: no memory. */
static const struct sheet *sheet_of(struct hart *h, struct block_run *r)
{
	size_t insns = (r->nr + 1) * sizeof(*r->insn);
	struct exact *x = exact_of(h->cl);
	struct cost_sum each[BLOCK_MAX];
	size_t costs = h->timing ? r->nr * sizeof(*each) : 0;
	uint64_t hash, same = 0;
	struct sheet *s;

	if (r->heard)
		return r->heard;
	if (h->timing)
		timing_each(h, r, each);
	hash = hash_words(hash_words(r->nr, r->insn, insns), each, costs);
	while ((s = (void *)exact_find(&x->sheets, hash, same)) && !is_of(s, r, each))
		same++;
	if (!s) {
		s = exact_new(x, &x->sheets, sizeof(*s) + insns + costs, hash, same);
		if (!s)
			return NULL;
		s->nr = r->nr;
		s->branches = r->branches;
		for (unsigned way = 0; way < 2; way++)
			memcpy(s->way_cycles[way], r->way_cycles[way], sizeof(s->way_cycles[way]));
		memcpy(s->insn, r->insn, insns);
		if (costs)
			s->each = memcpy((char *)s->insn + insns, each, costs);
	}
	r->heard = s;
	return s;
}

struct times *exact_find_times(struct hart *h, struct place *p, struct block_run *r)
{
	const struct sheet *sheet = sheet_of(h, r);
	struct times **at = &p->times, *t;

	while (*at && (*at)->sheet != sheet)
		at = &(*at)->next;
	t = *at;
	if (t)
		*at = t->next;
	else
		t = sheet ? exact_alloc(exact_of(h->cl), sizeof(*t)) : NULL;
	if (!t)
		return NULL;
	t->sheet = sheet;
	t->next = p->times;
	p->times = t;
	return t;
}
