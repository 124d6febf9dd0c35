// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_vector_access.c - what vector loads and stores count on the models of small_cpu.h: those
 * with a stride access L1D once for each element, others once for each line (holter-model(7)).
 * Each program runs on the normal engine and on the paranoid one, whose counts must all be equal.
 */
#include "csr.h"
#include "vector.h"
#include "waits_program.h"

#define VS_ON		addi(A0, ZERO, 0x600), csrw(CSR_MSTATUS, A0)
#define VSETIVLI	0xcd027057u /* vsetivli zero, 4, e32, m1, ta, ma */
#define VLE(vd)		r_type(0x02006007, vd, T0, 0)
#define VLSE(vd)	r_type(0x0a006007, vd, T0, T1)
#define VLSE_MASKED(vd) r_type(0x08006007, vd, T0, T1)
#define VSSE(vd)	r_type(0x0a006027, vd, T0, T1)
#define VID(vd)		(0x5208a057u | (vd) << 7)
#define VMV_V0(imm)	(0x5e003057u | (uint32_t)(imm) << 15)

static uint64_t normal[EVENT_NR]; /* of the program that ran last on the normal engine */

/* Runs a program twice; then m has what the second one counted. */
static struct machine *counted(const uint32_t code[], unsigned nr)
{
	struct machine *m = warmed(code, nr);

	again(m, 0x4000);
	return m;
}

#define COUNTED(...)                                                                               \
	({                                                                                         \
		const uint32_t code[] = { VS_ON, VSETIVLI, __VA_ARGS__, END };                     \
		counted(code, TAP_NR(code));                                                       \
	})

/* The paranoid engine counts what the normal one has counted before it. */
static void same_as_normal(struct machine *m)
{
	for (unsigned e = 0; e < EVENT_NR; e++) {
		tap_context("%s", event_table[e].name);
		if (paranoid)
			is(total(m, e), normal[e]);
		normal[e] = total(m, e);
	}
	tap_context("totals");
}

/* Four lines, which come from memory when they are stored, and then are there. */
static void lines(void)
{
	struct machine *m = COUNTED(addi(T1, ZERO, 64), VID(2), VSSE(2), VLSE(3), VLSE(4), VLE(5));
	const struct vector_state *v = m->cl.hart[0]->vector;

	is(total(m, EVENT_L1D_WRITE), 4);
	is(total(m, EVENT_L1D_WRITE_MISS), 4);
	is(total(m, EVENT_L1D_READ), 4 + 4 + 1);
	is(total(m, EVENT_L1D_READ_MISS), 0);
	is(total(m, EVENT_VECTOR_LINE), 4 + 4 + 4 + 1);
	ok(!memcmp(v->reg + 3 * v->bytes, v->reg + 2 * v->bytes, 16));
	ok(!memcmp(v->reg + 4 * v->bytes, v->reg + 2 * v->bytes, 16));
	same_as_normal(m);
	machine_destroy(m);
}

/* A stride of half a page, down: two pages, and all lines in one set of four ways. */
static void pages(void)
{
	struct machine *m = COUNTED(addi(T1, ZERO, -2048), VLSE(3), VLSE(4), VID(2), VSSE(2));

	is(total(m, EVENT_L1D_READ), 4 + 4);
	is(total(m, EVENT_L1D_READ_MISS), 4);
	is(total(m, EVENT_L1D_WRITE), 4);
	is(total(m, EVENT_L1D_WRITE_MISS), 0);
	is(total(m, EVENT_VECTOR_LINE), 12);
	same_as_normal(m);
	machine_destroy(m);
}

/* A stride of 0: one line, which is accessed four times; and two elements of four. */
static void elements(void)
{
	struct machine *m = COUNTED(addi(T1, ZERO, 0), VLSE(3), VLSE(4), VMV_V0(5), VLSE_MASKED(6),
				    NOP);

	is(total(m, EVENT_L1D_READ), 4 + 4 + 2);
	is(total(m, EVENT_L1D_READ_MISS), 1);
	is(total(m, EVENT_VECTOR_LINE), 10);
	same_as_normal(m);
	machine_destroy(m);
}

#define ROOT (RIG_DATA + 0x80000)

/* The same lines in a page of 1 GiB, which M-mode accesses with MPRV: each access asks DTLB. */
static void translated(void)
{
	const uint32_t code[] = { 0x21037u | A0 << 7, /* lui a0, 0x21: MPRV, MPP and VS */
				  addi(A0, A0, -0x200),
				  csrw(CSR_MSTATUS, A0),
				  VSETIVLI,
				  addi(T1, ZERO, 64),
				  VSSE(2),
				  VLSE(3),
				  VLSE(4),
				  VLE(5),
				  END };
	struct machine *m = warmed(code, TAP_NR(code));
	struct hart *h = m->cl.hart[0];

	((uint64_t *)cluster_ram(&m->cl, ROOT, PAGE_SIZE))[2] = RAM_BASE >> 12 << 10 | 0xcf;
	rig_open_memory(h);
	csr_write(h, CSR_SATP, 8ull << 60 | ROOT >> 12);
	again(m, 0x4000);
	is(total(m, EVENT_DTLB_READ), 4 + 4 + 1);
	is(total(m, EVENT_DTLB_WRITE), 4);
	is(total(m, EVENT_DTLB_WRITE_MISS), 1);
	is(total(m, EVENT_VECTOR_LINE), 13);
	same_as_normal(m);
	machine_destroy(m);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a line for each element", lines },
		{ "two pages", pages },
		{ "one line, and a mask", elements },
		{ "with translation", translated },
	};

	small_cpu(&cpu, &models);
	/* A DTLB which need not see hits, so that these are counted together. */
	models.tlb.part[TLB_D].policy = REPLACE_FIFO;
	small_vectors(&cpu, &models);
	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
