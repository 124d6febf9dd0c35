// SPDX-License-Identifier: BSD-2-Clause
/*
 * events.c - see events.h.  Apart from error messages it has no side effects.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmc.h>

#include "events.h"
#include "holter.h"
#include "vec.h"

/* An event that is being read: its name and its qualifiers. */
struct draft {
	const char *name;
	int len;
	bool user, kernel, multiplex;
};

static int finish(struct events *e, const struct draft *d)
{
	const char *mode = d->user == d->kernel ? "" : d->user ? ":u" : ":k";
	const char *usr = d->user ? ",usr" : "", *os = d->kernel ? ",os" : "";
	struct events_one *one;

	if (!VEC_ROOM(e, 1))
		return holter_error("out of memory");
	one = &e->at[e->nr];
	one->modes = d->user || d->kernel;
	if (asprintf(&one->name, "%.*s%s", d->len, d->name, mode) < 0)
		return holter_error("out of memory");
	if (asprintf(&one->spec, "%.*s%s%s%s", d->len, d->name, usr, os,
		     d->multiplex ? ",multiplex" : "") < 0) {
		free(one->name);
		return holter_error("out of memory");
	}
	e->nr++;
	return 0;
}

static bool same(const char *word, size_t len, const char *name)
{
	return len == strlen(name) && strncasecmp(word, name, len) == 0;
}

/* Whether a word is a qualifier of the event before it. */
static bool qualifies(struct draft *d, const char *word, size_t len)
{
	if (same(word, len, "usr"))
		d->user = true;
	else if (same(word, len, "os"))
		d->kernel = true;
	else if (same(word, len, "multiplex"))
		d->multiplex = true;
	else
		return false;
	return true;
}

/* u, k or both, after the colon of a word. */
static int modes(struct draft *d, const char *word, size_t len, const char *from)
{
	const char *end = word + len;

	for (const char *c = from; c < end && (*c == 'u' || *c == 'k'); c++, from++) {
		d->user |= *c == 'u';
		d->kernel |= *c == 'k';
	}
	if (from == end && (d->user || d->kernel))
		return 0;
	/* sched:sched_switch is a tracepoint; what perf has after a colon is short. */
	return holter_error("'%.*s': after the colon write u (user mode) or k (the kernel)%s",
			    (int)len, word, end - from > 5 ? "; tracepoints are not counted" : "");
}

/* NAME or NAME:MODES */
static int begin(struct draft *d, const char *word, size_t len)
{
	const char *colon = memchr(word, ':', len);

	*d = (struct draft){ .name = word, .len = (int)(colon ? (size_t)(colon - word) : len) };
	if (word[0] == '{')
		return holter_error("'%.*s': -e has no groups: remove the braces; each event has "
				    "its own counter while it is measured",
				    (int)len, word);
	if (memchr(word, '/', len))
		return holter_error("'%.*s': write the event without a PMU and slashes, as in "
				    "cycles, or raw=0x... for a code",
				    (int)len, word);
	if (memchr(word, ';', len))
		return holter_error("'%.*s': separate events by commas", (int)len, word);
	return colon ? modes(d, word, len, colon + 1) : 0;
}

int events_add(struct events *e, const char *list)
{
	const char *text = list;
	struct draft d = { 0 };
	size_t len;

	for (;; text += len + 1) {
		len = strcspn(text, ",");
		if (!d.name || !qualifies(&d, text, len)) {
			if (d.name && finish(e, &d))
				return 2;
			if (strchr(",:", *text)) /* or its end */
				return holter_error(
					"'%s': an event without a name; write one comma "
					"between two names",
					list);
			if (begin(&d, text, len))
				return 2;
		}
		if (!text[len])
			return finish(e, &d);
	}
}

int events_option(void *events, const struct option_row *row, const char *value)
{
	return events_add(events, value);
}

bool events_user(struct events_one *e)
{
	char *name, *spec;

	if (e->modes || asprintf(&name, "%s:u", e->name) < 0)
		return false;
	if (asprintf(&spec, "%s,usr", e->spec) < 0) {
		free(name);
		return false;
	}
	free(e->name);
	free(e->spec);
	*e = (struct events_one){ .name = name, .spec = spec, .modes = true };
	return true;
}

void events_free(struct events *e)
{
	while (e->nr) {
		free(e->at[--e->nr].name);
		free(e->at[e->nr].spec);
	}
	free(e->at);
	*e = (struct events){ 0 };
}

char *events_reason(void)
{
	char *text = strdup(pmc_error_text()), *colon = text ? strstr(text, ": ") : NULL;
	bool named;

	if (!colon)
		return text;
	*colon = '\0';
	named = pmc_event_text(text) != NULL;
	*colon = ':';
	if (named)
		memmove(text, colon + 2, strlen(colon + 2) + 1);
	return text;
}
