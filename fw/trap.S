/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trap.S - the way into M-mode and out of it.
 *
 * The registers that a C function may change are saved for every trap.  An ecall from S-mode
 * then goes straight to its extension with a0 to a6 unmoved (the fast path: nothing else is
 * saved, no C function decides); an interrupt needs no more either.  Other exceptions save
 * all registers, because they may emulate an instruction that uses any.
 *
 * Expects: mscratch as hart.h says.  Interrupts are off in M-mode all the time.
 *
 * Implements: Priv 1.13 §3.1.6-3.1.15; SBI 3.0 §3 (only a0 and a1 change).
 */
#include "hart.h"

#if __riscv_xlen == 32
#define REG_L lw
#define REG_S sw
#else
#define REG_L ld
#define REG_S sd
#endif

	.macro	restore_caller_saved
	REG_L	ra, HART_X(1)(tp)
	REG_L	t0, HART_X(5)(tp)
	REG_L	t1, HART_X(6)(tp)
	REG_L	t2, HART_X(7)(tp)
	REG_L	a2, HART_X(12)(tp)
	REG_L	a3, HART_X(13)(tp)
	REG_L	a4, HART_X(14)(tp)
	REG_L	a5, HART_X(15)(tp)
	REG_L	a6, HART_X(16)(tp)
	REG_L	a7, HART_X(17)(tp)
	REG_L	t3, HART_X(28)(tp)
	REG_L	t4, HART_X(29)(tp)
	REG_L	t5, HART_X(30)(tp)
	REG_L	t6, HART_X(31)(tp)
	REG_L	sp, HART_X(2)(tp)
	csrw	mscratch, tp
	REG_L	tp, HART_X(4)(tp)
	.endm

	/* Everything else but a0, a1: op is REG_S or REG_L. */
	.macro	callee_saved op
	\op	gp, HART_X(3)(tp)
	\op	s0, HART_X(8)(tp)
	\op	s1, HART_X(9)(tp)
	\op	s2, HART_X(18)(tp)
	\op	s3, HART_X(19)(tp)
	\op	s4, HART_X(20)(tp)
	\op	s5, HART_X(21)(tp)
	\op	s6, HART_X(22)(tp)
	\op	s7, HART_X(23)(tp)
	\op	s8, HART_X(24)(tp)
	\op	s9, HART_X(25)(tp)
	\op	s10, HART_X(26)(tp)
	\op	s11, HART_X(27)(tp)
	.endm

	.text
#if __riscv_xlen == 64
/*
 * The entry of harts with Smdbltrp: as long as MDT is set another trap, which accesses on S-mode's
 * behalf expect and a fault of the firmware is, would stop the hart.  No other hart pays for it.
 */
	.balign	64
trap_entry_mdt:
	csrrw	tp, mscratch, tp
	beqz	tp, from_m_mdt
	REG_S	t0, HART_X(5)(tp)
	li	t0, MSTATUS_MDT
	csrc	mstatus, t0
	j	entered
from_m_mdt:
	li	tp, MSTATUS_MDT
	csrc	mstatus, tp
	j	from_m
#endif

	.balign	64
	.globl	trap_entry
trap_entry:
	csrrw	tp, mscratch, tp
	beqz	tp, from_m
	REG_S	t0, HART_X(5)(tp)
entered:
	csrrw	t0, mscratch, zero
	REG_S	t0, HART_X(4)(tp)
	csrr	t0, mcause
	REG_S	ra, HART_X(1)(tp)
	REG_S	sp, HART_X(2)(tp)
	REG_S	t1, HART_X(6)(tp)
	REG_S	t2, HART_X(7)(tp)
	REG_S	a2, HART_X(12)(tp)
	REG_S	a3, HART_X(13)(tp)
	REG_S	a4, HART_X(14)(tp)
	REG_S	a5, HART_X(15)(tp)
	REG_S	a6, HART_X(16)(tp)
	REG_S	a7, HART_X(17)(tp)
	REG_S	t3, HART_X(28)(tp)
	REG_S	t4, HART_X(29)(tp)
	REG_S	t5, HART_X(30)(tp)
	REG_S	t6, HART_X(31)(tp)
	addi	t1, t0, -CAUSE_ECALL_S
	mv	sp, tp
	bnez	t1, not_a_call

	csrr	t0, mepc
	addi	t0, t0, 4
	csrw	mepc, t0
	REG_L	t0, HART_NR_CALLS(tp)
	addi	t0, t0, 1
	REG_S	t0, HART_NR_CALLS(tp)
