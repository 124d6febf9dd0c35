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

/* The functions of fp.h for one format. */
#define COMPARE(width, type)                                                                       \
	type fp##width##_min(type a, type b, uint32_t *flags)                                      \
	{                                                                                          \
		return (type)minimum(&fp##width##_format, a, b, flags);                            \
	}                                                                                          \
	type fp##width##_max(type a, type b, uint32_t *flags)                                      \
	{                                                                                          \
		return (type)maximum(&fp##width##_format, a, b, flags);                            \
	}                                                                                          \
	type fp##width##_minm(type a, type b, uint32_t *flags)                                     \
	{                                                                                          \
		return (type)minimum_or_nan(&fp##width##_format, a, b, flags);                     \
	}                                                                                          \
	type fp##width##_maxm(type a, type b, uint32_t *flags)                                     \
	{                                                                                          \
		return (type)maximum_or_nan(&fp##width##_format, a, b, flags);                     \
	}                                                                                          \
	bool fp##width##_eq(type a, type b, uint32_t *flags)                                       \
	{                                                                                          \
		return is_equal(&fp##width##_format, a, b, flags);                                 \
	}                                                                                          \
	bool fp##width##_lt(type a, type b, uint32_t *flags)                                       \
	{                                                                                          \
		return is_less(&fp##width##_format, a, b, flags);                                  \
	}                                                                                          \
	bool fp##width##_le(type a, type b, uint32_t *flags)                                       \
	{                                                                                          \
		return is_less_or_equal(&fp##width##_format, a, b, flags);                         \
	}                                                                                          \
	bool fp##width##_ltq(type a, type b, uint32_t *flags)                                      \
	{                                                                                          \
		return is_less_quietly(&fp##width##_format, a, b, flags);                          \
	}                                                                                          \
	bool fp##width##_leq(type a, type b, uint32_t *flags)                                      \
	{                                                                                          \
		return is_less_or_equal_quietly(&fp##width##_format, a, b, flags);                 \
	}                                                                                          \
	unsigned fp##width##_class(type a)                                                         \
	{                                                                                          \
		return class(&fp##width##_format, a);                                              \
	}

COMPARE(16, uint16_t)
COMPARE(32, uint32_t)
COMPARE(64, uint64_t)
