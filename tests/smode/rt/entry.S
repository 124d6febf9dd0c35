/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * entry.S - the payload's first instructions, its trap vector, and what C cannot express: an ecall
 * with chosen values in all registers, instructions that may trap, counter CSRs by number.
 *
 * The entry is that of an S-mode boot payload: a0 is the hart id, a1 the device tree.  The image is
 * linked at a fixed address; if it is loaded elsewhere, it prints an error.
 *
 * Traps: sscratch always holds the hart's struct hart; so does tp, but not during ecall_regs.
 * Registers are saved in struct hart and not on the stack, so a trap does no harm even when sp
 * holds a test pattern.
 *
 * May call: rt.c.
 */
#include "rt_asm.h"
#include <rv/csr.h>
#include <rv/sbi.h>

	.section .text.entry, "ax"
	.globl	_start
_start:
	csrw	CSR_SIE, zero
	csrci	CSR_SSTATUS, 2
	lla	t0, _start
	lla	t1, linked_at
	lw	t1, 0(t1)
	sub	t0, t0, t1
	slli	t0, t0, RV_XLEN - 32
	bnez	t0, wrong_place

	lla	t0, entered
	li	t1, 1
	amoswap.w t1, t1, (t0)
	bnez	t1, stray

	lla	t0, _bss_start
	lla	t1, _bss_end
1:	REG_S	zero, 0(t0)
	addi	t0, t0, RT_REG
	bltu	t0, t1, 1b

	lla	tp, rt_harts
	lla	sp, rt_boot_stack
	li	t0, RT_STACK_SIZE
	add	sp, sp, t0
	REG_S	sp, HART_TSTACK(tp)
	lla	sp, rt_boot_stack
	slli	t0, t0, 1
	add	sp, sp, t0
	csrw	CSR_SSCRATCH, tp
	lla	t0, trap_entry
	csrw	CSR_STVEC, t0
	call	rt_main
	j	.

/* Loaded at another address than it was linked at: print that on the legacy console. */
wrong_place:
	lla	s0, wrong_text
1:	lbu	a0, 0(s0)
	beqz	a0, 2f
	li	a7, SBI_EXT_LEGACY_CONSOLE_PUTCHAR
	ecall
	addi	s0, s0, 1
	j	1b
2:	li	a7, SBI_EXT_LEGACY_SHUTDOWN
	ecall
	j	.

/*
 * A hart that arrives here after the boot hart was sent here by a faulty hart_start.  It is counted
 * (smp.c tests the count) and goes to rt_hart_entry, so that other tests do not fail because of it.
 * A hart that nobody has started yet waits for ever.
 */
stray:
	lla	t0, rt_strays
	li	t1, 1
	amoadd.w zero, t1, (t0)
	lla	t0, rt_starting
	REG_L	a1, 0(t0)
	bnez	a1, rt_hart_entry
1:	wfi
	j	1b

	.balign	4
linked_at:
	.word	_start
wrong_text:
	.asciz	"Bail out! the payload was not loaded at its link address\n"
	.balign	4

/* The boot hart does not clear this. */
	.data
	.balign	4
entered:
	.word	0

/* void rt_hart_entry(hartid, struct hart *): a hart begins here after HSM's hart_start. */
	.text
	.globl	rt_hart_entry
rt_hart_entry:
	mv	tp, a1
	REG_L	sp, HART_STACK(tp)
	csrw	CSR_SSCRATCH, tp
	lla	t0, trap_entry
	csrw	CSR_STVEC, t0
	call	rt_hart_main
	j	.

/* Saves x1, x2, x3 and x5 to x31 to tp->regs and x4 from sscratch; sscratch = tp again. */
	.macro	SAVE_ALL
	.irp	n, 1,2,3,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	REG_S	x\n, (HART_REGS + \n * RT_REG)(tp)
	.endr
	csrr	t0, CSR_SSCRATCH
	REG_S	t0, (HART_REGS + 4 * RT_REG)(tp)
	csrw	CSR_SSCRATCH, tp
	.endm

	.balign	4
