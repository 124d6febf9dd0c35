// SPDX-License-Identifier: BSD-2-Clause
/*
 * cost.c - what all pipelines have in common (cost.h).
 */
#include "pipeline.h"

#define BRANCH_CYCLES_MAX 1000
#define TLB_CYCLES_MAX	  1000

const char *const cost_order_name[] = {
	[COST_IN_ORDER] = "in",
	[COST_OUT_OF_ORDER] = "out",
};

static bool division_check(const struct cost_config *config, struct model_error *why)
{
	static const uint8_t class[] = { COST_DIV, COST_DIV_32 };

	if (!model_in_range(why, "div_bits", config->div_bits, 0, 64))
		return false;
	if (!config->div_bits)
		return true;
	for (unsigned n = 0; n < sizeof(class); n++) {
		if (!model_in_range(why, "busy", config->busy[class[n]], 1,
				    config->latency[class[n]]))
			return false;
	}
	return model_in_range(why, "units", config->units[COST_UNIT_DIV], 1, 1);
}

bool cost_check(const struct cost_config *config, struct model_error *why)
{
	unsigned most = config->order == COST_IN_ORDER ? COST_CYCLES_MAX : COST_AHEAD;

	if (!model_in_range(why, "order", config->order, 0, COST_ORDERS - 1) ||
	    !model_in_range(why, "width", config->width, 1, COST_WIDTH_MAX))
		return false;
	for (unsigned n = 0; n < COST_UNITS; n++) {
		if (!model_in_range(why, "units", config->units[n], 1, COST_WIDTH_MAX))
			return false;
	}
	for (unsigned n = 0; n < COST_CLASSES; n++) {
		if (!model_in_range(why, "latency", config->latency[n], 1, most) ||
		    !model_in_range(why, "busy", config->busy[n], 1, most))
			return false;
	}
	if (config->order == COST_OUT_OF_ORDER && !window_check(config, why))
		return false;
	most = config->order == COST_IN_ORDER ? COST_LATE_MAX : 0;
	if (!model_in_range(why, "late_alu", config->late_alu, 0, most) ||
	    !division_check(config, why))
		return false;
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
	*c = (struct cost){ .config = *config,
			    .state_bytes = sizeof(((struct cost_state *)0)->in) };
	if (config->order == COST_OUT_OF_ORDER)
		window_init(c);
	for (unsigned wrong = 0; wrong < BPRED_ANSWERS; wrong++) {
		c->branch[0][wrong] = branch_cycles(config, false, wrong);
		c->branch[1][wrong] = branch_cycles(config, true, wrong);
	}
}

/* Instructions */

void cost_step(const struct cost *c, struct cost_pipe *p, const struct cost_insn *i,
	       struct cost_sum *sum)
{
	if (c->config.order == COST_IN_ORDER)
		inorder_step(c, p, i, sum);
	else
		window_step(c, p, i, sum);
}

unsigned cost_wait(const struct cost *c, struct cost_pipe *p, enum cost_front why, unsigned cycles)
{
	return c->config.order == COST_IN_ORDER ? inorder_wait(p, why, cycles)
						: window_wait(c, p, why, cycles);
}

void cost_pack(const struct cost *c, const struct cost_pipe *p, struct cost_state *s)
{
	if (c->config.order == COST_IN_ORDER)
		inorder_pack(c, p, s);
	else
		window_pack(c, p, s);
}

void cost_unpack(const struct cost *c, const struct cost_state *s, struct cost_pipe *p)
{
	if (c->config.order == COST_IN_ORDER)
		inorder_unpack(s, p);
	else
		window_unpack(c, s, p);
}

/* Divisions */

static int bits_of(uint64_t number)
{
	return number ? 64 - __builtin_clzll(number) : 0;
}

unsigned cost_division(const struct cost_config *c, enum cost_class class,
		       const struct cost_division *d)
{
	int bits = d->divisor ? bits_of(d->dividend) - bits_of(d->divisor) + 1 : 0;
	unsigned cycles = c->div_cycles + d->negative * c->div_sign;

	if (!c->div_bits)
		return 0;
	if (bits > 0)
		cycles += bits < c->div_bits ? 1 : bits / c->div_bits;
	return cycles > c->latency[class] ? cycles - c->latency[class] : 0;
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

bool cost_save(const struct cost *c, const struct cost_state *p, const struct stream *s)
{
	return stream_write(s, p, c->state_bytes);
}

static bool state_possible(const struct cost *c, const struct cost_state *p)
{
	return c->config.order == COST_IN_ORDER ? inorder_possible(c, p) : window_possible(c, p);
}

bool cost_restore(const struct cost *c, struct cost_state *p, const struct stream *s)
{
	*p = (struct cost_state){ 0 };
	if (stream_read(s, p, c->state_bytes) && state_possible(c, p))
		return true;
	*p = (struct cost_state){ 0 };
	return false;
}
