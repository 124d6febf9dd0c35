/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fp_compare.c - RISC-V floating-point comparison, minimum, maximum and class.
 *
 * In integers: a sign and a magnitude order numbers as they order integers.
 *
 * Calls nothing.  Implements: Unpriv 20240411 §20.6, §20.8, §20.9, §21.4, §21.6, §21.7, 22
 * and 25 (Zfh, Zfa).
 */
#include "fp.h"
#include "fp_soft.h"

static inline bool any_nan(const struct fp_format *f, uint64_t a, uint64_t b)
{
	return fp_is_nan(f, a) || fp_is_nan(f, b);
}

static inline void raise_if_snan(const struct fp_format *f, uint64_t a, uint64_t b, uint32_t *flags)
{
	if (fp_is_snan(f, a) || fp_is_snan(f, b))
		*flags |= FP_NV;
}

/* An integer with the same order as the numbers; both zeros are equal. */
static inline int64_t order(const struct fp_format *f, uint64_t a)
{
	int64_t magnitude = (int64_t)fp_magnitude(f, a);

	return fp_sign(f, a) ? -magnitude : magnitude;
}

/* The same, with -0 before +0. */
static inline int64_t strict_order(const struct fp_format *f, uint64_t a)
{
	int64_t magnitude = (int64_t)fp_magnitude(f, a);

	return fp_sign(f, a) ? ~magnitude : magnitude;
}

static inline bool is_equal(const struct fp_format *f, uint64_t a, uint64_t b, uint32_t *flags)
{
	raise_if_snan(f, a, b, flags);
	return !any_nan(f, a, b) && order(f, a) == order(f, b);
}

static inline bool is_less(const struct fp_format *f, uint64_t a, uint64_t b, uint32_t *flags)
{
	if (any_nan(f, a, b)) {
		*flags |= FP_NV;
		return false;
	}
	return order(f, a) < order(f, b);
}

static inline bool is_less_or_equal(const struct fp_format *f, uint64_t a, uint64_t b,
				    uint32_t *flags)
{
	if (any_nan(f, a, b)) {
		*flags |= FP_NV;
		return false;
	}
	return order(f, a) <= order(f, b);
}

/* Returns the number if the other operand is a NaN, even a signaling one. */
static inline uint64_t minimum(const struct fp_format *f, uint64_t a, uint64_t b, uint32_t *flags)
{
	raise_if_snan(f, a, b, flags);
	if (fp_is_nan(f, a))
		return fp_is_nan(f, b) ? fp_nan(f) : b;
	if (fp_is_nan(f, b))
		return a;
	return strict_order(f, a) < strict_order(f, b) ? a : b;
}

static inline uint64_t maximum(const struct fp_format *f, uint64_t a, uint64_t b, uint32_t *flags)
{
	raise_if_snan(f, a, b, flags);
	if (fp_is_nan(f, a))
		return fp_is_nan(f, b) ? fp_nan(f) : b;
	if (fp_is_nan(f, b))
		return a;
	return strict_order(f, a) > strict_order(f, b) ? a : b;
}

/* The same, but a NaN gives a NaN. */
static inline uint64_t minimum_or_nan(const struct fp_format *f, uint64_t a, uint64_t b,
				      uint32_t *flags)
{
	uint64_t r = minimum(f, a, b, flags);

	return any_nan(f, a, b) ? fp_nan(f) : r;
}

static inline uint64_t maximum_or_nan(const struct fp_format *f, uint64_t a, uint64_t b,
				      uint32_t *flags)
{
	uint64_t r = maximum(f, a, b, flags);

	return any_nan(f, a, b) ? fp_nan(f) : r;
}

/* Only a signaling NaN raises NV. */
static inline bool is_less_quietly(const struct fp_format *f, uint64_t a, uint64_t b,
				   uint32_t *flags)
{
	raise_if_snan(f, a, b, flags);
	return !any_nan(f, a, b) && order(f, a) < order(f, b);
}

static inline bool is_less_or_equal_quietly(const struct fp_format *f, uint64_t a, uint64_t b,
					    uint32_t *flags)
{
	raise_if_snan(f, a, b, flags);
	return !any_nan(f, a, b) && order(f, a) <= order(f, b);
}

/* Bits 0 to 7: -inf, -normal, -subnormal, -0 and their mirror image; then signaling, quiet. */
static inline unsigned class(const struct fp_format *f, uint64_t a)
{
	uint64_t magnitude = fp_magnitude(f, a);
	unsigned away = 0; /* from zero */

	if (fp_is_nan(f, a))
		return fp_is_snan(f, a) ? 1u << 8 : 1u << 9;
	if (magnitude == fp_inf(f))
		away = 3;
	else if (magnitude >> f->frac_bits)
		away = 2;
	else if (magnitude)
		away = 1;
	return fp_sign(f, a) ? 1u << (3 - away) : 1u << (4 + away);
}

