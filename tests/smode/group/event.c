/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * event.c - config_matching by event: numbers that are not events, reserved bits, raw events.
 *
 * Covers: SBI 3.0 §11 (event_idx), §11.1 to §11.5, §11.8 (NOT_SUPPORTED).
 */
#include "group.h"

struct range {
	const char *name;
	rv_ulong first, last, step;
};

/* Numbers for which SBI 3.0 defines no event. */
static const struct range no_event[] = {
	{ "SBI_PMU_HW_NO_EVENT", 0, 0, 1 },
	{ "general event beyond table 31", SBI_PMU_HW_COUNT, 0x40, 1 },
	{ "general event 0xffff", 0xffff, 0xffff, 1 },
	{ "cache id beyond table 32", 0x10038, 0x10080, 1 },
	{ "cache event 0x1ffff", 0x1ffff, 0x1ffff, 1 },
	{ "L1D with operation 3", 0x10006, 0x10007, 1 },
	{ "BPU with operation 3", 0x1002e, 0x1002f, 1 },
	{ "raw event with a code", 0x20001, 0x2000f, 1 },
	{ "raw v2 event with a code", 0x30001, 0x3000f, 1 },
	{ "types 4 to 14", 0x40000, 0xe0000, 0x10000 },
	{ "types 4 to 14, code 1", 0x40001, 0xe0001, 0x10000 },
	{ "reserved firmware event", EV_FW(SBI_PMU_FW_COUNT), EV_FW(255), 1 },
};

static void unknown(const struct test *t)
{
	const struct range *r = &no_event[t->arg];
	uint64_t all = facts.hw | facts.fw;

	for (rv_ulong e = r->first; e <= r->last; e += r->step) {
		for (unsigned base = 0; base < 64; base += RV_XLEN) {
			rv_ulong mask = (rv_ulong)(all >> base);
			struct sbiret ret = pmu_config(base, mask, 0, e, 0);

			if (!mask || ret.error == SBI_ERR_NOT_SUPPORTED)
				continue;
			deviation("event 0x%lx: got error %ld value %ld, expected -2",
				  (unsigned long)e, (long)ret.error, (long)ret.value);
			pmu_reset();
		}
	}
}

/* event_idx has 20 bits; a number with higher bits is not an event. */
static void high_bits(const struct test *t)
{
	for (unsigned bit = 20; bit < RV_XLEN; bit++) {
		rv_ulong high = (rv_ulong)1 << bit;

		if (!ctr_config(facts.fw_first, 0, EV_SET_TIMER | high, 0).error)
			deviation("firmware event with bit %u is accepted", bit);
		pmu_reset();
		if (pmu_take(facts.hw, 0, EV_CYCLES | high) >= 0)
			deviation("cycles with bit %u is accepted", bit);
		pmu_reset();
	}
}

static void high_bits_code(const struct test *t)
{
	for (unsigned bit = 20; bit < RV_XLEN; bit++)
		expect_err("event_idx with a bit above 19",
			   ctr_config(facts.fw_first, 0, EV_SET_TIMER | (rv_ulong)1 << bit, 0),
			   SBI_ERR_NOT_SUPPORTED);
}

/*
 * "all non-zero values of event_data are reserved": they have no meaning, so none can be counted.
 */
static void data_reserved(const struct test *t)
{
	static const uint64_t data[] = { 1, 0x80000000, 1ull << 32, 1ull << 63 };
	const unsigned c = first_ctr(facts.cycles_ctrs);

	for (unsigned i = 0; i < ARRAY_LEN(data); i++) {
		expect_err("cycles with event_data", ctr_config(c, 0, EV_CYCLES, data[i]),
			   SBI_ERR_NOT_SUPPORTED);
		expect_err("SET_TIMER with event_data",
			   ctr_config(facts.fw_first, 0, EV_SET_TIMER, data[i]),
			   SBI_ERR_NOT_SUPPORTED);
		pmu_reset();
	}
}

/* Every event of tables 31 and 32 to 34: a counter of the set or NOT_SUPPORTED. */
static void sweep_hw(const struct test *t)
{
	unsigned supported = 0;

	for (rv_ulong e = 1; e < 0x10040; e = e == SBI_PMU_HW_COUNT - 1 ? 0x10000 : e + 1) {
		rv_ulong mask = (rv_ulong)facts.hw;
		struct sbiret r = pmu_config(0, mask, 0, e, 0);

		if (!mask)
			break;
		if (r.error ? r.error != SBI_ERR_NOT_SUPPORTED
			    : r.value > 63 || !(facts.hw & BITS64(r.value)))
			deviation("event 0x%lx: error %ld value %ld", (unsigned long)e,
				  (long)r.error, (long)r.value);
		supported += !r.error;
		if (!r.error)
			ctr_stop(r.value, SBI_PMU_STOP_FLAG_RESET);
	}
	note("general and cache events that can be counted", supported);
}

static void sweep_fw(const struct test *t)
{
	for (unsigned code = 0; code < SBI_PMU_FW_COUNT; code++) {
		if (ctr_config(facts.fw_first, 0, EV_FW(code), 0).error)
			deviation("firmware event %u is not supported", code);
		ctr_stop(facts.fw_first, SBI_PMU_STOP_FLAG_RESET);
	}
}

