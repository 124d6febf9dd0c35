// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_window.c - the pipeline that issues out of order: compared with a plain one that keeps the
 * times of all instructions and tries cycle after cycle; with loops computed by hand; and its
 * states: what follows depends on nothing else.
 */
#include "cost_rig.h"

#define RUN_MAX 200

/* The plain pipeline: a cycle in which something happened, for each instruction. */
struct plain {
	const struct cost_config *config;
	unsigned nr;
	struct {
		struct cost_insn insn;
		unsigned dispatch, issue, done, retire;
		unsigned data; /* when rs2 is ready */
	} at[RUN_MAX];
	unsigned floor; /* the first cycle in which the next instruction can be dispatched */
	unsigned clock;
	unsigned resolved; /* when the last instruction completes, if it is a branch */
	struct cost_sum sum;
};

static unsigned ready(const struct plain *p, unsigned reg)
{
	for (unsigned k = p->nr; reg && k-- > 0;) {
		if (p->at[k].insn.rd == reg)
			return p->at[k].done;
	}
	return 0;
}

/* Whether a group, the window and the queue have room for i in this cycle. */
static bool room(const struct plain *p, const struct cost_insn *i, unsigned cycle)
{
	unsigned group = 0, inside = 0, queue = 0, unit = unit_of(i->class);

	for (unsigned k = 0; k < p->nr; k++) {
		bool serial = unit_of(p->at[k].insn.class) == COST_UNIT_SYSTEM;

		group += !serial && p->at[k].dispatch == cycle;
		inside += p->at[k].retire > cycle;
		queue += unit_of(p->at[k].insn.class) == unit && p->at[k].issue > cycle;
	}
	return cycle >= p->floor && group < p->config->width && inside < p->config->window &&
	       queue < p->config->queues[unit];
}

/* Whether i can have a unit from this cycle on for as long as it keeps it. */
static bool unit_free(const struct plain *p, const struct cost_insn *i, unsigned cycle)
{
	unsigned unit = unit_of(i->class);

	for (unsigned c = cycle; c < cycle + p->config->busy[i->class]; c++) {
		unsigned nr = 0;

		for (unsigned k = 0; k < p->nr; k++) {
			unsigned class = p->at[k].insn.class, from = p->at[k].issue;

			nr += unit_of(class) == unit && from <= c &&
			      c < from + p->config->busy[class];
		}
		if (nr >= p->config->units[unit])
			return false;
	}
	return true;
}

