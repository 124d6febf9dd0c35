// SPDX-License-Identifier: BSD-2-Clause
/*
 * translate.c - turns a record of the kernel into entries of the log (pmclog.h).
 */
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "drain.h"
#include "entry.h"
#include "target.h"

/* Linux marks in a call chain where it enters the kernel or user mode; a mark is not an address. */
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

static void context_switch(struct lpmc *p, const struct lpmc_record *r)
{
	struct pmclog_proccsw e = { .pl_pmcid = p->id, .pl_pid = r->pid, .pl_tid = r->tid };
	struct lpmc_switch *s = NULL;

	for (unsigned i = 0; i < p->switches.nr && !s; i++) {
		if (p->switches.at[i].tid == (pid_t)r->tid && p->switches.at[i].cpu == (int)r->cpu)
			s = &p->switches.at[i];
	}
	if (!s) {
		if (!LPMC_PUSH(&p->switches, (struct lpmc_switch){ (pid_t)r->tid, (int)r->cpu, 0 }))
			return;
		s = &p->switches.at[p->switches.nr - 1];
	}
	/*
	 * (Less than before: this is a new thread with an old number, and the record of the old
	 * thread's end was lost.)
	 */
	e.pl_value = r->value < s->value ? r->value : r->value - s->value;
	s->value = r->value;
	lpmc_log_put(PMCLOG_TYPE_PROCCSW, r->time, &e.pl_h, sizeof(e), NULL);
}

/* Whether a process has called execve(2) and not yet mapped its program.  Takes it off the list. */
static bool exec_takes(pid_t pid)
{
	for (unsigned i = 0; i < lpmc.execs.nr; i++) {
		if (lpmc.execs.at[i] == pid) {
			lpmc.execs.at[i] = lpmc.execs.at[--lpmc.execs.nr];
			return true;
		}
	}
	return false;
}

static void exec_begins(const struct lpmc_record *r)
{
	exec_takes((pid_t)r->pid);
	(void)LPMC_PUSH(&lpmc.execs, (pid_t)r->pid);
}

static void mapped(const struct lpmc *p, const struct lpmc_record *r)
{
	struct pmclog_map_in m = { .pl_pid = r->pid, .pl_start = r->addr - r->offset };
	struct pmclog_procexec x = { .pl_pid = r->pid, .pl_pmcid = p->id, .pl_dyn = m.pl_start };

	if (!(r->prot & PROT_EXEC) || !lpmc_is_file(r->name))
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

	lpmc_exit_fork(p, r);
	if (r->pid != r->ppid)
		lpmc_log_put(PMCLOG_TYPE_PROCFORK, r->time, &f.pl_h, sizeof(f), NULL);
	if (PMC_IS_SAMPLING_MODE(p->mode))
		lpmc_task_forked(r);
}

static void exited(struct lpmc *p, const struct lpmc_record *r)
{
	struct pmclog_sysexit s = { .pl_pid = r->pid };
	struct pmclog_threadexit t = { .pl_tid = r->tid };

	lpmc_exit_thread(p, r);
	lpmc_thread_forget(p, (pid_t)r->tid);
	if (!PMC_IS_SAMPLING_MODE(p->mode))
		return;
	lpmc_task_exited(r);
	if (r->pid != r->tid)
		lpmc_log_put(PMCLOG_TYPE_THR_EXIT, r->time, &t.pl_h, sizeof(t), NULL);
	else if (p->mode == PMC_MODE_SS)
		lpmc_log_put(PMCLOG_TYPE_SYSEXIT, r->time, &s.pl_h, sizeof(s), NULL);
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
		lpmc_task_named(r);
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
