/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu_rawdt.h - the table of raw events (rawdt.c).
 */
#ifndef SBIPMU_PMU_RAWDT_H
#define SBIPMU_PMU_RAWDT_H

#include "sbipmu.h"

/* Compiles the table.  h: the boot hart, on which selectors are tried. */
void sbipmu_rawdt_compile(struct sbipmu *pmu, const struct sbipmu_hart *h,
			  const struct sbipmu_config *config);

#endif
