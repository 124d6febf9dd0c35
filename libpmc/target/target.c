// SPDX-License-Identifier: BSD-2-Clause
/*
 * target.c - the processes that a PMC is attached to, and their perf events.
 *
 * A PMC counts a process, but a perf event counts a thread.  So target.c opens one event for each
 * thread that exists.  Threads that are created later inherit it; new processes inherit it only
 * with PMC_F_DESCENDANTS (attr.c: inherit_thread).
 *
 * If the PMC writes rings, there is one event for each thread and CPU: the kernel does not map the
 * ring of an inherited event that is not bound to a CPU.  All events of a CPU share one ring.
 *
 * Targets that overlap share their events: open_process().
 *
 * A thread may be missed if it is created while its process is being attached.  perf has the same
 * limit: the kernel cannot attach all of a process at once.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpu.h"
#include "error.h"
#include "number.h"
#include "perf.h"
#include "process.h"
#include "read.h"
#include "self.h"
#include "target.h"
#include "view.h"

#define RING_PAGES	  32
#define RING_PAGES_RECORD 128

/* A thread to open events for.  alone: threads that it creates do not inherit them. */
struct task {
	pid_t pid, tid;
	int cpu;
	bool alone;
};

static struct lpmc_fd *fd_add(struct lpmc_target *t, int fd, struct task k)
{
	struct lpmc_fd new = { .fd = fd, .leader = -1, .pid = k.pid, .tid = k.tid, .cpu = k.cpu };

	new.alone = k.alone;
	if (LPMC_PUSH(&t->fds, new))
		return &t->fds.at[t->fds.nr - 1];
	lpmc.sys->close(fd);
	return NULL;
}

static void fd_close(struct lpmc_fd *f)
{
	uint64_t group = PERF_IOC_FLAG_GROUP;

	/* Disables it first: a forked child may have a copy of the descriptor. */
	lpmc.sys->perf_ioctl(f->leader < 0 ? f->fd : f->leader, PERF_EVENT_IOC_DISABLE, &group);
	for (unsigned i = 0; i < LPMC_MEMBERS && f->member[i] > 0; i++)
		lpmc.sys->close(f->member[i]);
	lpmc.sys->close(f->fd);
	if (f->leader >= 0)
		lpmc.sys->close(f->leader);
}

static void fds_close(struct lpmc_target *t)
{
	for (unsigned i = 0; i < t->fds.nr; i++)
		fd_close(&t->fds.at[i]);
	free(t->fds.at);
	memset(&t->fds, 0, sizeof(t->fds));
}

/*
 * Rings
 */

static struct lpmc_buffer *buffer_of(struct lpmc *p, int cpu)
{
	for (unsigned i = 0; i < p->buffers.nr; i++) {
		if (p->buffers.at[i].cpu == cpu)
			return &p->buffers.at[i];
	}
	return NULL;
}

/* Maps a ring of `pages` pages, or of a half of them as often as locked memory runs out. */
static void *ring_map(unsigned pages, int fd, size_t *size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *at;

	for (; pages; pages /= 2) {
		*size = (pages + 1) * page;
		lpmc.stats.pm_buffer_requests++;
		at = lpmc.sys->map(fd, *size);
		if (at)
			return at;
		lpmc.stats.pm_buffer_requests_failed++;
		if (errno != EPERM && errno != ENOMEM)
			break;
	}
	if (errno == EPERM)
		lpmc_fail(ENOMEM, "no locked memory is left for a ring buffer: raise ulimit -l, or "
				  "as root kernel.perf_event_mlock_kb");
	else
		lpmc_fail(errno, "cannot map a ring buffer: %s", strerror(errno));
	return NULL;
}

static int ring_new(struct lpmc *p, int fd, int cpu)
{
	size_t size;
	void *page = ring_map(lpmc_is_recorded(p) ? RING_PAGES_RECORD : RING_PAGES, fd, &size);
	int copy;

	if (!page)
		return -1;
	/* The ring outlives the target that it was made for. */
	copy = lpmc.sys->dup(fd);
	if (copy >= 0 &&
	    VEC_PUSH(&p->buffers,
		     (struct lpmc_buffer){ .page = page, .size = size, .cpu = cpu, .fd = copy }))
		return 0;
	if (copy >= 0)
		lpmc.sys->close(copy);
	lpmc.sys->unmap(page, size);
	return lpmc_fail(errno, "cannot keep a ring buffer: %s", strerror(errno));
}

/* Lets an event write the ring of its CPU. */
static int ring_join(struct lpmc *p, int fd, int cpu)
{
	struct lpmc_buffer *b = buffer_of(p, cpu);
	uint64_t to;

	if (!b)
		return ring_new(p, fd, cpu);
	to = (uint64_t)b->fd;
	if (lpmc.sys->perf_ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, &to) < 0)
		return lpmc_fail(errno, "cannot redirect an event to a ring buffer: %s",
				 strerror(errno));
	return 0;
}

