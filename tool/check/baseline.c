// SPDX-License-Identifier: BSD-2-Clause
/*
 * baseline.c - see baseline.h.
 */
#include <stdlib.h>
#include <string.h>

#include "baseline.h"
#include "holter.h"
#include "json.h"
#include "json_read.h"

bool baseline_add_word(struct baseline_words *words, const char *word)
{
	char *copy = strdup(word);

	if (copy && VEC_PUSH(words, copy))
		return true;
	free(copy);
	return false;
}

bool baseline_add_event(struct baseline *b, const char *name, uint64_t count, uint64_t at_most)
{
	char *copy = strdup(name);

	if (copy && VEC_PUSH(&b->events, (struct baseline_event){ copy, count, at_most }))
		return true;
	free(copy);
	return false;
}

/* Reads a list of texts. */
static bool read_words(struct baseline_words *to, const struct json_object *from)
{
	if (!json_read_is_array(from))
		return false;
	for (size_t n = 0; n < json_read_length(from); n++) {
		const char *word = json_read_text(json_read_element(from, n));

		if (!word || !baseline_add_word(to, word))
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
		    !baseline_add_event(b, name, count, at_most))
			return false;
	}
	return json_read_length(from);
}

bool baseline_read(struct baseline *b, const char *path)
{
	struct json_object *all = json_read_file(path);
	bool good;

	*b = (struct baseline){ .machine = { 0 } };
	if (!all)
		return false;
	good = read_words(&b->machine, json_read_member(all, "machine")) &&
	       read_words(&b->command, json_read_member(all, "command")) &&
	       read_events(b, json_read_member(all, "events"));
	json_read_free(all);
	if (good)
		return true;
	holter_error(
		"%s: this is no baseline of holter check: it lacks its machine, its command or "
		"its events",
		path);
	baseline_free(b);
	return false;
}

static void write_words(struct json *j, const char *key, const struct baseline_words *words)
{
	json_open(j, key, '[');
	for (size_t n = 0; n < words->nr; n++)
		json_text(j, NULL, words->at[n]);
	json_close(j, ']');
}

void baseline_write(const struct baseline *b, FILE *to)
{
	struct json j = json_to(to);

	json_open(&j, NULL, '{');
	write_words(&j, "machine", &b->machine);
	write_words(&j, "command", &b->command);
	json_open(&j, "events", '[');
	for (size_t n = 0; n < b->events.nr; n++) {
		json_open(&j, NULL, '{');
		json_text(&j, "event", b->events.at[n].name);
		json_number(&j, "count", b->events.at[n].count);
		json_number(&j, "at_most", b->events.at[n].at_most);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
}

void baseline_clear(struct baseline_words *words)
{
	for (size_t n = 0; n < words->nr; n++)
		free(words->at[n]);
	free(words->at);
	*words = (struct baseline_words){ 0 };
}

void baseline_free(struct baseline *b)
{
	baseline_clear(&b->machine);
	baseline_clear(&b->command);
	for (size_t n = 0; n < b->events.nr; n++)
		free(b->events.at[n].name);
	free(b->events.at);
	*b = (struct baseline){ .machine = { 0 } };
}
