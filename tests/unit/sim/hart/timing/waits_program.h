/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * waits_program.h - runs a short program on the models of small_cpu.h, with its code in L1I and its
 * data in memory, and tells for what it waited.
 */
#ifndef SIM_WAITS_PROGRAM_H
#define SIM_WAITS_PROGRAM_H

#include "rig.h"
#include "small_cpu.h"

static struct cpu cpu;
static struct cpu_models models;
static bool paranoid;

#define CODE	RAM_BASE
#define HANDLER (CODE + 16) /* of traps */
#define FENCE	0x0ff0000fu

static inline uint32_t mul(unsigned rd, unsigned rs1, unsigned rs2)
{
	return r_type(0x02000033, rd, rs1, rs2);
}

static inline uint32_t add(unsigned rd, unsigned rs1, unsigned rs2)
{
	return r_type(0x33, rd, rs1, rs2);
}

/* Cycles and waits of a program. */
struct outcome {
	uint64_t cycles, waits, l2, ll, memory, writes, branch, result;
};

static inline uint64_t total(const struct machine *m, enum event e)
{
	return m->cl.hart[0]->pmu.total[PRV_M][e];
}

/* Runs the code once to bring it into L1I, with t0 and t1 at data that nothing else reads. */
static inline struct machine *warmed(const uint32_t code[], unsigned nr)
{
	struct machine_options o = { .cpu = &cpu, .models = true, .paranoid = paranoid };
	struct machine *m;
	struct hart *h;

	m = rig_create(&o);
	h = m->cl.hart[0];
	rig_put(m, CODE, code, nr);
	h->x[T0] = RIG_DATA;
	h->x[T1] = RIG_DATA + 0x10000;
	h->x[T2] = RIG_DATA + 0x20000;
	h->mtvec = HANDLER;
	h->pc = CODE;
	rig_run(m, 10000000);
	return m;
}

/* Runs it again on data further up, which is not in a cache. */
static inline struct outcome again(struct machine *m, uint64_t by)
{
	struct hart *h = m->cl.hart[0];
	struct outcome o;

	h->now += 10000; /* what the first run waits for is there */
	pmu_count_all(h);
	memset(h->pmu.total, 0, sizeof(h->pmu.total));
	h->x[T0] = RIG_DATA + by;
	h->x[T1] = RIG_DATA + 0x10000 + by;
	h->x[T2] = RIG_DATA + 0x20000 + by;
	h->pc = CODE;
	rig_run(m, 10000000);
	o = (struct outcome){ total(m, EVENT_CYCLES),		total(m, EVENT_WAIT_READ),
			      total(m, EVENT_WAIT_READ_L2),	total(m, EVENT_WAIT_READ_LL),
			      total(m, EVENT_WAIT_READ_MEMORY), total(m, EVENT_WAIT_WRITE),
			      total(m, EVENT_WAIT_BRANCH),	total(m, EVENT_WAIT_INT) };
	is(o.waits, o.l2 + o.ll + o.memory);
	return o;
}

#define WAITS_RUN(...)                                                                             \
	({                                                                                         \
		const uint32_t code[] = { __VA_ARGS__, END };                                      \
		struct machine *m = warmed(code, TAP_NR(code));                                    \
		struct outcome found = again(m, 0x4000);                                           \
		machine_destroy(m);                                                                \
		found;                                                                             \
	})

#endif
