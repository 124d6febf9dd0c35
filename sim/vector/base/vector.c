// SPDX-License-Identifier: BSD-2-Clause
/*
 * vector.c - the state of a vector unit, and its configuration (vector.h).
 *
 * Implements: Unpriv 20240411 §31.3 (state), §31.6 (configuration); vectors 0.7.1 §3.2 (vtype).
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

void vector_copy_mask(struct vector_state *v)
{
	vector_gather(v, 0, v->mask);
}
