/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * start.c - counter_start.
 *
 * Exact tests use firmware counters on SET_TIMER; values of hardware counters are compared with
 * bounds.
 *
 * Covers: SBI 3.0 §11.9.
 */
#include "group.h"

static void invalid_sets(const struct test *t)
{
	struct bad_set s[16];
	unsigned n = bad_sets(s, 16);

	for (unsigned i = 0; i < n; i++) {
		fw_take(facts.fw_first);
		expect_err(s[i].name, pmu_start(s[i].base, s[i].mask, 0, 0), SBI_ERR_INVALID_PARAM);
		pmu_reset();
	}
}

static void start_hole(unsigned c)
{
	expect_err("that counter", ctr_start(c, 0, 0), SBI_ERR_INVALID_PARAM);
}

static void hole(const struct test *t)
{
	each_hole(start_hole);
}

/* A refused call changes no counter of its set, also not the valid ones. */
static void invalid_no_effect(const struct test *t)
{
	unsigned c;

	if (!fw_take_last(&c))
		return;
	expect_err("last counter and the next", pmu_start(c, 3, 0, 0), SBI_ERR_INVALID_PARAM);
	expect_err("stop of the last", ctr_stop(c, 0), SBI_ERR_ALREADY_STOPPED);
}

static void flags_reserved(const struct test *t)
{
	const unsigned c = facts.fw_first;

	fw_take(c);
	for (unsigned bit = 2; bit < RV_XLEN; bit++) {
		struct sbiret r = ctr_start(c, (rv_ulong)1 << bit, 0);

		if (r.error != SBI_ERR_INVALID_PARAM)
			deviation("start_flags bit %u: got error %ld, expected -3", bit,
				  (long)r.error);
		if (ctr_stop(c, 0).error != SBI_ERR_ALREADY_STOPPED)
			deviation("start_flags bit %u: the counter was started", bit);
	}
}

static void init_value(const struct test *t)
{
	const unsigned c = facts.fw_first;

	fw_take(c);
	expect_ok("start", ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 1000));
	expect_u64("value", fw_value(c), 1000);
	fw_tick(7);
	expect_u64("value after 7 events", fw_value(c), 1007);
	expect_ok("stop", ctr_stop(c, 0));
	fw_tick(2);
	expect_u64("value, stopped", fw_value(c), 1007);
}

static void init_value_64(const struct test *t)
{
	const unsigned c = facts.fw_first;

	fw_take(c);
	expect_ok("start", ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 0xfedcba9876543210ull));
	expect_u64("value", fw_value(c), 0xfedcba9876543210ull);
	fw_tick(1);
	expect_u64("value after one event", fw_value(c), 0xfedcba9876543211ull);
	ctr_stop(c, 0);
	expect_ok("start", ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, UINT64_MAX));
	fw_tick(2);
	expect_u64("wrapped value", fw_value(c), 1);
}

/* Without SET_INIT_VALUE "the counter value will not be modified". */
static void keeps_value(const struct test *t)
{
	const unsigned c = facts.fw_first;

	fw_take(c);
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 50);
	fw_tick(3);
	ctr_stop(c, 0);
	fw_tick(5);
	expect_ok("start without a value", ctr_start(c, 0, 999));
	expect_u64("value", fw_value(c), 53);
	fw_tick(4);
	expect_u64("value after 4 more events", fw_value(c), 57);
}

static void already_started(const struct test *t)
{
	const unsigned c = facts.fw_first;

	fw_take(c);
	expect_ok("start", ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 10));
	fw_tick(1);
	expect_err("start", ctr_start(c, 0, 0), SBI_ERR_ALREADY_STARTED);
	expect_err("start with a value", ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 777),
		   SBI_ERR_ALREADY_STARTED);
	expect_u64("value of the running counter", fw_value(c), 11);
	fw_tick(1);
	expect_u64("value after one more event", fw_value(c), 12);
}

static void already_started_hw(const struct test *t)
{
	const unsigned c = first_ctr(facts.ovf_ctrs);

	ctr_config(c, 0, EV_CYCLES, 0);
	expect_ok("start", ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 0));
	expect_err("start", ctr_start(c, 0, 0), SBI_ERR_ALREADY_STARTED);
	expect_err("start with a value", ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, BITS64(50)),
		   SBI_ERR_ALREADY_STARTED);
	expect_range("value of the running counter", hw_value(c), 0, BITS64(49));
	if (facts.sscofpmf)
		expect(!(rt_scountovf() >> facts.csr[c] & 1), "scountovf says that it overflowed");
}

