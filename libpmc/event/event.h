/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event.h - the list of events, and the specifiers that choose an event.  Pure: no system calls, no
 * state.
 * The door of libpmc/event.
 */
#ifndef LPMC_EVENT_H
#define LPMC_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pmc.h"

/* An event, and the perf_event_attr fields that ask Linux for it. */
struct lpmc_event {
	const char *name; /* NULL for an event that was given by number */
	size_t name_len;
	const char *text;
	uint32_t ev; /* enum pmc_event */
	uint32_t type; /* perf_event_attr.type */
	uint64_t config;
};

/* An event of the CPU to which the device tree gives a name. */
struct lpmc_cpu_event {
	struct lpmc_event event; /* its name and text are the two below */
	char name[PMC_NAME_MAX], text[48];
};

/* All of them.  The number (ev) of the first is LPMC_EV_CPU_FIRST, and so on. */
struct lpmc_cpu_events {
	unsigned nr;
	struct lpmc_cpu_event at[];
};

#define LPMC_CPU_EVENTS_MAX 512

/*
 * Reads the two properties that name events (cpu_names.c).  The caller frees the result.  Wrong
 * contents give fewer events, or none.  NULL with ENOMEM.
 */
struct lpmc_cpu_events *lpmc_cpu_events_parse(const char *names, size_t names_size,
					      const uint8_t *selectors, size_t selectors_size);

/*
 * In all functions below, `cpu` is the events of the CPU; NULL: there are none.  A name of the list
 * wins over theirs.
 */

struct lpmc_spec {
	struct lpmc_event event;
	char name[PMC_NAME_MAX]; /* from the list; for an event by number, as it was given */
	bool usr, os; /* count user mode, the kernel; both or none: all modes */
	bool multiplex;
};

/*
 * Names are compared after this: lower case, and '-' for the separators space, '.' and '_'.  It
 * does not depend on the locale.
 */
static inline int lpmc_fold(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A' + 'a';
	return c == ' ' || c == '.' || c == '_' ? '-' : c;
}

/* Parses a specifier; -1 with EINVAL and the text (spec.c). */
int lpmc_spec_parse(const char *text, const struct lpmc_cpu_events *cpu, struct lpmc_spec *spec);
/* Finds the events of the CPU; NULL with an error. */
typedef const struct lpmc_cpu_events *lpmc_cpu_source(void);
/* The same; calls cpu() only if the name is unknown without the events of the CPU. */
int lpmc_spec_parse_here(const char *text, lpmc_cpu_source *cpu, struct lpmc_spec *spec);
/*
 * Whether a word means an event, or a number that is wrong, on every CPU.  Then no name of the CPU
 * is looked up (spec.c).
 */
bool lpmc_spec_is_known(const char *word, size_t len);
/*
 * Finds the name or alias that is nearest to a misspelled one; false if none is near (suggest.c).
 */
bool lpmc_suggest(const struct lpmc_cpu_events *cpu, const char *name, size_t len,
		  char near[PMC_NAME_MAX]);

/* event.c defines the functions below. */

/* The event with this name or alias, or NULL. */
const struct lpmc_event *lpmc_event_by_name(const struct lpmc_cpu_events *cpu, const char *name,
					    size_t len);
/* Row n of the list of all events, and after it the events of the CPU; NULL after the last. */
const struct lpmc_event *lpmc_event_row(const struct lpmc_cpu_events *cpu, unsigned n);
/* The event with this number, or NULL. */
const struct lpmc_event *lpmc_event_of(const struct lpmc_cpu_events *cpu, uint32_t ev);
/* Whether the number is that of a name of the CPU: it has a meaning only on this machine. */
bool lpmc_event_is_of_cpu(uint32_t ev);
enum pmc_class lpmc_event_class(uint32_t ev);
bool lpmc_event_is_firmware(const struct lpmc_event *e);
/* Whether it is CPU_CLOCK or TASK_CLOCK. */
bool lpmc_event_is_clock(const struct lpmc_event *e);
/* Whether it happens only in the kernel: a context switch or a migration. */
bool lpmc_event_is_of_kernel(const struct lpmc_event *e);
/* Whether two names are equal after lpmc_fold(). */
bool lpmc_name_same(const char *a, const char *b, size_t b_len);

/* Alias number n; NULL after the last. */
const char *lpmc_event_alias(unsigned n, uint32_t *ev);
/* Linux's name of a cache event, in two parts; false if it is not a cache event. */
bool lpmc_event_cache_alias(uint32_t ev, const char **cache, const char **op);

#endif
