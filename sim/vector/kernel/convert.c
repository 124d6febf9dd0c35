// SPDX-License-Identifier: BSD-2-Clause
/*
 * convert.c - kernels: floating point of one operand: conversions, square root, estimates, class.
 * Only active elements raise flags.  In the expressions y is an element of vs2.
 *
 * Implements: Unpriv 20240411 §31.13.8-§31.13.10, §31.13.14-§31.13.19.
 */
#include "fp.h"
#include "parts.h"

#define RM    a->rm
#define FLAGS a->flags

/* R, T: the types of the result and of the operand. */
#define UNARY(bits, name, R, T, ...)                                                               \
	KERNEL(name##_##bits)                                                                      \
	{                                                                                          \
		TYPES(bits);                                                                       \
		const T *s2 = vector_reg(v, a->vs2);                                               \
		VECTOR_BUFFER(R, to);                                                              \
		for (unsigned n = v->vstart; n < v->vl; n++) {                                     \
			T y = s2[n];                                                               \
			if (vector_does(v, a, n))                                                  \
				to[n] = (R)(__VA_ARGS__);                                          \
		}                                                                                  \
		vector_put(v, a, to, sizeof(R));                                                   \
	}

/* A conversion to less than 32 bits has the result of one to 32 bits, or saturates. */
static s32 to_signed(u32 y, unsigned bits, unsigned rm, uint32_t *flags)
{
	uint32_t raised = 0;
	s32 value = fp32_to_i32(y, rm, &raised), most = (1 << (bits - 1)) - 1;
	bool fits = value <= most && value >= -most - 1;

	*flags |= fits ? raised : FP_NV;
	return fits ? value : value < 0 ? -most - 1 : most;
}

static u32 to_unsigned(u32 y, unsigned bits, unsigned rm, uint32_t *flags)
{
	uint32_t raised = 0;
	u32 value = fp32_to_u32(y, rm, &raised), most = (1u << bits) - 1;

	*flags |= value <= most ? raised : FP_NV;
	return value <= most ? value : most;
}

/* Round to odd: towards zero, and the last bit tells that something was lost. */
static u16 to_odd16(u32 y, uint32_t *flags)
{
	uint32_t raised = 0;
	u16 value = fp32_to_fp16(y, FP_RTZ, &raised);

	*flags |= raised;
	return raised & FP_NX ? value | 1 : value;
}

static u32 to_odd32(u64 y, uint32_t *flags)
{
	uint32_t raised = 0;
	u32 value = fp64_to_fp32(y, FP_RTZ, &raised);

	*flags |= raised;
	return raised & FP_NX ? value | 1 : value;
}

#define LONG(y) fp16_to_fp32(y, FLAGS)

UNARY(16, vfcvt_xu_f_v, U, U, to_unsigned(LONG(y), 16, RM, FLAGS))
UNARY(32, vfcvt_xu_f_v, U, U, fp32_to_u32(y, RM, FLAGS))
UNARY(64, vfcvt_xu_f_v, U, U, fp64_to_u64(y, RM, FLAGS))
UNARY(16, vfcvt_x_f_v, U, U, to_signed(LONG(y), 16, RM, FLAGS))
UNARY(32, vfcvt_x_f_v, U, U, fp32_to_i32(y, RM, FLAGS))
UNARY(64, vfcvt_x_f_v, U, U, fp64_to_i64(y, RM, FLAGS))
UNARY(16, vfcvt_rtz_xu_f_v, U, U, to_unsigned(LONG(y), 16, FP_RTZ, FLAGS))
UNARY(32, vfcvt_rtz_xu_f_v, U, U, fp32_to_u32(y, FP_RTZ, FLAGS))
UNARY(64, vfcvt_rtz_xu_f_v, U, U, fp64_to_u64(y, FP_RTZ, FLAGS))
UNARY(16, vfcvt_rtz_x_f_v, U, U, to_signed(LONG(y), 16, FP_RTZ, FLAGS))
UNARY(32, vfcvt_rtz_x_f_v, U, U, fp32_to_i32(y, FP_RTZ, FLAGS))
UNARY(64, vfcvt_rtz_x_f_v, U, U, fp64_to_i64(y, FP_RTZ, FLAGS))
UNARY(16, vfcvt_f_xu_v, U, U, fp16_from_u32(y, RM, FLAGS))
UNARY(32, vfcvt_f_xu_v, U, U, fp32_from_u32(y, RM, FLAGS))
UNARY(64, vfcvt_f_xu_v, U, U, fp64_from_u64(y, RM, FLAGS))
UNARY(16, vfcvt_f_x_v, U, S, fp16_from_i32(y, RM, FLAGS))
UNARY(32, vfcvt_f_x_v, U, S, fp32_from_i32(y, RM, FLAGS))
UNARY(64, vfcvt_f_x_v, U, S, fp64_from_i64(y, RM, FLAGS))

UNARY(16, vfwcvt_xu_f_v, WU, U, fp16_to_u32(y, RM, FLAGS))
UNARY(32, vfwcvt_xu_f_v, WU, U, fp32_to_u64(y, RM, FLAGS))
UNARY(16, vfwcvt_x_f_v, WU, U, fp16_to_i32(y, RM, FLAGS))
UNARY(32, vfwcvt_x_f_v, WU, U, fp32_to_i64(y, RM, FLAGS))
UNARY(16, vfwcvt_rtz_xu_f_v, WU, U, fp16_to_u32(y, FP_RTZ, FLAGS))
UNARY(32, vfwcvt_rtz_xu_f_v, WU, U, fp32_to_u64(y, FP_RTZ, FLAGS))
UNARY(16, vfwcvt_rtz_x_f_v, WU, U, fp16_to_i32(y, FP_RTZ, FLAGS))
UNARY(32, vfwcvt_rtz_x_f_v, WU, U, fp32_to_i64(y, FP_RTZ, FLAGS))
UNARY(8, vfwcvt_f_xu_v, WU, U, fp16_from_u32(y, RM, FLAGS))
UNARY(16, vfwcvt_f_xu_v, WU, U, fp32_from_u32(y, RM, FLAGS))
UNARY(32, vfwcvt_f_xu_v, WU, U, fp64_from_u32(y))
UNARY(8, vfwcvt_f_x_v, WU, S, fp16_from_i32(y, RM, FLAGS))
UNARY(16, vfwcvt_f_x_v, WU, S, fp32_from_i32(y, RM, FLAGS))
UNARY(32, vfwcvt_f_x_v, WU, S, fp64_from_i32(y))
UNARY(16, vfwcvt_f_f_v, WU, U, fp16_to_fp32(y, FLAGS))
UNARY(32, vfwcvt_f_f_v, WU, U, fp32_to_fp64(y, FLAGS))

UNARY(8, vfncvt_xu_f_w, U, WU, to_unsigned(LONG(y), 8, RM, FLAGS))
UNARY(16, vfncvt_xu_f_w, U, WU, to_unsigned(y, 16, RM, FLAGS))
UNARY(32, vfncvt_xu_f_w, U, WU, fp64_to_u32(y, RM, FLAGS))
UNARY(8, vfncvt_x_f_w, U, WU, to_signed(LONG(y), 8, RM, FLAGS))
UNARY(16, vfncvt_x_f_w, U, WU, to_signed(y, 16, RM, FLAGS))
UNARY(32, vfncvt_x_f_w, U, WU, fp64_to_i32(y, RM, FLAGS))
UNARY(8, vfncvt_rtz_xu_f_w, U, WU, to_unsigned(LONG(y), 8, FP_RTZ, FLAGS))
UNARY(16, vfncvt_rtz_xu_f_w, U, WU, to_unsigned(y, 16, FP_RTZ, FLAGS))
UNARY(32, vfncvt_rtz_xu_f_w, U, WU, fp64_to_u32(y, FP_RTZ, FLAGS))
UNARY(8, vfncvt_rtz_x_f_w, U, WU, to_signed(LONG(y), 8, FP_RTZ, FLAGS))
UNARY(16, vfncvt_rtz_x_f_w, U, WU, to_signed(y, 16, FP_RTZ, FLAGS))
UNARY(32, vfncvt_rtz_x_f_w, U, WU, fp64_to_i32(y, FP_RTZ, FLAGS))
UNARY(16, vfncvt_f_xu_w, U, WU, fp16_from_u32(y, RM, FLAGS))
UNARY(32, vfncvt_f_xu_w, U, WU, fp32_from_u64(y, RM, FLAGS))
UNARY(16, vfncvt_f_x_w, U, WS, fp16_from_i32(y, RM, FLAGS))
UNARY(32, vfncvt_f_x_w, U, WS, fp32_from_i64(y, RM, FLAGS))
UNARY(16, vfncvt_f_f_w, U, WU, fp32_to_fp16(y, RM, FLAGS))
UNARY(32, vfncvt_f_f_w, U, WU, fp64_to_fp32(y, RM, FLAGS))
UNARY(16, vfncvt_rod_f_f_w, U, WU, to_odd16(y, FLAGS))
UNARY(32, vfncvt_rod_f_f_w, U, WU, to_odd32(y, FLAGS))

UNARY(16, vfsqrt_v, U, U, fp16_sqrt(y, RM, FLAGS))
UNARY(32, vfsqrt_v, U, U, fp32_sqrt(y, RM, FLAGS))
UNARY(64, vfsqrt_v, U, U, fp64_sqrt(y, RM, FLAGS))
UNARY(16, vfclass_v, U, U, fp16_class(y))
UNARY(32, vfclass_v, U, U, fp32_class(y))
UNARY(64, vfclass_v, U, U, fp64_class(y))

/* The estimates, of which seven bits are defined.  A format has so many bits of its parts. */
struct format {
	unsigned exponent, fraction;
};

static const struct format half = { 5, 10 }, single = { 8, 23 }, twice = { 11, 52 };

/* A number taken apart; of a subnormal one the exponent is 0 or less. */
struct parts {
	bool negative;
	int exponent;
	u64 fraction; /* normalized, without the leading bit */
	unsigned class; /* as fclass gives it */
};

#define CLASS_INFINITY	(1u << 0 | 1u << 7)
#define CLASS_SUBNORMAL (1u << 2 | 1u << 5)
#define CLASS_ZERO	(1u << 3 | 1u << 4)
#define CLASS_SIGNALING (1u << 8)
#define CLASS_NAN	(1u << 8 | 1u << 9)

static struct parts take_apart(const struct format *f, u64 y)
{
	struct parts p = {
		.negative = y >> (f->exponent + f->fraction) & 1,
		.exponent = y >> f->fraction & ((1u << f->exponent) - 1),
		.fraction = y & ((1ull << f->fraction) - 1),
		.class = f == &half	? fp16_class(y)
			 : f == &single ? fp32_class(y)
					: fp64_class(y),
	};

	if (!(p.class & CLASS_SUBNORMAL))
		return p;
	while (!(p.fraction >> (f->fraction - 1) & 1)) {
		p.fraction <<= 1;
		p.exponent--;
	}
	p.fraction = p.fraction << 1 & ((1ull << f->fraction) - 1);
	return p;
}

static u64 put_together(const struct format *f, bool negative, u64 exponent, u64 fraction)
{
	return (u64)negative << (f->exponent + f->fraction) | exponent << f->fraction | fraction;
}

static u64 infinity(const struct format *f, bool negative)
{
	return put_together(f, negative, (1ull << f->exponent) - 1, 0);
}

static u64 nan_of(const struct format *f)
{
	return infinity(f, false) | 1ull << (f->fraction - 1);
}

/* Unpriv §31.13.9: by the last bit of the exponent and the first six of the fraction. */
static u64 estimate_rsqrt(const struct format *f, u64 y, uint32_t *flags)
{
	static const u8 table[128] = {
		52,  51,  50,  48,  47,	 46,  44,  43,	42,  41,  40,  39,  38,	 36,  35,  34,
		33,  32,  31,  30,  30,	 29,  28,  27,	26,  25,  24,  23,  23,	 22,  21,  20,
		19,  19,  18,  17,  16,	 16,  15,  14,	14,  13,  12,  12,  11,	 10,  10,  9,
		9,   8,	  7,   7,   6,	 6,   5,   4,	4,   3,	  3,   2,   2,	 1,   1,   0,
		127, 125, 123, 121, 119, 118, 116, 114, 113, 111, 109, 108, 106, 105, 103, 102,
		100, 99,  97,  96,  95,	 93,  92,  91,	90,  88,  87,  86,  85,	 84,  83,  82,
		80,  79,  78,  77,  76,	 75,  74,  73,	72,  71,  70,  70,  69,	 68,  67,  66,
		65,  64,  63,  63,  62,	 61,  60,  59,	59,  58,  57,  56,  56,	 55,  54,  53,
	};
	struct parts p = take_apart(f, y);
	int bias = (1 << (f->exponent - 1)) - 1;
	unsigned at = (p.exponent & 1) << 6 | p.fraction >> (f->fraction - 6);

	if (p.class & CLASS_NAN || (p.negative && !(p.class & CLASS_ZERO))) {
		*flags |= p.class & CLASS_NAN & ~CLASS_SIGNALING ? 0 : FP_NV;
		return nan_of(f);
	}
	if (p.class & CLASS_ZERO) {
		*flags |= FP_DZ;
		return infinity(f, p.negative);
	}
	if (p.class & CLASS_INFINITY)
		return 0;
	return put_together(f, false, (3 * bias - 1 - p.exponent) / 2,
			    (u64)table[at] << (f->fraction - 7));
}

/* The reciprocal of a number so small that it overflows. */
static u64 overflow(const struct format *f, bool negative, unsigned rm, uint32_t *flags)
{
	bool to_zero = rm == FP_RTZ || (rm == FP_RDN && !negative) || (rm == FP_RUP && negative);

	*flags |= FP_OF | FP_NX;
	return infinity(f, negative) - to_zero;
}

/* Unpriv §31.13.10: by the first seven bits of the fraction. */
static u64 estimate_reciprocal(const struct format *f, u64 y, unsigned rm, uint32_t *flags)
{
	static const u8 table[128] = {
		127, 125, 123, 121, 119, 117, 116, 114, 112, 110, 109, 107, 105, 104, 102, 100,
		99,  97,  96,  94,  93,	 91,  90,  88,	87,  85,  84,  83,  81,	 80,  79,  77,
		76,  75,  74,  72,  71,	 70,  69,  68,	66,  65,  64,  63,  62,	 61,  60,  59,
		58,  57,  56,  55,  54,	 53,  52,  51,	50,  49,  48,  47,  46,	 45,  44,  43,
		42,  41,  40,  40,  39,	 38,  37,  36,	35,  35,  34,  33,  32,	 31,  31,  30,
		29,  28,  28,  27,  26,	 25,  25,  24,	23,  23,  22,  21,  21,	 20,  19,  19,
		18,  17,  17,  16,  15,	 15,  14,  14,	13,  12,  12,  11,  11,	 10,  9,   9,
		8,   8,	  7,   7,   6,	 5,   5,   4,	4,   3,	  3,   2,   2,	 1,   1,   0,
	};
	struct parts p = take_apart(f, y);
	int exponent = 2 * ((1 << (f->exponent - 1)) - 1) - 1 - p.exponent;
	u64 fraction = (u64)table[p.fraction >> (f->fraction - 7)] << (f->fraction - 7);

	if (p.class & CLASS_NAN) {
		*flags |= p.class & CLASS_SIGNALING ? FP_NV : 0;
		return nan_of(f);
	}
	if (p.class & CLASS_ZERO) {
		*flags |= FP_DZ;
		return infinity(f, p.negative);
	}
	if (p.class & CLASS_INFINITY)
		return put_together(f, p.negative, 0, 0);
	if (p.exponent < -1)
		return overflow(f, p.negative, rm, flags);
	if (exponent < 1) { /* the result is subnormal */
		fraction = (fraction >> 1 | 1ull << (f->fraction - 1)) >> -exponent;
		exponent = 0;
	}
	return put_together(f, p.negative, exponent, fraction);
}

UNARY(16, vfrsqrt7_v, U, U, estimate_rsqrt(&half, y, FLAGS))
UNARY(32, vfrsqrt7_v, U, U, estimate_rsqrt(&single, y, FLAGS))
UNARY(64, vfrsqrt7_v, U, U, estimate_rsqrt(&twice, y, FLAGS))
UNARY(16, vfrec7_v, U, U, estimate_reciprocal(&half, y, RM, FLAGS))
UNARY(32, vfrec7_v, U, U, estimate_reciprocal(&single, y, RM, FLAGS))
UNARY(64, vfrec7_v, U, U, estimate_reciprocal(&twice, y, RM, FLAGS))
