// SPDX-License-Identifier: BSD-2-Clause
/*
 * vector.c - configuration, and the checks before a kernel (vector.h).
 *
 * Implements: Unpriv 20240411 §31.3 (state), §31.4 (groups), §31.5.2 (overlap of registers),
 * §31.5.3 (masks), §31.5.4 (tails), §31.6 (configuration).
 */
#include <stdlib.h>

#include "parts.h"

/* A group of registers: the first one, how many, its elements' size (log2 of bytes; -1: bits). */
struct group {
	unsigned first, nr;
	int size;
};

void vector_type(struct vector_state *v, uint64_t vtype)
{
	unsigned lmul = vtype & 7, sew = vtype >> 3 & 7;

	v->vtype = vtype;
	v->sew = sew;
	v->lmul = lmul < 4 ? (int)lmul : (int)lmul - 8;
	if (vtype & ~VECTOR_VTYPE_BITS || sew > 3 || lmul == 4 ||
	    (v->lmul < 0 && v->sew - v->lmul > 3)) {
		v->vtype = VECTOR_VILL;
		v->sew = v->lmul = 0;
	}
}

unsigned vector_max(const struct vector_state *v)
{
	unsigned elements = v->bytes >> v->sew;

	if (v->vtype & VECTOR_VILL)
		return 0;
	return v->lmul < 0 ? elements >> -v->lmul : elements << v->lmul;
}

struct vector_state *vector_new(void)
{
	return aligned_alloc(_Alignof(struct vector_state), sizeof(struct vector_state));
}

void vector_reset(struct vector_state *v, unsigned bytes)
{
	memset(v, 0, sizeof(*v));
	v->bytes = bytes;
	vector_type(v, VECTOR_VILL);
}

bool vector_restored(struct vector_state *v, unsigned bytes)
{
	uint64_t vtype = v->vtype;

	v->bytes = bytes;
	vector_type(v, vtype);
	return v->vtype == vtype && v->vl <= vector_max(v) && v->vstart < 8 * bytes &&
	       v->vxrm < 4 && v->vxsat < 2;
}

uint64_t vector_set(struct vector_state *v, uint64_t vtype, uint64_t avl, bool keep)
{
	unsigned old = vector_max(v), max;

	vector_type(v, vtype);
	max = vector_max(v);
	if (keep && max != old) {
		vector_type(v, VECTOR_VILL);
		max = 0;
	}
	if (keep)
		avl = v->vl;
	v->vl = avl < max ? avl : max;
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

/* Makes the group of an operand.  False: it is reserved. */
static bool make_group(const struct vector_state *v, enum vector_place place, unsigned reg,
		       struct group *g)
{
	static const int8_t more[] = {
		[PLACE_WIDE] = 1,    [PLACE_HALF] = -1,	   [PLACE_QUARTER] = -2,
		[PLACE_EIGHTH] = -3, [PLACE_ONE_WIDE] = 1,
	};
	int lmul;

	*g = (struct group){ reg, 1, v->sew };
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

static bool overlap(const struct group *a, const struct group *b)
{
	return a->nr && b->nr && a->first < b->first + b->nr && b->first < a->first + a->nr;
}

/*
 * Whether the destination d may overlap the source s: elements of one size; smaller ones, in the
 * lowest part of the source; larger ones, whose highest part is the source, which is no less than a
 * register.  lmul: of the source.
 */
static bool may_overlap(const struct group *d, const struct group *s, int lmul)
{
	if (!overlap(d, s) || d->size == s->size)
		return true;
	if (d->size < s->size)
		return d->first == s->first;
	return lmul >= 0 && d->first + d->nr == s->first + s->nr && d->first != s->first;
}

static int lmul_of(const struct vector_state *v, const struct group *g)
{
	return g->size < 0 ? 0 : v->lmul + g->size - v->sew;
}

/* No register is read with elements of two sizes. */
static bool sources_agree(const struct group *a, const struct group *b)
{
	return !overlap(a, b) || a->size == b->size;
}

/* A multiply and add. */
static bool reads_vd(unsigned op)
{
	unsigned format = isa_table[op].format;

	return format == ISA_FMT_VVVA || format == ISA_FMT_VXVA || format == ISA_FMT_VFVA;
}

static bool legal(const struct vector_state *v, const struct vector_row *r,
		  const struct vector_args *a)
{
	struct group d, s1, s2, mask = { 0, a->masked, -1 };
	bool scalar = r->vd == PLACE_ONE || r->vd == PLACE_ONE_WIDE;

	if (v->vtype & VECTOR_VILL || (r->flags & VECTOR_START0 && v->vstart))
		return false;
	if (!make_group(v, r->vd, a->vd, &d) || !make_group(v, r->vs1, a->vs1, &s1) ||
	    !make_group(v, r->vs2, a->vs2, &s2))
		return false;
	if (reads_vd(a->op) && (!sources_agree(&d, &s1) || !sources_agree(&d, &s2)))
		return false;
	if (!sources_agree(&s1, &s2) || !sources_agree(&s1, &mask) || !sources_agree(&s2, &mask))
		return false;
	if (scalar)
		return true;
	if (overlap(&d, &mask) && (d.size >= 0 || r->flags & VECTOR_APART2))
		return false;
	if ((r->flags & VECTOR_APART1 && overlap(&d, &s1)) ||
	    (r->flags & VECTOR_APART2 && overlap(&d, &s2)))
		return false;
	return may_overlap(&d, &s1, lmul_of(v, &s1)) && may_overlap(&d, &s2, lmul_of(v, &s2));
}

/* Whether an f register that holds a binary32 has its NaN box; if not it is the canonical NaN. */
static uint64_t unboxed(uint64_t f)
{
	return f >> 32 == 0xffffffff ? (uint32_t)f : 0x7fc00000u;
}

bool vector_floats(unsigned op)
{
	return vector_rows[op].flags & VECTOR_FLOAT;
}

/* vmv1r.v to vmv8r.v: nr registers, of which those elements before vstart stay. */
static bool move_registers(struct vector_state *v, const struct vector_args *a, unsigned nr)
{
	unsigned from = v->vstart << v->sew, bytes = nr * v->bytes;

	if (v->vtype & VECTOR_VILL || (a->vd | a->vs2) & (nr - 1))
		return false;
	if (from < bytes)
		memmove((uint8_t *)vector_reg(v, a->vd) + from,
			(uint8_t *)vector_reg(v, a->vs2) + from, bytes - from);
	v->vstart = 0;
	return true;
}

bool vector_execute(struct vector_state *v, struct vector_args *a)
{
	const struct vector_row *r = &vector_rows[a->op];
	vector_kernel kernel = r->kernel[v->sew];

	switch (a->op) {
	case ISA_vmv1r_v:
		return move_registers(v, a, 1);
	case ISA_vmv2r_v:
		return move_registers(v, a, 2);
	case ISA_vmv4r_v:
		return move_registers(v, a, 4);
	case ISA_vmv8r_v:
		return move_registers(v, a, 8);
	default:
		break;
	}
	if (!kernel || !legal(v, r, a))
		return false;
	if (r->flags & VECTOR_CARRY)
		a->masked = false;
	if (r->flags & VECTOR_FLOAT && v->sew == 2)
		a->scalar = unboxed(a->scalar);
	kernel(v, a);
	v->vstart = 0;
	return true;
}
