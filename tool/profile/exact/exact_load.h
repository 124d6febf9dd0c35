/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_load.h - turns an exact profile (holter-profile(5)) into a struct profile: its address
 * spaces become processes, and its pages of code become parts of files.
 *
 * The host does not know what the guest maps where.  It finds the file of a page by the page's
 * content.  It searches the shared folder, the initial RAM disk, and the folders that the user
 * names.  If several files have the page, it takes the one that explains the most pages of this
 * process with one difference between address and file offset.  If two files are copies, it takes
 * the one that the command names.  A page whose content is not found, but which is between pages
 * of a file, belongs to that file.
 *
 * Firmware, a bare-metal program and a kernel without an address space are found in their own files
 * in the same way, wherever they were loaded.  These files may have been built again since, so each
 * instruction that ran is compared with the file.  Code on a page that differs gets no names.
 *
 * A process gets the name of the program whose first instruction it ran.  If it already ran when
 * the profile began, it gets the name of the program of which it ran most.
 */
#ifndef REPORT_EXACT_LOAD_H
#define REPORT_EXACT_LOAD_H

#include "exact_parse.h"
#include "profile.h"

struct exact_load_options {
	const char *events; /* names and patterns, separated by commas; NULL: the default events */
	bool has_kallsyms; /* p has kallsyms already: ignore those of the file */
	bool all; /* include the program of the guest that starts the command */
	bool code; /* keep each instruction that ran, for profile_code() */
	const char *const *folders; /* more folders to search for files, in this order */
	size_t nr_folders;
};

/* data must be an exact_knows() one.  False: why says it, and the profile is of no use. */
bool exact_load(struct profile *p, const void *data, size_t len, const struct exact_load_options *o,
		struct error_text *why);

#endif
