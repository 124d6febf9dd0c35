/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * config.c - counter_config_matching: sets and flags.  Events are in event.c.
 *
 * Covers: SBI 3.0 §11.8.
 */
#include "group.h"

/* arg: the event. */
static void sets_invalid(const struct test *t)
{
	struct bad_set s[16];
	unsigned n = bad_sets(s, 16);

	for (unsigned i = 0; i < n; i++) {
		expect_err(s[i].name, pmu_config(s[i].base, s[i].mask, 0, t->arg, 0),
			   SBI_ERR_INVALID_PARAM);
		pmu_reset();
	}
}

static void config_hole(unsigned c)
{
	expect_err("that counter alone", ctr_config(c, 0, EV_CYCLES, 0), SBI_ERR_INVALID_PARAM);
	if (c && (facts.hw | facts.fw) & BITS64(c - 1))
		expect_err("it and the one before", pmu_config(c - 1, 3, 0, EV_CYCLES, 0),
			   SBI_ERR_INVALID_PARAM);
	pmu_reset();
}

static void set_with_hole(const struct test *t)
{
	each_hole(config_hole);
}

static void set_empty(const struct test *t)
{
	expect_refused("cycles", pmu_config(0, 0, 0, EV_CYCLES, 0));
	expect_refused("cycles, SKIP_MATCH",
		       pmu_config(0, 0, SBI_PMU_CFG_FLAG_SKIP_MATCH, EV_CYCLES, 0));
	expect_refused("firmware event", pmu_config(0, 0, 0, EV_SET_TIMER, 0));
}

/* Every set of one counter, three events: the result is that counter or NOT_SUPPORTED. */
static void set_single(const struct test *t)
{
	static const rv_ulong events[] = { EV_CYCLES, EV_INSTRET, EV_SET_TIMER };

	for (unsigned c = 0; c < 64; c++) {
		if (!((facts.hw | facts.fw) & BITS64(c)))
			continue;
		for (unsigned e = 0; e < ARRAY_LEN(events); e++) {
			struct sbiret r = ctr_config(c, 0, events[e], 0);

			if (r.error ? r.error != SBI_ERR_NOT_SUPPORTED : r.value != c)
				deviation("counter %u, event 0x%lx: error %ld value %ld", c,
					  (unsigned long)events[e], (long)r.error, (long)r.value);
			if (!r.error)
				pmu_reset();
		}
	}
}

/* The same set of one counter, written with every base and mask that can name it. */
static void set_bases(const struct test *t)
{
	for (unsigned c = 0; c < 64; c++) {
		rv_ulong eidx = facts.fw & BITS64(c) ? EV_SET_TIMER : EV_CYCLES;

		if (!((facts.fw | facts.ovf_ctrs) & BITS64(c)))
			continue;
		for (unsigned bit = 0; bit <= c && bit < RV_XLEN; bit += 3) {
			struct sbiret r = pmu_config(c - bit, (rv_ulong)1 << bit, 0, eidx, 0);

			if (r.error || r.value != c)
				deviation("base %u, mask 1 << %u: error %ld value %ld", c - bit,
					  bit, (long)r.error, (long)r.value);
			ctr_stop(c, SBI_PMU_STOP_FLAG_RESET);
		}
	}
}

/* Sets of two neighbours, from every base. */
static void set_pairs(const struct test *t)
{
	for (unsigned c = 0; c < 63; c++) {
		struct sbiret r;

		if (((facts.hw | facts.fw) >> c & 3) != 3)
			continue;
		r = pmu_config(c, 3, 0, EV_SET_TIMER, 0);
		if (!r.error && (r.value - c > 1 || !(facts.fw & BITS64(r.value))))
			deviation("counters %u and %u: value %lu", c, c + 1,
				  (unsigned long)r.value);
		pmu_reset();
		r = pmu_config(c, 3, 0, EV_CYCLES, 0);
		if (!r.error && (r.value - c > 1 || !(facts.hw & BITS64(r.value))))
			deviation("counters %u and %u: value %lu", c, c + 1,
				  (unsigned long)r.value);
		pmu_reset();
	}
}

static void wrong_kind(const struct test *t)
{
	for (unsigned c = 0; c < 64; c++) {
		if (facts.fw & BITS64(c))
			expect_err("cycles on a firmware counter", ctr_config(c, 0, EV_CYCLES, 0),
				   SBI_ERR_NOT_SUPPORTED);
		if (facts.hw & BITS64(c))
			expect_err("SET_TIMER on a hardware counter",
				   ctr_config(c, 0, EV_SET_TIMER, 0), SBI_ERR_NOT_SUPPORTED);
		pmu_reset();
	}
}

