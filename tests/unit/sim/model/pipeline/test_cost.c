// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_cost.c - the pipeline: compared with a plain one that goes cycle by cycle and checks for
 * each older instruction whether it blocks; and with runs computed by hand.  The numbers of its
 * states.
 */
#include "cost_rig.h"

#define RUN_MAX 64

/* The plain pipeline: the cycle in which each instruction of a run issued. */
struct plain {
	const struct cost_config *config;
	const struct cost_insn *insn;
	const uint8_t *wait; /* NULL, or cycles that the front end waits before each instruction */
	unsigned at[RUN_MAX];
	bool late[RUN_MAX]; /* it executes at the late ALU */
	struct cost_sum sum;
};

/* The last instruction before n that writes r, or -1. */
static int writer(const struct plain *p, unsigned n, unsigned r)
{
	for (int k = n - 1; k >= 0; k--) {
		if (r && p->insn[k].rd == r)
			return k;
	}
	return -1;
}

/* The first cycle in which a result of n can be used, or its unit again. */
static unsigned result(const struct plain *p, unsigned n)
{
	return p->at[n] + p->config->latency[p->insn[n].class] +
	       (p->late[n] ? p->config->late_alu : 0);
}

static unsigned cause_of(const struct plain *p, int n)
{
	return p->insn[n].rd >= 32	       ? COST_WAIT_FP
	       : p->insn[n].class == COST_LOAD ? COST_WAIT_LOAD
					       : COST_WAIT_INT;
}

/* The operands of n that are ready when it would be at the late ALU, as bits from rs1 on. */
static unsigned late_operands(const struct cost_insn *i)
{
	return i->late == COST_LATE_ALL ? 3 : i->late == COST_LATE_DATA ? 2 : 0;
}

/*
 * What blocks instruction n in this cycle: the cause that lasts longest; if there are several, the
 * first of operands in order, the result's register, the unit.  COST_STALLS: nothing.  late: the
 * cycles to the late ALU, if it may execute there.
 */
static unsigned in_the_way(const struct plain *p, unsigned n, unsigned cycle, unsigned late)
{
	const struct cost_insn *i = &p->insn[n];
	unsigned source[] = { i->rs1, i->rs2, i->rs3 }, until = cycle, cause = COST_STALLS, after;
	int w;

	for (unsigned k = 0; k < 3; k++) {
		after = late_operands(i) >> k & 1 ? late : 0;
		w = writer(p, n, source[k]);
		if (w >= 0 && result(p, w) > until + after) {
			until = result(p, w) - after;
			cause = cause_of(p, w);
		}
		if (w >= 0 && p->at[w] == until) { /* not in one group */
			until++;
			cause = cause_of(p, w);
		}
	}
	after = p->config->latency[i->class] + (i->late == COST_LATE_ALL ? late : 0);
	w = writer(p, n, i->rd);
	if (w >= 0 && result(p, w) > until + after) {
		until = result(p, w) - after;
		cause = cause_of(p, w);
	}
	for (unsigned k = 0; k < n; k++) {
		unsigned class = p->insn[k].class, busy = p->config->busy[class];

		if (busy > 1 && unit_of(class) == unit_of(i->class) && p->at[k] + busy > until) {
			until = p->at[k] + busy;
			cause = COST_WAIT_UNIT;
		}
	}
	return cause;
}

static bool system_busy(const struct plain *p, unsigned n, unsigned cycle)
{
	return n && unit_of(p->insn[n - 1].class) == COST_UNIT_SYSTEM &&
	       cycle < p->at[n - 1] + p->config->busy[p->insn[n - 1].class];
}

/* Whether the front end has not delivered instruction n, which ends a group if it waits. */
static bool fetches(const struct plain *p, unsigned n, unsigned cycle)
{
	unsigned class = p->insn[n ? n - 1 : 0].class, after = 0;

	if (!p->wait || !p->wait[n])
		return false;
	if (n)
		after = p->at[n - 1] +
			(unit_of(class) == COST_UNIT_SYSTEM ? p->config->busy[class] : 1);
	return cycle < after + p->wait[n] - 1;
}

