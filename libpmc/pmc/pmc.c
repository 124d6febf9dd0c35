// SPDX-License-Identifier: BSD-2-Clause
/*
 * pmc.c - allocates, attaches, starts, stops, detaches and releases PMCs.
 *
 * Every function first checks everything and then changes state.  pmc_allocate(3), pmc_attach(3)
 * and pmc_start(3) list the errors.
 */
#include <stdio.h>
#include <stdlib.h>

#include "attach.h"
#include "cpu.h"
#include "device_tree.h"
#include "error.h"
#include "log.h"
#include "perf.h"
#include "process.h"
#include "read.h"
#include "target.h"
#include "view.h"

#define FLAGS_PROCESS  (PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT | PMC_F_ON_EXEC)
#define FLAGS_COUNTING (PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT)
#define FLAGS_RECORDS  (PMC_F_RECORDS | PMC_F_FREQUENCY | PMC_F_SAMPLES_ONLY | PMC_F_JITTER)
#define FLAGS_ALL                                                                                  \
	(FLAGS_PROCESS | FLAGS_RECORDS | PMC_F_DESCENDANTS | PMC_F_CALLCHAIN | PMC_F_USERCALLCHAIN)

/*
 * Allocation
 */

static int flags_check(enum pmc_mode mode, uint32_t flags)
{
	if (flags & ~FLAGS_ALL)
		return lpmc_fail(EINVAL, "flags 0x%x: unknown to pmc_allocate()",
				 flags & ~FLAGS_ALL);
	/* (PMC_F_DESCENDANTS is ignored in system scope: programs set it for all PMCs.) */
	if (PMC_IS_SYSTEM_MODE(mode) && (flags & FLAGS_PROCESS))
		return lpmc_fail(EINVAL, "PMC_F_ON_EXEC and PMC_F_LOG_PROC* need process scope");
	if (PMC_IS_SAMPLING_MODE(mode) && (flags & FLAGS_COUNTING))
		return lpmc_fail(EINVAL, "PMC_F_LOG_PROC* need a counting PMC");
	/* (PMC_F_CALLCHAIN is ignored for counting PMCs: programs set it for all PMCs.) */
	if ((flags & PMC_F_USERCALLCHAIN) &&
	    (!(flags & PMC_F_CALLCHAIN) || !PMC_IS_SAMPLING_MODE(mode)))
		return lpmc_fail(EINVAL,
				 "PMC_F_USERCALLCHAIN needs a sampling PMC and PMC_F_CALLCHAIN");
	if ((flags & FLAGS_RECORDS) && (!(flags & PMC_F_RECORDS) || !PMC_IS_SAMPLING_MODE(mode)))
		return lpmc_fail(EINVAL,
				 "PMC_F_FREQUENCY, PMC_F_SAMPLES_ONLY and PMC_F_JITTER need "
				 "PMC_F_RECORDS, which needs a sampling PMC");
	if (flags & PMC_F_JITTER && flags & PMC_F_FREQUENCY)
		return lpmc_fail(EINVAL,
				 "PMC_F_JITTER needs a fixed period: with PMC_F_FREQUENCY Linux "
				 "varies it");
	return 0;
}

static int cpu_check(enum pmc_mode mode, int cpu)
{
	if (PMC_IS_SYSTEM_MODE(mode))
		return lpmc_cpu_check(cpu);
	if (cpu != PMC_CPU_ANY)
		return lpmc_fail(EINVAL, "process scope needs PMC_CPU_ANY, not CPU %d", cpu);
	return 0;
}

/* Whether another PMC has the row on this CPU.  PMC_CPU_ANY takes the row on all CPUs. */
static bool row_taken(unsigned row, int cpu)
{
	for (const struct lpmc *p = lpmc.pmcs; p; p = p->next) {
		if (PMC_ID_TO_ROWINDEX(p->id) == row &&
		    (p->cpu == cpu || p->cpu == PMC_CPU_ANY || cpu == PMC_CPU_ANY))
			return true;
	}
	return false;
}

