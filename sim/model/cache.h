/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cache.h - one set-associative cache: which lines it holds, and which of them are dirty.
 *
 * It holds no data.  Addresses are physical and below 2^56.  The life of a line: an access that
 * misses brings it in (unless it is a write to a write-through cache), a write makes it dirty
 * (write-back caches only), and it leaves when another needs its place, or by address.
 *
 * Prefetch is of the next line, within the same 4 KiB page, after an access that
 *	ON_MISS	 brought its line in
 *	TAGGED	 brought its line in, or is the first to use a line that was prefetched
 * and is no write of a whole line.  What a cache above prefetches is an access like any here: one that
 * misses makes this cache prefetch, too.  A cache's own prefetches are none.  A prefetched line that is there already is left as it is; one that is not comes in as the most
 * recently used.
 *
 * The hot path is cache_read_hit and cache_write_hit: one load and one compare, no state changed.
 * They say yes only for the line of the set that was used last, for which a hit changes nothing
 * under any policy; then ask cache_rehit, which says yes for all other hits that nobody else has
 * to know of; for all else there is cache_access.
 */
#ifndef SIM_MODEL_CACHE_H
#define SIM_MODEL_CACHE_H

#include "filter.h"
#include "replace.h"

#define CACHE_LINE_MIN	 16
#define CACHE_LINE_MAX	 256
#define CACHE_SETS_MAX	 65536
#define CACHE_PAGE_BYTES 4096

enum cache_prefetch {
	CACHE_PREFETCH_NONE,
	CACHE_PREFETCH_ON_MISS,
	CACHE_PREFETCH_TAGGED,
	CACHE_PREFETCHES
};

struct cache_config {
	uint32_t line; /* bytes; a power of two, 16 to 256 */
	uint32_t sets; /* a power of two */
	uint32_t ways; /* 1 to 64; 1 set: fully associative */
	uint8_t policy; /* REPLACE_ */
	uint8_t prefetch; /* CACHE_PREFETCH_ */
	bool write_through; /* no allocation by writes then, and no dirty lines */
	uint64_t seed; /* of REPLACE_RANDOM */
};

/* Bits of a line's word, below its address. */
#define CACHE_DIRTY  1ull
#define CACHE_TAGGED 2ull /* prefetched and not used since (TAGGED) */
#define CACHE_FLAGS  3ull
#define CACHE_FREE   UINT64_MAX

#define CACHE_NEAR 1024

struct cache {
	uint64_t *recent; /* by set: the word of the line used last, or CACHE_FREE */
	uint64_t changes; /* of that; grows */
	uint64_t line_mask, set_mask;
	uint32_t shift;
	uint8_t near[CACHE_NEAR]; /* by line: a way in which it may be */
	uint64_t *word; /* by slot; NULL: there is no such cache */
	size_t free; /* slots without a line */
	struct filter *filter; /* in front of it, or NULL */
	uint8_t *entry; /* by set: which one of the filter may be of it */
	struct replace replace;
	struct cache_config config;
};

enum cache_op {
	CACHE_READ,
	CACHE_WRITE, /* of a part of the line */
	CACHE_WHOLE, /* a write of the whole line (write-back from above, cbo.zero): no prefetch */
};

/* What an access did. */
enum {
	CACHE_HIT = 0x01,
	CACHE_EVICTED = 0x02, /* a dirty line, to be written back: evicted */
	CACHE_DIRTIED = 0x04, /* the line was not dirty before */
	CACHE_THROUGH = 0x08, /* the write must be done by the next level as well */
	CACHE_PREFETCH = 0x10, /* of line prefetched */
	CACHE_PREFETCH_HIT = 0x20, /* which was there */
	CACHE_PREFETCH_EVICTED = 0x40, /* which drove out a dirty line: prefetch_evicted */
};

struct cache_answer {
	unsigned bits;
	uint64_t evicted, prefetched, prefetch_evicted; /* only if their bit is set */
};

enum cache_state { CACHE_ABSENT, CACHE_CLEAN, CACHE_MODIFIED };

bool cache_check(const struct cache_config *config, struct model_why *why);
bool cache_init(struct cache *c, const struct cache_config *config);
void cache_free(struct cache *c);
uint64_t cache_bytes(const struct cache *c); /* of host memory, beside *c */
void cache_reset(struct cache *c);
bool cache_save(const struct cache *c, const struct stream *s);
bool cache_restore(struct cache *c, const struct stream *s);

static inline size_t cache_set(const struct cache *c, uint64_t pa)
{
	return pa >> c->shift & c->set_mask;
}

/* That f, which is empty, stands in front of it.  False: no memory. */
bool cache_filter_attach(struct cache *c, struct filter *f);

/*
 * True: reading at pa hits and changes nothing.  False: ask cache_rehit or cache_access.
 */
static inline bool cache_read_hit(const struct cache *c, uint64_t pa)
{
	return (c->recent[cache_set(c, pa)] ^ (pa & c->line_mask)) <= CACHE_DIRTY;
}

/* True: writing at pa hits a line that is dirty already, and changes nothing. */
static inline bool cache_write_hit(const struct cache *c, uint64_t pa)
{
	return c->recent[cache_set(c, pa)] == ((pa & c->line_mask) | CACHE_DIRTY);
}

/*
 * True: the access hits, and all that there was to do is done: the policy knows.  False: nothing
 * has changed; ask cache_access (it misses, a line becomes dirty, a write goes through, or a
 * prefetched line is used for the first time).
 */
bool cache_rehit(struct cache *c, uint64_t pa, bool write);

/*
 * An access to the line of pa.  The caller does what the answer asks of the next level: the line
 * itself after a miss (unless CACHE_THROUGH or CACHE_WHOLE), the evicted ones, the prefetched one.
 */
void cache_access(struct cache *c, enum cache_op op, uint64_t pa, struct cache_answer *a);

/* Where pa is va for the asker: puts it into the filter, if there is one and if it is true. */
void cache_filter_enter(struct cache *c, uint64_t va, uint64_t pa, uint64_t addend, bool write);

/* How the line of pa stands; and how it stood before it was made clean, or dropped. */
enum cache_state cache_find(const struct cache *c, uint64_t pa);
enum cache_state cache_clean(struct cache *c, uint64_t pa);
enum cache_state cache_invalidate(struct cache *c, uint64_t pa);

/* Drops all lines, dirty ones too (fence.i).  The policy remembers what it does of a free slot. */
void cache_invalidate_all(struct cache *c);

#endif