static void plain_run(struct plain *p, unsigned nr)
{
	unsigned next = 0, cycle;

	memset(&p->sum, 0, sizeof(p->sum));
	for (cycle = 0; next < nr; cycle++) {
		unsigned issued = 0, used[COST_UNITS] = { 0 }, cause = COST_STALLS, unit = 0;

		while (next < nr && !system_busy(p, next, cycle) && !fetches(p, next, cycle)) {
			unit = unit_of(p->insn[next].class);
			cause = in_the_way(p, next, cycle, p->config->late_alu);
			if (cause != COST_STALLS || issued == p->config->width ||
			    used[unit] == p->config->units[unit] ||
			    (issued && unit == COST_UNIT_SYSTEM))
				break;
			p->late[next] = p->insn[next].late == COST_LATE_ALL &&
					in_the_way(p, next, cycle, 0) != COST_STALLS;
			p->at[next++] = cycle;
			used[unit]++;
			issued++;
			if (unit == COST_UNIT_SYSTEM)
				break;
		}
		if (!issued && fetches(p, next, cycle))
			continue;
		if (!issued)
			p->sum.stall[next && system_busy(p, next, cycle) ? COST_WAIT_SERIAL
									 : cause]++;
		else if (next < nr && issued < p->config->width &&
			 unit_of(p->insn[next - 1].class) != COST_UNIT_SYSTEM &&
			 unit_of(p->insn[next].class) != COST_UNIT_SYSTEM) {
			p->sum.cut += cause != COST_STALLS;
			p->sum.full += cause == COST_STALLS;
		}
	}
	/* The last instruction may be a system instruction. */
	while (nr && system_busy(p, nr, cycle)) {
		p->sum.stall[COST_WAIT_SERIAL]++;
		cycle++;
	}
	p->sum.cycles = cycle;
}

static const struct cost_config
	dual = {
		.width = 2,
		.units = { 2, 1, 1, 1, 1, 1, 1, 1 },
		.latency = { 1, 3, 20, 3,  1, 5, 1, 4,	4,  5, 20, 25, 2,
			     1, 1, 2,  12, 3, 3, 4, 11, 13, 1, 3,  2,  5 },
		.busy = { 1, 1, 19, 1,	1, 4, 1, 1, 1,	1, 18, 24, 1,
			  5, 8, 1,  11, 1, 1, 1, 9, 12, 1, 1,  1,  2 },
		.taken = 2,
		.btb_miss = 1,
		.bad_direction = 6,
		.bad_target = 7,
		.bad_return = 8,
		.second_tlb_cycles = 3,
		.walk_cycles = 9,
		.stores = 2,
	};

/* A dual-issue core, then others with any possible numbers. */
static struct cost_config variant(unsigned n)
{
	struct cost_config config = dual;
	uint64_t seed = n;

	if (!n)
		return config;
	cost_rig_vary(&config, &seed, 12);
	config.late_alu = n % 2 * (rig_random(&seed) % 5);
	return config;
}

/* Run n, on both pipelines. */
static void same_run(unsigned n, const struct cost_config *config, const struct cost_insn *insn,
		     unsigned nr)
{
	static const char *const causes[] = { "load", "int", "fp", "unit", "serial" };
	struct plain p = { .config = config, .insn = insn };
	struct cost c = cost_rig_make(config);
	uint32_t after[RUN_MAX];
	struct cost_sum sum;

	plain_run(&p, nr);
	cost_rig_run(&c, insn, nr, &sum, after);
	tap_context("run %u", n);
	is(sum.cycles, p.sum.cycles);
	is(sum.cut, p.sum.cut);
	is(sum.full, p.sum.full);
	for (unsigned k = 0; k < COST_STATIC_STALLS; k++) {
		tap_context("run %u, waiting: %s", n, causes[k]);
		is(sum.stall[k], p.sum.stall[k]);
	}
	/* A part of a run costs the cycles that it takes inside the run. */
	if (nr) {
		cost_rig_run(&c, insn, nr / 2 + 1, &sum, NULL);
		is(sum.cycles, after[nr / 2]);
	}
}

static void runs(void)
{
	for (unsigned n = 0; n < 3000; n++) {
		struct cost_config config = variant(n / 50);
		struct cost_insn insn[RUN_MAX];
		unsigned nr = n % (RUN_MAX + 1);
		uint64_t seed = n;

		for (unsigned k = 0; k < nr; k++)
			insn[k] = cost_rig_insn(&seed);
		same_run(n, &config, insn, nr);
	}
}

