// SPDX-License-Identifier: BSD-2-Clause
/*
 * float.c - kernels: floating-point arithmetic and comparisons, by the functions of fp.h.  Only
 * active elements raise flags.
 *
 * In the expressions y is an element of vs2, x one of vs1 or the scalar, d one of vd.
 *
 * Implements: Unpriv 20240411 §31.13.
 */
#include "fp.h"
#include "parts.h"

#define FLOATS(macro, ...) macro(16, __VA_ARGS__) macro(32, __VA_ARGS__) macro(64, __VA_ARGS__)

#define SIGN  ((U)1 << (BITS - 1))
#define RM    a->rm
#define FLAGS a->flags

/* R: the type of the result, T2 of vs2, T1 of vs1; old: the type of vd as an operand. */
#define EACH(R, T2, X, ...)                                                                        \
	const T2 *s2 = vector_reg(v, a->vs2);                                                      \
	const R *old = vector_reg(v, a->vd);                                                       \
	VECTOR_BUFFER(R, to);                                                                      \
	for (unsigned n = v->vstart; n < v->vl; n++) {                                             \
		const T2 y __attribute__((unused)) = s2[n];                                        \
		const U x __attribute__((unused)) = X;                                             \
		const R d __attribute__((unused)) = old[n];                                        \
		if (vector_does(v, a, n))                                                          \
			to[n] = __VA_ARGS__;                                                       \
	}                                                                                          \
	vector_put(v, a, to, sizeof(R));

#define VECTOR(bits, name, R, T2, ...)                                                             \
	KERNEL(name##_##bits)                                                                      \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const U *s1 = vector_reg(v, a->vs1);                                               \
		EACH(R, T2, s1[n], __VA_ARGS__)                                                    \
	}

