/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gdb_start.S - beginning and end of a bare-metal program, for tests/tool/gdb: a stack for each of
 * two harts, then main(hart).  The result of hart 0's main is the machine's status.
 */
	.section .text.start, "ax"
	.globl	_start
_start:
	la	sp, stack_top
	slli	t0, a0, 12
	sub	sp, sp, t0
	call	main
	slli	a0, a0, 16
	li	t1, 0x3333
	or	a0, a0, t1
	li	t0, 0x100000
	sw	a0, 0(t0)
	j	.

	.bss
	.balign	16
	.space	8192
stack_top:
