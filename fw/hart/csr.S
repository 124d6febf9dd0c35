/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * csr.S - CSR access by a number that is known at run time only.
 *
 * The number of a CSR is part of the instruction, so there is one instruction for each CSR.  They
 * are in pages of 32 numbers, and a table of bytes finds the page: an access takes 14 to 17
 * instructions.  The CSRs that start, stop and configure counters have shorter paths: 4
 * instructions for mcountinhibit and scountovf, 11 for mhpmevent, 9 to write mhpmevent and read it
 * back.
 * The instructions begin 128 bytes after the begin of the table.
 * A number on no page reads as 0, and writes to it are ignored; the firmware uses none.
 */
#include "hart.h"

/* The pages: CSR numbers >> 5.  The position in this list, from 1, is the byte in page_of. */
#define PAGES 0x09, 0x0a, 0x18, 0x19, 0x1a, 0x1d, 0x1e, 0x1f, 0x39, 0x3a, 0x58, 0x5c, 0x60, 0x6d
#define EVENT_PAGE (CSR_MHPMEVENT >> 5)

	.text
	.balign	8
	.option	push
	.option	norvc
	.option	norelax	/* the tables' alignment must survive the linker */

	.macro	read_page page
	.set	num, \page << 5
	.rept	32
	csrr	a0, num
	ret
	.set	num, num + 1
	.endr
	.endm

	.macro	write_page page
	.if	\page == EVENT_PAGE
write_event_page:
	.endif
	.set	num, \page << 5
	.rept	32
	csrw	num, a2
	ret
	.set	num, num + 1
	.endr
	.endm

/* rv_ulong csr_num_read(void *ctx, unsigned num) */
	.globl	csr_num_read
csr_num_read:
	li	t0, CSR_SCOUNTOVF
	beq	a1, t0, read_scountovf
	srli	t1, a1, 5
	lla	t0, page_of
	add	t1, t1, t0
	lbu	t1, (t1)
	andi	a1, a1, 31
	slli	t1, t1, 5
	add	a1, a1, t1
	slli	a1, a1, 3
	add	a1, a1, t0
	jr	128(a1)

/* void csr_num_write(void *ctx, unsigned num, rv_ulong value) */
	.globl	csr_num_write
csr_num_write:
	addi	t0, a1, -CSR_MCOUNTINHIBIT
	beqz	t0, write_mcountinhibit
	sltiu	t1, t0, 32
	beqz	t1, 1f
	lla	t1, write_event_page
	slli	t0, t0, 3
	add	t1, t1, t0
	jr	(t1)
1:
	srli	t1, a1, 5
	lla	t0, page_of_w
	add	t1, t1, t0
	lbu	t1, (t1)
	andi	a1, a1, 31
	slli	t1, t1, 5
	add	a1, a1, t1
	slli	a1, a1, 3
	add	a1, a1, t0
	jr	128(a1)

read_scountovf:
	csrr	a0, CSR_SCOUNTOVF
	ret
write_mcountinhibit:
	csrw	CSR_MCOUNTINHIBIT, a2
	ret

/* bool csr_num_probe(void *ctx, unsigned num, rv_ulong *value) */
	.globl	csr_num_probe
csr_num_probe:
	lla	t3, absent
	csrrw	t3, mtvec, t3
	csrr	t4, mepc
	csrr	t5, mstatus
	mv	t6, ra
	call	csr_num_read
#if __riscv_xlen == 64
	sd	a0, (a2)
#else
	sw	a0, (a2)
#endif
	li	a0, 1
	csrw	mtvec, t3
	jr	t6
	.balign	4
absent:
	csrw	mtvec, t3
	csrw	mepc, t4
	csrw	mstatus, t5
	li	a0, 0
	jr	t6

/* bool try_load(rv_ulong addr, rv_ulong *value) */
	.globl	try_load
try_load:
	lla	t3, absent
	csrrw	t3, mtvec, t3
	csrr	t4, mepc
	csrr	t5, mstatus
	mv	t6, ra
#if __riscv_xlen == 64
	ld	a0, (a0)
	sd	a0, (a1)
#else
	lw	a0, (a0)
	sw	a0, (a1)
#endif
	li	a0, 1
	csrw	mtvec, t3
	ret

/*
 * rv_ulong csr_event_update(void *ctx, unsigned num, rv_ulong value): writes mhpmevent, or its
 * high half, and returns the value that it then holds, in 9 instructions.  event_get_info needs it.
 */
	.globl	csr_event_update
csr_event_update:
	addi	t0, a1, -CSR_MHPMEVENT
	lla	t1, update_event
#if __riscv_xlen == 32
	sltiu	t2, t0, 32
	bnez	t2, 1f
	addi	t0, t0, CSR_MHPMEVENT - CSR_MHPMEVENTH + 32
1:
#endif
	slli	t0, t0, 4
	add	t1, t1, t0
	jr	(t1)

	.macro	update_page first
	.set	num, \first
	.rept	32
	csrw	num, a2
	csrr	a0, num
	ret
	nop
	.set	num, num + 1
	.endr
	.endm

	.balign	16
update_event:
	update_page CSR_MHPMEVENT
#if __riscv_xlen == 32
	update_page CSR_MHPMEVENTH
#endif

	/* A byte for each page number; 0 stands for all pages that are not in PAGES. */
	.macro	page_bytes
	.set	page, 0
	.rept	128
	.set	n, 0
	.set	place, 1
	.irp	p, PAGES
	.if	page == \p
	.set	n, place
	.endif
	.set	place, place + 1
	.endr
	.byte	n
	.set	page, page + 1
	.endr
	.endm

	.balign	8
page_of:
	page_bytes
read_pages:
	.rept	32
	li	a0, 0
	ret
	.endr
	.irp	p, PAGES
	read_page \p
	.endr

	.balign	8
page_of_w:
	page_bytes
write_pages:
	.rept	32
	nop
	ret
	.endr
	.irp	p, PAGES
	write_page \p
	.endr
	.option	pop
