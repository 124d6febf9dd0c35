/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scratch.h - files that a test makes, and removes at its end.
 */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

/* Makes a new file.  path ends in XXXXXX, which becomes its name. */
static inline void scratch_file(char *path, const void *data, size_t len)
{
	int fd = mkstemp(path);

	ok(fd >= 0 && write(fd, data, len) == (ssize_t)len);
	close(fd);
}

/* Writes a file in a folder.  name may contain folders, which it makes. */
static inline void scratch_text(const char *folder, const char *name, const char *text)
{
	char path[PATH_MAX];
	FILE *f;

	snprintf(path, sizeof(path), "%.2000s/%.2000s", folder, name);
	for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	f = fopen(path, "w");
	ok(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* Removes a folder with all that is in it.  Returns whether it could. */
static inline bool scratch_remove(const char *folder)
{
	char command[PATH_MAX];

	snprintf(command, sizeof(command), "rm -r '%.2000s'", folder);
	return system(command) == 0;
}

#endif
