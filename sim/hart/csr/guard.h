/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * guard.h - what is looked at before each instruction, while h->guarded is set: landing pads
 * (Zicfilp) and triggers that watch code (trigger.h).  A hart that uses neither pays nothing: the
 * engine takes another table of labels, in which each instruction comes here first, and native code
 * does not run.
 */
#ifndef SIM_GUARD_H
#define SIM_GUARD_H

#include <stdbool.h>
#include <stdint.h>

struct hart;
struct insn;

/* Whether landing pads are on in this mode. */
bool guard_landing(const struct hart *h, unsigned mode);

/* Whether instructions of the current mode must be looked at. */
bool guard_needed(const struct hart *h);

/* Instruction i at pc is the next one.  False: it traps, and has not been executed (h->fault). */
bool guard_passes(struct hart *h, uint64_t pc, const struct insn *i);

#endif
