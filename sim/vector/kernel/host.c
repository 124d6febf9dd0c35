// SPDX-License-Identifier: BSD-2-Clause
/*
 * host.c - kernels that compute on the host's FPU, for floating-point arithmetic without a mask,
 * from element 0 on, that rounds to nearest-even (host.h).
 *
 * The host's results and exceptions are those of IEEE 754 with tininess after rounding, as RISC-V
 * has them.  Only NaNs differ: if a result is a NaN, or an operation is invalid, a kernel returns
 * false and has changed nothing, and the kernel of float.c does it.
 *
 * In the expressions y is an element of vs2, x one of vs1 or the scalar, d one of vd.
 *
 * Implements: Unpriv 20240411 §31.13.
 */
#include "fp.h"
#include "host.h"

#ifdef __x86_64__
#include <xmmintrin.h>

#define TARGET __attribute__((target("avx2,fma")))

/* Exceptions in MXCSR. */
enum {
	HOST_INVALID = 1,
	HOST_DIVIDE = 4,
	HOST_OVERFLOW = 8,
	HOST_UNDERFLOW = 16,
	HOST_INEXACT = 32,
};
#define HOST_FLAGS 0x3f

static unsigned begin(void)
{
	unsigned was = _mm_getcsr();

	_mm_setcsr(was & ~HOST_FLAGS);
	/* The loop that follows stays after this, and before end(). */
	__asm__ volatile("" : : : "memory");
	return was;
}

static unsigned end(unsigned was)
{
	unsigned flags;

	__asm__ volatile("" : : : "memory");
	flags = _mm_getcsr() & HOST_FLAGS;
	_mm_setcsr(was);
	return flags;
}

/* Adds the exceptions to fflags. */
static void raise(uint32_t *fflags, unsigned host)
{
	*fflags |= (host & HOST_INEXACT ? FP_NX : 0) | (host & HOST_UNDERFLOW ? FP_UF : 0) |
		   (host & HOST_OVERFLOW ? FP_OF : 0) | (host & HOST_DIVIDE ? FP_DZ : 0);
}

#define NAN_IN(bits, most)                                                                         \
	TARGET static bool nan_in_##bits(const u##bits *p, unsigned nr)                            \
	{                                                                                          \
		u##bits any = 0;                                                                   \
		for (unsigned n = 0; n < nr; n++)                                                  \
			any |= (p[n] << 1) > (most);                                               \
		return any;                                                                        \
	}
NAN_IN(32, 0xff000000u)
NAN_IN(64, 0xffe0000000000000ull)

