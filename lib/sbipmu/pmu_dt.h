/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu_dt.h - the tables of general and cache events (dt.c).
 */
#ifndef SBIPMU_PMU_DT_H
#define SBIPMU_PMU_DT_H

#include "sbipmu.h"

/* Compiles the tables.  h: the boot hart, on which selectors are tried. */
void sbipmu_dt_compile(struct sbipmu *pmu, const struct sbipmu_hart *h,
		       const struct sbipmu_config *config);

#endif
