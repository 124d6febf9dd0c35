/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_suspend.c - sbipmu_hart_save and sbipmu_hart_restore around a power cycle.
 *
 * Covers: their contract in sbipmu.h (SBI 3.0 §9.4, non-retentive suspend, and §11).
 */
#include "rig.h"

static struct rig r;
static struct rig_state before;

/* Counters 3 and 4, 0 and 7: 3 and 0 run, 4 stands still, 2 runs freely. */
static void boot(void)
{
	rig_usual(&r);
	is(rig_choose(&r, 3, 1, SBI_PMU_CFG_FLAG_SET_UINH, EIDX_CYCLES, 0), 3);
	is(rig_choose(&r, 4, 1, 0, 0x10003, 0), 4);
	is(rig_choose(&r, 0, 1, SBI_PMU_CFG_FLAG_SET_SINH, EIDX_CYCLES, 0), 0);
	is(rig_choose(&r, 7, 1, 0, EIDX_FW(5), 0), 7);
	is_error(rig_start(&r, 0, 0x89, 0, 0), SBI_SUCCESS);
	r.fake.regs.value[3] = 0x1122334455667788;
	r.fake.regs.value[4] = 44;
}

/* A suspend of the hart, with or without loss of power. */
static void suspend(bool power_lost)
{
	r.fake.live = false;
	sbipmu_hart_save(&r.h);
	if (power_lost)
		fake_scramble(&r.fake);
	r.fake.live = true;
	r.fake.may_set_of = true;
	sbipmu_hart_restore(&r.h);
	r.fake.may_set_of = false;
}

static void everything_comes_back(void)
{
	for (unsigned lost = 0; lost < 2; lost++) {
		tap_context("power lost: %u", lost);
		boot();
		rig_state_save(&r, &before);
		suspend(lost);
		is(r.fake.regs.inhibit, before.regs.inhibit);
		is(r.fake.regs.counteren & 0x7d, 0x7d);
		for (unsigned ctr = 0; ctr < 7; ctr++) {
			if (ctr == COUNTER_TM)
				continue;
			tap_context("power lost: %u, counter %u", lost, ctr);
			is(r.fake.regs.value[ctr], before.regs.value[ctr]);
			is(r.fake.regs.event[ctr], before.regs.event[ctr]);
		}
		is(fake_scountovf(&r.fake), 0);
		ok(!r.fake.regs.lcofip);
		is(r.h.started, before.h.started);
		is(r.h.mapped, before.h.mapped);
	}
}

/* Counters that S-mode can configure itself count no M-mode afterwards, either. */
static void delegated_counters(void)
{
	rig_init(&r, 4, 64);
	r.fake.hw.smcdeleg = true;
	r.fake.hw.inhibit_mask &= ~(1u << 2); /* not offered */
	rig_boot(&r);
	is(rig_choose(&r, 3, 1, 0, EIDX_CYCLES, 0), 3);
	suspend(true);
	is(r.fake.regs.event[3], (RIG_GENERAL + 1) | MHPMEVENT_MINH);
	for (unsigned ctr = 0; ctr < 7; ctr++)
		if (ctr != COUNTER_TM && ctr != 3)
			is(r.fake.regs.event[ctr], MHPMEVENT_MINH);
}

/* As Linux does it: STOP before, START after, no config_matching in between. */
static void linux_way(void)
{
	boot();
	is_error(rig_stop(&r, 0, 0x89, 0), SBI_SUCCESS);
	suspend(true);
	is_error(rig_start(&r, 3, 1, SBI_PMU_START_SET_INIT_VALUE, (uint64_t)-2), SBI_SUCCESS);
	fake_happen(&r.fake, RIG_GENERAL + 1, 1, FAKE_U); /* filtered */
	fake_happen(&r.fake, RIG_GENERAL + 1, 2, FAKE_S);
	is(r.fake.regs.value[3], 0);
	ok(r.fake.regs.lcofip);
}

/* An overflow that S-mode has not taken yet remains, and so does its interrupt. */
static void overflow_before_suspend(void)
{
	for (unsigned lost = 0; lost < 2; lost++)
		for (unsigned taken = 0; taken < 2; taken++) {
			tap_context("power lost: %u, interrupt taken: %u", lost, taken);
			boot();
			r.fake.regs.value[3] = ~0ull;
			fake_tick(&r.fake, 3, 5, FAKE_S);
			if (taken)
				r.fake.regs.lcofip = false;
			suspend(lost);
			is(fake_scountovf(&r.fake), 8);
			is(r.fake.regs.lcofip, !taken);
			is(r.fake.regs.value[3], 4);
			is_error(rig_stop(&r, 3, 1, 0), SBI_SUCCESS);
			is_error(rig_start(&r, 3, 1, 0, 0), SBI_SUCCESS);
			is(fake_scountovf(&r.fake), 0);
			ok(!r.fake.regs.lcofip);
		}
}

static void counters_stand_still_in_between(void)
{
	uint64_t value;

	boot();
	sbipmu_hart_save(&r.h);
	value = r.fake.regs.value[2];
	for (unsigned ctr = 0; ctr < 7; ctr++)
		fake_tick(&r.fake, ctr, 1000, FAKE_S);
	sbipmu_hart_restore(&r.h);
	is(r.fake.regs.value[2], value);
	is(r.fake.regs.value[3], 0x1122334455667788);
}

/* Counters that S-mode cannot name hold garbage after a power cycle: they must not count. */
static void counters_not_offered(void)
{
	rig_init(&r, 6, 64);
	r.fake.hw.counteren_mask &= ~(1u << 5);
	r.fake.hw.inhibit_mask &= ~(1u << 6);
	rig_boot(&r);
	ok(!(r.h.valid & 0x60));
	suspend(true);
	is(r.fake.regs.event[5], 0);
	is(r.fake.regs.event[6], 0);
	is(fake_scountovf(&r.fake), 0);
	ok(!r.fake.regs.lcofip);
}

static void hart_without_hardware_counters(void)
{
	rig_init(&r, 4, 64);
	r.fake.hw.mcountinhibit = false;
	rig_boot(&r);
	r.fake.live = false;
	suspend(true);
	is(r.fake.regs.counteren & 5, 5);
	is((uint32_t)r.fake.regs.event[3], 0); /* no event; its high half does not matter */
}

static void hart_without_sscofpmf(void)
{
	rig_init(&r, 4, 40);
	r.fake.hw.sscofpmf = r.fake.hw.smcntrpmf = false;
	rig_boot(&r);
	is(rig_choose(&r, 3, 1, SBI_PMU_CFG_FLAG_AUTO_START, 3, 0), 3);
	r.fake.regs.value[3] = 0x123456789a;
	suspend(true);
	is(r.fake.regs.value[3], 0x123456789a);
	is(fake_event(&r.fake, 3), RIG_GENERAL + 3);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "values, events, filters and what runs come back", everything_comes_back },
		{ "Linux: STOP, suspend, START", linux_way },
		{ "an overflow before the suspend is kept", overflow_before_suspend },
		{ "counters stand still in between", counters_stand_still_in_between },
		{ "counters that are not offered stay silent", counters_not_offered },
		{ "a hart without hardware counters", hart_without_hardware_counters },
		{ "a hart without Sscofpmf", hart_without_sscofpmf },
		{ "S-mode can configure counters", delegated_counters },
	};

	return tap_run(cases, TAP_NR(cases));
}
