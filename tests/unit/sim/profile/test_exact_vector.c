// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_exact_vector.c - the exact profile of vector code: at each instruction its class, its
 * elements and the lines that it accesses, counted by hand.
 */
#include "csr.h"
#include "exact.h"
#include "rig.h"
#include "small_cpu.h"
#include "vector.h"

#define CODE   RAM_BASE
#define ROUNDS 40 /* native code runs after the first ones */

#define VSETIVLI     0xcd027057u /* vsetivli zero, 4, e32, m1, ta, ma */
#define VMV_V0(imm)  (0x5e003057u | (uint32_t)(imm) << 15)
#define VID(vd)	     (0x5208a057u | (vd) << 7)
#define VLE(vd)	     r_type(0x02006007, vd, T0, 0)
#define VSE(vd)	     r_type(0x02006027, vd, T0, 0)
#define VLSE(vd)     r_type(0x08006007, vd, T0, T1) /* with v0.t */
#define VSSE(vd)     r_type(0x0a006027, vd, T0, T1)
#define VLUXEI(vd)   r_type(0x06006007, vd, T0, 8) /* by v8 */
#define VADD(d, a)   r_type(0x02000057, d, a, a)
#define VSADDU(d, a) r_type(0x82000057, d, a, a)
#define VREDSUM(d)   r_type(0x02002057, d, d, 4)
#define VGATHER(d)   r_type(0x32000057, d, 2, 3)
#define VMV_X_S(d)   (0x42602057u | (d) << 7)

static bool paranoid;
static struct cpu cpu;
static struct cpu_models models;

struct places {
	unsigned rows;
	uint64_t count[64][EVENT_NR], sum[EVENT_NR]; /* by instruction from CODE on */
};

static void see_page(void *arg, const struct exact_page *p)
{
}

static void see_row(void *arg, const struct exact_row *r)
{
	struct places *p = arg;
	unsigned n = (r->va - CODE) / 4;

	if (n >= TAP_NR(p->count))
		return;
	p->rows++;
	for (unsigned e = 0; e < EVENT_NR; e++) {
		p->count[n][e] += r->count[e];
		p->sum[e] += r->count[e];
	}
}

/* Runs code at CODE with vectors on, from data at RIG_DATA. */
static struct machine *run(const uint32_t *code, unsigned nr, struct places *p)
{
	struct machine_options o = { .paranoid = paranoid, .cpu = &cpu, .models = true };
	struct machine *m = rig_create(&o);
	struct hart *h = m->cl.hart[0];

	pmu_count_all(h);
	ok(exact_start(&m->cl));
	rig_put(m, CODE, code, nr);
	csr_write(h, CSR_MSTATUS, MSTATUS_VS);
	h->x[T0] = RIG_DATA;
	h->x[T1] = 64;
	h->x[T2] = ROUNDS;
	h->pc = CODE;
	rig_run(m, 100000);
	*p = (struct places){ 0 };
	ok(exact_read(&m->cl, &(struct exact_reader){ see_page, see_row, p }));
	for (unsigned e = EVENT_VECTOR; e <= EVENT_VECTOR_LINE; e++) {
		tap_context("%s", event_table[e].name);
		is(p->sum[e], h->pmu.total[PRV_M][e]);
	}
	tap_context("%s", "");
	return m;
}

/* A row: the class, and what each round counts. */
struct row {
	enum event class, form;
	unsigned elements, active, lanes, lines;
};

static void row_is(const uint64_t count[EVENT_NR], const struct row *r, unsigned rounds)
{
	static const enum event classes[] = {
		EVENT_VECTOR_CONFIG, EVENT_VECTOR_LOAD,	   EVENT_VECTOR_STORE,
		EVENT_VECTOR_UNIT,   EVENT_VECTOR_STRIDED, EVENT_VECTOR_INDEXED,
		EVENT_VECTOR_INT,    EVENT_VECTOR_FIXED,   EVENT_VECTOR_FLOAT,
		EVENT_VECTOR_REDUCE, EVENT_VECTOR_MASK,	   EVENT_VECTOR_PERMUTE,
		EVENT_VECTOR_CRYPTO,
	};

	is(count[EVENT_INSTRUCTIONS], rounds);
	is(count[EVENT_VECTOR], rounds);
	for (unsigned n = 0; n < TAP_NR(classes); n++)
		is(count[classes[n]], classes[n] == r->class || classes[n] == r->form ? rounds : 0);
	is(count[EVENT_VECTOR_ELEMENT], r->elements * rounds);
	is(count[EVENT_VECTOR_ACTIVE], r->active * rounds);
	is(count[EVENT_VECTOR_LANE], r->lanes * rounds);
	is(count[EVENT_VECTOR_LINE], r->lines * rounds);
}

