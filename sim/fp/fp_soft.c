/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fp_soft.c - floating point in integer arithmetic: unpack, compute, round and pack.
 *
 * An operand is unpacked to a sign, an exponent and a 64-bit significand with its leading one in
 * bit 63, subnormals included.  An operation computes a significand of up to 128 bits that is
 * exact but for its last bit, which is "sticky": one if anything follows.  round_and_pack is the
 * one place that rounds to a format and raises OF, UF and NX; round_up is the one place that
 * knows the rounding modes, for integers too.
 *
 * A sticky last bit is enough wherever the significand has two bits more than the format: it
 * tells a tie from more than a tie, and exact from inexact, and rounding asks nothing else.
 *
 * Calls nothing.  Implements: Unpriv 20240411, chapters 20 and 21; IEEE 754-2019 clauses 4, 5
 * and 7, with underflow detected after rounding.
 */
#include "fp_soft.h"

typedef unsigned __int128 u128;

enum kind { ZERO, FINITE, INFINITE, NOT_A_NUMBER };

/*
 * If kind is FINITE, the value is sig * 2^(exp - 63), and bit 63 of sig is set.  If it is ZERO, sig
 * is 0.
 */
struct number {
	enum kind kind;
	bool sign;
	int exp;
	uint64_t sig;
};

/* The value is sig * 2^(exp - 126): bit 127 is room for a carry. */
struct wide {
	bool sign;
	int exp;
	u128 sig;
};

/* Less than the exponent of every product, so that zero is always the smaller summand. */
#define EXP_OF_ZERO (-10000)

static struct number unpack(const struct fp_format *f, uint64_t a)
{
	struct number n = { .kind = FINITE, .sign = fp_sign(f, a) };
	uint64_t magnitude = fp_magnitude(f, a);
	int shift = 63 - f->frac_bits;

	if (magnitude >= fp_inf(f)) {
		n.kind = magnitude == fp_inf(f) ? INFINITE : NOT_A_NUMBER;
	} else if (magnitude >> f->frac_bits) {
		n.exp = (int)(magnitude >> f->frac_bits) - f->bias;
		n.sig = magnitude << shift | 1ull << 63;
	} else if (magnitude) {
		n.sig = magnitude << __builtin_clzll(magnitude);
		n.exp = 1 - f->bias + shift - __builtin_clzll(magnitude);
	} else {
		n.kind = ZERO;
		n.exp = EXP_OF_ZERO;
	}
	return n;
}

static uint64_t with_sign(const struct fp_format *f, bool sign, uint64_t magnitude)
{
	return (sign ? fp_sign_bit(f) : 0) | magnitude;
}

static uint64_t invalid(const struct fp_format *f, uint32_t *flags)
{
	*flags |= FP_NV;
	return fp_nan(f);
}

/* The result of an operation with a NaN among its operands. */
static uint64_t nan_from(const struct fp_format *f, uint64_t a, uint64_t b, uint32_t *flags)
{
	if (fp_is_snan(f, a) || fp_is_snan(f, b))
		*flags |= FP_NV;
	return fp_nan(f);
}

static u128 shift_right_sticky(u128 sig, int by)
{
	if (by == 0)
		return sig;
	if (by > 127)
		return sig != 0;
	return sig >> by | (sig << (128 - by) != 0);
}

/*
 * Returns whether to round away from zero.  rest is the part that is cut off, in 2^-64 of the last
 * kept place.
 */
static bool round_up(unsigned rm, bool sign, bool odd, uint64_t rest)
{
	const uint64_t half = 1ull << 63;

	switch (rm) {
	case FP_RNE:
		return rest > half || (rest == half && odd);
	case FP_RMM:
		return rest >= half;
	case FP_RDN:
		return sign && rest;
	case FP_RUP:
		return !sign && rest;
	default:
		return false;
	}
}

static uint64_t overflow(const struct fp_format *f, bool sign, unsigned rm, uint32_t *flags)
{
	bool finite = rm == FP_RTZ || rm == (sign ? FP_RUP : FP_RDN);

	*flags |= FP_OF | FP_NX;
	return with_sign(f, sign, fp_inf(f) - finite);
}

/*
 * Whether the result is tiny: s is in the binade below the least normal number, and stays there
 * when it is rounded with an unbounded exponent (IEEE 754-2019 §7.5).  Only all ones can carry out
 * of it.
 */
static bool is_tiny(const struct fp_format *f, bool sign, uint64_t s, unsigned rm)
{
	const int cut = 63 - f->frac_bits;

	return ~s >> cut || !round_up(rm, sign, true, s << (64 - cut));
}

