/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_fp_exact.c - the oracle: floating point in exact integers of any size (GMP).
 *
 * A number is an integer times a power of two.  Sums and products are exact; quotients and roots
 * have some 200 bits and one more that tells whether there is a remainder.  Rounding chooses
 * between the two neighbours of a number, as in the text of IEEE 754.  Nothing here is fast, and
 * only the names of flags and modes are shared with sim/.
 */
#include <gmp.h>

#include "fp.h"
#include "test_fp.h"

#define GUARD 200 /* bits of a quotient or a root, at least half of them significant */

struct format {
	int precision, emin, emax;
};

struct exact {
	enum { NUMBER, INF, QUIET, SIGNALING } kind;
	bool negative;
	mpz_t m; /* not negative; the value is m * 2^e */
	long e;
};

static struct format format_of(int width)
{
	return width == 32 ? (struct format){ 24, -126, 127 } : (struct format){ 53, -1022, 1023 };
}

static uint64_t sign_of(int width)
{
	return 1ull << (width - 1);
}

static uint64_t inf_of(int width)
{
	struct format f = format_of(width);

	return (2ull * f.emax + 1) << (f.precision - 1);
}

static uint64_t nan_of(int width)
{
	return width == 32 ? 0x7fc00000 : 0x7ff8000000000000;
}

static void exact_decode(struct exact *x, int width, uint64_t bits)
{
	struct format f = format_of(width);
	uint64_t fraction = bits & ((1ull << (f.precision - 1)) - 1);
	int exponent = (int)(bits >> (f.precision - 1)) & (2 * f.emax + 1);

	x->kind = NUMBER;
	x->negative = bits & sign_of(width);
	if (exponent == 2 * f.emax + 1 && fraction)
		x->kind = fraction >> (f.precision - 2) ? QUIET : SIGNALING;
	else if (exponent == 2 * f.emax + 1)
		x->kind = INF;
	mpz_init_set_ui(x->m, exponent ? fraction + (1ull << (f.precision - 1)) : fraction);
	x->e = (exponent ? exponent - f.emax : f.emin) - (f.precision - 1);
}

/*
 * Chooses by rm between the two multiples of 2^q next to x: n * 2^q.  Returns true if it is not x.
 */
static bool choose(mpz_t n, const struct exact *x, long q, unsigned rm)
{
	mpz_t rest, half;
	bool inexact, away;
	int to_half;

	if (x->e >= q) {
		mpz_mul_2exp(n, x->m, x->e - q);
		return false;
	}
	mpz_inits(rest, half, NULL);
	mpz_fdiv_q_2exp(n, x->m, q - x->e);
	mpz_fdiv_r_2exp(rest, x->m, q - x->e);
	mpz_setbit(half, q - x->e - 1);
	to_half = mpz_cmp(rest, half);
	inexact = mpz_sgn(rest) != 0;
	away = (rm == FP_RNE && (to_half > 0 || (to_half == 0 && mpz_odd_p(n)))) ||
	       (rm == FP_RMM && to_half >= 0) || (rm == FP_RDN && x->negative) ||
	       (rm == FP_RUP && !x->negative);
	if (inexact && away)
		mpz_add_ui(n, n, 1);
	mpz_clears(rest, half, NULL);
	return inexact;
}

/* The exponent of the leading bit of n * 2^q. */
static long leading(const mpz_t n, long q)
{
	return (long)mpz_sizeinbase(n, 2) - 1 + q;
}

static uint64_t overflow_to(int width, bool negative, unsigned rm)
{
	bool finite = rm == FP_RTZ || (rm == FP_RUP && negative) || (rm == FP_RDN && !negative);

	return inf_of(width) - finite;
}

/* The exponent of the leading bit of x, which is not zero; its sign does not matter. */
static struct result round_magnitude(int width, const struct exact *x, unsigned rm)
{
	struct format f = format_of(width);
	long unbounded = leading(x->m, x->e) - (f.precision - 1),
	     least = f.emin - (f.precision - 1);
	long q = unbounded < least ? least : unbounded;
	struct result r = { 0 };
	bool tiny;
	mpz_t n;

