/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cache.h - one set-associative cache: which lines it holds, and which of them are dirty.
 *
 * It holds no data.  Addresses are physical and below 2^56.  An access that misses brings in the
 * line, except for a write to a write-through cache.  A write makes the line dirty (write-back
 * caches only).  The line leaves when another one needs its slot, or when it is invalidated by its
 * address.
 *
 * A prefetch brings in the next line of the same 4 KiB page.  It follows an access that
 *	ON_MISS	 brought its line in
 *	TAGGED	 brought its line in, or is the first to use a prefetched line
 *	STREAM	 as TAGGED, but the lines are those that prefetch.h tells
 *	STRIDE	 the same, after loads only
 * Writes of a whole line never cause a prefetch.  Prefetches of the cache above are ordinary
 * accesses here, so one that misses makes this cache prefetch too.  The cache's own prefetches
 * cause no further prefetch.  A prefetch of a line that is present changes nothing.  Any other
 * prefetched line enters as the most recently used.
 *
 * A line can be there before its data: it is coming.  The caller says when it arrives
 * (cache_comes), and asks when an access has found such a line (CACHE_LATE, cache_wait).  A line
 * that its set or an L0 hit table finds fast is never one that is coming.
 *
 * The hot path is cache_read_hit and cache_write_hit: one load and one compare, without a change of
 * state.  They return true only for the line that its set used last: a hit there changes nothing
 * under any policy.  After false, call cache_rehit.  It returns true for all other hits that need
 * nothing outside of this cache.  After false again, call cache_access.  cache_l0_hit is the whole
 * hot path of an access that the L0 hit table missed.
 */
#ifndef SIM_MODEL_CACHE_H
#define SIM_MODEL_CACHE_H

#include "l0.h"
#include "prefetch.h"
#include "replace.h"

#define CACHE_LINE_MIN	 16
#define CACHE_LINE_MAX	 256
#define CACHE_SETS_MAX	 65536
#define CACHE_PAGE_BYTES 4096

enum cache_prefetch {
	CACHE_PREFETCH_NONE,
	CACHE_PREFETCH_ON_MISS,
	CACHE_PREFETCH_TAGGED,
	CACHE_PREFETCH_STREAM,
	CACHE_PREFETCH_STRIDE,
	CACHE_PREFETCHES
};

struct cache_config {
	uint32_t line; /* bytes; a power of two, 16 to 256 */
	uint32_t sets; /* a power of two */
	uint32_t ways; /* 1 to 64; 1 set: fully associative */
	uint8_t policy; /* REPLACE_ */
	uint8_t prefetch; /* CACHE_PREFETCH_ */
	bool write_through; /* then writes allocate no line, and no line is dirty */
	uint64_t seed; /* of REPLACE_RANDOM */
	struct prefetch_config ahead; /* of STREAM and STRIDE */
};

/* Bits of a line's word, below its address. */
#define CACHE_DIRTY  1ull
#define CACHE_TAGGED 2ull /* prefetched and not used since (not ON_MISS) */
#define CACHE_COMING 4ull /* its data is not there yet, or nobody has asked since it came */
#define CACHE_FLAGS  7ull
#define CACHE_FREE   UINT64_MAX

#define CACHE_WINDOW 4 /* sets whose changes are counted together */

/* The places that a line can come from: the caller numbers them from 0. */
#define CACHE_ORIGINS 3

/* Bounds of an arrival. */
#define CACHE_TIME_MAX (1ull << 62)
#define CACHE_TOOK_MAX (1u << 28)

/* When the data of a line arrives that is coming. */
struct cache_arrival {
	uint64_t at;
	uint32_t took; /* cycles from the request for the line until `at`, not 0 */
	uint8_t from; /* less than CACHE_ORIGINS */
};

/* Adjacent lines that have all hit; the hits have changed nothing. */
struct cache_span {
	uint64_t key; /* number of the first line, how many, whether for a write */
	uint64_t changes; /* cache.changes at that time */
};

#define CACHE_SPANS_BITS 6
#define CACHE_SPANS	 (1u << CACHE_SPANS_BITS)
#define CACHE_SPAN_MIN	 3 /* lines for which looking a span up is faster than looking at each */
#define CACHE_SPAN_MAX	 127

