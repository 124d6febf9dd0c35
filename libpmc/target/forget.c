// SPDX-License-Identifier: BSD-2-Clause
/*
 * forget.c - forgets what translate.c and exit.c have noted about threads and processes, for
 * PMC_F_LOG_PROCCSW and PMC_F_LOG_PROCEXIT: when a thread ends, or when its target is detached.
 */
#include "target.h"

void lpmc_thread_forget(struct lpmc *p, pid_t tid)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->switches.nr; i++) {
		if (p->switches.at[i].tid != tid)
			p->switches.at[n++] = p->switches.at[i];
	}
	p->switches.nr = n;
}

void lpmc_switch_forget(struct lpmc *p, const struct lpmc_target *t)
{
	for (unsigned j = 0; j < t->fds.nr; j++)
		lpmc_thread_forget(p, t->fds.at[j].tid);
	if (p->targets.nr == 1)
		p->switches.nr = 0; /* the last target goes: also forgets its descendants */
}

static bool has_process(const struct lpmc_target *t, pid_t pid)
{
	for (unsigned j = 0; j < t->fds.nr; j++) {
		if (t->fds.at[j].pid == pid)
			return true;
	}
	return false;
}

void lpmc_exit_forget(struct lpmc *p, const struct lpmc_target *t)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->exits.nr; i++) {
		if (!has_process(t, p->exits.at[i].root))
			p->exits.at[n++] = p->exits.at[i];
	}
	p->exits.nr = n;
}
