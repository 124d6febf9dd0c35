// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_time.c - the time line of an exact profile (exact.h): the events of each interval of guest
 * time, by hart and process.
 *
 * It takes the differences of the hart's totals when an interval ends, for which the engine stops
 * (hart.tick), and when the profile notices that the process has changed.  So it costs nothing
 * between.  It has the events that a hart counts in any case.
 */
#include <stdlib.h>
#include <string.h>

#include "exact_parts.h"
#include "timing.h"
#include "vec.h"

#define SLICES_MAX (1u << 20)

struct time_line {
	uint64_t interval, ns; /* in cycles, in nanoseconds */
	struct event_set events;
	VEC(struct exact_slice) slices;
	bool full; /* there was no room for more slices */
};

/* What runs on a hart, and what it had counted when the present slice began. */
struct time_hart {
	uint64_t satp;
	uint8_t owner;
	bool changed;
	uint64_t before[EVENT_NR];
};

static uint64_t total_of(const struct hart *h, unsigned e)
{
	uint64_t sum = 0;

	for (unsigned mode = 0; mode < 4; mode++)
		sum += h->pmu.total[mode][e];
	return sum;
}

/* The slice of what runs in the interval that ends at hart.tick.  NULL: there is no room. */
static struct exact_slice *slice_of(struct exact *x, const struct hart *h)
{
	const struct time_hart *t = heard(h)->time;
	struct time_line *line = x->time;
	uint64_t number = h->tick / line->interval - 1;
	struct exact_slice *s;

	for (size_t n = line->slices.nr; n--;) {
		s = &line->slices.at[n];
		if (s->hart == h->id && s->interval < number)
			break;
		if (s->hart == h->id && s->interval == number && s->satp == t->satp &&
		    s->owner == t->owner)
			return s;
	}
	if (line->full || line->slices.nr == SLICES_MAX || !VEC_ROOM(&line->slices, 1)) {
		line->full = true;
		return NULL;
	}
	s = &line->slices.at[line->slices.nr];
	*s = (struct exact_slice){ number, t->satp, h->id, t->owner, NULL };
	s->count = exact_alloc(x, EVENT_NR * sizeof(*s->count));
	if (!s->count)
		return NULL;
	line->slices.nr++;
	return s;
}

/* Adds what the hart has counted since the last call to the slice of what ran. */
static void take(struct exact *x, struct hart *h)
{
	struct time_hart *t = heard(h)->time;
	const struct event_set *set = &x->time->events;
	uint64_t more[EVENT_NR], any = 0;
	struct exact_slice *s;

	for (unsigned e = event_set_next(set, 0); e < EVENT_NR; e = event_set_next(set, e + 1)) {
		uint64_t total = total_of(h, e);

		more[e] = total - t->before[e];
		t->before[e] = total;
		any |= more[e];
	}
	s = any ? slice_of(x, h) : NULL;
	for (unsigned e = event_set_next(set, 0); s && e < EVENT_NR; e = event_set_next(set, e + 1))
		s->count[e] += more[e];
}

void exact_time_ticks(struct hart *h)
{
	struct exact *x = exact_of(h->cl);

	take(x, h);
	h->tick = (h->now / x->time->interval + 1) * x->time->interval;
}

void exact_time_changed(struct hart *h)
{
	struct time_hart *t = heard(h)->time;
	const struct exact_task *task = &heard(h)->task;
	uint64_t satp = h->mode == PRV_S && task->home ? task->home : h->satp;

	if (h->mode != PRV_M && (satp != t->satp || task->owner != t->owner))
		heard(h)->process_changed = true;
}

void exact_time_process(struct hart *h)
{
	struct time_hart *t = heard(h)->time;
	const struct exact_task *task = &heard(h)->task;

	if (h->mode == PRV_M)
		return;
	hart_sync(h);
	take(exact_of(h->cl), h);
	t->satp = h->mode == PRV_S && task->home ? task->home : h->satp;
	t->owner = task->owner;
	heard(h)->process_changed = false;
}

bool exact_time_line(struct cluster *cl, uint64_t cycles, uint64_t ns)
{
	struct exact *x = exact_of(cl);
	struct time_line *line = calloc(1, sizeof(*line));

	x->time = line;
	if (!line)
		return false;
	line->interval = cycles;
	line->ns = ns;
	for (unsigned e = 0; e < EVENT_NR; e++) {
		bool here = event_table[e].kind == EVENT_KIND_TIME ||
			    event_table[e].kind == EVENT_KIND_RARE ||
			    event_table[e].kind == EVENT_KIND_CYCLE;

		for (unsigned n = 0; n < COST_STATIC_STALLS; n++)
			here &= e != timing_stall_event(n);
		if (here && !(event_table[e].needs & ~cl->models))
			event_set_add(&line->events, e);
	}
	for (unsigned n = 0; n < cl->harts; n++) {
		struct hart *h = cl->hart[n];
		struct time_hart *t = calloc(1, sizeof(*t));

		heard(h)->time = t;
		if (!t)
			return false;
		t->satp = h->satp;
		for (unsigned e = 0; e < EVENT_NR; e++)
			t->before[e] = total_of(h, e);
		h->tick = (h->now / cycles + 1) * cycles;
	}
	return true;
}

struct exact_times exact_times(struct cluster *cl)
{
	struct time_line *line = exact_of(cl)->time;

	if (!line)
		return (struct exact_times){ 0 };
	for (unsigned n = 0; n < cl->harts; n++)
		take(exact_of(cl), cl->hart[n]);
	return (struct exact_times){ line->ns, line->events, line->slices.at, line->slices.nr,
				     line->full };
}

void exact_time_free(struct exact *x)
{
	if (x->time)
		free(x->time->slices.at);
	free(x->time);
}