/*
 * A step of the recorded program as a compiler translates it, at most three instructions: addresses
 * are computed, a loaded value is used at once, and the matrices are floating point.
 */
static unsigned insns_of(const struct step *s, unsigned n, struct cost_insn *to)
{
	bool fp = s->addr >= 0x80020000 && s->addr < 0x80040000;
	unsigned r = 6 + n % 5, f = 32 + n % 5;

	switch (s->kind) {
	case STEP_READ:
		to[0] = (struct cost_insn){ COST_ALU, r, 5, 10 };
		to[1] = (struct cost_insn){ COST_LOAD, fp ? f : r, r };
		to[2] = fp ? (struct cost_insn){ COST_FP_FMA, 40, f, 32 + (n + 4) % 5, 40 }
			   : (struct cost_insn){ COST_ALU, 12, r, 12 };
		return 3;
	case STEP_WRITE:
		to[0] = (struct cost_insn){ COST_MUL, r, 11, 10 };
		to[1] = (struct cost_insn){ COST_STORE, 0, r, fp ? 40 : 12 };
		return 2;
	case STEP_RETURN:
		to[0] = (struct cost_insn){ COST_LOAD, 1, 2 };
		to[1] = (struct cost_insn){ COST_BRANCH, 0, 1 };
		return 2;
	default:
		to[0] = (struct cost_insn){ COST_ALU, 5, 5 };
		to[1] = (struct cost_insn){ COST_BRANCH, s->kind == STEP_CALL ? 1 : 0, 12, 5 };
		return 2;
	}
}

/* Runs end where the program jumps. */
static void recorded(void)
{
	struct trace t = trace_program(100);
	struct cost_insn insn[RUN_MAX];
	unsigned nr = 0, done = 0;

	for (unsigned n = 0; n < t.nr; n++) {
		nr += insns_of(&t.step[n], n, insn + nr);
		if (!t.step[n].taken && nr + 3 <= RUN_MAX && n + 1 < t.nr)
			continue;
		for (unsigned k = 0; k < 3; k++) {
			struct cost_config config = variant(k * 7);

			same_run(done, &config, insn, nr);
		}
		done++;
		nr = 0;
	}
	ok(done > 1000);
	free(t.step);
}

/* A run may be cut into steps anywhere, with its state carried on, also through a snapshot. */
static void cuts(void)
{
	struct cost c = cost_rig_make(&dual);
	struct cost_insn insn[RUN_MAX];
	uint64_t seed = 4;

	for (unsigned n = 0; n < 100; n++) {
		struct cost_sum whole, parts = { 0 };
		struct cost_pipe p;

		cost_rig_begin(&p);
		for (unsigned k = 0; k < RUN_MAX; k++)
			insn[k] = cost_rig_insn(&seed);
		cost_rig_run(&c, insn, RUN_MAX, &whole, NULL);
		for (unsigned k = 0; k < RUN_MAX; k++) {
			cost_step(&c, &p, &insn[k], &parts);
			if (k % 16 == n % 16) {
				struct bytes b = { 0 };
				struct stream s = bytes_stream(&b);
				struct cost_state state;

				cost_pack(&c, &p, &state);
				ok(cost_save(&c, &state, &s));
				memset(&state, 0xa5, sizeof(state));
				memset(&p, 0xa5, sizeof(p));
				ok(cost_restore(&c, &state, &s));
				cost_unpack(&c, &state, &p);
				free(b.data);
			}
		}
		ok(!memcmp(&whole, &parts, sizeof(whole)));
	}
}

/*
 * The front end waits before some instructions, and an engine takes the pipeline as a number in
 * between: each instruction issues in the cycle in which the plain pipeline issues it.
 */
