/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * read.h - reads the values of PMCs.
 */
#ifndef LPMC_READ_H
#define LPMC_READ_H

#include "state.h"

struct lpmc_sum {
	uint64_t value, enabled, running;
	uint64_t member[LPMC_MEMBERS];
};

/* Adds up the events of a target; -1 with EINVAL if one did not have a counter all the time. */
int lpmc_target_read(const struct lpmc *p, const struct lpmc_target *t, struct lpmc_sum *sum);
/* Adds the sum to what the PMC has kept of detached targets. */
void lpmc_keep(struct lpmc *p, const struct lpmc_sum *sum);
/* Sets p->lost if a count is lost.  Called before a PMC is stopped: another start would hide it. */
void lpmc_lost_note(struct lpmc *p);
/* Sampling: sets the reload count of the PMC and the period of its events. */
int lpmc_reload_set(struct lpmc *p, uint64_t value);
/* Allows pmc_read() to use the user page, if there is one; lpmc_fast_clear() forbids it. */
void lpmc_fast_set(struct lpmc *p);
void lpmc_fast_clear(const struct lpmc *p);

#endif
