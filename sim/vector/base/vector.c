// SPDX-License-Identifier: BSD-2-Clause
/*
 * vector.c - the state of a vector unit, its configuration, groups of registers, and how the
 * results of a kernel are written to it (vector.h, parts.h).
 *
 * Implements: Unpriv 20240411 §31.3 (state), §31.4 (groups), §31.5.3 (masks), §31.5.4 (tails),
 * §31.6 (configuration); vectors 0.7.1 §3.2 (vtype), §4.4 (masks).
 */
#include <stddef.h>
#include <stdlib.h>

#include "parts.h"

/* SEW and LMUL of V.  False: they are reserved. */
static bool decode_type(struct vector_state *v, uint64_t vtype)
{
	unsigned lmul = vtype & 7;

	v->sew = vtype >> 3 & 7;
	v->lmul = lmul < 4 ? (int)lmul : (int)lmul - 8;
	return !(vtype & ~VECTOR_VTYPE_BITS) && v->sew < 4 && lmul != 4 &&
	       (v->lmul >= 0 || v->sew - v->lmul <= 3);
}

/* The same of XTheadVector, which has no divided elements (bits 6 and 5). */
static bool decode_thead_type(struct vector_state *v, uint64_t vtype)
{
	v->sew = vtype >> 2 & 7;
	v->lmul = vtype & 3;
	return !(vtype >> 5) && v->sew < 4;
}

void vector_type(struct vector_state *v, uint64_t vtype)
{
	unsigned elements;

	v->vtype = vtype;
	if (!(v->thead ? decode_thead_type(v, vtype) : decode_type(v, vtype))) {
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
	v->thead = isa_set_has(has, ISA_EXT_XTHEADVECTOR) && !isa_set_has(has, ISA_EXT_V);
	v->mask_at = v->thead ? offsetof(struct vector_state, mask)
			      : offsetof(struct vector_state, reg);
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

bool vector_operand(const struct vector_state *v, enum vector_place place, unsigned reg,
		    struct vector_operand *g)
{
	static const int8_t more[] = {
		[PLACE_WIDE] = 1,    [PLACE_HALF] = -1,	   [PLACE_QUARTER] = -2,
		[PLACE_EIGHTH] = -3, [PLACE_ONE_WIDE] = 1,
	};
	int lmul;

	*g = (struct vector_operand){ reg, 1, v->sew };
	switch (place) {
	case PLACE_NONE:
		g->nr = 0;
		return true;
	case PLACE_MASK:
		g->size = -1;
		return true;
	case PLACE_ONE:
		return true;
	case PLACE_E16:
		g->size = 1;
		break;
	case PLACE_SAME:
		break;
	default:
		g->size = v->sew + more[place];
		break;
	}
	if (g->size < 0 || g->size > 3)
		return false;
	if (place == PLACE_ONE_WIDE)
		return true;
	lmul = v->lmul + g->size - v->sew;
	if (lmul < -3 || lmul > 3)
		return false;
	if (lmul > 0)
		g->nr = 1u << lmul;
	return !(reg & (g->nr - 1));
}

void vector_gather(const struct vector_state *v, unsigned reg, uint8_t *to)
{
	const uint8_t *from = v->reg + reg * v->bytes;
	const unsigned shift = vector_log_mlen(v);

	if (!shift) {
		memcpy(to, from, v->bytes);
		return;
	}
	memset(to, 0, v->bytes);
	if (shift == 3) { /* the lowest bits of eight bytes */
		for (unsigned n = 0; n < v->max; n += 8) {
			u64 bits;

			memcpy(&bits, from + n, 8);
			to[n / 8] = (bits & 0x0101010101010101) * 0x0102040810204080 >> 56;
		}
		return;
	}
	for (unsigned n = 0; n < v->max; n++)
		to[n / 8] |= vector_bit(from, n << shift) << n % 8;
}

void vector_copy_mask(struct vector_state *v)
{
	vector_gather(v, 0, v->mask);
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
