// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_kept_file.c - the file of what is kept of an exact profile (exact_kept_file.h).
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exact_kept_file.h"

bool exact_kept_put_file(const char *path, const struct leb_bytes *parts, unsigned nr)
{
	char new[PATH_MAX + 32];
	FILE *to = NULL;
	bool good;
	int fd;

	snprintf(new, sizeof(new), "%s.%d", path, (int)getpid());
	unlink(new); /* a process with the same number was killed */
	fd = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	flock(fd, LOCK_EX | LOCK_NB); /* so that cache_prune() leaves it */
	to = fdopen(fd, "w");
	good = to;
	for (unsigned n = 0; good && n < nr; n++)
		good = !parts[n].nr || fwrite(parts[n].at, parts[n].nr, 1, to) == 1;
	good = (to ? !fclose(to) : !close(fd)) && good && !rename(new, path);
	if (!good)
		unlink(new);
	return good;
}

bool exact_kept_map(struct exact_kept *k, const char *path, size_t least, size_t most)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	void *at = MAP_FAILED;
	struct stat st;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    !(st.st_mode & (S_IWGRP | S_IWOTH)) && st.st_size >= (off_t)least &&
	    st.st_size <= (off_t)most)
		at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return false;
	k->memory = at;
	k->size = (size_t)st.st_size;
	return true;
}
