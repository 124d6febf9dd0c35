// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_vector.c - sim/vector against a second implementation, which computes one element at a time
 * as the manual says it, for any SEW, LMUL, mask, vl and vstart; and the rules of vtype, of groups
 * that overlap, of groups of elements, of vstart, and of extensions that only some SEW need.
 * tests/isa/vector_streams compares all instructions with QEMU.
 *
 * Implements: Unpriv 20240411 §31.3-31.6, §31.11, Zvfh, Zvfhmin; Vector Cryptography 1.0.
 */
#include <math.h>

#include "vector_state.h"

static struct isa_set all;

static uint64_t extend(uint64_t value, unsigned bytes)
{
	return (uint64_t)((int64_t)(value << (64 - 8 * bytes)) >> (64 - 8 * bytes));
}

/* y with its bits in the other order, in parts of so many bits. */
static uint64_t reversed(uint64_t y, unsigned bits, unsigned part)
{
	uint64_t r = 0;

	for (unsigned n = 0; n < bits; n++)
		r |= (y >> n & 1) << (n / part * part + part - 1 - n % part);
	return r;
}

static uint64_t rotated(uint64_t y, unsigned bits, unsigned by)
{
	for (; by; by--)
		y = y >> 1 | (y & 1) << (bits - 1);
	return y;
}

/* The number of bits of y below (up: above) its lowest (highest) bit that is set. */
static unsigned zeros(uint64_t y, unsigned bits, bool up)
{
	unsigned n = 0;

	while (n < bits && !(y >> (up ? bits - 1 - n : n) & 1))
		n++;
	return n;
}

static uint64_t carryless(uint64_t y, uint64_t x, bool high)
{
	unsigned __int128 sum = 0;

	for (unsigned n = 0; n < 64; n++)
		sum ^= x >> n & 1 ? (unsigned __int128)y << n : 0;
	return high ? sum >> 64 : sum;
}

/* The same for instructions of Zvbb and Zvbc. */
static uint64_t plain_bits(unsigned op, uint64_t y, uint64_t x, unsigned bits)
{
	switch (op) {
	case ISA_vandn_vv:
		return y & ~x;
	case ISA_vror_vv:
	case ISA_vror_vi:
		return rotated(y, bits, x & (bits - 1));
	case ISA_vrol_vx:
		return rotated(y, bits, -x & (bits - 1));
	case ISA_vbrev_v:
		return reversed(y, bits, bits);
	case ISA_vbrev8_v:
		return reversed(y, bits, 8);
	case ISA_vrev8_v:
		return reversed(reversed(y, bits, 8), bits, bits);
	case ISA_vclz_v:
		return zeros(y, bits, true);
	case ISA_vctz_v:
		return zeros(y, bits, false);
	case ISA_vcpop_v:
		return (unsigned)__builtin_popcountll(y);
	case ISA_vclmul_vv:
		return carryless(y, x, false);
	case ISA_vclmulh_vx:
		return carryless(y, x, true);
	default:
		abort();
	}
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
		return plain_bits(op, y, x, 8 * bytes);
	}
}

static const uint16_t ops[] = {
	ISA_vadd_vv,   ISA_vadd_vx,  ISA_vsub_vv,    ISA_vsub_vx,  ISA_vrsub_vx,  ISA_vxor_vv,
	ISA_vsll_vv,   ISA_vsrl_vx,  ISA_vsra_vv,    ISA_vmaxu_vv, ISA_vmin_vx,	  ISA_vmul_vv,
	ISA_vmulhu_vv, ISA_vdivu_vv, ISA_vmulhsu_vx, ISA_vrem_vv,  ISA_vmacc_vv,  ISA_vnmsub_vx,
	ISA_vandn_vv,  ISA_vror_vv,  ISA_vror_vi,    ISA_vrol_vx,  ISA_vbrev_v,	  ISA_vbrev8_v,
	ISA_vrev8_v,   ISA_vclz_v,   ISA_vctz_v,     ISA_vcpop_v,  ISA_vclmul_vv, ISA_vclmulh_vx,
};

static struct vector_state *random_state(void)
{
	struct vector_state *v = vector_new();

