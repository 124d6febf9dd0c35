/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fp_host.h - the host's FPU, as sim/fp*.c use it: bit patterns as host values and back.
 *
 * The host must have the binary32 and binary64 of IEEE 754 with subnormals, compute each type in
 * its own precision, and round to nearest-even, as it does while nobody calls fesetround.  The
 * host's exception flags are neither read nor cleared.
 */
#ifndef SIM_FP_HOST_H
#define SIM_FP_HOST_H

#include <float.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

_Static_assert(FLT_EVAL_METHOD == 0, "host arithmetic must have the precision of its type");
#ifdef __FAST_MATH__
#error "floating point must be compiled without -ffast-math"
#endif

static inline float fp_to_float(uint32_t a)
{
	float x;

	memcpy(&x, &a, sizeof(x));
	return x;
}

static inline double fp_to_double(uint64_t a)
{
	double x;

	memcpy(&x, &a, sizeof(x));
	return x;
}

static inline uint32_t fp_float_bits(float x)
{
	uint32_t a;

	memcpy(&a, &x, sizeof(a));
	return a;
}

static inline uint64_t fp_double_bits(double x)
{
	uint64_t a;

	memcpy(&a, &x, sizeof(a));
	return a;
}

/* The biased exponent. */
static inline unsigned fp_exp32(uint32_t a)
{
	return a >> 23 & 0xff;
}

static inline unsigned fp_exp64(uint64_t a)
{
	return a >> 52 & 0x7ff;
}

/* Whether a result is normal, and was not rounded near the least normal or the greatest number. */
static inline bool fp_is_safe32(uint32_t r)
{
	return fp_exp32(r) - 2 < 0xfd - 2;
}

static inline bool fp_is_safe64(uint64_t r)
{
	return fp_exp64(r) - 2 < 0x7fd - 2;
}

#endif
