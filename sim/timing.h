/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timing.h - the models (model/) behind one hart: what accesses, fetches and transfers cost it, and
 * the events that come of them.
 *
 * Static costs.  A run, as model/cost.h has it, begins where control comes from elsewhere: at the
 * target of a transfer or a trap, after a branch that was not taken, after a CSR or system
 * instruction and the fences that end a block (block_ends); and it begins at each boundary of
 * timing_cut() bytes, at an instruction that straddles one, and after that.  A block is a run, or
 * the end of one, and a whole (block.h) is several; where the engine leaves a run in its middle,
 * the pipe is kept for whoever goes on there.
 *
 * Dynamic costs are taken from the countdown at once, while events are added; h->stop then says
 * that the engine has to leave after this instruction.  What instructions ask of L1D and of the
 * DTLB is counted from the code (event.def), and corrected where an access was not just that.
 *
 * Fetches: L1I, and the ITLB where code is translated, are asked when the pc comes to another line
 * than the last one.  First comes what is due before an instruction, then its fetch, then the
 * instruction, whatever the fetch took (h->ready).  Lines of which a fetch would change nothing but
 * a count are fetched for a whole at once, and taken back if it is left before them.  From a page
 * that is not cached (Svpbmt) instructions come one by one (hart_fetch), and their lines past L1I.
 *
 * Everything here is for harts with h->timing, but for timing_create and its like.
 */
#ifndef SIM_TIMING_H
#define SIM_TIMING_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu_models.h"
#include "hart.h"

/* Accesses that code counts; what has really been asked. */
enum timing_seen { SEEN_L1D_READ, SEEN_L1D_WRITE, SEEN_DTLB_READ, SEEN_DTLB_WRITE, SEEN_NR };

struct timing {
	struct memory *memory; /* the machine's */
	const struct cost *cost; /* the machine's */
	struct bpred bpred;
	struct cost_stores stores;
	struct cost_pipe pipe; /* of the run, up to here */
	struct cost_pipe start; /* if resumed: where h->scratch begins */
	bool inside; /* the next instruction may go on with pipe */
	bool resumed;
	uint64_t
		fetch_bias; /* physical addresses of code less its own, in the page of h->fetch_at */
	bool past_caches; /* where h->fetch_at is */
	uint64_t walk; /* cycles of the walk under way, for its accesses */
	int64_t seen[SEEN_NR]; /* by the access under way */
};

/* What an enum memory_event is. */
enum event timing_memory_event(unsigned e);

/* No line has been fetched; h->fetch_near, if each fetch must come to timing_enter. */
#define FETCH_NONE 1
#define FETCH_ALL  UINT64_MAX

/* For all harts, from the machine's CPU, if models are on.  False: no memory. */
bool timing_create(struct machine *m);
void timing_destroy(struct machine *m);
uint64_t timing_bytes(const struct machine *m); /* that the models take, but for TLBs */
void timing_reset(struct hart *h);
bool timing_save(const struct hart *h, const struct stream *s);
bool timing_restore(struct hart *h, const struct stream *s);

/* Blocks end before a multiple of this; a power of two. */
unsigned timing_cut(const struct machine *m);

/* What a block costs from the beginning of a run. */
void timing_sum(const struct machine *m, struct block *b);

/* What each instruction of b costs: all that b does, or what it will as h->scratch. */
void timing_each(const struct hart *h, const struct block *b, struct cost_sum each[]);

/* Of b, which is being left, instructions from to to - 1 have retired. */
void timing_retire(struct hart *h, const struct block *b, unsigned from, unsigned to);

/*
 * The same of all of b but its last instruction, and then of that, with which a run ends: nothing
 * has to be kept of what was in flight.
 */
void timing_retire_head(struct hart *h, const struct block *b);
void timing_retire_last(struct hart *h, const struct block *b);

/*
 * What to run of b, which is at h->pc: b, or its beginning in h->scratch, until the first of limit
 * cycles, most (> 0) instructions or the overflow of a counter.  *further: the countdown.
 */
struct block *timing_prepare(struct hart *h, struct block *b, uint64_t limit, uint64_t most,
			     uint64_t *further);

/* What is about to run is the beginning of a run (a trap; a debugger has moved the pc). */
void timing_begin_run(struct hart *h);

/*
 * A debugger stops the hart before instruction n of b, which has been fetched: when the hart goes
 * on, that will not be done and counted again (h->ready).  After hart_leave_block.
 */
void timing_hold(struct hart *h, const struct block *b, unsigned n);

/* Lines must be fetched anew: translation or mode have changed; by fence.i, and L1I is empty. */
void timing_forget_fetch(struct hart *h);
void timing_fence_i(struct hart *h);

/* Translation, or which events a counter waits for, may be another. */
void timing_near_changed(struct hart *h);

/* The physical address of code at va, after what fetching counts.  False: h->fault. */
bool timing_fetch(struct hart *h, uint64_t va, uint64_t *pa, bool *whole);

/* The same for b, which is at h->pc and known, and no whole. */
bool timing_enter(struct hart *h, const struct block *b);

/*
 * Whether all lines of b are those that L1I used last in their sets, so that to fetch them changes
 * nothing there, and nobody has to be told; b->seen remembers it.
 */
bool timing_l1i_has(struct hart *h, struct block *b);

/* b, which is at pc and all of which has been fetched, is left at instruction n. */
void timing_left(struct hart *h, const struct block *b, uint64_t pc, unsigned n);

/*
 * Around an access out of the engine by instruction i, h->block and h->at being set: ok, it
 * retires.  Between them: an access to RAM or past the caches; cbo.*.
 */
void timing_open(struct hart *h);
void timing_close(struct hart *h, const struct insn *i, bool ok);
void timing_data(struct hart *h, enum memory_kind kind, uint64_t pa, unsigned bytes);
void timing_cbo(struct hart *h, uint64_t pa);

/* An access by soft line l to pa that did not hit at once; h->block and h->at are set. */
void timing_soft(struct hart *h, enum memory_kind kind, uint64_t pa);

/* fence: h->block and h->at are set. */
void timing_drain(struct hart *h);

/* mmu.c: a lookup of a TLB; an entry of a table that a walk reads; the end of the walk. */
void timing_lookup(struct hart *h, enum access access, enum tlb_answer answer);
void timing_walk_read(struct hart *h, uint64_t pa);
void timing_walked(struct hart *h, enum access access);

/* hart_sync: what the engine has only counted becomes events. */
void timing_sync(struct hart *h);

/*
 * A transfer at pc of which more is wrong than its direction, or of which each is told: the
 * engine counts the others itself (hart.directions).
 */
void timing_branch(struct hart *h, uint64_t pc, bool taken, unsigned wrong);

/* jal, jalr: which kind of transfer it is. */
enum bpred_kind timing_jump_kind(const struct insn *i);

#endif