	mpz_init(n);
	/* Is x below 2^emin when it is rounded with an unbounded exponent? */
	choose(n, x, unbounded, rm);
	tiny = leading(n, unbounded) < f.emin;

	if (choose(n, x, q, rm))
		r.flags = tiny ? FP_UF | FP_NX : FP_NX;
	/* Bit patterns are ordered as their numbers are: 2^(precision - 1) of them in a binade. */
	r.value = ((uint64_t)(q - least) << (f.precision - 1)) + mpz_get_ui(n);
	if (mpz_sgn(n) && leading(n, q) > f.emax)
		r = (struct result){ overflow_to(width, x->negative, rm), FP_OF | FP_NX };
	mpz_clear(n);
	return r;
}

static struct result exact_round(int width, const struct exact *x, unsigned rm)
{
	struct result r = { 0 };

	if (mpz_sgn(x->m))
		r = round_magnitude(width, x, rm);
	r.value |= x->negative ? sign_of(width) : 0;
	return r;
}

static struct result nan_result(int width, bool invalid)
{
	return (struct result){ nan_of(width), invalid ? FP_NV : 0 };
}

static struct result inf_result(int width, bool negative, uint32_t flags)
{
	return (struct result){ inf_of(width) | (negative ? sign_of(width) : 0), flags };
}

/* x += y, both numbers; a zero sum of opposite signs is negative in RDN only. */
static void exact_add(struct exact *x, struct exact *y, unsigned rm)
{
	bool same = x->negative == y->negative;
	long e = x->e < y->e ? x->e : y->e;

	mpz_mul_2exp(x->m, x->m, x->e - e);
	mpz_mul_2exp(y->m, y->m, y->e - e);
	if (x->negative)
		mpz_neg(x->m, x->m);
	if (y->negative)
		mpz_neg(y->m, y->m);
	mpz_add(x->m, x->m, y->m);
	if (mpz_sgn(x->m))
		x->negative = mpz_sgn(x->m) < 0;
	else
		x->negative = same ? x->negative : rm == FP_RDN;
	mpz_abs(x->m, x->m);
	x->e = e;
}

static void exact_multiply(struct exact *x, const struct exact *y)
{
	mpz_mul(x->m, x->m, y->m);
	x->e += y->e;
	x->negative ^= y->negative;
}

/* Sets the bit below the last bit of x if there is a remainder. */
static void append_rest(struct exact *x, const mpz_t rest)
{
	mpz_mul_2exp(x->m, x->m, 1);
	if (mpz_sgn(rest))
		mpz_setbit(x->m, 0);
	x->e--;
}

static bool is_zero(const struct exact *x)
{
	return x->kind == NUMBER && !mpz_sgn(x->m);
}

static bool is_nan(const struct exact *x)
{
	return x->kind == QUIET || x->kind == SIGNALING;
}

static struct result sum(int width, struct exact *x, struct exact *y, unsigned rm)
{
	if (x->kind == INF && y->kind == INF && x->negative != y->negative)
		return nan_result(width, true);
	if (x->kind == INF || y->kind == INF)
		return inf_result(width, x->kind == INF ? x->negative : y->negative, 0);
	exact_add(x, y, rm);
	return exact_round(width, x, rm);
}

static struct result quotient(int width, struct exact *x, const struct exact *y, unsigned rm)
{
	bool negative = x->negative ^ y->negative;
	struct result r;
	mpz_t rest;

	if ((x->kind == INF && y->kind == INF) || (is_zero(x) && is_zero(y)))
		return nan_result(width, true);
	if (x->kind == INF)
		return inf_result(width, negative, 0);
	if (is_zero(y))
		return inf_result(width, negative, FP_DZ);
	x->negative = negative;
	mpz_init(rest);
	if (y->kind == INF) {
		mpz_set_ui(x->m, 0);
	} else {
		mpz_mul_2exp(x->m, x->m, GUARD);
		mpz_fdiv_qr(x->m, rest, x->m, y->m);
		x->e -= y->e + GUARD;
		append_rest(x, rest);
	}
	r = exact_round(width, x, rm);
	mpz_clear(rest);
	return r;
}

static struct result root(int width, struct exact *x, unsigned rm)
{
	struct result r;
	mpz_t rest;

