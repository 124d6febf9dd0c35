// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_sums.c - an exact profile of totals (exact.h): what a command counted in each mode, and not
 * where.
 *
 * The harts count all events in any case (pmu_count_all).  The profile only looks whose work begins
 * when a place-by-place profile does (exact_tasks.c).  When the work of the starter begins or ends,
 * it adds what the hart has counted since the last time to the sums of what ran.  That is rare, so
 * a profile of totals costs little more than counting.
 */
#include <stdlib.h>

#include "exact_parts.h"

struct sums_hart {
	bool starter; /* what runs belongs to EXACT_STARTER */
	uint64_t before[4][EVENT_NR]; /* the hart's totals when that began */
	uint64_t sum[2][4][EVENT_NR]; /* by [starter] and mode */
};

/* Adds what the hart has counted since the last call to the sums of the work that ran until now. */
static void take(struct hart *h)
{
	struct sums_hart *s = heard(h)->sums;

	hart_sync(h);
	tally_settle(h);
	for (unsigned mode = 0; mode < 4; mode++) {
		for (unsigned e = 0; e < EVENT_NR; e++) {
			s->sum[s->starter][mode][e] += h->pmu.total[mode][e] - s->before[mode][e];
			s->before[mode][e] = h->pmu.total[mode][e];
		}
	}
}

/* Returns whether the work of the starter has begun or ended. */
static bool look(struct hart *h)
{
	struct sums_hart *s = heard(h)->sums;
	bool starter = heard(h)->task.owner == EXACT_STARTER;

	if (__builtin_expect(starter == s->starter, 1))
		return false;
	take(h);
	s->starter = starter;
	return true;
}

static const struct tally_key *sums_key(struct hart *h)
{
	return &h->keys[h->mode][h->translated];
}

static void sums_enter(struct hart *h)
{
	if (exact_of(h->cl)->knows_tasks)
		exact_task_at(h, h->pc);
	look(h);
	h->key = sums_key(h);
}

static void sums_jumped(struct hart *h, const struct block_run *r, uint64_t target)
{
	(void)r;
	(void)target;
	if (h->mode == PRV_U || !exact_of(h->cl)->knows_tasks)
		return;
	exact_task_ask(h);
	if (look(h))
		h->key = sums_key(h);
}

/* The event has been counted already: if other work begins with it, it belongs to that. */
static void sums_adds(struct hart *h, enum event e, uint64_t n)
{
	const struct exact_task *t = &heard(h)->task;
	struct sums_hart *s = heard(h)->sums;

	/* Most events: the same task runs in the same mode as before. */
	if (__builtin_expect(h->mode == t->mode && !t->interrupted && e != EVENT_INTERRUPT, 1))
		return;
	if (!exact_of(h->cl)->knows_tasks)
		return;
	exact_task_at(h, h->pc);
	if (look(h)) {
		s->sum[!s->starter][h->mode][e] -= n;
		s->before[h->mode][e] -= n;
	}
	if (e == EVENT_INTERRUPT)
		exact_task_interrupted(h);
}

static uint64_t *sum_now(const struct hart *h)
{
	const struct exact_hart *e = heard(h);

	return e->sums->sum[e->sums->starter][h->mode];
}

static void *sums_here(struct hart *h)
{
	if (!h->run && exact_of(h->cl)->knows_tasks) {
		exact_task_at(h, h->pc);
		look(h);
	}
	return sum_now(h);
}

/* The hart has counted the event in its present mode; it belongs to where the load was. */
static void sums_credits(struct hart *h, void *here, enum event e, uint64_t n)
{
	uint64_t *of_load = here;

	if (!here)
		return;
	of_load[e] += n;
	sum_now(h)[e] -= n;
}

static const struct listener listener = {
	.enter = sums_enter,
	.key = sums_key,
	.jumped = sums_jumped,
	.adds = sums_adds,
	.here = sums_here,
	.credits = sums_credits,
};

static bool start_hart(struct hart *h)
{
	struct exact_hart *e = calloc(1, sizeof(*e));

	h->heard = e;
	if (!e)
		return false;
	e->sums = calloc(1, sizeof(*e->sums));
	if (!e->sums)
		return false;
	e->task.mode = PRV_M;
	h->listener = &listener;
	pmu_count_all(h);
	for (unsigned mode = 0; mode < 4; mode++) {
		for (unsigned n = 0; n < EVENT_NR; n++)
			e->sums->before[mode][n] = h->pmu.total[mode][n];
	}
	return true;
}

bool exact_start_sums(struct cluster *cl)
{
	struct exact *x = calloc(1, sizeof(*x));

	cl->heard = x;
	if (!x)
		return false;
	x->cl = cl;
	x->sums = true;
	for (unsigned n = 0; n < cl->harts; n++) {
		if (!start_hart(cl->hart[n]))
			return false;
	}
	cl->listener = &listener;
	return true;
}

/* The sums of an owner on a hart in a mode, as if one instruction at address 0 had them. */
static void read_sum(const struct exact_reader *r, const struct exact_page *page,
		     const uint64_t count[EVENT_NR])
{
	struct exact_row row = { .count = count };

	for (unsigned e = 0; e < EVENT_NR; e++) {
		if (count[e])
			event_set_add(&row.set, e);
	}
	if (event_set_empty(&row.set))
		return;
	r->page(r->arg, page);
	r->row(r->arg, &row);
}

static void read_hart(struct hart *h, const struct exact_reader *r)
{
	static const enum exact_owner owner[] = { EXACT_PROCESS, EXACT_STARTER };
	const struct exact *x = exact_of(h->cl);
	struct sums_hart *s = heard(h)->sums;

	take(h);
	for (unsigned mode = 0; mode < 4; mode++) {
		for (unsigned starter = 0; starter < 2; starter++) {
			struct exact_page page = { .hart = h->id, .mode = mode };

			/* As exact_owner_of(); the firmware's work belongs to no task. */
			page.owner = owner[mode == PRV_M || !x->found ? 0 : starter];
			read_sum(r, &page, s->sum[starter][mode]);
		}
	}
}

void exact_sums_read(struct cluster *cl, const struct exact_reader *r)
{
	for (unsigned n = 0; n < cl->harts; n++)
		read_hart(cl->hart[n], r);
}
