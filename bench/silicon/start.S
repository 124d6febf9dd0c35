/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * start.S - start and end of a program of bench/silicon: it runs in S-mode with Sv39 and pages of
 * 4 KiB, as the published programs ran under Linux.  pages_init (lib.c) makes the page tables.
 * The programs read the counter of cycles; its CSR is open to S-mode.
 */
#include "../end.S"

	.section .text.start, "ax"
	.globl	_start
_start:
	li	t0, 0x6600		/* mstatus.FS, VS */
	csrs	mstatus, t0
	csrw	fcsr, zero
	li	t0, -1
	csrw	pmpaddr0, t0
	li	t0, 0x1f		/* NAPOT, all memory, RWX */
	csrw	pmpcfg0, t0
	li	t0, 7
	csrw	mcounteren, t0
	la	sp, stack_top
	call	pages_init
	csrw	satp, a0
	sfence.vma
	li	t0, 0x1800		/* mstatus.MPP: M to S */
	csrc	mstatus, t0
	li	t0, 0x800
	csrs	mstatus, t0
	la	t0, 1f
	csrw	mepc, t0
	mret
1:	call	main
	end_program
	j	.

	.bss
	.balign	16
	.space	16384
stack_top:
