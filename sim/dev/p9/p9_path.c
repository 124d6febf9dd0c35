/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * p9_path.c - the only way from a guest's path to a host's file.
 *
 * Why a guest cannot leave the folder:
 *  - A walk starts at the folder's own descriptor and goes component by component.  Each component
 *    is opened relative to the descriptor before it, with O_NOFOLLOW.  No component is "..", "." or
 *    empty, or has a slash.  So there are no absolute paths.
 *  - The server never follows a symbolic link.  In the middle of a path a link gives ENOTDIR.  Only
 *    the guest resolves links, by another walk.  Another process may replace a directory by a link
 *    between two system calls.  That has no effect, because each step uses the object that the last
 *    step opened, and the kernel never gets a path of more than one component.
 *  - ".." removes the last component of the text, and the walk starts again.  So a directory that
 *    has been moved away leads nowhere.
 *  - A file that was opened with O_PATH is used through its descriptor.  A system call that needs a
 *    path gets /proc/self/fd/N, which is the same object even after a rename.
 *  - Only regular files and directories are opened for reading and writing.  So no device of the
 *    host is touched, and no FIFO blocks.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "p9.h"

bool p9_name_valid(const char *name)
{
	size_t len = strlen(name);

	return len && len < P9_NAME_MAX && !strchr(name, '/') && strcmp(name, ".") != 0 &&
	       strcmp(name, "..") != 0;
}

/*
 * Copies the first component of path to name.  Returns the rest of path, or NULL if the component
 * is too long.
 */
static const char *first_component(const char *path, char name[P9_NAME_MAX])
{
	size_t len = strcspn(path, "/");

	if (len >= P9_NAME_MAX)
		return NULL;
	memcpy(name, path, len);
	name[len] = 0;
	return path[len] ? path + len + 1 : path + len;
}

bool p9_path_valid(const char *path)
{
	size_t len = strlen(path);
	char name[P9_NAME_MAX];

	if (len >= P9_PATH_MAX || (len && path[len - 1] == '/'))
		return false;
	while (*path) {
		path = first_component(path, name);
		if (!path || !p9_name_valid(name))
			return false;
	}
	return true;
}

int p9_path_join(char *to, const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	size_t len = strlen(path);

	if (strcmp(name, "..") == 0) {
		len = slash ? (size_t)(slash - path) : 0;
		memcpy(to, path, len);
		to[len] = 0;
		return 0;
	}
	if (!p9_name_valid(name))
		return -EINVAL;
	if (len + 1 + strlen(name) >= P9_PATH_MAX)
		return -ENAMETOOLONG;
	memcpy(to, path, len);
	if (len)
		to[len++] = '/';
	memcpy(to + len, name, strlen(name) + 1);
	return 0;
}

int p9_path_parent(const struct p9 *s, const char *path, const char **name)
{
	int fd = fcntl(s->root, F_DUPFD_CLOEXEC, 0), next;
	char component[P9_NAME_MAX];

	if (fd < 0)
		return -errno;
	while (strchr(path, '/')) {
		path = first_component(path, component);
		next = -EINVAL;
		if (path && p9_name_valid(component)) {
			next = openat(fd, component, O_PATH | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC);
			next = next < 0 ? -errno : next;
		}
		close(fd);
		if (next < 0)
			return next;
		fd = next;
	}
	*name = path;
	return fd;
}

int p9_path_open(const struct p9 *s, const char *path)
{
	const char *name;
	int parent = p9_path_parent(s, path, &name), fd = -EINVAL;

	if (parent < 0 || !*path)
		return parent;
	if (p9_name_valid(name)) {
		fd = openat(parent, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		fd = fd < 0 ? -errno : fd;
	}
	close(parent);
	return fd;
}

struct p9_proc p9_path_proc(int fd)
{
	struct p9_proc proc;

	snprintf(proc.text, sizeof(proc.text), "/proc/self/fd/%d", fd);
	return proc;
}

int p9_path_reopen(int fd, int flags, struct stat *st)
{
	struct p9_proc proc = p9_path_proc(fd);
	int opened;

	if (fstat(fd, st))
		return -errno;
	if (S_ISLNK(st->st_mode))
		return -ELOOP;
	if (!S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode))
		return -ENXIO;
	flags |= O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
	/*
	 * A read in one run must not change what the next run sees, so the host must not update the
	 * access time.  Only the owner of a file may ask for that.
	 */
	opened = open(proc.text, flags | O_NOATIME);
	if (opened < 0 && errno == EPERM)
		opened = open(proc.text, flags);
	return opened < 0 ? -errno : opened;
}
