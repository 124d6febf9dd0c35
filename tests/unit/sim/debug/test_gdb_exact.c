// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_gdb_exact.c - gdb may stop a machine any number of times: the guest ends with the same
 * state.
 */
#include "csr.h"
#include "gdb_talk.h"
#include "small_cpu.h"

#define S2 18
#define S3 19
#define T4 29

#define LUI(rd, imm20) (0x37u | (rd) << 7 | (uint32_t)(imm20) << 12)
#define SW(rs2, rs1)   (0x2023u | (rs1) << 15 | (rs2) << 20)
#define FUNCTION       (RAM_BASE + 0x203a) /* its second instruction crosses a line */
#define EVENT_CONFIG   0x100 /* loads */

static struct cpu cpu;
static struct cpu_models models;

/* The machines that each test uses. */
struct kind {
	unsigned harts;
	bool models;
};

static const struct kind kinds[] = { { 1, false }, { 2, false }, { 1, true }, { 2, true } };

static void about(const struct kind *k)
{
	tap_context("%u harts, models %s", k->harts, k->models ? "on" : "off");
}

/*
 * A program that uses everything: two harts that share memory, timer and counter overflow
 * interrupts, exceptions, calls to another page, atomics.  Hart 0 ends it with status 3.
 */
static struct machine *everything(const struct kind *k)
{
	struct machine_options o = { .harts = k->harts, .quantum = 531, .models = k->models };
	struct machine *m;

	o.cpu = k->models ? &cpu : NULL;
	m = rig_create(&o);
	for (unsigned n = 0; n < k->harts; n++) {
		struct hart *h = m->cl.hart[n];

		h->pmu.all = true;
		h->x[S0] = RIG_DATA;
		h->x[S1] = 1500;
		h->x[S2] = FUNCTION;
		h->x[S3] = EVENT_CONFIG;
		h->x[T4] = MIP_LCOFIP;
		csr_write(h, CSR_MENVCFG, MENVCFG_STCE);
		csr_write(h, CSR_MTVEC, RAM_BASE + 0x400);
		csr_write(h, CSR_STIMECMP, 5 + n);
		csr_write(h, CSR_MIE, MIP_STIP | MIP_LCOFIP);
		csr_write(h, CSR_MSTATUS, MSTATUS_MIE);
		csr_write(h, CSR_MHPMEVENT + 3, EVENT_CONFIG);
		csr_write(h, CSR_MHPMCOUNTER + 3, -40);
	}
	RIG_CODE(m, RAM_BASE, ld(A0, 0, S0), addi(A0, A0, 3), sd(A0, 0, S0), jalr(RA, 0, S2), ECALL,
		 /* lr, sc on the next word, until sc succeeds */
		 addi(A2, S0, 8), r_type(0x1000302f, A3, A2, 0), addi(A3, A3, 1),
		 r_type(0x1800302f, A4, A2, A3), bnez(A4, -12), addi(S1, S1, -1), bnez(S1, -44),
		 csrr(A0, CSR_MHARTID), bnez(A0, 0), LUI(A1, 0x100), LUI(A2, 0x33),
		 addi(A2, A2, 0x333), SW(A2, A1), jal(ZERO, 0));
	RIG_CODE(m, FUNCTION, ld(A1, 0x80, S0), r_type(0x0000302f, A1, S0, A1), addi(A5, A5, 1),
		 jalr(ZERO, 0, RA));
	RIG_CODE(m, RAM_BASE + 0x400, csrr(T0, CSR_MCAUSE), branch(4, T0, ZERO, 20),
		 csrr(T0, CSR_MEPC), addi(T0, T0, 4), csrw(CSR_MEPC, T0), MRET,
		 /* interrupts */
		 csrr(T0, CSR_TIME), addi(T0, T0, 7), csrw(CSR_STIMECMP, T0), csrc(CSR_MIP, T4),
		 csrw(CSR_MHPMEVENT + 3, S3), addi(T0, ZERO, -40), csrw(CSR_MHPMCOUNTER + 3, T0),
		 MRET);
	return m;
}

/* Everything by which the guest and --stats could distinguish two runs. */
static void same_end(struct machine *a, struct machine *b)
{
	is(b->cl.finished, a->cl.finished);
	is(b->status, a->status);
	is(b->now, a->now);
	for (unsigned n = 0; n < a->cl.harts; n++) {
		const struct hart *x = a->cl.hart[n], *y = b->cl.hart[n];

		is(y->now, x->now);
		is(y->pc, x->pc);
		is(y->mepc, x->mepc);
		is(y->mip_soft, x->mip_soft);
		is(y->stimecmp, x->stimecmp);
		ok(!memcmp(y->x, x->x, 32 * 8));
		ok(!memcmp(y->pmu.total, x->pmu.total, sizeof(x->pmu.total)));
		ok(!memcmp(y->pmu.ctr, x->pmu.ctr, sizeof(x->pmu.ctr)));
	}
	ok(!memcmp(cluster_ram(&a->cl, RAM_BASE, 1 << 21), cluster_ram(&b->cl, RAM_BASE, 1 << 21),
		   1 << 21));
}

/* The machine ends as plain does, which nobody stops. */
static void ends_as(struct machine *plain, struct talk *t)
{
	is(machine_run(plain), 3);
	ok(plain->cl.hart[0]->pmu.total[PRV_M][EVENT_INTERRUPT] > 50);
	same_end(plain, t->m);
	machine_destroy(plain);
	talk_end(t);
}

static void end_of(struct talk *t, const struct kind *k)
{
	ends_as(everything(k), t);
}

