/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * drain.h - how records become log entries.  exit.c, maps.c, tasks.c and translate.c define these
 * functions, drain.c calls them.
 */
#ifndef LPMC_DRAIN_H
#define LPMC_DRAIN_H

#include "record.h"

/* translate.c: writes the entries of one record. */
void lpmc_translate(struct lpmc *p, const struct lpmc_record *r);

/*
 * exit.c, for PMC_F_LOG_PROCEXIT: a record tells of a fork, of a thread's end, of its last value.
 */
void lpmc_exit_fork(struct lpmc *p, const struct lpmc_record *r);
void lpmc_exit_thread(struct lpmc *p, const struct lpmc_record *r);
void lpmc_exit_read(struct lpmc *p, const struct lpmc_record *r);
/* Before a pass over the rings: notes which attached processes have ended. */
void lpmc_exit_poll(struct lpmc *p);
/* After the pass: writes the PROCEXIT entries that are complete. */
void lpmc_exit_log(struct lpmc *p, uint64_t time);

/* maps.c: whether the name that Linux gives to a mapping is the path of a file. */
bool lpmc_is_file(const char *name);

/* tasks.c: a record tells of a fork or a new thread, of a name, of a thread's end. */
void lpmc_task_forked(const struct lpmc_record *r);
void lpmc_task_named(const struct lpmc_record *r);
void lpmc_task_exited(const struct lpmc_record *r);

#endif
