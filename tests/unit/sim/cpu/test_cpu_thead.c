// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_cpu_thead.c - XTheadVector on a C910: loads and stores against a second implementation,
 * which accesses one element at a time; their faults; CSRs, VS in mstatus, the instructions that
 * set vl; what the device tree says.
 *
 * usage: test_sim_cpu_thead FOLDER   with the compiled descriptions
 *
 * Implements: vectors 0.7.1 §3, §6, chapter 7; T-Head ISA extension specification,
 * XTheadVector.
 */
#include <libfdt.h>

#include "isa.h"
#include "machine_fdt.h"
#include "thead_rig.h"

/* A legal load or store at RIG_DATA and near it; of v8 and up, indexes in v24 and up. */
static struct element_access choose(struct hart *h)
{
	struct vector_state *v = h->vector;
	const uint16_t first = ISA_th_vlb_v, last = ISA_th_vsuxe_v;
	struct element_access a;
	unsigned op, width, fields;

	do {
		op = first + rnd() % (last - first + 1);
		width = isa_table[op].match >> 12 & 7;
		vector_set(v, rnd() % 16, rnd() % 130, false);
		fields = isa_table[op].mask >> 29 ? 1 : 1 + rnd() % 8;
	} while ((width == 5 && v->sew < 1) || (width == 6 && v->sew < 2) || fields << v->lmul > 8);
	a = (struct element_access){
		.store = isa_table[op].class == ISA_CLASS_VSTORE,
		.masked = rnd() & 1,
		.sign = isa_table[op].match >> 28 & 1,
		.indexed = isa_table[op].format == ISA_FMT_VLX,
		.bytes = width == 7   ? 1u << v->sew
			 : width == 6 ? 4
			 : width == 5 ? 2
				      : 1,
		.wide = 1u << v->sew,
		.fields = fields,
		.group = 1u << v->lmul,
		.vd = 8,
		.vs2 = 24,
		.base = RIG_DATA + rnd() % 64,
	};
	a.stride = isa_table[op].format == ISA_FMT_VLSS ? (rnd() % 40) - 20ull : a.bytes * fields;
	a.insn = isa_table[op].match | !a.masked << 25 | (fields - 1) << 29 | A0 << 15 | a.vd << 7;
	if (a.indexed)
		a.insn |= a.vs2 << 20;
	else if (isa_table[op].format == ISA_FMT_VLSS)
		a.insn |= A1 << 20;
	for (unsigned n = 0; n < VECTOR_REGS * VLENB; n++)
		v->reg[n] = rnd();
	/* Indexes are not too far away, of either sign. */
	for (unsigned n = 0; n < 8u * VLENB >> v->sew; n++) {
		int64_t offset = v->sew ? (int64_t)(rnd() % 2000) - 1000 : (int64_t)(rnd() % 256);

		memcpy(v->reg + a.vs2 * VLENB + (n << v->sew), &offset, a.wide);
	}
	h->x[A0] = a.base;
	h->x[A1] = a.stride;
	return a;
}

/* Elements from..to - 1 of registers and memory; memory begins WINDOW / 2 before RIG_DATA. */
static void plain(const struct vector_state *v, const struct element_access *a, unsigned from,
		  unsigned to, uint8_t *reg, uint8_t *memory)
{
	uint8_t was[VECTOR_REGS * VLENB];

	memcpy(was, reg, sizeof(was));
	for (unsigned n = from; n < to; n++) {
		if (!active(v, a, was, n))
			continue;
		for (unsigned field = 0; field < a->fields; field++) {
			uint8_t *element = reg + (a->vd + field * a->group) * VLENB + n * a->wide;
			uint8_t *p = memory + WINDOW / 2 +
				     (int64_t)(address(a, was, n) - RIG_DATA) + field * a->bytes;

			if (a->store) {
				memcpy(p, element, a->bytes);
				continue;
			}
			memcpy(element, p, a->bytes);
			for (unsigned i = a->bytes; i < a->wide; i++)
				element[i] = a->sign && p[a->bytes - 1] & 0x80 ? 0xff : 0;
		}
	}
}

