// SPDX-License-Identifier: BSD-2-Clause
/*
 * execute.c - what instructions of XTheadVector that compute may have as operands, and how kernels,
 * which know V, execute them (thead.h).
 *
 * Implements: vectors 0.7.1 §3.3 (zeros after vl), §4.4 (masks), §5.2, §5.3, §11.3, §11.4 (groups,
 * and which may overlap), chapters 12 to 17.
 */
#include "host.h"
#include "thead.h"

/* Spare registers, which are 0 between instructions. */
enum {
	SPARE2 = VECTOR_REGS, /* the mask vs2 */
	SPARE1, /* the mask vs1 */
	SPARE0, /* the mask vd */
	SPARE_END
};

_Static_assert(SPARE_END == VECTOR_REGS + VECTOR_SPARE, "all of them");

/* Writes element n of a mask, which has 1 << shift bits. */
static inline void put_element(uint8_t *mask, unsigned n, unsigned shift, bool value)
{
	const unsigned at = n << shift, ones = (1u << (1u << (shift & 3))) - 1;
	uint8_t *to = mask + at / 8;

	switch (shift) {
	case 3:
		*to = value;
		break;
	case 4:
		*(u16 *)to = value;
		break;
	case 5:
		*(u32 *)to = value;
		break;
	case 6:
		*(u64 *)to = value;
		break;
	default:
		*to = (*to & ~(ones << at % 8)) | (unsigned)value << at % 8;
	}
}

/*
 * Writes elements of the mask in SPARE0 to reg: those from vstart on that the instruction has
 * written, and zeros after vl.
 */
static void scatter(struct vector_state *v, const struct vector_args *a, unsigned reg)
{
	const uint8_t *from = vector_reg(v, SPARE0);
	uint8_t *to = vector_reg(v, reg);
	const unsigned shift = vector_log_mlen(v), bits = v->vl << shift;

	for (unsigned n = v->vstart; n < v->vl; n++) {
		if (vector_does(v, a, n))
			put_element(to, n, shift, vector_bit(from, n));
	}
	for (unsigned i = bits; i % 8; i++)
		vector_set_bit(to, i, false);
	memset(to + (bits + 7) / 8, 0, v->bytes - (bits + 7) / 8);
}

/* What vd has after the elements that the instruction has written: nr of so many bytes. */
static void clear_behind(struct vector_state *v, const struct vector_row *r, unsigned reg,
			 unsigned nr)
{
	const bool one = r->vd == PLACE_ONE || r->vd == PLACE_ONE_WIDE;
	const bool wide = r->vd == PLACE_WIDE || r->vd == PLACE_ONE_WIDE;
	const unsigned size = v->sew + wide, end = one ? v->bytes : v->max << size;

	if (nr << size < end)
		memset((uint8_t *)vector_reg(v, reg) + (nr << size), 0, end - (nr << size));
}

/* How many elements an instruction that has reached vl has written. */
static unsigned written(const struct vector_state *v, const struct vector_args *a,
			const struct vector_row *r)
{
	const uint8_t *which = v->reg + SPARE1 * v->bytes;
	unsigned nr = 0;

	if (r->vd == PLACE_ONE || r->vd == PLACE_ONE_WIDE)
		return 1;
	if (a->op != ISA_vcompress_vm)
		return v->vl;
	for (unsigned n = 0; n < v->vl; n++)
		nr += vector_bit(which, n);
	return nr;
}

