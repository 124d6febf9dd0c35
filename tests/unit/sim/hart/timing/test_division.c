// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_division.c - divisions whose time depends on their operands: programs computed by hand by
 * the rules P16, L14 and O10 of holter-model(7), on the models of small_cpu.h; each runs on the
 * normal engine and on the paranoid one.
 *
 * A division takes 3 cycles, one for two bits of its quotient, and 5 for each sign; at least 5, and
 * the divider is busy for a cycle less.  In most programs a6 / a7 takes 15, 10 more than the least.
 * Two instructions issue, or are dispatched, in a cycle; a multiplication takes 4.  In the comments
 * the first division issues at 0.
 */
#include "rig.h"
#include "small_cpu.h"

#define CODE  RAM_BASE
#define LEAST 5

static struct cpu cpu;
static struct cpu_models models;
static bool paranoid;

static uint32_t mul(unsigned rd, unsigned rs1, unsigned rs2)
{
	return r_type(0x02000033, rd, rs1, rs2);
}

/* kind: funct3, 4 to 7: div, divu, rem, remu. */
static uint32_t divide(unsigned kind, unsigned rd, unsigned rs1, unsigned rs2)
{
	return r_type(0x02000033 | kind << 12, rd, rs1, rs2);
}

static uint32_t divide_word(unsigned kind, unsigned rd)
{
	return r_type(0x0200003b | kind << 12, rd, A6, A7);
}

#define LONG(rd) divide(5, rd, A6, A7)

/* What a program costs. */
struct outcome {
	uint64_t cycles, results, unit;
};

/* Runs the code once to bring it into L1I, and then again. */
static struct outcome run(uint64_t dividend, uint64_t divisor, const uint32_t code[], unsigned nr)
{
	struct machine_options o = { .cpu = &cpu, .models = true, .paranoid = paranoid };
	struct machine *m = rig_create(&o);
	struct hart *h = m->cl.hart[0];
	struct outcome found;

	rig_put(m, CODE, code, nr);
	for (unsigned turn = 0; turn < 2; turn++) {
		h->now += 10000;
		pmu_count_all(h);
		memset(h->pmu.total, 0, sizeof(h->pmu.total));
		h->x[A6] = dividend;
		h->x[A7] = divisor;
		h->pc = CODE;
		rig_run(m, 10000000);
	}
	found = (struct outcome){ h->pmu.total[PRV_M][EVENT_CYCLES],
				  h->pmu.total[PRV_M][EVENT_WAIT_INT],
				  h->pmu.total[PRV_M][EVENT_WAIT_UNIT] };
	machine_destroy(m);
	return found;
}

#define RUN(dividend, divisor, ...)                                                                \
	({                                                                                         \
		const uint32_t code[] = { __VA_ARGS__, END };                                      \
		run(dividend, divisor, code, TAP_NR(code));                                        \
	})

/* A program with a division that takes 10 cycles more, and its cycles beyond those of the least. */
#define LONGER(...)                                                                                \
	({                                                                                         \
		const struct outcome least = RUN(0, 1, __VA_ARGS__);                               \
		struct outcome found = RUN(1 << 23, 1, __VA_ARGS__);                               \
		found.cycles -= least.cycles;                                                      \
		found;                                                                             \
	})

static void core(enum cost_order order)
{
	small_cpu(&cpu, &models);
	models.cost.order = order;
	models.cost.window = 64;
	memset(models.cost.queues, 8, sizeof(models.cost.queues));
	models.cost.latency[COST_DIV] = models.cost.latency[COST_DIV_32] = LEAST;
	models.cost.busy[COST_DIV] = models.cost.busy[COST_DIV_32] = LEAST - 1;
	models.cost.div_bits = 2;
	models.cost.div_cycles = 3;
	models.cost.div_sign = 5;
}

static void costs(const struct outcome *o, uint64_t cycles, uint64_t results, uint64_t unit)
{
	is(o->cycles, cycles);
	is(o->results, results);
	is(o->unit, unit);
}