trap_entry:
	csrrw	tp, CSR_SSCRATCH, tp
	SAVE_ALL
	REG_L	sp, HART_TSTACK(tp)
	mv	a0, tp
	call	rt_trap
	.irp	n, 1,2,3,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	REG_L	x\n, (HART_REGS + \n * RT_REG)(tp)
	.endr
	REG_L	tp, (HART_REGS + 4 * RT_REG)(tp)
	sret

/* Callee-saved registers are saved to and restored from tp->jmp. */
	.macro	JMP op
	\op	ra, (HART_JMP + 0 * RT_REG)(tp)
	\op	sp, (HART_JMP + 1 * RT_REG)(tp)
	\op	s0, (HART_JMP + 2 * RT_REG)(tp)
	\op	s1, (HART_JMP + 3 * RT_REG)(tp)
	\op	s2, (HART_JMP + 4 * RT_REG)(tp)
	\op	s3, (HART_JMP + 5 * RT_REG)(tp)
	\op	s4, (HART_JMP + 6 * RT_REG)(tp)
	\op	s5, (HART_JMP + 7 * RT_REG)(tp)
	\op	s6, (HART_JMP + 8 * RT_REG)(tp)
	\op	s7, (HART_JMP + 9 * RT_REG)(tp)
	\op	s8, (HART_JMP + 10 * RT_REG)(tp)
	\op	s9, (HART_JMP + 11 * RT_REG)(tp)
	\op	s10, (HART_JMP + 12 * RT_REG)(tp)
	\op	s11, (HART_JMP + 13 * RT_REG)(tp)
	.endm

/*
 * int rt_guard_call(void (*fn)(const void *), const void *arg): calls fn(arg).  Returns 0, or 1 if
 * an unexpected trap ended fn (rt_trap then returns to rt_guard_exit).
 */
	.globl	rt_guard_call
rt_guard_call:
	JMP	REG_S
	mv	t0, a0
	mv	a0, a1
	jalr	t0
	JMP	REG_L
	li	a0, 0
	ret
	.globl	rt_guard_exit
rt_guard_exit:
	JMP	REG_L
	li	a0, 1
	ret

	.macro	FRAME op
	.set	slot, 0
	.irp	r, ra,gp,s0,s1,s2,s3,s4,s5,s6,s7,s8,s9,s10,s11
	\op	\r, (slot * RT_REG)(sp)
	.set	slot, slot + 1
	.endr
	.endm

/*
 * void rt_ecall_regs(const rv_ulong in[32]): an ecall with x1 to x31 from in; their values after it
 * are in tp->regs.  The stack frame keeps the callee-saved registers; its address and tp are kept
 * in struct hart, which only sscratch points to during the call.
 */
	.globl	rt_ecall_regs
rt_ecall_regs:
	addi	sp, sp, -16 * RT_REG
	FRAME	REG_S
	REG_S	sp, HART_CAUSE(tp)
	mv	x31, a0
	.irp	n, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
	REG_L	x\n, (\n * RT_REG)(x31)
	.endr
	REG_L	x31, (31 * RT_REG)(x31)
	ecall
	csrrw	tp, CSR_SSCRATCH, tp
	SAVE_ALL
	REG_L	sp, HART_CAUSE(tp)
	FRAME	REG_L
	addi	sp, sp, 16 * RT_REG
	ret

/*
 * rv_long rt_try_...(): one instruction that may trap.  Returns the trap's cause, or RT_NO_TRAP.
 */
	.macro	TRY name, insn:vararg
	.globl	\name
\name:
	lla	t0, 1f
	REG_S	t0, HART_RESUME(tp)
	li	t1, RT_NO_TRAP
	REG_S	t1, HART_CAUSE(tp)
	\insn
