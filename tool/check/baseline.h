/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * baseline.h - the file of holter check: what is run, on which machine, and how much of each event
 * there may be.  holter-check(1) describes it.
 */
#ifndef TOOL_CHECK_BASELINE_H
#define TOOL_CHECK_BASELINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "measure.h"
#include "vec.h"

#define BASELINE_FUNCTIONS 50 /* of an event that are kept: those with the highest counts */

struct baseline_event {
	char *name; /* with its modifier: cycles:u */
	uint64_t count, at_most;
	struct measure_functions functions; /* where the count was; empty: not known */
};

struct baseline {
	struct measure_words machine; /* options of holter run: "--cpu", "x60" */
	struct measure_words command;
	VEC(struct baseline_event) events;
};

/* Reads a file.  False after printing an error, and b is empty. */
bool baseline_read(struct baseline *b, const char *path);
void baseline_write(const struct baseline *b, FILE *to);
void baseline_free(struct baseline *b);

/* Copies the name.  False: there is no memory. */
bool baseline_add_event(struct baseline *b, const char *name, uint64_t count, uint64_t at_most);

#endif