uint16_t fp16_min(uint16_t a, uint16_t b, uint32_t *flags)
{
	return (uint16_t)minimum(&fp16_format, a, b, flags);
}

uint32_t fp32_min(uint32_t a, uint32_t b, uint32_t *flags)
{
	return (uint32_t)minimum(&fp32_format, a, b, flags);
}

uint64_t fp64_min(uint64_t a, uint64_t b, uint32_t *flags)
{
	return minimum(&fp64_format, a, b, flags);
}

uint16_t fp16_max(uint16_t a, uint16_t b, uint32_t *flags)
{
	return (uint16_t)maximum(&fp16_format, a, b, flags);
}

uint32_t fp32_max(uint32_t a, uint32_t b, uint32_t *flags)
{
	return (uint32_t)maximum(&fp32_format, a, b, flags);
}

uint64_t fp64_max(uint64_t a, uint64_t b, uint32_t *flags)
{
	return maximum(&fp64_format, a, b, flags);
}

uint16_t fp16_minm(uint16_t a, uint16_t b, uint32_t *flags)
{
	return (uint16_t)minimum_or_nan(&fp16_format, a, b, flags);
}

uint32_t fp32_minm(uint32_t a, uint32_t b, uint32_t *flags)
{
	return (uint32_t)minimum_or_nan(&fp32_format, a, b, flags);
}

uint64_t fp64_minm(uint64_t a, uint64_t b, uint32_t *flags)
{
	return minimum_or_nan(&fp64_format, a, b, flags);
}

uint16_t fp16_maxm(uint16_t a, uint16_t b, uint32_t *flags)
{
	return (uint16_t)maximum_or_nan(&fp16_format, a, b, flags);
}

uint32_t fp32_maxm(uint32_t a, uint32_t b, uint32_t *flags)
{
	return (uint32_t)maximum_or_nan(&fp32_format, a, b, flags);
}

uint64_t fp64_maxm(uint64_t a, uint64_t b, uint32_t *flags)
{
	return maximum_or_nan(&fp64_format, a, b, flags);
}

bool fp16_eq(uint16_t a, uint16_t b, uint32_t *flags)
{
	return is_equal(&fp16_format, a, b, flags);
}

bool fp32_eq(uint32_t a, uint32_t b, uint32_t *flags)
{
	return is_equal(&fp32_format, a, b, flags);
}

bool fp64_eq(uint64_t a, uint64_t b, uint32_t *flags)
{
	return is_equal(&fp64_format, a, b, flags);
}

bool fp16_lt(uint16_t a, uint16_t b, uint32_t *flags)
{
	return is_less(&fp16_format, a, b, flags);
}

bool fp32_lt(uint32_t a, uint32_t b, uint32_t *flags)
{
	return is_less(&fp32_format, a, b, flags);
}

bool fp64_lt(uint64_t a, uint64_t b, uint32_t *flags)
{
	return is_less(&fp64_format, a, b, flags);
}

bool fp16_le(uint16_t a, uint16_t b, uint32_t *flags)
{
	return is_less_or_equal(&fp16_format, a, b, flags);
}

bool fp32_le(uint32_t a, uint32_t b, uint32_t *flags)
{
	return is_less_or_equal(&fp32_format, a, b, flags);
}

bool fp64_le(uint64_t a, uint64_t b, uint32_t *flags)
{
	return is_less_or_equal(&fp64_format, a, b, flags);
}

bool fp16_ltq(uint16_t a, uint16_t b, uint32_t *flags)
{
	return is_less_quietly(&fp16_format, a, b, flags);
}

bool fp32_ltq(uint32_t a, uint32_t b, uint32_t *flags)
{
	return is_less_quietly(&fp32_format, a, b, flags);
}

bool fp64_ltq(uint64_t a, uint64_t b, uint32_t *flags)
{
	return is_less_quietly(&fp64_format, a, b, flags);
}

bool fp16_leq(uint16_t a, uint16_t b, uint32_t *flags)
{
	return is_less_or_equal_quietly(&fp16_format, a, b, flags);
}

bool fp32_leq(uint32_t a, uint32_t b, uint32_t *flags)
{
	return is_less_or_equal_quietly(&fp32_format, a, b, flags);
}

bool fp64_leq(uint64_t a, uint64_t b, uint32_t *flags)
{
	return is_less_or_equal_quietly(&fp64_format, a, b, flags);
}

unsigned fp16_class(uint16_t a)
{
	return class(&fp16_format, a);
}

unsigned fp32_class(uint32_t a)
{
	return class(&fp32_format, a);
}

unsigned fp64_class(uint64_t a)
{
	return class(&fp64_format, a);
}
