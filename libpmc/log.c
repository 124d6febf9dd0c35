// SPDX-License-Identifier: BSD-2-Clause
/*
 * log.c - the log of this process: entries into a buffer, the buffer into the file.
 *
 * A write that fails is remembered, as an entry cannot return it: the next flush, writelog or
 * close does.  What comes after it is dropped, so that the file ends with a whole record or
 * with the one that was cut.
 *
 * Whoever writes has taken what was in the buffer, and holds log_writing alone, which keeps the
 * order: nobody waits for a pipe but who flushes or ends the log.  What others have for the log makes
 * the buffer grow; when it is very long, what comes stays in the rings, where Linux drops and counts
 * what they have no room for.  pmc_writelog() alone writes then, as it is the program's own.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "internal.h"

#define BUFFER_SIZE 65536
#define BUFFER_KEPT (1 << 20) /* the helper goes on with so much */
#define BUFFER_MAX  (64 << 20) /* then nothing is collected before it is written */

/* What was in the buffer, on its way into the file. */
struct full {
	uint8_t *buf;
	size_t size;
	int fd;
};

/* Takes it, and leaves an empty buffer; the caller has log_writing and the lock. */
static struct full take_full(void)
{
	size_t max = lpmc.log_max < BUFFER_KEPT ? lpmc.log_max : BUFFER_KEPT;
	struct full full = { lpmc.log_buf, lpmc.log_fill, lpmc.log_fd };

	if (!lpmc.log_fill)
		return (struct full){ .fd = -1 };
	lpmc.log_buf = malloc(max);
	lpmc.log_max = lpmc.log_buf ? max : 0; /* (The next entry asks again.) */
	lpmc.log_fill = 0;
	if (lpmc.log_error)
		full.size = 0;
	return full;
}

/* Writes it, with the lock given back meanwhile; 0 or an errno. */
static int write_full(struct full full)
{
	int error = 0;

	if (full.size) {
		lpmc_leave();
		if (lpmc.sys->write(full.fd, full.buf, full.size) < 0)
			error = errno;
		pthread_mutex_lock(&lpmc.lock);
	}
	free(full.buf);
	return error;
}

/* The first error stays, and whoever wants to know is told. */
static void note_error(int error)
{
	if (!error || lpmc.log_error)
		return;
	lpmc.log_error = error;
	if (lpmc.log_awaited_by)
		lpmc.sys->sigio(lpmc.log_awaited_by);
}

/* Everything in the buffer.  The caller has log_writing and the lock. */
static void write_out(void)
{
	note_error(write_full(take_full()));
}

/* (While another thread writes, the rings are emptied all the same.) */
void lpmc_log_pass(void)
{
	bool writes = pthread_mutex_trylock(&lpmc.log_writing) == 0;

	pthread_mutex_lock(&lpmc.lock);
	if (!lpmc.helper_quit && lpmc.log_fd >= 0) {
		lpmc_drain(false);
		if (writes)
			write_out();
	}
	lpmc_leave();
	if (writes)
		pthread_mutex_unlock(&lpmc.log_writing);
}

bool lpmc_log_is_long(void)
{
	return lpmc.log_fill >= BUFFER_MAX;
}

static int outcome(void)
{
	if (!lpmc.log_error)
		return 0;
	return lpmc_fail(lpmc.log_error,
			 "the log could not be written: %s; what came after that "
			 "is lost",
			 strerror(lpmc.log_error));
}

/* Room for `size` bytes, which are less than BUFFER_SIZE; false: there is none. */
static bool make_room(size_t size)
{
	size_t max = lpmc.log_max ? lpmc.log_max * 2 : BUFFER_SIZE;
	uint8_t *larger;

	if (lpmc.log_max - lpmc.log_fill >= size)
		return true;
	larger = realloc(lpmc.log_buf, max);
	if (!larger) {
		note_error(ENOMEM);
		return false;
	}
	lpmc.log_buf = larger;
	lpmc.log_max = max;
	lpmc_helper_wake();
	return true;
}

void lpmc_log_put(enum pmclog_type type, uint64_t time, struct pmclog_header *h, size_t size,
		  const char *path)
{
	size_t path_len = path ? strnlen(path, PATH_MAX - 1) : 0;
	/* with its NUL, to a multiple of 8 that keeps what follows aligned */
	size_t total = path ? (size + path_len + 1 + 7) & ~(size_t)7 : size;

	if (lpmc.log_fd < 0 || lpmc.log_error || lpmc.log_records || !make_room(total))
		return;
	h->pl_header = PMCLOG_HEADER_MAGIC << 24 | (uint32_t)type << 16 | (uint32_t)total;
	h->pl_spare = 0;
	h->pl_tsc = time;
	memset(lpmc.log_buf + lpmc.log_fill, 0, total);
	memcpy(lpmc.log_buf + lpmc.log_fill, h, size);
	if (path)
		memcpy(lpmc.log_buf + lpmc.log_fill + size, path, path_len);
	lpmc.log_fill += total;
}

