// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_machine.c - the clock, time, interrupts between harts, the order of turns, how a machine
 * ends.
 */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
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

/* Loops until stimecmp, which is T0.  The handler reads time to A0 and minstret to A1. */
static void wait_for_timer(struct machine *m, struct hart *h)
{
	RIG_CODE(m, RAM_BASE, csrw(CSR_STIMECMP, T0), jal(ZERO, 0));
	RIG_CODE(m, RAM_BASE + 0x200, csrr(A0, CSR_TIME), csrr(A1, CSR_MINSTRET),
		 csrw(CSR_MIE, ZERO), END);
	csr_write(h, CSR_MENVCFG, MENVCFG_STCE);
	csr_write(h, CSR_MTVEC, RAM_BASE + 0x200);
	csr_write(h, CSR_MIE, MIP_STIP);
	csr_write(h, CSR_MSTATUS, MSTATUS_MIE);
	rig_run(m, 1000);
}

/*
 * stimecmp is 3 ticks, 300 ns.  In a loop of one instruction the interrupt comes after the
 * instruction that reaches that time, not one later.
 */
static void timer_is_exact(void)
{
	for (unsigned paranoid = 0; paranoid < 2; paranoid++) {
		struct machine_options o = { .paranoid = paranoid };
		struct machine *m = rig_create(&o);
		struct hart *h = m->cl.hart[0];

		h->x[T0] = 3;
		wait_for_timer(m, h);
		is(h->mcause, RV_BIT(63) | IRQ_S_TIMER);
		is(h->x[A0], 3);
		is(h->x[A1], 301); /* 300, and the csrr of time */
		machine_destroy(m);
	}
}

/* The clocks that the cases below try. */
static const uint64_t clocks[] = {
	1000000,    3333333,	9999999,    32000000,	100000000,  999999999,	1000000000,
	1000000001, 1500000000, 1600000000, 1850000000, 1999999999, 2147483647, CPU_HZ_MAX,
};

/* A CPU with this clock, and nothing else of its own. */
static struct cpu clocked(uint64_t hz)
{
	struct cpu cpu = { .isa = cpu_isa_all(), .mmu = CPU_MMU_SV48, .hz = hz };

	selector_every(&cpu.pmu);
	return cpu;
}

/* Nanoseconds are rounded down, ticks of mtime too, and the inverse is the first cycle of each. */
static void clock_is_exact(uint64_t hz, uint64_t at)
{
	uint64_t ns = clock_ns(hz, at), cycle = clock_cycles(hz, at);
	unsigned __int128 past = (unsigned __int128)at * 1000000000;

	/* ns <= at / hz seconds < ns + 1 */
	ok((unsigned __int128)ns * hz <= past && past < ((unsigned __int128)ns + 1) * hz);
	is(ns / 100, (uint64_t)((unsigned __int128)at * 10000000 / hz));
	ok(clock_ns(hz, cycle) >= at && (!cycle || clock_ns(hz, cycle - 1) < at));
	ok(clock_cycles(hz, ns) <= at && clock_cycles(hz, ns + 1) > at);
}

static void clocks_are_exact(void)
{
	for (unsigned n = 0; n < TAP_NR(clocks); n++) {
		tap_context("%llu Hz", (unsigned long long)clocks[n]);
		for (uint64_t at = 0; at < 5000; at++)
			clock_is_exact(clocks[n], at);
		for (unsigned bit = 13; bit < 54; bit++) {
			for (uint64_t at = (1ull << bit) - 3; at < (1ull << bit) + 3; at++)
				clock_is_exact(clocks[n], at);
		}
		is(clock_cycles(clocks[n], UINT64_MAX), UINT64_MAX);
	}
	is(clock_ns(1000000, UINT64_MAX), UINT64_MAX);
	is(clock_ns(1000000, UINT64_MAX / 1000), UINT64_MAX / 1000 * 1000);
	is(clock_cycles(CPU_HZ_MAX, UINT64_MAX / 10 + 1), UINT64_MAX);
	is(clock_cycles(CPU_HZ_MAX, UINT64_MAX / 10), UINT64_MAX / 10 * 10);
}

static void note_cycle(void *arg)
{
	struct machine *m = arg;

	ok(m->board.now(m) >= 12345);
	machine_finish(m, (int)m->now, false);
}

