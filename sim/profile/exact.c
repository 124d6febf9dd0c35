// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact.c - collects an exact profile (exact.h, exact_parts.h).
 *
 * Each hart has a cache of recent places in front of the tables.  It is emptied when the code that
 * it describes may have changed.
 */
#include <stdlib.h>
#include <string.h>

#include "exact_parts.h"
#include "hash.h"
#include "timing.h"

#define SLOT_NR	     16384
#define VERSIONS_MAX 8 /* of a page; after that the newest one takes all counts */
#define NOWHERE	     UINT64_MAX /* a physical address: not known */

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* No context: its allocation failed, or it was not looked up yet. */
static const struct context no_context = { .node.key = { UINT64_MAX } };

struct slot {
	uint64_t va;
	struct place *place; /* NULL: free */
	const struct context *context;
	uint32_t frame; /* number of the page, or of NOWHERE: RAM has no such page */
	uint32_t call;
};

/* Contexts */

static const struct context *context_now(const struct hart *h)
{
	const struct exact_task *t = &heard(h)->task;
	uint64_t satp = h->mode == PRV_M ? 0 : h->mode == PRV_S && t->home ? t->home : h->satp;
	const struct context **recent = &heard(h)->recent[h->mode][h->translated];
	uint64_t owner = h->mode == PRV_M ? EXACT_PROCESS : t->owner;
	uint64_t rest = h->id << 16 | h->mode << 8 | owner << 4 | h->translated;
	struct exact *x = exact_of(h->cl);
	struct context *c;

	if (likely((*recent)->node.key[0] == satp && (*recent)->owner == owner))
		return *recent;
	c = (void *)exact_find(&x->contexts, satp, rest);
	if (!c) {
		c = exact_new(x, &x->contexts, sizeof(*c), satp, rest);
		if (!c)
			return &no_context;
		c->hart = h->id;
		c->mode = h->mode;
		c->owner = owner;
		c->translated = h->translated;
	}
	*recent = c;
	return c;
}

static void forget_slots(struct cluster *cl)
{
	for (unsigned n = 0; n < cl->harts; n++)
		memset(heard(cl->hart[n])->slot, 0, SLOT_NR * sizeof(struct slot));
}

/* Pages of code */

static struct version *version_new(struct exact *x, struct site *s)
{
	struct version *v = exact_alloc(x, sizeof(*v));

	if (!v)
		return NULL;
	v->site = s;
	v->id = x->versions++;
	v->older = s->now;
	s->now = v;
	s->versions++;
	return v;
}

/* If there is a version with this content, moves it to the front and returns it. */
static struct version *version_again(struct site *s, uint64_t content)
{
	for (struct version **at = &s->now; *at; at = &(*at)->older) {
		struct version *v = *at;

		if (v->known && v->content != content)
			continue;
		*at = v->older;
		v->older = s->now;
		s->now = v;
		return v;
	}
	return NULL;
}

/* Returns the version of the page of RAM at pa with its present content. */
static struct version *version_at(struct exact *x, struct site *s, uint64_t pa)
{
	uint32_t written = x->written[(pa - RAM_BASE) >> PAGE_SHIFT];
	struct version *v = s->now, *before = v;
	uint64_t content;

	if (v && v->known && v->pa == pa && v->written == written && v->epoch == x->cl->block_epoch)
		return v;
	content = fnv_add(FNV_START, cluster_ram(x->cl, pa, PAGE_SIZE), PAGE_SIZE);
	v = version_again(s, content);
	if (!v)
		v = s->versions < VERSIONS_MAX ? version_new(x, s) : s->now;
	if (!v)
		return NULL;
	if (!v->known)
		v->content = content;
	v->known = true;
	v->pa = pa;
	v->written = written;
	v->epoch = x->cl->block_epoch;
	if (before && v != before)
		forget_slots(x->cl);
	return v;
}

