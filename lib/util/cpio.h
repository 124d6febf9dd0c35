/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpio.h - reads and writes archives of the kind that Linux boots from (cpio, newc: Linux,
 * Documentation/driver-api/early-userspace/buffer-format.rst).  What is read may be hostile.
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

/*
 * Writes the head of a member of `size` bytes.  These bytes follow, and then cpio_put_end.
 * Returns false, with errno, if something is not written; so do the other two.
 */
bool cpio_put_head(int fd, const char *name, uint32_t mode, size_t size);

/* Fills a member of `size` bytes up to a multiple of four. */
bool cpio_put_end(int fd, size_t size);

/* Ends an archive. */
bool cpio_put_last(int fd);

#endif
