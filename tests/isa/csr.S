/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csr.S - runs the stream of csr_streams (stream.S, generated) in M-, S- and U-mode without
 * translation, and prints its log.
 *
 *	x27		where the next word of the log goes
 *	x28		data, which loads read and stores write
 *	x7		where a table jump goes on
 *	x29, x30	the handler's
 *	x10		the mode in which the stream goes on after an ecall
 *
 * All traps go to M-mode: the handler logs cause, tval, place and status, and skips the instruction,
 * or returns to x1 from a target that cannot be executed.
 *
 * PMP entries: 0: devices; 1: code; 2 to 5: targets, at random; 6 and 7: data and log.
 */
	.equ	TARGETS, 512		/* of 16 bytes: two instructions and two words */
	.equ	DEVICES, 0x8b		/* TOR, locked, RW */
	.equ	CODE, 0x8d		/* TOR, locked, RX */
	.equ	DATA, 0x0f		/* TOR, RWX */
	/* While mseccfg.MML is on: M-mode RX and S- and U-mode X; all modes RW (Smepmp 1.0 §2.1). */
	.equ	SHARED_CODE, 0x8e
	.equ	SHARED_DATA, 0x0e
	.equ	MSECCFG, 0x747
	.equ	RLB, 4
	.option norvc
	.section .text.start, "ax"
	.globl	_start
_start:
	lla	t0, trap
	csrw	mtvec, t0
	csrwi	MSECCFG, RLB		/* other bits may be on at reset */
	.macro	pmp_address n, symbol
	lla	t0, \symbol
	srli	t0, t0, 2
	csrw	pmpaddr\n, t0
	.endm
	pmp_address 0, _start
	pmp_address 1, data
	.irp	n, 2, 3, 4, 5
	pmp_address \n, targets
	.endr
	pmp_address 6, data
	pmp_address 7, targets
	li	t0, DATA << 56 | CODE << 8 | DEVICES
	csrw	pmpcfg0, t0
	li	t0, 0x6600		/* FS, VS: dirty */
	csrs	mstatus, t0
	csrw	0x30a, zero		/* menvcfg: some bits may be on at reset */
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
	/* QEMU's mtval of an illegal table jump is an earlier instruction: csr_streams. */
	addi	x29, x29, -2
	bnez	x29, 1f
	csrr	x29, mepc
	lbu	x29, 0(x29)
	not	x29, x29
	andi	x29, x29, 3
	beqz	x29, 1f
	li	x30, 0
1:	sd	x30, 8(x27)
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
	lla	x30, targets
	bltu	x29, x30, 2f
	mv	x29, x1
2:	csrw	mepc, x29
	mret

	/* Table jumps: entry n leads to what sets x6 to n. */
	.balign	64
tables:	.set	n, 0
	.rept	TABLES * 8 + 256
	.dword	entries + n * 8
	.set	n, n + 1
	.endr
entries:
	.set	n, 0
	.rept	TABLES * 8 + 256
	li	x6, n
	jr	x7
	.set	n, n + 1
	.endr

	.data
	.balign	4096
data:	.zero	4096
log:	.zero	1048576
targets:
	.rept	TARGETS
	ret
	ret
	.dword	0
	.endr
