// SPDX-License-Identifier: BSD-2-Clause
/*
 * window.c - the pipeline of a hart that issues out of order: rules W1 to W12 of holter-model(7).
 *
 * Waits of the back end move all of it together (W11), so these times leave them out.
 */
#include <stdlib.h>

#include "pipe.h"

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void move(struct plan *plan, uint64_t d)
{
	if (d != plan->d)
		plan->g = 0;
	plan->d = d;
}

/* W2: the instructions that have not retired by d, and when the first one does. */
static unsigned not_retired(const struct window *w, uint64_t d, uint64_t *first)
{
	unsigned n = 0;

	*first = UINT64_MAX;
	for (unsigned k = 0; k < w->n; k++)
		if (w->flight[k].retire > d) {
			n++;
			if (w->flight[k].retire < *first)
				*first = w->flight[k].retire;
		}
	return n;
}

/* W3: the same for those of a unit that have not issued. */
static unsigned not_issued(const struct window *w, unsigned unit, uint64_t d, uint64_t *first)
{
	unsigned n = 0;

	*first = UINT64_MAX;
	for (unsigned k = 0; k < w->n; k++)
		if (w->flight[k].unit == unit && w->flight[k].issue > d) {
			n++;
			if (w->flight[k].issue < *first)
				*first = w->flight[k].issue;
		}
	return n;
}

/* W4: how many instructions have the unit in a cycle. */
static unsigned holders(const struct window *w, unsigned unit, uint64_t cycle)
{
	unsigned n = 0;

	for (unsigned k = 0; k < w->n; k++)
		n += w->flight[k].unit == unit && w->flight[k].issue <= cycle &&
		     cycle < w->flight[k].end;
	return n;
}

/* W4: the first cycle from t on at which the unit has a place for so long. */
static uint64_t free_from(const struct pipe *p, unsigned unit, uint64_t t, unsigned busy)
{
	for (unsigned k = 0; k < busy; k++)
		if (holders(&p->window, unit, t + k) >= p->is->units[unit]) {
			t += k + 1;
			k = -1u;
		}
	return t;
}

/* W9 */
static struct plan serial_plan(const struct pipe *p, const struct insn *i)
{
	uint64_t n = later(p->is->latency[i->class], p->is->busy[i->class]);
	struct plan plan = { .cost = n, .waits = { { EV_WAIT_SERIAL, n - 1 }, { EV_NONE, 0 } } };

	plan.complete = plan.d = plan.r = p->window.r + n;
	plan.flight = (struct flight){ .unit = unit_of(i->class) };
	return plan;
}

struct plan window_plan(const struct pipe *p, const struct insn *i)
{
	const struct window *w = &p->window;
	const unsigned unit = unit_of(i->class), busy = p->is->busy[i->class];
	const unsigned latency = p->is->latency[i->class];
	struct plan plan = { .waits = { { cause_of(i), 0 }, { EV_WAIT_UNIT, 0 } },
			     .d = w->d,
			     .g = w->g };
	const struct late *late;
	uint64_t first, t0, t;

	if (is_serial(i->class))
		return serial_plan(p, i);
	if (plan.g == p->is->width) /* W1 */
		move(&plan, plan.d + 1);
	while (not_retired(w, plan.d, &first) >= p->is->window) /* W2 */
		move(&plan, first);
	while (not_issued(w, unit, plan.d, &first) >= p->is->queues[unit]) /* W3 */
		move(&plan, first);
	/* W4; x0 is always ready. */
	t0 = later(plan.d, later(p->ready[i->rs1], later(p->ready[i->rs2], p->ready[i->rs3])));
	t = free_from(p, unit, t0, busy);
	if (t + later(latency, busy) > plan.d + 63) /* W5 */
		move(&plan, t + later(latency, busy) - 63);
	plan.g++; /* W6 */
	plan.complete = t + latency;
	late = i->class == CLASS_LOAD ? late_find(&w->lates, &i->memory) : NULL;
	if (late) { /* W12, 2 */
		plan.complete = later(plan.complete, late->time);
		if (plan.complete > plan.d + 63)
			move(&plan, plan.complete - 63);
	}
	plan.r = later(w->r, plan.complete); /* W7 */
	plan.cost = plan.r - w->r;
	plan.flight = (struct flight){ unit, t, t + busy, plan.r };
	if (plan.cost) { /* W8 */
		uint64_t waits = plan.cost - 1;

		plan.waits[1].cycles = t - t0 < waits ? t - t0 : waits;
		plan.waits[0].cycles = waits - plan.waits[1].cycles;
	}
	return plan;
}

/* W12, 1 and 3, of an instruction that was dispatched at this time. */
static void note_late(struct pipe *p, const struct insn *i, uint64_t d)
{
	struct lates *l = &p->window.lates;
	const struct late e = { i->memory, p->ready[i->rs2] + p->is->forward_cycles, 0 };

	if (!p->is->forward_cycles)
		return;
	if (i->class == CLASS_STORE && i->memory.bytes) {
		late_leave_met(l, &i->memory);
		if (p->ready[i->rs2] > d)
			late_enter(l, (int64_t)(d + p->is->latency[CLASS_LOAD]), &e);
	}
	late_written(l, i);
}

void window_commit(struct pipe *p, const struct insn *i, const struct plan *plan)
{
	struct window *w = &p->window;
	unsigned n = 0;

	w->d = plan->d;
	w->g = plan->g;
	w->r = plan->r;
	w->last = plan->complete;
	note_late(p, i, w->d);
	if (i->rd)
		p->ready[i->rd] = plan->complete;
	/* What is over can never be asked for again: d only grows. */
	for (unsigned k = 0; k < w->n; k++)
		if (w->flight[k].retire > w->d || w->flight[k].end > w->d)
			w->flight[n++] = w->flight[k];
	if (n == FLIGHTS_MAX)
		abort();
	w->flight[n++] = plan->flight;
	w->n = n;
}

/* W10 */
uint64_t window_front(struct pipe *p, enum front why, uint64_t n)
{
	struct window *w = &p->window;
	uint64_t next = w->d + (w->g > 0), f = next + n, charged;

	if (why == FRONT_MISPREDICTED) {
		f = later(next, w->last) + n;
		if (p->is->recovery_cycles)
			f = later(f, w->r + p->is->recovery_cycles);
	}
	if (why == FRONT_TRAP)
		f = w->r;
	charged = f > w->r ? f - w->r : 0;
	w->r += charged;
	w->d = f;
	w->g = 0;
	return charged;
}
