/* SPDX-License-Identifier: BSD-2-Clause */
/* timing_fold.h - writes postponed vector-unit updates; private to this folder. */
#ifndef SIM_TIMING_FOLD_H
#define SIM_TIMING_FOLD_H

struct timing;

/* Must be called before t->vunit is used, if t->lates. */
void timing_fold_settle(struct timing *t);

#endif
