/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cache.h - the cache folder (XDG Base Directory Specification): booted guests, the symbols of
 * their kernels, copies of files in archives, and what was read from exact profiles.
 *
 * holter runs and trusts what lies there.  So the folder must belong to the user, and nobody else
 * may be able to write to it or to replace it.
 */
#ifndef TOOL_CACHE_H
#define TOOL_CACHE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "errtext.h"

#define CACHE_GUESTS   8 /* booted guests that are kept: those that were used last */
#define CACHE_PROFILES 8 /* what was read from exact profiles (exact_kept.h), the same */
#define CACHE_PROFILE  "profile-" /* how the names of their files begin */

/*
 * Makes the folder and writes its name to to: $XDG_CACHE_HOME/holter, or .cache/holter in $HOME
 * or, if that is not set, in the user's home.  False: why has the reason; to has the name if there
 * is one.
 */
bool cache_folder(char to[PATH_MAX], struct error_text *why);

/* The same, but makes nothing: false if the folder does not exist or cannot be trusted. */
bool cache_folder_there(char to[PATH_MAX]);

/*
 * Removes all guests but the keep newest ones, and what killed saves left.  If keep is 0, also
 * removes the copies of files, and what is kept of profiles.  Returns how many files it removed.
 */
unsigned cache_prune(const char *folder, unsigned keep);

/* Removes what is kept of profiles but the keep newest.  Returns how many files it removed. */
unsigned cache_prune_profiles(const char *folder, unsigned keep);

/*
 * Waits until no other process has the lock of a guest, which need not exist yet, and takes it.
 * Gives up when ended() is not 0.  Returns what cache_unlock() takes, or -1 without the lock.
 */
int cache_lock(const char *guest, int (*ended)(void));
void cache_unlock(const char *guest, int lock);

/* The number of a file that is replaced when it is made again; 0: there is none. */
ino_t cache_inode(const char *path);

/* Marks a guest as the newest, because it was used. */
void cache_used(const char *path);

#endif
