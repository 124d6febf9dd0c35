// SPDX-License-Identifier: BSD-2-Clause
/*
 * ring.c - records out of a perf ring (perf_event_open(2), "MMAP layout").  Pure: the caller has
 * read head with the barrier that this takes, and publishes tail.
 *
 * The kernel writes the ring, but who can write the memory can write anything: sizes are
 * checked, and the records are copied before anybody looks into them.
 */
#include <string.h>

#include "internal.h"

static void copy(const struct lpmc_ring *r, uint64_t at, void *to, size_t size)
{
	size_t start = at & (r->size - 1);
	size_t first = size < r->size - start ? size : r->size - start;

	memcpy(to, r->data + start, first);
	memcpy((char *)to + first, r->data, size - first);
}

static int broken(struct lpmc_ring *r)
{
	r->tail = r->head;
	return -1;
}

int lpmc_ring_next(struct lpmc_ring *r, void *buf, size_t size)
{
	uint64_t there = r->head - r->tail;
	struct perf_event_header header;

	if (there == 0)
		return 0;
	if (there < sizeof(header) || there > r->size)
		return broken(r);
	copy(r, r->tail, &header, sizeof(header));
	if (header.size < sizeof(header) || header.size % 8 || header.size > there ||
	    header.size > size)
		return broken(r);
	copy(r, r->tail, buf, header.size);
	memcpy(buf, &header, sizeof(header)); /* the one that was checked */
	r->tail += header.size;
	return header.size;
}
