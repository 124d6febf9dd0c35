/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kernels.S - vector programs of bench/vector/run, one for each NAME, without a system: a loop of COUNT runs,
 * then power off.
 *
 *	memcpy		4096 bytes, LMUL 8
 *	strlen		of 4095 characters, with loads that are fault-only-first
 *	saxpy		1024 floats, LMUL 4
 *	sgemm		64 x 64 floats, four rows at a time, LMUL 4
 *	dot8		products of 4096 signed bytes, widened to 16 and summed in 32 bits
 *	conv7		7 x 7 weights of 16 bits over 58 x 64 of them, wrapping around, LMUL 2
 *	chacha20	as many blocks as 32-bit elements fit in a register, 20 rounds
 */
#define memcpy	 1
#define strlen	 2
#define saxpy	 3
#define sgemm	 4
#define dot8	 5
#define conv7	 6
#define chacha20 7

	.text
	.globl _start
_start:
	li	t0, 0x6600		/* mstatus.VS and FS */
	csrs	mstatus, t0
	la	t1, a
	li	t2, 4095		/* characters that are not 0; as floats: some hundred */
	li	t3, 0x43
1:	sb	t3, (t1)
	addi	t1, t1, 1
	addi	t2, t2, -1
	bnez	t2, 1b
	li	t0, 0x3f800000		/* 1.0 */
	fmv.w.x	fa0, t0
	li	s0, COUNT
again:
	la	a0, a
	la	a1, b
	la	a2, c
#if NAME == memcpy
	li	t0, 4096
1:	vsetvli	t4, t0, e8, m8, ta, ma
	vle8.v	v0, (a0)
	add	a0, a0, t4
	sub	t0, t0, t4
	vse8.v	v0, (a1)
	add	a1, a1, t4
	bnez	t0, 1b
#elif NAME == strlen
1:	vsetvli	t4, zero, e8, m1, ta, ma
	vle8ff.v v0, (a0)
	csrr	t4, vl
	vmseq.vi v1, v0, 0
	vfirst.m t5, v1
	add	a0, a0, t4
	bltz	t5, 1b
#elif NAME == saxpy
	li	t0, 1024
1:	vsetvli	t4, t0, e32, m4, ta, ma
	vle32.v	v0, (a0)
	vle32.v	v8, (a1)
	vfmacc.vf v8, fa0, v0
	slli	t5, t4, 2
	add	a0, a0, t5
	sub	t0, t0, t4
	vse32.v	v8, (a1)
	add	a1, a1, t5
	bnez	t0, 1b
#elif NAME == sgemm
	li	s1, 16			/* four rows each */
2:	li	s2, 64			/* columns to do */
	la	a1, b
3:	vsetvli	t4, s2, e32, m4, ta, ma
	vmv.v.i	v8, 0
	vmv.v.i	v12, 0
	vmv.v.i	v16, 0
	vmv.v.i	v20, 0
	mv	t0, a1
	mv	t1, a0
	li	s3, 64
4:	vle32.v	v4, (t0)
	flw	fa0, (t1)
	flw	fa1, 256(t1)
	flw	fa2, 512(t1)
	flw	fa3, 768(t1)
	vfmacc.vf v8, fa0, v4
	vfmacc.vf v12, fa1, v4
	addi	t0, t0, 256
	addi	t1, t1, 4
	vfmacc.vf v16, fa2, v4
	vfmacc.vf v20, fa3, v4
	addi	s3, s3, -1
	bnez	s3, 4b
	addi	t0, a2, 256
	vse32.v	v8, (a2)
	vse32.v	v12, (t0)
	addi	t0, t0, 256
	vse32.v	v16, (t0)
	addi	t0, t0, 256
	vse32.v	v20, (t0)
	slli	t5, t4, 2
	add	a1, a1, t5
	add	a2, a2, t5
	sub	s2, s2, t4
	bnez	s2, 3b
	addi	a0, a0, 1024
	addi	a2, a2, 768
	addi	s1, s1, -1
	bnez	s1, 2b
#elif NAME == dot8
	vsetvli	t4, zero, e32, m8, ta, ma
	vmv.v.i	v24, 0
	li	t0, 4096
1:	vsetvli	t4, t0, e8, m2, ta, ma
	vle8.v	v0, (a0)
	vle8.v	v2, (a1)
	vwmul.vv v4, v0, v2
	vsetvli	zero, zero, e16, m4, ta, ma
	vwadd.wv v24, v24, v4
	add	a0, a0, t4
	add	a1, a1, t4
	sub	t0, t0, t4
	bnez	t0, 1b
	vsetvli	t4, zero, e32, m8, ta, ma
	vmv.s.x	v0, zero
	vredsum.vs v0, v24, v0
	vmv.x.s	a0, v0
#elif NAME == conv7
	li	s1, 58			/* rows of 64 */
2:	li	s2, 64
	mv	s3, a0
3:	vsetvli	t4, s2, e16, m2, ta, ma
	vmv.v.i	v8, 0
	mv	t0, s3
	la	t1, b			/* weights */
	li	t2, 7
4:	mv	t3, t0
	.rept	7
	vle16.v	v0, (t3)
	lh	t5, (t1)
	addi	t3, t3, 2
	addi	t1, t1, 2
	vmacc.vx v8, t5, v0
	.endr
	addi	t0, t0, 128
	addi	t2, t2, -1
	bnez	t2, 4b
	vse16.v	v8, (a2)
	slli	t5, t4, 1
	add	s3, s3, t5
	add	a2, a2, t5
	sub	s2, s2, t4
	bnez	s2, 3b
	addi	a0, a0, 128
	addi	s1, s1, -1
	bnez	s1, 2b
#elif NAME == chacha20
	.macro	turn to, by, bits	/* to = (to ^ by) rotated to the left */
	vxor.vv	\to, \to, \by
	vsll.vi	v16, \to, \bits
	vsrl.vi	\to, \to, 32 - \bits
	vor.vv	\to, \to, v16
	.endm
	.macro	quarter a, b, c, d
	vadd.vv	\a, \a, \b
	turn	\d, \a, 16
	vadd.vv	\c, \c, \d
	turn	\b, \c, 12
	vadd.vv	\a, \a, \b
	turn	\d, \a, 8
	vadd.vv	\c, \c, \d
	turn	\b, \c, 7
	.endm
	vsetvli	t4, zero, e32, m1, ta, ma
	li	s1, 10
1:	quarter	v0, v4, v8, v12
	quarter	v1, v5, v9, v13
	quarter	v2, v6, v10, v14
	quarter	v3, v7, v11, v15
	quarter	v0, v5, v10, v15
	quarter	v1, v6, v11, v12
	quarter	v2, v7, v8, v13
	quarter	v3, v4, v9, v14
	addi	s1, s1, -1
	bnez	s1, 1b
	vse32.v	v0, (a2)
#else
#error "no such NAME"
#endif
	addi	s0, s0, -1
	bnez	s0, again
	li	t0, 0x100000		/* the finisher: power off */
	li	t1, 0x5555
	sw	t1, (t0)
1:	j	1b

	.bss
	.balign	4096
a:	.space	32768
b:	.space	32768
c:	.space	32768
