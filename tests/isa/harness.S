/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * harness.S - runs a stream of instructions in M-mode on any machine like QEMU's virt, and prints
 * the final state: registers, fcsr, scratch memory, a checksum of the traps.
 *
 * The stream (stream.S, generated) never writes x30, which points into the scratch memory.  A trap
 * is added to the checksum and its instruction is skipped.
 */
	.option norvc
	.section .text.start, "ax"
	.globl	_start
_start:
	lla	t0, trap
	csrw	mtvec, t0
	li	t0, 0x6000
	csrs	mstatus, t0
	csrw	fcsr, zero
	lla	t0, save
	csrw	mscratch, t0
	lla	x31, initial_f
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	fld	f\n, (\n * 8)(x31)
	.endr
	lla	x31, initial_x
	.irp	n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
	ld	x\n, (\n * 8)(x31)
	.endr
	lla	x30, scratch + 2048
	ld	x31, (31 * 8)(x31)
	.balign	4
	.include "stream.S"
	.balign	4
	.option	norvc
	csrw	mscratch, x31
	lla	x31, save
	.irp	n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29
	sd	x\n, (\n * 8)(x31)
	.endr
	csrr	t0, mscratch
	sd	t0, (31 * 8)(x31)
	sd	zero, (30 * 8)(x31)
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	fsd	f\n, (256 + \n * 8)(x31)
	.endr
	csrr	t0, fcsr
	sd	t0, 512(x31)
	lla	t0, checksum
	ld	t1, 0(t0)
	sd	t1, 520(x31)

	lla	s0, save
	li	s1, 8 * (66 + 512)
	add	s1, s1, s0
	/* scratch follows save */
	call	print
	j	off

	.include "print.S"

	.balign	4
trap:
	csrrw	x31, mscratch, x31
	sd	x1, 528(x31)
	sd	x2, 536(x31)
	sd	x3, 544(x31)
	lla	x1, checksum
	ld	x2, 0(x1)
	csrr	x3, mcause
	slli	x2, x2, 7
	add	x2, x2, x3
	csrr	x3, mtval
	xor	x2, x2, x3
	lla	x3, _start
	sub	x2, x2, x3
	csrr	x3, mepc
	add	x2, x2, x3
	sd	x2, 0(x1)
	lhu	x1, 0(x3)
	andi	x1, x1, 3
	addi	x1, x1, -3
	snez	x1, x1
	slli	x1, x1, 1
	addi	x3, x3, 4
	sub	x3, x3, x1
	csrw	mepc, x3
	ld	x1, 528(x31)
	ld	x2, 536(x31)
	ld	x3, 544(x31)
	csrrw	x31, mscratch, x31
	mret

	.data
	.balign	4096
checksum:
	.dword	0
	.balign	64
save:
	.zero	66 * 8
	.zero	64 - 16
	.balign	64
scratch_before:
	.globl	scratch
scratch:
	.include "memory.S"
	.balign	8
initial_x:
	.include "initial_x.S"
initial_f:
	.include "initial_f.S"
