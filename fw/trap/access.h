/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * access.h - accesses to memory and registers on S-mode's behalf.
 */
#ifndef FW_ACCESS_H
#define FW_ACCESS_H

#include "hart.h"

/*
 * Access one byte with the address translation and permissions of the mode that trapped.  extra is
 * 0 or MSTATUS_MXR.  fault->cause is MPRV_OK if there was no fault; else *fault describes it.
 */
#define MPRV_OK ((rv_ulong)-1)
uint8_t mprv_load(rv_ulong addr, struct trap_info *fault, rv_ulong extra);
void mprv_store(rv_ulong addr, struct trap_info *fault, uint8_t value);

/* Load or store floating-point register n; at is memory of the firmware, bytes is 4 or 8. */
void fp_load(unsigned n, const void *from, unsigned bytes);
void fp_store(unsigned n, void *to, unsigned bytes);

#endif
