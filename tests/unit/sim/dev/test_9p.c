/* SPDX-License-Identifier: BSD-2-Clause */
/* test_9p.c - the shared folder: requests that Linux' client makes, and those of a hostile one. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

#include "dev_driver.h"
#include "dev_p9.h"

static struct client c;

static void version(void)
{
	char text[32];

	client_start(&c, false, false);
	is(ask(&c, T_VERSION, "4s", 0xffffffffu, "9P2000.L"), 0);
	is(p9_get(&c.in, 4), P9_MSIZE_MAX);
	p9_get_string(&c.in, text, sizeof(text));
	is_str(text, "9P2000.L");
	/* A new session: fid 0 no longer exists. */
	is(walk_path(&c, 0, 1, ""), EBADF);
	is(ask(&c, T_VERSION, "4s", 4096u, "9P2000.u"), 0);
	is(p9_get(&c.in, 4), 4096);
	p9_get_string(&c.in, text, sizeof(text));
	is_str(text, "unknown");
	is(ask(&c, T_VERSION, "4s", 100u, "9P2000.L"), EINVAL);
	is(ask(&c, T_AUTH, "4ss4", 1u, "root", "", 0u), EOPNOTSUPP);
	is(ask(&c, 6, ""), EOPNOTSUPP);
	is(ask(&c, T_FLUSH, "2", 1u), 0);
	client_end(&c);
}

static void read_and_write(void)
{
	client_start(&c, false, false);
	is(walk_path(&c, 0, 1, "file"), 0);
	is(ask(&c, T_READ, "484", 1u, 0ull, 100u), EBADF);
	is(ask(&c, T_LOPEN, "44", 1u, 2u), 0);
	is(ask(&c, T_LOPEN, "44", 1u, 2u), EINVAL);
	is(ask(&c, T_READ, "484", 1u, 0ull, 100u), 0);
	is(p9_get(&c.in, 4), 6);
	ok(!memcmp(c.reply + 11, "hello\n", 6));
	is(ask(&c, T_READ, "484", 1u, 6ull, 100u), 0);
	is(p9_get(&c.in, 4), 0);
	is(ask(&c, T_WRITE, "48b", 1u, 5ull, ", world\n", 8u), 0);
	is(p9_get(&c.in, 4), 8);
	ok(holds(&c, "test \"$(cat share/file)\" = 'hello, world'"));
	is(ask(&c, T_FSYNC, "44", 1u, 0u), 0);
	is(ask(&c, T_READ, "484", 1u, 1ull << 63, 100u), EINVAL);
	is(ask(&c, T_WRITE, "48b", 1u, 1ull << 63, "x", 1u), EINVAL);
	is(ask(&c, T_CLUNK, "4", 1u), 0);
	is(ask(&c, T_CLUNK, "4", 1u), EBADF);
	/* Create in a directory; the fid becomes the file. */
	is(walk_path(&c, 0, 1, "dir"), 0);
	is(ask(&c, T_LCREATE, "4s444", 1u, "new", 0101u, 0666u, 0u), 0);
	is(ask(&c, T_WRITE, "48b", 1u, 0ull, "x", 1u), 0);
	is(ask(&c, T_READ, "484", 1u, 0ull, 1u), EBADF);
	ok(holds(&c, "test \"$(stat -c %a share/dir/new)\" = 666"));
	is(walk_path(&c, 0, 2, "dir"), 0);
	is(ask(&c, T_LCREATE, "4s444", 2u, "new", 0301u, 0644u, 0u), EEXIST);
	is(ask(&c, T_LCREATE, "4s444", 2u, "new", 01101u, 0644u, 0u), 0);
	ok(holds(&c, "test ! -s share/dir/new"));
	client_end(&c);
}

static unsigned setattr(unsigned fid, uint32_t valid, uint32_t mode, uint64_t size, uint64_t sec)
{
	return ask(&c, T_SETATTR, "4444488888", fid, valid, mode, 5u, 6u, (unsigned long long)size,
		   (unsigned long long)sec, 7ull, (unsigned long long)sec, 8ull);
}

