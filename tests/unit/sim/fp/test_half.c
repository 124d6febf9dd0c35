// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_half.c - binary16 and the roundings of Zfa, compared with a second implementation.
 *
 * The 63488 finite numbers of binary16 are in a table in their order, as __float128, in which sums,
 * products, multiply-adds and squares of them are exact.  An operation tells for each number of the
 * table whether it is less than the exact result, equal or greater; a binary search then finds the
 * two neighbours, and the text of IEEE 754 chooses.  All operands of unary operations, random ones
 * of the others, in all rounding modes.  Roundings to integers are the host's.
 */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "tap.h"
#include "fp.h"

typedef __float128 exact;

#define MODES 5

/* The magnitude of a pattern; infinity counts as 2^16, which would follow the greatest number. */
static exact value_of(uint16_t bits)
{
	unsigned exp = bits >> 10 & 31, frac = bits & 0x3ff;
	exact v = exp ? frac + 1024 : frac;

	for (unsigned n = exp ? exp : 1; n < 25; n++)
		v /= 2;
	for (unsigned n = 25; n < exp; n++)
		v *= 2;
	return v;
}

static exact signed_value(uint16_t bits)
{
	return bits >> 15 ? -value_of(bits) : value_of(bits);
}

/* An exact result that is not zero, by its sign and a comparison of a magnitude with its own. */
struct result {
	bool negative;
	int (*compare)(exact v, const exact x[3]); /* of v with the result */
	exact x[3];
};

static int sign_of(exact v)
{
	return v < 0 ? -1 : v > 0;
}

static int with_number(exact v, const exact x[3])
{
	return sign_of(v - x[0]);
}

static int with_quotient(exact v, const exact x[3])
{
	return sign_of(v * x[1] - x[0]);
}

static int with_root(exact v, const exact x[3])
{
	return sign_of(v * v - x[0]);
}

static bool goes_up(unsigned rm, bool negative, bool odd, int middle)
{
	switch (rm) {
	case FP_RNE:
		return middle < 0 || (!middle && odd);
	case FP_RMM:
		return middle <= 0;
	case FP_RDN:
		return negative;
	case FP_RUP:
		return !negative;
	default:
		return false;
	}
}

/* The rounded pattern; *flags gets OF, UF, NX. */
static uint16_t round_to_half(const struct result *r, unsigned rm, uint32_t *flags)
{
	unsigned low = 0, high = 0x7c00, sign = r->negative ? 0x8000 : 0;
	exact tiny = value_of(0x0400), step = value_of(1) / 2;
	bool up, stays;

	while (high - low > 1) { /* low <= result < high, but for overflow */
		unsigned middle = (low + high) / 2;

		if (r->compare(value_of(middle), r->x) <= 0)
			low = middle;
		else
			high = middle;
	}
	if (!r->compare(value_of(low), r->x))
		return sign | low;
	up = goes_up(rm, r->negative, low & 1,
		     r->compare((value_of(low) + value_of(high)) / 2, r->x));
	/* Not tiny: above the last step of an unbounded exponent below 2^-14, and rounded up. */
	stays = low > 0x3ff || (low == 0x3ff && r->compare(tiny - step, r->x) < 0 &&
				goes_up(rm, r->negative, true, r->compare(tiny - step / 2, r->x)));
	*flags |= FP_NX | (stays ? 0 : FP_UF);
	if (low + up > 0x7bff || (low == 0x7bff && r->compare(value_of(0x7c00), r->x) <= 0)) {
		*flags |= FP_OF;
		return sign |
		       (rm == FP_RTZ || rm == (r->negative ? FP_RUP : FP_RDN) ? 0x7bff : 0x7c00);
	}
	return sign | (low + up);
}

static uint16_t of_number(exact v, bool negative_zero, unsigned rm, uint32_t *flags)
{
	struct result r = { v < 0, with_number, { v < 0 ? -v : v } };

	return v == 0 ? (negative_zero ? 0x8000 : 0) : round_to_half(&r, rm, flags);
}

static bool is_finite(uint16_t a)
{
	return (a & 0x7c00) != 0x7c00;
}

static uint64_t next(uint64_t *state)
{
	*state = *state * 6364136223846793005 + 1442695040888963407;
	return *state >> 24;
}

/* The sign of an exact zero that is a sum. */
static bool zero_sign(uint16_t a, uint16_t b, unsigned rm)
{
	return (a ^ b) >> 15 ? rm == FP_RDN : a >> 15;
}

static void compare(const char *name, uint16_t got, uint32_t flags, uint16_t want, uint32_t raised)
{
	tap_context("%s", name);
	is(got, want);
	is(flags, raised);
}

