// SPDX-License-Identifier: BSD-2-Clause
/*
 * guard.c - landing pads, and the look at each instruction (guard.h).
 *
 * Implements: Zicfilp 1.0 (Unpriv §33.1, Priv §22.1).
 */
#include "cluster.h"
#include "guard.h"
#include "hart.h"
#include "trigger.h"

bool guard_landing(const struct hart *h, unsigned mode)
{
	switch (mode) {
	case PRV_M:
		return h->mseccfg & MSECCFG_MLPE;
	case PRV_S:
		return h->menvcfg & MENVCFG_LPE;
	default:
		return h->senvcfg & MENVCFG_LPE;
	}
}

bool guard_needed(const struct hart *h)
{
	return guard_landing(h, h->mode) || h->trigger_kinds & MCONTROL6_EXECUTE;
}

/* lpad is auipc x0: aligned, and its label is 0 or the upper bits of x7. */
static bool lands(const struct hart *h, uint64_t pc, uint32_t raw)
{
	uint32_t label = raw >> 12;

	return (raw & 0xfff) == 0x17 && !(pc & 3) && (!label || label == (uint32_t)h->x[7] >> 12);
}

/* Whether the target of an indirect jump must be a landing pad: not a return, nor by x7. */
static bool expects(const struct insn *i)
{
	return i->op == ISA_jalr && i->rs1 != 1 && i->rs1 != 5 && i->rs1 != 7;
}

bool guard_passes(struct hart *h, uint64_t pc, const struct insn *i)
{
	if (h->trigger_kinds & MCONTROL6_EXECUTE &&
	    trigger_hits(h, pc, isa_length(i->raw), MCONTROL6_EXECUTE))
		return false;
	if (h->elp && !lands(h, pc, i->raw)) {
		h->fault = (struct fault){ CAUSE_SOFTWARE_CHECK, SOFTWARE_CHECK_LANDING_PAD };
		return false;
	}
	h->elp = expects(i) && guard_landing(h, h->mode);
	return true;
}
