/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * access.h - between mmu.c and access.c.
 */
#ifndef SIM_ACCESS_H
#define SIM_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "hart.h"

/* The page at va of h->lines is RAM at pa and may be read (written) without asking again. */
void mmu_soft_fill(struct hart *h, uint64_t va, uint64_t pa, bool write);

#endif
