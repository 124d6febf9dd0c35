/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stop.c - counter_stop.
 *
 * Covers: SBI 3.0 §11.10.
 */
#include "group.h"

static bool two_running(rv_ulong *base, rv_ulong *mask)
{
	if (!fw_take_two(base, mask))
		return false;
	ctr_start(facts.fw_first, SBI_PMU_START_SET_INIT_VALUE, 100);
	ctr_start(facts.fw_second, SBI_PMU_START_SET_INIT_VALUE, 200);
	return true;
}

static void invalid_sets(const struct test *t)
{
	struct bad_set s[16];
	unsigned n = bad_sets(s, 16);

	for (unsigned i = 0; i < n; i++)
		expect_err(s[i].name, pmu_stop(s[i].base, s[i].mask, 0), SBI_ERR_INVALID_PARAM);
}

static void stop_hole(unsigned c)
{
	expect_err("that counter", ctr_stop(c, 0), SBI_ERR_INVALID_PARAM);
	expect_err("with RESET", ctr_stop(c, SBI_PMU_STOP_FLAG_RESET), SBI_ERR_INVALID_PARAM);
}

static void hole(const struct test *t)
{
	each_hole(stop_hole);
}

static void invalid_no_effect(const struct test *t)
{
	unsigned c;

	if (!fw_take_last(&c))
		return;
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 10);
	expect_err("last counter and the next", pmu_stop(c, 3, SBI_PMU_STOP_FLAG_RESET),
		   SBI_ERR_INVALID_PARAM);
	fw_tick(1);
	expect_u64("the last still counts", fw_value(c), 11);
}

static void flags_reserved(const struct test *t)
{
	const unsigned c = facts.fw_first;

	fw_take(c);
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 0);
	for (unsigned bit = 2; bit < RV_XLEN; bit++) {
		struct sbiret r = ctr_stop(c, (rv_ulong)1 << bit);
		bool running = ctr_start(c, 0, 0).error == SBI_ERR_ALREADY_STARTED;

		if (r.error != SBI_ERR_INVALID_PARAM || !running)
			deviation("stop_flags bit %u: got error %ld, expected -3; counter %s", bit,
				  (long)r.error, running ? "runs" : "was stopped");
	}
}

static void already_stopped(const struct test *t)
{
	const unsigned c = facts.fw_first;

	expect_err("never configured", ctr_stop(c, 0), SBI_ERR_ALREADY_STOPPED);
	fw_take(c);
	expect_err("never started", ctr_stop(c, 0), SBI_ERR_ALREADY_STOPPED);
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 0);
	expect_ok("running", ctr_stop(c, 0));
	expect_err("stopped", ctr_stop(c, 0), SBI_ERR_ALREADY_STOPPED);
}

static void already_stopped_hw(const struct test *t)
{
	const unsigned c = first_ctr(facts.ovf_ctrs);

	expect_err("never configured", ctr_stop(c, 0), SBI_ERR_ALREADY_STOPPED);
	ctr_config(c, 0, EV_CYCLES, 0);
	expect_err("never started", ctr_stop(c, 0), SBI_ERR_ALREADY_STOPPED);
	ctr_start(c, 0, 0);
	expect_ok("running", ctr_stop(c, 0));
	expect_err("stopped", ctr_stop(c, 0), SBI_ERR_ALREADY_STOPPED);
}

/* arg 0: the first counter of the set is already stopped; 1: the last. */
static void already_stopped_set(const struct test *t)
{
	rv_ulong base, mask;
	unsigned standing = t->arg ? facts.fw_second : facts.fw_first;
	unsigned other = t->arg ? facts.fw_first : facts.fw_second;

	if (!two_running(&base, &mask))
		return;
	ctr_stop(standing, 0);
	expect_err("stop of both", pmu_stop(base, mask, 0), SBI_ERR_ALREADY_STOPPED);
	expect_err("stop of the one that stood", ctr_stop(standing, 0), SBI_ERR_ALREADY_STOPPED);
	expect_err("stop of the other, again", ctr_stop(other, 0), SBI_ERR_ALREADY_STOPPED);
	expect_ok("its start", ctr_start(other, 0, 0));
}

static void set_of_two(const struct test *t)
{
	rv_ulong base, mask;

	if (!two_running(&base, &mask))
		return;
	expect_ok("stop of both", pmu_stop(base, mask, 0));
	expect_err("stop of the first, again", ctr_stop(facts.fw_first, 0),
		   SBI_ERR_ALREADY_STOPPED);
	expect_err("stop of the second, again", ctr_stop(facts.fw_second, 0),
		   SBI_ERR_ALREADY_STOPPED);
}

static void reset_frees(const struct test *t)
{
	const unsigned c = facts.fw_first;

	fw_take(c);
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 0);
	expect_ok("stop with RESET", ctr_stop(c, SBI_PMU_STOP_FLAG_RESET));
	expect_ok("config for another event",
		  ctr_config(c, SBI_PMU_CFG_FLAG_CLEAR_VALUE, EV_FW(SBI_PMU_FW_FENCE_I_SENT), 0));
	expect_ok("start", ctr_start(c, 0, 0));
	fw_tick(3);
	expect_u64("set_timer calls while it counts another event", fw_value(c), 0);
}

