/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * machine.h - the state of all models of a machine.
 */
#ifndef SECOND_MACHINE_H
#define SECOND_MACHINE_H

#include "branch.h"
#include "cache.h"
#include "event.h"
#include "ledger.h"
#include "memtime.h"
#include "pipe.h"
#include "rows.h"
#include "tlb.h"
#include "vector.h"

/* Rule M8. */
enum { MISSES_MAX = 32 };
struct miss {
	uint64_t end, duration;
};

/* Rule C19: a stream of stores. */
struct stores {
	uint64_t line;
	int step;
	unsigned run;
};

struct hart {
	unsigned number;
	struct totals totals; /* and the mode */
	uint64_t clock; /* rule H2 */
	bool idle; /* rule H5: since wfi, until its next turn or WAKE sets its clock */
	uint64_t
		cost; /* static cost of the instruction that is being executed, until it is taken */
	uint64_t shadow; /* rule O1; 0 in order */
	uint64_t satp;
	bool sse_s, sse_u; /* shadow stacks are on in S-mode, U-mode */
	bool has_line; /* rule F2: the line fetched last, virtual */
	uint64_t line;
	struct cache l1i, l1d, l2;
	struct ledger l2_turns[BANKS_MAX];
	uint64_t latest_turn; /* rule M16: the latest begin of a service of this access */
	struct miss miss[MISSES_MAX];
	struct stores stores; /* rule C19 */
	struct tlb itlb, dtlb, stlb;
	struct branch branch;
	struct pipe pipe;
	struct memtime memtime;
	struct vector_units vector;
	bool is_vector; /* the instruction that is being executed */
	bool is_table; /* it is one that rule F8 names */
};

struct machine {
	struct cpu cpu;
	uint64_t ram, ram_size, seed;
	unsigned harts;
	struct hart *hart;
	struct cache ll;
	struct ledger ll_turns[BANKS_MAX], bus_turns;
	struct rows rows; /* rule M17 */
	unsigned complaints; /* the trace says what cannot be */
};

static inline bool is_ram(const struct machine *m, uint64_t pa)
{
	return pa >= m->ram && pa - m->ram < m->ram_size;
}

#endif
