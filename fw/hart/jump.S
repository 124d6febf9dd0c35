/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * jump.S - jumps to S-mode, and to a hart's own stack.
 */
	.text
/*
 * void jump_to_s(struct hart *h, rv_ulong a0, rv_ulong a1): mret to mepc with these a0 and
 * a1.  Every other register is 0, so that S-mode sees nothing of the firmware.
 */
	.globl	jump_to_s
jump_to_s:
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

/* void jump_to_own_stack(struct hart *h, void (*fn)(struct hart *h)) */
	.globl	jump_to_own_stack
jump_to_own_stack:
	csrw	mscratch, zero
	mv	tp, a0
	mv	sp, a0
	jr	a1
