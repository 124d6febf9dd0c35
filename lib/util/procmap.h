/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * procmap.h - reads a line of /proc/PID/maps (Linux, Documentation/filesystems/proc.rst).
 */
#ifndef UTIL_PROCMAP_H
#define UTIL_PROCMAP_H

#include <stdbool.h>
#include <stdint.h>

struct procmap {
	uint64_t start, end, offset, inode;
	uint32_t major, minor;
	char perms[4]; /* rwxp; not terminated */
	const char *name; /* the rest of the line; "" if the mapping has no name */
};

/* Returns false if the line is not one.  It ends without a newline; m->name points into it. */
bool procmap_read(const char *line, struct procmap *m);

#endif
