/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * redirect.h - redirects traps to S-mode, and fetches the instruction that trapped.
 */
#ifndef FW_REDIRECT_H
#define FW_REDIRECT_H

#include "hart.h"

/* mstatus at the trap, in the layout of RV64. */
uint64_t trap_status(const struct hart *h);
/* The mode that trapped: PRV_U, PRV_S or PRV_M. */
unsigned trap_previous_mode(const struct hart *h);
/* True if the trap came from a guest (VS or VU). */
bool trap_from_guest(const struct hart *h);

/* Redirects a trap to S-mode, or to VS-mode if the hypervisor delegated it. */
void trap_redirect(struct hart *h, const struct trap_info *info);

/*
 * Fetches the instruction that trapped; a compressed one is expanded.  *length is its length in
 * memory.  False after a fault, which *fault describes.
 */
bool trap_fetch(struct hart *h, uint32_t *insn, unsigned *length, struct trap_info *fault);

/* Fills in the fields of a fault that mprv_load() and mprv_store() do not; before another trap. */
void trap_fault_complete(struct hart *h, struct trap_info *fault);

#endif
