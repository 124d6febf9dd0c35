// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_exact_calls.c - the call paths of an exact profile (exact_calls.c): programs that call,
 * return, tail-call, recurse, jump out of calls and change their stack, on the normal engine and on
 * the paranoid one.  fuzz_engine compares the paths of both for any program.
 */
#include "exact.h"
#include "exact_parse.h"
#include "rig.h"

#define CODE	RAM_BASE
#define STACK	(RAM_BASE + 0x200000)
#define OTHER	(RAM_BASE + 0x300000)
#define F	0x100 /* functions: their distance from CODE */
#define G	0x200
#define TRAPS	0x400
#define U_BASE	0xc0000000ull
#define ROOT(n) (RAM_BASE + 0x400000 + (n)*PAGE_SIZE)

static bool paranoid;

static struct machine *create(void)
{
	struct machine_options o = { .paranoid = paranoid };
	struct machine *m = rig_create(&o);

	ok(exact_start(&m->cl));
	m->cl.hart[0]->x[SP] = STACK;
	m->cl.hart[0]->pc = CODE;
	return m;
}

/* What a visitor looks for, and how often it has run. */
struct wanted {
	const struct exact_call *call;
	uint64_t va, satp, times;
	const uint16_t *path; /* distances of calls from CODE, innermost first, up to 0 */
	struct exact_page page;
};

static void see_page(void *arg, const struct exact_page *p)
{
	((struct wanted *)arg)->page = *p;
}

static void see_row(void *arg, const struct exact_row *r)
{
	struct wanted *w = arg;
	const uint16_t *path = w->path;
	uint32_t n = r->call;

	if (r->va != w->va || (w->satp && w->page.satp != w->satp))
		return;
	for (; n && *path && (w->call[n].va & 0xfffff) == *path; path++)
		n = w->call[n].caller;
	if (!n && !*path)
		w->times += r->count[EVENT_INSTRUCTIONS];
}

/* How often the instruction has run on a path. */
static uint64_t ran_in(struct machine *m, uint64_t satp, uint64_t va, const uint16_t *path)
{
	struct wanted w = { .va = va, .satp = satp, .path = path };
	uint64_t folded;
	uint32_t nr;

	w.call = exact_calls(&m->cl, &nr, &folded);
	is(folded, 0);
	ok(exact_read(&m->cl, &(struct exact_reader){ see_page, see_row, &w }));
	return w.times;
}

#define RAN(m, at, ...)	   ran_in(m, 0, CODE + (at), (const uint16_t[]){ __VA_ARGS__, 0 })
#define RAN_OUTSIDE(m, at) ran_in(m, 0, CODE + (at), (const uint16_t[]){ 0 })

/* main calls F from two places, in a loop of 3; F calls G and then ends in a tail call of G. */
static void calls(void)
{
	struct machine *m = create();

	RIG_CODE(m, CODE, addi(T2, ZERO, 3), jal(RA, F - 4), jal(RA, F - 8), addi(T2, T2, -1),
		 bnez(T2, -12), END);
	RIG_CODE(m, CODE + F, addi(SP, SP, -16), sd(RA, 0, SP), jal(RA, G - F - 8), ld(RA, 0, SP),
		 addi(SP, SP, 16), jal(ZERO, G - F - 20));
	RIG_CODE(m, CODE + G, NOP, jalr(ZERO, 0, RA));
	rig_run(m, 1000);
	is(RAN_OUTSIDE(m, 0xc), 3);
	is(RAN(m, F, 4), 3);
	is(RAN(m, F, 8), 3);
	is(RAN(m, F + 0xc, 8), 3);
	is(RAN(m, G, F + 8, 4), 3);
	is(RAN(m, G, F + 8, 8), 3);
	is(RAN(m, G, 4), 3);
	is(RAN(m, G, 8), 3);
	is(RAN_OUTSIDE(m, G), 0);
	machine_destroy(m);
}

/* jalr through t0 that links, and __riscv_save, which returns with another stack pointer. */
static void other_link(void)
{
	struct machine *m = create();

	RIG_CODE(m, CODE, 0x17u | T1 << 7, addi(T1, T1, F), jalr(RA, 0, T1), jal(RA, G - 12), END);
	RIG_CODE(m, CODE + F, jal(T0, 0x20), addi(SP, SP, 32), ld(RA, -8, SP), jalr(ZERO, 0, RA));
	RIG_CODE(m, CODE + F + 0x20, addi(SP, SP, -32), sd(RA, 24, SP), jalr(ZERO, 0, T0));
	RIG_CODE(m, CODE + G, NOP, jalr(ZERO, 0, RA));
	rig_run(m, 1000);
	is(RAN(m, F, 8), 1);
	is(RAN(m, F + 0x20, F, 8), 1);
	is(RAN(m, F + 4, 8), 1);
	is(RAN(m, G, 12), 1);
	machine_destroy(m);
}

