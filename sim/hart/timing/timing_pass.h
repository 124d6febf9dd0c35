/* SPDX-License-Identifier: BSD-2-Clause */
/* timing_pass.h - instructions that need nothing that waits; private to this folder. */
#ifndef SIM_TIMING_PASS_H
#define SIM_TIMING_PASS_H

#include "timing.h"

/*
 * The bit of no register in struct timing_regs, as timing_regs_of sets it: in reads, the
 * instruction never passes; in writes, it does not pass while the data of a store is late.
 */
#define TIMING_REGS_NONE 1ull

/* Classes that timing_look treats specially. */
#define TIMING_OTHERS                                                                              \
	(1u << COST_DIV | 1u << COST_DIV_32 | 1u << COST_AMO | 1u << COST_CSR | 1u << COST_FENCE)

/* The bit of an operand: that of none if it has none. */
static inline uint64_t timing_bit(const struct timing_op *op, unsigned operand, unsigned number)
{
	return 1ull << ((number & op->bits[operand]) + op->from[operand]);
}

/* The registers of an instruction; of one of several micro-operations, use timing_micro_regs. */
static inline struct timing_regs timing_regs_of(const struct insn *i)
{
	const struct timing_op *op = timing_op_of(i);
	uint64_t reads = timing_bit(op, 1, i->rs1) | timing_bit(op, 2, i->rs2) |
			 timing_bit(op, 3, i->rs3);
	bool never = op->vector || op->several || TIMING_OTHERS >> op->class & 1;
	bool meets_stores = op->bytes || op->other;

	return (struct timing_regs){
		.reads = (reads & ~TIMING_REGS_NONE) | never,
		.writes = (timing_bit(op, 0, i->rd) & ~TIMING_REGS_NONE) | meets_stores,
	};
}

/*
 * hidden->stall are the stalls of an instruction, of whose cycles only hidden->cycles are hidden:
 * those of its stalls first.
 */
static inline void timing_hide_stalls(struct cost_sum *hidden)
{
	uint32_t left = hidden->cycles;

	for (unsigned n = 0; n < COST_STATIC_STALLS; n++) {
		if (hidden->stall[n] > left)
			hidden->stall[n] = left;
		left -= hidden->stall[n];
	}
}

/*
 * Out of order, while something waits: looks at instruction i of r, and at those after it, as long
 * as nothing that they need waits and there is room in the window.  Returns false if i needs more
 * than this; nothing has changed then but what waits_settle does.
 */
bool timing_pass(struct hart *h, const struct block_run *r, const struct insn *i);

/* timing.looked.more is not 0: the engine, at instruction n of r, needs them looked at until n. */
void timing_pass_until(struct hart *h, const struct block_run *r, unsigned n);

static inline void timing_pass_cut(struct hart *h, const struct block_run *r, unsigned n)
{
	if (!h->timing->looked.more)
		return;
	timing_pass_until(h, r, n);
	timing_told(h);
}

#endif
