/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_jit.h - the names of code that programs generated at run time, for an exact profile: from
 * the files perf-PID.map and jit-PID.dump of folders.
 *
 * An exact profile has no process ids.  A jitdump file has the code, so it is found like a page of
 * a program: an instruction that ran gets its name only if the file has the same instruction at
 * this address.  A map has no code: an address space takes the map that names most of its
 * instructions, and none if two name as many.
 */
#ifndef REPORT_EXACT_JIT_H
#define REPORT_EXACT_JIT_H

#include "exact_stamp.h"
#include "profile.h"

struct exact_jit;

/* NULL: no memory.  p gets an object for each file that names something. */
struct exact_jit *exact_jit_new(struct profile *p);
void exact_jit_free(struct exact_jit *j); /* NULL is fine */

/*
 * Reads the files of a folder, not those of its subfolders; NULL: of none.  Of files with the same
 * name, those of the folder that is added first are read.
 */
void exact_jit_add_folder(struct exact_jit *j, const char *path);

/* Adds to a stamp what exact_jit_add_folder() would read. */
void exact_jit_stamp_folder(struct exact_stamp *s, const char *path);

/* Notes that a space ran an instruction that is in no file.  raw: its encoding; 0: not known. */
void exact_jit_ran(struct exact_jit *j, uint64_t satp, uint64_t va, uint32_t raw);

struct exact_generated {
	uint32_t object; /* PROFILE_NONE: no file names it */
	uint64_t addr; /* in the object */
};

/* Call it after the last exact_jit_ran(). */
struct exact_generated exact_jit_find(struct exact_jit *j, uint64_t satp, uint64_t va,
				      uint32_t raw);

#endif
