/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mix_start.S - start, traps and end of mix.c.  A trap from S-mode is skipped, but for ecall with
 * a7 = 1, with which work has ended.  A software interrupt clears itself.
 */
#include "../../isa/bare_start.S"

	.section .text.start, "ax"
	.globl	_start
	.option norvc
_start:
	bare_start 3 << 61 | 0xf8		/* PBMTE ADUE CBZE CBCFE CBIE SSE */
	la	sp, stacks
	addi	t1, s0, 1
	slli	t1, t1, 12
	add	sp, sp, t1
	csrw	mscratch, sp
	addi	sp, sp, -64
	mv	a0, s0
	call	prepare
	csrw	satp, a0
	sfence.vma
	li	t0, 0x6000 | 1 << 11		/* FS, MPP: S-mode */
	csrw	mstatus, t0
	li	t0, 8				/* MSIE */
	csrw	mie, t0
	la	t0, 1f
	csrw	mepc, t0
	mret
1:	mv	a0, s0
	call	work
	li	a7, 1
	ecall
	j	.

	.balign	4
trap:	csrrw	sp, mscratch, sp
	sd	t0, -8(sp)
	sd	t1, -16(sp)
	csrr	t0, mcause
	bltz	t0, 3f
	li	t1, 9
	bne	t0, t1, 1f
	li	t1, 1
	beq	a7, t1, 4f
1:	csrr	t0, mepc			/* code has its physical address */
	lhu	t1, 0(t0)
	andi	t1, t1, 3
	addi	t1, t1, -3
	addi	t0, t0, 2
	bnez	t1, 2f
	addi	t0, t0, 2
2:	csrw	mepc, t0
	j	5f
3:	csrr	t0, mhartid
	slli	t0, t0, 2
	li	t1, 0x2000000
	add	t0, t0, t1
	sw	zero, 0(t0)
5:	ld	t0, -8(sp)
	ld	t1, -16(sp)
	csrrw	sp, mscratch, sp
	mret
4:	csrwi	mie, 0
	mv	a0, s0
	call	finished
	beqz	a0, 6f
	li	t0, 0x5555
	li	t1, 0x100000
	sw	t0, 0(t1)
6:	wfi
	j	6b

	.bss
	.balign	16
stacks:	.space	8 * 4096
