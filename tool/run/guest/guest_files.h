/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest_files.h - finds files of the prepared guest in its initrd.
 */
#ifndef TOOL_GUEST_FILES_H
#define TOOL_GUEST_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "near.h"

struct guest_files {
	const void *data; /* cpio archives, one after the other */
	size_t size;
	const struct guest_files *more; /* files to search, too; NULL: none */
};

/* Maps the initrd.  Returns false if it does not exist or is compressed. */
bool guest_files_open(struct guest_files *f, const char *initrd);
void guest_files_close(struct guest_files *f);

enum guest_file { GUEST_NONE, GUEST_FOLDER, GUEST_LINK, GUEST_DATA, GUEST_PROGRAM };

/*
 * Tells what the path from the root is, without following links, at the time when the guest waits
 * for a command.  GUEST_DATA: neither a program nor a folder.  link: gets the target of a link.
 */
enum guest_file guest_files_find(const struct guest_files *f, const char *path,
				 char link[PATH_MAX]);

/* Tries the names of the guest's programs (near.h).  n is good until guest_files_close(). */
void guest_files_near(const struct guest_files *f, struct near *n);

#endif
