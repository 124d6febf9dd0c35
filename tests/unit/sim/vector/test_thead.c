// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_thead.c - XTheadVector (sim/vector/thead) against a second implementation, which computes
 * one element at a time as the specification of vectors 0.7.1 says it, for any SEW, LMUL, mask, vl
 * and vstart; what is like V against V, whose kernels it has; vtype; which operands are illegal.
 * test_thead_mask.c has masks, permutations and reductions.
 *
 * Implements: vectors 0.7.1 §3.2, §3.3, §4.4, §5.2, §5.3, §11.3, §11.4, chapters 7, 8, 12 to 14.
 */
#include "thead_state.h"

static struct isa_set with_v;

/* value >> by, rounded as vxrm says (§3.6). */
static __int128 rounded(__int128 value, unsigned by, unsigned vxrm)
{
	__int128 unit = (__int128)1 << by, floor = value >> by, lost = value - floor * unit;
	__int128 half = unit / 2;

	if (!by || !lost)
		return floor;
	switch (vxrm) {
	case 0:
		return floor + (lost >= half);
	case 1:
		return floor + (lost > half || (lost == half && floor & 1));
	case 2:
		return floor;
	default:
		return floor | 1;
	}
}

/* Between the least and the greatest number of so many bits. */
static __int128 clip(__int128 value, unsigned bits, bool is_signed, bool *sat)
{
	__int128 least = is_signed ? -((__int128)1 << (bits - 1)) : 0,
		 most = ((__int128)1 << (bits - is_signed)) - 1;

	*sat = value < least || value > most;
	return value < least ? least : value > most ? most : value;
}

/* One element: of vs2 (y), of vs1 or the scalar (x), of vd (d), of v0 as a carry (c). */
struct element {
	unsigned bytes, vxrm; /* bytes: of SEW */
	uint64_t y, x, d;
	int64_t sy, sx, sd; /* sign-extended */
	bool c, sat;
};

static __int128 integer(unsigned op, const struct element *e)
{
	const unsigned bits = 8 * e->bytes, by = e->x & (bits - 1);
	const uint64_t ones = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;

	switch (op) {
	case ISA_th_vadd_vv:
	case ISA_th_vadd_vx:
		return (__int128)e->y + e->x;
	case ISA_th_vrsub_vx:
		return (__int128)e->x - e->y;
	case ISA_th_vand_vv:
		return e->y & e->x;
	case ISA_th_vsll_vx:
		return (__int128)e->y << by;
	case ISA_th_vsra_vv:
		return e->sy >> by;
	case ISA_th_vmaxu_vx:
		return e->y > e->x ? e->y : e->x;
	case ISA_th_vmin_vv:
		return e->sy < e->sx ? e->sy : e->sx;
	case ISA_th_vmul_vx:
		return (__int128)e->sy * e->sx;
	case ISA_th_vmulhu_vv:
		return (unsigned __int128)e->y * e->x >> bits;
	case ISA_th_vdivu_vx:
		return e->x ? e->y / e->x : ones;
	case ISA_th_vrem_vv:
		return !e->sx ? e->sy : e->sx == -1 ? 0 : e->sy % e->sx;
	case ISA_th_vmacc_vv:
		return e->d + (unsigned __int128)e->y * e->x;
	case ISA_th_vnmsub_vx:
		return e->y - (unsigned __int128)e->d * e->x;
	case ISA_th_vadc_vvm:
	case ISA_th_vadc_vxm:
		return (__int128)e->y + e->x + e->c;
	case ISA_th_vsbc_vvm:
		return (__int128)e->y - e->x - e->c;
	case ISA_th_vmerge_vvm:
	case ISA_th_vmerge_vxm:
		return e->c ? e->x : e->y;
	case ISA_th_vmv_v_v:
	case ISA_th_vmv_v_x:
		return e->x;
	/* twice as wide */
	case ISA_th_vwaddu_vv:
		return (__int128)e->y + e->x;
	case ISA_th_vwsub_vx:
		return (__int128)e->sy - e->sx;
	case ISA_th_vwmulsu_vv:
		return (__int128)e->sy * e->x;
	case ISA_th_vwmaccu_vv:
		return e->d + (unsigned __int128)e->y * e->x;
	case ISA_th_vwmaccsu_vv:
	case ISA_th_vwmaccsu_vx:
		return e->d + (__int128)e->sx * e->y;
	case ISA_th_vwmaccus_vx:
		return e->d + (__int128)e->sy * e->x;
	/* y is twice as wide */
	case ISA_th_vnsrl_vv:
		return e->y >> (e->x & (2 * bits - 1));
	case ISA_th_vnsra_vx:
		return e->sy >> (e->x & (2 * bits - 1));
	case ISA_th_vwadd_wv:
		return (__int128)e->y + e->sx;
	case ISA_th_vwsubu_wx:
		return (__int128)e->y - e->x;
	default:
		abort();
	}
}