/* A wake at a time in ns comes at its first cycle, and a pause at the end of its round. */
static void wakes_are_exact(void)
{
	for (unsigned n = 0; n < TAP_NR(clocks); n++) {
		struct cpu cpu = clocked(clocks[n]);
		struct machine_options o = { .cpu = &cpu, .quantum = 10 };
		struct machine *m = rig_create(&o);
		uint64_t cycle = clock_cycles(clocks[n], 12345);

		tap_context("%llu Hz", (unsigned long long)clocks[n]);
		RIG_CODE(m, RAM_BASE, jal(ZERO, 0));
		m->board.wake_at(m, 12345, note_cycle, m);
		is(machine_run(m), (int)cycle);
		machine_reset(m);
		machine_pause_at(m, 1000000);
		machine_run(m);
		ok(m->paused && machine_ns(m) >= 1000000);
		ok(m->now - clock_cycles(clocks[n], 1000000) < 10);
		is(machine_hart_ns(m, 0), clock_ns(clocks[n], m->cl.hart[0]->now));
		machine_destroy(m);
	}
}

/*
 * Whatever the clock, stimecmp's interrupt comes after the instruction whose cycle is the first in
 * which mtime is stimecmp, and mtime was less before it.
 */
static void timer_follows_the_clock(void)
{
	for (unsigned n = 0; n < 2 * TAP_NR(clocks); n++) {
		uint64_t hz = clocks[n / 2], ticks = 1234567,
			 cycle = (ticks * hz + 9999999) / 10000000;
		struct cpu cpu = clocked(hz);
		struct machine_options o = { .cpu = &cpu, .paranoid = n % 2 };
		struct machine *m = rig_create(&o);
		struct hart *h = m->cl.hart[0];

		tap_context("%llu Hz", (unsigned long long)hz);
		h->x[T0] = ticks;
		h->now = cycle - 60;
		wait_for_timer(m, h);
		is(h->x[A0], cycle * 10000000 / hz);
		ok(h->x[A0] >= ticks && (cycle - 1) * 10000000 / hz < ticks);
		is(h->x[A1], 61); /* 60, and the csrr of time */
		machine_destroy(m);
	}
}

/* All harts wait: time advances to mtimecmp at once, and nothing is counted meanwhile. */
static void waiting_costs_nothing(void)
{
	struct machine_options o = { .harts = 3 };
	struct machine *m = rig_create(&o);
	struct hart *h = m->cl.hart[0];

	for (unsigned n = 0; n < 3; n++) {
		m->cl.hart[n]->x[S0] = CLINT_BASE + 0x4000;
		m->cl.hart[n]->x[S1] = 1000000000; /* ticks: 100 s */
		m->cl.hart[n]->x[A5] = MIP_MTIP;
	}
	RIG_CODE(m, RAM_BASE, csrr(A0, CSR_MHARTID), bnez(A0, 28), sd(S1, 0, S0), csrw(CSR_MIE, A5),
		 END, csrr(A1, CSR_TIME), jal(ZERO, 16),
		 /* the other harts */ NOP, NOP, END,
		 /* hart 0 again */ FINISH);
	is(machine_run(m), 0);
	ok(!m->stuck);
	is(h->x[A1], 1000000000);
	is(pmu_read(h, COUNTER_IR), 5 + 2 + 4);
	is(pmu_read(m->cl.hart[1], COUNTER_IR), 4);
	is(pmu_read(m->cl.hart[1], COUNTER_CY), 4);
	is(pmu_read(m->cl.hart[2], COUNTER_IR), 4);
	machine_destroy(m);
}

/*
 * Four harts add to one word without a lock and with one; both runs are the same, and the lock
 * loses nothing.
 */
