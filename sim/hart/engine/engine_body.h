/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * engine_body.h - the engine: runs predecoded blocks (engine.h, block.h).
 *
 *	hart_run has fetched a block, r is its run, and has set h->countdown, the budget.
 *
 *	for (;;) {
 *		for (i = r->insn; i->op != ENGINE_END; i++) {		op/
 *			execute i;
 *			if (it faults or it has set h->stop)
 *				return;					leave_run
 *		}
 *		h->countdown -= r->nr;					GO
 *		if (h->counts_code)
 *			count that r has run;				pmu_add_run
 *		r = r->to[taken][wrong];				GO
 *		    if there is none, by the jump cache			lookup
 *		    or else by hart_fetch				find
 *		if (h->countdown < r->nr)
 *			return;						ENGINE(leave)
 *	}
 *
 * All this is one function with one label for each instruction.  A run that executes often has
 * native code: native_run then takes the place of the loop, and returns to one of the labels
 * (native.h).  The bodies of instructions are in op/, for both.  They are written with these macros
 * (here and op/words.h):
 *
 *	OP(name)			the label of the instruction
 *	NEXT				goes to the next instruction of the block
 *	GO, GO_ANYWHERE, BRANCH		end the block and go to the next one
 *	RD RS1 RS2 IMM FRD FRS1 S1 ...	operands
 *	READ WRITE AMO			access memory (engine_access.h)
 *	FP_ON				traps if floating point is off
 *	FP_RM				the same; sets rm to the rounding mode
 *
 * Between two blocks there is one check: does the countdown allow all of the next one?  A block
 * that comes to its end is counted (GO); when the engine leaves it earlier, hart_leave_run adds the
 * events of its first instructions.  A fetch can count events and fault.  So the engine fetches
 * only if the countdown allows one more instruction: otherwise an interrupt or another hart's turn
 * may come first.  h->stop is checked only after what can set it: accesses that missed the software
 * TLB, CSR writes, fetches; with models also accesses that missed the L0 hit table, and divisions.
 *
 * This file is compiled twice.  In engine.c timed is false.  In engine_timed.c it is true, for
 * harts with models (timing.h), and four things differ:
 *  - The countdown is in cycles.  The static cycles of a run are subtracted when it begins.  All
 *    of a run runs only if cycles are left after it, because its last instructions may take none.
 *  - A successor is a run that begins with the state of the pipeline in which r ends, which depends
 *    on the prediction.  On slow paths the state is kept in h->timing (timing_after).
 *  - Before a block the engine asks the model of L1I for its lines (fetched); if they are not those
 *    that L1I used last, timing_enter fetches them.
 *  - The instruction that was fetched runs, even if its fetch has used up the countdown: until
 *    then its block is h->pending_block.
 */
#include <string.h>

#include "access.h"
#include "cluster.h"
#include "crypto.h"
#include "csr.h"
#include "engine.h"
#include "engine_calls.h"
#include "fp.h"
#include "guard.h"
#include "native.h"
#include "timing.h"
#include "trace.h"
#include "trap.h"
#include "vector.h"

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#include "op/words.h"

#include "engine_access.h"
#include "engine_vector.h"
#include "engine_next.h"

/*
 * Executes the CSR instruction i, the last of r; the others have been accounted for.  It retires
 * and is counted before its write takes effect.
 */
_Static_assert(ISA_csrrs == ISA_csrrw + 1 && ISA_csrrc == ISA_csrrw + 2, "write, set, clear");
_Static_assert(ISA_csrrsi == ISA_csrrwi + 1 && ISA_csrrci == ISA_csrrwi + 2, "write, set, clear");
static bool csr_instruction(struct hart *h, const struct block_run *r, const struct insn *i)
{
	bool immediate = i->op >= ISA_csrrwi;
	unsigned kind = i->op - (immediate ? ISA_csrrwi : ISA_csrrw), num = i->imm;
	uint64_t operand = immediate ? i->rs1 : h->x[i->rs1], old, new;
	bool writes = !kind || i->rs1;

	if (!csr_read(h, num, writes, &old))
		return false;
	if (timed)
		timing_retire_last(h, r);
	else
		h->countdown--;
	pmu_add_part(h, r, r->nr - 1, r->nr);
	hart_sync(h);
	h->x[i->rd] = old;
	h->pc += i[1].at - i->at;
	if (!writes)
		return true;
	new = csr_modified(h, num, old);
	new = !kind ? operand : kind == 1 ? new | operand : new & ~operand;
	csr_write(h, num, new);
	return true;
}

