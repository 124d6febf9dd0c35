// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_machine.c - time, interrupts between harts, whose turn it is, how a machine ends.
 */
#include "rig.h"

#define LUI(rd, imm20) (0x37u | (rd) << 7 | (uint32_t)(imm20) << 12)

static uint32_t sw(unsigned rs2, int imm, unsigned rs1)
{
	return (sd(rs2, imm, rs1) & ~0x7000u) | 0x2000;
}

static uint32_t lw(unsigned rd, int imm, unsigned rs1)
{
	return i_type(0x03, imm, rs1, 2, rd);
}

/* Ends the machine with success: clobbers t5 and t6. */
#define T5     30
#define T6     31
#define FINISH LUI(T5, 0x100), LUI(T6, 0x5), addi(T6, T6, 0x555), sw(T6, 0, T5), jal(ZERO, 0)

/*
 * stimecmp is 3 ticks, 300 ns: of a loop of one instruction the interrupt comes after the
 * instruction that takes time there, not one later.
 */
static void timer_is_exact(void)
{
	for (unsigned paranoid = 0; paranoid < 2; paranoid++) {
		struct machine_options o = { .paranoid = paranoid };
		struct machine *m = rig_create(&o);
		struct hart *h = m->hart[0];

		h->x[T0] = 3;
		RIG_CODE(m, RAM_BASE, csrw(CSR_STIMECMP, T0), jal(ZERO, 0));
		RIG_CODE(m, RAM_BASE + 0x200, csrr(A0, CSR_TIME), csrr(A1, CSR_MINSTRET),
			 csrw(CSR_MIE, ZERO), END);
		csr_write(h, CSR_MENVCFG, MENVCFG_STCE);
		csr_write(h, CSR_MTVEC, RAM_BASE + 0x200);
		csr_write(h, CSR_MIE, MIP_STIP);
		csr_write(h, CSR_MSTATUS, MSTATUS_MIE);
		rig_run(m, 1000);
		is(h->mcause, RV_BIT(63) | IRQ_S_TIMER);
		is(h->x[A0], 3);
		is(h->x[A1], 301); /* 300, and the csrr of time */
		machine_destroy(m);
	}
}

/* All wait: time goes on to mtimecmp at once, and nothing is counted meanwhile. */
static void waiting_costs_nothing(void)
{
	struct machine_options o = { .harts = 3 };
	struct machine *m = rig_create(&o);
	struct hart *h = m->hart[0];

	for (unsigned n = 0; n < 3; n++) {
		m->hart[n]->x[S0] = CLINT_BASE + 0x4000;
		m->hart[n]->x[S1] = 1000000000; /* ticks: 100 s */
		m->hart[n]->x[A5] = MIP_MTIP;
	}
	RIG_CODE(m, RAM_BASE, csrr(A0, CSR_MHARTID), bnez(A0, 28), sd(S1, 0, S0), csrw(CSR_MIE, A5),
		 END, csrr(A1, CSR_TIME), jal(ZERO, 16),
		 /* the others */ NOP, NOP, END,
		 /* hart 0 again */ FINISH);
	is(machine_run(m), 0);
	ok(!m->stuck);
	is(h->x[A1], 1000000000);
	is(pmu_read(h, COUNTER_IR), 5 + 2 + 4);
	is(pmu_read(m->hart[1], COUNTER_IR), 4);
	is(pmu_read(m->hart[1], COUNTER_CY), 4);
	is(pmu_read(m->hart[2], COUNTER_IR), 4);
	machine_destroy(m);
}