static void attributes(void)
{
	client_start(&c, false, false);
	is(walk_path(&c, 0, 1, "file"), 0);
	is(attribute(&c, 1, AT_MODE, 4), S_IFREG | 0644);
	is(attribute(&c, 1, AT_SIZE, 8), 6);
	is(attribute(&c, 1, AT_UID, 4), getuid());
	is(setattr(1, 1, 0100600, 0, 0), 0);
	is(attribute(&c, 1, AT_MODE, 4), S_IFREG | 0600);
	/* No setuid programs. */
	is(setattr(1, 1, 0106755, 0, 0), 0);
	is(attribute(&c, 1, AT_MODE, 4), S_IFREG | 0755);
	is(setattr(1, 8, 0, 3, 0), 0);
	is(attribute(&c, 1, AT_SIZE, 8), 3);
	is(setattr(1, 0x120, 0, 0, 1000000), 0);
	is(attribute(&c, 1, AT_MTIME, 8), 1000000);
	is(attribute(&c, 1, AT_MTIME + 8, 8), 8);
	is(setattr(1, 0x20, 0, 0, 0), 0);
	ok(attribute(&c, 1, AT_MTIME, 8) > 1000000);
	is(setattr(1, 8, 0, UINT64_MAX, 0), EINVAL);
	is(ask(&c, T_STATFS, "4", 1u), 0);
	is(p9_get(&c.in, 4), 0x01021997);
	is(ask(&c, T_XATTRWALK, "44s", 1u, 2u, "user.x"), EOPNOTSUPP);
	/* An open file keeps its attributes after its name is removed. */
	is(ask(&c, T_LOPEN, "44", 1u, 2u), 0);
	is(ask(&c, T_UNLINKAT, "4s4", 0u, "file", 0u), 0);
	is(attribute(&c, 1, AT_SIZE, 8), 3);
	is(setattr(1, 8, 0, 2, 0), 0);
	is(attribute(&c, 1, AT_SIZE, 8), 2);
	client_end(&c);
	client_start(&c, false, true);
	is(walk_path(&c, 0, 1, "file"), 0);
	is(attribute(&c, 1, AT_UID, 4), 0);
	is(attribute(&c, 1, AT_UID + 4, 4), 0);
	is(setattr(1, 6, 0, 0, 0), 0);
	ok(holds(&c, "test \"$(stat -c %u share/file)\" = \"$(id -u)\""));
	client_end(&c);
}

/*
 * Lists a directory in pieces of count bytes; returns the number of entries and whether name was
 * there.
 */
static unsigned list(unsigned fid, unsigned count, const char *name, bool *found)
{
	unsigned long long offset = 0;
	unsigned entries = 0;
	char text[P9_NAME_MAX];
	size_t end;

	*found = false;
	for (;;) {
		is(ask(&c, T_READDIR, "484", fid, offset, count), 0);
		end = p9_get(&c.in, 4);
		ok(end <= count);
		if (!end || entries > 10000)
			return entries;
		end += c.in.at;
		while (c.in.at < end) {
			p9_get_bytes(&c.in, 13);
			offset = p9_get(&c.in, 8);
			p9_get(&c.in, 1);
			p9_get_string(&c.in, text, sizeof(text));
			entries++;
			*found |= strcmp(text, name) == 0;
		}
		is(c.in.at, end);
		is(c.in.bad, false);
	}
}

