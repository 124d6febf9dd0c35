/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest_files.h - finds programs and libraries of the prepared guest in its initrd.
 */
#ifndef TOOL_GUEST_FILES_H
#define TOOL_GUEST_FILES_H

#include <stdbool.h>
#include <stddef.h>

struct guest_files {
	const char *data; /* cpio archives, one after the other */
	size_t size;
};

/* Maps the initrd.  Returns false if it does not exist or is compressed. */
bool guest_files_open(struct guest_files *f, const char *initrd);
void guest_files_close(struct guest_files *f);

/*
 * Returns whether the guest has, or may have, the file `path`.  Only /usr, /bin, /sbin and /lib can
 * be checked, because the guest may create files elsewhere.  If busybox contains the name, the
 * guest may have a program of that name.
 */
bool guest_files_has(const struct guest_files *f, const char *path);

/* The same for a program without a folder: looks in the folders of PATH in guest/init. */
bool guest_files_has_program(const struct guest_files *f, const char *name);

#endif
