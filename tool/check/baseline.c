// SPDX-License-Identifier: BSD-2-Clause
/*
 * baseline.c - see baseline.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "baseline.h"
#include "holter.h"
#include "json.h"
#include "json_read.h"

bool baseline_add_event(struct baseline *b, const char *name, uint64_t count, uint64_t at_most)
{
	char *copy = strdup(name);

	if (copy &&
	    VEC_PUSH(&b->events,
		     (struct baseline_event){ .name = copy, .count = count, .at_most = at_most }))
		return true;
	free(copy);
	return false;
}

/* Reads a list of texts. */
static bool read_words(struct measure_words *to, const struct json_object *from)
{
	if (!json_read_is_array(from))
		return false;
	for (size_t n = 0; n < json_read_length(from); n++) {
		const char *word = json_read_text(json_read_element(from, n));

		if (!word || !measure_add_word(to, word))
			return false;
	}
	return true;
}

/* Reads the functions of an event; an older file has none. */
static bool read_functions(struct measure_functions *to, const struct json_object *from)
{
	for (size_t n = 0; n < json_read_length(from) && n < BASELINE_FUNCTIONS; n++) {
		const struct json_object *function = json_read_element(from, n);
		const char *name = json_read_text(json_read_member(function, "function"));
		uint64_t count;

		if (!name || !json_read_number(json_read_member(function, "count"), &count) ||
		    !measure_add_function(to, name, count))
			return false;
	}
	return true;
}

static bool read_events(struct baseline *b, const struct json_object *from)
{
	for (size_t n = 0; n < json_read_length(from); n++) {
		const struct json_object *event = json_read_element(from, n);
		const char *name = json_read_text(json_read_member(event, "event"));
		uint64_t count, at_most;

		if (!name || !*name ||
		    !json_read_number(json_read_member(event, "count"), &count) ||
		    !json_read_number(json_read_member(event, "at_most"), &at_most) ||
		    !baseline_add_event(b, name, count, at_most) ||
		    !read_functions(&b->events.at[b->events.nr - 1].functions,
				    json_read_member(event, "functions")))
			return false;
	}
	return json_read_length(from);
}

bool baseline_read(struct baseline *b, const char *path)
{
	struct error_text why;
	struct json_object *all = json_read_file(path, &why);
	bool good, no_memory;

	*b = (struct baseline){ .machine = { 0 } };
	if (!all) {
		holter_error("%s", why.text);
		return false;
	}
	errno = 0;
	good = read_words(&b->machine, json_read_member(all, "machine")) &&
	       read_words(&b->command, json_read_member(all, "command")) &&
	       read_events(b, json_read_member(all, "events"));
	no_memory = errno == ENOMEM;
	json_read_free(all);
	if (good)
		return true;
	if (no_memory)
		holter_error("%s: out of memory", path);
	else
		holter_error("%s: this is not a baseline of holter check: it lacks its machine, "
			     "its command or "
			     "its events",
			     path);
	baseline_free(b);
	return false;
}

static void write_functions(struct json *j, const struct measure_functions *functions)
{
	json_open(j, "functions", '[');
	for (size_t n = 0; n < functions->nr && n < BASELINE_FUNCTIONS; n++) {
		json_open(j, NULL, '{');
		json_text(j, "function", functions->at[n].name);
		json_number(j, "count", functions->at[n].count);
		json_close(j, '}');
	}
	json_close(j, ']');
}

void baseline_write(const struct baseline *b, FILE *to)
{
	struct json j = json_to(to);

	json_open(&j, NULL, '{');
	measure_write_words(&j, "machine", &b->machine);
	measure_write_words(&j, "command", &b->command);
	json_open(&j, "events", '[');
	for (size_t n = 0; n < b->events.nr; n++) {
		json_open(&j, NULL, '{');
		json_text(&j, "event", b->events.at[n].name);
		json_number(&j, "count", b->events.at[n].count);
		json_number(&j, "at_most", b->events.at[n].at_most);
		write_functions(&j, &b->events.at[n].functions);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
}

void baseline_free(struct baseline *b)
{
	measure_clear_words(&b->machine);
	measure_clear_words(&b->command);
	for (size_t n = 0; n < b->events.nr; n++) {
		free(b->events.at[n].name);
		measure_clear_functions(&b->events.at[n].functions);
	}
	free(b->events.at);
	*b = (struct baseline){ .machine = { 0 } };
}
