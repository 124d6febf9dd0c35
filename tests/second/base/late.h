/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * late.h - holter-model(7), rules W12 and O11: stores whose data is late, and the loads that read
 * what they store.  The two rules have a list each, with times of their own.
 */
#ifndef SECOND_LATE_H
#define SECOND_LATE_H

#include "decode.h"

enum { LATES_MAX = 8 };

struct late {
	struct memory_operand at;
	uint64_t time;
	unsigned place; /* rule O11: enum place */
};

struct lates {
	unsigned n;
	struct late store[LATES_MAX]; /* in the order in which they entered */
};

/* The last one that meets an operand; NULL: none does. */
const struct late *late_find(const struct lates *l, const struct memory_operand *o);
/* Those that meet an operand leave. */
void late_leave_met(struct lates *l, const struct memory_operand *o);
/* Those whose time is not later leave; if the list is full, the first one does; then *e enters. */
void late_enter(struct lates *l, int64_t time, const struct late *e);
/* W12, 3: what the instruction writes is the base of no operand any more, or is another base. */
void late_written(struct lates *l, const struct insn *i);

#endif