static void listing(void)
{
	bool found;

	client_start(&c, false, false);
	is(walk_path(&c, 0, 1, "dir"), 0);
	shell(&c, "for i in $(seq 500); do : >share/dir/n$i; done");
	is(ask(&c, T_LOPEN, "44", 1u, 0200000u), 0);
	is(list(1, 8000, "n500", &found), 503);
	ok(found);
	is(list(1, 64, "deep", &found), 503);
	ok(found);
	is(ask(&c, T_READDIR, "484", 1u, 0ull, 10u), EINVAL);
	is(ask(&c, T_READ, "484", 1u, 0ull, 10u), EISDIR);
	ok(ask(&c, T_READDIR, "484", 1u, 1ull << 63, 1000u) != 0);
	is(walk_path(&c, 0, 2, "file"), 0);
	is(ask(&c, T_LOPEN, "44", 2u, 0200000u), ENOTDIR);
	is(ask(&c, T_LOPEN, "44", 2u, 0u), 0);
	is(ask(&c, T_READDIR, "484", 2u, 0ull, 1000u), ENOTDIR);
	client_end(&c);
}

static void names(void)
{
	char target[64];

	client_start(&c, false, false);
	is(ask(&c, T_MKDIR, "4s44", 0u, "made", 0777u, 0u), 0);
	ok(holds(&c, "test \"$(stat -c %a share/made)\" = 777"));
	is(ask(&c, T_MKDIR, "4s44", 0u, "made", 0777u, 0u), EEXIST);
	is(ask(&c, T_SYMLINK, "4ss4", 0u, "sym", "/etc/passwd", 0u), 0);
	is(walk_path(&c, 0, 1, "sym"), 0);
	is(ask(&c, T_READLINK, "4", 1u), 0);
	p9_get_string(&c.in, target, sizeof(target));
	is_str(target, "/etc/passwd");
	is(walk_path(&c, 0, 2, "file"), 0);
	is(ask(&c, T_READLINK, "4", 2u), EINVAL);
	is(ask(&c, T_LINK, "44s", 0u, 2u, "hard"), 0);
	ok(holds(&c, "test share/hard -ef share/file"));
	/* A rename moves every fid below. */
	is(walk_path(&c, 0, 3, "dir/deep/leaf"), 0);
	is(walk_path(&c, 0, 4, "dir"), 0);
	is(ask(&c, T_RENAMEAT, "4s4s", 0u, "dir", 0u, "moved"), 0);
	is(ask(&c, T_LOPEN, "44", 3u, 0u), 0);
	is(attribute(&c, 3, AT_SIZE, 8), 5);
	is(ask(&c, T_MKDIR, "4s44", 4u, "in", 0755u, 0u), 0);
	ok(holds(&c, "test -d share/moved/in"));
	is(ask(&c, T_RENAME, "44s", 2u, 4u, "file2"), 0);
	ok(holds(&c, "test -f share/moved/file2"));
	is(ask(&c, T_RENAME, "44s", 0u, 4u, "root"), EBUSY);
	is(ask(&c, T_RENAMEAT, "4s4s", 0u, "moved", 4u, "loop"), EINVAL);
	is(ask(&c, T_UNLINKAT, "4s4", 0u, "moved", 0x200u), ENOTEMPTY);
	is(ask(&c, T_UNLINKAT, "4s4", 0u, "made", 0u), EISDIR);
	is(ask(&c, T_UNLINKAT, "4s4", 0u, "made", 0x200u), 0);
	is(ask(&c, T_REMOVE, "4", 2u), 0);
	ok(holds(&c, "test ! -e share/moved/file2"));
	is(attribute(&c, 3, AT_SIZE, 8), 5);
	is(ask(&c, T_MKNOD, "4s4444", 0u, "p", (unsigned)S_IFIFO | 0600, 0u, 0u, 0u), 0);
	is(ask(&c, T_MKNOD, "4s4444", 0u, "d", (unsigned)S_IFCHR | 0600, 1u, 3u, 0u), EPERM);
	is(ask(&c, T_MKNOD, "4s4444", 0u, "b", (unsigned)S_IFBLK | 0600, 1u, 3u, 0u), EPERM);
	is(ask(&c, T_LOCK, "414884s", 3u, 1u, 0u, 0ull, 0ull, 1u, "me"), 0);
	is(ask(&c, T_GETLOCK, "41884s", 3u, 1u, 0ull, 5ull, 1u, "me"), 0);
	is(p9_get(&c.in, 1), 2);
	client_end(&c);
}

