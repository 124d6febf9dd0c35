// SPDX-License-Identifier: BSD-2-Clause
/*
 * results.c - the results of a sweep from the files of its jobs, and the columns of its tables
 * (sweep.h).
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "holter.h"
#include "near.h"
#include "sweep.h"
#include "term.h"

static const char *const standard[] = { "cycles:u", "instructions:u", "cache-misses:u",
					"branch-misses:u" };

static int no_memory(void)
{
	return holter_error("sweep: out of memory");
}

/* A job without a result: why it failed, if it did.  0, or 2 after printing an error. */
static int read_failure(const struct sweep *s, unsigned job, struct sweep_row *row)
{
	char path[SWEEP_PATH_SIZE];
	size_t len;
	char *why = file_read("", sweep_path(s, job, "failed", path), SWEEP_WHY_MAX, &len);

	if (!why && errno == ENOMEM)
		return no_memory();
	row->state = why ? SWEEP_FAILED : SWEEP_NOT_RUN;
	if (why)
		snprintf(row->why, sizeof(row->why), "%.*s", (int)strcspn(why, "\n"), why);
	term_printable(row->why);
	free(why);
	return 0;
}

/* Reads the result of a job.  0, or 2 after printing an error. */
static int read_row(const struct sweep *s, unsigned job, struct sweep_row *row)
{
	char path[SWEEP_PATH_SIZE];
	struct error_text why;

	if (!sweep_is_done(s, job))
		return read_failure(s, job, row);
	if (counts_read(&row->counts, sweep_path(s, job, "json", path), &why))
		return 0;
	if (errno == ENOMEM)
		return holter_error("%s", why.text);
	row->state = SWEEP_FAILED;
	snprintf(row->why, sizeof(row->why),
		 "its result is damaged; remove %04u.json, and run it again", job);
	return 0;
}

/* Columns */

static bool is_column(const struct sweep_results *r, const char *name)
{
	for (size_t n = 0; n < r->columns.nr; n++) {
		if (!strcmp(r->columns.at[n].name, name))
			return true;
	}
	return false;
}

static int add_column(struct sweep_results *r, const char *name)
{
	char *copy = is_column(r, name) ? NULL : strdup(name);

	if (is_column(r, name))
		return 0;
	if (copy && VEC_PUSH(&r->columns, (struct sweep_column){ .name = copy }))
		return 0;
	free(copy);
	return no_memory();
}

/* Adds the names of a job's counts that match. */
static int add_names(struct sweep_results *r, const struct counts *c, const char *word,
		     bool pattern, struct near *near)
{
	int status = 0;

	for (size_t n = 0; n < c->list.nr && !status; n++) {
		const char *name = c->list.at[n].name;
		bool plain = pattern && !strchr(word, ':');

		near_try(near, name);
		if (pattern ? !fnmatch(word, name, 0) && !(plain && strchr(name, ':'))
			    : !strcmp(word, name))
			status = add_column(r, name);
	}
	return status;
}

/* Whether the sweep asked for an event: if no profile has it, it has never happened. */
static bool is_asked(const struct sweep *s, const char *word)
{
	size_t len = measure_plain(word);
	char plain[64], asked[64];

	snprintf(plain, sizeof(plain), "%.*s", (int)(len < 63 ? len : 63), word);
	for (const char *at = s->events; at; at = strchr(at, ',')) {
		at += *at == ',';
		len = strcspn(at, ":,");
		snprintf(asked, sizeof(asked), "%.*s", (int)(len < 63 ? len : 63), at);
		if (!fnmatch(asked, plain, 0))
			return true;
	}
	return false;
}