static int row_find(enum pmc_class cls, int cpu)
{
	unsigned first = cls == PMC_CLASS_SOFT ? 0 : LPMC_SOFT_ROWS;
	unsigned end = cls == PMC_CLASS_SOFT ? LPMC_SOFT_ROWS : LPMC_ROWS;

	for (unsigned row = first; row < end; row++) {
		if (!row_taken(row, cpu))
			return (int)row;
	}
	return lpmc_fail(EINVAL, "all %u rows of class %s are in use: release a PMC first",
			 end - first, pmc_name_of_class(cls));
}

/* The caller has checked everything and holds the lock. */
static struct lpmc *pmc_new(const struct lpmc *like, uint64_t count)
{
	enum pmc_class cls = lpmc_event_class(like->spec.event.ev);
	int row = row_find(cls, like->cpu);
	struct lpmc *p;

	if (row < 0)
		return NULL;
	p = malloc(sizeof(*p));
	if (!p) {
		lpmc_fail(ENOMEM, "out of memory");
		return NULL;
	}
	*p = *like;
	p->id = PMC_ID_MAKE_ID(p->cpu, p->mode, cls, row);
	p->state = PMC_STATE_ALLOCATED;
	if (p->mode == PMC_MODE_SC)
		p->base = count;
	p->next = lpmc.pmcs;
	lpmc.pmcs = p;
	return p;
}

/* A PMC of system scope has its target from its allocation on. */
static int pmc_ready(struct lpmc *p)
{
	return PMC_IS_SYSTEM_MODE(p->mode) ? lpmc_attach(p, -1, 0) : 0;
}

static int allocate(struct lpmc *like, pmc_id_t *id, uint64_t count)
{
	struct lpmc *p;

	if (cpu_check(like->mode, like->cpu) < 0)
		return -1;
	if (PMC_IS_SAMPLING_MODE(like->mode) && lpmc_reload_set(like, count) < 0)
		return -1;
	if (lpmc_probe(like) < 0)
		return -1;
	p = pmc_new(like, count);
	if (!p)
		return -1;
	if (pmc_ready(p) < 0) {
		int error = errno;

		lpmc_end(p);
		errno = error;
		return -1;
	}
	*id = p->id;
	lpmc_log_allocate(p);
	lpmc_view_add(p);
	return 0;
}

int pmc_allocate(const char *specifier, enum pmc_mode mode, uint32_t flags, int cpu, pmc_id_t *id,
		 uint64_t count)
{
	struct lpmc like = { .mode = mode, .flags = flags, .cpu = cpu };
	int result;

	if (lpmc_null(specifier, "pmc_allocate") < 0 || lpmc_null(id, "pmc_allocate") < 0)
		return -1;
	if ((unsigned)mode > PMC_MODE_LAST)
		return lpmc_fail(EINVAL, "mode %d is not one of SS, SC, TS, TC", (int)mode);
	if (flags_check(mode, flags) < 0 || lpmc_spec_read(specifier, &like.spec) < 0)
		return -1;
	if (flags & PMC_F_JITTER && like.spec.event.type == PERF_TYPE_SOFTWARE)
		return lpmc_fail(EINVAL, "%s: PMC_F_JITTER needs a hardware event", like.spec.name);
	if (lpmc_enter() < 0)
		return -1;
	result = allocate(&like, id, count);
	lpmc_leave();
	return result;
}

int pmc_release(pmc_id_t id)
{
	struct lpmc *p = lpmc_enter_pmc(id);

	if (!p)
		return -1;
	lpmc_group_end(p);
	if (p->state == PMC_STATE_RUNNING)
		lpmc_target_enable(p, false);
	if (lpmc_has_rings(p))
		lpmc_drain(true);
	lpmc_end(p);
	lpmc_helper_wake();
	lpmc_leave();
	lpmc_helper_stop();
	return 0;
}

/*
 * Targets
 */

static int process_scope(const struct lpmc *p, pid_t pid)
{
	if (PMC_IS_SYSTEM_MODE(p->mode))
		return lpmc_fail(EINVAL, "%s: a PMC of system scope cannot have targets",
				 p->spec.name);
	if (pid < 0)
		return lpmc_fail(EINVAL, "%d is not a process id", (int)pid);
	return 0;
}

static bool process_exists(pid_t pid)
{
	char path[32], text[8];

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	return lpmc.sys->slurp(path, text, sizeof(text)) > 0;
}

