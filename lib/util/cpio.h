/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpio.h - reads archives of the kind that Linux boots from (cpio, newc: Linux,
 * Documentation/driver-api/early-userspace/buffer-format.rst).  All input may be hostile.
 */
#ifndef UTIL_CPIO_H
#define UTIL_CPIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPIO_MAGIC "070701"

struct cpio_member {
	uint32_t mode;
	const char *name; /* terminated */
	const void *data;
	size_t size;
};

/*
 * Reads the member at *at, which is 0 at first, and moves *at after it.  There may be several
 * archives, with zeros between them.  m points into the archive.  Returns false if there is no
 * further member.
 */
bool cpio_next(const void *archive, size_t size, size_t *at, struct cpio_member *m);

#endif
