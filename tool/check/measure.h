/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * measure.h - counts of one run on the machine, of user code, of the kernel or of the firmware.
 *
 * The name of an event ends with :u (user code), :k (the kernel) or :m (firmware).
 */
#ifndef TOOL_CHECK_MEASURE_H
#define TOOL_CHECK_MEASURE_H

#include "baseline.h"
#include "report.h"

/*
 * Runs the command of a baseline on its machine, with an exact profile; without events, those that
 * holter report shows of the command are added.  Writes the counts of its events, of which there
 * are b->events.nr then, to *counts, which the caller frees, and the machine's name to *cpu.
 * Returns 0, or 2 after an error was printed.
 */
int measure(struct baseline *b, uint64_t **counts, char **cpu);

/* Sums an event of a loaded profile.  False: the profile has no such event. */
bool measure_event(const struct report *r, const char *name, uint64_t *count);

#endif
