// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_pipeline.c - the state of the pipeline goes on over branches, lines, blocks, traps and
 * turns: loops whose cycles are computed by hand, at every place in a line and in slices of any
 * length; each runs on the normal engine and on the paranoid one.
 */
#include "hash.h"
#include "models_program.h"
#include "small_cpu.h"

#define CODE RAM_BASE
#define ROOM 12

enum { WARM = 100, TURNS = 1000 };

static struct cpu cpu;
static struct cpu_models models;
static bool paranoid;

/* A loop: its instructions without the two that count its turns. */
struct loop {
	const char *name;
	uint32_t body[ROOM];
	unsigned nr, cycles; /* of a turn */
};

static uint32_t mul(unsigned rd, unsigned rs1, unsigned rs2)
{
	return r_type(0x02000033, rd, rs1, rs2);
}

static uint32_t divide(unsigned rd, unsigned rs1, unsigned rs2)
{
	return r_type(0x02004033, rd, rs1, rs2);
}

/* Runs all harts until they wait, in slices of so many cycles; returns the sum of their times. */
static uint64_t run_in(struct machine *m, uint64_t slice)
{
	uint64_t sum = 0;
	bool wait = false;

	for (unsigned n = 0; !wait && n < 1000000; n++) {
		wait = true;
		for (unsigned k = 0; k < m->cl.harts; k++) {
			struct hart *h = m->cl.hart[k];

			if (h->idle)
				continue;
			wait = false;
			m->end = h->now + slice;
			m->current = h;
			hart_run(h, &m->end);
			m->current = NULL;
		}
	}
	ok(wait);
	for (unsigned k = 0; k < m->cl.harts; k++)
		sum += m->cl.hart[k]->now;
	return sum;
}

#define WHOLE 100000000 /* a slice that no program here fills */

/* Runs the loop so many turns, `offset` bytes after CODE; returns the cycles. */
static uint64_t cycles_of(const struct loop *l, unsigned turns, unsigned offset, uint64_t slice)
{
	struct machine_options o = { .cpu = &cpu, .models = true, .paranoid = paranoid };
	uint32_t code[ROOM + 3];
	struct machine *m = rig_create(&o);
	struct hart *h = m->cl.hart[0];
	uint64_t cycles;

	memcpy(code, l->body, l->nr * sizeof(code[0]));
	code[l->nr] = addi(T0, T0, -1);
	code[l->nr + 1] = bnez(T0, -4 * (int)(l->nr + 1));
	code[l->nr + 2] = END;
	rig_put(m, CODE + offset, code, l->nr + 3);
	h->pc = CODE + offset;
	h->mstatus |= MSTATUS_FS | MSTATUS_VS;
	h->x[T0] = turns;
	h->x[A0] = UINT64_MAX;
	h->x[A1] = 1;
	h->x[S0] = RIG_DATA;
	*(uint64_t *)cluster_ram(&m->cl, RIG_DATA, 8) = RIG_DATA;
	cycles = run_in(m, slice);
	machine_destroy(m);
	return cycles;
}

/* What TURNS turns cost when caches and predictors have learned the loop. */
static uint64_t steady(const struct loop *l, unsigned offset)
{
	return cycles_of(l, WARM + TURNS, offset, WHOLE) - cycles_of(l, WARM, offset, WHOLE);
}

/*
 * Two instructions a cycle; a branch that is taken ends its group and costs one more cycle.  So the
 * counter's two instructions and the branch's cycle are 3 cycles, or hidden by a result that takes
 * longer.  Latencies: load 3, multiplication 4, division 12, which keeps its unit.
 */
static const struct loop loops[] = {
	{ "nothing else", { 0 }, 0, 3 },
	{ "a division that needs the one before", { 0 }, 1, 12 },
	{ "a division, not used", { 0 }, 1, 12 },
	{ "a multiplication that needs the one before", { 0 }, 1, 4 },
	{ "multiplications that need nothing", { 0 }, 1, 3 },
	{ "two multiplications in a chain", { 0 }, 2, 8 },
	{ "a load whose address is loaded", { 0 }, 1, 3 },
	{ "two of them", { 0 }, 2, 6 },
	{ "a division that is used in the next turn", { 0 }, 2, 12 },
	{ "a division over a jump", { 0 }, 3, 12 },
};

