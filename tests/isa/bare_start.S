/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bare_start.S - for programs that are linked with bare.ld and have handlers and modes of their own:
 * the first instructions of a hart in M-mode.
 */

	/* The number of the hart is in s0.  The handler is trap; PMP permits all; t0 changes. */
	.macro	bare_start menvcfg
	csrr	s0, mhartid
	la	t0, trap
	csrw	mtvec, t0
	li	t0, -1
	csrw	pmpaddr0, t0
	csrwi	pmpcfg0, 0x1f
	li	t0, \menvcfg
	csrw	menvcfg, t0
	.endm
