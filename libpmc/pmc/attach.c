// SPDX-License-Identifier: BSD-2-Clause
/*
 * attach.c - attaches and detaches targets and ends PMCs, and tells the log and the helper.
 */
#include <stdlib.h>

#include "attach.h"
#include "log.h"
#include "read.h"
#include "self.h"
#include "target.h"
#include "view.h"

int lpmc_attach(struct lpmc *p, pid_t pid, pid_t tid)
{
	if (lpmc_target_attach(p, pid, tid) < 0)
		return -1;
	lpmc_log_attach(p, pid);
	lpmc_helper_wake();
	return 0;
}

void lpmc_detach(struct lpmc *p, struct lpmc_target *t)
{
	lpmc_log_detach(p, t->pid);
	lpmc_target_detach(p, t);
}

void lpmc_drop(struct lpmc *p, struct lpmc_target *t)
{
	lpmc_log_detach(p, t->pid);
	lpmc_target_drop(p, t);
}

void lpmc_free(struct lpmc *p)
{
	for (unsigned i = 0; i < p->targets.nr; i++)
		free(p->targets.at[i].fds.at);
	free(p->targets.at);
	free(p->pages.at);
	free(p->left_pages.at);
	free(p->buffers.at);
	free(p->exits.at);
	free(p->switches.at);
	free(p);
}

void lpmc_end(struct lpmc *p)
{
	struct lpmc **at = &lpmc.pmcs;

	lpmc_fast_clear(p);
	lpmc_view_remove(p);
	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	while (p->targets.nr)
		lpmc_drop(p, &p->targets.at[p->targets.nr - 1]);
	lpmc_self_end(p);
	for (unsigned i = 0; i < p->buffers.nr; i++) {
		lpmc.sys->unmap(p->buffers.at[i].page, p->buffers.at[i].size);
		lpmc.sys->close(p->buffers.at[i].fd);
	}
	lpmc_drain_forget(p);
	lpmc_free(p);
}
