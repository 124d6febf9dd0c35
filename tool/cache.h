/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cache.h - the folder for what can be made again (XDG Base Directory Specification): booted guests
 * and their kernels' symbols, copies of files in archives.
 *
 * What lies there is run and believed, so the folder must be the user's, and nobody else may be able
 * to write to it or to replace it.
 */
#ifndef TOOL_CACHE_H
#define TOOL_CACHE_H

#include <limits.h>
#include <stdbool.h>

#define CACHE_GUESTS 8 /* of the booted guests those that were used last are kept */

/* The reason why there is none, one line. */
struct cache_why {
	char text[PATH_MAX + 160];
};

/*
 * to = the folder, which is made: $XDG_CACHE_HOME/holter, or .cache/holter in $HOME or, if that is
 * not set, in the user's home.  False: why says why there is none; to is its name, as far as it has
 * one.
 */
bool cache_folder(char to[PATH_MAX], struct cache_why *why);

/* The same, if it is there already and can be trusted; nothing is made. */
bool cache_folder_there(char to[PATH_MAX]);

/*
 * Removes guests from the folder but the newest keep ones, and what saves left that were killed.  0
 * removes the copies of files, too.  How many files are gone.
 */
unsigned cache_prune(const char *folder, unsigned keep);

/* A guest was used: it is the newest one. */
void cache_used(const char *path);

#endif
