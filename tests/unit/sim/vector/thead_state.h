/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * thead_state.h - states of a unit with XTheadVector, for tests: random ones, and their elements
 * and masks one at a time.
 */
#ifndef THEAD_STATE_H
#define THEAD_STATE_H

#include "vector_state.h"

static struct isa_set with_thead; /* and Zfh */

/* A value of so many bytes, sign-extended. */
static inline int64_t extend(uint64_t value, unsigned bytes)
{
	return (int64_t)(value << (64 - 8 * bytes)) >> (64 - 8 * bytes);
}

/* §4.4: the bits of a mask that belong to element n are MLEN * n and those that follow. */
static inline unsigned mlen(const struct vector_state *v)
{
	return (8u << v->sew) >> v->lmul;
}

static inline bool get_mask(const struct vector_state *v, unsigned reg, unsigned n)
{
	unsigned bit = n * mlen(v);

	return v->reg[reg * v->bytes + bit / 8] >> bit % 8 & 1;
}

static inline void set_mask(struct vector_state *v, unsigned reg, unsigned n, bool value)
{
	for (unsigned i = 0; i < mlen(v); i++) {
		unsigned bit = n * mlen(v) + i;
		uint8_t *p = v->reg + reg * v->bytes + bit / 8;

		*p = (*p & ~(1u << bit % 8)) | (unsigned)(value && !i) << bit % 8;
	}
}

static inline struct vector_state *random_state(void)
{
	struct vector_state *v = vector_new();

	vector_reset(v, VECTOR_BYTES_MIN << rnd() % 4, &with_thead);
	for (unsigned n = 0; n < VECTOR_REGS * v->bytes; n++)
		v->reg[n] = rnd() % 5 ? rnd() : (rnd() & 1) * 0xff;
	vector_type(v, rnd() % 16);
	v->vl = rnd() % 8 ? rnd() % (v->max + 1) : v->max;
	v->vstart = rnd() % 4 ? 0 : rnd() % (v->vl + 2);
	v->vxrm = rnd() % 4;
	return v;
}

/* Elements from vl to VLMAX are 0, unless nothing was to do (§3.3). */
static inline void clear_tail(struct vector_state *v, unsigned reg, unsigned bytes, unsigned from)
{
	for (unsigned i = from; i < v->max; i++)
		set(v, reg, bytes, i, 0);
}

static inline void make_extensions(void)
{
	isa_set_add(&with_thead, ISA_EXT_I);
	isa_set_add(&with_thead, ISA_EXT_ZFH);
	isa_set_add(&with_thead, ISA_EXT_XTHEADVECTOR);
}

#endif
