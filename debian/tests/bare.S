/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * bare.S - for debian/tests/installed: asks the firmware for its implementation (SBI 3.0, section 4.2) if
 * FIRMWARE is defined, prints a line, and ends the machine with status 7.
 */
	.globl _start
_start:
#ifdef FIRMWARE
	li	a7, 0x10	/* Base: get_impl_id */
	li	a6, 1
	ecall
	li	t0, 0x484c54	/* Holter */
	bne	a1, t0, 2f
#endif
	li	t1, 0x10000000	/* the serial port */
	la	t2, line
1:	lbu	t0, 0(t2)
	beqz	t0, 2f
	sb	t0, 0(t1)
	addi	t2, t2, 1
	j	1b
2:	li	t1, 0x100000	/* the finisher */
	li	t0, 0x73333
	sw	t0, 0(t1)
3:	j	3b

line:	.asciz	"it runs\n"
