/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * record_trace_prog.S - the program of tests/tool/record_trace: on each of HARTS harts what a recorded
 * trace has a record for.  A CPU that lacks one of these things traps, and the program goes on.
 *
 * Virtual addresses from VA on are pages of 4 KiB, one after the other:
 *	0, 1	page_a, page_b: A and D are clear	7, 8	code_x, code_y
 *	2, 6	nothing					9	code_z, not cached (Svpbmt)
 *	3	page_a, not cached (Svpbmt)		10	code_user, for U-mode
 *	4	page_b, read only			16-31	one page of 64 KiB (Svnapot)
 *	5	code_last
 */
#include "../isa/bare_start.S"

#define VA	 0x40000000
#define DONE	 0x5555
#define FINISHER 0x100000
#define MSIP	 0x2000000
#define MTIMECMP 0x2004000
#define MTIME	 0x200bff8

#define V	 0x01
#define R	 0x02
#define W	 0x04
#define X	 0x08
#define U	 0x10
#define G	 0x20
#define A	 0x40
#define D	 0x80
#define NC	 (1 << 61)
#define N64K	 (1 << 63 | 8 << 10)

	.macro	map table, index, page, bits
	la	t0, \page
	srli	t0, t0, 2
	li	t1, \bits
	or	t0, t0, t1
	la	t2, \table + 8 * \index
	sd	t0, 0(t2)
	.endm

	/* Calls the code at this virtual address, which returns or faults. */
	.macro	visit address
	li	t0, \address
	jalr	t0
	.endm

	.section .text.start, "ax"
	.globl	_start
	.option norvc
_start:
	bare_start 1 << 62 | 0xf0		/* PBMTE CBZE CBCFE CBIE */
	bnez	s0, wait
	map	root, 1, mid, V
	map	root, 2, _start, V|R|W|X|G|A|D
	map	mid, 0, low, V
	map	mid, 1, _start, V|R|W|X|A|D
	map	low, 0, page_a, V|R|W
	map	low, 1, page_b, V|R|W
	map	low, 3, page_a, V|R|W|A|D|NC
	map	low, 4, page_b, V|R|A
	map	low, 5, code_last, V|X|A
	map	low, 7, code_x, V|X|A
	map	low, 8, code_y, V|X|A
	map	low, 9, code_z, V|X|A|NC
	map	low, 10, code_user, V|X|U|A
	la	t2, low + 8 * 16
	addi	t3, t2, 8 * 16
1:	map	low, 16, page_64k, V|R|W|A|D|N64K
	la	t2, low + 8 * 16
	ld	t0, 0(t2)
2:	sd	t0, 0(t2)
	addi	t2, t2, 8
	bltu	t2, t3, 2b
	fence	rw, rw
	la	t0, ready
	sd	t2, 0(t0)
wait:	la	t0, ready
1:	ld	t1, 0(t0)
	beqz	t1, 1b

	/* M-mode */
	beq	zero, zero, 1f			/* to the next instruction */
1:	beqz	s0, 2f
	nop
2:	la	s1, page_a
	lr.d	a0, (s1)
	sc.d	a1, a0, (s1)
	sc.d	a1, a0, (s1)			/* fails */
	amoadd.w a0, a1, (s1)
	addi	a2, s1, 4
	amoadd.d a0, a1, (a2)			/* misaligned: traps */
	ld	a0, 60(s1)
	sd	a0, 1(s1)
	la	s2, page_b
	ld	a0, -4(s2)
	.4byte	0x0044a00f			/* cbo.zero (s1) */
	sd	a0, 64(s1)
	addi	a1, s1, 64
	.4byte	0x0015a00f			/* cbo.clean (a1) */
	.4byte	0x0025a00f			/* cbo.flush (a1) */
	.4byte	0x0005a00f			/* cbo.inval (a1) */
	fence	rw, rw
	fence.i
	ebreak
	.4byte	0				/* illegal */
	li	t0, 0x10			/* no memory */
	ld	a0, 0(t0)

	/* S-mode, then back in M-mode */
	la	t0, root
	srli	t0, t0, 12
	li	s8, 8 << 60
	or	s8, s8, t0
	csrw	satp, s8
	la	s11, 1f
	la	t0, smode
	csrw	mepc, t0
	li	t0, 3 << 11
	csrc	mstatus, t0
	li	t0, 1 << 11
	csrs	mstatus, t0
	mret

	/* M-mode with the rights of S-mode */
1:	li	t0, 3 << 11
	csrc	mstatus, t0
	li	t0, 1 << 17 | 1 << 11
	csrs	mstatus, t0
	li	s1, VA
	ld	a0, 0(s1)
	csrc	mstatus, t0

	/* U-mode */
	la	s11, 1f
	li	t0, VA + 0xa000
	csrw	mepc, t0
	li	t0, 3 << 11
	csrc	mstatus, t0
	mret

	/* wfi: hart 0 waits for its timer, the others for hart 0 */
