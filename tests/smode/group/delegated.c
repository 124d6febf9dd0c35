/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * delegated.c - counters that the firmware delegates to S-mode, which configures, starts and stops
 * them by its own CSRs, without a call.
 *
 * Linux does not use them yet.  Counts are exact: the instructions around a loop are the same each
 * time, so the difference of two loops has none of them.
 *
 * Covers: Smcdeleg and Ssccfg 1.0 §3, §4; Smcsrind and Sscsrind 1.0; Sscofpmf 1.0 §2.
 */
#include "group.h"

#define INSTRET 2

static void point(unsigned n)
{
	csr_write(CSR_SISELECT, SISELECT_COUNTER + n);
}

static unsigned a_counter(void)
{
	return facts.csr[first_ctr(facts.ovf_ctrs)];
}

/* The selector of instructions: the firmware programs it, and S-mode reads it back. */
static uint64_t instructions(void)
{
	int c = pmu_take(facts.ovf_ctrs, 0, EV_INSTRET);
	uint64_t event = 0;

	if (expect(c >= 0, "no counter for instructions")) {
		point(facts.csr[c]);
		event = csr_read(CSR_SIREG2) & MHPMEVENT_EVENT;
		ctr_stop((unsigned)c, SBI_PMU_STOP_FLAG_RESET);
	}
	return event;
}

/* S-mode alone makes counter n count this event; it is stopped. */
static void configure(unsigned n, uint64_t event)
{
	csr_set(CSR_SCOUNTINHIBIT, (rv_ulong)1 << n);
	point(n);
	csr_write(CSR_SIREG2, (rv_ulong)event);
	csr_write(CSR_SIREG, 0);
	expect_u64("sireg2", csr_read(CSR_SIREG2), event);
}

/* What counter n has after these rounds of run(), which has two instructions a round. */
static uint64_t __attribute__((noinline)) measure(unsigned n, rv_ulong rounds,
						  void (*run)(rv_ulong))
{
	const rv_ulong bit = (rv_ulong)1 << n;

	csr_set(CSR_SCOUNTINHIBIT, bit);
	point(n);
	csr_write(CSR_SIREG, 0);
	csr_clear(CSR_SCOUNTINHIBIT, bit);
	run(rounds);
	csr_set(CSR_SCOUNTINHIBIT, bit);
	return csr_read(CSR_SIREG);
}

static bool open_to_us(void)
{
	return expect_u64("csrr scountinhibit", (uint64_t)rt_try_scountinhibit(),
			  (uint64_t)RT_NO_TRAP);
}

static void counts(const struct test *t)
{
	const unsigned n = a_counter();
	rv_ulong direct = 0;
	uint64_t one, two;

	if (!open_to_us())
		return;
	configure(n, instructions());
	one = measure(n, 1000, spin);
	two = measure(n, 2000, spin);
	expect_u64("instructions of 1000 rounds more", two - one, 2000);
	expect_range("of 1000 rounds", one, 2000, 2010);
	expect_u64("its CSR", (uint64_t)rt_try_hpm(n, &direct), (uint64_t)RT_NO_TRAP);
	expect_u64("the value there", direct, two);
	spin(1000);
	expect_u64("while it is inhibited", csr_read(CSR_SIREG), two);
}

static void fixed(const struct test *t)
{
	const rv_ulong before = open_to_us() ? csr_read(CSR_SCOUNTINHIBIT) : 0;
	uint64_t one, two;

	if (deviations())
		return;
	one = measure(INSTRET, 1000, spin);
	two = measure(INSTRET, 2000, spin);
	expect_u64("instret of 1000 rounds more", two - one, 2000);
	csr_write(CSR_SIREG, (rv_ulong)0x123456789abcdef0);
	expect_u64("a written value", csr_read(CSR_SIREG), 0x123456789abcdef0);
	csr_write(CSR_SCOUNTINHIBIT, before);
}

