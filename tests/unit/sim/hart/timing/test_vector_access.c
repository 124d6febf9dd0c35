// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_vector_access.c - what vector loads and stores count on the models of small_cpu.h: those
 * with a stride access L1D once for each element, those with unit stride once for each line
 * (holter-model(7), rule A11).
 * Each program runs on the normal engine and on the paranoid one, whose counts must all be equal.
 */
#include "csr.h"
#include "vector.h"
#include "waits_program.h"

#define VS_ON		addi(A0, ZERO, 0x600), csrw(CSR_MSTATUS, A0)
#define VSETIVLI	0xcd027057u /* vsetivli zero, 4, e32, m1, ta, ma */
#define VLE(vd)		r_type(0x02006007, vd, T0, 0)
#define VLE_MASKED(vd)	r_type(0x00006007, vd, T0, 0)
#define VSE(vs3)	r_type(0x02006027, vs3, T0, 0)
#define VLSEG3(vd)	r_type(0x42006007, vd, T0, 0)
#define VSSEG3(vs3)	r_type(0x42006027, vs3, T0, 0)
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

/* Segments of 12 bytes, the second of which lies in two lines; each line is accessed once. */
static void segments(void)
{
	struct machine *m = COUNTED(addi(T0, T0, 48), VID(8), VID(9), VID(10), VSSEG3(8),
				    VLSEG3(12), VMV_V0(9), r_type(0x40006007, 16, T0, 0));
	const struct vector_state *v = m->cl.hart[0]->vector;
	const uint32_t *p = cluster_ram(&m->cl, RIG_DATA + 0x4000 + 48, 48);

	is(total(m, EVENT_L1D_WRITE), 2);
	is(total(m, EVENT_L1D_WRITE_MISS), 2);
	is(total(m, EVENT_L1D_READ), 2 + 2);
	is(total(m, EVENT_L1D_READ_MISS), 0);
	is(total(m, EVENT_VECTOR_LINE), 6);
	is(total(m, EVENT_MISALIGNED), 0);
	for (unsigned n = 0; n < 12; n++)
		is(p[n], n / 3);
	ok(!memcmp(v->reg + 12 * v->bytes, v->reg + 8 * v->bytes, 3 * v->bytes));
	same_as_normal(m);
	machine_destroy(m);
}

/* The first element lies in two lines; of the mask's lines, the last two bytes of its element. */
static void misaligned(void)
{
	struct machine *m = COUNTED(addi(T0, T0, 62), VID(2), VSE(2), VLE(3), VMV_V0(8),
				    VLE_MASKED(4), VMV_V0(1), VLE_MASKED(5), VMV_V0(0),
				    VLE_MASKED(6));
	const struct vector_state *v = m->cl.hart[0]->vector;

	is(total(m, EVENT_L1D_WRITE), 2);
	is(total(m, EVENT_L1D_READ), 2 + 1 + 2 + 0);
	is(total(m, EVENT_L1D_READ_MISS), 0);
	is(total(m, EVENT_VECTOR_LINE), 2 + 5);
	is(total(m, EVENT_MISALIGNED), 4);
	ok(!memcmp(v->reg + 3 * v->bytes, v->reg + 2 * v->bytes, 16));
	same_as_normal(m);
	machine_destroy(m);
}