static void harts_share_memory(void)
{
	uint64_t retired[2][4];

	for (unsigned run = 0; run < 2; run++) {
		struct machine_options o = { .harts = 4, .quantum = 37, .paranoid = run };
		struct machine *m = rig_create(&o);
		uint32_t *data = cluster_ram(&m->cl, RIG_DATA, 8);

		for (unsigned n = 0; n < 4; n++) {
			m->cl.hart[n]->x[S0] = RIG_DATA;
			m->cl.hart[n]->x[T0] = 500;
			m->cl.hart[n]->x[T1] = 1;
			m->cl.hart[n]->x[S1] = 2000;
		}
		RIG_CODE(m, RAM_BASE,
			 /* 500 times: lr, add, sc until it holds; and amoadd on the next word */
			 r_type(0x1000202f, A0, S0, 0), addi(A0, A0, 1),
			 r_type(0x1800202f, A1, S0, A0), bnez(A1, -12), addi(A2, S0, 4),
			 r_type(0x0000202f, ZERO, A2, T1), addi(T0, T0, -1), bnez(T0, -28),
			 /* wait until all harts have arrived */
			 lw(A3, 4, S0), branch(1, A3, S1, -4), csrr(A0, CSR_MHARTID), bnez(A0, 24),
			 FINISH, END);
		is(machine_run(m), 0);
		is(data[0], 2000);
		is(data[1], 2000);
		for (unsigned n = 0; n < 4; n++)
			retired[run][n] = pmu_read(m->cl.hart[n], COUNTER_IR);
		machine_destroy(m);
	}
	for (unsigned n = 0; n < 4; n++)
		is(retired[1][n], retired[0][n]);
}

/*
 * Within a round a hart can be ahead of one whose turn comes later.  What it writes to its own
 * mtimecmp does not bring the other one's timer interrupt before the other one's time.
 */
static void timers_follow_their_hart(void)
{
	struct machine_options o = { .harts = 2 };
	struct machine *m = rig_create(&o);
	const uint64_t cmp = CLINT_BASE + 0x4000;

	m->end = 10000;
	ok(machine_io_write(m, cmp + 8, 8, 5)); /* ticks: 500 ns */
	is(m->end, 500);
	m->current = m->cl.hart[0];
	m->cl.hart[0]->now = 530;
	ok(machine_io_write(m, cmp, 8, 5));
	is(m->cl.hart[0]->mip_line & MIP_MTIP, MIP_MTIP);
	is(m->cl.hart[1]->mip_line & MIP_MTIP, 0);
	m->current = m->cl.hart[1];
	m->cl.hart[1]->now = 500;
	ok(machine_io_write(m, cmp + 8, 8, 5));
	is(m->cl.hart[0]->mip_line & MIP_MTIP, MIP_MTIP);
	is(m->cl.hart[1]->mip_line & MIP_MTIP, MIP_MTIP);
	machine_destroy(m);
}