/* predict_branch and predict_jump return what transferred returns; without models BLOCK_RIGHT. */
static inline __attribute__((always_inline)) enum block_outcome
predict_branch(struct hart *h, struct block_run *r, uint64_t pc, bool taken, uint64_t target)
{
	if (!timed)
		return BLOCK_RIGHT;
	return transferred(h, r, pc, taken, bpred_cond(h->bpred, pc, taken, target));
}

static inline enum block_outcome predict_jump(struct hart *h, struct block_run *r,
					      enum bpred_kind kind, uint64_t pc, uint64_t target,
					      uint64_t next)
{
	if (!timed)
		return BLOCK_RIGHT;
	return transferred(h, r, pc, true, bpred_jump(h->bpred, kind, pc, target, next));
}

static inline enum block_outcome predict_none(struct hart *h, struct block_run *r)
{
	return BLOCK_RIGHT;
}

/* Before code outside of the engine reads the state of the pipeline. */
static inline void state_is(struct hart *h, uint32_t state)
{
	if (timed && state != STATES_NONE)
		h->timing->state = state;
}

/*
 * Sets h->fetch_at before other code reads it.  While one block follows another the engine does not
 * keep it up to date: the line fetched last is that of the last bytes of the block.
 */
static inline void fetched_at(struct hart *h, uint64_t was)
{
	if (timed)
		h->fetch_at = was & h->fetch_mask;
}

/* Whether two addresses of code are in one page: their distance is the same in all mappings. */
static bool same_page(uint64_t a, uint64_t b)
{
	return !((a ^ b) & PAGE_MASK);
}

/* Whether the engine must return before it fetches at pc. */
static bool due(const struct hart *h, uint64_t pc)
{
	if (!timed)
		return !h->countdown;
	/* A debugger stops before a fetch. */
	return h->countdown <= 0 || (h->cl->debugged && h->cl->debugger->breaks_page(h->cl, pc));
}

/* Whether the countdown does not allow all of r. */
#define MUST_LEAVE (timed ? h->countdown <= r->cycles : h->countdown < r->nr)

/* b has been fetched at pc (NULL: a fault).  Returns its run, as ENGINE(fetch) does. */
static struct block_run *found(struct hart *h, struct block *b, uint64_t pc)
{
	struct block_run *r;

	h->pc = pc;
	if (!b) {
		hart_sync(h);
		trap_exception(h, h->fault.cause, h->fault.tval);
		return NULL;
	}
	r = timed ? timing_run(h, b) : b->runs;
	/* timing_prepare must compute the cost of h->scratch. */
	if (unlikely(h->stop || !r || MUST_LEAVE)) {
		if (timed)
			h->pending_block = b;
		return NULL;
	}
	return r;
}

void ENGINE(leave)(struct hart *h, uint64_t pc, uint32_t state, uint64_t was)
{
	fetched_at(h, was);
	state_is(h, state);
	h->pc = pc;
}

struct block_run *ENGINE(fetch)(struct hart *h, uint64_t pc, uint32_t state, uint64_t was)
{
	fetched_at(h, was);
	state_is(h, state);
	h->pc = pc;
	if (unlikely(due(h, pc)))
		return NULL;
	return found(h, hart_fetch(h), pc);
}

struct block_run *ENGINE(enter)(struct hart *h, struct block_run *r, uint64_t pc, uint64_t was)
{
	struct block *b = r->block;

	fetched_at(h, was);
	state_is(h, r->in);
	if (timed && b->first) {
		b = b->first;
		if (!r->first)
			r->first = block_run_of(h->cl, b, r->in);
		if (r->first && fetched(h, r->first, pc, h->fetch_at))
			return r->first;
	}
	h->pc = pc;
	return found(h, timing_enter(h, b) ? b : NULL, pc);
}