/*
 * Finds the process of a target: id is the number of a process or, with `thread`, of one of its
 * threads.  0 is the caller.
 */
static int target_process(pid_t id, bool thread, pid_t *pid)
{
	pid_t self = lpmc.sys->getpid(), tid = id ? id : lpmc.sys->gettid();

	*pid = thread ? lpmc_process_of(tid) : id ? id : self;
	if (thread && *pid == 0)
		return lpmc_fail(ESRCH, "there is no thread %d", (int)tid);
	/* (/proc/ID exists for the number of a thread, too, although /proc does not list it.) */
	if (!thread && *pid != self && !lpmc.sys->is_process(*pid) && lpmc_process_of(*pid) > 0)
		return lpmc_fail(ESRCH,
				 "there is no process %d; it is a thread of process %d: use "
				 "pmc_attach_thread()",
				 (int)id, (int)lpmc_process_of(id));
	return 0;
}

static int attach(struct lpmc *p, pid_t id, bool thread)
{
	pid_t pid, tid = !thread ? 0 : id ? id : lpmc.sys->gettid();

	if (process_scope(p, id) < 0)
		return -1;
	if (thread && (p->flags & PMC_F_DESCENDANTS))
		return lpmc_fail(EINVAL,
				 "%s: PMC_F_DESCENDANTS needs a process: what a thread creates is "
				 "not counted",
				 p->spec.name);
	if (p->state == PMC_STATE_RUNNING)
		return lpmc_fail(EBUSY, "%s is running: stop it before you attach it",
				 p->spec.name);
	if (target_process(id, thread, &pid) < 0)
		return -1;
	if (lpmc_target_of(p, pid, tid) && process_exists(tid ? tid : pid))
		return lpmc_fail(EEXIST, "%s is attached to %s %d already", p->spec.name,
				 thread ? "thread" : "process", (int)(thread ? tid : pid));
	return lpmc_attach(p, pid, tid);
}

int pmc_attach(pmc_id_t id, pid_t pid)
{
	struct lpmc *p = lpmc_enter_pmc(id);
	int result;

	if (!p)
		return -1;
	p = lpmc_group_leader(p);
	result = attach(p, pid, false);
	if (result == 0)
		lpmc_view_change(p);
	lpmc_leave();
	return result;
}

int pmc_attach_thread(pmc_id_t id, pid_t tid)
{
	struct lpmc *p = lpmc_enter_pmc(id);
	int result;

	if (!p)
		return -1;
	p = lpmc_group_leader(p);
	result = attach(p, tid, true);
	if (result == 0)
		lpmc_view_change(p);
	lpmc_leave();
	return result;
}

/*
 * False if the process has executed a set-id program: Linux then ends its events, and other users
 * may not read its /proc/PID/exe.
 */
static bool may_be_watched(pid_t pid)
{
	char link[32], path[2];

	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	return lpmc.sys->readlink(link, path, sizeof(path)) == 0 || errno != EACCES;
}

static int detach(struct lpmc *p, pid_t id, bool thread)
{
	const char *what = thread ? "thread" : "process";
	struct lpmc_target *t;
	bool was_watched;
	pid_t pid;

	if (process_scope(p, id) < 0)
		return -1;
	if (id == 0)
		id = thread ? lpmc.sys->gettid() : lpmc.sys->getpid();
	pid = thread ? lpmc_process_of(id) : id;
	if (!process_exists(id))
		return lpmc_fail(ESRCH, "there is no %s %d", what, (int)id);
	t = lpmc_target_of(p, pid, thread ? id : 0);
	if (!t)
		return lpmc_fail(EINVAL, "%s is not attached to %s %d", p->spec.name, what,
				 (int)id);
	was_watched = may_be_watched(pid);
	if (lpmc_has_rings(p))
		lpmc_drain(true);
	lpmc_detach(p, t);
	lpmc_helper_wake();
	return was_watched ? 0
			   : lpmc_fail(ESRCH,
				       "process %d runs a set-id program: Linux has ended its "
				       "counting",
				       (int)pid);
}

int pmc_detach(pmc_id_t id, pid_t pid)
{
	struct lpmc *p = lpmc_enter_pmc(id);
	int result;

	if (!p)
		return -1;
	p = lpmc_group_leader(p);
	result = detach(p, pid, false);
	lpmc_view_change(p);
	lpmc_leave();
	return result;
}

