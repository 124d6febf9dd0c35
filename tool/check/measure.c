// SPDX-License-Identifier: BSD-2-Clause
/*
 * measure.c - see measure.h.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "holter.h"
#include "measure.h"
#include "near.h"
#include "self.h"

/* The length of an event's name without its modifier. */
static size_t plain_length(const char *name)
{
	return strcspn(name, ":");
}

static bool in_scope(const char *modifier, enum profile_kind kind)
{
	bool kernel = kind == PROFILE_KERNEL || kind == PROFILE_MODULE;

	if (!strcmp(modifier, ":k"))
		return kernel;
	if (!strcmp(modifier, ":m"))
		return kind == PROFILE_FIRMWARE;
	return !kernel && kind != PROFILE_FIRMWARE;
}

bool measure_event(const struct report *r, const char *name, uint64_t *count)
{
	const struct profile *p = r->p;
	size_t len = plain_length(name);
	uint32_t e = 0;

	while (e < p->events.nr && (strlen(p->events.at[e].name) != len ||
				    strncmp(p->events.at[e].name, name, len) != 0))
		e++;
	*count = 0;
	for (uint32_t i = 0; e < p->events.nr && i < p->stacks.nr; i++) {
		uint32_t object = p->places.at[p->stacks.at[i].place].object;

		if (in_scope(name + len, p->objects.at[object].kind))
			*count += profile_weight(p, i, e)->weight;
	}
	return e < p->events.nr;
}

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
			again |= plain_length(b->events.at[i].name) == plain_length(name) &&
				 !strncmp(b->events.at[i].name, name, plain_length(name));
		if (!again)
			fprintf(f, "%s%.*s", n ? "," : "", (int)plain_length(name), name);
	}
	if (f)
		fclose(f);
	return text;
}

/* Says which event the machine does not have. */
static int no_event(const char *path, const char *name)
{
	const struct report_options all = { .symfs = "", .events = "*" };
	struct report *r = report_load(path, &all);
	char plain[256];
	struct near near;

	snprintf(plain, sizeof(plain), "%.*s", (int)plain_length(name), name);
	near = near_to(plain);
	for (size_t e = 0; r && e < r->p->events.nr; e++)
		near_try(&near, r->p->events.at[e].name);
	for (size_t e = 0; r && e < r->p->sums.nr; e++)
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
			return holter_error("check: no memory");
	}
	return 0;
}

/* Reads the counts from the profile. */
static int read_counts(struct baseline *b, const char *path, uint64_t **counts, char **cpu)
{
	char *names = plain_names(b);
	const struct report_options o = { .symfs = "", .events = b->events.nr ? names : NULL };
	struct report *r = names ? report_load(path, &o) : NULL;
	int status = r ? 0 : 2;

	if (r && !b->events.nr)
		status = add_standard(b, r);
	*counts = calloc(b->events.nr + 1, sizeof(**counts));
	if (!names || !*counts)
		status = holter_error("check: no memory");
	for (size_t n = 0; !status && n < b->events.nr; n++) {
		if (!measure_event(r, b->events.at[n].name, &(*counts)[n]))
			status = no_event(path, b->events.at[n].name);
	}
	if (!status && r->p->cpu)
		*cpu = strdup(r->p->cpu);
	report_free(r);
	free(names);
	return status;
}

/* Runs the command, and writes its profile to the file.  0, or 2 after an error was printed. */
static int run(const struct baseline *b, const char *path, int fd)
{
	VEC(const char *) words = { 0 };
	bool good = VEC_PUSH(&words, "run") && VEC_PUSH(&words, "--profile") &&
		    VEC_PUSH(&words, path);
	struct stat st;
	int status;

	for (size_t n = 0; good && n < b->machine.nr; n++)
		good = VEC_PUSH(&words, b->machine.at[n]);
	good = good && VEC_PUSH(&words, "--");
	for (size_t n = 0; good && n < b->command.nr; n++)
		good = VEC_PUSH(&words, b->command.at[n]);
	good = good && VEC_PUSH(&words, NULL);
	/* What the command prints is not the result of the check. */
	status = good ? self_run(words.at, 2) : holter_error("check: no memory");
	free(words.at);
	/* Without a profile holter run has said why. */
	if (status && (fstat(fd, &st) || !st.st_size))
		return 2;
	return status ? holter_error("%s ended with status %d: its counts are not compared",
				     b->command.at[0], status)
		      : 0;
}

int measure(struct baseline *b, uint64_t **counts, char **cpu)
{
	int fd = memfd_create("profile", 0), status; /* holter run inherits it */
	char path[32];

	*counts = NULL;
	*cpu = NULL;
	if (fd < 0)
		return holter_error("check: no memory for the profile");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	status = run(b, path, fd);
	if (!status)
		status = read_counts(b, path, counts, cpu);
	close(fd);
	return status;
}
