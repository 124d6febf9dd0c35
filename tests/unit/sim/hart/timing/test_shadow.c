// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_shadow.c - what an out-of-order core does in the shadow of a load that misses
 * (model/pipeline/waits.h): programs computed by hand by the rules O1 to O9 of holter-model(7), on
 * the models of small_cpu.h; each runs on the normal engine and on the paranoid one.
 *
 * A line of memory takes 100 cycles, a hit 3; two instructions are dispatched in a cycle.  In the
 * comments R is the clock, P the time of the pipeline, both from the beginning of the program.  A
 * load that comes first ends with R = 103 and P = 3.  wfi, at the end, takes 2.
 */
#include "waits_program.h"

static void core(unsigned window, unsigned queue, unsigned loads)
{
	models.cost.order = COST_OUT_OF_ORDER;
	models.cost.window = window;
	memset(models.cost.queues, queue, sizeof(models.cost.queues));
	models.cost.loads = loads;
}

#define RUN(...)   (core(64, 8, 8), WAITS_RUN(__VA_ARGS__))
#define MISS	   ld(A0, 0, T0)
#define SECOND	   ld(A4, 0, T1) /* misses, too */
#define ILLEGAL	   0u
#define TAKEN(rs1) branch(0, rs1, ZERO, 8) /* the predictor of the test does not expect it */

static uint32_t amoadd(unsigned rd, unsigned rs1, unsigned rs2)
{
	return r_type(0x0000302f, rd, rs1, rs2);
}

static void costs(const struct outcome *o, uint64_t cycles, uint64_t waits)
{
	is(o->cycles, cycles);
	is(o->waits, waits);
	is(o->memory, waits);
}

/* Static cycles after the load are hidden, with what they wait for (O1). */
static void hides(void)
{
	const struct outcome unused = RUN(MISS, addi(A1, A2, 1));
	/* The multiplications retire at 4, 8 and 12 of the pipeline. */
	const struct outcome chain = RUN(MISS, mul(A2, A2, A2), mul(A2, A2, A2), mul(A2, A2, A2));
	/* The addition has its operand at 103, and retires at 104. */
	const struct outcome used = RUN(MISS, addi(A1, A0, 1));
	/* The register is renamed: the second result waits for nothing. */
	const struct outcome renamed = RUN(MISS, addi(A0, ZERO, 1), addi(A1, A0, 1));

	costs(&unused, 105, 100);
	costs(&chain, 105, 100);
	is(chain.result, 0);
	costs(&used, 106, 101);
	costs(&renamed, 105, 100);
}

/* Misses of independent loads overlap (O3, O4); one whose address comes from the other does not. */
static void overlap(void)
{
	/* The second load issues at 1: its data is there at 104. */
	const struct outcome two = RUN(MISS, SECOND);
	/* The address is there at 104, the data at 104 + 103. */
	const struct outcome chain = RUN(MISS, add(A0, A0, T1), ld(A1, 0, A0));

	costs(&two, 106, 101);
	costs(&chain, 209, 204);
}

/* The window is full when as many instructions as it has places have followed the load (O5). */
static void window_full(void)
{
	struct outcome o;

	core(5, 8, 8);
	/* The load issues at 2: its data is there at 105. */
	o = WAITS_RUN(MISS, NOP, NOP, NOP, SECOND);
	costs(&o, 107, 102);
	core(4, 8, 8);
	/* The load issues at 103, and retires at 206. */
	o = WAITS_RUN(MISS, NOP, NOP, NOP, SECOND);
	costs(&o, 208, 200);
	core(4, 8, 0);
	/* Without a load queue nothing limits the instructions after the load: it issues at 3. */
	o = WAITS_RUN(MISS, NOP, NOP, NOP, SECOND);
	costs(&o, 108, 103);
}

/* The queue of the ALU is full (O5). */
static void queue_full(void)
{
	struct outcome o;

	core(64, 3, 8);
	/* The second load issues at 2. */
	o = WAITS_RUN(MISS, addi(A1, A0, 1), addi(A2, A0, 1), addi(A3, A0, 1), SECOND);
	costs(&o, 107, 102);
	core(64, 2, 8);
	/* The third addition retires at 104 of the pipeline; the load after it issues at 102. */
	o = WAITS_RUN(MISS, addi(A1, A0, 1), addi(A2, A0, 1), addi(A3, A0, 1), SECOND);
	costs(&o, 207, 201);
}