static struct loop loop(unsigned n)
{
	struct loop l = loops[n];
	const uint32_t body[][ROOM] = {
		{ 0 },
		{ divide(A0, A0, A1) },
		{ divide(A2, A0, A1) },
		{ mul(A0, A0, A1) },
		{ mul(A2, A0, A1) },
		{ mul(A0, A0, A1), mul(A0, A0, A1) },
		{ ld(S0, 0, S0) },
		{ ld(S0, 0, S0), ld(S0, 0, S0) },
		{ addi(A3, A2, 1), divide(A2, A0, A1) },
		{ divide(A0, A0, A1), jal(ZERO, 8), NOP },
	};

	_Static_assert(TAP_NR(body) == TAP_NR(loops), "each loop has a body");
	memcpy(l.body, body[n], sizeof(l.body));
	return l;
}

static void chains(void)
{
	for (unsigned n = 0; n < TAP_NR(loops); n++) {
		struct loop l = loop(n);

		tap_context("%s", l.name);
		is(steady(&l, 0), TURNS * l.cycles);
	}
}

/* Lines of code that are all in L1I cost nothing: a loop may begin anywhere in its line. */
static void shifted(void)
{
	for (unsigned n = 0; n < TAP_NR(loops); n++) {
		struct loop l = loop(n);

		for (unsigned offset = 2; offset < 64; offset += 2) {
			tap_context("%s, %u bytes after the line's start", l.name, offset);
			is(steady(&l, offset), TURNS * l.cycles);
		}
	}
}

/* Where a time slice ends changes nothing. */
static void cut(void)
{
	static const uint64_t slices[] = { 1, 2, 7, 100 };

	for (unsigned n = 0; n < TAP_NR(loops); n++) {
		struct loop l = loop(n);
		uint64_t cycles = cycles_of(&l, WARM, 30, WHOLE);

		for (unsigned k = 0; k < TAP_NR(slices); k++) {
			tap_context("%s, slices of %u", l.name, (unsigned)slices[k]);
			is(cycles_of(&l, WARM, 30, slices[k]), cycles);
		}
	}
}

/*
 * A division is in flight while an exception is handled: what is left of its 12 cycles is waited
 * for after the handler, and no more.
 */
static void over_a_trap(void)
{
	struct machine_options o = { .cpu = &cpu, .models = true, .paranoid = paranoid };
	uint64_t cycles[2];

	for (unsigned uses = 0; uses < 2; uses++) {
		struct machine *m = rig_create(&o);
		struct hart *h = m->cl.hart[0];

		RIG_CODE(m, CODE, divide(A2, A0, A1), ECALL, NOP, addi(A3, uses ? A2 : A0, 1), END);
		RIG_CODE(m, CODE + 20, csrr(T1, CSR_MEPC), addi(T1, T1, 4), csrw(CSR_MEPC, T1),
			 MRET);
		csr_write(h, CSR_MTVEC, CODE + 20);
		h->x[A1] = 1;
		rig_run(m, 10000000);
		cycles[uses] = h->now;
		machine_destroy(m);
	}
	/*
	 * The division issues in cycle 0 and is done in 12; ecall traps.  csrr 1-2, addi 3,
	 * csrw 4-5, mret 6-7, NOP and addi 8: the addi waits and issues in 12.
	 */
	is(cycles[1] - cycles[0], 4);
}

/*
 * A misprediction's cycles pass for what is in flight, too.  The division and the branch issue in
 * cycle 0; the branch costs 7, so that the addi could issue in 8.  It waits until 12.
 */
static void over_a_misprediction(void)
{
	struct machine_options o = { .cpu = &cpu, .models = true, .paranoid = paranoid };
	uint64_t cycles[2];

	for (unsigned uses = 0; uses < 2; uses++) {
		struct machine *m = rig_create(&o);

		RIG_CODE(m, CODE, divide(A2, A0, A1), beqz(ZERO, 8), NOP,
			 addi(A3, uses ? A2 : A0, 1), END);
		m->cl.hart[0]->x[A1] = 1;
		rig_run(m, 10000000);
		cycles[uses] = m->cl.hart[0]->now;
		machine_destroy(m);
	}
	is(cycles[1] - cycles[0], 4);
}

/*
 * Two harts in a loop of random arithmetic, accesses and branches, in a machine with so much
 * memory, which also limits the decoded blocks and their runs, and so many numbers of states.
 */
