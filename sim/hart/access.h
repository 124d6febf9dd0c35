/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * access.h - what mmu.c offers to access.c only.
 */
#ifndef SIM_ACCESS_H
#define SIM_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "hart.h"

/*
 * Fills the entry of the software TLB (h->lines) for the page of va, which is at pa and may be read
 * or written.  Does nothing if each access must be seen: devices, code, watched pages, stores to a
 * page in which another hart has a reservation.
 */
void mmu_soft_fill(struct hart *h, uint64_t va, uint64_t pa, bool write);

#endif
