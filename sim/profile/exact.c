// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact.c - collects an exact profile (exact.h, exact_parts.h).
 *
 * Each hart has a cache of recent places in front of the tables.  It is emptied when the code that
 * it describes may have changed.
 */
#include <stdlib.h>
#include <string.h>

#include "exact_data.h"
#include "exact_keys.h"
#include "hash.h"
#include "timing.h"

#define SLOT_NR	     16384
#define VERSIONS_MAX 8 /* of a page; after that the newest one takes all counts */
#define NOWHERE	     UINT64_MAX /* a physical address: not known */

struct slot {
	uint64_t va;
	struct place *place; /* NULL: free */
	const struct context *context;
	uint32_t frame; /* number of the page, or of NOWHERE: RAM has no such page */
	uint32_t call;
};

struct known_place {
	uint64_t va;
	const struct version *version;
	struct place *place;
	uint32_t call;
};

/* Slots */

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
	uint64_t key;
	struct place *p;

	if (!v)
		return &x->lost;
	key = (uint64_t)call << 32 | v->id;
	p = (void *)exact_find(&x->places, va, key);
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
	c = exact_context_now(h);
	call = exact_call_now(h);
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

/* The place of the instruction at va that is in the same version and on the same path as p. */
static struct place *place_near(struct hart *h, struct place *p, uint64_t va)
{
	struct known_place *k =
		&heard(h)->known[(va >> 1 ^ p->call * 0x9e3779b1u >> 8) & (SLOT_NR - 1)];

	if (p->node.key[0] == va)
		return p;
	if (unlikely(k->va != va || k->version != p->version || k->call != p->call))
		*k = (struct known_place){ va, p->version,
					   place_in(exact_of(h->cl), p->version, p->call, va),
					   p->call };
	return k->place;
}

/* The place of instruction n of the run that is on the engine. */
static struct place *place_in_run(struct hart *h, const struct block_run *r, unsigned n)
{
	uint64_t at = r->insn[n].at;

	if (r->block == h->scratch)
		return place_of(h, h->scratch_pc + at, r->block->pa);
	return place_near(h, r->tally->place, r->tally->va + at);
}