/* Adds what one word of -e names. */
static int add_matching(struct sweep_results *r, const char *word)
{
	struct near near = near_to(word);
	size_t before = r->columns.nr;
	int status = 0;

	for (unsigned n = 0; n < r->s->jobs && !status; n++)
		status = add_names(r, &r->rows[n].counts, word, strpbrk(word, "*?["), &near);
	if (status || r->columns.nr > before || is_column(r, word))
		return status;
	if (is_asked(r->s, word))
		return strpbrk(word, "*?[") ? 0 : add_column(r, word);
	if (near.best)
		return holter_error("-e '%s': the results do not have it; did you mean %s?", word,
				    near.best);
	return holter_error(
		"-e '%s': the results do not have it: they have the events that -e named "
		"when the sweep ran",
		word);
}

/* IPC stands after the instructions whose cycles are there, too. */
static int add_ipc(struct sweep_results *r)
{
	for (size_t n = 0; n < r->columns.nr; n++) {
		const char *name = r->columns.at[n].name;
		size_t len = measure_plain(name);
		char cycles[32];

		if (len != strlen("instructions") || strncmp(name, "instructions", len) != 0)
			continue;
		snprintf(cycles, sizeof(cycles), "cycles%.10s", name + len);
		for (size_t c = 0; c < r->columns.nr; c++) {
			struct sweep_column ipc = { NULL, r->columns.at[c].name, name };

			if (strcmp(ipc.cycles, cycles) != 0)
				continue;
			ipc.name = strdup("IPC");
			if (!ipc.name || !VEC_PUSH(&r->columns, ipc)) {
				free(ipc.name);
				return no_memory();
			}
			memmove(r->columns.at + n + 2, r->columns.at + n + 1,
				(r->columns.nr - n - 2) * sizeof(ipc));
			r->columns.at[n + 1] = ipc;
			break;
		}
	}
	return 0;
}

/* Adds the default columns: those that some machine has. */
static int add_standard(struct sweep_results *r)
{
	int status = 0;

	for (size_t n = 0; n < sizeof(standard) / sizeof(*standard); n++) {
		for (unsigned job = 0; job < r->s->jobs && !status; job++) {
			if (counts_find(&r->rows[job].counts, standard[n]))
				status = add_column(r, standard[n]);
		}
	}
	return status;
}

static int choose(struct sweep_results *r, const char *events)
{
	char *copy = r->done && events ? strdup(events) : NULL, *rest = copy, *word;
	int status = 0;

	if (r->done && events && !copy)
		return no_memory();
	if (r->done && !events)
		status = add_standard(r);
	while (copy && !status && (word = strsep(&rest, ",")))
		status = add_matching(r, word);
	free(copy);
	return status ? status : add_ipc(r);
}

int sweep_results(struct sweep_results *r, const struct sweep *s, const char *events)
{
	int status = 0;

	*r = (struct sweep_results){ .s = s, .rows = calloc(s->jobs, sizeof(*r->rows)) };
	if (!r->rows)
		return no_memory();
	for (unsigned job = 1; job <= s->jobs && !status; job++) {
		status = read_row(s, job, &r->rows[job - 1]);
		r->done += r->rows[job - 1].state == SWEEP_DONE;
	}
	return status ? status : choose(r, events ? events : s->events);
}

void sweep_results_free(struct sweep_results *r)
{
	for (unsigned n = 0; r->rows && n < r->s->jobs; n++)
		counts_free(&r->rows[n].counts);
	for (size_t n = 0; n < r->columns.nr; n++)
		free(r->columns.at[n].name);
	free(r->columns.at);
	free(r->rows);
	*r = (struct sweep_results){ 0 };
}

bool sweep_number(const struct sweep_row *row, const struct sweep_column *column, double *value)
{
	const struct count *count, *cycles;

	if (row->state != SWEEP_DONE)
		return false;
	if (!column->cycles) {
		count = counts_find(&row->counts, column->name);
		*value = count ? (double)count->count : 0; /* it never happened */
		return true;
	}
	cycles = counts_find(&row->counts, column->cycles);
	count = counts_find(&row->counts, column->instructions);
	if (!cycles || !count || !cycles->count)
		return false;
	*value = (double)count->count / (double)cycles->count;
	return true;
}
