// SPDX-License-Identifier: BSD-2-Clause
/*
 * execute.c - the checks before a kernel (vector.h).
 *
 * Implements: Unpriv 20240411 §31.4 (groups), §31.5.2 (overlap of registers); Vector Cryptography
 * 1.0, Instruction Constraints (groups of elements).
 */
#include "host.h"
#include "thead.h"

/*
 * Whether the destination d may overlap the source s: elements of one size; smaller ones, in the
 * lowest part of the source; larger ones, whose highest part is the source, which is no less than a
 * register.  lmul: of the source.
 */
static bool may_overlap(const struct vector_operand *d, const struct vector_operand *s, int lmul)
{
	if (!vector_overlap(d, s) || d->size == s->size)
		return true;
	if (d->size < s->size)
		return d->first == s->first;
	return lmul >= 0 && d->first + d->nr == s->first + s->nr && d->first != s->first;
}

static int lmul_of(const struct vector_state *v, const struct vector_operand *g)
{
	return g->size < 0 ? 0 : v->lmul + g->size - v->sew;
}

/* No register is read with elements of two sizes. */
static bool sources_agree(const struct vector_operand *a, const struct vector_operand *b)
{
	return !vector_overlap(a, b) || a->size == b->size;
}

/* A multiply and add, or a step of a cipher. */
static bool reads_vd(unsigned op)
{
	switch (isa_table[op].format) {
	case ISA_FMT_VVVA:
	case ISA_FMT_VXVA:
	case ISA_FMT_VFVA:
	case ISA_FMT_VVB:
	case ISA_FMT_VVUB:
	case ISA_FMT_VVVB:
		return true;
	default:
		return false;
	}
}

/* Whether vl and vstart are numbers of groups of elements, and there is room for one group. */
static bool whole_groups(const struct vector_state *v, const struct vector_row *r)
{
	unsigned nr = r->flags & VECTOR_EIGHT ? 8 : r->flags & VECTOR_FOUR ? 4 : 1;

	return !((v->vl | v->vstart) & (nr - 1)) && v->max >= nr;
}

static bool legal(const struct vector_state *v, const struct vector_row *r,
		  const struct vector_args *a)
{
	struct vector_operand d, s1, s2, mask = { 0, a->masked, -1 };
	bool scalar = r->vd == PLACE_ONE || r->vd == PLACE_ONE_WIDE;

	if (v->vtype & VECTOR_VILL)
		return false;
	if (!vector_operand(v, r->vd, a->vd, &d) || !vector_operand(v, r->vs1, a->vs1, &s1) ||
	    !vector_operand(v, r->vs2, a->vs2, &s2))
		return false;
	if (reads_vd(a->op) && (!sources_agree(&d, &s1) || !sources_agree(&d, &s2)))
		return false;
	if (!sources_agree(&s1, &s2) || !sources_agree(&s1, &mask) || !sources_agree(&s2, &mask))
		return false;
	if (scalar)
		return true;
	if (vector_overlap(&d, &mask) && (d.size >= 0 || r->flags & VECTOR_APART2))
		return false;
	if ((r->flags & VECTOR_APART1 && vector_overlap(&d, &s1)) ||
	    (r->flags & VECTOR_APART2 && vector_overlap(&d, &s2)))
		return false;
	return may_overlap(&d, &s1, lmul_of(v, &s1)) && may_overlap(&d, &s2, lmul_of(v, &s2));
}

static void use(const struct vector_state *v, enum vector_place place, unsigned reg,
		struct vector_group *to, uint8_t *eighths)
{
	struct vector_operand g;
	int lmul;

	*to = (struct vector_group){ reg, 0 };
	if (!vector_operand(v, place, reg, &g))
		return;
	*to = (struct vector_group){ reg, g.nr };
	if (place == PLACE_NONE || place == PLACE_MASK || place == PLACE_ONE ||
	    place == PLACE_ONE_WIDE)
		return;
	lmul = lmul_of(v, &g);
	if (1 << (lmul + 3) > *eighths)
		*eighths = 1 << (lmul + 3);
}