/* The load queue is full (O4). */
static void loads_full(void)
{
	struct outcome o = RUN(MISS, SECOND, ld(A5, 0, T2));

	costs(&o, 107, 102);
	core(64, 8, 1);
	/* The second load stands in the pipeline until 103; the third one issues at 101. */
	o = WAITS_RUN(MISS, SECOND, ld(A5, 0, T2));
	costs(&o, 206, 201);
}

/* A misprediction counts from the completion of its branch (O6). */
static void late_branch(void)
{
	/* It completes at 1, and the front end goes on at 8. */
	const struct outcome early = RUN(MISS, TAKEN(ZERO), NOP, SECOND);
	/* It completes at 104: the load after it issues at 111. */
	const struct outcome late = RUN(MISS, TAKEN(A0), NOP, SECOND);

	costs(&early, 113, 108);
	is(early.branch, 0);
	costs(&late, 216, 201);
	is(late.branch, 7);
}

/* Or from its retirement (O6). */
static void recovery(void)
{
	static const struct {
		unsigned recovery;
		uint64_t early, late; /* when the load after the branch issues */
	} rows[] = {
		{ 0, 8, 111 }, { 1, 104, 111 }, { 4, 107, 111 }, { 7, 110, 111 }, { 9, 112, 113 },
	};

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct outcome o;

		core(64, 8, 8);
		models.cost.recovery_cycles = rows[n].recovery;
		o = WAITS_RUN(MISS, TAKEN(ZERO), NOP, SECOND);
		tap_context("recovery %u", rows[n].recovery);
		is(o.cycles, rows[n].early + 105);
		is(o.branch, rows[n].recovery);
		/* The branch itself waits for the load until 104. */
		o = WAITS_RUN(MISS, TAKEN(A0), NOP, SECOND);
		costs(&o, rows[n].late + 105, 201);
		is(o.branch, rows[n].late - 104);
	}
	models.cost.recovery_cycles = 0;
}

/* Instructions that wait until all before has retired (O5, O8). */
static void stands(void)
{
	const struct outcome fenced = RUN(MISS, FENCE, SECOND);
	const struct outcome atomic = RUN(MISS, amoadd(A1, T1, A2));
	const struct outcome store = RUN(sd(A1, 0, T0), FENCE);
	/* The store is at 103, and is not waited for. */
	const struct outcome behind = RUN(MISS, sd(A1, 0, T1));

	costs(&fenced, 209, 200);
	costs(&atomic, 205, 200);
	costs(&store, 103, 0);
	is(store.writes, 99);
	costs(&behind, 105, 100);
	is(behind.writes, 0);
}

/* The shadow ends with a trap (O7); the clock also goes on by the cycle that the trap takes. */
static void trap(void)
{
	/* The load of the handler issues at 104. */
	const struct outcome o = RUN(MISS, ILLEGAL, NOP, NOP, SECOND);

	costs(&o, 208, 200);
}

/* What a program costs if its data is translated, and a walk takes so many cycles. */
struct translated {
	uint64_t cycles, waits, dtlb;
};

/* Each page of data is walked for once: one entry, which L1D has. */
static struct translated translated(unsigned walk, uint32_t first, uint32_t second)
{
	const uint32_t code[] = { MISS, first, second, END };
	const uint64_t root = RIG_DATA + 0x100000,
		       leaf = RAM_BASE >> 2 | 0xcf; /* 1 GiB, not for U */
	struct machine *m;
	struct hart *h;
	struct outcome o;
	struct translated t;

