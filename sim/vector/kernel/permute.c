// SPDX-License-Identifier: BSD-2-Clause
/*
 * permute.c - kernels: moves of scalars, slides, gathers, compress.
 *
 * Implements: Unpriv 20240411 §31.16.
 */
#include "parts.h"

/* Both work whatever vl is; vmv.s.x does nothing if vstart is not below vl. */
#define SCALARS(bits)                                                                              \
	KERNEL(vmv_x_s_##bits)                                                                     \
	{                                                                                          \
		a->result = (u64)(s64) * (const s##bits *)vector_reg(v, a->vs2);                   \
	}                                                                                          \
	KERNEL(vmv_s_x_##bits)                                                                     \
	{                                                                                          \
		if (v->vstart < v->vl)                                                             \
			*(u##bits *)vector_reg(v, a->vd) = (u##bits)a->scalar;                     \
	}

/* XTheadVector: element number scalar of one register; it extends zeros, vmv.x.s of V signs. */
#define EXTRACT(bits)                                                                              \
	KERNEL(th_vext_x_v_##bits)                                                                 \
	{                                                                                          \
		const u##bits *s2 = vector_reg(v, a->vs2);                                         \
		a->result = a->scalar < v->bytes / sizeof(*s2) ? s2[a->scalar] : 0;                \
	}

KERNEL(vfmv_f_s_16)
{
	a->result = 0xffffffffffff0000 | *(const u16 *)vector_reg(v, a->vs2);
}

KERNEL(vfmv_f_s_32)
{
	a->result = 0xffffffff00000000 | *(const u32 *)vector_reg(v, a->vs2);
}

KERNEL(vfmv_f_s_64)
{
	a->result = *(const u64 *)vector_reg(v, a->vs2);
}

#define SLIDES(bits)                                                                               \
	KERNEL(vslideup_vx_##bits)                                                                 \
	{                                                                                          \
		const u##bits *s2 = vector_reg(v, a->vs2), *old = vector_reg(v, a->vd);            \
		unsigned by = a->scalar < v->vl ? a->scalar : v->vl;                               \
		VECTOR_BUFFER(u##bits, to);                                                        \
		memcpy(to, old, by * sizeof(*to));                                                 \
		memcpy(to + by, s2, (v->vl - by) * sizeof(*to));                                   \
		vector_put(v, a, to, sizeof(*to));                                                 \
	}                                                                                          \
	KERNEL(vslidedown_vx_##bits)                                                               \
	{                                                                                          \
		const u##bits *s2 = vector_reg(v, a->vs2);                                         \
		unsigned max = v->max, by = a->scalar < max ? a->scalar : max;                     \
		unsigned nr = max - by < v->vl ? max - by : v->vl;                                 \
		VECTOR_BUFFER(u##bits, to);                                                        \
		memcpy(to, s2 + by, nr * sizeof(*to));                                             \
		memset(to + nr, 0, (v->vl - nr) * sizeof(*to));                                    \
		vector_put(v, a, to, sizeof(*to));                                                 \
	}                                                                                          \
	KERNEL(vslide1up_vx_##bits)                                                                \
	{                                                                                          \
		const u##bits *s2 = vector_reg(v, a->vs2);                                         \
		VECTOR_BUFFER(u##bits, to);                                                        \
		if (!v->vl)                                                                        \
			return;                                                                    \
		to[0] = (u##bits)a->scalar;                                                        \
		memcpy(to + 1, s2, (v->vl - 1) * sizeof(*to));                                     \
		vector_put(v, a, to, sizeof(*to));                                                 \
	}                                                                                          \
	KERNEL(vslide1down_vx_##bits)                                                              \
	{                                                                                          \
		const u##bits *s2 = vector_reg(v, a->vs2);                                         \
		VECTOR_BUFFER(u##bits, to);                                                        \
		if (!v->vl)                                                                        \
			return;                                                                    \
		memcpy(to, s2 + 1, (v->vl - 1) * sizeof(*to));                                     \
		to[v->vl - 1] = (u##bits)a->scalar;                                                \
		vector_put(v, a, to, sizeof(*to));                                                 \
	}

#define GATHER(bits, name, I)                                                                      \
	KERNEL(name##_##bits)                                                                      \
	{                                                                                          \
		const u##bits *s2 = vector_reg(v, a->vs2);                                         \
		const I *s1 = vector_reg(v, a->vs1);                                               \
		unsigned max = v->max;                                                             \
		VECTOR_BUFFER(u##bits, to);                                                        \
		for (unsigned n = 0; n < v->vl; n++)                                               \
			to[n] = s1[n] < max ? s2[s1[n]] : 0;                                       \
		vector_put(v, a, to, sizeof(*to));                                                 \
	}

#define GATHERS(bits)                                                                              \
	GATHER(bits, vrgather_vv, u##bits)                                                         \
	GATHER(bits, vrgatherei16_vv, u16)                                                         \
	KERNEL(vrgather_vx_##bits)                                                                 \
	{                                                                                          \
		const u##bits *s2 = vector_reg(v, a->vs2);                                         \
		u##bits one = a->scalar < v->max ? s2[a->scalar] : 0;                              \
		VECTOR_BUFFER(u##bits, to);                                                        \
		for (unsigned n = 0; n < v->vl; n++)                                               \
			to[n] = one;                                                               \
		vector_put(v, a, to, sizeof(*to));                                                 \
	}                                                                                          \
	KERNEL(vcompress_vm_##bits)                                                                \
	{                                                                                          \
		const u##bits *s2 = vector_reg(v, a->vs2);                                         \
		const u8 *which = vector_reg(v, a->vs1);                                           \
		u##bits *to = vector_reg(v, a->vd);                                                \
		unsigned nr = 0;                                                                   \
		for (unsigned n = 0; n < v->vl; n++) {                                             \
			if (vector_bit(which, n))                                                  \
				to[nr++] = s2[n];                                                  \
		}                                                                                  \
	}

#define ALL(bits) SCALARS(bits) EXTRACT(bits) SLIDES(bits) GATHERS(bits)

ALL(8)
ALL(16)
ALL(32)
ALL(64)
