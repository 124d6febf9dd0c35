/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timing_fold.h - the time of vector instructions in a row, as timing_vectors (timing.h) needs it;
 * a private matter of timing_data.c and timing_fold.c.
 */
#ifndef SIM_TIMING_FOLD_H
#define SIM_TIMING_FOLD_H

#include "timing.h"

struct timing_fold;

/*
 * The case of nr instructions of r from i on, of which the first issues at base, if nothing waits
 * for lines of memory.  h->run is r.  NULL: the units are too far behind.
 */
struct timing_fold *timing_fold_of(struct hart *h, const struct insn *i, unsigned nr,
				   uint64_t base);

/* How many cycles its instructions wait. */
uint32_t timing_fold_waits(const struct timing_fold *f);

/* They execute. */
void timing_fold_execute(struct hart *h, struct timing_fold *f, uint64_t base);

#endif