/* Four harts add to one word without a lock and with one; twice the same, and nothing is lost. */
static void harts_share_memory(void)
{
	uint64_t retired[2][4];

	for (unsigned run = 0; run < 2; run++) {
		struct machine_options o = { .harts = 4, .quantum = 37, .paranoid = run };
		struct machine *m = rig_create(&o);
		uint32_t *data = machine_ram(m, RIG_DATA, 8);

		for (unsigned n = 0; n < 4; n++) {
			m->hart[n]->x[S0] = RIG_DATA;
			m->hart[n]->x[T0] = 500;
			m->hart[n]->x[T1] = 1;
			m->hart[n]->x[S1] = 2000;
		}
		RIG_CODE(m, RAM_BASE,
			 /* 500 times: lr, add, sc until it holds; and amoadd on the next word */
			 r_type(0x1000202f, A0, S0, 0), addi(A0, A0, 1),
			 r_type(0x1800202f, A1, S0, A0), bnez(A1, -12), addi(A2, S0, 4),
			 r_type(0x0000202f, ZERO, A2, T1), addi(T0, T0, -1), bnez(T0, -28),
			 /* wait until all have come here */
			 lw(A3, 4, S0), branch(1, A3, S1, -4), csrr(A0, CSR_MHARTID), bnez(A0, 24),
			 FINISH, END);
		is(machine_run(m), 0);
		is(data[0], 2000);
		is(data[1], 2000);
		for (unsigned n = 0; n < 4; n++)
			retired[run][n] = pmu_read(m->hart[n], COUNTER_IR);
		machine_destroy(m);
	}
	for (unsigned n = 0; n < 4; n++)
		is(retired[1][n], retired[0][n]);
}

/* A software interrupt ends another hart's wait. */
static void harts_wake_each_other(void)
{
	struct machine_options o = { .harts = 2 };
	struct machine *m = rig_create(&o);

	for (unsigned n = 0; n < 2; n++) {
		m->hart[n]->x[S0] = CLINT_BASE;
		m->hart[n]->x[S1] = RIG_DATA;
		m->hart[n]->x[T1] = 1;
		m->hart[n]->x[T2] = MIP_MSIP;
	}
	RIG_CODE(m, RAM_BASE, csrr(A0, CSR_MHARTID), bnez(A0, 36),
		 /* hart 0: wakes hart 1, waits for its answer */
		 sw(T1, 4, S0), lw(A1, 0, S1), branch(0, A1, ZERO, -4), FINISH,
		 /* hart 1, at 0x28 */
		 csrw(CSR_MIE, T2), END, csrr(A2, CSR_MIP), sw(T1, 0, S1), csrw(CSR_MIE, ZERO),
		 END);
	is(machine_run(m), 0);
	is(m->hart[1]->x[A2], MIP_MSIP);
	machine_destroy(m);
}

static void nothing_can_happen(void)
{
	struct machine *m = rig_create(NULL);

	RIG_CODE(m, RAM_BASE, END);
	is(machine_run(m), 1);
	ok(m->stuck);
	machine_destroy(m);
}

/* tohost and semihosting end with a status. */
static void ways_to_end(void)
{
	struct machine_options o = { .semihosting = true };
	struct machine *m = rig_create(&o);
	struct hart *h = m->hart[0];

	m->tohost = RIG_DATA;
	machine_page(m, RIG_DATA)->watch = 1;
	h->x[S0] = RIG_DATA;
	h->x[T0] = 5 << 1 | 1;
	RIG_CODE(m, RAM_BASE, sd(T0, 8, S0), sd(T0, 0, S0), jal(ZERO, 0));
	is(machine_run(m), 5);
	is(pmu_read(h, COUNTER_IR), 2);
	machine_destroy(m);

	m = rig_create(&o);
	h = m->hart[0];
	((uint64_t *)machine_ram(m, RIG_DATA, 16))[0] = 0x20026;
	((uint64_t *)machine_ram(m, RIG_DATA, 16))[1] = 42;
	h->x[A0] = 0x20;
	h->x[A1] = RIG_DATA;
	RIG_CODE(m, RAM_BASE, 0x01f01013, 0x00100073, 0x40705013, jal(ZERO, 0));
	is(machine_run(m), 42);
	machine_destroy(m);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "stimecmp interrupts at its instruction", timer_is_exact },
		{ "harts that wait cost and count nothing", waiting_costs_nothing },
		{ "harts share memory, alike in every run", harts_share_memory },
		{ "harts wake each other", harts_wake_each_other },
		{ "a machine in which nothing can happen ends", nothing_can_happen },
		{ "tohost and semihosting", ways_to_end },
	};

	return tap_run(cases, TAP_NR(cases));
}
