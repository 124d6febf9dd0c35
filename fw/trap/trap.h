/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trap.h - the C functions that trap.S calls.
 */
#ifndef FW_TRAP_H
#define FW_TRAP_H

#include "hart.h"

void trap_interrupt(struct hart *h);
void trap_exception(struct hart *h);
void trap_fatal(struct hart *h) __attribute__((noreturn));

#endif