/* What a division takes (P16): a chain of one and an addition that needs it. */
static void times(void)
{
	static const struct {
		const char *name;
		uint64_t a, b;
		unsigned kind, word, takes;
	} rows[] = {
		{ "nothing by 1", 0, 1, 5, 0, LEAST },
		{ "by a greater one", 100, 1000, 5, 0, LEAST },
		{ "by 0", UINT64_MAX, 0, 5, 0, LEAST },
		{ "one bit: a cycle", 1, 1, 4, 0, LEAST },
		{ "7 bits", 100, 1, 5, 0, 3 + 3 },
		{ "7 bits by 3", 100, 7, 5, 0, 3 + 2 },
		{ "7 bits: equal lengths", 127, 64, 5, 0, LEAST },
		{ "64 bits", UINT64_MAX, 1, 5, 0, 3 + 32 },
		{ "64 bits, signed: -1", UINT64_MAX, 1, 4, 0, 3 + 1 + 10 },
		{ "-2^63 / -1: a sign, of an operand", 1ull << 63, UINT64_MAX, 4, 0, 3 + 32 + 5 },
		{ "-100 / 1", -100, 1, 4, 0, 3 + 3 + 10 },
		{ "100 / -1", 100, -1, 4, 0, 3 + 3 + 10 },
		{ "-100 / -1", -100, -1, 4, 0, 3 + 3 + 5 },
		{ "-100 % 1", -100, 1, 6, 0, 3 + 3 + 10 },
		{ "100 % -1", 100, -1, 6, 0, 3 + 3 + 5 },
		{ "-100 % -1", -100, -1, 6, 0, 3 + 3 + 10 },
		{ "a remainder, unsigned", -100, 1, 7, 0, 3 + 32 },
		{ "32 bits", UINT64_MAX, 1, 5, 1, 3 + 16 },
		{ "32 bits, signed", 0x80000000, 1, 4, 1, 3 + 16 + 10 },
		{ "32 bits, the upper ones do not count", 0xf00000064, 1, 4, 1, 3 + 3 },
		{ "a remainder of 32 bits", -100, -1, 6, 1, 3 + 3 + 10 },
	};

	for (unsigned order = 0; order < COST_ORDERS; order++) {
		core(order);
		for (unsigned n = 0; n < TAP_NR(rows); n++) {
			const uint32_t d = rows[n].word ? divide_word(rows[n].kind, A0)
							: divide(rows[n].kind, A0, A6, A7);
			const uint64_t least = RUN(0, 1, d, addi(A1, A0, 1)).cycles;

			tap_context("%s, order %s", rows[n].name, cost_order_name[order]);
			is(RUN(rows[n].a, rows[n].b, d, addi(A1, A0, 1)).cycles - least,
			   rows[n].takes - LEAST);
		}
	}
}

/* In order (L4, L14).  The static cost of what follows has a division of 5 cycles. */
static void in_order(void)
{
	struct outcome o;

	core(COST_IN_ORDER);
	/* The addition would issue at 5, and does so at 15. */
	o = LONGER(LONG(A0), addi(A1, A0, 1));
	costs(&o, 10, 4 + 10, 0);
	/* The multiplications issue at 0, 4 and 8; the addition beside the last one. */
	o = LONGER(LONG(A0), mul(A2, A2, A2), mul(A2, A2, A2), mul(A2, A2, A2), addi(A1, A0, 1));
	costs(&o, 15 - 8, 6 + 15 - 8, 0);
	/* Nobody needs it. */
	o = LONGER(LONG(A0), addi(A1, A2, 1));
	costs(&o, 0, 0, 0);
	/* A result that takes 1 must not come before the older one: it would issue at 4. */
	o = LONGER(LONG(A0), addi(A0, ZERO, 1));
	costs(&o, 15 - 4, 3 + 15 - 4, 0);
	/* The second division would issue at 4; the divider is busy until 14. */
	o = LONGER(LONG(A0), LONG(A1));
	costs(&o, 10, 0, 3 + 10);
	o = LONGER(LONG(ZERO), LONG(ZERO));
	costs(&o, 10, 0, 3 + 10);
	/* The operand of the second is there later than the divider is free. */
	o = LONGER(LONG(A0), divide(5, A1, A0, A7));
	costs(&o, 10, 4 + 10, 0);
	/* The divider is free at 14, the multiplication's result is there at 17. */
	o = LONGER(LONG(A0), mul(A2, A0, A7), LONG(A1), addi(A3, A2, 1));
	costs(&o, 10, 4 + 10 + 3, 0);
}

