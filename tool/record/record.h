/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record.h - what holter record adds to the kernel's records: what there was before them
 * (before.c), what they lead to (found.c) and what machine they are of (header.c).
 */
#ifndef TOOL_RECORD_H
#define TOOL_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "perf_file.h"

/*
 * before.c: records as the kernel would have written them, had the recording begun earlier; as perf
 * does, all with time 0 and of no event.  They read a folder such as /proc, and leave out what it
 * does not tell.
 */

/* The kernel's own code, and its modules, whose files are below `modules` (/lib/modules/RELEASE). */
void record_kernel(FILE *to, const char *proc, const char *modules);
/* The name of a thread. */
void record_thread(FILE *to, const char *proc, pid_t pid, pid_t tid);
/* A process, its threads and what it has mapped; then all that it has forked. */
void record_process(FILE *to, const char *proc, pid_t pid);
/* The process that a thread is of, without what it has forked. */
void record_owner(FILE *to, const char *proc, pid_t tid);
/* All processes. */
void record_processes(FILE *to, const char *proc);

/* found.c: what is in the records of a file. */

struct record_found {
	uint64_t size; /* of the records that are whole */
	uint64_t *samples; /* of each event */
	uint64_t all; /* samples */
	uint64_t first, last; /* their times; 0 without any */
	void *objects; /* names of what has been mapped as code: a tree of tsearch(3) */
};

/* False, with errno: the file cannot be read, or there is no memory. */
bool record_find(const struct perf_file *f, struct record_found *found);
void record_found_free(struct record_found *found);

/* header.c: features of the file: the machine, the command line, and what was found. */
void record_features(struct perf_file *f, const struct record_found *found, int argc, char **argv);

#endif
