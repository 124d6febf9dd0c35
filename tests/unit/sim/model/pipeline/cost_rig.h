/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * cost_rig.h - what tests of both pipelines know by themselves: the unit of each class.
 */
#ifndef COST_RIG_H
#define COST_RIG_H

#include "cost.h"

static inline unsigned unit_of(unsigned class)
{
	switch (class) {
	case COST_ALU:
		return COST_UNIT_ALU;
	case COST_MUL:
		return COST_UNIT_MUL;
	case COST_DIV:
		return COST_UNIT_DIV;
	case COST_LOAD:
	case COST_STORE:
	case COST_AMO:
		return COST_UNIT_MEMORY;
	case COST_BRANCH:
		return COST_UNIT_BRANCH;
	case COST_FP_DIV:
	case COST_FP_SQRT:
		return COST_UNIT_FP_DIV;
	case COST_CSR:
	case COST_FENCE:
		return COST_UNIT_SYSTEM;
	default:
		return COST_UNIT_FP;
	}
}

#endif
