/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * listener.h - callbacks of a hart.  A profile (struct listener) hears what harts do; a recorder
 * (struct recorder) hears what their models are asked; a debugger (struct debugger) can stop them.
 * Harts know nothing else about the three.
 */
#ifndef SIM_LISTENER_H
#define SIM_LISTENER_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "hierarchy.h"
#include "mmu.h"

struct block;
struct block_run;
struct cluster;
struct hart;
struct tally;
struct tally_key;
struct tlb_entry;

/*
 * A profile.  A hart calls these functions if h->listener (or cl->listener) is not NULL; those that
 * tell of runs, of their places and of their code only if `runs` is set.
 */
struct listener {
	/* place, ran, once, part, unfetched, fetched, code_written and flush are called. */
	bool runs;
	/* The engine starts with the block at h->pc. */
	void (*enter)(struct hart *h);
	/*
	 * Returns the key of what is counted from now on, until the next call of enter or jumped,
	 * or a change of the mode or of what is translated.
	 */
	const struct tally_key *(*key)(struct hart *h);
	/* A tally of h->key becomes active: returns its place (tally.h). */
	void *(*place)(struct hart *h, const struct tally *t);
	/* This is what an active tally has counted; afterwards it is not active. */
	void (*ran)(struct hart *h, const struct tally *t);
	/* r, of h->scratch, has come to its end. */
	void (*once)(struct hart *h, const struct block_run *r, bool taken);
	/* Instructions `from` to `to` - 1 of the current run have retired, at their static cost. */
	void (*part)(struct hart *h, const struct block_run *r, unsigned from, unsigned to);
	/* With models: instruction n of the current run, and its lines of L1I, are not reached. */
	void (*unfetched)(struct hart *h, const struct block_run *r, unsigned n);
	/*
	 * The current run has ended with a call, a return, an indirect jump, or a jump to one of
	 * `targets`, to target.
	 */
	void (*jumped)(struct hart *h, const struct block_run *r, uint64_t target);
	/* Bits of the half-words of a page, PAGE_SIZE / 2 of them; NULL: none. */
	const uint64_t *targets;
	/* Code in the page of RAM at pa is about to run at h->pc: the jump cache misses. */
	void (*fetched)(struct hart *h, uint64_t pa);
	/*
	 * An event of the current instruction: h->at in h->run, or the one at h->pc.  If `runs` is
	 * not set, only of instructions at h->pc: h->run is NULL.
	 */
	void (*adds)(struct hart *h, enum event e, uint64_t n);
	/* The current instruction, as for adds, for a later call of credits. */
	void *(*here)(struct hart *h);
	/* An event of the instruction for which here has returned this.  NULL: the current one. */
	void (*credits)(struct hart *h, void *here, enum event e, uint64_t n);
	/*
	 * NULL, or: the models are about to be asked for the line of pa, for the current
	 * instruction.  The events that they answer with come next.
	 */
	void (*accesses)(struct hart *h, enum hierarchy_kind kind, uint64_t pa);
	/* A write to the page of RAM at pa has changed code. */
	void (*code_written)(struct cluster *cl, uint64_t pa);
	/* All blocks are about to be freed. */
	void (*flush)(struct cluster *cl);
	/* h->now has reached h->tick, between instructions.  Sets the next tick. */
	void (*ticks)(struct hart *h);
};

static inline bool listener_hears_runs(const struct listener *l)
{
	return l && l->runs;
}

/* Whether l, of a hart that has this run, is told of events. */
static inline bool listener_hears_events(const struct listener *l, const struct block_run *run)
{
	return l && (l->runs || !run);
}

/* An exception or interrupt that has been taken: from where, and why. */
struct trap_entry {
	bool interrupt;
	unsigned mode, cause;
	uint64_t pc, tval;
};

/*
 * A recorder.  Harts call these functions if cl->recorder is not NULL.  cl->paranoid is set then,
 * and no access hits in a software TLB.  Between begins and ends, or an exception, the hart
 * executes one instruction.
 */
struct recorder {
	/* The turn of the hart begins; it lasts until this cycle. */
	void (*turns)(struct hart *h, uint64_t end);
	/* wfi: the hart waits no longer. */
	void (*wakes)(struct hart *h);
	/* The first instruction of b has been fetched at h->pc; the engine is about to run it. */
	void (*begins)(struct hart *h, const struct block *b);
	/* It is a conditional branch. */
	void (*branched)(struct hart *h, bool taken);
	/* The engine has returned; it has retired, unless traps has been called since begins. */
	void (*ends)(struct hart *h);
	/* The hart has entered the handler.  An exception that no begins precedes is a fetch's. */
	void (*traps)(struct hart *h, const struct trap_entry *t);
	void (*csr_written)(struct hart *h, unsigned num, uint64_t written, uint64_t before,
			    uint64_t after);
	/* sfence.vma; see mmu_fence. */
	void (*fenced)(struct hart *h, const uint64_t *va, const uint64_t *asid);
	/* A page walk reads an entry; it has ended (leaf NULL: it faults); before translated. */
	void (*walk_reads)(struct hart *h, uint64_t pa, uint64_t pte);
	void (*walked)(struct hart *h, uint64_t va, enum access access,
		       const struct tlb_entry *leaf);
	/* The end of mmu_translate.  pa NULL: it faults. */
	void (*translated)(struct hart *h, uint64_t va, unsigned bytes, enum access access,
			   unsigned mode, const uint64_t *pa);
	/* If h->divides: an integer division is about to execute; its operands. */
	void (*divides)(struct hart *h, uint64_t dividend, uint64_t divisor);
	/*
	 * A vector instruction, not one that sets vtype: begins: it is about to access so many
	 * elements.  Otherwise it has worked on them, `used` of which were active.
	 */
	void (*vectored)(struct hart *h, bool begins, unsigned nr, unsigned used);
	/* Data at pa, which has been translated, is accessed; past: not through the caches. */
	void (*reached)(struct hart *h, uint64_t pa, bool past);
};

/* Kinds of access. */
#define DEBUG_READS  1
#define DEBUG_WRITES 2

/* A debugger.  Called if cl->debugged is set, the watch functions if cl->watched is set. */
struct debugger {
	/*
	 * before: the hart is about to execute an instruction.  interrupted: it has just taken an
	 * interrupt.  after: the engine has returned; moved: an instruction has retired or
	 * trapped.  True: the machine has stopped, and hart_run must return.
	 */
	bool (*before)(struct hart *h, bool interrupted);
	bool (*after)(struct hart *h, bool moved);
	/*
	 * How many instructions, at most limit, may run from h->pc on before the hart must call
	 * `before` again.  b is the block at h->pc.
	 */
	uint64_t (*limit)(const struct hart *h, const struct block *b, uint64_t limit);
	/* Whether there is a breakpoint, or a watchpoint, in the page of va. */
	bool (*breaks_page)(const struct cluster *cl, uint64_t va);
	bool (*watches_page)(const struct cluster *cl, uint64_t va);
	/*
	 * The current instruction is about to access bytes at va; kinds are DEBUG_READS and
	 * DEBUG_WRITES.  True: a watchpoint matches; the access must not happen, and `after` stops
	 * the machine.  A watchpoint comes before all exceptions of the access (Priv 1.13 §3.1.15).
	 */
	bool (*watches)(struct hart *h, uint64_t va, unsigned bytes, unsigned kinds);
};

#endif
