/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * replace.h - which way of a set goes next: the replacement policies of caches, TLBs and the BTB.
 *
 * A slot is set * ways + way.  Every slot has a stamp, the time of its last use (LRU, PLRU) or of
 * its last fill (FIFO), so that telling a hit is one store and all the work is done by the miss:
 *
 *	LRU, FIFO	the oldest stamp of the set goes
 *	PLRU		a node of the tree points away from the half that was used last, which is
 *			the half with the newest stamp: the bits of the tree follow from the stamps
 *	RANDOM		xorshift64* (S. Vigna 2016) says; stamps stay 0
 *
 * Who uses this asks for a victim only when no way of the set is free; the lowest free way is
 * taken first, under every policy.  A slot that becomes free keeps its stamp: a tree remembers it.
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
bool replace_check(unsigned policy, uint32_t ways, struct model_why *why);

/* seed: for RANDOM; any number, 0 too.  False: no memory. */
bool replace_init(struct replace *r, unsigned policy, uint32_t sets, uint32_t ways, uint64_t seed);
void replace_free(struct replace *r);
uint64_t replace_bytes(const struct replace *r); /* of host memory, beside *r */
void replace_reset(struct replace *r);

/*
 * What is saved is the order of a set's stamps, so that two states of which no victim differs
 * are saved as the same bytes.  After a restore that failed, reset.
 */
bool replace_save(const struct replace *r, const struct stream *s);
bool replace_restore(struct replace *r, const struct stream *s);

/* The slot was hit, where r->hits; was hit; was filled. */
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

/* The way that goes, of the set whose way 0 is slot first. */
unsigned replace_victim(struct replace *r, size_t first);

#endif
