// SPDX-License-Identifier: BSD-2-Clause
/*
 * measure.c - see measure.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "holter.h"
#include "json.h"
#include "measure.h"
#include "self.h"
#include "vec.h"

bool measure_add_word(struct measure_words *words, const char *word)
{
	char *copy = strdup(word);

	if (copy && VEC_PUSH(words, copy))
		return true;
	free(copy);
	return false;
}

void measure_clear_words(struct measure_words *words)
{
	for (size_t n = 0; n < words->nr; n++)
		free(words->at[n]);
	free(words->at);
	*words = (struct measure_words){ 0 };
}

void measure_write_words(struct json *j, const char *key, const struct measure_words *words)
{
	json_open(j, key, '[');
	for (size_t n = 0; n < words->nr; n++)
		json_text(j, NULL, words->at[n]);
	json_close(j, ']');
}

size_t measure_plain(const char *name)
{
	return strcspn(name, ":");
}

static bool in_scope(const char *modifier, enum profile_kind kind)
{
	bool kernel = kind == PROFILE_KERNEL || kind == PROFILE_MODULE;

	if (!*modifier)
		return true;
	if (!strcmp(modifier, ":k"))
		return kernel;
	if (!strcmp(modifier, ":m"))
		return kind == PROFILE_FIRMWARE;
	return !kernel && kind != PROFILE_FIRMWARE;
}

/* The index of an event, without its modifier, in a profile; PROFILE_NONE: it has none. */
static uint32_t event_of(const struct profile *p, const char *name)
{
	size_t len = measure_plain(name);

	for (uint32_t e = 0; e < p->events.nr; e++) {
		if (strlen(p->events.at[e].name) == len &&
		    !strncmp(p->events.at[e].name, name, len))
			return e;
	}
	return PROFILE_NONE;
}

bool measure_event(const struct report *r, const char *name, uint64_t *count)
{
	const struct profile *p = r->p;
	uint32_t e = event_of(p, name);
	struct profile_stack_count c;
	struct profile_column column;

	*count = 0;
	column = profile_column(p, e);
	while (e != PROFILE_NONE && profile_column_next(&column, &c)) {
		uint32_t object = p->places.at[p->stacks.at[c.stack].place].object;

		if (in_scope(name + measure_plain(name), p->objects.at[object].kind))
			*count += c.weight;
	}
	return e != PROFILE_NONE;
}

/* Functions */

bool measure_add_function(struct measure_functions *to, const char *name, uint64_t count)
{
	char *copy = strdup(name);

	if (copy && VEC_PUSH(to, (struct measure_function){ copy, count }))
		return true;
	free(copy);
	return false;
}

void measure_clear_functions(struct measure_functions *functions)
{
	for (size_t n = 0; n < functions->nr; n++)
		free(functions->at[n].name);
	free(functions->at);
	*functions = (struct measure_functions){ 0 };
}

static int by_name(const void *left, const void *right)
{
	const struct measure_function *a = left, *b = right;

	return strcmp(a->name, b->name);
}

static int by_count(const void *left, const void *right)
{
	const struct measure_function *a = left, *b = right;

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return strcmp(a->name, b->name);
}

/* Makes one of the functions that have the same name. */
static void join(struct measure_functions *f)
{
	size_t kept = 0;

	VEC_SORT(f, by_name);
	for (size_t n = 0; n < f->nr; n++) {
		if (kept && !strcmp(f->at[kept - 1].name, f->at[n].name)) {
			f->at[kept - 1].count += f->at[n].count;
			free(f->at[n].name);
		} else {
			f->at[kept++] = f->at[n];
		}
	}
	f->nr = kept;
	VEC_SORT(f, by_count);
}

bool measure_functions(struct report *r, const char *name, struct measure_functions *to)
{
	struct report_events events = { .nr = 1 };
	struct report_rows rows = { .numbers = NULL };
	bool good;

	events.at[0] = event_of(r->p, name);
	if (events.at[0] == PROFILE_NONE)
		return true;
	good = report_make_rows(r, REPORT_OBJECT | REPORT_SYMBOL, &events, &rows);
	for (size_t n = 0; good && n < rows.rows.nr; n++) {
		const struct report_row *row = &rows.rows.at[n];
		const char *function = report_text(r, r->functions.at[row->function].name);
		uint64_t count = row->self[events.at[0]];

		if (count &&
		    in_scope(name + measure_plain(name), r->p->objects.at[row->object].kind))
			good = measure_add_function(to, function ? function : "?", count);
	}
	report_rows_free(&rows);
	join(to);
	return good;
}

int measure_profile(char path[MEASURE_PATH_SIZE])
{
	int fd = memfd_create("profile", 0); /* holter run inherits it */

	if (fd < 0)
		holter_error("no file in memory for the profile: %s", strerror(errno));
	snprintf(path, MEASURE_PATH_SIZE, "/proc/self/fd/%d", fd);
	return fd;
}

int measure_run(const struct measure_words *machine, const struct measure_words *command,
		const char *path, int fd, int out)
{
	VEC(const char *) words = { 0 };
	bool good = VEC_PUSH(&words, "run") && VEC_PUSH(&words, "--profile") &&
		    VEC_PUSH(&words, path);
	struct stat st;
	int status = -1;

	for (size_t n = 0; good && n < machine->nr; n++)
		good = VEC_PUSH(&words, machine->at[n]);
	good = good && VEC_PUSH(&words, "--");
	for (size_t n = 0; good && n < command->nr; n++)
		good = VEC_PUSH(&words, command->at[n]);
	if (good && VEC_PUSH(&words, NULL))
		status = self_run(words.at, out);
	else
		holter_error("out of memory");
	free(words.at);
	/* Without a profile holter run has said why. */
	return status && (fstat(fd, &st) || !st.st_size) ? -1 : status;
}
