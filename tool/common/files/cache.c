// SPDX-License-Identifier: BSD-2-Clause
/*
 * cache.c - the folder for what can be made again (cache.h).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cache.h"
#include "kallsyms_kept.h"
#include "number.h"

/* The folder's name; false: neither a variable nor the user's home names one. */
static bool name_folder(char to[PATH_MAX])
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	bool xdg = cache && *cache == '/';
	struct passwd *pw;

	if (!xdg && (!home || *home != '/')) {
		pw = getpwuid(geteuid());
		home = pw ? pw->pw_dir : NULL;
	}
	*to = '\0';
	if (!xdg && (!home || *home != '/'))
		return false;
	return snprintf(to, PATH_MAX, "%s%s/holter", xdg ? cache : home, xdg ? "" : "/.cache") <
	       PATH_MAX - 64;
}

/* Whether others can write.  A group with the user's own number has no other members. */
static bool others_write(const struct stat *st)
{
	bool own_group = st->st_gid == getegid() && getegid() == geteuid();

	return st->st_mode & S_IWOTH || (st->st_mode & S_IWGRP && !own_group);
}

/* In a sticky folder nobody else can replace a file of the user. */
static bool others_replace(const struct stat *st)
{
	return others_write(st) && !(st->st_mode & S_ISVTX);
}

static bool refuse(struct error_text *why, const char *path, const char *what)
{
	error_set(why, "%s: %s", path, what);
	return false;
}

/* Checks the folder at path, or, if last is false, a folder above it. */
static bool judge(const char *path, bool last, struct error_text *why)
{
	struct stat st;

	if (stat(path, &st))
		return refuse(why, path, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return refuse(why, path, "not a folder");
	if (st.st_uid != geteuid() && (last || st.st_uid))
		return refuse(why, path, "belongs to somebody else");
	if (last ? others_write(&st) : others_replace(&st))
		return refuse(why, path, "others can write to it (chmod go-w)");
	return true;
}

/* Checks each folder of the path; if make, makes those that are missing. */
static bool judge_all(char to[PATH_MAX], bool make, struct error_text *why)
{
	for (char *p = to + 1; *p; p++) {
		bool good;

		if (*p != '/')
			continue;
		*p = '\0';
		if (make)
			mkdir(to, 0777);
		good = judge(to, false, why);
		*p = '/';
		if (!good)
			return false;
	}
	if (make)
		mkdir(to, 0700);
	return judge(to, true, why);
}

bool cache_folder(char to[PATH_MAX], struct error_text *why)
{
	if (!name_folder(to))
		return refuse(why, "the cache", "no home folder to keep it in (HOME)");
	return judge_all(to, true, why);
}

bool cache_folder_there(char to[PATH_MAX])
{
	struct error_text why;

	return name_folder(to) && judge_all(to, false, &why);
}

void cache_used(const char *path)
{
	utimensat(AT_FDCWD, path, NULL, 0);
}

ino_t cache_inode(const char *path)
{
	struct stat st;

	return lstat(path, &st) ? 0 : st.st_ino;
}

/* Names the file of a guest's lock.  False: the name is too long. */
static bool name_lock(char to[PATH_MAX], const char *guest)
{
	return snprintf(to, PATH_MAX, "%s.lock", guest) < PATH_MAX;
}

int cache_lock(const char *guest, int (*ended)(void))
{
	const struct timespec pause = { .tv_nsec = 50000000 };
	char path[PATH_MAX];
	struct stat st;
	int fd = -1;

	while (name_lock(path, guest) && !ended()) {
		fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0)
			return -1;
		/* Who had the lock has removed the file: another may have made it again. */
		if (!flock(fd, LOCK_EX | LOCK_NB) && !fstat(fd, &st) &&
		    st.st_ino == cache_inode(path))
			return fd;
		close(fd);
		nanosleep(&pause, NULL);
	}
	return -1;
}

void cache_unlock(const char *guest, int lock)
{
	char path[PATH_MAX];

	if (lock < 0 || !name_lock(path, guest))
		return;
	unlink(path);
	close(lock);
}

/* Returns whether a process writes to the file: it then has a lock on it. */
static bool is_locked(const char *folder, const char *name)
{
	char path[PATH_MAX];
	bool locked = false;
	int fd = -1;

	if (snprintf(path, sizeof(path), "%s/%s", folder, name) < PATH_MAX)
		fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0) {
		locked = flock(fd, LOCK_EX | LOCK_NB) != 0;
		close(fd);
	}
	return locked;
}

/*
 * guest-SUM.PID.new, guest-SUM.kallsyms.PID: what a killed process has left.  Another process may
 * have its number today.  guest-SUM.lock: without a lock it is left, too.
 */