static uint64_t random_loop(uint64_t memory, uint32_t states, uint64_t slice)
{
	enum { INSTRUCTIONS = 1200, DATA = 0x3000 };
	struct machine_options o = {
		.cpu = &cpu, .models = true, .paranoid = paranoid, .memory = memory, .harts = 2
	};
	struct machine *m = rig_create(&o);
	uint32_t text[INSTRUCTIONS + 5];
	uint64_t seed = 3, cycles;

	states_limit(m->cl.states, states);
	for (unsigned n = 0; n < INSTRUCTIONS; n++) {
		unsigned random = splitmix64(&seed) >> 8, rd = S2 + random % 8;
		unsigned rs = S2 + random / 8 % 8;
		int at = random >> 16 & 0x1f8;
		const uint32_t choice[] = {
			addi(rd, rs, 1),
			add(rd, rd, rs),
			mul(rd, rs, rd),
			divide(rd, rs, rd),
			ld(rd, at, S0),
			sd(rs, at, S0),
			branch(random >> 12 & 1, rs, rd, 8),
			branch(4, rs, rd, 8),
		};

		text[n] = choice[random >> 6 & 7];
	}
	text[INSTRUCTIONS] = NOP; /* the last branch may skip one instruction */
	text[INSTRUCTIONS + 1] = addi(T0, T0, -1);
	text[INSTRUCTIONS + 2] = branch(0, T0, ZERO, 8);
	text[INSTRUCTIONS + 3] = jalr(ZERO, 0, A5);
	text[INSTRUCTIONS + 4] = END;
	rig_put(m, CODE, text, INSTRUCTIONS + 5);
	for (unsigned k = 0; k < 2; k++) {
		struct hart *h = m->cl.hart[k];

		h->idle = false;
		h->pc = CODE;
		h->x[T0] = 12;
		h->x[A5] = CODE;
		h->x[S0] = CODE + DATA + k * 0x1000;
		for (unsigned n = 0; n < 8; n++)
			h->x[S2 + n] = splitmix64(&seed);
	}
	cycles = run_in(m, slice);
	machine_destroy(m);
	return cycles;
}

/* Out of order */

/*
 * The small core with a window, and queues in which 4 instructions can wait.  A branch that is
 * taken costs nothing.
 */
static void out_of_order(bool out)
{
	struct cost_config *c = &models.cost;

	c->order = out ? COST_OUT_OF_ORDER : COST_IN_ORDER;
	c->window = 32;
	c->taken = !out;
	memset(c->queues, 4, sizeof(c->queues));
}

/* Each loop costs so many cycles a turn. */
static void cost(const struct loop by_hand[], unsigned nr)
{
	for (unsigned n = 0; n < nr; n++) {
		for (unsigned offset = 0; offset < 64; offset += 18) {
			tap_context("%s, %u bytes after the line's start", by_hand[n].name, offset);
			is(steady(&by_hand[n], offset), TURNS * by_hand[n].cycles);
		}
	}
}

/*
 * Out of order a chain costs its latency, and what does not wait for it is hidden behind it.  Two
 * instructions are dispatched in a cycle.
 */
static void chains_out_of_order(void)
{
	const struct loop by_hand[] = {
		{ "nothing else", { 0 }, 0, 1 },
		{ "a division that needs the one before", { divide(A0, A0, A1) }, 1, 12 },
		{ "a chain beside a chain",
		  { mul(A0, A0, A1), mul(A0, A0, A1), ld(S0, 0, S0), ld(S0, 0, S0) },
		  4,
		  8 },
		/* In order, each use waits for its load. */
		{ "loads, each with a use",
		  { ld(A2, 0, S0), addi(A3, A2, 1), ld(A2, 0, S0), addi(A3, A2, 1) },
		  4,
		  3 },
	};

	out_of_order(true);
	cost(by_hand, TAP_NR(by_hand));
	out_of_order(false);
}

/* Vectors: what sets vl and vtype */

#define VSETVLI(rd, rs1)     (0x00007057u | (rd) << 7 | (rs1) << 15) /* e8, m1 */
#define VSETIVLI(rd, number) (0xc0007057u | (rd) << 7 | (number) << 15)
#define VSETVL(rd, rs1, rs2) (0x80007057u | (rd) << 7 | (rs1) << 15 | (rs2) << 20)
#define VADD(vd, vs2, vs1)   (0x02000057u | (vd) << 7 | (vs1) << 15 | (vs2) << 20)

