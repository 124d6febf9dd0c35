// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_vector.c - sim/vector against a second implementation, which computes one element at a time
 * as the manual says it, for any SEW, LMUL, mask, vl and vstart; and the rules of vtype, of groups
 * that overlap, and of vstart.  tests/isa/vector_streams compares all instructions with QEMU.
 *
 * Implements: Unpriv 20240411 §31.3-31.6, §31.11.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "isa.h"
#include "tap.h"
#include "vector.h"

static uint64_t seed = 1;

static uint64_t rnd(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed >> 32 ^ seed << 32;
}

/* Element n of the group at reg, of so many bytes. */
static uint64_t get(const struct vector_state *v, unsigned reg, unsigned bytes, unsigned n)
{
	uint64_t value = 0;

	memcpy(&value, v->reg + reg * v->bytes + n * bytes, bytes);
	return value;
}

static void set(struct vector_state *v, unsigned reg, unsigned bytes, unsigned n, uint64_t value)
{
	memcpy(v->reg + reg * v->bytes + n * bytes, &value, bytes);
}

static uint64_t extend(uint64_t value, unsigned bytes)
{
	return (uint64_t)((int64_t)(value << (64 - 8 * bytes)) >> (64 - 8 * bytes));
}

/* What the instruction makes of y (vs2), x (vs1 or the scalar) and d (vd), in bits of SEW. */
static uint64_t plain(unsigned op, uint64_t y, uint64_t x, uint64_t d, unsigned bytes)
{
	uint64_t ones = bytes == 8 ? UINT64_MAX : (1ull << 8 * bytes) - 1;
	int64_t sy = extend(y, bytes), sx = extend(x, bytes);
	unsigned by = x & (8 * bytes - 1);

	x &= ones;
	switch (op) {
	case ISA_vadd_vv:
	case ISA_vadd_vx:
		return y + x;
	case ISA_vsub_vv:
	case ISA_vsub_vx:
		return y - x;
	case ISA_vrsub_vx:
		return x - y;
	case ISA_vxor_vv:
		return y ^ x;
	case ISA_vsll_vv:
		return y << by;
	case ISA_vsrl_vx:
		return y >> by;
	case ISA_vsra_vv:
		return sy >> by;
	case ISA_vmaxu_vv:
		return y > x ? y : x;
	case ISA_vmin_vx:
		return sy < sx ? y : x;
	case ISA_vmul_vv:
		return y * x;
	case ISA_vmulhu_vv:
		return (unsigned __int128)y * x >> 8 * bytes;
	case ISA_vmulhsu_vx:
		return (__int128)sy * (__int128)(unsigned __int128)x >> 8 * bytes;
	case ISA_vdivu_vv:
		return x ? y / x : ones;
	case ISA_vrem_vv:
		return !sx ? y : sx == -1 ? 0 : (uint64_t)(sy % sx);
	case ISA_vmacc_vv:
		return d + x * y;
	case ISA_vnmsub_vx:
		return y - x * d;
	default:
		abort();
	}
}

static const uint16_t ops[] = {
	ISA_vadd_vv,   ISA_vadd_vx,  ISA_vsub_vv,    ISA_vsub_vx,  ISA_vrsub_vx, ISA_vxor_vv,
	ISA_vsll_vv,   ISA_vsrl_vx,  ISA_vsra_vv,    ISA_vmaxu_vv, ISA_vmin_vx,	 ISA_vmul_vv,
	ISA_vmulhu_vv, ISA_vdivu_vv, ISA_vmulhsu_vx, ISA_vrem_vv,  ISA_vmacc_vv, ISA_vnmsub_vx,
};

static struct vector_state *random_state(void)
{
	struct vector_state *v = vector_new();

	vector_reset(v, VECTOR_BYTES_MIN << rnd() % 4);
	for (unsigned n = 0; n < VECTOR_REGS * v->bytes; n++)
		v->reg[n] = rnd() % 5 ? rnd() : (rnd() & 1) * 0xff;
	do
		vector_type(v, rnd() & VECTOR_VTYPE_BITS);
	while (v->vtype & VECTOR_VILL);
	v->vl = rnd() % (vector_max(v) + 1);
	v->vstart = rnd() % 4 ? 0 : rnd() % (v->vl + 2);
	return v;
}