static void waits(void)
{
	uint64_t seed = 5;

	for (unsigned n = 0; n < 500; n++) {
		struct cost_config config = variant(n / 10);
		struct cost_insn insn[RUN_MAX];
		uint8_t wait[RUN_MAX] = { 0 };
		struct plain p = { .config = &config, .insn = insn, .wait = wait };
		struct cost c = cost_rig_make(&config);
		struct states *t = states_new(&c);
		struct cost_pipe pipe;
		unsigned base = 0;

		for (unsigned k = 0; k < RUN_MAX; k++) {
			insn[k] = cost_rig_insn(&seed);
			/* 1: the group ends, and no cycle passes */
			wait[k] = k && rig_random(&seed) % 5 == 0 ? 1 + rig_random(&seed) % 9 : 0;
		}
		plain_run(&p, RUN_MAX);
		cost_rig_begin(&pipe);
		for (unsigned k = 0; k < RUN_MAX; k++) {
			struct cost_sum sum = { 0 };
			struct cost_state s;

			if (wait[k])
				is(cost_wait(&c, &pipe, COST_FRONT_FETCHES, wait[k] - 1),
				   wait[k] - 1);
			if (k % 3 == n % 3) {
				cost_pack(&c, &pipe, &s);
				base += pipe.cycle + (pipe.issued && !s.in.issued);
				states_get(t, states_number(t, &s), &pipe);
			}
			cost_step(&c, &pipe, &insn[k], &sum);
			tap_context("run %u, instruction %u", n, k);
			if (unit_of(insn[k].class) != COST_UNIT_SYSTEM)
				is(base + pipe.cycle, p.at[k]);
		}
		states_free(t);
	}
}

static void remembered_waits(void)
{
	struct cost c = cost_rig_make(&dual);

	cost_rig_remembered(&c, cost_rig_insn);
}

static void numbers(void)
{
	struct cost c = cost_rig_make(&dual);
	struct states *t = states_new(&c);
	struct cost_state s = { 0 }, back;
	struct cost_pipe p;
	uint32_t number;

	is(states_number(t, &s), STATES_EMPTY);
	for (unsigned n = 1; n < STATES_MAX; n++) {
		s.in.ready[1 + n % 63] = n / 63 % 255 + 1;
		s.in.ready[2 + n % 61] = n / 251 % 255 + 1;
		s.in.free[0] = n;
		s.in.free[1] = n >> 8;
		number = states_number(t, &s);
		if (number != n || states_number(t, &s) != n)
			break;
		states_get(t, n, &p);
		cost_pack(&c, &p, &back);
		if (memcmp(&back, &s, c.state_bytes))
			break;
	}
	is(number, STATES_MAX - 1);
	ok(!states_full(t));
	s.in.issued = 1;
	is(states_number(t, &s), STATES_NONE);
	ok(states_full(t));
	s = (struct cost_state){ 0 };
	is(states_number(t, &s), STATES_EMPTY);
	states_clear(t);
	ok(!states_full(t));
	s.in.issued = 1;
	is(states_number(t, &s), 1);
	states_free(t);
}

/* By hand */

#define ALU(rd, rs)                                                                                \
	{                                                                                          \
		COST_ALU, rd, rs                                                                   \
	}
#define LOAD(rd, rs)                                                                               \
	{                                                                                          \
		COST_LOAD, rd, rs                                                                  \
	}
#define MUL(rd, rs)                                                                                \
	{                                                                                          \
		COST_MUL, rd, rs                                                                   \
	}
#define DIV(rd, rs)                                                                                \
	{                                                                                          \
		COST_DIV, rd, rs                                                                   \
	}
#define BRANCH(rs)                                                                                 \
	{                                                                                          \
		COST_BRANCH, 0, rs                                                                 \
	}
#define STORE(rs, to)                                                                              \
	{                                                                                          \
		COST_STORE, 0, rs, to                                                              \
	}

