/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * parts.h - what a kernel is made of.
 *
 * A kernel computes all elements from 0 to vl - 1 into a buffer of its own, and vector_put() then
 * writes those from vstart on that are active.  So a kernel is a plain loop that the compiler turns
 * into the host's vectors, and destination and sources may overlap.  A kernel whose elements have
 * side effects (vxsat, fflags) asks vector_does() for each element.
 */
#ifndef SIM_VECTOR_PARTS_H
#define SIM_VECTOR_PARTS_H

#include <string.h>

#include "fp.h"
#include "isa.h"
#include "vector.h"

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef unsigned __int128 u128;
typedef __int128 s128;

typedef void (*vector_kernel)(struct vector_state *v, struct vector_args *a);

/* What an operand is: elements of which size, in how many registers. */
enum vector_place {
	PLACE_NONE, /* no vector register */
	PLACE_SAME, /* a group with elements of SEW bits */
	PLACE_WIDE, /* of 2 * SEW */
	PLACE_HALF, /* of SEW / 2, and so on */
	PLACE_QUARTER,
	PLACE_EIGHTH,
	PLACE_E16, /* of 16 bits */
	PLACE_MASK, /* a mask */
	PLACE_ONE, /* one register, of which element 0 is used, of SEW bits */
	PLACE_ONE_WIDE, /* the same of 2 * SEW */
};

enum {
	/* vd must not overlap these */
	VECTOR_APART1 = 1,
	VECTOR_APART2 = 2,
	VECTOR_START0 = 4, /* vstart must be 0 */
	VECTOR_FLOAT = 8, /* needs floating point */
	VECTOR_CARRY = 16, /* v0 is an operand, not the mask of the destination */
	/* works on groups of so many elements */
	VECTOR_FOUR = 32,
	VECTOR_EIGHT = 64,
};

/*
 * An instruction.  For each SEW, 8 to 64, kernel: NULL: not for this one; needs: the extension
 * (enum isa_ext) that this SEW needs, besides the instruction's own.
 */
struct vector_row {
	uint8_t vd, vs2, vs1; /* enum vector_place */
	uint8_t flags;
	vector_kernel kernel[4];
	uint8_t needs[4];
};

/* Indexed by enum isa_insn (table.c).  Other instructions have no kernels. */
extern const struct vector_row vector_rows[ISA_NR];

/* A group of registers: the first one, how many, its elements' size (log2 of bytes; -1: bits). */
struct vector_operand {
	unsigned first, nr;
	int size;
};

/* Makes the group of an operand.  False: it is reserved. */
bool vector_operand(const struct vector_state *v, enum vector_place place, unsigned reg,
		    struct vector_operand *o);

static inline bool vector_overlap(const struct vector_operand *a, const struct vector_operand *b)
{
	return a->nr && b->nr && a->first < b->first + b->nr && b->first < a->first + a->nr;
}

/* The value of 16 or 32 bits in an f register; without its NaN box it is the canonical NaN. */
static inline u64 vector_unboxed(u64 f, unsigned sew)
{
	if (sew == 1)
		return f >> 16 == 0xffffffffffff ? (u16)f : FP16_NAN;
	return f >> 32 == 0xffffffff ? (u32)f : FP32_NAN;
}

/* What stands for an instruction in its plan. */
static inline u64 vector_key(const struct vector_args *a)
{
	return (u64)a->op << 16 | a->vd << 11 | a->vs1 << 6 | a->vs2 << 1 | a->masked;
}

static inline void *vector_reg(struct vector_state *v, unsigned reg)
{
	return v->reg + reg * v->bytes;
}

static inline bool vector_bit(const uint8_t *mask, unsigned n)
{
	return mask[n / 8] >> n % 8 & 1;
}

static inline void vector_set_bit(uint8_t *mask, unsigned n, bool value)
{
	mask[n / 8] = (mask[n / 8] & ~(1u << n % 8)) | (unsigned)value << n % 8;
}

/* XTheadVector: the logarithm of the bits that each element of a mask has. */
static inline unsigned vector_log_mlen(const struct vector_state *v)
{
	return v->sew + 3 - v->lmul;
}

/* XTheadVector: copies the lowest bit of each element of a mask, as masks of V have them. */
void vector_gather(const struct vector_state *v, unsigned reg, uint8_t *to);

/* Whether element n, which is not before vstart, is written. */
static inline bool vector_does(const struct vector_state *v, const struct vector_args *a,
			       unsigned n)
{
	return !a->masked || vector_active(v, n);
}

/* Writes the elements, each of so many bytes, from a buffer to vd. */
void vector_put(struct vector_state *v, const struct vector_args *a, const void *from,
		unsigned bytes);

/* The same for a mask; from has one byte, 0 or 1, for each element. */
void vector_put_mask(struct vector_state *v, const struct vector_args *a, const uint8_t *from);

/* The bits of each byte in the other order. */
static inline u64 bytes_reversed(u64 y)
{
	y = (y >> 1 & 0x5555555555555555) | (y & 0x5555555555555555) << 1;
	y = (y >> 2 & 0x3333333333333333) | (y & 0x3333333333333333) << 2;
	return (y >> 4 & 0x0f0f0f0f0f0f0f0f) | (y & 0x0f0f0f0f0f0f0f0f) << 4;
}

/* Begins the definition of a kernel. */
#define KERNEL(name) void vector_##name(struct vector_state *v, struct vector_args *a)

/* All kernels, declared: for each word of sizes those of a name. */
#define DECLARE(name)	       KERNEL(name);
#define DECLARE_ANY(k)	       DECLARE(k)
#define DECLARE_ONLY32(k)      DECLARE(k##_32)
#define DECLARE_ONLY64(k)      DECLARE(k##_64)
#define DECLARE_FROM32(k)      DECLARE(k##_32) DECLARE(k##_64)
#define DECLARE_HASH(k)	       DECLARE_FROM32(k)
#define DECLARE_FROM16(k)      DECLARE(k##_16) DECLARE_FROM32(k)
#define DECLARE_ALL(k)	       DECLARE(k##_8) DECLARE_FROM16(k)
#define DECLARE_FLOATS(k)      DECLARE_FROM16(k)
#define DECLARE_FLOATS_WIDE(k) DECLARE(k##_16) DECLARE(k##_32)
#define DECLARE_FLOATS_MIN(k)  DECLARE_FLOATS_WIDE(k)
#define DECLARE_TO32(k)	       DECLARE(k##_8) DECLARE_FLOATS_WIDE(k)
#define DECLARE_FLOATS_TO32(k) DECLARE_TO32(k)

#define ROW(name, vd, vs2, vs1, flags, sizes, kernel) DECLARE_##sizes(kernel)
#include "row.def"

/* The element types of a SEW, and what has twice as many bits. */
#define WIDE_u8	 u16
#define WIDE_u16 u32
#define WIDE_u32 u64
#define WIDE_u64 u128
#define WIDE_s8	 s16
#define WIDE_s16 s32
#define WIDE_s32 s64
#define WIDE_s64 s128
#define TYPES(bits)                                                                                \
	typedef u##bits U __attribute__((unused));                                                 \
	typedef s##bits S __attribute__((unused));                                                 \
	typedef WIDE_u##bits WU __attribute__((unused));                                           \
	typedef WIDE_s##bits WS __attribute__((unused));                                           \
	enum { BITS = bits }

/* A kernel's buffer. */
#define VECTOR_BUFFER(T, name) _Alignas(64) T name[VECTOR_GROUP_MAX / sizeof(T)]

#endif
