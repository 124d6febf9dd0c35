// SPDX-License-Identifier: BSD-2-Clause
/*
 * self.c - see self.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "holter.h"
#include "self.h"
#include "vec.h"

#define PROGRAM "/proc/self/exe"

static int spawn(const char *const *words, int out, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	int error = posix_spawn_file_actions_init(&files);

	if (error)
		return error;
	error = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&files, out, 1);
	if (!error)
		error = posix_spawn(pid, PROGRAM, &files, NULL, (char *const *)words, environ);
	posix_spawn_file_actions_destroy(&files);
	return error;
}

int self_run(const char *const *words, int out)
{
	VEC(const char *) all = { 0 };
	int status, error = 0;
	pid_t pid = -1;
	bool good = VEC_PUSH(&all, "holter");

	for (size_t n = 0; good && words[n]; n++)
		good = VEC_PUSH(&all, words[n]);
	good = good && VEC_PUSH(&all, NULL);
	error = good ? spawn(all.at, out, &pid) : ENOMEM;
	free(all.at);
	if (error) {
		holter_error("cannot run holter %s: %s", words[0],
			     error == ENOMEM ? "out of memory" : strerror(error));
		return -1;
	}
	while (waitpid(pid, &status, 0) < 0) {
		if (errno == EINTR)
			continue;
		holter_error("cannot wait for holter %s: %s", words[0], strerror(errno));
		return -1;
	}
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