static void read_only(void)
{
	client_start(&c, true, false);
	is(walk_path(&c, 0, 1, "file"), 0);
	is(ask(&c, T_LOPEN, "44", 1u, 1u), EROFS);
	is(ask(&c, T_LOPEN, "44", 1u, 01000u), EROFS);
	is(setattr(1, 1, 0777, 0, 0), EROFS);
	is(ask(&c, T_LINK, "44s", 0u, 1u, "hard"), EROFS);
	is(ask(&c, T_RENAME, "44s", 1u, 0u, "other"), EROFS);
	is(ask(&c, T_LOPEN, "44", 1u, 0u), 0);
	is(walk_path(&c, 0, 2, ""), 0);
	is(ask(&c, T_LCREATE, "4s444", 2u, "new", 0101u, 0666u, 0u), EROFS);
	is(ask(&c, T_MKDIR, "4s44", 0u, "new", 0777u, 0u), EROFS);
	is(ask(&c, T_SYMLINK, "4ss4", 0u, "new", "x", 0u), EROFS);
	is(ask(&c, T_MKNOD, "4s4444", 0u, "new", 0100600u, 0u, 0u, 0u), EROFS);
	is(ask(&c, T_RENAMEAT, "4s4s", 0u, "file", 0u, "new"), EROFS);
	is(ask(&c, T_UNLINKAT, "4s4", 0u, "file", 0u), EROFS);
	is(ask(&c, T_REMOVE, "4", 1u), EROFS);
	ok(holds(&c, "test -f share/file && test ! -e share/new"));
	client_end(&c);
}

/* Names that no file in a directory can have. */
static const char *const bad_names[] = { "", ".", "..", "/", "a/b", "../x", "/etc", "dir/../.." };

static void bad_names_refused(void)
{
	client_start(&c, false, false);
	is(walk_path(&c, 0, 1, "file"), 0);
	for (unsigned i = 0; i < TAP_NR(bad_names); i++) {
		const char *name = bad_names[i];

		tap_context("name '%s'", name);
		is(walk_path(&c, 0, 2, ""), 0);
		is(ask(&c, T_LCREATE, "4s444", 2u, name, 0101u, 0666u, 0u), EINVAL);
		is(ask(&c, T_MKDIR, "4s44", 0u, name, 0777u, 0u), EINVAL);
		is(ask(&c, T_SYMLINK, "4ss4", 0u, name, "x", 0u), EINVAL);
		is(ask(&c, T_MKNOD, "4s4444", 0u, name, 0100600u, 0u, 0u, 0u), EINVAL);
		is(ask(&c, T_LINK, "44s", 0u, 1u, name), EINVAL);
		is(ask(&c, T_RENAME, "44s", 1u, 0u, name), EINVAL);
		is(ask(&c, T_RENAMEAT, "4s4s", 0u, name, 0u, "new"), EINVAL);
		is(ask(&c, T_RENAMEAT, "4s4s", 0u, "file", 0u, name), EINVAL);
		is(ask(&c, T_UNLINKAT, "4s4", 0u, name, 0u), EINVAL);
		if (strcmp(name, "..") != 0)
			is(ask(&c, T_WALK, "442s", 0u, 3u, 1u, name), EINVAL);
		is(ask(&c, T_CLUNK, "4", 2u), 0);
	}
	client_end(&c);
}

static void dotdot(void)
{
	/* The root folder is the first file that the guest sees. */
	client_start(&c, false, false);
	is(inode_of(&c, 0), 1);
	is(walk_path(&c, 0, 1, ".."), 0);
	is(inode_of(&c, 1), 1);
	is(walk_path(&c, 0, 2, "../../../.."), 0);
	is(inode_of(&c, 2), 1);
	is(walk_path(&c, 0, 3, "dir/deep/../.."), 0);
	is(inode_of(&c, 3), 1);
	is(walk_path(&c, 0, 4, "../outside"), ENOENT);
	is(walk_path(&c, 0, 5, "dir/deep/../../../outside/secret"), ENOENT);
	/* The host moves a directory out of the folder: ".." does not follow it. */
	is(walk_path(&c, 0, 6, "dir/deep"), 0);
	shell(&c, "mv share/dir outside/dir");
	is(walk_path(&c, 6, 7, ".."), ENOENT);
	is(walk_path(&c, 6, 8, "../../secret"), ENOENT);
	is(walk_path(&c, 6, 9, ""), 0);
	is(ask(&c, T_LOPEN, "44", 9u, 0u), ENOENT);
	client_end(&c);
}

