// SPDX-License-Identifier: BSD-2-Clause
/*
 * timing_run.c - the static cost of code, the state of the pipeline from run to run, and how far
 * the engine may run (timing.h).
 */
#include "cluster.h"
#include "native.h"
#include "timing.h"
#include "timing_pass.h"

/* Issues instruction i.  Adds its cost to *sum. */
static void issue(const struct cluster *cl, struct cost_pipe *p, const struct insn *i,
		  struct cost_sum *sum)
{
	struct cost_insn op[TIMING_MICRO_OPS];
	unsigned nr = timing_micro_ops(i, op);

	for (unsigned n = 0; n < nr; n++)
		cost_step(cl->cost, p, &op[n], sum);
}

/* Issues instruction n of r. */
static void step(const struct cluster *cl, struct cost_pipe *p, const struct block_run *r,
		 unsigned n, struct cost_sum *sum)
{
	issue(cl, p, &r->insn[n], sum);
}

static uint16_t take_sum(const struct cost_sum *sum, uint16_t stall[])
{
	for (unsigned n = 0; n < COST_STATIC_STALLS; n++)
		stall[n] = sum->stall[n];
	return sum->cycles;
}

/* Computes the static cost of r; p is the pipeline before it, and then after it. */
static void sum_up(const struct cluster *cl, struct cost_pipe *p, struct block_run *r)
{
	struct cost_sum sum = { 0 };

	for (unsigned n = 0; n < r->nr; n++) {
		r->before[n] = take_sum(&sum, r->head_stall);
		step(cl, p, r, n, &sum);
	}
	r->before[r->nr] = r->cycles = take_sum(&sum, r->stall);
}

/* The cycles that the hart is charged for a transfer of control; p is the pipeline before it. */
static unsigned way_cycles(const struct cost *c, const struct cost_pipe *p, bool taken,
			   unsigned wrong)
{
	unsigned cycles = cost_branch(c, taken, wrong);
	struct cost_pipe behind;

	if (!cost_branch_varies(c, wrong))
		return cycles;
	if (c->config.order == COST_IN_ORDER && !cost_unresolved(c, p))
		return cycles;
	behind = *p;
	return cost_wait(c, &behind, cost_branch_front(taken, wrong), cycles);
}

/* Computes what the transfers of control at the end of r cost; p is the pipeline after r. */
static void sum_ways(const struct cluster *cl, const struct cost_pipe *p, struct block_run *r)
{
	for (unsigned taken = 0; taken < 2; taken++) {
		for (unsigned wrong = 0; wrong < BLOCK_RARE; wrong++)
			r->way_cycles[taken][wrong] = way_cycles(cl->cost, p, taken, wrong);
	}
}

static uint32_t number(struct cluster *cl, const struct cost_pipe *p)
{
	struct cost_state s;

	cost_pack(cl->cost, p, &s);
	return states_number(cl->states, &s);
}

/*
 * Sets r->reads, writes and passes: a run all of whose instructions pass is looked at once; and
 * r->block->regs, if there is room.
 */
static void sum_regs(struct cluster *cl, struct block_run *r)
{
	struct block *b = r->block;

	r->reads = r->writes = 0;
	if (!b->regs)
		b->regs = block_memory(cl, r->nr * sizeof(*b->regs));
	for (unsigned n = 0; n < r->nr; n++) {
		struct timing_regs regs = timing_regs_of(&r->insn[n]);

		r->reads |= regs.reads;
		r->writes |= regs.writes;
		if (b->regs)
			b->regs[n] = regs;
	}
	r->passes = !(r->reads & TIMING_REGS_NONE);
}

void timing_sum(struct cluster *cl, struct block_run *r)
{
	struct cost_pipe p;

	states_get(cl->states, r->in, &p);
	sum_up(cl, &p, r);
	sum_ways(cl, &p, r);
	if (cl->cost->config.order == COST_OUT_OF_ORDER)
		sum_regs(cl, r);
	r->out = cost_unresolved(cl->cost, &p) ? STATES_NONE : number(cl, &p);
}

/* The present state. */
static void pipe_now(const struct hart *h, struct cost_pipe *p)
{
	if (h->timing->state == STATES_NONE)
		*p = h->timing->pipe;
	else
		states_get(h->cl->states, h->timing->state, p);
}

