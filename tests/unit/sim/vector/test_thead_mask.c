// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_thead_mask.c - masks, permutations and reductions of XTheadVector (sim/vector/thead) against
 * a second implementation, as test_thead.c has it for arithmetic.
 *
 * Implements: vectors 0.7.1 §3.3, §4.4, chapters 15 to 17.
 */
#include "thead_state.h"

/* §16: what works on masks. */
static bool logic(unsigned op, bool y, bool x)
{
	switch (op) {
	case ISA_th_vmand_mm:
		return y && x;
	case ISA_th_vmnand_mm:
		return !(y && x);
	case ISA_th_vmandnot_mm:
		return y && !x;
	case ISA_th_vmxor_mm:
		return y != x;
	case ISA_th_vmor_mm:
		return y || x;
	case ISA_th_vmnor_mm:
		return !(y || x);
	case ISA_th_vmornot_mm:
		return y || !x;
	default:
		return y == x;
	}
}

/* Makes of want what the mask instruction makes; returns what goes to x rd. */
static uint64_t mask_wanted(struct vector_state *want, const struct vector_state *v,
			    const struct vector_args *a)
{
	uint64_t count = 0, first = UINT64_MAX;

	for (unsigned i = v->vstart; i < v->vl; i++) {
		const bool y = get_mask(v, a->vs2, i);

		if (a->masked && !get_mask(v, 0, i))
			continue;
		if (a->op == ISA_th_viota_m || a->op == ISA_th_vid_v)
			set(want, a->vd, 1u << v->sew, i, a->op == ISA_th_vid_v ? i : count);
		else if (a->op == ISA_th_vmsbf_m)
			set_mask(want, a->vd, i, first == UINT64_MAX && !y);
		else if (a->op == ISA_th_vmsif_m)
			set_mask(want, a->vd, i, first == UINT64_MAX);
		else if (a->op == ISA_th_vmsof_m)
			set_mask(want, a->vd, i, first == UINT64_MAX && y);
		else if (a->op != ISA_th_vmpopc_m && a->op != ISA_th_vmfirst_m)
			set_mask(want, a->vd, i, logic(a->op, y, get_mask(v, a->vs1, i)));
		count += y;
		first = y && first == UINT64_MAX ? i : first;
	}
	return a->op == ISA_th_vmpopc_m ? count : first;
}

static void masks(void)
{
	static const struct {
		uint16_t op;
		char form; /* of operands: 'm' three masks, 's' two, 'x' to x rd, 'v' to elements */
	} rows[] = {
		{ ISA_th_vmand_mm, 'm' },   { ISA_th_vmnand_mm, 'm' }, { ISA_th_vmandnot_mm, 'm' },
		{ ISA_th_vmxor_mm, 'm' },   { ISA_th_vmor_mm, 'm' },   { ISA_th_vmnor_mm, 'm' },
		{ ISA_th_vmornot_mm, 'm' }, { ISA_th_vmxnor_mm, 'm' }, { ISA_th_vmsbf_m, 's' },
		{ ISA_th_vmsif_m, 's' },    { ISA_th_vmsof_m, 's' },   { ISA_th_vmpopc_m, 'x' },
		{ ISA_th_vmfirst_m, 'x' },  { ISA_th_viota_m, 'v' },   { ISA_th_vid_v, 'i' },
	};

	for (unsigned n = 0; n < 20000; n++) {
		struct vector_state *v = random_state(), *want = vector_new();
		const unsigned k = rnd() % TAP_NR(rows);
		const bool start0 = strchr("sxv", rows[k].form);
		uint32_t flags = 0;
		struct vector_args a = { .op = rows[k].op,
					 .vd = strchr("vi", rows[k].form) ? 8 : rnd() % 32,
					 .vs1 = rnd() % 32,
					 .vs2 = rows[k].form == 'v' ? 16 : rnd() % 32,
					 .masked = rows[k].form != 'm' && rnd() & 1,
					 .flags = &flags };
		const struct vector_args was = a;
		uint64_t result;

		*want = *v;
		tap_context("%s, vtype %x, vl %u, vstart %u, masked %d, vd %u, vs2 %u",
			    isa_table[a.op].name, (unsigned)v->vtype, v->vl, v->vstart, a.masked,
			    a.vd, a.vs2);
		if (start0 && v->vstart) {
			ok(!vector_execute(v, &a));
			ok(same(v, want));
			free(v);
			free(want);
			continue;
		}
		result = mask_wanted(want, v, &a);
		if (rows[k].form != 'x' && v->vstart < v->vl) {
			for (unsigned i = v->vl; strchr("ms", rows[k].form) && i < v->max; i++)
				set_mask(want, a.vd, i, false);
			if (strchr("vi", rows[k].form))
				clear_tail(want, a.vd, 1u << v->sew, v->vl);
		}
		want->vstart = 0;
		ok(vector_execute(v, &a));
		ok(same(v, want));
		if (rows[k].form == 'x')
			is(a.result, result);
		is(was.op, rows[k].op);
		free(v);
		free(want);
	}
}

/* §17: element i of the result, if it is written at all. */
static bool permuted(const struct vector_state *v, const struct vector_args *a, unsigned i,
		     uint64_t *value)
{
	const unsigned bytes = 1u << v->sew;
	uint64_t at = i;

	switch (a->op) {
	case ISA_th_vslideup_vx:
		if (i < a->scalar)
			return false;
		at = i - a->scalar;
		break;
	case ISA_th_vslidedown_vx:
		at = a->scalar > v->max ? v->max : i + a->scalar;
		break;
	case ISA_th_vslide1up_vx:
		at = i - 1ull;
		break;
	case ISA_th_vslide1down_vx:
		at = i + 1ull;
		break;
	case ISA_th_vrgather_vv:
		at = get(v, a->vs1, bytes, i);
		break;
	default:
		at = a->scalar;
		break;
	}
	*value = at < v->max ? get(v, a->vs2, bytes, at) : 0;
	if ((a->op == ISA_th_vslide1up_vx && !i) ||
	    (a->op == ISA_th_vslide1down_vx && i + 1 == v->vl))
		*value = a->scalar;
	return true;
}

