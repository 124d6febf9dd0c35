/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * find.h - finds the files that were built or installed with this program.
 */
#ifndef TOOL_FIND_H
#define TOOL_FIND_H

#include <limits.h>
#include <stdbool.h>

/*
 * Finds a file or folder such as fw/holter-rv64.bin or cpu, and writes its path to to.  It lies in
 * a folder above the program's own (after a build), or in share/holter there (after an
 * installation); the nearest that can be read is taken.  False: there is none.
 */
bool find_beside(char to[PATH_MAX], const char *name);

/* Writes dir/name to to; returns whether that can be read. */
bool find_in(char to[PATH_MAX], const char *dir, const char *name);

#endif