static __int128 fixed(unsigned op, struct element *e)
{
	const unsigned bits = 8 * e->bytes, by = e->x & (bits - 1), by2 = e->x & (2 * bits - 1);
	const unsigned rm = e->vxrm;
	__int128 su = (__int128)e->sx * e->y, us = (__int128)e->x * e->sy;

	switch (op) {
	case ISA_th_vsaddu_vv:
		return clip((__int128)e->y + e->x, bits, false, &e->sat);
	case ISA_th_vssub_vx:
		return clip((__int128)e->sy - e->sx, bits, true, &e->sat);
	case ISA_th_vaadd_vv:
	case ISA_th_vaadd_vi:
		return rounded((__int128)e->sy + e->sx, 1, rm);
	case ISA_th_vasub_vx:
		return rounded((__int128)e->sy - e->sx, 1, rm);
	case ISA_th_vsmul_vv:
		return clip(rounded((__int128)e->sy * e->sx, bits - 1, rm), bits, true, &e->sat);
	case ISA_th_vssrl_vx:
		return rounded(e->y, by, rm);
	case ISA_th_vssra_vv:
		return rounded(e->sy, by, rm);
	case ISA_th_vnclipu_vv:
		return clip(rounded(e->y, by2, rm), bits, false, &e->sat);
	case ISA_th_vnclip_vx:
		return clip(rounded(e->sy, by2, rm), bits, true, &e->sat);
	case ISA_th_vwsmaccu_vv:
		return clip(e->d + rounded((__int128)((unsigned __int128)e->x * e->y), bits / 2,
					   rm),
			    2 * bits, false, &e->sat);
	case ISA_th_vwsmacc_vx:
		return clip(e->sd + rounded((__int128)e->sx * e->sy, bits / 2, rm), 2 * bits, true,
			    &e->sat);
	case ISA_th_vwsmaccsu_vv:
		return clip(e->sd - rounded(su, bits / 2, rm), 2 * bits, true, &e->sat);
	case ISA_th_vwsmaccus_vx:
		return clip(e->sd - rounded(us, bits / 2, rm), 2 * bits, true, &e->sat);
	default:
		abort();
	}
}

/* Results that are masks. */
static bool compared(unsigned op, const struct element *e)
{
	__int128 sum = (__int128)e->y + e->x + e->c, difference = (__int128)e->y - e->x - e->c;

	switch (op) {
	case ISA_th_vmseq_vv:
		return e->y == e->x;
	case ISA_th_vmsleu_vx:
		return e->y <= e->x;
	case ISA_th_vmslt_vv:
		return e->sy < e->sx;
	case ISA_th_vmsgt_vx:
		return e->sy > e->sx;
	case ISA_th_vmadc_vvm:
	case ISA_th_vmadc_vxm:
		return sum >> 8 * e->bytes;
	case ISA_th_vmsbc_vvm:
		return difference < 0;
	default:
		abort();
	}
}

