/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cpu.h - which CPUs exist, are present and are online.
 */
#ifndef LPMC_CPU_H
#define LPMC_CPU_H

#include <stdbool.h>

/* One more than the greatest CPU number that is possible on this machine. */
int lpmc_cpu_count(void);
bool lpmc_cpu_online(int cpu);
/*
 * Whether the CPU is present.  It may come online later, and a counted thread may then run on it.
 */
bool lpmc_cpu_present(int cpu);
/* 0 if the number is possible on this machine; else -1 with EINVAL. */
int lpmc_cpu_exists(int cpu);
/*
 * 0 if a PMC of system scope can count on the CPU; else -1 with EINVAL, or ENXIO if it is offline.
 */
int lpmc_cpu_check(int cpu);

#endif
