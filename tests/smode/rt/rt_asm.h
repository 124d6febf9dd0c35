/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rt_asm.h - what entry.S and C share: register width and the layout of struct hart.
 */
#ifndef RT_ASM_H
#define RT_ASM_H

#include <rv/xlen.h>

#define RT_REG (RV_XLEN / 8)

/* struct hart: 32 saved registers, then 14 of guard_call, then these */
#define HART_REGS   0
#define HART_JMP    (32 * RT_REG)
#define HART_RESUME (46 * RT_REG)
#define HART_CAUSE  (47 * RT_REG)
#define HART_TSTACK (48 * RT_REG)
#define HART_STACK  (49 * RT_REG)

#define RT_STACK_SIZE 8192

/* hart.cause if there was no trap */
#define RT_NO_TRAP (-1)

#ifdef __ASSEMBLER__
#if RV_XLEN == 32
#define REG_S sw
#define REG_L lw
#else
#define REG_S sd
#define REG_L ld
#endif
#endif

#endif