/* The present version of the page of va.  pa: the physical address of va, or NOWHERE. */
static struct version *version_of(struct exact *x, const struct context *c, uint64_t va,
				  uint64_t pa)
{
	struct site *s = (void *)exact_find(&x->sites, va & PAGE_MASK, (uintptr_t)c);

	if (!s) {
		s = exact_new(x, &x->sites, sizeof(*s), va & PAGE_MASK, (uintptr_t)c);
		if (!s)
			return NULL;
		s->context = c;
	}
	if (pa != NOWHERE)
		return version_at(x, s, pa & PAGE_MASK);
	return s->now ? s->now : version_new(x, s);
}

/* Places */

static struct place *place_in(struct exact *x, struct version *v, uint32_t call, uint64_t va)
{
	uint64_t key = (uint64_t)call << 32 | (v ? v->id : 0);
	struct place *p = v ? (void *)exact_find(&x->places, va, key) : &x->lost;

	if (p)
		return p;
	p = exact_new(x, &x->places, sizeof(*p), va, key);
	if (!p)
		return &x->lost;
	p->version = v;
	p->call = call;
	p->sibling = v->places;
	v->places = p;
	return p;
}

/* The node of the calls that led to the code that runs. */
static uint32_t call_now(struct hart *h)
{
	const struct exact_calls *now = &heard(h)->calls;
	const struct exact_task *t = &heard(h)->task;

	if (unlikely(h->mode != now->mode || h->satp != now->satp || t->task != now->task ||
		     t->owner != now->owner)) {
		exact_calls_switch(h);
		if (heard(h)->time)
			exact_time_changed(h);
	}
	return now->call;
}

static struct slot *slot_of(struct hart *h, uint64_t va, uint32_t call)
{
	return &heard(h)->slot[(va >> 1 ^ call * 0x9e3779b1u >> 8) & (SLOT_NR - 1)];
}

static struct place *place_of(struct hart *h, uint64_t va, uint64_t pa)
{
	const struct context *c;
	uint32_t frame = pa >> PAGE_SHIFT;
	struct exact *x = exact_of(h->cl);
	struct version *v;
	struct slot *s;
	uint32_t call;

	if (x->knows_tasks)
		exact_task_at(h, va);
	c = context_now(h);
	call = call_now(h);
	s = slot_of(h, va, call);
	if (likely(s->place && s->va == va && s->context == c && s->call == call &&
		   (s->frame == frame || pa == NOWHERE)))
		return s->place;
	v = version_of(x, c, va, pa);
	if (!v)
		return &x->lost;
	*s = (struct slot){ va, place_in(x, v, call, va), c,
			    (v->known ? v->pa : NOWHERE) >> PAGE_SHIFT, call };
	return s->place;
}

static void add(struct exact *x, struct place *p, unsigned event, uint64_t n)
{
	struct cell *c = p->cell;

	if (!n)
		return;
	for (unsigned left = p->cells; left; left--, c++) {
		if (c->event == event) {
			c->n += n;
			return;
		}
	}
	if (p->cells == p->room) {
		unsigned room = p->room ? 2 * p->room : 4;

		c = p == &x->lost ? NULL : exact_alloc(x, room * sizeof(*c));
		if (!c)
			return;
		if (p->cells)
			memcpy(c, p->cell, p->cells * sizeof(*c));
		p->cell = c;
		p->room = room;
	}
	p->cell[p->cells++] = (struct cell){ event, n };
}

/* Code */

static void to_place(struct sink *s, uint64_t va, uint32_t raw, unsigned event, uint64_t n)
{
	struct place *p = s->place;

	if (p->node.key[0] != va)
		p = place_in(s->x, p->version, p->call, va);
	s->place = p;
	p->raw = raw;
	add(s->x, p, event, n);
}

static void add_cost(struct sink *s, uint64_t va, const struct insn *i, const struct cost_sum *sum,
		     uint64_t runs)
{
	s->add(s, va, i->raw, EVENT_CYCLES, sum->cycles * runs);
	for (unsigned n = 0; n < COST_STATIC_STALLS; n++) {
		if (sum->stall[n])
			s->add(s, va, i->raw, timing_stall_event(n), sum->stall[n] * runs);
	}
}

