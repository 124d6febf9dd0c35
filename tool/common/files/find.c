// SPDX-License-Identifier: BSD-2-Clause
/*
 * find.c - see find.h.  build/native/tool/holter finds build/native/cpu, build/guest and build/fw;
 * PREFIX/bin/holter finds PREFIX/share/holter.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "find.h"

bool find_in(char to[PATH_MAX], const char *dir, const char *name)
{
	return snprintf(to, PATH_MAX, "%s/%s", dir, name) < PATH_MAX && !access(to, R_OK);
}

bool find_beside(char to[PATH_MAX], const char *name)
{
	char dir[PATH_MAX], share[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", dir, sizeof(dir) - 1);
	char *slash;

	if (len < 0)
		return false;
	dir[len] = '\0';
	while ((slash = strrchr(dir, '/'))) {
		*slash = '\0';
		if (find_in(to, dir, name) ||
		    (find_in(share, dir, "share/holter") && find_in(to, share, name)))
			return true;
	}
	return false;
}
