/* SPDX-License-Identifier: BSD-2-Clause */
/* test_9p_inodes.c - the shared folder: properties of the host that the guest must not see. */
#define _GNU_SOURCE
#include <sys/stat.h>

#include "dev_driver.h"
#include "dev_p9.h"

static struct client c;

static uint64_t number(const char *path)
{
	uint64_t ino;

	is(walk_path(&c, 0, 9, path), 0);
	ino = inode_of(&c, 9);
	is(ask(&c, T_CLUNK, "4", 9u), 0);
	return ino;
}

/*
 * Inode numbers count files in the order in which the guest saw them, whatever the host's numbers
 * are: a new file has a new number, also if the host reuses the inode of a removed one; a renamed
 * file keeps its number.
 */
static void inode_numbers(void)
{
	uint64_t numbers[2][8] = { { 0 } };
	struct fake f;
	struct stream s;

	for (unsigned run = 0; run < 2; run++) {
		uint64_t *n = numbers[run];

		client_start(&c, false, false);
		shell(&c, run ? "cat share/file >new; mv new share/file; echo x >share/other"
			      : "echo x >share/other");
		n[0] = number("file");
		n[1] = number("dir/deep");
		is(ask(&c, T_RENAMEAT, "4s4s", 0u, "file", 0u, "moved"), 0);
		is(number("moved"), n[0]);
		is(walk_path(&c, 0, 2, "moved"), 0);
		is(ask(&c, T_LINK, "44s", 0u, 2u, "hard"), 0);
		is(number("hard"), n[0]);
		for (unsigned k = 0; k < 3; k++) {
			is(walk_path(&c, 0, 1, "dir"), 0);
			is(ask(&c, T_LCREATE, "4s444", 1u, "new", 0301u, 0644u, 0u), 0);
			n[2 + k] = number("dir/new");
			ok(n[2 + k] > n[1 + k]);
			is(inode_of(&c, 1), n[2 + k]);
			is(ask(&c, T_UNLINKAT, "4s4", 0u, "dir/new", 0u), EINVAL);
			is(ask(&c, T_REMOVE, "4", 1u), 0);
		}
		n[5] = number("other");
		fake_init(&f);
		s = fake_stream(&f);
		ok(p9_save(&c.server, &s));
		ok(p9_restore(&c.server, &s));
		is(f.shot_at, f.shot_len);
		n[6] = number("dir/deep");
		is(n[6], n[1]);
		n[7] = number("dir/deep/leaf");
		ok(n[7] > n[5]);
		ok(fake_end(&f));
		client_end(&c);
	}
	for (unsigned k = 0; k < 8; k++)
		is(numbers[1][k], numbers[0][k]);
}

/* The time that the host took to write a file must not show in the file's access time. */
static void access_times(void)
{
	client_start(&c, false, false);
	is(walk_path(&c, 0, 1, "file"), 0);
	shell(&c, "touch -m -d @2000.5 share/file; touch -a -d @2000.4 share/file");
	is(attribute(&c, 1, AT_ATIME, 8), 2000);
	is(attribute(&c, 1, AT_ATIME + 8, 8), 500000000);
	shell(&c, "touch -a -d @3000 share/file");
	is(attribute(&c, 1, AT_ATIME, 8), 3000);
	client_end(&c);
}

/*
 * More files than can be numbered: those that are kept keep their numbers, and no other file gets
 * one of these.
 */
static void many_inodes(void)
{
	struct stat st = { .st_dev = 1, .st_ino = 3 };
	uint64_t n = 1, known, other;

	client_start(&c, false, false);
	while (p9_ino(&c.server, 1, n) < 1ull << 63 && n < 1 << 20)
		n++;
	ok(n > 1 << 17 && n < 1 << 20);
	known = p9_ino(&c.server, 1, 7);
	ok(known > 1 && known < n + 10);
	other = p9_ino(&c.server, 1, n + 1);
	ok(other >= 1ull << 63 && other != p9_ino(&c.server, 1, n));
	is(other, p9_ino(&c.server, 1, n + 1));
	is(p9_ino(&c.server, 1, 7), known);
	p9_ino_made(&c.server, &st);
	ok(p9_ino(&c.server, 1, 3) > known && p9_ino(&c.server, 1, 3) < n + 10);
	st.st_ino = n + 1;
	p9_ino_made(&c.server, &st);
	is(other, p9_ino(&c.server, 1, n + 1));
	client_end(&c);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "inode numbers", inode_numbers },
		{ "more inodes than numbers", many_inodes },
		{ "access times", access_times },
	};

	return tap_run(cases, TAP_NR(cases));
}
