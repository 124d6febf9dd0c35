/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hierarchy.h - the cache hierarchy: L1I, L1D and an optional private L2 for each hart, an optional
 * last level (LL) that all harts share, and the bus.  hierarchy.c and hierarchy_state.c define its
 * functions.
 *
 * One call answers one access at a time of its hart.  The answer has everything that happened
 * because of it in any cache, the cycles until its data is there, and the level where its line
 * was.  Which of these cycles the hart waits for is not decided here (waits.h).  The model counts
 * nothing: its caller turns the answer into events.  All events of an answer belong to the hart and
 * mode that made the access, even those in other harts' caches.
 *
 * The rules, where hardware differs:
 *  - All caches have the same line size.  Levels are neither inclusive nor exclusive: a line that
 *    leaves an outer cache stays in the inner ones.
 *  - The order after a demand miss: read the line from the next level, write back the dirty line
 *    that it evicted, prefetch, write back the dirty line that the prefetch evicted.  Nobody waits
 *    for a write-back.  A prefetch begins when the request that caused it does.
 *  - A line that a level reads is coming until its data arrives.  An access that finds it is a hit.
 *    It waits for the data of the line, if that arrives later than its own would.  A write-back
 *    into a line waits for nothing.  Nor does an access that only invalidates a line which is not
 *    dirty.
 *  - A miss of a load, store, atomic or walk in L1D begins when fewer than `misses` of them are
 *    outstanding.  Fetches and prefetches do not count.  One that has come counts for fill_cycles
 *    more.
 *  - L2, the last level and memory have a bandwidth: each line, or part of one, that such a level
 *    delivers or takes occupies it for some cycles.  A request that comes to a level waits for its
 *    service there (ledger.h), then in the next one.  Its data arrives after these waits and the
 *    latency of the level where it is found.  Write-backs, prefetches and snooped lines are served,
 *    too.  A cache may have several banks, which serve requests independently; consecutive lines
 *    belong to consecutive banks.
 *  - DRAM has banks, each with the row that was read last.  A line of that row comes sooner.  Only
 *    reads of lines open rows: a controller writes when it has several lines to write.
 *  - A stream of stores writes line after line.  After its first `write_stream` lines, the others
 *    are not read, as if they were written whole.  Such a store waits until what it has evicted has
 *    been served: this is what holds up a long fill.
 *  - A write-back of a whole line to a cache that lacks it allocates the line, without a read.
 *  - A line that is dirty in an L1D or L2 is in no L1D or L2 of another hart.  A read that leaves a
 *    hart's own caches cleans the line where it is dirty.  A write to a line that is not dirty
 *    invalidates it in the L1D and L2 of the other harts.  L1Is are not coherent: fence.i
 *    invalidates the L1I of its hart.
 *  - An atomic is a write that waits for its line.  That holds for a write-through L1D too, which
 *    then allocates the line.
 *  - A page walk reads through the L1D of its hart.
 *  - An L1D that prefetches by stride knows a load by the physical address of its instruction.
 *  - DMA does not affect the caches.
 */
#ifndef SIM_MODEL_HIERARCHY_H
#define SIM_MODEL_HIERARCHY_H

#include "cache.h"
#include "ledger.h"

#define HIERARCHY_MISSES_MAX	  32
#define HIERARCHY_FILL_CYCLES_MAX 1000
#define HIERARCHY_LINE_CYCLES_MAX 4096
#define HIERARCHY_BANKS_MAX	  8
#define HIERARCHY_STREAM_MAX	  64
#define HIERARCHY_ROW_BYTES_MAX	  (1u << 20)
#define HIERARCHY_ROW_BANKS_MAX	  64

struct hierarchy_config {
	struct cache_config l1i, l1d; /* each prefetches into itself */
	struct cache_config l2, ll; /* sets 0: there is none */

	/* Cycles from a miss in L1 until the data arrives, by the place where it was found. */
	uint32_t l2_cycles, ll_cycles, bus_cycles;
	uint32_t snoop_cycles; /* added if another hart's cache had to give up the line */
	uint32_t uncached_cycles; /* an access past all caches */
	uint32_t cbo_bytes; /* the block of cbo.*, a power of two, 16 to 256 */