int pmc_detach_thread(pmc_id_t id, pid_t tid)
{
	struct lpmc *p = lpmc_enter_pmc(id);
	int result;

	if (!p)
		return -1;
	p = lpmc_group_leader(p);
	result = detach(p, tid, true);
	lpmc_view_change(p);
	lpmc_leave();
	return result;
}

/*
 * Running
 */

/*
 * A process may sample itself without a log, as on FreeBSD, where profil(2) gets such samples.
 * Here these samples are lost until a log is configured.
 */
static bool samples_owner(const struct lpmc *p)
{
	pid_t self = lpmc.sys->getpid();
	unsigned i = 0;

	while (i < p->targets.nr && p->targets.at[i].pid == self)
		i++;
	return p->mode == PMC_MODE_TS && !lpmc_is_recorded(p) && i == p->targets.nr;
}

static bool has_its_log(const struct lpmc *p)
{
	if (!lpmc_has_rings(p))
		return true;
	if (lpmc.log_fd < 0)
		return samples_owner(p);
	return lpmc.log_records == lpmc_is_recorded(p);
}

/*
 * Arranges for a SIGIO when the last target has ended.  (Not if this process is a target: it would
 * have ended, too.)
 */
static void await_end(struct lpmc *p)
{
	pid_t self = lpmc.sys->getpid(), waiter;

	for (unsigned i = 0; i < p->targets.nr; i++) {
		if (PMC_IS_SYSTEM_MODE(p->mode) || p->targets.at[i].pid == self)
			return;
	}
	waiter = lpmc.sys->sigio_waiter();
	if (waiter && lpmc_helper_start() == 0)
		p->awaited_by = waiter;
}

static int start(struct lpmc *p)
{
	bool fresh = p->targets.nr == 0;

	if (p->state == PMC_STATE_RUNNING)
		return 0;
	if (lpmc_target_all_gone(p))
		return lpmc_fail(ESRCH, "%s: its last target %s: attach it to another",
				 p->spec.name, fresh ? "is detached" : "has ended");
	if (!has_its_log(p))
		return lpmc_fail(EDOOFUS, "%s needs a log: call pmc_configure_%s() first",
				 p->spec.name, lpmc_is_recorded(p) ? "records" : "logfile");
	if (fresh && lpmc_attach(p, lpmc.sys->getpid(), 0) < 0)
		return -1;
	if (PMC_IS_SAMPLING_MODE(p->mode) && !lpmc_is_recorded(p)) {
		for (unsigned i = 0; i < p->targets.nr; i++)
			lpmc_log_existing(p->targets.at[i].pid);
	}
	if (lpmc_target_enable(p, true) < 0) {
		int error = errno;

		if (fresh)
			lpmc_drop(p, &p->targets.at[0]);
		p->attached &= !fresh;
		errno = error;
		return -1;
	}
	await_end(p);
	lpmc_group_state(p, PMC_STATE_RUNNING);
	lpmc_fast_set(p);
	return 0;
}

int pmc_start(pmc_id_t id)
{
	struct lpmc *p = lpmc_enter_pmc(id);
	int result;

	if (!p)
		return -1;
	p = lpmc_group_leader(p);
	result = start(p);
	if (result == 0)
		lpmc_view_change(p);
	lpmc_leave();
	return result;
}

static int stop(struct lpmc *p)
{
	if (p->state == PMC_STATE_ALLOCATED)
		return lpmc_fail(EINVAL, "%s was never started", p->spec.name);
	if (p->state == PMC_STATE_STOPPED)
		return 0;
	if (PMC_IS_COUNTING_MODE(p->mode))
		lpmc_lost_note(p);
	if (lpmc_target_enable(p, false) < 0)
		return -1;
	lpmc_group_state(p, PMC_STATE_STOPPED);
	return 0;
}

int pmc_stop(pmc_id_t id)
{
	struct lpmc *p = lpmc_enter_pmc(id);
	int result;

	if (!p)
		return -1;
	p = lpmc_group_leader(p);
	result = stop(p);
	lpmc_view_change(p); /* also after an error: stop() may have set p->lost */
	lpmc_leave();
	return result;
}
