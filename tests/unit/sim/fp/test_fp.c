/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_fp.c - compares sim/fp/fp.h with vectors from the manual, exact integers, the host's FPU,
 * and its own software path, in every rounding mode, including flags.
 *
 * usage: test-fp [RUNS [SEED]]    RUNS random operands for each operation and format, 1000 by
 * default.  For a
 * night's worth: meson test -C build/native --benchmark fp-nightly
 *
 * The FPU checks four modes; for RMM there are the exact integers only.  Comparing the fast path
 * with the software path costs little, so it gets fifty times as many operands.
 */
#include <stdlib.h>

#include "fp.h"
#include "tap.h"
#include "test_fp.h"

#define MAX_OPERANDS 20000
#define MAX_REPORTS  10 /* failures of one case that are printed */

static const char *const op_names[NR_OPS] = {
	[ADD] = "add",
	[SUB] = "sub",
	[MUL] = "mul",
	[DIV] = "div",
	[SQRT] = "sqrt",
	[FMA] = "fma",
	[CONVERT] = "convert",
	[TO_I32] = "to_i32",
	[TO_U32] = "to_u32",
	[TO_I64] = "to_i64",
	[TO_U64] = "to_u64",
	[FROM_I32] = "from_i32",
	[FROM_U32] = "from_u32",
	[FROM_I64] = "from_i64",
	[FROM_U64] = "from_u64",
	[MIN] = "min",
	[MAX] = "max",
	[EQ] = "eq",
	[LT] = "lt",
	[LE] = "le",
	[CLASS] = "class",
};

/* From the command line; constant after that. */
static unsigned long nr_runs = 1000, seed = 1;

/* Operands in all their combinations. */
struct set {
	size_t nr;
	uint64_t v[MAX_OPERANDS];
};

/* NX that was set before does not change and has no effect, except that it saves work. */
static void check_again(int width, enum op op, const uint64_t v[3], unsigned rm,
			struct result first)
{
	struct result again = fp_compute(width, op, v, rm, FP_NX);

	if (again.value == first.value && again.flags == (first.flags | FP_NX)) {
		tap.checks++;
		return;
	}
	if (tap.failed > MAX_REPORTS)
		return;
	tap_context("fp%d_%s(%#llx, %#llx, %#llx) rm %u, NX before", width, op_names[op],
		    (unsigned long long)v[0], (unsigned long long)v[1], (unsigned long long)v[2],
		    rm);
	is(again.value, first.value);
	is(again.flags, first.flags | FP_NX);
}

static void check(int width, enum op op, const uint64_t v[3], unsigned rm, const char *by,
		  struct result want, uint32_t flags)
{
	struct result got = fp_compute(width, op, v, rm, 0);

	check_again(width, op, v, rm, got);
	if (got.value == want.value && (got.flags & flags) == (want.flags & flags)) {
		tap.checks++;
		return;
	}
	if (tap.failed > MAX_REPORTS)
		return;
	tap_context("fp%d_%s(%#llx, %#llx, %#llx) rm %u, by %s", width, op_names[op],
		    (unsigned long long)v[0], (unsigned long long)v[1], (unsigned long long)v[2],
		    rm, by);
	is(got.value, want.value);
	is(got.flags & flags, want.flags & flags);
}

/* The last mode in which op must be computed: an exact result is the same in all modes. */
static unsigned last_mode(enum op op, unsigned last)
{
	return op >= MIN ? FP_RNE : last;
}

static void check_exact(int width, enum op op, const uint64_t v[3])
{
	for (unsigned rm = FP_RNE; rm <= last_mode(op, FP_RMM); rm++)
		check(width, op, v, rm, "exact integers", exact_compute(width, op, v, rm), ~0u);
}

static bool is_nan(int width, uint64_t v)
{
	return v << (64 - width) << 1 > (width == 32 ? 0xff00000000000000 : 0xffe0000000000000);
}

static void check_host(int width, enum op op, const uint64_t v[3], bool underflow)
{
	uint32_t flags = underflow ? ~0u : ~(uint32_t)FP_UF;

	/*
	 * inf * 0 + quiet NaN is NV in RISC-V; IEEE 754-2019 §7.2 leaves it to the implementation.
	 */
	if (op == FMA && is_nan(width, v[2]))
		flags &= ~(uint32_t)FP_NV;
	for (unsigned rm = FP_RNE; rm <= last_mode(op, FP_RUP); rm++)
		check(width, op, v, rm, "host", host_compute(width, op, v, rm), flags);
}

