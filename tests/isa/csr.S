/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csr.S - runs the stream of csr_streams (stream.S, generated) in M-, S- and U-mode without
 * translation, and prints its log.
 *
 *	x27		where the next word of the log goes
 *	x28		data, which loads read and stores write
 *	x29, x30	the handler's
 *	x10		the mode in which the stream goes on after an ecall
 *
 * All traps go to M-mode: the handler logs cause, tval, place and status, and skips the instruction.
 */
	.option norvc
	.section .text.start, "ax"
	.globl	_start
_start:
	lla	t0, trap
	csrw	mtvec, t0
	li	t0, -1
	csrw	pmpaddr0, t0
	li	t0, 0x1f		/* NAPOT, all memory, RWX */
	csrw	pmpcfg0, t0
	li	t0, 0x6600		/* FS, VS: dirty */
	csrs	mstatus, t0
	csrw	0x747, zero		/* mseccfg and menvcfg: some bits may be on at reset */
	csrw	0x30a, zero
	lla	x27, log
	lla	x28, data
	.include "stream.S"
	.balign	4
	li	x10, 3
	ecall
	lla	s0, log
	mv	s1, x27
	call	print
	lla	s0, data
	addi	s1, s0, 1024
	call	print
	j	off

	.include "print.S"

	.balign	4
trap:	csrr	x29, mcause
	sd	x29, 0(x27)
	csrr	x30, mtval
	sd	x30, 8(x27)
	csrr	x30, mepc
	lla	x29, _start
	sub	x30, x30, x29
	sd	x30, 16(x27)
	csrr	x30, mstatus
	li	x29, LOGGED_STATUS
	and	x30, x30, x29
	sd	x30, 24(x27)
	addi	x27, x27, 32
	/* The instruction that was not a landing pad is skipped, and with it what expected one. */
	li	x29, 1 << 41		/* MPELP */
	csrc	mstatus, x29
	csrr	x29, mcause
	addi	x29, x29, -8		/* ecalls are 8, 9 and 11 */
	sltiu	x29, x29, 4
	beqz	x29, 1f
	li	x29, 0x1800		/* MPP */
	csrc	mstatus, x29
	slli	x29, x10, 11
	csrs	mstatus, x29
1:	csrr	x29, mepc
	addi	x29, x29, 4
	csrw	mepc, x29
	mret

	.data
	.balign	4096
data:	.zero	4096
log:	.zero	1048576
