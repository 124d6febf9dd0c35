// SPDX-License-Identifier: BSD-2-Clause
/*
 * timing_run.c - the static cost of code, and how far the engine may run (timing.h).
 */
#include "cluster.h"
#include "timing.h"

/* The register operands of an instruction: X integer, F floating point; D is rd, 1 to 3 rs1-rs3. */
enum { X_D = 1, F_D = 2, X_1 = 4, F_1 = 8, X_2 = 16, F_2 = 32, F_3 = 64 };

static const uint8_t registers[] = {
	[ISA_FMT_R] = X_D | X_1 | X_2,
	[ISA_FMT_R1] = X_D | X_1,
	[ISA_FMT_I] = X_D | X_1,
	[ISA_FMT_SH6] = X_D | X_1,
	[ISA_FMT_SH5] = X_D | X_1,
	[ISA_FMT_L] = X_D | X_1,
	[ISA_FMT_S] = X_1 | X_2,
	[ISA_FMT_JR] = X_D | X_1,
	[ISA_FMT_B] = X_1 | X_2,
	[ISA_FMT_U] = X_D,
	[ISA_FMT_J] = X_D,
	[ISA_FMT_CSR] = X_D | X_1,
	[ISA_FMT_CSRI] = X_D,
	[ISA_FMT_FV] = X_1 | X_2,
	[ISA_FMT_LR] = X_D | X_1,
	[ISA_FMT_AMO] = X_D | X_1 | X_2,
	[ISA_FMT_RS1] = X_1,
	[ISA_FMT_PF] = X_1,
	[ISA_FMT_FL] = F_D | X_1,
	[ISA_FMT_FS] = X_1 | F_2,
	[ISA_FMT_FR] = F_D | F_1 | F_2,
	[ISA_FMT_FRM] = F_D | F_1 | F_2,
	[ISA_FMT_R4] = F_D | F_1 | F_2 | F_3,
	[ISA_FMT_F1RM] = F_D | F_1,
	[ISA_FMT_FCMP] = X_D | F_1 | F_2,
	[ISA_FMT_XF] = X_D | F_1,
	[ISA_FMT_XFRM] = X_D | F_1,
	[ISA_FMT_FX] = F_D | X_1,
	[ISA_FMT_FXRM] = F_D | X_1,
};

static const uint8_t classes[] = {
	[ISA_CLASS_ALU] = COST_ALU,	  [ISA_CLASS_MUL] = COST_MUL,
	[ISA_CLASS_DIV] = COST_DIV,	  [ISA_CLASS_LOAD] = COST_LOAD,
	[ISA_CLASS_STORE] = COST_STORE,	  [ISA_CLASS_LR] = COST_LOAD,
	[ISA_CLASS_SC] = COST_STORE,	  [ISA_CLASS_AMO] = COST_AMO,
	[ISA_CLASS_BRANCH] = COST_BRANCH, [ISA_CLASS_JUMP] = COST_BRANCH,
	[ISA_CLASS_CSR] = COST_CSR,	  [ISA_CLASS_SYSTEM] = COST_CSR,
	[ISA_CLASS_FENCE] = COST_FENCE,	  [ISA_CLASS_CBO] = COST_STORE,
	[ISA_CLASS_FLOAD] = COST_LOAD,	  [ISA_CLASS_FSTORE] = COST_STORE,
	[ISA_CLASS_FADD] = COST_FP_ADD,	  [ISA_CLASS_FMUL] = COST_FP_MUL,
	[ISA_CLASS_FMA] = COST_FP_FMA,	  [ISA_CLASS_FDIV] = COST_FP_DIV,
	[ISA_CLASS_FCVT] = COST_FP_MISC,  [ISA_CLASS_FMISC] = COST_FP_MISC,
};

static uint8_t reg(unsigned has, unsigned x, unsigned f, unsigned number)
{
	if (has & f)
		return 32 + number;
	return has & x && number != REG_SINK ? number : COST_NO_REG;
}

static struct cost_insn cost_of(const struct insn *i)
{
	unsigned has;
	struct cost_insn c = { .class = COST_ALU };

	if (i->op >= ISA_NR) /* an illegal one, which will not retire */
		return c;
	has = registers[isa_table[i->op].format];
	c.class = classes[isa_table[i->op].class];
	if (i->op == ISA_fsqrt_s || i->op == ISA_fsqrt_d)
		c.class = COST_FP_SQRT;
	c.rd = reg(has, X_D, F_D, i->rd);
	c.rs1 = reg(has, X_1, F_1, i->rs1);
	c.rs2 = reg(has, X_2, F_2, i->rs2);
	c.rs3 = reg(has, 0, F_3, i->rs3);
	return c;
}

