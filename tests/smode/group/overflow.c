/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * overflow.c - the overflow of a counter: LCOFI pending, scountovf, the interrupt, the restart.
 *
 * Life of an overflow: the counter wraps -> mhpmevent.OF is set and sip.LCOFIP pends, if OF was
 * clear -> S-mode takes interrupt 13, stops the counters, reads scountovf, clears sip.LCOFIP,
 * starts the counters again -> START clears OF, so that the next overflow interrupts again.
 *
 * QEMU raises overflows from a timer: the time is not exact, the overflow of a counter that has
 * stopped meanwhile can occur on another one, and cycles and instructions overflow together.  The
 * tests wait for a bounded time, let old timers expire first, and assert for two counters only what
 * is true under QEMU, too.
 *
 * Covers: Sscofpmf 1.0 §2, §3; SBI 3.0 §11.8 to §11.10.
 */
#include "group.h"

#define PERIOD	10000
#define FAR	1000000000
#define WAIT_MS 100

/* Spins until LCOFIP pends or WAIT_MS have passed. */
static bool wait_pending(void)
{
	uint64_t end = rt_time() + rt_boot.timebase / 1000 * WAIT_MS;

	while (!(csr_read(CSR_SIP) & MIP_LCOFIP)) {
		if (rt_time() > end)
			return false;
		spin(200);
	}
	return true;
}

static bool wait_ovf(unsigned c)
{
	uint64_t end = rt_time() + rt_boot.timebase / 1000 * WAIT_MS;

	while (!(rt_scountovf() >> facts.csr[c] & 1)) {
		if (rt_time() > end)
			return false;
		spin(200);
	}
	return true;
}

/* A counter that was stopped before it overflowed may have left a timer of QEMU's running. */
static void let_timers_run_out(void)
{
	uint64_t end = rt_time() + rt_boot.timebase / 1000 * 3;

	while (rt_time() < end)
		spin(1000);
	csr_clear(CSR_SIP, MIP_LCOFIP);
}

static bool ovf_bit(unsigned c)
{
	return rt_scountovf() >> facts.csr[c] & 1;
}

static void start(unsigned c, uint64_t period)
{
	expect_ok("start", ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 0 - period));
}

/*
 * A configured counter for eidx that can overflow.  QEMU 7.2 loses the first overflow of a counter
 * that was ever started far from one (its irq_overflow_left), so the test lets that one happen
 * first.
 */
static unsigned take(rv_ulong eidx)
{
	int c = pmu_take(facts.ovf_ctrs, 0, eidx);

	if (!expect(c >= 0, "no counter for the event"))
		return first_ctr(facts.ovf_ctrs);
	if (!facts.exact) {
		start((unsigned)c, PERIOD / 10);
		let_timers_run_out();
		ctr_stop((unsigned)c, SBI_PMU_STOP_FLAG_RESET);
		csr_clear(CSR_SIP, MIP_LCOFIP);
		expect_ok("config", ctr_config((unsigned)c, 0, eidx, 0));
	}
	return (unsigned)c;
}

static void pending(const struct test *t)
{
	unsigned c = take(t->arg);

	start(c, PERIOD);
	expect(wait_pending(), "no LCOFI");
	expect(ovf_bit(c), "LCOFI without the counter's bit in scountovf");
	expect_ok("stop", ctr_stop(c, 0));
	expect(ovf_bit(c), "scountovf after the stop");
	csr_clear(CSR_SIP, MIP_LCOFIP);
	expect(!(csr_read(CSR_SIP) & MIP_LCOFIP), "S-mode cannot clear LCOFIP");
	expect(ovf_bit(c), "scountovf after clearing LCOFIP");
}

static void taken(const struct test *t)
{
	struct hart *h = this_hart();
	unsigned c = take(EV_CYCLES), before = h->irqs[IRQ_LCOF];

	csr_set(CSR_SIE, MIP_LCOFIP);
	csr_set(CSR_SSTATUS, MSTATUS_SIE);
	start(c, PERIOD);
	wait_ovf(c);
	spin(1000);
	csr_clear(CSR_SSTATUS, MSTATUS_SIE);
	expect_u64("interrupts 13 taken in S-mode", h->irqs[IRQ_LCOF] - before, 1);
}

