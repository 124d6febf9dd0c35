/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_paths.h - the call paths of an exact profile: the stacks of the callers of its code, and
 * the pages that their calls are in.  exact_load.c uses it.
 */
#ifndef REPORT_EXACT_PATHS_H
#define REPORT_EXACT_PATHS_H

#include "exact_parse.h"
#include "idmap.h"
#include "profile.h"

struct exact_caller {
	uint32_t stack; /* of the node's call, for the code of this round */
	uint32_t round;
};

struct exact_paths {
	uint64_t folded; /* calls without a node of their own */
	VEC(struct exact_node) nodes;
	VEC(struct exact_caller) callers; /* by node */
	uint32_t round; /* changes with the mode, space and process of the code */
	struct exact_code of; /* the code of this round */
	VEC(struct exact_code) pages;
	struct idmap page_index; /* by hash of mode, space and address */
};

void exact_paths_free(struct exact_paths *x);

/* The nodes of the file.  False: no memory, as below. */
bool exact_paths_nodes(struct exact_paths *x, const struct exact_nodes *nodes);

/* A page of code, whose space the caller has named (exact_spaces.h). */
bool exact_paths_page(struct exact_paths *x, const struct exact_code *code, uint64_t space);

/* Code of this page follows: exact_paths_caller() is about it. */
void exact_paths_enter(struct exact_paths *x, const struct exact_code *code);

/* The page of an address in the same mode and space as code; its content may be unknown. */
struct exact_code exact_paths_code(const struct exact_paths *x, const struct exact_code *code,
				   uint64_t space, uint64_t va);

/*
 * Returns the stack of the caller of code that ran on the path of a node; PROFILE_NONE: there is
 * none.  place finds the places of calls.
 */
uint32_t exact_paths_caller(struct exact_paths *x, struct profile *p, uint32_t node,
			    uint32_t (*place)(void *cookie, uint64_t va), void *cookie);

#endif
