/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * native_vector.h - vector instructions as instructions of the host's vectors.
 *
 * native.c looks for consecutive ones that are simple: integers, whole registers, no mask.  The
 * host's code keeps registers of the guest in registers of the host until the last one is done.
 * It is right for one vtype, and for vl = VLMAX and vstart = 0, which STENCIL_vectors checks.
 *
 *	native_vector.c		which instructions are simple
 *	native_x86_vector.c	code for AVX2.  Other hosts have none
 */
#ifndef SIM_NATIVE_VECTOR_H
#define SIM_NATIVE_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct insn;

enum native_vector_kind {
	NATIVE_VECTOR_NONE,
	/* y is an element of vs2, x one of vs1 or the scalar, d one of vd */
	NATIVE_VECTOR_ADD, /* y + x */
	NATIVE_VECTOR_SUB, /* y - x */
	NATIVE_VECTOR_RSUB, /* x - y */
	NATIVE_VECTOR_AND,
	NATIVE_VECTOR_ANDN, /* y & ~x */
	NATIVE_VECTOR_OR,
	NATIVE_VECTOR_XOR,
	NATIVE_VECTOR_MINU,
	NATIVE_VECTOR_MIN,
	NATIVE_VECTOR_MAXU,
	NATIVE_VECTOR_MAX,
	NATIVE_VECTOR_MUL,
	NATIVE_VECTOR_MACC, /* d + x * y */
	NATIVE_VECTOR_NMSAC, /* d - x * y */
	NATIVE_VECTOR_MOVE, /* x */
	/* by an immediate */
	NATIVE_VECTOR_SLL,
	NATIVE_VECTOR_SRL,
	NATIVE_VECTOR_SRA,
	NATIVE_VECTOR_ROR,
	NATIVE_VECTOR_KINDS
};

/* What x is: a vector register, an x register, an immediate. */
enum native_vector_from { NATIVE_VECTOR_V, NATIVE_VECTOR_X, NATIVE_VECTOR_I };

/* One instruction. */
struct native_vector {
	uint8_t kind, from;
	uint8_t size; /* logarithm of the bytes of an element */
	uint8_t regs; /* of a group */
	uint8_t vd, vs1, vs2; /* vs1: also the number of an x register */
	int32_t imm;
};

/* Makes *v of i, which runs with this vtype; thead: of XTheadVector.  False: it is not simple. */
bool native_vector_of(const struct insn *i, uint64_t vtype, bool thead, struct native_vector *v);

/* Where a hart has its registers: offsets in struct hart and in struct vector_state. */
struct native_vector_place {
	unsigned x, state, reg;
	unsigned bytes; /* of a vector register */
};

/* Whether the host has code for v. */
bool native_vector_host(const struct native_vector *v);

/*
 * Writes code for nr of them, which host has, to p, which runs into what follows it.  Returns its
 * bytes; at NULL: as many as would be written.
 */
size_t native_vector_code(uint8_t *p, const struct native_vector_place *place,
			  const struct native_vector *v, unsigned nr);

#endif
