/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jump.h - jumps that C cannot express: to S-mode, and to an empty stack.
 */
#ifndef FW_JUMP_H
#define FW_JUMP_H

#include "hart.h"

/* Executes mret to mepc.  a0 and a1 get these values; every other register is 0. */
void jump_to_s(struct hart *h, rv_ulong a0, rv_ulong a1) __attribute__((noreturn));
/* Calls fn(h) on h's stack, which is made empty. */
void jump_to_own_stack(struct hart *h, void (*fn)(struct hart *h)) __attribute__((noreturn));

#endif
