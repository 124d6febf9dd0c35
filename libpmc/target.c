// SPDX-License-Identifier: BSD-2-Clause
/*
 * target.c - the processes that a PMC is attached to, and their perf events.
 *
 * A PMC is of a process, a perf event of a thread: one event for each thread there is, which
 * those that come inherit (inherit_thread: but not new processes, unless PMC_F_DESCENDANTS
 * says so).  What writes a ring is one event for each thread and CPU, since the kernel does not
 * map the ring of an inherited event that is on all CPUs; all events of a CPU share its ring.
 *
 * Targets that overlap share the events: open_process().
 *
 * A thread that is created while its process is being attached may be missed, as it may be by
 * perf: the kernel offers no way to attach a process at once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

#define RING_PAGES	  32
#define RING_PAGES_RECORD 128

/* A thread to open events of; alone: what it creates has none. */
struct task {
	pid_t pid, tid;
	int cpu;
	bool alone;
};

static struct lpmc_fd *fd_add(struct lpmc_target *t, int fd, struct task k)
{
	struct lpmc_fd *f = LPMC_GROW(t->fds, t->nr_fds);

	if (!f) {
		lpmc.sys->close(fd);
		return NULL;
	}
	*f = (struct lpmc_fd){ .fd = fd, .leader = -1, .pid = k.pid, .tid = k.tid, .cpu = k.cpu };
	f->alone = k.alone;
	return f;
}

static void fd_close(struct lpmc_fd *f)
{
	uint64_t group = PERF_IOC_FLAG_GROUP;

	/* First off: a forked child may hold a copy of the descriptor. */
	lpmc.sys->perf_ioctl(f->leader < 0 ? f->fd : f->leader, PERF_EVENT_IOC_DISABLE, &group);
	for (unsigned i = 0; i < LPMC_MEMBERS && f->member[i] > 0; i++)
		lpmc.sys->close(f->member[i]);
	lpmc.sys->close(f->fd);
	if (f->leader >= 0)
		lpmc.sys->close(f->leader);
}

static void fds_close(struct lpmc_target *t)
{
	for (unsigned i = 0; i < t->nr_fds; i++)
		fd_close(&t->fds[i]);
	free(t->fds);
	t->fds = NULL;
	t->nr_fds = 0;
}

/*
 * Rings
 */

static struct lpmc_buffer *buffer_of(struct lpmc *p, int cpu)
{
	for (unsigned i = 0; i < p->nr_buffers; i++) {
		if (p->buffers[i].cpu == cpu)
			return &p->buffers[i];
	}
	return NULL;
}

/* As large as the user's share of locked memory lets it be. */
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
		lpmc_fail(ENOMEM,
			  "no locked memory is left for a ring: raise ulimit -l, or as root "
			  "kernel.perf_event_mlock_kb");
	else
		lpmc_fail(errno, "mapping a ring: %s", strerror(errno));
	return NULL;
}

static int ring_new(struct lpmc *p, int fd, int cpu)
{
	struct lpmc_buffer *b;
	size_t size;
	void *page = ring_map(lpmc_is_recorded(p) ? RING_PAGES_RECORD : RING_PAGES, fd, &size);
	int copy;

	if (!page)
		return -1;
	/* The ring outlives the target that it was made for. */
	copy = lpmc.sys->dup(fd);
	b = copy < 0 ? NULL : LPMC_GROW(p->buffers, p->nr_buffers);
	if (!b) {
		if (copy >= 0)
			lpmc.sys->close(copy);
		lpmc.sys->unmap(page, size);
		return lpmc_fail(errno, "a ring: %s", strerror(errno));
	}
	*b = (struct lpmc_buffer){ .page = page, .size = size, .cpu = cpu, .fd = copy };
	return 0;
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
		return lpmc_fail(errno, "joining a ring: %s", strerror(errno));
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

/* A leader that samples at each switch, before the event itself. */
static int open_switched(struct lpmc *p, struct lpmc_target *t, struct task k)
{
	struct perf_event_attr attr;
	struct lpmc_fd *f;
	int leader, fd;

	lpmc_attr_switch_leader(p, &attr);
	task_attr(k, &attr);
	leader = lpmc_open_raw(&attr, k.tid, k.cpu, -1);
	if (leader < 0) {
		/* Older kernels inherit no samples with values: then this thread alone. */
		if (errno == EINVAL)
			attr.inherit = attr.inherit_thread = 0;
		leader = lpmc_open(p, &attr, k.tid, k.cpu, -1);
	}
	if (leader < 0)
		return -1;
	lpmc_attr(p, &attr);
	task_attr(k, &attr);
	attr.pinned = attr.disabled = 0; /* the leader's, of a group */
	fd = lpmc_open(p, &attr, k.tid, k.cpu, leader);
	f = fd < 0 ? NULL : fd_add(t, fd, k);
	if (!f) {
		lpmc.sys->close(leader);
		return -1;
	}
	f->leader = leader;
	return ring_join(p, leader, k.cpu) < 0 || ring_join(p, fd, k.cpu) < 0 ? -1 : 0;
}

/* The other events of a group, which go on and off with the leader's. */
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
		/* Not every Linux opens an event of a thread on a CPU that is offline. */
		if (errno != ENXIO || lpmc_cpu_online(k.cpu))
			return -1;
	}
	return 0;
}