	if (x->negative && !is_zero(x))
		return nan_result(width, true);
	if (x->kind == INF)
		return inf_result(width, false, 0);
	mpz_init(rest);
	mpz_mul_2exp(x->m, x->m, GUARD + (x->e & 1));
	x->e = (x->e - GUARD - (x->e & 1)) / 2;
	mpz_sqrtrem(x->m, rest, x->m);
	append_rest(x, rest);
	r = exact_round(width, x, rm);
	mpz_clear(rest);
	return r;
}

/* x * y + z; z may be NULL. */
static struct result product(int width, struct exact *x, struct exact *y, struct exact *z,
			     unsigned rm)
{
	if ((x->kind == INF && is_zero(y)) || (is_zero(x) && y->kind == INF))
		return nan_result(width, true);
	if (is_nan(x) || is_nan(y) || (z && is_nan(z)))
		return nan_result(width, false);
	if (x->kind == INF || y->kind == INF)
		x->kind = INF;
	exact_multiply(x, y);
	if (z)
		return sum(width, x, z, rm);
	return x->kind == INF ? inf_result(width, x->negative, 0) : exact_round(width, x, rm);
}

static struct result arithmetic(int width, enum op op, const uint64_t v[3], unsigned rm)
{
	const int arity = op == FMA ? 3 : op == SQRT ? 1 : 2;
	struct result r = { 0 };
	bool nan = false, signaling = false;
	struct exact x[3];

	for (int i = 0; i < 3; i++) {
		exact_decode(&x[i], width, v[i]);
		nan |= i < arity && is_nan(&x[i]);
		signaling |= i < arity && x[i].kind == SIGNALING;
	}
	if (op == SUB)
		x[1].negative = !x[1].negative;
	if (op == FMA || (op == MUL && !nan))
		r = product(width, &x[0], &x[1], op == FMA ? &x[2] : NULL, rm);
	else if (nan)
		r = nan_result(width, false);
	else if (op == DIV)
		r = quotient(width, &x[0], &x[1], rm);
	else if (op == SQRT)
		r = root(width, &x[0], rm);
	else
		r = sum(width, &x[0], &x[1], rm);
	if (signaling)
		r.flags |= FP_NV;
	for (int i = 0; i < 3; i++)
		mpz_clear(x[i].m);
	return r;
}

static struct result convert(int width, uint64_t a, unsigned rm)
{
	const int other = 96 - width;
	struct result r;
	struct exact x;

	exact_decode(&x, width, a);
	if (is_nan(&x))
		r = nan_result(other, x.kind == SIGNALING);
	else if (x.kind == INF)
		r = inf_result(other, x.negative, 0);
	else
		r = exact_round(other, &x, rm);
	mpz_clear(x.m);
	return r;
}

/* The table "Domains of float-to-integer conversions" of Unpriv §20.7. */
static struct result to_int(int width, uint64_t a, int bits, bool is_signed, unsigned rm)
{
	struct result r = { 0 };
	struct exact x;
	mpz_t n, low, high;

	mpz_inits(n, low, high, NULL);
	mpz_setbit(high, is_signed ? bits - 1 : bits);
	if (is_signed)
		mpz_neg(low, high);
	mpz_sub_ui(high, high, 1);

	exact_decode(&x, width, a);
	if (x.kind == NUMBER)
		r.flags = choose(n, &x, 0, rm) ? FP_NX : 0;
	else
		mpz_setbit(n, 100);
	if (x.negative && !is_nan(&x))
		mpz_neg(n, n);
	if (mpz_cmp(n, low) < 0 || mpz_cmp(n, high) > 0) {
		r.flags = FP_NV;
		mpz_set(n, mpz_cmp(n, low) < 0 ? low : high);
	}
	r.value = mpz_get_ui(n); /* of the magnitude */
	if (mpz_sgn(n) < 0)
		r.value = -r.value;
	mpz_clears(n, low, high, x.m, NULL);
	return r;
}

static struct result from_int(int width, bool negative, uint64_t magnitude, unsigned rm)
{
	struct exact x = { .kind = NUMBER, .negative = negative, .e = 0 };
	struct result r;

