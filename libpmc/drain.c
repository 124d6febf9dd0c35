// SPDX-License-Identifier: BSD-2-Clause
/*
 * drain.c - the records of all rings into the log, in the order of their times.
 *
 * Each CPU has rings of its own, so that a sample can be read before the mapping that it lies
 * in.  A pass collects all rings, sorts, and passes on what is not younger than its own start;
 * whatever the kernel has written before that is in the rings by then.  The rest waits.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "internal.h"

/* Room for one more record, of any size; NULL: there is none. */
static struct lpmc_pending *room(void)
{
	struct lpmc_pending *list;
	uint8_t *arena;

	if (lpmc.arena_max - lpmc.arena_fill < LPMC_RECORD_MAX) {
		size_t max = lpmc.arena_max * 2 + LPMC_RECORD_MAX * 4;

		arena = max > UINT32_MAX ? NULL : realloc(lpmc.arena, max);
		if (!arena)
			return NULL;
		lpmc.arena = arena;
		lpmc.arena_max = max;
	}
	if (lpmc.nr_pending == lpmc.max_pending) {
		unsigned max = lpmc.max_pending * 2 + 256;

		list = realloc(lpmc.pending, max * sizeof(*list));
		if (!list)
			return NULL;
		lpmc.pending = list;
		lpmc.max_pending = max;
	}
	return &lpmc.pending[lpmc.nr_pending];
}

static void dropped(uint64_t time, uint64_t records)
{
	struct pmclog_header h;

	lpmc.stats.pm_intr_bufferfull += (unsigned)records;
	lpmc_log_put(PMCLOG_TYPE_DROPNOTIFY, time, &h, sizeof(h), NULL);
}

static void collect_ring(struct lpmc *p, struct lpmc_ring *ring, uint64_t now)
{
	struct lpmc_pending *next;
	struct lpmc_record r;
	int size;

	for (;;) {
		next = room();
		if (!next)
			return; /* what stays in the ring is not lost yet */
		size = lpmc_ring_next(ring, lpmc.arena + lpmc.arena_fill, LPMC_RECORD_MAX);
		if (size == 0)
			return;
		if (size < 0 || lpmc_record_parse(lpmc.arena + lpmc.arena_fill, (size_t)size,
						  lpmc_layout_of(p), &r) < 0) {
			dropped(now, 1);
			continue;
		}
		*next = (struct lpmc_pending){ .time = r.time,
					       .pmc = p,
					       .offset = (uint32_t)lpmc.arena_fill,
					       .size = (uint32_t)size,
					       .order = lpmc.nr_pending };
		lpmc.arena_fill += (size_t)size;
		lpmc.nr_pending++;
	}
}

static void collect(struct lpmc *p, uint64_t now)
{
	for (unsigned i = 0; i < p->nr_buffers; i++) {
		struct perf_event_mmap_page *page = p->buffers[i].page;
		struct lpmc_ring ring = {
			.data = (uint8_t *)page + page->data_offset,
			.size = page->data_size,
			.head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE),
			.tail = page->data_tail,
		};

		collect_ring(p, &ring, now);
		__atomic_store_n(&page->data_tail, ring.tail, __ATOMIC_RELEASE);
	}
}

static int older(const void *va, const void *vb)
{
	const struct lpmc_pending *a = va, *b = vb;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

static void pass_on(const struct lpmc_pending *e)
{
	struct lpmc_record r;

	/* (It could be parsed before.) */
	lpmc_record_parse(lpmc.arena + e->offset, e->size, lpmc_layout_of(e->pmc), &r);
	if (r.type == PERF_RECORD_LOST || r.type == PERF_RECORD_LOST_SAMPLES)
		dropped(r.time, r.lost);
	else if (r.type == PERF_RECORD_THROTTLE)
		lpmc.stats.pm_intr_ignored++;
	else if (!lpmc_is_recorded(e->pmc))
		lpmc_translate(e->pmc, &r);
	else if (r.type == PERF_RECORD_SAMPLE)
		lpmc.stats.pm_intr_processed++;
	if (lpmc_is_recorded(e->pmc))
		lpmc_log_record(lpmc.arena + e->offset, e->size);
}

/* Keeps the last records of the sorted list, from the first on. */
static void keep(unsigned first)
{
	size_t fill = 0;
	uint8_t *arena = NULL;

	for (unsigned i = first; i < lpmc.nr_pending; i++)
		fill += lpmc.pending[i].size;
	if (fill) {
		arena = malloc(lpmc.arena_max);
		if (!arena)
			return pass_on(&lpmc.pending[first]), keep(first + 1);
	}
	fill = 0;
	for (unsigned i = first; i < lpmc.nr_pending; i++) {
		struct lpmc_pending *e = &lpmc.pending[i - first];

		*e = lpmc.pending[i];
		memcpy(arena + fill, lpmc.arena + e->offset, e->size);
		e->offset = (uint32_t)fill;
		e->order = i - first;
		fill += e->size;
	}
	if (arena) {
		free(lpmc.arena);
		lpmc.arena = arena;
	}
	lpmc.nr_pending -= first;
	lpmc.arena_fill = fill;
}

void lpmc_drain(bool all)
{
	uint64_t now = lpmc.sys->now(CLOCK_MONOTONIC), limit = all ? UINT64_MAX : now;
	unsigned done = 0;
	struct lpmc *p;

	if (!all && lpmc_log_is_long())
		return; /* what stays in the rings is not lost yet */
	lpmc.stats.pm_log_sweeps++;
	for (p = lpmc.pmcs; p; p = p->next)
		lpmc_exit_poll(p);
	for (p = lpmc.pmcs; p; p = p->next)
		collect(p, now);
	if (lpmc.nr_pending)
		qsort(lpmc.pending, lpmc.nr_pending, sizeof(*lpmc.pending), older);
	while (done < lpmc.nr_pending && lpmc.pending[done].time <= limit)
		pass_on(&lpmc.pending[done++]);
	keep(done);
	for (p = lpmc.pmcs; p; p = p->next)
		lpmc_exit_log(p, now);
}

void lpmc_drain_forget(const struct lpmc *p)
{
	unsigned n = 0;

	for (unsigned i = 0; i < lpmc.nr_pending; i++) {
		if (lpmc.pending[i].pmc != p)
			lpmc.pending[n++] = lpmc.pending[i];
	}
	lpmc.nr_pending = n;
}