1:	li	t0, 1 << 3 | 1 << 7
	csrw	mie, t0
	bnez	s0, others
	csrsi	mstatus, 8
	li	t1, MTIME
	ld	t0, 0(t1)
	addi	t0, t0, 200
	li	t1, MTIMECMP
	sd	t0, 0(t1)
	wfi
	li	s1, MSIP
	li	s2, HARTS
	li	s3, 1
1:	beq	s3, s2, 2f
	slli	t0, s3, 2
	add	t0, t0, s1
	li	t1, 1
	sw	t1, 0(t0)
	addi	s3, s3, 1
	j	1b
2:	la	s1, woken
	addi	s2, s2, -1
3:	ld	t0, 0(s1)
	bne	t0, s2, 3b
	li	t0, DONE
	li	t1, FINISHER
	sw	t0, 0(t1)
	j	.
others:	wfi
	csrsi	mstatus, 8			/* takes the interrupt */
	la	s1, woken
	li	t0, 1
	amoadd.d zero, t0, (s1)
1:	wfi
	j	1b

smode:
	li	s1, VA
	ld	a0, 0(s1)			/* sets A */
	sd	a0, 8(s1)			/* sets D */
	li	s2, VA + 0x1000
	ld	a0, -4(s2)			/* crosses pages */
	sd	a0, -4(s2)
	ld	a0, 60(s1)
	ld	a0, 1(s1)
	li	s3, VA + 0x2000
	ld	a0, 0(s3)			/* faults */
	ld	a0, -4(s3)			/* its second half faults */
	li	s4, VA + 0x4000
	ld	a0, 0(s4)
	sd	a0, 0(s4)			/* faults */
	li	s5, VA + 0x3000			/* not cached */
	ld	a0, 0(s5)
	sd	a0, 8(s5)
	amoadd.d a0, a0, (s5)
	li	s6, VA + 0x10000
	ld	a0, 0(s6)
	li	s7, VA + 0x1f000
	ld	a0, 0(s7)
	li	s6, VA + 0x200000
	ld	a0, 0(s6)
	li	t0, 1 << 40			/* not canonical */
	ld	a0, 0(t0)
	visit	VA + 0x6000			/* faults */
	visit	VA + 0x5ffe			/* its second half faults */
	visit	VA + 0x7ffe			/* crosses pages */
	visit	VA + 0x9000
	li	a1, 5
	sfence.vma
	ld	a0, 0(s1)
	sfence.vma s1
	ld	a0, 0(s1)
	sfence.vma zero, a1
	sfence.vma s1, a1
	li	t0, 5 << 44
	or	t0, t0, s8
	csrw	satp, t0
	ld	a0, 0(s1)
	csrw	satp, s8
	lr.w	a0, (s1)
	sc.w	a1, a0, (s1)
	.4byte	0				/* illegal */
	ecall

	/*
	 * Uses t5 and t6.  A fetch that faults returns to ra, ecall goes on at s11 in M-mode, and
	 * other instructions that trap are skipped.
	 */
	.balign	4
trap:
	csrr	t5, mcause
	bltz	t5, 3f
	addi	t6, t5, -8
	beqz	t6, 1f
	addi	t6, t5, -9
	beqz	t6, 1f
	addi	t6, t5, -1
	beqz	t6, 2f
	addi	t6, t5, -12
	beqz	t6, 2f
	csrr	t6, mepc
	addi	t6, t6, 4
	csrw	mepc, t6
	mret
1:	li	t6, 3 << 11
	csrs	mstatus, t6
	csrw	mepc, s11
	mret
2:	csrw	mepc, ra
	mret
3:	li	t6, MSIP
	slli	t5, s0, 2
	add	t6, t6, t5
	sw	zero, 0(t6)
	li	t6, MTIMECMP
	slli	t5, s0, 3
	add	t6, t6, t5
	li	t5, -1
	sd	t5, 0(t6)
	mret

	.data
	.balign	65536
page_64k: .skip	65536
root:	.skip	4096
mid:	.skip	4096
low:	.skip	4096
page_a:	.skip	4096
page_b:	.skip	4096
code_last: .skip 4094
	.2byte	0x0013				/* the first half of a nop */
code_x:	.skip	4094
	.2byte	0x0013
code_z:	nop
	nop
	ret
	.balign	4096
code_y:	.2byte	0				/* the second half */
	.4byte	0x00008067			/* ret */
	.balign	4096
code_user: nop
	ecall
	.balign	4096
ready:	.dword	0
woken:	.dword	0
