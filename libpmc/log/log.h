/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * log.h - the log of this process, and the thread that fills it, for other folders.
 * The door of libpmc/log.
 */
#ifndef LPMC_LOG_H
#define LPMC_LOG_H

#include "state.h"

void lpmc_log_allocate(const struct lpmc *p);
void lpmc_log_attach(const struct lpmc *p, pid_t pid);
void lpmc_log_detach(const struct lpmc *p, pid_t pid);

/* Closes the log and frees its memory; writes nothing. */
void lpmc_log_drop(void);

/* Before a process (-1: the system) is sampled: logs what there is already. */
void lpmc_log_existing(pid_t pid);
/* tasks.c: its threads, and their names. */
void lpmc_tasks_log(pid_t pid);
/* maps.c: what it and the kernel have mapped. */
void lpmc_maps_log(pid_t pid);

/*
 * drain.c: moves the records of all rings into the log.  Without `all`, records that the kernel
 * writes after the call began wait for the next call.
 */
void lpmc_drain(bool all);
/* Forgets the records of a PMC that are collected and not yet in the log. */
void lpmc_drain_forget(const struct lpmc *p);

/*
 * helper.c
 */

/* Starts the helper, if it does not run.  Returns 0 or an errno. */
int lpmc_helper_start(void);
/* Ends the helper, if nothing needs it any more.  The caller does not hold the lock. */
void lpmc_helper_stop(void);
/* Wakes the helper, because the descriptors that it polls have changed (wake.c). */
void lpmc_helper_wake(void);

#endif