/* The sequence of Linux's interrupt handler, five times. */
static void again(const struct test *t)
{
	unsigned c = take(EV_CYCLES);

	start(c, PERIOD);
	for (unsigned i = 0; i < 5; i++) {
		if (!expect(wait_pending(), i ? "no LCOFI after a restart" : "no LCOFI"))
			return;
		expect_ok("stop", ctr_stop(c, 0));
		expect(ovf_bit(c), "LCOFI without the counter's bit in scountovf");
		csr_clear(CSR_SIP, MIP_LCOFIP);
		start(c, PERIOD);
		/* If the test was interrupted for long, the counter may have overflowed again. */
		if (ovf_bit(c))
			expect(wait_pending(), "scountovf after the restart, and no LCOFI");
	}
}

/* arg: flags of the stop in between.  Without a new value the counter continues from 0. */
static void restart_clears(const struct test *t)
{
	unsigned c = take(EV_CYCLES);

	start(c, PERIOD);
	if (!expect(wait_pending(), "no LCOFI"))
		return;
	ctr_stop(c, t->arg);
	csr_clear(CSR_SIP, MIP_LCOFIP);
	if (t->arg & SBI_PMU_STOP_FLAG_RESET)
		expect_ok("config", ctr_config(c, 0, EV_CYCLES, 0));
	let_timers_run_out();
	start(c, FAR);
	expect(!ovf_bit(c), "scountovf after the start");
	spin(1000);
	expect(!(csr_read(CSR_SIP) & MIP_LCOFIP), "LCOFI from a counter far from overflow");
}

static void start_keeps_value(const struct test *t)
{
	unsigned c = take(EV_CYCLES);

	start(c, PERIOD);
	if (!expect(wait_pending(), "no LCOFI"))
		return;
	ctr_stop(c, 0);
	csr_clear(CSR_SIP, MIP_LCOFIP);
	expect_ok("start without a value", ctr_start(c, 0, 0));
	expect(!ovf_bit(c), "scountovf after the start");
}

static void auto_start(const struct test *t)
{
	unsigned c = take(EV_CYCLES);

	start(c, PERIOD);
	if (!expect(wait_pending(), "no LCOFI"))
		return;
	ctr_stop(c, SBI_PMU_STOP_FLAG_RESET);
	csr_clear(CSR_SIP, MIP_LCOFIP);
	let_timers_run_out();
	expect_ok("config",
		  ctr_config(c, SBI_PMU_CFG_FLAG_AUTO_START | SBI_PMU_CFG_FLAG_CLEAR_VALUE,
			     EV_CYCLES, 0));
	expect(!ovf_bit(c), "scountovf after a start by AUTO_START");
}

static void configured_only(const struct test *t)
{
	for (unsigned c = 0; c < 64; c++) {
		if (!(facts.ovf_ctrs & BITS64(c)))
			continue;
		ctr_config(c, 0, EV_CYCLES, 0);
		if (ovf_bit(c))
			deviation("counter %u reads as overflowed and was never started", c);
		ctr_stop(c, SBI_PMU_STOP_FLAG_RESET);
	}
}

/* Waits for as many cycles as a running counter would need to overflow. */
static void wait_cycles(uint64_t period)
{
	uint64_t end = rt_time() + rt_boot.timebase / 20; /* a firmware may have stopped mcycle */
	rv_ulong now, begin = 0;

	if (rt_try_hpm(COUNTER_CY, &begin) != RT_NO_TRAP)
		return;
	do {
		spin(1000);
		rt_try_hpm(COUNTER_CY, &now);
	} while (now - begin < period && rt_time() < end);
}

/*
 * The counter is stopped before it overflows.  On a busy host many of QEMU's cycles pass between
 * start and stop, so the counter starts further from its overflow than that.
 */
