/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timing.h - asks the models (model/) of one hart, and turns their answers into events and cycles.
 * timing.c and timing_data.c (dynamic costs), timing_run.c and timing_insn.c (static costs) define
 * its functions.
 *
 *	access, fetch, branch, page walk -> model -> answer: what happened, how many cycles
 *					   -> pmu_adds: totals;  wait_for: the countdown
 *
 * Static costs depend on the code and on the state of the pipeline before it
 * (model/pipeline/cost.h).  That state goes on from block to block.  While a run is on the engine,
 * the state is the run's: run.in, and what follows from it.  Between runs it is timing.state, a
 * number, or timing.pipe, if it has none.  So the costs of each run are computed once, and the
 * engine goes from run to run by links.
 *
 * Dynamic costs are stall cycles: misses, page walks, mispredictions.  They are subtracted from the
 * countdown when they are known; h->stop tells the engine to return after this instruction.
 * Accesses to L1D and lookups of the DTLB are counted from the code (event.def); timing_close
 * corrects the count of an access that made more or fewer.
 *
 * A load that misses does not stop the engine (model/pipeline/waits.h).  Until its data is there,
 * the engine calls timing_look before each instruction (h->stop = STOP_LOOK, then engine_body.h,
 * look).  In order, timing_look waits for the registers that the instruction needs.  Out of order,
 * it hides the instruction's static cost in the shadow of the load, and finds out when its operands
 * are there.  If no instruction may have to wait (waits_any), the engine runs without looks, at
 * full speed.  A division whose time depends on its operands is waited for like a load, for the
 * cycles that the static costs do not have (timing_divides).
 *
 * Fetches: the models of L1I and, with paging, of the ITLB are asked when the pc enters another
 * line.  What is due before an instruction (an interrupt, the end of a turn) comes first, then its
 * fetch, then the instruction, even if the fetch took long (h->pending_block).  The lines of a
 * superblock are fetched all at once, if this changes nothing but counts; timing_left takes back
 * those that were not reached.  In a page that is not cached (Svpbmt) each instruction is fetched
 * by itself (hart_fetch), past L1I.
 *
 * Functions that take a hart need h->timing.
 */
#ifndef SIM_TIMING_H
#define SIM_TIMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu_models.h"
#include "hart.h"
#include "isa.h"
#include "listener.h"
#include "vunit.h"
#include "waits.h"

/* Lookups that are counted from code; timing.seen has how many an access really made. */
enum timing_seen { SEEN_L1D_READ, SEEN_L1D_WRITE, SEEN_DTLB_READ, SEEN_DTLB_WRITE, SEEN_NR };

struct vector_memory;

/* A vector instruction under a vtype, as the model of the vector units sees it. */
struct timing_vector {
	uint64_t vtype;
	uint32_t insn; /* 0: none */
	uint32_t elements; /* of a load or store that accesses each alone; else 0 */
	struct vunit_work work;
};

#define TIMING_VECTORS_BITS 9
#define TIMING_VECTORS	    (1u << TIMING_VECTORS_BITS)

struct timing_fold;
#define TIMING_FOLDS	 256u
#define TIMING_FOLD_WAYS 2u
#define TIMING_LATES	 32u

/* State before the instructions that timing_pass examined; first: index of the first. */
struct timing_passed {
	unsigned first;
	uint64_t registers, divider, shadow, number, first_over;
};

