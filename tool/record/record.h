/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record.h - what holter record adds to the kernel's records: synthesized records (synthesize.c), a
 * summary of the records (scan.c), and features that describe the machine (header.c).
 */
#ifndef TOOL_RECORD_H
#define TOOL_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "perf_file.h"

/*
 * synthesize.c: writes the records that the kernel would have written if the recording had begun
 * earlier.  As in perf, they have time 0 and belong to no event.  The functions read a folder like
 * /proc, and skip what they cannot read.  They return false if there is no memory.
 */

/* The kernel's code, and its modules, whose files are below `modules` (/lib/modules/RELEASE). */
bool record_kernel(FILE *to, const char *proc, const char *modules);
/* The name of a thread. */
bool record_thread(FILE *to, const char *proc, pid_t pid, pid_t tid);
/* A process, its threads and its mappings; then the same for all its descendants. */
bool record_process(FILE *to, const char *proc, pid_t pid);
/* The process of a thread, without descendants. */
bool record_owner(FILE *to, const char *proc, pid_t tid);
/* All processes. */
bool record_processes(FILE *to, const char *proc);

/* scan.c: summarizes the records of a file. */

struct record_found {
	uint64_t size; /* bytes of the complete records */
	uint64_t *samples; /* number of samples of each event */
	uint64_t all; /* number of all samples */
	uint64_t first, last; /* time of the first and the last sample; 0: no samples */
	void *objects; /* names of the files that were mapped as code: a tree of tsearch(3) */
};

/* Returns false and sets errno if the file cannot be read, or if there is no memory. */
bool record_find(const struct perf_file *f, struct record_found *found);
void record_found_free(struct record_found *found);

/* header.c: adds the features: the machine, the command line, and the summary. */
void record_features(struct perf_file *f, const struct record_found *found, int argc, char **argv);

#endif
