/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * access.S - accesses to memory and registers on S-mode's behalf.
 *
 * Implements: Priv 1.13 §3.1.6.3 (MPRV).
 */
#include "hart.h"

#if __riscv_xlen == 32
#define REG_S sw
#else
#define REG_S sd
#endif

	.text
/*
 * Accesses that may fault.  During the access mtvec points to a handler that records the fault and
 * returns to the caller.  ra, t0 (old mtvec), t2 (old mstatus) and a1 (struct trap_info) are kept.
 * mepc is lost; trap.S has saved it.
 */
	.macro	mprv_begin extra
	lla	t0, mprv_fault
	csrrw	t0, mtvec, t0
	li	t1, MSTATUS_MPRV
	\extra
	csrrs	t2, mstatus, t1
	.endm

	.macro	mprv_end
	csrw	mstatus, t2
	csrw	mtvec, t0
	li	t1, -1
	REG_S	t1, INFO_CAUSE(a1)
	ret
	.endm

/* uint8_t mprv_load(rv_ulong addr, struct trap_info *fault, rv_ulong extra) */
	.globl	mprv_load
mprv_load:
	mprv_begin "or t1, t1, a2"
	lbu	a0, (a0)
	mprv_end

/* void mprv_store(rv_ulong addr, struct trap_info *fault, uint8_t value) */
	.globl	mprv_store
mprv_store:
	mprv_begin
	sb	a2, (a0)
	mprv_end

	.balign	4
mprv_fault:
	/* MPRV is still set, but MPP is M now: accesses are M-mode's. */
	csrr	t1, mcause
	REG_S	t1, INFO_CAUSE(a1)
	csrr	t1, mtval
	REG_S	t1, INFO_TVAL(a1)
	csrw	mtvec, t0
	csrw	mstatus, t2
	ret

/*
 * fp_load, fp_store(unsigned n, void *at, unsigned bytes): jumps into a table with two
 * instructions for each register.  FS is not Off: otherwise S-mode's instruction would have been
 * illegal.
 */
	.option	push
	.option	norvc
	.option	arch, +f, +d
	.macro	fp_table insn
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	\insn	f\n, (a1)
	ret
	.endr
	.endm
	.macro	fp_jump single, double
	lla	t0, \single
	addi	a2, a2, -4
	beqz	a2, 1f
	lla	t0, \double
1:	slli	a0, a0, 3
	add	t0, t0, a0
	jr	t0
	.endm

	.globl	fp_load
fp_load:
	fp_jump	flw_table, fld_table
	.globl	fp_store
fp_store:
	fp_jump	fsw_table, fsd_table
flw_table:
	fp_table flw
fld_table:
	fp_table fld
fsw_table:
	fp_table fsw
fsd_table:
	fp_table fsd
	.option	pop
