/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pmu_snapshot.h - shared memory (snapshot.c).
 */
#ifndef SBIPMU_PMU_SNAPSHOT_H
#define SBIPMU_PMU_SNAPSHOT_H

#include "sbipmu.h"

struct sbiret sbipmu_snapshot_set(struct sbipmu_hart *h, rv_ulong lo, rv_ulong hi, rv_ulong flags);
void sbipmu_snapshot_take(const struct sbipmu_hart *h, rv_ulong base, uint64_t ctrs);
void sbipmu_snapshot_init(struct sbipmu_hart *h, rv_ulong base, uint64_t ctrs);
void *sbipmu_shmem(const struct sbipmu_hart *h, rv_ulong lo, rv_ulong hi, rv_ulong size);

#endif
