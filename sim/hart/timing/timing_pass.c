// SPDX-License-Identifier: BSD-2-Clause
/*
 * timing_pass.c - what most instructions in the shadow of a miss or of a division do: they need
 * nothing that waits, so that only their static cost is hidden (timing_pass.h).  It is what
 * timing_look does for them one by one (timing_data.c, look_ahead).
 *
 *	timing_pass		looks at all that pass, up to the end of the run: in a row while
 *				nothing stops waiting (pass_several), or one by one
 *	timing_pass_until	one of them misses, faults or makes the engine leave: takes back
 *				what those after it have changed
 */
#include "cluster.h"
#include "timing_pass.h"

/* Whether several may pass at once: no debugger or trigger needs to see each one. */
static bool at_once(const struct hart *h)
{
	return !h->guarded && !h->cl->debugged;
}

/* An instruction, at this time of the pipeline. */
static inline bool passes(const struct cost_config *c, struct waits *w, const struct insn *i,
			  uint64_t pipe, unsigned cost)
{
	struct timing_regs regs = timing_regs_of(i);
	uint64_t issues = pipe - c->latency[timing_op_of(i)->class];

	if (regs.reads & TIMING_REGS_NONE || !waits_has_room(c, w, pipe - cost))
		return false;
	if (w->late_stores && regs.writes & (w->bases | TIMING_REGS_NONE))
		return false;
	waits_settle(w, issues);
	if (w->registers & regs.reads)
		return false;
	w->registers &= ~regs.writes;
	w->number++;
	return true;
}

/*
 * Whether all of r passes if it begins at time pipe: no register that it reads waits, nothing stops
 * waiting meanwhile, the shadow is longer than the run, and the window has room for its last
 * instruction.
 */
static bool all_pass(const struct cost_config *c, const struct waits *w, const struct block_run *r,
		     uint64_t pipe)
{
	return r->passes && !(w->registers & r->reads) && !w->late_stores &&
	       w->shadow > r->cycles && w->first_over > pipe + r->cycles &&
	       (!w->loads || w->number + r->nr - w->load[0].number < c->window ||
		w->last_load <= pipe);
}

/* For how many instructions waits_has_room is surely true, the first of them at this time. */
static uint64_t room_for(const struct cost_config *c, const struct waits *w, uint64_t pipe)
{
	uint64_t behind = w->number - w->load[0].number;

	if (!w->loads || w->last_load <= pipe)
		return UINT64_MAX;
	return behind + 1 < c->window ? c->window - 1 - behind : 0;
}

/*
 * Lets instructions of r pass, from n on, those before end, while nothing stops waiting and the
 * shadow does not end; pipe: when r begins.  Returns the index after the last one.  *stuck: the one
 * there does not pass.
 */
static unsigned pass_several(const struct cost_config *c, struct waits *w,
			     const struct block_run *r, unsigned n, unsigned end, uint64_t pipe,
			     bool *stuck)
{
	const struct timing_regs *regs = r->block->regs;
	uint64_t waiting = w->registers | TIMING_REGS_NONE,
		 late = w->late_stores ? w->bases | TIMING_REGS_NONE : 0;
	uint64_t room = room_for(c, w, pipe + r->before[n]), shadow = r->before[n] + w->shadow;
	uint64_t over = w->first_over - pipe, limit = over < shadow ? over : shadow;
	unsigned first = n;

	*stuck = false;
	if (!regs || w->first_over <= pipe)
		return n;
	if (room < end - n)
		end = n + room;
	for (; n < end && r->before[n + 1] < limit; n++) {
		if (regs[n].reads & waiting || regs[n].writes & late) {
			*stuck = true;
			break;
		}
		waiting &= ~regs[n].writes | TIMING_REGS_NONE;
	}
	w->registers &= waiting;
	w->number += n - first;
	w->shadow -= r->before[n] - r->before[first];
	return n;
}

/* The static stalls of instructions of r, from n to before end. */
static void stalls_of(const struct block_run *r, unsigned n, unsigned end, uint32_t stall[])
{
	for (unsigned k = 0; k < COST_STATIC_STALLS; k++)
		stall[k] = r->stalls[end].before[k] - r->stalls[n].before[k];
}

/* Takes what is hidden from the clock and the sums (sign 1), or gives it back (-1). */
static void subtract(struct hart *h, const struct cost_sum *hidden, int sign)
{
	h->start -= sign * (int64_t)hidden->cycles;
	for (unsigned n = 0; h->pmu.stalls && n < COST_STATIC_STALLS; n++)
		h->pmu.total[h->mode][timing_stall_event(n)] -= sign * (int64_t)hidden->stall[n];
}

/* Instructions of r from n to before end have passed, and all their cycles are hidden. */
static void hide_whole(struct hart *h, const struct block_run *r, unsigned n, unsigned end)
{
	struct timing *t = h->timing;

	t->looked.whole = end;
	t->looked.all.cycles = r->before[end] - r->before[n];
	t->looked.hidden = (struct cost_sum){ .cycles = r->before[end] - r->before[end - 1] };
	if (h->pmu.stalls) {
		stalls_of(r, n, end, t->looked.all.stall);
		stalls_of(r, end - 1, end, t->looked.hidden.stall);
	}
	subtract(h, &t->looked.all, 1);
}

