// SPDX-License-Identifier: BSD-2-Clause
/*
 * exit.c - logs how much each process has counted when it ends: PMC_F_LOG_PROCEXIT.
 *
 * A thread with inherited events leaves their values in the rings when it ends (PERF_RECORD_READ,
 * one in each ring).  The value of a forked process is the sum of its threads' values.  The events
 * of an attached process also count all its descendants.  They hang up when all of these have
 * ended.  Then the values of the descendants are subtracted from the sum of the events.
 *
 * At a switch between two processes with the same events, the kernel may swap the events of the two
 * instead of disabling and enabling them.  So a forked process may end with the events of the
 * attached one, which leave no value, and the attached process with inherited events, which do.
 * Then the rest of the sum is the value of the forked process.
 */
#include "drain.h"
#include "entry.h"
#include "read.h"

static bool wanted(const struct lpmc *p)
{
	return (p->flags & PMC_F_LOG_PROCEXIT) != 0;
}

/* The latest process with this number. */
static struct lpmc_exit *find(struct lpmc *p, pid_t pid)
{
	for (unsigned i = p->exits.nr; i-- > 0;) {
		if (p->exits.at[i].pid == pid)
			return &p->exits.at[i];
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
	(void)LPMC_PUSH(&p->exits,
			(struct lpmc_exit){
				.pid = (pid_t)r->pid, .root = root, .live = 1, .created = 1 });
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

/* Whether all descriptors of a process have hung up. */
static bool hung_up(const struct lpmc *p, pid_t pid)
{
	for (unsigned i = 0; i < p->targets.nr; i++) {
		const struct lpmc_target *t = &p->targets.at[i];

		for (unsigned j = 0; j < t->fds.nr; j++) {
			struct pollfd f = { .fd = t->fds.at[j].fd };

			if (t->fds.at[j].pid == pid &&
			    (lpmc.sys->poll(&f, 1, 0) <= 0 || !(f.revents & POLLHUP)))
				return false;
		}
	}
	return true;
}

/* Adds attached processes to the list when it first sees them. */
static void enter_attached(struct lpmc *p)
{
	for (unsigned i = 0; i < p->targets.nr; i++) {
		const struct lpmc_target *t = &p->targets.at[i];

		for (unsigned j = 0; j < t->fds.nr; j++) {
			struct lpmc_exit *e = find(p, t->fds.at[j].pid);

			if (e && e->attached)
				continue;
			if (!LPMC_PUSH(&p->exits, (struct lpmc_exit){ .pid = t->fds.at[j].pid,
								      .root = t->fds.at[j].pid,
								      .attached = true }))
				return;
		}
	}
}

void lpmc_exit_poll(struct lpmc *p)
{
	if (!wanted(p))
		return;
	enter_attached(p);
	for (unsigned i = 0; i < p->exits.nr; i++) {
		if (p->exits.at[i].attached && !p->exits.at[i].gone)
			p->exits.at[i].gone = hung_up(p, p->exits.at[i].pid);
	}
}

/* The sum of an attached process's events, minus the values that its descendants have left. */
static bool attached_value(struct lpmc *p, const struct lpmc_exit *e, uint64_t *value)
{
	struct lpmc_sum sum;

	*value = 0;
	for (unsigned i = 0; i < p->targets.nr; i++) {
		const struct lpmc_target *t = &p->targets.at[i];

		for (unsigned j = 0; j < t->fds.nr; j++) {
			struct lpmc_target one = { .fds = { &t->fds.at[j], 1, 1 } };

			if (t->fds.at[j].pid != e->pid)
				continue;
			if (lpmc_target_read(p, &one, &sum) < 0)
				return false;
			*value += sum.value;
		}
	}
	for (unsigned i = 0; i < p->exits.nr; i++) {
		if (p->exits.at[i].root == e->pid && !p->exits.at[i].attached)
			*value -= p->exits.at[i].value;
	}
	return true;
}

static bool due(const struct lpmc *p, const struct lpmc_exit *e)
{
	if (e->attached)
		return e->gone;
	return e->live == 0 && e->reads >= e->created * p->buffers.nr;
}

static bool one_thread(const struct lpmc *p, pid_t pid)
{
	pid_t tid = 0;

	for (unsigned i = 0; i < p->targets.nr; i++) {
		const struct lpmc_target *t = &p->targets.at[i];

		for (unsigned j = 0; j < t->fds.nr; j++) {
			if (t->fds.at[j].pid != pid)
				continue;
			if (tid && t->fds.at[j].tid != tid)
				return false;
			tid = t->fds.at[j].tid;
		}
	}
	return true;
}

/* The process that has ended with the events of the attached one; NULL if that is not certain. */
static struct lpmc_exit *swapped(struct lpmc *p, const struct lpmc_exit *root)
{
	struct lpmc_exit *found = NULL;

	for (unsigned i = 0; i < p->exits.nr; i++) {
		struct lpmc_exit *e = &p->exits.at[i];

		if (e->attached || e->logged || e->root != root->pid || due(p, e))
			continue;
		if (found || e->live)
			return NULL;
		found = e;
	}
	return found && one_thread(p, root->pid) ? found : NULL;
}

/* Gives that process its value. */
static void settle(struct lpmc *p, const struct lpmc_exit *root)
{
	struct lpmc_exit *e;
	uint64_t both;

	if (!root->attached || !root->gone || root->logged || root->reads < p->buffers.nr)
		return;
	e = swapped(p, root);
	if (!e || !attached_value(p, root, &both) || both < root->value)
		return;
	e->value += both - root->value;
	e->reads = e->created * p->buffers.nr;
}

void lpmc_exit_log(struct lpmc *p, uint64_t time)
{
	if (!wanted(p))
		return;
	for (unsigned i = 0; i < p->exits.nr; i++)
		settle(p, &p->exits.at[i]);
	for (unsigned i = 0; i < p->exits.nr; i++) {
		struct lpmc_exit *e = &p->exits.at[i];
		struct pmclog_procexit x = { .pl_pmcid = p->id, .pl_pid = (uint32_t)e->pid };

		if (e->logged || !due(p, e))
			continue;
		e->logged = true;
		x.pl_value = e->value;
		if (!e->attached || attached_value(p, e, &x.pl_value))
			lpmc_log_put(PMCLOG_TYPE_PROCEXIT, time, &x.pl_h, sizeof(x), NULL);
	}
}