/*
 * One thread
 */

static void task_attr(struct task k, struct perf_event_attr *attr)
{
	if (k.alone)
		attr->inherit = attr->inherit_thread = 0;
}

/*
 * PMC_F_LOG_PROCCSW: opens an event that samples at each switch, and in its group the PMC's event.
 */
static int open_switched(struct lpmc *p, struct lpmc_target *t, struct task k)
{
	struct perf_event_attr attr;
	struct lpmc_fd *f;
	int leader, fd;

	lpmc_attr_switch_leader(p, &attr);
	task_attr(k, &attr);
	leader = lpmc_open_raw(&attr, k.tid, k.cpu, -1);
	if (leader < 0) {
		/* In older kernels an event whose samples have values cannot be inherited. */
		if (errno == EINVAL)
			attr.inherit = attr.inherit_thread = 0;
		leader = lpmc_open(p, &attr, k.tid, k.cpu, -1);
	}
	if (leader < 0)
		return -1;
	lpmc_attr(p, &attr);
	task_attr(k, &attr);
	attr.pinned = attr.disabled = 0; /* in a group only the leader has these */
	fd = lpmc_open(p, &attr, k.tid, k.cpu, leader);
	f = fd < 0 ? NULL : fd_add(t, fd, k);
	if (!f) {
		lpmc.sys->close(leader);
		return -1;
	}
	f->leader = leader;
	return ring_join(p, leader, k.cpu) < 0 || ring_join(p, fd, k.cpu) < 0 ? -1 : 0;
}

/* Opens the events of a group's members.  They are enabled and disabled with the leader's event. */
static int open_members(struct lpmc *p, struct lpmc_fd *f, struct task k)
{
	struct perf_event_attr attr;

	for (unsigned i = 0; i < p->nr_members; i++) {
		lpmc_attr(p->member[i], &attr);
		task_attr(k, &attr);
		attr.pinned = attr.disabled = attr.enable_on_exec = 0;
		f->member[i] = lpmc_open(p->member[i], &attr, k.tid, k.cpu, f->fd);
		if (f->member[i] < 0)
			return -1;
	}
	return 0;
}

static int open_one(struct lpmc *p, struct lpmc_target *t, struct task k)
{
	struct perf_event_attr attr;
	struct lpmc_fd *f;
	int fd;

	if (p->flags & PMC_F_LOG_PROCCSW)
		return open_switched(p, t, k);
	lpmc_attr(p, &attr);
	task_attr(k, &attr);
	fd = lpmc_open(p, &attr, k.tid, k.cpu, -1);
	f = fd < 0 ? NULL : fd_add(t, fd, k);
	if (!f || open_members(p, f, k) < 0)
		return -1;
	return lpmc_has_rings(p) ? ring_join(p, fd, k.cpu) : 0;
}

static int open_thread(struct lpmc *p, struct lpmc_target *t, struct task k)
{
	if (!lpmc_has_rings(p))
		return open_one(p, t, k);
	for (k.cpu = 0; k.cpu < (int)lpmc.info.pm_ncpu; k.cpu++) {
		if (!lpmc_cpu_present(k.cpu) || open_one(p, t, k) == 0)
			continue;
		/* Some versions of Linux open no event for a thread on a CPU that is offline. */
		if (errno != ENXIO || lpmc_cpu_online(k.cpu))
			return -1;
	}
	return 0;
}

/*
 * All threads of a process, and of its descendants
 *
 * Targets may overlap, but each thread has its events only once.  A process is `counted` if its
 * threads have events of their own.  Processes that it forks later inherit these.  So a child of a
 * counted process counts already: with its own events if it existed when they were opened, else
 * with inherited ones.
 */

static bool is_counted(const struct lpmc *p, pid_t pid)
{
	for (unsigned i = 0; i < p->targets.nr; i++) {
		for (unsigned j = 0; j < p->targets.at[i].fds.nr; j++) {
			const struct lpmc_fd *f = &p->targets.at[i].fds.at[j];

			if (f->pid == pid && !f->alone)
				return true;
		}
	}
	return false;
}

/* Whether all threads of a process count, with their own or with inherited events. */
static bool is_covered(const struct lpmc *p, pid_t pid)
{
	for (int steps = 0; pid > 0 && steps < 1000; steps++) {
		if (is_counted(p, pid))
			return true;
		if (!(p->flags & PMC_F_DESCENDANTS))
			return false;
		pid = lpmc_process_parent(pid);
	}
	return false;
}

