// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_cpu_moved.c - on each CPU of cpu/, loops take the same cycles wherever they begin in a line:
 * their code is in L1I, and all branches are predicted.
 *
 * usage: test_sim_cpu_moved FOLDER      with the compiled descriptions
 */
#include "cpu_rig.h"

#define BODY 16

enum { WARM = 150 /* more than any history of a predictor */, TURNS = 30, LINE = 64 };

static bool paranoid;

/* A loop without the two instructions that count its turns. */
struct loop {
	const char *name;
	uint32_t body[BODY];
	unsigned nr;
};

static uint32_t mul(unsigned rd, unsigned rs1, unsigned rs2)
{
	return r_type(0x02000033, rd, rs1, rs2);
}

static uint32_t divu(unsigned rd, unsigned rs1, unsigned rs2)
{
	return r_type(0x02005033, rd, rs1, rs2);
}

static uint32_t remw(unsigned rd, unsigned rs1, unsigned rs2)
{
	return r_type(0x0200603b, rd, rs1, rs2);
}

/*
 * Runs a loop so many turns, `offset` bytes after a line; returns the cycles.  One turn before has
 * brought all of its code into L1I.
 */
static uint64_t cycles_of(struct machine *m, const struct loop *l, unsigned turns, unsigned offset)
{
	const unsigned run[] = { 1, turns };
	struct hart *h = m->cl.hart[0];
	uint32_t code[BODY + 3];

	machine_reset(m);
	memcpy(code, l->body, l->nr * sizeof(code[0]));
	code[l->nr] = addi(T0, T0, -1);
	code[l->nr + 1] = bnez(T0, -4 * (int)(l->nr + 1));
	code[l->nr + 2] = END;
	rig_put(m, CODE + offset, code, l->nr + 3);
	for (unsigned n = 0; n < TAP_NR(run); n++) {
		forget(m);
		h->pc = CODE + offset;
		h->x[T0] = run[n];
		h->x[A0] = 0x123456789abcdef;
		h->x[A1] = 7;
		h->x[S0] = RIG_DATA;
		rig_run(m, 1000000000);
	}
	return total(m, EVENT_CYCLES);
}

/* What TURNS turns take when caches and predictors have learnt the loop. */
static uint64_t steady(struct machine *m, const struct loop *l, unsigned offset)
{
	return cycles_of(m, l, WARM + TURNS, offset) - cycles_of(m, l, WARM, offset);
}

static void moved(void)
{
	const struct loop loops[] = {
		{ "arithmetic, loads and stores",
		  { ld(A2, 0, S0), add(A2, A2, A1), sd(A2, 0, S0), mul(A3, A2, A1),
		    add(A4, A3, A0), ld(A5, 8, S0), add(A4, A4, A5), sd(A4, 16, S0) },
		  8 },
		{ "a division that the next instructions need",
		  { divu(A2, A0, A1), add(A3, A2, A1), remw(A4, A3, A1), addi(A1, A1, 3),
		    add(A0, A0, A4) },
		  5 },
		{ "divisions after which others go on",
		  { divu(A2, A0, A1), ld(A3, 0, S0), addi(A1, A1, 3), mul(A4, A3, A1),
		    sd(A4, 8, S0), remw(A5, A0, A1), add(A6, A6, A5), add(A6, A6, A3),
		    mul(A7, A6, A1), r_type(0x4033, A0, A0, A2) },
		  10 },
		{ "jumps and branches",
		  { divu(A2, A0, A1), bnez(ZERO, 8), addi(A3, A3, 1), jal(ZERO, 8), NOP,
		    mul(A4, A2, A1), bnez(S0, 8), NOP, addi(A1, A1, 5), add(A5, A4, A2) },
		  10 },
	};

	for (unsigned n = 0; n < TAP_NR(cpus); n++) {
		struct cpu *cpu = load_every(cpus[n]);
		struct machine *m = cpu_machine(cpu, paranoid);

		for (unsigned k = 0; k < TAP_NR(loops); k++) {
			const uint64_t here = steady(m, &loops[k], 0);

			ok(here >= TURNS);
			for (unsigned offset = 2; offset < LINE; offset += 2) {
				tap_context("%s: %s, moved by %u", cpus[n], loops[k].name, offset);
				is(steady(m, &loops[k], offset), here);
			}
		}
		machine_destroy(m);
		cpu_free(cpu);
	}
}

int main(int argc, char **argv)
{
	static const struct tap_case cases[] = {
		{ "loops at each place in a line", moved },
	};

	cpu_folder = argc > 1 ? argv[1] : ".";
	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
