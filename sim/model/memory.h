/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memory.h - the caches between harts and memory: per hart L1I, L1D and, if there is one, a
 * private L2; one last level (LL) that all share, if there is one; the bus.
 *
 * One call answers one access: everything that happened anywhere because of it, and how long the
 * hart that made it has to wait.  The answer is for one place to turn into events; this counts
 * nothing.  How that place should see it: everything in the answer belongs to the hart and the
 * mode that made the access, what it did in other harts' caches, too.
 *
 * The rules, chosen where hardware differs:
 *  - All caches have one line size.  Levels neither include nor exclude each other: a line that
 *    leaves an outer cache stays in the inner ones.
 *  - A demand miss asks the next level; then the dirty line that it drove out goes down, then the
 *    prefetch is made, then its dirty line goes down.  Only the demand miss takes time: write-backs
 *    and prefetches are done at once and for nothing.
 *  - A write-back of a whole line into a cache that lacks it takes a place there, without a read.
 *  - A line that is dirty in an L1D or L2 is in no other hart's.  A read that leaves a hart's own
 *    caches makes it clean where it is dirty; a write to a line that is not dirty drops it from
 *    the other harts' L1D and L2.  L1Is are not looked at: fence.i empties its hart's.
 *  - An atomic is a write that has to wait for its line, also with a write-through L1D, which then
 *    brings the line in.
 *  - A page walk reads through its hart's L1D.
 *  - DMA is not seen: no line is lost by it.
 */
#ifndef SIM_MODEL_MEMORY_H
#define SIM_MODEL_MEMORY_H

#include "cache.h"

struct memory_config {
	struct cache_config l1i, l1d; /* prefetch: into themselves */
	struct cache_config l2, ll; /* sets 0: there is none */

	/* Cycles from a miss in L1 until the data is there, by where it was found. */
	uint32_t l2_cycles, ll_cycles, bus_cycles;
	uint32_t snoop_cycles; /* more, if another hart's cache had to give it up */
	uint32_t uncached_cycles; /* an access past all caches */
	uint32_t cbo_bytes; /* the block of cbo.*, a power of two, 16 to 256 */
};

/* What can happen.  READ and MISS of an L1I are fetches. */
enum memory_event {
	MEMORY_L1I_READ,
	MEMORY_L1I_READ_MISS,
	MEMORY_L1I_PREFETCH,
	MEMORY_L1I_PREFETCH_MISS,
	/* Of each of the following, the order is: of each kind the accesses, the misses. */
	MEMORY_L1D_READ,
	MEMORY_L1D_READ_MISS,
	MEMORY_L1D_WRITE,
	MEMORY_L1D_WRITE_MISS,
	MEMORY_L1D_PREFETCH,
	MEMORY_L1D_PREFETCH_MISS,
	MEMORY_L1D_WALK, /* a page-table entry */
	MEMORY_L1D_WALK_MISS,
	MEMORY_L1D_WRITEBACK, /* dirty lines that left downwards, or were made clean */
	MEMORY_L2_READ, /* for a read, fetch or walk */
	MEMORY_L2_READ_MISS,
	MEMORY_L2_WRITE, /* for a write: the line it misses, or a written-through part */
	MEMORY_L2_WRITE_MISS,
	MEMORY_L2_PREFETCH, /* L1's prefetches and its own */
	MEMORY_L2_PREFETCH_MISS,
	MEMORY_L2_UPDATE, /* write-backs it received */
	MEMORY_L2_UPDATE_MISS,
	MEMORY_L2_WRITEBACK,
	MEMORY_LL_READ,
	MEMORY_LL_READ_MISS,
	MEMORY_LL_WRITE,
	MEMORY_LL_WRITE_MISS,
	MEMORY_LL_PREFETCH,
	MEMORY_LL_PREFETCH_MISS,
	MEMORY_LL_UPDATE,
	MEMORY_LL_UPDATE_MISS,
	MEMORY_LL_WRITEBACK,
	MEMORY_BUS_READ, /* beyond the last level: lines on demand, uncached reads and fetches */
	MEMORY_BUS_WRITE, /* write-backs, written-through parts, uncached writes */
	MEMORY_BUS_PREFETCH, /* lines for prefetches */
	MEMORY_UNCACHED_FETCH,
	MEMORY_UNCACHED_READ,
	MEMORY_UNCACHED_WRITE,
	MEMORY_SNOOP_INVALIDATE, /* other harts that lost a line */
	MEMORY_SNOOP_WRITEBACK, /* a line that was dirty in another hart went down */
	MEMORY_EVENTS
};