void lpmc_log_record(const void *record, size_t size)
{
	if (lpmc.log_fd < 0 || lpmc.log_error || !lpmc.log_records || !make_room(size))
		return;
	memcpy(lpmc.log_buf + lpmc.log_fill, record, size);
	lpmc.log_fill += size;
}

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

	if (p->spec.event.name) {
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

/* The first entry, and the PMCs that there are already. */
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
		for (unsigned t = 0; t < p->nr_targets; t++)
			lpmc_log_attach(p, p->targets[t].pid);
		if (PMC_IS_SAMPLING_MODE(p->mode) && p->state == PMC_STATE_RUNNING)
			lpmc_maps_log(p->targets[0].pid);
	}
}

void lpmc_log_drop(void)
{
	if (lpmc.log_fd >= 0)
		lpmc.sys->close(lpmc.log_fd);
	if (lpmc.log_ending >= 0)
		lpmc.sys->close(lpmc.log_ending);
	free(lpmc.log_buf);
	free(lpmc.arena);
	free(lpmc.pending);
	free(lpmc.execs);
	lpmc.log_fd = lpmc.log_ending = -1;
	lpmc.log_error = 0;
	lpmc.log_records = false;
	lpmc.log_buf = lpmc.arena = NULL;
	lpmc.pending = NULL;
	lpmc.execs = NULL;
	lpmc.log_fill = lpmc.log_max = lpmc.arena_fill = lpmc.arena_max = 0;
	lpmc.nr_pending = lpmc.max_pending = lpmc.nr_execs = 0;
}

/* Stops what cannot run without a log, and ends it: nothing is added while the last is written. */
static int log_end(void)
{
	struct pmclog_header h;
	struct full full;
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
	full = take_full();
	lpmc.log_ending = lpmc.log_fd;
	lpmc.log_fd = -1;
	note_error(write_full(full));
	result = outcome();
	lpmc_log_drop();
	return result;
}

static int log_start(int fd, bool records)
{
	int error;

	if (lpmc.log_fd >= 0)
		return lpmc_fail(EBUSY, "a log is configured already: close it first");
	lpmc_drain(true); /* what a process has sampled of itself without a log is lost */
	lpmc.log_buf = malloc(BUFFER_SIZE);
	if (!lpmc.log_buf)
		return lpmc_fail(ENOMEM, "out of memory");
	lpmc.log_max = BUFFER_SIZE;
	lpmc.log_fd = lpmc.sys->dup(fd);
	if (lpmc.log_fd < 0) {
		error = errno;
		lpmc_log_drop();
		return lpmc_fail(error, "descriptor %d cannot be a log: %s", fd, strerror(error));
	}
	error = lpmc_helper_start();
	if (error) {
		lpmc_log_drop();
		return lpmc_fail(error, "no thread for the log: %s%s", strerror(error),
				 error == EMFILE ? "; see ulimit -n" : "");
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

/* As lpmc_enter(), for who writes. */
static int enter_to_write(void)
{
	if (lpmc_enter() < 0)
		return -1;
	lpmc_leave(); /* (in a forked child the mutex is another's until now) */
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

/* The helper must be gone before the next log is, and wants the locks to go. */
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

/* One thread at a time: the next log's helper must not be taken for the last one's. */
static int change(int fd, bool records)
{
	int result;

	if (lpmc_enter() < 0)
		return -1;
	lpmc_leave(); /* (in a forked child the mutex is another's until now) */
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
			write_out(); /* so that the rings are read */
		lpmc_drain(false);
		write_out();
		result = outcome();
	}
	leave_written();
	return result;
}

static int user_entry(uint32_t userdata)
{
	struct pmclog_userdata u = { .pl_userdata = userdata };

	if (lpmc.log_fd < 0 || lpmc.log_records)
		return no_log();
	/* After everything that has happened before it. */
	lpmc_drain(false);
	lpmc_log_put(PMCLOG_TYPE_USERDATA, now(), &u.pl_h, sizeof(u), NULL);
	return outcome();
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
