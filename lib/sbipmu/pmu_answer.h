/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu_answer.h - what can count an event.
 */
#ifndef SBIPMU_PMU_ANSWER_H
#define SBIPMU_PMU_ANSWER_H

#include "sbipmu.h"

/* The counters that can count an event, and how.  ctrs is 0 if none can. */
struct answer {
	uint64_t ctrs; /* every counter that can, free or not */
	uint64_t selector; /* for mhpmevent of programmable counters */
	int key; /* of a firmware event */
	bool inexact; /* from a raw row that stands for many selectors */
};

#endif
