/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * temp.h - temporary files for fuzz targets.  Each process has a folder in $TMPDIR, which it
 * removes when it ends.  A file in memory has a path, but is on no disk.
 */
#ifndef FUZZ_TEMP_H
#define FUZZ_TEMP_H

#include <fcntl.h>
#include <ftw.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

static inline int temp_remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	if (type == FTW_DNR || type == FTW_D)
		chmod(path, 0700);
	return remove(path);
}

static inline void temp_remove(const char *path)
{
	nftw(path, temp_remove_one, 16, FTW_PHYS | FTW_DEPTH);
}

/* The buffer with the folder's path, for temp_folder() and temp_end(). */
static inline char *temp_base(void)
{
	static char base[64];

	return base;
}

static inline void temp_end(void)
{
	temp_remove(temp_base());
}

/* The folder of this process; the first call makes it. */
static inline const char *temp_folder(void)
{
	const char *dir = getenv("TMPDIR");

	if (*temp_base())
		return temp_base();
	must((size_t)snprintf(temp_base(), 64, "%s/holter-fuzz-XXXXXX", dir ? dir : "/tmp") < 64);
	must(mkdtemp(temp_base()) != NULL);
	atexit(temp_end);
	return temp_base();
}

/* Writes a file of the folder.  If name is DIR/FILE, DIR must exist. */
static inline void temp_write(const char *name, const void *data, size_t size)
{
	char path[256];
	int fd;

	must((size_t)snprintf(path, sizeof(path), "%s/%s", temp_folder(), name) < sizeof(path));
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	close(fd);
}

/* A file in memory that has a path. */
struct temp_memory {
	int fd;
	char path[32];
};

static inline void temp_memory(struct temp_memory *f, const void *data, size_t size)
{
	f->fd = memfd_create("fuzz", MFD_CLOEXEC);
	must(f->fd >= 0 && write(f->fd, data, size) == (ssize_t)size);
	snprintf(f->path, sizeof(f->path), "/proc/self/fd/%d", f->fd);
}

/*
 * Redirects a descriptor to a file in memory.  Returns a copy of the old one, for temp_restore().
 */
static inline int temp_divert(int fd, const struct temp_memory *to)
{
	int was = fcntl(fd, F_DUPFD_CLOEXEC, 3);

	must(was >= 0 && dup2(to->fd, fd) == fd);
	return was;
}

static inline void temp_restore(int fd, int was)
{
	must(dup2(was, fd) == fd);
	close(was);
}

/* Reads a whole file in memory and adds a zero; the caller frees the text. */
static inline char *temp_read(const struct temp_memory *f, size_t *len)
{
	off_t size = lseek(f->fd, 0, SEEK_END);
	char *text = malloc((size_t)size + 1);

	must(text && pread(f->fd, text, (size_t)size, 0) == size);
	text[size] = '\0';
	*len = (size_t)size;
	return text;
}

#endif