/* Adds an instruction that has retired `runs` times.  With models, add_cost() adds its cycles. */
static void add_retired(struct sink *s, uint64_t va, const struct insn *i, bool translated,
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

static void resolve_tally(const struct place *p, const struct tally *t, struct sink *s)
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

		add_retired(s, va + i->at, i, c->translated, runs);
		if (cl->models)
			add_cost(s, va + i->at, i, &each[n], runs);
		if (n == r->nr - 1u && r->branches) {
			s->add(s, va + i->at, i->raw, EVENT_NOT_TAKEN, t->ran[0]);
			s->add(s, va + i->at, i->raw, EVENT_TAKEN, t->ran[1]);
		}
	}
}

void exact_resolve(const struct place *p, struct sink *s)
{
	for (const struct tally *t = &p->tally; t; t = t->next) {
		if (t->ran[0] + t->ran[1])
			resolve_tally(p, t, s);
	}
}

/* Resolves the runs at p now, because their blocks are about to be freed. */
static void settle(struct exact *x, struct place *p)
{
	struct sink s = { to_place, x, p };

	if (p != &x->lost)
		exact_resolve(p, &s);
	for (struct tally *t = &p->tally; t; t = t->next)
		*t = (struct tally){ .next = t->next };
}

/* Makes p->tally that of r.  False: no memory. */
static bool find_tally(struct exact *x, struct place *p, const struct block_run *r)
{
	struct tally *first = &p->tally, *t = first->next, last = *first;

	while (t && t->run && t->run != r)
		t = t->next;
	if (!t && last.run) {
		t = exact_alloc(x, sizeof(*t));
		if (!t)
			return false;
		t->next = first->next;
		first->next = t;
	}
	*first = (struct tally){ first->next, r, { 0, 0 } };
	if (!last.run)
		return true;
	if (t->run)
		memcpy(first->ran, t->ran, sizeof(t->ran));
	*t = (struct tally){ t->next, last.run, { last.ran[0], last.ran[1] } };
	return true;
}

static void exact_enter(struct hart *h)
{
	if (exact_of(h->cl)->knows_tasks)
		exact_task_at(h, h->pc);
	heard(h)->pc = h->pc;
}

static void exact_part(struct hart *h, const struct block *b, unsigned from, unsigned to)
{
	struct sink s = { to_place, exact_of(h->cl), NULL };

	for (unsigned n = from; n < to; n++) {
		uint64_t va = heard(h)->pc + b->insn[n].at;

		s.place = place_of(h, va, b->pa);
		add_retired(&s, va, &b->insn[n], h->translated, 1);
	}
	/* All of b has run (a CSR instruction ends it): the instruction behind it is next. */
	if (to == b->nr)
		heard(h)->pc += b->insn[to].at;
}

static void exact_cost(struct hart *h, const struct block *b, unsigned n,
		       const struct cost_sum *sum)
{
	uint64_t va = heard(h)->pc + b->insn[n].at;
	struct sink s = { to_place, exact_of(h->cl), place_of(h, va, b->pa) };

	add_cost(&s, va, &b->insn[n], sum, 1);
}

/* Counts the whole of a block that was made for one use. */
static void ran_once(struct hart *h, const struct block_run *r, bool taken)
{
	const struct block *b = r->block;
	uint64_t last = heard(h)->pc + b->insn[b->nr - 1].at;
	struct cost_sum each[BLOCK_MAX];

	if (h->timing)
		timing_each(h, r, each);
	for (unsigned n = 0; h->timing && n < b->nr; n++)
		exact_cost(h, b, n, &each[n]);
	exact_part(h, b, 0, b->nr);
	if (b->branches)
		add(exact_of(h->cl), place_of(h, last, b->pa),
		    taken ? EVENT_TAKEN : EVENT_NOT_TAKEN, 1);
}

static void exact_ran(struct hart *h, const struct block_run *r, bool taken, uint64_t target)
{
	const struct block *b = r->block;
	const struct insn *last = &r->insn[r->nr - 1];
	uint64_t start = heard(h)->pc;
	struct place *p;

	if (unlikely(b == h->scratch)) {
		ran_once(h, r, taken);
	} else {
		p = place_of(h, start, b->pa);
		if (likely(p->tally.run == r || find_tally(exact_of(h->cl), p, r)))
			p->tally.ran[taken]++;
	}
	if (exact_of(h->cl)->knows_tasks && target != start + b->insn[b->nr].at)
		exact_task_ask(h);
	if (last->op == ISA_jal || last->op == ISA_jalr) {
		call_now(h);
		exact_calls_ran(h, last, start + last->at, target);
	}
	heard(h)->pc = target;
	if (unlikely(heard(h)->process_changed) && target != start + b->insn[b->nr].at)
		exact_time_process(h);
}

