/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vector.h - holter-model(7), VECTOR UNITS: rules V2 and V4 to V7, but for what waits for memory.
 */
#ifndef SECOND_VECTOR_H
#define SECOND_VECTOR_H

#include "cpu.h"
#include "decode.h"

/* Rule V2. */
struct vector_units {
	uint64_t free[3], ready[32];
};

/* Rule V6: x, if the instruction works on so many elements and could execute at t. */
uint64_t vector_executes(const struct cpu_vector *is, const struct vector_units *u,
			 const struct vector_insn *v, unsigned elements, uint64_t t);
/* Rule V7. */
void vector_done(const struct cpu_vector *is, struct vector_units *u, const struct vector_insn *v,
		 unsigned elements, uint64_t t);

#endif