/* What has an operand or result of another width: 'd' vd, 's' vs2; 'm': the result is a mask. */
static const struct {
	uint16_t op;
	const char *wide;
	bool is_fixed;
} ops[] = {
	{ ISA_th_vadd_vv, "", 0 },	 { ISA_th_vadd_vx, "", 0 },
	{ ISA_th_vrsub_vx, "", 0 },	 { ISA_th_vand_vv, "", 0 },
	{ ISA_th_vsll_vx, "", 0 },	 { ISA_th_vsra_vv, "", 0 },
	{ ISA_th_vmaxu_vx, "", 0 },	 { ISA_th_vmin_vv, "", 0 },
	{ ISA_th_vmul_vx, "", 0 },	 { ISA_th_vmulhu_vv, "", 0 },
	{ ISA_th_vdivu_vx, "", 0 },	 { ISA_th_vrem_vv, "", 0 },
	{ ISA_th_vmacc_vv, "", 0 },	 { ISA_th_vnmsub_vx, "", 0 },
	{ ISA_th_vadc_vvm, "c", 0 },	 { ISA_th_vadc_vxm, "c", 0 },
	{ ISA_th_vsbc_vvm, "c", 0 },	 { ISA_th_vmerge_vvm, "c", 0 },
	{ ISA_th_vmerge_vxm, "c", 0 },	 { ISA_th_vmv_v_v, "u", 0 },
	{ ISA_th_vmv_v_x, "u", 0 },	 { ISA_th_vwaddu_vv, "d", 0 },
	{ ISA_th_vwsub_vx, "d", 0 },	 { ISA_th_vwmulsu_vv, "d", 0 },
	{ ISA_th_vwmaccu_vv, "d", 0 },	 { ISA_th_vwmaccsu_vv, "d", 0 },
	{ ISA_th_vwmaccsu_vx, "d", 0 },	 { ISA_th_vwmaccus_vx, "d", 0 },
	{ ISA_th_vnsrl_vv, "s", 0 },	 { ISA_th_vnsra_vx, "s", 0 },
	{ ISA_th_vwadd_wv, "ds", 0 },	 { ISA_th_vwsubu_wx, "ds", 0 },
	{ ISA_th_vmseq_vv, "m", 0 },	 { ISA_th_vmsleu_vx, "m", 0 },
	{ ISA_th_vmslt_vv, "m", 0 },	 { ISA_th_vmsgt_vx, "m", 0 },
	{ ISA_th_vmadc_vvm, "mc", 0 },	 { ISA_th_vmadc_vxm, "mc", 0 },
	{ ISA_th_vmsbc_vvm, "mc", 0 },	 { ISA_th_vsaddu_vv, "", 1 },
	{ ISA_th_vssub_vx, "", 1 },	 { ISA_th_vaadd_vv, "", 1 },
	{ ISA_th_vaadd_vi, "", 1 },	 { ISA_th_vasub_vx, "", 1 },
	{ ISA_th_vsmul_vv, "", 1 },	 { ISA_th_vssrl_vx, "", 1 },
	{ ISA_th_vssra_vv, "", 1 },	 { ISA_th_vnclipu_vv, "s", 1 },
	{ ISA_th_vnclip_vx, "s", 1 },	 { ISA_th_vwsmaccu_vv, "d", 1 },
	{ ISA_th_vwsmacc_vx, "d", 1 },	 { ISA_th_vwsmaccsu_vv, "d", 1 },
	{ ISA_th_vwsmaccus_vx, "d", 1 },
};

static bool has_vs1(unsigned op)
{
	switch (isa_table[op].format) {
	case ISA_FMT_VVV:
	case ISA_FMT_VVVA:
	case ISA_FMT_VVVM:
	case ISA_FMT_VVVN:
	case ISA_FMT_VMVV:
		return true;
	default:
		return false;
	}
}

