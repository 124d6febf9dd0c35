/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fp_convert.c - RISC-V conversions between the formats, and to and from integers.
 *
 * The host's FPU converts where the result is exact in every rounding mode, and where rounding
 * means to truncate; fp_soft.c does the rest.  A binary32 is first converted to binary64, which is
 * exact, and then to an integer.
 *
 * Calls: fp_soft.c.  Implements: Unpriv 20240411 §20.7, §21.5.
 */
#include "fp.h"
#include "fp_host.h"
#include "fp_soft.h"

uint64_t fp32_to_fp64(uint32_t a, uint32_t *flags)
{
	if (fp_is_nan(&fp32_format, a))
		return fp_soft_convert(&fp64_format, &fp32_format, a, FP_RNE, flags);
	return fp_double_bits((double)fp_to_float(a));
}

uint32_t fp64_to_fp32(uint64_t a, unsigned rm, uint32_t *flags)
{
	double x = fp_to_double(a);
	float r = (float)x;

	/* The result is exact.  A NaN is not equal to itself.  Zero keeps its sign. */
	if (r == x)
		return fp_float_bits(r);
	if (rm == FP_RNE && fp_is_safe32(fp_float_bits(r))) {
		*flags |= FP_NX;
		return fp_float_bits(r);
	}
	return (uint32_t)fp_soft_convert(&fp32_format, &fp64_format, a, rm, flags);
}

/* Whether the host can convert a to an int64_t, and the result is from lowest to highest. */
static inline bool to_int_on_host(uint64_t a, unsigned rm, int64_t lowest, int64_t highest,
				  int64_t *r, uint32_t *flags)
{
	double x = fp_to_double(a);
	bool exact;

	if (!(x > -0x1p63 && x < 0x1p63))
		return false;
	*r = (int64_t)x; /* truncates */
	exact = (double)*r == x;
	if (*r < lowest || *r > highest || !(exact || rm == FP_RTZ))
		return false;
	*flags |= exact ? 0 : FP_NX;
	return true;
}

int32_t fp64_to_i32(uint64_t a, unsigned rm, uint32_t *flags)
{
	int64_t r;

	if (to_int_on_host(a, rm, INT32_MIN, INT32_MAX, &r, flags))
		return (int32_t)r;
	return (int32_t)fp_soft_to_int(&fp64_format, a, 1u << 31, INT32_MAX, rm, flags);
}

uint32_t fp64_to_u32(uint64_t a, unsigned rm, uint32_t *flags)
{
	int64_t r;

	if (to_int_on_host(a, rm, 0, UINT32_MAX, &r, flags))
		return (uint32_t)r;
	return (uint32_t)fp_soft_to_int(&fp64_format, a, 0, UINT32_MAX, rm, flags);
}

int64_t fp64_to_i64(uint64_t a, unsigned rm, uint32_t *flags)
{
	int64_t r;

	if (to_int_on_host(a, rm, INT64_MIN, INT64_MAX, &r, flags))
		return r;
	return (int64_t)fp_soft_to_int(&fp64_format, a, 1ull << 63, INT64_MAX, rm, flags);
}

uint64_t fp64_to_u64(uint64_t a, unsigned rm, uint32_t *flags)
{
	int64_t r;

	if (to_int_on_host(a, rm, 0, INT64_MAX, &r, flags))
		return (uint64_t)r;
	return fp_soft_to_int(&fp64_format, a, 0, UINT64_MAX, rm, flags);
}

/* As a binary64; a NaN stays a NaN. */
static inline uint64_t as_fp64(uint32_t a)
{
	return fp_double_bits((double)fp_to_float(a));
}

int32_t fp32_to_i32(uint32_t a, unsigned rm, uint32_t *flags)
{
	return fp64_to_i32(as_fp64(a), rm, flags);
}

uint32_t fp32_to_u32(uint32_t a, unsigned rm, uint32_t *flags)
{
	return fp64_to_u32(as_fp64(a), rm, flags);
}

int64_t fp32_to_i64(uint32_t a, unsigned rm, uint32_t *flags)
{
	return fp64_to_i64(as_fp64(a), rm, flags);
}

uint64_t fp32_to_u64(uint32_t a, unsigned rm, uint32_t *flags)
{
	return fp64_to_u64(as_fp64(a), rm, flags);
}

static inline uint64_t magnitude(int64_t a)
{
	return a < 0 ? -(uint64_t)a : (uint64_t)a;
}

uint32_t fp32_from_i32(int32_t a, unsigned rm, uint32_t *flags)
{
	return fp32_from_i64(a, rm, flags);
}

uint32_t fp32_from_u32(uint32_t a, unsigned rm, uint32_t *flags)
{
	return fp32_from_u64(a, rm, flags);
}

uint32_t fp32_from_i64(int64_t a, unsigned rm, uint32_t *flags)
{
	if (magnitude(a) < 1u << 24)
		return fp_float_bits((float)a);
	return (uint32_t)fp_soft_from_int(&fp32_format, a < 0, magnitude(a), rm, flags);
}

uint32_t fp32_from_u64(uint64_t a, unsigned rm, uint32_t *flags)
{
	if (a < 1u << 24)
		return fp_float_bits((float)(int64_t)a);
	return (uint32_t)fp_soft_from_int(&fp32_format, false, a, rm, flags);
}

uint64_t fp64_from_i32(int32_t a)
{
	return fp_double_bits(a);
}

uint64_t fp64_from_u32(uint32_t a)
{
	return fp_double_bits(a);
}

uint64_t fp64_from_i64(int64_t a, unsigned rm, uint32_t *flags)
{
	if (magnitude(a) < 1ull << 53)
		return fp_double_bits((double)a);
	return fp_soft_from_int(&fp64_format, a < 0, magnitude(a), rm, flags);
}

uint64_t fp64_from_u64(uint64_t a, unsigned rm, uint32_t *flags)
{
	if (a < 1ull << 53)
		return fp_double_bits((double)(int64_t)a);
	return fp_soft_from_int(&fp64_format, false, a, rm, flags);
}
