// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_zcm.c - what Zcmp and Zcmt count and cost (holter-model(7), rules A13, P15, L13 and F8): a
 * list of registers costs what the instructions cost that it stands for, and each access counts.
 *
 * Models and costs are those of test_waiting.c; each program runs on the normal engine and on the
 * paranoid one.
 */
#include "waits_program.h"

#define RUN(...) (models.cost.loads = 4, WAITS_RUN(__VA_ARGS__))

#define PUSH   0xb862u /* cm.push {ra, s0-s1}, -32 */
#define POP    0xba62u /* cm.pop {ra, s0-s1}, 32 */
#define POPRET 0xbe62u
#define MVSA   0xacbeu /* cm.mvsa01 s1, s7 */
#define JT     0xa006u /* cm.jt 1 */
#define C_NOP  (1u << 16)
#define S7     23

/* Both cost the same; the second is one instruction with a c.nop after it. */
#define SAME(one, ...)                                                                             \
	do {                                                                                       \
		const struct outcome each = RUN(addi(SP, T0, 32), __VA_ARGS__, NOP);               \
		const struct outcome list = RUN(addi(SP, T0, 32), (one) | C_NOP);                  \
		is(list.cycles, each.cycles);                                                      \
		is(list.waits, 0);                                                                 \
		is(list.writes, each.writes);                                                      \
	} while (0)

static void costs(void)
{
	tap_context("cm.push");
	SAME(PUSH, sd(S1, -8, SP), sd(S0, -16, SP), sd(RA, -24, SP), addi(SP, SP, -32));
	tap_context("cm.mvsa01");
	SAME(MVSA, addi(S1, A0, 0), addi(S7, A1, 0));
}

/* The line of the stack is in L1D; they go to what is after them. */
static void costs_of_returns(void)
{
	const struct outcome each = RUN(ld(A0, 0, T0), add(SP, T0, A0), i_type(0x17, 0, 0, 0, T1),
					addi(T1, T1, 32), sd(T1, 8, SP), ld(S1, 24, SP),
					ld(S0, 16, SP), ld(RA, 8, SP), addi(SP, SP, 32),
					jalr(ZERO, 0, RA));
	const struct outcome list = RUN(ld(A0, 0, T0), add(SP, T0, A0), i_type(0x17, 0, 0, 0, T1),
					addi(T1, T1, 16), sd(T1, 8, SP), POPRET | C_NOP);

	is(list.branch, each.branch);
	is(list.cycles, each.cycles);
	is(list.waits, each.waits);
}

/* Accesses happen when the last micro-operation issues. */
static void misses(void)
{
	const struct outcome unused = RUN(addi(SP, T0, 0), POP | C_NOP, addi(A2, A1, 1));
	const struct outcome used = RUN(addi(SP, T0, 0), POP | C_NOP, addi(A2, S1, 1));
	const struct outcome stores = RUN(addi(SP, T0, 32), PUSH | C_NOP, addi(A2, A1, 1));

	is(unused.waits, 0);
	/*
	 * The loads issue at 1, 2 and 3, the last one beside the new sp.  The line is asked for at
	 * 3, and s1 is there at 106; with a hit it would be there at 4.
	 */
	is(used.waits, 106 - 4);
	is(used.memory, used.waits);
	is(stores.writes, 0);
}

/*
 * A program whose first run jumps to 0 and ends in the handler.  Then the word after t0's line
 * start is the address of the handler, and it runs again.
 */
static struct machine *prepared(uint32_t first, uint32_t jump)
{
	const uint32_t code[] = { first, jump | C_NOP, END, END, END };
	struct machine *m = warmed(code, TAP_NR(code));

	*(uint64_t *)cluster_ram(&m->cl, RIG_DATA + 0x4000 + 8, 8) = HANDLER;
	return m;
}

/* The line of ra comes from memory: cm.popret waits for it, as jalr would. */
static void waits_for_ra(void)
{
	struct machine *m = prepared(addi(SP, T0, 0), POPRET);
	const struct outcome o = again(m, 0x4000);

	is(o.waits, 100);
	is(total(m, EVENT_RETURN), 1);
	is(total(m, EVENT_INDIRECT), 1);
	is(total(m, EVENT_LOAD), 1);
	is(total(m, EVENT_L1D_READ), 3);
	is(m->cl.hart[0]->pc, HANDLER + 4);
	machine_destroy(m);
}

/* An entry is fetched into L1I, and the hart waits for its line. */
static void tables(void)
{
	struct machine *m = prepared(csrw(CSR_JVT, T0), JT);

	again(m, 0x4000);
	is(total(m, EVENT_L1I_READ_MISS), 1);
	is(total(m, EVENT_WAIT_FETCH), 100);
	is(total(m, EVENT_L1D_READ), 0);
	is(total(m, EVENT_INDIRECT), 1);
	is(total(m, EVENT_CALL), 0);
	is(m->cl.hart[0]->pc, HANDLER + 4);
	again(m, 0x4000);
	is(total(m, EVENT_L1I_READ_MISS), 0);
	is(total(m, EVENT_WAIT_FETCH), 0);
	machine_destroy(m);
}

/* How often e happens in an addi, this instruction, a c.nop and wfi. */
static uint64_t count(uint32_t insn, enum event e)
{
	const uint32_t code[] = { addi(SP, T0, 32), insn | C_NOP, END };
	struct machine *m = warmed(code, TAP_NR(code));
	uint64_t n;

	again(m, 0);
	n = total(m, e);
	machine_destroy(m);
	return n;
}

/* One instruction; each access counts in L1D. */
static void counts(void)
{
	is(count(PUSH, EVENT_STORE), 1);
	is(count(PUSH, EVENT_INT_STORE), 1);
	is(count(PUSH, EVENT_L1D_WRITE), 3);
	is(count(PUSH, EVENT_L1D_READ), 0);
	is(count(POP, EVENT_LOAD), 1);
	is(count(POP, EVENT_L1D_READ), 3);
	is(count(MVSA, EVENT_ALU), 3);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a list costs what its instructions cost", costs },
		{ "and with a return", costs_of_returns },
		{ "misses", misses },
		{ "a return waits for ra", waits_for_ra },
		{ "jump tables", tables },
		{ "events", counts },
	};

	small_cpu(&cpu, &models);
	isa_set_add(&cpu.isa, ISA_EXT_ZCMP);
	isa_set_add(&cpu.isa, ISA_EXT_ZCMT);
	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
