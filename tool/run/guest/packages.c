// SPDX-License-Identifier: BSD-2-Clause
/*
 * packages.c - --with: packages of Debian for the guest (packages.h).  guest/prepare chooses,
 * fetches and checks them with apt, and keeps what it made; this file runs it and reads its answer.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache.h"
#include "find.h"
#include "holter.h"
#include "packages.h"

/* In the child: becomes guest/prepare, whose answer goes to the descriptor to. */
static void become(const char *recipe, const char *list, const char *suite, const char *cache,
		   int to)
{
	const char *quiet = isatty(2) ? NULL : "--quiet";

	if (dup2(to, 1) >= 0)
		execl(recipe, recipe, "--with", list, "--suite", suite, "--cache", cache, quiet,
		      (char *)NULL);
	holter_error("%s: %s", recipe, strerror(errno));
	_exit(1);
}

/* Reads the line that comes from a descriptor until its end, without the newline. */
static bool read_line(int from, char *to, size_t room)
{
	size_t len = 0;
	ssize_t part;

	while ((part = read(from, to + len, room - 1 - len)) > 0 || (part < 0 && errno == EINTR))
		len += part > 0 ? (size_t)part : 0;
	to[len] = '\0';
	to[strcspn(to, "\n")] = '\0';
	return *to;
}

static bool run_recipe(char folder[PATH_MAX], const char *recipe, const char *list,
		       const char *suite, const char *cache)
{
	int ends[2], status = 1;
	pid_t child;

	if (pipe(ends)) {
		holter_error("%s: %s", recipe, strerror(errno));
		return false;
	}
	child = fork();
	if (!child)
		become(recipe, list, suite, cache, ends[1]);
	close(ends[1]);
	*folder = '\0';
	if (child > 0)
		read_line(ends[0], folder, PATH_MAX);
	else
		holter_error("%s: %s", recipe, strerror(errno));
	close(ends[0]);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return child > 0 && !status && *folder;
}

/* The packages lie beside the guest or, if nobody may write there, in the user's cache. */
static bool choose_cache(char cache[PATH_MAX])
{
	struct error_text why;

	if (!access(cache, W_OK))
		return true;
	if (!cache_folder(cache, &why)) {
		holter_error("--with: %s", why.text);
		return false;
	}
	strcat(cache, "/packages"); /* cache_folder() leaves room */
	return true;
}

bool packages_find(char to[PATH_MAX], const char *list, const char *guest)
{
	char recipe[PATH_MAX], cache[PATH_MAX], folder[PATH_MAX], *suite;

	if (!find_beside(recipe, "guest/prepare")) {
		holter_error("--with: guest/prepare, which fetches packages, is not installed");
		return false;
	}
	if (!realpath(guest, cache) || !(suite = strrchr(cache, '/'))) {
		holter_error("%s: %s", guest, strerror(errno));
		return false;
	}
	suite = strdup(suite + 1);
	*strrchr(cache, '/') = '\0';
	if (!suite || !choose_cache(cache) || !run_recipe(folder, recipe, list, suite, cache)) {
		free(suite);
		return false;
	}
	free(suite);
	if (find_in(to, folder, "packages"))
		return true;
	holter_error("%s: there are no packages", folder);
	return false;
}
