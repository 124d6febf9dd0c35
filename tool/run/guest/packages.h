/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * packages.h - --with: packages of Debian for the guest.
 */
#ifndef TOOL_PACKAGES_H
#define TOOL_PACKAGES_H

#include <limits.h>
#include <stdbool.h>

/*
 * Runs guest/prepare, which makes what the packages of list add to the guest in the folder guest,
 * unless it is made.  Writes to to the path of the archive.  Returns false after an error was
 * printed.
 */
bool packages_find(char to[PATH_MAX], const char *list, const char *guest);

#endif