static unsigned most(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

static void plain_retire(struct plain *p, const struct cost_insn *i, unsigned unit_waits)
{
	unsigned done = p->at[p->nr].done, cycles = done > p->clock ? done - p->clock : 0;
	unsigned cause = unit_of(i->class) == COST_UNIT_SYSTEM ? COST_WAIT_SERIAL
			 : i->rd >= 32			       ? COST_WAIT_FP
			 : i->class == COST_LOAD	       ? COST_WAIT_LOAD
							       : COST_WAIT_INT;

	p->clock += cycles;
	p->at[p->nr].retire = p->clock;
	p->at[p->nr].insn = *i;
	p->nr++;
	p->sum.cycles += cycles;
	for (unsigned n = 1; n < cycles; n++)
		p->sum.stall[n <= unit_waits ? COST_WAIT_UNIT : cause]++;
}

/* When the load has the data of the last store that it meets, if that was late; or else 0. */
static unsigned forwarded(const struct plain *p, const struct cost_insn *load)
{
	int at = load->offset;

	for (unsigned k = p->nr; p->config->forward_cycles && load->bytes && k-- > 0;) {
		const struct cost_insn *i = &p->at[k].insn;

		if (i->rd && i->rd == load->rs1) {
			if (!i->moves)
				return 0;
			at += i->offset;
		}
		if (i->class == COST_STORE && i->bytes && i->rs1 == load->rs1 &&
		    at < i->offset + i->bytes && i->offset < at + load->bytes)
			return p->at[k].data <= p->at[k].dispatch
				       ? 0
				       : p->at[k].data + p->config->forward_cycles;
	}
	return 0;
}

static void plain_step(struct plain *p, const struct cost_insn *i)
{
	unsigned latency = p->config->latency[i->class], busy = p->config->busy[i->class];
	unsigned d = p->floor, t, operands, could, done;

	p->resolved = 0;
	if (unit_of(i->class) == COST_UNIT_SYSTEM) {
		p->at[p->nr].dispatch = p->at[p->nr].issue = p->clock;
		p->floor = p->at[p->nr].done = p->clock + most(latency, busy);
		plain_retire(p, i, 0);
		return;
	}
	operands = most(most(ready(p, i->rs1), ready(p, i->rs2)), ready(p, i->rs3));
	while (!room(p, i, d))
		d++;
	could = t = most(d, operands);
	while (!unit_free(p, i, t))
		t++;
	while (t + most(latency, busy) > d + 63)
		d++;
	done = i->class == COST_LOAD ? most(t + latency, forwarded(p, i)) : t + latency;
	while (done > d + 63)
		d++;
	p->at[p->nr].data = ready(p, i->rs2);
	p->at[p->nr].dispatch = p->floor = d;
	p->at[p->nr].issue = t;
	p->at[p->nr].done = done;
	if (i->class == COST_BRANCH)
		p->resolved = t + latency;
	plain_retire(p, i, t - could);
}

static unsigned plain_wait(struct plain *p, enum cost_front why, unsigned cycles)
{
	bool group = p->nr && p->at[p->nr - 1].dispatch == p->floor &&
		     unit_of(p->at[p->nr - 1].insn.class) != COST_UNIT_SYSTEM;
	unsigned from = p->floor + group, charged = 0;

	if (why == COST_FRONT_RESOLVES)
		from = most(from, p->resolved);
	if (why == COST_FRONT_TRAPS)
		from = p->clock;
	p->resolved = 0;
	if (why == COST_FRONT_GOES_ON)
		return 0;
	p->floor = from + cycles;
	if (why == COST_FRONT_RESOLVES && p->config->recovery_cycles)
		p->floor = most(p->floor, p->clock + p->config->recovery_cycles);
	if (p->floor > p->clock) {
		charged = p->floor - p->clock;
		p->clock = p->floor;
	}
	return charged;
}

static const struct cost_config
	triple = {
		.order = COST_OUT_OF_ORDER,
		.width = 3,
		.window = 192,
		.units = { 2, 1, 1, 1, 1, 2, 1, 1 },
		.queues = { 16, 8, 8, 12, 12, 16, 8, 1 },
		.latency = { 1, 4, 20, 3,  1, 5, 1, 3,	4,  5, 17, 17, 3,
			     3, 5, 3,  12, 2, 3, 4, 10, 11, 2, 4,  1,  5 },
		.busy = { 1, 1, 19, 1,	1, 4, 1, 1, 1,	1, 16, 16, 1,
			  3, 6, 1,  11, 1, 1, 1, 9, 10, 1, 1,  1,  2 },
		.bad_direction = 8,
		.bad_target = 8,
		.bad_return = 8,
	};

/* A core with any possible numbers; every second one with little room. */
static struct cost_config variant(unsigned n)
{
	struct cost_config config = triple;
	uint64_t seed = n;

	if (!n)
		return config;
	cost_rig_vary(&config, &seed, COST_AHEAD);
	config.window = 1 + rig_random(&seed) % (n % 2 ? 12 : 300);
	for (unsigned k = 0; k < COST_UNITS; k++)
		config.queues[k] = 1 + rig_random(&seed) % (n % 2 ? 3 : 20);
	config.forward_cycles = n % 3 ? rig_random(&seed) % (COST_AHEAD + 1) : 0;
	config.recovery_cycles = n % 4 ? 0 : rig_random(&seed) % 2 ? 8 : rig_random(&seed) % 256;
	return config;
}

/* System instructions empty the window: most are loads here. */
static struct cost_insn random_insn(uint64_t *seed)
{
	struct cost_insn i = cost_rig_insn(seed);

	if (unit_of(i.class) == COST_UNIT_SYSTEM && rig_random(seed) % 4)
		i.class = COST_LOAD;
	if ((i.class == COST_LOAD || i.class == COST_STORE) && rig_random(seed) % 2) {
		i.rs1 = 5 + rig_random(seed) % 2;
		i.bytes = 1 << rig_random(seed) % 4;
		i.offset = rig_random(seed) % 16;
	}
	if (i.class == COST_ALU && !(rig_random(seed) % 4)) {
		i.rd = i.rs1 = 5;
		i.moves = true;
		i.offset = (int)(rig_random(seed) % 32) - 16;
	}
	return i;
}

/* Mostly after branches, and often of no cycles. */
static bool random_wait(uint64_t *seed, const struct cost_insn *last, enum cost_front *why,
			unsigned *cycles)
{
	if (rig_random(seed) % (last->class == COST_BRANCH ? 2 : 12))
		return false;
	*why = rig_random(seed) % (COST_FRONT_TRAPS + 1);
	*cycles = rig_random(seed) % 3 ? rig_random(seed) % 20 : rig_random(seed) % 2 * 100;
	return true;
}

/* Each instruction and each wait costs the same on both pipelines, which is cut at places. */
static void runs(void)
{
	for (unsigned n = 0; n < 1500; n++) {
		struct cost_config config = variant(n / 10);
		struct cost c = cost_rig_make(&config);
		struct plain *p = calloc(1, sizeof(*p));
		struct cost_sum sum = { 0 };
		struct cost_pipe pipe;
		uint64_t seed = n;

		p->config = &config;
		cost_rig_begin(&pipe);
		for (unsigned k = 0; k < RUN_MAX; k++) {
			struct cost_insn i = random_insn(&seed);
			enum cost_front why;
			unsigned cycles, stalls = 0;

			tap_context("run %u, instruction %u of class %u", n, k, i.class);
			plain_step(p, &i);
			cost_step(&c, &pipe, &i, &sum);
			is(sum.cycles, p->sum.cycles);
			for (unsigned s = 0; s < COST_STATIC_STALLS; s++) {
				is(sum.stall[s], p->sum.stall[s]);
				stalls += sum.stall[s];
			}
			ok(stalls <= sum.cycles);
			if (random_wait(&seed, &i, &why, &cycles))
				is(cost_wait(&c, &pipe, why, cycles), plain_wait(p, why, cycles));
			if (k % 7 == n % 7) {
				struct cost_state s;

				cost_pack(&c, &pipe, &s);
				memset(&pipe, 0xa5, sizeof(pipe));
				cost_unpack(&c, &s, &pipe);
			}
		}
		free(p);
	}
}

/*
 * Two histories that lead to one state: all that follows costs the same, and leads to one state
 * again.
 */
static void equal_futures(void)
{
	struct cost c = cost_rig_make(&triple);
	struct states *t = states_new(&c);
	unsigned met = 0, apart = 0;
	uint64_t seed = 9;

	for (unsigned n = 0; n < 3000; n++) {
		struct cost_pipe pipe[2];
		struct cost_state s[2];
		struct cost_sum sum[2] = { 0 };

		for (unsigned k = 0; k < 2; k++) {
			cost_rig_begin(&pipe[k]);
			for (unsigned left = rig_random(&seed) % 9; left; left--) {
				struct cost_insn i = { rig_random(&seed) % 2 * COST_LOAD, 1, 0 };

				cost_step(&c, &pipe[k], &i, &sum[k]);
			}
			cost_pack(&c, &pipe[k], &s[k]);
		}
		if (states_number(t, &s[0]) != states_number(t, &s[1])) {
			apart++;
			continue;
		}
		met++;
		memset(sum, 0, sizeof(sum));
		for (unsigned k = 0; k < 30; k++) {
			struct cost_insn i = random_insn(&seed);

			cost_step(&c, &pipe[0], &i, &sum[0]);
			cost_step(&c, &pipe[1], &i, &sum[1]);
			ok(!memcmp(&sum[0], &sum[1], sizeof(sum[0])));
			cost_pack(&c, &pipe[0], &s[0]);
			cost_pack(&c, &pipe[1], &s[1]);
			ok(!memcmp(&s[0], &s[1], c.state_bytes));
		}
	}
	ok(met > 100);
	ok(apart > 100);
	states_free(t);
}

static void remembered_waits(void)
{
	struct cost c = cost_rig_make(&triple);

	cost_rig_remembered(&c, random_insn);
}

/* By hand */

#define I(class, ...)                                                                              \
	{                                                                                          \
		COST_##class, __VA_ARGS__                                                          \
	}

/* What a loop costs in each turn, once it is steady. */
static void loops(void)
{
	static const struct {
		const char *name;
		struct cost_insn insn[12];
		unsigned nr, turns, cycles, cause, stalls; /* of so many turns */
	} cases[] = {
		{ "three in a cycle", { I(BRANCH, 0, 9), I(ALU, 1), I(LOAD, 3, 2) }, 3, 1, 1 },
		{ "two ALUs", { I(ALU, 1), I(ALU, 2), I(ALU, 3), I(ALU, 4) }, 4, 1, 2 },
		{ "a chain of additions", { I(ALU, 1, 1) }, 1, 1, 1 },
		{ "a chain of multiplications", { I(MUL, 1, 1) }, 1, 1, 4, COST_WAIT_INT, 3 },
		{ "a chain of loads", { I(LOAD, 1, 1) }, 1, 1, 3, COST_WAIT_LOAD, 2 },
		{ "a chain of FP additions", { I(FP_ADD, 40, 40, 41) }, 1, 1, 3, COST_WAIT_FP, 2 },
		{ "multiplications that need nothing", { I(MUL, 1, 2) }, 1, 1, 1 },
		{ "divisions that need nothing", { I(DIV, 1, 2) }, 1, 1, 19, COST_WAIT_UNIT, 18 },
		{ "chains side by side",
		  { I(MUL, 1, 1), I(LOAD, 2, 2), I(ALU, 3, 3), I(ALU, 3, 3), I(ALU, 3, 3) },
		  5,
		  1,
		  4,
		  COST_WAIT_INT,
		  3 },
		{ "a load and its use", { I(LOAD, 1, 2), I(ALU, 3, 1), I(ALU, 2, 2) }, 3, 1, 1 },
		/* In order each turn would wait for the load twice. */
		{ "loads after uses",
		  { I(LOAD, 1, 8), I(ALU, 2, 1), I(LOAD, 1, 9), I(ALU, 3, 1) },
		  4,
		  1,
		  2 },
		{ "a CSR", { I(ALU, 1), I(CSR, 2), I(ALU, 3) }, 3, 1, 4, COST_WAIT_SERIAL, 2 },
		/* The load's user comes a cycle after it, the next turn's load 2 later. */
		{ "a register that is written again",
		  { I(LOAD, 1, 1), I(ALU, 2, 1), I(ALU, 2, 0), I(ALU, 4, 2) },
		  4,
		  1,
		  3,
		  COST_WAIT_LOAD,
		  1 },
	};
	struct cost c = cost_rig_make(&triple);

	for (unsigned n = 0; n < TAP_NR(cases); n++) {
		struct cost_sum sum[2] = { 0 };
		struct cost_pipe p;

		cost_rig_begin(&p);
		for (unsigned turn = 0; turn < 300 + 100 * cases[n].turns; turn++) {
			for (unsigned k = 0; k < cases[n].nr; k++)
				cost_step(&c, &p, &cases[n].insn[k], &sum[turn >= 300]);
		}
		tap_context("%s", cases[n].name);
		is(sum[1].cycles, 100 * cases[n].cycles);
		is(sum[1].stall[cases[n].cause], 100 * cases[n].stalls);
	}
}

/* Runs nr instructions, adds up their cycles, and returns that sum. */
static unsigned run(const struct cost *c, struct cost_pipe *p, const struct cost_insn *insn,
		    unsigned nr)
{
	struct cost_sum sum = { 0 };

	for (unsigned n = 0; n < nr; n++)
		cost_step(c, p, &insn[n], &sum);
	return sum.cycles;
}

/* Loads of what a store writes whose data is late (W12): 6 cycles after the data. */
static void late_stores(void)
{
	enum { BASE = 9, EARLY = 20 };
#define AT(name, at, ...)                                                                          \
	{                                                                                          \
		.class = COST_##name, .rs1 = BASE, .bytes = 8, .offset = (at), __VA_ARGS__         \
	}
#define MOVE(by)                                                                                   \
	{                                                                                          \
		.rd = BASE, .rs1 = BASE, .moves = true, .offset = (by)                             \
	}
	static const struct {
		const char *name;
		struct cost_insn insn[6];
		unsigned nr, cycles; /* of a turn */
	} cases[] = {
		{ "a chain through memory",
		  { AT(LOAD, 8, .rd = 1), I(ALU, 1, 1), AT(STORE, 8, .rs2 = 1) },
		  3,
		  7 },
		{ "one of some bytes",
		  { AT(LOAD, 8, .rd = 1), I(ALU, 1, 1), AT(STORE, 1, .rs2 = 1) },
		  3,
		  7 },
		{ "no byte of it",
		  { AT(LOAD, 8, .rd = 1), I(ALU, 1, 1), AT(STORE, 0, .rs2 = 1) },
		  3,
		  2 },
		{ "a base that moves",
		  { AT(LOAD, 8, .rd = 1), I(ALU, 1, 1), AT(STORE, 0, .rs2 = 1), MOVE(-8) },
		  4,
		  7 },
		{ "a base that is written",
		  { AT(LOAD, 8, .rd = 1), I(ALU, 1, 1), AT(STORE, 8, .rs2 = 1), I(ALU, BASE, 10) },
		  4,
		  2 },
		{ "a younger store with early data",
		  { AT(LOAD, 8, .rd = 1), I(ALU, 1, 1), AT(STORE, 8, .rs2 = 1),
		    AT(STORE, 8, .rs2 = EARLY) },
		  4,
		  3 },
		{ "early data",
		  { AT(LOAD, 8, .rd = 1), I(ALU, 1, 1), AT(STORE, 8, .rs2 = EARLY) },
		  3,
		  2 },
	};
	static const struct cost_insn division = I(DIV, 1), store = AT(STORE, 0, .rs2 = 1);
	static const struct cost_insn load = AT(LOAD, 0, .rd = 2);
	struct cost_config config = triple;
	struct cost_pipe p;
	struct cost c;

	config.forward_cycles = 6;
	c = cost_rig_make(&config);
	for (unsigned n = 0; n < TAP_NR(cases); n++) {
		struct cost_sum sum[2] = { 0 };

		cost_rig_begin(&p);
		for (unsigned turn = 0; turn < 400; turn++) {
			for (unsigned k = 0; k < cases[n].nr; k++)
				cost_step(&c, &p, &cases[n].insn[k], &sum[turn >= 300]);
		}
		tap_context("%s", cases[n].name);
		is(sum[1].cycles, 100 * cases[n].cycles);
	}
	/* Eight are remembered: of nine that wait for a division, the first one is not. */
	for (unsigned n = 0; n < 9; n++) {
		struct cost_insn i = store;

		cost_rig_begin(&p);
		run(&c, &p, &division, 1);
		for (unsigned k = 0; k < 9; k++) {
			i.offset = 8 * (int)k;
			run(&c, &p, &i, 1);
		}
		i = load;
		i.offset = 8 * (int)n;
		run(&c, &p, &i, 1);
		tap_context("store %u", n);
		is(p.ready[2] == 20 + 6, n > 0);
	}
}

/*
 * A division of 20 cycles is in flight, and ALU instructions after it that need nothing, three in
 * each cycle: they retire with it.  Whatever does not fit is dispatched when the division retires.
 */
static void limits(void)
{
	static const struct cost_insn div = I(DIV, 1), alu = I(ALU, 2), user = I(ALU, 3, 1);
	struct cost_config config = triple;
	struct cost_sum sum;
	struct cost_pipe p;

	config.units[COST_UNIT_ALU] = 3;
	for (unsigned window = 1; window < 80; window++) {
		struct cost c;

		config.window = window;
		c = cost_rig_make(&config);
		cost_rig_begin(&p);
		is(run(&c, &p, &div, 1), 20);
		sum = (struct cost_sum){ 0 };
		for (unsigned n = 1; n < 30; n++) {
			tap_context("window %u, instruction %u", window, n);
			cost_step(&c, &p, &alu, &sum);
			/* Those inside retire in 20; with the first one after them, in 21. */
			is(sum.cycles,
			   n < window ? 0 : 1 + (n - window) / (window < 3 ? window : 3));
		}
	}
	/* The queue: users of the division wait in it, and a user too many for the division. */
	config.window = 192;
	for (unsigned queue = 1; queue < 20; queue++) {
		struct cost c;

		config.queues[COST_UNIT_ALU] = queue;
		c = cost_rig_make(&config);
		cost_rig_begin(&p);
		run(&c, &p, &div, 1);
		for (unsigned n = 0; n < queue; n++)
			run(&c, &p, &user, 1);
		tap_context("queue of %u", queue);
		is(p.cycle, queue / 3);
		run(&c, &p, &user, 1);
		is(p.cycle, 20);
	}
}

/* Cycles of the front end that what is in flight hides, and those that it does not. */
static void front(void)
{
	static const struct cost_insn alu = I(ALU, 2), branch = I(BRANCH, 0, 1), load = I(LOAD, 1);
	struct cost c = cost_rig_make(&triple);
	struct cost_pipe p;

	/* Empty: all of them. */
	cost_rig_begin(&p);
	is(cost_wait(&c, &p, COST_FRONT_FETCHES, 10), 10);
	/* Dispatched in 0, retired in 1; a taken branch is a group's end and no more. */
	cost_rig_begin(&p);
	is(run(&c, &p, &branch, 1), 1);
	is(cost_wait(&c, &p, COST_FRONT_FETCHES, 0), 0);
	is(p.cycle, 1);
	/* A load of 3 cycles hides 2 of them. */
	cost_rig_begin(&p);
	is(run(&c, &p, &load, 1), 3);
	is(cost_wait(&c, &p, COST_FRONT_FETCHES, 10), 8);
	/* Mispredicted: the branch waits for the load until 3, completes in 4; refetch until 12. */
	cost_rig_begin(&p);
	is(run(&c, &p, &load, 1), 3);
	is(run(&c, &p, &branch, 1), 1);
	is(cost_wait(&c, &p, COST_FRONT_RESOLVES, 8), 8);
	is(p.cycle, 12);
	/* A branch that needs nothing completes in 1, while the load retires in 3. */
	cost_rig_begin(&p);
	is(run(&c, &p, &load, 1), 3);
	is(run(&c, &p, &(struct cost_insn)I(BRANCH), 1), 0);
	is(cost_wait(&c, &p, COST_FRONT_RESOLVES, 8), 6);
	is(p.cycle, 9);
	/* Not the last instruction: the end of the group counts. */
	cost_rig_begin(&p);
	run(&c, &p, &load, 1);
	run(&c, &p, &branch, 1);
	is(run(&c, &p, &alu, 1), 0);
	is(cost_wait(&c, &p, COST_FRONT_RESOLVES, 8), 5);
	/* A trap: the pipeline is empty. */
	cost_rig_begin(&p);
	is(run(&c, &p, &load, 1), 3);
	is(cost_wait(&c, &p, COST_FRONT_TRAPS, 0), 0);
	is(p.cycle, 3);
	is(run(&c, &p, &alu, 1), 1);
	/* A branch that goes on as predicted ends nothing. */
	cost_rig_begin(&p);
	is(run(&c, &p, &(struct cost_insn)I(BRANCH), 1), 1);
	is(cost_wait(&c, &p, COST_FRONT_GOES_ON, 0), 0);
	is(run(&c, &p, &alu, 1), 0);
}

/* The front end goes on 5 cycles after the retirement at the earliest. */
static void recovery(void)
{
	static const struct cost_insn branch = I(BRANCH, 0, 1), load = I(LOAD, 1);
	struct cost_config config = triple;
	struct cost_pipe p;
	struct cost c;

	config.recovery_cycles = 5;
	c = cost_rig_make(&config);
	/* The branch completes in 4, and retires with it: refetch until 12, or 9. */
	cost_rig_begin(&p);
	is(run(&c, &p, &load, 1), 3);
	is(run(&c, &p, &branch, 1), 1);
	is(cost_wait(&c, &p, COST_FRONT_RESOLVES, 8), 8);
	/* It completes in 1, and retires in 3. */
	cost_rig_begin(&p);
	is(run(&c, &p, &load, 1), 3);
	is(run(&c, &p, &(struct cost_insn)I(BRANCH), 1), 0);
	is(cost_wait(&c, &p, COST_FRONT_RESOLVES, 6), 5);
	is(p.cycle, 8);
	/* Nothing is in flight. */
	cost_rig_begin(&p);
	is(cost_wait(&c, &p, COST_FRONT_RESOLVES, 3), 5);
	is(cost_wait(&c, &p, COST_FRONT_FETCHES, 3), 3);
	is(cost_wait(&c, &p, COST_FRONT_TRAPS, 0), 0);
}

/* Whatever was accepted can run. */
static bool restore(void *model, const struct stream *s)
{
	struct hart_cost *h = model;
	struct cost_insn insn[20];
	struct cost_pipe p;
	uint64_t seed = 3;

	if (!hart_cost_restore(model, s))
		return false;
	for (unsigned n = 0; n < TAP_NR(insn); n++)
		insn[n] = random_insn(&seed);
	cost_unpack(&h->c, &h->p, &p);
	ok(run(&h->c, &p, insn, TAP_NR(insn)) < 2000);
	return true;
}

static void snapshots(void)
{
	static const struct cost_insn last = I(LOAD, 1);

	for (unsigned n = 0; n < 8; n++) {
		struct cost_config config = variant(n);
		struct hart_cost h = { .c = cost_rig_make(&config) };
		struct rig_model m = { &h, hart_cost_save, restore, hart_cost_reset };
		struct cost_sum sum = { 0 };
		uint64_t seed = n;
		struct cost_pipe p;

		cost_rig_begin(&p);
		for (unsigned k = 0; k < 40; k++) {
			struct cost_insn i = random_insn(&seed);

			cost_step(&h.c, &p, &i, &sum);
		}
		cost_step(&h.c, &p, &last, &sum); /* a system instruction would empty all */
		cost_pack(&h.c, &p, &h.p);
		tap_context("core %u", n);
		ok(rig_hostile(&m, 400) > 100);
	}
}

static void impossible(void)
{
	struct cost_config config = triple;
	struct model_error why = { 0 };

	config.order = 2;
	ok(!cost_check(&config, &why));
	is_str(why.field, "order");
	config = triple;
	config.window = 513;
	ok(!cost_check(&config, &why));
	is_str(why.field, "window");
	is_str(why.error.text, "513 is outside 1 to 512");
	config = triple;
	config.queues[COST_UNIT_FP] = 0;
	ok(!cost_check(&config, &why));
	is_str(why.field, "queues");
	config = triple;
	config.forward_cycles = 64;
	ok(!cost_check(&config, &why));
	is_str(why.field, "forward_cycles");
	config = triple;
	config.latency[COST_DIV] = 64;
	ok(!cost_check(&config, &why));
	is_str(why.field, "latency");
	config.order = COST_IN_ORDER;
	ok(cost_check(&config, &why));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "random runs, compared with the plain pipeline", runs },
		{ "equal states have equal futures", equal_futures },
		{ "waits that are remembered", remembered_waits },
		{ "loops computed by hand", loops },
		{ "loads of late stores", late_stores },
		{ "the window and the queues", limits },
		{ "the front end", front },
		{ "the front end after a retirement", recovery },
		{ "snapshots, and damaged ones", snapshots },
		{ "impossible shapes", impossible },
	};

	return tap_run(cases, TAP_NR(cases));
}