/* Equal but for the plans, which say nothing of their own. */
static bool same(const struct vector_state *a, const struct vector_state *b)
{
	return !memcmp(a, b, offsetof(struct vector_state, plan));
}

static void elements(void)
{
	for (unsigned n = 0; n < 20000; n++) {
		struct vector_state *v = random_state(), *want = vector_new();
		unsigned op = ops[rnd() % TAP_NR(ops)], bytes = 1u << v->sew;
		unsigned group = v->lmul > 0 ? 1u << v->lmul : 1;
		bool vector = isa_table[op].format == ISA_FMT_VVV ||
			      isa_table[op].format == ISA_FMT_VVVA;
		uint32_t flags = 0;
		struct vector_args a = {
			.op = op,
			.vd = 8 + rnd() % (24 / group) * group,
			.vs1 = 8 + rnd() % (24 / group) * group,
			.vs2 = 8 + rnd() % (24 / group) * group,
			.masked = rnd() & 1,
			.scalar = rnd(),
			.flags = &flags,
		};

		*want = *v;
		for (unsigned i = v->vstart; i < v->vl; i++) {
			uint64_t x = vector ? get(v, a.vs1, bytes, i) : a.scalar;

			if (a.masked && !vector_active(v, i))
				continue;
			set(want, a.vd, bytes, i,
			    plain(op, get(v, a.vs2, bytes, i), x, get(v, a.vd, bytes, i), bytes));
		}
		want->vstart = 0;
		tap_context("%s, vtype %x, vl %u, vstart %u", isa_table[op].name,
			    (unsigned)v->vtype, v->vl, v->vstart);
		ok(vector_execute(v, &a));
		ok(same(v, want));
		free(v);
		free(want);
	}
}

/* Numbers of every kind: near each other, so that sums cancel; subnormal; infinite; NaNs of both kinds. */
static void set_floats(struct vector_state *v)
{
	unsigned bytes = 1u << v->sew, sign = 8 * bytes - 1, fraction = bytes == 4 ? 23 : 52;
	bool nans = !(rnd() % 4);

	for (unsigned n = 0; n < (VECTOR_REGS - 8) * v->bytes / bytes; n++) {
		uint64_t exponent = rnd() % 4 ? (1ull << (sign - fraction - 1)) + rnd() % 32 - 16
					      : rnd();
		uint64_t bits = rnd() >> (64 - fraction);

		exponent &= (1ull << (sign - fraction)) - 1;
		if (exponent + 1 == 1ull << (sign - fraction))
			bits &= nans ? UINT64_MAX : 0;
		bits = rnd() % 8 ? bits : bits & 3;
		set(v, 8, bytes, n, rnd() << sign | exponent << fraction | bits);
	}
}