/* Rounds sig * 2^(exp - 127), whose last bit may be sticky, to f.  Zero keeps its sign. */
static uint64_t round_and_pack(const struct fp_format *f, bool sign, int exp, u128 sig, unsigned rm,
			       uint32_t *flags)
{
	const int cut = 63 - f->frac_bits;
	uint64_t high = (uint64_t)(sig >> 64), s, rest, bits;
	bool tiny = false;
	int n;

	if (!sig)
		return with_sign(f, sign, 0);
	n = high ? __builtin_clzll(high) : 64 + __builtin_clzll((uint64_t)sig);
	s = (uint64_t)(sig << n >> 64) | ((uint64_t)(sig << n) != 0);
	exp += f->bias - n;
	if (exp > 2 * f->bias)
		return overflow(f, sign, rm, flags);
	if (exp < 1) {
		tiny = exp < 0 || is_tiny(f, sign, s, rm);
		s = (uint64_t)shift_right_sticky(s, 1 - exp);
		exp = 1;
	}
	rest = s << (64 - cut);
	s >>= cut;
	/* The leading one of a normal number adds one to the exponent field. */
	bits = ((uint64_t)(exp - 1) << f->frac_bits) + s + round_up(rm, sign, s & 1, rest);
	if (bits >= fp_inf(f))
		return overflow(f, sign, rm, flags);
	if (rest)
		*flags |= tiny ? FP_UF | FP_NX : FP_NX;
	return with_sign(f, sign, bits);
}

static struct wide widen(struct number n)
{
	return (struct wide){ n.sign, n.exp, (u128)n.sig << 63 };
}

/* Exact: the significands have trailing zeros to spare. */
static struct wide product(struct number a, struct number b)
{
	return (struct wide){ a.sign ^ b.sign, a.exp + b.exp + 1, (u128)a.sig * b.sig >> 1 };
}

/*
 * Where the leading places can cancel (exponents one apart, two if x is a product) the lesser
 * summand has zeros to spare and is shifted exactly; else the sum keeps more than 120 bits.
 */
static uint64_t sum(const struct fp_format *f, struct wide x, struct wide y, unsigned rm,
		    uint32_t *flags)
{
	if (x.exp < y.exp) {
		struct wide swap = x;

		x = y;
		y = swap;
	}
	y.sig = shift_right_sticky(y.sig, x.exp - y.exp);
	if (x.sign == y.sign) {
		x.sig += y.sig;
	} else if (x.sig > y.sig) {
		x.sig -= y.sig;
	} else {
		/* The rounding mode chooses the sign of an exact zero (IEEE 754-2019 §6.3). */
		x.sign = x.sig == y.sig ? rm == FP_RDN : y.sign;
		x.sig = y.sig - x.sig;
	}
	return round_and_pack(f, x.sign, x.exp + 1, x.sig, rm, flags);
}

uint64_t fp_soft_add(const struct fp_format *f, uint64_t a, uint64_t b, unsigned rm,
		     uint32_t *flags)
{
	struct number x = unpack(f, a), y = unpack(f, b);

	if (x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER)
		return nan_from(f, a, b, flags);
	if (x.kind == INFINITE && y.kind == INFINITE && x.sign != y.sign)
		return invalid(f, flags);
	if (x.kind == INFINITE)
		return a;
	if (y.kind == INFINITE)
		return b;
	return sum(f, widen(x), widen(y), rm, flags);
}

uint64_t fp_soft_mul(const struct fp_format *f, uint64_t a, uint64_t b, unsigned rm,
		     uint32_t *flags)
{
	struct number x = unpack(f, a), y = unpack(f, b);
	struct wide p = product(x, y);

	if (x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER)
		return nan_from(f, a, b, flags);
	if (x.kind == INFINITE || y.kind == INFINITE) {
		if (x.kind == ZERO || y.kind == ZERO)
			return invalid(f, flags);
		return with_sign(f, p.sign, fp_inf(f));
	}
	return round_and_pack(f, p.sign, p.exp + 1, p.sig, rm, flags);
}

uint64_t fp_soft_fma(const struct fp_format *f, uint64_t a, uint64_t b, uint64_t c, unsigned rm,
		     uint32_t *flags)
{
	struct number x = unpack(f, a), y = unpack(f, b), z = unpack(f, c);
	struct wide p = product(x, y);

	/* Before the NaNs: infinity times zero is invalid even if c is a quiet NaN. */
	if ((x.kind == INFINITE && y.kind == ZERO) || (x.kind == ZERO && y.kind == INFINITE)) {
		invalid(f, flags);
		return nan_from(f, c, c, flags);
	}
	if (x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER || z.kind == NOT_A_NUMBER) {
		nan_from(f, a, b, flags);
		return nan_from(f, c, c, flags);
	}
	if (x.kind == INFINITE || y.kind == INFINITE) {
		if (z.kind == INFINITE && z.sign != p.sign)
			return invalid(f, flags);
		return with_sign(f, p.sign, fp_inf(f));
	}
	if (z.kind == INFINITE)
		return c;
	return sum(f, p, widen(z), rm, flags);
}

