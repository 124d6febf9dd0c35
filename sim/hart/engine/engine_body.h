/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * engine_body.h - the engine: runs predecoded blocks (engine.h, block.h).
 *
 *	hart_run has fetched b and has set h->countdown, the budget.
 *
 *	for (;;) {
 *		for (i = b->insn; i->op != ENGINE_END; i++) {		op/
 *			execute i;
 *			if (it faults or it has set h->stop)
 *				return;					leave_block
 *		}
 *		h->countdown -= b->nr;					GO
 *		if (h->counts_code)
 *			add the events of b;				pmu_add_block
 *		b = b->to[taken];					GO
 *		    if there is none, by the jump cache			lookup
 *		    or else by hart_fetch				find
 *		if (h->countdown < b->nr)
 *			return;						leave
 *	}
 *
 * All this is one function with one label for each instruction.  The bodies of instructions are in
 * op/.  They are written with these macros:
 *
 *	OP(name)			the label of the instruction
 *	NEXT				goes to the next instruction of the block
 *	GO, GO_ANYWHERE, BRANCH		end the block and go to the next one
 *	RD RS1 RS2 IMM FRD FRS1 S1 ...	operands
 *	READ WRITE AMO			access memory (engine_access.h)
 *	FP_ON				traps if floating point is off
 *	FP_RM				the same; sets rm to the rounding mode
 *
 * Between two blocks there is one check: does the countdown allow all of the next one?  The events
 * of a block are added when it ends (GO); when the engine leaves it earlier, hart_leave_block adds
 * those of its first instructions.  A fetch can count events and fault.  So the engine fetches only
 * if the countdown allows one more instruction: otherwise an interrupt or another hart's turn may
 * come first.  h->stop is checked only after what can set it: accesses that missed the software
 * TLB, CSR writes, fetches.
 *
 * This file is compiled twice.  In engine.c timed is false.  In engine_timed.c it is true, for
 * harts with models (timing.h), and three things differ:
 *  - The countdown is in cycles.  The static cycles of a block are subtracted when it begins.  All
 *    of a block runs only if cycles are left after it, because its last instructions may take none.
 *  - Before a block the engine asks the model of L1I for its lines (fetched); if they are not those
 *    that L1I used last, timing_enter fetches them.
 *  - The instruction that was fetched runs, even if its fetch has used up the countdown: it waits
 *    in h->pending_block.
 */
#include <string.h>

#include "cluster.h"
#include "csr.h"
#include "engine.h"
#include "fp.h"
#include "timing.h"
#include "trace.h"
#include "trap.h"

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#define SIGN32 0x80000000u
#define SIGN64 0x8000000000000000ull

static uint64_t divide(int64_t a, int64_t b)
{
	if (!b)
		return UINT64_MAX;
	return b == -1 ? -(uint64_t)a : (uint64_t)(a / b);
}

static uint64_t remainder_of(int64_t a, int64_t b)
{
	if (!b)
		return a;
	return b == -1 ? 0 : a % b;
}

static uint64_t rotate_right(uint64_t a, unsigned by)
{
	return a >> (by & 63) | a << (-by & 63);
}

static uint32_t rotate_right32(uint32_t a, unsigned by)
{
	return a >> (by & 31) | a << (-by & 31);
}

static uint64_t or_bytes(uint64_t a)
{
	for (unsigned n = 1; n < 8; n *= 2)
		a |= (a >> n & 0x0101010101010101ull * (0xff >> n)) |
		     (a << n & 0x0101010101010101ull * (0xff << n & 0xff));
	return a;
}

static uint64_t box(uint32_t single)
{
	return single | 0xffffffff00000000ull;
}

static uint32_t unbox(uint64_t reg)
{
	return reg >> 32 == 0xffffffff ? (uint32_t)reg : FP32_NAN;
}

#include "engine_access.h"

/*
 * Executes the CSR instruction i, the last of b; the others have been accounted for.  It retires
 * and is counted before its write takes effect.
 */