/* A software interrupt ends another hart's wait. */
static void harts_wake_each_other(void)
{
	struct machine_options o = { .harts = 2 };
	struct machine *m = rig_create(&o);

	for (unsigned n = 0; n < 2; n++) {
		m->cl.hart[n]->x[S0] = CLINT_BASE;
		m->cl.hart[n]->x[S1] = RIG_DATA;
		m->cl.hart[n]->x[T1] = 1;
		m->cl.hart[n]->x[T2] = MIP_MSIP;
	}
	RIG_CODE(m, RAM_BASE, csrr(A0, CSR_MHARTID), bnez(A0, 36),
		 /* hart 0: wakes hart 1, waits for its answer */
		 sw(T1, 4, S0), lw(A1, 0, S1), branch(0, A1, ZERO, -4), FINISH,
		 /* hart 1, at 0x28 */
		 csrw(CSR_MIE, T2), END, csrr(A2, CSR_MIP), sw(T1, 0, S1), csrw(CSR_MIE, ZERO),
		 END);
	is(machine_run(m), 0);
	is(m->cl.hart[1]->x[A2], MIP_MSIP);
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

/* tohost and semihosting end the machine with a status. */
static void ways_to_end(void)
{
	struct machine_options o = { .semihosting = true };
	struct machine *m = rig_create(&o);
	struct hart *h = m->cl.hart[0];

	htif_find(m, RIG_DATA, 0);
	h->x[S0] = RIG_DATA;
	h->x[T0] = 5 << 1 | 1;
	RIG_CODE(m, RAM_BASE, sd(T0, 8, S0), sd(T0, 0, S0), jal(ZERO, 0));
	is(machine_run(m), 5);
	is(pmu_read(h, COUNTER_IR), 2);
	machine_destroy(m);

	m = rig_create(&o);
	h = m->cl.hart[0];
	((uint64_t *)cluster_ram(&m->cl, RIG_DATA, 16))[0] = 0x20026;
	((uint64_t *)cluster_ram(&m->cl, RIG_DATA, 16))[1] = 42;
	h->x[A0] = 0x20;
	h->x[A1] = RIG_DATA;
	RIG_CODE(m, RAM_BASE, 0x01f01013, 0x00100073, 0x40705013, jal(ZERO, 0));
	is(machine_run(m), 42);
	machine_destroy(m);
}

/* The first virtio slot has the disk, if there is one: id 2; id 4 is the entropy device. */
static void disk_is_first(void)
{
	char path[32];
	int fd = memfd_create("disk", MFD_CLOEXEC);
	uint64_t id;

	is(ftruncate(fd, 4096), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	for (unsigned drive = 0; drive < 2; drive++) {
		struct machine_options o = { .drive = drive ? path : NULL };
		struct machine *m = rig_create(&o);

		ok(machine_io_read(m, 0x10001008, 4, &id));
		is(id, drive ? 2 : 4);
		ok(machine_io_read(m, 0x10002008, 4, &id));
		is(id, drive ? 4 : 0);
		machine_destroy(m);
	}
	close(fd);
}

/* A due interrupt comes before the next fetch, which may fault. */
static void interrupt_before_fetch(void)
{
	for (unsigned paranoid = 0; paranoid < 2; paranoid++) {
		struct machine_options o = { .paranoid = paranoid };
		struct machine *m = rig_create(&o);
		struct hart *h = m->cl.hart[0];

		RIG_CODE(m, RAM_BASE, NOP, jalr(ZERO, 0, T0));
		RIG_CODE(m, RAM_BASE + 0x200, csrw(CSR_MIE, ZERO), END);
		csr_write(h, CSR_MTVEC, RAM_BASE + 0x200);
		csr_write(h, CSR_MIE, MIP_LCOFIP);
		csr_write(h, CSR_MSTATUS, MSTATUS_MIE);
		csr_write(h, CSR_MHPMEVENT + 3, event_table[EVENT_INDIRECT].selector);
		csr_write(h, CSR_MHPMCOUNTER + 3, UINT64_MAX);
		rig_run(m, 1000);
		is(h->mcause, RV_BIT(63) | IRQ_LCOF);
		is(h->mepc, 0);
		is(h->pmu.total[PRV_M][EVENT_EXCEPTION], 0);
		machine_destroy(m);
	}
}

static void pause_here(void *arg)
{
	machine_finish(arg, 77, false);
}

/* A machine that was stopped at any moment continues as if it had not been. */
static void goes_on(void)
{
	struct machine *m = rig_create(NULL);

	RIG_CODE(m, RAM_BASE, jal(ZERO, 0));
	for (uint64_t at = 1234; at < 5000; at += 1111) {
		m->board.wake_at(m, at, pause_here, m);
		m->cl.finished = false;
		is(machine_run(m), 77);
		is(m->now, at);
		is(pmu_read(m->cl.hart[0], COUNTER_IR), at);
	}
	machine_destroy(m);
}

/*
 * A handler that faults at once, and S-mode whose firmware always returns to the fault: both end.
 */
static void ends_when_stuck(void)
{
	struct machine *m = rig_create(NULL);
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, RAM_BASE, 0);
	is(machine_run(m), 1);
	ok(m->stuck &&
	   strstr(m->stuck, "hart 0 is stuck in M-mode at 0: instruction access fault"));
	machine_destroy(m);

	m = rig_create(NULL);
	h = m->cl.hart[0];
	RIG_CODE(m, RAM_BASE, 0);
	/* The handler's mret must return to S-mode each time. */
	RIG_CODE(m, RAM_BASE + 0x100, addi(A0, A0, 1), csrs(CSR_MSTATUS, A2), MRET);
	h->x[A2] = 1 << MSTATUS_MPP_SHIFT;
	rig_open_memory(h);
	csr_write(h, CSR_MTVEC, RAM_BASE + 0x100);
	rig_set_mode(h, PRV_S);
	is(machine_run(m), 1);
	ok(m->stuck && strstr(m->stuck, "stuck in S-mode at 0x80000000: illegal instruction"));
	is(h->x[A0], 1000000 - 1);
	machine_destroy(m);
}

/* A handler that pushes on a bad stack: it faults at one pc, each time with another address. */
static void ends_when_handlers_nest(void)
{
	struct machine *m = rig_create(NULL);
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, RAM_BASE, 0);
	RIG_CODE(m, RAM_BASE + 0x100, addi(SP, SP, -16), sd(RA, 0, SP), MRET);
	csr_write(h, CSR_MTVEC, RAM_BASE + 0x100);
	h->x[SP] = RAM_BASE;
	is(machine_run(m), 1);
	ok(m->stuck && strstr(m->stuck, "stuck in M-mode at 0x80000104: store access fault"));
	is(h->mtval, RAM_BASE - 16 * 4000000ull);
	machine_destroy(m);
}

