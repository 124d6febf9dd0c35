/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * suite.S - the parts that arch.S and vector.S share.
 */
	.text
#include "../print.S"

	/* hash = a hash of hash and value; value and t6 change. */
	.macro	fold hash, value
	xor	\hash, \hash, \value
	li	t6, 0x100000001b3
	mul	\hash, \hash, t6
	srli	\value, \hash, 29
	xor	\hash, \hash, \value
	.endm

	/* The finisher of the virt machine. */
	.macro	off
	li	t0, 0x100000
	li	t1, 0x5555
	sw	t1, 0(t0)
	j	.
	.endm
