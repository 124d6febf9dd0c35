/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu_table.h - reads device-tree properties and reports their faults.
 */
#ifndef SBIPMU_PMU_TABLE_H
#define SBIPMU_PMU_TABLE_H

#include "sbipmu.h"

/* Passes one diagnostic to the host. */
static inline void complain(struct sbipmu *pmu, void *ctx, const char *property, int row,
			    const char *text, uint64_t value)
{
	const struct sbipmu_diag d = { property, row, text, value };

	pmu->nr_diags++;
	if (pmu->ops->diag)
		pmu->ops->diag(ctx, &d);
}

/* Cell i of a device-tree property: 32 bits, big-endian, at any alignment. */
static inline uint32_t dt_cell(const void *property, size_t i)
{
	const unsigned char *p = (const unsigned char *)property + 4 * i;

	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

#endif
