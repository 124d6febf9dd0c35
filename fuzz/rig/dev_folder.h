/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dev_folder.h - a folder to share with a hostile guest, and files around it that must not change.
 *
 * All are in the folder of the process (temp.h); fuzzing is fast if $TMPDIR is fast:
 *
 *	share/		the shared folder, new for each input: files, a directory, links out of it
 *	outside/secret	a file that no message may read, change or remove
 *	image		a disk of 8 sectors
 */
#ifndef FUZZ_DEV_FOLDER_H
#define FUZZ_DEV_FOLDER_H

#include "temp.h"

struct folder {
	char base[64], share[80], outside[80], secret[96], image[80];
	struct stat base_is, outside_is, secret_is;
};

static inline struct folder *folder(void)
{
	static struct folder f;

	return &f;
}

static inline void folder_join(char *to, size_t size, const char *dir, const char *name)
{
	must((size_t)snprintf(to, size, "%s/%s", dir, name) < size);
}

static inline void folder_write(const char *path, size_t size)
{
	static const char zeroes[4096];
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	must(write(fd, zeroes, size) == (ssize_t)size);
	close(fd);
}

static inline void folder_begin(void)
{
	struct folder *f = folder();

	snprintf(f->base, sizeof(f->base), "%s", temp_folder());
	folder_join(f->share, sizeof(f->share), f->base, "share");
	folder_join(f->outside, sizeof(f->outside), f->base, "outside");
	folder_join(f->secret, sizeof(f->secret), f->outside, "secret");
	folder_join(f->image, sizeof(f->image), f->base, "image");
	must(mkdir(f->outside, 0700) == 0);
	folder_write(f->secret, 100);
	folder_write(f->image, 4096);
}

/* Call it before each input: makes the shared folder new. */
static inline void folder_fill(void)
{
	struct folder *f = folder();
	char path[128];

	if (!f->base[0])
		folder_begin();
	temp_remove(f->share);
	must(mkdir(f->share, 0700) == 0);
	folder_join(path, sizeof(path), f->share, "a");
	folder_write(path, 100);
	folder_join(path, sizeof(path), f->share, "b");
	must(mkdir(path, 0700) == 0);
	folder_join(path, sizeof(path), f->share, "b/c");
	folder_write(path, 10);
	folder_join(path, sizeof(path), f->share, "out");
	must(symlink("../outside", path) == 0);
	folder_join(path, sizeof(path), f->share, "secret");
	must(symlink(f->secret, path) == 0);
	must(!stat(f->base, &f->base_is) && !stat(f->outside, &f->outside_is) &&
	     !stat(f->secret, &f->secret_is));
}

static inline int folder_same(const struct stat *a, const char *path)
{
	struct stat b;

	return !lstat(path, &b) && a->st_ino == b.st_ino && a->st_mode == b.st_mode &&
	       a->st_size == b.st_size && a->st_nlink == b.st_nlink && a->st_uid == b.st_uid &&
	       a->st_mtim.tv_sec == b.st_mtim.tv_sec && a->st_mtim.tv_nsec == b.st_mtim.tv_nsec &&
	       a->st_ctim.tv_sec == b.st_ctim.tv_sec && a->st_ctim.tv_nsec == b.st_ctim.tv_nsec;
}

/* Call it after each input: checks that nothing around the shared folder has changed. */
static inline void folder_check(void)
{
	struct folder *f = folder();

	must(folder_same(&f->base_is, f->base));
	must(folder_same(&f->outside_is, f->outside));
	must(folder_same(&f->secret_is, f->secret));
}

#endif
