// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_cpu_branches.c - branches, jumps, returns and chains of dependent instructions on each CPU
 * of cpu/: the mispredictions and the stall cycles follow from the predictor and the pipeline.
 *
 * usage: test_sim_cpu_branches FOLDER     with the compiled descriptions
 */
#include "cpu_rig.h"

#define WARM 300 /* runs after which a predictor has learned all it can */
#define RUNS 50 /* runs that are counted */

static bool paranoid;

/* The facts about a CPU that a test needs. */
struct core {
	const char *name;
	const struct bpred_config *bpred;
	const struct cost_config *cost;
	const struct hierarchy_config *memory;
	struct machine *m;
	struct hart *h;
};

static void each_core(void (*test)(const struct core *c))
{
	for (unsigned n = 0; n < TAP_NR(cpus); n++) {
		struct cpu *cpu = load_every(cpus[n]);
		struct machine *m = cpu_machine(cpu, paranoid);
		struct core c = {
			cpus[n], &cpu->models->bpred, &cpu->models->cost, &cpu->models->hierarchy,
			m,	 m->cl.hart[0]
		};

		m->cl.hart[0]->mstatus |= MSTATUS_FS;
		test(&c);
		machine_destroy(m);
		cpu_free(cpu);
	}
}

static void again(const struct core *c)
{
	machine_reset(c->m);
	c->h->mstatus |= MSTATUS_FS;
	forget(c->m);
}

/*
 * Runs a loop of a given number of turns again and again: the mispredictions of each run after
 * learning, and how many of them were taken.  TAGE predicts the end of a loop that fits into its
 * longest history.  Gshare and bi-mode (which has chosen its table for taken branches) distinguish
 * the turns as long as the end of the last run is in their history.  If it is not, t turns and the
 * end share a counter.  With two or more such turns it predicts taken.  With one turn gshare's
 * counter, which starts at weakly not taken, is wrong both times.
 */
static void loop_wrong(const struct bpred_config *b, unsigned turns, unsigned *wrong,
		       unsigned *taken)
{
	unsigned knows = b->direction == BPRED_TAGE ? b->tage.history[b->tage.tables - 1]
						    : b->history;
	unsigned t = turns - 1 > knows ? turns - 1 - knows : 0;

	ok(b->direction == BPRED_TAGE || b->direction == BPRED_GSHARE ||
	   b->direction == BPRED_BIMODE);
	*taken = b->direction == BPRED_GSHARE && t == 1;
	*wrong = (t > 0) + *taken;
}

static void loop_of(const struct core *c, unsigned turns)
{
	unsigned wrong, taken;

	again(c);
	RIG_CODE(c->m, CODE, addi(T0, T0, -1), bnez(T0, -4), END);
	for (unsigned run = 0; run < WARM + RUNS; run++) {
		if (run == WARM)
			forget(c->m);
		c->h->x[T0] = turns;
		restart(c->m);
	}
	tap_context("%s: a loop of %u turns", c->name, turns);
	loop_wrong(c->bpred, turns, &wrong, &taken);
	is(total(c->m, EVENT_BRANCH), RUNS * turns);
	is(total(c->m, EVENT_TAKEN), RUNS * (turns - 1));
	is(total(c->m, EVENT_NOT_TAKEN), RUNS);
	is(total(c->m, EVENT_BAD_DIRECTION), RUNS * wrong);
	is(total(c->m, EVENT_BAD_TAKEN), RUNS * taken);
	is(total(c->m, EVENT_BTB_MISS), 0);
	is(total(c->m, EVENT_WAIT_BRANCH),
	   RUNS * (wrong * c->cost->bad_direction + (turns - 1 - taken) * c->cost->taken));
}

static void loops_of(const struct core *c)
{
	unsigned history = c->bpred->history;

	if (c->bpred->direction == BPRED_TAGE) {
		/* In between, the result depends on which entries the tables evict. */
		loop_of(c, 2);
		loop_of(c, 5);
		loop_of(c, c->bpred->tage.history[0]);
		loop_of(c, c->bpred->tage.history[c->bpred->tage.tables - 1] + 100);
		return;
	}
	for (unsigned turns = 2; turns < 3 * history; turns++)
		loop_of(c, turns);
}

static void loops(void)
{
	each_core(loops_of);
}

/* One branch, taken as the bits of a pattern tell, again and again. */
static void pattern_of(const struct core *c, unsigned pattern, unsigned bits, unsigned runs)
{
	RIG_CODE(c->m, CODE, bnez(T0, 8), NOP, END);
	for (unsigned run = 0; run < runs; run++) {
		c->h->x[T0] = pattern >> run % bits & 1;
		restart(c->m);
	}
}