/* The kernel of the instruction, with operands as those of V. */
static void run(struct vector_state *v, struct vector_args *a, const struct vector_row *r,
		const struct vector_plan *p)
{
	const unsigned vd = a->vd, start = v->vstart;

	if (a->masked || r->flags & VECTOR_CARRY)
		vector_copy_mask(v);
	if (r->vs2 == PLACE_MASK) {
		vector_gather(v, a->vs2, vector_reg(v, SPARE2));
		a->vs2 = SPARE2;
	}
	if (r->vs1 == PLACE_MASK) {
		vector_gather(v, a->vs1, vector_reg(v, SPARE1));
		a->vs1 = SPARE1;
	}
	if (r->vd == PLACE_MASK)
		a->vd = SPARE0;
	if (r->flags & VECTOR_CARRY)
		a->masked = false;
	if (r->flags & VECTOR_FLOAT && v->sew < 3)
		a->scalar = vector_unboxed(a->scalar, v->sew);
	if (!p->is.kernel.host || start || a->rm != FP_RNE || !p->is.kernel.host(v, a))
		p->is.kernel.all(v, a);
	if (start < v->vl && r->vd == PLACE_MASK)
		scatter(v, a, vd);
	else if (start < v->vl && r->vd != PLACE_NONE)
		clear_behind(v, r, vd, written(v, a, r));
	if (r->vd == PLACE_MASK || r->vs1 == PLACE_MASK || r->vs2 == PLACE_MASK)
		memset(vector_reg(v, SPARE2), 0, VECTOR_SPARE * v->bytes);
}

/* Slides, gathers and viota.m need their mask as long as they run. */
static bool needs_mask(unsigned op)
{
	return isa_table[op].class == ISA_CLASS_VPERM || op == ISA_viota_m;
}

/* Whether vd may be where the mask v0 is; d is its group. */
static bool may_be_mask(const struct vector_state *v, const struct vector_row *r, unsigned op,
			const struct vector_operand *d)
{
	if (!d->nr || d->first || r->vd == PLACE_MASK || r->vd == PLACE_ONE ||
	    r->vd == PLACE_ONE_WIDE)
		return true;
	return r->vd == PLACE_SAME && !v->lmul && !needs_mask(op);
}

/* Whether vd may overlap a source. */
static bool may_overlap(const struct vector_state *v, const struct vector_row *r,
			const struct vector_operand *d, const struct vector_operand *s, bool apart)
{
	if (!vector_overlap(d, s))
		return true;
	if (r->vd == PLACE_ONE || r->vd == PLACE_ONE_WIDE)
		return true;
	if (r->vd == PLACE_MASK && s->size < 0) /* masks of masks */
		return true;
	if (r->vd == PLACE_MASK) /* vmadc and vmsbc carry; the others compare */
		return !v->lmul && !(r->flags & VECTOR_CARRY);
	return !apart && d->size == s->size;
}

static bool legal(const struct vector_state *v, const struct vector_row *r,
		  const struct vector_args *a)
{
	struct vector_operand d, s1, s2;

	if (v->vtype & VECTOR_VILL || !vector_operand(v, r->vd, a->vd, &d) ||
	    !vector_operand(v, r->vs1, a->vs1, &s1) || !vector_operand(v, r->vs2, a->vs2, &s2))
		return false;
	if ((a->masked || r->flags & VECTOR_CARRY) && !may_be_mask(v, r, a->op, &d))
		return false;
	return may_overlap(v, r, &d, &s1, r->flags & VECTOR_APART1) &&
	       may_overlap(v, r, &d, &s2, r->flags & VECTOR_APART2);
}

/* Floating point of 16 bits needs Zfh; of 8 bits there is none. */
static bool size_exists(const struct vector_state *v, const struct vector_row *r)
{
	if (!r->kernel[v->sew] || (r->flags & VECTOR_FLOAT && !v->sew))
		return false;
	return !(r->flags & VECTOR_FLOAT) || v->sew > 1 || isa_set_has(v->has, ISA_EXT_ZFH);
}

bool vector_thead_execute(struct vector_state *v, struct vector_args *a)
{
	const struct vector_row *r;
	struct vector_plan *p;
	bool known;

	a->op = vector_like(a->op);
	r = &vector_rows[a->op];
	p = vector_plan_of(v, vector_key(a), &known);
	if (!known) {
		p->is.kernel.all = r->kernel[v->sew];
		p->is.kernel.host = a->masked ? NULL : vector_host(a->op, v->sew);
		p->legal = size_exists(v, r) && legal(v, r, a);
	}
	if (!p->legal || (r->flags & VECTOR_START0 && v->vstart))
		return false;
	run(v, a, r, p);
	v->vstart = 0;
	return true;
}