/*
 * All threads of a process, and of its descendants
 *
 * Targets may overlap, and each thread has its events once.  A process whose threads have events is
 * `counted`; what it has forked since inherits them, so that a child of a counted process counts
 * already: it has events of its own if it was there when they were opened, else inherited ones.
 */

static bool is_counted(const struct lpmc *p, pid_t pid)
{
	for (unsigned i = 0; i < p->nr_targets; i++) {
		for (unsigned j = 0; j < p->targets[i].nr_fds; j++) {
			const struct lpmc_fd *f = &p->targets[i].fds[j];

			if (f->pid == pid && !f->alone)
				return true;
		}
	}
	return false;
}

/* Whether all threads of a process count, with events of their own or inherited ones. */
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
	char *text = lpmc_process_children(pid, tid), *at, *end;
	int result = 0;

	for (at = text; at && result == 0; at = end) {
		pid_t child = (pid_t)strtol(at, &end, 10);

		if (end == at)
			break;
		if (inherited && !is_counted(p, child))
			continue;
		result = open_process(p, t, child);
		if (result < 0 && errno == ESRCH)
			result = 0;
	}
	free(text);
	return result;
}

/* Without /proc a process knows itself, if it has one thread. */
static bool is_lone_self(pid_t pid)
{
	return pid == lpmc.sys->getpid() && lpmc.sys->single_threaded() &&
	       !lpmc_process_is_told();
}

static int open_process(struct lpmc *p, struct lpmc_target *t, pid_t pid)
{
	const bool counted = is_counted(p, pid);
	unsigned before = t->nr_fds;
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
			result = 0; /* it has ended since */
		if (result == 0 && (p->flags & PMC_F_DESCENDANTS))
			result = open_children(p, t, pid, tids[i], counted);
	}
	free(tids);
	if (result == 0 && !counted && t->nr_fds == before)
		return lpmc_fail(ESRCH, "process %d has ended", (int)pid);
	return result;
}

/*
 * A target
 */