static void loads_and_stores(void)
{
	for (unsigned models = 0; models < 2; models++) {
		struct machine *m = c910(models);
		struct hart *h = m->cl.hart[0];
		struct vector_state *v = h->vector;
		uint8_t *memory = cluster_ram(&m->cl, RIG_DATA - WINDOW / 2, WINDOW);
		uint8_t want_memory[WINDOW], want[VECTOR_REGS * VLENB];

		csr_write(h, CSR_MSTATUS, MSTATUS_VS_THEAD);
		for (unsigned n = 0; n < 3000; n++) {
			const struct element_access a = choose(h);
			const unsigned from = rnd() % 4 ? 0 : rnd() % (v->vl + 1);

			for (unsigned i = 0; i < WINDOW; i++)
				memory[i] = rnd();
			memcpy(want_memory, memory, WINDOW);
			memcpy(want, v->reg, sizeof(want));
			v->vstart = from;
			plain(v, &a, from, v->vl, want, want_memory);
			if (from < v->vl)
				clear(v, &a, want);
			tap_context("%08x, vtype %x, vl %u, vstart %u", a.insn, (unsigned)v->vtype,
				    v->vl, from);
			is(execute(m, a.insn), 0);
			is(v->vstart, 0);
			ok(!memcmp(want, v->reg, sizeof(want)));
			ok(!memcmp(want_memory, memory, WINDOW));
		}
		end(m);
	}
}

/* At the end of memory: elements before the fault are done, vstart tells it, nothing is cleared. */
static void faults(void)
{
	struct machine *m = c910(false);
	struct hart *h = m->cl.hart[0];
	struct vector_state *v = h->vector;
	const uint64_t end_of_memory = RAM_BASE + RIG_MEMORY;
	uint8_t *memory = cluster_ram(&m->cl, end_of_memory - 64, 64);

	csr_write(h, CSR_MSTATUS, MSTATUS_VS_THEAD);
	for (unsigned i = 0; i < 64; i++)
		memory[i] = i | 0x80;
	for (unsigned n = 1; n < 10; n++) {
		tap_context("%u elements", n);
		vector_set(v, 1 << 2, 12, false); /* e16, m2, of which 12 elements */
		vector_set(v, 1 << 2 | 1, 12, false);
		memset(v->reg, 0x55, VECTOR_REGS * VLENB);
		h->x[A0] = end_of_memory - n;
		is(execute(m, 0x12050407), CAUSE_LOAD_ACCESS); /* th.vlb.v v8,(a0) */
		is(v->vstart, n);
		is(h->mtval, end_of_memory);
		for (unsigned i = 0; i < 16; i++)
			is(v->reg[8 * VLENB + 2 * i] | v->reg[8 * VLENB + 2 * i + 1] << 8,
			   i < n ? 0xff00 | memory[64 - n + i] : 0x5555);
		v->vstart = 0;
		is(execute(m, 0x13050407), 0); /* th.vlbff.v v8,(a0) */
		is(v->vl, n);
		is(v->reg[8 * VLENB + 2 * n], 0x55);
		vector_set(v, 1 << 2 | 1, 12, false);
		is(execute(m, 0x02050427), CAUSE_STORE_ACCESS); /* th.vsb.v v8,(a0) */
		is(v->vstart, n);
		v->vstart = 0;
	}
	/* A fault at element 0 is one of a fault-only-first load, too. */
	h->x[A0] = end_of_memory;
	is(execute(m, 0x13050407), CAUSE_LOAD_ACCESS);
	end(m);
}

