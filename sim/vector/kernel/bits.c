// SPDX-License-Identifier: BSD-2-Clause
/*
 * bits.c - kernels: bit manipulation and carry-less multiplication.
 *
 * In the expressions y is an element of vs2, x one of vs1 or the scalar.
 *
 * Implements: Vector Cryptography 1.0 (Zvbb, Zvkb, Zvbc).
 */
#include "crypto.h"
#include "parts.h"

#define FOR_ALL(macro, ...)                                                                        \
	macro(8, __VA_ARGS__) macro(16, __VA_ARGS__) macro(32, __VA_ARGS__) macro(64, __VA_ARGS__)
#define TO32(macro, ...) macro(8, __VA_ARGS__) macro(16, __VA_ARGS__) macro(32, __VA_ARGS__)

/* R: the type of the result; X: the element of vs1, or the scalar. */
#define EACH(R, X, ...)                                                                            \
	const U *s2 = vector_reg(v, a->vs2);                                                       \
	VECTOR_BUFFER(R, to);                                                                      \
	for (unsigned n = 0; n < v->vl; n++) {                                                     \
		const U y = s2[n];                                                                 \
		const U x __attribute__((unused)) = X;                                             \
		to[n] = (R)(__VA_ARGS__);                                                          \
	}                                                                                          \
	vector_put(v, a, to, sizeof(R));

#define VECTOR(bits, name, R, ...)                                                                 \
	KERNEL(name##_vv_##bits)                                                                   \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const U *s1 = vector_reg(v, a->vs1);                                               \
		EACH(R, s1[n], __VA_ARGS__)                                                        \
	}

#define SCALAR(bits, name, R, ...)                                                                 \
	KERNEL(name##_vx_##bits)                                                                   \
	{                                                                                          \
		TYPES(bits);                                                                       \
		EACH(R, (U)a->scalar, __VA_ARGS__)                                                 \
	}

#define UNARY(bits, name, ...)                                                                     \
	KERNEL(name##_v_##bits)                                                                    \
	{                                                                                          \
		TYPES(bits);                                                                       \
		EACH(U, 0, __VA_ARGS__)                                                            \
	}

#define BINARY(name, ...)                                                                          \
	FOR_ALL(VECTOR, name, U, __VA_ARGS__) FOR_ALL(SCALAR, name, U, __VA_ARGS__)

BINARY(vandn, y & ~x)
BINARY(vrol, (u64)y << (x & (BITS - 1)) | y >> (-x & (BITS - 1)))
BINARY(vror, y >> (x & (BITS - 1)) | (u64)y << (-x & (BITS - 1)))
TO32(VECTOR, vwsll, WU, (u64)y << (x & (2 * BITS - 1)))
TO32(SCALAR, vwsll, WU, (u64)y << (x & (2 * BITS - 1)))
VECTOR(64, vclmul, U, crypto_clmul(y, x))
SCALAR(64, vclmul, U, crypto_clmul(y, x))
VECTOR(64, vclmulh, U, crypto_clmulh(y, x))
SCALAR(64, vclmulh, U, crypto_clmulh(y, x))

/* The lowest bytes of y in the other order. */
static inline u64 swapped(u64 y, unsigned bits)
{
	return __builtin_bswap64(y) >> (64 - bits);
}

FOR_ALL(UNARY, vbrev8, bytes_reversed(y))
FOR_ALL(UNARY, vrev8, swapped(y, BITS))
FOR_ALL(UNARY, vbrev, bytes_reversed(swapped(y, BITS)))
FOR_ALL(UNARY, vclz, y ? __builtin_clzll(y) - (64 - BITS) : BITS)
FOR_ALL(UNARY, vctz, y ? __builtin_ctzll(y) : BITS)
FOR_ALL(UNARY, vcpop, __builtin_popcountll(y))
