// SPDX-License-Identifier: BSD-2-Clause
/*
 * inorder.c - a pipeline in which instructions issue in order (cost.h).
 */
#include <string.h>

#include "pipeline.h"

static bool serial(unsigned class)
{
	return pipeline_unit[class] == COST_UNIT_SYSTEM;
}

/* The first cycle after all that has issued. */
static uint32_t cycle_after(const struct cost_pipe *p)
{
	return p->cycle + (p->issued != 0);
}

/* The time at which something lets the instruction issue, and the cause of the wait. */
struct moment {
	uint32_t at;
	enum cost_stall cause;
};

static void wait_until(struct moment *m, uint32_t at, enum cost_stall cause)
{
	if (at > m->at)
		*m = (struct moment){ at, cause };
}

static struct moment earliest(const struct cost *c, const struct cost_pipe *p,
			      const struct cost_insn *i)
{
	const uint8_t source[] = { i->rs1, i->rs2, i->rs3 };
	uint32_t latency = c->config.latency[i->class];
	unsigned unit = pipeline_unit[i->class];
	struct moment m = { 0, COST_WAIT_UNIT };

	for (unsigned n = 0; n < 3; n++)
		wait_until(&m, p->ready[source[n]], p->cause[source[n]]);
	if (p->ready[i->rd] > latency)
		wait_until(&m, p->ready[i->rd] - latency, p->cause[i->rd]);
	wait_until(&m, p->free[unit], COST_WAIT_UNIT);
	return m;
}

/* The cycle in which it issues: in the last group, the next cycle, or after waiting. */
static uint32_t issue_cycle(const struct cost *c, const struct cost_pipe *p,
			    const struct cost_insn *i, struct cost_sum *sum)
{
	struct moment m = earliest(c, p, i);
	uint32_t next = cycle_after(p);
	bool room = p->issued < c->config.width && !(p->issued && serial(i->class));

	if (room && m.at <= p->cycle) {
		unsigned unit = pipeline_unit[i->class];

		if (p->used[unit] < c->config.units[unit])
			return p->cycle;
		sum->full++;
		return next;
	}
	if (room && p->issued && m.at > p->cycle)
		sum->cut++;
	if (m.at <= next)
		return next;
	sum->stall[m.cause] += m.at - next;
	return m.at;
}

void inorder_step(const struct cost *c, struct cost_pipe *p, const struct cost_insn *i,
		  struct cost_sum *sum)
{
	uint32_t before = cycle_after(p), at = issue_cycle(c, p, i, sum);
	unsigned unit = pipeline_unit[i->class], busy = c->config.busy[i->class];

	if (at != p->cycle || !p->issued) {
		p->cycle = at;
		p->issued = 0;
		memset(p->used, 0, sizeof(p->used));
	}
	p->issued++;
	p->used[unit]++;
	if (busy > 1)
		p->free[unit] = at + busy;
	if (i->rd != COST_NO_REG) {
		p->ready[i->rd] = at + c->config.latency[i->class];
		p->cause[i->rd] = pipeline_cause(i);
	}
	if (serial(i->class)) {
		sum->stall[COST_WAIT_SERIAL] += busy - 1;
		p->cycle = at + busy - 1;
		p->issued = c->config.width;
	}
	sum->cycles += p->cycle + 1 - before;
}

unsigned inorder_wait(struct cost_pipe *p, enum cost_front why, unsigned cycles)
{
	if (why == COST_FRONT_GOES_ON)
		return 0;
	p->cycle = cycle_after(p) + cycles;
	p->issued = 0;
	memset(p->used, 0, sizeof(p->used));
	return cycles;
}

static uint8_t left(uint32_t at, uint32_t now)
{
	return at > now ? at - now : 0;
}

void inorder_pack(const struct cost *c, const struct cost_pipe *p, struct cost_state *s)
{
	bool open = p->issued && p->issued < c->config.width;
	uint32_t now = open ? p->cycle : cycle_after(p);

	s->in.issued = open ? p->issued : 0;
	for (unsigned n = 0; n < COST_UNITS; n++) {
		s->in.used[n] = open ? p->used[n] : 0;
		s->in.free[n] = left(p->free[n], now);
	}
	for (unsigned n = 0; n < COST_REGS; n++) {
		s->in.ready[n] = left(p->ready[n], now);
		s->in.cause[n] = s->in.ready[n] ? p->cause[n] : 0;
	}
}

void inorder_unpack(const struct cost_state *s, struct cost_pipe *p)
{
	p->cycle = 0;
	p->issued = s->in.issued;
	memcpy(p->used, s->in.used, sizeof(p->used));
	memcpy(p->cause, s->in.cause, sizeof(p->cause));
	for (unsigned n = 0; n < COST_UNITS; n++)
		p->free[n] = s->in.free[n];
	for (unsigned n = 0; n < COST_REGS; n++)
		p->ready[n] = s->in.ready[n];
}

bool inorder_possible(const struct cost *c, const struct cost_state *p)
{
	unsigned issued = 0;

	for (unsigned n = 0; n < COST_UNITS; n++) {
		if (p->in.used[n] > c->config.units[n])
			return false;
		issued += p->in.used[n];
	}
	for (unsigned n = 0; n < COST_REGS; n++) {
		if (p->in.cause[n] >= COST_STATIC_STALLS || (p->in.cause[n] && !p->in.ready[n]))
			return false;
	}
	return p->in.issued < c->config.width && p->in.issued == issued &&
	       !p->in.ready[COST_NO_REG];
}