static bool straddles(const struct cluster *cl, const struct block *b, unsigned n)
{
	unsigned cut = timing_cut(cl), at = (b->pa + b->insn[n].at) & (cut - 1);

	return at + (b->insn[n + 1].at - b->insn[n].at) > cut;
}

/* Whether a run begins with instruction n > 0 of b. */
static bool run_begins(const struct cluster *cl, const struct block *b, unsigned n)
{
	return !((b->pa + b->insn[n].at) & (timing_cut(cl) - 1)) || straddles(cl, b, n) ||
	       straddles(cl, b, n - 1);
}

/* Whether a run ends with this instruction of b. */
static bool run_ends(const struct cluster *cl, const struct block *b, unsigned n)
{
	return block_ends(&b->insn[n]) || straddles(cl, b, n);
}

/* Adds the cost of instruction n of b to *sum; p is the pipeline before it, and then after it. */
static void step(const struct cluster *cl, struct cost_pipe *p, const struct block *b, unsigned n,
		 struct cost_sum *sum)
{
	struct cost_insn insn = cost_of(&b->insn[n]);

	if (n && run_begins(cl, b, n))
		cost_begin(p);
	cost_step(cl->cost, p, &insn, sum);
}

static uint16_t take_sum(const struct cost_sum *sum, uint16_t stall[])
{
	for (unsigned n = 0; n < COST_STATIC_STALLS; n++)
		stall[n] = sum->stall[n];
	return sum->cycles;
}

/* Computes the static cost of b; p is the pipeline before it, and then after it. */
static void sum_up(const struct cluster *cl, struct cost_pipe *p, struct block *b)
{
	struct cost_sum sum = { 0 };

	for (unsigned n = 0; n < b->nr; n++) {
		block_before(b)[n] = take_sum(&sum, b->head_stall);
		step(cl, p, b, n, &sum);
	}
	b->cycles = take_sum(&sum, b->stall);
}

void timing_sum(const struct cluster *cl, struct block *b)
{
	struct cost_pipe p;

	cost_begin(&p);
	sum_up(cl, &p, b);
}

/* The pipeline before the first instruction of b. */
static void pipe_before(const struct hart *h, const struct block *b, struct cost_pipe *p)
{
	if (b == h->scratch && h->timing->resumed)
		*p = h->timing->start;
	else
		cost_begin(p);
}

/* One more instruction of b; returns what it costs. */
static struct cost_sum one_more(const struct hart *h, struct cost_pipe *p, const struct block *b,
				unsigned n)
{
	struct cost_sum sum = { 0 };

	step(h->cl, p, b, n, &sum);
	return sum;
}

void timing_each(const struct hart *h, const struct block *b, struct cost_sum each[])
{
	struct cost_pipe p;

	pipe_before(h, b, &p);
	for (unsigned n = 0; n < b->nr; n++)
		each[n] = one_more(h, &p, b, n);
}

/* Reports to the exact profile what timing_retire is about to add; p is the pipeline before. */
static void tell_exact(struct hart *h, const struct block *b, unsigned from, unsigned to,
		       struct cost_pipe p)
{
	for (unsigned n = from; n < to; n++) {
		struct cost_sum sum = one_more(h, &p, b, n);

		h->listener->cost(h, b, n, &sum);
	}
}

/* nr instructions of a block have retired, with this cost. */
static void take(struct hart *h, unsigned nr, const struct cost_sum *sum)
{
	h->countdown -= sum->cycles;
	h->retired += nr;
	for (unsigned n = 0; h->pmu.stalls && n < COST_STATIC_STALLS; n++)
		h->pmu.total[h->mode][timing_stall_event(n)] += sum->stall[n];
}

void timing_retire_head(struct hart *h, const struct block *b)
{
	struct cost_sum sum = { .cycles = block_before(b)[b->nr - 1] };

	if (h->listener) {
		timing_retire(h, b, 0, b->nr - 1);
		return;
	}
	for (unsigned n = 0; n < COST_STATIC_STALLS; n++)
		sum.stall[n] = b->head_stall[n];
	take(h, b->nr - 1, &sum);
}