struct lpmc_target *lpmc_target_of(struct lpmc *p, pid_t pid, pid_t tid)
{
	for (unsigned i = 0; i < p->nr_targets; i++) {
		if (p->targets[i].pid == pid && p->targets[i].tid == tid)
			return &p->targets[i];
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

/* One that others cover has no events of its own, until they are detached. */
static int open_target(struct lpmc *p, struct lpmc_target *t)
{
	if (PMC_IS_SYSTEM_MODE(p->mode))
		return open_one(p, t, (struct task){ -1, -1, p->cpu, false });
	if (p->nr_targets > 1 && lpmc_process_of(t->pid) > 0 && is_covered(p, t->pid))
		return 0;
	if (t->tid)
		return open_alone(p, t);
	if (t->pid == lpmc.sys->getpid() && lpmc_self_attach(p, t) == 0)
		return 0;
	return open_process(p, t, t->pid);
}

/* Closes them when nobody reads them any more. */
static void fds_retire(struct lpmc *p, struct lpmc_target *t)
{
	struct lpmc_target gone = *t;

	t->fds = NULL;
	t->nr_fds = 0;
	lpmc_view_change(p);
	fds_close(&gone);
}

static void target_remove(struct lpmc *p, struct lpmc_target *t)
{
	fds_retire(p, t);
	*t = p->targets[--p->nr_targets];
}

static void keep(struct lpmc *p, const struct lpmc_target *t)
{
	struct lpmc_sum sum;

	if (!PMC_IS_COUNTING_MODE(p->mode))
		return;
	p->lost |= lpmc_target_read(p, t, &sum) < 0;
	lpmc_keep(p, &sum);
}

/* Events of one thread alone that its process has again now, as a new target brought them. */
static void replace_alone(struct lpmc *p)
{
	for (unsigned i = 0; i < p->nr_targets; i++) {
		struct lpmc_target *t = &p->targets[i];

		if (!t->tid || !t->nr_fds || !is_covered(p, t->pid))
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
	for (unsigned i = 0; i < p->nr_targets; i++) {
		if (!lpmc_process_has_ended(p->targets[i].pid, p->targets[i].tid))
			return false;
	}
	return true;
}

int lpmc_target_attach(struct lpmc *p, pid_t pid, pid_t tid)
{
	struct lpmc_target *t = LPMC_GROW(p->targets, p->nr_targets);

	if (!t)
		return -1;
	t->pid = pid;
	t->tid = tid;
	if (open_target(p, t) < 0) {
		int error = errno;

		target_remove(p, t);
		errno = error;
		return -1;
	}
	p->attached = true;
	replace_alone(p);
	lpmc_log_attach(p, pid);
	lpmc_helper_wake();
	return 0;
}

static int target_switch(struct lpmc *p, struct lpmc_target *t, bool on)
{
	uint64_t group = PERF_IOC_FLAG_GROUP;

	for (unsigned i = 0; i < t->nr_fds; i++) {
		struct lpmc_fd *f = &t->fds[i];

		if (lpmc.sys->perf_ioctl(f->leader < 0 ? f->fd : f->leader,
					 on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE,
					 &group) < 0)
			return lpmc_fail(errno, "%s: %s", p->spec.name, strerror(errno));
	}
	return 0;
}

/* The other target, if any, that a process belongs to. */
static struct lpmc_target *other_target(struct lpmc *p, const struct lpmc_target *not, pid_t pid)
{
	for (unsigned i = 0; i < p->nr_targets; i++) {
		struct lpmc_target *t = &p->targets[i];

		if (t != not && !t->tid &&
		    (t->pid == pid ||
		     ((p->flags & PMC_F_DESCENDANTS) && lpmc_process_is_under(pid, t->pid))))
			return t;
	}
	return NULL;
}

/* Events of processes that are other targets', too, go on as theirs. */
static void hand_over(struct lpmc *p, struct lpmc_target *t)
{
	unsigned n = 0;

	for (unsigned i = 0; i < t->nr_fds; i++) {
		struct lpmc_fd *f = &t->fds[i], *to = NULL;
		struct lpmc_target *heir = f->alone ? NULL : other_target(p, t, f->pid);

		if (heir)
			to = LPMC_GROW(heir->fds, heir->nr_fds);
		if (to)
			*to = *f;
		else
			t->fds[n++] = *f;
	}
	t->nr_fds = n;
}

/* Targets that the one that has gone covered. */
static void open_again(struct lpmc *p)
{
	for (unsigned i = 0; i < p->nr_targets; i++) {
		struct lpmc_target *t = &p->targets[i];

		if (t->nr_fds || is_covered(p, t->pid))
			continue;
		if (open_target(p, t) == 0 && p->state == PMC_STATE_RUNNING)
			p->lost |= target_switch(p, t, true) < 0;
		else if (!t->nr_fds)
			p->lost |= errno != ESRCH;
	}
}

void lpmc_target_detach(struct lpmc *p, struct lpmc_target *t)
{
	if (p->nr_targets > 1)
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
	if (PMC_IS_VIRTUAL_MODE(p->mode))
		lpmc_log_detach(p, t->pid);
	target_remove(p, t);
}

/* A pinned event that found no counter free says so at once, if its thread runs now. */
static int on_counters(const struct lpmc *p)
{
	struct lpmc_sum sum;

	for (unsigned i = 0; i < p->nr_targets && !p->spec.multiplex; i++) {
		if (lpmc_target_read(p, &p->targets[i], &sum) < 0)
			return lpmc_fail(EBUSY,
					 "%s: no counter is free that counts it: stop another PMC, "
					 "or add ,multiplex to take turns",
					 p->spec.name);
	}
	return 0;
}

int lpmc_target_enable(struct lpmc *p, bool on)
{
	int result = 0;

	if (on && (p->flags & PMC_F_ON_EXEC) && p->state == PMC_STATE_ALLOCATED)
		return 0; /* the kernel does it (lpmc_attr) */
	for (unsigned i = 0; i < p->nr_targets && result == 0; i++)
		result = target_switch(p, &p->targets[i], on);
	if (result == 0 && on)
		result = on_counters(p);
	if (result < 0 && on) {
		int error = errno;

		for (unsigned i = 0; i < p->nr_targets; i++)
			target_switch(p, &p->targets[i], false);
		errno = error;
	}
	return result;
}