	vector_reset(v, VECTOR_BYTES_MIN << rnd() % 4, &all);
	for (unsigned n = 0; n < VECTOR_REGS * v->bytes; n++)
		v->reg[n] = rnd() % 5 ? rnd() : (rnd() & 1) * 0xff;
	do
		vector_type(v, rnd() & VECTOR_VTYPE_BITS);
	while (v->vtype & VECTOR_VILL);
	v->vl = rnd() % (v->max + 1);
	v->vstart = rnd() % 4 ? 0 : rnd() % (v->vl + 2);
	return v;
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
		if (isa_table[op].ext == ISA_EXT_ZVBC && bytes < 8) {
			ok(!vector_execute(v, &a));
			*want = *v;
		} else {
			ok(vector_execute(v, &a));
		}
		ok(same(v, want));
		free(v);
		free(want);
	}
}

/* Numbers near each other, so that sums cancel; subnormal and infinite ones; NaNs of both kinds. */
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

/* Whether the only plan of a state has a host kernel. */
static bool has_host_kernel(const struct vector_state *v)
{
	for (unsigned n = 0; n < VECTOR_PLANS; n++) {
		if (v->plan[n].key && v->plan[n].legal)
			return v->plan[n].is.kernel.host != NULL;
	}
	return false;
}

/* Without a mask a host kernel runs (host.c), with a mask of ones none: all is equal. */
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
	unsigned legal = 0, flagged = 0, hosts = 0;

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
		v->vl = rnd() % (v->max + 1);
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
		hosts += has_host_kernel(v);
		legal += v->vl > 0;
		flagged |= flags;
		free(v);
		free(want);
	}
	ok(legal > 10000);
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
		ok(hosts > 10000);
#endif
	is(flagged, 31);
}