struct timing {
	struct hierarchy *hierarchy; /* the caches of the machine */
	const struct cost *cost; /* the pipeline costs, the same for all harts */
	struct bpred bpred;
	struct waits waits; /* for memory */
	const struct vunit_config *vunit_config;
	struct vunit vunit; /* the vector units, if the hart has vectors */
	const struct vunit_work *vector; /* the current vector instruction, until it is done */
	struct timing_vector *vectors; /* TIMING_VECTORS of the last ones; NULL without vectors */
	struct timing_fold *folds; /* TIMING_FOLDS of the last ones; NULL without vectors */
	struct timing_fold *fold; /* the last one; NULL: something else has used the units since */
	uint64_t fold_number, fold_base; /* fold's number, and when its first instruction issued */
	uint64_t folded; /* how many folds there were */
	struct timing_fold *late[TIMING_LATES]; /* folds that vunit does not know yet */
	unsigned lates; /* the number of elements in late */
	uint64_t turns; /* how often a fold has executed */
	struct {
		unsigned at; /* the last instruction looked at, in its run */
		unsigned whole; /* those before it that timing_pass examined are hidden whole */
		unsigned more; /* how many that timing_pass examined the engine has yet to run */
		struct cost_sum all; /* the part of the static cost of all these that is hidden */
		struct timing_passed before; /* the state before these */
		struct cost_sum hidden; /* the part of at's static cost that is hidden */
		uint64_t address; /* when its operands are there; 0: from the beginning */
		uint64_t late; /* how much later than computed it has completed */
		bool translates; /* its address was late, and its translation made it later */
		bool shadowed; /* what timing_near_changed knows of the shadow */
		bool held; /* it has been examined, and runs next */
	} looked;
	uint32_t state; /* number of the pipeline's state between runs; STATES_NONE: see pipe */
	struct cost_pipe pipe; /* the state itself; while h->scratch runs, the state after it */
	struct cost_pipe start; /* while h->scratch runs, the state before it */
	uint64_t fetch_bias; /* physical minus virtual address, in the page of h->fetch_at */
	unsigned rare; /* BPRED_ bits of the last BLOCK_RARE */
	bool past_caches; /* the page of h->fetch_at is not cached */
	uint64_t walk; /* cycles of the accesses of the current page walk */
	int64_t seen[SEEN_NR]; /* lookups of the current access */
	uint8_t loads; /* cm.pop: the register that the current access loads; or 0 */
};

/* hart.branches_told: there is a listener, and tallies count what has no events of its own. */
#define BRANCHES_TALLIED 0x80

/* What an enum hierarchy_event is. */
enum event timing_memory_event(unsigned e);

/* ORDER: the rows WAIT_ of event.def have the order of enum cost_stall (asserted in timing.c). */
static inline enum event timing_stall_event(unsigned stall)
{
	return EVENT_WAIT_LOAD + stall;
}

/* No line has been fetched; h->fetch_same_page_mask, if each fetch must come to timing_enter. */
#define FETCH_NONE 1
#define FETCH_ALL  UINT64_MAX

/* Creates the models of all harts, if they are on.  False: no memory. */
bool timing_create(struct cluster *cl);
void timing_destroy(struct cluster *cl);
void timing_reset(struct hart *h);
bool timing_save(const struct hart *h, const struct stream *s);
bool timing_restore(struct hart *h, const struct stream *s);

/* A block ends before each multiple of this number of bytes, a power of two. */
unsigned timing_cut(const struct cluster *cl);

/* Computes the static cost of r, its state after it, and what is in r->before. */
void timing_sum(struct cluster *cl, struct block_run *r);

/* Computes the static cost of each instruction of r. */
void timing_each(const struct hart *h, const struct block_run *r, struct cost_sum each[]);

/* Computes the static cost of instruction n of r. */
void timing_cost_of(const struct hart *h, const struct block_run *r, unsigned n,
		    struct cost_sum *sum);

/* The static stalls of a run before an instruction, in cycles; after the last one, all of them. */
struct timing_stalls {
	uint16_t before[COST_STATIC_STALLS];
};

/* Sets r->stalls, if there is memory for it. */
void timing_know_stalls(struct hart *h, struct block_run *r);

/* The static stalls of instruction n of r. */
void timing_stalls_of(const struct hart *h, const struct block_run *r, unsigned n,
		      uint32_t stall[]);

