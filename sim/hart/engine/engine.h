/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * engine.h - the engine: runs blocks until the budget is used up (engine_body.h).  engine.c has it
 * for harts without models, engine_timed.c for those with models.  vector_insn.c executes vector
 * instructions for both.
 */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include <stdbool.h>

#include "isa.h"

struct block_run;
struct hart;
struct insn;

/* Operations that are not in enum isa_insn: of instructions (struct insn), and of runs. */
enum engine_op {
	ENGINE_END = ISA_NR, /* the end of a block, after its last instruction */
	ENGINE_ILLEGAL,
	ENGINE_COUNT, /* of a run (block_run.entry): count how often it runs */
	ENGINE_NATIVE, /* of a run: it has native code */
	ENGINE_OP_NR,
};

/*
 * Runs r and what comes after it until the countdown is used up, an instruction sets h->stop, or
 * one traps.  h->pc is then the next instruction.  Without h->timing.
 */
void engine_run(struct hart *h, struct block_run *r);

/* The same, with h->timing. */
void engine_run_timed(struct hart *h, struct block_run *r);

/*
 * vector_insn.c: execute a vector instruction that does not access memory: one that configures, or
 * one that computes.  False: it is illegal.
 */
bool vector_configure(struct hart *h, const struct insn *i);
bool vector_compute(struct hart *h, const struct insn *i);

#endif