/* F: the type of the result, T2 of vs2, T1 of vs1 and the scalar. */
#define KERNEL_OF(name, bits, F, T2, T1, s1, X, ...)                                               \
	TARGET static bool host_##name(struct vector_state *v, struct vector_args *a)              \
	{                                                                                          \
		const T2 *s2 = vector_reg(v, a->vs2);                                              \
		const F *old __attribute__((unused)) = vector_reg(v, a->vd);                       \
		const unsigned nr = v->vl;                                                         \
		unsigned flags, was;                                                               \
		VECTOR_BUFFER(F, to);                                                              \
		s1;                                                                                \
		was = begin();                                                                     \
		for (unsigned n = 0; n < nr; n++) {                                                \
			const F y = s2[n], x __attribute__((unused)) = X;                          \
			const F d __attribute__((unused)) = old[n];                                \
			to[n] = __VA_ARGS__;                                                       \
		}                                                                                  \
		flags = end(was);                                                                  \
		if (flags & HOST_INVALID || nan_in_##bits((const void *)to, nr))                   \
			return false;                                                              \
		raise(a->flags, flags);                                                            \
		vector_put(v, a, to, sizeof(F));                                                   \
		return true;                                                                       \
	}

#define VECTORS(T) const T *s1 = vector_reg(v, a->vs1)
#define SCALAR(T)                                                                                  \
	T s1;                                                                                      \
	memcpy(&s1, &a->scalar, sizeof(s1))

#define WITH_VECTOR(name, ...)                                                                     \
	KERNEL_OF(name##_vv_32, 32, float, float, float, VECTORS(float), s1[n], __VA_ARGS__)       \
	KERNEL_OF(name##_vv_64, 64, double, double, double, VECTORS(double), s1[n], __VA_ARGS__)
#define WITH_SCALAR(name, ...)                                                                     \
	KERNEL_OF(name##_vf_32, 32, float, float, float, SCALAR(float), s1, __VA_ARGS__)           \
	KERNEL_OF(name##_vf_64, 64, double, double, double, SCALAR(double), s1, __VA_ARGS__)
#define BOTH(name, ...) WITH_VECTOR(name, __VA_ARGS__) WITH_SCALAR(name, __VA_ARGS__)

/* Widening: the result has twice the bits. */
#define WIDEN(name, ...)                                                                           \
	KERNEL_OF(name##_vv_32, 64, double, float, float, VECTORS(float), s1[n], __VA_ARGS__)      \
	KERNEL_OF(name##_vf_32, 64, double, float, float, SCALAR(float), s1, __VA_ARGS__)
#define WIDEN_WIDE(name, ...)                                                                      \
	KERNEL_OF(name##_wv_32, 64, double, double, float, VECTORS(float), s1[n], __VA_ARGS__)     \
	KERNEL_OF(name##_wf_32, 64, double, double, float, SCALAR(float), s1, __VA_ARGS__)

/* In the type of the operands. */
#define FMA(a, b, c) (sizeof(d) == 4 ? __builtin_fmaf(a, b, c) : __builtin_fma(a, b, c))

#define ROWS                                                                                       \
	ROW2(vfadd, y + x)                                                                         \
	ROW2(vfsub, y - x)                                                                         \
	ROW2(vfmul, y *x)                                                                          \
	ROW2(vfdiv, y / x)                                                                         \
	ROW2(vfmacc, FMA(x, y, d))                                                                 \
	ROW2(vfnmacc, FMA(-x, y, -d))                                                              \
	ROW2(vfmsac, FMA(x, y, -d))                                                                \
	ROW2(vfnmsac, FMA(-x, y, d))                                                               \
	ROW2(vfmadd, FMA(x, d, y))                                                                 \
	ROW2(vfnmadd, FMA(-x, d, -y))                                                              \
	ROW2(vfmsub, FMA(x, d, -y))                                                                \
	ROW2(vfnmsub, FMA(-x, d, y))                                                               \
	ROW1(vfrsub, x - y)                                                                        \
	ROW1(vfrdiv, x / y)                                                                        \
	WIDE2(vfwadd, y + x)                                                                       \
	WIDE2(vfwsub, y - x)                                                                       \
	WIDE2(vfwmul, y *x)                                                                        \
	WIDE2(vfwmacc, FMA(x, y, d))                                                               \
	WIDE2(vfwnmacc, FMA(-x, y, -d))                                                            \
	WIDE2(vfwmsac, FMA(x, y, -d))                                                              \
	WIDE2(vfwnmsac, FMA(-x, y, d))                                                             \
	WIDE1(vfwadd, y + x)                                                                       \
	WIDE1(vfwsub, y - x)

#define ROW2(name, ...)	 BOTH(name, __VA_ARGS__)
#define ROW1(name, ...)	 WITH_SCALAR(name, __VA_ARGS__)
#define WIDE2(name, ...) WIDEN(name, __VA_ARGS__)
#define WIDE1(name, ...) WIDEN_WIDE(name, __VA_ARGS__)
ROWS
#undef ROW2
#undef ROW1
#undef WIDE2
#undef WIDE1

	vector_host_kernel
	vector_host(unsigned op, int sew)
{
	static const vector_host_kernel table[ISA_NR][2] = {
#define ROW1(name, ...) [ISA_##name##_vf] = { host_##name##_vf_32, host_##name##_vf_64 },
#define ROW2(name, ...) [ISA_##name##_vv] = { host_##name##_vv_32, host_##name##_vv_64 }, ROW1(name)
#define WIDE2(name, ...)                                                                           \
	[ISA_##name##_vv] = { host_##name##_vv_32 }, [ISA_##name##_vf] = { host_##name##_vf_32 },
#define WIDE1(name, ...)                                                                           \
	[ISA_##name##_wv] = { host_##name##_wv_32 }, [ISA_##name##_wf] = { host_##name##_wf_32 },
		ROWS
	};

	if (sew < 2 || !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
		return NULL;
	return table[op][sew - 2];
}
#else
/* The other hosts that we know find tininess before rounding. */
vector_host_kernel vector_host(unsigned op, int sew)
{
	(void)op;
	(void)sew;
	return NULL;
}
#endif
