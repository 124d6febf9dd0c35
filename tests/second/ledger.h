/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ledger.h - the turns that a level gives to requests: rules R19 to R21 of holter-model(7).
 */
#ifndef SECOND_LEDGER_H
#define SECOND_LEDGER_H

#include <stdint.h>

enum { PERIODS = 16 };

/* The level of one hart: an exact queue. */
struct ledger {
	unsigned cycles; /* for which a line occupies the level; 0: no limit */
	unsigned n; /* periods of service, the last one at the end */
	struct period {
		uint64_t from, to;
	} period[PERIODS];
};

/* The time at which the turn of a request begins that comes at a time. */
uint64_t ledger_turn(struct ledger *l, uint64_t time);

#endif
