// SPDX-License-Identifier: BSD-2-Clause
/* bpred.c - the parts of branch prediction that are not inline (bpred.h). */
#include <stdlib.h>
#include <string.h>

#include "bpred.h"

#define COUNTERS_MAX (1u << 20)
#define WEAKLY_NOT   1
#define WEAKLY_TAKEN 2
#define BTB_SETS_MAX 65536
#define TARGETS_MAX  65536
#define BTB_WAYS_MAX 64

const char *const bpred_direction_name[] = { "static", "bimodal", "gshare", "bimode", "tage" };

static bool has_history(const struct bpred_config *config)
{
	return config->direction == BPRED_GSHARE || config->direction == BPRED_BIMODE;
}

bool bpred_check(const struct bpred_config *config, struct model_error *why)
{
	if (!model_in_range(why, "direction", config->direction, 0, BPRED_DIRECTIONS - 1))
		return false;
	if (config->direction != BPRED_STATIC &&
	    !model_in_powers(why, "counters", config->counters, 2, COUNTERS_MAX))
		return false;
	if (has_history(config) &&
	    !model_in_range(why, "history", config->history, 1, model_log2(config->counters)))
		return false;
	if (config->direction == BPRED_BIMODE &&
	    !model_in_powers(why, "choices", config->choices, 2, COUNTERS_MAX))
		return false;
	if (config->direction == BPRED_TAGE && !tage_check(&config->tage, why)) {
		why->part = "tage";
		return false;
	}
	if (config->btb_sets &&
	    (!model_in_powers(why, "btb_sets", config->btb_sets, 1, BTB_SETS_MAX) ||
	     !model_in_range(why, "btb_ways", config->btb_ways, 1, BTB_WAYS_MAX)))
		return false;
	if (config->targets && (!model_in_powers(why, "targets", config->targets, 2, TARGETS_MAX) ||
				!model_in_range(why, "target_history", config->target_history, 0,
						model_log2(config->targets))))
		return false;
	return model_in_range(why, "returns", config->returns, 0, BPRED_RETURNS_MAX);
}

static size_t btb_slots(const struct bpred *p)
{
	return p->config.btb_sets ? (size_t)p->config.btb_sets * p->config.btb_ways : 0;
}

static size_t counters(const struct bpred *p)
{
	const struct bpred_config *config = &p->config;

	return config->direction == BPRED_STATIC   ? 0
	       : config->direction == BPRED_BIMODE ? 2 * config->counters
						   : config->counters;
}

static size_t choices(const struct bpred *p)
{
	return p->config.direction == BPRED_BIMODE ? p->config.choices : 0;
}

static bool allocate(struct bpred *p)
{
	const struct bpred_config *config = &p->config;

	p->btb = malloc((btb_slots(p) ? btb_slots(p) : 1) * sizeof(*p->btb));
	if (!p->btb)
		return false;
	if (counters(p) && !(p->counter = malloc(counters(p))))
		return false;
	if (choices(p) && !(p->choice = malloc(choices(p))))
		return false;
	if (config->targets && !(p->target = malloc(config->targets * sizeof(*p->target))))
		return false;
	return config->direction != BPRED_TAGE || tage_init(&p->tage, &config->tage);
}

bool bpred_init(struct bpred *p, const struct bpred_config *config)
{
	*p = (struct bpred){
		.counter_mask = config->direction == BPRED_STATIC ? 0 : config->counters - 1,
		.choice_mask = config->direction == BPRED_BIMODE ? config->choices - 1 : 0,
		.btb_mask = config->btb_sets ? config->btb_sets - 1 : 0,
		.simple = config->direction == BPRED_BIMODAL || config->direction == BPRED_GSHARE,
		.target_mask = config->targets ? config->targets - 1 : 0,
		.config = *config,
	};
	if (has_history(config))
		p->history_mask = (1ull << config->history) - 1;
	if (config->targets)
		p->path_mask = (1ull << config->target_history) - 1;
	if (!allocate(p)) {
		bpred_free(p);
		return false;
	}
	bpred_reset(p);
	return true;
}

void bpred_free(struct bpred *p)
{
	free(p->counter);
	free(p->choice);
	free(p->btb);
	free(p->target);
	tage_free(&p->tage);
	*p = (struct bpred){ .config = p->config };
}

void bpred_reset(struct bpred *p)
{
	memset(p->near, 0, sizeof(p->near));
	p->btb[0] = (struct btb_entry){ .pc = BTB_FREE };
	for (size_t n = 0; n < counters(p); n++)
		p->counter[n] = p->choice && n % 2 ? WEAKLY_TAKEN : WEAKLY_NOT;
	if (p->choice)
		memset(p->choice, WEAKLY_NOT, choices(p));
	if (p->target)
		memset(p->target, 0, p->config.targets * sizeof(*p->target));
	for (size_t slot = 0; slot < btb_slots(p); slot++)
		p->btb[slot] = (struct btb_entry){ .pc = BTB_FREE };
	if (p->tage.entry)
		tage_reset(&p->tage);
	memset(p->stack, 0, sizeof(p->stack));
	p->history = p->path = p->uses = p->top = p->depth = 0;
}

/* Directions */

unsigned bpred_other(struct bpred *p, uint64_t pc, bool taken, uint64_t target)
{
	if (p->tage.entry)
		return tage_branch(&p->tage, pc, &p->counter[pc >> 1 & p->counter_mask], taken);
	return (target <= pc) ^ taken;
}

/* The BTB */

/*
 * Returns the entry of pc, or if it has none the least recently used one of its set.  A free entry
 * is the least recently used one.
 */