static void every_instruction(void)
{
	const uint32_t code[] = {
		VSETIVLI,	  VMV_V0(5), /* elements 0 and 2 */
		VID(2),		  VSE(2),	 VLE(3),      VADD(4, 2), VSADDU(5, 4),
		VSSE(4),	  VLSE(6),	 VLUXEI(7),   VREDSUM(9), VGATHER(10),
		addi(T2, T2, -1), bnez(T2, -44), VMV_X_S(A1), END,
	};
	static const struct row rows[] = {
		{ EVENT_VECTOR_CONFIG, EVENT_VECTOR_CONFIG, 0, 0, 0, 0 },
		{ EVENT_VECTOR_INT, EVENT_VECTOR_INT, 4, 4, 4, 0 },
		{ EVENT_VECTOR_MASK, EVENT_VECTOR_MASK, 4, 4, 4, 0 },
		{ EVENT_VECTOR_STORE, EVENT_VECTOR_UNIT, 4, 4, 4, 1 },
		{ EVENT_VECTOR_LOAD, EVENT_VECTOR_UNIT, 4, 4, 4, 1 },
		{ EVENT_VECTOR_INT, EVENT_VECTOR_INT, 4, 4, 4, 0 },
		{ EVENT_VECTOR_FIXED, EVENT_VECTOR_FIXED, 4, 4, 4, 0 },
		{ EVENT_VECTOR_STORE, EVENT_VECTOR_STRIDED, 4, 4, 4, 4 },
		{ EVENT_VECTOR_LOAD, EVENT_VECTOR_STRIDED, 4, 2, 4, 2 },
		{ EVENT_VECTOR_LOAD, EVENT_VECTOR_INDEXED, 4, 4, 4, 4 },
		{ EVENT_VECTOR_REDUCE, EVENT_VECTOR_REDUCE, 4, 4, 4, 0 },
		{ EVENT_VECTOR_PERMUTE, EVENT_VECTOR_PERMUTE, 4, 4, 4, 0 },
	};
	static const struct row last = { EVENT_VECTOR_PERMUTE, EVENT_VECTOR_PERMUTE, 1, 1, 1, 0 };
	struct places p;
	struct machine *m = run(code, TAP_NR(code), &p);

	is(p.rows, TAP_NR(code));
	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		tap_context("instruction %u", n);
		row_is(p.count[n], &rows[n], n < 2 ? 1 : ROUNDS);
	}
	tap_context("the last one");
	row_is(p.count[14], &last, 1);
	machine_destroy(m);
}

/* Addresses that grow by 24 bytes: a load of 16 is in one line, or in two. */
static void crossing_lines(void)
{
	const uint32_t code[] = { VSETIVLI,	    VLE(3),	   addi(T0, T0, 24),
				  addi(T2, T2, -1), bnez(T2, -12), END };
	unsigned lines = 0;
	struct places p;
	struct machine *m = run(code, TAP_NR(code), &p);

	for (unsigned n = 0; n < ROUNDS; n++)
		lines += 24 * n % 64 > 48 ? 2 : 1;
	is(p.count[1][EVENT_VECTOR_LINE], lines);
	is(p.count[1][EVENT_L1D_READ], lines);
	is(p.count[1][EVENT_VECTOR_ELEMENT], 4 * ROUNDS);
	is(p.count[2][EVENT_VECTOR_LINE] + p.count[4][EVENT_VECTOR_ELEMENT], 0);
	machine_destroy(m);
}

/* vl falls from 40 to 1, and 8 is the most: the elements are a sum. */
static void lengths(void)
{
	const uint32_t code[] = {
		0x0d13f057u, /* vsetvli zero, t2, e32, m2, ta, ma */
		VLE(4),	     VADD(8, 4), addi(T2, T2, -1), bnez(T2, -16), END,
	};
	unsigned elements = 0;
	struct places p;
	struct machine *m = run(code, TAP_NR(code), &p);

	for (unsigned n = 1; n <= ROUNDS; n++)
		elements += n < 8 ? n : 8;
	is(p.count[1][EVENT_VECTOR_ELEMENT], elements);
	is(p.count[2][EVENT_VECTOR_ACTIVE], elements);
	is(p.count[2][EVENT_VECTOR_LANE], 8 * ROUNDS);
	is(p.count[0][EVENT_VECTOR_CONFIG], ROUNDS);
	machine_destroy(m);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "each vector instruction has its class, elements and lines", every_instruction },
		{ "loads that cross lines", crossing_lines },
		{ "lengths of vectors", lengths },
	};

	small_cpu(&cpu, &models);
	small_vectors(&cpu, &models);
	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
