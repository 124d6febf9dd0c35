/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fp_soft.h - floating point in integer arithmetic, for every format and rounding mode.
 *
 * Private to sim/fp*.c.  The functions are those of fp.h with the format as a parameter: a value
 * is a bit pattern in the low bits of a uint64_t, rm is a rounding mode (0 to 4), flags are ORed
 * into *flags, a NaN result is the canonical one.  fp.c tries the host's FPU first; the tests
 * hold both ways against each other.
 */
#ifndef SIM_FP_SOFT_H
#define SIM_FP_SOFT_H

#include <stdbool.h>
#include <stdint.h>

#include "fp.h"

struct fp_format {
	int frac_bits; /* of the trailing significand: without the implicit one */
	int exp_bits;
	int bias;
};

static const struct fp_format fp16_format = { .frac_bits = 10, .exp_bits = 5, .bias = 15 };
static const struct fp_format fp32_format = { .frac_bits = 23, .exp_bits = 8, .bias = 127 };
static const struct fp_format fp64_format = { .frac_bits = 52, .exp_bits = 11, .bias = 1023 };

static inline uint64_t fp_sign_bit(const struct fp_format *f)
{
	return 1ull << (f->frac_bits + f->exp_bits);
}

/* +infinity; a pattern whose magnitude is greater is a NaN. */
static inline uint64_t fp_inf(const struct fp_format *f)
{
	return ((1ull << f->exp_bits) - 1) << f->frac_bits;
}

/* The bit that makes a NaN quiet. */
static inline uint64_t fp_quiet_bit(const struct fp_format *f)
{
	return 1ull << (f->frac_bits - 1);
}

static inline uint64_t fp_nan(const struct fp_format *f)
{
	return fp_inf(f) | fp_quiet_bit(f);
}

static inline bool fp_sign(const struct fp_format *f, uint64_t a)
{
	return a & fp_sign_bit(f);
}

static inline uint64_t fp_magnitude(const struct fp_format *f, uint64_t a)
{
	return a & (fp_sign_bit(f) - 1);
}

static inline bool fp_is_nan(const struct fp_format *f, uint64_t a)
{
	return fp_magnitude(f, a) > fp_inf(f);
}

static inline bool fp_is_snan(const struct fp_format *f, uint64_t a)
{
	return fp_is_nan(f, a) && !(a & fp_quiet_bit(f));
}

uint64_t fp_soft_add(const struct fp_format *f, uint64_t a, uint64_t b, unsigned rm,
		     uint32_t *flags);
uint64_t fp_soft_mul(const struct fp_format *f, uint64_t a, uint64_t b, unsigned rm,
		     uint32_t *flags);
uint64_t fp_soft_div(const struct fp_format *f, uint64_t a, uint64_t b, unsigned rm,
		     uint32_t *flags);
uint64_t fp_soft_sqrt(const struct fp_format *f, uint64_t a, unsigned rm, uint32_t *flags);
uint64_t fp_soft_fma(const struct fp_format *f, uint64_t a, uint64_t b, uint64_t c, unsigned rm,
		     uint32_t *flags);

/* Converts a from format from to format to. */
uint64_t fp_soft_convert(const struct fp_format *to, const struct fp_format *from, uint64_t a,
			 unsigned rm, uint32_t *flags);

/* Rounds a to an integer of the same format.  NX is raised if raises_nx. */
uint64_t fp_soft_round(const struct fp_format *f, uint64_t a, bool raises_nx, unsigned rm,
		       uint32_t *flags);

/* Converts an integer, given by its magnitude and sign, to format f. */
uint64_t fp_soft_from_int(const struct fp_format *f, bool negative, uint64_t magnitude, unsigned rm,
			  uint32_t *flags);

/*
 * Converts a to an integer.  The rounded value is in range if it is from -lowest to highest.
 * Otherwise the result is the nearer of these two, with NV.  A NaN gives highest, with NV.  Returns
 * the low 64 bits of the two's complement.
 */
uint64_t fp_soft_to_int(const struct fp_format *f, uint64_t a, uint64_t lowest, uint64_t highest,
			unsigned rm, uint32_t *flags);

#endif
