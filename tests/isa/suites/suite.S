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
