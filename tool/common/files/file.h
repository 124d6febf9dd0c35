/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * file.h - opens files that others may have made.  Reading never waits and takes only regular
 * files; writing follows no link that a guest has made.
 *
 * A guest can write to the shared folder.  There it can make a pipe with the name of a program or a
 * source file, and open() of a pipe waits for ever; a sparse file of a terabyte; or a link with the
 * name of a file that holter is going to write.
 *
 * All functions set errno; file_text() explains what it means here.
 */
#ifndef TOOL_FILE_H
#define TOOL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Opens a regular file to read it; -1: it cannot be opened or is not a regular file.  root "": path
 * is as for open(2).  Else root is the root folder of path: neither ".." nor a link leaves it.
 */
int file_open(const char *root, const char *path);

/* Whether file_open() can open it. */
bool file_is_there(const char *root, const char *path);

/*
 * Reads a whole regular file of at most max bytes, and adds a zero that *len does not count.  NULL:
 * it cannot be read, or is longer (EFBIG, before anything is read).  The caller frees it.
 */
char *file_read(const char *root, const char *path, size_t max, size_t *len);

/*
 * Reads a file of the recorded machine in the same way.  Tries the whole path below symfs, then
 * the path without its first folder, and so on: a guest's /mnt/a/b may be b there.  symfs "": tries
 * only the path.
 */
char *file_read_recorded(const char *symfs, const char *path, size_t max, size_t *len);

/*
 * Opens a file to write to it, and makes it if it does not exist; flags (O_TRUNC, O_RDWR) and mode
 * are those of open(2).  A pipe that nobody reads is refused (ENXIO), and so is a link in the
 * current folder, in share (NULL: none) or below them (ELOOP).  Below /dev and /proc nothing is
 * checked.
 */
int file_create(const char *path, const char *share, int flags, unsigned mode);

/* The same with O_TRUNC, as a stream; NULL: see errno. */
FILE *file_create_stream(const char *path, const char *share);

/* Whether file_create() would accept the links of path. */
bool file_is_safe(const char *path, const char *share);

const char *file_text(int error);

#endif