/* arg 0: the first of the set runs already; 1: the last. */
static void already_started_set(const struct test *t)
{
	rv_ulong base, mask;
	unsigned running = t->arg ? facts.fw_second : facts.fw_first;
	unsigned other = t->arg ? facts.fw_first : facts.fw_second;

	if (!fw_take_two(&base, &mask))
		return;
	ctr_start(running, SBI_PMU_START_SET_INIT_VALUE, 100);
	expect_err("start of both", pmu_start(base, mask, 0, 0), SBI_ERR_ALREADY_STARTED);
	expect_err("start of the one that ran", ctr_start(running, 0, 0), SBI_ERR_ALREADY_STARTED);
	expect_err("start of the other, again", ctr_start(other, 0, 0), SBI_ERR_ALREADY_STARTED);
}

/* Whether both count is tested in fwevent.c. */
static void set_of_two(const struct test *t)
{
	rv_ulong base, mask;

	if (!fw_take_two(&base, &mask))
		return;
	expect_ok("start of both", pmu_start(base, mask, 0, 0));
	expect_err("start of the first, again", ctr_start(facts.fw_first, 0, 0),
		   SBI_ERR_ALREADY_STARTED);
	expect_err("start of the second, again", ctr_start(facts.fw_second, 0, 0),
		   SBI_ERR_ALREADY_STARTED);
}

/* Hardware and firmware counters in one set, if one mask can hold both. */
static void set_mixed(const struct test *t)
{
	const unsigned c = last_ctr(facts.ovf_ctrs);
	const rv_ulong mask = 1 | (rv_ulong)1 << (facts.fw_first - c);

	if (c > facts.fw_first || facts.fw_first - c >= RV_XLEN) {
		skip_rest("the counters are too far apart");
		return;
	}
	ctr_config(c, 0, EV_CYCLES, 0);
	fw_take(facts.fw_first);
	expect_ok("start", pmu_start(c, mask, 0, 0));
	expect_err("hardware counter", ctr_start(c, 0, 0), SBI_ERR_ALREADY_STARTED);
	expect_err("firmware counter", ctr_start(facts.fw_first, 0, 0), SBI_ERR_ALREADY_STARTED);
	expect_ok("stop", pmu_stop(c, mask, 0));
}

static void hw_init_value(const struct test *t)
{
	const unsigned c = first_ctr(facts.ovf_ctrs);
	/* QEMU counts the halves of an RV32 counter separately: a carry needs an exact machine. */
	const uint64_t carry = facts.exact || RV_XLEN == 64 ? BITS64(32) - 1 : 0;
	const uint64_t init = facts.width[c] > 40 ? BITS64(40) + carry : 1000;

	ctr_config(c, 0, EV_CYCLES, 0);
	expect_ok("start", ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, init));
	spin(1000);
	expect_range("value", hw_value(c), init + 1, init + BITS64(36));
	expect_ok("stop", ctr_stop(c, 0));
}

/* On a machine that counts to the instruction: start, loop, stop. */
static void hw_exact(const struct test *t)
{
	int c = pmu_take(facts.ovf_ctrs, 0, EV_INSTRET);
	uint64_t v;

	expect_ok("start", ctr_start((unsigned)c, SBI_PMU_START_SET_INIT_VALUE, 500));
	spin(5000);
	expect_ok("stop", ctr_stop((unsigned)c, 0));
	v = hw_value((unsigned)c);
	expect_range("instructions of the loop", v - 500, 10000, 10100);
	spin(1000);
	expect_u64("stopped", hw_value((unsigned)c), v);
	expect_ok("start without a value", ctr_start((unsigned)c, 0, 0));
	spin(5000);
	ctr_stop((unsigned)c, 0);
	expect_range("instructions of both loops", hw_value((unsigned)c) - 500, 20000, 20200);
}

static void two_events(const struct test *t)
{
	int a = pmu_take(facts.hw, 0, EV_CYCLES);
	int b = pmu_take(facts.hw, 0, EV_INSTRET);
	uint64_t va, vb;

	if (a < 0 || b < 0) {
		skip_rest("no two counters");
		return;
	}
	expect_ok("start cycles", ctr_start((unsigned)a, SBI_PMU_START_SET_INIT_VALUE, 0));
	expect_ok("start instructions", ctr_start((unsigned)b, SBI_PMU_START_SET_INIT_VALUE, 0));
	va = hw_value((unsigned)a);
	vb = hw_value((unsigned)b);
	spin(100000);
	expect(hw_value((unsigned)a) > va, "cycles do not move");
	expect(hw_value((unsigned)b) > vb, "instructions do not move");
}

