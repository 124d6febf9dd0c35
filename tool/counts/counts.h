/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * counts.h - the counts of a whole run, read from the JSON that holter writes: of holter run
 * --stats-json, or of holter stat --json.
 *
 * Of --stats-json an event has the sum of all harts and modes under its name, and those of one mode
 * under the name with a modifier: cycles:u in user mode, cycles:k in S-mode, cycles:m in M-mode.
 */
#ifndef TOOL_COUNTS_H
#define TOOL_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "errtext.h"
#include "vec.h"

struct count {
	char *name;
	uint64_t count;
	double error; /* the standard error; INFINITY: not known */
};

struct counts {
	bool exact; /* of the machine: there is no error */
	char *command, *machine; /* NULL: not in the file */
	VEC(struct count) list; /* in the order of the file */
};

/* Whether a file begins as JSON does. */
bool counts_know(const char *path);

/* Reads a file.  False: see *why, and c is empty; errno is ENOMEM if there is no memory. */
bool counts_read(struct counts *c, const char *path, struct error_text *why);
void counts_free(struct counts *c);

const struct count *counts_find(const struct counts *c, const char *name); /* NULL: none */

#endif
