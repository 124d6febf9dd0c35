/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fp.c - RISC-V floating-point arithmetic: by the host's FPU where that is exact, else by
 * fp_soft.c.
 *
 * The host rounds to nearest-even (fp_host.h), so the host computes RNE first.  The host's own
 * exception flags are not used, because reading them costs more than the operation.  Instead:
 *
 * - A result well inside the normal range can raise only NX.  Software computes results near either
 *   end of the range, infinities and NaNs.  So this file never decides NV, DZ, OF, UF or the
 *   canonical NaN.  An infinite or NaN operand gives such a result, or a zero.
 * - NX is raised if the error of the rounding is not zero.  The error of a sum is a number of the
 *   format (Knuth's TwoSum).  Products and residuals of binary32 are exact in double.  For binary64
 *   it is enough to compare the integers of the residual modulo 2^64: it is known to be far
 *   smaller.
 *
 * The results are correct whether or not the compiler contracts a * b + c, because every product
 * here that is added to something is exact.
 *
 * Calls: fp_soft.c, fma and sqrt of libm.  Implements: Unpriv 20240411 §20.6, §21.4.
 */
#include <math.h>

#include "fp.h"
#include "fp_host.h"
#include "fp_soft.h"

#define BIAS64 1023
#define ONE32  (1u << 23) /* the implicit one */
#define ONE64  (1ull << 52)
#define SIGN32 (1u << 31)
#define SIGN64 (1ull << 63)

/* The significand of a normal number, as an integer. */
static inline uint64_t sig64(uint64_t a)
{
	return (a & (ONE64 - 1)) | ONE64;
}

static inline bool is_zero32(uint32_t a)
{
	return !(a & ~SIGN32);
}

static inline bool is_zero64(uint64_t a)
{
	return !(a & ~SIGN64);
}

/* Raises NX if inexact is true.  Evaluates inexact only while NX is clear, which is seldom long. */
#define RAISE_IF(inexact, flags)                                                                   \
	do {                                                                                       \
		if (!(*(flags)&FP_NX) && (inexact))                                                \
			*(flags) |= FP_NX;                                                         \
	} while (0)

/*
 * The error of sum = x + y.  It is exact for subnormals too, unless |sum| is close to overflow.  If
 * |x| or |y| is greater than 2 * |sum|, then x and -y are so close that nothing is rounded.
 */
static inline float sum_error32(float x, float y, float sum)
{
	float y_part = sum - x;

	return (x - (sum - y_part)) + (y - y_part);
}

static inline double sum_error64(double x, double y, double sum)
{
	double y_part = sum - x;

	return (x - (sum - y_part)) + (y - y_part);
}

uint32_t fp32_add(uint32_t a, uint32_t b, unsigned rm, uint32_t *flags)
{
	float x = fp_to_float(a), y = fp_to_float(b), sum = x + y;

	/* A sum below the normal range is exact. */
	if (rm == FP_RNE && fp_exp32(fp_float_bits(sum)) < 0xfd) {
		RAISE_IF(sum_error32(x, y, sum) != 0, flags);
		return fp_float_bits(sum);
	}
	return (uint32_t)fp_soft_add(&fp32_format, a, b, rm, flags);
}

uint64_t fp64_add(uint64_t a, uint64_t b, unsigned rm, uint32_t *flags)
{
	double x = fp_to_double(a), y = fp_to_double(b), sum = x + y;

	if (rm == FP_RNE && fp_exp64(fp_double_bits(sum)) < 0x7fd) {
		RAISE_IF(sum_error64(x, y, sum) != 0, flags);
		return fp_double_bits(sum);
	}
	return fp_soft_add(&fp64_format, a, b, rm, flags);
}

uint32_t fp32_sub(uint32_t a, uint32_t b, unsigned rm, uint32_t *flags)
{
	return fp32_add(a, b ^ SIGN32, rm, flags);
}

uint64_t fp64_sub(uint64_t a, uint64_t b, unsigned rm, uint32_t *flags)
{
	return fp64_add(a, b ^ SIGN64, rm, flags);
}

uint32_t fp32_mul(uint32_t a, uint32_t b, unsigned rm, uint32_t *flags)
{
	double exact = (double)fp_to_float(a) * fp_to_float(b);
	uint32_t r = fp_float_bits((float)exact);

	if (rm == FP_RNE && (fp_is_safe32(r) || exact == 0)) {
		RAISE_IF(fp_to_float(r) != exact, flags);
		return r;
	}
	return (uint32_t)fp_soft_mul(&fp32_format, a, b, rm, flags);
}

uint64_t fp64_mul(uint64_t a, uint64_t b, unsigned rm, uint32_t *flags)
{
	uint64_t r = fp_double_bits(fp_to_double(a) * fp_to_double(b));

	if (rm == FP_RNE && fp_is_safe64(r) && fp_exp64(a) && fp_exp64(b)) {
		/* The product of the significands has 105 or 106 bits; 53 of them are in r. */
		unsigned cut = 52 + (fp_exp64(r) + BIAS64 - fp_exp64(a) - fp_exp64(b));

		RAISE_IF((sig64(a) * sig64(b)) << (64 - cut), flags);
		return r;
	}
	if (rm == FP_RNE && is_zero64(r) && (is_zero64(a) || is_zero64(b)))
		return r;
	return fp_soft_mul(&fp64_format, a, b, rm, flags);
}

uint32_t fp32_div(uint32_t a, uint32_t b, unsigned rm, uint32_t *flags)
{
	float x = fp_to_float(a), y = fp_to_float(b);
	uint32_t r = fp_float_bits(x / y);

	if (rm == FP_RNE && fp_is_safe32(r)) {
		RAISE_IF((double)fp_to_float(r) * y != x, flags);
		return r;
	}
	if (rm == FP_RNE && is_zero32(r) && is_zero32(a))
		return r;
	return (uint32_t)fp_soft_div(&fp32_format, a, b, rm, flags);
}

uint64_t fp64_div(uint64_t a, uint64_t b, unsigned rm, uint32_t *flags)
{
	uint64_t r = fp_double_bits(fp_to_double(a) / fp_to_double(b));

	if (rm == FP_RNE && fp_is_safe64(r) && fp_exp64(a) && fp_exp64(b)) {
		/* r * b - a, in units of the last place of r * b, is less than 2^53. */
		unsigned align = 52 + BIAS64 + fp_exp64(a) - fp_exp64(b) - fp_exp64(r);

		RAISE_IF(sig64(r) * sig64(b) != sig64(a) << align, flags);
		return r;
	}
	if (rm == FP_RNE && is_zero64(r) && is_zero64(a))
		return r;
	return fp_soft_div(&fp64_format, a, b, rm, flags);
}

uint32_t fp32_sqrt(uint32_t a, unsigned rm, uint32_t *flags)
{
	if (rm == FP_RNE && a - ONE32 < 0x7f800000 - ONE32) {
		float x = fp_to_float(a), r = sqrtf(x);

		RAISE_IF((double)r * r != x, flags);
		return fp_float_bits(r);
	}
	return (uint32_t)fp_soft_sqrt(&fp32_format, a, rm, flags);
}

uint64_t fp64_sqrt(uint64_t a, unsigned rm, uint32_t *flags)
{
	if (rm == FP_RNE && a - ONE64 < 0x7ff0000000000000 - ONE64) {
		uint64_t r = fp_double_bits(sqrt(fp_to_double(a)));
		unsigned align = 52 + BIAS64 + fp_exp64(a) - 2 * fp_exp64(r);

		/* r * r - a, in units of the last place of r * r, is less than 2^54. */
		RAISE_IF(sig64(r) * sig64(r) != sig64(a) << align, flags);
		return r;
	}
	return fp_soft_sqrt(&fp64_format, a, rm, flags);
}

uint32_t fp32_fma(uint32_t a, uint32_t b, uint32_t c, unsigned rm, uint32_t *flags)
{
	double product = (double)fp_to_float(a) * fp_to_float(b), z = fp_to_float(c);
	double sum = product + z;
	uint32_t r = fp_float_bits((float)sum);

	if (rm == FP_RNE && fp_is_safe32(r)) {
		double error = sum_error64(product, z, sum);
		bool tie = (fp_double_bits(sum) & 0x1fffffff) == 0x10000000;

		/*
		 * The result was rounded twice.  The first rounding matters only if it makes a tie.
		 */
		if (!tie || error == 0) {
			RAISE_IF(error != 0 || fp_to_float(r) != sum, flags);
			return r;
		}
	}
	return (uint32_t)fp_soft_fma(&fp32_format, a, b, c, rm, flags);
}

/* Whether a * b is so far inside the normal range that its error is a number of the format. */
static inline bool has_error64(uint64_t product)
{
	return fp_exp64(product) - 110 < 0x7fd - 110;
}

/* fp64_fma on the host, compiled for the instructions that its caller may use. */
static inline __attribute__((always_inline)) uint64_t fma64(uint64_t a, uint64_t b, uint64_t c,
							    unsigned rm, uint32_t *flags)
{
	double x = fp_to_double(a), y = fp_to_double(b), z = fp_to_double(c);
	double r = fma(x, y, z), product, rest;

	if (rm != FP_RNE || !fp_is_safe64(fp_double_bits(r)))
		return fp_soft_fma(&fp64_format, a, b, c, rm, flags);
	if (*flags & FP_NX)
		return fp_double_bits(r);
	product = x * y;
	if (!has_error64(fp_double_bits(product)))
		return fp_soft_fma(&fp64_format, a, b, c, rm, flags);
	/*
	 * The result is exact if r - z equals a * b.  Each side is a rounded value and its error.
	 * Two such pairs are equal only if both members are.
	 */
	rest = r - z;
	RAISE_IF(rest != product || sum_error64(r, -z, rest) != fma(x, y, -product), flags);
	return fp_double_bits(r);
}

/* Out of line: its call of libm would make the way to the other one save registers. */
static __attribute__((noinline)) uint64_t fma64_libm(uint64_t a, uint64_t b, uint64_t c,
						     unsigned rm, uint32_t *flags)
{
	return fma64(a, b, c, rm, flags);
}

#ifdef __x86_64__
/* With the FMA instruction.  Not all x86-64 hosts have it; without it, libm must be called. */
static __attribute__((target("fma"))) uint64_t fma64_fma3(uint64_t a, uint64_t b, uint64_t c,
							  unsigned rm, uint32_t *flags)
{
	return fma64(a, b, c, rm, flags);
}

static bool has_fma3(void)
{
	return __builtin_cpu_supports("fma");
}
#else
#define fma64_fma3 fma64_libm

static bool has_fma3(void)
{
	return false;
}
#endif

uint64_t fp64_fma(uint64_t a, uint64_t b, uint64_t c, unsigned rm, uint32_t *flags)
{
	if (has_fma3())
		return fma64_fma3(a, b, c, rm, flags);
	return fma64_libm(a, b, c, rm, flags);
}
