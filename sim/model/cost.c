// SPDX-License-Identifier: BSD-2-Clause
/*
 * cost.c - issue of instructions (cost.h).
 */
#include <string.h>

#include "cost.h"

#define BRANCH_CYCLES_MAX 1000
#define TLB_CYCLES_MAX	  1000

static const uint8_t unit_of[COST_CLASSES] = {
	[COST_ALU] = COST_UNIT_ALU,	  [COST_MUL] = COST_UNIT_MUL,
	[COST_DIV] = COST_UNIT_DIV,	  [COST_LOAD] = COST_UNIT_MEMORY,
	[COST_STORE] = COST_UNIT_MEMORY,  [COST_AMO] = COST_UNIT_MEMORY,
	[COST_BRANCH] = COST_UNIT_BRANCH, [COST_FP_ADD] = COST_UNIT_FP,
	[COST_FP_MUL] = COST_UNIT_FP,	  [COST_FP_FMA] = COST_UNIT_FP,
	[COST_FP_DIV] = COST_UNIT_FP_DIV, [COST_FP_SQRT] = COST_UNIT_FP_DIV,
	[COST_FP_MISC] = COST_UNIT_FP,	  [COST_CSR] = COST_UNIT_SYSTEM,
	[COST_FENCE] = COST_UNIT_SYSTEM,
};

bool cost_check(const struct cost_config *config, struct model_error *why)
{
	if (!model_in_range(why, "width", config->width, 1, COST_WIDTH_MAX))
		return false;
	for (unsigned n = 0; n < COST_UNITS; n++) {
		if (!model_in_range(why, "units", config->units[n], 1, COST_WIDTH_MAX))
			return false;
	}
	for (unsigned n = 0; n < COST_CLASSES; n++) {
		if (!model_in_range(why, "latency", config->latency[n], 1, COST_CYCLES_MAX) ||
		    !model_in_range(why, "busy", config->busy[n], 1, COST_CYCLES_MAX))
			return false;
	}
	return model_in_range(why, "taken", config->taken, 0, BRANCH_CYCLES_MAX) &&
	       model_in_range(why, "btb_miss", config->btb_miss, 0, BRANCH_CYCLES_MAX) &&
	       model_in_range(why, "bad_direction", config->bad_direction, 0, BRANCH_CYCLES_MAX) &&
	       model_in_range(why, "bad_target", config->bad_target, 0, BRANCH_CYCLES_MAX) &&
	       model_in_range(why, "bad_return", config->bad_return, 0, BRANCH_CYCLES_MAX) &&
	       model_in_range(why, "second_tlb_cycles", config->second_tlb_cycles, 0,
			      TLB_CYCLES_MAX) &&
	       model_in_range(why, "walk_cycles", config->walk_cycles, 0, TLB_CYCLES_MAX) &&
	       model_in_range(why, "stores", config->stores, 0, COST_STORES_MAX) &&
	       model_in_range(why, "loads", config->loads, 0, COST_LOADS_MAX);
}

static unsigned branch_cycles(const struct cost_config *config, bool taken, unsigned wrong)
{
	if (wrong & BPRED_BAD_DIRECTION)
		return config->bad_direction;
	if (wrong & BPRED_BAD_TARGET)
		return config->bad_target;
	if (wrong & BPRED_BAD_RETURN)
		return config->bad_return;
	if (!taken)
		return 0;
	return config->taken + (wrong & BPRED_BTB_MISS ? config->btb_miss : 0);
}

void cost_init(struct cost *c, const struct cost_config *config)
{
	*c = (struct cost){ .config = *config };
	for (unsigned wrong = 0; wrong < BPRED_ANSWERS; wrong++) {
		c->branch[0][wrong] = branch_cycles(config, false, wrong);
		c->branch[1][wrong] = branch_cycles(config, true, wrong);
	}
}

/* Issue */

void cost_begin(struct cost_pipe *p)
{
	memset(p, 0, sizeof(*p));
}

