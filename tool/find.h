/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * find.h - what was built or installed with this program.
 */
#ifndef TOOL_FIND_H
#define TOOL_FIND_H

#include <limits.h>
#include <stdbool.h>

/*
 * to = the path of a file or folder such as fw/holter-rv64.bin or cpu, which lies in a folder above
 * the program's own, as in a build, or in share/holter there, installed: the nearest that can be
 * read.  False: there is none.
 */
bool find_beside(char to[PATH_MAX], const char *name);

/* to = dir/name; whether that can be read. */
bool find_in(char to[PATH_MAX], const char *dir, const char *name);

#endif
