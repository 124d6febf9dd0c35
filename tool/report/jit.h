/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jit.h - names of code that programs have written themselves: /tmp/perf-PID.map, which runtimes keep
 * for profilers (Linux, tools/perf/Documentation/jit-interface.txt).
 */
#ifndef REPORT_JIT_H
#define REPORT_JIT_H

#include "idmap.h"
#include "profile.h"

struct jit { /* all zero: nothing read yet */
	struct idmap index; /* by pid */
	PROFILE_ARRAY(struct symbol_table) tables;
};

/* The function of a process at an address, from the file under symfs; NULL if it has none there. */
const struct symbol *jit_find(struct jit *j, const char *symfs, int64_t pid, uint64_t addr);

/* The same of text: lines "start size name", hexadecimal.  What is no such line is left out. */
void jit_parse(struct symbol_table *t, const char *text);

void jit_free(struct jit *j);

#endif