/* A few million exceptions that are used as jumps are fine; so are exceptions with work between. */
static void exceptions_that_are_jumps(void)
{
	struct machine *m = rig_create(NULL);
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, RAM_BASE, ECALL);
	RIG_CODE(m, RAM_BASE + 0x100, addi(A0, A0, -1), bnez(A0, -0x104), FINISH);
	csr_write(h, CSR_MTVEC, RAM_BASE + 0x100);
	h->x[A0] = 3999999;
	is(machine_run(m), 0);
	ok(!m->stuck);
	machine_destroy(m);
}

/* A million ecalls from one place, with other instructions between, do not end the machine. */
static void traps_that_lead_on(void)
{
	struct machine *m = rig_create(NULL);
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, RAM_BASE, ECALL, addi(A0, A0, -1), bnez(A0, -8), FINISH);
	csr_write(h, CSR_MTVEC, RAM_BASE + 0x100);
	h->x[A0] = 1100000;
	RIG_CODE(m, RAM_BASE + 0x100, csrr(A1, CSR_MEPC), addi(A1, A1, 4), csrw(CSR_MEPC, A1),
		 csrs(CSR_MSTATUS, A2), MRET);
	h->x[A2] = MSTATUS_MPP;
	is(machine_run(m), 0);
	ok(!m->stuck);
	machine_destroy(m);
}

static uint64_t host_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void keeps_pace_at(uint64_t hz)
{
	struct cpu cpu = clocked(hz);
	struct machine_options o = { .cpu = &cpu, .realtime = true };
	struct machine *m = rig_create(&o);
	struct hart *h = m->cl.hart[0];
	uint64_t from = host_ns();

	RIG_CODE(m, RAM_BASE, addi(T0, T0, -1), bnez(T0, -4), csrw(CSR_STIMECMP, S1), END, FINISH);
	csr_write(h, CSR_MENVCFG, MENVCFG_STCE);
	csr_write(h, CSR_MIE, MIP_STIP);
	h->x[T0] = hz / 400;
	h->x[S1] = 350000; /* ticks: 35 ms */
	is(machine_run(m), 0);
	ok(host_ns() - from >= 35000000);
	ok(machine_ns(m) >= 35000000);
	machine_destroy(m);
}

/* With realtime, 30 ms of waiting take 30 ms, and a loop of 5 ms takes at least 5 ms. */
static void keeps_pace(void)
{
	keeps_pace_at(1000000000);
	keeps_pace_at(100000000);
	keeps_pace_at(2000000000);
}

static void byte_came(void *arg)
{
	char c;

	is(read(*(int *)arg, &c, 1), 1);
}

static void writes_byte(void *arg)
{
	is(write(*(int *)arg, "x", 1), 1);
}

/* Input that comes while all harts wait has the guest time that has passed, no other. */
static void input_comes_in_time(void)
{
	struct machine_options o = { .realtime = true };
	struct machine *m = rig_create(&o);
	int ends[2];

	is(pipe(ends), 0);
	RIG_CODE(m, RAM_BASE, END, jal(ZERO, -4));
	m->board.watch_fd(m, ends[0], byte_came, &ends[0]);
	m->board.wake_at(m, 20000000, pause_here, m);
	is(write(ends[1], "x", 1), 1);
	is(machine_run(m), 77);
	is(m->now, 20000000);
	m->board.watch_fd(m, -1, byte_came, &ends[0]);
	close(ends[0]);
	close(ends[1]);
	machine_destroy(m);
}

static void ends(struct machine *m)
{
	machine_finish(m, 88, false);
}

/* A machine that must end when there is a byte in the pipe. */
static struct machine *to_end(int at[2])
{
	struct machine *m = rig_create(NULL);

	is(pipe(at), 0);
	machine_end_when(m, at[0], ends);
	RIG_CODE(m, RAM_BASE, END);
	return m;
}

static void ended(struct machine *m, int at[2])
{
	close(at[0]);
	close(at[1]);
	machine_destroy(m);
}