/* An element in two pages is accessed by itself, in each; so are the fields of a segment. */
static void two_pages(void)
{
	struct machine *m = COUNTED(addi(T0, T0, -6), VID(2), VSE(2), VLE(3), addi(T0, T0, -14),
				    VLSEG3(12));
	const struct vector_state *v = m->cl.hart[0]->vector;

	is(total(m, EVENT_L1D_WRITE), 1 + 2 + 1);
	is(total(m, EVENT_L1D_READ), 1 + 2 + 1 + 1 + 3 + 1);
	is(total(m, EVENT_VECTOR_LINE), 4 + 9);
	is(total(m, EVENT_MISALIGNED), 2);
	ok(!memcmp(v->reg + 3 * v->bytes, v->reg + 2 * v->bytes, 16));
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

/* Maps all but the page RIG_DATA + 0x4000, for M-mode with MPRV. */
static void map_all_but_one(struct machine *m)
{
	uint64_t *table = cluster_ram(&m->cl, ROOT, 3 * PAGE_SIZE);
	const uint64_t leaves = RIG_DATA & ~0x1fffffull;

	table[2] = (ROOT + PAGE_SIZE) >> 12 << 10 | 1;
	table[512 + (leaves >> 21 & 511)] = (ROOT + 2 * PAGE_SIZE) >> 12 << 10 | 1;
	for (unsigned n = 0; n < 512; n++)
		table[1024 + n] = (leaves + n * PAGE_SIZE) >> 12 << 10 | 0xcf;
	table[1024 + ((RIG_DATA + 0x4000) >> 12 & 511)] = 0;
	rig_open_memory(m->cl.hart[0]);
	csr_write(m->cl.hart[0], CSR_SATP, 8ull << 60 | ROOT >> 12);
}

/* A program that begins before a page that is not there.  Traps end it. */
static struct machine *before_hole(const uint32_t code[], unsigned nr)
{
	struct machine *m = warmed(code, nr);
	struct hart *h = m->cl.hart[0];

	map_all_but_one(m);
	memset(cluster_ram(&m->cl, RIG_DATA + 0x3f00, 0x100), 0x55, 0x100);
	memset(h->vector->reg, 0, (size_t)32 * h->vector->bytes);
	h->mcause = 0;
	again(m, 0x4000);
	return m;
}

#define FAULTS(before, ...)                                                                        \
	({                                                                                         \
		const uint32_t code[] = { 0x21037u | A0 << 7,                                      \
					  addi(A0, A0, -0x200),                                    \
					  csrw(CSR_MSTATUS, A0),                                   \
					  jal(ZERO, 8),                                            \
					  END,                                                     \
					  VSETIVLI,                                                \
					  addi(T0, T0, -(before)),                                 \
					  __VA_ARGS__,                                             \
					  END };                                                   \
		before_hole(code, TAP_NR(code));                                                   \
	})

/* How many bytes of the registers from n on have been loaded. */
static unsigned loaded(const struct machine *m, unsigned n, unsigned regs)
{
	const struct vector_state *v = m->cl.hart[0]->vector;
	unsigned nr = 0;

	for (unsigned at = n * v->bytes; at < (n + regs) * v->bytes; at++)
		nr += v->reg[at] == 0x55;
	return nr;
}

/* vstart is the first element that has not been accessed as a whole. */
static void faults(void)
{
	struct machine *m = FAULTS(10, VLE(3));
	const struct hart *h = m->cl.hart[0];

	is(h->mcause, CAUSE_LOAD_PAGE_FAULT);
	is(h->mtval, RIG_DATA + 0x4000);
	is(h->vector->vstart, 2);
	is(loaded(m, 3, 1), 8);
	is(total(m, EVENT_L1D_READ), 1);
	is(total(m, EVENT_MISALIGNED), 0);
	machine_destroy(m);
	m = FAULTS(32, VLSEG3(4));
	h = m->cl.hart[0];
	is(h->mcause, CAUSE_LOAD_PAGE_FAULT);
	is(h->vector->vstart, 2);
	/* and two fields of the segment that faults */
	is(loaded(m, 4, 3), 24 + 8);
	is(total(m, EVENT_L1D_READ), 1 + 2);
	same_as_normal(m);
	machine_destroy(m);
}

/* Fault-only-first: vl ends before it. */
static void first_only(void)
{
	struct machine *m = FAULTS(10, r_type(0x03006007, 3, T0, 0));
	const struct hart *h = m->cl.hart[0];

	is(h->mcause, 0);
	is(h->vector->vstart, 0);
	is(h->vector->vl, 2);
	is(loaded(m, 3, 1), 8);
	is(total(m, EVENT_MISALIGNED), 1);
	same_as_normal(m);
	machine_destroy(m);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a line for each element", lines },
		{ "two pages", pages },
		{ "one line, and a mask", elements },
		{ "segments", segments },
		{ "misaligned, with unit stride", misaligned },
		{ "elements in two pages", two_pages },
		{ "with translation", translated },
		{ "a page that is not there", faults },
		{ "fault-only-first", first_only },
	};

	small_cpu(&cpu, &models);
	/* A DTLB which need not see hits, so that these are counted together. */
	models.tlb.part[TLB_D].policy = REPLACE_FIFO;
	small_vectors(&cpu, &models);
	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
