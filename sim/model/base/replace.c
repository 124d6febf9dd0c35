// SPDX-License-Identifier: BSD-2-Clause
/*
 * replace.c - replacement policies (replace.h).
 */
#include <stdlib.h>
#include <string.h>

#include "replace.h"

#define WAY_BITS 6 /* log2 of REPLACE_WAYS_MAX; no run has more than 2^58 accesses */

bool replace_check(unsigned policy, uint32_t ways, struct model_error *why)
{
	if (!model_in_range(why, "policy", policy, 0, REPLACE_POLICIES - 1) ||
	    !model_in_range(why, "ways", ways, 1, REPLACE_WAYS_MAX))
		return false;
	if (policy == REPLACE_PLRU && ways & (ways - 1))
		return model_refuse(why, "ways", "%u is not a power of two, as tree-PLRU needs",
				    ways);
	return true;
}

bool replace_init(struct replace *r, unsigned policy, uint32_t sets, uint32_t ways, uint64_t seed)
{
	*r = (struct replace){
		.stamp = calloc((size_t)sets * ways, sizeof(*r->stamp)),
		.sets = sets,
		.ways = ways,
		.seed = seed,
		.policy = policy,
		.hits = policy == REPLACE_LRU || policy == REPLACE_PLRU,
	};
	if (!r->stamp)
		return false;
	replace_reset(r);
	return true;
}

void replace_free(struct replace *r)
{
	free(r->stamp);
	r->stamp = NULL;
}

void replace_reset(struct replace *r)
{
	memset(r->stamp, 0, (size_t)r->sets * r->ways * sizeof(*r->stamp));
	r->clock = 0;
	r->random = r->seed ? r->seed : 0x9e3779b97f4a7c15;
}

static unsigned oldest(const uint64_t *stamp, unsigned ways)
{
	uint64_t old = UINT64_MAX;

	/* Put stamp and way in one number, so that the minimum is found without a branch. */
	for (unsigned way = 0; way < ways; way++) {
		uint64_t this = stamp[way] << WAY_BITS | way;

		old = this < old ? this : old;
	}
	return old % REPLACE_WAYS_MAX;
}

static uint64_t newest(const uint64_t *stamp, unsigned nr)
{
	uint64_t new = 0;

	for (unsigned n = 0; n < nr; n++)
		new = stamp[n] > new ? stamp[n] : new;
	return new;
}

/*
 * Goes from the root to a leaf, each time to the half that was not used last.  Goes left before any
 * use.
 */
static unsigned tree_leaf(const uint64_t *stamp, unsigned ways)
{
	unsigned way = 0;

	for (unsigned half = ways / 2; half; half /= 2) {
		if (newest(stamp + way, half) > newest(stamp + way + half, half))
			way += half;
	}
	return way;
}

static uint64_t random_next(struct replace *r)
{
	r->random ^= r->random >> 12;
	r->random ^= r->random << 25;
	r->random ^= r->random >> 27;
	return r->random * 0x2545f4914f6cdd1d;
}

unsigned replace_victim(struct replace *r, size_t first)
{
	switch (r->policy) {
	case REPLACE_RANDOM:
		return (random_next(r) >> 32) * r->ways >> 32;
	case REPLACE_PLRU:
		return tree_leaf(r->stamp + first, r->ways);
	default:
		return oldest(r->stamp + first, r->ways);
	}
}

/* The ways of a set by age: 0 never used, 1 the oldest. */
static void ranks(const uint64_t *stamp, unsigned ways, uint8_t *rank)
{
	for (unsigned way = 0; way < ways; way++) {
		rank[way] = stamp[way] != 0;
		for (unsigned other = 0; stamp[way] && other < ways; other++)
			rank[way] += stamp[other] && stamp[other] < stamp[way];
	}
}

bool replace_save(const struct replace *r, const struct stream *s)
{
	uint8_t rank[REPLACE_WAYS_MAX];
	bool written = stream_write(s, &r->random, sizeof(r->random));

	for (uint32_t set = 0; set < r->sets && written; set++) {
		ranks(r->stamp + (size_t)set * r->ways, r->ways, rank);
		written = stream_write(s, rank, r->ways);
	}
	return written;
}

/* Ranks as ranks() makes them; RANDOM does not look at time. */
static bool ranks_possible(const struct replace *r, const uint8_t *rank)
{
	uint64_t seen = 0;

	for (unsigned way = 0; way < r->ways; way++) {
		if (!rank[way])
			continue;
		if (r->policy == REPLACE_RANDOM || rank[way] > r->ways ||
		    seen >> (rank[way] - 1) & 1)
			return false;
		seen |= 1ull << (rank[way] - 1);
	}
	return !(seen & (seen + 1));
}

bool replace_restore(struct replace *r, const struct stream *s)
{
	uint8_t rank[REPLACE_WAYS_MAX];

	if (!stream_read(s, &r->random, sizeof(r->random)) || !r->random)
		return false;
	r->clock = r->policy == REPLACE_RANDOM ? 0 : r->ways;
	for (uint32_t set = 0; set < r->sets; set++) {
		if (!stream_read(s, rank, r->ways) || !ranks_possible(r, rank))
			return false;
		for (unsigned way = 0; way < r->ways; way++)
			r->stamp[(size_t)set * r->ways + way] = rank[way];
	}
	return true;
}
