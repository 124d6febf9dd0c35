/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_overflow.c - OF, LCOFIP and scountovf through the calls, and overflows that happen between
 * two CSR accesses.
 *
 * Covers: Sscofpmf 1.0 §2 and §3; SBI 3.0 §11.8 to §11.10 as far as they concern overflows.
 */
#include "rig.h"

#define INIT  SBI_PMU_START_SET_INIT_VALUE
#define RESET SBI_PMU_STOP_FLAG_RESET

static struct rig r;

/* Counters 3 and 4 count cycles and run. */
static void boot_running(void)
{
	rig_usual(&r);
	is(rig_choose(&r, 3, 1, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_CYCLES, 0), 3);
	is(rig_choose(&r, 4, 1, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_CYCLES, 0), 4);
	fake_log_clear(&r.fake);
}

static void overflow(struct fake *f, unsigned ctr)
{
	f->regs.value[ctr] = ~0ull;
	fake_tick(f, ctr, 1, FAKE_S);
}

static void overflow_3(struct fake *f)
{
	overflow(f, 3);
}

static void overflow_4(struct fake *f)
{
	overflow(f, 4);
}

/* S-mode clears sip.LCOFIP itself. */
static void s_mode_clears_lcofip(void)
{
	r.fake.regs.lcofip = false;
}

static void every_period_interrupts(void)
{
	boot_running();
	for (unsigned i = 0; i < 5; i++) {
		tap_context("period %u", i);
		is_error(rig_stop(&r, 3, 3, 0), SBI_SUCCESS);
		is_error(rig_start(&r, 4, 1, 0, 0), SBI_SUCCESS);
		is_error(rig_start(&r, 3, 1, INIT, (uint64_t)-100), SBI_SUCCESS);
		is(fake_scountovf(&r.fake), 0);
		fake_tick(&r.fake, 3, 99, FAKE_S);
		ok(!r.fake.regs.lcofip);
		fake_tick(&r.fake, 3, 1, FAKE_S);
		ok(r.fake.regs.lcofip);
		is(fake_scountovf(&r.fake), 8);
		s_mode_clears_lcofip();
	}
}

/* A counter that was configured and never started has not overflowed. */
static void fresh_counter_has_no_overflow(void)
{
	boot_running();
	overflow(&r.fake, 3);
	is_error(rig_stop(&r, 3, 1, RESET), SBI_SUCCESS);
	is(rig_choose(&r, 3, 1, 0, EIDX_CYCLES, 0), 3);
	is(fake_scountovf(&r.fake), 0);
}

/* If Linux finds LCOFIP without an OF, it leaves every counter stopped. */
static void lcofip_goes_with_the_last_of(void)
{
	boot_running();
	overflow(&r.fake, 3);
	overflow(&r.fake, 4);
	is_error(rig_stop(&r, 3, 3, 0), SBI_SUCCESS);
	is(fake_scountovf(&r.fake), 0x18);
	is_error(rig_stop(&r, 3, 1, RESET), SBI_ERR_ALREADY_STOPPED);
	is(fake_scountovf(&r.fake), 0x10);
	ok(r.fake.regs.lcofip); /* counter 4's */
	is_error(rig_stop(&r, 4, 1, RESET), SBI_ERR_ALREADY_STOPPED);
	is(fake_scountovf(&r.fake), 0);
	ok(!r.fake.regs.lcofip);
}

static void start_clears_of_and_its_lcofip(void)
{
	boot_running();
	overflow(&r.fake, 3);
	is_error(rig_stop(&r, 3, 1, 0), SBI_SUCCESS);
	is_error(rig_start(&r, 3, 1, 0, 0), SBI_SUCCESS);
	is(fake_scountovf(&r.fake), 0);
	ok(!r.fake.regs.lcofip);
	overflow(&r.fake, 3);
	ok(r.fake.regs.lcofip);
}

