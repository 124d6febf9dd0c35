/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guest_files.h - which programs and libraries the prepared guest has, read from its initrd.
 */
#ifndef TOOL_GUEST_FILES_H
#define TOOL_GUEST_FILES_H

#include <stdbool.h>
#include <stddef.h>

struct guest_files {
	const char *data; /* cpio archives, one behind the other */
	size_t size;
};

/* False: there is no such file, or it is compressed.  Nothing is known of the guest then. */
bool guest_files_open(struct guest_files *f, const char *initrd);
void guest_files_close(struct guest_files *f);

/*
 * Whether the guest has, or may have, /usr/bin/perf or another file of /usr, /bin, /sbin and /lib; what
 * stands elsewhere it may have made.  busybox may be a program of any name that it holds.
 */
bool guest_files_has(const struct guest_files *f, const char *path);

/* The same of a program without a folder: in one of those of guest/init's PATH. */
bool guest_files_has_program(const struct guest_files *f, const char *name);

#endif
