// SPDX-License-Identifier: BSD-2-Clause
/*
 * reduce.c - kernels: reductions.  sum begins as element 0 of vs1; y is each active element of vs2,
 * in order.
 *
 * Implements: Unpriv 20240411 §31.14.
 */
#include "fp.h"
#include "parts.h"

#define FOR_ALL(macro, ...)                                                                        \
	macro(8, __VA_ARGS__) macro(16, __VA_ARGS__) macro(32, __VA_ARGS__) macro(64, __VA_ARGS__)
#define TO32(macro, ...) macro(8, __VA_ARGS__) macro(16, __VA_ARGS__) macro(32, __VA_ARGS__)

/* R: the type of the result, T: of the elements. */
#define REDUCE(bits, name, R, T, ...)                                                              \
	KERNEL(name##_vs_##bits)                                                                   \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const T *s2 = vector_reg(v, a->vs2);                                               \
		R sum = *(const R *)vector_reg(v, a->vs1);                                         \
		if (!v->vl)                                                                        \
			return;                                                                    \
		for (unsigned n = 0; n < v->vl; n++) {                                             \
			T y = s2[n];                                                               \
			if (vector_does(v, a, n))                                                  \
				sum = (R)(__VA_ARGS__);                                            \
		}                                                                                  \
		*(R *)vector_reg(v, a->vd) = sum;                                                  \
	}

FOR_ALL(REDUCE, vredsum, U, U, sum + y)
FOR_ALL(REDUCE, vredand, U, U, sum &y)
FOR_ALL(REDUCE, vredor, U, U, sum | y)
FOR_ALL(REDUCE, vredxor, U, U, sum ^ y)
FOR_ALL(REDUCE, vredminu, U, U, y < sum ? y : sum)
FOR_ALL(REDUCE, vredmin, S, S, y < sum ? y : sum)
FOR_ALL(REDUCE, vredmaxu, U, U, y > sum ? y : sum)
FOR_ALL(REDUCE, vredmax, S, S, y > sum ? y : sum)
TO32(REDUCE, vwredsumu, WU, U, sum + y)
TO32(REDUCE, vwredsum, WU, S, sum + (WU)y)

#define FLOATS(bits)                                                                               \
	REDUCE(bits, vfredusum, U, U, fp##bits##_add(sum, y, a->rm, a->flags))                     \
	REDUCE(bits, vfredosum, U, U, fp##bits##_add(sum, y, a->rm, a->flags))                     \
	REDUCE(bits, vfredmin, U, U, fp##bits##_min(sum, y, a->flags))                             \
	REDUCE(bits, vfredmax, U, U, fp##bits##_max(sum, y, a->flags))

FLOATS(16)
FLOATS(32)
FLOATS(64)
REDUCE(16, vfwredusum, WU, U, fp32_add(sum, fp16_to_fp32(y, a->flags), a->rm, a->flags))
REDUCE(16, vfwredosum, WU, U, fp32_add(sum, fp16_to_fp32(y, a->flags), a->rm, a->flags))
REDUCE(32, vfwredusum, WU, U, fp64_add(sum, fp32_to_fp64(y, a->flags), a->rm, a->flags))
REDUCE(32, vfwredosum, WU, U, fp64_add(sum, fp32_to_fp64(y, a->flags), a->rm, a->flags))