/* §31.6: vl, and which vtype is reserved. */
static void configuration(void)
{
	static const struct set_row rows[] = {
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

	vector_reset(v, 16, &all);
	check_set(v, rows, TAP_NR(rows));
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
	static const struct legal_row rows[] = {
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
		{ ISA_vfadd_vv, 0x00, 2, 3, 4, 0, 0 }, /* 8 bits */
		{ ISA_vfadd_vv, 0x10, 2, 3, 4, 0, 1 },
		{ ISA_vwsll_vv, 0x00, 2, 2, 4, 0, 0 },
		{ ISA_vwsll_vv, 0x00, 2, 3, 4, 0, 1 },
		{ ISA_vzext_vf2, 0x00, 2, 3, 4, 0, 0 }, /* from 4 bits */
	};

	check_legal(rows, TAP_NR(rows), &all);
}

/* Which SEW an instruction has, by the extensions that the hart has besides. */
static void sizes(void)
{
	static const struct {
		uint16_t op;
		uint8_t ext; /* ISA_EXT_I: none */
		uint8_t sew; /* bit n: 8 << n bits */
	} rows[] = {
		{ ISA_vfadd_vv, ISA_EXT_I, 0xc },
		{ ISA_vfadd_vv, ISA_EXT_ZVFHMIN, 0xc },
		{ ISA_vfadd_vv, ISA_EXT_ZVFH, 0xe },
		{ ISA_vfmv_v_f, ISA_EXT_ZVFHMIN, 0xc },
		{ ISA_vfmv_s_f, ISA_EXT_ZVFH, 0xe },
		{ ISA_vfslide1up_vf, ISA_EXT_I, 0xc },
		{ ISA_vfwmul_vv, ISA_EXT_ZVFHMIN, 0x4 },
		{ ISA_vfwmul_vv, ISA_EXT_ZVFH, 0x6 },
		{ ISA_vfwredosum_vs, ISA_EXT_ZVFH, 0x6 },
		{ ISA_vfwcvt_f_f_v, ISA_EXT_I, 0x4 },
		{ ISA_vfwcvt_f_f_v, ISA_EXT_ZVFHMIN, 0x6 },
		{ ISA_vfncvt_f_f_w, ISA_EXT_ZVFHMIN, 0x6 },
		{ ISA_vfncvt_rod_f_f_w, ISA_EXT_ZVFHMIN, 0x4 },
		{ ISA_vfncvt_rod_f_f_w, ISA_EXT_ZVFH, 0x6 },
		{ ISA_vfwcvt_f_x_v, ISA_EXT_ZVFHMIN,
		  0x6 }, /* from integers of 16 bits to binary32 */
		{ ISA_vfwcvt_f_x_v, ISA_EXT_ZVFH, 0x7 },
		{ ISA_vfwcvt_x_f_v, ISA_EXT_I, 0x4 },
		{ ISA_vfwcvt_x_f_v, ISA_EXT_ZVFH, 0x6 },
		{ ISA_vfncvt_x_f_w, ISA_EXT_ZVFHMIN, 0x6 },
		{ ISA_vfncvt_x_f_w, ISA_EXT_ZVFH, 0x7 },
		{ ISA_vfncvt_f_x_w, ISA_EXT_I, 0x4 },
		{ ISA_vfncvt_f_x_w, ISA_EXT_ZVFH, 0x6 },
		{ ISA_vsha2ms_vv, ISA_EXT_ZVKNHA, 0x4 },
		{ ISA_vsha2ms_vv, ISA_EXT_ZVKNHB, 0xc },
		{ ISA_vaesz_vs, ISA_EXT_I, 0x4 },
		{ ISA_vsm3me_vv, ISA_EXT_I, 0x4 },
		{ ISA_vclmul_vv, ISA_EXT_I, 0x8 },
		{ ISA_vandn_vv, ISA_EXT_I, 0xf },
		{ ISA_vwsll_vv, ISA_EXT_I, 0x7 },
	};

	for (unsigned n = 0; n < TAP_NR(rows) * 4; n++) {
		const unsigned row = n / 4, sew = n % 4;
		struct vector_state *v = vector_new();
		struct isa_set has = { 0 };
		uint32_t flags = 0;
		struct vector_args a = {
			.op = rows[row].op, .vd = 8, .vs2 = 16, .vs1 = 24, .flags = &flags
		};

		isa_set_add(&has, ISA_EXT_I);
		isa_set_add(&has, rows[row].ext);
		isa_set_close(&has);
		vector_reset(v, 32, &has);
		vector_set(v, sew << 3 | 1, 8, false); /* m2 */
		tap_context("%s with %s, %u bits", isa_table[a.op].name,
			    isa_ext_name[rows[row].ext], 8 << sew);
		is(vector_execute(v, &a), rows[row].sew >> sew & 1);
		free(v);
	}
}

/* Steps of ciphers: vl, vstart and the registers must have whole groups of elements. */
static void groups(void)
{
	static const struct {
		uint16_t op, vtype;
		uint8_t bytes, vl, vstart, legal;
	} rows[] = {
		{ ISA_vaesem_vv, 0x10, 16, 4, 0, 1 }, /* e32, m1 */
		{ ISA_vaesem_vv, 0x10, 16, 3, 0, 0 },
		{ ISA_vaesem_vv, 0x10, 16, 0, 0, 1 },
		{ ISA_vaesem_vv, 0x10, 32, 8, 4, 1 },
		{ ISA_vaesem_vv, 0x10, 32, 8, 2, 0 },
		{ ISA_vaesem_vv, 0x10, 32, 4, 8, 1 }, /* nothing to do */
		{ ISA_vaesem_vv, 0x17, 16, 0, 0, 0 }, /* mf2: 64 bits */
		{ ISA_vaesem_vv, 0x17, 32, 4, 0, 1 },
		{ ISA_vaeskf1_vi, 0x16, 32, 0, 0, 0 }, /* mf4 */
		{ ISA_vghsh_vv, 0x10, 16, 2, 0, 0 },
		{ ISA_vsha2ch_vv, 0x10, 16, 4, 0, 1 },
		{ ISA_vsha2ch_vv, 0x17, 32, 4, 0, 1 },
		{ ISA_vsha2ch_vv, 0x18, 16, 0, 0, 0 }, /* e64, m1: 128 bits of 256 */
		{ ISA_vsha2ch_vv, 0x19, 16, 4, 0, 1 },
		{ ISA_vsm4r_vv, 0x10, 16, 1, 0, 0 },
		{ ISA_vsm3me_vv, 0x10, 16, 0, 0, 0 }, /* eight elements */
		{ ISA_vsm3me_vv, 0x11, 16, 8, 0, 1 },
		{ ISA_vsm3c_vi, 0x11, 32, 12, 0, 0 },
		{ ISA_vsm3c_vi, 0x11, 32, 16, 4, 0 },
		{ ISA_vsm3c_vi, 0x11, 32, 16, 8, 1 },
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct vector_state *v = vector_new(), *was = vector_new();
		uint32_t flags = 0;
		struct vector_args a = {
			.op = rows[n].op, .vd = 8, .vs2 = 16, .vs1 = 24, .flags = &flags
		};

		vector_reset(v, rows[n].bytes, &all);
		vector_set(v, rows[n].vtype, rows[n].vl, false);
		v->vstart = rows[n].vstart;
		for (unsigned i = 0; i < VECTOR_REGS * v->bytes; i++)
			v->reg[i] = rnd();
		*was = *v;
		tap_context("row %u: %s", n, isa_table[a.op].name);
		is(v->vl, rows[n].vl);
		is(vector_execute(v, &a), rows[n].legal);
		/* What is before vstart, and what is after vl, stays. */
		for (unsigned i = 0; i < v->bytes; i++)
			ok((i >> v->sew >= was->vstart && i >> v->sew < v->vl) ||
			   v->reg[8 * v->bytes + i] == was->reg[8 * v->bytes + i]);
		free(v);
		free(was);
	}
}

/* Which registers of steps of ciphers may be the same. */
static void cipher_overlaps(void)
{
	static const struct {
		uint16_t op;
		uint8_t vd, vs2, vs1, legal;
	} rows[] = {
		{ ISA_vaesem_vv, 4, 4, 0, 1 },	{ ISA_vaesem_vs, 4, 4, 0, 0 },
		{ ISA_vaesem_vs, 4, 5, 0, 0 },	{ ISA_vaesem_vs, 4, 7, 0, 1 },
		{ ISA_vaesem_vv, 4, 7, 0, 0 },	{ ISA_vaesz_vs, 4, 5, 0, 0 },
		{ ISA_vaeskf1_vi, 4, 4, 0, 1 }, { ISA_vaeskf2_vi, 4, 4, 0, 1 },
		{ ISA_vghsh_vv, 4, 4, 4, 1 },	{ ISA_vsha2ms_vv, 4, 6, 4, 0 },
		{ ISA_vsha2cl_vv, 4, 4, 6, 0 }, { ISA_vsha2cl_vv, 4, 6, 8, 1 },
		{ ISA_vsm4k_vi, 4, 4, 0, 1 },	{ ISA_vsm4r_vs, 4, 5, 0, 0 },
		{ ISA_vsm4r_vv, 4, 4, 0, 1 },	{ ISA_vsm3me_vv, 4, 4, 6, 0 },
		{ ISA_vsm3me_vv, 4, 6, 4, 1 },	{ ISA_vsm3c_vi, 4, 4, 0, 0 },
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct vector_state *v = vector_new();
		uint32_t flags = 0;
		struct vector_args a = { .op = rows[n].op,
					 .vd = rows[n].vd,
					 .vs2 = rows[n].vs2,
					 .vs1 = rows[n].vs1,
					 .flags = &flags };

		vector_reset(v, 16, &all);
		vector_set(v, 0x11, 8, false); /* e32, m2 */
		tap_context("row %u: %s", n, isa_table[a.op].name);
		is(vector_execute(v, &a), rows[n].legal);
		free(v);
	}
}

static double half(uint16_t a)
{
	int exponent = a >> 10 & 31;
	double value = exponent == 31 ? (a & 0x3ff ? NAN : INFINITY)
		       : exponent     ? ldexp(1024 + (a & 0x3ff), exponent - 25)
				      : ldexp(a & 0x3ff, -24);

	return a & 0x8000 ? -value : value;
}

/* The binary16 next to an exact value. */
static uint16_t rounded(double value, unsigned rm)
{
	double size = fabs(value), unit, n;
	uint16_t sign = signbit(value) ? 0x8000 : 0;
	int exponent;

	if (isnan(value))
		return 0x7e00;
	if (isinf(value))
		return sign | 0x7c00;
	exponent = size ? ilogb(size) : -24;
	unit = ldexp(1, exponent < -14 ? -24 : exponent - 10);
	n = floor(size / unit);
	size = size / unit - n;
	if (rm == 0   ? size > 0.5 || (size == 0.5 && fmod(n, 2))
	    : rm == 4 ? size >= 0.5
	    : rm == 2 ? size && sign
	    : rm == 3 ? size && !sign
		      : false)
		n++;
	n *= unit;
	if (n > 65504) /* the greatest, or infinity */
		return sign | (rm == 1 || rm == (sign ? 3 : 2) ? 0x7bff : 0x7c00);
	return sign |
	       (n < ldexp(1, -14)
			? (uint16_t)ldexp(n, 24)
			: (uint16_t)(ldexp(n, 10 - ilogb(n)) - 1024 + 1024 * (ilogb(n) + 15)));
}

static uint16_t random_half(void)
{
	static const uint16_t special[] = { 0, 0x3c00, 0x7c00, 0x7e00, 0x7c01,
					    1, 0x3ff,  0x400,  0x7bff };
	uint16_t r = rnd();

	return rnd() % 4 ? r : special[rnd() % TAP_NR(special)] | (r & 0x8000);
}

/* Zvfh: sums and products of binary16 are exact in binary64, and then rounded once. */
static void halves(void)
{
	static const uint16_t half_ops[] = { ISA_vfadd_vv, ISA_vfsub_vv, ISA_vfmul_vv,
					     ISA_vfncvt_f_f_w, ISA_vfwmul_vv };

	for (unsigned n = 0; n < 4000; n++) {
		struct vector_state *v = vector_new();
		uint16_t x = random_half(), y = random_half();
		unsigned op = half_ops[n % TAP_NR(half_ops)], rm = rnd() % 5;
		double a = half(y), b = half(x);
		float single = (float)(a + b); /* perhaps rounded, but a binary32 */
		uint32_t flags = 0, bits;
		struct vector_args args = {
			.op = op, .vd = 8, .vs2 = 16, .vs1 = 24, .rm = rm, .flags = &flags
		};

		vector_reset(v, 16, &all);
		vector_set(v, 0x08, 1, false); /* e16 */
		memcpy(&bits, &single, 4);
		set(v, 16, op == ISA_vfncvt_f_f_w ? 4 : 2, 0, op == ISA_vfncvt_f_f_w ? bits : y);
		set(v, 24, 2, 0, x);
		ok(vector_execute(v, &args));
		tap_context("%s of %04x and %04x, rm %u", isa_table[op].name, y, x, rm);
		if (op == ISA_vfwmul_vv) { /* exact */
			single = (float)(a * b);
			memcpy(&bits, &single, 4);
			is(get(v, 8, 4, 0), isnan(single) ? 0x7fc00000 : bits);
		} else if (op == ISA_vfncvt_f_f_w) {
			is(get(v, 8, 2, 0), rounded(single, rm));
		} else {
			double exact = op == ISA_vfadd_vv   ? a + b
				       : op == ISA_vfsub_vv ? a - b
							    : a * b;

			if (exact == 0 && op != ISA_vfmul_vv && (a != 0 || b != 0))
				exact = rm == 2 ? -0.0 : 0.0; /* x - x */
			else if (exact == 0 && op != ISA_vfmul_vv && rm == 2)
				exact = signbit(a) || signbit(op == ISA_vfadd_vv ? b : -b) ? -0.0
											   : 0.0;
			is(get(v, 8, 2, 0), rounded(exact, rm));
		}
		free(v);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "elements, one at a time", elements },
		{ "floating point, by the host and without", floats },
		{ "configuration", configuration },
		{ "registers that overlap", overlaps },
		{ "sizes of elements, by extension", sizes },
		{ "groups of elements", groups },
		{ "registers of ciphers that overlap", cipher_overlaps },
		{ "binary16", halves },
	};

	memset(&all, 0xff, sizeof(all));
	return tap_run(cases, TAP_NR(cases));
}
