// SPDX-License-Identifier: BSD-2-Clause
/*
 * find.c - where what was built with this program lies (run.h): build/native/tool/holter has
 * build/guest and build/fw above it.
 */
#include <string.h>
#include <unistd.h>

#include "run.h"

bool run_file(char to[PATH_MAX], const char *dir, const char *name)
{
	return snprintf(to, PATH_MAX, "%s/%s", dir, name) < PATH_MAX && !access(to, R_OK);
}

bool run_find(char to[PATH_MAX], const char *name)
{
	char dir[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", dir, sizeof(dir) - 1);
	char *slash;

	if (len < 0)
		return false;
	dir[len] = '\0';
	while ((slash = strrchr(dir, '/'))) {
		*slash = '\0';
		if (run_file(to, dir, name))
			return true;
	}
	return false;
}
