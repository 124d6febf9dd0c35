// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_cpu_division.c - what an integer division takes on each CPU of cpu/: chains of divisions by
 * 1, with the cycles of their public sources (the comments of the descriptions).
 *
 * usage: test_sim_cpu_division FOLDER      with the compiled descriptions
 */
#include "cpu_rig.h"

enum { CHAIN = 64, MORE = 16 };

static bool paranoid;

/* The cycles of nr divisions of a number, each by 1 and of the result before it. */
static uint64_t divisions(const struct cpu *cpu, uint32_t match, uint64_t number, unsigned nr)
{
	struct machine *m = cpu_machine(cpu, paranoid);
	struct hart *h = m->cl.hart[0];
	uint32_t code[CHAIN + MORE + 1];
	uint64_t cycles;

	for (unsigned n = 0; n < nr; n++)
		code[n] = r_type(match, A0, A0, A1);
	code[nr] = END;
	rig_put(m, CODE, code, nr + 1);
	for (unsigned turn = 0; turn < 2; turn++) {
		forget(m);
		h->x[A0] = number;
		h->x[A1] = 1;
		restart(m);
	}
	cycles = total(m, EVENT_CYCLES);
	machine_destroy(m);
	return cycles;
}

static void chains(void)
{
	static const struct {
		const char *name;
		uint32_t match;
		uint64_t number;
	} column[] = {
		{ "0", 0x02005033, 0 },
		{ "1 bit", 0x02005033, 1 },
		{ "16 bits", 0x02005033, 0xbeef },
		{ "64 bits", 0x02005033, UINT64_MAX },
		{ "-1", 0x02004033, UINT64_MAX },
		{ "32 bits of 64", 0x0200503b, 0xffffffff80000000 },
	};
	static const struct {
		const char *cpu;
		unsigned takes[TAP_NR(column)];
	} row[] = {
		/* manual: 2 + log2(dividend) - log2(divisor) + signs, 6 to 68; LLVM: 66 and 34 */
		{ "u74", { 6, 6, 18, 66, 6, 34 } },
		/* C910 RTL: 4, and a cycle for each four bits, at least one; manual: 20 and 12 */
		{ "c910", { 5, 5, 8, 20, 5, 12 } },
		/* LLVM: 20 and 12 at most; 22 and 14 */
		{ "x60", { 5, 5, 8, 20, 5, 12 } },
		{ "x100", { 6, 7, 10, 22, 7, 14 } },
		/* Rocket Chip */
		{ "rocket", { 5, 5, 20, 68, 7, 36 } },
		/* GCC: 70 and 38 at most */
		{ "ax45mp", { 7, 7, 22, 70, 7, 38 } },
		/* Divisions that take the same time */
		{ "max", { 16, 16, 16, 16, 16, 16 } },
	};

	for (unsigned n = 0; n < TAP_NR(row); n++) {
		struct cpu *cpu = load_every(row[n].cpu);

		for (unsigned k = 0; k < TAP_NR(column); k++) {
			const uint32_t match = column[k].match;
			const uint64_t few = divisions(cpu, match, column[k].number, MORE);

			tap_context("%s: %s", row[n].cpu, column[k].name);
			is(divisions(cpu, match, column[k].number, MORE + CHAIN) - few,
			   CHAIN * row[n].takes[k]);
		}
		cpu_free(cpu);
	}
}

/* The cycles until an instruction after a division traps; nothing has needed its result. */
static uint64_t trapped(const struct cpu *cpu, uint64_t number)
{
	struct machine *m = cpu_machine(cpu, paranoid);
	struct hart *h = m->cl.hart[0];
	uint64_t cycles;

	/* vsetvli, with mstatus.VS 0 */
	RIG_CODE(m, CODE, r_type(0x02005033, A0, A0, A1), 0x0d8072d7, addi(A2, A0, 1), END);
	RIG_CODE(m, CODE + 256, END);
	csr_write(h, CSR_MTVEC, CODE + 256);
	for (unsigned turn = 0; turn < 2; turn++) {
		forget(m);
		h->x[A0] = number;
		h->x[A1] = 1;
		restart(m);
	}
	is(total(m, EVENT_EXCEPTION), 1);
	cycles = total(m, EVENT_CYCLES);
	machine_destroy(m);
	return cycles;
}

static void traps(void)
{
	struct cpu *cpu = load_every("x60");

	is(trapped(cpu, UINT64_MAX), trapped(cpu, 1));
	cpu_free(cpu);
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "chains of divisions", chains },
		{ "a trap before the result is needed", traps },
	};

	cpu_folder = argc > 1 ? argv[1] : ".";
	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
