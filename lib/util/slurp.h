/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * slurp.h - reads a whole file into memory.
 *
 * The functions return the bytes, followed by a zero byte that *len does not count.  The caller
 * frees them.  On failure they return NULL and set errno and *why (why may be NULL).  EFBIG: the
 * file has more than max bytes.
 */
#ifndef UTIL_SLURP_H
#define UTIL_SLURP_H

#include <stddef.h>

#include "errtext.h"

/* Reads the rest of fd, which stays open.  The text in *why does not start with a file name. */
char *slurp_fd(int fd, size_t max, size_t *len, struct error_text *why);

/*
 * The same for a file that may have records, as /dev/kmsg has, and that was opened with O_NONBLOCK.
 * EAGAIN is its end: there is no further record yet.  EPIPE is not an error, unless it comes again
 * and again: the kernel has overwritten the next record.
 */
char *slurp_records(int fd, size_t max, size_t *len, struct error_text *why);

/* Opens path, follows links, and reads all of it.  The text in *why starts with the path. */
char *slurp_file(const char *path, size_t max, size_t *len, struct error_text *why);

#endif
