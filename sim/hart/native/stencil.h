/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stencil.h - native code, before it is copied and patched: each instruction of op/ as a function
 * of its own.  stencil_plain.c and stencil_timed.c include it, as engine.c and engine_timed.c
 * include engine_body.h.  The objects are never linked: extract.c takes the bytes of each function
 * and its relocations out of them, and native_copy.c copies them, one after the other.
 *
 *	st_add:		mov  hole_rs1(%rbx), %rax	h->x[rs1]: the copy has the offset here
 *			add  hole_rs2(%rbx), %rax
 *			mov  %rax, hole_rd(%rbx)
 *			jmp  hole_next			left out: the next instruction follows
 *
 * A value that differs from copy to copy is the address of a symbol, hole_X (native_hole.def).
 * h, pc, r and left, the countdown, are in registers that functions preserve: code can call C
 * functions at any time.  C functions find the countdown in h, and may change it (native_far_call).
 * Pinned registers of the guest are in registers of the host, too, and in h only while C runs:
 * native_copy.c makes the copy of a stencil use them (native_pin).
 * STENCIL_HOST is the header with these registers, and the form of holes: stencil_x86.h (above) or
 * stencil_arm64.h.
 * pc is the address of the run, as in the interpreter.  A function st_X ends with a jump to the
 * next one, or returns the reason why the engine must go on (enum native_leave) to native_run.
 * Long code is not copied for each instruction: there is one copy of each function rt_X.
 * For operands that are frequent an instruction has stencils of their own (enum native_variant):
 * files of op/ are included again, with other names (NAMED) and another meaning of an operand.
 */
struct hart;
struct block_run;

/* Before all other declarations, so that no function uses these registers for something else. */
#include STENCIL_HOST
register struct hart *h __asm__(HOST_H);
register unsigned long pc __asm__(HOST_PC);
register struct block_run *r __asm__(HOST_R);
register long left __asm__(HOST_LEFT); /* hart.countdown, which has it only while C runs */
#define NATIVE_PIN(host, number, x) register unsigned long pin_##x __asm__(#host);
#include HOST_PINS

#include <stdint.h>
#include <string.h>

/* The engine's slow functions are cold, so that the fast path of an instruction saves nothing. */
#define NATIVE_COLD __attribute__((cold))

#include "access.h"
#include "cluster.h"
#include "crypto.h"
#include "engine.h"
#include "engine_calls.h"
#include "fp.h"
#include "native.h"
#include "timing_fold.h"
#include "vector.h"

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#define NATIVE_HOLE(name, bits)                                                                    \
	extern char hole_##name[];                                                                 \
	static inline __attribute__((always_inline)) intptr_t value_##name(void)                   \
	{                                                                                          \
		return HOST_HOLE_##bits(name);                                                     \
	}
#include "native_hole.def"

#define HOLE(name) value_##name()

/* Addresses at which code goes on: the next instruction, the successor of each way. */
#define PLACE(name) unsigned hole_##name(void)
PLACE(next);
PLACE(way0);
PLACE(way1);

#define REG(file, hole) (*(uint64_t *)((char *)h->file + HOLE(hole)))

#define RD   REG(x, rd)
#define RS1  REG(x, rs1)
#define RS2  REG(x, rs2)
#define RS3  REG(x, rs3)
#define FRD  REG(f, frd)
#define FRS1 REG(f, frs1)
#define FRS2 REG(f, frs2)
#define FRS3 REG(f, frs3)
#ifdef HOST_SET_RD
#define SET_RD(value) HOST_SET_RD(value, offsetof(struct hart, x))
#else
#define SET_RD(value) RD = (value)
#endif
#define IMM   HOLE(imm)
#define SHAMT ((int)HOLE(imm))
#ifdef HOST_SHIFTED_LEFT
#define SHIFTED_LEFT(value)  HOST_SHIFTED_LEFT(imm, value)
#define SHIFTED_RIGHT(value) HOST_SHIFTED_RIGHT(imm, value)
#else
#define SHIFTED_LEFT(value)  ((value) << SHAMT)
#define SHIFTED_RIGHT(value) ((value) >> SHAMT)
#endif
#define RM     ((unsigned)HOLE(imm))
#define KIND   ((enum bpred_kind)HOLE(kind))
#define HERE   (pc + HOLE(at))
#define BEHIND (pc + HOLE(behind))
#define SELF   ((const struct insn *)((const char *)r->insn + HOLE(self)))

