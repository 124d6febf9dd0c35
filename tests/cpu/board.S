/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * board.S - for tests/cpu/boards: reads LINES lines of data twice.  Counter COUNTER with SELECTOR
 * counts the read misses of L1D.  The finisher gets the status: 0 if each line missed once and
 * mcycle and minstret are right; else 1, 2 or 3: the misses, minstret or mcycle are wrong.
 */
	.option norvc
	.option norelax
	.globl _start
_start:
	li	s0, LINES
	li	s1, 2
	la	s2, lines
	li	t0, SELECTOR
	csrw	0x320 + COUNTER, t0	/* mhpmevent */
	csrr	s3, mcycle
	csrr	s4, minstret
	csrw	0xb00 + COUNTER, zero	/* mhpmcounter */
1:	mv	t0, s2
	mv	t1, s0
2:	ld	t2, 0(t0)
	addi	t0, t0, LINE
	addi	t1, t1, -1
	bnez	t1, 2b
	addi	s1, s1, -1
	bnez	s1, 1b
	csrr	s5, 0xb00 + COUNTER
	csrr	t0, minstret
	csrr	t1, mcycle
	sub	s4, t0, s4
	sub	s3, t1, s3
	li	a0, 1
	bne	s5, s0, out
	/* The first csrr, the csrw and the second csrr: 3 instructions, and the loops. */
	li	a0, 2
	li	t0, 3 + 2 * (4 + 4 * LINES)
	bne	s4, t0, out
	/* A miss takes longer than a hit. */
	li	a0, 3
	li	t0, 20 * LINES
	bltu	s3, t0, out
	li	a0, 0
out:	li	t0, 0x5555
	beqz	a0, 3f
	slli	a0, a0, 16
	li	t0, 0x3333
	or	t0, t0, a0
3:	li	t1, 0x100000
	sw	t0, 0(t1)
4:	j	4b

	.data
	.balign	4096
lines:	.skip	LINES * LINE