/* This project's firmware has three events of its own and no more (holter-fw(7)). */
static void own_fw_events(const struct test *t)
{
	static const unsigned none[] = { 255, 259, 260, 511, 512, 0x8000, 65534 };

	if (facts.impl != SBI_IMPL_HOLTER) {
		skip_rest("this is not this project's firmware");
		return;
	}
	for (unsigned code = SBI_PMU_FW_IMPL_FIRST; code <= 258; code++) {
		expect_ret("one of the firmware's own events",
			   ctr_config(facts.fw_first, 0, EV_FW(code), 0), SBI_SUCCESS,
			   facts.fw_first);
		ctr_stop(facts.fw_first, SBI_PMU_STOP_FLAG_RESET);
	}
	for (unsigned i = 0; i < ARRAY_LEN(none); i++)
		expect_err("a code past them", ctr_config(facts.fw_first, 0, EV_FW(none[i]), 0),
			   SBI_ERR_NOT_SUPPORTED);
}

/*
 * Raw events with many values of data, also with OF and the filter bits.  If the event is accepted,
 * its counter must not read as overflowed before it starts: the upper bits of mhpmevent (16 for
 * type 2, 8 for type 3) belong to the implementation.
 */
static void raw_upper(const struct test *t)
{
	static const uint64_t low[] = { 0, 1, 2, 0x10019, 0xffff };
	unsigned taken = 0;

	for (unsigned i = 0; i < ARRAY_LEN(low); i++) {
		for (unsigned bit = 47; bit < 64; bit++) {
			struct sbiret r = pmu_config(0, (rv_ulong)facts.hw, 0, t->arg,
						     low[i] | BITS64(bit));

			if (r.error) {
				if (r.error != SBI_ERR_NOT_SUPPORTED)
					deviation("bit %u: error %ld", bit, (long)r.error);
				continue;
			}
			taken++;
			/* Some leave OF set until the start; overflow.c tests that. */
			ctr_start(r.value, SBI_PMU_START_SET_INIT_VALUE, 0);
			if (facts.sscofpmf && rt_scountovf() >> facts.csr[r.value & 63] & 1)
				deviation("bit %u of event_data set OF", bit);
			ctr_stop(r.value, SBI_PMU_STOP_FLAG_RESET);
		}
	}
	note("accepted", taken);
}

static const struct test event_tests[] = {
	{ "SBI_PMU_HW_NO_EVENT is NOT_SUPPORTED", "SBI 3.0 §11.1, §11.8", unknown, NEED_PMU, 0 },
	{ "general events past table 31 are NOT_SUPPORTED", "SBI 3.0 §11.1, §11.8", unknown,
	  NEED_PMU, 1 },
	{ "general event 0xffff is NOT_SUPPORTED", "SBI 3.0 §11.1, §11.8", unknown, NEED_PMU, 2 },
	{ "cache ids past table 32 are NOT_SUPPORTED", "SBI 3.0 §11.2, §11.8", unknown, NEED_PMU,
	  3 },
	{ "cache event 0x1ffff is NOT_SUPPORTED", "SBI 3.0 §11.2, §11.8", unknown, NEED_PMU, 4 },
	{ "L1D with operation 3 is NOT_SUPPORTED", "SBI 3.0 §11.2, §11.8", unknown, NEED_PMU, 5 },
	{ "BPU with operation 3 is NOT_SUPPORTED", "SBI 3.0 §11.2, §11.8", unknown, NEED_PMU, 6 },
	{ "raw events with a code are NOT_SUPPORTED", "SBI 3.0 §11.3, §11.8", unknown, NEED_PMU,
	  7 },
	{ "raw v2 events with a code are NOT_SUPPORTED", "SBI 3.0 §11.4, §11.8", unknown, NEED_PMU,
	  8 },
	{ "types 4 to 14 are NOT_SUPPORTED", "SBI 3.0 §11 table 30, §11.8", unknown, NEED_PMU, 9 },
	{ "types 4 to 14 with a code are NOT_SUPPORTED", "SBI 3.0 §11 table 30, §11.8", unknown,
	  NEED_PMU, 10 },
	{ "reserved firmware events are NOT_SUPPORTED", "SBI 3.0 §11.5, §11.8", unknown, NEED_PMU,
	  11 },
	{ "event_idx with a bit above 19 is refused", "SBI 3.0 §11, §11.8", high_bits,
	  NEED_PMU | NEED_FW, 0 },
	{ "event_idx with a bit above 19 is NOT_SUPPORTED", "SBI 3.0 §11, §11.8", high_bits_code,
	  NEED_PMU | NEED_FW | SOFT, 0 },
	{ "reserved event_data is NOT_SUPPORTED", "SBI 3.0 §11.1, §11.5", data_reserved,
	  NEED_PMU | NEED_FW | NEED_HW | SOFT, 0 },
	{ "general and cache events: a hardware counter or NOT_SUPPORTED", "SBI 3.0 §11.8",
	  sweep_hw, NEED_PMU, 0 },
	{ "every firmware event can be counted", "SBI 3.0 §11.5 table 35", sweep_fw,
	  NEED_PMU | NEED_FW | SOFT, 0 },
	{ "the firmware has no events after its own", "SBI 3.0 §11.5", own_fw_events,
	  NEED_PMU | NEED_FW, 0 },
	{ "raw event data reaches neither OF nor filters", "SBI 3.0 §11.3", raw_upper, NEED_PMU,
	  SBI_PMU_EIDX(SBI_PMU_TYPE_RAW, 0) },
	{ "raw v2 event data reaches neither OF nor filters", "SBI 3.0 §11.4", raw_upper, NEED_PMU,
	  SBI_PMU_EIDX(SBI_PMU_TYPE_RAW_V2, 0) },
};

const struct group group_event = { "event", event_tests, ARRAY_LEN(event_tests) };
