// SPDX-License-Identifier: BSD-2-Clause
/*
 * guest_files.c - see guest_files.h.  Format: cpio's newc (Linux,
 * Documentation/driver-api/early-userspace/buffer-format.rst).
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest_files.h"

#define MAGIC	     "070701"
#define HEADER	     110
#define FIELD_MODE   (6 + 1 * 8)
#define FIELD_SIZE   (6 + 6 * 8)
#define FIELD_NAME   (6 + 11 * 8)
#define ROUND(value) (((value) + 3) & ~(size_t)3)

struct member {
	const char *name, *data;
	size_t size;
	unsigned mode;
};

static size_t field(const char *header, size_t at)
{
	char text[9] = { 0 };

	memcpy(text, header + at, 8);
	return strtoul(text, NULL, 16);
}

/* Reads the member at *at and moves *at behind it.  Returns false if there is no further member. */
static bool next(const struct guest_files *f, size_t *at, struct member *m)
{
	size_t name_size;

	/* There may be zeros between archives. */
	while (*at < f->size && !f->data[*at])
		(*at)++;
	if (f->size - *at < HEADER || memcmp(f->data + *at, MAGIC, strlen(MAGIC)))
		return false;
	m->size = field(f->data + *at, FIELD_SIZE);
	m->mode = (unsigned)field(f->data + *at, FIELD_MODE);
	name_size = field(f->data + *at, FIELD_NAME);
	m->name = f->data + *at + HEADER;
	if (!name_size || name_size > f->size - *at - HEADER || m->name[name_size - 1])
		return false;
	m->name += strncmp(m->name, "./", 2) ? 0 : 2;
	*at = ROUND(*at + HEADER + name_size);
	if (*at > f->size || m->size > f->size - *at)
		return false;
	m->data = f->data + *at;
	*at = ROUND(*at + m->size) < f->size ? ROUND(*at + m->size) : f->size;
	return true;
}

bool guest_files_open(struct guest_files *f, const char *initrd)
{
	int fd = open(initrd, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	void *data = MAP_FAILED;

	if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > HEADER)
		data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (data == MAP_FAILED)
		return false;
	*f = (struct guest_files){ data, (size_t)st.st_size, NULL };
	if (!memcmp(f->data, MAGIC, strlen(MAGIC)))
		return true;
	guest_files_close(f);
	return false;
}

void guest_files_close(struct guest_files *f)
{
	munmap((void *)f->data, f->size);
}

/*
 * Returns whether busybox has, or may have, a program of this name.  The names follow each other in
 * the order of strcmp(), each with a zero behind it; the first two are "[" and "[[".
 */
static bool may_have_applet(const struct member *busybox, const char *name)
{
	static const char first[] = "[\0[[";
	const char *at = memmem(busybox->data, busybox->size, first, sizeof(first));
	const char *end = busybox->data + busybox->size, *before = "";

	if (!at)
		return true;
	while (at < end && memchr(at, '\0', (size_t)(end - at)) && strcmp(before, at) < 0) {
		if (!strcmp(at, name))
			return true;
		before = at;
		at += strlen(at) + 1;
	}
	return false;
}

/* Finds a member, or sets m->mode if the path is only a part of others' names. */
static bool find(const struct guest_files *f, const char *path, struct member *m)
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
	*m = (struct member){ .name = path + 1, .mode = S_IFDIR };
	return folder;
}

/* Returns whether init makes the file: it installs busybox's programs in the folder of busybox. */
static bool is_installed(const struct guest_files *f, const char *path)
{
	const char *name = strrchr(path, '/') + 1;
	char busybox[PATH_MAX];
	struct member m;

	return snprintf(busybox, sizeof(busybox), "%.*sbusybox", (int)(name - path), path) <
		       PATH_MAX &&
	       find(f, busybox, &m) && may_have_applet(&m, name);
}

static enum guest_file find_in_archive(const struct guest_files *f, const char *path,
				       char link[PATH_MAX])
{
	struct member m;

	if (!find(f, path, &m))
		return is_installed(f, path) ? GUEST_PROGRAM : GUEST_NONE;
	if (S_ISDIR(m.mode))
		return GUEST_FOLDER;
	if (S_ISLNK(m.mode)) {
		snprintf(link, PATH_MAX, "%.*s", (int)m.size, m.data);
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