struct cache {
	uint64_t *recent; /* for each set: the word of the line used last, or CACHE_FREE */
	uint64_t changes; /* number of changes of recent and of words; only grows */
	/*
	 * For each set: the number of changes of recent in it and in the next CACHE_WINDOW - 1
	 * sets, which only grows; after them as many that are UINT64_MAX.  NULL: nobody asks.
	 */
	uint64_t *window;
	uint64_t line_mask, set_mask;
	uint32_t shift;
	uint8_t *near; /* by the low bits of line numbers: a way in which the line may be */
	uint64_t near_mask; /* of a line number: its low bits */
	uint64_t *word; /* by slot; NULL: there is no such cache */
	/*
	 * For each set: a byte of each way's line, of a part of the address in which lines of a set
	 * differ.  It tells where to look for a line without reading all words of the set.
	 */
	uint8_t *mark;
	uint32_t mark_bytes; /* of a set; a multiple of 8 */
	uint32_t mark_shift; /* where this part of the address begins */
	struct cache_arrival *arrival; /* by slot; only of lines that are coming */
	size_t free; /* slots without a line */
	struct l0 *l0; /* the L0 hit table in front of this cache, or NULL */
	uint8_t *entry; /* for each set: the entry of the table that may hold a line of this set */
	struct replace replace;
	struct prefetch ahead;
	struct cache_span span[CACHE_SPANS]; /* only if hits change nothing (replace.hits) */
	uint64_t load; /* the pc of the load that reads; PREFETCH_NO_PC: another access */
	struct cache_config config;
};

enum cache_op {
	CACHE_READ,
	CACHE_WRITE, /* of a part of the line */
	CACHE_WHOLE, /* a write of the whole line (write-back from above, cbo.zero): no prefetch */
};

/* The effects of an access. */
enum {
	CACHE_HIT = 0x01,
	CACHE_EVICTED = 0x02, /* a dirty line, to be written back: evicted */
	CACHE_DIRTIED = 0x04, /* the line was not dirty before */
	CACHE_THROUGH = 0x08, /* the write must be done by the next level as well */
	CACHE_PREFETCH = 0x10, /* line prefetched was prefetched */
	CACHE_PREFETCH_HIT = 0x20, /* that line was present */
	CACHE_PREFETCH_EVICTED = 0x40, /* the prefetch evicted a dirty line: prefetch_evicted */
	CACHE_AHEAD = 0x80, /* the caller must call cache_ahead */
	CACHE_LATE = 0x100, /* a hit, and the line is coming: see cache_wait */
};

struct cache_answer {
	unsigned bits;
	/* The slot of the line, if it is there; the slot of the line that was prefetched. */
	uint32_t slot, prefetch_slot;
	uint64_t evicted, prefetched, prefetch_evicted; /* only if their bit is set */
};

enum cache_state { CACHE_ABSENT, CACHE_CLEAN, CACHE_MODIFIED };

bool cache_check(const struct cache_config *config, struct model_error *why);
bool cache_init(struct cache *c, const struct cache_config *config);
void cache_free(struct cache *c);
void cache_reset(struct cache *c);
bool cache_save(const struct cache *c, const struct stream *s);
bool cache_restore(struct cache *c, const struct stream *s);

/*
 * An arrival in a snapshot; one of 0 took none.  cache_restore_arrival refuses one that is
 * impossible.
 */
bool cache_save_arrival(const struct cache_arrival *a, const struct stream *s);
bool cache_restore_arrival(struct cache_arrival *a, const struct stream *s);

static inline size_t cache_set(const struct cache *c, uint64_t pa)
{
	return pa >> c->shift & c->set_mask;
}

/* Puts the empty table f in front of the cache.  false: no memory. */
bool cache_l0_attach(struct cache *c, struct l0 *f);

/* Makes c->window.  first: what the counts begin with.  false: no memory. */
bool cache_window_attach(struct cache *c, uint64_t first);