static void unmapped(const struct test *t)
{
	expect_err("start of a counter without an event", ctr_start(facts.fw_first, 0, 0),
		   SBI_ERR_INVALID_PARAM);
	expect_err("its stop", ctr_stop(facts.fw_first, 0), SBI_ERR_ALREADY_STOPPED);
}

static void empty(const struct test *t)
{
	expect_ok("start of no counter", pmu_start(0, 0, 0, 0));
	expect_ok("with a value", pmu_start(0, 0, SBI_PMU_START_SET_INIT_VALUE, 5));
}

static void init_value_set(const struct test *t)
{
	rv_ulong base, mask;

	if (fw_take_two(&base, &mask))
		expect_err("SET_INIT_VALUE for two counters",
			   pmu_start(base, mask, SBI_PMU_START_SET_INIT_VALUE, 5),
			   SBI_ERR_INVALID_PARAM);
}

static void both_flags(const struct test *t)
{
	fw_take(facts.fw_first);
	expect_refused("SET_INIT_VALUE and INIT_SNAPSHOT",
		       ctr_start(facts.fw_first, SBI_PMU_START_FLAG_ALL, 5));
}

static void no_shmem(const struct test *t)
{
	fw_take(facts.fw_first);
	expect_err("INIT_SNAPSHOT", ctr_start(facts.fw_first, SBI_PMU_START_FLAG_INIT_SNAPSHOT, 0),
		   SBI_ERR_NO_SHMEM);
	expect_err("the counter still stands", ctr_stop(facts.fw_first, 0),
		   SBI_ERR_ALREADY_STOPPED);
}

#define S  "SBI 3.0 §11.9"
#define PF (NEED_PMU | NEED_FW)
#define PH (NEED_PMU | NEED_HW)
static const struct test start_tests[] = {
	{ "a set with an invalid counter is INVALID_PARAM", S, invalid_sets, PF, 0 },
	{ "an index that get_info refuses is INVALID_PARAM", S, hole, NEED_PMU, 0 },
	{ "a refused call starts nothing", S, invalid_no_effect, PF | SOFT, 0 },
	{ "each reserved flag bit is INVALID_PARAM", S, flags_reserved, PF, 0 },
	{ "SET_INIT_VALUE sets the value", S, init_value, PF, 0 },
	{ "SET_INIT_VALUE sets all 64 bits, which wrap", S, init_value_64, PF, 0 },
	{ "without SET_INIT_VALUE the value stays", S, keeps_value, PF, 0 },
	{ "a running counter is ALREADY_STARTED and unchanged", S, already_started, PF, 0 },
	{ "a running hardware counter is ALREADY_STARTED and unchanged", S, already_started_hw,
	  PH | RETRY, 0 },
	{ "ALREADY_STARTED for the first of two, the other is started", S, already_started_set, PF,
	  0 },
	{ "ALREADY_STARTED for the last of two, the other is started", S, already_started_set, PF,
	  1 },
	{ "a set of two", S, set_of_two, PF, 0 },
	{ "hardware and firmware counters in one set", S, set_mixed, PF | PH, 0 },
	{ "SET_INIT_VALUE on a hardware counter", S, hw_init_value, PH, 0 },
	{ "instructions are counted exactly between start and stop", S, hw_exact, PH | NEED_EXACT,
	  0 },
	{ "cycles and instructions count at the same time", S, two_events, PH, 0 },
	{ "a counter without an event is INVALID_PARAM", S, unmapped, PF | SOFT, 0 },
	{ "an empty set succeeds", S, empty, NEED_PMU | SOFT, 0 },
	{ "SET_INIT_VALUE for two counters is INVALID_PARAM", S, init_value_set, PF | SOFT, 0 },
	{ "SET_INIT_VALUE and INIT_SNAPSHOT exclude each other", S, both_flags, PF, 0 },
	{ "INIT_SNAPSHOT without shared memory is NO_SHMEM", S, no_shmem, PF | NEED_V2, 0 },
};

const struct group group_start = { "start", start_tests, ARRAY_LEN(start_tests) };
