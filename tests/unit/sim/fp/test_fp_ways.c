/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_fp_ways.c - every operation with sim/fp/fp.h, with sim/fp/fp_soft.h, and with the host's FPU
 * in its own rounding modes.
 */
#include <fenv.h>
#include <math.h>

#include "fp.h"
#include "fp_soft.h"
#include "test_fp.h"

static uint64_t compute32(enum op op, const uint64_t v[3], unsigned rm, uint32_t *flags)
{
	const uint32_t a = (uint32_t)v[0], b = (uint32_t)v[1], c = (uint32_t)v[2];

	switch (op) {
	case ADD:
		return fp32_add(a, b, rm, flags);
	case SUB:
		return fp32_sub(a, b, rm, flags);
	case MUL:
		return fp32_mul(a, b, rm, flags);
	case DIV:
		return fp32_div(a, b, rm, flags);
	case SQRT:
		return fp32_sqrt(a, rm, flags);
	case FMA:
		return fp32_fma(a, b, c, rm, flags);
	case CONVERT:
		return fp32_to_fp64(a, flags);
	case TO_I32:
		return (uint64_t)fp32_to_i32(a, rm, flags);
	case TO_U32:
		return fp32_to_u32(a, rm, flags);
	case TO_I64:
		return (uint64_t)fp32_to_i64(a, rm, flags);
	case TO_U64:
		return fp32_to_u64(a, rm, flags);
	case FROM_I32:
		return fp32_from_i32((int32_t)a, rm, flags);
	case FROM_U32:
		return fp32_from_u32(a, rm, flags);
	case FROM_I64:
		return fp32_from_i64((int64_t)v[0], rm, flags);
	case FROM_U64:
		return fp32_from_u64(v[0], rm, flags);
	case MIN:
		return fp32_min(a, b, flags);
	case MAX:
		return fp32_max(a, b, flags);
	case EQ:
		return fp32_eq(a, b, flags);
	case LT:
		return fp32_lt(a, b, flags);
	case LE:
		return fp32_le(a, b, flags);
	default:
		return fp32_class(a);
	}
}

static uint64_t compute64(enum op op, const uint64_t v[3], unsigned rm, uint32_t *flags)
{
	const uint64_t a = v[0], b = v[1], c = v[2];

	switch (op) {
	case ADD:
		return fp64_add(a, b, rm, flags);
	case SUB:
		return fp64_sub(a, b, rm, flags);
	case MUL:
		return fp64_mul(a, b, rm, flags);
	case DIV:
		return fp64_div(a, b, rm, flags);
	case SQRT:
		return fp64_sqrt(a, rm, flags);
	case FMA:
		return fp64_fma(a, b, c, rm, flags);
	case CONVERT:
		return fp64_to_fp32(a, rm, flags);
	case TO_I32:
		return (uint64_t)fp64_to_i32(a, rm, flags);
	case TO_U32:
		return fp64_to_u32(a, rm, flags);
	case TO_I64:
		return (uint64_t)fp64_to_i64(a, rm, flags);
	case TO_U64:
		return fp64_to_u64(a, rm, flags);
	case FROM_I32:
		return fp64_from_i32((int32_t)a);
	case FROM_U32:
		return fp64_from_u32((uint32_t)a);
	case FROM_I64:
		return fp64_from_i64((int64_t)a, rm, flags);
	case FROM_U64:
		return fp64_from_u64(a, rm, flags);
	case MIN:
		return fp64_min(a, b, flags);
	case MAX:
		return fp64_max(a, b, flags);
	case EQ:
		return fp64_eq(a, b, flags);
	case LT:
		return fp64_lt(a, b, flags);
	case LE:
		return fp64_le(a, b, flags);
	default:
		return fp64_class(a);
	}
}

struct result fp_compute(int width, enum op op, const uint64_t v[3], unsigned rm, uint32_t flags)
{
	struct result r = { .flags = flags };

	r.value = width == 32 ? compute32(op, v, rm, &r.flags) : compute64(op, v, rm, &r.flags);
	return r;
}

