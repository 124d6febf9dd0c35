// SPDX-License-Identifier: BSD-2-Clause
/*
 * log.c - begins, flushes and ends the log of this process, and logs what happens to PMCs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "entry.h"
#include "error.h"
#include "log.h"
#include "target.h"
#include "view.h"

static uint64_t now(void)
{
	return lpmc.sys->now(CLOCK_MONOTONIC);
}

void lpmc_log_allocate(const struct lpmc *p)
{
	struct pmclog_pmcallocate a = { .pl_pmcid = p->id,
					.pl_event = p->spec.event.ev,
					.pl_flags = p->flags,
					.pl_rate = p->reload };
	struct pmclog_pmcallocatedyn d = { .pl_pmcid = p->id,
					   .pl_event = p->spec.event.ev,
					   .pl_flags = p->flags };

	/* A number that is the same on every machine needs no name in the log. */
	if (p->spec.event.name && !lpmc_event_is_of_cpu(p->spec.event.ev)) {
		lpmc_log_put(PMCLOG_TYPE_PMCALLOCATE, now(), &a.pl_h, sizeof(a), NULL);
	} else {
		memcpy(d.pl_evname, p->spec.name, sizeof(d.pl_evname));
		lpmc_log_put(PMCLOG_TYPE_PMCALLOCATEDYN, now(), &d.pl_h, sizeof(d), NULL);
	}
}

void lpmc_log_attach(const struct lpmc *p, pid_t pid)
{
	struct pmclog_pmcattach a = { .pl_pmcid = p->id, .pl_pid = (uint32_t)pid };
	char link[32], path[PATH_MAX] = "";

	if (PMC_IS_SYSTEM_MODE(p->mode))
		return;
	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	lpmc.sys->readlink(link, path, sizeof(path));
	lpmc_log_put(PMCLOG_TYPE_PMCATTACH, now(), &a.pl_h,
		     offsetof(struct pmclog_pmcattach, pl_pathname), path);
}

void lpmc_log_detach(const struct lpmc *p, pid_t pid)
{
	struct pmclog_pmcdetach d = { .pl_pmcid = p->id, .pl_pid = (uint32_t)pid };

	lpmc_log_put(PMCLOG_TYPE_PMCDETACH, now(), &d.pl_h, sizeof(d), NULL);
}

void lpmc_log_existing(pid_t pid)
{
	if (lpmc.log_fd < 0)
		return;
	lpmc_tasks_log(pid);
	lpmc_maps_log(pid);
}

/* Logs the first entry, and the PMCs that already exist. */
static void log_begin(void)
{
	uint64_t wall = lpmc.sys->now(CLOCK_REALTIME);
	struct pmclog_initialize i = {
		.pl_version = PMC_VERSION,
		.pl_cpu = lpmc.info.pm_cputype,
		.pl_tsc_freq = 1000000000,
		.pl_sec = (int64_t)(wall / 1000000000),
		.pl_nsec = (int64_t)(wall % 1000000000),
	};
	const char *cpu = pmc_name_of_cputype(lpmc.info.pm_cputype);

	memcpy(i.pl_cpuid, cpu, strlen(cpu) + 1);
	lpmc_log_put(PMCLOG_TYPE_INITIALIZE, now(), &i.pl_h, sizeof(i), NULL);
	for (const struct lpmc *p = lpmc.pmcs; p; p = p->next) {
		lpmc_log_allocate(p);
		for (unsigned t = 0; t < p->targets.nr; t++)
			lpmc_log_attach(p, p->targets.at[t].pid);
		if (PMC_IS_SAMPLING_MODE(p->mode) && p->state == PMC_STATE_RUNNING)
			lpmc_log_existing(p->targets.at[0].pid);
	}
}

void lpmc_log_drop(void)
{
	if (lpmc.log_fd >= 0)
		lpmc.sys->close(lpmc.log_fd);
	if (lpmc.log_ending >= 0)
		lpmc.sys->close(lpmc.log_ending);
	free(lpmc.log_buf.at);
	free(lpmc.arena.at);
	free(lpmc.pending.at);
	free(lpmc.execs.at);
	free(lpmc.tasks.at);
	lpmc.log_fd = lpmc.log_ending = -1;
	lpmc.log_error = 0;
	lpmc.log_records = false;
	memset(&lpmc.log_buf, 0, sizeof(lpmc.log_buf));
	memset(&lpmc.arena, 0, sizeof(lpmc.arena));
	memset(&lpmc.pending, 0, sizeof(lpmc.pending));
	memset(&lpmc.execs, 0, sizeof(lpmc.execs));
	memset(&lpmc.tasks, 0, sizeof(lpmc.tasks));
}

/*
 * Stops the PMCs that need a log, and ends the log.  No entry is added while the last are written.
 */