#define SCALAR(bits, name, R, T2, ...)                                                             \
	KERNEL(name##_##bits)                                                                      \
	{                                                                                          \
		TYPES(bits);                                                                       \
		EACH(R, T2, (U)a->scalar, __VA_ARGS__)                                             \
	}

/* f(fp32) is an expression with fp32_add and so on. */
#define BOTH_OF(bits, name, f)                                                                     \
	VECTOR(bits, name##_vv, U, U, f(fp##bits))                                                 \
	SCALAR(bits, name##_vf, U, U, f(fp##bits))
#define BOTH(name, f) FLOATS(BOTH_OF, name, f)

#define ADD(fp)	  fp##_add(y, x, RM, FLAGS)
#define SUB(fp)	  fp##_sub(y, x, RM, FLAGS)
#define RSUB(fp)  fp##_sub(x, y, RM, FLAGS)
#define MUL(fp)	  fp##_mul(y, x, RM, FLAGS)
#define DIV(fp)	  fp##_div(y, x, RM, FLAGS)
#define RDIV(fp)  fp##_div(x, y, RM, FLAGS)
#define MIN(fp)	  fp##_min(y, x, FLAGS)
#define MAX(fp)	  fp##_max(y, x, FLAGS)
#define MACC(fp)  fp##_fma(x, y, d, RM, FLAGS)
#define NMACC(fp) fp##_fma(x ^ SIGN, y, d ^ SIGN, RM, FLAGS)
#define MSAC(fp)  fp##_fma(x, y, d ^ SIGN, RM, FLAGS)
#define NMSAC(fp) fp##_fma(x ^ SIGN, y, d, RM, FLAGS)
#define MADD(fp)  fp##_fma(x, d, y, RM, FLAGS)
#define NMADD(fp) fp##_fma(x ^ SIGN, d, y ^ SIGN, RM, FLAGS)
#define MSUB(fp)  fp##_fma(x, d, y ^ SIGN, RM, FLAGS)
#define NMSUB(fp) fp##_fma(x ^ SIGN, d, y, RM, FLAGS)
#define SGNJ(fp)  (y & ~SIGN) | (x & SIGN)
#define SGNJN(fp) (y & ~SIGN) | (~x & SIGN)
#define SGNJX(fp) y ^ (x & SIGN)

BOTH(vfadd, ADD)
BOTH(vfsub, SUB)
BOTH(vfmul, MUL)
BOTH(vfdiv, DIV)
BOTH(vfmin, MIN)
BOTH(vfmax, MAX)
BOTH(vfmacc, MACC)
BOTH(vfnmacc, NMACC)
BOTH(vfmsac, MSAC)
BOTH(vfnmsac, NMSAC)
BOTH(vfmadd, MADD)
BOTH(vfnmadd, NMADD)
BOTH(vfmsub, MSUB)
BOTH(vfnmsub, NMSUB)
BOTH(vfsgnj, SGNJ)
BOTH(vfsgnjn, SGNJN)
BOTH(vfsgnjx, SGNJX)

#define SCALAR_OF(bits, name, f) SCALAR(bits, name##_vf, U, U, f(fp##bits))

FLOATS(SCALAR_OF, vfrsub, RSUB)
FLOATS(SCALAR_OF, vfrdiv, RDIV)

/* Widening: from binary16 to binary32, from binary32 to binary64 */
#define LONG16(value) fp16_to_fp32(value, FLAGS)
#define LONG32(value) fp32_to_fp64(value, FLAGS)
#define LONG_SIGN     ((WU)1 << (2 * BITS - 1))
#define WIDEN_OF(bits, name, vv, vf, T2, f, fp)                                                    \
	VECTOR(bits, name##_##vv, WU, T2, f(LONG##bits, fp))                                       \
	SCALAR(bits, name##_##vf, WU, T2, f(LONG##bits, fp))
#define WIDEN(name, f) WIDEN_OF(16, name, vv, vf, U, f, fp32) WIDEN_OF(32, name, vv, vf, U, f, fp64)
#define WIDEN_WIDE(name, f)                                                                        \
	WIDEN_OF(16, name, wv, wf, WU, f, fp32) WIDEN_OF(32, name, wv, wf, WU, f, fp64)

#define WADD(wide, fp)	 fp##_add(wide(y), wide(x), RM, FLAGS)
#define WSUB(wide, fp)	 fp##_sub(wide(y), wide(x), RM, FLAGS)
#define WMUL(wide, fp)	 fp##_mul(wide(y), wide(x), RM, FLAGS)
#define WADD_W(wide, fp) fp##_add(y, wide(x), RM, FLAGS)
#define WSUB_W(wide, fp) fp##_sub(y, wide(x), RM, FLAGS)
#define WMACC(wide, fp)	 fp##_fma(wide(x), wide(y), d, RM, FLAGS)
#define WNMACC(wide, fp) fp##_fma(wide(x) ^ LONG_SIGN, wide(y), d ^ LONG_SIGN, RM, FLAGS)
#define WMSAC(wide, fp)	 fp##_fma(wide(x), wide(y), d ^ LONG_SIGN, RM, FLAGS)
#define WNMSAC(wide, fp) fp##_fma(wide(x) ^ LONG_SIGN, wide(y), d, RM, FLAGS)

WIDEN(vfwadd, WADD)
WIDEN(vfwsub, WSUB)
WIDEN(vfwmul, WMUL)
WIDEN_WIDE(vfwadd, WADD_W)
WIDEN_WIDE(vfwsub, WSUB_W)
WIDEN(vfwmacc, WMACC)
WIDEN(vfwnmacc, WNMACC)
WIDEN(vfwmsac, WMSAC)
WIDEN(vfwnmsac, WNMSAC)

/* Comparisons */
#define COMPARE_EACH(X, ...)                                                                       \
	const U *s2 = vector_reg(v, a->vs2);                                                       \
	VECTOR_BUFFER(u8, to);                                                                     \
	for (unsigned n = v->vstart; n < v->vl; n++) {                                             \
		U y = s2[n], x = X;                                                                \
		to[n] = vector_does(v, a, n) && (__VA_ARGS__);                                     \
	}                                                                                          \
	vector_put_mask(v, a, to);

#define COMPARE_VECTOR(bits, name, f)                                                              \
	KERNEL(name##_vv_##bits)                                                                   \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const U *s1 = vector_reg(v, a->vs1);                                               \
		COMPARE_EACH(s1[n], f(fp##bits))                                                   \
	}
#define COMPARE_SCALAR(bits, name, f)                                                              \
	KERNEL(name##_vf_##bits)                                                                   \
	{                                                                                          \
		TYPES(bits);                                                                       \
		COMPARE_EACH((U)a->scalar, f(fp##bits))                                            \
	}
#define COMPARE(name, f) FLOATS(COMPARE_VECTOR, name, f) FLOATS(COMPARE_SCALAR, name, f)

#define EQ(fp) fp##_eq(y, x, FLAGS)
#define NE(fp) !fp##_eq(y, x, FLAGS)
#define LT(fp) fp##_lt(y, x, FLAGS)
#define LE(fp) fp##_le(y, x, FLAGS)
#define GT(fp) fp##_lt(x, y, FLAGS)
#define GE(fp) fp##_le(x, y, FLAGS)

/* Both are evaluated: each has flags. */
#define ORD(fp) ((int)fp##_eq(y, y, FLAGS) & (int)fp##_eq(x, x, FLAGS))

COMPARE(vmfeq, EQ)
COMPARE(vmfne, NE)
COMPARE(vmflt, LT)
COMPARE(vmfle, LE)
FLOATS(COMPARE_SCALAR, vmfgt, GT)
FLOATS(COMPARE_SCALAR, vmfge, GE)
COMPARE(th_vmford, ORD)