static void stopped_is_silent(const struct test *t)
{
	unsigned c = take(EV_CYCLES);
	uint64_t period = PERIOD;

	do {
		period *= 2;
		start(c, period);
		ctr_stop(c, 0);
		csr_clear(CSR_SIP, MIP_LCOFIP);
	} while (ovf_bit(c) && period < FAR);
	if (!expect(!ovf_bit(c), "a counter overflows while it is stopped"))
		return;
	wait_cycles(period);
	let_timers_run_out();
	expect(!(csr_read(CSR_SIP) & MIP_LCOFIP), "LCOFI of a stopped counter");
	expect(!ovf_bit(c), "scountovf of a stopped counter");
}

/* Linux's unthrottle: START on a running counter returns an error and has no other effect. */
static void start_running(const struct test *t)
{
	unsigned c = take(EV_CYCLES);

	let_timers_run_out();
	start(c, 20 * PERIOD);
	expect_err("start of the running counter", ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 0),
		   SBI_ERR_ALREADY_STARTED);
	expect_err("start of the running counter", ctr_start(c, 0, 0), SBI_ERR_ALREADY_STARTED);
	expect(wait_pending(), "no LCOFI after START on the running counter");
	expect(ovf_bit(c), "scountovf");
}

static void reset_clears(const struct test *t)
{
	unsigned c = take(EV_CYCLES);

	start(c, PERIOD);
	if (!expect(wait_pending(), "no LCOFI"))
		return;
	ctr_stop(c, SBI_PMU_STOP_FLAG_RESET);
	expect(!(csr_read(CSR_SIP) & MIP_LCOFIP), "LCOFIP still pends");
	expect_u64("scountovf", rt_scountovf(), 0);
}

/* arg 1: the second counter is started while the first one's overflow still pends. */
static void second_counter(const struct test *t)
{
	unsigned a = take(EV_CYCLES), b = take(EV_INSTRET);

	start(a, PERIOD);
	if (!t->arg)
		start(b, PERIOD);
	if (!expect(wait_pending(), "no LCOFI"))
		return;
	if (t->arg) {
		start(b, 50 * PERIOD);
		/*
		 * QEMU promises no more than that the counter counts from here and overflows at
		 * some time.
		 */
		if (facts.exact)
			expect(!ovf_bit(b), "the second counter was started as overflowed");
	}
	/* On a wide core instructions can be ahead of cycles. */
	expect(wait_ovf(b), "the second counter does not overflow");
	expect(wait_ovf(a), "scountovf of the first");
	ctr_stop(a, 0);
	ctr_stop(b, 0);
	csr_clear(CSR_SIP, MIP_LCOFIP);
	let_timers_run_out();
	/* One of them is restarted: its overflow must be seen, and the other's bit must stay. */
	start(b, PERIOD);
	expect(wait_pending(), "no LCOFI of the second after a restart");
	expect(ovf_bit(b), "scountovf of the second");
	expect(ovf_bit(a), "scountovf of the first, which was not restarted");
}

/* START of B must not set OF of B because A's overflow pends. */
static void started_while_pending(const struct test *t)
{
	unsigned a = take(EV_CYCLES), b;

	start(a, PERIOD);
	if (!expect(wait_pending(), "no LCOFI"))
		return;
	ctr_stop(a, 0);
	let_timers_run_out();
	/* It overflowed before, so its OF bit was set. */
	b = take(EV_INSTRET);
	start(b, PERIOD);
	expect(wait_ovf(b), "no overflow of the second");
	ctr_stop(b, 0);
	let_timers_run_out();
	start(a, PERIOD);
	if (!expect(wait_pending(), "no second LCOFI"))
		return;
	ctr_stop(a, 0);
	start(b, FAR);
	expect(!ovf_bit(b), "the counter was started with its old overflow");
	expect(csr_read(CSR_SIP) & MIP_LCOFIP, "the pending LCOFI of the first was lost");
	expect(ovf_bit(a), "the first one's bit in scountovf was lost");
}