/* What the jump cache has for pc with the state of this number, or NULL. */
static struct block_run *jumped(struct hart *h, uint64_t pc, uint32_t state)
{
	const struct jump *j = hart_jump(h, pc, state);

	return j->key == (pc ^ h->fetch_key) && j->state == state ? j->r : NULL;
}

/* r, which the jump cache had for pc, comes next.  Returns what ENGINE(fetch) does. */
static struct block_run *begun(struct hart *h, struct block_run *r, uint64_t pc)
{
	if (unlikely(MUST_LEAVE))
		return NULL;
	return fetched(h, r, pc, h->fetch_at) ? r : ENGINE(enter)(h, r, pc, h->fetch_at);
}

/* Whether b, which follows `from` in its page, can be its successor. */
static bool may_link(const struct block_run *from, const struct block *b)
{
	return from->block->chained && b->chained && from->block->valid &&
	       same_page(from->block->pa, b->pa);
}

struct block_run *ENGINE(find)(struct hart *h, struct block_run *from, unsigned way,
			       unsigned outcome, uint64_t pc, uint64_t target)
{
	uint64_t epoch = h->cl->block_epoch;
	struct block_run *next;
	struct block *b;
	uint32_t state;
	bool links = same_page(pc, target);

	fetched_at(h, pc + from->last);
	state = timed ? timing_after(h, from, way, outcome) : STATES_EMPTY;
	h->pc = target;
	/* What is never linked is often in the jump cache, and so is what is linked anew. */
	if (timed && (outcome == BLOCK_RARE || !links)) {
		next = jumped(h, target, state);
		if (next && links && may_link(from, next->block))
			block_link(h->cl, from, way, outcome, next);
		if (next)
			return begun(h, next, target);
	}
	if (unlikely(due(h, target)))
		return NULL;
	b = hart_fetch(h);
	/* The fetch may have freed `from`. */
	if (b && epoch == h->cl->block_epoch && state != STATES_NONE && links &&
	    may_link(from, b)) {
		next = block_run_of(h->cl, b->superblock ? b->superblock : b, state);
		if (next)
			block_link(h->cl, from, way, outcome, next);
	}
	return found(h, b, target);
}

/* The engine leaves r, which is at pc, at instruction i; nr instructions have retired. */
static void leave_run(struct hart *h, const struct block_run *r, uint64_t pc, const struct insn *i,
		      unsigned nr)
{
	if (timed)
		timing_left(h, r, pc, i - r->insn);
	hart_leave_run(h, r, nr);
}

#define OP(name) op_##name:
#define NEXT                                                                                       \
	do {                                                                                       \
		i++;                                                                               \
		goto *label[i->op];                                                                \
	} while (0)

#define RD		     h->x[i->rd]
#define SET_RD(value)	     RD = (value)
#define RS1		     h->x[i->rs1]
#define RS2		     h->x[i->rs2]
#define RS3		     h->x[i->rs3]
#define IMM		     ((int64_t)i->imm)
#define FRD		     h->f[i->rd]
#define FRS1		     h->f[i->rs1]
#define FRS2		     h->f[i->rs2]
#define FRS3		     h->f[i->rs3]
#define SHAMT		     i->imm
#define SHIFTED_LEFT(value)  ((value) << SHAMT)
#define SHIFTED_RIGHT(value) ((value) >> SHAMT)
#define RM		     i->imm
#define KIND		     i->rs3
#define HERE		     (pc + i->at)
#define BEHIND		     (pc + i[1].at)
#define SELF		     i

/* Begins r.  With models its cycles are subtracted now, so that one check of the countdown does. */
#define BEGIN                                                                                      \
	do {                                                                                       \
		if (unlikely(h->counts_code))                                                      \
			tally_at(h, r, pc);                                                        \
		if (timed)                                                                         \
			h->countdown -= r->cycles;                                                 \
		i = r->insn;                                                                       \
		goto *label[r->entry];                                                             \
	} while (0)

/*
 * Ends the block and goes on at address.  way: 0 for a branch not taken, 1 for taken.  predicted:
 * the outcome.  The countdown is stored once.  Both arguments are evaluated, each once, before
 * anything that they may read is assigned.  Reads r, h, i and pc; assigns target, outcome, left,
 * next, to, r, pc and i.
 */