/* One write starts, or stops, several counters. */
static void together(const struct test *t)
{
	const unsigned n = a_counter(), m = facts.csr[last_ctr(facts.ovf_ctrs)];
	const rv_ulong both = (rv_ulong)1 << n | (rv_ulong)1 << m;
	uint64_t event;
	rv_ulong a;

	if (!open_to_us())
		return;
	if (n == m) {
		skip_rest("only one programmable counter");
		return;
	}
	event = instructions();
	configure(n, event);
	configure(m, event);
	csr_clear(CSR_SCOUNTINHIBIT, both);
	spin(1000);
	csr_set(CSR_SCOUNTINHIBIT, both);
	a = csr_read(CSR_SIREG);
	expect_range("the second counter", a, 2000, 2010);
	point(n);
	expect_u64("the first", csr_read(CSR_SIREG), a);
	expect_u64("both are inhibited", csr_read(CSR_SCOUNTINHIBIT) & both, both);
}

static void filtered(const struct test *t)
{
	const unsigned n = a_counter();
	uint64_t event;

	if (!open_to_us())
		return;
	event = instructions();
	configure(n, event | MHPMEVENT_SINH);
	expect_u64("instructions of S-mode", measure(n, 1000, spin), 0);
	configure(n, event | MHPMEVENT_UINH);
	expect_range("with UINH", measure(n, 1000, spin), 2000, 2010);
}

/* Two instructions of S-mode a round, and what the firmware needs for a call. */
static void __attribute__((noinline)) calls(rv_ulong rounds)
{
	register rv_ulong a6 __asm__("a6") = SBI_BASE_GET_SPEC_VERSION;
	register rv_ulong a7 __asm__("a7") = SBI_EXT_BASE;

	__asm__ volatile("1:	ecall\n"
			 "	addi %0, %0, -1\n"
			 "	bnez %0, 1b\n"
			 : "+r"(rounds)
			 : "r"(a6), "r"(a7)
			 : "a0", "a1", "memory");
}

/* An ecall does not retire (Priv 1.13 §3.3.1), so the calls add nothing to the two of a round. */
static void expect_no_firmware(const char *what, unsigned n)
{
	const uint64_t one = measure(n, 100, calls);

	expect_u64(what, measure(n, 200, calls) - one, 200);
	expect_range("of 100 rounds", one, 200, 210);
}

static void hidden(const struct test *t)
{
	const unsigned n = a_counter();
	uint64_t event;

	if (!open_to_us())
		return;
	event = instructions(); /* and the counter is free again */
	configure(n, event);
	expect_no_firmware("instructions of 100 calls more", n);
	configure(n, event | MHPMEVENT_SINH | MHPMEVENT_UINH);
	expect_u64("of no mode", measure(n, 100, calls), 0);
}

static void hidden_from_instret(const struct test *t)
{
	const rv_ulong before = open_to_us() ? csr_read(CSR_SCOUNTINHIBIT) : 0;

	if (deviations())
		return;
	point(INSTRET);
	if (rt_try_sireg2() != RT_NO_TRAP) {
		skip_rest("no Smcntrpmf");
		return;
	}
	expect_no_firmware("instret of 100 calls more", INSTRET);
	point(INSTRET);
	csr_write(CSR_SIREG2, (rv_ulong)(MHPMEVENT_SINH | MHPMEVENT_UINH));
	expect_u64("instret of no mode", measure(INSTRET, 100, calls), 0);
	csr_write(CSR_SIREG2, 0);
	csr_write(CSR_SCOUNTINHIBIT, before);
}

/* Whether M-mode is counted is for the firmware to say: S-mode can neither see nor change it. */
static void minh(const struct test *t)
{
	const unsigned n = a_counter();
	uint64_t event;

	if (!open_to_us())
		return;
	event = instructions();
	configure(n, event);
	csr_write(CSR_SIREG2, (rv_ulong)(event | MHPMEVENT_MINH));
	expect_u64("sireg2 with MINH written", csr_read(CSR_SIREG2), event);
}