/* On a machine that overflows at the exact instruction, few events have been counted since. */
static void exact(const struct test *t)
{
	unsigned c = take(EV_INSTRET);
	uint64_t v;

	csr_set(CSR_SIE, MIP_LCOFIP);
	csr_set(CSR_SSTATUS, MSTATUS_SIE);
	start(c, PERIOD);
	spin(PERIOD / 2 - 200);
	expect(!ovf_bit(c), "too early");
	spin(200);
	expect(ovf_bit(c), "too late");
	ctr_stop(c, 0);
	v = hw_value(c);
	expect_range("instructions since", v, 0, 1000);
}

static void filters(const struct test *t)
{
	static const struct {
		rv_ulong flags;
		bool counts;
	} rows[] = {
		{ 0, true },
		{ SBI_PMU_CFG_FLAG_SET_UINH, true },
		{ SBI_PMU_CFG_FLAG_SET_SINH, false },
		{ SBI_PMU_CFG_FLAG_SET_MINH, true },
		{ SBI_PMU_CFG_FLAG_SET_VSINH | SBI_PMU_CFG_FLAG_SET_VUINH, true },
		{ SBI_PMU_CFG_FLAG_SET_SINH | SBI_PMU_CFG_FLAG_SET_UINH, false },
	};

	for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
		int c = pmu_take(facts.ovf_ctrs, rows[i].flags, EV_INSTRET);

		ctr_start((unsigned)c, SBI_PMU_START_SET_INIT_VALUE, 0);
		spin(1000);
		ctr_stop((unsigned)c, 0);
		if (rows[i].counts)
			expect_range("instructions", hw_value((unsigned)c), 2000, 2100);
		else
			expect_u64("instructions of a mode that is filtered out",
				   hw_value((unsigned)c), 0);
		ctr_stop((unsigned)c, SBI_PMU_STOP_FLAG_RESET);
	}
}

#define S "Sscofpmf 1.0 §2, SBI 3.0 §11.9"
#define P (NEED_PMU | NEED_HW | NEED_OVF | RETRY)
static const struct test overflow_tests[] = {
	{ "cycles: LCOFI pends, scountovf says which", "Sscofpmf 1.0 §2, §3", pending, P,
	  EV_CYCLES },
	{ "instructions: LCOFI pends, scountovf says which", "Sscofpmf 1.0 §2, §3", pending, P,
	  EV_INSTRET },
	{ "the interrupt is taken in S-mode", "Sscofpmf 1.0 §3", taken, P, 0 },
	{ "the next overflow interrupts again", S, again, P, 0 },
	{ "a start clears scountovf", S, restart_clears, P, 0 },
	{ "a start after RESET clears scountovf", S, restart_clears, P, SBI_PMU_STOP_FLAG_RESET },
	{ "a start without a value clears scountovf", S, start_keeps_value, P, 0 },
	{ "AUTO_START clears scountovf", "Sscofpmf 1.0 §2, SBI 3.0 §11.8", auto_start, P, 0 },
	{ "a counter that is only configured has not overflowed", "Sscofpmf 1.0 §2, SBI 3.0 §11.8",
	  configured_only, P | SOFT, 0 },
	{ "a stopped counter does not overflow", "SBI 3.0 §11.10", stopped_is_silent, P, 0 },
	{ "START on a running counter leaves its overflow alone", S, start_running, P, 0 },
	{ "RESET of the last overflowed counter clears LCOFIP", "SBI 3.0 §11.10", reset_clears,
	  P | SOFT, 0 },
	{ "two counters overflow", S, second_counter, P, 0 },
	{ "a second counter started while LCOFI pends", S, second_counter, P, 1 },
	{ "START while LCOFI pends clears that counter's overflow only", S, started_while_pending,
	  P, 0 },
	{ "the overflow comes at its instruction", "Sscofpmf 1.0 §2", exact, P | NEED_EXACT, 0 },
	{ "filters count the right modes", "SBI 3.0 §11.8, Sscofpmf 1.0 §2", filters,
	  P | NEED_EXACT, 0 },
};

const struct group group_overflow = { "overflow", overflow_tests, ARRAY_LEN(overflow_tests) };
