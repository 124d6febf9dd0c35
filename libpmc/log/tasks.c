// SPDX-License-Identifier: BSD-2-Clause
/*
 * tasks.c - logs the names of processes and threads, as PROC_CREATE and THR_CREATE entries.
 *
 * FreeBSD logs all that exist when a sampling PMC of system scope starts, and then each new one;
 * its pmc summary and pmc filter read the names.  Two extensions: a sampling PMC of process scope
 * logs those of its targets; and a name is logged again when it changes, for example in execve(2).
 *
 * The kernel's record of a fork has no name: a new thread has its parent's.  So the library keeps
 * what it has logged, sorted by thread.  With several PMCs each of them gets the records; what is
 * in the list already is not logged again.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "drain.h"
#include "entry.h"
#include "log.h"
#include "number.h"
#include "process.h"

#define PF_KTHREAD 0x00200000 /* of Linux, in /proc/PID/stat: a thread of the kernel */
#define P_KPROC	   0x00000004 /* of FreeBSD, in pl_flags */

/* Where a thread is in the list, or would be. */
static size_t place_of(pid_t tid)
{
	size_t low = 0, high = lpmc.tasks.nr;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (lpmc.tasks.at[middle].tid < tid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct lpmc_task *find(pid_t tid)
{
	size_t n = place_of(tid);

	return n < lpmc.tasks.nr && lpmc.tasks.at[n].tid == tid ? &lpmc.tasks.at[n] : NULL;
}

/* Without memory the thread is in the log, but what it creates has no name. */
static void keep(const struct lpmc_task *task)
{
	struct lpmc_task *old = find(task->tid);
	size_t n = place_of(task->tid);

	if (old) {
		*old = *task;
	} else if (VEC_ROOM(&lpmc.tasks, 1)) {
		memmove(&lpmc.tasks.at[n + 1], &lpmc.tasks.at[n],
			(lpmc.tasks.nr - n) * sizeof(lpmc.tasks.at[0]));
		lpmc.tasks.at[n] = *task;
		lpmc.tasks.nr++;
	}
}

/* Logs a thread, and before it its process if it is the first thread. */
static void log_task(const struct lpmc_task *task, uint64_t time)
{
	struct pmclog_proccreate p = { .pl_pid = (uint32_t)task->pid, .pl_flags = task->flags };
	struct pmclog_threadcreate t = { .pl_tid = (uint32_t)task->tid,
					 .pl_pid = (uint32_t)task->pid,
					 .pl_flags = task->flags };
	const struct lpmc_task *old = find(task->tid);

	if (old && old->pid == task->pid && old->flags == task->flags &&
	    strcmp(old->name, task->name) == 0)
		return;
	memcpy(p.pl_pcomm, task->name, sizeof(task->name));
	memcpy(t.pl_tdname, task->name, sizeof(task->name));
	if (task->tid == task->pid)
		lpmc_log_put(PMCLOG_TYPE_PROC_CREATE, time, &p.pl_h, sizeof(p), NULL);
	lpmc_log_put(PMCLOG_TYPE_THR_CREATE, time, &t.pl_h, sizeof(t), NULL);
	keep(task);
}

void lpmc_task_forked(const struct lpmc_record *r)
{
	const struct lpmc_task *parent = find((pid_t)r->ptid);
	struct lpmc_task task = { .name = "" };

	if (parent)
		task = *parent;
	task.pid = (pid_t)r->pid;
	task.tid = (pid_t)r->tid;
	log_task(&task, r->time);
}

void lpmc_task_named(const struct lpmc_record *r)
{
	const struct lpmc_task *old = find((pid_t)r->tid);
	struct lpmc_task task = { .pid = (pid_t)r->pid, .tid = (pid_t)r->tid };

	/* (A program that the kernel executes begins as a thread of the kernel.) */
	if (old && !(r->misc & PERF_RECORD_MISC_COMM_EXEC))
		task.flags = old->flags;
	snprintf(task.name, sizeof(task.name), "%s", r->name);
	log_task(&task, r->time);
}

void lpmc_task_exited(const struct lpmc_record *r)
{
	struct lpmc_task *old = find((pid_t)r->tid);

	if (!old)
		return;
	lpmc.tasks.nr--;
	memmove(old, old + 1, (size_t)(&lpmc.tasks.at[lpmc.tasks.nr] - old) * sizeof(*old));
}

/*
 * The flags of a thread.  at is after its name in the file stat in /proc:
 * " state ppid pgrp session tty tpgid flags ..."
 */
static uint64_t flags_of(const char *at)
{
	uint64_t flags;

	for (int skipped = 0; skipped < 6; skipped++) {
		at += strspn(at, " ");
		at += strcspn(at, " ");
	}
	return number_field(&at, NUMBER_DECIMAL, UINT32_MAX, &flags) ? flags : 0;
}

/* Logs a thread that exists, from its file stat in /proc: "tid (name) state ppid ... flags ..." */
static void existing(pid_t pid, pid_t tid)
{
	struct lpmc_task task = { .pid = pid, .tid = tid };
	char path[48], text[256], *name, *end;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", (int)pid, (int)tid);
	if (lpmc.sys->slurp(path, text, sizeof(text)) <= 0)
		return; /* it has ended */
	name = strchr(text, '(');
	end = strrchr(text, ')');
	if (!name || !end)
		return;
	*end = '\0';
	/* (/proc appends to the name of a kworker what it does; records have no such tail.) */
	snprintf(task.name, sizeof(task.name), "%s", name + 1);
	if (flags_of(end + 1) & PF_KTHREAD)
		task.flags = P_KPROC;
	log_task(&task, lpmc.sys->now(CLOCK_MONOTONIC));
}

static void threads_of(pid_t pid)
{
	char path[32];
	int nr, *tids;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	tids = lpmc_process_list(path, &nr);
	for (int i = 0; tids && i < nr; i++)
		existing(pid, tids[i]);
	free(tids);
}

void lpmc_tasks_log(pid_t pid)
{
	/* what the CPUs run when they are idle: not in /proc */
	static const struct lpmc_task idle = { .flags = P_KPROC, .name = "swapper" };
	int nr, *pids;

	if (pid >= 0) {
		threads_of(pid);
		return;
	}
	log_task(&idle, lpmc.sys->now(CLOCK_MONOTONIC));
	pids = lpmc_process_list("/proc", &nr);
	for (int i = 0; pids && i < nr; i++)
		threads_of(pids[i]);
	free(pids);
}