static void permutations(void)
{
	static const uint16_t rows[] = { ISA_th_vslideup_vx,  ISA_th_vslidedown_vx,
					 ISA_th_vslide1up_vx, ISA_th_vslide1down_vx,
					 ISA_th_vrgather_vv,  ISA_th_vrgather_vx,
					 ISA_th_vcompress_vm, ISA_th_vmv_s_x,
					 ISA_th_vext_x_v };

	for (unsigned n = 0; n < 10000; n++) {
		struct vector_state *v = random_state(), *want = vector_new();
		const unsigned op = rows[rnd() % TAP_NR(rows)], bytes = 1u << v->sew;
		uint64_t value, count = 0;
		uint32_t flags = 0;
		struct vector_args a = { .op = op,
					 .vd = 8,
					 .vs1 = 24,
					 .vs2 = 16,
					 .masked = op != ISA_th_vcompress_vm &&
						   op != ISA_th_vmv_s_x && op != ISA_th_vext_x_v &&
						   rnd() & 1,
					 .scalar = rnd() % 4 ? rnd() % 20 : rnd(),
					 .flags = &flags };
		const uint64_t scalar = a.scalar;

		if (op == ISA_th_vcompress_vm)
			v->vstart = 0;
		*want = *v;
		for (unsigned i = v->vstart; i < v->vl; i++) {
			if (op == ISA_th_vcompress_vm && get_mask(v, 24, i))
				set(want, 8, bytes, count++, get(v, 16, bytes, i));
			else if (op != ISA_th_vcompress_vm && op != ISA_th_vmv_s_x &&
				 op != ISA_th_vext_x_v && !(a.masked && !get_mask(v, 0, i)) &&
				 permuted(v, &a, i, &value))
				set(want, 8, bytes, i, value);
		}
		if (op == ISA_th_vmv_s_x && v->vstart < v->vl) {
			memset(want->reg + 8 * v->bytes, 0, v->bytes);
			set(want, 8, bytes, 0, scalar);
		} else if (op != ISA_th_vext_x_v && v->vstart < v->vl) {
			clear_tail(want, 8, bytes, op == ISA_th_vcompress_vm ? count : v->vl);
		}
		want->vstart = 0;
		tap_context("%s, vtype %x, vl %u, scalar %llu", isa_table[op].name,
			    (unsigned)v->vtype, v->vl, (unsigned long long)scalar);
		ok(vector_execute(v, &a));
		ok(same(v, want));
		if (op == ISA_th_vext_x_v)
			is(a.result, scalar < v->bytes / bytes ? get(want, 16, bytes, scalar) : 0);
		free(v);
		free(want);
	}
}

/* §15: the sum of active elements and element 0 of vs1; all else of vd becomes 0. */
static void reductions(void)
{
	static const uint16_t rows[] = { ISA_th_vredsum_vs, ISA_th_vredmaxu_vs, ISA_th_vredmin_vs,
					 ISA_th_vwredsum_vs, ISA_th_vredxor_vs };

	for (unsigned n = 0; n < 8000; n++) {
		struct vector_state *v = random_state(), *want = vector_new();
		const unsigned op = rows[rnd() % TAP_NR(rows)], bytes = 1u << v->sew;
		const bool wide = op == ISA_th_vwredsum_vs;
		uint64_t sum = get(v, 24, wide && bytes < 8 ? 2 * bytes : bytes, 0);
		uint32_t flags = 0;
		struct vector_args a = { .op = op,
					 .vd = rnd() % 2 ? 8 : 24,
					 .vs1 = 24,
					 .vs2 = 16,
					 .masked = rnd() & 1,
					 .flags = &flags };

		v->vstart = 0;
		*want = *v;
		for (unsigned i = 0; i < v->vl && !(wide && v->sew == 3); i++) {
			const uint64_t y = get(v, 16, bytes, i);

			if (a.masked && !get_mask(v, 0, i))
				continue;
			sum = op == ISA_th_vredsum_vs	 ? sum + y
			      : op == ISA_th_vredxor_vs	 ? sum ^ y
			      : op == ISA_th_vredmaxu_vs ? (y > sum ? y : sum)
			      : op == ISA_th_vredmin_vs
				      ? (extend(y, bytes) < extend(sum, bytes) ? y : sum)
				      : sum + (uint64_t)extend(y, bytes);
			sum &= bytes << wide < 8 ? (1ull << (8 * bytes << wide)) - 1 : UINT64_MAX;
		}
		if (v->vl && !(wide && v->sew == 3)) {
			memset(want->reg + a.vd * v->bytes, 0, v->bytes);
			set(want, a.vd, bytes << wide, 0, sum);
		}
		tap_context("%s, vtype %x, vl %u", isa_table[op].name, (unsigned)v->vtype, v->vl);
		if (wide && v->sew == 3)
			ok(!vector_execute(v, &a));
		else
			ok(vector_execute(v, &a) && same(v, want));
		free(v);
		free(want);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "masks", masks },
		{ "permutations", permutations },
		{ "reductions", reductions },
	};

	make_extensions();
	return tap_run(cases, TAP_NR(cases));
}