#include "op/words.h"
#include "engine_next.h"

/* Reasons to leave: the instruction's number is in hole_leave. */
#define LEAVE(kind) ((unsigned)HOLE(leave) + (kind))

/* Ends a function and begins the next. */
#define OP(name)                                                                                   \
	return NAMED(name)();                                                                      \
fault:                                                                                             \
	__attribute__((cold, unused)) return LEAVE(NATIVE_FAULT);                                  \
illegal:                                                                                           \
	__attribute__((cold, unused)) return LEAVE(NATIVE_ILLEGAL);                                \
leave_after:                                                                                       \
	__attribute__((cold, unused)) return LEAVE(NATIVE_AFTER);                                  \
	}                                                                                          \
	unsigned NAMED(name)(void)                                                                 \
	{                                                                                          \
		uint64_t target __attribute__((unused)), sink __attribute__((unused));             \
		unsigned rm __attribute__((unused)), outcome __attribute__((unused));
#define NEXT return hole_next()

#define STENCIL(name)				    unsigned st_##name(void)
#define INSN(name, match, mask, format, class, ext) STENCIL(name);
#include "insn.def"
STENCIL(END);
STENCIL(last);
#define INSN(name, match, mask, format, class, ext)                                                \
	STENCIL(same_##name);                                                                      \
	STENCIL(zero1_##name);                                                                     \
	STENCIL(zero2_##name);                                                                     \
	STENCIL(sink_##name);                                                                      \
	STENCIL(dynamic_##name);
#include "insn.def"
STENCIL(sink_END);
/* The routines (below) to which instructions go. */
static unsigned rt_other(unsigned way, unsigned outcome);
static unsigned rt_jump(enum bpred_kind kind, uint64_t at, uint64_t target, uint64_t behind);

#define GO(way, address, predicted)                                                                \
	do {                                                                                       \
		outcome = (predicted);                                                             \
		if (timed)                                                                         \
			h->retired += HOLE(nr);                                                    \
		if (timed && unlikely(outcome))                                                    \
			return rt_other(way, outcome);                                             \
		return hole_way##way();                                                            \
	} while (0)

#define GO_ANYWHERE(address)                                                                       \
	return timed ? rt_jump(KIND, HERE, address, BEHIND) : rt_jump(0, 0, address, 0)

#define ROUTINE	      static __attribute__((noipa)) unsigned
/* One that native.c knows by name (native_routine.def). */
#define NAMED_ROUTINE static __attribute__((noipa, used)) unsigned

/* left -= HOLE(name).  TAKEN: the same, and whether nothing is left. */
#ifdef HOST_TAKE
#define TAKE_LEFT(name) HOST_TAKE(name, left)
#define TAKEN(name)	HOST_TAKEN(name, left)
#else
#define TAKE_LEFT(name) (left -= HOLE(name))
#define TAKEN(name)	((left -= HOLE(name)) <= 0)
#endif

/* Where r goes on, if it ends with a branch or with nothing; way: 1 if the branch is taken. */
static inline uint64_t target_of(unsigned way)
{
	return pc + r->goes[way];
}

_Static_assert(BLOCK_RIGHT == 0 && BLOCK_WRONG == 1 && BLOCK_RARE == 2, "bits of code_others");
/*
 * Accounts for r, which goes on at this way; its prediction had this outcome.  Returns 0 if its
 * code has the successor, or else the outcome.  GO adds its instructions.  That it has run is yet
 * to be counted: by the code of the way, by rt_other or by rt_jump.
 */
static inline __attribute__((always_inline)) unsigned account(unsigned way, unsigned outcome)
{
	left -= r->way_cycles[way][outcome];
	return outcome & r->code_others[way];
}

/* The same after the prediction of a direction, if nobody must be told of it. */
static inline __attribute__((always_inline)) unsigned account_plainly(unsigned way, unsigned wrong)
{
	left -= transferred_plainly(h, r, way, wrong);
	return wrong & r->code_others[way];
}

/*
 * Of harts with models: predictions, each with its account.  The first ones have the frequent cases
 * and call nothing, so that they need no stack; what they cannot do they leave to the others.
 */

ROUTINE rt_told(uint64_t at, unsigned taken, unsigned wrong)
{
	return account(taken, transferred(h, r, at, taken, wrong));
}

ROUTINE rt_btb(uint64_t at, uint64_t there, unsigned wrong)
{
	wrong |= bpred_btb_slow(h->bpred, at, there);
	return account(1, transferred(h, r, at, true, wrong));
}

/* What they do after the prediction of the direction.  wrong: BPRED_BAD_DIRECTION or 0. */
static inline __attribute__((always_inline)) unsigned predicted(uint64_t at, bool taken,
								uint64_t there, unsigned wrong)
{
	if (taken && unlikely(!bpred_btb_has(h->bpred, at, there)))
		return rt_btb(at, there, wrong);
	if (unlikely(!transfer_is_plain(h, 0)))
		return rt_told(at, taken, wrong);
	return account_plainly(taken, wrong);
}

/* What a branch calls: native.c has one of the pairs below in their place (choose_routines). */

NAMED_ROUTINE rt_taken(uint64_t at, uint64_t there)
{
	return predicted(at, true, there, bpred_other(h->bpred, at, true, there));
}

NAMED_ROUTINE rt_passed(uint64_t at, uint64_t there)
{
	return predicted(at, false, there, bpred_other(h->bpred, at, false, there));
}

NAMED_ROUTINE rt_simple_taken(uint64_t at, uint64_t there)
{
	return predicted(at, true, there, bpred_simple(h->bpred, at, true));
}

NAMED_ROUTINE rt_simple_passed(uint64_t at, uint64_t there)
{
	return predicted(at, false, there, bpred_simple(h->bpred, at, false));
}

NAMED_ROUTINE rt_bimode_taken(uint64_t at, uint64_t there)
{
	return predicted(at, true, there, bpred_bimode(h->bpred, at, true));
}

NAMED_ROUTINE rt_bimode_passed(uint64_t at, uint64_t there)
{
	return predicted(at, false, there, bpred_bimode(h->bpred, at, false));
}

/* TAGE with few tables. */

static inline uint8_t *base_of(uint64_t at)
{
	return &h->bpred->counter[at >> 1 & h->bpred->counter_mask];
}

ROUTINE rt_learn_taken(uint64_t at, uint64_t there)
{
	return predicted(at, true, there, tage_learn(&h->bpred->tage, at, base_of(at), true));
}

ROUTINE rt_learn_passed(uint64_t at, uint64_t there)
{
	return predicted(at, false, there, tage_learn(&h->bpred->tage, at, base_of(at), false));
}

static inline __attribute__((always_inline)) unsigned tagged(uint64_t at, bool taken,
							     uint64_t there)
{
	struct tage *t = &h->bpred->tage;

	if (unlikely(tage_learns(tage_provider(t, at, *base_of(at), TAGE_FEW), taken)))
		return taken ? rt_learn_taken(at, there) : rt_learn_passed(at, there);
	tage_push(t, taken);
	return predicted(at, taken, there, 0);
}

NAMED_ROUTINE rt_tagged_taken(uint64_t at, uint64_t there)
{
	return tagged(at, true, there);
}

NAMED_ROUTINE rt_tagged_passed(uint64_t at, uint64_t there)
{
	return tagged(at, false, there);
}

ROUTINE rt_jal(enum bpred_kind kind, uint64_t at, uint64_t target, uint64_t behind)
{
	if (bpred_calls(kind))
		bpred_push(h->bpred, behind);
	return predicted(at, true, target, 0);
}

/* What op/jump.h calls: predicts, and accounts for r. */
static inline __attribute__((always_inline)) unsigned
predict_branch(struct hart *h_, struct block_run *r_, uint64_t at, bool taken, uint64_t there)
{
	if (timed)
		return taken ? rt_taken(at, there) : rt_passed(at, there);
	return 0; /* the code of the way accounts for r */
}

static inline __attribute__((always_inline)) unsigned
predict_jump(struct hart *h_, struct block_run *r_, enum bpred_kind kind, uint64_t at,
	     uint64_t target, uint64_t behind)
{
	if (timed)
		return rt_jal(kind, at, target, behind);
	return 0;
}

static inline __attribute__((always_inline)) unsigned predict_none(struct hart *h_,
								   struct block_run *r_)
{
	return timed ? account(0, BLOCK_RIGHT) : 0;
}

/* next may run. */
static inline bool allows(const struct block_run *next)
{
	return likely(timed ? left > next->cycles : left >= next->nr);
}

/* Begins r at pc. */
#define RUN return ((unsigned (*)(void))r->code)()

/* Begins next at target, which may run, and has been fetched.  NULL: the engine must return. */
ROUTINE rt_begin(struct block_run *next, uint64_t target)
{
	if (!next)
		return NATIVE_LEFT;
	r = next;
	pc = target;
	if (timed)
		left -= r->cycles;
	if (!r->code)
		return NATIVE_BEGIN;
	RUN;
}

/*
 * r, which has been counted, goes on at this way, but its code has no successor for that, or the
 * successor may not run.
 */
ROUTINE rt_go(unsigned way, unsigned outcome)
{
	struct block_run *next = r->to[way][outcome];
	uint64_t target = target_of(way);

	if (!next)
		return rt_begin(ENGINE(find)(h, r, way, outcome, pc, target), target);
	if (outcome == BLOCK_RIGHT && next->code && !r->code_linked[way])
		native_link(h->cl->native, r);
	if (!allows(next)) {
		ENGINE(leave)(h, target, next->in, pc + r->last);
		return NATIVE_LEFT;
	}
	if (timed && r->next_lines[way]) {
		if (!l1i_has(h, next))
			return rt_begin(ENGINE(enter)(h, next, target, pc + r->last), target);
		count_fetches(h, next, target, r->next_lines[way]);
	}
	return rt_begin(next, target);
}

/* What rt_other does if there is a listener. */
ROUTINE rt_other_heard(unsigned way, unsigned outcome)
{
	pmu_add_run(h, r, way, target_of(way));
	return rt_go(way, outcome);
}

/*
 * The code of r has no successor for an outcome.  Most often that is a wrong prediction: goes on
 * without a call of C, if nothing needs one.
 */
ROUTINE rt_other(unsigned way, unsigned outcome)
{
	struct block_run *next = r->to[way][outcome];

	if (unlikely(h->counts_code)) {
		if (h->listener)
			return rt_other_heard(way, outcome);
		r->ways[way]++;
	}
	if (unlikely(!next || !next->code || !allows(next) ||
		     (r->next_lines[way] && next->seen != h->fetch_changes[next->fetch_set])))
		return rt_go(way, outcome);
	h->fetches += r->next_lines[way];
	pc = target_of(way);
	r = next;
	left -= r->cycles;
	RUN;
}

/* jalr at `at`: r has jumped to target, which can be anywhere.  Looks it up in the jump cache. */
ROUTINE rt_jump(enum bpred_kind kind, uint64_t at, uint64_t target, uint64_t behind)
{
	unsigned outcome = BLOCK_RIGHT;
	uint64_t was = pc + r->last;
	struct block_run *next;
	struct jump *j;
	uint32_t state;

	if (timed) {
		outcome = transferred(h, r, at, true,
				      bpred_jump(h->bpred, kind, at, target, behind));
		h->retired += r->nr;
	}
	left -= timed ? r->way_cycles[1][outcome] : r->nr;
	if (unlikely(h->counts_code)) {
		r->ways[1]++;
		pmu_jumped(h, r, target);
	}
	state = state_after(h, r, 1, outcome);
	j = hart_jump(h, target, state);
	next = j->r;
	if (unlikely(j->key != (target ^ h->fetch_key) || j->state != state))
		return rt_begin(ENGINE(fetch)(h, target, state, was), target);
	if (unlikely(!allows(next))) {
		ENGINE(leave)(h, target, state, was);
		return NATIVE_LEFT;
	}
	if (timed && unlikely(!fetched(h, next, target, was)))
		return rt_begin(ENGINE(enter)(h, next, target, was), target);
	if (unlikely(!next->code))
		return rt_begin(next, target);
	r = next;
	pc = target;
	if (timed)
		left -= r->cycles;
	RUN;
}

/* The link to a successor of which L1I has perhaps not all lines.  Its cycles are subtracted. */
ROUTINE __attribute__((cold)) rt_fetch(intptr_t r_step, intptr_t pc_step, unsigned lines)
{
	struct block_run *next = (struct block_run *)((char *)r + r_step);

	if (!timing_l1i_has(h, next)) {
		left += next->cycles;
		next = ENGINE(enter)(h, next, pc + pc_step, pc + r->last);
		return rt_begin(next, pc + pc_step);
	}
	r = next;
	pc += pc_step;
	count_fetches(h, r, pc, lines);
	RUN;
}

/* native_run calls it: runs code until it leaves, and returns why. */
unsigned rt_enter(struct hart *hart, struct block_run **run, uint64_t *at, unsigned (*code)(void))
{
	struct hart *old_h = h;
	struct block_run *old_r = r;
	unsigned long old_pc = pc;
	long old_left = left;
#define NATIVE_PIN(host, number, n) unsigned long old_##n = pin_##n;
#include HOST_PINS
	unsigned leave;

	h = hart;
	r = *run;
	pc = *at;
	left = h->countdown;
#define NATIVE_PIN(host, number, n) pin_##n = h->x[n];
#include HOST_PINS
	leave = code();
#define NATIVE_PIN(host, number, n) h->x[n] = pin_##n, pin_##n = old_##n;
#include HOST_PINS
	h->countdown = left;
	*run = r;
	*at = pc;
	h = old_h;
	r = old_r;
	pc = old_pc;
	left = old_left;
	return leave;
}

/* A successor that has not been linked, or has no code. */
STENCIL(unlinked)
{
	if (!timed)
		TAKE_LEFT(nr);
	return rt_go((unsigned)HOLE(way), BLOCK_RIGHT);
}

/* An instruction that the interpreter executes. */
STENCIL(here)
{
	return LEAVE(NATIVE_HERE);
}

/* The tally of r is not that of what the hart is now. */
ROUTINE __attribute__((cold)) rt_tally(void)
{
	tally_begin(h, r, pc);
	return 0;
}

/* r begins: makes its tally active. */
STENCIL(begin)
{
	if (unlikely(r->key != h->key))
		rt_tally();
	NEXT;
}

/* r has come to its end, and goes on at a way: counts that. */
STENCIL(count)
{
	++*(uint64_t *)((char *)r + HOLE(ran));
	NEXT;
}

ROUTINE rt_jumped(uint64_t target)
{
	pmu_jumped(h, r, target);
	return 0;
}

/* It ended with a call, or a jump that a listener wants to know. */
STENCIL(jumped)
{
	if (!timed)
		TAKE_LEFT(nr);
	rt_jumped(pc + HOLE(pc_step));
	if (!timed)
		left += HOLE(nr);
	NEXT;
}

/*
 * HOLE(nr) simple vector instructions, SELF is the first: whether code of the host's vectors, which
 * follows, does all of them.
 */
STENCIL(vectors)
{
	const struct vector_state *v = h->vector;

	if (unlikely(v->vtype != (uint64_t)HOLE(imm) || v->vl != (uint32_t)HOLE(need) ||
		     v->vstart || (h->mstatus & MSTATUS_VS) != MSTATUS_VS || h->counts_elements))
		goto other;
	if (timed && unlikely(!timing_vectors(h, r, SELF, HOLE(nr))))
		goto other;
	return hole_next();
other:
	__attribute__((cold));
	return hole_way1();
}

static inline __attribute__((always_inline)) unsigned link(bool self, bool lines, bool told)
{
	if (!timed) {
		TAKE_LEFT(nr);
		if (unlikely(left < HOLE(need)))
			goto leave;
	} else {
		if (unlikely(TAKEN(need)))
			goto leave;
	}
	if (lines && unlikely(*(uint64_t *)((char *)r + HOLE(seen)) !=
			      *(uint64_t *)((char *)h->fetch_changes + HOLE(fetch_set))))
		return rt_fetch(HOLE(r_step), HOLE(pc_step), HOLE(lines));
	if (lines)
		h->fetches += HOLE(lines);
	if (!self) {
		r = (struct block_run *)((char *)r + HOLE(r_step));
		pc += HOLE(pc_step);
	}
	if (told) {
		if (unlikely(r->key != h->key))
			rt_tally();
		++*(uint64_t *)((char *)r->tally + HOLE(fetched));
	}
	return hole_next();
leave:
	__attribute__((cold));
	if (timed)
		left += HOLE(need);
	return rt_go((unsigned)HOLE(way), BLOCK_RIGHT);
}

/* A successor that is in the line that was fetched last (without models: any). */
STENCIL(link)
{
	return link(false, false, false);
}

/* The run itself is its successor. */
STENCIL(link_self)
{
	return link(true, false, false);
}

/* A function in front of the first instruction of op/, and the end of the last one. */
#define STENCILS(name)                                                                             \
	STENCIL(first_##name)                                                                      \
	{                                                                                          \
		uint64_t target __attribute__((unused)), sink __attribute__((unused));             \
		unsigned rm __attribute__((unused)), outcome __attribute__((unused));              \
		NEXT;
#define STENCILS_END                                                                               \
	OP(last) NEXT;                                                                             \
fault:                                                                                             \
illegal:                                                                                           \
leave_after:                                                                                       \
	return 0;                                                                                  \
	}

/* clang-format off */
#define NAMED(name) st_##name
STENCILS(general)
#include "op/int.h"
#include "op/mem.h"
#include "op/fp.h"
#include "op/vector.h"
#include "op/thead.h"
#include "op/jump.h"
STENCILS_END
#undef NAMED

/* Variants, for operands that many instructions have (enum native_variant). */
#define NAMED(name) st_dynamic_##name
STENCIL(dynamic_last);
#undef RM
#define RM 7u
STENCILS(dynamic)
#include "op/fp.h"
STENCILS_END
#undef NAMED

#define NAMED(name) st_same_##name
STENCIL(same_last);
#undef RS1
#define RS1 RD
STENCILS(same)
#include "op/int.h"
STENCILS_END
#undef NAMED

#define NAMED(name) st_zero1_##name
STENCIL(zero1_last);
#undef RS1
#define RS1 ((uint64_t)0)
STENCILS(zero1)
#include "op/int.h"
STENCILS_END
#undef RS1
#define RS1 REG(x, rs1)
#undef NAMED

#define NAMED(name) st_zero2_##name
STENCIL(zero2_last);
STENCIL(zero2_END);
#undef RS2
#define RS2 ((uint64_t)0)
STENCILS(zero2)
#include "op/mem.h"
#include "op/jump.h"
STENCILS_END
#undef RS2
#define RS2 REG(x, rs2)
#undef NAMED

#define NAMED(name) st_sink_##name
STENCIL(sink_last);
#undef RD
#define RD sink
STENCILS(sink)
#include "op/jump.h"
STENCILS_END
#undef RD
#define RD REG(x, rd)
#undef NAMED
/* clang-format on */

/* A successor for which lines of L1I are fetched. */
STENCIL(link_lines)
{
	return link(false, true, false);
}

/* The same, and a listener wants to know of the fetches. */
STENCIL(link_told)
{
	return link(false, true, true);
}
