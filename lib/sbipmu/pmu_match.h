/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu_match.h - which counter of a set to take for an event (match.c).
 */
#ifndef SBIPMU_PMU_MATCH_H
#define SBIPMU_PMU_MATCH_H

#include "pmu_answer.h"

/* Chooses a counter of set for an event; -1 if there is none.  Pure. */
int sbipmu_match(const struct sbipmu_hart *h, uint64_t set, const struct answer *a, rv_ulong flags);

#endif
