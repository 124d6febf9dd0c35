/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * decode.h - an instruction as the engine executes it (struct insn, block.h).
 */
#ifndef SIM_DECODE_H
#define SIM_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "bpred.h"
#include "isa.h"

struct cluster;
struct insn;

/*
 * The instruction raw, as harts of cl have it while shadow stacks are on or off, `at` bytes from
 * the start of its block.  op is ENGINE_ILLEGAL if they have none.
 */
void decode_insn(const struct cluster *cl, bool shadow_stacks, uint32_t raw, unsigned at,
		 struct insn *i);

/* A jump: which kind of transfer it is. */
enum bpred_kind decode_jump_kind(const struct insn *i);

/* A jump whose target the instruction does not tell. */
static inline bool decode_goes_anywhere(unsigned op)
{
	switch (op) {
	case ISA_jalr:
	case ISA_cm_popret:
	case ISA_cm_popretz:
	case ISA_cm_jt:
	case ISA_cm_jalt:
		return true;
	default:
		return false;
	}
}

/*
 * Whether a listener with these targets (listener.h) wants to know of a jal to target, whose offset
 * in its page suffices.
 */
bool decode_is_heard(const struct insn *jal, uint64_t target, const uint64_t *targets);

#endif
