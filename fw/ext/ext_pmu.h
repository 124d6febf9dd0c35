/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ext_pmu.h - PMU, and its initialization.
 */
#ifndef FW_EXT_PMU_H
#define FW_EXT_PMU_H

#include "ecall.h"

extern const struct sbi_ext ext_pmu;

struct dtb;

/* Compiles the tables of t.  The boot hart calls it once. */
void pmu_init(struct hart *h, const struct dtb *t);
/* Initializes the calling hart's counters, each time before it enters S-mode. */
void pmu_hart_init(struct hart *h);
/* The tables and facts, for the banner. */
extern struct sbipmu pmu;
/* True if the device tree has a riscv,pmu node. */
bool pmu_has_node(void);

#endif
