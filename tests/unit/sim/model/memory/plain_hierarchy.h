/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plain_hierarchy.h - the caches of a machine as plain as can be, for comparison: plain caches
 * (model_cache_ref.h), the rules of hierarchy.h from top to bottom, and the same ledgers.
 */
#ifndef PLAIN_HIERARCHY_H
#define PLAIN_HIERARCHY_H

#include "hierarchy.h"
#include "model_cache_ref.h"

#define PLAIN_HARTS 3

/* A line that an L1D waits for. */
struct plain_miss {
	uint64_t since, until;
};

/* The last store that missed in an L1D. */
struct plain_stream {
	uint64_t line; /* its number */
	bool up, down; /* at which end of the line it was */
	unsigned followers; /* how many stores, up to this one, followed one another */
};

/* The plain machine. what[] counts the MEMORY_ events of the current access. */
struct plain {
	struct hierarchy_config config;
	unsigned harts;
	struct plain_miss miss[PLAIN_HARTS][HIERARCHY_MISSES_MAX];
	struct plain_stream stream[PLAIN_HARTS];
	struct ledger l2_turns[PLAIN_HARTS][HIERARCHY_BANKS_MAX], ll_turns[HIERARCHY_BANKS_MAX];
	struct ledger bus_turns;
	struct ref_cache l1i[PLAIN_HARTS], l1d[PLAIN_HARTS], l2[PLAIN_HARTS], ll;
	unsigned what[HIERARCHY_EVENTS];
	unsigned from; /* enum hierarchy_place */
	bool written;
	uint64_t last_turn; /* of the current access */
	uint64_t pc; /* of the next load */
	uint64_t row[HIERARCHY_ROW_BANKS_MAX]; /* by bank: the open row's number plus 1, or 0 */
};

/* For a checked shape and up to PLAIN_HARTS harts. */
struct plain plain_create(const struct hierarchy_config *config, unsigned harts);
void plain_destroy(struct plain *p);

/*
 * An access or a cache-block operation of hart h at a time.  Returns its cycles; what[], from and
 * written have the rest.
 */
unsigned plain_access(struct plain *p, unsigned h, enum hierarchy_kind kind, uint64_t pa,
		      uint64_t at);
unsigned plain_cbo(struct plain *p, unsigned h, enum hierarchy_cbo op, uint64_t pa, uint64_t at);

#endif