static void check_soft(int width, enum op op, const uint64_t v[3])
{
	for (unsigned rm = FP_RNE; rm <= FP_RMM; rm++) {
		/* Arithmetic has a fast path in RNE only. */
		if (op > FMA || rm == FP_RNE)
			check(width, op, v, rm, "software", soft_compute(width, op, v, rm), ~0u);
	}
}

/* Both formats have the same landmarks. */
static uint64_t pack(int width, bool sign, int exp, uint64_t frac_top)
{
	const int frac = width == 32 ? 23 : 52, bias = width == 32 ? 127 : 1023;

	return (uint64_t)sign << (width - 1) | (uint64_t)(exp + bias) << frac |
	       frac_top >> (64 - frac);
}

static void set_add(struct set *s, uint64_t v)
{
	if (s->nr < MAX_OPERANDS)
		s->v[s->nr++] = v;
	else
		ok(!"MAX_OPERANDS is enough");
}

/* v and its neighbours, with both signs. */
static void set_add_around(struct set *s, int width, uint64_t v, int around)
{
	for (int i = -around; i <= around; i++) {
		set_add(s, v + (uint64_t)i);
		set_add(s, (v + (uint64_t)i) ^ 1ull << (width - 1));
	}
}

/* Landmarks; with few set, only those that differ most. */
static void set_specials(struct set *s, int width, bool few)
{
	const int frac = width == 32 ? 23 : 52, emax = width == 32 ? 127 : 1023;
	const uint64_t inf = pack(width, false, emax + 1, 0), one = pack(width, false, 0, 0);
	const uint64_t min_normal = pack(width, false, 1 - emax, 0);

	s->nr = 0;
	set_add_around(s, width, 0, 0);
	set_add_around(s, width, 1, 0);
	set_add_around(s, width, min_normal, 1);
	set_add_around(s, width, one, 1);
	set_add_around(s, width, pack(width, false, 0, 1ull << 63), 0); /* 1.5 */
	set_add_around(s, width, pack(width, false, frac, 1), 0); /* the unit is 1 */
	set_add_around(s, width, inf - 1, 0);
	set_add_around(s, width, inf, 0);
	set_add(s, inf | 1ull << (frac - 1)); /* quiet NaN */
	set_add(s, inf | 1); /* signaling NaN */
	if (few)
		return;
	set_add_around(s, width, 3, 1);
	set_add_around(s, width, 1ull << (frac - 1), 1); /* half of the least normal number */
	set_add_around(s, width, pack(width, false, 2 - emax, 0), 1);
	set_add_around(s, width, pack(width, false, -frac, 0), 1);
	set_add_around(s, width, pack(width, false, -frac - 1, 0), 1); /* half a unit of 1 */
	set_add_around(s, width, pack(width, false, -1, 0x5555555555555555), 0); /* 2/3 */
	set_add_around(s, width, pack(width, false, 1, 0), 1);
	set_add_around(s, width, pack(width, false, 1, 1ull << 63), 0); /* 3 */
	set_add_around(s, width, pack(width, false, frac + 1, 0), 1);
	set_add_around(s, width, pack(width, false, emax, 0), 1);
	set_add_around(s, width, inf - 2, 0);
	set_add(s, inf | 1ull << (frac - 1) | 1ull << (width - 1) | 5); /* more NaNs */
	set_add(s, inf | ((1ull << (frac - 1)) - 1));
	set_add(s, inf | 1ull << (width - 1) | 1ull << (frac - 2));
}

/*
 * Every power of two that matters to integers, and its neighbours at a half, a quarter and a unit.
 */
static void set_near_integers(struct set *s, int width)
{
	const int frac = width == 32 ? 23 : 52;

	set_specials(s, width, false);
	for (int k = -3; k <= 66; k++) {
		set_add_around(s, width, pack(width, false, k, 0), 2);
		for (int below = k - 1; below >= -3; below -= below > 3 ? 7 : 1) {
			uint64_t v = pack(width, false, k, 0);

			if (k - below > frac)
				break;
			set_add_around(s, width, v + (1ull << (frac - (k - below))), 1);
			set_add_around(s, width, v - (1ull << (frac - (k - below))), 1);
		}
	}
}

