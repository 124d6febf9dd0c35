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

#define FLOATS(macro, ...) macro(32, __VA_ARGS__) macro(64, __VA_ARGS__)

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

/* F(add) is fp32_add or fp64_add. */
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

/* Widening: from binary32 to binary64 */
#define LONG(value) fp32_to_fp64(value, FLAGS)
#define WIDEN(name, ...)                                                                           \
	VECTOR(32, name##_vv, WU, U, __VA_ARGS__) SCALAR(32, name##_vf, WU, U, __VA_ARGS__)
#define WIDEN_WIDE(name, ...)                                                                      \
	VECTOR(32, name##_wv, WU, WU, __VA_ARGS__) SCALAR(32, name##_wf, WU, WU, __VA_ARGS__)

#define LONG_SIGN (1ull << 63)

WIDEN(vfwadd, fp64_add(LONG(y), LONG(x), RM, FLAGS))
WIDEN(vfwsub, fp64_sub(LONG(y), LONG(x), RM, FLAGS))
WIDEN(vfwmul, fp64_mul(LONG(y), LONG(x), RM, FLAGS))
WIDEN_WIDE(vfwadd, fp64_add(y, LONG(x), RM, FLAGS))
WIDEN_WIDE(vfwsub, fp64_sub(y, LONG(x), RM, FLAGS))
WIDEN(vfwmacc, fp64_fma(LONG(x), LONG(y), d, RM, FLAGS))
WIDEN(vfwnmacc, fp64_fma(LONG(x) ^ LONG_SIGN, LONG(y), d ^ LONG_SIGN, RM, FLAGS))
WIDEN(vfwmsac, fp64_fma(LONG(x), LONG(y), d ^ LONG_SIGN, RM, FLAGS))
WIDEN(vfwnmsac, fp64_fma(LONG(x) ^ LONG_SIGN, LONG(y), d, RM, FLAGS))

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

COMPARE(vmfeq, EQ)
COMPARE(vmfne, NE)
COMPARE(vmflt, LT)
COMPARE(vmfle, LE)
FLOATS(COMPARE_SCALAR, vmfgt, GT)
FLOATS(COMPARE_SCALAR, vmfge, GE)
