/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cost.S - one ecall between two reads of instret.  Called from sbi_cost.c; calls nothing.
 */
#include "rt_asm.h"
#include <rv/csr.h>

/*
 * rv_ulong cost_ecall(rv_ulong regs[8]): an ecall with a0 to a7 from regs; a0 and a1 are stored
 * back.  Returns the instructions that retired from the ecall to the mret, both included: the
 * difference of the two reads minus one for the first csrr.
 */
	.text
	.globl	cost_ecall
cost_ecall:
	mv	t2, a0
	REG_L	a1, (1 * RT_REG)(t2)
	REG_L	a2, (2 * RT_REG)(t2)
	REG_L	a3, (3 * RT_REG)(t2)
	REG_L	a4, (4 * RT_REG)(t2)
	REG_L	a5, (5 * RT_REG)(t2)
	REG_L	a6, (6 * RT_REG)(t2)
	REG_L	a7, (7 * RT_REG)(t2)
	REG_L	a0, (0 * RT_REG)(t2)
	csrr	t0, CSR_INSTRET
	ecall
	csrr	t1, CSR_INSTRET
	REG_S	a0, (0 * RT_REG)(t2)
	REG_S	a1, (1 * RT_REG)(t2)
	sub	a0, t1, t0
	addi	a0, a0, -1
	ret