/*
 * The engine leaves r after its first nr instructions: accounts for their cost.  timing_retire_head
 * and timing_retire_last: the same for all but the last instruction, and then for that one.
 */
void timing_retire(struct hart *h, const struct block_run *r, unsigned nr);
void timing_retire_head(struct hart *h, const struct block_run *r);
void timing_retire_last(struct hart *h, const struct block_run *r);

/* Makes the state after the first nr instructions of r the present one. */
void timing_behind(struct hart *h, const struct block_run *r, unsigned nr);

/*
 * r has come to its end (way: 1 if its branch was taken): makes the state after the transfer of
 * control the present one, and returns its number, or STATES_NONE.
 */
uint32_t timing_after(struct hart *h, struct block_run *r, unsigned way, unsigned outcome);

/*
 * Returns the run of b with the present state.  NULL: b is h->scratch, or no number or memory is
 * left for it (timing_tidy).
 */
struct block_run *timing_run(struct hart *h, struct block *b);

/* Puts b, which was fetched at h->pc, or its superblock into the jump cache. */
void timing_remember(struct hart *h, struct block *b);

/* Frees all runs and numbers of states, if there are too many.  Between runs, before a fetch. */
void timing_tidy(struct cluster *cl);

/*
 * Chooses how much of b, which is at h->pc, may run before limit cycles, most (> 0) instructions or
 * the overflow of a counter.  Returns a run of b, or of a prefix of it in h->scratch; *further is
 * the budget in cycles.
 */
struct block_run *timing_prepare(struct hart *h, struct block *b, uint64_t limit, uint64_t most,
				 uint64_t *further);

/* The next instruction begins a group: a trap, or a debugger has changed the pc. */
void timing_redirect(struct hart *h);

/* The front end delivers nothing for so many cycles.  Returns those that the hart is charged. */
unsigned timing_front_waits(struct hart *h, enum cost_front why, unsigned cycles);

/* What the model of the pipeline sees of an op: an operand is (number & bits) + from. */
struct timing_op {
	uint8_t class, late;
	uint8_t bytes; /* of a load or store with an offset; 0: another one */
	uint8_t other; /* the operand that is cost_insn.other: 1 rs1, 2 rs2; 0: none */
	bool vector; /* vunit.h; not what sets vtype */
	bool several; /* timing_micro_ops */
	bool timeless; /* does the same at any time, and cannot end its run */
	uint8_t bits[4], from[4]; /* rd, rs1, rs2, rs3: 0 if it has none */
};

extern const struct timing_op timing_op[ISA_NR];

static inline const struct timing_op *timing_op_of(const struct insn *i)
{
	return &timing_op[i->op < ISA_NR ? i->op : ISA_NONE]; /* an illegal one will not retire */
}

/* The register that an instruction writes; REG_SINK becomes COST_NO_REG. */
static inline unsigned timing_rd(const struct insn *i)
{
	const struct timing_op *op = timing_op_of(i);

	return (i->rd & op->bits[0]) + op->from[0];
}

/* An instruction as the model of the pipeline sees it. */
static inline struct cost_insn timing_insn(const struct insn *i)
{
	const struct timing_op *op = timing_op_of(i);

	return (struct cost_insn){
		.class = op->class,
		.rd = timing_rd(i),
		.rs1 = (i->rs1 & op->bits[1]) + op->from[1],
		.rs2 = (i->rs2 & op->bits[2]) + op->from[2],
		.rs3 = (i->rs3 & op->bits[3]) + op->from[3],
		.late = op->late,
		.other = op->other == 1	  ? i->rs1
			 : op->other == 2 ? i->rs2
					  : 0,
		.bytes = op->bytes,
		.moves = i->op == ISA_addi && i->rd == i->rs1,
		.offset = i->imm,
	};
}

/*
 * The micro-operations as which the pipeline executes instruction i, in their order; most are one.
 * Returns their number.
 */