	mpz_init_set_ui(x.m, magnitude);
	r = exact_round(width, &x, rm);
	mpz_clear(x.m);
	return r;
}

/* Compares x with y, neither a NaN: less than zero, zero, greater.  Both zeros are equal. */
static int compare(const struct exact *x, const struct exact *y)
{
	const struct exact *operand[2] = { x, y };
	mpz_t n[2];
	int r;

	for (int i = 0; i < 2; i++) {
		mpz_init(n[i]);
		if (operand[i]->kind == INF)
			mpz_setbit(n[i], 4000);
		else
			mpz_mul_2exp(n[i], operand[i]->m, operand[i]->e + 1100);
		if (operand[i]->negative)
			mpz_neg(n[i], n[i]);
	}
	r = mpz_cmp(n[0], n[1]);
	mpz_clears(n[0], n[1], NULL);
	return r;
}

static struct result choose_one(int width, enum op op, const uint64_t v[3], const struct exact *x)
{
	bool signaling = x[0].kind == SIGNALING || x[1].kind == SIGNALING;
	int order;

	if (is_nan(&x[0]) && is_nan(&x[1]))
		return nan_result(width, signaling);
	if (is_nan(&x[0]) || is_nan(&x[1]))
		return (struct result){ is_nan(&x[0]) ? v[1] : v[0], signaling ? FP_NV : 0 };
	order = compare(&x[0], &x[1]);
	if (!order)
		order = x[1].negative - x[0].negative;
	return (struct result){ (op == MIN) == (order < 0) ? v[0] : v[1], 0 };
}

static struct result relation(enum op op, const struct exact *x)
{
	bool signaling = x[0].kind == SIGNALING || x[1].kind == SIGNALING;
	int order;

	if (is_nan(&x[0]) || is_nan(&x[1]))
		return (struct result){ 0, op != EQ || signaling ? FP_NV : 0 };
	order = compare(&x[0], &x[1]);
	return (struct result){ op == EQ ? order == 0 : op == LT ? order < 0 : order <= 0, 0 };
}

/* The table "Format of result of FCLASS instruction" of Unpriv §20.9. */
static struct result class_of(int width, const struct exact *x)
{
	struct format f = format_of(width);
	bool subnormal = !is_zero(x) && leading(x->m, x->e) < f.emin;
	int bit;

	if (is_nan(x))
		bit = x->kind == SIGNALING ? 8 : 9;
	else if (x->kind == INF)
		bit = x->negative ? 0 : 7;
	else if (is_zero(x))
		bit = x->negative ? 3 : 4;
	else if (subnormal)
		bit = x->negative ? 2 : 5;
	else
		bit = x->negative ? 1 : 6;
	return (struct result){ 1u << bit, 0 };
}

static struct result comparison(int width, enum op op, const uint64_t v[3])
{
	struct exact x[2];
	struct result r;

	exact_decode(&x[0], width, v[0]);
	exact_decode(&x[1], width, v[1]);
	if (op == CLASS)
		r = class_of(width, &x[0]);
	else if (op == MIN || op == MAX)
		r = choose_one(width, op, v, x);
	else
		r = relation(op, x);
	mpz_clears(x[0].m, x[1].m, NULL);
	return r;
}

struct result exact_compute(int width, enum op op, const uint64_t v[3], unsigned rm)
{
	const uint64_t a = v[0];

	switch (op) {
	case CONVERT:
		return convert(width, a, rm);
	case TO_I32:
		return to_int(width, a, 32, true, rm);
	case TO_U32:
		return to_int(width, a, 32, false, rm);
	case TO_I64:
		return to_int(width, a, 64, true, rm);
	case TO_U64:
		return to_int(width, a, 64, false, rm);
	case FROM_I32:
	case FROM_I64:
		return from_int(width, (int64_t)a < 0, (int64_t)a < 0 ? -a : a, rm);
	case FROM_U32:
	case FROM_U64:
		return from_int(width, false, a, rm);
	case MIN:
	case MAX:
	case EQ:
	case LT:
	case LE:
	case CLASS:
		return comparison(width, op, v);
	default:
		return arithmetic(width, op, v, rm);
	}
}
