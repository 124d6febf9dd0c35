/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stencil.h - native code, before it is copied and patched: each instruction of op/ as a function
 * of its own.  stencil_plain.c and stencil_timed.c include it, as engine.c and engine_timed.c
 * include engine_body.h.  The objects are never linked: extract.c takes the bytes of each function
 * and its relocations out of them, and native.c copies them, one behind the other.
 *
 *	st_add:		mov  hole_rs1(%rbx), %rax	h->x[rs1]; native.c puts the offset here
 *			add  hole_rs2(%rbx), %rax
 *			mov  %rax, hole_rd(%rbx)
 *			jmp  hole_next			left out: the next instruction follows
 *
 * A value that differs from copy to copy is the address of a symbol, hole_X (enum native_hole).
 * h, pc and r are in registers that functions preserve: C functions can be called at any time.
 * pc is the address of the run, as in the interpreter.  A function st_X ends with a jump to the
 * next one, or returns the reason why the engine must go on (enum native_leave) to native_run.
 * What is long is not copied: functions rt_X are there once.
 */
struct hart;
struct block_run;

/* Before all other declarations, so that no function uses these registers for something else. */
#if defined(__x86_64__)
register struct hart *h __asm__("rbx");
register unsigned long pc __asm__("r12");
register struct block_run *r __asm__("r13");
#elif defined(__aarch64__)
register struct hart *h __asm__("x19");
register unsigned long pc __asm__("x20");
register struct block_run *r __asm__("x21");
#else
#error "native code: no registers for this CPU"
#endif

#include <stdint.h>
#include <string.h>

/* The engine's slow functions are cold, so that the fast way of an instruction saves nothing. */
#define NATIVE_COLD __attribute__((cold))

#include "cluster.h"
#include "engine.h"
#include "engine_calls.h"
#include "fp.h"
#include "native.h"
#include "timing.h"

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#define NATIVE_HOLE(name) extern char hole_##name[];
#include "native_hole.def"

#define HOLE(name) ((intptr_t)hole_##name)

/* Where code goes on: the next instruction, a successor. */
unsigned hole_next(void);
unsigned hole_way0(void);
unsigned hole_way1(void);

#define REG(file, hole) (*(uint64_t *)((char *)h->file + HOLE(hole)))

#define RD     REG(x, rd)
#define RS1    REG(x, rs1)
#define RS2    REG(x, rs2)
#define FRD    REG(f, rd)
#define FRS1   REG(f, rs1)
#define FRS2   REG(f, rs2)
#define FRS3   REG(f, rs3)
#define IMM    HOLE(imm)
#define SHAMT  ((int)HOLE(imm))
#define RM     ((unsigned)HOLE(imm))
#define KIND   ((enum bpred_kind)HOLE(kind))
#define HERE   (pc + HOLE(at))
#define BEHIND (pc + HOLE(behind))
#define SELF   ((const struct insn *)((const char *)r->insn + HOLE(self)))

#include "op/words.h"
#include "engine_next.h"

/* Reasons to leave: the instruction's number is in hole_leave. */
#define LEAVE(kind) ((unsigned)HOLE(leave) + (kind))
#define LEAVE_GO(way, outcome)                                                                     \
	(NATIVE_GO | (way) << NATIVE_WAY | (unsigned)(outcome) << NATIVE_OUTCOME)

/* Ends a function and begins the next. */
#define OP(name)                                                                                   \
	return st_##name();                                                                        \
fault:                                                                                             \
	__attribute__((cold, unused)) return LEAVE(NATIVE_FAULT);                                  \
illegal:                                                                                           \
	__attribute__((cold, unused)) return LEAVE(NATIVE_ILLEGAL);                                \
