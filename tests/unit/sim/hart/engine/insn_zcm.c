// SPDX-License-Identifier: BSD-2-Clause
/*
 * insn_zcm.c - Zcmp and Zcmt (insn.h): Unpriv 28.14, 28.15, and what Smstateen says of jvt.
 */
#include "access.h"
#include "insn.h"

#define TARGET	 (RAM_BASE + 0x3000) /* an ecall, to which jumps go */
#define TABLE	 (RAM_BASE + 0x4000)
#define TIMECMP	 0x02004000 /* a register of a device, which keeps what is written */
#define STACK	 (RIG_DATA + 0x800)
#define WORD(n)	 (0x1122334455667700ull + (n))
#define SAVED_NR 13

static const uint8_t saved[SAVED_NR] = { RA, S0, S1, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27 };

/* By the list, from 4 on: how many registers it has, and by how much sp changes at least. */
static const uint8_t numbers[12] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13 };
static const uint8_t bytes[12] = { 16, 16, 32, 32, 48, 48, 64, 64, 80, 80, 96, 112 };

static struct machine *zcm_machine(bool smstateen)
{
	struct machine_options o = { .smstateen = smstateen };
	struct machine *m = rig_create(&o);
	struct hart *h = m->cl.hart[0];

	isa_set_add(&m->cl.extensions, ISA_EXT_ZCMP);
	isa_set_add(&m->cl.extensions, ISA_EXT_ZCMT);
	m->cl.isa.zcm = true;
	RIG_CODE(m, HANDLER, END);
	RIG_CODE(m, TARGET, ECALL);
	csr_write(h, CSR_MTVEC, HANDLER);
	csr_write(h, CSR_PMPADDR0, UINT64_MAX);
	csr_write(h, CSR_PMPCFG0, PMP_NAPOT | PMP_R | PMP_W | PMP_X);
	return m;
}

static uint16_t list(enum isa_insn id, unsigned rlist, unsigned spimm)
{
	insn_seen[id] = true;
	return isa_table[id].match | rlist << 4 | spimm << 2;
}

/* Executes one at CODE; returns where it or the ecall after it traps, with mcause and mtval. */
static uint64_t run(struct machine *m, uint16_t half, unsigned mode)
{
	insn_execute(m, half | 1u << 16, mode);
	return m->cl.hart[0]->mepc;
}

static uint64_t *ram(struct machine *m, uint64_t pa)
{
	return cluster_ram(&m->cl, pa, 8);
}

static void fill(struct hart *h, uint64_t change)
{
	for (unsigned n = 0; n < SAVED_NR; n++)
		h->x[saved[n]] = WORD(n) ^ change;
}

/* The registers of each list and no other, ra at the lowest address. */
static void lists(struct machine *m)
{
	struct hart *h = m->cl.hart[0];

	for (unsigned n = 0; n < 12 * 4; n++) {
		unsigned rlist = 4 + n / 4, nr = numbers[n / 4];
		uint64_t change = bytes[n / 4] + 16 * (n % 4);

		tap_context("list %u, and %u", rlist, 16 * (n % 4));
		for (unsigned k = 1; k <= 32; k++)
			*ram(m, STACK - 8 * k) = 5;
		fill(h, 0);
		h->x[SP] = STACK;
		is(run(m, list(ISA_cm_push, rlist, n % 4), PRV_M), CODE + 4);
		is(h->x[SP], STACK - change);
		for (unsigned k = 0; k < nr; k++)
			is(*ram(m, STACK - 8 * nr + 8 * k), WORD(k));
		is(*ram(m, STACK - 8 * nr - 8), 5);
		fill(h, M1);
		is(run(m, list(ISA_cm_pop, rlist, n % 4), PRV_M), CODE + 4);
		is(h->x[SP], STACK);
		for (unsigned k = 0; k < SAVED_NR; k++)
			is(h->x[saved[k]], k < nr ? WORD(k) : ~WORD(k));
	}
}

static void reserved(struct machine *m)
{
	static const uint16_t ids[] = { ISA_cm_push, ISA_cm_pop, ISA_cm_popret, ISA_cm_popretz };
	struct hart *h = m->cl.hart[0];

	for (unsigned n = 0; n < 4 * 4; n++) {
		tap_context("%s, list %u", isa_table[ids[n / 4]].name, n % 4);
		h->x[SP] = STACK;
		is(run(m, list(ids[n / 4], n % 4, 1), PRV_M), CODE);
		is(h->mcause, CAUSE_ILLEGAL_INSN);
		is(h->mtval, list(ids[n / 4], n % 4, 1));
		is(h->x[SP], STACK);
	}
	/* cm.mvsa01 s1, s1, and what is not an instruction between cm.jalt and cm.mvsa01. */
	is(run(m, 0xac22 | 1 << 7 | 1 << 2, PRV_M), CODE);
	is(h->mcause, CAUSE_ILLEGAL_INSN);
	is(run(m, 0xa402, PRV_M), CODE);
	is(h->mcause, CAUSE_ILLEGAL_INSN);
}