/* F calls itself nine times: the paths have it five times at most, and no count is lost. */
static void recursion(void)
{
	struct machine *m = create();

	RIG_CODE(m, CODE, addi(T2, ZERO, 9), jal(RA, F - 4), END);
	RIG_CODE(m, CODE + F, branch(0, T2, ZERO, 36), addi(T2, T2, -1), addi(SP, SP, -16),
		 sd(RA, 0, SP), jal(RA, -16), ld(RA, 0, SP), addi(SP, SP, 16), jalr(ZERO, 0, RA),
		 NOP, jalr(ZERO, 0, RA));
	rig_run(m, 1000);
	is(m->cl.hart[0]->x[SP], STACK);
	is(RAN(m, F, 4), 1);
	is(RAN(m, F, F + 16, 4), 1);
	is(RAN(m, F, F + 16, F + 16, F + 16, 4), 1);
	is(RAN(m, F, F + 16, F + 16, F + 16, F + 16, 4), 6);
	is(RAN(m, F + 28, F + 16, F + 16, F + 16, F + 16, 4), 5);
	is(RAN(m, F + 28, 4), 1);
	is(RAN_OUTSIDE(m, 8), 1);
	machine_destroy(m);
}

/* main calls F, F calls G, and G returns to what a call of main has left (longjmp). */
static void jumps_out(void)
{
	struct machine *m = create();

	RIG_CODE(m, CODE, addi(SP, SP, -16), addi(T2, ZERO, 3), /* 0, 4 */
		 jal(RA, TRAPS - 8), /* 8: setjmp */
		 branch(0, T2, ZERO, 12), addi(T2, T2, -1), jal(RA, F - 20), /* c, 10, 14 */
		 jal(RA, TRAPS - 24), END); /* 18, 1c */
	RIG_CODE(m, CODE + TRAPS, addi(S0, RA, 0), addi(S1, SP, 0), jalr(ZERO, 0, RA));
	RIG_CODE(m, CODE + F, addi(SP, SP, -32), jal(RA, G - F - 4));
	RIG_CODE(m, CODE + G, addi(SP, SP, -32), addi(RA, S0, 0), addi(SP, S1, 0),
		 jalr(ZERO, 0, RA));
	rig_run(m, 1000);
	is(RAN(m, TRAPS, 8), 1);
	is(RAN(m, F, 0x14), 3);
	is(RAN(m, G, F + 4, 0x14), 3);
	is(RAN_OUTSIDE(m, 0xc), 4);
	is(RAN(m, TRAPS, 0x18), 1);
	machine_destroy(m);
}

/* main and a coroutine of F on another stack call G in turns, which changes the stack. */
static void coroutines(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, CODE, addi(T2, ZERO, 5), addi(SP, SP, -16), /* 0, 4 */
		 jal(RA, TRAPS - 8), jal(RA, TRAPS - 12), /* 8, c */
		 addi(T2, T2, -1), bnez(T2, -12), END); /* 10, 14, 18 */
	RIG_CODE(m, CODE + F, addi(SP, SP, -32), jal(RA, 12), jal(ZERO, -4), NOP, /* F, 4, 8, c */
		 addi(SP, SP, -16), sd(RA, 0, SP), jal(RA, TRAPS - F - 24), /* 10, 14, 18 */
		 ld(RA, 0, SP), addi(SP, SP, 16), jalr(ZERO, 0, RA)); /* 1c, 20, 24 */
	/* Swaps ra with s0 and sp with s1. */
	RIG_CODE(m, CODE + TRAPS, addi(T0, RA, 0), addi(RA, S0, 0), addi(S0, T0, 0),
		 addi(T0, SP, 0), addi(SP, S1, 0), addi(S1, T0, 0), jalr(ZERO, 0, RA));
	h->x[S0] = CODE + F;
	h->x[S1] = OTHER;
	rig_run(m, 10000);
	is(RAN_OUTSIDE(m, 0x10), 5);
	is(RAN(m, TRAPS, 8), 5);
	is(RAN(m, TRAPS, 0xc), 5);
	/* F begins once, on no path, and calls 10 times. */
	is(RAN_OUTSIDE(m, F), 1);
	is(RAN(m, F + 0x10, F + 4), 10);
	is(RAN(m, TRAPS, F + 0x18, F + 4), 10);
	is(RAN(m, F + 0x1c, F + 4), 9);
	machine_destroy(m);
}

/* U-mode may use all memory. */
static void open_memory(struct hart *h)
{
	rig_open_memory(h);
}

static void to_user(struct hart *h, uint64_t pc)
{
	rig_set_mode(h, PRV_U);
	h->pc = pc;
}

/* A trap in F, whose handler calls G: it is on no path of what it interrupts. */
static void traps(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, CODE, NOP, jal(RA, F - 4), jal(RA, F - 8), ECALL);
	RIG_CODE(m, CODE + F, ECALL, NOP, jalr(ZERO, 0, RA));
	RIG_CODE(m, CODE + TRAPS, csrw(CSR_MSCRATCH, RA), addi(T2, T2, -1), bnez(T2, 8), END,
		 csrr(T0, CSR_MEPC), addi(T0, T0, 4), csrw(CSR_MEPC, T0), jal(RA, G - TRAPS - 28),
		 csrr(RA, CSR_MSCRATCH), MRET);
	RIG_CODE(m, CODE + G, NOP, jalr(ZERO, 0, RA));
	csr_write(h, CSR_MTVEC, CODE + TRAPS);
	open_memory(h);
	h->x[T2] = 3;
	to_user(h, CODE);
	rig_run(m, 1000);
	is(RAN(m, F + 4, 4), 1);
	is(RAN(m, F + 4, 8), 1);
	is(RAN(m, G, TRAPS + 28), 2);
	is(RAN_OUTSIDE(m, TRAPS), 3);
	machine_destroy(m);
}

