/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * self.h - PMCs whose counter can be read in user space: of this process, or of one of its threads.
 */
#ifndef LPMC_SELF_H
#define LPMC_SELF_H

#include "state.h"

/*
 * Opens events of this process that can be read in user space.  -1: that is not possible; the
 * caller opens events that cannot.
 */
int lpmc_self_attach(struct lpmc *p, struct lpmc_target *t);
/* Maps the user page of a thread's event, if the thread is of this process and can read it. */
void lpmc_self_map_thread(struct lpmc *p, const struct lpmc_target *t);
/* Unmaps the pages, but not those that another thread may still read.  Closes no event. */
void lpmc_self_detach(struct lpmc *p);
/* Unmaps those, too. */
void lpmc_self_end(struct lpmc *p);

#endif
