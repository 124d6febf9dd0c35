// SPDX-License-Identifier: BSD-2-Clause
/*
 * perf_space.c - the processes of a perf.data file, their threads and mappings (perf_internal.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perf_internal.h"

/* The index of the first mapping that ends at or after addr. */
static size_t first_behind(const struct perf_space *s, uint64_t addr)
{
	size_t low = 0, high = s->maps.nr;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (s->maps.at[mid].end < addr)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

const struct perf_map *perf_map_find(const struct perf_space *s, uint64_t addr)
{
	size_t i = first_behind(s, addr);

	return i < s->maps.nr && s->maps.at[i].start <= addr ? &s->maps.at[i] : NULL;
}

static bool insert(struct perf_reader *r, struct perf_space *s, size_t i,
		   const struct perf_map *map)
{
	if (!PERF_GROW(r, &s->maps))
		return false;
	memmove(&s->maps.at[i + 1], &s->maps.at[i], (s->maps.nr - i) * sizeof(*map));
	s->maps.at[i] = *map;
	s->maps.nr++;
	return true;
}

/* Removes older mappings from the addresses of map.  Parts outside these addresses stay. */
static bool make_way(struct perf_reader *r, struct perf_space *s, const struct perf_map *map)
{
	size_t i = first_behind(s, map->start), end;

	if (i < s->maps.nr && s->maps.at[i].start < map->start) {
		struct perf_map front = s->maps.at[i];

		front.end = map->start - 1;
		if (!insert(r, s, i, &front))
			return false;
		i++;
	}
	end = i;
	while (end < s->maps.nr && s->maps.at[end].end <= map->end)
		end++;
	if (end < s->maps.nr && s->maps.at[end].start <= map->end) {
		struct perf_map *back = &s->maps.at[end];

		if (back->start < map->start)
			back->pgoff += map->start - back->start, back->start = map->start;
		back->pgoff += map->end + 1 - back->start;
		back->start = map->end + 1;
	}
	if (end > i) {
		memmove(&s->maps.at[i], &s->maps.at[end], (s->maps.nr - end) * sizeof(*map));
		s->maps.nr -= end - i;
	}
	return true;
}

bool perf_copy_mapped(const struct perf_copy *c, uint64_t addr, struct perf_mapped *m)
{
	const struct perf_map *map = perf_map_find(c->space, addr);

	if (map)
		*m = (struct perf_mapped){ map->start, map->pgoff, map->object };
	return map;
}

bool perf_map_add(struct perf_reader *r, struct perf_space *s, const struct perf_map *map)
{
	s->changes++;
	return make_way(r, s, map) && insert(r, s, first_behind(s, map->start), map);
}

struct perf_space *perf_generated_of(struct perf_reader *r, struct perf_space *s)
{
	if (!s->generated) {
		if (!PERF_GROW(r, &r->generated))
			return NULL;
		r->generated.at[r->generated.nr++] = (struct perf_space){ .pid = s->pid };
		s->generated = (uint32_t)r->generated.nr;
	}
	return &r->generated.at[s->generated - 1];
}

bool perf_generated_replace(struct perf_reader *r, struct perf_space *s, const struct perf_map *map)
{
	struct perf_space *own = s->generated ? &r->generated.at[s->generated - 1] : NULL;

	if (own && !map)
		own->maps.nr = 0;
	return !own || !map || make_way(r, own, map);
}

/* A new process begins with the code of its parent. */
static bool copy_generated(struct perf_reader *r, struct perf_space *to,
			   const struct perf_space *from)
{
	uint32_t source = from->generated;
	struct perf_space *own;

	perf_generated_replace(r, to, NULL);
	if (!source)
		return true;
	own = perf_generated_of(r, to);
	for (size_t n = 0; own && n < r->generated.at[source - 1].maps.nr; n++) {
		if (!PERF_GROW(r, &own->maps))
			return false;
		own->maps.at[own->maps.nr++] = r->generated.at[source - 1].maps.at[n];
	}
	return own;
}

struct perf_space *perf_space(struct perf_reader *r, int32_t pid)
{
	uint32_t i = idmap_get(&r->space_of, (uint32_t)pid);

	if (i != IDMAP_NONE)
		return &r->spaces.at[i];
	if (!PERF_GROW(r, &r->spaces) || !(idmap_set(&r->space_of, (uint32_t)pid, r->spaces.nr) ||
					   perf_refuse(r, "out of memory")))
		return NULL;
	r->spaces.at[r->spaces.nr] = (struct perf_space){ .pid = pid };
	return &r->spaces.at[r->spaces.nr++];
}

/* Gives the thread its name, and the profile's process for this pid and name. */
static bool set_process(struct perf_reader *r, struct perf_thread *t, const char *comm)
{
	struct perf_space *s = &r->spaces.at[t->space];

	snprintf(t->comm, sizeof(t->comm), "%.15s", comm);
	for (size_t i = 0; i < s->processes.nr; i++) {
		t->process = s->processes.at[i];
		if (!strcmp(r->p->processes.at[t->process].comm, t->comm))
			return true;
	}
	t->process = profile_add_process(r->p, s->pid, t->comm);
	if (t->process == PROFILE_NONE)
		return perf_refuse(r, "out of memory");
	if (!PERF_GROW(r, &s->processes))
		return false;
	s->processes.at[s->processes.nr++] = t->process;
	return true;
}

struct perf_thread *perf_thread(struct perf_reader *r, int32_t pid, int32_t tid)
{
	uint32_t i = idmap_get(&r->thread_of, (uint32_t)tid);
	struct perf_space *s;
	struct perf_thread *t;
	char comm[16];

	if (i != IDMAP_NONE && r->spaces.at[r->threads.at[i].space].pid == pid)
		return &r->threads.at[i];
	s = perf_space(r, pid);
	if (!s || !PERF_GROW(r, &r->threads) ||
	    !(idmap_set(&r->thread_of, (uint32_t)tid, r->threads.nr) ||
	      perf_refuse(r, "out of memory")))
		return NULL;
	t = &r->threads.at[r->threads.nr++];
	*t = (struct perf_thread){ .space = s - r->spaces.at };
	/* The idle threads have pid 0, and no record has their name. */
	snprintf(comm, sizeof(comm), pid ? ":%d" : "swapper", tid);
	return set_process(r, t, comm) ? t : NULL;
}

bool perf_comm(struct perf_reader *r, int32_t pid, int32_t tid, const char *comm, bool exec)
{
	struct perf_thread *t = perf_thread(r, pid, tid);

	if (!t)
		return false;
	if (exec) {
		r->spaces.at[t->space].maps.nr = 0;
		r->spaces.at[t->space].changes++;
		perf_generated_replace(r, &r->spaces.at[t->space], NULL);
	}
	return set_process(r, t, comm);
}

/* A new process begins with a copy of its parent's mappings, even if its pid was used before. */
static bool copy_space(struct perf_reader *r, int32_t pid, int32_t ppid)
{
	struct perf_space *from, *to;

	if (!perf_space(r, ppid) || !perf_space(r, pid))
		return false;
	from = perf_space(r, ppid);
	to = perf_space(r, pid);
	to->maps.nr = 0;
	to->changes++;
	to->processes.nr = 0;
	for (size_t i = 0; i < from->maps.nr; i++) {
		if (!PERF_GROW(r, &to->maps))
			return false;
		to->maps.at[to->maps.nr++] = from->maps.at[i];
	}
	return copy_generated(r, to, from);
}

bool perf_fork(struct perf_reader *r, int32_t pid, int32_t ppid, int32_t tid, int32_t ptid)
{
	struct perf_thread *parent = perf_thread(r, ppid, ptid), *child;
	char comm[16];

	if (!parent)
		return false;
	memcpy(comm, parent->comm, sizeof(comm));
	if (pid != ppid && !copy_space(r, pid, ppid))
		return false;
	child = perf_thread(r, pid, tid);
	return child && set_process(r, child, comm);
}
