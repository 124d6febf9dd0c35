// SPDX-License-Identifier: BSD-2-Clause
/*
 * pipe.c - the pipeline of a hart that issues in order: rules P1 to P10, P12 and P14 of
 * holter-model(7).
 *
 * c goes up by static costs and waits of the front end only; it is not the clock of the hart.
 */
#include <string.h>

#include "pipe.h"

unsigned unit_of(enum class class)
{
	static const unsigned unit[CLASSES] = {
		[CLASS_ALU] = 0,	[CLASS_MUL] = 1,       [CLASS_DIV] = 2,
		[CLASS_LOAD] = 3,	[CLASS_STORE] = 3,     [CLASS_AMO] = 3,
		[CLASS_BRANCH] = 4,	[CLASS_FP_ADD] = 5,    [CLASS_FP_MUL] = 5,
		[CLASS_FP_FMA] = 5,	[CLASS_FP_MISC] = 5,   [CLASS_FP_DIV] = 6,
		[CLASS_FP_SQRT] = 6,	[CLASS_CSR] = 7,       [CLASS_FENCE] = 7,
		[CLASS_MUL_32] = 1,	[CLASS_DIV_32] = 2,    [CLASS_FP_ADD_32] = 5,
		[CLASS_FP_MUL_32] = 5,	[CLASS_FP_FMA_32] = 5, [CLASS_FP_DIV_32] = 6,
		[CLASS_FP_SQRT_32] = 6, [CLASS_FP_SIGN] = 5,   [CLASS_FP_CONVERT] = 5,
		[CLASS_FP_MOVE] = 5,	[CLASS_VSET] = 0,
	};

	return unit[class];
}

bool is_serial(enum class class)
{
	return class == CLASS_CSR || class == CLASS_FENCE;
}

enum event cause_of(const struct insn *i)
{
	if (i->rd >= REG_F)
		return EV_WAIT_FP;
	return i->class == CLASS_LOAD ? EV_WAIT_LOAD : EV_WAIT_INT;
}

void pipe_init(struct pipe *p, const struct cpu_pipeline *is)
{
	*p = (struct pipe){ .is = is };
}

/* P1: c' */
static uint64_t next_cycle(const struct pipe *p)
{
	return p->n ? p->c + 1 : p->c;
}

/* P3: a row raises e, if it is greater, and is then the cause. */
static void raise_to(int64_t *e, int64_t value, enum event *cause, enum event by)
{
	if (value > *e) {
		*e = value;
		*cause = by;
	}
}

/* P14: the instruction can execute at the late ALU. */
static bool may_be_late(const struct insn *i)
{
	return i->class == CLASS_ALU || i->class == CLASS_VSET || i->transfer == CONDITIONAL;
}

/* P14: sb, sh, sw, sd. */
static bool stores_late(const struct insn *i)
{
	return i->class == CLASS_STORE && i->memory.bytes && i->rs2 < REG_F;
}

/* P3, P14: the row of an operand. */
static int64_t operand(const struct pipe *p, unsigned reg, int64_t late)
{
	int64_t ready = (int64_t)p->ready[reg] - late, behind = (int64_t)p->issued[reg];

	return ready > behind ? ready : behind;
}

/* P3, the rows of registers; late: the n of rule P14, or 0. */
static int64_t registers(const struct pipe *p, const struct insn *i, int64_t late,
			 enum event *cause)
{
	int64_t e = 0, all = may_be_late(i) ? late : 0, data = stores_late(i) ? late : all;

	if (i->rs1)
		raise_to(&e, operand(p, i->rs1, all), cause, p->cause[i->rs1]);
	if (i->rs2)
		raise_to(&e, operand(p, i->rs2, data), cause, p->cause[i->rs2]);
	if (i->rs3)
		raise_to(&e, p->ready[i->rs3], cause, p->cause[i->rs3]);
	if (i->rd)
		raise_to(&e, (int64_t)p->ready[i->rd] - p->is->latency[i->class] - all, cause,
			 p->cause[i->rd]);
	return e;
}

static uint64_t earliest(const struct pipe *p, const struct insn *i, enum event *cause)
{
	int64_t e = registers(p, i, p->is->late_alu, cause);

	raise_to(&e, p->free[unit_of(i->class)], cause, EV_WAIT_UNIT);
	return e;
}

/* P14: whether the instruction that issues at this time executes late. */
static bool is_late(const struct pipe *p, const struct insn *i, uint64_t issue)
{
	enum event cause;

	return p->is->late_alu && may_be_late(i) && registers(p, i, 0, &cause) > (int64_t)issue;
}

struct plan pipe_plan(const struct pipe *p, const struct insn *i)
{
	const unsigned unit = unit_of(i->class);
	const uint64_t before = next_cycle(p);
	struct plan plan = { .waits = { { EV_NONE, 0 }, { EV_NONE, 0 } } };
	uint64_t e;

	if (p->is->out_of_order)
		return window_plan(p, i);
	e = earliest(p, i, &plan.waits[0].cause);
	/* P4 */
	if (p->n < p->is->width && (p->n == 0 || !is_serial(i->class)) && e <= p->c &&
	    p->used[unit] < p->is->units[unit]) {
		plan.joins = true;
		plan.issue = p->c;
	} else {
		plan.issue = e > before ? e : before;
		plan.waits[0].cycles = plan.issue - before;
	}
	plan.late = is_late(p, i, plan.issue);
	/* P6, P7 */
	if (is_serial(i->class)) {
		plan.waits[1].cause = EV_WAIT_SERIAL;
		plan.waits[1].cycles = p->is->busy[i->class] - 1;
	}
	plan.cost = plan.issue + plan.waits[1].cycles + 1 - before;
	return plan;
}

static void new_group(struct pipe *p, uint64_t c)
{
	p->c = c;
	p->n = 0;
	memset(p->used, 0, sizeof(p->used));
}

/* P5, P6 */
static void issue(struct pipe *p, const struct insn *i, const struct plan *plan)
{
	const unsigned unit = unit_of(i->class), busy = p->is->busy[i->class];

	if (!plan->joins)
		new_group(p, plan->issue);
	p->n++;
	p->used[unit]++;
	if (busy > 1)
		p->free[unit] = p->c + busy;
	if (i->rd) {
		p->ready[i->rd] = p->c + p->is->latency[i->class];
		p->ready[i->rd] += plan->late ? p->is->late_alu : 0;
		p->issued[i->rd] = p->c + 1;
		p->cause[i->rd] = cause_of(i);
	}
	p->late = plan->late;
	if (is_serial(i->class)) {
		p->c += busy - 1;
		p->n = p->is->width;
	}
}

void pipe_commit(struct pipe *p, const struct insn *i, const struct plan *plan, uint64_t hidden,
		 struct totals *t)
{
	for (unsigned n = 0; n < CAUSES; n++) {
		uint64_t cycles = plan->waits[n].cycles;
		uint64_t not_counted = hidden < cycles ? hidden : cycles;

		count_n(t, plan->waits[n].cause, cycles - not_counted);
		hidden -= not_counted;
	}
	if (p->is->out_of_order)
		window_commit(p, i, plan);
	else
		issue(p, i, plan);
}

uint64_t pipe_front(struct pipe *p, enum front why, uint64_t w)
{
	if (p->is->out_of_order)
		return window_front(p, why, w);
	new_group(p, next_cycle(p) + w);
	return w;
}
