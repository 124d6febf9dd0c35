/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * thead.h - XTheadVector where it differs from V (../vector.h).
 *
 *	execute.c	what computes: which operands are legal, masks, zeros after vl
 *	memory.c	loads, stores and AMOs
 *
 * A mask has MLEN = SEW / LMUL bits for each element, of which the lowest one counts.  Kernels know
 * the masks of V only, which have one bit: execute.c copies the masks that an instruction reads
 * into spare registers, and writes the mask that it makes from one.
 *
 * Where the specification leaves a choice: a mask may be written to v0 also if v0 masks its
 * instruction and LMUL is more than 1, as each of its bits is read before it is written.
 */
#ifndef SIM_VECTOR_THEAD_H
#define SIM_VECTOR_THEAD_H

#include "parts.h"

/* vector_execute() and vector_memory_plan() of a unit with XTheadVector; the latter writes *m. */
bool vector_thead_execute(struct vector_state *v, struct vector_args *a);
bool vector_thead_memory(const struct vector_state *v, unsigned op, uint32_t insn,
			 struct vector_memory *m);

#endif
