// SPDX-License-Identifier: BSD-2-Clause
/*
 * file.c - see file.h.  A path is opened folder by folder, each relative to the one before it, so
 * that a link that a guest makes meanwhile cannot lead elsewhere.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "slurp.h"

#define DEPTH_MAX 128 /* folders below a root */
#define LINKS_MAX 40 /* on the way to a file, as in Linux */
#define FOLDER	  (O_PATH | O_DIRECTORY | O_CLOEXEC)

/* Closes fd if that is not negative, and keeps errno. */
static void drop(int fd)
{
	int error = errno;

	if (fd >= 0)
		close(fd);
	errno = error;
}

static int refuse(int fd, int error)
{
	drop(fd);
	errno = error;
	return -1;
}

/* Without O_NONBLOCK, open() of a pipe waits until somebody writes to it. */
static int open_regular(int folder, const char *name, int flags)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return refuse(fd, errno);
	if (!S_ISREG(st.st_mode))
		return refuse(fd, S_ISDIR(st.st_mode) ? EISDIR : EINVAL);
	return fd;
}

/* A path that is being opened below a root. */
struct walk {
	int folder[DEPTH_MAX]; /* from the root to the current one */
	unsigned depth, links;
	char rest[PATH_MAX]; /* the names that remain */
};

static void back_to(struct walk *w, unsigned depth)
{
	while (w->depth > depth)
		drop(w->folder[w->depth--]);
}

/* Removes the next name from rest; false: there is none, or it is too long. */
static bool next_name(struct walk *w, char name[NAME_MAX + 1])
{
	const char *at = w->rest + strspn(w->rest, "/");
	size_t len = strcspn(at, "/");

	if (!len || len > NAME_MAX) {
		errno = len ? ENAMETOOLONG : EISDIR;
		return false;
	}
	memcpy(name, at, len);
	name[len] = '\0';
	memmove(w->rest, at + len, strlen(at + len) + 1);
	return true;
}

/* Puts the target of a link before rest; starts at the root if the target is absolute. */
static bool take_link(struct walk *w, int link)
{
	char target[PATH_MAX], rest[PATH_MAX];
	ssize_t len = readlinkat(link, "", target, sizeof(target) - 1);

	if (len < 0)
		return false;
	target[len] = '\0';
	memcpy(rest, w->rest, sizeof(rest));
	if (++w->links > LINKS_MAX ||
	    snprintf(w->rest, sizeof(w->rest), "%s%s", target, rest) >= (int)sizeof(w->rest)) {
		errno = w->links > LINKS_MAX ? ELOOP : ENAMETOOLONG;
		return false;
	}
	if (*target == '/')
		back_to(w, 0);
	return true;
}

