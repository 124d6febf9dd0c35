// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_exact_sums.c - a profile of totals has the counts of one with places, by mode, and those of
 * the starter's work apart.  The tasks are those of a Linux that the test plays.
 */
#include "exact.h"
#include "rig.h"
#include "small_cpu.h"

#define CODE	   RAM_BASE /* of S-mode */
#define HANDLER	   (CODE + 0x100) /* of traps from U-mode */
#define USER	   (RAM_BASE + 0x2000)
#define U_BASE	   0xc0000000ull /* RAM in U-mode's address space */
#define KERNEL	   0xffffffffc0000000ull /* RAM in the kernel's */
#define ROOT(n)	   (RAM_BASE + 0x200000 + (n)*PAGE_SIZE)
#define TASK_AT(n) (0x300000 + 64 * (n)) /* in RAM */

static bool paranoid;
static struct cpu cpu;
static struct cpu_models models;

struct task {
	uint32_t flags;
	int32_t tgid;
	char comm[16];
};

enum { INIT, COMMAND, THREAD };

static uint64_t task_va(unsigned n)
{
	return KERNEL + TASK_AT(n);
}

static void put_task(struct machine *m, unsigned n, uint32_t flags, int32_t tgid, const char *comm)
{
	struct task t = { flags, tgid, "" };

	snprintf(t.comm, sizeof(t.comm), "%s", comm);
	memcpy(cluster_ram(&m->cl, RAM_BASE + TASK_AT(n), sizeof(t)), &t, sizeof(t));
}

static uint64_t satp(unsigned n)
{
	return 8ull << 60 | ROOT(n) >> 12;
}

static struct machine *create(bool timed, bool totals)
{
	static const struct exact_tasks tasks = {
		offsetof(struct task, flags), offsetof(struct task, tgid),
		offsetof(struct task, comm), "command", "over"
	};
	struct machine_options o = { .paranoid = paranoid, .models = timed };
	struct machine *m;

	o.cpu = timed ? &cpu : NULL;
	m = rig_create(&o);
	pmu_count_all(m->cl.hart[0]);
	ok(totals ? exact_start_sums(&m->cl) : exact_start(&m->cl));
	exact_tasks(&m->cl, &tasks);
	return m;
}

static void put_code(struct machine *m)
{
	struct hart *h = m->cl.hart[0];

	for (unsigned n = 0; n < 2; n++) {
		uint64_t *table = cluster_ram(&m->cl, ROOT(n), PAGE_SIZE);

		table[2] = RAM_BASE >> 2 | 0xcf;
		table[3] = RAM_BASE >> 2 | 0xdf;
		table[511] = RAM_BASE >> 2 | 0xcf;
	}
	/* The kernel switches to the task A0, in a function that it calls, and goes on. */
	RIG_CODE(m, CODE, ld(T1, 0, S0), jal(RA, 0x40 - 4), ld(T1, 64, S0), sd(T1, 0, S0), END);
	RIG_CODE(m, CODE + 0x40, ld(T1, 128, S0), addi(TP, A0, 0), csrw(CSR_SSCRATCH, A0),
		 jalr(ZERO, 0, RA));
	RIG_CODE(m, HANDLER, ld(T1, 192, S1), END);
	RIG_CODE(m, USER, ld(T1, 256, S0), jal(RA, 12), sd(T1, 320, S0), ECALL, addi(T1, T1, 1),
		 jalr(ZERO, 0, RA));
	rig_open_memory(h);
	csr_write(h, CSR_MEDELEG, 1 << CAUSE_ECALL_U);
	csr_write(h, CSR_STVEC, HANDLER);
	h->x[S1] = RIG_DATA;
}

static void user(struct machine *m, unsigned task, unsigned space)
{
	struct hart *h = m->cl.hart[0];

	csr_write(h, CSR_SATP, satp(space));
	csr_write(h, CSR_SSCRATCH, task_va(task));
	rig_set_mode(h, PRV_U);
	h->x[S0] = RIG_DATA - RAM_BASE + U_BASE;
	h->x[TP] = 0;
	h->pc = USER - RAM_BASE + U_BASE;
	rig_run(m, 1000);
	is(h->mode, PRV_S);
}

