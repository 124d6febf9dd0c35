// SPDX-License-Identifier: BSD-2-Clause
/*
 * int.c - kernels: integer arithmetic of one width.
 *
 * In the expressions y is an element of vs2, x one of vs1 or the scalar, d one of vd.
 *
 * Implements: Unpriv 20240411 §31.11.
 */
#include "parts.h"

#define FOR_ALL(macro, ...)                                                                        \
	macro(8, __VA_ARGS__) macro(16, __VA_ARGS__) macro(32, __VA_ARGS__) macro(64, __VA_ARGS__)

/* T: the type of the operands, U or S. */
#define WITH_VECTOR(bits, name, T, ...)                                                            \
	KERNEL(name##_##bits)                                                                      \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const T *s2 = vector_reg(v, a->vs2), *s1 = vector_reg(v, a->vs1);                  \
		VECTOR_BUFFER(U, to);                                                              \
		for (unsigned n = 0; n < v->vl; n++) {                                             \
			T y = s2[n], x = s1[n];                                                    \
			to[n] = (U)(__VA_ARGS__);                                                  \
		}                                                                                  \
		vector_put(v, a, to, sizeof(U));                                                   \
	}

#define WITH_SCALAR(bits, name, T, ...)                                                            \
	KERNEL(name##_##bits)                                                                      \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const T *s2 = vector_reg(v, a->vs2);                                               \
		const T x = (T)a->scalar;                                                          \
		VECTOR_BUFFER(U, to);                                                              \
		for (unsigned n = 0; n < v->vl; n++) {                                             \
			T y = s2[n];                                                               \
			to[n] = (U)(__VA_ARGS__);                                                  \
		}                                                                                  \
		vector_put(v, a, to, sizeof(U));                                                   \
	}

