/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cache.h - one cache: rules C2 to C4 and C12 of holter-model(7).
 */
#ifndef SECOND_CACHE_H
#define SECOND_CACHE_H

#include "prefetch.h"
#include "replace.h"

/* Rule M6: when data arrives, and from where.  Rule L2: the last two are not places of memory. */
enum place { PLACE_L2, PLACE_LL, PLACE_MEMORY, PLACE_DIVISION, PLACE_DIVIDER };
struct data {
	uint64_t at;
	enum place place;
};

/* Rule C3. */
struct slot {
	bool held, dirty, marked;
	uint64_t line; /* its address */
	bool coming; /* rule M5: until it arrives, */
	struct data arrives;
	uint64_t duration;
};

struct cache {
	unsigned sets, ways, line;
	bool write_through;
	struct slot *slot; /* by set and way */
	struct replace replace;
	struct prefetcher prefetcher;
};

enum cache_access { CACHE_READ, CACHE_WRITE_PART, CACHE_WRITE_LINE };

/* What an access has found and done. */
struct cache_result {
	bool hit;
	struct slot *slot; /* of the line; NULL: it has none */
	bool was_dirty; /* before */
	bool made_dirty; /* the line was not dirty before */
	bool has_victim; /* a dirty line had to go: */
	uint64_t victim;
	struct prefetch_lines asked; /* lines that the prefetcher asks for */
};

void cache_init(struct cache *c, const struct cpu *cpu, const struct cpu_cache *shape,
		unsigned kind, uint64_t seed);
/* Rule C4. */
struct cache_result cache_access(struct cache *c, uint64_t pa, enum cache_access what,
				 const struct cause *cause);
/* Rule PF2: fills a line that the cache does not have. */
struct cache_result cache_prefetch(struct cache *c, uint64_t pa);
/* The slot of the line; NULL: it is not there.  A caller may clear held or dirty (rule C12). */
struct slot *cache_find(const struct cache *c, uint64_t pa);
/* Rule M5: a line that was asked for at a time is coming. */
void slot_comes(struct slot *s, uint64_t asked, const struct data *arrives);
/* Rule M6: the data of a hit at r, which would arrive at *data if the line were there. */
void slot_needed(struct slot *s, uint64_t r, struct data *data);
/* Rule C16. */
void cache_clear(struct cache *c);
void cache_free(struct cache *c);

#endif
