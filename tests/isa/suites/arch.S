/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * arch.S - the beginning and the end of a program of riscv-arch-test: prints a hash of its signature, or with PRINT_ALL the
 * signature, and switches the machine off.
 */
#include "suite.S"

	.section .text.start, "ax"
	.globl	_start
_start:	la	t0, rvtest_entry_point
	jr	t0

	.text
	.globl	suite_end
suite_end:
	la	s0, begin_signature
	la	s1, end_signature
#ifdef PRINT_ALL
	call	print
#endif
	li	t2, 0
	j	2f
1:	lwu	t3, 0(s0)
	fold	t2, t3
	addi	s0, s0, 4
2:	bltu	s0, s1, 1b
	la	s0, hash
	sd	t2, 0(s0)
	addi	s1, s0, 8
	call	print
	tail	off

	.data
	.align	3
hash:	.dword	0