/* A counter is started while another's overflow pends: its own OF is cleared, the other's stays. */
static void start_while_another_overflow_waits(void)
{
	boot_running();
	overflow(&r.fake, 3);
	overflow(&r.fake, 4);
	is_error(rig_stop(&r, 3, 3, 0), SBI_SUCCESS);
	s_mode_clears_lcofip();
	is_error(rig_start(&r, 3, 1, INIT, (uint64_t)-5), SBI_SUCCESS);
	is(fake_scountovf(&r.fake), 0x10);
	ok(!r.fake.regs.lcofip); /* S-mode has seen it */
	fake_tick(&r.fake, 3, 5, FAKE_S);
	ok(r.fake.regs.lcofip);
	is(fake_scountovf(&r.fake), 0x18);
}

/* RESET of counters without overflow does not read mip, START of them does not write mhpmevent. */
static void no_overflow_costs_nothing(void)
{
	boot_running();
	is_error(rig_stop(&r, 3, 1, 0), SBI_SUCCESS);
	fake_log_clear(&r.fake);
	is_error(rig_start(&r, 3, 1, 0, 0), SBI_SUCCESS);
	is(fake_writes(&r.fake, CSR_MHPMEVENT + 3), 0);
	is(fake_reads(&r.fake, CSR_MIP), 0);
	is(fake_writes(&r.fake, CSR_MIP), 0);
}

/*
 * An emulator that computes overflows in advance may set OF as soon as a counter gets its new
 * value.  Clearing OF after that would lose the overflow.
 */
static void overflow_is_cleared_before_the_value(void)
{
	unsigned event = RV_XLEN == 32 ? CSR_MHPMEVENTH + 3 : CSR_MHPMEVENT + 3;

	boot_running();
	overflow(&r.fake, 3);
	is_error(rig_stop(&r, 3, 1, 0), SBI_SUCCESS);
	fake_log_clear(&r.fake);
	is_error(rig_start(&r, 3, 1, INIT, (uint64_t)-9), SBI_SUCCESS);
	ok(fake_write_place(&r.fake, event, 1) > 0);
	ok(fake_write_place(&r.fake, event, 1) < fake_write_place(&r.fake, CSR_MHPMCOUNTER + 3, 1));
}

static void skip_match_takes_an_overflown_counter(void)
{
	boot_running();
	overflow(&r.fake, 3);
	is_error(rig_stop(&r, 3, 1, 0), SBI_SUCCESS);
	is(rig_choose(&r, 3, 1, SBI_PMU_CFG_FLAG_SKIP_MATCH, 3, 0), 3);
	is(fake_scountovf(&r.fake), 0);
	ok(!r.fake.regs.lcofip);
}

/*
 * A call frees counter 3's OF, and counter 4 overflows at each point of the call: whenever OF is
 * set, LCOFIP has been set, and LCOFIP is never set without an OF.
 */
static void overflow_between_any_two_accesses(bool reset)
{
	for (unsigned at = 1;; at++) {
		tap_context("access %u", at);
		boot_running();
		overflow(&r.fake, 3);
		is_error(rig_stop(&r, 3, 1, 0), SBI_SUCCESS);
		fake_log_clear(&r.fake);
		r.fake.inject = overflow_4;
		r.fake.inject_at = at;
		if (reset)
			is_error(rig_stop(&r, 3, 1, RESET), SBI_ERR_ALREADY_STOPPED);
		else
			is_error(rig_start(&r, 3, 1, INIT, 0), SBI_SUCCESS);
		if (r.fake.inject_at)
			break; /* past the last access */
		is(fake_scountovf(&r.fake), 0x10);
		ok(r.fake.regs.lcofip);
	}
	r.fake.inject_at = 0;
	is(fake_scountovf(&r.fake), 0);
	ok(!r.fake.regs.lcofip);
}

static void overflow_during_start(void)
{
	overflow_between_any_two_accesses(false);
}

static void overflow_during_reset(void)
{
	overflow_between_any_two_accesses(true);
}

