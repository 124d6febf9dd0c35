/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_load.h - an exact profile (holter-profile(5)) becomes a struct profile: its address spaces
 * become processes, its pages of code files.
 *
 * The host knows nothing of what the guest's system maps where.  A page of code that a process ran
 * is looked for, by its content, in the files that it may be from: those of the shared folder, of
 * the guest's initial file system, and of other folders that are named.  Of several such files that
 * is taken which explains most pages of this process, at one distance from their places in the
 * file (of copies, the one that the command names); and a page that is not found, between others of a file, is that file's, too.
 *
 * Firmware, a program without an operating system and a kernel without an address space are looked
 * for in their own files in the same way, wherever they were loaded.  They have fixed files, which
 * may have been built anew since; so each instruction that ran is compared with the file, and a page
 * that differs stays without names.
 *
 * A process is called as the program whose first instruction it ran; one that ran already when the
 * profile began, as the program of which it ran most.
 */
#ifndef REPORT_EXACT_LOAD_H
#define REPORT_EXACT_LOAD_H

#include "exact_parse.h"
#include "profile.h"

struct exact_load_options {
	const char *events; /* names and patterns, with commas; NULL: a few */
	bool has_kallsyms; /* they have been added, and what the profile brings is not wanted */
	bool all; /* what starts the command, too */
	bool code; /* each instruction that ran, too: profile_code */
	const char *const *folders; /* more of them to look for files in; the first ones first */
	size_t nr_folders;
};

/* data must be an exact_knows() one.  False: why says it, and the profile is of no use. */
bool exact_load(struct profile *p, const void *data, size_t len, const struct exact_load_options *o,
		struct exact_why *why);

#endif
