// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_cpio.c - members of cpio archives, and archives that are cut or claim too much.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cpio.h"
#include "tap.h"
#include "write.h"

static uint8_t archive[1024];
static size_t size;

/* Adds a member whose header says that its name has name_size bytes. */
static void add_named(unsigned mode, const char *name, unsigned name_size, const char *data,
		      unsigned data_size)
{
	char *to = (char *)archive + size;
	int len = sprintf(to, CPIO_MAGIC "%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%s",
			  1, mode, 0, 0, 1, 0, data_size, 0, 0, 0, 0, name_size, 0, name);

	size += ((size_t)len + 1 + 3) & ~(size_t)3;
	memcpy(archive + size, data, strlen(data));
	size += (strlen(data) + 3) & ~(size_t)3;
}

static void add(unsigned mode, const char *name, const char *data)
{
	add_named(mode, name, (unsigned)strlen(name) + 1, data, (unsigned)strlen(data));
}

static void start(void)
{
	memset(archive, 0, sizeof(archive));
	size = 0;
}

/*
 * Returns the number of members in the first bytes, all of which end with 'z'.  It reads a copy, so
 * that the address sanitizer sees each access after it.
 */
static unsigned members(size_t bytes)
{
	uint8_t *copy = malloc(bytes);
	struct cpio_member m;
	unsigned nr = 0;
	size_t at = 0;

	memcpy(copy, archive, bytes);
	for (; cpio_next(copy, bytes, &at, &m); nr++) {
		ok(*m.name);
		is(((const char *)m.data)[m.size - 1], 'z');
	}
	ok(at <= bytes);
	free(copy);
	return nr;
}

static void several(void)
{
	struct cpio_member m;
	size_t at = 0;

	start();
	add(0100755, "bin/a", "abcde");
	add(040755, "bin", "");
	size += 512; /* zeros between two archives */
	add(0100644, "b", "x");
	ok(cpio_next(archive, size, &at, &m));
	is(m.mode, 0100755);
	is_str(m.name, "bin/a");
	is(m.size, 5);
	ok(!memcmp(m.data, "abcde", 5));
	ok(cpio_next(archive, size, &at, &m));
	is(m.mode, 040755);
	is(m.size, 0);
	ok(cpio_next(archive, size, &at, &m));
	is_str(m.name, "b");
	ok(!memcmp(m.data, "x", 1));
	ok(!cpio_next(archive, size, &at, &m));
}

/* Wherever an archive is cut: no byte after its end is read. */
static void cut(void)
{
	size_t first, last;

	start();
	add(0100755, "bin/a", "wxyz");
	first = size;
	add(0100644, "b", "z");
	last = size - 3; /* after the last byte of data */
	for (size_t bytes = 1; bytes <= size; bytes++) {
		tap_context("%zu bytes", bytes);
		is(members(bytes), bytes < first ? 0 : bytes < last ? 1 : 2);
	}
}

static void refused(void)
{
	start();
	add_named(0100644, "b", 0, "x", 1);
	is(members(size), 0);
	start();
	add_named(0100644, "b", 1, "x", 1); /* the name has no end */
	is(members(size), 0);
	start();
	add_named(0100644, "b", 0xffffffff, "x", 1);
	is(members(size), 0);
	start();
	add_named(0100644, "b", 2, "x", 0xffffffff);
	is(members(size), 0);
	start();
	add(0100644, "b", "x");
	archive[6 + 8 * 6] = 'g'; /* no digit */
	is(members(size), 0);
	start();
	add(0100644, "b", "x");
	archive[5] = '7'; /* another format */
	is(members(size), 0);
}

/* What is written is read again; a directory, an empty file, and data of one to four bytes. */
static void written(void)
{
	static const char data[] = "zzzz";
	int fd = memfd_create("archive", 0);
	struct cpio_member m;
	size_t at = 0;
	ssize_t len;

	ok(cpio_put_head(fd, "dir", 040755, 0) && cpio_put_end(fd, 0));
	for (unsigned n = 0; n <= 4; n++)
		ok(cpio_put_head(fd, "name" + n, 0100600 + n, n) && write_all(fd, data, n) &&
		   cpio_put_end(fd, n));
	ok(cpio_put_last(fd));
	len = pread(fd, archive, sizeof(archive), 0);
	ok(len > 0 && len % 4 == 0);
	ok(cpio_next(archive, (size_t)len, &at, &m) && m.mode == 040755 && !m.size);
	is_str(m.name, "dir");
	for (unsigned n = 0; n <= 4; n++) {
		ok(cpio_next(archive, (size_t)len, &at, &m));
		is_str(m.name, "name" + n);
		is(m.mode, 0100600 + n);
		is(m.size, n);
		ok(!memcmp(m.data, data, n));
	}
	ok(cpio_next(archive, (size_t)len, &at, &m));
	is_str(m.name, "TRAILER!!!");
	is(at, len);
	close(fd);
	ok(!cpio_put_last(fd));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "members, and zeros between archives", several },
		{ "an archive that is cut", cut },
		{ "wrong headers", refused },
		{ "what is written is read again", written },
	};

	return tap_run(cases, TAP_NR(cases));
}