static struct element element_of(const struct vector_state *v, const struct vector_args *a,
				 unsigned i, const char *wide, bool vs1)
{
	const unsigned bytes = 1u << v->sew, y_bytes = bytes << !!strchr(wide, 's'),
		       d_bytes = bytes << !!strchr(wide, 'd');
	struct element e = { .bytes = bytes, .vxrm = v->vxrm };

	e.y = get(v, a->vs2, y_bytes, i);
	e.sy = extend(e.y, y_bytes);
	e.x = vs1	  ? get(v, a->vs1, bytes, i)
	      : bytes < 8 ? a->scalar & ((1ull << 8 * bytes) - 1)
			  : a->scalar;
	e.sx = extend(e.x, bytes);
	e.d = strchr(wide, 'm') ? 0 : get(v, a->vd, d_bytes, i);
	e.sd = extend(e.d, d_bytes);
	e.c = strchr(wide, 'c') && get_mask(v, 0, i);
	return e;
}

static void elements(void)
{
	unsigned done = 0, saturated = 0;

	for (unsigned n = 0; n < 40000; n++) {
		struct vector_state *v = random_state(), *want = vector_new();
		const unsigned k = rnd() % TAP_NR(ops), op = ops[k].op;
		const char *wide = ops[k].wide;
		const bool mask = strchr(wide, 'm'), double_width = strpbrk(wide, "ds");
		uint32_t flags = 0;
		struct vector_args a = {
			.op = op,
			.vd = 8,
			.vs1 = 24,
			.vs2 = 16,
			.masked = !strpbrk(wide, "cu") && rnd() & 1,
			.scalar = rnd(),
			.flags = &flags,
		};

		*want = *v;
		tap_context("%s, vtype %x, vl %u, vstart %u, masked %d", isa_table[op].name,
			    (unsigned)v->vtype, v->vl, v->vstart, a.masked);
		for (unsigned i = v->vstart; i < v->vl && !(double_width && v->sew == 3); i++) {
			struct element e = element_of(v, &a, i, wide, has_vs1(op));

			if (a.masked && !get_mask(v, 0, i))
				continue;
			if (mask)
				set_mask(want, 8, i, compared(op, &e));
			else
				set(want, 8, e.bytes << !!strchr(wide, 'd'), i,
				    (uint64_t)(ops[k].is_fixed ? fixed(op, &e) : integer(op, &e)));
			want->vxsat |= e.sat;
		}
		if (double_width && (v->sew == 3 || v->lmul == 3)) {
			*want = *v;
			ok(!vector_execute(v, &a));
		} else {
			if (v->vstart < v->vl && mask) {
				for (unsigned i = v->vl; i < v->max; i++)
					set_mask(want, 8, i, false);
			} else if (v->vstart < v->vl) {
				clear_tail(want, 8, (1u << v->sew) << !!strchr(wide, 'd'), v->vl);
			}
			want->vstart = 0;
			ok(vector_execute(v, &a));
			done++;
			saturated += v->vxsat;
		}
		ok(same(v, want));
		free(v);
		free(want);
	}
	ok(done > 30000);
	ok(saturated > 1000);
}

