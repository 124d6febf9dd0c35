/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cost_rig.h - what tests of both pipelines share: the unit of each class, which they know by
 * themselves; random cores and instructions; waits that the table of states remembers; snapshots.
 */
#ifndef COST_RIG_H
#define COST_RIG_H

#include "cost.h"
#include "model_rig.h"
#include "states.h"

/* Empties the pipeline. */
static inline void cost_rig_begin(struct cost_pipe *p)
{
	memset(p, 0, sizeof(*p));
}

/*
 * Computes nr instructions in an empty pipeline.  after, unless NULL: for each instruction, the
 * cycles up to and including it.
 */
static inline void cost_rig_run(const struct cost *c, const struct cost_insn *insn, unsigned nr,
				struct cost_sum *sum, uint32_t *after)
{
	struct cost_pipe p;

	cost_rig_begin(&p);
	*sum = (struct cost_sum){ 0 };
	for (unsigned n = 0; n < nr; n++) {
		cost_step(c, &p, &insn[n], sum);
		if (after)
			after[n] = sum->cycles;
	}
}

static inline unsigned unit_of(unsigned class)
{
	switch (class) {
	case COST_ALU:
	case COST_VSET:
		return COST_UNIT_ALU;
	case COST_MUL:
	case COST_MUL_32:
		return COST_UNIT_MUL;
	case COST_DIV:
	case COST_DIV_32:
		return COST_UNIT_DIV;
	case COST_LOAD:
	case COST_STORE:
	case COST_AMO:
		return COST_UNIT_MEMORY;
	case COST_BRANCH:
		return COST_UNIT_BRANCH;
	case COST_FP_DIV:
	case COST_FP_SQRT:
	case COST_FP_DIV_32:
	case COST_FP_SQRT_32:
		return COST_UNIT_FP_DIV;
	case COST_CSR:
	case COST_FENCE:
		return COST_UNIT_SYSTEM;
	default:
		return COST_UNIT_FP;
	}
}

static inline struct cost cost_rig_make(const struct cost_config *config)
{
	struct model_error why = { 0 };
	struct cost c;

	ok(cost_check(config, &why));
	cost_init(&c, config);
	return c;
}

/* A core with any possible numbers; cycles: the most of an instruction. */
static inline void cost_rig_vary(struct cost_config *config, uint64_t *seed, unsigned cycles)
{
	config->width = 1 + rig_random(seed) % COST_WIDTH_MAX;
	for (unsigned k = 0; k < COST_UNITS; k++)
		config->units[k] = 1 + rig_random(seed) % COST_WIDTH_MAX;
	for (unsigned k = 0; k < COST_CLASSES; k++) {
		config->latency[k] = 1 + rig_random(seed) % (k % 3 ? 4 : cycles);
		config->busy[k] = 1 + (rig_random(seed) % 4 ? 0 : rig_random(seed) % cycles);
	}
}

/* Roughly as often as in programs: much arithmetic, and some of everything. */
static inline struct cost_insn cost_rig_insn(uint64_t *seed)
{
	unsigned roll = rig_random(seed) % 32, class = roll < 14 ? COST_ALU : roll % COST_CLASSES;
	bool is_fp = unit_of(class) == COST_UNIT_FP || unit_of(class) == COST_UNIT_FP_DIV;
	unsigned fp = is_fp ? 32 : 0;
	struct cost_insn i = { .class = class };

	i.rs1 = fp + rig_random(seed) % 8;
	i.rs2 = rig_random(seed) % 2 ? fp + rig_random(seed) % 8 : COST_NO_REG;
	if (class == COST_FP_FMA || class == COST_FP_FMA_32)
		i.rs3 = fp + rig_random(seed) % 8;
	if (class != COST_STORE && class != COST_BRANCH && class != COST_FENCE)
		i.rd = (class == COST_LOAD ? rig_random(seed) % 2 * 32 : fp) + rig_random(seed) % 8;
	if (class == COST_ALU || class == COST_VSET)
		i.late = COST_LATE_ALL;
	else if (class == COST_STORE)
		i.late = rig_random(seed) % 2 * COST_LATE_DATA;
	else if (class == COST_BRANCH)
		i.late = rig_random(seed) % 2 * COST_LATE_ALL;
	return i;
}

/* What states_wait remembers is what cost_wait does. */
static inline void cost_rig_remembered(const struct cost *c,
				       struct cost_insn (*next)(uint64_t *seed))
{
	struct states *t = states_new(c);
	struct cost_sum sum = { 0 };
	struct cost_pipe p;
	uint64_t seed = 6;

	cost_rig_begin(&p);
	for (unsigned n = 0; n < 3000; n++) {
		struct cost_insn i = next(&seed);
		struct cost_state s, want;
		uint32_t from;

		cost_step(c, &p, &i, &sum);
		cost_pack(c, &p, &s);
		from = states_number(t, &s);
		for (unsigned k = 0; k < 20; k++) {
			enum cost_front why = k % (COST_FRONT_TRAPS + 1);
			struct cost_pipe after;
			unsigned charged, cost;

			states_get(t, from, &after);
			cost = cost_wait(c, &after, why, k * k);
			cost_pack(c, &after, &want);
			tap_context("state %u, wait %u", n, k);
			is(states_wait(t, from, why, k * k, &charged), states_number(t, &want));
			is(charged, cost);
		}
	}
	ok(!states_full(t));
	states_free(t);
}

/* The state of one hart, in the form that rig_hostile needs. */
struct hart_cost {
	struct cost c;
	struct cost_state p;
};

static inline bool hart_cost_save(void *model, const struct stream *s)
{
	struct hart_cost *h = model;

	return cost_save(&h->c, &h->p, s);
}

static inline bool hart_cost_restore(void *model, const struct stream *s)
{
	struct hart_cost *h = model;

	return cost_restore(&h->c, &h->p, s);
}

static inline void hart_cost_reset(void *model)
{
	struct hart_cost *h = model;

	h->p = (struct cost_state){ 0 };
}

#endif
