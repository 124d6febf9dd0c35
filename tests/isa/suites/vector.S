/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vector.S - runs a program of the first stage of riscv-vector-tests.  That suite takes the right results
 * from a changed Spike, which executes an instruction of custom-0 after each test.  Here that instruction
 * traps, and the handler folds into a hash what the test has left: the memory of its results, fcsr, vcsr, vl
 * and vtype.  Another trap is folded too, by its cause and vstart, and its instruction is skipped.
 *
 * Prints the hash, the number of traps, and the number of these that were no ends of tests.  With PRINT_ALL
 * it prints the hash and the program counter after each test.
 */
#include "suite.S"

#define SAVED_T0 (8 * 6)
#define HASH	 (8 * 7)
#define TRAPS	 (8 * 8)
#define OTHERS	 (8 * 9)
#define PC	 (8 * 10)
#define CUSTOM_0 0x0b

	.section .text.start, "ax"
	.globl	_start
_start:	la	t0, handler
	csrw	mtvec, t0
	la	t0, state
	csrw	mscratch, t0
	li	t0, -1
	csrw	pmpaddr0, t0
	csrwi	pmpcfg0, 0x1f
	li	t0, 0x6600	/* mstatus: FS and VS */
	csrs	mstatus, t0
	csrwi	fcsr, 0
	csrwi	vcsr, 0
	j	suite_begin

	.text
	.align	2
handler:
	csrrw	t0, mscratch, t0
	sd	t1, 0(t0)
	sd	t2, 8(t0)
	sd	t3, 16(t0)
	sd	t4, 24(t0)
	sd	t5, 32(t0)
	sd	t6, 40(t0)
	csrr	t1, mscratch
	sd	t1, SAVED_T0(t0)
	csrw	mscratch, t0
	ld	t2, HASH(t0)
	ld	t1, TRAPS(t0)
	addi	t1, t1, 1
	sd	t1, TRAPS(t0)
	csrr	t3, mepc
	sd	t3, PC(t0)
	lhu	t4, 0(t3)
	andi	t4, t4, 0x7f
	csrr	t1, mcause
	addi	t1, t1, -2	/* an illegal instruction */
	xori	t4, t4, CUSTOM_0
	or	t1, t1, t4
	bnez	t1, other
	la	t3, resultdata
	la	t4, testdata
1:	ld	t5, 0(t3)
	fold	t2, t5
	addi	t3, t3, 8
	bltu	t3, t4, 1b
	csrr	t5, fcsr
	fold	t2, t5
	csrr	t5, vcsr
	fold	t2, t5
	csrr	t5, vl
	fold	t2, t5
	csrr	t5, vtype
	fold	t2, t5
	csrwi	fcsr, 0
	j	done
other:	csrr	t5, mcause
	fold	t2, t5
	csrr	t5, vstart
	fold	t2, t5
	csrwi	vstart, 0
	ld	t1, OTHERS(t0)
	addi	t1, t1, 1
	sd	t1, OTHERS(t0)
done:	sd	t2, HASH(t0)
#ifdef PRINT_ALL
	la	t2, kept
	sd	s0, 0(t2)
	sd	s1, 8(t2)
	sd	s2, 16(t2)
	sd	a0, 24(t2)
	sd	a1, 32(t2)
	sd	a2, 40(t2)
	sd	a3, 48(t2)
	sd	a4, 56(t2)
	sd	ra, 64(t2)
	addi	s0, t0, PC
	addi	s1, s0, 8
	call	print
	la	s0, state + HASH
	addi	s1, s0, 8
	call	print
	la	t2, kept
	ld	s0, 0(t2)
	ld	s1, 8(t2)
	ld	s2, 16(t2)
	ld	a0, 24(t2)
	ld	a1, 32(t2)
	ld	a2, 40(t2)
	ld	a3, 48(t2)
	ld	a4, 56(t2)
	ld	ra, 64(t2)
#endif
	csrr	t3, mepc
	addi	t3, t3, 4
	csrw	mepc, t3
	ld	t1, SAVED_T0(t0)
	csrw	mscratch, t1
	ld	t1, 0(t0)
	ld	t2, 8(t0)
	ld	t3, 16(t0)
	ld	t4, 24(t0)
	ld	t5, 32(t0)
	ld	t6, 40(t0)
	csrrw	t0, mscratch, t0
	mret

	.globl	suite_end
suite_end:
	la	s0, state + HASH
	addi	s1, s0, 24
	call	print
	tail	off

	.data
	.align	3
state:	.zero	8 * 11
kept:	.zero	8 * 9
