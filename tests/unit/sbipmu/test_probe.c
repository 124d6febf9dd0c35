/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_probe.c - what the library finds on a hart, and the state in which S-mode gets the hart.
 *
 * Covers: sbipmu_init and sbipmu_hart_init of sbipmu.h; Priv 1.13 §3.1.10 to §3.1.12.
 */
#include "rig.h"

#define FIXED 0x5u

static struct rig r;

static void full_hart(void)
{
	rig_init(&r, 29, 64);
	rig_boot(&r);
	is(r.h.facts.hw_ctrs, 0xfffffffd);
	is(r.h.facts.unstoppable, 0);
	is(r.h.facts.closed, 0);
	ok(r.h.facts.mcountinhibit);
	ok(r.h.facts.sscofpmf);
	ok(r.h.facts.smcntrpmf);
	is(r.h.facts.width[COUNTER_TM], 0);
	is(r.fake.nr_diags, 0);
	is(r.pmu.nr_diags, 0);
	is(r.pmu.nr_events, 10 + 42);
	is(r.pmu.nr_raw_rows, 2);
}

static void plain_hart(void)
{
	rig_init(&r, 4, 40);
	r.fake.hw.sscofpmf = r.fake.hw.smcntrpmf = false;
	rig_boot(&r);
	is(r.h.facts.hw_ctrs, 0x7d);
	ok(!r.h.facts.sscofpmf);
	ok(!r.h.facts.smcntrpmf);
	is(r.h.facts.width[3], 40);
}

/* Counters that cannot be accessed, and counters that are hard-wired to zero. */
static void absent_counters(void)
{
	rig_init(&r, 8, 64);
	r.fake.hw.exists = FIXED | 1u << 4 | 1u << 6 | 1u << 7 | 1u << 9 | 1u << 20;
	r.fake.hw.inhibit_mask = 0xfffffffd;
	r.fake.hw.zero = 1u << 6 | 1u << 20;
	rig_no_tables(&r);
	rig_boot(&r);
	is(r.h.facts.hw_ctrs, FIXED | 1u << 4 | 1u << 7 | 1u << 9);
	is(r.h.facts.width[6], 0);
	is(r.h.facts.width[3], 0);
	is(rig_fw_first(&r), 10);
	is(rig_valid(&r), FIXED | 1u << 4 | 1u << 7 | 1u << 9 | 0xffffull << 10);
}

static void no_fixed_counters(void)
{
	rig_init(&r, 4, 64);
	r.fake.hw.exists &= ~FIXED;
	r.fake.hw.smcntrpmf = false;
	rig_boot(&r);
	is(rig_valid(&r), 0x78 | 0xffffull << 7);
	is(rig_choose(&r, 0, 0x78, 0, EIDX_CYCLES, 0), 3);
}

/* Without mcountinhibit no hardware counter can be stopped; firmware counters do not need it. */
static void no_mcountinhibit(void)
{
	rig_init(&r, 16, 64);
	r.fake.hw.mcountinhibit = false;
	rig_boot(&r);
	is(r.h.facts.hw_ctrs, 0);
	is(r.h.facts.unstoppable, 0x7fffd);
	ok(!r.h.facts.mcountinhibit);
	is(rig_fw_first(&r), 3);
	is(rig_valid(&r), 0xffffull << 3);
	is_error(rig_config(&r, 3, 0xffff, 0, EIDX_CYCLES, 0), SBI_ERR_NOT_SUPPORTED);
	is(rig_choose(&r, 3, 0xffff, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_FW(5), 0), 3);
	sbipmu_fw_event(&r.h, SBI_PMU_FW_SET_TIMER);
	is(rig_fw_read(&r, 3), 1);
	/* S-mode and its programs can still read cycle and instret */
	is(r.fake.regs.counteren & FIXED, FIXED);
}