static void flags_reserved(const struct test *t)
{
	for (unsigned bit = 8; bit < RV_XLEN; bit++) {
		for (unsigned with = 0; with < 2; with++) {
			rv_ulong flags = (rv_ulong)1 << bit |
					 (with ? SBI_PMU_CFG_FLAG_ALL & ~SBI_PMU_CFG_FLAG_SKIP_MATCH
					       : 0);
			struct sbiret r = ctr_config(facts.fw_first, flags, EV_SET_TIMER, 0);

			if (r.error != SBI_ERR_INVALID_PARAM)
				deviation("flags 0x%lx: got error %ld value %ld, expected -3",
					  (unsigned long)flags, (long)r.error, (long)r.value);
			pmu_reset();
		}
	}
}

static void flags_filters(const struct test *t)
{
	const unsigned c = first_ctr(facts.cycles_ctrs);

	for (rv_ulong f = 0; f <= SBI_PMU_CFG_FLAG_FILTER; f += SBI_PMU_CFG_FLAG_SET_VUINH) {
		struct sbiret r = ctr_config(c, f, EV_CYCLES, 0);

		if (r.error || r.value != c)
			deviation("flags 0x%lx: got error %ld, expected counter %u",
				  (unsigned long)f, (long)r.error, c);
		pmu_reset();
		expect_ok("filters on a firmware event",
			  ctr_config(facts.fw_first, f, EV_SET_TIMER, 0));
		pmu_reset();
	}
}

static void clear_value(const struct test *t)
{
	const unsigned c = facts.fw_first;

	if (!fw_take(c))
		return;
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 1000);
	ctr_stop(c, SBI_PMU_STOP_FLAG_RESET);
	expect_ok("config with CLEAR_VALUE",
		  ctr_config(c, SBI_PMU_CFG_FLAG_CLEAR_VALUE, EV_SET_TIMER, 0));
	expect_u64("value", fw_value(c), 0);
	expect_ok("start", ctr_start(c, 0, 0));
	fw_tick(2);
	expect_u64("value after 2 events", fw_value(c), 2);
}

static void clear_value_hw(const struct test *t)
{
	const unsigned c = first_ctr(facts.ovf_ctrs);

	ctr_config(c, 0, EV_CYCLES, 0);
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, BITS64(40));
	ctr_stop(c, SBI_PMU_STOP_FLAG_RESET);
	expect_ok("config with CLEAR_VALUE",
		  ctr_config(c, SBI_PMU_CFG_FLAG_CLEAR_VALUE, EV_CYCLES, 0));
	expect_range("counter", hw_value(c), 0, BITS64(39));
}

static void auto_start(const struct test *t)
{
	const unsigned c = facts.fw_first;

	expect_ok("config with AUTO_START and CLEAR_VALUE",
		  ctr_config(c, SBI_PMU_CFG_FLAG_AUTO_START | SBI_PMU_CFG_FLAG_CLEAR_VALUE,
			     EV_SET_TIMER, 0));
	fw_tick(3);
	expect_u64("value after 3 events", fw_value(c), 3);
	expect_err("start", ctr_start(c, 0, 0), SBI_ERR_ALREADY_STARTED);
	expect_ok("stop", ctr_stop(c, 0));
	fw_tick(2);
	expect_u64("value after stop", fw_value(c), 3);
}

static void auto_start_hw(const struct test *t)
{
	const unsigned c = first_ctr(facts.ovf_ctrs);
	uint64_t v;

	expect_ok("config with AUTO_START and CLEAR_VALUE",
		  ctr_config(c, SBI_PMU_CFG_FLAG_AUTO_START | SBI_PMU_CFG_FLAG_CLEAR_VALUE,
			     EV_CYCLES, 0));
	v = hw_value(c);
	spin(10000);
	expect(hw_value(c) > v, "the counter does not move");
	expect_err("start", ctr_start(c, 0, 0), SBI_ERR_ALREADY_STARTED);
	expect_ok("stop", ctr_stop(c, 0));
	expect_err("stop again", ctr_stop(c, 0), SBI_ERR_ALREADY_STOPPED);
}