/* Each instruction that is like one of V writes the same elements, if it has no mask. */
static void like_v(void)
{
	unsigned done = 0;

	for (unsigned op = ISA_th_vadd_vx; op < ISA_NR; op++) {
		const unsigned like = vector_like(op);

		if (isa_table[op].ext != ISA_EXT_XTHEADVECTOR || like == op ||
		    isa_table[op].class < ISA_CLASS_VINT)
			continue;
		for (unsigned n = 0; n < 24; n++) {
			struct vector_state *t = random_state(), *v = vector_new();
			uint32_t flags[2] = { 0 };
			struct vector_args a = { .op = op,
						 .vd = 8,
						 .vs1 = 24,
						 .vs2 = 16,
						 .scalar = rnd() % 2 ? rnd() : rnd() | ~0xffffull,
						 .rm = rnd() % 5,
						 .flags = &flags[0] };
			struct vector_args b = a;
			bool legal;

			vector_type(t, n % 4 << 2); /* LMUL 1 */
			t->vl = rnd() % (t->max + 1);
			t->vstart = 0;
			/* A mask of zeros is the same in both layouts. */
			if (isa_table[op].class == ISA_CLASS_VMASK ||
			    strstr(isa_table[op].name, "m_") ||
			    isa_table[like].format == ISA_FMT_VVVM ||
			    isa_table[like].format == ISA_FMT_VVXM ||
			    isa_table[like].format == ISA_FMT_VVIM ||
			    isa_table[like].format == ISA_FMT_VVFM) {
				memset(t->reg, 0, t->bytes);
				memset(t->reg + 16 * t->bytes, 0, t->bytes);
				memset(t->reg + 24 * t->bytes, 0, t->bytes);
			}
			*v = *t;
			vector_reset(v, t->bytes, &with_v);
			memcpy(v->reg, t->reg, sizeof(v->reg));
			vector_set(v, n % 4 << 3, t->vl, false);
			v->vxrm = t->vxrm;
			b.op = like;
			b.flags = &flags[1];
			tap_context("%s, vtype %x, vl %u", isa_table[op].name, (unsigned)t->vtype,
				    t->vl);
			legal = vector_execute(t, &a);
			if (isa_table[op].class == ISA_CLASS_VFLOAT && !(n % 4)) {
				ok(!legal); /* conversions of 8 bits, too */
			} else {
				is(legal, vector_execute(v, &b));
				is(flags[0], flags[1]);
				is(t->vxsat, v->vxsat);
				is(a.result, strcmp(isa_table[op].name, "th_vmfirst_m")
						     ? b.result
						     : UINT64_MAX);
				done += legal;
				for (unsigned i = 0;
				     legal && i < t->vl &&
				     strncmp(isa_table[op].name, "th_vm", 5) &&
				     !strstr(isa_table[op].name, "red") && op != ISA_th_vfmv_s_f &&
				     op != ISA_th_vmv_s_x && op != ISA_th_vcompress_vm;
				     i++)
					is(get(t, 8, 1u << t->sew, i), get(v, 8, 1u << t->sew, i));
			}
			free(t);
			free(v);
		}
	}
	ok(done > 3000);
}

static void configuration(void)
{
	static const struct set_row rows[] = {
		{ 0x00, 5, 5 }, /* e8, m1: VLMAX is 16 */
		{ 0x00, 17, 16 },
		{ 0x0f, 100, 16 }, /* e64, m8 */
		{ 0x03, UINT64_MAX, 128 }, /* e8, m8 */
		{ 0x10, 9, 0 }, /* e128 */
		{ 0x20, 9, 0 }, /* d2 */
		{ 0x60, 9, 0 },
		{ 0x80, 9, 0 },
		{ VECTOR_VILL, 9, 0 },
		{ 0x09, 9, 8 }, /* e32, m2 */
	};
	struct vector_state *v = vector_new();

	vector_reset(v, 16, &with_thead);
	check_set(v, rows, TAP_NR(rows));
	free(v);
}