static void mcountinhibit_hard_wired_to_zero(void)
{
	rig_init(&r, 4, 64);
	r.fake.hw.inhibit_mask = 0;
	rig_boot(&r);
	ok(!r.h.facts.mcountinhibit);
	is(r.h.facts.unstoppable, 0x7d);
	is(rig_valid(&r), 0xffffull << 3);
}

static void mcountinhibit_partly_hard_wired(void)
{
	rig_init(&r, 8, 64);
	r.fake.hw.inhibit_mask &= ~(1u << 0 | 1u << 5);
	rig_boot(&r);
	is(r.h.facts.unstoppable, 1u << 0 | 1u << 5);
	is(rig_valid(&r) & 0x7ff, 0x7fd & ~0x21u);
	is_error(rig_info(&r, 0), SBI_ERR_INVALID_PARAM);
	is_error(rig_config(&r, 0, 1, 0, EIDX_CYCLES, 0), SBI_ERR_INVALID_PARAM);
	/* the other counters have all bits */
	is(rig_choose(&r, 3, 3, 0, EIDX_CYCLES, 0), 3);
	is(rig_choose(&r, 2, 1, 0, EIDX_INSTRUCTIONS, 0), 2);
}

/* If S-mode could not read a counter, the kernel would oops. */
static void mcounteren_partly_hard_wired(void)
{
	rig_init(&r, 8, 64);
	r.fake.hw.counteren_mask &= ~(1u << 2 | 1u << 10);
	rig_boot(&r);
	is(r.h.facts.closed, 1u << 2 | 1u << 10);
	is(fake_scountovf(&r.fake), 0); /* of counter 10, too */
	is(rig_valid(&r) & 0x3fd, 0x3fd & ~4u);
	is_error(rig_info(&r, 2), SBI_ERR_INVALID_PARAM);
	is(rig_fw_first(&r), 10);
}

/* The state in which S-mode starts, from registers full of garbage. */
static void state_for_s_mode(void)
{
	uint64_t cycles, instructions;

	rig_init(&r, 16, 64);
	cycles = r.fake.regs.value[0];
	instructions = r.fake.regs.value[2];
	rig_boot(&r);
	is(r.h.mapped, 0);
	is(r.h.started, 0);
	is(r.fake.regs.inhibit, 0x7fff8);
	is(r.fake.regs.value[0], cycles);
	is(r.fake.regs.value[2], instructions);
	for (unsigned ctr = 3; ctr < 19; ctr++) {
		tap_context("counter %u", ctr);
		is(r.fake.regs.event[ctr], 0);
		is(r.fake.regs.value[ctr], 0);
	}
	tap_context("%s", "");
	is(r.fake.regs.event[0], 0);
	is(r.fake.regs.event[2], 0);
	is(fake_scountovf(&r.fake), 0);
	ok(!r.fake.regs.lcofip);
	is(r.fake.regs.counteren & 0x7fffd, 0x7fffd);
	is(r.fake.regs.counteren >> 19, 0);
	ok(r.h.shmem == NULL);
	fake_tick(&r.fake, 0, 5, FAKE_U);
	is(r.fake.regs.value[0], cycles + 5);
}

/* What n events of S-mode and m of M-mode add to a counter that S-mode configures itself. */
static uint64_t delegated_count(unsigned ctr, uint64_t event, unsigned n, unsigned m)
{
	const uint64_t before = r.fake.regs.value[ctr];

	fake_delegated_event(&r.fake, ctr, event);
	r.fake.regs.inhibit &= ~(1u << ctr);
	fake_tick(&r.fake, ctr, n, FAKE_S);
	fake_tick(&r.fake, ctr, m, FAKE_M);
	r.fake.regs.inhibit |= 1u << ctr;
	return r.fake.regs.value[ctr] - before;
}

