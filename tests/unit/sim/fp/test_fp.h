/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_fp.h - what the tests of sim/fp/fp.h share: a name for each operation, and the
 * implementations of it that are compared.
 *
 * Values are bit patterns in uint64_t; an integer is sign-extended if it is signed. width is 32 or
 * 64: the format of the floating-point operands, and for FROM_* that of the result.
 */
#ifndef TEST_FP_H
#define TEST_FP_H

#include <stdbool.h>
#include <stdint.h>

enum op {
	ADD,
	SUB,
	MUL,
	DIV,
	SQRT,
	FMA, /* arithmetic */
	CONVERT, /* to the other format */
	TO_I32,
	TO_U32,
	TO_I64,
	TO_U64,
	FROM_I32,
	FROM_U32,
	FROM_I64,
	FROM_U64,
	MIN,
	MAX,
	EQ,
	LT,
	LE,
	CLASS,
	NR_OPS
};

struct result {
	uint64_t value;
	uint32_t flags;
};

/* With sim/fp/fp.h; flags are those that were raised before. */
struct result fp_compute(int width, enum op op, const uint64_t v[3], unsigned rm, uint32_t flags);

/* With sim/fp/fp_soft.h alone; MIN and later operations have only one implementation. */
struct result soft_compute(int width, enum op op, const uint64_t v[3], unsigned rm);

/* With exact integers of any size (GMP), from the texts of IEEE 754 and of the RISC-V manual. */
struct result exact_compute(int width, enum op op, const uint64_t v[3], unsigned rm);

/*
 * With the host's FPU in its own rounding modes; not for RMM, and only if host_can allows it,
 * because compilers promise no more: they may raise any flag in a comparison, and convert an
 * unsigned zero to -0 in RDN.  A NaN is made canonical.  UF must not be compared if the host
 * detects underflow before rounding.
 */
bool host_can(enum op op);
bool host_is_tiny_after_rounding(void);
struct result host_compute(int width, enum op op, const uint64_t v[3], unsigned rm);

#endif
