/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vector_pages.S - runs a stream of vector loads and stores (stream.S, from vector_pages.py) in M-, S-
 * and U-mode, at pages that are there or not, not cached, not RAM, or that PMP divides.
 *
 * A trap skips its instruction; ecall goes on in the mode a0.  Code has its physical address, in
 * U-mode that + 1 << 30.  The stream writes a0, t0 to t2 and the vector registers.
 */
#include "../../isa/bare_start.S"

	.section .text.start, "ax"
	.globl	_start
	.option norvc
_start:
	bare_start 3 << 61			/* PBMTE ADUE */
	li	t0, PMP_NONE
	csrw	pmpaddr0, t0
	li	t0, PMP_READ
	csrw	pmpaddr1, t0
	li	t0, -1
	csrw	pmpaddr2, t0
	li	t0, 0x1f1918
	csrw	pmpcfg0, t0
	la	t0, leaves
	srli	t0, t0, 2
	addi	t0, t0, 1
	la	t1, middle
	sd	t0, 0(t1)
	srli	t0, t1, 2
	addi	t0, t0, 1
	la	t1, root
	sd	t0, 8(t1)
	srli	t1, t1, 12
	li	t0, 8 << 60
	or	t0, t0, t1
	csrw	satp, t0
	sfence.vma
#ifdef THEAD
	li	t0, 0x1806000			/* FS, VS of XTheadVector */
#else
	li	t0, 0x6600			/* FS, VS */
#endif
	csrs	mstatus, t0
	la	t0, saved
	csrw	mscratch, t0
	.include "stream.S"
	li	a0, 3
	ecall
	li	t0, 0x5555
	li	t1, 0x100000
	sw	t0, 0(t1)
	j	.

	.balign	4
trap:	csrrw	t2, mscratch, t2
	sd	t0, 0(t2)
	sd	t1, 8(t2)
	csrr	t0, mcause
	addi	t0, t0, -8
	sltiu	t0, t0, 4
	csrr	t1, mepc
	addi	t1, t1, 4
	beqz	t0, 1f
	li	t0, 3 << 11			/* MPP */
	csrc	mstatus, t0
	slli	t0, a0, 11
	csrs	mstatus, t0
	li	t0, 1 << 30
	or	t1, t1, t0
	beqz	a0, 1f
	xor	t1, t1, t0
1:	csrw	mepc, t1
	csrwi	0x008, 0			/* vstart */
	ld	t0, 0(t2)
	ld	t1, 8(t2)
	csrrw	t2, mscratch, t2
	mret

	.data
	.balign	4096
root:
	.dword	0, 0, 0x200000ef, 0x200000df	/* code for S-mode; for U-mode */
	.zero	4096 - 4 * 8
middle:
	.dword	0, 0x200800d7			/* 2 MiB for U-mode */
	.zero	4096 - 2 * 8
leaves:
	.include "leaves.S"
	.balign	4096
saved:
	.zero	16