/* Out of order (O5, O10): R is the clock, P the time of the pipeline. */
static void out_of_order(void)
{
	struct outcome o;

	core(COST_OUT_OF_ORDER);
	/* It retires at R = 15, where P = 5; END takes 2. */
	o = RUN(1 << 23, 1, LONG(A0));
	costs(&o, 15 + 2, 4 + 10, 0);
	/* The multiplications retire at P = 5, 8 and 12: hidden. */
	o = RUN(1 << 23, 1, LONG(A0), mul(A2, A2, A2), mul(A2, A2, A2), mul(A2, A2, A2));
	costs(&o, 15 + 2, 4 + 10, 0);
	/* The addition retires at 16. */
	o = RUN(1 << 23, 1, LONG(A0), addi(A1, A0, 1));
	costs(&o, 16 + 2, 4 + 11, 0);
	/* The register is renamed. */
	o = RUN(1 << 23, 1, LONG(A0), addi(A0, ZERO, 1), addi(A1, A0, 1));
	costs(&o, 15 + 2, 4 + 10, 0);
	/* The second begins when the divider is free, at 14: the least of it is for the divider. */
	o = RUN(1 << 23, 1, LONG(A0), LONG(A1));
	costs(&o, 29 + 2, 4 + 10 + 10, 4);
	/* ... and when its operand is there, at 15. */
	o = RUN(1 << 23, 1, LONG(A0), divide(5, A1, A0, A7));
	costs(&o, 30 + 2, 4 + 10 + 15, 0);
	/* One that takes the least still keeps the divider, from 14 to 18. */
	o = RUN(1 << 23, 1, LONG(A0), divide(5, A1, ZERO, A7), divide(5, A2, ZERO, A7));
	costs(&o, 23 + 2, 4 + 10, 4 + 4);
}

/* Turns of a loop with two divisions, whose operands change; in slices of so many cycles. */
static uint64_t looped(unsigned turns, unsigned offset, uint64_t slice)
{
	struct machine_options o = { .cpu = &cpu, .models = true, .paranoid = paranoid };
	struct machine *m = rig_create(&o);
	struct hart *h = m->cl.hart[0];
	uint64_t cycles;

	RIG_CODE(m, CODE + offset, divide(4, A0, A6, A7), divide(6, A1, A6, A7), addi(A7, A7, 3),
		 mul(A2, A1, A7), mul(A6, A6, A2), addi(T0, T0, -1), bnez(T0, -24), END);
	h->pc = CODE + offset;
	h->x[T0] = turns;
	h->x[A6] = 0x123456789abcdef;
	h->x[A7] = 7;
	rig_run_in_turns(m, slice);
	cycles = h->now;
	machine_destroy(m);
	return cycles;
}

/* Where a block or a turn ends is all one, and whether the code is native. */
static void anywhere(void)
{
	static const uint64_t slices[] = { 1000000, 1, 3, 50 };

	for (unsigned order = 0; order < COST_ORDERS; order++) {
		uint64_t expected = 0;

		core(order);
		for (unsigned n = 0; n < 8 * TAP_NR(slices); n++) {
			const unsigned offset = n / TAP_NR(slices) * 8 + 2;
			const uint64_t slice = slices[n % TAP_NR(slices)];
			const uint64_t cycles = looped(80, offset, slice) -
						looped(40, offset, slice);

			tap_context("order %s, offset %u, slice %u", cost_order_name[order], offset,
				    (unsigned)slice);
			expected = expected ? expected : cycles;
			is(cycles, expected);
		}
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "what divisions take", times },
		{ "in order", in_order },
		{ "out of order", out_of_order },
		{ "at any place, in turns of any length", anywhere },
	};

	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