uint64_t fp_soft_div(const struct fp_format *f, uint64_t a, uint64_t b, unsigned rm,
		     uint32_t *flags)
{
	struct number x = unpack(f, a), y = unpack(f, b);
	bool sign = x.sign ^ y.sign, less = x.sig < y.sig;
	u128 dividend;
	uint64_t quotient;

	if (x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER)
		return nan_from(f, a, b, flags);
	if (x.kind == y.kind && x.kind != FINITE)
		return invalid(f, flags);
	if (x.kind == INFINITE)
		return with_sign(f, sign, fp_inf(f));
	if (x.kind == ZERO || y.kind == INFINITE)
		return with_sign(f, sign, 0);
	if (y.kind == ZERO) {
		*flags |= FP_DZ;
		return with_sign(f, sign, fp_inf(f));
	}
	dividend = (u128)x.sig << (63 + less);
	quotient = (uint64_t)(dividend / y.sig);
	quotient |= (u128)quotient * y.sig != dividend;
	return round_and_pack(f, sign, x.exp - y.exp - less, (u128)quotient << 64, rm, flags);
}

uint64_t fp_soft_sqrt(const struct fp_format *f, uint64_t a, unsigned rm, uint32_t *flags)
{
	struct number x = unpack(f, a);
	uint64_t root = 0;
	u128 square;

	if (x.kind == NOT_A_NUMBER)
		return nan_from(f, a, a, flags);
	if (x.kind == ZERO)
		return a;
	if (x.sign)
		return invalid(f, flags);
	if (x.kind == INFINITE)
		return a;
	/* An even exponent; then bit by bit, two bits more than the format has. */
	square = (u128)x.sig << (63 + (x.exp & 1));
	for (int bit = 63; bit >= 63 - f->frac_bits - 2; bit--) {
		uint64_t trial = root | 1ull << bit;

		if ((u128)trial * trial <= square)
			root = trial;
	}
	root |= (u128)root * root != square;
	return round_and_pack(f, false, x.exp >> 1, (u128)root << 64, rm, flags);
}

uint64_t fp_soft_convert(const struct fp_format *to, const struct fp_format *from, uint64_t a,
			 unsigned rm, uint32_t *flags)
{
	struct number x = unpack(from, a);

	if (x.kind == NOT_A_NUMBER) {
		nan_from(from, a, a, flags);
		return fp_nan(to);
	}
	if (x.kind == INFINITE)
		return with_sign(to, x.sign, fp_inf(to));
	return round_and_pack(to, x.sign, x.exp, (u128)x.sig << 64, rm, flags);
}

uint64_t fp_soft_from_int(const struct fp_format *f, bool negative, uint64_t magnitude, unsigned rm,
			  uint32_t *flags)
{
	return round_and_pack(f, negative, 63, (u128)magnitude << 64, rm, flags);
}

uint64_t fp_soft_round(const struct fp_format *f, uint64_t a, bool raises_nx, unsigned rm,
		       uint32_t *flags)
{
	struct number x = unpack(f, a);
	uint64_t magnitude, rest;
	u128 fixed;

	if (x.kind == NOT_A_NUMBER)
		return nan_from(f, a, a, flags);
	if (x.kind != FINITE || x.exp >= f->frac_bits)
		return a;
	/* 64 bits before the point, 64 after it. */
	fixed = shift_right_sticky((u128)x.sig << 64, 63 - x.exp);
	magnitude = (uint64_t)(fixed >> 64);
	rest = (uint64_t)fixed;
	magnitude += round_up(rm, x.sign, magnitude & 1, rest);
	if (rest && raises_nx)
		*flags |= FP_NX;
	return round_and_pack(f, x.sign, 63, (u128)magnitude << 64, rm, flags);
}

uint64_t fp_soft_to_int(const struct fp_format *f, uint64_t a, uint64_t lowest, uint64_t highest,
			unsigned rm, uint32_t *flags)
{
	struct number x = unpack(f, a);
	uint64_t magnitude, rest;
	u128 fixed;

	if (x.kind == NOT_A_NUMBER || x.kind == INFINITE || x.exp > 63) {
		*flags |= FP_NV;
		return x.sign && x.kind != NOT_A_NUMBER ? -lowest : highest;
	}
	/* 64 bits before the point, 64 after it. */
	fixed = shift_right_sticky((u128)x.sig << 64, 63 - x.exp);
	magnitude = (uint64_t)(fixed >> 64);
	rest = (uint64_t)fixed;
	/* Cannot wrap: where something is left to round, bit 63 is clear. */
	magnitude += round_up(rm, x.sign, magnitude & 1, rest);
	if (magnitude > (x.sign ? lowest : highest)) {
		*flags |= FP_NV;
		return x.sign ? -lowest : highest;
	}
	if (rest)
		*flags |= FP_NX;
	return x.sign ? -magnitude : magnitude;
}
