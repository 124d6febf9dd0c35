// SPDX-License-Identifier: BSD-2-Clause
/*
 * guest_files.c - see guest_files.h.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cpio.h"
#include "guest_files.h"

/* As cpio_next(); names have no "./" in front. */
static bool next(const struct guest_files *f, size_t *at, struct cpio_member *m)
{
	if (!cpio_next(f->data, f->size, at, m))
		return false;
	m->name += strncmp(m->name, "./", 2) ? 0 : 2;
	return true;
}

bool guest_files_open(struct guest_files *f, const char *initrd)
{
	int fd = open(initrd, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	void *data = MAP_FAILED;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    st.st_size > (off_t)strlen(CPIO_MAGIC))
		data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (data == MAP_FAILED)
		return false;
	*f = (struct guest_files){ data, (size_t)st.st_size, NULL };
	if (!memcmp(f->data, CPIO_MAGIC, strlen(CPIO_MAGIC)))
		return true;
	guest_files_close(f);
	return false;
}

void guest_files_close(struct guest_files *f)
{
	munmap((void *)f->data, f->size);
}

/*
 * The next name of busybox's programs, or the first for NULL.  NULL: there is none, or not known.
 * The names follow each other in the order of strcmp(), each with a zero after it; the first two
 * are "[" and "[[".
 */
static const char *next_applet(const struct cpio_member *busybox, const char *before)
{
	static const char first[] = "[\0[[";
	const char *end = (const char *)busybox->data + busybox->size, *at;

	if (!before)
		return busybox->size ? memmem(busybox->data, busybox->size, first, sizeof(first))
				     : NULL;
	at = before + strlen(before) + 1;
	return at < end && memchr(at, '\0', (size_t)(end - at)) && strcmp(before, at) < 0 ? at
											  : NULL;
}

/* Returns whether busybox has, or may have, a program of this name. */
static bool may_have_applet(const struct cpio_member *busybox, const char *name)
{
	const char *at = next_applet(busybox, NULL);

	if (!at)
		return true;
	while (at && strcmp(at, name))
		at = next_applet(busybox, at);
	return at;
}

/* Finds a member, or sets m->mode if the path is only a part of others' names. */
static bool find(const struct guest_files *f, const char *path, struct cpio_member *m)
{
	size_t len = strlen(path + 1);
	bool folder = !len;

	for (size_t at = 0; next(f, &at, m);) {
		if (strncmp(m->name, path + 1, len))
			continue;
		if (!m->name[len])
			return true;
		folder |= m->name[len] == '/';
	}
	*m = (struct cpio_member){ .name = path + 1, .mode = S_IFDIR };
	return folder;
}

/* Returns whether init makes the file: it installs busybox's programs in the folder of busybox. */
static bool is_installed(const struct guest_files *f, const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	char busybox[PATH_MAX];
	struct cpio_member m;

	return snprintf(busybox, sizeof(busybox), "%.*sbusybox", (int)(name - path), path) <
		       PATH_MAX &&
	       find(f, busybox, &m) && may_have_applet(&m, name);
}

static enum guest_file find_in_archive(const struct guest_files *f, const char *path,
				       char link[PATH_MAX])
{
	struct cpio_member m;

	if (!find(f, path, &m))
		return is_installed(f, path) ? GUEST_PROGRAM : GUEST_NONE;
	if (S_ISDIR(m.mode))
		return GUEST_FOLDER;
	if (S_ISLNK(m.mode)) {
		snprintf(link, PATH_MAX, "%.*s", (int)m.size, (const char *)m.data);
		return GUEST_LINK;
	}
	return S_ISREG(m.mode) && m.mode & 0111 ? GUEST_PROGRAM : GUEST_DATA;
}

/* guest/init names programs of packages in /bin, too. */
static enum guest_file find_in_bin(const struct guest_files *f, const char *path,
				   char link[PATH_MAX])
{
	static const char *const folders[] = { "/usr/bin/", "/usr/sbin/" };
	enum guest_file file = GUEST_NONE;
	char longer[PATH_MAX];

	for (size_t n = 0; file == GUEST_NONE && n < 2 && !strncmp(path, "/bin/", 5); n++) {
		if (snprintf(longer, sizeof(longer), "%s%s", folders[n], path + 5) < PATH_MAX)
			file = find_in_archive(f, longer, link);
	}
	return file;
}

enum guest_file guest_files_find(const struct guest_files *f, const char *path, char link[PATH_MAX])
{
	enum guest_file file = find_in_archive(f, path, link), more;

	if (!f->more || (file != GUEST_NONE && file != GUEST_FOLDER))
		return file;
	more = find_in_archive(f->more, path, link);
	if (more == GUEST_NONE && file == GUEST_NONE)
		more = find_in_bin(f->more, path, link);
	return more == GUEST_NONE ? file : more;
}

void guest_files_near(const struct guest_files *f, struct near *n)
{
	struct cpio_member m;

	for (size_t at = 0; next(f, &at, &m);) {
		const char *slash = strrchr(m.name, '/'), *name = slash ? slash + 1 : m.name;

		if (!strstr(m.name, "bin/") || S_ISDIR(m.mode))
			continue;
		near_try(n, name);
		if (strcmp(name, "busybox"))
			continue;
		for (const char *a = NULL; (a = next_applet(&m, a));)
			near_try(n, a);
	}
	if (f->more)
		guest_files_near(f->more, n);
}
