/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * events.h - the events of -e, in the notations of perf and of libpmc.
 *
 * A list has commas between its events; -e may be repeated.  After a name follow :u (user mode
 * alone), :k (the kernel alone) or both, as in perf, or libpmc's qualifiers (pmc(3)) with commas:
 * cycles:u,instructions is cycles,usr,instructions.
 */
#ifndef TOOL_EVENTS_H
#define TOOL_EVENTS_H

#include <stdbool.h>
#include <stddef.h>

struct events_one {
	char *name; /* as typed, with qualifiers as :u and :k */
	char *spec; /* for pmc_allocate() */
	bool modes; /* a qualifier selects the modes */
};

struct events {
	struct events_one *at;
	size_t nr, size; /* vec.h */
};

/* Appends the events of a text; 0, or 2 after an error message.  Does not check that they exist. */
int events_add(struct events *e, const char *text);

/* The same as the call() of a row for -e; events: a struct events. */
struct option_row;
int events_option(void *events, const struct option_row *row, const char *value);

/* Restricts the event to user mode; false: it has a qualifier of modes already. */
bool events_user(struct events_one *e);

void events_free(struct events *e);

/*
 * pmc_error_text() without the event's name at its beginning, so that the same reason is the same
 * text for all events.  The caller frees it; NULL: no memory.
 */
char *events_reason(void);

#endif