static struct btb_entry *btb_entry(const struct bpred *p, uint64_t pc)
{
	struct btb_entry *set = p->btb + (pc >> 1 & p->btb_mask) * p->config.btb_ways, *room = set;

	for (unsigned way = 0; way < p->config.btb_ways; way++) {
		if (set[way].pc == pc)
			return &set[way];
		room = set[way].used < room->used ? &set[way] : room;
	}
	return room;
}

unsigned bpred_btb_slow(struct bpred *p, uint64_t pc, uint64_t target)
{
	struct btb_entry *e;
	bool knew;

	if (!p->config.btb_sets)
		return 0;
	e = btb_entry(p, pc);
	knew = e->pc == pc && e->target == target;
	*e = (struct btb_entry){ pc, target, ++p->uses };
	p->near[pc >> 1 & (BTB_NEAR - 1)] = (char *)e - (char *)p->btb;
	return knew ? 0 : BPRED_BTB_MISS;
}

/* Jumps through registers */

unsigned bpred_indirect(struct bpred *p, uint64_t pc, uint64_t target)
{
	uint64_t *predicted;
	bool known;

	if (!p->target) {
		known = p->config.btb_sets && !bpred_btb(p, pc, target);
		return known ? 0 : BPRED_BAD_TARGET;
	}
	predicted = &p->target[(pc >> 1 ^ p->path) & p->target_mask];
	known = *predicted == target;
	*predicted = target;
	p->path = (p->path << 2 ^ target >> 1) & p->path_mask;
	return known ? 0 : BPRED_BAD_TARGET;
}

/* State */

static bool save_tables(const struct bpred *p, const struct stream *s)
{
	return (!p->counter || stream_write(s, p->counter, counters(p))) &&
	       (!p->choice || stream_write(s, p->choice, choices(p))) &&
	       (!p->target || stream_write(s, p->target, p->config.targets * sizeof(*p->target))) &&
	       stream_write(s, p->btb, btb_slots(p) * sizeof(*p->btb)) &&
	       stream_write(s, &p->uses, sizeof(p->uses)) &&
	       (!p->tage.entry || tage_save(&p->tage, s));
}

#define SHAPE(config)                                                                              \
	{                                                                                          \
		(config).direction, (config).counters, (config).history, (config).choices,         \
			(config).btb_sets, (config).btb_ways, (config).targets,                    \
			(config).target_history, (config).returns                                  \
	}
#define SHAPE_NR 9

bool bpred_save(const struct bpred *p, const struct stream *s)
{
	uint32_t shape[SHAPE_NR] = SHAPE(p->config);

	return model_save_shape(s, shape, SHAPE_NR) && save_tables(p, s) &&
	       stream_write(s, &p->history, sizeof(p->history)) &&
	       stream_write(s, &p->path, sizeof(p->path)) &&
	       stream_write(s, p->stack, sizeof(p->stack)) &&
	       stream_write(s, &p->top, sizeof(p->top)) &&
	       stream_write(s, &p->depth, sizeof(p->depth));
}

static bool restore_tables(struct bpred *p, const struct stream *s)
{
	return (!p->counter || stream_read(s, p->counter, counters(p))) &&
	       (!p->choice || stream_read(s, p->choice, choices(p))) &&
	       (!p->target || stream_read(s, p->target, p->config.targets * sizeof(*p->target))) &&
	       stream_read(s, p->btb, btb_slots(p) * sizeof(*p->btb)) &&
	       stream_read(s, &p->uses, sizeof(p->uses)) &&
	       (!p->tage.entry || tage_restore(&p->tage, s));
}

/* Counters in range, TAGE's with a bit for each table; a pc in its set and once. */
static bool tables_possible(const struct bpred *p)
{
	unsigned last = p->tage.entry ? (4 << p->config.tage.tables) - 1 : 3;

	for (size_t n = 0; n < counters(p); n++) {
		if (p->counter[n] > last)
			return false;
	}
	for (size_t n = 0; n < choices(p); n++) {
		if (p->choice[n] > 3)
			return false;
	}
	for (size_t slot = 0; slot < btb_slots(p); slot++) {
		uint64_t pc = p->btb[slot].pc, used = p->btb[slot].used;

		if ((pc == BTB_FREE) != !used || used > p->uses)
			return false;
		if (pc == BTB_FREE)
			continue;
		if (pc & 1 || (pc >> 1 & p->btb_mask) != slot / p->config.btb_ways ||
		    btb_entry(p, pc) != &p->btb[slot])
			return false;
	}
	return true;
}

static bool registers_possible(const struct bpred *p)
{
	uint32_t returns = p->config.returns;

	return !(p->history & ~p->history_mask) && !(p->path & ~p->path_mask) &&
	       p->top < (returns ? returns : 1) && p->depth <= returns;
}

bool bpred_restore(struct bpred *p, const struct stream *s)
{
	uint32_t shape[SHAPE_NR] = SHAPE(p->config);

	bpred_reset(p);
	if (model_restore_shape(s, shape, SHAPE_NR) && restore_tables(p, s) &&
	    stream_read(s, &p->history, sizeof(p->history)) &&
	    stream_read(s, &p->path, sizeof(p->path)) &&
	    stream_read(s, p->stack, sizeof(p->stack)) && stream_read(s, &p->top, sizeof(p->top)) &&
	    stream_read(s, &p->depth, sizeof(p->depth)) && tables_possible(p) &&
	    registers_possible(p))
		return true;
	bpred_reset(p);
	return false;
}
