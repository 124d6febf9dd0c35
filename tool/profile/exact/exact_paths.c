// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_paths.c - the call paths of an exact profile (exact_paths.h).
 */
#include <stdlib.h>
#include <string.h>

#include "exact_paths.h"
#include "hash.h"

#define PAGE	  4096ull
#define CALLS_MAX 4096 /* of a path; the outermost ones of a longer one are left out */

void exact_paths_free(struct exact_paths *x)
{
	free(x->nodes.at);
	free(x->callers.at);
	free(x->pages.at);
	idmap_free(&x->page_index);
}

bool exact_paths_nodes(struct exact_paths *x, const struct exact_nodes *nodes)
{
	x->folded = nodes->folded;
	if (!VEC_ROOM(&x->nodes, nodes->nr) || !VEC_ROOM(&x->callers, nodes->nr))
		return false;
	memcpy(x->nodes.at, nodes->at, nodes->nr * sizeof(*nodes->at));
	memset(x->callers.at, 0, nodes->nr * sizeof(*x->callers.at));
	x->nodes.nr = x->callers.nr = nodes->nr;
	return true;
}

static uint64_t page_key(const struct exact_code *code, uint64_t space, uint64_t va)
{
	return hash_pair(hash_pair(code->mode, space), va & -PAGE);
}

bool exact_paths_page(struct exact_paths *x, const struct exact_code *code, uint64_t space)
{
	if (!x->nodes.nr)
		return true;
	return idmap_set(&x->page_index, page_key(code, space, code->va), x->pages.nr) &&
	       VEC_PUSH(&x->pages, *code);
}

void exact_paths_enter(struct exact_paths *x, const struct exact_code *code)
{
	if (!x->round || x->of.mode != code->mode || x->of.whose != code->whose ||
	    x->of.satp != code->satp)
		x->round++;
	x->of = *code;
}

struct exact_code exact_paths_code(const struct exact_paths *x, const struct exact_code *code,
				   uint64_t space, uint64_t va)
{
	uint32_t page = idmap_get(&x->page_index, page_key(code, space, va));
	struct exact_code found = *code;

	found.va = va & -PAGE;
	found.known = page != IDMAP_NONE && x->pages.at[page].known;
	found.content = found.known ? x->pages.at[page].content : 0;
	return found;
}

uint32_t exact_paths_caller(struct exact_paths *x, struct profile *p, uint32_t node,
			    uint32_t (*place)(void *cookie, uint64_t va), void *cookie)
{
	uint32_t path[CALLS_MAX], nr = 0, stack = PROFILE_NONE;

	while (node && x->callers.at[node].round != x->round && nr < CALLS_MAX) {
		path[nr++] = node;
		node = x->nodes.at[node].caller;
	}
	if (node && x->callers.at[node].round == x->round)
		stack = x->callers.at[node].stack;
	while (nr) {
		node = path[--nr];
		stack = profile_add_stack(p, place(cookie, x->nodes.at[node].va), stack);
		x->callers.at[node] = (struct exact_caller){ stack, x->round };
	}
	return stack;
}
