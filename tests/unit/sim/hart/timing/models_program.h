/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * models_program.h - a program that exercises all of the models: random branches, addresses, calls
 * and targets in M-mode, then under Sv39 in S-mode and U-mode, devices, exceptions, an interrupt.
 *
 * It ends waiting in M-mode, after an ecall from U-mode, or after the interrupt of a counter; mepc
 * is then that of the interrupt.
 */
#ifndef SIM_MODELS_PROGRAM_H
#define SIM_MODELS_PROGRAM_H

#include "rig.h"

#define U_OFFSET 0x40000000ull /* RAM in U-mode's address space */
#define BODY	 (RAM_BASE + 0x1000)
#define STAGES	 (RAM_BASE + 0x2000)
#define M_VECTOR (RAM_BASE + 0x3000)
#define FUNCTION (RAM_BASE + 0x4080)
#define TARGETS	 (RAM_BASE + 0x8000)
#define APART	 4160 /* of targets: each in another page and another line of its page */
#define TABLES	 (RAM_BASE + 0x200000)
#define NOWHERE	 0x140000000ull
#define CLOCK	 0x101000ull
#define TIMER	 0x2004000ull

enum { S2 = 18, S3, S4, S5, S6, S7, S8, S9, S10, S11, T3, T4, T5 };

static inline uint32_t add(unsigned rd, unsigned rs1, unsigned rs2)
{
	return r_type(0x33, rd, rs1, rs2);
}

static inline uint32_t srli(unsigned rd, unsigned rs1, unsigned by)
{
	return i_type(0x13, by, rs1, 5, rd);
}

static inline uint32_t andi(unsigned rd, unsigned rs1, int imm)
{
	return i_type(0x13, imm, rs1, 7, rd);
}

static inline uint32_t beqz(unsigned rs1, int to)
{
	return branch(0, rs1, ZERO, to);
}

/*
 * t0 rounds, then back to s1. s0 data, s2 targets, s4 function, s6 and s7 an address to read and to
 * write, which may be a device's, s8 the random number, s9 its factor, s10 a mask, s5 the distance
 * of the targets.
 */
static inline void program_put_body(struct machine *m)
{
	const uint32_t body[] = {
		r_type(0x02000033, S8, S8, S9), /* mul: the next random number */
		addi(S8, S8, 0x2a7),
		srli(A0, S8, 20),
		r_type(0x7033, A1, A0, S10), /* and */
		add(A1, A1, S0),
		ld(A3, 0, A1), /* a random load, and an instruction that waits for it */
		add(A4, A3, A0),
		srli(A5, S8, 33),
		r_type(0x7033, A5, A5, S10),
		add(A5, A5, S0),
		sd(A4, 0, A5),
		r_type(0x0000302f, A3, A5, A4), /* amoadd.d */
		sd(A4, 8, S0), /* a line that stays in L1 while the levels below evict it */
		ld(A3, 60, A1), /* misaligned, and often crosses a line */
		r_type(0x1000302f, A3, A1, 0), /* lr.d */
		r_type(0x1800302f, A4, A1, A0), /* sc.d */
		sd(ZERO, 64, A5),
		sd(ZERO, 128, A5),
		sd(ZERO, 192, A5),
		andi(A2, A0, 1),
		beqz(A2, 8),
		addi(A4, A4, 1),
		r_type(0x02004033, A4, S8, S9), /* div, and another one that waits for the unit */
		r_type(0x02004033, A5, S9, S8),
		addi(A5, A5, 1),
		r_type(0x02007053, 1, 1, 2), /* fadd.d, and another one that waits for its result */
		r_type(0x02007053, 1, 1, 2),
		r_type(0x1a007053, 3, 2, 2), /* fdiv.d twice */
		r_type(0x1a007053, 4, 2, 2),
		r_type(0x12007053, 5, 1, 2), /* fmul.d, fmadd.d, fcvt.d.w, fsgnj.d */
		r_type(0x02007043, 5, 1, 2),
		r_type(0xd2000053, 6, A0, 0),
		r_type(0x22000053, 6, 1, 2),
		i_type(0x07, 0, S0, 3, 5), /* fld */
		0x3027u | 16 << 7 | S0 << 15 | 5 << 20, /* fsd f5, 16(s0) */
		csrr(A4, CSR_FFLAGS),
		0x0ff0000f, /* fence */
		i_type(0x03, 0, S6, 2, A4), /* lw a4, (s6) */
		sd(ZERO, 0, S7),
		andi(A3, A0, 7), /* nested calls, this deep */
		jalr(RA, 0, S4),
		srli(A4, S8, 40),
		andi(A4, A4, 7),
		r_type(0x02000033, A4, A4, S5),
		add(A4, A4, S2),
		jalr(S11, 0, A4), /* to one of eight targets, which return */
		addi(T0, T0, -1),
		beqz(T0, 8),
		jal(ZERO, -48 * 4),
		jalr(ZERO, 0, S1),
	};

	rig_put(m, BODY, body, TAP_NR(body));
	RIG_CODE(m, FUNCTION, addi(SP, SP, -16), sd(RA, 0, SP), beqz(A3, 12), addi(A3, A3, -1),
		 jal(RA, -16), ld(RA, 0, SP), addi(SP, SP, 16), jalr(ZERO, 0, RA));
	for (unsigned n = 0; n < 8; n++)
		RIG_CODE(m, TARGETS + n * APART, jalr(ZERO, 0, S11));
}