static bool csr_instruction(struct hart *h, const struct block *b, const struct insn *i)
{
	bool immediate = i->op >= ISA_csrrwi;
	unsigned kind = i->op - (immediate ? ISA_csrrwi : ISA_csrrw), num = i->imm;
	uint64_t operand = immediate ? i->rs1 : h->x[i->rs1], old, new;
	bool writes = !kind || i->rs1;

	if (!csr_read(h, num, writes, &old))
		return false;
	if (timed)
		timing_retire_last(h, b);
	else
		h->countdown--;
	pmu_add_part(h, b, b->nr - 1, b->nr);
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

/*
 * Accounts for a branch or jump at pc that the model has predicted.  Both directions, right and
 * wrong, take the same path here without a test: where the model cannot predict the guest's branch,
 * the host could not predict the test.  Returns the cycles that the caller must subtract.
 */
static inline unsigned transferred(struct hart *h, uint64_t pc, bool taken, unsigned wrong)
{
	if (unlikely((wrong | h->branches_told) > BPRED_BAD_DIRECTION)) {
		timing_branch(h, pc, taken, wrong);
		return 0;
	}
	h->directions[taken][wrong]++;
	return h->direction_cycles[taken][wrong];
}

/* predict_branch and predict_jump return what transferred returns; without models 0. */
static inline __attribute__((always_inline)) unsigned predict_branch(struct hart *h, uint64_t pc,
								     bool taken, uint64_t target)
{
	return timed ? transferred(h, pc, taken, bpred_cond(h->bpred, pc, taken, target)) : 0;
}

static inline unsigned predict_jump(struct hart *h, const struct insn *i, uint64_t pc,
				    uint64_t target)
{
	uint64_t next = pc + (i[1].at - i->at);

	return timed ? transferred(h, pc, true, bpred_jump(h->bpred, i->rs3, pc, target, next)) : 0;
}

static inline bool l1i_has(struct hart *h, struct block *b)
{
	return likely(b->seen == *h->fetch_changes) || timing_l1i_has(h, b);
}

/*
 * Fetches b at pc if this changes nothing in the models but counts.  was: an address in the line
 * that was fetched last.  False: the caller must call timing_enter.
 */
static inline bool fetched(struct hart *h, struct block *b, uint64_t pc, uint64_t was)
{
	uint64_t differs = pc ^ was;
	bool same = !(differs & h->fetch_mask);

	if (same && b->lines == 1)
		return true;
	if (unlikely(differs & h->fetch_same_page_mask) || !l1i_has(h, b))
		return false;
	h->fetches += b->lines - same;
	return true;
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

/* The engine leaves b, which is at pc, at instruction i; nr instructions have retired. */
static void leave_block(struct hart *h, const struct block *b, uint64_t pc, const struct insn *i,
			unsigned nr)
{
	if (timed)
		timing_left(h, b, pc, i - b->insn);
	hart_leave_block(h, b, nr);
}

#define OP(name) op_##name:
#define NEXT                                                                                       \
	do {                                                                                       \
		i++;                                                                               \
		goto *label[i->op];                                                                \
	} while (0)

#define RD   h->x[i->rd]
#define RS1  h->x[i->rs1]
#define RS2  h->x[i->rs2]
#define IMM  ((int64_t)i->imm)
#define FRD  h->f[i->rd]
#define FRS1 h->f[i->rs1]
#define FRS2 h->f[i->rs2]
#define FRS3 h->f[i->rs3]
#define S1   unbox(FRS1)
#define S2   unbox(FRS2)
#define S3   unbox(FRS3)

/* Begins b.  With models its cycles are subtracted now, so that one check of the countdown does. */
#define BEGIN                                                                                      \
	do {                                                                                       \
		if (timed)                                                                         \
			h->countdown -= b->cycles;                                                 \
		i = b->insn;                                                                       \
		goto *label[i->op];                                                                \
	} while (0)

/* Whether the countdown does not allow all of b. */
#define MUST_LEAVE (timed ? h->countdown <= b->cycles : h->countdown < b->nr)

/*
 * Ends the block and goes on at address.  way: 0 for a branch not taken, 1 for taken.  cycles_more:
 * the cycles of the branch.  The countdown is stored once.  Both arguments are evaluated, each
 * once, before anything that they may read is assigned.  Reads b, h, i and pc; assigns target,
 * more, left, next, to, b, pc and i.
 */
#define GO(way, address, cycles_more)                                                              \
	do {                                                                                       \
		more = timed ? (cycles_more) : b->nr;                                              \
		target = (address);                                                                \
		left = h->countdown - more;                                                        \
		if (timed)                                                                         \
			h->retired += b->nr;                                                       \
		if (unlikely(h->counts_code)) {                                                    \
			h->countdown = left;                                                       \
			pmu_add_block(h, b, way, target);                                          \
			left = h->countdown;                                                       \
		}                                                                                  \
		next = b->to[way];                                                                 \
		if (unlikely(!next)) {                                                             \
			to = way;                                                                  \
			goto find;                                                                 \
		}                                                                                  \
		if (unlikely(timed ? left <= next->cycles : left < next->nr))                      \
			goto leave_next;                                                           \
		if (timed && b->next_lines[way]) {                                                 \
			if (!l1i_has(h, next))                                                     \
				goto enter_next;                                                   \
			h->fetches += b->next_lines[way];                                          \
		}                                                                                  \
		h->countdown = timed ? left - next->cycles : left;                                 \
		b = next;                                                                          \
		pc = target;                                                                       \
		i = b->insn;                                                                       \
		goto *label[i->op];                                                                \
	} while (0)

#define GO_ANYWHERE(address, cycles_more)                                                          \
	do {                                                                                       \
		more = timed ? (cycles_more) : b->nr;                                              \
		h->countdown -= more;                                                              \
		was = pc + b->last;                                                                \
		pc = (address);                                                                    \
		if (timed)                                                                         \
			h->retired += b->nr;                                                       \
		if (unlikely(h->counts_code))                                                      \
			pmu_add_block(h, b, true, pc);                                             \
		goto lookup;                                                                       \
	} while (0)

#define BRANCH(condition)                                                                          \
	do {                                                                                       \
		uint64_t at = pc + i->at, there = at + IMM;                                        \
		if (condition)                                                                     \
			GO(1, there, predict_branch(h, at, true, there));                          \
		GO(0, pc + i[1].at, predict_branch(h, at, false, there));                          \
	} while (0)

/* Loads value, which has this type of so many bytes; the statement assign then uses it. */
#define READ(type, bytes, assign)                                                                  \
	do {                                                                                       \
		uint64_t va = RS1 + IMM, bits;                                                     \
		const struct soft_line *l;                                                         \
		type value;                                                                        \
		if (timed) {                                                                       \
			unsigned at = l0_at(va);                                                   \
			if (likely(h->l0.read[at] == l0_tag(va, bytes))) {                         \
				value = *(type *)(va + h->l0.addend[at]);                          \
				assign;                                                            \
				report_hit(h, va, false);                                          \
				break;                                                             \
			}                                                                          \
			if (!timed_load_##bytes(h, b, i, va, &bits))                               \
				goto fault;                                                        \
		} else {                                                                           \
			l = soft_hit(h->lines->read, va, bytes);                                   \
			if (likely(l)) {                                                           \
				value = *(type *)(va + l->addend);                                 \
				assign;                                                            \
				break;                                                             \
			}                                                                          \
			if (!slow_load(h, b, i, bytes, va, &bits))                                 \
				goto fault;                                                        \
		}                                                                                  \
		value = bits;                                                                      \
		assign;                                                                            \
		if (unlikely(h->stop))                                                             \
			goto leave_after;                                                          \
	} while (0)

#define WRITE(type, bytes, from)                                                                   \
	do {                                                                                       \
		uint64_t va = RS1 + IMM;                                                           \
		const struct soft_line *l;                                                         \
		if (timed) {                                                                       \
			unsigned at = l0_at(va);                                                   \
			if (likely(h->l0.write[at] == l0_tag(va, bytes))) {                        \
				*(type *)(va + h->l0.addend[at]) = from;                           \
				report_hit(h, va, true);                                           \
				break;                                                             \
			}                                                                          \
			if (!timed_store_##bytes(h, b, i, va, from))                               \
				goto fault;                                                        \
		} else {                                                                           \
			l = soft_hit(h->lines->write, va, bytes);                                  \
			if (likely(l)) {                                                           \
				*(type *)(va + l->addend) = from;                                  \
				break;                                                             \
			}                                                                          \
			if (!slow_store(h, b, i, bytes, va, from))                                 \
				goto fault;                                                        \
		}                                                                                  \
		if (unlikely(h->stop))                                                             \
			goto leave_after;                                                          \
	} while (0)

/* new_value is an expression of old (memory) and source (rs2), which have this type. */
#define AMO(type, new_value)                                                                       \
	do {                                                                                       \
		uint64_t pa;                                                                       \
		type *p = atomic_at(h, b, i, RS1, sizeof(type), &pa), old, source = RS2;           \
		if (unlikely(!p))                                                                  \
			goto fault;                                                                \
		old = *p;                                                                          \
		*p = (type)(new_value);                                                            \
		RD = old;                                                                          \
		if (unlikely(pa != 1))                                                             \
			mmu_wrote(h, pa, sizeof(type));                                            \
		if (unlikely(h->stop))                                                             \
			goto leave_after;                                                          \
		NEXT;                                                                              \
	} while (0)

#define FP_ON                                                                                      \
	do {                                                                                       \
		if (unlikely((h->mstatus & MSTATUS_FS) != MSTATUS_FS)) {                           \
			if (!(h->mstatus & MSTATUS_FS))                                            \
				goto illegal;                                                      \
			h->mstatus |= MSTATUS_FS;                                                  \
		}                                                                                  \
	} while (0)

#define FP_RM                                                                                      \
	FP_ON;                                                                                     \
	rm = i->imm == 7 ? h->frm : i->imm;                                                        \
	if (unlikely(rm > FP_RMM))                                                                 \
		goto illegal;

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

void ENGINE_RUN(struct hart *h, struct block *b)
{
	static const void *const run[ENGINE_OP_NR] = {
		[ISA_NONE] = &&op_ILLEGAL,
#define INSN(name, match, mask, format, class, ext) [ISA_##name] = &&op_##name,
#include "insn.def"
		[ENGINE_END] = &&op_END,
		[ENGINE_ILLEGAL] = &&op_ILLEGAL,
	};
	static const void *const traced[ENGINE_OP_NR] = {
		[0 ... ENGINE_OP_NR - 1] = &&trace,
	};
	const void *const *label = h->cl->trace & TRACE_INSN ? traced : run;
	const struct insn *i;
	uint64_t pc = h->pc, target, was, epoch;
	struct block *from, *next;
	struct jump *j;
	int64_t left;
	unsigned to, rm, more;

	h->stop = false;
	BEGIN;

#include "op/int.h"
#include "op/mem.h"
#include "op/fp.h"
#include "op/jump.h"

trace:
	if (i->op != ENGINE_END)
		trace_insn(h, pc + i->at, i);
	goto *run[i->op];

lookup: /* find the block at pc in the jump cache */
	j = &h->jump[pc >> 1 & (JUMP_NR - 1)];
	if (likely(j->key == (pc ^ h->fetch_key))) {
		b = j->b;
		if (unlikely(MUST_LEAVE)) {
			fetched_at(h, was);
			goto leave;
		}
		if (timed && !fetched(h, b, pc, was)) {
			fetched_at(h, was);
			goto enter;
		}
		BEGIN;
	}
	fetched_at(h, was);
	if (unlikely(due(h, pc)))
		goto leave;
	h->pc = pc;
	b = hart_fetch(h);
	goto found;

enter_next: /* fetch next, the successor of b */
	h->countdown = left;
	fetched_at(h, pc + b->last);
	b = next;
	pc = target;
enter: /* fetch b, which is decoded */
	if (timed && b->first) {
		b = b->first;
		if (fetched(h, b, pc, h->fetch_at))
			BEGIN;
	}
	h->pc = pc;
	if (!timing_enter(h, b))
		b = NULL;
	goto found;

find: /* b has no successor yet: fetch the block at target, and link it if it is always the same */
	h->countdown = left;
	fetched_at(h, pc + b->last);
	from = b;
	epoch = h->cl->block_epoch;
	if (unlikely(due(h, target))) {
		pc = target;
		goto leave;
	}
	h->pc = target;
	b = hart_fetch(h);
	if (b && from->chained && b->chained && epoch == h->cl->block_epoch && from->valid &&
	    same_page(pc, target) && same_page(from->pa, b->pa))
		block_link(h->cl, from, to, b);
	pc = target;
found:
	if (!b) {
		hart_sync(h);
		trap_exception(h, h->fault.cause, h->fault.tval);
		return;
	}
	/* h->scratch may begin within a run (timing.h): timing_prepare must compute its cost. */
	if (unlikely(h->stop || MUST_LEAVE || (timed && b == h->scratch))) {
		if (timed)
			h->pending_block = b;
		goto leave;
	}
	BEGIN;

leave_next: /* return before the block at target */
	h->countdown = left;
	fetched_at(h, pc + b->last);
	pc = target;
leave: /* return before the block at pc */
	h->pc = pc;
	return;

leave_after: /* return after instruction i, which has retired */
	leave_block(h, b, pc, i, i - b->insn + 1);
	h->pc = pc + i[1].at;
	return;

illegal:
	leave_block(h, b, pc, i, i - b->insn);
illegal_left:
	h->pc = pc + i->at;
	trap_exception(h, CAUSE_ILLEGAL_INSN, i->raw);
	return;

fault: /* instruction i has not retired; h->fault tells why */
	h->pc = pc + i->at;
	leave_block(h, b, pc, i, i - b->insn);
	if (h->fault.cause != FAULT_DEBUG)
		trap_exception(h, h->fault.cause, h->fault.tval);
	else if (timed)
		timing_hold(h, b, i - b->insn);
}