#define GO(way, address, predicted)                                                                \
	do {                                                                                       \
		outcome = (predicted);                                                             \
		target = (address);                                                                \
		left = h->countdown - (timed ? r->way_cycles[way][outcome] : r->nr);               \
		if (timed)                                                                         \
			h->retired += r->nr;                                                       \
		if (unlikely(h->counts_code)) {                                                    \
			h->countdown = left;                                                       \
			pmu_add_run(h, r, way, target);                                            \
			left = h->countdown;                                                       \
		}                                                                                  \
		to = way;                                                                          \
		if (timed && (r->splits[way] || unlikely(outcome == BLOCK_RARE)))                  \
			goto split;                                                                \
		next = r->to[way][BLOCK_RIGHT];                                                    \
		if (unlikely(!next))                                                               \
			goto find;                                                                 \
		GO_NEXT(way);                                                                      \
	} while (0)

/* Goes on with next, which begins at target. */
#define GO_NEXT(way)                                                                               \
	do {                                                                                       \
		if (unlikely(timed ? left <= next->cycles : left < next->nr))                      \
			goto leave_next;                                                           \
		if (timed && r->next_lines[way]) {                                                 \
			if (!l1i_has(h, next))                                                     \
				goto enter_next;                                                   \
			count_fetches(h, next, target, r->next_lines[way]);                        \
		}                                                                                  \
		h->countdown = timed ? left - next->cycles : left;                                 \
		r = next;                                                                          \
		pc = target;                                                                       \
		if (unlikely(h->counts_code))                                                      \
			tally_at(h, r, pc);                                                        \
		i = r->insn;                                                                       \
		goto *label[r->entry];                                                             \
	} while (0)

#define GO_ANYWHERE(address)                                                                       \
	do {                                                                                       \
		outcome = predict_jump(h, r, KIND, HERE, address, BEHIND);                         \
		h->countdown -= timed ? r->way_cycles[1][outcome] : r->nr;                         \
		was = pc + r->last;                                                                \
		pc = (address);                                                                    \
		if (timed)                                                                         \
			h->retired += r->nr;                                                       \
		if (unlikely(h->counts_code))                                                      \
			pmu_add_run(h, r, true, pc);                                               \
		state = state_after(h, r, 1, outcome);                                             \
		goto lookup;                                                                       \
	} while (0)