1:	REG_S	zero, HART_RESUME(tp)
	REG_L	a0, HART_CAUSE(tp)
	ret
	.endm

	.balign	4
	TRY	rt_try_load, lw t1, 0(a0)
	TRY	rt_try_store, sw a1, 0(a0)
	TRY	rt_try_load_byte, lb t1, 0(a0)
	TRY	rt_try_store_byte, sb a1, 0(a0)
	TRY	rt_try_lr, lr.w t1, (a0)
	TRY	rt_try_amo, amoadd.w t1, zero, (a0)
	TRY	rt_try_illegal, .word 0xc0001073
	TRY	rt_try_scountovf, csrr a1, CSR_SCOUNTOVF
	TRY	rt_try_mstatus, csrr a1, CSR_MSTATUS
	TRY	rt_try_scountinhibit, csrr a1, CSR_SCOUNTINHIBIT
	TRY	rt_try_sireg, csrr a1, CSR_SIREG
	TRY	rt_try_sireg2, csrr a1, CSR_SIREG2
	TRY	rt_try_sireg3, csrr a1, CSR_SIREG3
	.balign	4

/* rv_long rt_try_seed(rv_ulong *value) */
	.globl	rt_try_seed
rt_try_seed:
	lla	t0, 1f
	REG_S	t0, HART_RESUME(tp)
	li	t1, RT_NO_TRAP
	REG_S	t1, HART_CAUSE(tp)
	csrrw	t2, CSR_SEED, zero
	REG_S	t2, 0(a0)
1:	REG_S	zero, HART_RESUME(tp)
	REG_L	a0, HART_CAUSE(tp)
	ret

/* The same from U-mode, which returns by an ecall if the access is allowed. */
	.globl	rt_try_user_seed
rt_try_user_seed:
	lla	t0, 1f
	REG_S	t0, HART_RESUME(tp)
	lla	t0, 2f
	csrw	CSR_SEPC, t0
	li	t0, MSTATUS_SPP
	csrc	CSR_SSTATUS, t0
	sret
	.balign	4
2:	csrrw	t2, CSR_SEED, zero
	REG_S	t2, 0(a0)
	ecall
	.balign	4
1:	REG_S	zero, HART_RESUME(tp)
	REG_L	a0, HART_CAUSE(tp)
	ret

/* rv_long rt_try_exec(addr): jumps there; the code there should trap or return. */
	.globl	rt_try_exec
rt_try_exec:
	addi	sp, sp, -16
	REG_S	ra, 0(sp)
	lla	t0, 1f
	REG_S	t0, HART_RESUME(tp)
	li	t1, RT_NO_TRAP
	REG_S	t1, HART_CAUSE(tp)
	jalr	a0
1:	REG_S	zero, HART_RESUME(tp)
	REG_L	a0, HART_CAUSE(tp)
	REG_L	ra, 0(sp)
	addi	sp, sp, 16
	ret

/*
 * rv_long rt_try_hpm(unsigned n, rv_ulong *value): reads CSR hpmcounter n (0 cycle, 2 instret),
 * or with n + 32 its high half.
 */
	.globl	rt_try_hpm
rt_try_hpm:
	lla	t0, 1f
	REG_S	t0, HART_RESUME(tp)
	li	t1, RT_NO_TRAP
	REG_S	t1, HART_CAUSE(tp)
	lla	t1, hpm_table
	slli	a0, a0, 3
	add	t1, t1, a0
	jr	t1
1:	REG_S	zero, HART_RESUME(tp)
	REG_S	t1, 0(a1)
	REG_L	a0, HART_CAUSE(tp)
	ret

	.option	push
	.option	norvc
	.balign	8
hpm_table:
	.set	i, 0
	.rept	32
	csrr	t1, CSR_HPMCOUNTER + i
	j	1b
	.set	i, i + 1
	.endr
	.set	i, 0
	.rept	32
	csrr	t1, CSR_HPMCOUNTERH + i
	j	1b
	.set	i, i + 1
	.endr
	.option	pop

/* rv_ulong rt_scountovf(void): call it only if the probe has found the CSR. */
	.globl	rt_scountovf
rt_scountovf:
	csrr	a0, CSR_SCOUNTOVF
	ret
