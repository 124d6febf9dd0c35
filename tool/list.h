/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * list.h - an event as holter list shows it, and as holter-events(7) explains it.
 *
 * What there is to know of events comes from libpmc; there is no list of them here.
 */
#ifndef TOOL_LIST_H
#define TOOL_LIST_H

#include <stdbool.h>

#include <pmc.h>

/* The kinds of events, in the order of the list. */
enum list_kind { LIST_GENERAL, LIST_CACHE, LIST_RAW, LIST_FIRMWARE, LIST_SOFT, LIST_KINDS };

struct list_event {
	const char *name; /* constant */
	const char *text; /* constant; what it counts */
	enum list_kind kind;
	uint32_t code; /* the SBI's event_idx (SBI 3.0 §11), unless LIST_SOFT */
	char aliases[200]; /* with spaces between them */
};

/* Number n of the list; false: there are no more. */
bool list_event(unsigned n, struct list_event *e);
/* An event of any specifier; false: it is none, see pmc_error_text(). */
bool list_event_of(const char *spec, struct list_event *e);

/* list_man.c: prints holter-events(7). */
void list_man(void);

#endif
