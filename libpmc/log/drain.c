// SPDX-License-Identifier: BSD-2-Clause
/*
 * drain.c - moves the records of all rings into the log, sorted by time.
 *
 * Each CPU has its own rings.  So a sample could be read before the record of the mapping that it
 * lies in.  A pass over the rings therefore notes the time, collects the records of all rings, and
 * sorts them.  It passes on the records that are not younger than that time, because the rings have
 * all of those.  The younger ones wait for the next pass.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "drain.h"
#include "entry.h"
#include "log.h"

/* Makes room for one more record of any size; false if there is none. */
static bool room(void)
{
	return lpmc.arena.nr <= UINT32_MAX - 2 * LPMC_RECORD_MAX &&
	       VEC_ROOM(&lpmc.arena, LPMC_RECORD_MAX) && VEC_ROOM(&lpmc.pending, 1);
}

static void dropped(uint64_t time, uint64_t records)
{
	struct pmclog_header h;

	lpmc.stats.pm_intr_bufferfull += (unsigned)records;
	lpmc_log_put(PMCLOG_TYPE_DROPNOTIFY, time, &h, sizeof(h), NULL);
}

static void collect_ring(struct lpmc *p, struct lpmc_ring *ring, uint64_t now)
{
	struct lpmc_record r;
	int size;

	for (;;) {
		if (!room())
			return; /* the record stays in the ring for the next pass */
		size = lpmc_ring_next(ring, lpmc.arena.at + lpmc.arena.nr, LPMC_RECORD_MAX);
		if (size == 0)
			return;
		if (size < 0 || lpmc_record_parse(lpmc.arena.at + lpmc.arena.nr, (size_t)size,
						  lpmc_layout_of(p), &r) < 0) {
			dropped(now, 1);
			continue;
		}
		lpmc.pending.at[lpmc.pending.nr] =
			(struct lpmc_pending){ .time = r.time,
					       .pmc = p,
					       .offset = (uint32_t)lpmc.arena.nr,
					       .size = (uint32_t)size,
					       .order = (uint32_t)lpmc.pending.nr };
		lpmc.arena.nr += (size_t)size;
		lpmc.pending.nr++;
	}
}

static void collect(struct lpmc *p, uint64_t now)
{
	for (unsigned i = 0; i < p->buffers.nr; i++) {
		struct perf_event_mmap_page *page = p->buffers.at[i].page;
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

	/* (This cannot fail: collect_ring() has parsed it.) */
	lpmc_record_parse(lpmc.arena.at + e->offset, e->size, lpmc_layout_of(e->pmc), &r);
	if (r.type == PERF_RECORD_LOST || r.type == PERF_RECORD_LOST_SAMPLES)
		dropped(r.time, r.lost);
	else if (r.type == PERF_RECORD_THROTTLE)
		lpmc.stats.pm_intr_ignored++;
	else if (!lpmc_is_recorded(e->pmc))
		lpmc_translate(e->pmc, &r);
	else if (r.type == PERF_RECORD_SAMPLE)
		lpmc.stats.pm_intr_processed++;
	if (lpmc_is_recorded(e->pmc))
		lpmc_log_record(lpmc.arena.at + e->offset, e->size);
}

/*
 * Removes the records before number `first` from the sorted list, and their bytes from the arena.
 */
static void keep(unsigned first)
{
	size_t fill = 0;
	uint8_t *arena = NULL;

	for (unsigned i = first; i < lpmc.pending.nr; i++)
		fill += lpmc.pending.at[i].size;
	if (fill) {
		arena = malloc(lpmc.arena.size);
		if (!arena)
			return pass_on(&lpmc.pending.at[first]), keep(first + 1);
	}
	fill = 0;
	for (unsigned i = first; i < lpmc.pending.nr; i++) {
		struct lpmc_pending *e = &lpmc.pending.at[i - first];

		*e = lpmc.pending.at[i];
		memcpy(arena + fill, lpmc.arena.at + e->offset, e->size);
		e->offset = (uint32_t)fill;
		e->order = i - first;
		fill += e->size;
	}
	if (arena) {
		free(lpmc.arena.at);
		lpmc.arena.at = arena;
	}
	lpmc.pending.nr -= first;
	lpmc.arena.nr = fill;
}

void lpmc_drain(bool all)
{
	uint64_t now = lpmc.sys->now(CLOCK_MONOTONIC), limit = all ? UINT64_MAX : now;
	unsigned done = 0;
	struct lpmc *p;

	if (!all && lpmc_log_is_long())
		return; /* the records stay in the rings until the log's reader has read more */
	lpmc.stats.pm_log_sweeps++;
	for (p = lpmc.pmcs; p; p = p->next)
		lpmc_exit_poll(p);
	for (p = lpmc.pmcs; p; p = p->next)
		collect(p, now);
	VEC_SORT(&lpmc.pending, older);
	while (done < lpmc.pending.nr && lpmc.pending.at[done].time <= limit)
		pass_on(&lpmc.pending.at[done++]);
	keep(done);
	for (p = lpmc.pmcs; p; p = p->next)
		lpmc_exit_log(p, now);
}

void lpmc_drain_forget(const struct lpmc *p)
{
	unsigned n = 0;

	for (unsigned i = 0; i < lpmc.pending.nr; i++) {
		if (lpmc.pending.at[i].pmc != p)
			lpmc.pending.at[n++] = lpmc.pending.at[i];
	}
	lpmc.pending.nr = n;
}