static void arithmetic(void)
{
	uint64_t state = 16;

	for (unsigned n = 0; n < 60000; n++) {
		uint16_t a = next(&state), b = next(&state), c = next(&state);
		unsigned rm = n % MODES;
		exact x = signed_value(a), y = signed_value(b), z = signed_value(c);
		uint32_t got, want;
		struct result r;

		if (!is_finite(a) || !is_finite(b) || !is_finite(c))
			continue;
		if (n & 8) /* near each other */
			y = signed_value(b = (b & 0x83ff) | (a & 0x7c00));
		got = want = 0;
		compare("add", fp16_add(a, b, rm, &got), got,
			of_number(x + y, zero_sign(a, b, rm), rm, &want), want);
		got = want = 0;
		compare("mul", fp16_mul(a, b, rm, &got), got,
			of_number(x * y, (a ^ b) >> 15, rm, &want), want);
		got = want = 0;
		compare("fma", fp16_fma(a, b, c, rm, &got), got,
			of_number(x * y + z, zero_sign(a ^ b, c, rm), rm, &want), want);
		if (!(a & 0x7fff) || !(b & 0x7fff))
			continue;
		got = want = 0;
		r = (struct result){ (a ^ b) >> 15, with_quotient, { value_of(a), value_of(b) } };
		compare("div", fp16_div(a, b, rm, &got), got, round_to_half(&r, rm, &want), want);
	}
}

static uint32_t bits_of_float(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

static uint64_t bits_of_double(double d)
{
	uint64_t bits;

	memcpy(&bits, &d, sizeof(bits));
	return bits;
}

/* All numbers: roots, and conversions from and to the other formats and integers. */
static void unary(void)
{
	for (unsigned a = 0; a < 0x10000; a++) {
		unsigned rm = a % MODES;
		struct result r = { false, with_root, { value_of(a) } };
		uint32_t got = 0, want = 0;
		float f;
		double d;

		if (!is_finite(a))
			continue;
		if (a && a < 0x8000)
			compare("sqrt", fp16_sqrt(a, rm, &got), got, round_to_half(&r, rm, &want),
				want);
		f = (float)signed_value(a);
		d = (double)signed_value(a);
		f = a >> 15 ? -fabsf(f) : f;
		d = a >> 15 ? -fabs(d) : d;
		got = 0;
		is(fp16_to_fp32(a, &got), bits_of_float(f));
		is(fp16_to_fp64(a, &got), bits_of_double(d));
		is(fp16_to_i64(a, FP_RTZ, &got), (int64_t)d);
		is(got & ~FP_NX, 0);
		is(got, (double)(int64_t)d == d ? 0 : FP_NX);
	}
}

static void conversions(void)
{
	uint64_t state = 64;

	for (unsigned n = 0; n < 60000; n++) {
		unsigned rm = n % MODES;
		/* from far below the least number to far above the greatest */
		uint64_t bits = next(&state) << 28 ^ next(&state);
		double d = ldexp((double)(int64_t)bits, (int)(next(&state) % 60) - 95);
		float f = (float)d;
		uint32_t got = 0, want = 0;
		int64_t i = (int64_t)bits >> next(&state) % 62;

		compare("of binary64", fp64_to_fp16(bits_of_double(d), rm, &got), got,
			of_number(d, d < 0, rm, &want), want);
		got = want = 0;
		compare("of binary32", fp32_to_fp16(bits_of_float(f), rm, &got), got,
			of_number(f, f < 0, rm, &want), want);
		got = want = 0;
		compare("of an integer", fp16_from_i64(i, rm, &got), got,
			of_number(i, false, rm, &want), want);
	}
}

/* Zfa's roundings of binary64, and by it those of binary32, are the host's. */
static void roundings(void)
{
	static const int mode[4] = { FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD };
	uint64_t state = 25;

	for (unsigned n = 0; n < 60000; n++) {
		unsigned rm = n % MODES;
		double d = ldexp((double)(int64_t)(next(&state) << 20),
				 (int)(next(&state) % 70) - 90);
		float f = (float)d;
		double r;
		float s;
		uint32_t flags = 0;

		if (rm < 4)
			fesetround(mode[rm]);
		r = rm == FP_RMM ? round(d) : rint(d);
		s = rm == FP_RMM ? roundf(f) : rintf(f);
		fesetround(FE_TONEAREST);
		tap_context("round %a, mode %u", d, rm);
		is(fp64_round(bits_of_double(d), true, rm, &flags), bits_of_double(r));
		is(flags, r == d ? 0 : FP_NX);
		flags = 0;
		is(fp32_round(bits_of_float(f), false, rm, &flags), bits_of_float(s));
		is(flags, 0);
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "binary16: arithmetic", arithmetic },
		{ "binary16: all numbers", unary },
		{ "conversions to binary16", conversions },
		{ "roundings to integers", roundings },
	};

	return tap_run(cases, TAP_NR(cases));
}
