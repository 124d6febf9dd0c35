// SPDX-License-Identifier: BSD-2-Clause
/*
 * wide.c - kernels: integer arithmetic with results or operands of twice the width.
 *
 * In the expressions y is an element of vs2, x one of vs1 or the scalar, d one of vd; a kernel for
 * SEW bits has U and S for them, WU and WS for twice as many.
 *
 * Implements: Unpriv 20240411 §31.11.2, §31.11.3, §31.11.7, §31.11.12, §31.11.14.
 */
#include "parts.h"

#define TO32(macro, ...) macro(8, __VA_ARGS__) macro(16, __VA_ARGS__) macro(32, __VA_ARGS__)

/* T2, T1: types of the elements of vs2 and vs1; R: of the result. */
#define VECTOR(bits, name, R, T2, T1, ...)                                                         \
	KERNEL(name##_##bits)                                                                      \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const T2 *s2 = vector_reg(v, a->vs2);                                              \
		const T1 *s1 = vector_reg(v, a->vs1);                                              \
		VECTOR_BUFFER(R, to);                                                              \
		for (unsigned n = 0; n < v->vl; n++) {                                             \
			T2 y = s2[n];                                                              \
			T1 x = s1[n];                                                              \
			to[n] = (R)(__VA_ARGS__);                                                  \
		}                                                                                  \
		vector_put(v, a, to, sizeof(R));                                                   \
	}

#define SCALAR(bits, name, R, T2, T1, ...)                                                         \
	KERNEL(name##_##bits)                                                                      \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const T2 *s2 = vector_reg(v, a->vs2);                                              \
		const T1 x = (T1)a->scalar;                                                        \
		VECTOR_BUFFER(R, to);                                                              \
		for (unsigned n = 0; n < v->vl; n++) {                                             \
			T2 y = s2[n];                                                              \
			to[n] = (R)(__VA_ARGS__);                                                  \
		}                                                                                  \
		vector_put(v, a, to, sizeof(R));                                                   \
	}

#define BOTH(name, vv, vx, R, T2, T1, ...)                                                         \
	TO32(VECTOR, name##_##vv, R, T2, T1, __VA_ARGS__)                                          \
	TO32(SCALAR, name##_##vx, R, T2, T1, __VA_ARGS__)

BOTH(vwaddu, vv, vx, WU, U, U, (WU)y + x)
BOTH(vwsubu, vv, vx, WU, U, U, (WU)y - x)
BOTH(vwadd, vv, vx, WU, S, S, (WU)y + (WU)x)
BOTH(vwsub, vv, vx, WU, S, S, (WU)y - (WU)x)
BOTH(vwaddu, wv, wx, WU, WU, U, y + x)
BOTH(vwsubu, wv, wx, WU, WU, U, y - x)
BOTH(vwadd, wv, wx, WU, WU, S, y + (WU)x)
BOTH(vwsub, wv, wx, WU, WU, S, y - (WU)x)
BOTH(vwmulu, vv, vx, WU, U, U, (u64)y *x)
BOTH(vwmul, vv, vx, WU, S, S, (s64)y *x)
BOTH(vwmulsu, vv, vx, WU, S, U, (s64)y *(s64)x)
BOTH(vnsrl, wv, wx, U, WU, U, y >> (x & (2 * BITS - 1)))
BOTH(vnsra, wv, wx, U, WS, U, y >> (x & (2 * BITS - 1)))

#define ADD_VECTOR(bits, name, T2, T1, ...)                                                        \
	KERNEL(name##_##bits)                                                                      \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const T2 *s2 = vector_reg(v, a->vs2);                                              \
		const T1 *s1 = vector_reg(v, a->vs1);                                              \
		const WU *old = vector_reg(v, a->vd);                                              \
		VECTOR_BUFFER(WU, to);                                                             \
		for (unsigned n = 0; n < v->vl; n++) {                                             \
			s64 y = s2[n], x = s1[n];                                                  \
			to[n] = (WU)(old[n] + (u64)(__VA_ARGS__));                                 \
		}                                                                                  \
		vector_put(v, a, to, sizeof(WU));                                                  \
	}

#define ADD_SCALAR(bits, name, T2, T1, ...)                                                        \
	KERNEL(name##_##bits)                                                                      \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const T2 *s2 = vector_reg(v, a->vs2);                                              \
		const WU *old = vector_reg(v, a->vd);                                              \
		const s64 x = (T1)a->scalar;                                                       \
		VECTOR_BUFFER(WU, to);                                                             \
		for (unsigned n = 0; n < v->vl; n++) {                                             \
			s64 y = s2[n];                                                             \
			to[n] = (WU)(old[n] + (u64)(__VA_ARGS__));                                 \
		}                                                                                  \
		vector_put(v, a, to, sizeof(WU));                                                  \
	}

#define MULTIPLY_ADD(name, T2, T1)                                                                 \
	TO32(ADD_VECTOR, name##_vv, T2, T1, (u64)y *(u64)x)                                        \
	TO32(ADD_SCALAR, name##_vx, T2, T1, (u64)y *(u64)x)

/* su: vs1 or the scalar is signed, vs2 is not; us: the other way. */
MULTIPLY_ADD(vwmaccu, U, U)
MULTIPLY_ADD(vwmacc, S, S)
MULTIPLY_ADD(vwmaccsu, U, S)
TO32(ADD_SCALAR, vwmaccus_vx, S, U, (u64)y *(u64)x)

/* Extensions from a part of the width */
#define EXTEND(bits, name, T)                                                                      \
	KERNEL(name##_##bits)                                                                      \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const T *s2 = vector_reg(v, a->vs2);                                               \
		VECTOR_BUFFER(U, to);                                                              \
		for (unsigned n = 0; n < v->vl; n++)                                               \
			to[n] = (U)s2[n];                                                          \
		vector_put(v, a, to, sizeof(U));                                                   \
	}

EXTEND(16, vzext_vf2, u8)
EXTEND(32, vzext_vf2, u16)
EXTEND(64, vzext_vf2, u32)
EXTEND(32, vzext_vf4, u8)
EXTEND(64, vzext_vf4, u16)
EXTEND(64, vzext_vf8, u8)
EXTEND(16, vsext_vf2, s8)
EXTEND(32, vsext_vf2, s16)
EXTEND(64, vsext_vf2, s32)
EXTEND(32, vsext_vf4, s8)
EXTEND(64, vsext_vf4, s16)
EXTEND(64, vsext_vf8, s8)
