/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_kept_file.h - the file of what is kept of an exact profile: written whole, or not at all;
 * read only if it is ours.
 */
#ifndef EXACT_KEPT_FILE_H
#define EXACT_KEPT_FILE_H

#include "exact_kept.h"

/* Writes nr parts, one after the other, under another name, and renames it.  False: it cannot. */
bool exact_kept_put_file(const char *path, const struct leb_bytes *parts, unsigned nr);

/*
 * Maps the whole file.  False: it is not there, has fewer bytes than `least` or more than `most`,
 * or somebody else can write it.
 */
bool exact_kept_map(struct exact_kept *k, const char *path, size_t least, size_t most);

#endif
