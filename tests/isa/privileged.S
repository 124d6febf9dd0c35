/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * privileged.S - runs the episodes that privileged_streams has made, on any machine like QEMU's
 * virt, and prints the results: a log of all traps, registers, sums of memory.
 *
 * An episode is a struct of doublewords (below): CSRs, registers, the address at which the stream
 * begins, and its mode.  The handler of M-mode, or of S-mode for delegated traps, logs a trap and
 * goes on:
 *
 *	an interrupt			clears it and returns
 *	a fetch of the stream failed	goes to the next page
 *	a fetch elsewhere failed	returns to ra
 *	else				skips four bytes
 *
 * An episode ends where the stream ends, or when it has trapped too often.  The first 2 MiB of RAM
 * belong to this file; streams may execute them in S-mode, but never do so on purpose.
 */
	.option norvc
	.equ	TRAPS_MAX, 100
	/* an episode */
	.equ	E_CODE, 0
	.equ	E_END, 8
	.equ	E_ALIAS, 16
	.equ	E_PC, 24
	.equ	E_MSTATUS, 32
	.equ	E_CSRS, 40
	.equ	E_PMPADDR, 104
	.equ	E_X, 168
	.equ	E_SIZE, 416
	/* state: what the handlers share, and where each saves registers */
	.equ	LOG, 0
	.equ	EPISODE, 8
	.equ	TRAPS, 16
	.equ	SAVE, 32

	.macro	save_all csr
	csrrw	x31, \csr, x31
	.irp n,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
	sd	x\n, (SAVE + \n * 8)(x31)
	.endr
	csrr	t0, \csr
	sd	t0, (SAVE + 31 * 8)(x31)
	csrw	\csr, x31
	.endm

	.macro	restore_all
	.irp n,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
	ld	x\n, (SAVE + \n * 8)(x31)
	.endr
	ld	x31, (SAVE + 31 * 8)(x31)
	.endm

	/* A handler of mode p (m or s); x31: base of its registers; goes to \end or returns. */
	.macro	handler p, end
	lla	s2, shared
	ld	s3, LOG(s2)
	csrr	s4, \p\()cause
	csrr	s5, \p\()epc
	csrr	t0, \p\()tval
	csrr	t1, \p\()status
	/* tval of a breakpoint may be the address or 0 (Priv 1.13 §3.1.16). */
	addi	t2, s4, -3
	bnez	t2, 5f
	sub	t2, t0, s5
	bnez	t2, 5f
	li	t0, 0
5:	addi	t2, s4, -5	/* misaligned loads: see privileged_streams */
	bnez	t2, 6f
	andi	t0, t0, -8
6:	addi	t2, s4, -7	/* and stores */
	bnez	t2, 7f
	addi	t0, t0, 7
	andi	t0, t0, -8
7:	csrw	\p\()tval, t0
	sd	s4, 0(s3)
	sd	t0, 8(s3)
	sd	s5, 16(s3)
	sd	t1, 24(s3)
	addi	s3, s3, 32
	sd	s3, LOG(s2)
	ld	t0, TRAPS(s2)
	addi	t0, t0, 1
	sd	t0, TRAPS(s2)
	li	t1, TRAPS_MAX
	bgt	t0, t1, \end
	ld	s6, EPISODE(s2)
	ld	s7, E_CODE(s6)
	ld	s8, E_END(s6)
	ld	s9, E_ALIAS(s6)
	not	s9, s9
	bltz	s4, 3f
	li	t0, 1
	beq	s4, t0, 1f
	li	t0, 12
	beq	s4, t0, 1f
	addi	s5, s5, 4
	j	4f
1:	and	t0, s5, s9
	bltu	t0, s7, 2f
	bgeu	t0, s8, 2f
	li	t0, 4095
	or	s5, s5, t0
	addi	s5, s5, 1
	j	4f
2:	ld	s5, (SAVE + 8)(x31)
	j	4f
3:	csrci	\p\()ip, 2
4:	and	t0, s5, s9
	bltu	t0, s7, \end
	bgeu	t0, s8, \end
	csrw	\p\()epc, s5
	restore_all
	\p\()ret
	.endm

	.section .text.start, "ax"
	.globl	_start
_start:
	csrr	t0, mhartid
	bnez	t0, .		/* QEMU's second hart waits here: see privileged_streams */
	lla	t0, m_trap
	csrw	mtvec, t0
	lla	t0, shared
	lla	t1, log
	sd	t1, LOG(t0)
	lla	t1, episodes
	sd	t1, EPISODE(t0)
