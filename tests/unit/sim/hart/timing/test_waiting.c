// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_waiting.c - loads that miss while the pipeline goes on (model/pipeline/waits.h): programs
 * whose waits are computed by hand, on the models of small_cpu.h; each runs on the normal engine
 * and on the paranoid one.
 *
 * A line of memory takes 100 cycles, a hit 3; two instructions issue in a cycle.
 */
#include "waits_program.h"

/* With a load queue of so many entries. */
#define RUN(entries, ...) (models.cost.loads = (entries), WAITS_RUN(__VA_ARGS__))

/* A load waits at its first use only, and what is between runs meanwhile. */
static void use(void)
{
	const struct outcome at_once = RUN(0, ld(A0, 0, T0), addi(A1, A0, 1));
	const struct outcome unused = RUN(4, ld(A0, 0, T0), addi(A1, A2, 1));
	const struct outcome used = RUN(4, ld(A0, 0, T0), addi(A1, A0, 1));
	const struct outcome later = RUN(4, ld(A0, 0, T0), mul(A2, A2, A2), mul(A2, A2, A2),
					 mul(A2, A2, A2), addi(A1, A0, 1));
	const struct outcome overwritten = RUN(4, ld(A0, 0, T0), addi(A0, ZERO, 1));

	is(at_once.waits, 100);
	is(at_once.memory, 100);
	is(unused.waits, 0);
	/* The load issues at cycle 0: its data is there at 103, where 3 would have been a hit. */
	is(used.waits, 100);
	is(used.cycles, at_once.cycles);
	/* The multiplications issue at 0, 4 and 8; the addition beside the last one. */
	is(later.waits, 103 - 8);
	/* A result that takes 1 must not come before the older one: it would issue at 2. */
	is(overwritten.waits, 103 - 2);
}

/* Lines of two loads come at the same time; a second load of a line waits for the first's. */
static void overlap(void)
{
	const struct outcome two = RUN(4, ld(A0, 0, T0), ld(A1, 0, T1), addi(A2, A0, 1),
				       addi(A3, A1, 1));
	const struct outcome chain = RUN(4, ld(A0, 0, T0), add(A0, A0, T1), ld(A1, 0, T1),
					 addi(A3, A1, 1));

	/*
	 * They issue at 0 and 1: the first addition waits from 3 to 103, the second one would issue
	 * at 4 and now does so at 104, when its data is there.
	 */
	is(two.waits, 100);
	is(chain.waits, 200);
}

/* With room for one load, the second one waits until the first one's line is there. */
static void queue(void)
{
	const struct outcome one = RUN(1, ld(A0, 0, T0), ld(A1, 0, T1), addi(A2, A2, 1));

	/* The second issues at 1, and the first line is there at 100. */
	is(one.waits, 99);
	is(one.memory, 99);
}

/* Stores wait for nobody until the buffer of two is full; their lines come side by side. */
static void stores(void)
{
	const struct outcome two = RUN(4, sd(A0, 0, T0), sd(A0, 0, T1));
	const struct outcome three = RUN(4, sd(A0, 0, T0), sd(A0, 0, T1), sd(A0, 0, T2));
	const struct outcome alone = RUN(0, sd(A0, 0, T0), sd(A0, 0, T1), sd(A0, 0, T2));
	const struct outcome fenced = RUN(4, sd(A0, 0, T0), sd(A0, 0, T1), FENCE);

	is(two.writes, 0);
	/* The third issues at 2; the first is done at 100. */
	is(three.writes, 98);
	is(alone.writes, 98);
	/* The fence issues at 2, the second store is done at 101. */
	is(fenced.writes, 99);
}

/* A register goes on waiting over branches. */
static void over_branches(void)
{
	const struct outcome o = RUN(4, ld(A0, 0, T0), jal(ZERO, 8), NOP, jal(ZERO, 8), NOP,
				     addi(A1, A0, 1));

	is(o.memory, o.waits);
	ok(o.waits > 90 && o.waits <= 100);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a load waits where it is used", use }, { "misses that overlap", overlap },
		{ "a load queue that is full", queue },	  { "stores", stores },
		{ "over branches", over_branches },
	};

	small_cpu(&cpu, &models);
	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
