/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ledger.h - when a level, or one bank of it, serves requests: rules G3 to G8 of
 * holter-model(7).
 */
#ifndef SECOND_LEDGER_H
#define SECOND_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

enum { PERIODS = 16, LEDGER_HARTS = 8 };

/* Cycles of a window that each hart got; the ring has it until another window takes its place. */
struct window_given {
	uint64_t window;
	uint64_t of[LEDGER_HARTS];
};

/* Rule G4: what is known of a hart. */
struct ledger_hart {
	unsigned n; /* periods of service, in the order of time */
	struct period {
		uint64_t from, to;
	} period[PERIODS];
	uint64_t front, wants;
	bool waited;
};

struct ledger {
	unsigned cycles; /* for which a line occupies the level; 0: no limit */
	unsigned harts;
	uint64_t quantum;
	uint64_t w, z; /* cycles of a window, windows in the ring */
	uint64_t newest;
	struct window_given *ring;
	struct ledger_hart hart[LEDGER_HARTS];
};

/* Of a level that so many harts share. */
void ledger_init(struct ledger *l, unsigned cycles, unsigned harts, uint64_t quantum);
/* A request of a hart comes at a time: returns the time at which its service begins. */
uint64_t ledger_turn(struct ledger *l, unsigned hart, uint64_t time);
void ledger_free(struct ledger *l);

#endif