static void now_is(struct hart *h, const struct cost_pipe *p)
{
	struct timing *t = h->timing;
	struct cost_state s;

	t->pipe = *p;
	t->state = STATES_NONE;
	if (p->cycle < UINT32_MAX / 2)
		return;
	cost_pack(t->cost, p, &s);
	cost_unpack(t->cost, &s, &t->pipe);
}

static uint32_t number_now(struct hart *h)
{
	struct timing *t = h->timing;

	if (t->state == STATES_NONE)
		t->state = number(h->cl, &t->pipe);
	return t->state;
}

unsigned timing_front_waits(struct hart *h, enum cost_front why, unsigned cycles)
{
	struct timing *t = h->timing;
	uint32_t to = STATES_NONE;
	unsigned charged;
	struct cost_pipe p;

	if (t->state != STATES_NONE)
		to = states_wait(h->cl->states, t->state, why, cycles, &charged);
	if (to != STATES_NONE) {
		t->state = to;
		return charged;
	}
	pipe_now(h, &p);
	charged = cost_wait(t->cost, &p, why, cycles);
	now_is(h, &p);
	return charged;
}

void timing_redirect(struct hart *h)
{
	timing_front_waits(h, COST_FRONT_TRAPS, 0);
	timing_stands(h);
	h->pending_block = NULL;
}

void timing_idle(struct hart *h)
{
	h->timing->state = STATES_EMPTY;
}

/* The pipeline before the first instruction of r. */
static void pipe_before(const struct hart *h, const struct block_run *r, struct cost_pipe *p)
{
	if (r->block == h->scratch)
		*p = h->timing->start;
	else
		states_get(h->cl->states, r->in, p);
}

/* The pipeline after the first nr instructions of r. */
static void pipe_behind(const struct hart *h, const struct block_run *r, unsigned nr,
			struct cost_pipe *p)
{
	struct cost_sum sum = { 0 };

	pipe_before(h, r, p);
	for (unsigned n = 0; n < nr; n++)
		step(h->cl, p, r, n, &sum);
}

void timing_rare(const struct hart *h, struct block_run *r, bool taken, unsigned wrong)
{
	const struct cost *c = h->timing->cost;
	unsigned cycles = cost_branch(c, taken, wrong);
	struct cost_pipe p;

	if (cost_branch_varies(c, wrong)) {
		pipe_behind(h, r, r->nr, &p);
		cycles = way_cycles(c, &p, taken, wrong);
	}
	r->rare[taken] = wrong;
	r->way_cycles[taken][BLOCK_RARE] = cycles;
	r->after[taken][BLOCK_RARE] = STATES_NONE;
	r->to[taken][BLOCK_RARE] = NULL;
}

void timing_cost_of(const struct hart *h, const struct block_run *r, unsigned n,
		    struct cost_sum *sum)
{
	struct cost_pipe p;

	pipe_behind(h, r, n, &p);
	*sum = (struct cost_sum){ 0 };
	step(h->cl, &p, r, n, sum);
}

void timing_behind(struct hart *h, const struct block_run *r, unsigned nr)
{
	struct cost_pipe p;

	if (nr == r->nr && r->block == h->scratch)
		return; /* timing_prepare has done it */
	if (nr == r->nr && r->out != STATES_NONE) {
		h->timing->state = r->out;
		return;
	}
	pipe_behind(h, r, nr, &p);
	now_is(h, &p);
}

uint32_t timing_after(struct hart *h, struct block_run *r, unsigned way, unsigned outcome)
{
	struct timing *t = h->timing;
	unsigned wrong;

	if (r->after[way][outcome] != STATES_NONE)
		return t->state = r->after[way][outcome];
	timing_behind(h, r, r->nr);
	wrong = outcome == BLOCK_RARE ? t->rare : outcome;
	timing_front_waits(h, cost_branch_front(way, wrong), cost_branch(t->cost, way, wrong));
	if (r->block != h->scratch)
		r->after[way][outcome] = number_now(h);
	return t->state;
}

struct block_run *timing_run(struct hart *h, struct block *b)
{
	if (b == h->scratch || number_now(h) == STATES_NONE)
		return NULL;
	return block_run_of(h->cl, b, h->timing->state);
}

void timing_remember(struct hart *h, struct block *b)
{
	uint32_t state = h->timing->state;
	struct block_run *r;

	if (state == STATES_NONE)
		return;
	r = block_run_of(h->cl, b->superblock ? b->superblock : b, state);
	if (r)
		*hart_jump(h, h->pc, state) = (struct jump){ h->pc ^ h->fetch_key, r, state };
}