episode:
	csrw	mstatus, zero
	csrw	pmpcfg0, zero	/* an access that is partly in an entry fails in M-mode, too */
	lla	t0, shared
	sd	zero, TRAPS(t0)
	ld	s0, EPISODE(t0)
	ld	t1, E_CODE(s0)
	beqz	t1, finish
	lla	t0, m_save
	csrw	mscratch, t0
	lla	t0, s_save
	csrw	sscratch, t0
	lla	t0, s_trap
	csrw	stvec, t0
	csrw	mie, zero
	csrw	mip, zero
	csrw	sepc, zero
	csrw	scause, zero
	csrw	stval, zero
	.irp	n, 0,1,2,3,4,5,6,7
	ld	t0, (E_PMPADDR + \n * 8)(s0)
	csrw	pmpaddr\n, t0
	.endr
	/* menvcfg and senvcfg by number: not all assemblers know them */
	.set	at, E_CSRS
	.irp	csr, satp, medeleg, mideleg, 0x30a, 0x10a, mcounteren, scounteren, pmpcfg0
	ld	t0, at(s0)
	csrw	\csr, t0
	.set	at, at + 8
	.endr
	sfence.vma
	fence.i
	ld	t0, E_MSTATUS(s0)
	csrw	mstatus, t0
	ld	t0, E_PC(s0)
	csrw	mepc, t0
	addi	x31, s0, E_X - 8
	.irp n,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
	ld	x\n, (\n * 8)(x31)
	.endr
	ld	x31, (31 * 8)(x31)
	mret

	.balign	4
m_trap:
	save_all mscratch
	csrr	t0, mepc
	lla	t1, image
	bltu	t0, t1, done	/* S-mode's handler ends the episode */
	/* mret will change MPP, and with MPRV the translation: see privileged_streams */
	csrr	t0, mstatus
	slli	t0, t0, 46
	bgez	t0, 1f
	sfence.vma
1:	handler	m, done

	.balign	4
s_trap:
	save_all sscratch
	handler	s, s_end
s_end:
	restore_all
	ecall

	/* The episode is over; the registers still have the stream's values. */
done:
	lla	t0, shared
	ld	t1, LOG(t0)
	li	t2, -1
	sd	t2, 0(t1)
	addi	t1, t1, 8
	.irp n,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	ld	t2, (SAVE + \n * 8)(x31)
	sd	t2, 0(t1)
	addi	t1, t1, 8
	.endr
	.irp	csr, mstatus, sstatus, sepc, scause, satp, sip
	csrr	t2, \csr
	sd	t2, 0(t1)
	addi	t1, t1, 8
	.endr
	sd	t1, LOG(t0)
	ld	t1, EPISODE(t0)
	addi	t1, t1, E_SIZE
	sd	t1, EPISODE(t0)
	j	episode

	/* The log, then the sum of each 64 KiB of the image. */
finish:
	lla	t0, shared
	ld	s1, LOG(t0)
	lla	s0, log
1:	ld	a0, 0(s0)
	jal	print
	addi	s0, s0, 8
	bltu	s0, s1, 1b
	lla	s0, image
	li	s1, 64
2:	li	a0, 0
	li	t0, 8192
3:	ld	t1, 0(s0)
	slli	t2, a0, 5
	add	a0, a0, t2
	xor	a0, a0, t1
	addi	s0, s0, 8
	addi	t0, t0, -1
	bnez	t0, 3b
	jal	print
	addi	s1, s1, -1
	bnez	s1, 2b
	li	t0, 0x100000
	li	t1, 0x5555
	sw	t1, 0(t0)
	j	.

print:	/* a0 in hexadecimal */
	li	t0, 16
	li	t4, 0x10000000
1:	srli	t1, a0, 60
	slli	a0, a0, 4
	li	t2, 10
	addi	t3, t1, '0'
	blt	t1, t2, 2f
	addi	t3, t1, 'a' - 10
2:	sb	t3, 0(t4)
	addi	t0, t0, -1
	bnez	t0, 1b
	li	t3, '\n'
	sb	t3, 0(t4)
	ret

	.balign	4096
shared:	.zero	64
m_save:	.zero	512
s_save:	.zero	512
	.balign	8
episodes:
	.incbin	"episodes.bin"
	.dword	0
	.balign	4096
log:	.zero	0x60000

	.data
	.balign	0x200000
image:
	.incbin	"image.bin"
	.balign	0x200000
	.zero	0x200000