/* A request to end may always come; it is no reason to let harts wait for ever. */
static void not_told_to_end(void)
{
	int at[2];
	struct machine *m = to_end(at);

	is(machine_run(m), 1);
	ok(m->stuck && strstr(m->stuck, "no timer or device can raise one"));
	ended(m, at);
}

/* A loop of two instructions ends at the end of a round, as any other loop. */
static void told_to_end(void)
{
	int at[2];
	struct machine *m = to_end(at);
	struct hart *h = m->cl.hart[0];

	RIG_CODE(m, RAM_BASE, addi(A0, A0, 1), jal(ZERO, -4));
	m->board.wake_at(m, 5000000, writes_byte, &at[1]);
	is(machine_run(m), 88);
	ok(!m->stuck);
	ok(m->now >= 5000000 && m->now <= 7000000);
	is(pmu_read(h, COUNTER_IR), m->now);
	is(h->x[A0], m->now / 2);
	ended(m, at);
}

/* A machine that waits for a key, which does not come; and one that a debugger has stopped. */
static void told_to_end_waiting(void)
{
	int at[2], keys[2];
	struct machine *m = to_end(at);

	is(pipe(keys), 0);
	m->board.watch_fd(m, keys[0], byte_came, &keys[0]);
	m->board.wake_at(m, 1000, writes_byte, &at[1]);
	is(machine_run(m), 88);
	m->cl.finished = false;
	machine_wait(m);
	ok(m->cl.finished);
	close(keys[0]);
	close(keys[1]);
	ended(m, at);
}

/* Of the address sanitizer; builds for other hosts have none. */
size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

static size_t allocated(void)
{
	return __sanitizer_get_current_allocated_bytes ? __sanitizer_get_current_allocated_bytes()
						       : 0;
}

/*
 * More code than is kept: 48 instructions at every even address of 60 pages; the cache starts anew,
 * and the machine takes no more of the host's memory.
 */
static void code_is_forgotten(void)
{
	struct machine_options o = { .memory = 256 << 10 };
	struct machine *m = rig_create(&o);
	struct hart *h = m->cl.hart[0];
	uint64_t epoch = m->cl.block_epoch, before = allocated();
	uint16_t *code = cluster_ram(&m->cl, RAM_BASE, 60 * PAGE_SIZE);

	for (unsigned n = 0; n < 60 * PAGE_SIZE / 2; n++)
		code[n] = 0x0505; /* c.addi a0, 1 */
	for (unsigned n = 0; n < 60 * PAGE_SIZE / 2 - 100; n += 16) {
		h->pc = RAM_BASE + 2 * n;
		ok(hart_fetch(h) && hart_fetch(h)->pa == h->pc);
	}
	ok(m->cl.block_epoch > epoch);
	is(allocated(), before);
	machine_destroy(m);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "cycles and nanoseconds, rounded down", clocks_are_exact },
		{ "wakes come at their cycle, whatever the clock", wakes_are_exact },
		{ "timers come at their cycle, whatever the clock", timer_follows_the_clock },
		{ "stimecmp interrupts at its instruction", timer_is_exact },
		{ "harts that wait cost and count nothing", waiting_costs_nothing },
		{ "harts share memory, the same in every run", harts_share_memory },
		{ "a timer interrupt comes when its hart's time does", timers_follow_their_hart },
		{ "harts wake each other", harts_wake_each_other },
		{ "a machine with nothing left to do ends", nothing_can_happen },
		{ "tohost and semihosting", ways_to_end },
		{ "the disk's slot", disk_is_first },
		{ "interrupts come before fetches", interrupt_before_fetch },
		{ "a stopped machine continues", goes_on },
		{ "a hart that traps for ever ends the machine", ends_when_stuck },
		{ "a hart whose handler faults a little later ends it, too",
		  ends_when_handlers_nest },
		{ "a hart that traps and continues does not", traps_that_lead_on },
		{ "exceptions that are used as jumps do not", exceptions_that_are_jumps },
		{ "if code does not fit, decoding starts anew", code_is_forgotten },
		{ "realtime keeps the host's pace", keeps_pace },
		{ "realtime: input while all harts wait", input_comes_in_time },
		{ "a request ends a loop", told_to_end },
		{ "a request ends a wait", told_to_end_waiting },
		{ "a possible request is not a reason to wait", not_told_to_end },
	};

	return tap_run(cases, TAP_NR(cases));
}
