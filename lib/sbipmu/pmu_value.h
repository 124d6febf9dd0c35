/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu_value.h - the value of any counter, hardware or firmware.
 */
#ifndef SBIPMU_PMU_VALUE_H
#define SBIPMU_PMU_VALUE_H

#include "pmu_counter.h"
#include "pmu_fwcount.h"

/* Reads and writes the value of any counter; one that is written must be stopped. */
static inline uint64_t any_ctr_read(const struct sbipmu_hart *h, unsigned ctr)
{
	return is_fw_ctr(h->pmu, ctr) ? fw_ctr_read(h, ctr) : sbipmu_ctr_read(h, ctr);
}

static inline void any_ctr_write(struct sbipmu_hart *h, unsigned ctr, uint64_t value)
{
	if (is_fw_ctr(h->pmu, ctr))
		sbipmu_fw_write(h, ctr, value);
	else
		sbipmu_ctr_write(h, ctr, value);
}

#endif