static void patterns_of(const struct core *c)
{
	static const struct {
		unsigned pattern, bits;
	} rows[] = { { 0, 1 }, { 1, 1 }, { 1, 2 }, { 3, 3 }, { 0x16, 5 } };

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		again(c);
		pattern_of(c, rows[n].pattern, rows[n].bits, WARM * rows[n].bits);
		forget(c->m);
		pattern_of(c, rows[n].pattern, rows[n].bits, RUNS * rows[n].bits);
		tap_context("%s: pattern %x of %u", c->name, rows[n].pattern, rows[n].bits);
		is(total(c->m, EVENT_BRANCH), RUNS * rows[n].bits);
		is(total(c->m, EVENT_TAKEN), RUNS * __builtin_popcount(rows[n].pattern));
		is(total(c->m, EVENT_BAD_DIRECTION), 0);
		is(total(c->m, EVENT_WAIT_BRANCH), total(c->m, EVENT_TAKEN) * c->cost->taken);
	}
	/*
	 * A branch that is always taken, from its first execution.  Counters start at weakly not
	 * taken, and gshare uses a new one for each new history; bi-mode's start at the direction
	 * of its choice.
	 */
	again(c);
	pattern_of(c, 1, 1, WARM);
	tap_context("%s: always taken", c->name);
	is(total(c->m, EVENT_BAD_DIRECTION),
	   c->bpred->direction == BPRED_GSHARE ? c->bpred->history + 1 : 1);
	is(total(c->m, EVENT_BAD_TAKEN), total(c->m, EVENT_BAD_DIRECTION));
	is(total(c->m, EVENT_BTB_MISS), 1);
}

static void patterns(void)
{
	each_core(patterns_of);
}

/* Nested calls: the return stack loses as many of the outer returns as it is too short for. */
static void returns_of(const struct core *c)
{
	for (unsigned depth = 1; depth <= 3 * c->bpred->returns; depth++) {
		unsigned bad = depth > c->bpred->returns ? depth - c->bpred->returns : 0;

		again(c);
		RIG_CODE(c->m, CODE, jal(RA, 8), END, addi(SP, SP, -16), sd(RA, 0, SP),
			 addi(T0, T0, -1), branch(0, T0, ZERO, 8), jal(RA, -16), ld(RA, 0, SP),
			 addi(SP, SP, 16), jalr(ZERO, 0, RA));
		c->h->x[SP] = RIG_DATA;
		c->h->x[T0] = depth;
		restart(c->m);
		tap_context("%s: %u calls deep", c->name, depth);
		is(total(c->m, EVENT_CALL), depth);
		is(total(c->m, EVENT_RETURN), depth);
		is(total(c->m, EVENT_INDIRECT), depth);
		is(total(c->m, EVENT_BAD_RETURN), bad);
		is(total(c->m, EVENT_BAD_TARGET), 0);
	}
}

static void returns(void)
{
	each_core(returns_of);
}

/*
 * Unpriv 2.5.1: jalr through t0 that links ra pops, then pushes; with the same register twice it
 * pushes.
 */
static void swaps_of(const struct core *c)
{
	for (unsigned back = 0; back < 2; back++) {
		again(c);
		RIG_CODE(c->m, CODE, jalr(RA, 0, back ? T0 : RA));
		RIG_CODE(c->m, CODE + 0x40, END);
		c->h->x[T0] = c->h->x[RA] = CODE + 0x40;
		restart(c->m);
		tap_context("%s: %s", c->name, back ? "back and on" : "on");
		is(total(c->m, EVENT_CALL), 1);
		is(total(c->m, EVENT_RETURN), back);
		is(total(c->m, EVENT_BAD_RETURN), back);
		is(total(c->m, EVENT_BAD_TARGET), !back);
	}
}

static void swaps(void)
{
	each_core(swaps_of);
}

/* A jump through a register, always to one target, and to two in turn. */
static void indirect_of(const struct core *c)
{
	/*
	 * A table indexed by the last targets learns the turns; a single entry for each jump does
	 * not.
	 */
	bool knows = c->bpred->targets && c->bpred->target_history;

	/* Not through ra or t0, because that would be a return. */
	RIG_CODE(c->m, CODE, jalr(ZERO, 0, A0));
	RIG_CODE(c->m, CODE + 0x40, END);
	RIG_CODE(c->m, CODE + 0x80, END);
	for (unsigned places = 1; places <= 2; places++) {
		again(c);
		for (unsigned run = 0; run < WARM + RUNS; run++) {
			if (run == WARM)
				forget(c->m);
			c->h->x[A0] = CODE + 0x40 * (1 + run % places);
			restart(c->m);
		}
		tap_context("%s: a jump to %u places", c->name, places);
		is(total(c->m, EVENT_INDIRECT), RUNS);
		is(total(c->m, EVENT_BAD_TARGET), places == 2 && !knows ? RUNS : 0);
		is(total(c->m, EVENT_WAIT_BRANCH),
		   places == 2 && !knows ? RUNS * c->cost->bad_target : RUNS * c->cost->taken);
		is(total(c->m, EVENT_BAD_DIRECTION) + total(c->m, EVENT_BAD_RETURN), 0);
		/* The event counts only transfers whose target is in the instruction. */
		is(total(c->m, EVENT_BTB_MISS), 0);
	}
}