/* A value of the type that op takes, sign-extended. */
static uint64_t as_integer(enum op op, uint64_t v)
{
	if (op == FROM_I32)
		return (uint64_t)(int64_t)(int32_t)v;
	return op == FROM_U32 ? (uint32_t)v : v;
}

/* Values with two bits set, which are ties when rounded, and their neighbours. */
static void set_integers(struct set *s)
{
	s->nr = 0;
	set_add(s, 0);
	for (int high = 0; high < 64; high++) {
		for (int low = 0; low <= high; low++) {
			uint64_t v = 1ull << high | 1ull << low;

			set_add(s, v);
			set_add(s, v - 1);
			if (high - low >= 23)
				set_add(s, v + 1);
			set_add(s, -v);
		}
	}
}

static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* Significands with few bits, few zeros or a tail: needed for ties and exact results. */
static uint64_t random_frac(uint64_t *state)
{
	uint64_t r = next(state), v = next(state);

	switch (r & 7) {
	case 0:
		return 0;
	case 1:
		return v & next(state) & next(state) & next(state);
	case 2:
		return v | next(state) | next(state) | next(state);
	case 3:
		return v & ~0ull << (r >> 8 & 63);
	case 4:
		return ~0ull << (r >> 8 & 63) | (r >> 16 & 3) << 11;
	case 5:
		return 1ull << (r >> 8 & 63) | (r >> 16 & 3) << 11 | (r >> 18 & 3) << 40;
	default:
		return v;
	}
}

static uint64_t random_fp(int width, uint64_t *state)
{
	const int emax = width == 32 ? 127 : 1023;
	uint64_t r = next(state), where = r >> 8 & 0xffff;
	int exp;

	switch (r & 15) {
	case 0: /* anything */
		return width == 32 ? (uint32_t)next(state) : next(state);
	case 1: /* subnormal and a little more */
		exp = -emax + (int)(where & 3);
		break;
	case 2:
		exp = emax - (int)(where & 3);
		break;
	case 3:
	case 4:
		exp = (int)(where % (2 * emax)) - emax;
		break;
	case 5: /* values for which mul, div and sqrt reach both ends of the range */
		exp = -emax / 2 - (int)(where & 63);
		break;
	case 6:
		exp = emax / 2 + (int)(where & 63) - 32;
		break;
	default:
		exp = (int)(where & 63) - 32;
		break;
	}
	return pack(width, r >> 63, exp, random_frac(state));
}

static int exponent(int width, uint64_t v)
{
	return width == 32 ? (int)(v >> 23 & 0xff) - 127 : (int)(v >> 52 & 0x7ff) - 1023;
}

/* exp, or the nearest exponent that the format has. */
static uint64_t pack_clamped(int width, bool sign, int exp, uint64_t frac)
{
	const int emax = width == 32 ? 127 : 1023;

	return pack(width, sign, exp < -emax ? -emax : exp > emax ? emax : exp, frac);
}

/*
 * Related operands: sums cancel, quotients and roots are exact, and one operand ends at the last
 * place of another.
 */
static void relate(int width, enum op op, uint64_t v[3], uint64_t *state)
{
	const int precision = width == 32 ? 24 : 53, emax = width == 32 ? 127 : 1023;
	uint64_t r = next(state), sign = 1ull << (width - 1);
	int step = (int)(r >> 8 & 7) - 3, distance = (int)(r >> 16 & 0xff) % (3 * precision);
	uint64_t product[3] = { v[0], v[1] };

	if ((op == MUL || op == FMA) && (r & 4)) {
		/*
		 * The product is near the least normal number, and its last place is below the last
		 * place there.
		 */
		v[1] = pack_clamped(width, r & 8, distance - 3 - emax - exponent(width, v[0]),
				    random_frac(state));
		v[2] &= r & 16 ? ~0ull : sign;
	} else if (op == ADD || op == SUB) {
		if (r & 1)
			v[1] = (v[0] ^ (r & 2 ? sign : 0)) + (uint64_t)step;
		else
			v[1] = pack_clamped(width, r & 2, exponent(width, v[0]) - distance,
					    random_frac(state));
	} else if (op == FMA) {
		v[2] = soft_compute(width, MUL, product, FP_RNE).value;
		if (r & 1)
			v[2] = (v[2] ^ sign) + (uint64_t)step;
		else
			v[2] = pack_clamped(width, r & 2,
					    exponent(width, v[2]) + precision + 3 - distance,
					    random_frac(state));
	} else if (op == DIV) {
		v[0] = soft_compute(width, MUL, product, FP_RTZ).value + (uint64_t)(step / 3);
	} else if (op == SQRT) {
		product[1] = product[0];
		v[0] = soft_compute(width, MUL, product, FP_RTZ).value + (uint64_t)step;
	} else if (op == CONVERT && width == 64) {
		v[0] = pack(64, r & 2, (int)(r >> 8 & 0x1ff) - 256, random_frac(state));
	} else if (op >= TO_I32 && op <= TO_U64) {
		v[0] = pack(width, r & 2, (int)(r >> 8 & 0x7f) % 70 - 3, random_frac(state));
	}
}

