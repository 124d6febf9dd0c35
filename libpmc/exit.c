// SPDX-License-Identifier: BSD-2-Clause
/*
 * exit.c - what each process has counted when it ends: PMC_F_LOG_PROCEXIT.
 *
 * A thread that inherited its events leaves their values in the rings when it ends
 * (PERF_RECORD_READ, one for each ring): the value of a forked process is the sum of its
 * threads' values.  What was attached keeps its descriptors, whose sum has all descendants in
 * it: it is read when they hang up, that is, when all of those are gone, and they are
 * subtracted.
 *
 * Between two processes with the same events the kernel does not switch the events but swaps
 * them.  So a forked process may end with the attached one's, which leave no value, and the
 * attached one with some that do: then what is left of the sum is the forked one's.
 */
#include "internal.h"

static bool wanted(const struct lpmc *p)
{
	return (p->flags & PMC_F_LOG_PROCEXIT) != 0;
}

/* The last process of that number. */
static struct lpmc_exit *find(struct lpmc *p, pid_t pid)
{
	for (unsigned i = p->nr_exits; i-- > 0;) {
		if (p->exits[i].pid == pid)
			return &p->exits[i];
	}
	return NULL;
}

void lpmc_exit_fork(struct lpmc *p, const struct lpmc_record *r)
{
	const struct lpmc_exit *parent;
	struct lpmc_exit *e = find(p, (pid_t)r->pid);
	pid_t root;

	if (!wanted(p))
		return;
	if (r->pid == r->ppid) {
		if (e) {
			e->live++;
			e->created++;
		}
		return;
	}
	parent = find(p, (pid_t)r->ppid);
	root = parent ? parent->root : (pid_t)r->ppid;
	e = LPMC_GROW(p->exits, p->nr_exits);
	if (e)
		*e = (struct lpmc_exit){
			.pid = (pid_t)r->pid, .root = root, .live = 1, .created = 1
		};
}

void lpmc_exit_thread(struct lpmc *p, const struct lpmc_record *r)
{
	struct lpmc_exit *e = find(p, (pid_t)r->pid);

	if (wanted(p) && e && !e->attached && e->live)
		e->live--;
}

void lpmc_exit_read(struct lpmc *p, const struct lpmc_record *r)
{
	struct lpmc_exit *e = find(p, (pid_t)r->pid);

	if (!wanted(p) || !e)
		return;
	e->value += r->value;
	e->reads++;
}

static bool has_process(const struct lpmc_target *t, pid_t pid)
{
	for (unsigned j = 0; j < t->nr_fds; j++) {
		if (t->fds[j].pid == pid)
			return true;
	}
	return false;
}

void lpmc_exit_forget(struct lpmc *p, const struct lpmc_target *t)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->nr_exits; i++) {
		if (!has_process(t, p->exits[i].root))
			p->exits[n++] = p->exits[i];
	}
	p->nr_exits = n;
}

/* Whether all descriptors of a process hang up. */
static bool hung_up(const struct lpmc *p, pid_t pid)
{
	for (unsigned i = 0; i < p->nr_targets; i++) {
		const struct lpmc_target *t = &p->targets[i];

		for (unsigned j = 0; j < t->nr_fds; j++) {
			struct pollfd f = { .fd = t->fds[j].fd };

			if (t->fds[j].pid == pid &&
			    (lpmc.sys->poll(&f, 1, 0) <= 0 || !(f.revents & POLLHUP)))
				return false;
		}
	}
	return true;
}

/* Attached processes are entered when they are first seen. */
static void enter_attached(struct lpmc *p)
{
	for (unsigned i = 0; i < p->nr_targets; i++) {
		const struct lpmc_target *t = &p->targets[i];

		for (unsigned j = 0; j < t->nr_fds; j++) {
			struct lpmc_exit *e = find(p, t->fds[j].pid);

			if (e && e->attached)
				continue;
			e = LPMC_GROW(p->exits, p->nr_exits);
			if (!e)
				return;
			*e = (struct lpmc_exit){ .pid = t->fds[j].pid,
						 .root = t->fds[j].pid,
						 .attached = true };
		}
	}
}

