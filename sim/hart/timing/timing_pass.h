/* SPDX-License-Identifier: BSD-2-Clause */
/* timing_pass.h - instructions that need nothing that waits; private to this folder. */
#ifndef SIM_TIMING_PASS_H
#define SIM_TIMING_PASS_H

#include "timing.h"

/* Sets r->reads, writes and passes: a run all of whose instructions pass is looked at once. */
void timing_pass_sum(struct block_run *r);

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
