// SPDX-License-Identifier: BSD-2-Clause
/*
 * runs.c - makes the table of counts of whole runs (diff.h).
 */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "holter.h"
#include "near.h"

static bool in_all(const struct counts *c, unsigned nr, const char *name)
{
	for (unsigned f = 0; f < nr; f++) {
		if (!counts_find(&c[f], name))
			return false;
	}
	return true;
}

static int add_event(struct diff *d, const char *name)
{
	for (size_t i = 0; i < d->events.nr; i++) {
		if (!strcmp(d->events.at[i], name))
			return 0;
	}
	return VEC_PUSH(&d->events, name) ? 0 : holter_error("diff: out of memory");
}

/* Adds the events that a name or pattern means and that all files have. */
static int add_matching(struct diff *d, const struct counts *c, const char *pattern)
{
	struct near near = near_to(pattern);
	bool some = false;

	for (size_t i = 0; i < c[0].list.nr; i++) {
		const char *name = c[0].list.at[i].name;

		near_try(&near, name);
		if (fnmatch(pattern, name, 0))
			continue;
		some = true;
		if (in_all(c, d->nr, name) && add_event(d, name))
			return 2;
	}
	if (some)
		return 0;
	return near.best ? holter_error("%s has no event '%s'; did you mean %s?", d->files[0].path,
					pattern, near.best)
			 : holter_error("%s has no event '%s'", d->files[0].path, pattern);
}

/* Without a list: all events, of the machine without those of single modes. */
static int choose(struct diff *d, const struct counts *c, const char *list)
{
	char *copy = list ? strdup(list) : NULL, *rest = copy, *name;
	int status = 0;

	for (size_t i = 0; !list && i < c[0].list.nr && !status; i++) {
		const char *event = c[0].list.at[i].name;

		if ((!c[0].exact || !strchr(event, ':')) && in_all(c, d->nr, event))
			status = add_event(d, event);
	}
	if (list && !copy)
		return holter_error("diff: out of memory");
	while (copy && !status && (name = strsep(&rest, ",")))
		status = add_matching(d, c, name);
	free(copy);
	if (!status && !d->events.nr)
		status = holter_error("%s and the other files have no event in common",
				      d->files[0].path);
	return status;
}

int diff_make_runs(struct diff *d, const struct counts *c, const char *list)
{
	d->kind = DIFF_EXACT;
	for (unsigned f = 0; f < d->nr; f++) {
		if (!c[f].exact)
			d->kind = DIFF_RUNS;
	}
	if (choose(d, c, list))
		return 2;
	d->cells = calloc(d->events.nr * d->nr, sizeof(*d->cells));
	if (!d->cells || !VEC_ROOM(&d->rows, d->events.nr))
		return holter_error("diff: out of memory");
	for (uint32_t e = 0; e < d->events.nr; e++) {
		struct diff_cell *cells = d->cells + e * d->nr;

		for (unsigned f = 0; f < d->nr; f++) {
			const struct count *from = counts_find(&c[f], d->events.at[e]);

			cells[f] = (struct diff_cell){ from->count, 0, from->error };
		}
		d->rows.at[d->rows.nr++] = (struct diff_row){ e, NULL, cells };
	}
	return 0;
}