static uint64_t satp(unsigned n)
{
	return 8ull << 60 | ROOT(n) >> 12;
}

/* Two address spaces, each of which is left in a call and goes on later, at the same addresses. */
static void spaces(void)
{
	struct machine *m = create();
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, CODE, NOP, jal(RA, F - 4), jal(RA, F - 8), ECALL);
	RIG_CODE(m, CODE + F, ECALL, NOP, jalr(ZERO, 0, RA));
	rig_end_at_traps(m, CODE + TRAPS);
	open_memory(h);
	for (unsigned n = 0; n < 2; n++)
		*(uint64_t *)cluster_ram(&m->cl, ROOT(n) + 3 * 8, 8) = RAM_BASE >> 2 | 0xdf;
	for (unsigned n = 0; n < 2; n++) {
		csr_write(h, CSR_SATP, satp(n));
		to_user(h, U_BASE + 4 + 4 * n);
		rig_run(m, 1000);
	}
	for (unsigned n = 0; n < 2; n++) {
		csr_write(h, CSR_SATP, satp(n));
		h->x[RA] = U_BASE + 8 + 4 * n;
		to_user(h, U_BASE + F + 4);
		rig_run(m, 1000);
	}
	for (unsigned n = 0; n < 2; n++) {
		uint16_t path[2] = { 4 + 4 * n };

		is(ran_in(m, satp(n), U_BASE + F + 4, path), 1);
		is(ran_in(m, satp(n), U_BASE + F + 8, path), 1);
	}
	machine_destroy(m);
}

/* F calls itself from four places: its paths are more than a profile keeps. */
static void too_many(void)
{
	struct machine *m = create();
	uint64_t folded;
	uint32_t nr;

	/* F(n), n > 0: calls F(n - 1) from four places, n in T2. */
	RIG_CODE(m, CODE, addi(T2, ZERO, 9), jal(RA, F - 4), END);
	RIG_CODE(m, CODE + F, bnez(T2, 8), jalr(ZERO, 0, RA), addi(SP, SP, -16), sd(RA, 0, SP),
		 addi(T2, T2, -1), jal(RA, -20), jal(RA, -24), jal(RA, -28), jal(RA, -32),
		 addi(T2, T2, 1), ld(RA, 0, SP), addi(SP, SP, 16), jalr(ZERO, 0, RA));
	rig_run(m, 200000000);
	is(m->cl.hart[0]->x[SP], STACK);
	exact_calls(&m->cl, &nr, &folded);
	ok(nr <= 1 << 18);
	ok(folded > 0);
	machine_destroy(m);
}

static unsigned parsed;

static void parse_nodes(void *cookie, const struct exact_nodes *nodes)
{
	is(nodes->nr, 3);
	is(nodes->folded, 0);
	is(nodes->at[1].caller, 0);
	is(nodes->at[1].va, CODE + 4);
	is(nodes->at[2].caller, 1);
	is(nodes->at[2].va, CODE + F + 4);
	parsed++;
}

static void parse_insn(void *cookie, const struct exact_code *code, const struct exact_insn *insn)
{
	uint64_t at = insn->va - CODE;

	is(insn->call, at >= G ? 2 : at >= F);
	parsed++;
}

static void written_and_parsed(void)
{
	const struct exact_visitor v = { .insn = parse_insn, .nodes = parse_nodes };
	struct machine *m = create();
	struct error_text why = { "" };
	size_t len = 0;
	char *data = NULL;
	FILE *f = open_memstream(&data, &len);

	RIG_CODE(m, CODE, NOP, jal(RA, F - 4), END);
	/* F returns through another register. */
	RIG_CODE(m, CODE + F, addi(S0, RA, 0), jal(RA, G - F - 4), jalr(ZERO, 0, S0));
	RIG_CODE(m, CODE + G, jalr(ZERO, 0, RA));
	rig_run(m, 1000);
	parsed = 0;
	ok(exact_write(&m->cl, f, NULL, 0, &why));
	fclose(f);
	ok(exact_parse(data, len, &v, &why));
	is_str(why.text, "");
	is(parsed, 1 + 7);
	free(data);
	machine_destroy(m);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "calls, returns and tail calls", calls },
		{ "calls through registers, and through t0", other_link },
		{ "a recursion has bounded paths", recursion },
		{ "longjmp leaves the calls between", jumps_out },
		{ "coroutines keep their calls", coroutines },
		{ "traps do not disturb calls", traps },
		{ "an address space has its own calls", spaces },
		{ "calls without room are counted", too_many },
		{ "the file has the paths", written_and_parsed },
	};

	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
