// SPDX-License-Identifier: BSD-2-Clause
/*
 * process.c - what /proc says of processes: their threads, their children, their parents.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

int *lpmc_process_numbers(const char *path, int *nr)
{
	int max = 64;

	for (;;) {
		int *list = malloc((size_t)max * sizeof(*list));

		if (!list) {
			lpmc_fail(ENOMEM, "out of memory");
			return NULL;
		}
		*nr = lpmc.sys->numbers(path, list, max);
		if (*nr > 0 && *nr <= max)
			return list;
		free(list);
		if (*nr <= 0) {
			lpmc_fail(ESRCH, "%s: there is no such process%s", path,
				  lpmc.sys->numbers("/proc", NULL, 0) > 0
					  ? ""
					  : ", as /proc is not mounted");
			return NULL;
		}
		max = *nr + 64;
	}
}

char *lpmc_process_children(pid_t pid, pid_t tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)tid);
	return lpmc_slurp(path);
}

/* The number behind a word of /proc/PID/status; 0: there is none. */
static pid_t status_number(pid_t pid, const char *word)
{
	char path[32], text[1024];
	const char *at;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	if (lpmc.sys->slurp(path, text, sizeof(text)) <= 0)
		return 0;
	at = strstr(text, word);
	return at ? (pid_t)atoi(at + strlen(word)) : 0;
}

pid_t lpmc_process_of(pid_t tid)
{
	return status_number(tid, "\nTgid:");
}

pid_t lpmc_process_parent(pid_t pid)
{
	return status_number(pid, "\nPPid:");
}

bool lpmc_process_is_under(pid_t pid, pid_t ancestor)
{
	/* (Parents that change meanwhile could make a ring of them.) */
	for (int steps = 0; pid > 0 && steps < 1000; steps++) {
		if (pid == ancestor)
			return true;
		pid = lpmc_process_parent(pid);
	}
	return false;
}