static void indirect(void)
{
	each_core(indirect_of);
}

/*
 * What a hart is charged while the front end waits for so many cycles after a jump: out of order,
 * the jump has not retired in its first ones.
 */
static unsigned charged(const struct core *c, unsigned cycles)
{
	bool out = c->cost->order == COST_OUT_OF_ORDER;
	unsigned hidden = out ? c->cost->latency[COST_BRANCH] - 1 : 0;

	return cycles > hidden ? cycles - hidden : 0;
}

/* Jumps in one set of the BTB, which is LRU: as many as it has ways, and more. */
static void btb_of(const struct core *c)
{
	const struct bpred_config *b = c->bpred;
	unsigned apart = b->btb_sets * 2 < 4 ? 4 : b->btb_sets * 2;

	for (unsigned n = b->btb_ways; n <= 2 * b->btb_ways; n++) {
		unsigned passes = 4, misses = n > b->btb_ways ? n * passes : n;

		again(c);
		for (unsigned i = 0; i < n; i++)
			RIG_CODE(c->m, CODE + i * apart, jal(ZERO, apart));
		RIG_CODE(c->m, CODE + n * apart, END);
		for (unsigned pass = 0; pass < passes; pass++)
			restart(c->m);
		tap_context("%s: %u jumps in a set of the BTB", c->name, n);
		is(total(c->m, EVENT_JAL), n * passes);
		is(total(c->m, EVENT_BTB_MISS), misses);
		is(total(c->m, EVENT_WAIT_BRANCH),
		   (n * passes - misses) * charged(c, c->cost->taken) +
			   misses * charged(c, c->cost->taken + c->cost->btb_miss));
	}
}

static void btb(void)
{
	each_core(btb_of);
}

/*
 * Instructions that wait for each other or for their unit; wfi waits for nothing and is alone in
 * its cycles.  The code has been fetched before.
 */
#define CHAIN 8

static void chain_of(const struct core *c, uint32_t insn, unsigned step, enum event cause,
		     enum cost_class class, const char *what)
{
	const uint8_t *of = cause == EVENT_WAIT_UNIT ? c->cost->busy : c->cost->latency;
	enum event result = insn >> 5 & 2 ? EVENT_WAIT_FP : EVENT_WAIT_INT; /* the opcode OP-FP */
	/* Out of order, the first one is charged what the others wait for its result. */
	bool out = c->cost->order == COST_OUT_OF_ORDER;
	unsigned apart = of[class], first = out ? c->cost->latency[class] - 1 : 0;
	uint32_t code[CHAIN + 1];
	unsigned serial = c->cost->busy[COST_CSR];

	for (unsigned n = 0; n < CHAIN; n++)
		code[n] = insn + n * step;
	code[CHAIN] = END;
	result = class == COST_LOAD ? EVENT_WAIT_LOAD : result;
	again(c);
	rig_put(c->m, CODE, code, CHAIN + 1);
	*(uint64_t *)cluster_ram(&c->m->cl, RIG_DATA, 8) = RIG_DATA;
	for (unsigned run = 0; run < 2; run++) {
		c->h->x[T0] = RIG_DATA;
		c->h->x[S0] = 7;
		forget(c->m);
		restart(c->m);
	}
	tap_context("%s: %s", c->name, what);
	is(total(c->m, EVENT_INSTRUCTIONS), CHAIN + 1);
	for (enum event e = EVENT_WAIT_LOAD; e <= EVENT_WAIT_VECTOR; e++) {
		uint64_t want = e == cause ? (CHAIN - 1) * (apart - 1) : 0;

		want += e == result ? first : 0;
		tap_context("%s: %s, %s", c->name, what, event_table[e].name);
		is(total(c->m, e), want + (e == EVENT_WAIT_SERIAL ? serial - 1 : 0));
	}
	is(total(c->m, EVENT_CYCLES), (CHAIN - 1) * apart + 1 + first + serial);
}

