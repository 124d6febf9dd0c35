/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check_counts.h - the counts of the events of a baseline, of one run.
 */
#ifndef TOOL_CHECK_COUNTS_H
#define TOOL_CHECK_COUNTS_H

#include "baseline.h"

/* The result of one event. */
struct check_count {
	uint64_t count;
	struct measure_functions functions; /* if it exceeds its bound, or all are asked for */
};

/*
 * Runs the command of a baseline on its machine, with an exact profile; without events, those that
 * holter report shows of the command are added.  Writes the counts of its events, of which there
 * are b->events.nr then, to *counts, which check_free() frees, and the machine's name to *cpu.
 * functions: finds those of all events.  Returns 0, or 2 after an error was printed.
 */
int check_counts(struct baseline *b, bool functions, struct check_count **counts, char **cpu);
void check_free(struct check_count *counts, size_t nr);

/* A function that has more of an event than in the baseline. */
struct check_growth {
	const char *name;
	uint64_t count, before;
	bool is_new; /* the baseline does not have it */
};

#define CHECK_GROWTHS 3

/* Writes those that grew most, and returns how many; 0: the baseline has no functions. */
unsigned check_grown(const struct baseline_event *e, const struct check_count *c,
		     struct check_growth to[CHECK_GROWTHS]);

#endif
