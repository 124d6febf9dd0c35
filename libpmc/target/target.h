/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * target.h - the processes that a PMC is attached to, and their perf events.
 * The door of libpmc/target.
 */
#ifndef LPMC_TARGET_H
#define LPMC_TARGET_H

#include "state.h"

/* Adds a target and opens its events; tid 0: all threads.  pid -1: system scope. */
int lpmc_target_attach(struct lpmc *p, pid_t pid, pid_t tid);
/*
 * Removes a target.  The PMC keeps what it has counted.  Processes that also belong to another
 * target are still counted.
 */
void lpmc_target_detach(struct lpmc *p, struct lpmc_target *t);
/* Removes a target, and discards what it has counted. */
void lpmc_target_drop(struct lpmc *p, struct lpmc_target *t);
/* Whether a PMC has had targets, and all of them are detached or have ended. */
bool lpmc_target_all_gone(const struct lpmc *p);
struct lpmc_target *lpmc_target_of(struct lpmc *p, pid_t pid, pid_t tid);
/* Enables or disables all events. */
int lpmc_target_enable(struct lpmc *p, bool on);

/*
 * forget.c: forgets what was noted for PMC_F_LOG_PROCCSW and PMC_F_LOG_PROCEXIT.
 */

/* Forgets what a thread had counted at its last switches. */
void lpmc_thread_forget(struct lpmc *p, pid_t tid);
/* The same for all threads of a target: events that are opened for them later begin with 0. */
void lpmc_switch_forget(struct lpmc *p, const struct lpmc_target *t);
/* Forgets the processes of a target and their descendants: they get no PROCEXIT entry. */
void lpmc_exit_forget(struct lpmc *p, const struct lpmc_target *t);

#endif
