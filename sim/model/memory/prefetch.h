/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * prefetch.h - prefetchers that learn: which lines of a cache a program will read next.
 *
 * They learn from triggers: accesses that brought their line into the cache, and first uses of a
 * prefetched line.  Other hits teach them nothing, so that a hit needs no call.  Each trigger
 * belongs to an entry of a table.  A region is an aligned piece of physical memory, of one page of
 * 4 KiB or a few:
 *
 *	stream	the entry of the trigger's region.  If there is none, the region replaces that
 *		of the entry that was used longest ago.  The step is one line, up or down.
 *	stride	the entry of the load: (pc / 2) % entries.  Another load replaces it.  The step is
 *		the difference of two addresses, at least one line.  Only loads are triggers.
 *
 * An entry remembers its last trigger, the step, a confidence of 0 to 3 and how many steps ahead of
 * the last trigger it has prefetched.  A new entry has no step, and confidence 0.  Then
 *  - a trigger at the same address (stream: line) as the last one changes nothing;
 *  - a trigger of a stride in another region than the last one moves the entry there.  The entry
 *    is no longer ahead, and prefetches as after a trigger that confirms its step;
 *  - a trigger confirms the step.  Stream: it is in the direction of the step.  Stride: it is in
 *    the line that is one step from the last trigger.  The confidence grows.  The entry is that
 *    many lines (stride: one step) less far ahead;
 *  - any other trigger does not confirm it.  The entry is no longer ahead.  A stream takes the new
 *    direction, with confidence 1.  A stride loses 1 of its confidence; at 0 it takes the new step,
 *    with confidence 1, or no step if the new one is a page or more.
 *
 * After a trigger that confirms a step with confidence 2 or 3, the entry prefetches the lines of
 * the next steps: at most degree lines, at most distance steps ahead, and none outside of the
 * region of the trigger.
 */
#ifndef SIM_MODEL_PREFETCH_H
#define SIM_MODEL_PREFETCH_H

#include "model.h"

#define PREFETCH_PAGE	      4096
#define PREFETCH_ENTRIES_MAX  64
#define PREFETCH_DEGREE_MAX   4
#define PREFETCH_DISTANCE_MAX 64
#define PREFETCH_PAGES_MAX    16
#define PREFETCH_NO_PC	      UINT64_MAX

struct prefetch_config {
	uint32_t entries; /* a power of two, 1 to 64 */
	uint32_t degree; /* 1 to 4 */
	uint32_t distance; /* 1 to 64 */
	uint32_t pages; /* of a region: a power of two, 1 to 16 */
};

struct prefetch_entry {
	uint64_t key; /* the region, or the pc; PREFETCH_NO_PC: free */
	uint64_t last; /* address of the last trigger */
	int32_t step; /* bytes; 0: none */
	uint8_t confidence, ahead;
};

struct prefetch {
	struct prefetch_entry entry[PREFETCH_ENTRIES_MAX];
	uint32_t first; /* stream: entry[] is a ring in order of use; the most recent one's index */
	uint64_t target[PREFETCH_DEGREE_MAX]; /* lines to prefetch for the last trigger */
	unsigned nr;
	uint32_t line; /* bytes */
	bool stride;
	struct prefetch_config config;
};

bool prefetch_check(const struct prefetch_config *config, struct model_error *why);

/* line: the line size of the cache.  stride: the kind. */
void prefetch_init(struct prefetch *p, const struct prefetch_config *config, uint32_t line,
		   bool stride);
void prefetch_reset(struct prefetch *p);
bool prefetch_save(const struct prefetch *p, const struct stream *s);
bool prefetch_restore(struct prefetch *p, const struct stream *s);

/*
 * A trigger at pa.  pc: of the load, for a stride; PREFETCH_NO_PC: not a load, nothing happens.
 * The lines to prefetch are in target, in order.
 */
void prefetch_stream(struct prefetch *p, uint64_t pa);
void prefetch_stride(struct prefetch *p, uint64_t pc, uint64_t pa);

#endif