static void moves(struct machine *m)
{
	struct hart *h = m->cl.hart[0];

	insn_seen[ISA_cm_mvsa01] = insn_seen[ISA_cm_mva01s] = true;
	h->x[A0] = 5;
	h->x[A1] = 6;
	is(run(m, 0xacbe, PRV_M), CODE + 4); /* cm.mvsa01 s1, s7 */
	is(h->x[S1], 5);
	is(h->x[23], 6);
	h->x[S0] = 7;
	h->x[18] = 8;
	is(run(m, 0xad62, PRV_M), CODE + 4); /* cm.mva01s s2, s0 */
	is(h->x[A0], 8);
	is(h->x[A1], 7);
	is(run(m, 0xac62, PRV_M), CODE + 4); /* cm.mva01s s0, s0 */
	is(h->x[A0], 7);
	is(h->x[A1], 7);
}

/* cm.popret and cm.popretz; bit 0 of ra does not count. */
static void returns(struct machine *m)
{
	struct hart *h = m->cl.hart[0];

	for (unsigned n = 0; n < 4; n++) {
		bool zero = n & 1;

		tap_context("a0 becomes 0: %u, odd %u", zero, n / 2);
		h->x[SP] = STACK - 64;
		h->x[A0] = 5;
		*ram(m, STACK - 8) = WORD(1);
		*ram(m, STACK - 16) = TARGET + n / 2;
		is(run(m, list(zero ? ISA_cm_popretz : ISA_cm_popret, 5, 3), PRV_M), TARGET);
		is(h->mcause, CAUSE_ECALL_M);
		is(h->x[SP], STACK);
		is(h->x[A0], zero ? 0 : 5);
		is(h->x[RA], TARGET + n / 2);
		is(h->x[S0], WORD(1));
	}
	/* ra from a device: the engine returns, and goes on at the target. */
	tap_context("ra from a device");
	h->x[SP] = TIMECMP - 8;
	is(access_store(h, TIMECMP, 8, TARGET), true);
	is(run(m, list(ISA_cm_popret, 4, 0), PRV_M), TARGET);
	is(h->mcause, CAUSE_ECALL_M);
	is(h->x[SP], TIMECMP + 8);
}

/* A fault at ra, the last access: sp is unchanged, and the instruction can be executed again. */
static void faults(struct machine *m)
{
	static const uint16_t pops[] = { ISA_cm_pop, ISA_cm_popret, ISA_cm_popretz };
	struct hart *h = m->cl.hart[0];

	tap_context("cm.push");
	fill(h, 0);
	h->x[SP] = RAM_BASE + 24;
	is(run(m, list(ISA_cm_push, 7, 0), PRV_M), CODE);
	is(h->mcause, CAUSE_STORE_ACCESS);
	is(h->mtval, RAM_BASE - 8);
	is(h->x[SP], RAM_BASE + 24);
	for (unsigned n = 0; n < 3; n++)
		is(*ram(m, RAM_BASE + 8 * n), WORD(n + 1));
	h->x[SP] = RAM_BASE + 32;
	is(run(m, list(ISA_cm_push, 7, 0), PRV_M), CODE + 4);
	is(*ram(m, RAM_BASE), WORD(0));
	for (unsigned n = 0; n < 3; n++) {
		tap_context("%s", isa_table[pops[n]].name);
		fill(h, M1);
		h->x[A0] = 5;
		h->x[SP] = RAM_BASE - 8;
		is(run(m, list(pops[n], 7, 0), PRV_M), CODE);
		is(h->mcause, CAUSE_LOAD_ACCESS);
		is(h->mtval, RAM_BASE - 8);
		is(h->x[SP], RAM_BASE - 8);
		is(h->x[A0], 5);
		is(h->x[RA], ~WORD(0));
		is(h->x[S0], WORD(0)); /* s0 to s2 have been loaded */
	}
}

/* A trigger on an address of the list: before that access, and after those above it. */
static void triggers(struct machine *m)
{
	struct hart *h = m->cl.hart[0];

	tap_context("a trigger");
	fill(h, 0);
	h->x[SP] = STACK;
	*ram(m, STACK - 8) = *ram(m, STACK - 16) = 5;
	csr_write(h, CSR_TSELECT, 0);
	csr_write(h, CSR_TDATA2, STACK - 16);
	csr_write(h, CSR_TDATA1, TDATA1_MCONTROL6 | MCONTROL6_STORE | MCONTROL6_S);
	is(run(m, list(ISA_cm_push, 6, 0), PRV_S), CODE);
	is(h->mcause, CAUSE_BREAKPOINT);
	is(h->mtval, STACK - 16);
	is(h->x[SP], STACK);
	is(*ram(m, STACK - 8), WORD(2));
	is(*ram(m, STACK - 16), 5);
	csr_write(h, CSR_TDATA1, 0);
	is(run(m, list(ISA_cm_push, 6, 0), PRV_S), CODE + 4);
	is(*ram(m, STACK - 16), WORD(1));
}