static void by_hand(void)
{
	static const struct {
		const char *name;
		struct cost_insn insn[6];
		unsigned nr, cycles, cause, stall, cut, full;
	} cases[] = {
		{ "four that go in pairs", { ALU(1, 0), ALU(2, 0), ALU(3, 0), ALU(4, 0) }, 4, 2 },
		{ "a chain", { ALU(1, 1), ALU(1, 1), ALU(1, 1) }, 3, 3, 0, 0, 2, 0 },
		{ "two loads: one memory unit", { LOAD(1, 5), LOAD(2, 6) }, 2, 2, 0, 0, 0, 1 },
		{ "load and use at once",
		  { LOAD(1, 5), ALU(2, 1) },
		  2,
		  4,
		  COST_WAIT_LOAD,
		  2,
		  1,
		  0 },
		{ "load, something, use",
		  { LOAD(1, 5), ALU(2, 0), ALU(3, 0), ALU(4, 1) },
		  4,
		  4,
		  COST_WAIT_LOAD,
		  1,
		  1,
		  0 },
		{ "multiply and use", { MUL(1, 2), STORE(5, 1) }, 2, 4, COST_WAIT_INT, 2, 1, 0 },
		{ "two divisions", { DIV(1, 2), DIV(3, 4) }, 2, 20, COST_WAIT_UNIT, 18, 1, 0 },
		{ "a result before that of a division",
		  { DIV(1, 2), ALU(1, 3) },
		  2,
		  20,
		  COST_WAIT_INT,
		  18,
		  1,
		  0 },
		{ "FP load and use",
		  { { COST_LOAD, 33, 5 }, { COST_FP_ADD, 34, 33, 33 } },
		  2,
		  4,
		  COST_WAIT_FP,
		  2,
		  1,
		  0 },
		{ "a CSR between",
		  { ALU(1, 0), { COST_CSR, 2 }, ALU(3, 0) },
		  3,
		  7,
		  COST_WAIT_SERIAL,
		  4 },
		{ "a load's branch",
		  { ALU(3, 3), LOAD(1, 5), BRANCH(1) },
		  3,
		  4,
		  COST_WAIT_LOAD,
		  2 },
	};
	struct cost c = cost_rig_make(&dual);

	for (unsigned n = 0; n < TAP_NR(cases); n++) {
		struct cost_sum sum;

		tap_context("%s", cases[n].name);
		cost_rig_run(&c, cases[n].insn, cases[n].nr, &sum, NULL);
		is(sum.cycles, cases[n].cycles);
		is(sum.stall[cases[n].cause], cases[n].stall);
		is(sum.cut, cases[n].cut);
		is(sum.full, cases[n].full);
	}
}

/* A core with a late ALU two cycles after the first one. */
static void late_alu(void)
{
	enum { ALL = COST_LATE_ALL, DATA = COST_LATE_DATA };
	static const struct {
		const char *name;
		struct cost_insn insn[6];
		unsigned nr, cycles, stall, resolves; /* resolves: of a bad direction after it */
	} cases[] = {
		{ "a load and its use, in the next cycle",
		  { LOAD(1, 5), { COST_ALU, 2, 1, .late = ALL } },
		  2,
		  2,
		  0,
		  6 },
		{ "a chain of late ones goes on cycle by cycle",
		  { LOAD(1, 5), { COST_ALU, 1, 1, .late = ALL }, { COST_ALU, 1, 1, .late = ALL } },
		  3,
		  3,
		  0,
		  6 },
		{ "an address needs what a late one computes",
		  { LOAD(1, 5), { COST_ALU, 2, 1, .late = ALL }, LOAD(3, 2) },
		  3,
		  5,
		  2,
		  6 },
		{ "nothing is late where all is ready, and nothing issues with what it needs",
		  { { COST_ALU, 1, 0, .late = ALL }, { COST_ALU, 2, 1, .late = ALL }, LOAD(3, 2) },
		  3,
		  3,
		  0,
		  6 },
		{ "the data of a store, and its address",
		  { LOAD(1, 5), { COST_STORE, 0, 5, 1, .late = DATA } },
		  2,
		  2,
		  0,
		  6 },
		{ "the address of a store",
		  { LOAD(1, 5), { COST_STORE, 0, 1, 5, .late = DATA } },
		  2,
		  4,
		  2,
		  6 },
		{ "a multiplication reads early", { LOAD(1, 5), MUL(2, 1) }, 2, 4, 2, 6 },
		{ "a load's branch resolves late",
		  { LOAD(1, 5), { COST_BRANCH, 0, 1, .late = ALL } },
		  2,
		  2,
		  0,
		  8 },
		{ "another instruction after it",
		  { LOAD(1, 5), { COST_BRANCH, 0, 1, .late = ALL }, ALU(2, 0) },
		  3,
		  2,
		  0,
		  6 },
		{ "a result after an older one for its register",
		  { LOAD(1, 5), { COST_ALU, 1, 0, .late = ALL }, LOAD(2, 1) },
		  3,
		  4,
		  2,
		  6 },
	};
	struct cost_config config = dual;
	struct cost c;

	config.late_alu = 2;
	c = cost_rig_make(&config);
	for (unsigned n = 0; n < TAP_NR(cases); n++) {
		struct cost_pipe p, q;
		struct cost_sum sum = { 0 };
		struct cost_state s;

		tap_context("%s", cases[n].name);
		cost_rig_begin(&p);
		for (unsigned k = 0; k < cases[n].nr; k++)
			cost_step(&c, &p, &cases[n].insn[k], &sum);
		is(sum.cycles, cases[n].cycles);
		is(sum.stall[COST_WAIT_LOAD] + sum.stall[COST_WAIT_INT], cases[n].stall);
		/* The state tells how late a branch is, until it is known how it went on. */
		cost_pack(&c, &p, &s);
		cost_unpack(&c, &s, &q);
		is(cost_unresolved(&c, &q), cases[n].resolves > 6);
		is(cost_wait(&c, &q, COST_FRONT_RESOLVES, 6), cases[n].resolves);
		is(cost_wait(&c, &q, COST_FRONT_RESOLVES, 6), 6);
		is(cost_wait(&c, &p, COST_FRONT_GOES_ON, 0), 0);
		ok(!cost_unresolved(&c, &p));
	}
}

