/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_spaces.h - the address spaces of an exact profile.  Finds the files of their pages of code,
 * and the names of their processes (exact_load.h explains how).
 */
#ifndef REPORT_EXACT_SPACES_H
#define REPORT_EXACT_SPACES_H

#include "exact_files.h"
#include "exact_parse.h"
#include "profile.h"

struct exact_spaces;

/* The value of satp names a space; 0: code without one.  This names M-mode. */
#define EXACT_SPACE_M		  UINT64_MAX
/* These name code that runs in an address space but not for its process.  None is a valid satp. */
#define EXACT_SPACE_THREADS_OF	  (UINT64_MAX - 1)
#define EXACT_SPACE_INTERRUPTS_OF (UINT64_MAX - 2)
#define EXACT_SPACE_STARTER_OF	  (UINT64_MAX - 3)
/* All spaces of a command, in a profile of totals. */
#define EXACT_SPACE_COMMAND	  (UINT64_MAX - 4)

/* The space of a page of code. */
uint64_t exact_spaces_of(const struct exact_code *code);

/*
 * Whether the content of a page tells its file.  The code of a kernel with an address space is
 * known by its addresses instead.
 */
bool exact_spaces_look_for(const struct exact_code *code);

/* NULL: no memory.  The caller keeps files, and frees them later than the spaces. */
struct exact_spaces *exact_spaces_new(struct exact_files *files);
void exact_spaces_free(struct exact_spaces *s);

/* Adds a page of code: of a program, of a kernel without an address space, or of firmware. */
void exact_spaces_add(struct exact_spaces *s, uint64_t satp, uint64_t va, uint64_t content);

/* Call it after the last exact_spaces_add(): finds the files of all pages.  False: no memory. */
bool exact_spaces_resolve(struct exact_spaces *s);

/* Whether a function above or below lacked memory: then the results are not reliable. */
bool exact_spaces_lack_memory(const struct exact_spaces *s);

struct exact_home {
	const char *path; /* where the file can be opened; NULL: the page's file is not known */
	uint32_t file;
	uint64_t offset; /* of the page in the file */
};

struct exact_home exact_spaces_find(struct exact_spaces *s, uint64_t satp, uint64_t va,
				    uint64_t content);

/*
 * Finds the file that has data at an address of a space, after exact_spaces_resolve().  path as in
 * exact_spaces_find(); NULL: no file that is known has it.  offset: its link-time address.
 */
struct exact_home exact_spaces_data(struct exact_spaces *s, uint64_t satp, uint64_t va);

/* Notes that the space ran the instruction at an offset of a file so many times. */
void exact_spaces_ran(struct exact_spaces *s, uint64_t satp, uint32_t file, uint64_t offset,
		      uint64_t instructions);

/*
 * Call it after the last exact_spaces_ran(): returns the process of a space, and adds it if it is
 * new.  Processes with the same name are one process, because an exact profile has no pids.
 * program: the bare-metal program, or NULL.
 */
uint32_t exact_spaces_process(struct exact_spaces *s, struct profile *p, uint64_t satp,
			      const char *program);

#endif