static void random_operands(int width, enum op op, uint64_t v[3], uint64_t *state)
{
	const uint64_t mask = width == 32 ? UINT32_MAX : UINT64_MAX;

	for (int i = 0; i < 3; i++)
		v[i] = random_fp(width, state);
	if (op >= FROM_I32 && op <= FROM_U64) {
		v[0] = as_integer(op, random_frac(state) >> (next(state) & 63));
		return;
	}
	if (next(state) & 1)
		relate(width, op, v, state);
	for (int i = 0; i < 3; i++)
		v[i] &= mask;
}

/* Checks a table: rows of the manual as plain numbers. */
struct vector {
	int width;
	enum op op;
	unsigned rm;
	uint64_t v[3];
	struct result want;
};

static void check_vectors(const struct vector *vectors, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		check(vectors[i].width, vectors[i].op, vectors[i].v, vectors[i].rm, "the manual",
		      vectors[i].want, ~0u);
}

/* Unpriv §20.7, "Domains of float-to-integer conversions and behavior for invalid inputs". */
static void to_int_domains(void)
{
	const uint64_t inf = 0x7ff0000000000000, minus = 0xfff0000000000000;
	const uint64_t nan = 0xffffffffffffffff, low32 = 0xffffffff80000000;
	const struct vector vectors[] = {
		{ 64, TO_I32, FP_RTZ, { minus }, { low32, FP_NV } },
		{ 64, TO_I32, FP_RTZ, { inf }, { INT32_MAX, FP_NV } },
		{ 64, TO_I32, FP_RTZ, { nan }, { INT32_MAX, FP_NV } },
		{ 64, TO_U32, FP_RTZ, { minus }, { 0, FP_NV } },
		{ 64, TO_U32, FP_RTZ, { inf }, { UINT32_MAX, FP_NV } },
		{ 64, TO_U32, FP_RTZ, { nan }, { UINT32_MAX, FP_NV } },
		{ 64, TO_I64, FP_RTZ, { minus }, { 1ull << 63, FP_NV } },
		{ 64, TO_I64, FP_RTZ, { inf }, { INT64_MAX, FP_NV } },
		{ 64, TO_I64, FP_RTZ, { nan }, { INT64_MAX, FP_NV } },
		{ 64, TO_U64, FP_RTZ, { minus }, { 0, FP_NV } },
		{ 64, TO_U64, FP_RTZ, { inf }, { UINT64_MAX, FP_NV } },
		{ 64, TO_U64, FP_RTZ, { nan }, { UINT64_MAX, FP_NV } },
		{ 32, TO_I32, FP_RTZ, { 0x7f800001 }, { INT32_MAX, FP_NV } },
		{ 32, TO_U64, FP_RTZ, { 0xffc00000 }, { UINT64_MAX, FP_NV } },
		/* -2^31 - 0.5 and 2^31 - 0.5: in range if rounded into it; then NX, not NV */
		{ 64, TO_I32, FP_RTZ, { 0xc1e0000000100000 }, { low32, FP_NX } },
		{ 64, TO_I32, FP_RNE, { 0xc1e0000000100000 }, { low32, FP_NX } },
		{ 64, TO_I32, FP_RMM, { 0xc1e0000000100000 }, { low32, FP_NV } },
		{ 64, TO_I32, FP_RDN, { 0xc1e0000000100000 }, { low32, FP_NV } },
		{ 64, TO_I32, FP_RTZ, { 0x41dfffffffe00000 }, { INT32_MAX, FP_NX } },
		{ 64, TO_I32, FP_RNE, { 0x41dfffffffe00000 }, { INT32_MAX, FP_NV } },
		/* -0.75, -0.5 */
		{ 64, TO_U32, FP_RTZ, { 0xbfe8000000000000 }, { 0, FP_NX } },
		{ 64, TO_U32, FP_RNE, { 0xbfe8000000000000 }, { 0, FP_NV } },
		{ 64, TO_U64, FP_RNE, { 0xbfe0000000000000 }, { 0, FP_NX } },
		{ 64, TO_U64, FP_RMM, { 0xbfe0000000000000 }, { 0, FP_NV } },
		{ 64, TO_U64, FP_RDN, { 0x8000000000000001 }, { 0, FP_NV } },
		{ 64, TO_U64, FP_RDN, { 0x8000000000000000 }, { 0, 0 } },
		/* -2^63, 2^63, 2^64 */
		{ 64, TO_I64, FP_RNE, { 0xc3e0000000000000 }, { 1ull << 63, 0 } },
		{ 64, TO_I64, FP_RNE, { 0x43e0000000000000 }, { INT64_MAX, FP_NV } },
		{ 64, TO_U64, FP_RNE, { 0x43e0000000000000 }, { 1ull << 63, 0 } },
		{ 64, TO_U64, FP_RNE, { 0x43f0000000000000 }, { UINT64_MAX, FP_NV } },
	};

	check_vectors(vectors, TAP_NR(vectors));
}