/*
 * Their result takes 5 cycles, as on the X60.  The counter is decremented beside the last
 * instruction, if an ALU is free; its branch issues a cycle later and costs one more.
 */
static void configurations(void)
{
	const struct loop by_hand[] = {
		/* vsetvli 0, sub 5, bnez 6 */
		{ "strip-mined", { VSETVLI(A2, A0), r_type(0x40000033, A0, A0, A2) }, 2, 8 },
		/* sub and vsetvli 0, bnez 2, and sub waits until 5 */
		{ "all elements each time",
		  { r_type(0x40000033, A0, A0, A2), VSETVLI(A2, ZERO) },
		  2,
		  5 },
		{ "its result is not used", { VSETVLI(A2, A0) }, 1, 3 },
		{ "vl and vtype make no instruction wait",
		  { VSETVLI(A2, A0), VADD(1, 2, 3) },
		  2,
		  4 },
		{ "two in a cycle, by two ALUs", { VSETVLI(A2, A0), VSETVLI(A3, A0) }, 2, 4 },
		{ "a number is not a register", { mul(A2, A0, A1), VSETIVLI(ZERO, A2) }, 2, 4 },
		/* mul 0, vsetvl 4, bnez 5 */
		{ "a register for vtype", { mul(A3, A4, A1), VSETVL(A2, A0, A3) }, 2, 7 },
	};
	/* An ALU one cycle later: addresses are read before. */
	const struct loop late[] = {
		/* vsetvli 0, sub 4 */
		{ "a use at the late ALU",
		  { VSETVLI(A2, A0), r_type(0x40000033, A0, A0, A2) },
		  2,
		  7 },
		/* ld 0, vsetvli 2 */
		{ "itself at the late ALU", { ld(A2, 0, S0), VSETVLI(ZERO, A2) }, 2, 5 },
	};

	cost(by_hand, TAP_NR(by_hand));
	models.cost.late_alu = 1;
	cost(late, TAP_NR(late));
	models.cost.late_alu = 0;
}

/* Out of order a turn costs the chain of vsetvli and sub, or what is dispatched. */
static void configurations_out_of_order(void)
{
	const struct loop by_hand[] = {
		{ "strip-mined", { VSETVLI(A2, A0), r_type(0x40000033, A0, A0, A2) }, 2, 6 },
		{ "its result is used, no chain",
		  { VSETVLI(A2, A0), r_type(0x40000033, A3, A0, A2) },
		  2,
		  2 },
	};

	out_of_order(true);
	cost(by_hand, TAP_NR(by_hand));
	out_of_order(false);
}

static void cut_out_of_order(void)
{
	out_of_order(true);
	cut();
	out_of_order(false);
}

/* Runs and numbers that were forgotten are made again, and nothing is counted otherwise. */
static void forgotten(void)
{
	uint64_t cycles = random_loop(16 << 20, STATES_MAX, 50);

	ok(cycles > 2 * 12 * 1200);
	is(random_loop(0x8000, STATES_MAX, 50), cycles);
	is(random_loop(16 << 20, 1, 50), cycles);
	is(random_loop(16 << 20, 40, 50), cycles);
	is(random_loop(0x8000, 40, 50), cycles);
}

static void forgotten_out_of_order(void)
{
	out_of_order(true);
	forgotten();
	out_of_order(false);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "chains of instructions cost their latency over branches", chains },
		{ "code costs the same wherever it begins", shifted },
		{ "code costs the same however time slices cut it", cut },
		{ "what is in flight goes on over a trap", over_a_trap },
		{ "what is in flight goes on over a misprediction", over_a_misprediction },
		{ "a limit of what is remembered changes nothing", forgotten },
		{ "what sets vl costs what is declared", configurations },
		{ "out of order: chains and what is beside them", chains_out_of_order },
		{ "out of order: what sets vl", configurations_out_of_order },
		{ "out of order: time slices", cut_out_of_order },
		{ "out of order: a limit of what is remembered", forgotten_out_of_order },
	};

	small_cpu(&cpu, &models);
	small_vectors(&cpu, &models);
	models.cost.latency[COST_VSET] = 5;
	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
