// SPDX-License-Identifier: BSD-2-Clause
/*
 * vector.c - the state of a vector unit, its configuration, and how the results of a kernel are
 * written to it (vector.h, parts.h).
 *
 * Implements: Unpriv 20240411 §31.3 (state), §31.5.3 (masks), §31.5.4 (tails), §31.6
 * (configuration).
 */
#include <stdlib.h>

#include "parts.h"

void vector_type(struct vector_state *v, uint64_t vtype)
{
	unsigned lmul = vtype & 7, sew = vtype >> 3 & 7, elements;

	v->vtype = vtype;
	v->sew = sew;
	v->lmul = lmul < 4 ? (int)lmul : (int)lmul - 8;
	if (vtype & ~VECTOR_VTYPE_BITS || sew > 3 || lmul == 4 ||
	    (v->lmul < 0 && v->sew - v->lmul > 3)) {
		v->vtype = VECTOR_VILL;
		v->sew = v->lmul = v->max = 0;
		return;
	}
	elements = v->bytes >> v->sew;
	v->max = v->lmul < 0 ? elements >> -v->lmul : elements << v->lmul;
}

struct vector_state *vector_new(void)
{
	return aligned_alloc(_Alignof(struct vector_state), sizeof(struct vector_state));
}

void vector_reset(struct vector_state *v, unsigned bytes, const struct isa_set *has)
{
	memset(v, 0, sizeof(*v));
	v->bytes = bytes;
	v->has = has;
	vector_type(v, VECTOR_VILL);
}

bool vector_restored(struct vector_state *v)
{
	uint64_t vtype = v->vtype;

	memset(v->plan, 0, sizeof(v->plan));
	vector_type(v, vtype);
	return v->vtype == vtype && v->vl <= v->max && v->vstart < 8 * v->bytes && v->vxrm < 4 &&
	       v->vxsat < 2;
}

uint64_t vector_set(struct vector_state *v, uint64_t vtype, uint64_t avl, bool keep)
{
	unsigned old = v->max;

	if (vtype != v->vtype)
		vector_type(v, vtype);
	if (keep && v->max != old)
		vector_type(v, VECTOR_VILL);
	if (keep)
		avl = v->vl;
	v->vl = avl < v->max ? avl : v->max;
	v->vstart = 0;
	return v->vl;
}

void vector_put(struct vector_state *v, const struct vector_args *a, const void *from,
		unsigned bytes)
{
	const uint8_t *p = from;
	uint8_t *to = vector_reg(v, a->vd);

	if (v->vstart >= v->vl)
		return;
	if (!a->masked) {
		memcpy(to + v->vstart * bytes, p + v->vstart * bytes, (v->vl - v->vstart) * bytes);
		return;
	}
	/* vd may be v0 only if the mask is no longer needed: kernels that write v0 are not here. */
	for (unsigned n = v->vstart; n < v->vl; n++) {
		if (!vector_active(v, n))
			continue;
		switch (bytes) {
		case 1:
			to[n] = p[n];
			break;
		case 2:
			((u16 *)to)[n] = ((const u16 *)p)[n];
			break;
		case 4:
			((u32 *)to)[n] = ((const u32 *)p)[n];
			break;
		default:
			((u64 *)to)[n] = ((const u64 *)p)[n];
			break;
		}
	}
}

void vector_put_mask(struct vector_state *v, const struct vector_args *a, const uint8_t *from)
{
	uint8_t *to = vector_reg(v, a->vd);
	unsigned n = v->vstart;

	/* Bit n of v0 is read before bit n of vd, which may be v0, is written. */
	for (; n < v->vl && (a->masked || n % 8); n++) {
		if (vector_does(v, a, n))
			vector_set_bit(to, n, from[n]);
	}
	for (; n + 8 <= v->vl; n += 8) {
		u64 bits;

		memcpy(&bits, from + n, 8);
		to[n / 8] = bits * 0x0102040810204080 >> 56;
	}
	for (; n < v->vl; n++)
		vector_set_bit(to, n, from[n]);
}
