/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jit.h - names of functions that programs generated at run time (JIT).  Language runtimes write
 * them to /tmp/perf-PID.map for profilers (Linux, tools/perf/Documentation/jit-interface.txt).
 */
#ifndef REPORT_JIT_H
#define REPORT_JIT_H

#include "idmap.h"
#include "profile.h"

struct jit { /* all zero: nothing read yet */
	const char *folder; /* where a copy of a map file comes first; NULL: nowhere */
	struct idmap index; /* by pid */
	VEC(struct symbol_table) tables;
};

/*
 * Finds the function at an address of a process, in its map file: in the folder, or else
 * file_read_recorded() of /tmp.  NULL: none.
 */
const struct symbol *jit_find(struct jit *j, const char *symfs, int64_t pid, uint64_t addr);

/* Reads the lines "START SIZE NAME" of text, numbers in hexadecimal.  Ignores other lines. */
void jit_parse(struct symbol_table *t, const char *text);

void jit_free(struct jit *j);

#endif