leave_after:                                                                                       \
	__attribute__((cold, unused)) return LEAVE(NATIVE_AFTER);                                  \
	}                                                                                          \
	unsigned st_##name(void)                                                                   \
	{                                                                                          \
		uint64_t target __attribute__((unused));                                           \
		unsigned rm __attribute__((unused)), outcome __attribute__((unused));
#define NEXT return hole_next()

#define INSN(name, match, mask, format, class, ext) unsigned st_##name(void);
#include "insn.def"
unsigned st_END(void);
unsigned st_last(void);
/* The routines (below) to which instructions go. */
static unsigned rt_other0(unsigned outcome);
static unsigned rt_other1(unsigned outcome);
static unsigned rt_jump(uint64_t target, unsigned outcome);

#define GO(way, address, predicted)                                                                \
	do {                                                                                       \
		outcome = (predicted);                                                             \
		if (timed && unlikely(outcome >= (uintptr_t)hole_limit##way))                      \
			return rt_other##way(outcome);                                             \
		return hole_way##way();                                                            \
	} while (0)

#define GO_ANYWHERE(address, predicted) return rt_jump(address, predicted)

void __attribute__((cold)) pmu_add_run(struct hart *h_, const struct block_run *r_, bool taken,
				       uint64_t target);

/* Accounts for r, which goes on this way at target; its prediction had this outcome. */
static inline __attribute__((always_inline)) void account(unsigned way, unsigned outcome,
							  uint64_t target)
{
	if (timed) {
		h->countdown -= r->way_cycles[way][outcome];
		h->retired += r->nr;
	} else {
		h->countdown -= HOLE(nr);
	}
	if (unlikely(h->counts_code))
		pmu_add_run(h, r, way, target);
}

#define ROUTINE static __attribute__((noipa)) unsigned

/* Of harts with models: predictions, each with its account; they return the outcome. */

ROUTINE rt_taken(uint64_t at, uint64_t there)
{
	unsigned outcome = transferred(h, r, at, true, bpred_cond(h->bpred, at, true, there));

	account(1, outcome, there);
	return outcome;
}

ROUTINE rt_passed(uint64_t at, uint64_t there, uint64_t behind)
{
	unsigned outcome = transferred(h, r, at, false, bpred_cond(h->bpred, at, false, there));

	account(0, outcome, behind);
	return outcome;
}

ROUTINE rt_jumped(enum bpred_kind kind, uint64_t at, uint64_t target, uint64_t behind)
{
	unsigned wrong = bpred_jump(h->bpred, kind, at, target, behind);
	unsigned outcome = transferred(h, r, at, true, wrong);

	account(1, outcome, target);
	return outcome;
}

/* What op/jump.h calls: predicts, accounts for r, and returns the outcome. */
static inline __attribute__((always_inline)) unsigned
predict_branch(struct hart *h_, struct block_run *r_, uint64_t at, bool taken, uint64_t there)
{
	if (timed)
		return taken ? rt_taken(at, there) : rt_passed(at, there, BEHIND);
	account(taken, BLOCK_RIGHT, taken ? there : BEHIND);
	return BLOCK_RIGHT;
}

static inline __attribute__((always_inline)) unsigned
predict_jump(struct hart *h_, struct block_run *r_, enum bpred_kind kind, uint64_t at,
	     uint64_t target, uint64_t behind)
{
	if (timed)
		return rt_jumped(kind, at, target, behind);
	account(1, BLOCK_RIGHT, target);
	return BLOCK_RIGHT;
}

static inline __attribute__((always_inline)) unsigned predict_none(struct hart *h_,
								   struct block_run *r_)
{
	account(0, BLOCK_RIGHT, HERE);
	return BLOCK_RIGHT;
}

/* Goes on with next at target, if it has code and all of it may run.  False: nothing has changed. */
#define CAN_FOLLOW(next, fetch)                                                                    \
	((next)->code &&                                                                           \
	 likely(timed ? h->countdown > (next)->cycles : h->countdown >= (next)->nr) && (fetch))

#define FOLLOW(next, target)                                                                       \
	do {                                                                                       \
		if (timed)                                                                         \
			h->countdown -= (next)->cycles;                                            \
		r = (next);                                                                        \
		pc = (target);                                                                     \
		return ((unsigned (*)(void))r->code)();                                            \
	} while (0)

/* r goes on this way, but not as it mostly does: the successor depends on the outcome. */
static inline __attribute__((always_inline)) unsigned other(unsigned way, unsigned outcome)
{
	const struct insn *i = &r->insn[r->nr - 1];
	struct block_run *next = outcome == BLOCK_RARE ? NULL : r->to[way][outcome];
	uint64_t target = pc + (way ? i->at + i->imm : i[1].at);

	if (next && CAN_FOLLOW(next, !r->next_lines[way] || l1i_has(h, next))) {
		h->fetches += r->next_lines[way];
		FOLLOW(next, target);
	}
	return LEAVE_GO(way, outcome);
}

ROUTINE rt_other0(unsigned outcome)
{
	return other(0, outcome);
}

ROUTINE rt_other1(unsigned outcome)
{
	return other(1, outcome);
}

/* r has jumped to target, which can be anywhere: looks it up in the jump cache. */
ROUTINE rt_jump(uint64_t target, unsigned outcome)
{
	uint32_t state = !timed			 ? STATES_EMPTY
			 : outcome == BLOCK_RARE ? STATES_NONE
						 : r->after[1][outcome];
	struct jump *j = hart_jump(h, target, state);

	if (likely(j->key == (target ^ h->fetch_key) && j->state == state) && state != STATES_NONE) {
		struct block_run *next = j->r;

		if (CAN_FOLLOW(next, !timed || fetched(h, next, target, pc + r->last)))
			FOLLOW(next, target);
	}
	h->native_target = target;
	return NATIVE_JUMP | outcome << NATIVE_OUTCOME;
}

/* Whether L1I has all lines of the run at this distance from r (l1i_has). */
ROUTINE rt_l1i_has(intptr_t distance)
{
	return l1i_has(h, (struct block_run *)((char *)r + distance));
}

/* native_run calls it: runs code until it leaves, and returns why. */
unsigned rt_enter(struct hart *hart, struct block_run **run, uint64_t *at, unsigned (*code)(void))
{
	struct hart *old_h = h;
	struct block_run *old_r = r;
	unsigned long old_pc = pc;
	unsigned leave;

	h = hart;
	r = *run;
	pc = *at;
	leave = code();
	*run = r;
	*at = pc;
	h = old_h;
	r = old_r;
	pc = old_pc;
	return leave;
}

/* A successor that has not been linked, or has no code. */
unsigned st_leave(void)
{
	return (unsigned)HOLE(leave);
}

/* An instruction that the interpreter executes. */
unsigned st_here(void)
{
	return LEAVE(NATIVE_HERE);
}

static inline __attribute__((always_inline)) unsigned link(unsigned lines)
{
	if (unlikely(timed ? h->countdown <= HOLE(need) : h->countdown < HOLE(need)))
		return (unsigned)HOLE(leave);
	if (lines) {
		if (unlikely(*(uint64_t *)((char *)r + HOLE(seen)) != *h->fetch_changes) &&
		    !rt_l1i_has(HOLE(r_step)))
			return (unsigned)HOLE(leave);
		h->fetches += HOLE(lines);
	}
	if (timed)
		h->countdown -= HOLE(need);
	r = (struct block_run *)((char *)r + HOLE(r_step));
	pc += HOLE(pc_step);
	return hole_next();
}

/* A successor that is in the line that was fetched last (without models: any). */
unsigned st_link(void)
{
	return link(0);
}

unsigned st_first(void)
{
	uint64_t target __attribute__((unused));
	unsigned rm __attribute__((unused)), outcome __attribute__((unused));

	NEXT;

#include "op/int.h"
#include "op/mem.h"
#include "op/fp.h"
#include "op/jump.h"
OP(last) NEXT;
fault:
illegal:
leave_after:
	return 0;
}

/* A successor for which lines of L1I are fetched. */
unsigned st_link_lines(void)
{
	return link(1);
}