/* S-mode observes no M-mode: before it has used a counter by calls, and afterwards. */
static void delegated_counters(void)
{
	rig_init(&r, 4, 64);
	r.fake.hw.smcdeleg = true;
	rig_boot(&r);
	ok(r.h.facts.delegated);
	for (unsigned used = 0; used < 2; used++) {
		tap_context("used: %u", used);
		for (unsigned ctr = 3; ctr < 7; ctr++)
			is(delegated_count(ctr, RIG_GENERAL, 5, 100), 5);
		is(delegated_count(0, 0, 5, 100), 5);
		is(delegated_count(2, MHPMEVENT_SINH, 5, 100), 0);
		is(rig_choose(&r, 3, 1, 0, EIDX_CYCLES, 0), 3);
		is(rig_choose(&r, 0, 1, 0, EIDX_CYCLES, 0), 0);
		fake_log_clear(&r.fake);
		is_error(rig_stop(&r, 0, 9, SBI_PMU_STOP_FLAG_RESET), SBI_ERR_ALREADY_STOPPED);
		is(fake_writes(&r.fake, CSR_MHPMEVENT + 3), 2); /* 0 first */
		is(r.fake.regs.event[3], MHPMEVENT_MINH);
		is(r.fake.regs.event[0], MHPMEVENT_MINH);
	}
}

/* Bit 62 of mhpmevent is not MINH without Sscofpmf; there is no mcyclecfg without Smcntrpmf. */
static void delegated_without_filters(void)
{
	rig_init(&r, 4, 64);
	r.fake.hw.smcdeleg = true;
	r.fake.hw.sscofpmf = r.fake.hw.smcntrpmf = false;
	rig_boot(&r);
	ok(r.h.facts.delegated);
	is(fake_event(&r.fake, 3), 0);
	is(delegated_count(3, RIG_GENERAL, 5, 100), 105);
}

/* S-mode can read cycle and instret, and so configure them, even if no call can stop them. */
static void delegated_unstoppable(void)
{
	rig_init(&r, 4, 64);
	r.fake.hw.smcdeleg = true;
	r.fake.hw.inhibit_mask &= ~FIXED;
	rig_boot(&r);
	is(r.h.facts.hw_ctrs & FIXED, 0);
	is(r.fake.regs.event[0], MHPMEVENT_MINH);
	is(r.fake.regs.event[2], MHPMEVENT_MINH);
}

/* mcounteren.TM belongs to the host. */
static void tm_is_left_alone(void)
{
	for (unsigned tm = 0; tm <= 2; tm += 2) {
		rig_init(&r, 4, 64);
		rig_compile(&r);
		r.fake.regs.counteren = tm;
		rig_hart(&r, &r.h, &r.fake);
		is(r.fake.regs.counteren, 0x7d | tm);
	}
}

/* HSM stop and start: no state of the hart from before the stop is left. */
static void starting_anew(void)
{
	rig_usual(&r);
	is_error(rig_set_shmem(&r, fake_addr(0), 0, 0), SBI_SUCCESS);
	is(rig_choose(&r, 0, 0x7d, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_CYCLES, 0), 3);
	is(rig_choose(&r, 0, 1, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_CYCLES, 0), 0);
	is(rig_choose(&r, 7, 1, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_FW(5), 0), 7);
	r.fake.regs.value[3] = ~0ull;
	fake_tick(&r.fake, 3, 1, FAKE_S);
	sbipmu_fw_event(&r.h, SBI_PMU_FW_SET_TIMER);
	ok(r.fake.regs.lcofip);

	r.fake.live = false;
	rig_hart(&r, &r.h, &r.fake);
	is(r.h.started | r.h.mapped, 0);
	is(r.fake.regs.inhibit, 0x78);
	is(r.fake.regs.value[3], 0);
	is(fake_scountovf(&r.fake), 0);
	ok(!r.fake.regs.lcofip);
	is(rig_fw_read(&r, 7), 0);
	is_error(rig_stop(&r, 0, 1, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT), SBI_ERR_NO_SHMEM);
}

