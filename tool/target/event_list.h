/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event_list.h - the events that have names: holter list shows them, holter-events(7) explains
 * them.
 *
 * All facts about events come from libpmc; there is no list of events here.
 */
#ifndef TOOL_EVENT_LIST_H
#define TOOL_EVENT_LIST_H

#include <stdbool.h>

#include <pmc.h>

/* The kinds of events, in the order of the list. */
enum list_kind {
	LIST_GENERAL,
	LIST_CACHE,
	LIST_RAW, /* by number */
	LIST_FIRMWARE,
	LIST_SOFT,
	LIST_CPU, /* raw events that this machine's device tree names */
	LIST_KINDS
};

struct list_event {
	const char *name; /* constant */
	const char *text; /* constant; what it counts */
	enum list_kind kind;
	/* the SBI's event_idx (SBI 3.0 §11), unless LIST_SOFT; LIST_CPU: that of raw events */
	uint32_t code;
	char aliases[200]; /* with spaces between them */
};

/* Event n of the list; false: there are no more, or errno is ENOMEM (pmc_event_name()). */
bool list_event(unsigned n, struct list_event *e);
/* The event of any specifier; false: it is not valid, see pmc_error_text(). */
bool list_event_of(const char *spec, struct list_event *e);

#endif
