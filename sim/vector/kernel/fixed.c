// SPDX-License-Identifier: BSD-2-Clause
/*
 * fixed.c - kernels: fixed-point arithmetic.  Active elements that saturate set vxsat.
 *
 * In the expressions y is an element of vs2, x one of vs1 or the scalar; sat becomes true if the
 * element saturates.
 *
 * Implements: Unpriv 20240411 §31.12, §31.3.8 (rounding).
 */
#include "parts.h"

#define FOR_ALL(macro, ...)                                                                        \
	macro(8, __VA_ARGS__) macro(16, __VA_ARGS__) macro(32, __VA_ARGS__) macro(64, __VA_ARGS__)
#define TO32(macro, ...) macro(8, __VA_ARGS__) macro(16, __VA_ARGS__) macro(32, __VA_ARGS__)

enum { VXRM_RNU, VXRM_RNE, VXRM_RDN, VXRM_ROD };

/* What rounding adds to value >> shift (shift < 128). */
static inline unsigned rounding(u128 value, unsigned shift, unsigned vxrm)
{
	bool half, rest, odd;

	if (!shift)
		return 0;
	half = value >> (shift - 1) & 1;
	rest = value & (((u128)1 << (shift - 1)) - 1);
	odd = value >> shift & 1;
	switch (vxrm) {
	case VXRM_RNU:
		return half;
	case VXRM_RNE:
		return half && (rest || odd);
	case VXRM_ROD:
		return !odd && (half || rest);
	default:
		return 0;
	}
}

static inline s128 rounded(s128 value, unsigned shift, unsigned vxrm)
{
	return (value >> shift) + rounding(value, shift, vxrm);
}

/* A signed value of this many bits. */
static inline s128 clipped(s128 value, unsigned bits, bool *sat)
{
	s128 most = ((s128)1 << (bits - 1)) - 1;

	*sat = value > most || value < -most - 1;
	return value > most ? most : value < -most - 1 ? -most - 1 : value;
}

static inline u128 clipped_unsigned(s128 value, unsigned bits, bool *sat)
{
	s128 most = ((s128)1 << bits) - 1;

	*sat = value > most || value < 0;
	return value > most ? most : value < 0 ? 0 : value;
}

#define BEGIN(bits, name, R, T2)                                                                   \
	KERNEL(name##_##bits)                                                                      \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const T2 *s2 = vector_reg(v, a->vs2);                                              \
		VECTOR_BUFFER(R, to);

#define VECTOR(bits, name, R, T2, T1, ...)                                                         \
	BEGIN(bits, name, R, T2)                                                                   \
	const T1 *s1 = vector_reg(v, a->vs1);                                                      \
	for (unsigned n = v->vstart; n < v->vl; n++) {                                             \
		T2 y = s2[n];                                                                      \
		T1 x = s1[n];                                                                      \
		ONE(R, __VA_ARGS__)                                                                \
	}                                                                                          \
	vector_put(v, a, to, sizeof(R));                                                           \
	}

#define SCALAR(bits, name, R, T2, T1, ...)                                                         \
	BEGIN(bits, name, R, T2)                                                                   \
	const T1 x = (T1)a->scalar;                                                                \
	for (unsigned n = v->vstart; n < v->vl; n++) {                                             \
		T2 y = s2[n];                                                                      \
		ONE(R, __VA_ARGS__)                                                                \
	}                                                                                          \
	vector_put(v, a, to, sizeof(R));                                                           \
	}

#define ONE(R, ...)                                                                                \
	const unsigned vxrm __attribute__((unused)) = v->vxrm;                                     \
	bool sat __attribute__((unused)) = false;                                                  \
	to[n] = (R)(__VA_ARGS__);                                                                  \
	if (sat && vector_does(v, a, n))                                                           \
		v->vxsat = 1;

#define BOTH(name, T, ...)                                                                         \
	FOR_ALL(VECTOR, name##_vv, U, T, T, __VA_ARGS__)                                           \
	FOR_ALL(SCALAR, name##_vx, U, T, T, __VA_ARGS__)

BOTH(vsaddu, U, clipped_unsigned((s128)y + x, BITS, &sat))
BOTH(vssubu, U, clipped_unsigned((s128)y - x, BITS, &sat))
BOTH(vsadd, S, clipped((s128)y + x, BITS, &sat))
BOTH(vssub, S, clipped((s128)y - x, BITS, &sat))
BOTH(vaaddu, U, rounded((s128)y + x, 1, vxrm))
BOTH(vasubu, U, rounded((s128)y - x, 1, vxrm))
BOTH(vaadd, S, rounded((s128)y + x, 1, vxrm))
BOTH(vasub, S, rounded((s128)y - x, 1, vxrm))
BOTH(vsmul, S, clipped(rounded((s128)y *x, BITS - 1, vxrm), BITS, &sat))
BOTH(vssrl, U, rounded(y, x &(BITS - 1), vxrm))
BOTH(vssra, S, rounded(y, x &(BITS - 1), vxrm))
TO32(VECTOR, vnclip_wv, U, WS, U, clipped(rounded(y, x &(2 * BITS - 1), vxrm), BITS, &sat))
TO32(SCALAR, vnclip_wx, U, WS, U, clipped(rounded(y, x &(2 * BITS - 1), vxrm), BITS, &sat))
TO32(VECTOR, vnclipu_wv, U, WU, U,
     clipped_unsigned(rounded(y, x &(2 * BITS - 1), vxrm), BITS, &sat))
TO32(SCALAR, vnclipu_wx, U, WU, U,
     clipped_unsigned(rounded(y, x &(2 * BITS - 1), vxrm), BITS, &sat))

/*
 * XTheadVector: a product of twice the width is shifted by half of SEW and rounded, and is added to
 * vd or, if one factor is signed and the other is not, subtracted from it (vectors 0.7.1 §13.4).
 */
#define ADD(bits, name, T2, T1, X, sum)                                                            \
	KERNEL(name##_##bits)                                                                      \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const T2 *s2 = vector_reg(v, a->vs2);                                              \
		const T1 *s1 __attribute__((unused)) = vector_reg(v, a->vs1);                      \
		const WU *old = vector_reg(v, a->vd);                                              \
		VECTOR_BUFFER(WU, to);                                                             \
		for (unsigned n = v->vstart; n < v->vl; n++) {                                     \
			bool sat;                                                                  \
			s128 product = rounded((s128)s2[n] * (T1)X, BITS / 2, v->vxrm);            \
			to[n] = (WU)(sum);                                                         \
			if (sat && vector_does(v, a, n))                                           \
				v->vxsat = 1;                                                      \
		}                                                                                  \
		vector_put(v, a, to, sizeof(WU));                                                  \
	}
#define SUM_U clipped_unsigned(old[n] + product, 2 * BITS, &sat)
#define SUM_S clipped((WS)old[n] + product, 2 * BITS, &sat)
#define SUM_N clipped((WS)old[n] - product, 2 * BITS, &sat)

TO32(ADD, th_vwsmaccu_vv, U, U, s1[n], SUM_U)
TO32(ADD, th_vwsmaccu_vx, U, U, a->scalar, SUM_U)
TO32(ADD, th_vwsmacc_vv, S, S, s1[n], SUM_S)
TO32(ADD, th_vwsmacc_vx, S, S, a->scalar, SUM_S)
TO32(ADD, th_vwsmaccsu_vv, U, S, s1[n], SUM_N)
TO32(ADD, th_vwsmaccsu_vx, U, S, a->scalar, SUM_N)
TO32(ADD, th_vwsmaccus_vx, S, U, a->scalar, SUM_N)
