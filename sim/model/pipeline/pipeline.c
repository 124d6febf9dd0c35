// SPDX-License-Identifier: BSD-2-Clause
/*
 * pipeline.c - what both pipelines ask of an instruction (pipeline.h).
 */
#include "pipeline.h"

const uint8_t pipeline_unit[] = {
	[COST_ALU] = COST_UNIT_ALU,	     [COST_MUL] = COST_UNIT_MUL,
	[COST_DIV] = COST_UNIT_DIV,	     [COST_LOAD] = COST_UNIT_MEMORY,
	[COST_STORE] = COST_UNIT_MEMORY,     [COST_AMO] = COST_UNIT_MEMORY,
	[COST_BRANCH] = COST_UNIT_BRANCH,    [COST_FP_ADD] = COST_UNIT_FP,
	[COST_FP_MUL] = COST_UNIT_FP,	     [COST_FP_FMA] = COST_UNIT_FP,
	[COST_FP_DIV] = COST_UNIT_FP_DIV,    [COST_FP_SQRT] = COST_UNIT_FP_DIV,
	[COST_FP_MISC] = COST_UNIT_FP,	     [COST_CSR] = COST_UNIT_SYSTEM,
	[COST_FENCE] = COST_UNIT_SYSTEM,     [COST_MUL_32] = COST_UNIT_MUL,
	[COST_DIV_32] = COST_UNIT_DIV,	     [COST_FP_ADD_32] = COST_UNIT_FP,
	[COST_FP_MUL_32] = COST_UNIT_FP,     [COST_FP_FMA_32] = COST_UNIT_FP,
	[COST_FP_DIV_32] = COST_UNIT_FP_DIV, [COST_FP_SQRT_32] = COST_UNIT_FP_DIV,
	[COST_FP_SIGN] = COST_UNIT_FP,	     [COST_FP_CONVERT] = COST_UNIT_FP,
	[COST_FP_MOVE] = COST_UNIT_FP,	     [COST_VSET] = COST_UNIT_ALU,
};

enum cost_stall pipeline_cause(const struct cost_insn *i)
{
	if (i->rd >= 32)
		return COST_WAIT_FP;
	return i->class == COST_LOAD ? COST_WAIT_LOAD : COST_WAIT_INT;
}
