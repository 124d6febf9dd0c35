/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trap.S - entry to M-mode and return from it.
 *
 * Every trap saves the registers that a C function may change.  For an ecall from S-mode that is
 * all: this file jumps to the extension with a0 to a6 unchanged (the fast path).  An interrupt
 * needs no more, either.  Other exceptions save all registers, because the firmware may emulate an
 * instruction that uses any of them.
 *
 * The path of a call: trap.S -> ecall_table -> ext_*.c -> trap.S -> S-mode.
 * The path of a trap: trap.S -> trap.c -> misaligned.c, emulate.c or redirect.c -> trap.S.
 * The path of an IPI: trap.S -> trap.c -> ipi.c -> S-mode's SSIP, or rfence.c.
 *
 * Expects: mscratch as described in hart.h.  Interrupts are always off in M-mode.
 *
 * Implements: Priv 1.13 §3.1.6-3.1.15; SBI 3.0 §3 (only a0 and a1 change).
 */
#include "ecall.h"
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

	/* All other registers except a0 and a1; op is REG_S or REG_L. */
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
 * The entry for harts with Smdbltrp.  While MDT is set, another trap would stop the hart; but
 * accesses on S-mode's behalf may trap, and so may faults of the firmware.  So MDT is cleared
 * first.  Other harts use trap_entry and do not pay for it.
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
	/* RV32 only, since Priv 1.12; on an older hart this access traps, which is fatal. */
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
	/* The firmware itself trapped: restore tp, empty the stack, print, and park the hart. */
	csrrw	tp, mscratch, zero
	mv	sp, tp
	mv	a0, tp
	tail	trap_fatal

/* void trap_install(void): sets mtvec of the calling hart.  Changes t0 to t2 only. */
	.globl	trap_install
trap_install:
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
	ret