static int open_process(struct lpmc *p, struct lpmc_target *t, pid_t pid);

static int open_children(struct lpmc *p, struct lpmc_target *t, pid_t pid, pid_t tid,
			 bool inherited)
{
	char *text = lpmc_process_children(pid, tid);
	const char *at = text;
	int result = 0;
	uint64_t number;

	while (at && result == 0 && number_field(&at, NUMBER_DECIMAL, INT_MAX, &number)) {
		pid_t child = (pid_t)number;

		if (inherited && !is_counted(p, child))
			continue;
		result = open_process(p, t, child);
		if (result < 0 && errno == ESRCH)
			result = 0;
	}
	free(text);
	return result;
}

/* Whether pid is this process, has one thread, and /proc is not mounted. */
static bool is_lone_self(pid_t pid)
{
	return pid == lpmc.sys->getpid() && lpmc.sys->single_threaded() && !lpmc_process_is_told();
}

static int open_process(struct lpmc *p, struct lpmc_target *t, pid_t pid)
{
	const bool counted = is_counted(p, pid);
	unsigned before = t->fds.nr;
	char path[32];
	int nr, *tids, result = 0;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	tids = lpmc_process_numbers(path, &nr);
	if (!tids && is_lone_self(pid))
		return open_thread(p, t, (struct task){ pid, pid, -1, false });
	if (!tids)
		return -1;
	for (int i = 0; i < nr && result == 0; i++) {
		if (tids[i] == lpmc.helper_tid)
			continue;
		if (!counted)
			result = open_thread(p, t, (struct task){ pid, tids[i], -1, false });
		if (result < 0 && errno == ESRCH)
			result = 0; /* the thread has ended meanwhile */
		if (result == 0 && (p->flags & PMC_F_DESCENDANTS))
			result = open_children(p, t, pid, tids[i], counted);
	}
	free(tids);
	if (result == 0 && !counted && t->fds.nr == before)
		return lpmc_fail(ESRCH, "process %d has ended", (int)pid);
	return result;
}

/*
 * A target
 */

struct lpmc_target *lpmc_target_of(struct lpmc *p, pid_t pid, pid_t tid)
{
	for (unsigned i = 0; i < p->targets.nr; i++) {
		if (p->targets.at[i].pid == pid && p->targets.at[i].tid == tid)
			return &p->targets.at[i];
	}
	return NULL;
}

static int open_alone(struct lpmc *p, struct lpmc_target *t)
{
	if (open_thread(p, t, (struct task){ t->pid, t->tid, -1, true }) < 0)
		return -1;
	lpmc_self_map_thread(p, t);
	return 0;
}

/* A target that other targets cover gets no events until they are detached. */
static int open_target(struct lpmc *p, struct lpmc_target *t)
{
	if (PMC_IS_SYSTEM_MODE(p->mode))
		return open_one(p, t, (struct task){ -1, -1, p->cpu, false });
	if (p->targets.nr > 1 && lpmc_process_of(t->pid) > 0 && is_covered(p, t->pid))
		return 0;
	if (t->tid)
		return open_alone(p, t);
	if (t->pid == lpmc.sys->getpid() && lpmc_self_attach(p, t) == 0)
		return 0;
	return open_process(p, t, t->pid);
}

/* Closes the events of a target when no reader uses them any more. */
static void fds_retire(struct lpmc *p, struct lpmc_target *t)
{
	struct lpmc_target gone = *t;

	memset(&t->fds, 0, sizeof(t->fds));
	lpmc_view_change(p);
	fds_close(&gone);
}

static void target_remove(struct lpmc *p, struct lpmc_target *t)
{
	fds_retire(p, t);
	*t = p->targets.at[--p->targets.nr];
}

static void keep(struct lpmc *p, const struct lpmc_target *t)
{
	struct lpmc_sum sum;

	if (!PMC_IS_COUNTING_MODE(p->mode))
		return;
	p->lost |= lpmc_target_read(p, t, &sum) < 0;
	lpmc_keep(p, &sum);
}

/*
 * Closes the events of targets that are one thread, if a new target now counts all of its process.
 */
static void replace_alone(struct lpmc *p)
{
	for (unsigned i = 0; i < p->targets.nr; i++) {
		struct lpmc_target *t = &p->targets.at[i];

		if (!t->tid || !t->fds.nr || !is_covered(p, t->pid))
			continue;
		keep(p, t);
		lpmc_self_detach(p);
		lpmc_switch_forget(p, t);
		lpmc_exit_forget(p, t);
		fds_retire(p, t);
	}
}