static void *exact_here(struct hart *h)
{
	struct place *p = place_of(h, heard(h)->pc + h->at->at, h->run->block->pa);

	p->raw = h->at->raw;
	return p;
}

static void *exact_now(struct hart *h)
{
	return h->run ? exact_here(h) : place_of(h, h->pc, NOWHERE);
}

static void exact_adds(struct hart *h, enum event e, uint64_t n)
{
	add(exact_of(h->cl), exact_now(h), e, n);
	if (e == EVENT_INTERRUPT)
		exact_task_interrupted(h);
}

static void exact_credits(struct hart *h, void *here, enum event e, uint64_t n)
{
	add(exact_of(h->cl), here ? here : exact_here(h), e, n);
}

static void exact_code_written(struct cluster *cl, uint64_t pa)
{
	exact_of(cl)->written[(pa - RAM_BASE) >> PAGE_SHIFT]++;
	forget_slots(cl);
}

static void exact_flush(struct cluster *cl)
{
	struct exact *x = exact_of(cl);

	for (size_t n = 0; n < x->sites.size; n++) {
		for (struct node *at = x->sites.bucket[n]; at; at = at->next) {
			for (struct version *v = ((struct site *)at)->now; v; v = v->older) {
				for (struct place *p = v->places; p; p = p->sibling)
					settle(x, p);
			}
		}
	}
	forget_slots(cl);
}

/* Start and end */

static bool start_hart(struct hart *h)
{
	struct exact_hart *e = calloc(1, sizeof(*e));

	h->heard = e;
	if (!e)
		return false;
	e->slot = calloc(SLOT_NR, sizeof(*e->slot));
	if (!e->slot)
		return false;
	e->task.mode = PRV_M;
	for (unsigned n = 0; n < 8; n++)
		e->recent[n / 2][n % 2] = &no_context;
	e->pc = h->pc;
	exact_calls_switch(h);
	return true;
}

static const struct listener listener = {
	.enter = exact_enter,
	.ran = exact_ran,
	.part = exact_part,
	.cost = exact_cost,
	.adds = exact_adds,
	.here = exact_now,
	.credits = exact_credits,
	.code_written = exact_code_written,
	.flush = exact_flush,
	.ticks = exact_time_ticks,
};

bool exact_start(struct cluster *cl)
{
	struct exact *x = calloc(1, sizeof(*x));

	cl->heard = x;
	if (!x)
		return false;
	x->cl = cl;
	x->written = calloc(cl->ram_size >> PAGE_SHIFT, sizeof(*x->written));
	if (!x->written || !exact_calls_start(x))
		return false;
	for (unsigned e = EVENT_CONTROL; e < EVENT_CODE_NR; e++) {
		if (event_table[e].kind == EVENT_KIND_CODE && !(event_table[e].needs & ~cl->models))
			x->code |= 1ull << e;
	}
	for (unsigned n = 0; n < cl->harts; n++) {
		if (!start_hart(cl->hart[n]))
			return false;
		cl->hart[n]->listener = &listener;
		pmu_translation_changed(cl->hart[n]);
	}
	cl->listener = &listener;
	return true;
}

void exact_free(struct cluster *cl)
{
	struct exact *x = exact_of(cl);

	for (unsigned n = 0; n < cl->harts; n++) {
		if (cl->hart[n] && heard(cl->hart[n])) {
			free(heard(cl->hart[n])->slot);
			free(heard(cl->hart[n])->time);
		}
		if (cl->hart[n])
			free(heard(cl->hart[n]));
	}
	if (!x)
		return;
	exact_calls_free(x);
	exact_time_free(x);
	exact_data_free(x);
	for (struct chunk *c = x->chunk, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	free(x->homes.bucket);
	free(x->places.bucket);
	free(x->sites.bucket);
	free(x->contexts.bucket);
	free(x->written);
	free(x);
}
