/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * prefetch.h - holter-model(7), PREFETCHERS: for which lines the prefetcher of a cache asks.
 */
#ifndef SECOND_PREFETCH_H
#define SECOND_PREFETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu.h"

#define PAGE 4096

enum { PREFETCH_LINES_MAX = 4 };

/* An entry of stream (by page, in an order) or of stride (by instruction, at its place). */
struct prefetch_entry {
	bool held;
	uint64_t of; /* the page, or the physical address of the instruction */
	uint64_t last; /* line, or address */
	int64_t step;
	unsigned confidence;
	int64_t ahead;
};

struct prefetcher {
	enum prefetch kind;
	unsigned line, entries, degree, distance;
	struct prefetch_entry *entry;
};

struct prefetch_lines {
	unsigned n;
	uint64_t line[PREFETCH_LINES_MAX];
};

/* What caused an access: only loads trigger stride (rule PF5). */
struct cause {
	bool is_load; /* a load or lr */
	uint64_t insn_pa; /* of the first byte of the instruction */
};

void prefetch_init(struct prefetcher *p, const struct cpu_cache *shape, unsigned line);
/* Rule PF1: asks the prefetcher. */
void prefetch_ask(struct prefetcher *p, uint64_t pa, const struct cause *cause,
		  struct prefetch_lines *lines);
void prefetch_free(struct prefetcher *p);

#endif
