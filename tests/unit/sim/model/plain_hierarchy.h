/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plain_hierarchy.h - the caches of a machine as plain as can be, for comparison: plain caches
 * (model_cache_ref.h), and the rules of hierarchy.h from top to bottom.
 */
#ifndef PLAIN_HIERARCHY_H
#define PLAIN_HIERARCHY_H

#include "hierarchy.h"
#include "model_cache_ref.h"

#define PLAIN_HARTS 3

/* The plain machine. what[] counts the MEMORY_ events of the current access. */
struct plain {
	struct hierarchy_config config;
	unsigned harts;
	struct ref_cache l1i[PLAIN_HARTS], l1d[PLAIN_HARTS], l2[PLAIN_HARTS], ll;
	unsigned what[HIERARCHY_EVENTS];
	unsigned from; /* enum hierarchy_place */
	bool written;
	uint64_t pc; /* of the next load */
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
