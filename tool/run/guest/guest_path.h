/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest_path.h - finds out which file a path of the guest means, before the guest runs: one of the
 * shared folder, which is /mnt there and the working directory of a command, or one of its own.
 */
#ifndef TOOL_GUEST_PATH_H
#define TOOL_GUEST_PATH_H

#include <limits.h>
#include <stdbool.h>

#include "guest_files.h"

enum guest_place {
	GUEST_SHARED, /* to is its path on this computer */
	GUEST_OWN, /* to is its path in the guest, without links, and *file what is there */
	GUEST_UNKNOWN, /* only the guest knows: /dev, /proc, /tmp, or no initrd */
};

/*
 * Follows the links of path as the guest would.  If a part of the path does not exist, to ends with
 * it.  f: the files of the guest, or NULL.
 */
enum guest_place guest_path(const struct guest_files *f, const char *share, const char *path,
			    char to[PATH_MAX], enum guest_file *file);

/* Returns whether the guest finds a program of this name on the PATH of guest/init. */
bool guest_path_program(const struct guest_files *f, const char *name);

#endif