/* The same for the counter that is stopped: its overflow is seen wherever it happens. */
static void overflow_during_stop(void)
{
	boot_running();
	r.fake.inject = overflow_3;
	r.fake.inject_at = 1;
	is_error(rig_stop(&r, 3, 3, 0), SBI_SUCCESS);
	is(fake_scountovf(&r.fake), 8);
	ok(r.fake.regs.lcofip);
}

/* RV32: the low half wraps between the reads of the halves; a snapshot reads both. */
static void carry(struct fake *f)
{
	f->regs.value[3] = 0x6ffffffffull;
	f->regs.value[3]++;
}

static void read_with_a_carry_between_halves(void)
{
	for (unsigned at = 1; at < 8; at++) {
		uint64_t got;

		tap_context("access %u", at);
		boot_running();
		is_error(rig_set_shmem(&r, fake_addr(0), 0, 0), SBI_SUCCESS);
		is_error(rig_stop(&r, 3, 1, 0), SBI_SUCCESS);
		r.fake.regs.value[3] = 0x6ffffffffull;
		fake_log_clear(&r.fake);
		r.fake.inject = carry;
		r.fake.inject_at = at;
		is_error(rig_stop(&r, 3, 1, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT),
			 SBI_ERR_ALREADY_STOPPED);
		got = fake_ram64(&r.fake, SBI_PMU_SNAPSHOT_VALUES);
		ok(got == 0x6ffffffffull || got == 0x700000000ull);
	}
}

/* Counter 31: the top bit of every mask. */
static void counter_31(void)
{
	rig_init(&r, 29, 64);
	rig_boot(&r);
	is(rig_choose(&r, 31, 1, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_CYCLES, 0), 31);
	is(r.fake.regs.inhibit, 0x7ffffff8);
	overflow(&r.fake, 31);
	is(fake_scountovf(&r.fake), 0x80000000);
	is_error(rig_stop(&r, 31, 1, 0), SBI_SUCCESS);
	is_error(rig_start(&r, 31, 1, INIT, 3), SBI_SUCCESS);
	is(fake_scountovf(&r.fake), 0);
	is(r.fake.regs.value[31], 3);
}

static void without_sscofpmf_nothing_is_asked(void)
{
	rig_init(&r, 4, 32);
	r.fake.hw.sscofpmf = false;
	rig_boot(&r);
	is(rig_choose(&r, 3, 1, SBI_PMU_CFG_FLAG_AUTO_START, 3, 0), 3);
	is_error(rig_stop(&r, 3, 1, 0), SBI_SUCCESS);
	is_error(rig_start(&r, 3, 1, INIT, 0xffffffff), SBI_SUCCESS);
	fake_tick(&r.fake, 3, 2, FAKE_S);
	is(r.fake.regs.value[3], 1);
	is_error(rig_stop(&r, 3, 1, RESET), SBI_SUCCESS);
	is(fake_reads(&r.fake, CSR_SCOUNTOVF) + fake_reads(&r.fake, CSR_MIP), 0);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "every period interrupts", every_period_interrupts },
		{ "a counter that never ran has not overflowed", fresh_counter_has_no_overflow },
		{ "RESET of the last OF clears LCOFIP", lcofip_goes_with_the_last_of },
		{ "START clears OF and its LCOFIP", start_clears_of_and_its_lcofip },
		{ "START while another overflow pends", start_while_another_overflow_waits },
		{ "START without OF touches neither mhpmevent nor mip", no_overflow_costs_nothing },
		{ "SKIP_MATCH takes an overflown counter", skip_match_takes_an_overflown_counter },
		{ "OF is cleared before the counter gets its value",
		  overflow_is_cleared_before_the_value },
		{ "an overflow anywhere within START", overflow_during_start },
		{ "an overflow anywhere within STOP with RESET", overflow_during_reset },
		{ "an overflow within STOP", overflow_during_stop },
		{ "a carry between the halves of a read", read_with_a_carry_between_halves },
		{ "counter 31", counter_31 },
		{ "without Sscofpmf scountovf and mip are not read",
		  without_sscofpmf_nothing_is_asked },
	};

	return tap_run(cases, TAP_NR(cases));
}
