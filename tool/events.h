/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * events.h - the events of -e, as people type them for perf and for libpmc.
 *
 * A list, separated by commas; option -e may be repeated.  Behind a name stands :u (user mode
 * alone), :k (the kernel alone) or both, as perf has it, or libpmc's qualifiers (pmc(3)) with
 * commas: cycles:u,instructions is cycles,usr,instructions.
 */
#ifndef TOOL_EVENTS_H
#define TOOL_EVENTS_H

#include <stdbool.h>

struct events_one {
	char *name; /* as it was typed, qualifiers as :u and :k */
	char *spec; /* for pmc_allocate() */
	bool modes; /* it says which modes count */
};

struct events {
	struct events_one *list;
	unsigned nr;
};

/* Appends those of a text; 0, or 2 after a line.  Whether there are such events libpmc says. */
int events_add(struct events *e, const char *text);

/* The same event in user mode alone; false: it says already which modes.  Frees what was. */
bool events_user(struct events_one *e);

void events_free(struct events *e);

/*
 * pmc_error_text() without the event's name, if that is what stands in front: so that the same reason
 * is the same text.  The caller frees; NULL: no memory.
 */
char *events_reason(void);

#endif
