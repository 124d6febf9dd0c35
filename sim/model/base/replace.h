/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * replace.h - the replacement policies of caches, TLBs and the BTB.
 *
 * A slot is set * ways + way.  Every slot has a stamp: the time of its last use (LRU, PLRU) or of
 * its last fill (FIFO).  So a hit costs one store, and the miss does all the work:
 *
 *	LRU, FIFO	evict the oldest stamp of the set
 *	PLRU		a node of the tree points away from the half that was used last, which is
 *			the half with the newest stamp: the stamps determine the bits of the tree
 *	RANDOM		xorshift64* (S. Vigna 2016) chooses; stamps stay 0
 *
 * The caller asks for a victim only when no way of the set is free.  Under every policy it first
 * fills the lowest free way.  A slot that becomes free keeps its stamp, because a PLRU tree would
 * remember it too.
 */
#ifndef SIM_MODEL_REPLACE_H
#define SIM_MODEL_REPLACE_H

#include "model.h"

#define REPLACE_WAYS_MAX 64

enum replace_policy { REPLACE_LRU, REPLACE_PLRU, REPLACE_FIFO, REPLACE_RANDOM, REPLACE_POLICIES };

struct replace {
	uint64_t *stamp; /* by slot */
	uint64_t clock; /* the newest stamp */
	uint64_t random; /* never 0 */
	uint64_t seed;
	uint32_t sets, ways;
	uint8_t policy;
	bool hits; /* a hit changes something */
};

/* The fields are those of the model's own config. */
bool replace_check(unsigned policy, uint32_t ways, struct model_error *why);

/* seed is for RANDOM: any number, including 0. false: no memory. */
bool replace_init(struct replace *r, unsigned policy, uint32_t sets, uint32_t ways, uint64_t seed);
void replace_free(struct replace *r);
void replace_reset(struct replace *r);

/*
 * A snapshot holds the order of the stamps in each set.  So two states that choose the same victims
 * give the same bytes.  If restore fails, the state is as after reset.
 */
bool replace_save(const struct replace *r, const struct stream *s);
bool replace_restore(struct replace *r, const struct stream *s);

/*
 * replace_use: the slot was hit, and r->hits is true.  replace_hit: the slot was hit.
 * replace_filled: the slot was filled.
 */
static inline void replace_use(struct replace *r, size_t slot)
{
	r->stamp[slot] = ++r->clock;
}

static inline void replace_hit(struct replace *r, size_t slot)
{
	if (r->hits)
		replace_use(r, slot);
}

static inline void replace_filled(struct replace *r, size_t slot)
{
	if (r->policy != REPLACE_RANDOM)
		replace_use(r, slot);
}

/* Returns the way to evict from the set whose way 0 is slot first. */
unsigned replace_victim(struct replace *r, size_t first);

#endif
