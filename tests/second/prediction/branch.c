// SPDX-License-Identifier: BSD-2-Clause
/*
 * branch.c - the branch predictor of a hart: rules B2 to B12 of holter-model(7), but for "tage".
 */
#include <stdlib.h>
#include <string.h>

#include "branch.h"
#include "room.h"

static uint8_t *counters(unsigned n, uint8_t value)
{
	uint8_t *c = room(n, 1);

	memset(c, value, n);
	return c;
}

void branch_init(struct branch *b, const struct cpu_predictor *is)
{
	*b = (struct branch){ .is = is };
	b->counter = counters(is->counters, 1);
	b->taken_counter = counters(is->counters, 2);
	b->choice = counters(is->choices, 1);
	tage_init(&b->tage, is);
	b->btb = room((size_t)is->btb_sets * is->btb_ways, sizeof(*b->btb));
	b->target = room(is->targets, sizeof(*b->target));
	b->stack = room(is->returns, sizeof(*b->stack));
}

/* B4: a counter learns. */
static void learn(uint8_t *counter, bool taken)
{
	if (taken && *counter < 3)
		(*counter)++;
	if (!taken && *counter > 0)
		(*counter)--;
}

/* B5, B6: a counter predicts and learns.  True: it was right. */
static bool counted(uint8_t *counter, bool taken)
{
	bool predicted = *counter >= 2;

	learn(counter, taken);
	return predicted == taken;
}

/* B6: the number of a counter by the global history, which gets the outcome. */
static unsigned by_history(struct branch *b, uint64_t pc, bool taken)
{
	unsigned n = ((pc >> 1) ^ b->history) % b->is->counters;

	b->history = (b->history * 2 + taken) % (1ull << b->is->history);
	return n;
}

/* B7 */
static bool bimode(struct branch *b, uint64_t pc, bool taken)
{
	uint8_t *choice = &b->choice[(pc >> 1) % b->is->choices];
	bool chosen = *choice >= 2, right;
	unsigned n = by_history(b, pc, taken);

	right = counted(chosen ? &b->taken_counter[n] : &b->counter[n], taken);
	if (chosen == taken || !right)
		learn(choice, taken);
	return right;
}

/* B4 to B9.  True: the direction was predicted. */
static bool direction(struct branch *b, const struct branch_asked *a)
{
	switch (b->is->direction) {
	case STATIC:
		return (a->target <= a->pc) == a->taken;
	case BIMODAL:
		return counted(&b->counter[(a->pc >> 1) % b->is->counters], a->taken);
	case GSHARE:
		return counted(&b->counter[by_history(b, a->pc, a->taken)], a->taken);
	case BIMODE:
		return bimode(b, a->pc, a->taken);
	case TAGE:
		break;
	}
	return tage_branch(&b->tage, a->pc, a->taken);
}

/* The entry of pc in a set, or the one that it takes. */
static struct btb_entry *btb_entry(struct branch *b, uint64_t pc)
{
	struct btb_entry *e = &b->btb[(pc >> 1) % b->is->btb_sets * b->is->btb_ways], *oldest = e;

	for (unsigned way = 0; way < b->is->btb_ways; way++)
		if (e[way].held && e[way].pc == pc)
			return &e[way];
	for (unsigned way = 0; way < b->is->btb_ways; way++) {
		if (!e[way].held)
			return &e[way];
		if (e[way].used < oldest->used)
			oldest = &e[way];
	}
	return oldest;
}

/* B10.  True: pc was known with this target. */
static bool btb(struct branch *b, const struct branch_asked *a)
{
	struct btb_entry *e;
	bool known;

	if (!b->is->btb_sets)
		return false;
	e = btb_entry(b, a->pc);
	known = e->held && e->pc == a->pc && e->target == a->target;
	*e = (struct btb_entry){ .held = true, .pc = a->pc, .target = a->target, .used = ++b->now };
	return known;
}

/* B10: with 0 sets nothing is a miss. */
static bool btb_misses(struct branch *b, const struct branch_asked *a)
{
	return b->is->btb_sets && !btb(b, a);
}

/* B11.  True: the target was predicted. */
static bool target(struct branch *b, const struct branch_asked *a)
{
	uint64_t *entry;
	bool right;

	if (!b->is->targets)
		return btb(b, a);
	entry = &b->target[((a->pc >> 1) ^ b->path) % b->is->targets];
	right = *entry == a->target;
	*entry = a->target;
	b->path = ((b->path << 2) ^ (a->target >> 1)) % (1ull << b->is->target_history);
	return right;
}

/* B12 */
static void push(struct branch *b, uint64_t address)
{
	if (!b->is->returns)
		return;
	b->stack[b->next] = address;
	b->next = (b->next + 1) % b->is->returns;
	if (b->depth < b->is->returns)
		b->depth++;
}

/* B12.  True: the return was predicted. */
static bool pop(struct branch *b, const struct branch_asked *a)
{
	if (!b->is->returns)
		return target(b, a);
	if (!b->depth)
		return false;
	b->next = (b->next + b->is->returns - 1) % b->is->returns;
	b->depth--;
	return b->stack[b->next] == a->target;
}

/* B2 */
struct branch_answer branch_predict(struct branch *b, const struct branch_asked *a)
{
	struct branch_answer r = { 0 };

	switch (a->transfer) {
	case TRANSFER_NONE:
		break;
	case CONDITIONAL:
		r.bad_direction = !direction(b, a);
		if (a->taken)
			r.btb_miss = btb_misses(b, a);
		break;
	case DIRECT_JUMP:
		r.btb_miss = btb_misses(b, a);
		break;
	case CALL:
		r.btb_miss = btb_misses(b, a);
		push(b, a->after);
		break;
	case INDIRECT_JUMP:
		r.bad_target = !target(b, a);
		break;
	case INDIRECT_CALL:
		r.bad_target = !target(b, a);
		push(b, a->after);
		break;
	case RETURN:
		r.bad_return = !pop(b, a);
		break;
	case SWAP:
		r.bad_return = !pop(b, a);
		push(b, a->after);
		break;
	}
	return r;
}

void branch_free(struct branch *b)
{
	free(b->counter);
	free(b->taken_counter);
	free(b->choice);
	tage_free(&b->tage);
	free(b->btb);
	free(b->target);
	free(b->stack);
}
