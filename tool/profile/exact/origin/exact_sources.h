/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_sources.h - the files from which an exact profile says that its machine ran: their paths,
 * and how they are added to the files that are searched for code (exact_files.h).
 */
#ifndef REPORT_EXACT_SOURCES_H
#define REPORT_EXACT_SOURCES_H

#include "exact_files.h"
#include "exact_parse.h"
#include "profile.h"

struct exact_sources { /* all zero: empty */
	char *firmware, *program, *kernel; /* files with symbols, or NULL */
	char *share; /* or NULL */
	uint32_t firmware_file, program_file, kernel_file; /* their numbers, or EXACT_NO_FILE */
	bool has_firmware, has_program; /* the guest had one, with or without symbols */
};

/* Takes the paths from the head, and gives p the facts about the machine. */
void exact_sources_take(struct exact_sources *s, struct profile *p, const struct exact_head *head);

/* Adds all files of the head and of nr folders to f.  Lack of memory is noted in f or p. */
void exact_sources_add(struct exact_sources *s, struct exact_files *f, struct profile *p,
		       const struct exact_head *head, const char *const *folders, size_t nr);

void exact_sources_free(struct exact_sources *s);

#endif