/* With a mask of ones no host kernel runs, and without one it does (host.c): results and flags are equal. */
static void floats(void)
{
	static const uint16_t floats[] = {
		ISA_vfadd_vv,	ISA_vfadd_vf,	ISA_vfsub_vv,	 ISA_vfsub_vf,	  ISA_vfmul_vv,
		ISA_vfmul_vf,	ISA_vfdiv_vv,	ISA_vfdiv_vf,	 ISA_vfrsub_vf,	  ISA_vfrdiv_vf,
		ISA_vfmacc_vv,	ISA_vfmacc_vf,	ISA_vfnmacc_vv,	 ISA_vfnmacc_vf,  ISA_vfmsac_vv,
		ISA_vfmsac_vf,	ISA_vfnmsac_vv, ISA_vfnmsac_vf,	 ISA_vfmadd_vv,	  ISA_vfmadd_vf,
		ISA_vfnmadd_vv, ISA_vfnmadd_vf, ISA_vfmsub_vv,	 ISA_vfmsub_vf,	  ISA_vfnmsub_vv,
		ISA_vfnmsub_vf, ISA_vfwadd_vv,	ISA_vfwadd_vf,	 ISA_vfwsub_vv,	  ISA_vfwsub_vf,
		ISA_vfwadd_wv,	ISA_vfwadd_wf,	ISA_vfwsub_wv,	 ISA_vfwsub_wf,	  ISA_vfwmul_vv,
		ISA_vfwmul_vf,	ISA_vfwmacc_vv, ISA_vfwmacc_vf,	 ISA_vfwnmacc_vv, ISA_vfwnmacc_vf,
		ISA_vfwmsac_vv, ISA_vfwmsac_vf, ISA_vfwnmsac_vv, ISA_vfwnmsac_vf,
	};
	unsigned legal = 0, flagged = 0;

	for (unsigned n = 0; n < 20000; n++) {
		struct vector_state *v = random_state(), *want = vector_new();
		uint32_t flags = 0, want_flags = 0;
		struct vector_args a = {
			.op = floats[rnd() % TAP_NR(floats)],
			.vd = 8 + rnd() % 3 * 8,
			.vs1 = 8 + rnd() % 3 * 8,
			.vs2 = 8 + rnd() % 3 * 8,
			.rm = rnd() % 8 ? 0 : rnd() % 5,
			.flags = &flags,
		}, slow = a;

		vector_type(v, (v->vtype & 0xc7) | (2 + rnd() % 2) << 3);
		if (v->vtype & VECTOR_VILL)
			vector_type(v, 2 << 3);
		v->vl = rnd() % (vector_max(v) + 1);
		v->vstart = rnd() % 8 ? 0 : rnd() % (v->vl + 1);
		memset(v->reg, 0xff, v->bytes);
		set_floats(v);
		memcpy(&a.scalar, v->reg + 8 * v->bytes, 8);
		if (v->sew == 2)
			a.scalar |= 0xffffffff00000000;
		slow.scalar = a.scalar;
		slow.masked = true;
		slow.flags = &want_flags;
		*want = *v;
		tap_context("%s, vtype %x, vl %u", isa_table[a.op].name, (unsigned)v->vtype, v->vl);
		is(vector_execute(v, &a), vector_execute(want, &slow));
		ok(same(v, want));
		is(flags, want_flags);
		legal += v->vl > 0;
		flagged |= flags;
		free(v);
		free(want);
	}
	ok(legal > 10000);
	is(flagged, 31);
}

/* §31.6: vl, and which vtype is reserved. */
static void configuration(void)
{
	static const struct {
		uint64_t vtype, avl, vl;
	} rows[] = {
		{ 0x00, 5, 5 }, /* e8, m1: VLMAX is 16 */
		{ 0x00, 17, 16 },
		{ 0x1b, 100, 16 }, /* e64, m8 */
		{ 0x03, UINT64_MAX, 128 }, /* e8, m8 */
		{ 0x05, 9, 2 }, /* e8, mf8 */
		{ 0x0d, 9, 0 }, /* e16, mf8: LMUL is less than SEW / ELEN */
		{ 0x1f, 9, 0 }, /* e64, mf2 */
		{ 0x04, 9, 0 }, /* reserved LMUL */
		{ 0x20, 9, 0 }, /* reserved SEW */
		{ 0x100, 9, 0 },
		{ 0x17, 9, 2 }, /* e32, mf2 */
		{ 0xc0, 9, 9 }, /* ta, ma */
	};
	struct vector_state *v = vector_new();

	vector_reset(v, 16);
	is(v->vtype, VECTOR_VILL);
	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		tap_context("vtype %x", (unsigned)rows[n].vtype);
		v->vstart = 3;
		is(vector_set(v, rows[n].vtype, rows[n].avl, false), rows[n].vl);
		is(v->vtype, rows[n].vl ? rows[n].vtype : VECTOR_VILL);
		is(v->vstart, 0);
	}
	/* vsetvli x0, x0 keeps vl if VLMAX stays. */
	vector_set(v, 0x00, 7, false);
	is(vector_set(v, 0x09, 0, true), 7); /* e16, m2 */
	is(vector_set(v, 0x08, 0, true), 0); /* e16, m1: vill */
	is(v->vtype, VECTOR_VILL);
	free(v);
}

