// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_exec.c - code that the random streams of tests/isa hardly contain: code that modifies
 * itself, instructions across pages, and values that CSRs keep. test_insn.c has single
 * instructions.
 */
#include "rig.h"

/* Code that writes the next instruction of its own block. */
static void code_that_changes_itself(void)
{
	struct machine *m = rig_create(NULL);
	struct hart *h = m->cl.hart[0];

	h->x[T0] = RAM_BASE;
	h->x[T1] = addi(A0, A0, 100);
	h->x[T2] = 3;
	/* sw t1, 16(t0): the addi at 0x10, after it in the block */
	RIG_CODE(m, RAM_BASE, NOP, NOP, addi(A1, A1, 1), 0x2023u | 16 << 7 | T0 << 15 | T1 << 20,
		 addi(A0, A0, 1), addi(T2, T2, -1), addi(T1, T1, 0), bnez(T2, -20), END);
	rig_run(m, 1000);
	is(h->x[A0], 300);
	is(h->x[A1], 3);
	machine_destroy(m);
}

/* rd of jalr may be its rs1; bit 0 of a target is cleared; an odd instruction may cross pages. */
static void jumps(void)
{
	struct machine *m = rig_create(NULL);
	struct hart *h = m->cl.hart[0];
	uint32_t wide = addi(A0, A0, 5);

	h->x[T0] = RAM_BASE + PAGE_SIZE - 2 - 0x100;
	RIG_CODE(m, RAM_BASE, jalr(T0, 0x101, T0));
	memcpy(cluster_ram(&m->cl, RAM_BASE + PAGE_SIZE - 2, 4), &wide, 4);
	memcpy(cluster_ram(&m->cl, RAM_BASE + PAGE_SIZE + 2, 4), &(uint32_t){ END }, 4);
	rig_run(m, 100);
	is(h->x[T0], RAM_BASE + 4);
	is(h->x[A0], 5);
	is(h->pc, RAM_BASE + PAGE_SIZE + 6);
	is(rig_csr(m, CSR_MINSTRET), 3);
	machine_destroy(m);
}

static void warl(void)
{
	static const struct {
		unsigned csr;
		uint64_t write, read;
	} rows[] = {
		{ CSR_MTVEC, UINT64_MAX, ~2ull },
		{ CSR_MEPC, UINT64_MAX, ~1ull },
		{ CSR_MEDELEG, UINT64_MAX, 0x4b3ff },
		{ CSR_MIDELEG, UINT64_MAX, 0x2222 },
		{ CSR_MIE, UINT64_MAX, 0x2aaa },
		{ CSR_MIP, UINT64_MAX, 0x2222 },
		{ CSR_MSTATUS, 0, RV_BIT(33) | RV_BIT(35) },
		{ CSR_SATP, 1ull << 60, 0 },
		{ CSR_SATP, 8ull << 60 | 5, 8ull << 60 | 5 },
		{ CSR_SATP, 10ull << 60 | 7, 8ull << 60 | 5 }, /* Sv57: no effect */
		{ CSR_SEPC, UINT64_MAX, ~1ull },
		{ CSR_STVEC, UINT64_MAX, ~2ull },
		{ CSR_MSTATUS, 3ull << MSTATUS_MPP_SHIFT,
		  RV_BIT(33) | RV_BIT(35) | 3ull << MSTATUS_MPP_SHIFT },
		{ CSR_MSTATUS, 2ull << MSTATUS_MPP_SHIFT,
		  RV_BIT(33) | RV_BIT(35) |
			  3ull << MSTATUS_MPP_SHIFT }, /* reserved MPP: unchanged */
		{ CSR_PMPADDR0, UINT64_MAX, RV_MASK(53, 0) },
		{ CSR_PMPCFG0, PMP_W, 0 },
		{ CSR_MVENDORID, 0, 0 },
		{ CSR_MISA, 0, 0x800000000014112f },
	};
	struct machine *m = rig_create(NULL);

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		tap_context("CSR %x", rows[n].csr);
		csr_write(m->cl.hart[0], rows[n].csr, rows[n].write);
		is(rig_csr(m, rows[n].csr), rows[n].read);
	}
	machine_destroy(m);
}

/* Logs and debuggers name each CSR. */
static void csr_names(void)
{
	char name[ISA_CSR_NAME_SIZE];
	unsigned nr = 0;

	for (unsigned num = 0; num < 4096; num++) {
		if (!csr_is_known(num))
			continue;
		tap_context("CSR %x", num);
		isa_csr_name(num, name);
		ok(*name);
		nr++;
	}
	ok(nr > 150);
	isa_csr_name(CSR_MHPMCOUNTER + 10, name);
	is_str(name, "mhpmcounter10");
	isa_csr_name(CSR_TDATA2, name);
	is_str(name, "tdata2");
	isa_csr_name(0x7c0, name);
	is_str(name, "");
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "code that modifies itself", code_that_changes_itself },
		{ "jumps and instructions across pages", jumps },
		{ "what CSRs keep", warl },
		{ "each CSR has a name", csr_names },
	};

	return tap_run(cases, TAP_NR(cases));
}