/* "AUTO_START ... has no impact on the counter value." */
static void auto_start_value(const struct test *t)
{
	const unsigned c = facts.fw_first;

	if (!fw_take(c))
		return;
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 1000);
	ctr_stop(c, 0);
	expect_ok("config with SKIP_MATCH and AUTO_START",
		  ctr_config(c, SBI_PMU_CFG_FLAG_SKIP_MATCH | SBI_PMU_CFG_FLAG_AUTO_START,
			     EV_SET_TIMER, 0));
	expect_u64("value", fw_value(c), 1000);
	fw_tick(1);
	expect_u64("value after one event", fw_value(c), 1001);
}

static void no_auto_start(const struct test *t)
{
	const unsigned c = facts.fw_first;

	expect_ok("config with CLEAR_VALUE",
		  ctr_config(c, SBI_PMU_CFG_FLAG_CLEAR_VALUE, EV_SET_TIMER, 0));
	fw_tick(3);
	expect_u64("value of a counter that was never started", fw_value(c), 0);
	expect_err("stop", ctr_stop(c, 0), SBI_ERR_ALREADY_STOPPED);
}

static void skip_match(const struct test *t)
{
	const unsigned c = facts.fw_first;

	expect_ret("SKIP_MATCH, a free counter",
		   ctr_config(c, SBI_PMU_CFG_FLAG_SKIP_MATCH, EV_SET_TIMER, 0), SBI_SUCCESS, c);
	expect_ok("start", ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 10));
	fw_tick(2);
	expect_u64("value", fw_value(c), 12);
}

/* A configured counter may be named again; its value stays or is cleared, as the flag says. */
static void skip_match_mapped(const struct test *t)
{
	const unsigned c = facts.fw_first;

	if (!fw_take(c))
		return;
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 1000);
	ctr_stop(c, 0);
	expect_ret("SKIP_MATCH", ctr_config(c, SBI_PMU_CFG_FLAG_SKIP_MATCH, EV_SET_TIMER, 0),
		   SBI_SUCCESS, c);
	expect_ret("SKIP_MATCH and CLEAR_VALUE",
		   ctr_config(c, SBI_PMU_CFG_FLAG_SKIP_MATCH | SBI_PMU_CFG_FLAG_CLEAR_VALUE,
			      EV_SET_TIMER, 0),
		   SBI_SUCCESS, c);
	expect_u64("value", fw_value(c), 0);
	expect_ok("start", ctr_start(c, 0, 0));
	fw_tick(1);
	expect_u64("value after one event", fw_value(c), 1);
}

/* SKIP_MATCH with another event: the counter counts that event from now on. */
static void skip_match_event(const struct test *t)
{
	const unsigned c = facts.fw_first;

	expect_ok("config for IPI_SENT", ctr_config(c, 0, EV_FW(SBI_PMU_FW_IPI_SENT), 0));
	expect_ret("SKIP_MATCH for SET_TIMER",
		   ctr_config(c, SBI_PMU_CFG_FLAG_SKIP_MATCH, EV_SET_TIMER, 0), SBI_SUCCESS, c);
	expect_ok("start", ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 0));
	fw_tick(4);
	expect_u64("set_timer calls", fw_value(c), 4);
}

static void skip_match_first(const struct test *t)
{
	const unsigned a = facts.fw_first, gap = facts.fw_second - facts.fw_first;
	const rv_ulong mask = 1 | (rv_ulong)1 << gap;

	/* Both are mapped, because some implementations require it. */
	if (!fw_take(a) || !fw_take(facts.fw_second))
		return;
	expect_ret("both", pmu_config(a, mask, SBI_PMU_CFG_FLAG_SKIP_MATCH, EV_SET_TIMER, 0),
		   SBI_SUCCESS, a);
	expect_ret("base below the first",
		   pmu_config(a - 1, mask << 1, SBI_PMU_CFG_FLAG_SKIP_MATCH, EV_SET_TIMER, 0),
		   SBI_SUCCESS, a);
	expect_ret("the second alone",
		   pmu_config(a, mask - 1, SBI_PMU_CFG_FLAG_SKIP_MATCH, EV_SET_TIMER, 0),
		   SBI_SUCCESS, facts.fw_second);
}

static void skip_match_kind(const struct test *t)
{
	const unsigned f = facts.fw_first;
	const unsigned c = first_ctr(facts.ovf_ctrs);
	const rv_ulong flags = SBI_PMU_CFG_FLAG_SKIP_MATCH | SBI_PMU_CFG_FLAG_CLEAR_VALUE |
			       SBI_PMU_CFG_FLAG_AUTO_START;

	expect_refused("cycles on a free firmware counter", ctr_config(f, flags, EV_CYCLES, 0));
	expect_refused("SET_TIMER on a free hardware counter",
		       ctr_config(c, flags, EV_SET_TIMER, 0));
	pmu_reset();
	fw_take(f);
	ctr_config(c, 0, EV_CYCLES, 0);
	expect_refused("cycles on a mapped firmware counter", ctr_config(f, flags, EV_CYCLES, 0));
	expect_refused("SET_TIMER on a mapped hardware counter",
		       ctr_config(c, flags, EV_SET_TIMER, 0));
}