static uint64_t soft(int width, enum op op, const uint64_t v[3], unsigned rm, uint32_t *flags)
{
	const struct fp_format *f = width == 32 ? &fp32_format : &fp64_format;
	const struct fp_format *other = width == 32 ? &fp64_format : &fp32_format;
	const uint64_t a = v[0], b = v[1], c = v[2];
	const bool negative = (int64_t)a < 0;

	switch (op) {
	case ADD:
		return fp_soft_add(f, a, b, rm, flags);
	case SUB:
		return fp_soft_add(f, a, b ^ fp_sign_bit(f), rm, flags);
	case MUL:
		return fp_soft_mul(f, a, b, rm, flags);
	case DIV:
		return fp_soft_div(f, a, b, rm, flags);
	case SQRT:
		return fp_soft_sqrt(f, a, rm, flags);
	case FMA:
		return fp_soft_fma(f, a, b, c, rm, flags);
	case CONVERT:
		return fp_soft_convert(other, f, a, rm, flags);
	case TO_I32:
		return fp_soft_to_int(f, a, 1ull << 31, INT32_MAX, rm, flags);
	case TO_U32:
		return fp_soft_to_int(f, a, 0, UINT32_MAX, rm, flags);
	case TO_I64:
		return fp_soft_to_int(f, a, 1ull << 63, INT64_MAX, rm, flags);
	case TO_U64:
		return fp_soft_to_int(f, a, 0, UINT64_MAX, rm, flags);
	case FROM_I32:
	case FROM_I64:
		return fp_soft_from_int(f, negative, negative ? -a : a, rm, flags);
	case FROM_U32:
	case FROM_U64:
		return fp_soft_from_int(f, false, a, rm, flags);
	default:
		return 0;
	}
}

struct result soft_compute(int width, enum op op, const uint64_t v[3], unsigned rm)
{
	struct result r = { 0 };

	if (op >= MIN)
		return fp_compute(width, op, v, rm, 0);
	r.value = soft(width, op, v, rm, &r.flags);
	return r;
}

/*
 * The compiler neither moves nor folds volatile operations, whatever it assumes of rounding modes.
 */
union host {
	volatile float f;
	volatile double d;
	volatile uint32_t bits32;
	volatile uint64_t bits64;
};

static void host32(enum op op, union host v[3], union host *r)
{
	switch (op) {
	case ADD:
		r->f = v[0].f + v[1].f;
		break;
	case SUB:
		r->f = v[0].f - v[1].f;
		break;
	case MUL:
		r->f = v[0].f * v[1].f;
		break;
	case DIV:
		r->f = v[0].f / v[1].f;
		break;
	case SQRT:
		r->f = sqrtf(v[0].f);
		break;
	case FMA:
		r->f = fmaf(v[0].f, v[1].f, v[2].f);
		break;
	case CONVERT:
		r->d = v[0].f;
		break;
	case FROM_I32:
	case FROM_I64:
		r->f = (float)(int64_t)v[0].bits64;
		break;
	default:
		break;
	}
}

static void host64(enum op op, union host v[3], union host *r)
{
	switch (op) {
	case ADD:
		r->d = v[0].d + v[1].d;
		break;
	case SUB:
		r->d = v[0].d - v[1].d;
		break;
	case MUL:
		r->d = v[0].d * v[1].d;
		break;
	case DIV:
		r->d = v[0].d / v[1].d;
		break;
	case SQRT:
		r->d = sqrt(v[0].d);
		break;
	case FMA:
		r->d = fma(v[0].d, v[1].d, v[2].d);
		break;
	case CONVERT:
		r->f = (float)v[0].d;
		break;
	case FROM_I32:
	case FROM_I64:
		r->d = (double)(int64_t)v[0].bits64;
		break;
	default:
		break;
	}
}

static uint32_t host_flags(void)
{
	int raised = fetestexcept(FE_ALL_EXCEPT);

	return (raised & FE_INVALID ? FP_NV : 0) | (raised & FE_DIVBYZERO ? FP_DZ : 0) |
	       (raised & FE_OVERFLOW ? FP_OF : 0) | (raised & FE_UNDERFLOW ? FP_UF : 0) |
	       (raised & FE_INEXACT ? FP_NX : 0);
}

bool host_can(enum op op)
{
	return op <= CONVERT || op == FROM_I32 || op == FROM_I64;
}

bool host_is_tiny_after_rounding(void)
{
	/* (1 + 2^-23) * 2^-126 times 1 - 2^-23: below the least normal number, but rounds to it. */
	const uint64_t v[3] = { 0x00800001, 0x3f7ffffe };

	return !(host_compute(32, MUL, v, FP_RNE).flags & FP_UF);
}

struct result host_compute(int width, enum op op, const uint64_t v[3], unsigned rm)
{
	static const int mode[] = { FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD };
	const bool result32 = (width == 32) != (op == CONVERT);
	union host x[3], r = { .bits64 = 0 };
	struct result result;

	for (int i = 0; i < 3; i++)
		x[i].bits64 = v[i];
	fesetround(mode[rm]);
	feclearexcept(FE_ALL_EXCEPT);
	if (width == 32)
		host32(op, x, &r);
	else
		host64(op, x, &r);
	result.flags = host_flags();
	fesetround(FE_TONEAREST);
	if (result32)
		result.value = fp_is_nan(&fp32_format, r.bits32) ? FP32_NAN : r.bits32;
	else
		result.value = fp_is_nan(&fp64_format, r.bits64) ? FP64_NAN : r.bits64;
	return result;
}