/* §31.5.2, §31.5.3: which registers may be the same. */
static void overlaps(void)
{
	static const struct {
		uint16_t op, vtype;
		uint8_t vd, vs2, vs1, masked, legal;
	} rows[] = {
		{ ISA_vadd_vv, 0x01, 2, 2, 2, 0, 1 }, /* m2 */
		{ ISA_vadd_vv, 0x01, 3, 2, 2, 0, 0 }, /* no group of two */
		{ ISA_vadd_vv, 0x00, 0, 2, 2, 1, 0 }, /* the mask is overwritten */
		{ ISA_vadd_vv, 0x00, 1, 0, 2, 1, 0 }, /* v0 with elements of 1 and of 8 bits */
		{ ISA_vmseq_vv, 0x00, 0, 2, 2, 1, 1 }, /* a mask may be */
		{ ISA_vmseq_vv, 0x01, 2, 2, 4, 0, 1 }, /* the lowest part of a source */
		{ ISA_vmseq_vv, 0x01, 3, 2, 4, 0, 0 },
		{ ISA_vwadd_vv, 0x00, 2, 3, 4, 0, 1 }, /* the source is the highest part */
		{ ISA_vwadd_vv, 0x00, 2, 2, 4, 0, 0 },
		{ ISA_vwadd_vv, 0x07, 2, 2, 4, 0, 0 }, /* mf2: less than a register */
		{ ISA_vwadd_vv, 0x03, 8, 16, 24, 0, 0 }, /* m8 has no group of twice as many */
		{ ISA_vwadd_vv, 0x18, 8, 16, 24, 0, 0 }, /* nor e64 elements twice as wide */
		{ ISA_vnsrl_wv, 0x00, 2, 2, 4, 0, 1 },
		{ ISA_vnsrl_wv, 0x00, 3, 2, 4, 0, 0 },
		{ ISA_vrgather_vv, 0x00, 2, 2, 4, 0, 0 },
		{ ISA_vslideup_vx, 0x00, 2, 2, 0, 0, 0 },
		{ ISA_vslidedown_vx, 0x00, 2, 2, 0, 0, 1 },
		{ ISA_vwmacc_vv, 0x00, 2, 3, 4, 0, 0 }, /* vd is a source, too */
		{ ISA_vredsum_vs, 0x01, 3, 4, 5, 0, 1 }, /* scalars are in any register */
		{ ISA_vmv2r_v, 0x00, 2, 4, 0, 0, 1 },
		{ ISA_vmv2r_v, 0x00, 2, 5, 0, 0, 0 },
		{ ISA_vfadd_vv, 0x08, 2, 3, 4, 0, 0 }, /* binary16 */
		{ ISA_vfadd_vv, 0x10, 2, 3, 4, 0, 1 },
		{ ISA_vzext_vf2, 0x00, 2, 3, 4, 0, 0 }, /* from 4 bits */
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct vector_state *v = vector_new(), *was = vector_new();
		uint32_t flags = 0;
		struct vector_args a = { .op = rows[n].op,
					 .vd = rows[n].vd,
					 .vs1 = rows[n].vs1,
					 .vs2 = rows[n].vs2,
					 .masked = rows[n].masked,
					 .flags = &flags };

		vector_reset(v, 16);
		vector_set(v, rows[n].vtype, 4, false);
		*was = *v;
		tap_context("row %u: %s", n, isa_table[rows[n].op].name);
		is(vector_execute(v, &a), rows[n].legal);
		ok(rows[n].legal || same(v, was));
		free(v);
		free(was);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "elements, one at a time", elements },
		{ "floating point, by the host and without", floats },
		{ "configuration", configuration },
		{ "registers that overlap", overlaps },
	};

	return tap_run(cases, TAP_NR(cases));
}
