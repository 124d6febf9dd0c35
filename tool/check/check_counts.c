// SPDX-License-Identifier: BSD-2-Clause
/*
 * check_counts.c - see check_counts.h.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check_counts.h"
#include "holter.h"
#include "measure.h"
#include "memtext.h"
#include "near.h"

/* The names of the events without modifiers, for the reader of the profile; NULL: no memory. */
static char *plain_names(const struct baseline *b)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	for (size_t n = 0; f && n < b->events.nr; n++) {
		const char *name = b->events.at[n].name;
		bool again = false;

		for (size_t i = 0; i < n; i++)
			again |= measure_plain(b->events.at[i].name) == measure_plain(name) &&
				 !strncmp(b->events.at[i].name, name, measure_plain(name));
		if (!again)
			fprintf(f, "%s%.*s", n ? "," : "", (int)measure_plain(name), name);
	}
	return memtext_end(f, &text);
}

/* Says which event the machine does not have. */
static int no_event(const char *path, const char *name)
{
	const struct report_options all = { .symfs = "", .events = "*" };
	struct report *r = report_load(path, &all);
	char plain[256];
	struct near near;

	if (!r)
		return 2;
	snprintf(plain, sizeof(plain), "%.*s", (int)measure_plain(name), name);
	near = near_to(plain);
	for (size_t e = 0; e < r->p->events.nr; e++)
		near_try(&near, r->p->events.at[e].name);
	for (size_t e = 0; e < r->p->sums.nr; e++)
		near_try(&near, r->p->sums.at[e]);
	if (near.best)
		holter_error("the machine does not count '%s'; did you mean %s?", name, near.best);
	else
		holter_error("the machine does not count '%s'; holter cpu max lists its events",
			     name);
	report_free(r);
	return 2;
}

static int add_standard(struct baseline *b, const struct report *r)
{
	char name[256];

	for (size_t e = 0; e < r->p->events.nr; e++) {
		snprintf(name, sizeof(name), "%.250s:u", r->p->events.at[e].name);
		if (!baseline_add_event(b, name, 0, 0))
			return holter_error("check: out of memory");
	}
	return 0;
}

/* Finds the functions of the events that need them. */
static int read_functions(const struct baseline *b, struct report *r, bool all,
			  struct check_count *counts)
{
	bool resolved = false;

	for (size_t n = 0; n < b->events.nr; n++) {
		const struct baseline_event *e = &b->events.at[n];

		if (!all && counts[n].count <= e->at_most)
			continue;
		if (!resolved && !report_resolve(r))
			return 2;
		resolved = true;
		if (!measure_functions(r, e->name, &counts[n].functions))
			return holter_error("check: out of memory");
	}
	return 0;
}

/* Reads the counts from the profile. */
static int read_counts(struct baseline *b, const char *path, bool functions,
		       struct check_count **counts, char **cpu)
{
	char *names = plain_names(b);
	const struct report_options o = { .symfs = "", .events = b->events.nr ? names : NULL };
	struct report *r = names ? report_load(path, &o) : NULL;
	int status = r ? 0 : 2;

	if (!names)
		holter_error("check: out of memory");
	if (!status && !b->events.nr)
		status = add_standard(b, r);
	if (!status && !(*counts = calloc(b->events.nr + 1, sizeof(**counts))))
		status = holter_error("check: out of memory");
	for (size_t n = 0; !status && n < b->events.nr; n++) {
		if (!measure_event(r, b->events.at[n].name, &(*counts)[n].count))
			status = no_event(path, b->events.at[n].name);
	}
	if (!status)
		status = read_functions(b, r, functions, *counts);
	if (!status && r->p->cpu && !(*cpu = strdup(r->p->cpu)))
		status = holter_error("check: out of memory");
	report_free(r);
	free(names);
	return status;
}

int check_counts(struct baseline *b, bool functions, struct check_count **counts, char **cpu)
{
	char path[MEASURE_PATH_SIZE];
	int fd = measure_profile(path), status;

	*counts = NULL;
	*cpu = NULL;
	if (fd < 0)
		return 2;
	/* What the command prints is not the result of the check. */
	status = measure_run(&b->machine, &b->command, path, fd, 2);
	if (status > 0)
		holter_error("%s ended with status %d: its counts are not compared",
			     b->command.at[0], status);
	status = status ? 2 : read_counts(b, path, functions, counts, cpu);
	close(fd);
	return status;
}

void check_free(struct check_count *counts, size_t nr)
{
	for (size_t n = 0; counts && n < nr; n++)
		measure_clear_functions(&counts[n].functions);
	free(counts);
}

/* Growth */

static uint64_t growth_of(const struct check_growth *g)
{
	return g->count - g->before;
}

/* Puts a growth at its place, if it is one of the largest. */
static unsigned put_growth(struct check_growth to[CHECK_GROWTHS], unsigned nr,
			   const struct check_growth *new)
{
	unsigned at = nr;

	while (at && growth_of(&to[at - 1]) < growth_of(new))
		at--;
	if (at == CHECK_GROWTHS)
		return nr;
	nr += nr < CHECK_GROWTHS;
	memmove(&to[at + 1], &to[at], (nr - at - 1) * sizeof(*to));
	to[at] = *new;
	return nr;
}

unsigned check_grown(const struct baseline_event *e, const struct check_count *c,
		     struct check_growth to[CHECK_GROWTHS])
{
	const struct measure_functions *old = &e->functions;
	/* A full list may lack functions, of which each has at most the least count of the list. */
	uint64_t least = old->nr == BASELINE_FUNCTIONS ? old->at[old->nr - 1].count : 0;
	unsigned nr = 0;

	for (size_t n = 0; old->nr && n < c->functions.nr; n++) {
		struct check_growth g = { c->functions.at[n].name, c->functions.at[n].count, least,
					  true };

		for (size_t i = 0; i < old->nr && g.is_new; i++) {
			if (strcmp(old->at[i].name, g.name) != 0)
				continue;
			g.before = old->at[i].count;
			g.is_new = false;
		}
		if (g.count > g.before)
			nr = put_growth(to, nr, &g);
	}
	return nr;
}