void lpmc_exit_poll(struct lpmc *p)
{
	if (!wanted(p))
		return;
	enter_attached(p);
	for (unsigned i = 0; i < p->nr_exits; i++) {
		if (p->exits[i].attached && !p->exits[i].gone)
			p->exits[i].gone = hung_up(p, p->exits[i].pid);
	}
}

/* The sum of a process's descriptors without what its descendants have left. */
static bool attached_value(struct lpmc *p, const struct lpmc_exit *e, uint64_t *value)
{
	struct lpmc_sum sum;

	*value = 0;
	for (unsigned i = 0; i < p->nr_targets; i++) {
		const struct lpmc_target *t = &p->targets[i];

		for (unsigned j = 0; j < t->nr_fds; j++) {
			struct lpmc_target one = { .fds = &t->fds[j], .nr_fds = 1 };

			if (t->fds[j].pid != e->pid)
				continue;
			if (lpmc_target_read(p, &one, &sum) < 0)
				return false;
			*value += sum.value;
		}
	}
	for (unsigned i = 0; i < p->nr_exits; i++) {
		if (p->exits[i].root == e->pid && !p->exits[i].attached)
			*value -= p->exits[i].value;
	}
	return true;
}

static bool due(const struct lpmc *p, const struct lpmc_exit *e)
{
	if (e->attached)
		return e->gone;
	return e->live == 0 && e->reads >= e->created * p->nr_buffers;
}

static bool one_thread(const struct lpmc *p, pid_t pid)
{
	pid_t tid = 0;

	for (unsigned i = 0; i < p->nr_targets; i++) {
		const struct lpmc_target *t = &p->targets[i];

		for (unsigned j = 0; j < t->nr_fds; j++) {
			if (t->fds[j].pid != pid)
				continue;
			if (tid && t->fds[j].tid != tid)
				return false;
			tid = t->fds[j].tid;
		}
	}
	return true;
}

/* The one process that has ended with the events of the attached one, if that is clear. */
static struct lpmc_exit *swapped(struct lpmc *p, const struct lpmc_exit *root)
{
	struct lpmc_exit *found = NULL;

	for (unsigned i = 0; i < p->nr_exits; i++) {
		struct lpmc_exit *e = &p->exits[i];

		if (e->attached || e->logged || e->root != root->pid || due(p, e))
			continue;
		if (found || e->live)
			return NULL;
		found = e;
	}
	return found && one_thread(p, root->pid) ? found : NULL;
}

/* Gives it its value. */
static void settle(struct lpmc *p, const struct lpmc_exit *root)
{
	struct lpmc_exit *e;
	uint64_t both;

	if (!root->attached || !root->gone || root->logged || root->reads < p->nr_buffers)
		return;
	e = swapped(p, root);
	if (!e || !attached_value(p, root, &both) || both < root->value)
		return;
	e->value += both - root->value;
	e->reads = e->created * p->nr_buffers;
}

void lpmc_exit_log(struct lpmc *p, uint64_t time)
{
	if (!wanted(p))
		return;
	for (unsigned i = 0; i < p->nr_exits; i++)
		settle(p, &p->exits[i]);
	for (unsigned i = 0; i < p->nr_exits; i++) {
		struct lpmc_exit *e = &p->exits[i];
		struct pmclog_procexit x = { .pl_pmcid = p->id, .pl_pid = (uint32_t)e->pid };

		if (e->logged || !due(p, e))
			continue;
		e->logged = true;
		x.pl_value = e->value;
		if (!e->attached || attached_value(p, e, &x.pl_value))
			lpmc_log_put(PMCLOG_TYPE_PROCEXIT, time, &x.pl_h, sizeof(x), NULL);
	}
}
