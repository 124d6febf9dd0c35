// SPDX-License-Identifier: BSD-2-Clause
/*
 * guest_path.c - see guest_path.h.  Takes a path name by name, as the guest's kernel does.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest_path.h"

#define SHARE	  "/mnt" /* guest/init mounts the shared folder there */
#define LINKS_MAX 40 /* on the way to a file, as in Linux */

/* What is at a path that has no links. */
struct place {
	enum guest_place in;
	enum guest_file file;
	char link[PATH_MAX];
};

static bool is_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return !strncmp(path, folder, len) && (!path[len] || path[len] == '/');
}

static enum guest_file shared_file(const char *path, char link[PATH_MAX])
{
	struct stat st;
	ssize_t len;

	if (lstat(path, &st))
		return GUEST_NONE;
	if (S_ISDIR(st.st_mode))
		return GUEST_FOLDER;
	if (!S_ISLNK(st.st_mode))
		return GUEST_DATA;
	len = readlink(path, link, PATH_MAX - 1);
	link[len > 0 ? len : 0] = '\0';
	return len > 0 ? GUEST_LINK : GUEST_NONE;
}

/* Looks at the guest's path `path`, "" for its root.  host: gets its path on this computer. */
static struct place look(const struct guest_files *f, const char *share, const char *path,
			 char host[PATH_MAX])
{
	/* Made by the kernel or by init, or by both; /tmp is for everybody. */
	static const char *const made[] = { "/dev", "/proc", "/sys", "/run", "/tmp", "/holter" };
	struct place p = { .in = GUEST_OWN, .file = GUEST_FOLDER };

	if (is_below(path, SHARE)) {
		snprintf(host, PATH_MAX, "%s%s", share, path + strlen(SHARE));
		p.in = GUEST_SHARED;
		p.file = shared_file(host, p.link);
		return p;
	}
	for (size_t n = 0; n < sizeof(made) / sizeof(*made); n++) {
		if (is_below(path, made[n]))
			p.in = GUEST_UNKNOWN;
	}
	if (!f)
		p.in = GUEST_UNKNOWN;
	else if (p.in == GUEST_OWN && *path)
		p.file = guest_files_find(f, path, p.link);
	return p;
}

/* Moves the first name of *rest to the end of path, or for ".." removes the last name of path. */
static bool take_name(const char **rest, char path[PATH_MAX])
{
	const char *name = *rest + strspn(*rest, "/");
	size_t len = strcspn(name, "/"), used = strlen(path);

	*rest = name + len;
	if (len == 2 && !memcmp(name, "..", 2)) {
		char *slash = strrchr(path, '/');

		if (slash)
			*slash = '\0';
		return true;
	}
	if (!len || (len == 1 && *name == '.'))
		return true;
	return snprintf(path + used, PATH_MAX - used, "/%.*s", (int)len, name) <
	       (int)(PATH_MAX - used);
}

/* Continues at the target of a link, whose name is the last one of path. */
static bool take_link(const char *target, char path[PATH_MAX], char rest[PATH_MAX])
{
	char all[PATH_MAX];

	if (snprintf(all, sizeof(all), "%s%s", target, rest) >= PATH_MAX)
		return false;
	strcpy(rest, all);
	*strrchr(path, '/') = '\0';
	if (*rest == '/')
		*path = '\0';
	return true;
}

enum guest_place guest_path(const struct guest_files *f, const char *share, const char *path,
			    char to[PATH_MAX], enum guest_file *file)
{
	char rest[PATH_MAX], at[PATH_MAX], host[PATH_MAX] = "";
	struct place p = look(f, share, SHARE, host);

	strcpy(at, *path == '/' ? "" : SHARE);
	if (snprintf(rest, sizeof(rest), "%s", path) >= PATH_MAX)
		return GUEST_UNKNOWN;
	for (unsigned links = 0; *rest;) {
		const char *left = rest;

		if (!take_name(&left, at) || strlen(share) + strlen(at) >= PATH_MAX)
			return GUEST_UNKNOWN;
		memmove(rest, left, strlen(left) + 1);
		p = look(f, share, at, host);
		if (p.in == GUEST_UNKNOWN)
			return p.in;
		if (p.file == GUEST_LINK) {
			if (++links > LINKS_MAX || !take_link(p.link, at, rest))
				return GUEST_UNKNOWN;
		} else if (p.file != GUEST_FOLDER) {
			break;
		}
	}
	/* "file/name" does not exist, and neither does "file/". */
	if (p.file != GUEST_FOLDER && *rest && strlen(host) < PATH_MAX - 1) {
		strcat(host, "/");
		p.file = GUEST_NONE;
	}
	strcpy(to, p.in == GUEST_SHARED ? host : at);
	*file = p.file;
	return p.in;
}

bool guest_path_program(const struct guest_files *f, const char *name)
{
	static const char *const folders[] = { "/usr/sbin", "/usr/bin", "/sbin", "/bin" };
	char path[PATH_MAX], to[PATH_MAX];
	enum guest_file file;

	for (size_t n = 0; n < sizeof(folders) / sizeof(*folders); n++) {
		if (snprintf(path, sizeof(path), "%s/%s", folders[n], name) < PATH_MAX &&
		    guest_path(f, ".", path, to, &file) == GUEST_OWN && file == GUEST_PROGRAM)
			return true;
	}
	return false;
}