/* The implementation may refuse; a refusal must not disturb the running counter. */
static void skip_match_started(const struct test *t)
{
	const unsigned c = facts.fw_first;

	if (!fw_take(c))
		return;
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 100);
	expect_err("SKIP_MATCH on a started counter",
		   ctr_config(c, SBI_PMU_CFG_FLAG_SKIP_MATCH | SBI_PMU_CFG_FLAG_CLEAR_VALUE,
			      EV_FW(SBI_PMU_FW_IPI_SENT), 0),
		   SBI_ERR_NOT_SUPPORTED);
	fw_tick(1);
	expect_u64("value of the running counter", fw_value(c), 101);
}

static void started_not_matched(const struct test *t)
{
	const unsigned f = facts.fw_first;
	const unsigned c = first_ctr(facts.ovf_ctrs);

	expect_ok("first", ctr_config(f, SBI_PMU_CFG_FLAG_AUTO_START, EV_SET_TIMER, 0));
	expect_err("second, firmware counter", ctr_config(f, 0, EV_SET_TIMER, 0),
		   SBI_ERR_NOT_SUPPORTED);
	expect_ok("first", ctr_config(c, SBI_PMU_CFG_FLAG_AUTO_START, EV_CYCLES, 0));
	expect_err("second, hardware counter", ctr_config(c, 0, EV_CYCLES, 0),
		   SBI_ERR_NOT_SUPPORTED);
}

/* Linux configures one event after the other and starts them later. */
static void mapped_not_free(const struct test *t)
{
	const unsigned c = facts.fw_first;
	int a, b;

	expect_ok("first", ctr_config(c, 0, EV_SET_TIMER, 0));
	expect_err("second", ctr_config(c, 0, EV_FW(SBI_PMU_FW_IPI_SENT), 0),
		   SBI_ERR_NOT_SUPPORTED);
	a = pmu_take(facts.hw, 0, EV_CYCLES);
	b = pmu_take(facts.hw, 0, EV_CYCLES);
	expect(a < 0 || a != b, "two events on one hardware counter");
	ctr_stop(c, SBI_PMU_STOP_FLAG_RESET);
	expect_ok("after STOP with RESET", ctr_config(c, 0, EV_FW(SBI_PMU_FW_IPI_SENT), 0));
}

/* Each counter that can count the event is returned once, then NOT_SUPPORTED. */
static void exhaust(uint64_t ctrs, rv_ulong eidx)
{
	uint64_t seen = 0;

	for (unsigned i = 0; i <= 64; i++) {
		int c = pmu_take(ctrs, SBI_PMU_CFG_FLAG_AUTO_START, eidx);

		if (c < 0)
			break;
		if (c > 63 || !(ctrs & BITS64(c)) || seen & BITS64(c)) {
			deviation("event 0x%lx: counter %d %s", (unsigned long)eidx, c,
				  c < 64 && seen & BITS64(c) ? "handed out twice"
							     : "is not in the set");
			break;
		}
		seen |= BITS64(c);
	}
	expect_u64("counters handed out", seen, ctrs);
}

static void exhaust_fw(const struct test *t)
{
	exhaust(facts.fw, EV_SET_TIMER);
}

/* Not the fixed counter: it cannot overflow, so an implementation may withhold it. */
static void exhaust_cycles(const struct test *t)
{
	exhaust(facts.ovf_ctrs, EV_CYCLES);
}

/* Index of the hardware counter with that CSR, or -1. */
static int by_csr(unsigned csr)
{
	for (unsigned c = 0; c < 64; c++)
		if (facts.hw & BITS64(c) && facts.csr[c] == csr)
			return (int)c;
	return -1;
}

