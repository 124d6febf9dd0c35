/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * misaligned.h - misaligned loads and stores.
 */
#ifndef FW_MISALIGNED_H
#define FW_MISALIGNED_H

#include "hart.h"

/* Emulates the instruction, or redirects the trap. */
void misaligned_emulate(struct hart *h, struct trap_info *info);

#endif