/* true: a read at pa hits and changes nothing.  false: call cache_rehit or cache_access. */
static inline bool cache_read_hit(const struct cache *c, uint64_t pa)
{
	return (c->recent[cache_set(c, pa)] ^ (pa & c->line_mask)) <= CACHE_DIRTY;
}

/* true: a write at pa hits a dirty line and changes nothing. */
static inline bool cache_write_hit(const struct cache *c, uint64_t pa)
{
	return c->recent[cache_set(c, pa)] == ((pa & c->line_mask) | CACHE_DIRTY);
}

/*
 * true: the access hits and is complete; the replacement policy is updated.  false: nothing has
 * changed; call cache_access.  It misses, makes a line dirty, writes through, is the first use of a
 * prefetched line, or finds a line that is coming.
 */
bool cache_rehit(struct cache *c, uint64_t pa, bool write);

/* Tells the host that an access to the line of pa will probably follow soon. */
static inline void cache_expect(const struct cache *c, uint64_t pa)
{
	size_t set = cache_set(c, pa), first = set * c->config.ways;

	__builtin_prefetch(&c->mark[set * c->mark_bytes]);
	for (unsigned way = 0; way < c->config.ways; way += 8) {
		__builtin_prefetch(&c->word[first + way], 1);
		__builtin_prefetch(&c->replace.stamp[first + way], 1);
	}
}

/*
 * Performs an access to the line of pa.  The answer tells what the caller must do at the next
 * level: read the line after a miss (unless CACHE_THROUGH or CACHE_WHOLE), write back the evicted
 * lines, read the prefetched line.
 */
void cache_access(struct cache *c, enum cache_op op, uint64_t pa, struct cache_answer *a);

/*
 * The data of a line that cache_access or cache_ahead brought into a slot arrives as told.  Nothing
 * happens if the line is no longer in that slot, or at a time after CACHE_TIME_MAX.
 */
void cache_comes(struct cache *c, uint32_t slot, uint64_t line, struct cache_arrival arrival);

/*
 * An access at a time finds a line in a slot that is coming.  Returns the cycles that it waits for
 * it, and where the line comes from, *from.  If that is 0, the line is no longer coming.
 *
 * Harts take turns, so the time may be one before that of the request for the line.  Then it is as
 * if this access had been the one that asked for the line: the line arrives as much earlier.  So
 * nobody waits longer than the request took.
 */
uint32_t cache_wait(struct cache *c, uint32_t slot, uint64_t at, uint8_t *from);

/* The same for the line of pa; 0 if it is not there. */
uint32_t cache_wait_line(struct cache *c, uint64_t pa, uint64_t at);

/*
 * Brings in line n, from 0 on, of those that STREAM or STRIDE prefetches after an access.  Its
 * answer has the bits of a prefetch.  false: there is no such line.
 */
bool cache_ahead(struct cache *c, unsigned n, struct cache_answer *a);

/*
 * Enters va, which translates to pa, into the L0 hit table, if there is one and its condition
 * holds.
 */
void cache_l0_enter(struct cache *c, uint64_t va, uint64_t pa, uint64_t addend, bool write);

/* The part of cache_l0_enter after its conditions.  c->entry[set] is of the set of pa. */
static inline void cache_l0_put(struct cache *c, size_t set, uint64_t va, uint64_t addend,
				bool write)
{
	if (c->entry[set] != l0_at(va))
		l0_spoil(c->l0, c->entry[set]);
	c->entry[set] = l0_at(va);
	l0_put(c->l0, va, addend, write);
}

/* recent of a set has changed. */
static inline void cache_window_changed(struct cache *c, size_t set)
{
	for (unsigned n = 0; n < CACHE_WINDOW; n++)
		c->window[(set - n) & c->set_mask]++;
}

/* Records that the line of this word is the one that its set used last. */
static inline void cache_used_last(struct cache *c, size_t set, uint64_t word)
{
	c->recent[set] = word;
	c->changes++;
	if (c->l0)
		l0_spoil(c->l0, c->entry[set]);
	else if (c->window)
		cache_window_changed(c, set);
}

/* A place where the line of pa is, if it is in the cache and was found there before. */
static inline uint64_t *cache_near(const struct cache *c, uint64_t pa)
{
	return &c->word[cache_set(c, pa) * c->config.ways + c->near[pa >> c->shift & c->near_mask]];
}

