/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vector.S - runs a stream of vector instructions in M-mode on any machine like QEMU's virt, and
 * prints what each of them has written, and the final state.
 *
 * The stream (stream.S, generated) never writes x27 to x31, but for x28.  x30 points into memory,
 * x29 into the log: after each instruction the stream stores a register there.  A trap is added to
 * the checksum, and its instruction is skipped.
 *
 * With THEAD for XTheadVector, whose instructions can store no whole registers: the stream stores all
 * of them from time to time.
 */
	.option norvc
	.section .text.start, "ax"
	.globl	_start
_start:
	lla	t0, trap
	csrw	mtvec, t0
#ifdef THEAD
	li	t0, 0x1806000		/* FS, VS of XTheadVector */
#else
	li	t0, 0x6600		/* FS, VS */
#endif
	csrs	mstatus, t0
	csrw	fcsr, zero
	lla	t0, save
	csrw	mscratch, t0
	lla	t0, initial_v
#ifdef THEAD
	.word	0x00307357		/* th.vsetvli t1,x0,e8,m8,d1 */
#endif
	.irp	n, 0, 8, 16, 24
#ifdef THEAD
	.word	0x0202f007 | \n << 7	/* th.vle.v v\n,(t0) */
#else
	.insn	i 0x07, 0, x\n, x5, -472	/* vl8re8.v */
#endif
	csrr	t1, 0xc22
	slli	t1, t1, 3
	add	t0, t0, t1
	.endr
	lla	x31, initial_f
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	fld	f\n, (\n * 8)(x31)
	.endr
	lla	x31, initial_x
	.irp	n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26
	ld	x\n, (\n * 8)(x31)
	.endr
	li	x27, 0x3ff
	li	x28, 0
	lla	x29, log
	lla	x30, scratch + 4096
	.include "stream.S"
	lla	x31, save
	.irp	n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26
	sd	x\n, (\n * 8)(x31)
	.endr
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	fsd	f\n, (256 + \n * 8)(x31)
	.endr
	csrr	t0, fcsr
	sd	t0, 512(x31)
#ifndef THEAD
	csrr	t0, 0x00f		/* vcsr, vl, vtype, vlenb */
	sd	t0, 520(x31)
#endif
	csrr	t0, 0xc20
	sd	t0, 528(x31)
	csrr	t0, 0xc21
	sd	t0, 536(x31)
	csrr	s4, 0xc22
	sd	s4, 544(x31)
	lla	t0, checksum
	ld	t0, 0(t0)
	sd	t0, 552(x31)
	csrw	0x008, zero
	mv	t0, x29
#ifdef THEAD
	.word	0x00307357
#endif
	.irp	n, 0, 8, 16, 24
#ifdef THEAD
	.word	0x0202f027 | \n << 7	/* th.vse.v v\n,(t0) */
#else
	.insn	s 0x27, 0, x\n, -472(x5)	/* vs8r.v */
#endif
	slli	t1, s4, 3
	add	t0, t0, t1
	.endr
	lla	s0, save
	addi	s1, s0, 560
	call	print
	lla	s0, log
	mv	s1, t0
	call	print
	lla	s0, scratch
	li	s1, 8192
	add	s1, s1, s0
	call	print
	j	off

	.include "print.S"

	.balign	4
trap:
	csrrw	x31, mscratch, x31
	sd	x1, 560(x31)
	sd	x2, 568(x31)
	sd	x3, 576(x31)
	lla	x1, checksum
	ld	x2, 0(x1)
	srli	x3, x2, 57
	slli	x2, x2, 7
	or	x2, x2, x3
	csrr	x3, mcause
	add	x2, x2, x3
	csrr	x3, mtval
	xor	x2, x2, x3
	lla	x3, _start
	sub	x2, x2, x3
	csrr	x3, 0x008		/* vstart */
	slli	x3, x3, 20
	add	x2, x2, x3
	csrw	0x008, zero
	csrr	x3, mepc
	add	x2, x2, x3
	sd	x2, 0(x1)
	addi	x3, x3, 4
	csrw	mepc, x3
	ld	x1, 560(x31)
	ld	x2, 568(x31)
	ld	x3, 576(x31)
	csrrw	x31, mscratch, x31
	mret

	.data
	.balign	4096
checksum:
	.dword	0
	.balign	64
save:
	.zero	640
	.balign	64
initial_x:
	.include "initial_x.S"
initial_f:
	.include "initial_f.S"
	.balign	64
initial_v:
	.include "initial_v.S"
	/* Small negative indexes stay in memory: below it QEMU has a window of PCI, which can be read. */
	.zero	131072
	.balign	4096
scratch:
	.include "memory.S"
	.zero	131072
log:
	.zero	1048576
