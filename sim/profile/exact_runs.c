// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_runs.c - resolves how often runs have come to their ends into counts of their instructions
 * (exact_parts.h).
 */
#include "exact_parts.h"
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

unsigned exact_lines_at(const struct cluster *cl, const struct block_run *r, uint64_t va,
			unsigned n)
{
	const struct cache *l1i = &cl->hierarchy->hart[0].l1i;
	uint64_t before = n ? va + r->insn[n].at - 2 : va, last = va + r->insn[n + 1].at - 2;

	return ((last & l1i->line_mask) - (before & l1i->line_mask)) / l1i->config.line;
}

bool exact_is_paged(const struct context *c)
{
	return c->mode != PRV_M && c->node.key[0] >> 60 != SATP64_MODE_BARE;
}

static void add_fetches(struct sink *s, uint64_t va, const struct context *c, const struct times *t,
			unsigned n)
{
	const struct insn *i = &t->run->insn[n];
	uint64_t fetches = (t->fetched[0] + t->fetched[1]) *
			   exact_lines_at(s->x->cl, t->run, va, n);

	fetches += n ? 0 : t->fetched[0];
	if (!fetches)
		return;
	s->add(s, va + i->at, i->raw, EVENT_L1I_READ, fetches);
	if (exact_is_paged(c))
		s->add(s, va + i->at, i->raw, EVENT_ITLB, fetches);
}

/* Adds the transfers of control behind a run, of which no event was told. */
static void add_ways(struct sink *s, uint64_t va, const struct times *t)
{
	const struct insn *i = &t->run->insn[t->run->nr - 1];
	uint64_t bad = t->went[0][BLOCK_WRONG] + t->went[1][BLOCK_WRONG], cycles = 0;

	va += i->at;
	if (t->run->branches) {
		s->add(s, va, i->raw, EVENT_NOT_TAKEN, t->ran[0]);
		s->add(s, va, i->raw, EVENT_TAKEN, t->ran[1]);
	}
	for (unsigned way = 0; way < 2; way++) {
		for (unsigned outcome = 0; outcome < BLOCK_RARE; outcome++)
			cycles += t->went[way][outcome] * t->run->way_cycles[way][outcome];
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
	const struct block_run *r = t->run;
	uint64_t runs = t->ran[0] + t->ran[1], va = p->node.key[0];
	const struct context *c = p->version->site->context;
	const struct cluster *cl = s->x->cl;
	struct cost_sum each[BLOCK_MAX];

	if (cl->models)
		timing_each(cl->hart[c->hart], r, each);
	for (unsigned n = 0; n < r->nr; n++) {
		const struct insn *i = &r->insn[n];

		if (runs)
			exact_add_retired(s, va + i->at, i, c->translated, runs);
		if (cl->models && runs)
			exact_add_cost(s, va + i->at, i, &each[n], runs);
		if (cl->models)
			add_fetches(s, va, c, t, n);
	}
	add_ways(s, va, t);
}

void exact_resolve(const struct place *p, struct sink *s)
{
	for (const struct times *t = p->times; t && t->run; t = t->next)
		resolve_times(p, t, s);
}

struct times *exact_find_times(struct exact *x, struct place *p, const struct block_run *r)
{
	struct times **at = &p->times, *t;

	while (*at && (*at)->run && (*at)->run != r)
		at = &(*at)->next;
	t = *at;
	if (t)
		*at = t->next;
	else
		t = exact_alloc(x, sizeof(*t));
	if (!t)
		return NULL;
	t->run = r;
	t->next = p->times;
	p->times = t;
	return t;
}