bool lpmc_target_all_gone(const struct lpmc *p)
{
	if (PMC_IS_SYSTEM_MODE(p->mode) || !p->attached)
		return false;
	for (unsigned i = 0; i < p->targets.nr; i++) {
		if (!lpmc_process_has_ended(p->targets.at[i].pid, p->targets.at[i].tid))
			return false;
	}
	return true;
}

int lpmc_target_attach(struct lpmc *p, pid_t pid, pid_t tid)
{
	struct lpmc_target *t;

	if (!LPMC_PUSH(&p->targets, (struct lpmc_target){ .pid = pid, .tid = tid }))
		return -1;
	t = &p->targets.at[p->targets.nr - 1];
	if (open_target(p, t) < 0) {
		int error = errno;

		target_remove(p, t);
		errno = error;
		return -1;
	}
	p->attached = true;
	replace_alone(p);
	return 0;
}

static int target_switch(struct lpmc *p, struct lpmc_target *t, bool on)
{
	uint64_t group = PERF_IOC_FLAG_GROUP;

	for (unsigned i = 0; i < t->fds.nr; i++) {
		struct lpmc_fd *f = &t->fds.at[i];

		if (lpmc.sys->perf_ioctl(f->leader < 0 ? f->fd : f->leader,
					 on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE,
					 &group) < 0)
			return lpmc_fail(errno, "%s: %s", p->spec.name, strerror(errno));
	}
	return 0;
}

/* Another target than `not` that a process belongs to, or NULL. */
static struct lpmc_target *other_target(struct lpmc *p, const struct lpmc_target * not, pid_t pid)
{
	for (unsigned i = 0; i < p->targets.nr; i++) {
		struct lpmc_target *t = &p->targets.at[i];

		if (t != not &&!t->tid && (t->pid == pid || ((p->flags & PMC_F_DESCENDANTS) &&
							     lpmc_process_is_under(pid, t->pid))))
			return t;
	}
	return NULL;
}

/* Moves the events of processes that also belong to other targets to those. */
static void hand_over(struct lpmc *p, struct lpmc_target *t)
{
	unsigned n = 0;

	for (unsigned i = 0; i < t->fds.nr; i++) {
		const struct lpmc_fd *f = &t->fds.at[i];
		struct lpmc_target *heir = f->alone ? NULL : other_target(p, t, f->pid);

		if (!heir || !LPMC_PUSH(&heir->fds, *f))
			t->fds.at[n++] = *f;
	}
	t->fds.nr = n;
}

/* Opens events for targets that only the detached target had covered. */
static void open_again(struct lpmc *p)
{
	for (unsigned i = 0; i < p->targets.nr; i++) {
		struct lpmc_target *t = &p->targets.at[i];

		if (t->fds.nr || is_covered(p, t->pid))
			continue;
		if (open_target(p, t) == 0 && p->state == PMC_STATE_RUNNING)
			p->lost |= target_switch(p, t, true) < 0;
		else if (!t->fds.nr)
			p->lost |= errno != ESRCH;
	}
}

void lpmc_target_detach(struct lpmc *p, struct lpmc_target *t)
{
	if (p->targets.nr > 1)
		hand_over(p, t);
	keep(p, t);
	lpmc_target_drop(p, t);
	if (PMC_IS_VIRTUAL_MODE(p->mode))
		open_again(p);
}

void lpmc_target_drop(struct lpmc *p, struct lpmc_target *t)
{
	lpmc_self_detach(p);
	lpmc_switch_forget(p, t);
	lpmc_exit_forget(p, t);
	target_remove(p, t);
}

/* Fails if a pinned event found no free counter: it is in error at once if its thread runs now. */
static int on_counters(const struct lpmc *p)
{
	struct lpmc_sum sum;

	for (unsigned i = 0; i < p->targets.nr && !p->spec.multiplex; i++) {
		if (lpmc_target_read(p, &p->targets.at[i], &sum) < 0)
			return lpmc_fail(
				EBUSY,
				"%s: no counter that can count it is free: stop another PMC, or "
				"add ,multiplex to share the counters in turns",
				p->spec.name);
	}
	return 0;
}

int lpmc_target_enable(struct lpmc *p, bool on)
{
	int result = 0;

	if (on && (p->flags & PMC_F_ON_EXEC) && p->state == PMC_STATE_ALLOCATED)
		return 0; /* the kernel enables them at execve(2): enable_on_exec (attr.c) */
	for (unsigned i = 0; i < p->targets.nr && result == 0; i++)
		result = target_switch(p, &p->targets.at[i], on);
	if (result == 0 && on)
		result = on_counters(p);
	if (result < 0 && on) {
		int error = errno;

		for (unsigned i = 0; i < p->targets.nr; i++)
			target_switch(p, &p->targets.at[i], false);
		errno = error;
	}
	return result;
}