/* Accesses of L1s by instructions: an engine that sums these up from code must not add them again. */
#define MEMORY_L1_ACCESSES                                                                         \
	(1ull << MEMORY_L1I_READ | 1ull << MEMORY_L1D_READ | 1ull << MEMORY_L1D_WRITE)

struct memory_answer {
	uint64_t what; /* bit MEMORY_: happened */
	uint32_t cycles; /* that the access took, beyond a hit in L1 */
	uint8_t count[MEMORY_EVENTS]; /* how often; only where the bit is set */
};

enum memory_kind {
	MEMORY_FETCH,
	MEMORY_READ, /* loads, lr */
	MEMORY_WRITE, /* stores, sc */
	MEMORY_ATOMIC,
	MEMORY_WALK,
	MEMORY_FETCH_UNCACHED,
	MEMORY_READ_UNCACHED,
	MEMORY_WRITE_UNCACHED, /* atomics, too */
	MEMORY_KINDS
};

enum memory_cbo { MEMORY_CBO_INVAL, MEMORY_CBO_CLEAN, MEMORY_CBO_FLUSH, MEMORY_CBO_ZERO };

/* What a hart's engine holds on to. */
struct memory_hart {
	struct cache l1d, l1i, l2;
};

struct memory {
	struct memory_hart *hart;
	struct cache ll;
	unsigned harts;
	struct memory_config config;
};

/* why->part is the member, for what is wrong in one of the caches. */
bool memory_check(const struct memory_config *config, struct model_why *why);
bool memory_init(struct memory *m, const struct memory_config *config, unsigned harts);
void memory_free(struct memory *m);
uint64_t memory_bytes(const struct memory *m); /* of host memory, beside *m */
void memory_reset(struct memory *m);
bool memory_save(const struct memory *m, const struct stream *s);
bool memory_restore(struct memory *m, const struct stream *s);

/*
 * The hot path.  True: the access hits in L1, takes no more time, and nothing else happened; false:
 * nothing has happened yet, call memory_access.  Inline for the line used last in its set, a short
 * call for the others.  An access must lie in one line, and one instruction fetch is one line's:
 * ask when the pc comes to another line, by going on or by a jump.  Atomics are writes here.
 */
static inline bool memory_fetch_hit(struct memory_hart *m, uint64_t pa)
{
	return __builtin_expect(cache_read_hit(&m->l1i, pa), 1) || cache_rehit(&m->l1i, pa, false);
}

static inline bool memory_read_hit(struct memory_hart *m, uint64_t pa)
{
	return __builtin_expect(cache_read_hit(&m->l1d, pa), 1) || cache_rehit(&m->l1d, pa, false);
}

static inline bool memory_write_hit(struct memory_hart *m, uint64_t pa)
{
	return __builtin_expect(cache_write_hit(&m->l1d, pa), 1) || cache_rehit(&m->l1d, pa, true);
}

/* An access of hart at pa within one line. */
void memory_access(struct memory *m, unsigned hart, enum memory_kind kind, uint64_t pa,
		   struct memory_answer *a);

/*
 * cbo.*, on the block around pa.  Lines that are dirty anywhere go to memory (clean, flush) or
 * are lost (inval); zero is a write of whole lines in L1D.
 */
void memory_cbo(struct memory *m, unsigned hart, enum memory_cbo op, uint64_t pa,
		struct memory_answer *a);

/* fence.i: the hart's L1I forgets everything. */
void memory_fence_i(struct memory *m, unsigned hart);

#endif