static void links(void)
{
	client_start(&c, false, false);
	/* A link can be read, and nothing can be reached through it. */
	is(walk_path(&c, 0, 1, "etc"), 0);
	is(attribute(&c, 1, AT_MODE, 4) & S_IFMT, S_IFLNK);
	is(walk_path(&c, 0, 2, "etc/passwd"), ENOENT);
	is(walk_path(&c, 1, 2, "passwd"), ENOTDIR);
	is(walk_path(&c, 0, 2, "out/secret"), ENOENT);
	is(ask(&c, T_LOPEN, "44", 1u, 0u), ELOOP);
	is(ask(&c, T_MKDIR, "4s44", 1u, "x", 0777u, 0u), ENOTDIR);
	is(ask(&c, T_UNLINKAT, "4s4", 1u, "passwd", 0u), ENOTDIR);
	is(ask(&c, T_RENAMEAT, "4s4s", 1u, "passwd", 0u, "stolen"), ENOTDIR);
	is(walk_path(&c, 0, 3, "out"), 0);
	is(ask(&c, T_LCREATE, "4s444", 3u, "new", 0101u, 0666u, 0u), ENOTDIR);
	is(ask(&c, T_SYMLINK, "4ss4", 3u, "new", "x", 0u), ENOTDIR);
	is(walk_path(&c, 0, 4, "secret"), 0);
	is(ask(&c, T_LOPEN, "44", 4u, 0u), ELOOP);
	is(ask(&c, T_LOPEN, "44", 4u, 01002u), ELOOP);
	is(setattr(4, 8, 0, 0, 0), ELOOP);
	ok(setattr(4, 1, 0777, 0, 0) != 0);
	ok(!setattr(4, 0x120, 0, 0, 12345));
	ok(holds(&c, "test \"$(stat -c %Y outside/secret)\" != 12345"));
	ok(holds(&c, "test \"$(stat -c %a outside/secret)\" != 777"));
	/* Creating a file where a link is does not open the target of the link. */
	is(walk_path(&c, 0, 5, ""), 0);
	is(ask(&c, T_LCREATE, "4s444", 5u, "secret", 01102u, 0666u, 0u), ELOOP);
	is(ask(&c, T_LCREATE, "4s444", 5u, "link", 01102u, 0666u, 0u), ELOOP);
	is(ask(&c, T_LINK, "44s", 0u, 4u, "hard"), 0);
	ok(holds(&c, "test -L share/hard && test \"$(cat outside/secret)\" = secret"));
	ok(holds(&c, "test \"$(cat share/file)\" = hello && test ! -e outside/new"));
	client_end(&c);
}

static void special_files(void)
{
	client_start(&c, false, false);
	is(walk_path(&c, 0, 1, "fifo"), 0);
	is(ask(&c, T_LOPEN, "44", 1u, 0u), ENXIO);
	is(ask(&c, T_LOPEN, "44", 1u, 1u), ENXIO);
	is(setattr(1, 8, 0, 0, 0), ENXIO);
	is(walk_path(&c, 0, 2, ""), 0);
	is(ask(&c, T_LCREATE, "4s444", 2u, "fifo", 0102u, 0666u, 0u), ENXIO);
	client_end(&c);
}

/* share/flip becomes a directory and a link to the outside in turn, as fast as possible. */
static atomic_bool stop;

