/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * filter.h - a table in front of a cache, for whoever asks it all the time: addresses of the asker's
 * own kind (virtual ones) whose line is the one that its set used last, so that the cache would
 * say that nothing changes (cache_read_hit, cache_write_hit).
 *
 * The asker enters what it has just seen, and drops what its addresses do not mean any more.  The
 * cache spoils an entry when its set has used another line, or this one is in another state; for
 * that each set knows the one entry that there may be of it.
 *
 * It takes lines of FILTER_LINE bytes; in front of a cache with others it stays empty.
 */
#ifndef SIM_MODEL_FILTER_H
#define SIM_MODEL_FILTER_H

#include <stdint.h>

#define FILTER_LINE 64
#define FILTER_NR   256 /* entries: by the number of the line */
#define FILTER_PAGE (4096 / FILTER_LINE) /* entries of one page stand together */
#define FILTER_BAD  8 /* what no address of an access within a line is, see filter_tag */

struct filter {
	uint64_t read[FILTER_NR], write[FILTER_NR]; /* tags */
	uint64_t addend[FILTER_NR]; /* the host's address less this one */
};

static inline unsigned filter_at(uint64_t va)
{
	return va / FILTER_LINE % FILTER_NR;
}

/* What the tag of an access of bytes (1 to 8) at va must be; of one across its alignment, none is. */
static inline uint64_t filter_tag(uint64_t va, unsigned bytes)
{
	return va & (~(FILTER_LINE - 1ull) | (bytes - 1));
}

static inline void filter_spoil(struct filter *f, unsigned at)
{
	f->read[at] = f->write[at] = FILTER_BAD;
}

static inline void filter_drop(struct filter *f, unsigned first, unsigned nr)
{
	for (unsigned at = first; at < first + nr; at++)
		filter_spoil(f, at);
}

static inline void filter_drop_page(struct filter *f, uint64_t va)
{
	filter_drop(f, filter_at(va) / FILTER_PAGE * FILTER_PAGE, FILTER_PAGE);
}

static inline void filter_clear(struct filter *f)
{
	filter_drop(f, 0, FILTER_NR);
}

#endif