/* auipc s1, 0 and so on: s1 is the address after the jump to the body, t0 the rounds. */
#define STAGE(at, rounds)                                                                          \
	0x17u | S1 << 7, addi(S1, S1, 16), addi(T0, ZERO, rounds), jal(ZERO, (int)(BODY - (at)-12))

static inline void program_put(struct machine *m)
{
	uint64_t *root = cluster_ram(&m->cl, TABLES, 5 * PAGE_SIZE);

	program_put_body(m);
	/* M-mode, a software interrupt, then to S-mode */
	RIG_CODE(m, STAGES, STAGE(STAGES, 6), FENCE_I, i_type(0x73, CSR_MIP, 2, 6, ZERO),
		 csrw(CSR_MEPC, T4), csrs(CSR_MSTATUS, T5), MRET);
	/* S-mode, an access to an unmapped page, then to U-mode */
	RIG_CODE(m, STAGES + 0x100, STAGE(STAGES + 0x100, 10), ld(A0, 0, S3), csrw(CSR_SEPC, T3),
		 addi(T0, ZERO, 1), i_type(0x13, 30, T0, 1, T0), /* slli: what U-mode adds */
		 add(S0, S0, T0), add(S2, S2, T0), add(S4, S4, T0), add(SP, SP, T0),
		 add(S6, S0, ZERO), add(S7, S0, ZERO), SRET);
	/* U-mode, an unmapped page again; an ecall ends the program */
	RIG_CODE(m, STAGES + 0x200, STAGE(STAGES + 0x200, 10), sd(A0, 0, S3), ECALL);
	RIG_CODE(m, M_VECTOR, jal(ZERO, 0x100), jal(ZERO, 0x13c));
	RIG_CODE(m, M_VECTOR + 4 * IRQ_LCOF, csrw(CSR_MIE, ZERO), END);
	RIG_CODE(m, M_VECTOR + 0x100, csrr(A2, CSR_MCAUSE), addi(A2, A2, -CAUSE_ECALL_U),
		 bnez(A2, 8), END, csrr(A2, CSR_MEPC), addi(A2, A2, 4), csrw(CSR_MEPC, A2), MRET);
	RIG_CODE(m, M_VECTOR + 0x140, i_type(0x73, CSR_MIP, 2, 7, ZERO), MRET);
	/*
	 * Devices for S-mode; RAM in pages of 4 KiB: identity-mapped for S-mode, elsewhere for
	 * U-mode.
	 */
	root[0] = 0xc7;
	root[2] = (TABLES + PAGE_SIZE) >> 2 | 1;
	root[3] = (TABLES + 2 * PAGE_SIZE) >> 2 | 1;
	root[512] = (TABLES + 3 * PAGE_SIZE) >> 2 | 1;
	root[1024] = (TABLES + 4 * PAGE_SIZE) >> 2 | 1;
	for (unsigned n = 0; n < 512; n++) {
		root[1536 + n] = (RAM_BASE + n * PAGE_SIZE) >> 2 | 0xcf;
		root[2048 + n] = (RAM_BASE + n * PAGE_SIZE) >> 2 | 0xdf;
	}
}

static inline void program_start(struct machine *m)
{
	struct hart *h = m->cl.hart[0];

	memset(cluster_ram(&m->cl, RIG_DATA, 0x20000), 0, 0x20000);
	machine_reset(m);
	h->pc = STAGES;
	h->x[S0] = RIG_DATA;
	h->x[S2] = TARGETS;
	h->x[S3] = NOWHERE;
	h->x[S4] = FUNCTION;
	h->x[S5] = APART;
	h->x[S6] = CLOCK;
	h->x[S7] = TIMER;
	h->x[S8] = 88172645463325252ull;
	h->x[S9] = 6364136223846793005ull;
	h->x[S10] = 0xfff8;
	h->x[SP] = RIG_DATA + 0x18000;
	h->x[T3] = STAGES + 0x200 + U_OFFSET;
	rig_open_memory(h);
	csr_write(h, CSR_SATP, (uint64_t)SATP64_MODE_SV39 << 60 | TABLES >> 12);
	csr_write(h, CSR_MTVEC, M_VECTOR | 1);
	csr_write(h, CSR_MIE, MIP_SSIP | MIP_LCOFIP);
	h->x[T4] = STAGES + 0x100;
	h->x[T5] = (uint64_t)PRV_S << MSTATUS_MPP_SHIFT;
	csr_write(h, CSR_MSTATUS, MSTATUS_FS | MSTATUS_VS | MSTATUS_MIE);
}

#endif
