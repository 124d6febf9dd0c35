/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * smode.h - prepares a hart for S-mode and enters S-mode.
 */
#ifndef FW_SMODE_H
#define FW_SMODE_H

#include "hart.h"

/* Sets the calling hart's CSRs for S-mode, and probes its extensions. */
void smode_init(struct hart *h);

/* Enters S-mode at addr with a0 = mhartid and a1 = arg: satp 0, interrupts off. */
void smode_enter(struct hart *h, rv_ulong addr, rv_ulong arg) __attribute__((noreturn));

/* The same after a suspend: pending and enabled interrupts stay so. */
void smode_resume(struct hart *h, rv_ulong addr, rv_ulong arg) __attribute__((noreturn));

#endif