void timing_tidy(struct cluster *cl)
{
	if (!block_crowded(cl) && !states_full(cl->states) &&
	    !(cl->native && native_full(cl->native)))
		return;
	for (unsigned n = 0; n < cl->harts; n++) {
		if (cl->hart[n]->pending_block)
			return;
	}
	for (unsigned n = 0; n < cl->harts; n++) {
		struct cost_pipe p;

		pipe_now(cl->hart[n], &p);
		now_is(cl->hart[n], &p);
	}
	block_flush(cl);
	states_clear(cl->states);
}

void timing_each(const struct hart *h, const struct block_run *r, struct cost_sum each[])
{
	struct cost_pipe p;

	pipe_before(h, r, &p);
	for (unsigned n = 0; n < r->nr; n++) {
		each[n] = (struct cost_sum){ 0 };
		step(h->cl, &p, r, n, &each[n]);
	}
}

void timing_know_stalls(struct hart *h, struct block_run *r)
{
	struct cost_sum sum = { 0 };
	struct cost_pipe p;

	if (r->stalls || r->block == h->scratch)
		return;
	r->stalls = block_memory(h->cl, (r->nr + 1) * sizeof(*r->stalls));
	if (!r->stalls)
		return;
	pipe_before(h, r, &p);
	for (unsigned n = 0; n < r->nr; n++) {
		take_sum(&sum, r->stalls[n].before);
		step(h->cl, &p, r, n, &sum);
	}
	take_sum(&sum, r->stalls[r->nr].before);
}

void timing_stalls_of(const struct hart *h, const struct block_run *r, unsigned n, uint32_t stall[])
{
	struct cost_sum cost = { 0 };

	if (!r->stalls)
		timing_cost_of(h, r, n, &cost);
	for (unsigned k = 0; k < COST_STATIC_STALLS; k++) {
		stall[k] = cost.stall[k];
		if (r->stalls)
			stall[k] = r->stalls[n + 1].before[k] - r->stalls[n].before[k];
	}
}

/* nr instructions of a run have retired, with this cost. */
static void take(struct hart *h, unsigned nr, const struct cost_sum *sum)
{
	h->countdown -= sum->cycles;
	h->retired += nr;
	for (unsigned n = 0; h->pmu.stalls && n < COST_STATIC_STALLS; n++)
		h->pmu.total[h->mode][timing_stall_event(n)] += sum->stall[n];
}

void timing_retire_head(struct hart *h, const struct block_run *r)
{
	struct cost_sum sum = { .cycles = r->before[r->nr - 1] };

	for (unsigned n = 0; n < COST_STATIC_STALLS; n++)
		sum.stall[n] = r->head_stall[n];
	take(h, r->nr - 1, &sum);
}

void timing_retire_last(struct hart *h, const struct block_run *r)
{
	struct cost_sum sum = { .cycles = r->cycles - r->before[r->nr - 1] };

	for (unsigned n = 0; n < COST_STATIC_STALLS; n++)
		sum.stall[n] = r->stall[n] - r->head_stall[n];
	take(h, 1, &sum);
	timing_behind(h, r, r->nr);
}

void timing_retire(struct hart *h, const struct block_run *r, unsigned nr)
{
	struct cost_sum sum = { 0 };
	struct cost_pipe p;

	timing_looked_only(h, r, nr);
	pipe_before(h, r, &p);
	for (unsigned n = 0; n < nr; n++)
		step(h->cl, &p, r, n, &sum);
	take(h, nr, &sum);
	now_is(h, &p);
}

void timing_hold(struct hart *h, const struct block *b, unsigned n)
{
	/* b may be h->scratch. */
	uint64_t pa = b->pa + b->insn[n].at;
	uint32_t raw = b->insn[n].raw;

	block_single(h->cl, h->scratch, pa, b->shadow_stacks, raw);
	h->pending_block = h->scratch;
	timing_look_again(h);
}

/* An armed counter: how much it can still count, and which events of code it counts. */
struct want {
	uint64_t left;
	uint64_t code;
	bool cycles, instructions, edge;
	unsigned stalls;
};