#if __riscv_xlen == 32
	beqz	t0, carry
counted:
#endif
	srli	t0, a7, ECALL_HASH
	xor	t0, t0, a7
	andi	t0, t0, (ECALL_SLOTS - 1) << ECALL_SCALE
	lla	t1, ecall_table
	add	t0, t0, t1
	REG_L	t0, (t0)
	beqz	t0, other_call
	REG_L	t1, EXT_EID(t0)
	REG_L	t0, EXT_HANDLE(t0)
	bne	t1, a7, other_call
	mv	a7, tp
	jalr	t0
	restore_caller_saved
	mret

other_call:
	mv	a7, tp
	call	ecall_other
	restore_caller_saved
	mret

#if __riscv_xlen == 32
carry:
	REG_L	t0, HART_NR_CALLS + 4(tp)
	addi	t0, t0, 1
	REG_S	t0, HART_NR_CALLS + 4(tp)
	j	counted
#endif

not_a_call:
	REG_S	a0, HART_X(10)(tp)
	REG_S	a1, HART_X(11)(tp)
	mv	a0, tp
	bgez	t0, exception
	call	trap_interrupt
	REG_L	a0, HART_X(10)(tp)
	REG_L	a1, HART_X(11)(tp)
	restore_caller_saved
	mret

exception:
	callee_saved REG_S
	csrr	t0, mepc
	REG_S	t0, HART_MEPC(tp)
	csrr	t0, mstatus
	REG_S	t0, HART_MSTATUS(tp)
#if __riscv_xlen == 32
	/* Only RV32 has it, and only since Priv 1.12; older harts trap here, which is fatal. */
	csrr	t0, CSR_MSTATUSH
	REG_S	t0, HART_MSTATUSH(tp)
#endif
	call	trap_exception
	REG_L	t0, HART_MEPC(tp)
	csrw	mepc, t0
	REG_L	t0, HART_MSTATUS(tp)
	csrw	mstatus, t0
#if __riscv_xlen == 32
	REG_L	t0, HART_MSTATUSH(tp)
	csrw	CSR_MSTATUSH, t0
#endif
	callee_saved REG_L
	REG_L	a0, HART_X(10)(tp)
	REG_L	a1, HART_X(11)(tp)
	restore_caller_saved
	mret

from_m:
	/* The firmware itself trapped: take tp back, begin a fresh stack, tell, and park. */
	csrrw	tp, mscratch, zero
	mv	sp, tp
	mv	a0, tp
	tail	trap_fatal

/*
 * void trap_return_s(struct hart *h, rv_ulong a0, rv_ulong a1): mret to mepc with the given
 * a0 and a1 and every other register zero, so that S-mode learns nothing.
 */
	.globl	trap_return_s
trap_return_s:
	csrw	mscratch, a0
	mv	a0, a1
	mv	a1, a2
	.irp	r, ra,sp,gp,tp,t0,t1,t2,s0,s1,a2,a3,a4,a5,a6,a7,s2,s3,s4,s5,s6,s7,s8,s9,s10,s11
	mv	\r, zero
	.endr
	.irp	r, t3,t4,t5,t6
	mv	\r, zero
	.endr
	mret

/* void hart_on_own_stack(struct hart *h, void (*fn)(struct hart *h)) */
	.globl	hart_on_own_stack
hart_on_own_stack:
	csrw	mscratch, zero
	mv	tp, a0
	mv	sp, a0
	lla	t0, trap_entry
#if __riscv_xlen == 64
	/* A hart without Smdbltrp does not keep MDT. */
	li	t1, MSTATUS_MDT
	csrs	mstatus, t1
	csrrc	t2, mstatus, t1
	and	t2, t2, t1
	beqz	t2, 1f
	lla	t0, trap_entry_mdt
1:
#endif
	csrw	mtvec, t0
	jr	a1

/*
 * Accesses that may fault.  For their one instruction mtvec points to a handler that notes
 * the fault and returns to the caller: ra, t0 (old mtvec), t2 (old mstatus) and a1 (struct
 * trap_info) survive.  mepc is lost, which trap.c has saved.
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
 * fp_load, fp_store(unsigned n, void *at, unsigned bytes): through a table of two
 * instructions for each register.  S-mode's FS is on, or the trap had been another one.
 */
	.option	push
	.option	norvc
	.option	arch, +f, +d
	.macro	fp_table insn
	.irp	n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
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
