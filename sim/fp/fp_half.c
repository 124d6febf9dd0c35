// SPDX-License-Identifier: BSD-2-Clause
/*
 * fp_half.c - RISC-V floating point of binary16, and what Zfa adds to all formats but comparisons.
 *
 * All in integers: half precision is rare in scalar code.
 *
 * Calls: fp_soft.c.  Implements: Unpriv 20240411 chapters 22 (Zfh, Zfhmin) and 25 (Zfa).
 */
#include "fp.h"
#include "fp_soft.h"

uint16_t fp16_add(uint16_t a, uint16_t b, unsigned rm, uint32_t *flags)
{
	return (uint16_t)fp_soft_add(&fp16_format, a, b, rm, flags);
}

uint16_t fp16_sub(uint16_t a, uint16_t b, unsigned rm, uint32_t *flags)
{
	return fp16_add(a, b ^ 0x8000, rm, flags);
}

uint16_t fp16_mul(uint16_t a, uint16_t b, unsigned rm, uint32_t *flags)
{
	return (uint16_t)fp_soft_mul(&fp16_format, a, b, rm, flags);
}

uint16_t fp16_div(uint16_t a, uint16_t b, unsigned rm, uint32_t *flags)
{
	return (uint16_t)fp_soft_div(&fp16_format, a, b, rm, flags);
}

uint16_t fp16_sqrt(uint16_t a, unsigned rm, uint32_t *flags)
{
	return (uint16_t)fp_soft_sqrt(&fp16_format, a, rm, flags);
}

uint16_t fp16_fma(uint16_t a, uint16_t b, uint16_t c, unsigned rm, uint32_t *flags)
{
	return (uint16_t)fp_soft_fma(&fp16_format, a, b, c, rm, flags);
}

uint32_t fp16_to_fp32(uint16_t a, uint32_t *flags)
{
	return (uint32_t)fp_soft_convert(&fp32_format, &fp16_format, a, FP_RNE, flags);
}

uint64_t fp16_to_fp64(uint16_t a, uint32_t *flags)
{
	return fp_soft_convert(&fp64_format, &fp16_format, a, FP_RNE, flags);
}

uint16_t fp32_to_fp16(uint32_t a, unsigned rm, uint32_t *flags)
{
	return (uint16_t)fp_soft_convert(&fp16_format, &fp32_format, a, rm, flags);
}

uint16_t fp64_to_fp16(uint64_t a, unsigned rm, uint32_t *flags)
{
	return (uint16_t)fp_soft_convert(&fp16_format, &fp64_format, a, rm, flags);
}

int32_t fp16_to_i32(uint16_t a, unsigned rm, uint32_t *flags)
{
	return (int32_t)fp_soft_to_int(&fp16_format, a, 1u << 31, INT32_MAX, rm, flags);
}

uint32_t fp16_to_u32(uint16_t a, unsigned rm, uint32_t *flags)
{
	return (uint32_t)fp_soft_to_int(&fp16_format, a, 0, UINT32_MAX, rm, flags);
}

int64_t fp16_to_i64(uint16_t a, unsigned rm, uint32_t *flags)
{
	return (int64_t)fp_soft_to_int(&fp16_format, a, 1ull << 63, INT64_MAX, rm, flags);
}

uint64_t fp16_to_u64(uint16_t a, unsigned rm, uint32_t *flags)
{
	return fp_soft_to_int(&fp16_format, a, 0, UINT64_MAX, rm, flags);
}

uint16_t fp16_from_i32(int32_t a, unsigned rm, uint32_t *flags)
{
	return fp16_from_i64(a, rm, flags);
}

uint16_t fp16_from_u32(uint32_t a, unsigned rm, uint32_t *flags)
{
	return fp16_from_u64(a, rm, flags);
}

uint16_t fp16_from_i64(int64_t a, unsigned rm, uint32_t *flags)
{
	uint64_t magnitude = a < 0 ? -(uint64_t)a : (uint64_t)a;

	return (uint16_t)fp_soft_from_int(&fp16_format, a < 0, magnitude, rm, flags);
}

uint16_t fp16_from_u64(uint64_t a, unsigned rm, uint32_t *flags)
{
	return (uint16_t)fp_soft_from_int(&fp16_format, false, a, rm, flags);
}

/* Zfa */

uint16_t fp16_round(uint16_t a, bool raises_nx, unsigned rm, uint32_t *flags)
{
	return (uint16_t)fp_soft_round(&fp16_format, a, raises_nx, rm, flags);
}

uint32_t fp32_round(uint32_t a, bool raises_nx, unsigned rm, uint32_t *flags)
{
	return (uint32_t)fp_soft_round(&fp32_format, a, raises_nx, rm, flags);
}

uint64_t fp64_round(uint64_t a, bool raises_nx, unsigned rm, uint32_t *flags)
{
	return fp_soft_round(&fp64_format, a, raises_nx, rm, flags);
}

int32_t fp64_to_i32_modulo(uint64_t a, uint32_t *flags)
{
	uint64_t magnitude = fp_magnitude(&fp64_format, a), significand;
	int exp = (int)(magnitude >> 52) - 1023;

	/* The flags are those of a conversion. */
	fp64_to_i32(a, FP_RTZ, flags);
	/* Less than one; no bit below 2^32; infinity and NaN. */
	if (exp < 0 || exp > 52 + 31)
		return 0;
	significand = (magnitude & 0xfffffffffffff) | 1ull << 52;
	significand = exp < 52 ? significand >> (52 - exp) : significand << (exp - 52);
	return (int32_t)(fp_sign(&fp64_format, a) ? -significand : significand);
}

/* The constants of fli as binary32; the second is the least normal number of each format. */
static const uint32_t constants[32] = {
	0xbf800000, 0x00800000, 0x37800000, 0x38000000, 0x3b800000, 0x3c000000, 0x3d800000,
	0x3e000000, 0x3e800000, 0x3ea00000, 0x3ec00000, 0x3ee00000, 0x3f000000, 0x3f200000,
	0x3f400000, 0x3f600000, 0x3f800000, 0x3fa00000, 0x3fc00000, 0x3fe00000, 0x40000000,
	0x40200000, 0x40400000, 0x40800000, 0x41000000, 0x41800000, 0x43000000, 0x43800000,
	0x47000000, 0x47800000, 0x7f800000, 0x7fc00000,
};

#define FP_CONSTANT_MIN 1

uint16_t fp16_constant(unsigned n)
{
	uint32_t flags = 0;

	return n == FP_CONSTANT_MIN ? 1u << 10 : fp32_to_fp16(constants[n], FP_RNE, &flags);
}

uint32_t fp32_constant(unsigned n)
{
	return constants[n];
}

uint64_t fp64_constant(unsigned n)
{
	uint32_t flags = 0;

	return n == FP_CONSTANT_MIN ? 1ull << 52 : fp32_to_fp64(constants[n], &flags);
}
