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
#define FIELD_SIZE   (6 + 6 * 8)
#define FIELD_NAME   (6 + 11 * 8)
#define ROUND(value) (((value) + 3) & ~(size_t)3)

struct member {
	const char *name, *data;
	size_t size;
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
	name_size = field(f->data + *at, FIELD_NAME);
	m->name = f->data + *at + HEADER;
	if (!name_size || name_size > f->size - *at - HEADER || m->name[name_size - 1])
		return false;
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
	*f = (struct guest_files){ data, (size_t)st.st_size };
	if (!memcmp(f->data, MAGIC, strlen(MAGIC)))
		return true;
	guest_files_close(f);
	return false;
}

void guest_files_close(struct guest_files *f)
{
	munmap((void *)f->data, f->size);
}

static const char *without_usr(const char *path)
{
	path += strspn(path, "/");
	return strncmp(path, "usr/", 4) ? path : path + 4;
}

/* Looks for a word between two zeros: busybox contains the names of its programs in this form. */
static bool holds_word(const struct member *m, const char *word)
{
	size_t len = strlen(word) + 2;
	char text[NAME_MAX + 2] = "";

	if (len > sizeof(text))
		return false;
	strcpy(text + 1, word);
	return memmem(m->data, m->size, text, len);
}

static bool in_folder(const char *path, const char *folder)
{
	return !strncmp(path, folder, strlen(folder));
}

bool guest_files_has(const struct guest_files *f, const char *path)
{
	const char *name = without_usr(path), *base = strrchr(path, '/') + 1;
	struct member m;
	size_t at = 0;

	if (name == path + 1 && !in_folder(name, "bin/") && !in_folder(name, "sbin/") &&
	    !in_folder(name, "lib/"))
		return true;
	while (next(f, &at, &m)) {
		if (!strcmp(without_usr(m.name), name) ||
		    (!strcmp(without_usr(m.name), "bin/busybox") && holds_word(&m, base)))
			return true;
	}
	return false;
}

bool guest_files_has_program(const struct guest_files *f, const char *name)
{
	static const char *const folders[] = { "/sbin", "/bin" };
	char path[PATH_MAX];

	for (size_t n = 0; n < sizeof(folders) / sizeof(*folders); n++) {
		snprintf(path, sizeof(path), "%s/%s", folders[n], name);
		if (guest_files_has(f, path))
			return true;
	}
	return false;
}
