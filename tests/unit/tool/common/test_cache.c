// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_cache.c - the folder for booted guests: who must own it, and which files are removed from
 * it.
 */
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cache.h>
#include <kallsyms_kept.h>
#include <tap.h>

#include "scratch.h"

static char home[] = "/tmp/holter-cache.XXXXXX";

/* A file of the folder, with its age in seconds. */
static void put(const char *folder, const char *name, unsigned age)
{
	struct timespec t[2] = { { 1000000000 - age, 0 }, { 1000000000 - age, 0 } };
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%.2000s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CREAT, 0666);
	futimens(fd, t);
	close(fd);
}

static bool has(const char *folder, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%.2000s/%s", folder, name);
	return !access(path, F_OK);
}

static bool says(const struct error_text *why, const char *text)
{
	return strstr(why->text, text);
}

static void whose(void)
{
	char folder[PATH_MAX], want[PATH_MAX];
	struct error_text why;
	struct stat st;

	ok(!cache_folder_there(folder));
	ok(cache_folder(folder, &why));
	snprintf(want, sizeof(want), "%s/holter", home);
	is_str(folder, want);
	ok(!stat(folder, &st) && (st.st_mode & 0777) == 0700);
	ok(cache_folder_there(folder));
	chmod(folder, 0777);
	ok(!cache_folder(folder, &why) && says(&why, "others can write to it"));
	ok(!cache_folder_there(folder));
	chmod(folder,
	      01777); /* the sticky bit keeps others from replacing files, not from adding some */
	ok(!cache_folder(folder, &why));
	chmod(folder, 0755);
	ok(cache_folder(folder, &why));
	chmod(home, 0777); /* the folder itself could be replaced */
	ok(!cache_folder(folder, &why) && says(&why, "others can write to it"));
	chmod(home, 0700);
	snprintf(want, sizeof(want), "%s/holter", home);
	if (!geteuid()) {
		ok(!chown(want, 65534, 65534));
		ok(!cache_folder(folder, &why) && says(&why, "belongs to somebody else"));
		ok(!chown(want, 0, 0));
		/* the owner of a folder above could replace the folder */
		ok(!chown(home, 65534, 65534));
		ok(!cache_folder(folder, &why) && says(&why, "belongs to somebody else"));
		ok(!chown(home, 0, 0));
	}
	rmdir(want);
	put(home, "holter", 0);
	ok(!cache_folder(folder, &why) && says(&why, "not a folder"));
	unlink(want);
}

/* Where the folder is looked for; nothing is created. */
static void where(void)
{
	struct passwd *pw = getpwuid(geteuid());
	char folder[PATH_MAX], want[PATH_MAX];

	unsetenv("XDG_CACHE_HOME");
	setenv("HOME", home, 1);
	cache_folder_there(folder);
	snprintf(want, sizeof(want), "%s", home);
	ok(!strncmp(folder, want, strlen(want)));
	unsetenv("HOME");
	cache_folder_there(folder);
	/* Never a folder that anyone could create. */
	ok(!pw || !strncmp(folder, pw->pw_dir, strlen(pw->pw_dir)));
	setenv("XDG_CACHE_HOME", home, 1);
}

/* Symbols belong to the kernel with this build id. */
static void finds_kernel(void)
{
	static const uint8_t id[] = { 0xab, 0xcd, 0xef }, other[] = { 0xab, 0xcd, 0xee };
	char folder[PATH_MAX], *text;
	struct error_text why;
	size_t len = 0;

	ok(cache_folder(folder, &why));
	scratch_text(folder, "guest-0000000000000001.kallsyms",
		     KALLSYMS_NOTES "0400474e5500abcdef00\nffffffff80000000 T _start\n");
	scratch_text(folder, "guest-0000000000000002.kallsyms", "ffffffff80000000 T _start\n");
	scratch_text(folder, "guest-0000000000000003.kallsyms.7",
		     KALLSYMS_NOTES "0400474e5500abcdef00\nffffffff80000000 T half\n");
	text = kallsyms_kept(id, sizeof(id), &len);
	ok(text && len == strlen(text) && strstr(text, " T _start\n"));
	free(text);
	ok(!kallsyms_kept(other, sizeof(other), &len));
	ok(!kallsyms_kept(id, 0, &len));
	chmod(folder, 0777);
	ok(!kallsyms_kept(id, sizeof(id), &len));
	chmod(folder, 0700);
	ok(cache_prune(folder, 0) >= 2);
	ok(!has(folder, "guest-0000000000000001.kallsyms"));
}