static bool serial(unsigned class)
{
	return unit_of[class] == COST_UNIT_SYSTEM;
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
	unsigned unit = unit_of[i->class];
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
		unsigned unit = unit_of[i->class];

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

static enum cost_stall cause_of(const struct cost_insn *i)
{
	if (i->rd >= 32)
		return COST_WAIT_FP;
	return i->class == COST_LOAD ? COST_WAIT_LOAD : COST_WAIT_INT;
}

void cost_step(const struct cost *c, struct cost_pipe *p, const struct cost_insn *i,
	       struct cost_sum *sum)
{
	uint32_t before = cycle_after(p), at = issue_cycle(c, p, i, sum);
	unsigned unit = unit_of[i->class], busy = c->config.busy[i->class];

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
		p->cause[i->rd] = cause_of(i);
	}
	if (serial(i->class)) {
		sum->stall[COST_WAIT_SERIAL] += busy - 1;
		p->cycle = at + busy - 1;
		p->issued = c->config.width;
	}
	sum->cycles += p->cycle + 1 - before;
}

void cost_wait(struct cost_pipe *p, unsigned cycles)
{
	p->cycle = cycle_after(p) + cycles;
	p->issued = 0;
	memset(p->used, 0, sizeof(p->used));
}

static uint8_t left(uint32_t at, uint32_t now)
{
	return at > now ? at - now : 0;
}

void cost_pack(const struct cost *c, const struct cost_pipe *p, struct cost_state *s)
{
	bool open = p->issued && p->issued < c->config.width;
	uint32_t now = open ? p->cycle : cycle_after(p);

	*s = (struct cost_state){ .issued = open ? p->issued : 0 };
	for (unsigned n = 0; n < COST_UNITS; n++) {
		s->used[n] = open ? p->used[n] : 0;
		s->free[n] = left(p->free[n], now);
	}
	for (unsigned n = 0; n < COST_REGS; n++) {
		s->ready[n] = left(p->ready[n], now);
		s->cause[n] = s->ready[n] ? p->cause[n] : 0;
	}
}

void cost_unpack(const struct cost_state *s, struct cost_pipe *p)
{
	p->cycle = 0;
	p->issued = s->issued;
	memcpy(p->used, s->used, sizeof(p->used));
	memcpy(p->cause, s->cause, sizeof(p->cause));
	for (unsigned n = 0; n < COST_UNITS; n++)
		p->free[n] = s->free[n];
	for (unsigned n = 0; n < COST_REGS; n++)
		p->ready[n] = s->ready[n];
}

void cost_run(const struct cost *c, const struct cost_insn *insn, unsigned nr, struct cost_sum *sum,
	      uint32_t *after)
{
	struct cost_pipe p;

	cost_begin(&p);
	*sum = (struct cost_sum){ 0 };
	for (unsigned n = 0; n < nr; n++) {
		cost_step(c, &p, &insn[n], sum);
		if (after)
			after[n] = sum->cycles;
	}
}

/* Memory */

enum cost_stall cost_memory_stall(enum hierarchy_kind kind)
{
	static const uint8_t stall[] = {
		[HIERARCHY_FETCH] = COST_WAIT_FETCH,
		[HIERARCHY_READ] = COST_WAIT_READ,
		[HIERARCHY_WRITE] = COST_WAIT_WRITE,
		[HIERARCHY_ATOMIC] = COST_WAIT_READ,
		[HIERARCHY_WALK] = COST_WAIT_DTLB,
		[HIERARCHY_FETCH_UNCACHED] = COST_WAIT_UNCACHED_FETCH,
		[HIERARCHY_READ_UNCACHED] = COST_WAIT_UNCACHED_READ,
		[HIERARCHY_WRITE_UNCACHED] = COST_WAIT_UNCACHED_WRITE,
	};

	return stall[kind];
}

/* State */

bool cost_save(const struct cost_state *p, const struct stream *s)
{
	return stream_write(s, p, sizeof(*p));
}

static bool state_possible(const struct cost *c, const struct cost_state *p)
{
	unsigned issued = 0;

	for (unsigned n = 0; n < COST_UNITS; n++) {
		if (p->used[n] > c->config.units[n])
			return false;
		issued += p->used[n];
	}
	for (unsigned n = 0; n < COST_REGS; n++) {
		if (p->cause[n] >= COST_STATIC_STALLS || (p->cause[n] && !p->ready[n]))
			return false;
	}
	return p->issued < c->config.width && p->issued == issued && !p->ready[COST_NO_REG];
}

bool cost_restore(const struct cost *c, struct cost_state *p, const struct stream *s)
{
	if (stream_read(s, p, sizeof(*p)) && state_possible(c, p))
		return true;
	*p = (struct cost_state){ 0 };
	return false;
}
