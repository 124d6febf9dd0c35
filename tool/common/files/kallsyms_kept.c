// SPDX-License-Identifier: BSD-2-Clause
/*
 * kallsyms_kept.c - the symbols of a guest's kernel, found by its build id (kallsyms_kept.h).
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cache.h"
#include "file.h"
#include "kallsyms_kept.h"

#define BUILD_ID_MAX 64
#define TEXT_MAX     (64 << 20) /* a longer file is not one of ours */

/* Whether the ELF notes in the first line have this id: "GNU", a zero, and then its bytes. */
static bool is_kernel(const char *text, const uint8_t *build_id, size_t size)
{
	char id[8 + 2 * BUILD_ID_MAX + 1] = "474e5500";
	size_t len = strcspn(text, "\n");

	for (size_t n = 0; n < size; n++)
		snprintf(id + 8 + 2 * n, 3, "%02x", build_id[n]);
	return !strncmp(text, KALLSYMS_NOTES, strlen(KALLSYMS_NOTES)) &&
	       memmem(text, len, id, strlen(id));
}

static time_t made(const char *folder, const char *name, char path[PATH_MAX])
{
	struct stat st;

	if (snprintf(path, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX || stat(path, &st))
		return 0;
	return st.st_mtime;
}

char *kallsyms_kept(const uint8_t *build_id, size_t size, size_t *len)
{
	char folder[PATH_MAX], path[PATH_MAX], *found = NULL;
	struct dirent *e;
	time_t newest = 0;
	DIR *dir;

	if (!size || size > BUILD_ID_MAX || !cache_folder_there(folder))
		return NULL;
	dir = opendir(folder);
	while (dir && (e = readdir(dir))) {
		const char *end = strstr(e->d_name, KALLSYMS_SUFFIX);
		time_t t = end && !end[strlen(KALLSYMS_SUFFIX)] ? made(folder, e->d_name, path) : 0;
		size_t bytes;
		char *text = t > newest ? file_read("", path, TEXT_MAX, &bytes) : NULL;

		if (text && is_kernel(text, build_id, size)) {
			free(found);
			found = text;
			*len = bytes;
			newest = t;
		} else {
			free(text);
		}
	}
	if (dir)
		closedir(dir);
	return found;
}
