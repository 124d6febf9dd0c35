/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pipe.h - holter-model(7), PIPELINE: the pipeline of a hart, which issues in order (pipe.c) or
 * out of order (window.c).
 *
 * An instruction is planned first and committed when it retires, because what it waits for in
 * memory depends on the cycle in which it would issue, and an instruction that traps changes
 * nothing here.
 */
#ifndef SECOND_PIPE_H
#define SECOND_PIPE_H

#include "cpu.h"
#include "decode.h"
#include "event.h"
#include "late.h"

enum {
	FLIGHTS_MAX = 1024, /* rule W5: 64 cycles of `width` instructions */
	CAUSES = 2,
};

/* An instruction that has been dispatched, and is not over. */
struct flight {
	unsigned unit;
	uint64_t issue, end, retire; /* end: its unit is free again */
};

/* The state of rules W1 to W12. */
struct window {
	uint64_t d, r; /* cycle of dispatch, time of retirement */
	unsigned g; /* dispatched in d */
	uint64_t last; /* C of the last instruction */
	unsigned n;
	struct flight flight[FLIGHTS_MAX];
	struct lates lates;
};

/* Rule P1. */
struct pipe {
	const struct cpu_pipeline *is;
	uint64_t c;
	unsigned n, used[UNITS];
	uint64_t free[UNITS], ready[REGS], issued[REGS]; /* rule P14 */
	enum event cause[REGS];
	bool late; /* rule P14: the last instruction is */
	struct window window;
};

/* What becomes of an instruction when it retires. */
struct plan {
	uint64_t cost; /* static cost */
	struct {
		enum event cause;
		uint64_t cycles;
	} waits[CAUSES]; /* in the order of rule O1 */
	uint64_t issue; /* in order: its cycle */
	bool joins; /* a group that is open */
	bool late; /* rule P14 */
	uint64_t d, r; /* out of order */
	unsigned g;
	struct flight flight;
	uint64_t complete;
};

/* Why the front end delivers nothing. */
enum front { FRONT_TAKEN, FRONT_MISPREDICTED, FRONT_FETCH, FRONT_TRAP };

void pipe_init(struct pipe *p, const struct cpu_pipeline *is);
/* Rules P3 to P7, or W1 to W9. */
struct plan pipe_plan(const struct pipe *p, const struct insn *i);
/* Counts the causes of its waiting, but for the first `hidden` cycles (rule O1). */
void pipe_commit(struct pipe *p, const struct insn *i, const struct plan *plan, uint64_t hidden,
		 struct totals *t);
/* Rules P8, W10: for w cycles.  Returns the cycles that the hart is charged. */
uint64_t pipe_front(struct pipe *p, enum front why, uint64_t w);

/* The same out of order. */
struct plan window_plan(const struct pipe *p, const struct insn *i);
void window_commit(struct pipe *p, const struct insn *i, const struct plan *plan);
uint64_t window_front(struct pipe *p, enum front why, uint64_t w);

/* Rule P12. */
unsigned unit_of(enum class class);
/* Classes csr and fence. */
bool is_serial(enum class class);
/* Rule P5: the event of waiting for what the instruction writes. */
enum event cause_of(const struct insn *i);

#endif