/* Which registers may be the same. */
static void overlaps(void)
{
	static const struct legal_row rows[] = {
		{ ISA_th_vadd_vv, 0x01, 2, 2, 2, 0, 1 }, /* m2 */
		{ ISA_th_vadd_vv, 0x01, 3, 2, 2, 0, 0 }, /* no group of two */
		{ ISA_th_vadd_vv, 0x00, 0, 2, 2, 1, 1 }, /* the mask, LMUL is 1 */
		{ ISA_th_vadd_vv, 0x01, 0, 2, 2, 1, 0 },
		{ ISA_th_vadd_vv, 0x01, 2, 0, 2, 1, 1 }, /* the mask as a source */
		{ ISA_th_vadc_vvm, 0x00, 0, 2, 4, 0, 1 },
		{ ISA_th_vadc_vvm, 0x01, 0, 2, 4, 0, 0 },
		{ ISA_th_vmadc_vvm, 0x01, 0, 2, 4, 0, 1 }, /* a carry to v0 */
		{ ISA_th_vmadc_vvm, 0x00, 2, 2, 4, 0, 0 },
		{ ISA_th_vmadc_vxm, 0x01, 3, 2, 4, 0, 0 },
		{ ISA_th_vmseq_vv, 0x00, 2, 2, 4, 0, 1 },
		{ ISA_th_vmseq_vv, 0x01, 2, 2, 4, 0, 0 },
		{ ISA_th_vmseq_vv, 0x01, 5, 2, 4, 0, 0 },
		{ ISA_th_vmseq_vv, 0x01, 0, 2, 4, 1, 1 },
		{ ISA_th_vwadd_vv, 0x00, 2, 3, 4, 0, 0 }, /* allowed in V */
		{ ISA_th_vwadd_vv, 0x00, 0, 3, 4, 1, 0 },
		{ ISA_th_vwadd_vv, 0x03, 8, 16, 24, 0, 0 },
		{ ISA_th_vwadd_wv, 0x00, 2, 2, 4, 0, 1 },
		{ ISA_th_vwadd_wv, 0x00, 2, 4, 3, 0, 0 },
		{ ISA_th_vnsrl_vv, 0x00, 2, 2, 4, 0, 0 },
		{ ISA_th_vnsrl_vv, 0x00, 4, 2, 4, 0, 1 },
		{ ISA_th_vrgather_vv, 0x00, 2, 2, 4, 0, 0 },
		{ ISA_th_vrgather_vv, 0x00, 0, 2, 4, 1, 0 },
		{ ISA_th_vslideup_vx, 0x00, 2, 2, 0, 0, 0 },
		{ ISA_th_vslidedown_vx, 0x00, 2, 2, 0, 0, 1 },
		{ ISA_th_vslidedown_vx, 0x00, 0, 2, 0, 1, 0 },
		{ ISA_th_vcompress_vm, 0x01, 2, 4, 3, 0, 0 },
		{ ISA_th_viota_m, 0x01, 2, 3, 0, 0, 0 },
		{ ISA_th_viota_m, 0x00, 0, 3, 0, 1, 0 },
		{ ISA_th_vmsif_m, 0x00, 0, 0, 0, 0, 1 },
		{ ISA_th_vredsum_vs, 0x01, 3, 4, 5, 0, 1 },
		{ ISA_th_vfadd_vv, 0x00, 2, 3, 4, 0, 0 }, /* 8 bits */
		{ ISA_th_vfwcvt_f_x_v, 0x00, 2, 5, 0, 0, 0 },
		{ ISA_th_vfadd_vv, 0x04, 2, 3, 4, 0, 1 },
		{ ISA_th_vext_x_v, 0x03, 0, 3, 0, 0, 1 }, /* any register */
	};

	check_legal(rows, TAP_NR(rows), &with_thead);
}