static void half_smcntrpmf(void)
{
	rig_init(&r, 4, 64);
	r.fake.hw.no_cfgh = true;
	rig_boot(&r);
	is(r.h.facts.smcntrpmf, RV_XLEN == 64);
}

/* An emulator's counter may advance by a few between write and read although it is inhibited. */
static void creep(struct fake *f)
{
	for (unsigned ctr = 0; ctr < FAKE_CTRS; ctr++)
		if (f->hw.exists >> ctr & 1)
			f->regs.value[ctr] += 3;
	f->inject_at = f->nr_log + 1;
}

static void widths_of_counters_that_creep(void)
{
	rig_init(&r, 4, 64);
	r.fake.inject = creep;
	r.fake.inject_at = 1;
	r.fake.hw.width[4] = 48;
	rig_boot(&r);
	r.fake.inject_at = 0;
	is(r.h.facts.width[0], 64);
	is(r.h.facts.width[3], 64);
	is(r.h.facts.width[4], 48);
}

/* An operation that the host lacks is not called. */
static void bare_host(void)
{
	rig_init(&r, 4, 64);
	r.ops = &fake_bare_ops;
	rig_cell(&r.counters, 0xbad); /* a complaint that nobody receives */
	rig_boot(&r);
	is(r.pmu.nr_diags, 1);
	is_error(rig_set_shmem(&r, fake_addr(0), 0, 0), SBI_ERR_NOT_SUPPORTED);
	is_error(rig_event_info(&r, fake_addr(0), 0, 1, 0), SBI_ERR_NOT_SUPPORTED);
	is_error(rig_config(&r, 7, 1, 0, EIDX_FW(256), 0), SBI_ERR_NOT_SUPPORTED);
	is_error(rig_config(&r, 7, 1, 0, EIDX_FW(65535), 0xb0), SBI_ERR_NOT_SUPPORTED);
	is(rig_choose(&r, 7, 1, 0, EIDX_FW(21), 0), 7);
}

static void no_tables_at_all(void)
{
	rig_init(&r, 4, 64);
	r.no_dt = true;
	r.nr_slots = 0;
	rig_boot(&r);
	is(r.fake.nr_diags, 0);
	is(r.pmu.nr_events, 2);
	is(rig_choose(&r, 0, 0x7d, 0, EIDX_CYCLES, 0), 0);
	is(rig_choose(&r, 0, 0x7d, 0, EIDX_INSTRUCTIONS, 0), 2);
	is_error(rig_config(&r, 0, 0x7d, 0, EIDX_RAW, 1), SBI_ERR_NOT_SUPPORTED);
	is(rig_choose(&r, 7, 0xffff, 0, EIDX_FW(0), 0), 7);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a full hart", full_hart },
		{ "a hart without Sscofpmf and Smcntrpmf", plain_hart },
		{ "absent and hard-wired counters", absent_counters },
		{ "no mcycle and minstret", no_fixed_counters },
		{ "no mcountinhibit: firmware counters only", no_mcountinhibit },
		{ "mcountinhibit hard-wired to zero", mcountinhibit_hard_wired_to_zero },
		{ "mcountinhibit partly hard-wired", mcountinhibit_partly_hard_wired },
		{ "mcounteren partly hard-wired", mcounteren_partly_hard_wired },
		{ "the state in which S-mode starts", state_for_s_mode },
		{ "S-mode can configure counters", delegated_counters },
		{ "it can, without mode filters", delegated_without_filters },
		{ "it can, and cycle and instret cannot be stopped", delegated_unstoppable },
		{ "mcounteren.TM is left alone", tm_is_left_alone },
		{ "a hart that starts anew", starting_anew },
		{ "Smcntrpmf without its high halves", half_smcntrpmf },
		{ "widths of counters that creep", widths_of_counters_that_creep },
		{ "a host without optional operations", bare_host },
		{ "no pmu node", no_tables_at_all },
	};

	return tap_run(cases, TAP_NR(cases));
}