#define BINARY(name, T, ...)                                                                       \
	FOR_ALL(WITH_VECTOR, name##_vv, T, __VA_ARGS__)                                            \
	FOR_ALL(WITH_SCALAR, name##_vx, T, __VA_ARGS__)

BINARY(vadd, U, y + x)
BINARY(vsub, U, y - x)
FOR_ALL(WITH_SCALAR, vrsub_vx, U, x - y)
BINARY(vand, U, y &x)
BINARY(vor, U, y | x)
BINARY(vxor, U, y ^ x)
BINARY(vsll, U, (u64)y << (x & (BITS - 1)))
BINARY(vsrl, U, y >> (x & (BITS - 1)))
BINARY(vsra, S, y >> (x & (BITS - 1)))
BINARY(vminu, U, y < x ? y : x)
BINARY(vmin, S, y < x ? y : x)
BINARY(vmaxu, U, y > x ? y : x)
BINARY(vmax, S, y > x ? y : x)
BINARY(vmul, U, (u64)y *(u64)x)
BINARY(vmulhu, U, (WU)((WU)y *(WU)x) >> BITS)
BINARY(vmulh, S, (WS)((WS)y *(WS)x) >> BITS)
BINARY(vmulhsu, S, (WS)((WU)(WS)y *(WU)(U)x) >> BITS)

/* Unpriv §31.11.11: as the scalar instructions: division by zero and overflow have results. */
BINARY(vdivu, U, x ? y / x : (U)-1)
BINARY(vremu, U, x ? y % x : y)
BINARY(vdiv, S, !x ? -1 : x == -1 ? (S)(0 - (u64)y) : y / x)
BINARY(vrem, S, !x ? y : x == -1 ? 0 : y % x)

/* Multiply and add */
#define ADD_VECTOR(bits, name, ...)                                                                \
	KERNEL(name##_##bits)                                                                      \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const U *s2 = vector_reg(v, a->vs2), *s1 = vector_reg(v, a->vs1);                  \
		const U *old = vector_reg(v, a->vd);                                               \
		VECTOR_BUFFER(U, to);                                                              \
		for (unsigned n = 0; n < v->vl; n++) {                                             \
			u64 y = s2[n], x = s1[n], d = old[n];                                      \
			to[n] = (U)(__VA_ARGS__);                                                  \
		}                                                                                  \
		vector_put(v, a, to, sizeof(U));                                                   \
	}

#define ADD_SCALAR(bits, name, ...)                                                                \
	KERNEL(name##_##bits)                                                                      \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const U *s2 = vector_reg(v, a->vs2), *old = vector_reg(v, a->vd);                  \
		const u64 x = (U)a->scalar;                                                        \
		VECTOR_BUFFER(U, to);                                                              \
		for (unsigned n = 0; n < v->vl; n++) {                                             \
			u64 y = s2[n], d = old[n];                                                 \
			to[n] = (U)(__VA_ARGS__);                                                  \
		}                                                                                  \
		vector_put(v, a, to, sizeof(U));                                                   \
	}

#define MULTIPLY_ADD(name, ...)                                                                    \
	FOR_ALL(ADD_VECTOR, name##_vv, __VA_ARGS__)                                                \
	FOR_ALL(ADD_SCALAR, name##_vx, __VA_ARGS__)

MULTIPLY_ADD(vmacc, d + x * y)
MULTIPLY_ADD(vnmsac, d - x * y)
MULTIPLY_ADD(vmadd, y + x * d)
MULTIPLY_ADD(vnmsub, y - x * d)

/* Comparisons */
#define COMPARE_VECTOR(bits, name, T, ...)                                                         \
	KERNEL(name##_##bits)                                                                      \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const T *s2 = vector_reg(v, a->vs2), *s1 = vector_reg(v, a->vs1);                  \
		VECTOR_BUFFER(u8, to);                                                             \
		for (unsigned n = 0; n < v->vl; n++) {                                             \
			T y = s2[n], x = s1[n];                                                    \
			to[n] = __VA_ARGS__;                                                       \
		}                                                                                  \
		vector_put_mask(v, a, to);                                                         \
	}

#define COMPARE_SCALAR(bits, name, T, ...)                                                         \
	KERNEL(name##_##bits)                                                                      \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const T *s2 = vector_reg(v, a->vs2);                                               \
		const T x = (T)a->scalar;                                                          \
		VECTOR_BUFFER(u8, to);                                                             \
		for (unsigned n = 0; n < v->vl; n++) {                                             \
			T y = s2[n];                                                               \
			to[n] = __VA_ARGS__;                                                       \
		}                                                                                  \
		vector_put_mask(v, a, to);                                                         \
	}

#define COMPARE(name, T, ...)                                                                      \
	FOR_ALL(COMPARE_VECTOR, name##_vv, T, __VA_ARGS__)                                         \
	FOR_ALL(COMPARE_SCALAR, name##_vx, T, __VA_ARGS__)

COMPARE(vmseq, U, y == x)
COMPARE(vmsne, U, y != x)
COMPARE(vmsltu, U, y < x)
COMPARE(vmslt, S, y < x)
COMPARE(vmsleu, U, y <= x)
COMPARE(vmsle, S, y <= x)
FOR_ALL(COMPARE_SCALAR, vmsgtu_vx, U, y > x)
FOR_ALL(COMPARE_SCALAR, vmsgt_vx, S, y > x)

/* With a carry: c is bit n of v0 */
#define CARRY_VECTOR(bits, name, T, put, ...)                                                      \
	KERNEL(name##_##bits)                                                                      \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const U *s2 = vector_reg(v, a->vs2), *s1 = vector_reg(v, a->vs1);                  \
		VECTOR_BUFFER(T, to);                                                              \
		for (unsigned n = 0; n < v->vl; n++) {                                             \
			U y = s2[n], x = s1[n], c = vector_active(v, n);                           \
			to[n] = (T)(__VA_ARGS__);                                                  \
		}                                                                                  \
		put;                                                                               \
	}

#define CARRY_SCALAR(bits, name, T, put, ...)                                                      \
	KERNEL(name##_##bits)                                                                      \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const U *s2 = vector_reg(v, a->vs2);                                               \
		const U x = (U)a->scalar;                                                          \
		VECTOR_BUFFER(T, to);                                                              \
		for (unsigned n = 0; n < v->vl; n++) {                                             \
			U y = s2[n], c = vector_active(v, n);                                      \
			to[n] = (T)(__VA_ARGS__);                                                  \
		}                                                                                  \
		put;                                                                               \
	}

#define WITH_CARRY(name, T, put, ...)                                                              \
	FOR_ALL(CARRY_VECTOR, name##_vvm, T, put, __VA_ARGS__)                                     \
	FOR_ALL(CARRY_SCALAR, name##_vxm, T, put, __VA_ARGS__)

#define PUT	 vector_put(v, a, to, sizeof(U))
#define PUT_MASK vector_put_mask(v, a, to)

WITH_CARRY(vadc, U, PUT, y + x + c)
WITH_CARRY(vsbc, U, PUT, y - x - c)
WITH_CARRY(vmerge, U, PUT, c ? x : y)
WITH_CARRY(vmadc, u8, PUT_MASK, (U)(y + x) < y || (U)(y + x + c) < c)
WITH_CARRY(vmsbc, u8, PUT_MASK, y < x || (U)(y - x) < c)
COMPARE(vmadc, U, (U)(y + x) < y)
COMPARE(vmsbc, U, y < x)

/* Moves */
#define MOVE(bits, unused)                                                                         \
	KERNEL(vmv_v_v_##bits)                                                                     \
	{                                                                                          \
		TYPES(bits);                                                                       \
		VECTOR_BUFFER(U, to);                                                              \
		memcpy(to, vector_reg(v, a->vs1), v->vl * sizeof(U));                              \
		vector_put(v, a, to, sizeof(U));                                                   \
	}                                                                                          \
	KERNEL(vmv_v_x_##bits)                                                                     \
	{                                                                                          \
		TYPES(bits);                                                                       \
		VECTOR_BUFFER(U, to);                                                              \
		for (unsigned n = 0; n < v->vl; n++)                                               \
			to[n] = (U)a->scalar;                                                      \
		vector_put(v, a, to, sizeof(U));                                                   \
	}

FOR_ALL(MOVE, )