	/* Lines that L1D can wait for at a time, for loads, stores and atomics; 0: any number. */
	uint32_t misses;
	uint32_t fill_cycles; /* for which it waits for a line that has come: 0 to 1000 */
	/* Lines of a stream of stores that are read before the others are not; 0: all are read. */
	uint32_t write_stream;
	/* Cycles for which a line occupies a bank of L2 or the last level, memory; 0: none. */
	uint32_t l2_line_cycles, ll_line_cycles, bus_line_cycles;
	uint32_t l2_banks, ll_banks; /* a power of two, 1 to 8; 0: as 1 */
	/*
	 * DRAM: a line whose row is open comes after row_hit_cycles in place of bus_cycles.  Bytes
	 * of a row, from those of a line to HIERARCHY_ROW_BYTES_MAX; 0: there are no rows.  Banks,
	 * 1 to HIERARCHY_ROW_BANKS_MAX.  The bytes after which the next bank follows: from those of
	 * a line to those of a row.  All three are powers of two.
	 */
	uint32_t row_hit_cycles, row_bytes, row_banks, row_interleave;
	/* The most cycles that a hart runs before another does; 0: as 1.  One hart: not used. */
	uint32_t turn;
};

/* The events.  READ and READ_MISS of an L1I are fetches. */
enum hierarchy_event {
	HIERARCHY_L1I_READ,
	HIERARCHY_L1I_READ_MISS,
	HIERARCHY_L1I_PREFETCH,
	HIERARCHY_L1I_PREFETCH_MISS,
	/* For each of the next caches: accesses and misses of each kind. */
	HIERARCHY_L1D_READ,
	HIERARCHY_L1D_READ_MISS,
	HIERARCHY_L1D_WRITE,
	HIERARCHY_L1D_WRITE_MISS,
	HIERARCHY_L1D_PREFETCH,
	HIERARCHY_L1D_PREFETCH_MISS,
	HIERARCHY_L1D_WALK, /* a page-table entry */
	HIERARCHY_L1D_WALK_MISS,
	HIERARCHY_L1D_WRITEBACK, /* dirty lines that were written back */
	HIERARCHY_L2_READ, /* for a read, fetch or walk */
	HIERARCHY_L2_READ_MISS,
	HIERARCHY_L2_WRITE, /* for a write: a missing line, or a written-through part */
	HIERARCHY_L2_WRITE_MISS,
	HIERARCHY_L2_PREFETCH, /* L1's prefetches and its own */
	HIERARCHY_L2_PREFETCH_MISS,
	HIERARCHY_L2_UPDATE, /* write-backs it received */
	HIERARCHY_L2_UPDATE_MISS,
	HIERARCHY_L2_WRITEBACK,
	HIERARCHY_LL_READ,
	HIERARCHY_LL_READ_MISS,
	HIERARCHY_LL_WRITE,
	HIERARCHY_LL_WRITE_MISS,
	HIERARCHY_LL_PREFETCH,
	HIERARCHY_LL_PREFETCH_MISS,
	HIERARCHY_LL_UPDATE,
	HIERARCHY_LL_UPDATE_MISS,
	HIERARCHY_LL_WRITEBACK,
	HIERARCHY_BUS_READ, /* beyond the last level: lines on demand, uncached reads and fetches */
	HIERARCHY_BUS_WRITE, /* write-backs, written-through parts, uncached writes */
	HIERARCHY_BUS_PREFETCH, /* lines for prefetches */
	HIERARCHY_UNCACHED_FETCH,
	HIERARCHY_UNCACHED_READ,
	HIERARCHY_UNCACHED_WRITE,
	HIERARCHY_SNOOP_INVALIDATE, /* other harts that lost a line */
	HIERARCHY_SNOOP_WRITEBACK, /* a line that was dirty in another hart went down */
	HIERARCHY_EVENTS
};

/*
 * L1 accesses by instructions.  An engine that computes these from the code must not add them
 * again.
 */
#define HIERARCHY_L1_ACCESSES                                                                      \
	(1ull << HIERARCHY_L1I_READ | 1ull << HIERARCHY_L1D_READ | 1ull << HIERARCHY_L1D_WRITE)

/* Where a line was found. */
enum hierarchy_place {
	HIERARCHY_FROM_L2,
	HIERARCHY_FROM_LL,
	HIERARCHY_FROM_MEMORY,
	HIERARCHY_PLACES
};
_Static_assert(HIERARCHY_PLACES == CACHE_ORIGINS, "a cache remembers the place");

struct hierarchy_answer {
	uint64_t what; /* bit HIERARCHY_x: x happened */
	uint32_t cycles; /* from the time of the access until the data is there, beyond an L1 hit */
	uint8_t from; /* if cycles is not 0: enum hierarchy_place */
	/*
	 * The line is coming, and is dirty: an earlier write of the hart waits for it.  A core with
	 * a store buffer gives a read the data of that write, and puts a write after it.
	 */
	bool written;
	uint8_t count[HIERARCHY_EVENTS]; /* how often; only where the bit is set */
};

