/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * file.h - files that others may have made: what is opened to be read is a file, and nobody waits for
 * it; what is written follows no link that a guest has made.
 *
 * A guest writes to the folder that it shares.  There it can make a pipe where a program or a source
 * file is looked for, on which open() waits for ever; a sparse file of a terabyte; and a link in the
 * place of a file that holter is going to write.
 *
 * All of them set errno; file_text() has words for what it means here.
 */
#ifndef TOOL_FILE_H
#define TOOL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/*
 * Opens a regular file to read it; -1: it cannot be, or is none.  root "": path is as open(2) has it.
 * Else root is a folder that is the root of path: neither ".." nor a link leaves it.
 */
int file_open(const char *root, const char *path);

/* Whether file_open can open it. */
bool file_is_there(const char *root, const char *path);

/*
 * All of a regular file, at most max bytes, ended by a zero that is not in *len; NULL: it cannot be
 * read, or is longer (EFBIG, which is known before any of it is read).  The caller frees it.
 */
char *file_read(const char *root, const char *path, size_t max, size_t *len);

/*
 * Opens a file to write to it, and makes it if it is not there: flags (O_TRUNC, O_RDWR) and mode are
 * those of open(2).  In the folder where the process is, in share (NULL: none) and below them no link
 * is followed: ELOOP.  A pipe that nobody reads is refused (ENXIO).  What is below /dev and /proc is
 * opened as it is.
 */
int file_create(const char *path, const char *share, int flags, unsigned mode);

/* The same with O_TRUNC; NULL: errno. */
FILE *file_create_stream(const char *path, const char *share);

/* Whether path has no link that file_create would refuse. */
bool file_is_safe(const char *path, const char *share);

const char *file_text(int error);

#endif