void ENGINE_RUN(struct hart *h, struct block_run *r)
{
	static const void *const run[ENGINE_OP_NR] = {
		[ISA_NONE] = &&op_ILLEGAL,
#define INSN(name, match, mask, format, class, ext) [ISA_##name] = &&op_##name,
#include "insn.def"
		[ENGINE_END] = &&op_END,     [ENGINE_ILLEGAL] = &&op_ILLEGAL,
		[ENGINE_COUNT] = &&op_COUNT, [ENGINE_NATIVE] = &&op_NATIVE,
	};
	static const void *const traced[ENGINE_OP_NR] = {
		[0 ... ENGINE_OP_NR - 1] = &&trace,
	};
	static const void *const guarded[ENGINE_OP_NR] = {
		[0 ... ENGINE_OP_NR - 1] = &&guard,
	};
	/* While registers wait for data, each instruction is looked at before it runs. */
	static const void *const looked[ENGINE_OP_NR] = {
		[0 ... ENGINE_END - 1] = &&look,
		[ENGINE_END] = &&op_END,
		[ENGINE_ILLEGAL... ENGINE_OP_NR - 1] = &&look,
	};
	const void *const *plain = h->guarded ? guarded : h->cl->trace & TRACE_INSN ? traced : run;
	const void *const *label = timed && timing_looks(h) ? looked : plain;
	const struct insn *i;
	uint64_t pc = h->pc, target, was;
	struct block_run *next;
	struct jump *j;
	int64_t left;
	uint32_t state;
	unsigned to, rm, outcome, leave;

	h->stop = false;
	BEGIN;

#include "op/int.h"
#include "op/mem.h"
#include "op/fp.h"
#include "op/vector.h"
#include "op/thead.h"
#include "op/jump.h"
#include "op/sys.h"

op_COUNT: /* r has no native code yet */
	if (++r->ran >= h->cl->native_after)
		native_translate(h->cl->native, h, r);
	goto *label[i->op];

op_NATIVE:
	leave = native_run(h->cl->native, h, &r, &pc);
	i = r->insn + (leave >> NATIVE_INSN);
	switch (leave & NATIVE_KIND) {
	case NATIVE_FAULT:
		goto fault;
	case NATIVE_ILLEGAL:
		goto illegal;
	case NATIVE_AFTER:
		goto leave_after;
	case NATIVE_HERE:
		goto *label[i->op];
	case NATIVE_BEGIN:
		if (h->counts_code)
			tally_at(h, r, pc);
		i = r->insn;
		goto *label[r->entry];
	default: /* NATIVE_LEFT */
		return;
	}

trace:
	if (i->op != ENGINE_END)
		trace_insn(h, pc + i->at, i);
	goto *run[i->op];

guard:
	if (i->op != ENGINE_END) {
		if (h->cl->trace & TRACE_INSN)
			trace_insn(h, pc + i->at, i);
		if (!guard_passes(h, pc + i->at, i))
			goto fault;
	}
	goto *run[i->op];

look:
	if (unlikely(h->stop)) { /* the instruction before i has made the engine leave */
		i--;
		goto leave_now;
	}
	if (!timing_looked_already(h) && !timing_look(h, r, i) && !h->stop)
		label = plain;
	goto *plain[i->op];

lookup: /* find the run at pc that begins with this state in the jump cache */
	j = hart_jump(h, pc, state);
	if (likely(j->key == (pc ^ h->fetch_key) && j->state == state)) {
		r = j->r;
		if (unlikely(MUST_LEAVE)) {
			ENGINE(leave)(h, pc, state, was);
			return;
		}
		if (timed && !fetched(h, r, pc, was)) {
			r = ENGINE(enter)(h, r, pc, was);
			goto begin;
		}
		BEGIN;
	}
	r = ENGINE(fetch)(h, pc, state, was);
	goto begin;

far_jump: /* i jumps to target; its access may have made the engine leave after it */
	if (timed && h->stop == STOP_LOOK) {
		h->stop = 0;
		label = looked;
	}
	if (unlikely(h->stop)) { /* the end of a block checks the countdown only */
		left = timed ? 0 : r->nr;
		h->start -= h->countdown - left;
		h->countdown = left;
	}
	GO_ANYWHERE(target);

split: /* the successor depends on the outcome */
	next = r->to[to][outcome];
	if (unlikely(!next))
		goto find;
	GO_NEXT(to);

enter_next: /* fetch next, the successor of r */
	h->countdown = left;
	r = ENGINE(enter)(h, next, target, pc + r->last);
	pc = target;
	goto begin;

find: /* r has no successor yet */
	h->countdown = left;
	r = ENGINE(find)(h, r, to, outcome, pc, target);
	pc = target;
begin:
	if (unlikely(!r))
		return;
	BEGIN;

leave_next: /* return before the block at target */
	h->countdown = left;
	ENGINE(leave)(h, target, next->in, pc + r->last);
	return;

leave_after: /* return after instruction i, which has retired, or look at what follows */
	if (timed && h->stop == STOP_LOOK) {
		h->stop = 0;
		label = looked;
		NEXT;
	}
leave_now:
	leave_run(h, r, pc, i, i - r->insn + 1);
	h->pc = pc + i[1].at;
	return;

illegal:
	leave_run(h, r, pc, i, i - r->insn);
illegal_left:
	h->pc = pc + i->at;
	trap_exception(h, CAUSE_ILLEGAL_INSN, i->raw);
	return;

fault: /* instruction i has not retired; h->fault tells why */
	h->pc = pc + i->at;
	leave_run(h, r, pc, i, i - r->insn);
	if (h->fault.cause != FAULT_DEBUG)
		trap_exception(h, h->fault.cause, h->fault.tval);
	else if (timed)
		timing_hold(h, r->block, i - r->insn);
}
