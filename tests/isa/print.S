/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * print.S - part of harness.S, vector.S, csr.S and suites/suite.S: print writes the doublewords from
 * s0 to s1 to the UART, in hexadecimal.  It changes s0, s2, and a0 to a4.  A jump to off ends the run.
 */
print:	ld	a0, 0(s0)
	li	s2, 16
2:	srli	a1, a0, 60
	slli	a0, a0, 4
	li	a2, 10
	addi	a3, a1, '0'
	blt	a1, a2, 3f
	addi	a3, a1, 'a' - 10
3:	li	a4, 0x10000000
	sb	a3, 0(a4)
	addi	s2, s2, -1
	bnez	s2, 2b
	li	a3, '\n'
	sb	a3, 0(a4)
	addi	s0, s0, 8
	bltu	s0, s1, print
	ret

/* The finisher of the virt machine. */
off:	li	t0, 0x100000
	li	t1, 0x5555
	sw	t1, 0(t0)
	j	.