/* Unpriv §20.3: NaNs are canonical; §20.6: minimumNumber, invalid products. */
static void nans(void)
{
	const uint64_t inf = 0x7f800000, minus = 0xff800000, quiet = 0xffc00001;
	const uint64_t signaling = 0x7f800001, canonical = FP32_NAN, zero = 0, one = 0x3f800000;
	const uint64_t minus_zero = 0x80000000;
	const struct vector vectors[] = {
		{ 32, ADD, FP_RNE, { quiet, one }, { canonical, 0 } },
		{ 32, ADD, FP_RNE, { one, signaling }, { canonical, FP_NV } },
		{ 32, SUB, FP_RNE, { inf, inf }, { canonical, FP_NV } },
		{ 32, SUB, FP_RNE, { inf, minus }, { inf, 0 } },
		{ 32, MUL, FP_RNE, { inf, zero }, { canonical, FP_NV } },
		{ 32, DIV, FP_RNE, { one, minus_zero }, { minus, FP_DZ } },
		{ 32, DIV, FP_RNE, { zero, zero }, { canonical, FP_NV } },
		{ 32, DIV, FP_RNE, { inf, zero }, { inf, 0 } },
		{ 32, SQRT, FP_RNE, { minus }, { canonical, FP_NV } },
		{ 32, SQRT, FP_RNE, { minus_zero }, { minus_zero, 0 } },
		{ 32, FMA, FP_RNE, { inf, zero, quiet }, { canonical, FP_NV } },
		{ 32, FMA, FP_RNE, { zero, minus, one }, { canonical, FP_NV } },
		{ 32, FMA, FP_RNE, { inf, one, minus }, { canonical, FP_NV } },
		{ 32, FMA, FP_RNE, { quiet, zero, inf }, { canonical, 0 } },
		{ 32, FMA, FP_RDN, { one, one, 0xbf800000 }, { minus_zero, 0 } },
		{ 32, FMA, FP_RNE, { one, one, 0xbf800000 }, { zero, 0 } },
		{ 32, MIN, 0, { quiet, one }, { one, 0 } },
		{ 32, MIN, 0, { signaling, one }, { one, FP_NV } },
		{ 32, MAX, 0, { quiet, quiet }, { canonical, 0 } },
		{ 32, MAX, 0, { signaling, quiet }, { canonical, FP_NV } },
		{ 32, MIN, 0, { zero, minus_zero }, { minus_zero, 0 } },
		{ 32, MAX, 0, { minus_zero, zero }, { zero, 0 } },
		{ 32, EQ, 0, { quiet, quiet }, { 0, 0 } },
		{ 32, EQ, 0, { signaling, one }, { 0, FP_NV } },
		{ 32, EQ, 0, { zero, minus_zero }, { 1, 0 } },
		{ 32, LT, 0, { quiet, one }, { 0, FP_NV } },
		{ 32, LE, 0, { one, quiet }, { 0, FP_NV } },
		{ 32, CONVERT, 0, { quiet }, { FP64_NAN, 0 } },
		{ 32, CONVERT, 0, { signaling }, { FP64_NAN, FP_NV } },
		{ 64, CONVERT, 0, { 0xfff8000000000123 }, { canonical, 0 } },
		{ 32, CLASS, 0, { minus }, { 1 << 0, 0 } },
		{ 32, CLASS, 0, { 0xbf800000 }, { 1 << 1, 0 } },
		{ 32, CLASS, 0, { 0x807fffff }, { 1 << 2, 0 } },
		{ 32, CLASS, 0, { minus_zero }, { 1 << 3, 0 } },
		{ 32, CLASS, 0, { zero }, { 1 << 4, 0 } },
		{ 32, CLASS, 0, { 1 }, { 1 << 5, 0 } },
		{ 32, CLASS, 0, { 0x00800000 }, { 1 << 6, 0 } },
		{ 32, CLASS, 0, { inf }, { 1 << 7, 0 } },
		{ 32, CLASS, 0, { signaling }, { 1 << 8, 0 } },
		{ 32, CLASS, 0, { quiet }, { 1 << 9, 0 } },
	};

	check_vectors(vectors, TAP_NR(vectors));
}

