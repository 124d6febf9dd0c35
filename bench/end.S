/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * end.S - for start.S of machine/ and silicon/: the end of a program through tohost (Spike, our
 * machine), and its words.
 */

	/* t0 and t1 change. */
	.macro	end_program
	li	t1, 1
	la	t0, tohost
	sd	t1, 0(t0)
	.endm

	.data
	.balign	64
	.globl	tohost, fromhost
tohost:
	.dword	0
fromhost:
	.dword	0