enum hierarchy_kind {
	HIERARCHY_FETCH,
	HIERARCHY_READ, /* loads, lr */
	HIERARCHY_WRITE, /* stores, sc */
	HIERARCHY_ATOMIC,
	HIERARCHY_WALK,
	HIERARCHY_FETCH_UNCACHED,
	HIERARCHY_READ_UNCACHED,
	HIERARCHY_WRITE_UNCACHED, /* atomics, too */
	HIERARCHY_KINDS
};

enum hierarchy_cbo {
	HIERARCHY_CBO_INVAL,
	HIERARCHY_CBO_CLEAN,
	HIERARCHY_CBO_FLUSH,
	HIERARCHY_CBO_ZERO
};

/* The stores that missed in L1D last. */
struct hierarchy_stream {
	uint64_t line; /* the line of the last store */
	uint8_t run; /* how many stores so far continue the stream; at most write_stream */
	int8_t step; /* lines from one to the next: 1, -1; 0: the last one began no stream */
};

/* The private caches of a hart, to which its engine keeps a pointer. */
struct hierarchy_hart {
	struct cache l1d, l1i, l2;
	uint64_t pc; /* the address of the load, before hierarchy_access for HIERARCHY_READ */
	struct cache_arrival miss[HIERARCHY_MISSES_MAX]; /* lines that L1D waits or waited for */
	struct hierarchy_stream stream;
	struct ledger l2_port[HIERARCHY_BANKS_MAX];
};

/*
 * Who wants to know where lines go, beyond what the answers say.  hierarchy_access and
 * hierarchy_cbo call these functions while they work.  line: its physical address.
 */
struct hierarchy_watch {
	void *arg;
	/* Another hart's caches have lost the line to this access (dropped), or cleaned it. */
	void (*taken)(void *arg, unsigned from, uint64_t line, bool dropped);
	/* The line is written back: one more event of this kind. */
	void (*written_back)(void *arg, enum hierarchy_event event, uint64_t line);
	/* The access makes its line dirty or writes it through, and no other hart has it now. */
	void (*dirties)(void *arg);
};

struct hierarchy {
	const struct hierarchy_watch *watch; /* or NULL */
	struct hierarchy_hart *hart;
	struct cache ll;
	/* With no window: no bandwidth is given, or there is no such bank. */
	struct ledger ll_port[HIERARCHY_BANKS_MAX], bus_port;
	/* The open row of each bank of DRAM, its number plus 1; 0: none. */
	uint64_t open_row[HIERARCHY_ROW_BANKS_MAX];
	unsigned harts;
	struct hierarchy_config config;
};

/* why->part names the faulty cache by its member name. */
bool hierarchy_check(const struct hierarchy_config *config, struct model_error *why);
bool hierarchy_init(struct hierarchy *m, const struct hierarchy_config *config, unsigned harts);
void hierarchy_free(struct hierarchy *m);
void hierarchy_reset(struct hierarchy *m);
bool hierarchy_save(const struct hierarchy *m, const struct stream *s);
bool hierarchy_restore(struct hierarchy *m, const struct stream *s);

/*
 * The hot path.  true: the access hits in L1, takes no extra time, and has no other effect.  false:
 * nothing has happened yet; call hierarchy_access.  The line that its set used last is checked
 * inline, other lines by a short call.  An access must not cross a line.  The engine checks one
 * instruction fetch for each line: whenever the pc enters another line, in sequence or by a jump.
 * Atomics are writes here.
 */
static inline bool hierarchy_fetch_hit(struct hierarchy_hart *m, uint64_t pa)
{
	return __builtin_expect(cache_read_hit(&m->l1i, pa), 1) || cache_rehit(&m->l1i, pa, false);
}

static inline bool hierarchy_read_hit(struct hierarchy_hart *m, uint64_t pa)
{
	return __builtin_expect(cache_read_hit(&m->l1d, pa), 1) || cache_rehit(&m->l1d, pa, false);
}

static inline bool hierarchy_write_hit(struct hierarchy_hart *m, uint64_t pa)
{
	return __builtin_expect(cache_write_hit(&m->l1d, pa), 1) || cache_rehit(&m->l1d, pa, true);
}

/* Performs an access of hart at pa, within one line, at the time `at` (cycles of the hart). */
void hierarchy_access(struct hierarchy *m, unsigned hart, enum hierarchy_kind kind, uint64_t pa,
		      uint64_t at, struct hierarchy_answer *a);

/*
 * Performs cbo.* on the block that contains pa, at the time `at`.  clean and flush write back lines
 * that are dirty in any cache; inval discards them.  zero writes whole lines in L1D.
 */
void hierarchy_cbo(struct hierarchy *m, unsigned hart, enum hierarchy_cbo op, uint64_t pa,
		   uint64_t at, struct hierarchy_answer *a);

/* fence.i: invalidates the hart's L1I. */
void hierarchy_fence_i(struct hierarchy *m, unsigned hart);

#endif
