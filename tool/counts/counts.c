// SPDX-License-Identifier: BSD-2-Clause
/*
 * counts.c - see counts.h.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counts.h"
#include "file.h"
#include "json_read.h"
#include "memtext.h"
#include "term.h"

#define EVENTS_MAX 10000

bool counts_know(const char *path)
{
	char begin[64] = "";
	int fd = file_open("", path);
	bool known = fd >= 0 && read(fd, begin, sizeof(begin) - 1) > 0 &&
		     begin[strspn(begin, " \t\r\n")] == '{';

	if (fd >= 0)
		close(fd);
	return known;
}

static bool add(struct counts *c, const char *name, const char *modifier, uint64_t count,
		double error)
{
	char *full = NULL;

	for (size_t i = 0; i < c->list.nr; i++) {
		struct count *old = &c->list.at[i];
		size_t len = strlen(name);

		if (strncmp(old->name, name, len) != 0 || strcmp(old->name + len, modifier) != 0)
			continue;
		old->count += count; /* of another hart */
		return true;
	}
	if (c->list.nr == EVENTS_MAX || asprintf(&full, "%s%s", name, modifier) < 0)
		return false; /* errno is ENOMEM only if there is no memory */
	if (VEC_PUSH(&c->list, (struct count){ full, count, error }))
		return true;
	free(full);
	return false;
}

/* An event of --stats-json: all its modes. */
static bool add_modes(struct counts *c, const struct json_object *event)
{
	static const struct {
		const char *key, *modifier;
	} modes[] = { { "count", "" }, { "u", ":u" }, { "s", ":k" }, { "m", ":m" } };
	const char *name = json_read_text(json_read_member(event, "event"));
	uint64_t count;

	for (size_t i = 0; name && i < sizeof(modes) / sizeof(*modes); i++) {
		if (!json_read_number(json_read_member(event, modes[i].key), &count) ||
		    !add(c, name, modes[i].modifier, count, 0))
			return false;
	}
	return name;
}

static bool add_harts(struct counts *c, const struct json_object *harts)
{
	for (size_t h = 0; h < json_read_length(harts); h++) {
		const struct json_object *events = json_read_member(json_read_element(harts, h),
								    "events");

		if (!json_read_is_array(events))
			return false;
		for (size_t e = 0; e < json_read_length(events); e++) {
			if (!add_modes(c, json_read_element(events, e)))
				return false;
		}
	}
	return true;
}

/* The events of holter stat; one that was not counted is left out. */
static bool add_events(struct counts *c, const struct json_object *events)
{
	for (size_t e = 0; e < json_read_length(events); e++) {
		const struct json_object *event = json_read_element(events, e);
		const char *name = json_read_text(json_read_member(event, "event"));
		double spread = INFINITY; /* of one run */
		uint64_t count;

		if (json_read_text(json_read_member(event, "reason")))
			continue;
		json_read_real(json_read_member(event, "spread"), &spread);
		if (!name || !json_read_number(json_read_member(event, "count"), &count) ||
		    !add(c, name, "", count, isfinite(spread) ? spread * (double)count : INFINITY))
			return false;
	}
	return true;
}

/* Joins texts with blanks after a first one.  NULL: no memory. */
static char *joined(const char *first, const struct json_object *texts)
{
	char *to = NULL;
	size_t len;
	FILE *f = open_memstream(&to, &len);
	bool later = *first;

	if (!f)
		return NULL;
	fputs(first, f);
	for (size_t i = 0; i < json_read_length(texts); i++) {
		const char *text = json_read_text(json_read_element(texts, i));

		fprintf(f, "%s%s", later ? " " : "", text ? text : "?");
		later = true;
	}
	return memtext_end(f, &to);
}

/* False: there is no memory. */
static bool describe(struct counts *c, const struct json_object *all)
{
	const struct json_object *cpu = json_read_member(json_read_member(all, "machine"), "cpu");
	const struct json_object *set = json_read_member(cpu, "set"),
				 *command = json_read_member(all, "command");
	const char *name = json_read_text(json_read_member(cpu, "name"));
	bool is_set = json_read_is_array(set) && json_read_length(set);
	char first[256];

	if (name) {
		snprintf(first, sizeof(first), "%.200s%s", name, is_set ? " with" : "");
		c->machine = is_set ? joined(first, set) : strdup(first);
		if (!c->machine)
			return false;
	}
	if (json_read_is_array(command))
		c->command = joined("", command);
	return c->command || !json_read_is_array(command);
}

static bool no_memory(struct error_text *why, const char *path)
{
	error_set(why, "%s: out of memory", path);
	errno = ENOMEM;
	return false;
}

static bool read_all(struct counts *c, const struct json_object *all, const char *path,
		     struct error_text *why)
{
	const struct json_object *harts = json_read_member(all, "harts"),
				 *events = json_read_member(all, "events");

	c->exact = json_read_is_array(harts);
	if (!c->exact && !json_read_is_array(events))
		return error_set(why,
				 "%s: not a file of counts: neither of holter run --stats-json nor "
				 "of holter stat --json",
				 path);
	errno = 0;
	if (!(c->exact ? add_harts(c, harts) : add_events(c, events))) {
		if (errno == ENOMEM)
			return no_memory(why, path);
		return error_set(why,
				 "%s: an event lacks its name or its count, or there are more than "
				 "%u events",
				 path, EVENTS_MAX);
	}
	if (!describe(c, all))
		return no_memory(why, path);
	for (size_t i = 0; i < c->list.nr; i++)
		term_printable(c->list.at[i].name);
	term_printable(c->command);
	term_printable(c->machine);
	return true;
}

bool counts_read(struct counts *c, const char *path, struct error_text *why)
{
	struct json_object *all = json_read_file(path, why);
	bool good;
	int error;

	*c = (struct counts){ .exact = false };
	if (!all)
		return false;
	errno = EBADMSG;
	good = read_all(c, all, path, why);
	error = errno;
	json_read_free(all);
	if (!good)
		counts_free(c);
	errno = error;
	return good;
}

void counts_free(struct counts *c)
{
	for (size_t i = 0; i < c->list.nr; i++)
		free(c->list.at[i].name);
	free(c->list.at);
	free(c->command);
	free(c->machine);
	*c = (struct counts){ .exact = false };
}

const struct count *counts_find(const struct counts *c, const char *name)
{
	for (size_t i = 0; i < c->list.nr; i++) {
		if (!strcmp(c->list.at[i].name, name))
			return &c->list.at[i];
	}
	return NULL;
}