static void *exact_place(struct hart *h, const struct tally *t)
{
	const struct key *k = (const void *)((const char *)t->key - offsetof(struct key, tally));
	struct exact *x = exact_of(h->cl);
	struct version *v;

	if (t->key == &h->keys[h->mode][h->translated])
		return &x->lost;
	v = version_of(x, k->context, t->va, t->run->block->pa);
	return place_in(x, v, k->call, t->va);
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

static void exact_enter(struct hart *h)
{
	if (exact_of(h->cl)->knows_tasks)
		exact_task_at(h, h->pc);
	h->key = exact_key(h);
	if (unlikely(heard(h)->process_changed))
		exact_time_process(h);
}

/* NULL: no memory. */
static struct times *times_of(struct hart *h, const struct tally *t)
{
	struct place *p = t->place;

	return p->version ? exact_find_times(h, p, t->run) : NULL;
}

/* Adds instruction by instruction what exact_part is told. */
static void add_part(struct hart *h, const struct block_run *r, unsigned from, unsigned to)
{
	struct sink s = { to_place, exact_of(h->cl), NULL };
	struct cost_sum each[BLOCK_MAX];

	if (h->timing)
		timing_each(h, r, each);
	for (unsigned n = from; n < to; n++) {
		uint64_t va;

		s.place = place_in_run(h, r, n);
		va = s.place->node.key[0];
		exact_add_retired(&s, va, &r->insn[n], h->translated, 1);
		if (h->timing)
			exact_add_cost(&s, va, &r->insn[n], &each[n], 1);
	}
}

/* An instruction that ends its run and is told by itself is frequent: CSR instructions. */
static void exact_part(struct hart *h, const struct block_run *r, unsigned from, unsigned to)
{
	bool head = !from && to == r->nr - 1u, last = from == r->nr - 1u && to == r->nr;
	struct times *t = NULL;

	if (from == to)
		return;
	if ((head || last) && r->block != h->scratch)
		t = times_of(h, r->tally);
	if (!t)
		add_part(h, r, from, to);
	else if (head)
		t->head++;
	else
		t->last++;
}

/* Counts the whole of a block that was made for one use. */
static void exact_once(struct hart *h, const struct block_run *r, bool taken)
{
	add_part(h, r, 0, r->nr);
	if (r->branches)
		add(exact_of(h->cl), place_in_run(h, r, r->nr - 1),
		    taken ? EVENT_TAKEN : EVENT_NOT_TAKEN, 1);
}

static void exact_ran(struct hart *h, const struct tally *t)
{
	struct times *to = times_of(h, t);

	if (!to)
		return;
	for (unsigned n = 0; n < 2; n++) {
		to->ran[n] += t->ran[n];
		to->fetched[n] += t->fetched[n];
		for (unsigned outcome = 0; outcome < BLOCK_RARE; outcome++)
			to->went[n][outcome] += t->went[n][outcome];
	}
}

static void exact_unfetched(struct hart *h, const struct block_run *r, unsigned n)
{
	struct exact *x = exact_of(h->cl);

	for (; n < r->nr; n++) {
		uint64_t lines = exact_lines_at(h->cl, r->insn, r->tally->va, n);
		struct place *p;

		if (!lines)
			continue;
		p = place_in_run(h, r, n);
		add(x, p, EVENT_L1I_READ, -lines);
		if (p->version && exact_is_paged(p->version->site->context))
			add(x, p, EVENT_ITLB, -lines);
	}
}

/*
 * A tally keeps the virtual address at which its block runs.  If a page of code runs at another one
 * than before in its address space, no tally of the hart may stay active, and each step from one of
 * these addresses to the other must come here.
 */
static void exact_fetched(struct hart *h, uint64_t pa)
{
	struct exact *x = exact_of(h->cl);
	uint64_t page = pa >> PAGE_SHIFT | (uint64_t)h->mode << 56 | (uint64_t)h->id << 60;
	struct frame_at *f;

	if (h->mode == PRV_M || h->satp >> 60 == SATP64_MODE_BARE)
		return;
	f = (void *)exact_find(&x->frames, page, h->satp);
	if (!f) {
		f = exact_new(x, &x->frames, sizeof(*f), page, h->satp);
		if (f)
			f->va = h->pc & PAGE_MASK;
	}
	if (!f || f->va == (h->pc & PAGE_MASK))
		return;
	tally_settle(h);
	hart_forget_jumps(h);
	f->va = h->pc & PAGE_MASK;
}

static void *exact_here(struct hart *h)
{
	struct place *p = place_in_run(h, h->run, h->at - h->run->insn);

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

/* The runs are counted by their sheets, which stay. */
static void exact_flush(struct cluster *cl)
{
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
	e->known = calloc(SLOT_NR, sizeof(*e->known));
	if (!e->slot || !e->known)
		return false;
	e->task.mode = PRV_M;
	for (unsigned n = 0; n < 8; n++)
		e->recent[n / 2][n % 2] = &exact_no_context;
	exact_calls_switch(h);
	return true;
}

static const struct listener listener = {
	.runs = true,
	.enter = exact_enter,
	.key = exact_key,
	.place = exact_place,
	.ran = exact_ran,
	.once = exact_once,
	.part = exact_part,
	.unfetched = exact_unfetched,
	.jumped = exact_jumped,
	.fetched = exact_fetched,
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
		tally_settle(cl->hart[n]);
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
			free(heard(cl->hart[n])->known);
			free(heard(cl->hart[n])->time);
			free(heard(cl->hart[n])->sums);
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
	free(x->sheets.bucket);
	free(x->frames.bucket);
	free(x->keys.bucket);
	free(x->homes.bucket);
	free(x->places.bucket);
	free(x->sites.bucket);
	free(x->contexts.bucket);
	free(x->written);
	free(x);
}
