// SPDX-License-Identifier: BSD-2-Clause
/*
 * ring.c - reads records from a perf ring (perf_event_open(2), "MMAP layout").  Pure: the caller
 * reads head and writes tail, with the barriers that they need.
 *
 * The kernel writes the ring, but the program can write that memory, too.  So sizes are checked,
 * and a record is copied before it is parsed.
 */
#include <string.h>

#include "record.h"

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
	memcpy(buf, &header, sizeof(header)); /* the header that was checked */
	r->tail += header.size;
	return header.size;
}