/* Instruction n of r has passed, and so many of its cycles are hidden. */
static void hide_some(struct hart *h, const struct block_run *r, unsigned n, unsigned cycles)
{
	struct timing *t = h->timing;
	struct cost_sum *hidden = &t->looked.hidden;

	*hidden = (struct cost_sum){ .cycles = cycles };
	if (h->pmu.stalls) {
		stalls_of(r, n, n + 1, hidden->stall);
		timing_hide_stalls(hidden);
	}
	subtract(h, hidden, 1);
	t->looked.all.cycles += cycles;
	for (unsigned k = 0; h->pmu.stalls && k < COST_STATIC_STALLS; k++)
		t->looked.all.stall[k] += hidden->stall[k];
}

/* pass_several and hide_whole have come to n.  Goes on, one by one; returns as they do. */
static unsigned pass_one_by_one(struct hart *h, const struct block_run *r, unsigned n, unsigned end,
				uint64_t pipe)
{
	const struct cost_config *c = &h->timing->cost->config;
	struct waits *w = &h->timing->waits;
	bool goes_on = true;

	while (n < end && goes_on) {
		unsigned cost = r->before[n + 1] - r->before[n];

		if (!passes(c, w, &r->insn[n], pipe + r->before[n + 1], cost))
			break;
		hide_some(h, r, n, waits_hide(w, cost));
		n++;
		goes_on = waits_any(w);
	}
	return n;
}

/*
 * Lets instructions of r pass, from `first` on, those before `end`.  Returns the index after the
 * last one that passed.
 */
static unsigned look(struct hart *h, const struct block_run *r, unsigned first, unsigned end)
{
	const struct cost_config *c = &h->timing->cost->config;
	struct timing *t = h->timing;
	struct waits *w = &t->waits;
	unsigned n = first;
	uint64_t pipe = h->now + (h->start - h->countdown) - w->shadow - r->cycles;
	bool stuck = false;

	if (end - first == r->nr && all_pass(c, w, r, pipe)) {
		w->registers &= ~r->writes;
		w->number += r->nr;
		w->shadow -= r->cycles;
		n = r->nr;
	} else {
		n = pass_several(c, w, r, n, end, pipe, &stuck);
	}
	if (n > first) {
		hide_whole(h, r, first, n);
	} else {
		if (stuck)
			return n;
		t->looked.whole = first;
		t->looked.all = (struct cost_sum){ 0 };
	}
	if (!stuck)
		n = pass_one_by_one(h, r, n, end, pipe);
	if (n == first)
		return n;
	t->looked.at = n - 1;
	t->looked.address = t->looked.late = 0;
	t->looked.translates = false;
	return n;
}

/* Whether instruction n of r surely does not pass, as it needs something that waits. */
static bool waits_still(const struct hart *h, const struct block_run *r, unsigned n)
{
	const struct waits *w = &h->timing->waits;
	uint64_t left = r->block->regs ? r->block->regs[n].reads & w->registers : 0;
	uint64_t behind = h->now + (h->start - h->countdown) - w->shadow - r->cycles +
			  r->before[n + 1];

	for (; left; left &= left - 1) {
		/* It issues before `behind`. */
		if (w->wait[__builtin_ctzll(left)].until >= behind)
			return true;
	}
	return false;
}

bool timing_pass(struct hart *h, const struct block_run *r, const struct insn *i)
{
	struct timing *t = h->timing;
	const struct waits *w = &t->waits;
	unsigned first = i - r->insn, behind;
	struct timing_passed before = { first,	   w->registers, w->divider,
					w->shadow, w->number,	 w->first_over };

	if ((h->pmu.stalls && !r->stalls) || h->listener || waits_still(h, r, first))
		return false;
	behind = look(h, r, first, at_once(h) ? r->nr : first + 1);
	if (behind == first)
		return false;
	t->looked.more = behind - first - 1;
	t->looked.before = before;
	return true;
}

void timing_pass_until(struct hart *h, const struct block_run *r, unsigned n)
{
	struct timing *t = h->timing;
	const struct timing_passed *before = &t->looked.before;
	struct waits *w = &t->waits;
	unsigned first = before->first;

	subtract(h, &t->looked.all, -1);
	w->registers = before->registers;
	w->divider = before->divider;
	w->shadow = before->shadow;
	w->number = before->number;
	w->first_over = before->first_over;
	t->looked.more = 0;
	if (n >= t->looked.whole || !r->block->regs) {
		look(h, r, first, n + 1);
		return;
	}
	for (unsigned k = first; k <= n; k++)
		w->registers &= ~r->block->regs[k].writes | TIMING_REGS_NONE;
	w->number += n + 1 - first;
	w->shadow -= r->before[n + 1] - r->before[first];
	hide_whole(h, r, first, n + 1);
	t->looked.at = n;
}