	core(64, 8, 8);
	models.cost.walk_cycles = walk;
	models.tlb.part[TLB_D].sizes = models.tlb.part[TLB_SECOND].sizes = 1 << TLB_4K;
	m = warmed(code, TAP_NR(code));
	h = m->cl.hart[0];
	memcpy(cluster_ram(&m->cl, root + (RAM_BASE >> 30) * 8, 8), &leaf, 8);
	csr_write(h, CSR_PMPADDR0, UINT64_MAX >> 10);
	csr_write(h, CSR_PMPCFG0, 0x1f); /* NAPOT, all rights */
	csr_write(h, CSR_SATP, (uint64_t)SATP64_MODE_SV39 << 60 | root >> 12);
	csr_write(h, CSR_MSTATUS, MSTATUS_MPRV | (uint64_t)PRV_S << MSTATUS_MPP_SHIFT);
	again(m, 0x4000); /* the line of the entry comes into L1D */
	o = again(m, 0x8000);
	t = (struct translated){ o.cycles, o.waits, total(m, EVENT_WAIT_DTLB) };
	machine_destroy(m);
	small_cpu(&cpu, &models);
	return t;
}

/*
 * The walk for a load whose address is late lets the load begin later, and is not a wait of its own
 * (O9).  The first load has its walk before all, so that it is always waited for.
 */
static void late_walk(void)
{
	static const struct {
		const char *name;
		unsigned cycles, waits; /* beyond those of a walk of 3 cycles, if it takes 23 */
	} rows[] = {
		{ "no second walk", 20, 0 },
		{ "a load with a late address", 40, 20 },
		{ "a load with an early one: the walk is hidden, its data later", 40, 20 },
		{ "a store with a late address: the walk is hidden", 20, 0 },
	};
	const uint32_t address = add(A0, A0, T1);
	const uint32_t first[] = { NOP, address, NOP, address };
	const uint32_t second[] = { NOP, ld(A1, 0, A0), SECOND, sd(A1, 0, A0) };

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		const struct translated near = translated(3, first[n], second[n]);
		const struct translated far = translated(23, first[n], second[n]);

		tap_context("%s", rows[n].name);
		is(far.cycles - near.cycles, rows[n].cycles);
		is(far.waits - near.waits, rows[n].waits);
		is(far.dtlb - near.dtlb, 20);
	}
}

/* A load of what a store writes whose data comes from memory (O11); its line is in L1D. */
static void late_store(void)
{
	static const struct {
		const char *name;
		uint32_t between, other, offset;
		unsigned cycles;
	} rows[] = {
		/* The data is there at 103, for the load at 109; its user retires at 110. */
		{ "the same bytes", 0, 0, 8, 6 },
		{ "some of the bytes", 0, 0, 15, 6 },
		{ "other bytes", 0, 0, 16, 0 },
		{ "the base has moved", 1, 0, 16, 6 },
		{ "the base has moved, the offset not", 1, 0, 8, 0 },
		{ "the base was written", 2, 0, 8, 0 },
		{ "another store since", 0, 1, 8, 0 },
	};
	const uint32_t between[] = { NOP, addi(T2, T2, -8), add(T2, T2, ZERO) };
	const uint32_t other[] = { NOP, sd(A3, 8, T2) };

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		struct outcome o[2];

		for (unsigned k = 0; k < 2; k++) {
			core(64, 8, 8);
			models.cost.forward_cycles = k ? 6 : 0;
			o[k] = WAITS_RUN(ld(A5, 8, T2), FENCE, MISS, sd(A0, 8, T2),
					 other[rows[n].other], between[rows[n].between],
					 i_type(0x03, (int)rows[n].offset, T2, 4, A1) /* lbu */,
					 addi(A2, A1, 1));
		}
		tap_context("%s", rows[n].name);
		is(o[1].cycles - o[0].cycles, rows[n].cycles);
		is(o[1].memory - o[0].memory, rows[n].cycles);
	}
	models.cost.forward_cycles = 0;
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the shadow hides cycles", hides },
		{ "misses that overlap", overlap },
		{ "a window that is full", window_full },
		{ "the queue of a unit that is full", queue_full },
		{ "a load queue that is full", loads_full },
		{ "a branch that completes late", late_branch },
		{ "a branch that retires late", recovery },
		{ "fence, atomics and stores", stands },
		{ "a trap in the shadow", trap },
		{ "a walk for a late address", late_walk },
		{ "a load of the late data of a store", late_store },
	};

	small_cpu(&cpu, &models);
	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