#define TIMING_MICRO_OPS 16
unsigned timing_micro_ops(const struct insn *i, struct cost_insn op[TIMING_MICRO_OPS]);

/* The registers that an instruction reads before it writes them, and that it writes, as bits. */
struct timing_regs {
	uint64_t reads, writes;
};

/* Those of an instruction of several micro-operations. */
struct timing_regs timing_micro_regs(const struct insn *i);

/*
 * The first instruction of r after i that needs a register, not COST_NO_REG.  NULL: none, or the
 * time matters to one before it.
 */
const struct insn *timing_first_need(const struct block_run *r, const struct insn *i, unsigned reg);

/* By how many cycles division i, whose operands are in h->x, takes longer than its latency. */
unsigned timing_division(const struct hart *h, const struct insn *i);

/* The hart waits for so many cycles. */
void timing_wait_for(struct hart *h, enum cost_stall why, unsigned cycles);

/* Adds the events of an answer, except those in but, which are counted elsewhere. */
void timing_note(struct hart *h, const struct hierarchy_answer *a, uint64_t but);

/* Tells a profile that the cache hierarchy is about to be asked for the line of pa. */
static inline void timing_tell(struct hart *h, enum hierarchy_kind kind, uint64_t pa)
{
	if (h->listener && h->listener->accesses)
		h->listener->accesses(h, kind, pa);
}

/* wfi: empties the pipeline.  What was in flight is ready after it, and no cycle is charged. */
void timing_idle(struct hart *h);

/*
 * A debugger stops the hart before instruction n of b, which has been fetched: when the hart goes
 * on, that will not be done and counted again (h->pending_block).  After hart_leave_run.
 */
void timing_hold(struct hart *h, const struct block *b, unsigned n);

/*
 * The next instruction must fetch its line again.  timing_forget_fetch: after a change of mode or
 * translation.  timing_fence_i: after fence.i; it also empties L1I.
 */
void timing_forget_fetch(struct hart *h);
void timing_fence_i(struct hart *h);

/* To be called when translation or the watched events (pmu.h) may have changed. */
void timing_near_changed(struct hart *h);

/* Fetches the line of va, with its events, and translates va.  False: it faults (h->fault). */
bool timing_fetch(struct hart *h, uint64_t va, uint64_t *pa, bool *whole);

/* The same for b, which is at h->pc and known, and no superblock. */
bool timing_enter(struct hart *h, const struct block *b);

/*
 * Before the fetch of r: whether it needs only to be counted.  No fetch must be reported, and each
 * line of r is the one that L1I used last in its set, so that nothing changes; if r has one line,
 * L1I may have another place for it, and then uses it now.  r->seen keeps the result.
 */
bool timing_l1i_has(struct hart *h, struct block_run *r);

/*
 * The same for r at pc, in another page than the last fetch.  True: the ITLB has the page, and sees
 * that it is used.  False: nothing has changed.
 */
bool timing_page_has(struct hart *h, struct block_run *r, uint64_t pc);

/* The engine leaves r, which is at pc, at instruction n: takes back the fetches of later lines. */
void timing_left(struct hart *h, const struct block_run *r, uint64_t pc, unsigned n);

/*
 * Before the engine runs instruction i of r while something waits for data (timing_looks): if the
 * instruction needs data, it waits.  Returns false if nothing waited any more.  The next
 * timing.looked.more instructions need no look.
 */
bool timing_look(struct hart *h, struct block_run *r, const struct insn *i);

static inline bool timing_looked_already(struct hart *h)
{
	struct timing *t = h->timing;

	if (!t->looked.more)
		return false;
	t->looked.more--;
	return true;
}

/* The engine starts: whether it must look at each instruction. */
bool timing_looks(struct hart *h);

/* The engine leaves r after nr instructions, perhaps before the last one looked at. */
void timing_looked_only(struct hart *h, const struct block_run *r, unsigned nr);