static void *flip(void *arg)
{
	char dir[128], link[128], at[128];

	snprintf(dir, sizeof(dir), "%s/share/spare-dir", c.base);
	snprintf(link, sizeof(link), "%s/share/spare-link", c.base);
	snprintf(at, sizeof(at), "%s/share/flip", c.base);
	while (!stop) {
		if (rename(dir, at) || rename(at, dir) || rename(link, at) || rename(at, link))
			abort();
	}
	return NULL;
}

static void races(void)
{
	pthread_t thread;
	unsigned reached = 0;

	client_start(&c, false, false);
	shell(&c, "mkdir share/spare-dir; echo inside >share/spare-dir/secret;"
		  "ln -s ../outside share/spare-link");
	stop = false;
	pthread_create(&thread, NULL, flip, NULL);
	for (unsigned i = 0; i < 20000; i++) {
		if (!walk_path(&c, 0, 1, "flip/secret")) {
			if (!ask(&c, T_LOPEN, "44", 1u, 2u)) {
				reached++;
				ok(!ask(&c, T_READ, "484", 1u, 0ull, 10u));
				ok(!memcmp(c.reply + 11, "inside", 6));
			}
			setattr(1, 1, 0640, 0, 0);
			ask(&c, T_CLUNK, "4", 1u);
		}
		if (!walk_path(&c, 0, 2, "flip")) {
			ask(&c, T_UNLINKAT, "4s4", 2u, "gone", 0u);
			ask(&c, T_MKDIR, "4s44", 2u, "made", 0777u, 0u);
			ask(&c, T_LCREATE, "4s444", 2u, "new", 0101u, 0666u, 0u);
			ask(&c, T_CLUNK, "4", 2u);
		}
	}
	stop = true;
	pthread_join(thread, NULL);
	printf("# reached %u times\n", reached);
	ok(holds(&c, "test \"$(ls outside)\" = secret"));
	ok(holds(&c, "test \"$(stat -c %a outside/secret)\" != 640"));
	client_end(&c);
}

static void limits(void)
{
	char name[600];
	unsigned fids = 1;

	client_start(&c, false, false);
	while (fids < 20000 && !walk_path(&c, 0, fids, "file"))
		fids++;
	is(fids, P9_FIDS_MAX);
	for (fids = 1; !ask(&c, T_LOPEN, "44", fids, 0u); fids++)
		;
	is(fids, P9_OPEN_MAX + 1);
	is(ask(&c, T_VERSION, "4s", 8192u, "9P2000.L"), 0);
	is(c.server.open, 0);
	is(ask(&c, T_ATTACH, "44ss4", 0u, P9_NONE, "", "", 0u), 0);
	is(ask(&c, T_ATTACH, "44ss4", 0u, P9_NONE, "", "", 0u), EBADF);
	is(ask(&c, T_ATTACH, "44ss4", P9_NONE, P9_NONE, "", "", 0u), EBADF);
	/* Long names and deep paths. */
	memset(name, 'n', sizeof(name));
	name[256] = 0;
	is(ask(&c, T_MKDIR, "4s44", 0u, name, 0777u, 0u), EINVAL);
	name[255] = 0;
	is(ask(&c, T_MKDIR, "4s44", 0u, name, 0777u, 0u), 0);
	is(walk_path(&c, 0, 1, ""), 0);
	for (fids = 0; fids < 100; fids++) {
		if (ask(&c, T_MKDIR, "4s44", 1u, name, 0777u, 0u) && fids)
			break;
		if (walk_path(&c, 1, 1, name))
			break;
	}
	is(fids, 16); /* 16 names of 255 fill a path */
	client_end(&c);
}