/*
 * true: as cache_read_hit, cache_write_hit or cache_rehit.  false: nothing has changed, and these
 * must be called.
 */
static inline __attribute__((always_inline)) bool cache_near_hit(struct cache *c, uint64_t pa,
								 bool write)
{
	uint64_t *word = cache_near(c, pa), line = pa & c->line_mask;
	size_t set = cache_set(c, pa);

	if (write ? *word != (line | CACHE_DIRTY) : (*word ^ line) > CACHE_DIRTY)
		return false;
	if (c->recent[set] != *word) {
		replace_hit(&c->replace, word - c->word);
		cache_used_last(c, set, *word);
	}
	return true;
}

/* Checks nr lines from `number` on, stops at the first false; returns the number of true ones. */
static inline unsigned cache_near_lines(struct cache *c, uint64_t number, unsigned nr, bool write)
{
	uint64_t *const word = c->word;
	const uint64_t near_mask = c->near_mask, set_mask = c->set_mask;
	const uint64_t flags = write ? 0 : CACHE_DIRTY, dirty = write ? CACHE_DIRTY : 0;
	const unsigned ways = c->config.ways, shift = c->shift;
	const uint8_t *const near = c->near;
	const bool hits = c->replace.hits;
	unsigned n;

	for (n = 0; n < nr; n++, number++) {
		size_t set = number & set_mask, slot = set * ways + near[number & near_mask];
		uint64_t is = word[slot];

		if ((is ^ (number << shift | dirty)) > flags)
			break;
		if (!hits || c->recent[set] == is)
			continue;
		replace_use(&c->replace, slot);
		cache_used_last(c, set, is);
	}
	return n;
}

/*
 * The same from pa on.  Where hits change nothing, recent and the L0 hit table keep what they have:
 * a hit there still changes nothing.
 */
static inline unsigned cache_near_hits(struct cache *c, uint64_t pa, unsigned nr, bool write)
{
	uint64_t number = pa >> c->shift, key = number << 8 | nr << 1 | write;
	struct cache_span *s = &c->span[key * 0x9e3779b97f4a7c15 >> (64 - CACHE_SPANS_BITS)];
	unsigned n;

	if (nr < CACHE_SPAN_MIN || nr > CACHE_SPAN_MAX || c->replace.hits)
		return cache_near_lines(c, number, nr, write);
	if (s->key == key && s->changes == c->changes)
		return nr;
	n = cache_near_lines(c, number, nr, write);
	if (n == nr)
		*s = (struct cache_span){ key, c->changes };
	return n;
}

/*
 * As cache_near_hit, and then cache_l0_enter: the whole of an access that the L0 hit table missed.
 * Where there is a table, lines have L0_LINE bytes.
 */
static inline __attribute__((always_inline)) bool
cache_l0_hit(struct cache *c, uint64_t va, uint64_t pa, uint64_t addend, bool write)
{
	uint64_t number = pa / L0_LINE, line = number * L0_LINE, is;
	size_t set = number & c->set_mask, slot;

	if (!c->l0)
		return false;
	slot = set * c->config.ways + c->near[number & c->near_mask];
	is = c->word[slot];
	if (write ? is != (line | CACHE_DIRTY) : (is ^ line) > CACHE_DIRTY)
		return false;
	if (c->recent[set] != is) {
		replace_hit(&c->replace, slot);
		cache_used_last(c, set, is);
		c->entry[set] = l0_at(va);
		l0_put(c->l0, va, addend, write);
		return true;
	}
	cache_l0_put(c, set, va, addend, write);
	return true;
}

/*
 * cache_find returns the state of the line of pa.  The other two clean or drop the line, and return
 * its state before that.
 */
enum cache_state cache_find(const struct cache *c, uint64_t pa);
enum cache_state cache_clean(struct cache *c, uint64_t pa);
enum cache_state cache_invalidate(struct cache *c, uint64_t pa);

/* Drops all lines, dirty ones too (fence.i).  The replacement policy keeps its state. */
void cache_invalidate_all(struct cache *c);

#endif
