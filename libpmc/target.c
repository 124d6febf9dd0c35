// SPDX-License-Identifier: BSD-2-Clause
/*
 * target.c - the processes that a PMC is attached to, and their perf events.
 *
 * A PMC is of a process, a perf event of a thread: one event for each thread there is, which
 * those that come inherit (inherit_thread: but not new processes, unless PMC_F_DESCENDANTS
 * says so).  What writes a ring is one event for each thread and CPU, since the kernel does not
 * map the ring of an inherited event that is on all CPUs; all events of a CPU share its ring.
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

/* A thread to open events of. */
struct task {
	pid_t pid, tid;
	int cpu;
};

static struct lpmc_fd *fd_add(struct lpmc_target *t, int fd, struct task k)
{
	struct lpmc_fd *f = LPMC_GROW(t->fds, t->nr_fds);

	if (!f) {
		lpmc.sys->close(fd);
		return NULL;
	}
	*f = (struct lpmc_fd){ .fd = fd, .leader = -1, .pid = k.pid, .tid = k.tid, .cpu = k.cpu };
	return f;
}

static void fds_close(struct lpmc_target *t)
{
	uint64_t group = PERF_IOC_FLAG_GROUP;

	for (unsigned i = 0; i < t->nr_fds; i++) {
		struct lpmc_fd *f = &t->fds[i];

		/* First off: a forked child may hold a copy of the descriptor. */
		lpmc.sys->perf_ioctl(f->leader < 0 ? f->fd : f->leader, PERF_EVENT_IOC_DISABLE,
				     &group);
		lpmc.sys->close(f->fd);
		if (f->leader >= 0)
			lpmc.sys->close(f->leader);
	}
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

/* A leader that samples at each switch, before the event itself. */
static int open_switched(struct lpmc *p, struct lpmc_target *t, struct task k)
{
	struct perf_event_attr attr;
	struct lpmc_fd *f;
	int leader, fd;

	lpmc_attr_switch_leader(p, &attr);
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

static int open_one(struct lpmc *p, struct lpmc_target *t, struct task k)
{
	struct perf_event_attr attr;
	int fd;

	if (p->flags & PMC_F_LOG_PROCCSW)
		return open_switched(p, t, k);
	lpmc_attr(p, &attr);
	fd = lpmc_open(p, &attr, k.tid, k.cpu, -1);
	if (fd < 0 || !fd_add(t, fd, k))
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
 */

/* Numbers of a directory of /proc, however many; NULL with ESRCH.  The caller frees. */
static int *proc_numbers(const char *path, int *nr)
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

static int open_process(struct lpmc *p, struct lpmc_target *t, pid_t pid);

static int open_children(struct lpmc *p, struct lpmc_target *t, pid_t pid, pid_t tid)
{
	char path[64], *text, *at, *end;
	int result = 0;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)pid, (int)tid);
	text = lpmc_slurp(path);
	for (at = text; at && result == 0; at = end) {
		long child = strtol(at, &end, 10);

		if (end == at)
			break;
		result = open_process(p, t, (pid_t)child);
		if (result < 0 && errno == ESRCH)
			result = 0;
	}
	free(text);
	return result;
}

static int open_process(struct lpmc *p, struct lpmc_target *t, pid_t pid)
{
	unsigned before = t->nr_fds;
	char path[32];
	int nr, *tids, result = 0;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	tids = proc_numbers(path, &nr);
	if (!tids)
		return -1;
	for (int i = 0; i < nr && result == 0; i++) {
		if (tids[i] == lpmc.helper_tid)
			continue;
		result = open_thread(p, t, (struct task){ pid, tids[i], -1 });
		if (result < 0 && errno == ESRCH)
			result = 0; /* it has ended since */
		if (result == 0 && (p->flags & PMC_F_DESCENDANTS))
			result = open_children(p, t, pid, tids[i]);
	}
	free(tids);
	if (result == 0 && t->nr_fds == before)
		return lpmc_fail(ESRCH, "process %d has ended", (int)pid);
	return result;
}

/*
 * A target
 */

struct lpmc_target *lpmc_target_of(struct lpmc *p, pid_t pid)
{
	for (unsigned i = 0; i < p->nr_targets; i++) {
		if (p->targets[i].pid == pid)
			return &p->targets[i];
	}
	return NULL;
}

static int open_target(struct lpmc *p, struct lpmc_target *t)
{
	if (PMC_IS_SYSTEM_MODE(p->mode))
		return open_one(p, t, (struct task){ -1, -1, p->cpu });
	if (t->pid == lpmc.sys->getpid() && lpmc_self_attach(p, t) == 0)
		return 0;
	return open_process(p, t, t->pid);
}

static void target_remove(struct lpmc *p, struct lpmc_target *t)
{
	fds_close(t);
	*t = p->targets[--p->nr_targets];
}

int lpmc_target_attach(struct lpmc *p, pid_t pid)
{
	struct lpmc_target *t = LPMC_GROW(p->targets, p->nr_targets);

	if (!t)
		return -1;
	t->pid = pid;
	if (open_target(p, t) < 0) {
		int error = errno;

		target_remove(p, t);
		errno = error;
		return -1;
	}
	lpmc_log_attach(p, pid);
	lpmc_helper_wake();
	return 0;
}

void lpmc_target_detach(struct lpmc *p, struct lpmc_target *t)
{
	struct lpmc_sum sum;

	if (PMC_IS_COUNTING_MODE(p->mode)) {
		p->lost |= lpmc_target_read(p, t, &sum) < 0;
		p->kept += sum.value;
		p->kept_enabled += sum.enabled;
		p->kept_running += sum.running;
	}
	lpmc_target_drop(p, t);
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