static void attached_only(void)
{
	for (const struct kind *k = kinds; k < kinds + TAP_NR(kinds); k++) {
		struct talk *t = talk_to(everything(k));

		about(k);
		/* points that are never hit, in pages that are used */
		is_str(say(t, "Z0,80000ffe,2"), "OK");
		is_str(say(t, "Z4,80100f00,8"), "OK");
		is_str(say(t, "c"), "W03");
		end_of(t, k);
	}
}

/* As gdb does it: remove the point, step, insert it again, continue. */
static void broken_and_continued(void)
{
	for (const struct kind *k = kinds; k < kinds + TAP_NR(kinds); k++) {
		struct talk *t = talk_to(everything(k));
		const char *why;
		unsigned hits = 0;
		char text[40];

		about(k);
		is_str(say(t, "Z0,8000203e,4"), "OK");
		while (!strncmp(why = say(t, "vCont;c"), "T05thread:", 10)) {
			snprintf(text, sizeof(text), "vCont;s:%c", why[10]);
			say(t, "z0,8000203e,4");
			ok(!strncmp(say(t, text), "T05thread:", 10));
			say(t, "g");
			say(t, "m80100000,40");
			say(t, "Z0,8000203e,4");
			hits++;
		}
		is_str(why, "W03");
		ok(hits >= 1000);
		end_of(t, k);
	}
}

static void stepped(void)
{
	for (const struct kind *k = kinds; k < kinds + TAP_NR(kinds); k++) {
		struct talk *t = talk_to(everything(k));
		unsigned nr = 0;

		about(k);
		while (nr < 10000 && !strncmp(say(t, nr / 500 & 1 && k->harts == 2 ? "vCont;s:2;c"
										   : "vCont;s:1;c"),
					      "T05thread:", 10))
			nr++;
		is(nr, 10000);
		is_str(say(t, "vCont;c"), "W03");
		end_of(t, k);
	}
}

/* A breakpoint where the machine stands, at an instruction that is watched, too: it stops first. */
static void breaks_there(struct talk *t)
{
	struct hart *h = t->m->debug.hart;
	uint64_t pc = h->pc;
	char text[40];

	snprintf(text, sizeof(text), "Z0,%llx,4", (unsigned long long)pc);
	is_str(say(t, text), "OK");
	ok(!strncmp(say(t, "c"), "T05", 3));
	is(t->m->debug.stop, DEBUG_BREAK);
	is(h->pc, pc);
	text[0] = 'z';
	is_str(say(t, text), "OK");
}

static void watched(void)
{
	for (const struct kind *k = kinds; k < kinds + TAP_NR(kinds); k++) {
		struct talk *t = talk_to(everything(k));
		const char *why;
		unsigned hits = 0;
		char text[40];

		about(k);
		is_str(say(t, "Z2,80100000,8"), "OK");
		is_str(say(t, "Z4,80100008,8"), "OK");
		for (; !strncmp(why = say(t, "c"), "T05", 3); hits++) {
			snprintf(text, sizeof(text), "vCont;s:%s", strstr(why, "thread:") + 7);
			text[strlen(text) - 1] = 0; /* its ; */
			if (hits % 64 == 0)
				breaks_there(t);
			say(t, "z2,80100000,8");
			say(t, "z4,80100008,8");
			ok(!strncmp(say(t, text), "T05thread:", 10));
			say(t, "Z2,80100000,8");
			say(t, "Z4,80100008,8");
		}
		is_str(why, "W03");
		ok(hits >= 4 * 1500);
		end_of(t, k);
	}
}

/* The same program, whose function pushes ra, s0 and s1 (Zcmp). */
static struct machine *pushes(const struct kind *k)
{
	struct machine *m = everything(k);

	isa_set_add(&m->cl.extensions, ISA_EXT_ZCMP);
	m->cl.isa.zcm = true;
	RIG_CODE(m, FUNCTION, addi(SP, S0, 0x400), 0xb862 | 1u << 16, addi(A5, A5, 1),
		 jalr(ZERO, 0, RA));
	return m;
}

/* The last of several accesses of an instruction is watched: those before it count once. */
static void watched_in_a_list(void)
{
	for (const struct kind *k = kinds; k < kinds + TAP_NR(kinds); k++) {
		struct talk *t = talk_to(pushes(k));
		const char *why;
		unsigned hits = 0;
		char text[40];

		about(k);
		is_str(say(t, "Z2,801003e8,8"), "OK");
		for (; !strncmp(why = say(t, "c"), "T05", 3); hits++) {
			snprintf(text, sizeof(text), "vCont;s:%s", strstr(why, "thread:") + 7);
			text[strlen(text) - 1] = 0; /* its ; */
			say(t, "z2,801003e8,8");
			ok(!strncmp(say(t, text), "T05thread:", 10));
			say(t, "Z2,801003e8,8");
		}
		is_str(why, "W03");
		ok(hits >= 1500);
		ends_as(pushes(k), t);
	}
}

/* The same where registers wait for data, in order and in the shadow of a miss. */
static void waits(void)
{
	models.cost.loads = 3;
	for (unsigned order = 0; order < COST_ORDERS; order++) {
		models.cost.order = order;
		models.cost.window = 8;
		memset(models.cost.queues, 2, sizeof(models.cost.queues));
		broken_and_continued();
		stepped();
		watched();
		if (order == COST_IN_ORDER)
			watched_in_a_list();
	}
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "gdb attached: the same counts", attached_only },
		{ "1000 breakpoints hit: the same counts", broken_and_continued },
		{ "10000 steps: the same counts", stepped },
		{ "6000 watchpoints hit: the same counts", watched },
		{ "watchpoints in a list of registers: the same counts", watched_in_a_list },
		{ "the same while something waits for data", waits },
	};

	small_cpu(&cpu, &models);
	models.hierarchy.l1i.ways = 1; /* so that fetches often take time */
	return tap_run(cases, TAP_NR(cases));
}