/* Messages that are cut or have a wrong length, each with little room for the reply. */
static void malformed(void)
{
	static const struct {
		unsigned type;
		const char *format;
	} rows[] = {
		{ T_LOPEN, "4" },	   { T_LCREATE, "4s44" }, { T_SYMLINK, "4ss" },
		{ T_MKNOD, "4s444" },	   { T_RENAME, "44" },	  { T_GETATTR, "4" },
		{ T_SETATTR, "44444888" }, { T_READDIR, "48" },	  { T_LINK, "44" },
		{ T_MKDIR, "4s4" },	   { T_RENAMEAT, "4s4" }, { T_UNLINKAT, "4s" },
		{ T_VERSION, "4" },	   { T_ATTACH, "44ss" },  { T_WALK, "442" },
		{ T_READ, "48" },	   { T_WRITE, "484" },	  { T_CLUNK, "" },
		{ T_STATFS, "" },	   { T_READLINK, "" },	  { T_REMOVE, "" },
	};
	uint8_t message[64] = { 0 }, reply[64];

	client_start(&c, false, false);
	for (unsigned i = 0; i < TAP_NR(rows); i++) {
		const char *field = rows[i].format;
		size_t len = 7;

		tap_context("type %u", rows[i].type);
		memset(message, 0, sizeof(message));
		for (; *field; field++)
			len += *field == 's' ? 2 : (size_t)(*field - '0');
		if (rows[i].type == T_WALK || rows[i].type == T_WRITE)
			message[len - 2] = 1;
		message[0] = (uint8_t)len;
		message[4] = (uint8_t)rows[i].type;
		is(p9_serve(&c.server, message, len, reply, 11), 11);
		is(reply[4], 7);
	}
	ok(holds(&c, "test -d share/dir && test -f share/file"));
	is(p9_serve(&c.server, message, 0, reply, 11), 11);
	is(p9_serve(&c.server, message, 6, reply, 11), 11);
	memset(message, 0xff, sizeof(message));
	is(p9_serve(&c.server, message, sizeof(message), reply, sizeof(reply)), 11);
	/* A NUL in a name. */
	memset(message, 0, sizeof(message));
	message[0] = 7 + 4 + 2 + 3 + 8;
	message[4] = T_MKDIR;
	message[11] = 3;
	memcpy(message + 13, "a\0b", 3);
	is(p9_serve(&c.server, message, message[0], reply, sizeof(reply)), 11);
	is(reply[7], EINVAL);
	/* A reply that does not fit is an error; no part of it is sent. */
	is(walk_path(&c, 0, 1, "link"), 0);
	message[0] = 11;
	message[4] = T_READLINK;
	memset(message + 7, 0, 4);
	message[7] = 1;
	is(p9_serve(&c.server, message, 11, reply, 12), 11);
	is(reply[7], EMSGSIZE);
	client_end(&c);
}

static void snapshot(void)
{
	struct fake f;
	struct stream s;
	bool found;

	fake_init(&f);
	s = fake_stream(&f);
	client_start(&c, false, false);
	is(walk_path(&c, 0, 1, "file"), 0);
	is(ask(&c, T_LOPEN, "44", 1u, 01002u), 0);
	is(ask(&c, T_WRITE, "48b", 1u, 0ull, "abc", 3u), 0);
	is(walk_path(&c, 0, 2, "dir"), 0);
	is(ask(&c, T_LOPEN, "44", 2u, 0u), 0);
	is(walk_path(&c, 0, 3, "dir/deep/leaf"), 0);
	is(ask(&c, T_LOPEN, "44", 3u, 0u), 0);
	is(walk_path(&c, 0, 4, "dir/deep"), 0);
	ok(p9_save(&c.server, &s));
	p9_reset(&c.server);
	shell(&c, "rm share/dir/deep/leaf");
	ok(p9_restore(&c.server, &s));
	is(f.shot_at, f.shot_len);
	is(c.server.msize, 8192);
	/* It must not be truncated again. */
	is(ask(&c, T_READ, "484", 1u, 0ull, 100u), 0);
	is(p9_get(&c.in, 4), 3);
	is(list(2, 1000, "deep", &found), 3);
	is(ask(&c, T_READ, "484", 3u, 0ull, 100u), ESTALE);
	is(ask(&c, T_CLUNK, "4", 3u), 0);
	is(ask(&c, T_LOPEN, "44", 4u, 0u), 0);
	/* A file replaces a directory. */
	shell(&c, "rm -r share/dir; echo x >share/dir");
	f.shot_at = 0;
	ok(p9_restore(&c.server, &s));
	is(ask(&c, T_READDIR, "484", 2u, 0ull, 100u), ESTALE);
	/* Snapshots that name a file outside of the folder. */
	for (size_t i = 0; i + 4 < f.shot_len; i++) {
		if (memcmp(f.shot + i, "file", 4) != 0)
			continue;
		memcpy(f.shot + i, "../o", 4);
		f.shot_at = 0;
		ok(!p9_restore(&c.server, &s));
		is(c.server.fids, 0);
		memcpy(f.shot + i, "file", 4);
	}
	for (size_t i = 0; i < f.shot_len; i++) {
		f.shot[i] ^= 0x55;
		f.shot_at = 0;
		p9_restore(&c.server, &s);
		f.shot[i] ^= 0x55;
	}
	client_end(&c);
	ok(fake_end(&f));
}

