// SPDX-License-Identifier: BSD-2-Clause
/*
 * process.c - reads from /proc the threads, the children and the parent of a process.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "number.h"
#include "process.h"
#include "state.h"

bool lpmc_process_is_told(void)
{
	return lpmc.sys->numbers("/proc", NULL, 0) > 0;
}

char *lpmc_slurp(const char *path)
{
	for (size_t size = 4096;; size *= 2) {
		char *text = malloc(size);
		ssize_t n = text ? lpmc.sys->slurp(path, text, size) : -1;

		if (n > 0 && (size_t)n < size - 1)
			return text;
		free(text);
		if (n <= 0)
			return NULL;
	}
}

int *lpmc_process_list(const char *path, int *nr)
{
	for (int max = 64;; max = *nr + 64) {
		int *list = malloc((size_t)max * sizeof(*list));

		*nr = list ? lpmc.sys->numbers(path, list, max) : max;
		if (list && *nr > 0 && *nr <= max)
			return list;
		free(list);
		if (!list || *nr <= 0)
			return NULL;
	}
}

int *lpmc_process_numbers(const char *path, int *nr)
{
	int *list = lpmc_process_list(path, nr);

	if (!list && *nr > 0)
		lpmc_fail(ENOMEM, "out of memory");
	else if (!list)
		lpmc_fail(ESRCH, "%s: there is no such process%s", path,
			  lpmc_process_is_told() ? "" : ", as /proc is not mounted");
	return list;
}

char *lpmc_process_children(pid_t pid, pid_t tid)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)tid);
	return lpmc_slurp(path);
}

/* The number after a word in /proc/PID/status; 0 if there is none. */
static pid_t status_number(pid_t pid, const char *word)
{
	char path[32], text[1024];
	const char *at;
	uint64_t number;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	if (lpmc.sys->slurp(path, text, sizeof(text)) <= 0)
		return 0;
	at = strstr(text, word);
	if (!at)
		return 0;
	at += strlen(word);
	return number_field(&at, NUMBER_DECIMAL, INT_MAX, &number) ? (pid_t)number : 0;
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
	/*
	 * (The limit: parents may change while they are read, and the chain could become a circle.)
	 */
	for (int steps = 0; pid > 0 && steps < 1000; steps++) {
		if (pid == ancestor)
			return true;
		pid = lpmc_process_parent(pid);
	}
	return false;
}

bool lpmc_process_has_ended(pid_t pid, pid_t tid)
{
	char path[48], text[256];
	const char *name_end;
	int ended = tid ? -1 : lpmc.sys->has_ended(pid);

	if (ended >= 0)
		return ended;
	if (tid)
		snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", (int)pid, (int)tid);
	else
		snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (lpmc.sys->slurp(path, text, sizeof(text)) <= 0)
		return lpmc_process_is_told();
	name_end = strrchr(text, ')');
	if (!name_end || strncmp(name_end, ") Z", 3) != 0)
		return false;
	/* (The process is a zombie when its first thread has ended; others may still run.) */
	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	return tid || lpmc.sys->numbers(path, NULL, 0) <= 1;
}