static void status(void)
{
	struct machine *m = c910(false);
	struct hart *h = m->cl.hart[0];

	csr_write(h, CSR_MSTATUS, MSTATUS_VS); /* the bits of V are 0 */
	is(rig_csr(m, CSR_MSTATUS) & (MSTATUS_VS | MSTATUS_VS_THEAD), 0);
	is(execute(m, 0x00357557), CAUSE_ILLEGAL_INSN); /* th.vsetvli a0,a0,e8,m8,d1 */
	is(execute(m, csrr(A0, CSR_VL)), CAUSE_ILLEGAL_INSN);
	csr_write(h, CSR_SSTATUS, 1ull << 23); /* initial */
	is(rig_csr(m, CSR_MSTATUS) & (MSTATUS_VS | MSTATUS_VS_THEAD), 1ull << 23);
	is(rig_csr(m, CSR_SSTATUS) & MSTATUS_VS_THEAD, 1ull << 23);
	is(rig_csr(m, CSR_SSTATUS) >> 63, 0);
	is(execute(m, 0x00357557), 0);
	is(rig_csr(m, CSR_MSTATUS) & (MSTATUS_VS | MSTATUS_VS_THEAD), MSTATUS_VS_THEAD); /* dirty */
	is(rig_csr(m, CSR_SSTATUS) >> 63, 1);
	is(rig_csr(m, CSR_MISA) >> ('v' - 'a') & 1, 1);
	end(m);
}

static void registers(void)
{
	struct machine *m = c910(false);
	struct hart *h = m->cl.hart[0];

	csr_write(h, CSR_MSTATUS, MSTATUS_VS_THEAD | MSTATUS_FS);
	is(execute(m, csrr(A0, CSR_VLENB)), 0);
	is(h->x[A0], VLENB);
	is(execute(m, csrr(A0, CSR_VCSR)), CAUSE_ILLEGAL_INSN);
	csr_write(h, CSR_FCSR, 2 << 9 | 1 << 8 | 3 << 5 | 9);
	is(rig_csr(m, CSR_VXRM), 2);
	is(rig_csr(m, CSR_VXSAT), 1);
	is(rig_csr(m, CSR_FRM), 3);
	csr_write(h, CSR_VXRM, 1);
	csr_write(h, CSR_VXSAT, 0);
	is(rig_csr(m, CSR_FCSR), 1 << 9 | 3 << 5 | 9);
	csr_write(h, CSR_FRM, 0);
	is(rig_csr(m, CSR_VXRM), 1);
	csr_write(h, CSR_VSTART, 0xffff);
	is(rig_csr(m, CSR_VSTART), 8 * VLENB - 1);
	/* AVL x0 is the greatest, whatever rd is: th.vsetvli x0,x0,e32,m2,d1 */
	vector_set(h->vector, 0, 3, false);
	is(execute(m, 0x00907057), 0);
	is(rig_csr(m, CSR_VL), 8);
	is(rig_csr(m, CSR_VTYPE), 9);
	is(rig_csr(m, CSR_VSTART), 0);
	h->x[A0] = 5;
	h->x[A1] = 0x20; /* th.vsetvl a2,a0,a1: divided elements */
	is(execute(m, 0x80b57657), 0);
	is(h->x[A2], 0);
	is(rig_csr(m, CSR_VTYPE), VECTOR_VILL);
	is(execute(m, 0x02860257), CAUSE_ILLEGAL_INSN); /* th.vadd.vv */
	h->x[A1] = 4;
	is(execute(m, 0x80b57657), 0);
	is(h->x[A2], 5);
	is(rig_csr(m, CSR_VTYPE), 4);
	end(m);
}

static void device_tree(void)
{
	struct machine *m = c910(false);
	void *blob = malloc(1 << 16);
	const fdt32_t *vlenb;
	int node, len;

	is(machine_fdt(m, &(struct boot_words){ 0 }, blob, 1 << 16), 0);
	node = fdt_path_offset(blob, "/cpus/cpu@0");
	ok(fdt_stringlist_search(blob, node, "riscv,isa-extensions", "xtheadvector") >= 0);
	ok(fdt_stringlist_search(blob, node, "riscv,isa-extensions", "xtheadzvamo") >= 0);
	vlenb = fdt_getprop(blob, node, "thead,vlenb", &len);
	ok(vlenb && len == 4);
	is(vlenb ? fdt32_to_cpu(*vlenb) : 0, VLENB);
	free(blob);
	end(m);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "loads and stores", loads_and_stores },
		{ "faults", faults },
		{ "mstatus and sstatus", status },
		{ "CSRs, and the instructions that set vl", registers },
		{ "the device tree", device_tree },
	};

	cpu_folder = argc > 1 ? argv[1] : ".";
	return tap_run(cases, TAP_NR(cases));
}
