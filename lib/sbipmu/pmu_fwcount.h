/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu_fwcount.h - firmware counters, by counter index (fwcount.c).
 */
#ifndef SBIPMU_PMU_FWCOUNT_H
#define SBIPMU_PMU_FWCOUNT_H

#include "sbipmu.h"

int sbipmu_fw_key(const struct sbipmu_hart *h, unsigned code, uint64_t data);
void sbipmu_fw_write(struct sbipmu_hart *h, unsigned ctr, uint64_t value);
void sbipmu_fw_config(struct sbipmu_hart *h, unsigned ctr, int key);
void sbipmu_fw_start(struct sbipmu_hart *h, uint64_t ctrs);
void sbipmu_fw_stop(struct sbipmu_hart *h, uint64_t ctrs);

/* The total of the event with that key. */
static inline uint64_t fw_total(const struct sbipmu_hart *h, int key)
{
	if (key < SBI_PMU_FW_COUNT)
		return h->fw_total[key];
	return h->ops->fw_total(h->ctx, key - SBI_PMU_FW_COUNT);
}

static inline uint64_t fw_ctr_read(const struct sbipmu_hart *h, unsigned ctr)
{
	unsigned i = ctr - h->pmu->fw_first;

	if (!(h->started & RV_BIT(ctr)))
		return h->fw_value[i];
	return h->fw_value[i] + fw_total(h, h->fw_key[i]);
}

#endif
