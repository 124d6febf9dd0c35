/* SPDX-License-Identifier: BSD-2-Clause */
/* timing_fold.h - the time of several vector instructions at once. */
#ifndef SIM_TIMING_FOLD_H
#define SIM_TIMING_FOLD_H

#include "timing.h"

/*
 * Does what timing_vector_computes does for each of nr consecutive vector instructions of r that
 * compute; i is the first.  False: nothing has changed.
 */
bool timing_vectors(struct hart *h, const struct block_run *r, const struct insn *i, unsigned nr);

/*
 * For files of this folder: writes the changes of late folds.  To be called before t->vunit is
 * used, if t->lates.
 */
void timing_fold_settle(struct timing *t);

extern const size_t timing_fold_bytes; /* the size of a struct timing_fold */

#endif
