/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ext_hsm.h - HSM, and its functions that boot.c and SUSP use.
 */
#ifndef FW_EXT_HSM_H
#define FW_EXT_HSM_H

#include "ecall.h"

extern const struct sbi_ext ext_hsm;

/* Waits in M-mode until another hart starts the calling hart, then enters S-mode. */
void hsm_wait(struct hart *h) __attribute__((noreturn));
/* Starts a stopped hart.  It is present, and hsm_addr_ok(addr) is true. */
struct sbiret hsm_begin(struct hart *to, rv_ulong addr, rv_ulong arg);
/* Waits for an interrupt that S-mode has enabled; answers other harts meanwhile. */
void hsm_sleep(struct hart *h);
/* True if HSM may start S-mode at addr. */
bool hsm_addr_ok(rv_ulong addr);

#endif
