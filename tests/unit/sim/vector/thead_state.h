/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * thead_state.h - states of a unit with XTheadVector, for tests: random ones, and their elements
 * and masks one at a time.
 */
#ifndef THEAD_STATE_H
#define THEAD_STATE_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "isa.h"
#include "tap.h"
#include "vector.h"

static uint64_t seed = 1;
static struct isa_set with_thead; /* and Zfh */

static inline uint64_t rnd(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed >> 32 ^ seed << 32;
}

/* Element n of the group at reg, of so many bytes: zero- and sign-extended. */
static inline uint64_t get(const struct vector_state *v, unsigned reg, unsigned bytes, unsigned n)
{
	uint64_t value = 0;

	memcpy(&value, v->reg + reg * v->bytes + n * bytes, bytes);
	return value;
}

static inline int64_t extend(uint64_t value, unsigned bytes)
{
	return (int64_t)(value << (64 - 8 * bytes)) >> (64 - 8 * bytes);
}

static inline void set(struct vector_state *v, unsigned reg, unsigned bytes, unsigned n,
		       uint64_t value)
{
	memcpy(v->reg + reg * v->bytes + n * bytes, &value, bytes);
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

/* All but the plans and the copy of the mask, which are nothing that software sees. */
static inline bool same(const struct vector_state *a, const struct vector_state *b)
{
	return !memcmp(a, b, offsetof(struct vector_state, plan));
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