/* The same through a queue. */
static void through_virtio(void)
{
	struct virtio_9p_options o = { .tag = "share" };
	struct error_text why;
	struct driver g;
	struct fake f;
	struct device *d;
	uint32_t head, len;
	uint64_t out, in;

	client_start(&c, false, false);
	o.path = c.share;
	fake_init(&f);
	d = virtio_9p_create((struct virtio_slot){ &f.board, 0, fake_irq(&f, 1) }, &o, &why);
	driver_init(&g, &f, d, 1, 1);
	is(rd(d, REG_CONFIG, 2), 5);
	is(rd(d, REG_CONFIG + 2, 4), 0x72616873);
	out = buffer(&g,
		     "\x15\0\0\0\x64\xff\xff\0\x20\0\0\x08\0"
		     "9P2000.L",
		     21);
	in = buffer(&g, NULL, 64);
	offer(&g, 0, chain(&g, 0, out, 21, in, 64));
	ok(taken(&g, 0, &head, &len));
	is(len, 21);
	is(get32(&f, in), 21);
	is(get32(&f, in + 7), 8192);
	ok(fake_save(&f, d));
	d->reset(d);
	ok(fake_restore(&f, d));
	offer(&g, 0, chain(&g, 0, out, 21, in, 64));
	ok(taken(&g, 0, &head, &len));
	/* No room for any reply; no request. */
	offer(&g, 0, chain(&g, 0, out, 21, in, 10));
	ok(needs_reset(&g));
	driver_init(&g, &f, d, 1, 1);
	offer(&g, 0, chain(&g, 0, out, 6, in, 64));
	ok(needs_reset(&g));
	driver_init(&g, &f, d, 1, 1);
	offer(&g, 0, chain(&g, 0, out, P9_MSIZE_MAX + 1, in, 64));
	ok(needs_reset(&g));
	d->destroy(d);
	o.path = "/nonexistent";
	ok(!virtio_9p_create((struct virtio_slot){ &f.board, 0, fake_irq(&f, 1) }, &o, &why));
	is_str(why.text, "/nonexistent: No such file or directory");
	o.path = c.share;
	o.tag = "a tag that has more than thirty-two bytes";
	ok(!virtio_9p_create((struct virtio_slot){ &f.board, 0, fake_irq(&f, 1) }, &o, &why));
	client_end(&c);
	ok(fake_end(&f));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "versions", version },
		{ "files are read, written, created", read_and_write },
		{ "attributes", attributes },
		{ "directories are listed, in pieces of any size", listing },
		{ "names are made, moved and removed", names },
		{ "a read-only share", read_only },
		{ "invalid names", bad_names_refused },
		{ "\"..\" ends at the folder", dotdot },
		{ "links are not followed", links },
		{ "no FIFO waits", special_files },
		{ "races with a link are harmless", races },
		{ "fids, files, names and paths have limits", limits },
		{ "malformed messages", malformed },
		{ "fids survive a snapshot, a damaged one reaches nothing", snapshot },
		{ "through a virtqueue", through_virtio },
	};

	return tap_run(cases, TAP_NR(cases));
}
