/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rig.h - a machine for tests: code is written into its RAM word by word, harts are stepped.
 *
 * A program is a list of instructions that ends with END, which is wfi: rig_run runs until the hart
 * waits there, and the wfi has been counted.  There are only the encoders that the tests need;
 * their names are those of assembly.
 */
#ifndef SIM_RIG_H
#define SIM_RIG_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "csr.h"
#include "machine.h"
#include "trap.h"

#define RIG_DATA (RAM_BASE + 0x100000) /* free for data */

enum { ZERO, RA, SP, GP, TP, T0, T1, T2, S0, S1, A0, A1, A2, A3, A4, A5, A6, A7 };

static inline uint32_t i_type(uint32_t op, int imm, unsigned rs1, unsigned f3, unsigned rd)
{
	return op | rd << 7 | f3 << 12 | rs1 << 15 | (uint32_t)imm << 20;
}

static inline uint32_t r_type(uint32_t match, unsigned rd, unsigned rs1, unsigned rs2)
{
	return match | rd << 7 | rs1 << 15 | rs2 << 20;
}

static inline uint32_t addi(unsigned rd, unsigned rs1, int imm)
{
	return i_type(0x13, imm, rs1, 0, rd);
}

static inline uint32_t ld(unsigned rd, int imm, unsigned rs1)
{
	return i_type(0x03, imm, rs1, 3, rd);
}

static inline uint32_t sd(unsigned rs2, int imm, unsigned rs1)
{
	return 0x3023 | (imm & 31) << 7 | rs1 << 15 | rs2 << 20 | (uint32_t)(imm >> 5) << 25;
}

static inline uint32_t branch(unsigned f3, unsigned rs1, unsigned rs2, int to)
{
	uint32_t u = to;

	return 0x63 | f3 << 12 | rs1 << 15 | rs2 << 20 | (u >> 11 & 1) << 7 | (u >> 1 & 15) << 8 |
	       (u >> 5 & 63) << 25 | (u >> 12 & 1) << 31;
}

static inline uint32_t bnez(unsigned rs1, int to)
{
	return branch(1, rs1, ZERO, to);
}

static inline uint32_t jal(unsigned rd, int to)
{
	uint32_t u = to;

	return 0x6f | rd << 7 | (u & 0xff000) | (u >> 11 & 1) << 20 | (u >> 1 & 0x3ff) << 21 |
	       (u >> 20 & 1) << 31;
}

static inline uint32_t jalr(unsigned rd, int imm, unsigned rs1)
{
	return i_type(0x67, imm, rs1, 0, rd);
}

static inline uint32_t csrw(unsigned csr, unsigned rs1)
{
	return i_type(0x73, csr, rs1, 1, ZERO);
}

static inline uint32_t csrr(unsigned rd, unsigned csr)
{
	return i_type(0x73, csr, ZERO, 2, rd);
}

static inline uint32_t csrs(unsigned csr, unsigned rs1)
{
	return i_type(0x73, csr, rs1, 2, ZERO);
}

static inline uint32_t csrc(unsigned csr, unsigned rs1)
{
	return i_type(0x73, csr, rs1, 3, ZERO);
}

#define NOP	0x00000013u
#define ECALL	0x00000073u
#define MRET	0x30200073u
#define SRET	0x10200073u
#define FENCE_I 0x0000100fu
#define END	0x10500073u /* wfi */

/* One hart unless o says otherwise; NULL: the default machine. */
static inline struct machine *rig_create(const struct machine_options *o)
{
	struct machine_options options = o ? *o : (struct machine_options){ 0 };
	struct error_text why = { "" };
	struct machine *m;

	options.harts = options.harts ? options.harts : 1;
	options.memory = options.memory ? options.memory : 16 << 20;
	options.counters = options.counters ? options.counters : 29;
	options.width = options.width ? options.width : 64;
	options.seed = options.seed ? options.seed : 1;
	/* The tests that meson.build runs a second time. */
	if (getenv("HOLTER_NATIVE_AFTER") && !options.native_after)
		options.native_after = atoi(getenv("HOLTER_NATIVE_AFTER"));
	/* standard input and output are the test's own */
	options.console_in = options.console_in > 2 ? options.console_in : -1;
	options.console_out = options.console_out > 2 ? options.console_out : -1;
	options.trace_to = stderr;
	m = machine_create(&options, &why);
	if (!m) {
		printf("Bail out! %s\n", why.text);
		exit(1);
	}
	m->entry = RAM_BASE;
	machine_reset(m);
	return m;
}

/* S-mode and U-mode may read, write and execute all memory. */
static inline void rig_open_memory(struct hart *h)
{
	csr_write(h, CSR_PMPADDR0, UINT64_MAX);
	csr_write(h, CSR_PMPCFG0, PMP_NAPOT | PMP_R | PMP_W | PMP_X);
}

static inline void rig_set_mode(struct hart *h, unsigned mode)
{
	h->mode = mode;
	hart_mode_changed(h);
}

static inline void rig_put(struct machine *m, uint64_t at, const uint32_t *code, unsigned nr)
{
	memcpy(cluster_ram(&m->cl, at, nr * 4ull), code, nr * 4ull);
	machine_ram_written(m, at, nr * 4ull);
}

#define RIG_CODE(m, at, ...)                                                                       \
	do {                                                                                       \
		const uint32_t code[] = { __VA_ARGS__ };                                           \
		rig_put(m, at, code, TAP_NR(code));                                                \
	} while (0)

/* Traps to M-mode end a program: the handler waits. */
static inline void rig_end_at_traps(struct machine *m, uint64_t handler)
{
	RIG_CODE(m, handler, END);
	csr_write(m->cl.hart[0], CSR_MTVEC, handler);
}

/* Runs hart 0 from its pc until it waits, for at most limit nanoseconds. */
static inline void rig_run(struct machine *m, uint64_t limit)
{
	struct hart *h = m->cl.hart[0];

	h->idle = false;
	m->end = h->now + limit;
	m->current = h;
	hart_run(h, &m->end);
	tally_settle(h);
	m->current = NULL;
	ok(h->idle);
}

/* The same in turns of so many cycles, without an end. */
static inline void rig_run_in_turns(struct machine *m, uint64_t turn)
{
	struct hart *h = m->cl.hart[0];

	while (!h->idle) {
		m->end = h->now + turn;
		m->current = h;
		hart_run(h, &m->end);
		m->current = NULL;
	}
}

/*
 * Runs every case twice, on the normal engine and with *paranoid set; returns what main returns.
 * HOLTER_PARANOID=no: once, because another run has the second half, which knows no native code.
 */
static inline int rig_run_both(const struct tap_case *cases, size_t nr, bool *paranoid)
{
	const char *second = getenv("HOLTER_PARANOID");
	const size_t step = second && !strcmp(second, "no") ? 2 : 1;
	int bad = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..%zu\n", 2 * nr / step);
	for (size_t n = 0; n < 2 * nr; n += step) {
		*paranoid = n & 1;
		tap = (struct tap_state){ 0 };
		cases[n / 2].run();
		printf("%sok %zu - %s%s\n", tap.failed ? "not " : "", n / step + 1,
		       *paranoid ? "paranoid: " : "", cases[n / 2].name);
		bad += tap.failed != 0;
	}
	return bad != 0;
}

/* Reads a CSR without an instruction. */
static inline uint64_t rig_csr(struct machine *m, unsigned num)
{
	uint64_t value = 0;

	ok(csr_read(m->cl.hart[0], num, false, &value));
	return value;
}

#endif
