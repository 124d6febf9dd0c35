// SPDX-License-Identifier: BSD-2-Clause
/*
 * counts.c - see counts.h.  json-c parses; what it yields is checked here: the file may be
 * anybody's.
 */
#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "file.h"
#include "holter.h"
#include "term.h"

#define FILE_MAX   (64 << 20)
#define EVENTS_MAX 10000

bool counts_know(const char *path)
{
	size_t len;
	char *text = file_read("", path, FILE_MAX, &len);
	bool known = text && text[strspn(text, " \t\r\n")] == '{';

	free(text);
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
		return false;
	if (VEC_PUSH(&c->list, (struct count){ full, count, error }))
		return true;
	free(full);
	return false;
}

static const struct json_object *member(const struct json_object *of, const char *key)
{
	struct json_object *found = NULL;

	if (!json_object_is_type(of, json_type_object))
		return NULL;
	json_object_object_get_ex(of, key, &found);
	return found;
}

static bool is_array(const struct json_object *o)
{
	return json_object_is_type(o, json_type_array);
}

static const struct json_object *element(const struct json_object *array, size_t n)
{
	return json_object_array_get_idx(array, n);
}

/* NULL: it is no text. */
static const char *text_of(const struct json_object *o)
{
	return json_object_is_type(o, json_type_string)
		       ? json_object_get_string((struct json_object *)o)
		       : NULL;
}

static bool real(const struct json_object *from, double *to)
{
	if (!json_object_is_type(from, json_type_int) &&
	    !json_object_is_type(from, json_type_double))
		return false;
	*to = json_object_get_double(from);
	return true;
}

/* A number that is not negative. */
static bool number(const struct json_object *from, uint64_t *to)
{
	double value;

	if (!real(from, &value) || !(value >= 0 && value < 0x1p63))
		return false;
	*to = json_object_is_type(from, json_type_int) ? (uint64_t)json_object_get_int64(from)
						       : (uint64_t)llround(value);
	return true;
}

/* An event of --stats-json: all its modes. */
static bool add_modes(struct counts *c, const struct json_object *event)
{
	static const struct {
		const char *key, *modifier;
	} modes[] = { { "count", "" }, { "u", ":u" }, { "s", ":k" }, { "m", ":m" } };
	const char *name = text_of(member(event, "event"));
	uint64_t count;

	for (size_t i = 0; name && i < sizeof(modes) / sizeof(*modes); i++) {
		if (!number(member(event, modes[i].key), &count) ||
		    !add(c, name, modes[i].modifier, count, 0))
			return false;
	}
	return name;
}

static bool add_harts(struct counts *c, const struct json_object *harts)
{
	for (size_t h = 0; h < json_object_array_length(harts); h++) {
		const struct json_object *events = member(element(harts, h), "events");

		if (!is_array(events))
			return false;
		for (size_t e = 0; e < json_object_array_length(events); e++) {
			if (!add_modes(c, element(events, e)))
				return false;
		}
	}
	return true;
}

/* The events of holter stat; one that was not counted is left out. */
static bool add_events(struct counts *c, const struct json_object *events)
{
	for (size_t e = 0; e < json_object_array_length(events); e++) {
		const struct json_object *event = element(events, e);
		const char *name = text_of(member(event, "event"));
		double spread = INFINITY; /* of one run */
		uint64_t count;

		if (text_of(member(event, "reason")))
			continue;
		real(member(event, "spread"), &spread);
		if (!name || !number(member(event, "count"), &count) ||
		    !add(c, name, "", count, isfinite(spread) ? spread * (double)count : INFINITY))
			return false;
	}
	return true;
}

/* Joins texts with blanks behind a first one.  NULL: no memory. */
static char *joined(const char *first, const struct json_object *texts)
{
	char *to = NULL;
	size_t len;
	FILE *f = open_memstream(&to, &len);
	bool later = *first;

	if (!f)
		return NULL;
	fputs(first, f);
	for (size_t i = 0; i < json_object_array_length(texts); i++) {
		const char *text = text_of(element(texts, i));

		fprintf(f, "%s%s", later ? " " : "", text ? text : "?");
		later = true;
	}
	fclose(f);
	return to;
}

static void describe(struct counts *c, const struct json_object *all)
{
	const struct json_object *cpu = member(member(all, "machine"), "cpu");
	const struct json_object *set = member(cpu, "set"), *command = member(all, "command");
	const char *name = text_of(member(cpu, "name"));
	bool is_set = is_array(set) && json_object_array_length(set);
	char first[256];

	if (name) {
		snprintf(first, sizeof(first), "%.200s%s", name, is_set ? " with" : "");
		c->machine = is_set ? joined(first, set) : strdup(first);
	}
	if (is_array(command))
		c->command = joined("", command);
}

static bool read_all(struct counts *c, const struct json_object *all, const char *path)
{
	const struct json_object *harts = member(all, "harts"), *events = member(all, "events");

	c->exact = is_array(harts);
	if (!c->exact && !is_array(events)) {
		holter_error("%s: these are no counts: neither of holter run --stats-json nor of "
			     "holter stat --json",
			     path);
		return false;
	}
	if (!(c->exact ? add_harts(c, harts) : add_events(c, events))) {
		holter_error("%s: an event lacks its name or its count, or there is no memory",
			     path);
		return false;
	}
	describe(c, all);
	for (size_t i = 0; i < c->list.nr; i++)
		term_printable(c->list.at[i].name);
	term_printable(c->command);
	term_printable(c->machine);
	return true;
}

/* Parses one JSON value: strict, so that nothing may follow it.  NULL: see *why. */
static struct json_object *parse(const char *text, size_t len, const char **why)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *all;

	*why = "there is no memory";
	if (!tokener)
		return NULL;
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	/* With the zero behind it: a number at the end is then complete. */
	all = json_tokener_parse_ex(tokener, text, (int)len + 1);
	*why = json_tokener_error_desc(json_tokener_get_error(tokener));
	json_tokener_free(tokener);
	return all;
}

bool counts_read(struct counts *c, const char *path)
{
	size_t len = 0;
	char *text = file_read("", path, FILE_MAX, &len);
	struct json_object *all;
	const char *why;
	bool good;

	*c = (struct counts){ .exact = false };
	if (!text) {
		holter_error("%s: %s", path, file_text(errno));
		return false;
	}
	all = parse(text, len, &why);
	free(text);
	if (!all) {
		holter_error("%s: this is no JSON object of one run: %s", path, why);
		return false;
	}
	good = read_all(c, all, path);
	json_object_put(all);
	if (!good)
		counts_free(c);
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
