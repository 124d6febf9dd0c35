// SPDX-License-Identifier: BSD-2-Clause
/*
 * perf_jit.c - code that programs generated at run time, from their jitdump files
 * (perf_internal.h).
 *
 * A program maps the file that it writes, so that there is a record with its path.  Code of the
 * file precedes other mappings at its addresses, from the time that the file says.  An address of
 * it in the profile is the offset of the code's bytes in the file, so that code which comes to the
 * same address later is another place.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "perf_internal.h"

void perf_reader_jitdumps(struct perf_reader *r, const struct perf_jitdumps *from)
{
	r->jitdumps = from;
}

bool perf_is_jitdump(const char *path)
{
	return strchr(path, '/') && jit_file_of(path) == JIT_DUMP;
}

/* Whether the records have the times of jitdump files (perf record -k mono; holter record). */
static bool has_their_clock(const struct perf_reader *r, const struct jitdump *d)
{
	const struct perf_event_attr *a = &r->events.at[0].attr;

	return !d->tsc && a->use_clockid && a->clockid == CLOCK_MONOTONIC;
}

static int by_time(const void *left, const void *right)
{
	const struct jitdump_code *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->offset > b->offset) - (a->offset < b->offset);
}

/* Without the clock, all code is there from the beginning, and the last at an address counts. */
static void set_times(const struct perf_reader *r, struct jitdump *d)
{
	if (!has_their_clock(r, d)) {
		for (size_t n = 0; n < d->codes.nr; n++)
			d->codes.at[n].time = 0;
	} else if (d->codes.nr) {
		qsort(d->codes.at, d->codes.nr, sizeof(*d->codes.at), by_time);
	}
}

/* Takes ownership of data. */
static bool add_dump(struct perf_reader *r, uint32_t space, const char *path, char *data,
		     size_t len)
{
	struct perf_jit *j;

	if (!PERF_GROW(r, &r->jits))
		return free(data), false;
	j = &r->jits.at[r->jits.nr++];
	*j = (struct perf_jit){ .space = space };
	jit_parse_dump(r->p, path, &j->dump, data, len);
	j->object = jit_add_dump(r->p, path, &j->dump, data, len);
	if (j->object == PROFILE_NONE)
		return free(data), perf_refuse(r, "out of memory");
	set_times(r, &j->dump);
	return true;
}

bool perf_jit_open(struct perf_reader *r, int32_t pid, const char *path)
{
	struct perf_space *s = perf_space(r, pid);
	uint32_t space = s ? (uint32_t)(s - r->spaces.at) : 0;
	size_t len = 0;
	char *data;

	if (!s)
		return false;
	for (size_t n = 0; n < r->jits.nr; n++) {
		if (r->jits.at[n].space == space &&
		    !strcmp(r->p->objects.at[r->jits.at[n].object].path, path))
			return true;
	}
	data = r->jitdumps ? r->jitdumps->read(r->jitdumps->cookie, path, &len) : NULL;
	return !data || add_dump(r, space, path, data, len);
}

bool perf_jit_follow(struct perf_reader *r, uint32_t space, uint64_t time)
{
	for (size_t n = 0; n < r->jits.nr; n++) {
		struct perf_jit *j = &r->jits.at[n];
		struct perf_space *to;

		if (j->space != space)
			continue;
		for (; j->next < j->dump.codes.nr && j->dump.codes.at[j->next].time <= time;
		     j->next++) {
			const struct jitdump_code *c = &j->dump.codes.at[j->next];
			struct perf_map map = { c->addr, c->addr + c->size - 1, c->offset,
						j->object };

			to = perf_generated_of(r, &r->spaces.at[space]);
			if (!to || !perf_map_add(r, to, &map))
				return false;
		}
	}
	return true;
}

const struct perf_map *perf_jit_find(const struct perf_reader *r, const struct perf_space *s,
				     uint64_t addr)
{
	return s->generated ? perf_map_find(&r->generated.at[s->generated - 1], addr) : NULL;
}

void perf_jit_free(struct perf_reader *r)
{
	for (size_t n = 0; n < r->jits.nr; n++)
		jitdump_free(&r->jits.at[n].dump);
	for (size_t n = 0; n < r->generated.nr; n++)
		free(r->generated.at[n].maps.at);
	free(r->jits.at);
	free(r->generated.at);
}