static void penalties(void)
{
	struct cost c = cost_rig_make(&dual);

	is(cost_branch(&c, false, 0), 0);
	is(cost_branch(&c, true, 0), 2);
	is(cost_branch(&c, true, BPRED_BTB_MISS), 3);
	is(cost_branch(&c, false, BPRED_BAD_DIRECTION), 6);
	is(cost_branch(&c, true, BPRED_BAD_DIRECTION | BPRED_BTB_MISS), 6);
	is(cost_branch(&c, true, BPRED_BAD_TARGET), 7);
	is(cost_branch(&c, true, BPRED_BAD_RETURN), 8);
	is(cost_walk(&c, 0), 9);
	is(cost_walk(&c, 40), 49);
	for (unsigned kind = 0; kind < HIERARCHY_KINDS; kind++)
		is(COST_FRONTEND >> cost_memory_stall(kind) & 1,
		   kind == HIERARCHY_FETCH || kind == HIERARCHY_FETCH_UNCACHED);
}

static void snapshots(void)
{
	struct hart_cost h = { .c = cost_rig_make(&dual) };
	struct rig_model m = { &h, hart_cost_save, hart_cost_restore, hart_cost_reset };
	uint64_t seed = 8;
	struct cost_sum sum = { 0 };
	struct cost_pipe p;

	cost_rig_begin(&p);
	for (unsigned n = 0; n < 40; n++) {
		struct cost_insn i = cost_rig_insn(&seed);

		cost_step(&h.c, &p, &i, &sum);
	}
	cost_pack(&h.c, &p, &h.p);
	ok(rig_hostile(&m, 400) > 200);
}

static void impossible(void)
{
	struct cost_config config = dual;
	struct model_error why = { 0 };

	config.width = 5;
	ok(!cost_check(&config, &why));
	is_str(why.field, "width");
	is_str(why.error.text, "5 is outside 1 to 4");
	config = dual;
	config.units[COST_UNIT_FP] = 0;
	ok(!cost_check(&config, &why));
	is_str(why.field, "units");
	config = dual;
	config.latency[COST_LOAD] = 0;
	ok(!cost_check(&config, &why));
	is_str(why.field, "latency");
	config = dual;
	config.stores = 33;
	ok(!cost_check(&config, &why));
	is_str(why.field, "stores");
	config = dual;
	config.loads = 65;
	ok(!cost_check(&config, &why));
	is_str(why.field, "loads");
	config = dual;
	config.late_alu = 16;
	ok(!cost_check(&config, &why));
	is_str(why.field, "late_alu");
	config = dual;
	config.bad_return = 1001;
	ok(!cost_check(&config, &why));
	is_str(why.field, "bad_return");
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "random runs, compared with the plain pipeline", runs },
		{ "a recorded program, compared with the plain pipeline", recorded },
		{ "a run in pieces", cuts },
		{ "the front end waits, and the state is a number", waits },
		{ "waits that are remembered", remembered_waits },
		{ "numbers of states", numbers },
		{ "runs computed by hand", by_hand },
		{ "the late ALU", late_alu },
		{ "the cycles that other models add", penalties },
		{ "snapshots, and damaged ones", snapshots },
		{ "impossible shapes", impossible },
	};

	return tap_run(cases, TAP_NR(cases));
}