static void prunes(void)
{
	char folder[PATH_MAX], dead[64], half[64], alive[64], file[PATH_MAX];
	struct error_text why;
	pid_t pid = fork();
	char other[64];
	int fd;

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	ok(cache_folder(folder, &why));
	snprintf(dead, sizeof(dead), "guest-0000000000000001.%d.new", (int)pid);
	snprintf(half, sizeof(half), "guest-0000000000000001.kallsyms.%d", (int)pid);
	snprintf(alive, sizeof(alive), "guest-0000000000000001.%d.new", (int)getpid());
	put(folder, "guest-0000000000000001", 30);
	put(folder, "guest-0000000000000001.kallsyms", 0);
	put(folder, "guest-0000000000000002", 20);
	put(folder, "guest-0000000000000003", 40);
	put(folder, "guest-0000000000000003.kallsyms", 0);
	put(folder, dead, 0);
	put(folder, half, 0);
	put(folder, alive, 0);
	/* Its process lives, but has another trade: it does not write to the file. */
	snprintf(other, sizeof(other), "guest-0000000000000002.%d.new", (int)getpid());
	put(folder, other, 0);
	put(folder, "another", 0);
	snprintf(file, sizeof(file), "%.2000s/%s", folder, alive);
	fd = open(file, O_WRONLY | O_CLOEXEC);
	ok(fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB));
	is(cache_prune(folder, 2), 5);
	ok(has(folder, "guest-0000000000000001"));
	ok(has(folder, "guest-0000000000000001.kallsyms"));
	ok(has(folder, "guest-0000000000000002"));
	ok(!has(folder, "guest-0000000000000003"));
	ok(!has(folder, "guest-0000000000000003.kallsyms"));
	ok(!has(folder, dead));
	ok(!has(folder, half));
	ok(has(folder, alive));
	ok(!has(folder, other));
	/* A file that was used later is newer than one that was made later. */
	snprintf(file, sizeof(file), "%.2000s/guest-0000000000000001", folder);
	cache_used(file);
	is(cache_prune(folder, 1), 1);
	ok(has(folder, "guest-0000000000000001"));
	ok(!has(folder, "guest-0000000000000002"));

	snprintf(file, sizeof(file), "%.2000s/files", folder);
	mkdir(file, 0700);
	snprintf(file, sizeof(file), "%.2000s/files/00", folder);
	mkdir(file, 0700);
	put(file, "library.so", 0);
	is(cache_prune(folder, 0), 3);
	ok(!has(folder, "guest-0000000000000001.kallsyms"));
	ok(!has(folder, "files"));
	ok(has(folder, alive));
	ok(has(folder, "another"));
	close(fd);
	ok(scratch_remove(home));
}

static int goes_on(void)
{
	return 0;
}

/* In place of a signal that ends holter while it waits. */
static int ends(void)
{
	return 130;
}

/* One process has the lock of a guest at a time; the one that waits sees what the other made. */
static void locks(void)
{
	char folder[PATH_MAX], guest[PATH_MAX];
	struct error_text why;
	int fd, status, to_parent[2], to_child[2];
	char byte;
	pid_t child;

	ok(cache_folder(folder, &why));
	snprintf(guest, sizeof(guest), "%.2000s/guest-00000000000000ff", folder);
	is(cache_inode(guest), 0);
	ok(!pipe(to_parent) && !pipe(to_child));
	child = fork();
	if (!child) {
		fd = cache_lock(guest, goes_on);
		byte = fd >= 0;
		if (write(to_parent[1], &byte, 1) != 1 || read(to_child[0], &byte, 1) != 1)
			_exit(1);
		put(folder, "guest-00000000000000ff", 0);
		cache_unlock(guest, fd);
		_exit(0);
	}
	ok(read(to_parent[0], &byte, 1) == 1 && byte);
	is(cache_prune(folder, 0), 0); /* the lock of a process that lives */
	ok(has(folder, "guest-00000000000000ff.lock"));
	is(cache_lock(guest, ends), -1);
	is(write(to_child[1], "", 1), 1);
	fd = cache_lock(guest, goes_on);
	ok(fd >= 0);
	ok(cache_inode(guest) != 0);
	cache_unlock(guest, fd);
	ok(!has(folder, "guest-00000000000000ff.lock"));
	ok(waitpid(child, &status, 0) == child && !status);
	put(folder, "guest-00000000000000ff.lock", 0); /* of a process that was killed */
	fd = cache_lock(guest, goes_on);
	ok(fd >= 0);
	close(fd);
	is(cache_prune(folder, 0), 2);
	ok(!has(folder, "guest-00000000000000ff.lock"));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "who must own the folder", whose },
		{ "where it is", where },
		{ "symbols of a kernel by its build id", finds_kernel },
		{ "one process at a time makes a guest", locks },
		{ "what is removed", prunes },
	};

	if (!mkdtemp(home)) {
		puts("Bail out! no folder in /tmp");
		return 1;
	}
	setenv("XDG_CACHE_HOME", home, 1);
	return tap_run(cases, TAP_NR(cases));
}
