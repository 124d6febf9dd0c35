/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vector_state.h - what the tests of V and of XTheadVector share: random numbers, elements one at a
 * time, and rows that say what a vtype becomes and which registers an instruction may have.
 */
#ifndef VECTOR_STATE_H
#define VECTOR_STATE_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "isa.h"
#include "tap.h"
#include "vector.h"

static uint64_t seed = 1;

static inline uint64_t rnd(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed >> 32 ^ seed << 32;
}

/* Element n of the group at reg, of so many bytes, zero-extended. */
static inline uint64_t get(const struct vector_state *v, unsigned reg, unsigned bytes, unsigned n)
{
	uint64_t value = 0;

	memcpy(&value, v->reg + reg * v->bytes + n * bytes, bytes);
	return value;
}

static inline void set(struct vector_state *v, unsigned reg, unsigned bytes, unsigned n,
		       uint64_t value)
{
	memcpy(v->reg + reg * v->bytes + n * bytes, &value, bytes);
}

/* All but the plans and the copy of the mask, which are nothing that software sees. */
static inline bool same(const struct vector_state *a, const struct vector_state *b)
{
	return !memcmp(a, b, offsetof(struct vector_state, plan));
}

/* What vsetvl makes of a vtype and an AVL; a vl of 0: vill. */
struct set_row {
	uint64_t vtype, avl, vl;
};

/* v is as after reset. */
static inline void check_set(struct vector_state *v, const struct set_row *rows, unsigned nr)
{
	is(v->vtype, VECTOR_VILL);
	for (unsigned n = 0; n < nr; n++) {
		tap_context("vtype %x", (unsigned)rows[n].vtype);
		v->vstart = 3;
		is(vector_set(v, rows[n].vtype, rows[n].avl, false), rows[n].vl);
		is(v->vtype, rows[n].vl ? rows[n].vtype : VECTOR_VILL);
		is(v->vstart, 0);
	}
}

/* An instruction with these registers, and whether it is legal. */
struct legal_row {
	uint16_t op, vtype;
	uint8_t vd, vs2, vs1, masked, legal;
};

/* Executes each row; one that is not legal changes nothing. */
static inline void check_legal(const struct legal_row *rows, unsigned nr, const struct isa_set *has)
{
	for (unsigned n = 0; n < nr; n++) {
		struct vector_state *v = vector_new(), *was = vector_new();
		uint32_t flags = 0;
		struct vector_args a = { .op = rows[n].op,
					 .vd = rows[n].vd,
					 .vs1 = rows[n].vs1,
					 .vs2 = rows[n].vs2,
					 .masked = rows[n].masked,
					 .flags = &flags };

		vector_reset(v, 16, has);
		vector_set(v, rows[n].vtype, 4, false);
		*was = *v;
		tap_context("row %u: %s", n, isa_table[rows[n].op].name);
		is(vector_execute(v, &a), rows[n].legal);
		ok(rows[n].legal || same(v, was));
		free(v);
		free(was);
	}
}

#endif