static int log_end(void)
{
	struct pmclog_header h;
	struct lpmc_full full;
	int result;

	for (struct lpmc *p = lpmc.pmcs; p; p = p->next) {
		if (lpmc_has_rings(p) && p->state == PMC_STATE_RUNNING) {
			lpmc_target_enable(p, false);
			p->state = PMC_STATE_STOPPED;
			lpmc_view_change(p);
		}
	}
	lpmc_drain(true);
	lpmc_log_put(PMCLOG_TYPE_CLOSELOG, now(), &h, sizeof(h), NULL);
	full = lpmc_log_take();
	lpmc.log_ending = lpmc.log_fd;
	lpmc.log_fd = -1;
	lpmc_log_write(full);
	result = lpmc_log_outcome();
	lpmc_log_drop();
	return result;
}

static int log_start(int fd, bool records)
{
	int error;

	if (lpmc.log_fd >= 0)
		return lpmc_fail(EBUSY, "a log is configured already: close it first");
	lpmc_drain(true); /* discards what a process has sampled of itself without a log */
	if (!lpmc_log_buffer())
		return lpmc_fail(ENOMEM, "out of memory");
	lpmc.log_fd = lpmc.sys->dup(fd);
	if (lpmc.log_fd < 0) {
		error = errno;
		lpmc_log_drop();
		return lpmc_fail(error, "cannot log to descriptor %d: %s", fd, strerror(error));
	}
	error = lpmc_helper_start();
	if (error) {
		lpmc_log_drop();
		return lpmc_fail(error, "cannot start the thread that writes the log: %s%s",
				 strerror(error), error == EMFILE ? "; see ulimit -n" : "");
	}
	lpmc.log_records = records;
	lpmc.log_awaited_by = lpmc.sys->sigio_waiter();
	log_begin();
	return 0;
}

static int no_log(void)
{
	return lpmc_fail(EINVAL, "no log is configured");
}

/* Takes log_writing and the lock, for a thread that writes the file. */
static int enter_to_write(void)
{
	if (lpmc_enter() < 0)
		return -1;
	lpmc_leave(); /* (in a forked child, lpmc_enter() has reset the mutex) */
	if (lpmc_lock(&lpmc.log_writing) < 0)
		return -1;
	pthread_mutex_lock(&lpmc.lock);
	return 0;
}

static void leave_written(void)
{
	lpmc_leave();
	pthread_mutex_unlock(&lpmc.log_writing);
}

/* The helper must end before the next log begins, and it needs the locks to end. */
static int end_unlocked(void)
{
	int result;

	if (enter_to_write() < 0)
		return -1;
	if (lpmc.log_fd < 0) {
		leave_written();
		return no_log();
	}
	result = log_end();
	leave_written();
	lpmc_helper_stop();
	return result;
}

static int start_unlocked(int fd, bool records)
{
	int result;

	if (lpmc_enter() < 0)
		return -1;
	result = log_start(fd, records);
	lpmc_leave();
	return result;
}

/*
 * Begins a log, or ends it (fd -1).  log_changing lets in one thread at a time, so that no thread
 * mistakes the helper of the next log for that of the last one.
 */
static int change(int fd, bool records)
{
	int result;

	if (lpmc_enter() < 0)
		return -1;
	lpmc_leave(); /* (in a forked child, lpmc_enter() has reset the mutex) */
	if (lpmc_lock(&lpmc.log_changing) < 0)
		return -1;
	result = fd == -1 ? end_unlocked() : start_unlocked(fd, records);
	pthread_mutex_unlock(&lpmc.log_changing);
	return result;
}

int pmc_configure_logfile(int fd)
{
	return change(fd, false);
}

int pmc_configure_records(int fd)
{
	return change(fd, true);
}

int pmc_close_logfile(void)
{
	return change(-1, false);
}

int pmc_flush_logfile(void)
{
	int result;

	if (enter_to_write() < 0)
		return -1;
	if (lpmc.log_fd < 0) {
		result = no_log();
	} else {
		if (lpmc_log_is_long())
			lpmc_log_write(lpmc_log_take()); /* else lpmc_drain() reads no ring */
		lpmc_drain(false);
		lpmc_log_write(lpmc_log_take());
		result = lpmc_log_outcome();
	}
	leave_written();
	return result;
}

static int user_entry(uint32_t userdata)
{
	struct pmclog_userdata u = { .pl_userdata = userdata };

	if (lpmc.log_fd < 0 || lpmc.log_records)
		return no_log();
	/* The entry comes after the records of everything that happened before the call. */
	lpmc_drain(false);
	lpmc_log_put(PMCLOG_TYPE_USERDATA, now(), &u.pl_h, sizeof(u), NULL);
	return lpmc_log_outcome();
}

int pmc_writelog(uint32_t userdata)
{
	bool is_long;
	int result;

	do {
		if (lpmc_enter() < 0)
			return -1;
		is_long = lpmc_log_is_long();
		result = is_long ? 0 : user_entry(userdata);
		lpmc_leave();
	} while (is_long && pmc_flush_logfile() == 0);
	return is_long ? -1 : result;
}
