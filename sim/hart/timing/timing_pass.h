/* SPDX-License-Identifier: BSD-2-Clause */
/* timing_pass.h - instructions that pass what waits; a private matter of this folder. */
#ifndef SIM_TIMING_PASS_H
#define SIM_TIMING_PASS_H

#include "timing.h"

/*
 * Out of order, while something waits: looks at instruction i of r, and at those behind it that
 * execute the same at any time, as long as nothing that they need waits and there is room in the
 * window.  Returns false if i needs more than this; nothing has changed then but what waits_settle
 * does.
 */
bool timing_pass(struct hart *h, const struct block_run *r, const struct insn *i);

#endif
