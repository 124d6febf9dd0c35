/* SPDX-License-Identifier: BSD-2-Clause */
/* start.S - start and end of a bare-metal program: floating point on, set the stack, call main,
 * end through tohost (Spike, our machine) and the finisher (QEMU).
 */
#include "../end.S"

	.section .text.start, "ax"
	.globl	_start
_start:
	li	t0, 0x6000
	csrs	mstatus, t0
	la	sp, stack_top
	call	main
	end_program
	li	t0, 0x100000
	li	t1, 0x5555
	sw	t1, 0(t0)
	j	.

	.bss
	.balign	16
	.space	65536
stack_top:
