/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_heap.h - which call has allocated the memory of a program, for an exact profile's data
 * (exact_data.h).
 *
 * The profile sees each call and return.  A call of an allocator is one whose target has the bytes
 * of that function, at the same offset in a page.  Its arguments are the registers at the call, its
 * result is what it returns with.  What an allocator calls itself is a part of it.
 *
 *	site		a path of calls whose last one has called an allocator
 *	allocation	memory that a site has allocated and that was not freed
 *
 * exit and execve free the allocations of an address space.  A child of fork has none of its
 * parent's.
 */
#ifndef SIM_EXACT_HEAP_H
#define SIM_EXACT_HEAP_H

#include "exact_parts.h"

struct heap;

struct heap_site {
	struct node node; /* call, allocator; satp */
	struct context who; /* only owner and hart: of the code that first called there */
	uint32_t id, call; /* call: the node of exact_calls.c */
	uint64_t times, bytes;
};

struct heap_allocation {
	uint64_t address, size;
	struct heap_site *site;
};

/* NULL: no memory. */
struct heap *exact_heap_new(const struct exact_allocator *a, unsigned nr);
void exact_heap_free(struct heap *w);

/* The targets of which it must hear (listener.targets). */
const uint64_t *exact_heap_targets(const struct heap *w);

/* A jump has gone to target.  link: its return address if it is a call; 0: it is not. */
void exact_heap_jumped(struct heap *w, struct hart *h, uint64_t target, uint64_t link);

/* The program has called the kernel. */
void exact_heap_calls_kernel(struct heap *w, const struct hart *h);

/* The allocation that contains an address of a space.  false: none is known. */
bool exact_heap_find(const struct heap *w, uint64_t satp, uint64_t va, struct heap_allocation *b);

/* The sites by number, *nr of them. */
struct heap_site *const *exact_heap_sites(const struct heap *w, size_t *nr);

#endif