/* Unpriv §20.4: tininess after rounding; the result of overflow in each mode. */
static void ends_of_the_range(void)
{
	const uint64_t max = 0x7f7fffff, min_normal = 0x00800000, two = 0x40000000;
	const struct vector vectors[] = {
		/* (1 - 2^-46) * 2^-126: rounds to 2^-126, so it is tiny only if it rounds down */
		{ 32, MUL, FP_RNE, { 0x00800001, 0x3f7ffffe }, { min_normal, FP_NX } },
		{ 32, MUL, FP_RUP, { 0x00800001, 0x3f7ffffe }, { min_normal, FP_NX } },
		{ 32, MUL, FP_RMM, { 0x00800001, 0x3f7ffffe }, { min_normal, FP_NX } },
		{ 32, MUL, FP_RTZ, { 0x00800001, 0x3f7ffffe }, { 0x007fffff, FP_UF | FP_NX } },
		{ 32, MUL, FP_RDN, { 0x00800001, 0x3f7ffffe }, { 0x007fffff, FP_UF | FP_NX } },
		/* (1 - 2^-24) * 2^-126 has 24 bits: tiny, although it rounds to 2^-126 */
		{ 32, MUL, FP_RNE, { min_normal, 0x3f7fffff }, { min_normal, FP_UF | FP_NX } },
		/* a subnormal result that is exact is not an underflow */
		{ 32, MUL, FP_RNE, { min_normal, 0x3f000000 }, { 0x00400000, 0 } },
		{ 32, MUL, FP_RNE, { 1, 1 }, { 0, FP_UF | FP_NX } },
		{ 32, MUL, FP_RUP, { 1, 1 }, { 1, FP_UF | FP_NX } },
		{ 32, MUL, FP_RNE, { max, two }, { 0x7f800000, FP_OF | FP_NX } },
		{ 32, MUL, FP_RMM, { max, two }, { 0x7f800000, FP_OF | FP_NX } },
		{ 32, MUL, FP_RTZ, { max, two }, { max, FP_OF | FP_NX } },
		{ 32, MUL, FP_RDN, { max, two }, { max, FP_OF | FP_NX } },
		{ 32, MUL, FP_RUP, { max | 1u << 31, two }, { max | 1u << 31, FP_OF | FP_NX } },
		{ 32, MUL, FP_RDN, { max | 1u << 31, two }, { 0xff800000, FP_OF | FP_NX } },
	};

	check_vectors(vectors, TAP_NR(vectors));
}

/* All combinations of nr_operands values of the set, by exact integers and by the host. */
static void check_set(const struct set *s, int width, enum op op, int nr_operands)
{
	const bool underflow = host_is_tiny_after_rounding();
	const size_t nr[3] = { s->nr, nr_operands > 1 ? s->nr : 1, nr_operands > 2 ? s->nr : 1 };

	for (size_t i = 0; i < nr[0]; i++) {
		for (size_t j = 0; j < nr[1]; j++) {
			for (size_t k = 0; k < nr[2]; k++) {
				const uint64_t v[3] = { s->v[i], s->v[j], s->v[k] };

				check_exact(width, op, v);
				if (host_can(op))
					check_host(width, op, v, underflow);
			}
		}
	}
}

static void check_specials(enum op first, enum op last, int nr_operands)
{
	struct set s;

	for (int width = 32; width <= 64; width += 32) {
		/* All triples only in a long run. */
		set_specials(&s, width, nr_operands == 3 && nr_runs < 100000);
		for (enum op op = first; op <= last; op++)
			check_set(&s, width, op, nr_operands);
	}
}

