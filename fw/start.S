/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * start.S - the first instructions of every hart.
 *
 * In: a0 hart id, a1 device tree, a2 struct fw_dynamic_info or anything else.  The first hart to
 * increment lottery clears .bss and runs boot_cold() on the boot stack, which makes the hart table.
 * If that hart can run S-mode, it continues with boot_hart() on its own stack; else it sleeps for
 * ever, and another hart of the table boots instead.  The other harts wait for the table, search
 * themselves in it and run boot_warm() on their own stacks; a hart that is not in the table sleeps
 * for ever.
 */
#include "hart.h"

#if __riscv_xlen == 32
#define REG_L lw
#define PTR   .word
#else
#define REG_L ld
#define PTR   .dword
#endif

	.section .entry, "ax"
	.globl	_start
_start:
	csrw	mie, zero
	csrw	mscratch, zero
	li	t0, MSTATUS_MPRV
	csrc	mstatus, t0
	call	may_trap

	/* Tables of pointers are right at the link address only. */
	lla	s0, _start
	REG_L	s1, linked_at
	lla	t1, lottery
	li	t2, 1
	amoadd.w t0, t2, (t1)
	bne	s0, s1, misplaced
	bnez	t0, follow

	lla	t0, _bss_start
	lla	t1, _bss_end
1:	bgeu	t0, t1, 2f
#if __riscv_xlen == 64
	sd	zero, (t0)
	addi	t0, t0, 8
#else
	sw	zero, (t0)
	addi	t0, t0, 4
#endif
	j	1b
2:	lla	sp, boot_stack_end
	call	boot_cold
	beqz	a0, lost
	lla	a1, boot_hart
	call	trap_install
	j	jump_to_own_stack

follow:	/* wait for the table; boot.c raises a software interrupt when it is complete */
	li	t0, MIP_MSIP
	csrw	mie, t0
1:	fence
	lw	t0, boot_table_ready
	bnez	t0, 2f
	wfi
	j	1b
2:	fence
	csrr	a0, mhartid
	lla	t0, hart_ids
	lla	t1, hart_nr
	lw	t1, (t1)
	lla	t2, hart_slot
	li	t3, HART_SLOT_SIZE
3:	beqz	t1, lost
	REG_L	t4, (t0)
	add	t2, t2, t3
	addi	t0, t0, HART_XB
	addi	t1, t1, -1
	bne	t4, a0, 3b
	/* struct hart is at the end of its slot; only C knows its size */
	lla	t4, hart_struct_size
	REG_L	t4, (t4)
	sub	a0, t2, t4
	lla	a1, boot_warm
	call	trap_install
	j	jump_to_own_stack

/*
 * Makes traps possible.  After a reset, a hart with Smrnmi takes exceptions to another handler
 * until NMIE is set, and a hart with Smdbltrp stops at any trap while MDT is set.  The firmware
 * probes extensions with accesses that may trap, so both come first.  On a hart without Smrnmi the
 * access to mnstatus traps to the label 1.
 */
may_trap:
	lla	t0, 1f
	csrw	mtvec, t0
#if __riscv_xlen == 64
	li	t1, MSTATUS_MDT
	csrc	mstatus, t1
#endif
	csrsi	CSR_MNSTATUS, MNSTATUS_NMIE
	.balign	4
1:
#if __riscv_xlen == 64
	csrc	mstatus, t1
#endif
	lla	t0, lost
	csrw	mtvec, t0
	ret

misplaced:
	bnez	t0, lost
	lla	sp, boot_stack_end
	mv	a0, s0
	call	boot_misplaced

	.balign	4
lost:
	csrw	mie, zero
	wfi
	j	lost

	.balign	8
linked_at:
	PTR	FW_BASE

	.data
	.balign	4
lottery:
	.word	0
	.globl	boot_table_ready
boot_table_ready:
	.word	0

	.bss
	.balign	16
	.space	4096
boot_stack_end:
