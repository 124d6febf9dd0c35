// SPDX-License-Identifier: BSD-2-Clause
/*
 * kallsyms_kept.c - the symbols of a guest's kernel, found by its build id (kallsyms_kept.h).
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache.h"
#include "kallsyms_kept.h"

#define BUILD_ID_MAX 64
#define TEXT_MAX     (64 << 20) /* a longer file is not one of ours */

/* Reads a regular file and adds a zero; NULL: it cannot be read. */
static char *read_whole(const char *path, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	char *text = NULL;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0 &&
	    st.st_size <= TEXT_MAX)
		text = malloc(st.st_size + 1);
	if (text && read(fd, text, st.st_size) != st.st_size) {
		free(text);
		text = NULL;
	}
	if (text) {
		text[st.st_size] = '\0';
		*len = st.st_size;
	}
	if (fd >= 0)
		close(fd);
	return text;
}

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
		char *text = t > newest ? read_whole(path, &bytes) : NULL;

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
