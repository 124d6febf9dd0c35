/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * attach.h - attaches and detaches targets and ends PMCs (attach.c), and tells the log and the
 * helper; groups (group.c); facts about the machine (info.c).
 * The door of libpmc/pmc.
 */
#ifndef LPMC_ATTACH_H
#define LPMC_ATTACH_H

#include "state.h"

/*
 * Attaches a PMC to a process, or to one thread of it (tid 0: to all).  pid -1 is the target of a
 * PMC of system scope.
 */
int lpmc_attach(struct lpmc *p, pid_t pid, pid_t tid);
/* Detaches a target.  The PMC keeps what the target has counted. */
void lpmc_detach(struct lpmc *p, struct lpmc_target *t);
/* Removes a target, and discards what it has counted. */
void lpmc_drop(struct lpmc *p, struct lpmc_target *t);
/* Ends a PMC in any state: closes its events and rings, and frees it. */
void lpmc_end(struct lpmc *p);
/* Only frees the memory of a PMC. */
void lpmc_free(struct lpmc *p);

/* The PMC that has the targets: the leader of the PMC's group, or the PMC itself. */
struct lpmc *lpmc_group_leader(struct lpmc *p);
/* Sets the state of a leader and of its members. */
void lpmc_group_state(struct lpmc *leader, enum pmc_state state);
/* Ends the group that a PMC is in, if any. */
void lpmc_group_end(struct lpmc *p);

/* Fills in what pmc_cpuinfo() returns; it does not change after pmc_init(). */
void lpmc_info_init(void);
/* init.c, for unit tests: sets another kernel, and resets the library to its first state. */
void lpmc_reset(const struct pmc_sys *sys);

#endif
