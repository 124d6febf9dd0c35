// SPDX-License-Identifier: BSD-2-Clause
/*
 * timing_pass.c - what most instructions in the shadow of a miss or of a division do: they need
 * nothing that waits, so that only their static cost is hidden (timing_pass.h).  It is what
 * timing_look does for them one by one (timing_data.c, look_ahead).
 *
 *	timing_pass		looks at all that pass, up to the end of the run
 *	timing_pass_until	one of them misses, faults or makes the engine leave: takes back
 *				what those after it have changed
 */
#include "cluster.h"
#include "timing_pass.h"

/* Classes that timing_look treats specially. */
#define OTHERS                                                                                     \
	(1u << COST_DIV | 1u << COST_DIV_32 | 1u << COST_AMO | 1u << COST_CSR | 1u << COST_FENCE)

/* Whether several may pass at once: no debugger or trigger needs to see each one. */
static bool at_once(const struct hart *h)
{
	return !h->guarded && !h->cl->debugged;
}

/* The bit of an operand: 1 for none, as nothing waits for that. */
static inline uint64_t bit_of(const struct timing_op *op, unsigned operand, unsigned number)
{
	return 1ull << ((number & op->bits[operand]) + op->from[operand]);
}

/* Whether an instruction of this kind never passes. */
static inline bool needs_more(const struct timing_op *op)
{
	return op->vector || op->several || OTHERS >> op->class & 1;
}

/* An instruction, at this time of the pipeline. */
static inline bool passes(const struct cost_config *c, struct waits *w, const struct timing_op *op,
			  const struct insn *i, uint64_t pipe, unsigned cost)
{
	uint64_t issues = pipe - c->latency[op->class];

	if (needs_more(op) || !waits_has_room(c, w, pipe - cost))
		return false;
	if (w->late_stores && (op->bytes || op->other || w->bases & bit_of(op, 0, i->rd)))
		return false;
	if (w->first_over <= issues)
		waits_settle(w, issues);
	if (w->registers) {
		if (w->registers &
		    (bit_of(op, 1, i->rs1) | bit_of(op, 2, i->rs2) | bit_of(op, 3, i->rs3)))
			return false;
		w->registers &= ~bit_of(op, 0, i->rd);
	}
	w->number++;
	return true;
}

void timing_pass_sum(struct block_run *r)
{
	r->reads = r->writes = 0;
	r->passes = true;
	for (unsigned n = 0; n < r->nr; n++) {
		const struct insn *i = &r->insn[n];
		const struct timing_op *op = timing_op_of(i);

		r->reads |= bit_of(op, 1, i->rs1) | bit_of(op, 2, i->rs2) | bit_of(op, 3, i->rs3);
		r->writes |= bit_of(op, 0, i->rd);
		r->passes = r->passes && !needs_more(op);
	}
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

/*
 * Lets instructions of r pass, from `first` on, those before `end`.  Returns the index after the
 * last one that passed.
 */
static unsigned look(struct hart *h, const struct block_run *r, unsigned first, unsigned end)
{
	const struct cost_config *c = &h->timing->cost->config;
	struct waits *w = &h->timing->waits;
	unsigned n = first, before = r->before[n], hidden = 0, all = 0;
	uint64_t pipe = h->now + (h->start - h->countdown) - w->shadow - r->cycles;

	if (end - first == r->nr && all_pass(c, w, r, pipe)) {
		w->registers &= ~r->writes;
		w->number += r->nr;
		all = waits_hide(w, r->cycles - before);
		hidden = r->cycles - r->before[r->nr - 1];
		n = r->nr;
	}
	while (n < end && (n == first || waits_any(w))) {
		unsigned behind = n + 1 < r->nr ? r->before[n + 1] : r->cycles;
		const struct timing_op *op = timing_op_of(&r->insn[n]);

		if (!passes(c, w, op, &r->insn[n], pipe + behind, behind - before))
			break;
		hidden = waits_hide(w, behind - before);
		all += hidden;
		before = behind;
		n++;
	}
	if (n == first)
		return n;
	h->start -= all;
	h->timing->looked.at = n - 1;
	h->timing->looked.all = all;
	h->timing->looked.address = h->timing->looked.late = 0;
	h->timing->looked.translates = false;
	h->timing->looked.hidden = (struct cost_sum){ .cycles = hidden };
	return n;
}

bool timing_pass(struct hart *h, const struct block_run *r, const struct insn *i)
{
	struct timing *t = h->timing;
	const struct waits *w = &t->waits;
	unsigned first = i - r->insn, behind;
	struct timing_passed before = { first, w->registers, w->divider, w->shadow, w->number };

	if (h->pmu.stalls || h->listener)
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

	h->start += t->looked.all;
	w->registers = before->registers;
	w->divider = before->divider;
	w->shadow = before->shadow;
	w->number = before->number;
	w->first_over = 0;
	t->looked.more = 0;
	look(h, r, before->first, n + 1);
}