static void chains_of(const struct core *c)
{
	const struct cost_config *cost = c->cost;
	unsigned width = cost->width < cost->units[COST_UNIT_ALU] ? cost->width
								  : cost->units[COST_UNIT_ALU];
	unsigned serial = cost->busy[COST_CSR];

	chain_of(c, ld(T0, 0, T0), 0, EVENT_WAIT_LOAD, COST_LOAD, "a chase");
	chain_of(c, addi(T1, T1, 1), 0, EVENT_WAIT_INT, COST_ALU, "sums");
	chain_of(c, r_type(0x02000033, T1, T1, S0), 0, EVENT_WAIT_INT, COST_MUL, "products");
	chain_of(c, r_type(0x02004033, A0, ZERO, S0), 1 << 7, EVENT_WAIT_UNIT, COST_DIV,
		 "independent divisions");
	chain_of(c, r_type(0x02007053, 1, 1, 2), 0, EVENT_WAIT_FP, COST_FP_ADD,
		 "floating-point sums");
	chain_of(c, r_type(0x12007053, 1, 1, 2), 0, EVENT_WAIT_FP, COST_FP_MUL,
		 "floating-point products");
	chain_of(c, r_type(0x1a007053, 1, 20, 20), 1 << 7, EVENT_WAIT_UNIT, COST_FP_DIV,
		 "floating-point divisions");
	chain_of(c, r_type(0x0200003b, T1, T1, S0), 0, EVENT_WAIT_INT, COST_MUL_32,
		 "products of 32 bits");
	chain_of(c, r_type(0x0200403b, A0, ZERO, S0), 1 << 7, EVENT_WAIT_UNIT, COST_DIV_32,
		 "independent divisions of 32 bits");
	chain_of(c, r_type(0x00007053, 1, 1, 2), 0, EVENT_WAIT_FP, COST_FP_ADD_32, "single sums");
	chain_of(c, r_type(0x10007053, 1, 1, 2), 0, EVENT_WAIT_FP, COST_FP_MUL_32,
		 "single products");
	chain_of(c, r_type(0x18007053, 1, 20, 20), 1 << 7, EVENT_WAIT_UNIT, COST_FP_DIV_32,
		 "single divisions");
	chain_of(c, r_type(0x22000053, 1, 1, 1), 0, EVENT_WAIT_FP, COST_FP_SIGN, "copies");
	chain_of(c, r_type(0x40007053, 1, 1, 1), 0, EVENT_WAIT_FP, COST_FP_CONVERT,
		 "conversions to single");
	/* Nothing waits: each cycle issues as many as there are units. */
	again(c);
	RIG_CODE(c->m, CODE, addi(A0, ZERO, 1), addi(A1, ZERO, 1), addi(A2, ZERO, 1),
		 addi(A3, ZERO, 1), addi(A4, ZERO, 1), addi(A5, ZERO, 1), END);
	restart(c->m);
	forget(c->m);
	restart(c->m);
	tap_context("%s: independent additions", c->name);
	is(total(c->m, EVENT_CYCLES), (6 + width - 1) / width + serial);
	is(total(c->m, EVENT_WAIT_INT), 0);
}

static void chains(void)
{
	each_core(chains_of);
}

/*
 * Stores that miss: the store buffer takes as many as it has entries; the next one waits for the
 * first.
 */
static void stores_of(const struct core *c)
{
	uint32_t code[2 * COST_STORES_MAX + 2];
	unsigned stores = c->cost->stores, units = c->cost->units[COST_UNIT_MEMORY];
	/* The first run has opened the rows. */
	unsigned bus = c->memory->row_bytes ? c->memory->row_hit_cycles : c->memory->bus_cycles;

	for (unsigned n = stores; n <= stores + 1; n++) {
		/* From both ends, so that no prefetcher follows them. */
		for (unsigned i = 0; i < n; i++) {
			unsigned at = i % 2 ? 31 - i / 2 : i / 2;

			code[i] = sd(ZERO, 128 * (int)(at % 16), at < 16 ? T0 : T1);
		}
		code[n] = END;
		again(c);
		rig_put(c->m, CODE, code, n + 1);
		/* Runs the code once without its stores: they go to lines that are present. */
		for (unsigned run = 0; run < 2; run++) {
			c->h->x[T0] = RIG_DATA + run * 0x4000 + 64;
			c->h->x[T1] = c->h->x[T0] + 16 * 128;
			c->h->now += 100000; /* the buffer is empty again */
			forget(c->m);
			restart(c->m);
		}
		tap_context("%s: %u stores", c->name, n);
		is(total(c->m, EVENT_L1D_WRITE_MISS), n);
		is(total(c->m, EVENT_WAIT_WRITE),
		   n > stores ? bus - (stores + units - 1) / units : 0);
	}
}

static void stores(void)
{
	each_core(stores_of);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "loops of known length", loops },
		{ "branches that follow a pattern", patterns },
		{ "returns deeper than the return stack", returns },
		{ "jumps that link, through a link register", swaps },
		{ "jumps through a register", indirect },
		{ "jumps around the ways of the BTB", btb },
		{ "instructions that wait for a result or a unit", chains },
		{ "the store buffer", stores },
	};

	cpu_folder = argc > 1 ? argv[1] : ".";
	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