/* Out of order: nothing more is dispatched until all before has retired. */
void timing_stands(struct hart *h);

/* A debugger stopped before this instruction; do not examine it again. */
void timing_look_again(struct hart *h);

/*
 * If h->divides: instruction i of r is an integer division, and is about to execute.  Sets h->stop
 * if its result or the divider will be waited for.
 */
void timing_divides(struct hart *h, const struct block_run *r, const struct insn *i);

/* The time of a fetch, or of an access of the current instruction. */
uint64_t timing_at(const struct hart *h);

/* A second-level TLB hit, or a page walk, for the current access took so many cycles. */
void timing_translated(struct hart *h, enum access access, unsigned cycles);

/*
 * timing_open comes before an access of instruction i that leaves the engine, timing_close after
 * it; h->run and h->at are set.  ok: i retires.  Between them: timing_data for an access to RAM
 * or past the caches, timing_cbo for cbo.*.
 */
void timing_open(struct hart *h);
void timing_close(struct hart *h, const struct insn *i, bool ok);
void timing_data(struct hart *h, enum hierarchy_kind kind, uint64_t pa, unsigned bytes);
void timing_cbo(struct hart *h, uint64_t pa);

/*
 * Between timing_open and timing_close.  timing_table: cm.jt and cm.jalt have translated the
 * address of their entry, and fetch its line at pa.  timing_returns: cm.popret has loaded ra, and
 * needs it.
 */
void timing_table(struct hart *h, uint64_t pa);
void timing_returns(struct hart *h);

/* An access to pa that hit in the software TLB, but not in L1D; h->run and h->at are set. */
void timing_soft(struct hart *h, enum hierarchy_kind kind, uint64_t pa);

/*
 * Vector instructions, legal ones, h->at in h->run.  timing_vector_computes: one that computes, and
 * has done so; its vstart is 0 again.  timing_vector_accesses: a load or store, before its first
 * access; timing_vector_done after its last one, unless it faults.
 */
void timing_vector_computes(struct hart *h);
void timing_vector_accesses(struct hart *h, const struct vector_memory *m);
void timing_vector_done(struct hart *h);

/*
 * Between these two, without timing_open and timing_close, if h->counts_elements is false: it has
 * accessed so many lines of L1D, which all hit in the software TLB.
 */
void timing_vector_lines(struct hart *h, bool store, unsigned nr);

/* Does the work of the three functions above, if all nr lines hit in L1D. */
void timing_vector_hits(struct hart *h, const struct vector_memory *m, unsigned nr);

/* fence: waits for all loads and stores; h->run and h->at are set. */
void timing_drain(struct hart *h);

/* Called by mmu.c: at a lookup of a TLB, for each entry that a page walk reads, after the walk. */
void timing_lookup(struct hart *h, enum access access, enum tlb_answer answer);
void timing_walk_read(struct hart *h, uint64_t pa);
void timing_walked(struct hart *h, enum access access);

/* Called by hart_sync: adds the events of branches that the engine has counted. */
void timing_sync(struct hart *h);

/*
 * Accounts for the events of a jump or branch at pc that is wrong in more than its direction, or of
 * all of them if h->branches_told.  The engine counts the others itself (transferred).  Returns
 * the outcome; r->way_cycles has its cycles.
 */
enum block_outcome timing_branch(struct hart *h, struct block_run *r, uint64_t pc, bool taken,
				 unsigned wrong);

/* Recomputes r's BLOCK_RARE entries for these BPRED_ bits. */
void timing_rare(const struct hart *h, struct block_run *r, bool taken, unsigned wrong);

/* Returns how many of the static cycles of a transfer of control are charged now. */
unsigned timing_branch_charged(struct hart *h, unsigned wrong, unsigned cycles);

/* Whether timing_branch must see each branch may have changed. */
void timing_told(struct hart *h);

#endif