static void fixed(const struct test *t)
{
	int c = by_csr(t->arg);
	rv_ulong eidx = t->arg ? EV_INSTRET : EV_CYCLES;

	if (c < 0) {
		skip_rest("not among the counters");
		return;
	}
	expect_ret("the fixed counter by name", ctr_config((unsigned)c, 0, eidx, 0), SBI_SUCCESS,
		   (unsigned)c);
	expect_ok("start", ctr_start((unsigned)c, SBI_PMU_START_SET_INIT_VALUE, 1000));
	spin(10000);
	expect_range("value", hw_value((unsigned)c), 1001, BITS64(40));
	expect_ok("stop", ctr_stop((unsigned)c, SBI_PMU_STOP_FLAG_RESET));
	eidx = t->arg ? EV_CYCLES : EV_INSTRET;
	expect_refused("another event on it", ctr_config((unsigned)c, 0, eidx, 0));
}

/*
 * Only a programmable counter can overflow and filter, and the call does not tell who will sample.
 */
static void prefers_programmable(const struct test *t)
{
	int c = pmu_take(facts.hw, 0, EV_CYCLES);
	int i = pmu_take(facts.hw, 0, EV_INSTRET);

	expect(c >= 0 && facts.csr[c] >= COUNTER_HPM_FIRST, "cycles went to a fixed counter");
	expect(i >= 0 && facts.csr[i] >= COUNTER_HPM_FIRST, "instret went to a fixed counter");
}

#define S  "SBI 3.0 §11.8"
#define PF (NEED_PMU | NEED_FW)
#define PH (NEED_PMU | NEED_HW)
static const struct test config_tests[] = {
	{ "a set with an invalid counter is INVALID_PARAM (cycles)", S, sets_invalid, NEED_PMU,
	  EV_CYCLES },
	{ "a set with an invalid counter is INVALID_PARAM (firmware event)", S, sets_invalid,
	  NEED_PMU, EV_SET_TIMER },
	{ "an index that get_info refuses is INVALID_PARAM", S, set_with_hole, NEED_PMU, 0 },
	{ "an empty set is refused", S, set_empty, NEED_PMU, 0 },
	{ "a set of one: that counter or NOT_SUPPORTED", S, set_single, NEED_PMU, 0 },
	{ "base and mask name the same set for any base", S, set_bases, NEED_PMU, 0 },
	{ "a set of two: no counter outside it", S, set_pairs, NEED_PMU, 0 },
	{ "counter and event of different kinds are NOT_SUPPORTED", S, wrong_kind, NEED_PMU, 0 },
	{ "each reserved flag bit is INVALID_PARAM", S, flags_reserved, PF, 0 },
	{ "every combination of filter flags is accepted", S, flags_filters, PF | PH, 0 },
	{ "CLEAR_VALUE zeroes a firmware counter", S, clear_value, PF, 0 },
	{ "CLEAR_VALUE zeroes a hardware counter", S, clear_value_hw, PH, 0 },
	{ "AUTO_START starts a firmware counter", S, auto_start, PF, 0 },
	{ "AUTO_START starts a hardware counter", S, auto_start_hw, PH, 0 },
	{ "AUTO_START leaves the value", S, auto_start_value, PF, 0 },
	{ "without AUTO_START nothing starts", S, no_auto_start, PF, 0 },
	{ "SKIP_MATCH selects and configures a free counter", S, skip_match, PF, 0 },
	{ "SKIP_MATCH on a configured counter", S, skip_match_mapped, PF, 0 },
	{ "SKIP_MATCH changes the event", S, skip_match_event, PF, 0 },
	{ "SKIP_MATCH selects the first of the set", S, skip_match_first, PF, 0 },
	{ "SKIP_MATCH with counter and event of different kinds", S, skip_match_kind, PF | PH, 0 },
	{ "SKIP_MATCH on a started counter is NOT_SUPPORTED", S, skip_match_started, PF | SOFT, 0 },
	{ "a started counter is not matched", S, started_not_matched, PF | PH, 0 },
	{ "a stopped but configured counter is not free", S, mapped_not_free, PF | PH | SOFT, 0 },
	{ "firmware counters: each once, then NOT_SUPPORTED", S, exhaust_fw, PF, 0 },
	{ "cycles: each programmable counter once, then NOT_SUPPORTED", S, exhaust_cycles, PH, 0 },
	{ "cycles on the cycle counter if the set names it alone", "SBI 3.0 §11.1, §11.8", fixed,
	  NEED_PMU, COUNTER_CY },
	{ "instructions on instret if the set names it alone", "SBI 3.0 §11.1, §11.8", fixed,
	  NEED_PMU, COUNTER_IR },
	{ "cycles and instructions go to counters that can overflow", S, prefers_programmable,
	  PH | NEED_OVF | SOFT, 0 },
};

const struct group group_config = { "config_matching", config_tests, ARRAY_LEN(config_tests) };