static bool is_left_over(const char *folder, const char *name)
{
	const char *at = strrchr(name, '.');
	uint64_t pid = 0;

	if (at && !strcmp(at, ".lock"))
		return !is_locked(folder, name);
	at = name;
	while (!pid && (at = strchr(at, '.'))) {
		at++;
		if (!number_read(&at, NUMBER_DECIMAL, INT_MAX, &pid))
			pid = 0;
	}
	return pid && ((kill((pid_t)pid, 0) && errno == ESRCH) || !is_locked(folder, name));
}

static bool remove_file(const char *folder, const char *name)
{
	char path[PATH_MAX];

	return snprintf(path, sizeof(path), "%s/%s", folder, name) < PATH_MAX && !unlink(path);
}

/* A guest with its kernel's symbols. */
static unsigned remove_guest(const char *folder, const char *name)
{
	char symbols[NAME_MAX + 16];

	snprintf(symbols, sizeof(symbols), "%s" KALLSYMS_SUFFIX, name);
	return remove_file(folder, name) + remove_file(folder, symbols);
}

static struct timespec used(const char *folder, const char *name)
{
	char path[PATH_MAX];
	struct stat st;

	if (snprintf(path, sizeof(path), "%s/%s", folder, name) >= PATH_MAX || lstat(path, &st))
		return (struct timespec){ 0 };
	return st.st_mtim;
}

/* Copies of files in archives: files/SUM/NAME. */
static unsigned remove_below(const char *folder, unsigned depth)
{
	DIR *dir = opendir(folder);
	struct dirent *e;
	unsigned gone = 0;

	while (dir && (e = readdir(dir))) {
		char path[PATH_MAX];

		if (e->d_name[0] == '.' ||
		    snprintf(path, sizeof(path), "%s/%s", folder, e->d_name) >= PATH_MAX)
			continue;
		if (!unlink(path))
			gone++;
		else if (depth)
			gone += remove_below(path, depth - 1);
	}
	if (dir)
		closedir(dir);
	rmdir(folder);
	return gone;
}

/* Whether a file of the folder is a guest, by its name. */
static bool is_guest(const char *name)
{
	return strlen(name) == 6 + 16 && !strncmp(name, "guest-", 6) &&
	       strspn(name + 6, "0123456789abcdef") == 16;
}

static bool is_profile(const char *name)
{
	size_t len = strlen(CACHE_PROFILE);

	return strlen(name) == len + 16 && !strncmp(name, CACHE_PROFILE, len) &&
	       strspn(name + len, "0123456789abcdef") == 16;
}

/* Whether name is among the newest keep of its kind. */
static bool is_kept(const char *folder, const char *name, struct dirent **list, int nr,
		    unsigned keep, bool (*is_of_kind)(const char *name))
{
	struct timespec own = used(folder, name);
	unsigned newer = 0;

	for (int n = 0; n < nr; n++) {
		struct timespec t = used(folder, list[n]->d_name);

		if (is_of_kind(list[n]->d_name) &&
		    (t.tv_sec > own.tv_sec || (t.tv_sec == own.tv_sec && t.tv_nsec > own.tv_nsec)))
			newer++;
	}
	return newer < keep;
}

unsigned cache_prune(const char *folder, unsigned keep)
{
	char path[PATH_MAX], own[NAME_MAX + 1];
	struct dirent **list;
	int nr = scandir(folder, &list, NULL, alphasort);
	unsigned gone = 0;

	for (int n = 0; n < nr; n++) {
		const char *name = list[n]->d_name, *end = strstr(name, KALLSYMS_SUFFIX);

		if (strncmp(name, "guest-", 6))
			continue;
		snprintf(own, sizeof(own), "%.*s", end ? (int)(end - name) : NAME_MAX, name);
		if (is_guest(name) ? !is_kept(folder, name, list, nr, keep, is_guest)
				   : is_left_over(folder, name))
			gone += is_guest(name) ? remove_guest(folder, name)
					       : remove_file(folder, name);
		else if (!keep && end && is_guest(own))
			gone += remove_file(folder, name);
	}
	while (nr > 0)
		free(list[--nr]);
	if (nr == 0)
		free(list);
	if (!keep && snprintf(path, sizeof(path), "%s/files", folder) < PATH_MAX)
		gone += remove_below(path, 1);
	if (!keep)
		gone += cache_prune_profiles(folder, 0);
	return gone;
}

unsigned cache_prune_profiles(const char *folder, unsigned keep)
{
	struct dirent **list;
	int nr = scandir(folder, &list, NULL, alphasort);
	unsigned gone = 0;

	for (int n = 0; n < nr; n++) {
		const char *name = list[n]->d_name;

		if (is_profile(name) ? !is_kept(folder, name, list, nr, keep, is_profile)
				     : !strncmp(name, CACHE_PROFILE, strlen(CACHE_PROFILE)) &&
					       is_left_over(folder, name))
			gone += remove_file(folder, name);
	}
	while (nr > 0)
		free(list[--nr]);
	if (nr == 0)
		free(list);
	return gone;
}