static void overflows(const struct test *t)
{
	const unsigned n = a_counter();
	const rv_ulong bit = (rv_ulong)1 << n;

	if (!open_to_us())
		return;
	configure(n, instructions());
	csr_write(CSR_SIREG, -(rv_ulong)1000);
	csr_clear(CSR_SCOUNTINHIBIT, bit);
	spin(490);
	expect(!(csr_read(CSR_SIP) & MIP_LCOFIP), "LCOFI too early");
	spin(20);
	csr_set(CSR_SCOUNTINHIBIT, bit);
	expect(csr_read(CSR_SIP) & MIP_LCOFIP, "no LCOFI");
	expect(csr_read(CSR_SIREG2) & MHPMEVENT_OF, "no OF in sireg2");
	expect_u64("scountovf", rt_scountovf() & bit, bit);
	csr_clear(CSR_SIREG2, (rv_ulong)MHPMEVENT_OF);
	expect_u64("scountovf without OF", rt_scountovf() & bit, 0);
	csr_clear(CSR_SIP, MIP_LCOFIP);
	expect(!(csr_read(CSR_SIP) & MIP_LCOFIP), "LCOFI stays");
}

static void expect_illegal(const char *what, rv_long cause)
{
	expect_u64(what, (uint64_t)cause, CAUSE_ILLEGAL_INSN);
}

static void closed(const struct test *t)
{
	if (!open_to_us())
		return;
	point(1);
	expect_illegal("sireg of time", rt_try_sireg());
	expect_illegal("sireg2 of time", rt_try_sireg2());
	point(32);
	expect_illegal("sireg of no counter", rt_try_sireg());
	point(INSTRET);
	expect_illegal("sireg3", rt_try_sireg3());
	expect_u64("sireg", (uint64_t)rt_try_sireg(), (uint64_t)RT_NO_TRAP);
}

static void job(void *arg)
{
	rv_ulong before;
	uint64_t one;

	this_hart()->result[0] = 0;
	if (rt_try_scountinhibit() != RT_NO_TRAP)
		return;
	before = csr_read(CSR_SCOUNTINHIBIT);
	one = measure(INSTRET, 1000, spin);
	this_hart()->result[0] = (rv_ulong)(measure(INSTRET, 2000, spin) - one);
	csr_write(CSR_SCOUNTINHIBIT, before);
}

static void each_hart(const struct test *t)
{
	for (unsigned i = 1; i < rt_nr_harts; i++)
		if (expect(hart_do(i, job, NULL), "the job does not end"))
			expect_u64("instret of 1000 rounds more", rt_harts[i].result[0], 2000);
}

#define ALL (NEED_PMU | NEED_HW | NEED_RV64 | NEED_SSCCFG | NEED_EXACT | SOFT)
static const struct test delegated_tests[] = {
	{ "S-mode programs, starts, stops and reads a counter", "Ssccfg 1.0 §4", counts, ALL, 0 },
	{ "and instret", "Ssccfg 1.0 §4", fixed, ALL, 0 },
	{ "it starts and stops two counters at once", "Ssccfg 1.0 §4", together, ALL, 0 },
	{ "it filters modes", "Sscofpmf 1.0 §2", filtered, ALL | NEED_OVF, 0 },
	{ "the firmware is not counted", "Smcdeleg 1.0 §3", hidden, ALL | NEED_OVF, 0 },
	{ "nor in instret", "Smcdeleg 1.0 §3", hidden_from_instret, ALL, 0 },
	{ "MINH is read-only zero", "Smcdeleg 1.0 §3", minh, ALL | NEED_OVF, 0 },
	{ "an overflow", "Sscofpmf 1.0 §2", overflows, ALL | NEED_OVF, 0 },
	{ "no other register is delegated", "Smcdeleg 1.0 §3", closed, ALL, 0 },
	{ "on every hart", "Smcdeleg 1.0 §3", each_hart, ALL | NEED_SMP, 0 },
};

const struct group group_delegated = { "delegated counters", delegated_tests,
				       ARRAY_LEN(delegated_tests) };