void timing_retire_last(struct hart *h, const struct block *b)
{
	struct cost_sum sum = { .cycles = b->cycles - block_before(b)[b->nr - 1] };

	if (h->listener) {
		timing_retire(h, b, b->nr - 1, b->nr);
		return;
	}
	for (unsigned n = 0; n < COST_STATIC_STALLS; n++)
		sum.stall[n] = b->stall[n] - b->head_stall[n];
	take(h, 1, &sum);
	h->timing->inside = false;
}

void timing_retire(struct hart *h, const struct block *b, unsigned from, unsigned to)
{
	struct timing *t = h->timing;
	struct cost_sum sum = { 0 };

	if (!from)
		pipe_before(h, b, &t->pipe);
	if (h->listener)
		tell_exact(h, b, from, to, t->pipe);
	for (unsigned n = from; n < to; n++)
		step(h->cl, &t->pipe, b, n, &sum);
	take(h, to - from, &sum);
	if (to)
		t->inside = !run_ends(h->cl, b, to - 1);
	else
		t->inside = b == h->scratch && t->resumed;
}

void timing_begin_run(struct hart *h)
{
	h->timing->inside = false;
	h->pending_block = NULL;
}

void timing_hold(struct hart *h, const struct block *b, unsigned n)
{
	/* b may be h->scratch. */
	uint64_t pa = b->pa + b->insn[n].at;
	uint32_t raw = b->insn[n].raw;

	block_single(h->cl, h->scratch, pa, raw);
	h->pending_block = h->scratch;
}

/* An armed counter: how much it can still count, and which events of code it counts. */
struct want {
	uint64_t left;
	uint64_t code;
	bool cycles, instructions, edge;
	unsigned stalls;
};

static unsigned wants(const struct hart *h, struct want *to)
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

/* How often the counter's events of code happen in all of b. */
static uint64_t block_events(const struct want *w, const struct block *b)
{
	uint64_t n = (w->cycles ? b->cycles : 0) + (w->instructions ? b->nr : 0);

	for (uint64_t code = w->code; code; code &= code - 1)
		n += b->count[__builtin_ctzll(code)];
	for (unsigned left = w->stalls; left; left &= left - 1)
		n += b->stall[__builtin_ctz(left)];
	/* Whether it is taken is known only when it has run. */
	return n + (w->edge && b->branches);
}

/* How many of the counter's events of code one cycle can have at most. */
static uint64_t rate(const struct hart *h, const struct want *w)
{
	uint64_t each = w->instructions + __builtin_popcountll(w->code) + w->edge;

	return w->cycles + (w->stalls != 0) + h->timing->cost->config.width * each;
}

/* Whether all of b may run.  *further is then the budget. */
static bool fits(const struct hart *h, const struct block *b, const struct want *w, unsigned nr,
		 uint64_t limit, uint64_t *further)
{
	if (b->cycles >= limit)
		return false;
	*further = limit;
	for (; nr; w++, nr--) {
		uint64_t n = block_events(w, b), most = rate(h, w), more;

		if (n >= w->left)
			return false;
		if (!most)
			continue;
		more = b->cycles + (w->left - n - 1) / most + 1;
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
	struct cost_pipe p = h->timing->start;

	if (!h->timing->resumed)
		cost_begin(&p);
	for (unsigned n = 0; n < b->nr; n++) {
		uint64_t events = block_insn_events(&b->insn[n]);

		step(h->cl, &p, b, n, &sum);
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

struct block *timing_prepare(struct hart *h, struct block *b, uint64_t limit, uint64_t most,
			     uint64_t *further)
{
	struct timing *t = h->timing;
	struct want want[COUNTERS];
	unsigned nr, counters = wants(h, want);

	t->resumed = t->inside && h->pc & (timing_cut(h->cl) - 1) && !straddles(h->cl, b, 0);
	t->start = t->pipe;
	t->inside = false;
	if (!t->resumed && b != h->scratch && most > b->nr &&
	    fits(h, b, want, counters, limit, further))
		return b;
	nr = until_due(h, b, want, counters, limit);
	nr = nr < most ? nr : most;
	if (b != h->scratch)
		block_prefix(h->scratch, b, nr);
	b = h->scratch;
	pipe_before(h, b, &t->pipe);
	sum_up(h->cl, &t->pipe, b);
	t->inside = !run_ends(h->cl, b, b->nr - 1);
	*further = b->cycles;
	return b;
}
