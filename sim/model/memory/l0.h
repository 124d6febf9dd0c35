/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * l0.h - the L0 hit table, a table in front of a cache.  It holds virtual addresses.  The line
 * of each entry is the one that its set used last, so that another hit changes nothing in the cache
 * (cache_read_hit, cache_write_hit).
 *
 * The engine enters an address after an access, and drops entries whose translation is no longer
 * valid.  The cache invalidates an entry when the set uses another line, or when the state of the
 * line changes.  For that each set knows the one entry that may hold a line of it.
 *
 * The table works for lines of L0_LINE bytes.  In front of a cache with other lines it stays
 * empty.
 */
#ifndef SIM_MODEL_L0_H
#define SIM_MODEL_L0_H

#include <stdbool.h>
#include <stdint.h>

#define L0_LINE 64
#define L0_NR	256 /* entries: by the number of the line */
#define L0_PAGE (4096 / L0_LINE) /* the entries of one page are adjacent */
#define L0_BAD	8 /* a tag that no access has, see l0_tag */

struct l0 {
	uint64_t read[L0_NR], write[L0_NR]; /* tags */
	uint64_t addend[L0_NR]; /* host address minus virtual address */
};

static inline unsigned l0_at(uint64_t va)
{
	return va / L0_LINE % L0_NR;
}

/*
 * Returns the tag that an access of bytes (1 to 8) at va must match.  A misaligned access matches
 * none.
 */
static inline uint64_t l0_tag(uint64_t va, unsigned bytes)
{
	return va & (~(L0_LINE - 1ull) | (bytes - 1));
}

static inline void l0_spoil(struct l0 *f, unsigned at)
{
	f->read[at] = f->write[at] = L0_BAD;
}

/* Enters a line, for reads or for writes, and invalidates another one in its place. */
static inline void l0_put(struct l0 *f, uint64_t va, uint64_t addend, bool write)
{
	uint64_t tag = l0_tag(va, 1), *same = write ? f->write : f->read;
	uint64_t *other = write ? f->read : f->write;
	unsigned at = l0_at(va);

	if (other[at] != tag)
		other[at] = L0_BAD;
	same[at] = tag;
	f->addend[at] = addend;
}

static inline void l0_drop(struct l0 *f, unsigned first, unsigned nr)
{
	for (unsigned at = first; at < first + nr; at++)
		l0_spoil(f, at);
}

static inline void l0_drop_page(struct l0 *f, uint64_t va)
{
	l0_drop(f, l0_at(va) / L0_PAGE * L0_PAGE, L0_PAGE);
}

static inline void l0_clear(struct l0 *f)
{
	l0_drop(f, 0, L0_NR);
}

#endif
