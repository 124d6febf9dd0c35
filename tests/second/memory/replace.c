// SPDX-License-Identifier: BSD-2-Clause
/*
 * replace.c - replacement policies: rules R1 to R5 of holter-model(7).
 */
#include <stdlib.h>

#include "replace.h"
#include "room.h"

void replace_init(struct replace *r, enum policy policy, unsigned sets, unsigned ways,
		  unsigned kind, uint64_t random_seed, uint64_t seed)
{
	const uint64_t odd = 0x9e3779b97f4a7c15;

	*r = (struct replace){ .policy = policy, .sets = sets, .ways = ways };
	r->used = room((size_t)sets * ways, sizeof(*r->used));
	r->filled = room((size_t)sets * ways, sizeof(*r->filled));
	r->right = room((size_t)sets * ways, sizeof(*r->right));
	/* R5 */
	r->x = kind ^ (random_seed * odd) ^ ((seed - 1) * odd);
	if (!r->x)
		r->x = odd;
}

/* R3: each node on the way to the leaf points to the other half. */
static void tree_leaves(struct replace *r, unsigned set, unsigned way)
{
	bool *right = &r->right[(size_t)set * r->ways];
	unsigned node = 1;

	for (unsigned half = r->ways / 2; half; half /= 2) {
		bool in_right = way & half;

		right[node] = !in_right;
		node = 2 * node + in_right;
	}
}

void replace_use(struct replace *r, unsigned set, unsigned way)
{
	r->used[(size_t)set * r->ways + way] = ++r->now;
	if (r->policy == POLICY_PLRU)
		tree_leaves(r, set, way);
}

void replace_fill(struct replace *r, unsigned set, unsigned way)
{
	replace_use(r, set, way);
	r->filled[(size_t)set * r->ways + way] = r->now;
}

/* The way with the lowest time. */
static unsigned oldest(const uint64_t *when, unsigned ways)
{
	unsigned best = 0;

	for (unsigned way = 1; way < ways; way++)
		if (when[way] < when[best])
			best = way;
	return best;
}

/* R3: from the root along the pointers. */
static unsigned tree_way(const struct replace *r, unsigned set)
{
	const bool *right = &r->right[(size_t)set * r->ways];
	unsigned node = 1;

	while (node < r->ways)
		node = 2 * node + right[node];
	return node - r->ways;
}

/* R4 */
static unsigned random_way(struct replace *r)
{
	r->x ^= r->x >> 12;
	r->x ^= r->x << 25;
	r->x ^= r->x >> 27;
	return (((r->x * 0x2545f4914f6cdd1d) >> 32) * r->ways) >> 32;
}

unsigned replace_choose(struct replace *r, unsigned set)
{
	switch (r->policy) {
	case POLICY_LRU:
		return oldest(&r->used[(size_t)set * r->ways], r->ways);
	case POLICY_FIFO:
		return oldest(&r->filled[(size_t)set * r->ways], r->ways);
	case POLICY_PLRU:
		return tree_way(r, set);
	case POLICY_RANDOM:
		break;
	}
	return random_way(r);
}

void replace_free(struct replace *r)
{
	free(r->used);
	free(r->filled);
	free(r->right);
}
