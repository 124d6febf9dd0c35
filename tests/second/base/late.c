// SPDX-License-Identifier: BSD-2-Clause
/*
 * late.c - the lists of rules W12 and O11 of holter-model(7).
 */
#include <stddef.h>

#include "late.h"

static bool meet(const struct memory_operand *a, const struct memory_operand *b)
{
	return a->bytes && b->bytes && a->base == b->base && a->offset < b->offset + b->bytes &&
	       b->offset < a->offset + a->bytes;
}

const struct late *late_find(const struct lates *l, const struct memory_operand *o)
{
	for (unsigned n = l->n; n--;)
		if (meet(&l->store[n].at, o))
			return &l->store[n];
	return NULL;
}

void late_leave_met(struct lates *l, const struct memory_operand *o)
{
	unsigned left = 0;

	for (unsigned n = 0; n < l->n; n++)
		if (!meet(&l->store[n].at, o))
			l->store[left++] = l->store[n];
	l->n = left;
}

void late_enter(struct lates *l, int64_t time, const struct late *e)
{
	unsigned left = 0;

	for (unsigned n = 0; n < l->n; n++)
		if ((int64_t)l->store[n].time > time)
			l->store[left++] = l->store[n];
	if (left == LATES_MAX) {
		for (unsigned n = 1; n < left; n++)
			l->store[n - 1] = l->store[n];
		left--;
	}
	l->store[left++] = *e;
	l->n = left;
}

void late_written(struct lates *l, const struct insn *i)
{
	const uint64_t writes = 1ull << i->rd | i->more_writes | i->ready_at_once;
	unsigned left = 0;

	for (unsigned n = 0; n < l->n; n++) {
		struct late e = l->store[n];

		if (e.at.base && writes >> e.at.base & 1) {
			if (!i->steps)
				continue;
			e.at.offset -= i->step;
		}
		l->store[left++] = e;
	}
	l->n = left;
}