static unsigned wants(struct hart *h, struct want *to)
{
	unsigned nr = 0;

	for (uint32_t armed = h->pmu.armed; armed; armed &= armed - 1) {
		const struct counter *c = &h->pmu.ctr[__builtin_ctz(armed)];
		struct want *w = &to[nr];

		if (!(c->modes & 1 << h->mode))
			continue;
		*w = (struct want){
			.left = pmu_left(h, __builtin_ctz(armed)),
			.code = c->code & ~(h->translated ? 0 : EVENTS_TRANSLATED),
			.cycles = event_set_has(&c->set, EVENT_CYCLES),
			.instructions = event_set_has(&c->set, EVENT_INSTRUCTIONS),
			.edge = c->edge,
		};
		for (unsigned n = 0; n < COST_STATIC_STALLS; n++)
			w->stalls |= event_set_has(&c->set, timing_stall_event(n)) << n;
		if (w->left && !w->code && !w->cycles && !w->instructions && !w->edge && !w->stalls)
			continue;
		nr++;
	}
	return nr;
}

static uint64_t stalls_of(const struct want *w, const struct cost_sum *sum)
{
	uint64_t cycles = 0;

	for (unsigned left = w->stalls; left; left &= left - 1)
		cycles += sum->stall[__builtin_ctz(left)];
	return cycles;
}

/* How often the counter's events of code happen in all of r. */
static uint64_t run_events(const struct want *w, const struct block_run *r)
{
	uint64_t n = (w->cycles ? r->cycles : 0) + (w->instructions ? r->nr : 0);

	for (uint64_t code = w->code; code; code &= code - 1)
		n += r->block->count[__builtin_ctzll(code)];
	for (unsigned left = w->stalls; left; left &= left - 1)
		n += r->stall[__builtin_ctz(left)];
	/* Whether it is taken is known only when it has run. */
	return n + (w->edge && r->branches);
}

/* How many of the counter's events of code one cycle can have at most. */
static uint64_t rate(const struct hart *h, const struct want *w)
{
	uint64_t each = w->instructions + __builtin_popcountll(w->code) + w->edge;

	return w->cycles + (w->stalls != 0) + h->timing->cost->config.width * each;
}

/*
 * Whether all of r may run.  *further is then the budget.  What follows may join r's last group,
 * or be in the window: its first events cost no cycle.
 */
static bool fits(const struct hart *h, const struct block_run *r, const struct want *w, unsigned nr,
		 uint64_t limit, uint64_t *further)
{
	unsigned ahead = cost_ahead(h->timing->cost);

	if (r->cycles >= limit)
		return false;
	*further = limit;
	for (; nr; w++, nr--) {
		uint64_t n = run_events(w, r), most = rate(h, w), more;

		if (n >= w->left)
			return false;
		if (!most)
			continue;
		more = (w->left - n - 1) / most;
		more = r->cycles + (more > ahead ? more - ahead : 0);
		*further = more < *further ? more : *further;
	}
	return true;
}

/* After how many instructions of b, 1 to b->nr, the limit or an overflow is reached. */
static unsigned until_due(const struct hart *h, const struct block *b, const struct want *w,
			  unsigned nr, uint64_t limit)
{
	struct cost_sum sum = { 0 };
	uint64_t code[COUNTERS] = { 0 };
	struct cost_pipe p;

	pipe_now(h, &p);
	for (unsigned n = 0; n < b->nr; n++) {
		uint64_t events = block_insn_events(&b->insn[n]);

		issue(h->cl, &p, &b->insn[n], &sum);
		if (sum.cycles >= limit)
			return n + 1;
		for (unsigned k = 0; k < nr; k++) {
			code[k] += __builtin_popcountll(events & w[k].code) + w[k].instructions;
			if (code[k] + (w[k].cycles ? sum.cycles : 0) + stalls_of(&w[k], &sum) >=
			    w[k].left)
				return n + 1;
		}
	}
	return b->nr;
}

struct block_run *timing_prepare(struct hart *h, struct block *b, uint64_t limit, uint64_t most,
				 uint64_t *further)
{
	struct timing *t = h->timing;
	struct want want[COUNTERS];
	unsigned nr, counters = wants(h, want);
	struct block_run *r = most > b->nr ? timing_run(h, b) : NULL;
	struct cost_pipe behind;

	if (r && fits(h, r, want, counters, limit, further))
		return r;
	nr = until_due(h, b, want, counters, limit);
	nr = nr < most ? nr : most;
	if (b != h->scratch)
		block_prefix(h->scratch, b, nr);
	r = h->scratch->runs;
	pipe_now(h, &t->start);
	behind = t->start;
	sum_up(h->cl, &behind, r);
	sum_ways(h->cl, &behind, r);
	now_is(h, &behind);
	*further = r->cycles;
	return r;
}