/* The kernel works for a task, and switches to another one. */
static void kernel(struct machine *m, unsigned task, unsigned next)
{
	struct hart *h = m->cl.hart[0];

	csr_write(h, CSR_SSCRATCH, task_va(task));
	h->x[TP] = task_va(task);
	rig_set_mode(h, PRV_S);
	h->x[S0] = RIG_DATA;
	h->x[A0] = task_va(next);
	h->pc = CODE;
	rig_run(m, 1000);
}

static void play(struct machine *m)
{
	put_code(m);
	put_task(m, INIT, 0, 1, "init");
	put_task(m, COMMAND, 0, 50, "command");
	put_task(m, THREAD, 0x00200000, 2, "kthread");
	user(m, INIT, 0);
	user(m, COMMAND, 0);
	kernel(m, COMMAND, INIT);
	user(m, INIT, 0);
	put_task(m, COMMAND, 0, 50, "prog");
	for (unsigned n = 0; n < 40; n++) {
		user(m, COMMAND, 1);
		kernel(m, COMMAND, THREAD);
		kernel(m, THREAD, INIT);
		kernel(m, INIT, COMMAND);
	}
	put_task(m, INIT, 0, 1, "over");
	user(m, INIT, 0);
	kernel(m, INIT, COMMAND);
	user(m, COMMAND, 1);
}

struct sums {
	struct exact_page now;
	unsigned rows;
	uint64_t count[4][2][EVENT_NR]; /* by mode and whether it is the starter's */
};

static void see_page(void *arg, const struct exact_page *p)
{
	((struct sums *)arg)->now = *p;
}

static void see_row(void *arg, const struct exact_row *r)
{
	struct sums *s = arg;

	s->rows++;
	for (unsigned e = 0; e < EVENT_NR; e++)
		s->count[s->now.mode][s->now.owner == EXACT_STARTER][e] += r->count[e];
}

static void read_sums(struct machine *m, struct sums *s)
{
	*s = (struct sums){ .rows = 0 };
	ok(exact_read(&m->cl, &(struct exact_reader){ see_page, see_row, s }));
}

static void same(bool timed)
{
	static struct sums places, totals;
	struct machine *m = create(timed, false);

	play(m);
	read_sums(m, &places);
	machine_destroy(m);
	m = create(timed, true);
	play(m);
	read_sums(m, &totals);
	ok(totals.rows <= 5 && totals.rows < places.rows);
	for (unsigned n = 0; n < 8 * EVENT_NR; n++) {
		unsigned mode = n / 2 / EVENT_NR, starter = n / EVENT_NR % 2, e = n % EVENT_NR;

		tap_context("mode %u, %s, %s", mode, starter ? "starter" : "command",
			    event_table[e].name);
		is(totals.count[mode][starter][e], places.count[mode][starter][e]);
	}
	tap_context("%s", "");
	/* By hand: the command's turns in U-mode, and those of init and before the command. */
	is(totals.count[PRV_U][0][EVENT_INSTRUCTIONS], 40 * 5);
	is(totals.count[PRV_U][1][EVENT_INSTRUCTIONS], 5 * 5);
	is(totals.count[PRV_U][0][EVENT_ECALL], 40);
	machine_destroy(m);
}

static void without_models(void)
{
	same(false);
}

static void with_models(void)
{
	same(true);
}

/* Reading does not end it. */
static void read_twice(void)
{
	static struct sums once, again;
	struct machine *m = create(true, true);

	play(m);
	read_sums(m, &once);
	read_sums(m, &again);
	ok(!memcmp(once.count, again.count, sizeof(once.count)));
	user(m, COMMAND, 1);
	read_sums(m, &again);
	is(again.count[PRV_U][1][EVENT_INSTRUCTIONS],
	   once.count[PRV_U][1][EVENT_INSTRUCTIONS] + 5);
	machine_destroy(m);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "totals are the sums of places", without_models },
		{ "and with models", with_models },
		{ "a profile of totals that was read continues", read_twice },
	};

	small_cpu(&cpu, &models);
	return rig_run_both(cases, TAP_NR(cases), &paranoid);
}