/* Linux first stops an event's counter and resets it later. */
static void reset_of_stopped(const struct test *t)
{
	const unsigned c = facts.fw_first;

	fw_take(c);
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 0);
	expect_ok("stop", ctr_stop(c, 0));
	expect_err("stop with RESET", ctr_stop(c, SBI_PMU_STOP_FLAG_RESET),
		   SBI_ERR_ALREADY_STOPPED);
	expect_ok("config for another event", ctr_config(c, 0, EV_FW(SBI_PMU_FW_IPI_SENT), 0));
}

static void reset_of_stopped_hw(const struct test *t)
{
	const unsigned c = first_ctr(facts.ovf_ctrs);

	ctr_config(c, 0, EV_CYCLES, 0);
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 0);
	expect_ok("stop", ctr_stop(c, 0));
	expect_err("stop with RESET", ctr_stop(c, SBI_PMU_STOP_FLAG_RESET),
		   SBI_ERR_ALREADY_STOPPED);
	expect_ok("config", ctr_config(c, 0, EV_CYCLES, 0));
	expect_ok("start", ctr_start(c, 0, 0));
}

/* Linux does this on each hart that it starts: all counters, most of which were never used. */
static void reset_all(const struct test *t)
{
	rv_ulong base, mask;

	if (!two_running(&base, &mask))
		return;
	for (unsigned b = 0; b < 64; b += RV_XLEN) {
		rv_ulong all = (rv_ulong)((facts.hw | facts.fw) >> b);

		if (all)
			expect_err("stop of all with RESET",
				   pmu_stop(b, all, SBI_PMU_STOP_FLAG_RESET),
				   SBI_ERR_ALREADY_STOPPED);
	}
	expect_ok("config", ctr_config(facts.fw_first, 0, EV_SET_TIMER, 0));
	expect_ok("config", ctr_config(facts.fw_second, 0, EV_SET_TIMER, 0));
}

static void keeps_mapping(const struct test *t)
{
	const unsigned c = facts.fw_first;

	fw_take(c);
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 5);
	ctr_stop(c, 0);
	expect_ok("start", ctr_start(c, 0, 0));
	fw_tick(2);
	expect_u64("value", fw_value(c), 7);
}

static void reset_then_start(const struct test *t)
{
	const unsigned c = facts.fw_first;

	fw_take(c);
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 5);
	ctr_stop(c, SBI_PMU_STOP_FLAG_RESET);
	expect_refused("start of a counter that was reset", ctr_start(c, 0, 0));
}

static void empty(const struct test *t)
{
	expect_ok("stop of no counter", pmu_stop(0, 0, 0));
	expect_ok("with RESET", pmu_stop(0, 0, SBI_PMU_STOP_FLAG_RESET));
}

static void no_shmem(const struct test *t)
{
	const unsigned c = facts.fw_first;

	fw_take(c);
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 5);
	expect_err("TAKE_SNAPSHOT", ctr_stop(c, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT), SBI_ERR_NO_SHMEM);
}

#define S  "SBI 3.0 §11.10"
#define PF (NEED_PMU | NEED_FW)
#define PH (NEED_PMU | NEED_HW)
static const struct test stop_tests[] = {
	{ "a set with an invalid counter is INVALID_PARAM", S, invalid_sets, NEED_PMU, 0 },
	{ "an index that get_info refuses is INVALID_PARAM", S, hole, NEED_PMU, 0 },
	{ "a refused call stops nothing", S, invalid_no_effect, PF | SOFT, 0 },
	{ "each reserved flag bit is INVALID_PARAM", S, flags_reserved, PF, 0 },
	{ "a counter that does not run is ALREADY_STOPPED", S, already_stopped, PF, 0 },
	{ "a hardware counter that does not run is ALREADY_STOPPED", S, already_stopped_hw, PH, 0 },
	{ "ALREADY_STOPPED for the first of two, the other is stopped", S, already_stopped_set, PF,
	  0 },
	{ "ALREADY_STOPPED for the last of two, the other is stopped", S, already_stopped_set, PF,
	  1 },
	{ "a set of two", S, set_of_two, PF, 0 },
	{ "RESET frees the counter", S, reset_frees, PF, 0 },
	{ "RESET of a stopped counter frees it", S, reset_of_stopped, PF, 0 },
	{ "RESET of a stopped hardware counter frees it", S, reset_of_stopped_hw, PH, 0 },
	{ "RESET of all counters: ALREADY_STOPPED, and all are free", S, reset_all, PF, 0 },
	{ "without RESET the event stays", S, keeps_mapping, PF, 0 },
	{ "a counter that was reset does not start", S, reset_then_start, PF | SOFT, 0 },
	{ "an empty set succeeds", S, empty, NEED_PMU | SOFT, 0 },
	{ "TAKE_SNAPSHOT without shared memory is NO_SHMEM", S, no_shmem, PF | NEED_V2, 0 },
};

const struct group group_stop = { "stop", stop_tests, ARRAY_LEN(stop_tests) };
