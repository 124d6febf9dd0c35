/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * emulate.h - illegal instructions.
 */
#ifndef FW_EMULATE_H
#define FW_EMULATE_H

#include "hart.h"

/* Emulates the instruction, or redirects the trap. */
void illegal_emulate(struct hart *h, struct trap_info *info);

#endif