/* Chapters 7 and 8: what a load, store or AMO accesses; encodings are without a mask. */
static void accesses(void)
{
	static const struct {
		uint16_t op;
		uint32_t more; /* bits of the encoding */
		uint8_t vtype, legal, bytes, wide, fields, sign;
	} rows[] = {
		{ ISA_th_vlb_v, 8 << 7, 0x00, 1, 1, 1, 1, 1 },
		{ ISA_th_vlbu_v, 8 << 7, 0x08, 1, 1, 4, 1, 0 },
		{ ISA_th_vlh_v, 8 << 7, 0x08, 1, 2, 4, 1, 1 },
		{ ISA_th_vlw_v, 8 << 7, 0x04, 0, 0, 0, 0, 0 }, /* wider than SEW */
		{ ISA_th_vle_v, 8 << 7, 0x0c, 1, 8, 8, 1, 0 },
		{ ISA_th_vle_v, 9 << 7, 0x0d, 0, 0, 0, 0, 0 }, /* no group of two */
		{ ISA_th_vlbff_v, 8 << 7, 0x04, 1, 1, 2, 1, 1 },
		{ ISA_th_vlswu_v, 8 << 7, 0x0c, 1, 4, 8, 1, 0 },
		{ ISA_th_vlxe_v, 8 << 7 | 16 << 20, 0x08, 1, 4, 4, 1, 0 },
		{ ISA_th_vlxe_v, 8 << 7 | 17 << 20, 0x09, 0, 0, 0, 0, 0 },
		{ ISA_th_vlb_v, 8 << 7 | 2u << 29, 0x08, 1, 1, 4, 3, 1 },
		{ ISA_th_vlb_v, 30 << 7 | 2u << 29, 0x08, 0, 0, 0, 0, 0 }, /* beyond v31 */
		{ ISA_th_vlb_v, 8 << 7 | 4u << 29, 0x01, 0, 0, 0, 0, 0 }, /* ten registers */
		{ ISA_th_vlxb_v, 8 << 7 | 9 << 20 | 1u << 29, 0x00, 0, 0, 0, 0,
		  0 }, /* offsets lost */
		{ ISA_th_vsxb_v, 8 << 7 | 9 << 20 | 1u << 29, 0x00, 1, 1, 1, 2, 0 },
		{ ISA_th_vsh_v, 8 << 7, 0x08, 1, 2, 4, 1, 0 },
		{ ISA_th_vsuxe_v, 8 << 7 | 16 << 20, 0x08, 1, 4, 4, 1, 0 },
		{ ISA_th_vssw_v, 8 << 7, 0x00, 0, 0, 0, 0, 0 },
		/* AMOs, chapter 8: 1 << 26 is wd */
		{ ISA_th_vamoaddw_v, 8 << 7 | 16 << 20 | 1 << 26, 0x08, 1, 4, 4, 1, 1 },
		{ ISA_th_vamoswapw_v, 8 << 7 | 16 << 20, 0x0c, 1, 4, 8, 1, 1 },
		{ ISA_th_vamomaxud_v, 8 << 7 | 16 << 20 | 1 << 26, 0x0c, 1, 8, 8, 1, 1 },
		{ ISA_th_vamoxord_v, 8 << 7 | 16 << 20, 0x08, 0, 0, 0, 0, 0 },
		{ ISA_th_vamoandw_v, 8 << 7 | 16 << 20, 0x04, 0, 0, 0, 0, 0 },
		{ ISA_th_vamoorw_v, 9 << 7 | 16 << 20, 0x09, 0, 0, 0, 0, 0 },
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct vector_state *v = vector_new();
		const struct vector_memory *m;

		vector_reset(v, 16, &with_thead);
		vector_set(v, rows[n].vtype, 2, false);
		memset(v->reg, 0xfe, sizeof(v->reg));
		m = vector_memory(v, rows[n].op,
				  isa_table[rows[n].op].match | 1u << 25 | rows[n].more);
		tap_context("row %u: %s", n, isa_table[rows[n].op].name);
		is(m != NULL, rows[n].legal);
		if (m) {
			is(m->bytes, rows[n].bytes);
			is(m->wide, rows[n].wide);
			is(m->fields, rows[n].fields);
			is(m->sign, rows[n].sign);
			is(m->nr, 2);
			is(m->tail, !m->store);
			is(m->atomic, isa_table[rows[n].op].class == ISA_CLASS_VAMO);
			if (m->indexed) /* offsets are signed */
				is(vector_index(v, m, 0),
				   (uint64_t)extend(get(v, 16, m->wide, 0), m->wide));
			vector_extend(m, vector_element(v, m, 0, 1)); /* of bytes 0xfe */
			is(get(v, 8, m->wide, 1) >> (8 * m->bytes - 1) >> 1,
			   m->sign ? (1ull << 8 * (m->wide - m->bytes)) - 1 : 0);
		}
		free(v);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "elements, one at a time", elements }, { "what is like V", like_v },
		{ "configuration", configuration },	 { "registers that overlap", overlaps },
		{ "loads and stores", accesses },
	};

	make_extensions();
	isa_set_add(&with_v, ISA_EXT_I);
	isa_set_add(&with_v, ISA_EXT_V);
	isa_set_add(&with_v, ISA_EXT_ZVFH);
	isa_set_close(&with_v);
	return tap_run(cases, TAP_NR(cases));
}
