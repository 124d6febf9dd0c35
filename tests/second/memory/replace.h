/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * replace.h - holter-model(7), REPLACEMENT: which way of a set goes, in caches and TLBs.
 */
#ifndef SECOND_REPLACE_H
#define SECOND_REPLACE_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu.h"

/* Rule R5: the kinds of caches and TLBs. */
enum { SEED_L1I = 1, SEED_L1D, SEED_L2, SEED_LL, SEED_ITLB, SEED_DTLB, SEED_STLB };

struct replace {
	enum policy policy;
	unsigned sets, ways;
	uint64_t now; /* grows with each use and fill */
	uint64_t *used, *filled; /* by set and way: when last */
	bool *right; /* plru: by set and node; children of node n: 2n and 2n + 1; the root: 1 */
	uint64_t x; /* random */
};

/* seed is the number of --seed. */
void replace_init(struct replace *r, enum policy policy, unsigned sets, unsigned ways,
		  unsigned kind, uint64_t random_seed, uint64_t seed);
void replace_use(struct replace *r, unsigned set, unsigned way);
void replace_fill(struct replace *r, unsigned set, unsigned way);
/* The way to replace in a set of which no way is free. */
unsigned replace_choose(struct replace *r, unsigned set);
void replace_free(struct replace *r);

#endif
