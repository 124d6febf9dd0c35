/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rows.h - macros for the rows of the list (event.c), for events by number (spec.c), and for those
 * that the device tree names (cpu_names.c).
 */
#ifndef LPMC_ROWS_H
#define LPMC_ROWS_H

#include <rv/pmu_event.h>

#include "event.h"

#define LPMC_LINUX_FW	    RV_BIT(63)
#define LPMC_LINUX_PLATFORM RV_MASK(63, 62)

#define LPMC_EV(type, code) (PMC_EV_RISCV_SBI_FIRST | SBI_PMU_EIDX(SBI_PMU_TYPE_##type, code))

/*
 * The SBI gives a raw event the number 0x20000, whatever it counts (SBI 3.0 §11.3); libpmc gives
 * the numbers after it to raw events with names.
 */
#define LPMC_EV_CPU_FIRST (LPMC_EV(RAW, 0) + 1)

#endif