/* vmv1r.v to vmv8r.v: how many registers; 0: it is another instruction. */
static unsigned moved(unsigned op)
{
	return op == ISA_vmv1r_v   ? 1
	       : op == ISA_vmv2r_v ? 2
	       : op == ISA_vmv4r_v ? 4
	       : op == ISA_vmv8r_v ? 8
				   : 0;
}

void vector_used(const struct vector_state *v, unsigned op, uint32_t insn, struct vector_use *u)
{
	const struct vector_row *r = &vector_rows[vector_like(op)];
	unsigned vd = insn >> 7 & 31, vs1 = insn >> 15 & 31, vs2 = insn >> 20 & 31;
	unsigned nr = moved(op);
	bool vm = insn >> 25 & 1;

	*u = (struct vector_use){ .reads_vd = reads_vd(op),
				  .reads_v0 = !vm || r->flags & VECTOR_CARRY,
				  .masked = !vm && !(r->flags & VECTOR_CARRY),
				  .elements = v->vl,
				  .places = v->max };
	if (nr) {
		u->elements = u->places = nr * v->bytes >> v->sew;
		u->vd = (struct vector_group){ vd, nr };
		u->vs2 = (struct vector_group){ vs2, nr };
		u->eighths = 8 * nr;
		u->reads_v0 = u->masked = false;
		return;
	}
	if ((r->vd == PLACE_ONE && r->vs2 == PLACE_NONE) ||
	    (r->vd == PLACE_NONE && r->vs2 == PLACE_ONE))
		u->elements = u->places = 1;
	use(v, r->vd, vd, &u->vd, &u->eighths);
	use(v, r->vs1, vs1, &u->vs1, &u->eighths);
	use(v, r->vs2, vs2, &u->vs2, &u->eighths);
}

bool vector_floats(unsigned op)
{
	return vector_rows[vector_like(op)].flags & VECTOR_FLOAT;
}

/* vmv1r.v to vmv8r.v: nr registers, of which those elements before vstart stay. */
static void move_registers(struct vector_state *v, const struct vector_args *a, unsigned nr)
{
	unsigned from = v->vstart << v->sew, bytes = nr * v->bytes;

	if (from < bytes)
		memmove((uint8_t *)vector_reg(v, a->vd) + from,
			(uint8_t *)vector_reg(v, a->vs2) + from, bytes - from);
}

static void make_plan(const struct vector_state *v, const struct vector_args *a,
		      struct vector_plan *p)
{
	const struct vector_row *r = &vector_rows[a->op];

	p->moved = moved(a->op);
	if (p->moved) {
		p->legal = !(v->vtype & VECTOR_VILL) && !((a->vd | a->vs2) & (p->moved - 1));
		return;
	}
	p->is.kernel.all = r->kernel[v->sew];
	p->is.kernel.host = a->masked ? NULL : vector_host(a->op, v->sew);
	p->legal = p->is.kernel.all && isa_set_has(v->has, r->needs[v->sew]) && legal(v, r, a);
}

bool vector_execute(struct vector_state *v, struct vector_args *a)
{
	const struct vector_row *r = &vector_rows[a->op];
	struct vector_plan *p;
	bool known;

	if (v->thead)
		return vector_thead_execute(v, a);
	p = vector_plan_of(v, vector_key(a), &known);
	if (!known)
		make_plan(v, a, p);
	if (!p->legal || (r->flags & VECTOR_START0 && v->vstart) || !whole_groups(v, r))
		return false;
	if (p->moved) {
		move_registers(v, a, p->moved);
	} else {
		if (r->flags & VECTOR_CARRY)
			a->masked = false;
		if (r->flags & VECTOR_FLOAT && v->sew < 3)
			a->scalar = vector_unboxed(a->scalar, v->sew);
		if (!p->is.kernel.host || v->vstart || a->rm != FP_RNE || !p->is.kernel.host(v, a))
			p->is.kernel.all(v, a);
	}
	v->vstart = 0;
	return true;
}
