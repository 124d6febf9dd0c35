// SPDX-License-Identifier: BSD-2-Clause
/*
 * translate.c - a record of the kernel becomes an entry of the log (pmclog.h).
 */
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "internal.h"

/* Linux marks where a chain changes sides; those are no addresses. */
static bool is_mark(uint64_t pc)
{
	return pc >= (uint64_t)PERF_CONTEXT_MAX;
}

static void callchain(const struct lpmc *p, const struct lpmc_record *r)
{
	struct pmclog_callchain e = { .pl_pid = r->pid, .pl_tid = r->tid, .pl_pmcid = p->id };
	unsigned mode = r->misc & PERF_RECORD_MISC_CPUMODE_MASK, n = 0;

	e.pl_cpuflags = PMC_CALLCHAIN_TO_CPUFLAGS(r->cpu, mode == PERF_RECORD_MISC_USER
								  ? PMC_CC_F_USERSPACE
								  : 0);
	for (uint32_t i = 0; i < r->nr_chain && n < PMC_CALLCHAIN_DEPTH_MAX; i++) {
		uint64_t pc;

		memcpy(&pc, &r->chain[i], sizeof(pc)); /* records need not be aligned */
		if (!is_mark(pc))
			e.pl_pc[n++] = pc;
	}
	if (n == 0)
		e.pl_pc[n++] = r->ip;
	lpmc.stats.pm_intr_processed++;
	lpmc_log_put(PMCLOG_TYPE_CALLCHAIN, r->time, &e.pl_h,
		     offsetof(struct pmclog_callchain, pl_pc) + n * sizeof(e.pl_pc[0]), NULL);
}

static void thread_forget(struct lpmc *p, pid_t tid)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->nr_switches; i++) {
		if (p->switches[i].tid != tid)
			p->switches[n++] = p->switches[i];
	}
	p->nr_switches = n;
}

void lpmc_switch_forget(struct lpmc *p, const struct lpmc_target *t)
{
	for (unsigned j = 0; j < t->nr_fds; j++)
		thread_forget(p, t->fds[j].tid);
	if (p->nr_targets == 1)
		p->nr_switches = 0; /* those of descendants, too */
}

static void context_switch(struct lpmc *p, const struct lpmc_record *r)
{
	struct pmclog_proccsw e = { .pl_pmcid = p->id, .pl_pid = r->pid, .pl_tid = r->tid };
	struct lpmc_switch *s = NULL;

	for (unsigned i = 0; i < p->nr_switches && !s; i++) {
		if (p->switches[i].tid == (pid_t)r->tid && p->switches[i].cpu == (int)r->cpu)
			s = &p->switches[i];
	}
	if (!s) {
		s = LPMC_GROW(p->switches, p->nr_switches);
		if (!s)
			return;
		s->tid = (pid_t)r->tid;
		s->cpu = (int)r->cpu;
	}
	/* (Less than before: the end of a thread that had the number is among what was lost.) */
	e.pl_value = r->value < s->value ? r->value : r->value - s->value;
	s->value = r->value;
	lpmc_log_put(PMCLOG_TYPE_PROCCSW, r->time, &e.pl_h, sizeof(e), NULL);
}

/* Whether a process has exec'ed and not yet mapped its program; no longer, after this. */
static bool exec_takes(pid_t pid)
{
	for (unsigned i = 0; i < lpmc.nr_execs; i++) {
		if (lpmc.execs[i] == pid) {
			lpmc.execs[i] = lpmc.execs[--lpmc.nr_execs];
			return true;
		}
	}
	return false;
}

static void exec_begins(const struct lpmc_record *r)
{
	pid_t *slot;

	exec_takes((pid_t)r->pid);
	slot = LPMC_GROW(lpmc.execs, lpmc.nr_execs);
	if (slot)
		*slot = (pid_t)r->pid;
}

static void mapped(const struct lpmc *p, const struct lpmc_record *r)
{
	struct pmclog_map_in m = { .pl_pid = r->pid, .pl_start = r->addr - r->offset };
	struct pmclog_procexec x = { .pl_pid = r->pid, .pl_pmcid = p->id, .pl_dyn = m.pl_start };

	if (!(r->prot & PROT_EXEC))
		return;
	if (exec_takes((pid_t)r->pid))
		lpmc_log_put(PMCLOG_TYPE_PROCEXEC, r->time, &x.pl_h,
			     offsetof(struct pmclog_procexec, pl_pathname), r->name);
	lpmc_log_put(PMCLOG_TYPE_MAP_IN, r->time, &m.pl_h,
		     offsetof(struct pmclog_map_in, pl_pathname), r->name);
}

static void forked(struct lpmc *p, const struct lpmc_record *r)
{
	struct pmclog_procfork f = { .pl_oldpid = r->ppid, .pl_newpid = r->pid };
	struct pmclog_threadcreate t = { .pl_tid = r->tid, .pl_pid = r->pid };

	lpmc_exit_fork(p, r);
	if (r->pid != r->ppid)
		lpmc_log_put(PMCLOG_TYPE_PROCFORK, r->time, &f.pl_h, sizeof(f), NULL);
	else
		lpmc_log_put(PMCLOG_TYPE_THR_CREATE, r->time, &t.pl_h, sizeof(t), NULL);
}

static void exited(struct lpmc *p, const struct lpmc_record *r)
{
	struct pmclog_sysexit s = { .pl_pid = r->pid };
	struct pmclog_threadexit t = { .pl_tid = r->tid };

	lpmc_exit_thread(p, r);
	thread_forget(p, (pid_t)r->tid);
	if (r->pid == r->tid)
		lpmc_log_put(PMCLOG_TYPE_SYSEXIT, r->time, &s.pl_h, sizeof(s), NULL);
	else
		lpmc_log_put(PMCLOG_TYPE_THR_EXIT, r->time, &t.pl_h, sizeof(t), NULL);
}

void lpmc_translate(struct lpmc *p, const struct lpmc_record *r)
{
	switch (r->type) {
	case PERF_RECORD_SAMPLE:
		if (lpmc_layout_of(p) == LPMC_SWITCH)
			context_switch(p, r);
		else
			callchain(p, r);
		break;
	case PERF_RECORD_MMAP2:
		mapped(p, r);
		break;
	case PERF_RECORD_COMM:
		if (r->misc & PERF_RECORD_MISC_COMM_EXEC)
			exec_begins(r);
		break;
	case PERF_RECORD_FORK:
		forked(p, r);
		break;
	case PERF_RECORD_EXIT:
		exited(p, r);
		break;
	case PERF_RECORD_READ:
		lpmc_exit_read(p, r);
		break;
	default:
		break;
	}
}
