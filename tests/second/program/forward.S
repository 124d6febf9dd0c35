/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * forward.S - runs a stream of late stores and of loads (stream.S, from forward.py) in M-mode.
 *
 * A trap skips its instruction; its handler begins with a load from the frame that is in use.  The
 * stream writes neither s3 to s11 nor t1 and t2, but for s3 and what a cm.pop loads.
 */
#include "../../isa/bare_start.S"

	.section .text.start, "ax"
	.globl	_start
	.option norvc
_start:
	bare_start 0xf0			/* CBZE CBCFE CBIE */
	li	t0, 0x6000		/* FS */
	csrs	mstatus, t0
	li	s8, 3
1:	call	again
	fcvt.d.l fa0, s8
	fcvt.d.l fa1, s4
	fcvt.d.l ft0, s5
#ifndef ZCM
	.option rvc
#endif
	.include "stream.S"
	.balign	4
	.option norvc
	la	t0, turns
	ld	s8, 0(t0)
	addi	s8, s8, -1
	sd	s8, 0(t0)
	bgtz	s8, 1b
	li	t0, 0x5555
	li	t1, 0x100000
	sw	t0, 0(t1)
	j	.

	/* What the stream needs: a step, a mask and the begin of memory that misses, and a word. */
again:	li	s3, 0
	li	s4, 4160
	li	s5, 0x3fff8
	la	s6, far
	la	s7, word
	ret

	.balign	4
trap:	ld	t1, 8(sp)
	csrr	t1, mepc
	lhu	t2, 0(t1)
	andi	t2, t2, 3
	addi	t2, t2, -3
	addi	t1, t1, 2
	bnez	t2, 1f
	addi	t1, t1, 2
1:	csrw	mepc, t1
	mret

	.data
	.balign	8
turns:	.dword	3

	.bss
	.balign	64
frames:	.space	4096
word:	.space	64
far:	.space	0x40000 + 8