/* What cm.push stores over the instructions after it is executed. */
static void over_code(struct machine *m)
{
	struct hart *h = m->cl.hart[0];

	tap_context("over code");
	h->x[RA] = (uint64_t)ECALL << 32 | addi(A0, ZERO, 7);
	h->x[SP] = CODE + 16;
	h->x[A0] = 0;
	RIG_CODE(m, CODE, list(ISA_cm_push, 4, 0) | 1u << 16, addi(ZERO, ZERO, 0),
		 addi(A0, ZERO, 1), ECALL);
	h->pc = CODE;
	h->mode = PRV_M;
	hart_mode_changed(h);
	rig_run(m, 1000);
	is(h->x[A0], 7);
	is(h->mepc, CODE + 12);
}

/* The table: the first 32 entries do not link; bit 0 of an entry does not count. */
static void jumps(struct machine *m)
{
	static const uint8_t index[] = { 0, 31, 32, 255 };
	struct hart *h = m->cl.hart[0];

	csr_write(h, CSR_JVT, TABLE + 63);
	is(rig_csr(m, CSR_JVT), TABLE);
	for (unsigned n = 0; n < 4; n++) {
		bool links = index[n] >= 32;

		tap_context("entry %u", index[n]);
		insn_seen[links ? ISA_cm_jalt : ISA_cm_jt] = true;
		*ram(m, TABLE + 8 * index[n]) = TARGET + n % 2;
		h->x[RA] = 5;
		is(run(m, 0xa002 | index[n] << 2, PRV_M), TARGET);
		is(h->mcause, CAUSE_ECALL_M);
		is(h->x[RA], links ? CODE + 2 : 5);
	}
	tap_context("a table outside of RAM");
	csr_write(h, CSR_JVT, 0x40);
	is(run(m, 0xa002 | 32 << 2, PRV_M), CODE);
	is(h->mcause, CAUSE_FETCH_ACCESS);
	is(h->mtval, 0x140);
	is(h->x[RA], CODE + 2); /* as the jump before it left it */
	csr_write(h, CSR_JVT, TABLE);
}

/* The table needs the right to execute, and not to read. */
static void rights(struct machine *m)
{
	struct hart *h = m->cl.hart[0];

	for (unsigned right = 1; right < 8; right++) {
		tap_context("PMP %u", right);
		csr_write(h, CSR_PMPADDR0, TABLE >> 2 | 255); /* 2 KiB */
		csr_write(h, CSR_PMPADDR0 + 1, UINT64_MAX);
		csr_write(h, CSR_PMPCFG0,
			  (PMP_NAPOT | PMP_R | PMP_W | PMP_X) << 8 | PMP_NAPOT | right);
		if ((right & 3) == PMP_W)
			continue; /* reserved */
		h->mtval = 0;
		is(run(m, 0xa002, PRV_S), right & PMP_X ? TARGET : CODE);
		is(h->mcause, right & PMP_X ? CAUSE_ECALL_S : CAUSE_FETCH_ACCESS);
		is(h->mtval, right & PMP_X ? 0 : TABLE);
	}
}

/* Smstateen: mstateen0 decides for S-mode, and sstateen0 too for U-mode. */
static void state_enable(void)
{
	struct machine *m = zcm_machine(true);
	struct hart *h = m->cl.hart[0];

	*ram(m, TABLE) = TARGET;
	csr_write(h, CSR_JVT, TABLE);
	for (unsigned n = 0; n < 4; n++) {
		static const unsigned modes[] = { PRV_U, PRV_S, PRV_M };
		uint64_t mbit = n & 1 ? MSTATEEN0_JVT : 0, sbit = n & 2 ? MSTATEEN0_JVT : 0;

		csr_write(h, CSR_MSTATEEN0, mbit);
		csr_write(h, CSR_SSTATEEN0, sbit);
		is(rig_csr(m, CSR_SSTATEEN0), mbit & sbit);
		for (unsigned k = 0; k < 3; k++) {
			bool may = modes[k] == PRV_M || (mbit && (modes[k] == PRV_S || sbit));

			tap_context("mstateen0 %u, sstateen0 %u, mode %u", n & 1, n >> 1, modes[k]);
			is(run(m, 0xa002, modes[k]), may ? TARGET : CODE);
			is(h->mcause, may ? CAUSE_ECALL_U + modes[k] : CAUSE_ILLEGAL_INSN);
			is(insn_execute(m, csrr(A0, CSR_JVT), modes[k]),
			   may ? NO_TRAP : CAUSE_ILLEGAL_INSN);
		}
	}
	csr_write(h, CSR_MSTATEEN0, MSTATEEN0_JVT);
	is(rig_csr(m, CSR_SSTATEEN0), MSTATEEN0_JVT);
	csr_write(h, CSR_MSTATEEN0, 0);
	is(rig_csr(m, CSR_SSTATEEN0), 0);
	machine_destroy(m);
}

void insn_zcm_tests(void)
{
	struct machine *m = zcm_machine(false);

	lists(m);
	reserved(m);
	moves(m);
	returns(m);
	faults(m);
	triggers(m);
	over_code(m);
	jumps(m);
	rights(m);
	machine_destroy(m);
	state_enable();
}
