/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_spaces.h - address spaces of an exact profile: which files the pages of code in them are
 * from, and what their processes are called (exact_load.h tells how).
 */
#ifndef REPORT_EXACT_SPACES_H
#define REPORT_EXACT_SPACES_H

#include "exact_files.h"
#include "profile.h"

struct exact_spaces;

/* Spaces have the names of satp; M-mode, and what ran without an address space, have these. */
#define EXACT_SPACE_M	 UINT64_MAX
#define EXACT_SPACE_NONE 0
/* What runs in an address space and is not its process's; none of these is a satp. */
#define EXACT_SPACE_THREADS_OF	  (UINT64_MAX - 1)
#define EXACT_SPACE_INTERRUPTS_OF (UINT64_MAX - 2)
#define EXACT_SPACE_STARTER_OF	  (UINT64_MAX - 3)

/* NULL: no memory.  The files are borrowed. */
struct exact_spaces *exact_spaces_new(struct exact_files *files);
void exact_spaces_free(struct exact_spaces *s);

/* A page of code in a space: of programs, of a kernel that has no space yet, or of firmware. */
void exact_spaces_add(struct exact_spaces *s, uint64_t satp, uint64_t va, uint64_t content);

/* When all are there: finds their files.  False: no memory. */
bool exact_spaces_resolve(struct exact_spaces *s);

struct exact_home {
	const char *path; /* where the file can be opened; NULL: there is no such file */
	uint32_t file;
	uint64_t offset; /* of the page in it */
};

struct exact_home exact_spaces_find(struct exact_spaces *s, uint64_t satp, uint64_t va,
				    uint64_t content);

/* At offset of a file so many instructions have run. */
void exact_spaces_ran(struct exact_spaces *s, uint64_t satp, uint32_t file, uint64_t offset,
		      uint64_t instructions);

/*
 * When all that ran was told: the process of a space.  Those with one name
 * are one: there are no numbers to tell them apart by.  program: what ran without an operating
 * system, or NULL.
 */
uint32_t exact_spaces_process(struct exact_spaces *s, struct profile *p, uint64_t satp,
			      const char *program);

#endif
