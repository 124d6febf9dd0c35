// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_file.c - files that a guest may have made: paths that stay below the root, pipes that block
 * nobody, links that are not written through.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <tap.h>
#include <unistd.h>

#include <file.h>

#include "scratch.h"

#define MAX 1000

static void put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	ok(f && fputs(text, f) >= 0);
	if (f)
		fclose(f);
}

/* The file at path below root, or the errno. */
static void reads(const char *root, const char *path, const char *want)
{
	size_t len = 0;
	char *text = file_read(root, path, MAX, &len);

	tap_context("%s of %s", path, root);
	is_str(text ? text : strerror(errno), want);
	if (text)
		is(len, strlen(text));
	free(text);
}

static void root_is_not_left(void)
{
	char here[4096], outside[4200];

	ok(getcwd(here, sizeof(here)));
	snprintf(outside, sizeof(outside), "%s/secret", here);
	mkdir("root", 0755);
	mkdir("root/dir", 0755);
	mkdir("root/dir/below", 0755);
	put("secret", "outside");
	put("root/secret", "inside");
	put("root/dir/file", "file");
	ok(!symlink(outside, "root/absolute"));
	ok(!symlink("../../../secret", "root/dir/up"));
	ok(!symlink("dir", "root/folder"));
	ok(!symlink("/dir/file", "root/dir/below/from_root"));
	ok(!symlink("loop", "root/loop"));
	reads("", "secret", "outside");
	reads("root", "secret", "inside");
	reads("root", "/secret", "inside");
	reads("root", "../secret", "inside");
	reads("root", "dir/../../../secret", "inside");
	reads("root", "/../..//./secret", "inside");
	reads("root", "absolute", strerror(ENOENT));
	reads("root", "dir/up", "inside");
	reads("root", "folder/file", "file");
	reads("root", "folder/../secret", "inside");
	reads("root", "dir/below/from_root", "file");
	reads("root", "loop", strerror(ELOOP));
	reads("root", "secret/", strerror(ENOTDIR));
	reads("root", "secret/x", strerror(ENOTDIR));
	reads("root", "dir", strerror(EISDIR));
	reads("root", "", strerror(EISDIR));
	reads("nowhere", "secret", strerror(ENOENT));
	reads("secret", "secret", strerror(ENOTDIR));
	ok(file_is_there("root", "../secret"));
	ok(!file_is_there("root", "absolute"));
}

static void depth_is_bounded(void)
{
	char path[2 * 300 + 8] = "";

	for (int n = 0; n < 300; n++)
		strcat(path, "d/");
	strcat(path, "f");
	ok(!symlink(".", "root/d"));
	reads("root", path, strerror(ELOOP));
}

/* A pipe that nobody reads cannot be opened to write; one with a reader can, and writes wait. */
static void opens_pipe(const char *path)
{
	int from, to;

	tap_context("%s", path);
	is(file_create(path, NULL, 0, 0666), -1);
	is(errno, ENXIO);
	from = open(path, O_RDONLY | O_NONBLOCK);
	to = file_create(path, NULL, O_TRUNC, 0666);
	ok(from >= 0 && to >= 0 && !(fcntl(to, F_GETFL) & O_NONBLOCK));
	close(from);
	close(to);
}

static void nobody_waits(void)
{
	char here[4000], outside[4200];

	ok(!mkfifo("fifo", 0644));
	ok(!mkfifo("root/fifo", 0644));
	alarm(10);
	reads("", "fifo", strerror(EINVAL));
	reads("root", "fifo", strerror(EINVAL));
	reads("", "/dev/zero", strerror(EINVAL));
	reads("", "root", strerror(EISDIR));
	opens_pipe("fifo");
	/* Outside of the folders in which a guest can make links, too. */
	ok(getcwd(here, sizeof(here)));
	snprintf(outside, sizeof(outside), "%s/fifo", here);
	ok(!chdir("root/dir"));
	opens_pipe(outside);
	ok(!chdir(here));
	alarm(0);
}

static void too_long(void)
{
	int fd = open("sparse", O_WRONLY | O_CREAT, 0644);
	char text[MAX + 2];

	ok(fd >= 0 && !ftruncate(fd, 1ll << 40));
	close(fd);
	reads("", "sparse", strerror(EFBIG));
	memset(text, 'x', sizeof(text));
	text[MAX] = '\0';
	put("long", text);
	reads("", "long", text);
	text[MAX] = 'x';
	text[MAX + 1] = '\0';
	put("long", text);
	reads("", "long", strerror(EFBIG));
	put("empty", "");
	reads("", "empty", "");
	/* The length of these is not known before they are read. */
	reads("", "/proc/self/status", strerror(EFBIG));
	ok(file_is_there("", "/proc/self/stat"));
}

/* Writes "new", with a write error or without. */
static void writes(const char *path, const char *share, int error)
{
	int fd = file_create(path, share, O_TRUNC, 0644);

	tap_context("%s, share %s", path, share ? share : "none");
	is(fd < 0 ? errno : 0, error);
	is(!file_is_safe(path, share), error == ELOOP);
	ok(fd < 0 || write(fd, "new", 3) == 3);
	if (fd >= 0)
		close(fd);
}

static void links_are_not_written_through(void)
{
	char here[4000], path[4200], share[4200];

	ok(getcwd(here, sizeof(here)));
	mkdir("elsewhere", 0755);
	mkdir("share", 0755);
	mkdir("cwd", 0755);
	put("elsewhere/victim", "old");
	ok(!chdir("cwd"));
	ok(!symlink("../elsewhere/victim", "link"));
	ok(!symlink("../elsewhere", "folder"));
	ok(!symlink("nothing", "dangling"));
	mkdir("plain", 0755);
	writes("link", NULL, ELOOP);
	writes("./link", NULL, ELOOP);
	writes("plain/../link", NULL, ELOOP);
	writes("folder/victim", NULL, ELOOP);
	writes("folder/made", NULL, ELOOP);
	writes("dangling", NULL, ELOOP);
	snprintf(path, sizeof(path), "%s/cwd/link", here);
	writes(path, NULL, ELOOP);
	snprintf(path, sizeof(path), "%s/cwd/folder/victim", here);
	writes(path, NULL, ELOOP);
	reads("", "../elsewhere/victim", "old");
	ok(access("../elsewhere/made", F_OK) && access("nothing", F_OK));
	writes("plain/file", NULL, 0);
	reads("", "plain/file", "new");
	writes("plain/no/file", NULL, ENOENT);
	writes("plain/file/x", NULL, ENOTDIR);
	writes("/dev/null", NULL, 0);
	/* A shared folder elsewhere; a file outside of a guest's folders belongs to the user. */
	snprintf(share, sizeof(share), "%s/share", here);
	ok(!symlink("../elsewhere/victim", "../share/link"));
	snprintf(path, sizeof(path), "%s/share/link", here);
	writes(path, share, ELOOP);
	writes("../share/link", share, ELOOP);
	reads("", "../elsewhere/victim", "old");
	writes(path, NULL, 0);
	reads("", "../elsewhere/victim", "new");
	ok(!chdir(here));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "neither .. nor a link leaves the root", root_is_not_left },
		{ "the number of links is limited", depth_is_bounded },
		{ "pipes do not block", nobody_waits },
		{ "files that are too long are not read", too_long },
		{ "links are not written through", links_are_not_written_through },
	};
	char folder[] = "/tmp/test_file.XXXXXX";
	int status;

	if (!mkdtemp(folder) || chdir(folder))
		return 1;
	status = tap_run(cases, TAP_NR(cases));
	return scratch_remove(folder) ? status : 1;
}