static void special_pairs(void)
{
	check_specials(ADD, DIV, 2);
}

static void special_roots(void)
{
	check_specials(SQRT, SQRT, 1);
}

static void special_triples(void)
{
	check_specials(FMA, FMA, 3);
}

static void special_comparisons(void)
{
	check_specials(MIN, LE, 2);
	check_specials(CLASS, CLASS, 1);
}

/* From binary64: at every landmark of binary32, half a unit beside it, and the next values. */
static void between_formats(void)
{
	struct set narrow, wide;

	check_specials(CONVERT, CONVERT, 1);
	set_specials(&narrow, 32, false);
	wide.nr = 0;
	for (size_t i = 0; i < narrow.nr; i++) {
		const uint64_t v[3] = { narrow.v[i] };
		uint64_t same = exact_compute(32, CONVERT, v, FP_RNE).value;

		for (int half = -2; half <= 2; half++)
			set_add_around(&wide, 64, same + ((uint64_t)half << 28), 1);
	}
	/* Below the least normal binary32 the unit is constant, so half of it is a higher bit. */
	for (int exp = -152; exp <= -126; exp++) {
		set_add_around(&wide, 64, pack(64, false, exp, 0), 1);
		for (int bit = 0; bit <= exp + 150; bit++)
			set_add_around(&wide, 64, pack(64, false, exp, 1ull << (63 - bit)), 1);
	}
	check_set(&wide, 64, CONVERT, 1);
}

static void to_integers(void)
{
	struct set s;

	for (int width = 32; width <= 64; width += 32) {
		set_near_integers(&s, width);
		for (enum op op = TO_I32; op <= TO_U64; op++)
			check_set(&s, width, op, 1);
	}
}

static void from_integers(void)
{
	struct set all, s;

	set_integers(&all);
	for (enum op op = FROM_I32; op <= FROM_U64; op++) {
		s.nr = 0;
		for (size_t i = 0; i < all.nr; i++)
			set_add(&s, as_integer(op, all.v[i]));
		check_set(&s, 32, op, 1);
		check_set(&s, 64, op, 1);
	}
}

static void random_by_exact(void)
{
	uint64_t state = seed, v[3];

	for (int width = 32; width <= 64; width += 32) {
		for (enum op op = 0; op < NR_OPS; op++) {
			for (unsigned long i = 0; i < nr_runs; i++) {
				random_operands(width, op, v, &state);
				check_exact(width, op, v);
			}
		}
	}
}

static void random_by_host(void)
{
	const bool underflow = host_is_tiny_after_rounding();
	uint64_t state = seed + 1, v[3];

	for (int width = 32; width <= 64; width += 32) {
		for (enum op op = 0; op < NR_OPS; op++) {
			for (unsigned long i = 0; host_can(op) && i < nr_runs; i++) {
				random_operands(width, op, v, &state);
				check_host(width, op, v, underflow);
			}
		}
	}
}

static void random_by_software(void)
{
	uint64_t state = seed + 2, v[3];

	for (int width = 32; width <= 64; width += 32) {
		for (enum op op = 0; op < MIN; op++) {
			for (unsigned long i = 0; i < 50 * nr_runs; i++) {
				random_operands(width, op, v, &state);
				check_soft(width, op, v);
			}
		}
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "conversion to integers saturates as the manual's table says", to_int_domains },
		{ "NaNs, signed zeros, min, max and classes are the manual's", nans },
		{ "underflow is detected after rounding, overflow depends on the mode",
		  ends_of_the_range },
		{ "add, sub, mul, div of every two special values", special_pairs },
		{ "sqrt of every special value", special_roots },
		{ "fma of every three special values", special_triples },
		{ "min, max, eq, lt, le, class of every two special values", special_comparisons },
		{ "conversion between the formats at every landmark", between_formats },
		{ "conversion to integers around every power of two", to_integers },
		{ "conversion from integers with every two bits set", from_integers },
		{ "random operands agree with exact integers", random_by_exact },
		{ "random operands agree with the host's FPU", random_by_host },
		{ "the fast path agrees with the software path", random_by_software },
	};

	if (argc > 1)
		nr_runs = strtoul(argv[1], NULL, 0);
	if (argc > 2)
		seed = strtoull(argv[2], NULL, 0);
	return tap_run(cases, TAP_NR(cases));
}
