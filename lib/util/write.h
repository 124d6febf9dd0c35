/* SPDX-License-Identifier: BSD-2-Clause */
/* write.h - writes all of something to a descriptor. */
#ifndef UTIL_WRITE_H
#define UTIL_WRITE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes len bytes.  A signal does not end it, and if the descriptor is non-blocking and full, it
 * waits.  Returns false, with errno, if not all bytes are written.
 */
bool write_all(int fd, const void *data, size_t len);

#endif