/* Opens one name: 1 if *fd is the file, 0 if names remain, -1 with errno. */
static int step(struct walk *w, int *fd)
{
	char name[NAME_MAX + 1];
	struct stat st;
	int next;

	if (!next_name(w, name))
		return -1;
	if (!strcmp(name, "."))
		return 0;
	if (!strcmp(name, "..")) {
		back_to(w, w->depth ? w->depth - 1 : 0);
		return 0;
	}
	next = openat(w->folder[w->depth], name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (next < 0 || fstat(next, &st))
		return refuse(next, errno);
	if (S_ISLNK(st.st_mode)) {
		bool good = take_link(w, next);

		drop(next);
		return good ? 0 : -1;
	}
	if (S_ISDIR(st.st_mode)) {
		if (w->depth + 1 == DEPTH_MAX)
			return refuse(next, ENAMETOOLONG);
		w->folder[++w->depth] = next;
		return 0;
	}
	drop(next);
	if (*w->rest)
		return refuse(-1, ENOTDIR);
	if (!S_ISREG(st.st_mode))
		return refuse(-1, EINVAL);
	*fd = open_regular(w->folder[w->depth], name, O_NOFOLLOW);
	return *fd < 0 ? -1 : 1;
}

static int open_below(const char *root, const char *path)
{
	struct walk w = { .depth = 0 };
	int fd = -1;

	if (snprintf(w.rest, sizeof(w.rest), "%s", path) >= (int)sizeof(w.rest))
		return refuse(-1, ENAMETOOLONG);
	w.folder[0] = open(root, FOLDER);
	if (w.folder[0] < 0)
		return -1;
	while (!step(&w, &fd))
		;
	back_to(&w, 0);
	drop(w.folder[0]);
	return fd;
}

int file_open(const char *root, const char *path)
{
	return *root ? open_below(root, path) : open_regular(AT_FDCWD, path, 0);
}

bool file_is_there(const char *root, const char *path)
{
	int fd = file_open(root, path);

	drop(fd);
	return fd >= 0;
}

char *file_read(const char *root, const char *path, size_t max, size_t *len)
{
	int fd = file_open(root, path);
	char *text = NULL;
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return refuse(fd, errno), NULL;
	if ((unsigned long long)st.st_size > max)
		errno = EFBIG;
	else
		text = slurp_fd(fd, max, len, NULL);
	drop(fd);
	return text;
}

char *file_read_recorded(const char *symfs, const char *path, size_t max, size_t *len)
{
	char *text;

	do {
		text = file_read(symfs, path, max, len);
		path = strchr(path + 1, '/');
	} while (!text && errno != ENOMEM && *symfs && path);
	return text;
}

/* Writing */

/* Folders in which a guest may have made links: the current one, and share. */
struct guarded {
	struct stat at[2];
	unsigned nr;
};

static void guard(struct guarded *g, const char *folder)
{
	if (folder && !stat(folder, &g->at[g->nr]))
		g->nr++;
}

static bool is_guarded(const struct guarded *g, int folder)
{
	struct stat st;

	for (unsigned n = 0; n < g->nr && !fstat(folder, &st); n++) {
		if (st.st_dev == g->at[n].st_dev && st.st_ino == g->at[n].st_ino)
			return true;
	}
	return false;
}

/*
 * Opens the folder of path, and refuses links from the first guarded folder on.  name: the last
 * part of path.  *guarded: whether the folder is guarded.
 */
static int open_folder(const char *path, const struct guarded *g, const char **name, bool *guarded)
{
	int folder = open(*path == '/' ? "/" : ".", FOLDER), next;

	*guarded = false;
	for (;;) {
		char part[NAME_MAX + 1];
		size_t len;

		path += strspn(path, "/");
		len = strcspn(path, "/");
		*guarded |= folder >= 0 && is_guarded(g, folder);
		if (folder < 0 || !path[len]) {
			*name = path;
			return folder;
		}
		if (len > NAME_MAX)
			return refuse(folder, ENAMETOOLONG);
		memcpy(part, path, len);
		part[len] = '\0';
		/* (O_NOFOLLOW with O_DIRECTORY fails with ENOTDIR on a link.) */
		next = openat(folder, part, FOLDER | (*guarded ? O_NOFOLLOW : 0));
		if (next < 0 && errno == ENOTDIR)
			errno = readlinkat(folder, part, (char[1]){ 0 }, 1) < 0 ? ENOTDIR : ELOOP;
		drop(folder);
		folder = next;
		path += len;
	}
}

static bool is_system(const char *path)
{
	return !strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6);
}

/* Opens the file, also a pipe if somebody reads it; errors are those of open(2). */
static int open_to_write(int folder, const char *name, int flags, unsigned mode)
{
	int fd = openat(folder, name, flags | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode);

	if (fd >= 0)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	return fd;
}

int file_create(const char *path, const char *share, int flags, unsigned mode)
{
	struct guarded g = { .nr = 0 };
	const char *name;
	bool guarded;
	int folder, fd;

	if (!(flags & O_RDWR))
		flags |= O_WRONLY;
	if (is_system(path))
		return open(path, flags | O_CLOEXEC, mode);
	guard(&g, ".");
	guard(&g, share);
	folder = open_folder(path, &g, &name, &guarded);
	if (folder < 0)
		return -1;
	fd = open_to_write(folder, name, flags | (guarded ? O_NOFOLLOW : 0), mode);
	drop(folder);
	return fd;
}

FILE *file_create_stream(const char *path, const char *share)
{
	int fd = file_create(path, share, O_TRUNC, 0666);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	if (!f)
		drop(fd);
	return f;
}

bool file_is_safe(const char *path, const char *share)
{
	struct guarded g = { .nr = 0 };
	const char *name;
	struct stat st;
	bool guarded, link;
	int folder;

	if (is_system(path))
		return true;
	guard(&g, ".");
	guard(&g, share);
	folder = open_folder(path, &g, &name, &guarded);
	if (folder < 0)
		return errno != ELOOP;
	link = guarded && !fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) && S_ISLNK(st.st_mode);
	drop(folder);
	if (link)
		errno = ELOOP;
	return !link;
}

const char *file_text(int error)
{
	switch (error) {
	case ENOMEM:
		return "out of memory";
	case EINVAL:
		return "a pipe or a device; a regular file is needed";
	case EFBIG:
		return "it is longer than such a file can be";
	case ELOOP:
		return "a link, which a guest may have made here; remove it, or name what it "
		       "points to";
	case ENXIO:
		return "a pipe that nobody reads";
	default:
		return strerror(error);
	}
}
