// SPDX-License-Identifier: BSD-2-Clause
/*
 * mask.c - kernels: logic of masks, and what counts or finds their bits.
 *
 * Implements: Unpriv 20240411 §31.15.
 */
#include "parts.h"

/* The bits of byte n of a mask that are elements from vstart to vl - 1. */
static unsigned body(const struct vector_state *v, unsigned n)
{
	unsigned bits = 0xff;

	if (v->vstart > n * 8)
		bits &= v->vstart >= n * 8 + 8 ? 0 : 0xffu << (v->vstart - n * 8);
	if (v->vl < n * 8 + 8)
		bits &= (1u << (v->vl - n * 8)) - 1;
	return bits;
}

#define LOGIC(name, expression)                                                                    \
	KERNEL(name##_mm)                                                                          \
	{                                                                                          \
		const u8 *s2 = vector_reg(v, a->vs2), *s1 = vector_reg(v, a->vs1);                 \
		u8 *to = vector_reg(v, a->vd);                                                     \
		for (unsigned n = v->vstart / 8; n * 8 < v->vl; n++) {                             \
			unsigned y = s2[n], x = s1[n], bits = body(v, n);                          \
			to[n] = (to[n] & ~bits) | ((expression)&bits);                             \
		}                                                                                  \
	}

LOGIC(vmand, y &x)
LOGIC(vmnand, ~(y &x))
LOGIC(vmandn, y & ~x)
LOGIC(vmxor, y ^ x)
LOGIC(vmor, y | x)
LOGIC(vmnor, ~(y | x))
LOGIC(vmorn, y | ~x)
LOGIC(vmxnor, ~(y ^ x))

/* The active bits of byte n of vs2. */
static unsigned active(struct vector_state *v, const struct vector_args *a, unsigned n)
{
	const u8 *s2 = vector_reg(v, a->vs2);

	return s2[n] & body(v, n) & (a->masked ? ((const u8 *)v)[v->mask_at + n] : 0xff);
}

KERNEL(vcpop_m)
{
	a->result = 0;
	for (unsigned n = 0; n * 8 < v->vl; n++)
		a->result += __builtin_popcount(active(v, a, n));
}

KERNEL(vfirst_m)
{
	a->result = UINT64_MAX;
	for (unsigned n = 0; n * 8 < v->vl; n++) {
		unsigned bits = active(v, a, n);

		if (bits) {
			a->result = n * 8 + __builtin_ctz(bits);
			return;
		}
	}
}

/* before, at: the value of elements before the first active one, and its own; all after it: 0. */
static void set_first(struct vector_state *v, struct vector_args *a, bool before, bool at)
{
	const u8 *s2 = vector_reg(v, a->vs2);
	u8 *to = vector_reg(v, a->vd);
	bool found = false;

	for (unsigned n = 0; n < v->vl; n++) {
		bool here;

		if (!vector_does(v, a, n))
			continue;
		here = !found && vector_bit(s2, n);
		vector_set_bit(to, n, here ? at : !found && before);
		found |= here;
	}
}

KERNEL(vmsbf_m)
{
	set_first(v, a, true, false);
}

KERNEL(vmsif_m)
{
	set_first(v, a, true, true);
}

KERNEL(vmsof_m)
{
	set_first(v, a, false, true);
}

#define NUMBERS(bits)                                                                              \
	KERNEL(viota_m_##bits)                                                                     \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const u8 *s2 = vector_reg(v, a->vs2);                                              \
		VECTOR_BUFFER(U, to);                                                              \
		unsigned sum = 0;                                                                  \
		for (unsigned n = 0; n < v->vl; n++) {                                             \
			to[n] = (U)sum;                                                            \
			sum += vector_does(v, a, n) && vector_bit(s2, n);                          \
		}                                                                                  \
		vector_put(v, a, to, sizeof(U));                                                   \
	}                                                                                          \
	KERNEL(vid_v_##bits)                                                                       \
	{                                                                                          \
		TYPES(bits);                                                                       \
		VECTOR_BUFFER(U, to);                                                              \
		for (unsigned n = 0; n < v->vl; n++)                                               \
			to[n] = (U)n;                                                              \
		vector_put(v, a, to, sizeof(U));                                                   \
	}

NUMBERS(8)
NUMBERS(16)
NUMBERS(32)
NUMBERS(64)
