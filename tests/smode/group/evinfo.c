/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * evinfo.c - event_get_info.
 *
 * Covers: SBI 3.0 §11.14, §3.2 (addresses).
 */
#include "group.h"

struct entry {
	uint32_t idx, output;
	uint64_t data;
};

#define PAGE ((rv_ulong)shared[1])
#define JUNK 0xffffffff

static struct entry *entries(void)
{
	return (struct entry *)shared[1];
}

static void put_entry(unsigned i, rv_ulong idx, uint64_t data)
{
	entries()[i] = (struct entry){ (uint32_t)idx, JUNK, data };
}

static void fill(void)
{
	canary_fill();
	for (unsigned i = 0; i < 256; i++)
		put_entry(i, EV_CYCLES, 0);
}

static void untouched(const char *what)
{
	for (unsigned i = 0; i < 256; i++)
		if (entries()[i].output != JUNK)
			deviation("%s: entry %u was written", what, i);
	expect(canary_ok(), "memory outside the page was overwritten");
}

static void writes_output(const struct test *t)
{
	fill();
	put_entry(1, EV_SET_TIMER, 0);
	put_entry(2, 0, 0);
	put_entry(3, 0x0ffff, 0);
	expect_ok("call", pmu_event_info(PAGE, 0, 4, 0));
	expect_u64("cycles", entries()[0].output, facts.cycles_ctrs != 0);
	expect_u64("SET_TIMER", entries()[1].output, facts.fw_second != 0);
	expect_u64("no event", entries()[2].output, 0);
	expect_u64("event 0xffff", entries()[3].output, 0);
	expect_u64("the entry past the last", entries()[4].output, JUNK);
	expect_u64("event_idx of the first", entries()[0].idx, EV_CYCLES);
	expect_u64("event_data of the first", entries()[0].data, 0);
	expect(canary_ok(), "memory outside the page was overwritten");
}

static void no_entries(const struct test *t)
{
	fill();
	expect_ok("num_entries 0", pmu_event_info(PAGE, 0, 0, 0));
	untouched("num_entries 0");
}

static void flags(const struct test *t)
{
	fill();
	for (unsigned bit = 0; bit < RV_XLEN; bit++)
		expect_err("reserved flag", pmu_event_info(PAGE, 0, 1, (rv_ulong)1 << bit),
			   SBI_ERR_INVALID_PARAM);
	untouched("reserved flag");
}

static void misaligned(const struct test *t)
{
	fill();
	for (rv_ulong off = 1; off < 16; off++)
		expect_err("misaligned address", pmu_event_info(PAGE + off, 0, 1, 0),
			   SBI_ERR_INVALID_PARAM);
	untouched("misaligned address");
}

static void reserved_idx(const struct test *t)
{
	for (unsigned bit = 20; bit < 32; bit++) {
		fill();
		put_entry(0, EV_CYCLES | 1u << bit, 0);
		expect_err("a reserved bit of event_idx", pmu_event_info(PAGE, 0, 1, 0),
			   SBI_ERR_INVALID_PARAM);
	}
	fill();
	put_entry(2, EV_CYCLES | 1u << 31, 0);
	expect_err("a reserved bit in the third of three", pmu_event_info(PAGE, 0, 3, 0),
		   SBI_ERR_INVALID_PARAM);
}

static void reserved_idx_no_effect(const struct test *t)
{
	fill();
	put_entry(2, EV_CYCLES | 1u << 31, 0);
	pmu_event_info(PAGE, 0, 3, 0);
	untouched("a refused call");
}

static void address(const struct test *t)
{
	const rv_ulong fw = (rv_ulong)rt_boot.ram_base;
	const uint64_t end = rt_boot.ram_base + rt_boot.ram_size;
	const struct {
		const char *name;
		rv_ulong lo, hi, n;
	} bad[] = {
		{ "the firmware's first page", fw, 0, 1 },
		{ "the firmware's second page", fw + 4096, 0, 1 },
		{ "upper half not zero", PAGE, 1, 1 },
		{ "upper half all ones", PAGE, (rv_ulong)-1, 1 },
		{ "both halves all ones but for alignment", (rv_ulong)-16, (rv_ulong)-1, 1 },
		{ "the last entry of the address space", (rv_ulong)-16, 0, 1 },
		{ "past the end of the address space", (rv_ulong)-16, 0, 2 },
		{ "the first entry past RAM", (rv_ulong)end, 0, 1 },
		{ "the last of RAM and one past it", (rv_ulong)end - 16, 0, 2 },
		{ "address 0", 0, 0, 1 },
	};

	if (RV_XLEN == 32 && end >> 32 && (t->arg == 7 || t->arg == 8)) {
		skip_rest("RAM reaches the end of the address space");
		return;
	}
	fill();
	expect_err(bad[t->arg].name,
		   pmu_event_info(bad[t->arg].lo, bad[t->arg].hi, bad[t->arg].n, 0),
		   SBI_ERR_INVALID_ADDRESS);
	untouched(bad[t->arg].name);
}

/*
 * Values of num_entries for which num_entries * 16 wraps or is larger than RAM: an error is
 * required.
 */
static void wraps(const struct test *t)
{
	const rv_ulong top = (rv_ulong)1 << (RV_XLEN - 4);
	const rv_ulong n[] = { top, top + 1, top * 2, (rv_ulong)-1, top * 15, (rv_ulong)-1 >> 4 };

	for (unsigned i = 0; i < ARRAY_LEN(n); i++) {
		fill();
		expect_refused("num_entries * 16 that wraps", pmu_event_info(PAGE, 0, n[i], 0));
		untouched("num_entries * 16 that wraps");
	}
}

static void too_far(const struct test *t)
{
	uint64_t room = rt_boot.ram_base + rt_boot.ram_size - PAGE;

	fill();
	expect_refused("one entry more than RAM holds",
		       pmu_event_info(PAGE, 0, (rv_ulong)(room / 16 + 1), 0));
	untouched("one entry more than RAM holds");
}

/*
 * A call over all of RAM may be refused or carried out, but must not keep M-mode busy for long,
 * since interrupts are off.  The bound is generous: 20 ms.
 */
static void bounded(const struct test *t)
{
	uint64_t free_base = (PAGE + 0x400000) & ~(uint64_t)0xfffff;
	uint64_t bytes = 32 << 20;
	uint64_t begin;
	struct sbiret r;

	if (free_base + bytes > rt_boot.ram_base + rt_boot.ram_size) {
		skip_rest("too little RAM");
		return;
	}
	begin = rt_time();
	r = pmu_event_info((rv_ulong)free_base, 0, (rv_ulong)(bytes / 16), 0);
	begin = rt_time() - begin;
	note("microseconds for 2097152 entries:", begin / (rt_boot.timebase / 1000000));
	if (begin > rt_boot.timebase / 50)
		deviation("one call kept interrupts off for %llu ticks of the timer",
			  (unsigned long long)begin);
	expect(!r.error || r.error == SBI_ERR_FAILED, "an error that is not FAILED");
}

/* For one event: event_get_info must agree with config_matching. */
static void agree(rv_ulong idx, uint64_t data)
{
	struct sbiret r = { -2, 0 };

	put_entry(0, idx, data);
	if (pmu_event_info(PAGE, 0, 1, 0).error) {
		deviation("event 0x%lx: event_get_info fails", (unsigned long)idx);
		return;
	}
	for (unsigned base = 0; base < 64 && r.error; base += RV_XLEN) {
		rv_ulong mask = (rv_ulong)((facts.hw | facts.fw) >> base);

		if (mask)
			r = pmu_config(base, mask, 0, idx, data);
	}
	if (entries()[0].output != !r.error)
		deviation("event 0x%lx data 0x%llx: event_get_info says %u, config_matching %ld",
			  (unsigned long)idx, (unsigned long long)data,
			  (unsigned)entries()[0].output, (long)r.error);
	if (!r.error)
		ctr_stop(r.value, SBI_PMU_STOP_FLAG_RESET);
}

static void agree_general(const struct test *t)
{
	for (rv_ulong e = 0; e <= SBI_PMU_HW_COUNT; e++)
		agree(e, 0);
}

static void agree_cache(const struct test *t)
{
	for (rv_ulong e = 0x10000; e < 0x10040; e++)
		agree(e, 0);
	agree(0x1ffff, 0);
}

static void agree_fw(const struct test *t)
{
	for (unsigned code = 0; code < 40; code++)
		agree(EV_FW(code), 0);
	agree(EV_FW(255), 0);
	for (unsigned code = 256; code < 264; code++)
		agree(EV_FW(code), 0);
	agree(EV_FW(65534), 0);
	agree(EV_FW(SBI_PMU_FW_PLATFORM), 0);
	agree(EV_FW(SBI_PMU_FW_PLATFORM), 1);
}

static void agree_raw(const struct test *t)
{
	static const uint64_t data[] = { 0,	     1,		 2,	     3,
					 0x10019,    0xff,	 0xffffffff, 1ull << 47,
					 1ull << 55, 1ull << 63, UINT64_MAX };

	for (unsigned i = 0; i < ARRAY_LEN(data); i++) {
		agree(SBI_PMU_EIDX(SBI_PMU_TYPE_RAW, 0), data[i]);
		agree(SBI_PMU_EIDX(SBI_PMU_TYPE_RAW_V2, 0), data[i]);
		agree(SBI_PMU_EIDX(SBI_PMU_TYPE_RAW, 1), data[i]);
		agree(SBI_PMU_EIDX(SBI_PMU_TYPE_RAW_V2, 1), data[i]);
	}
}

static void agree_types(const struct test *t)
{
	for (rv_ulong type = 4; type < 15; type++)
		agree(type << SBI_PMU_EIDX_TYPE_SHIFT, 0);
}

/* An event that is in use is still supported. */
static void busy(const struct test *t)
{
	while (pmu_take(facts.fw, SBI_PMU_CFG_FLAG_AUTO_START, EV_SET_TIMER) >= 0)
		;
	put_entry(0, EV_SET_TIMER, 0);
	expect_ok("call", pmu_event_info(PAGE, 0, 1, 0));
	expect_u64("SET_TIMER while every counter is taken", entries()[0].output, 1);
}

static void whole_page(const struct test *t)
{
	fill();
	for (unsigned i = 0; i < 256; i++)
		put_entry(i, i % 2 ? EV_SET_TIMER : 0x0fff0 + i % 16, 0);
	expect_ok("call", pmu_event_info(PAGE, 0, 256, 0));
	for (unsigned i = 0; i < 256; i++)
		if (entries()[i].output != i % 2)
			deviation("entry %u: output 0x%x", i, (unsigned)entries()[i].output);
	expect(canary_ok(), "memory outside the page was overwritten");
}

#define S "SBI 3.0 §11.14"
#define A "SBI 3.0 §11.14, §3.2"
#define P (NEED_PMU | NEED_EVINFO)
static const struct test evinfo_tests[] = {
	{ "the output word says 1 or 0", S, writes_output, P, 0 },
	{ "a page of entries", S, whole_page, P | NEED_FW, 0 },
	{ "no entries succeed", S, no_entries, P | SOFT, 0 },
	{ "each flag bit is INVALID_PARAM", S, flags, P, 0 },
	{ "a misaligned address is INVALID_PARAM", S, misaligned, P, 0 },
	{ "reserved bits of event_idx are INVALID_PARAM", S, reserved_idx, P, 0 },
	{ "a refused call writes nothing", S, reserved_idx_no_effect, P | SOFT, 0 },
	{ "the firmware's first page is INVALID_ADDRESS", A, address, P, 0 },
	{ "the firmware's second page is INVALID_ADDRESS", A, address, P, 1 },
	{ "an upper half is INVALID_ADDRESS", A, address, P, 2 },
	{ "an upper half of ones is INVALID_ADDRESS", A, address, P, 3 },
	{ "both halves of ones are INVALID_ADDRESS", A, address, P, 4 },
	{ "the last entry of the address space is INVALID_ADDRESS", A, address, P, 5 },
	{ "an end past the address space is INVALID_ADDRESS", A, address, P, 6 },
	{ "the first entry past RAM is INVALID_ADDRESS", A, address, P, 7 },
	{ "an end past RAM is INVALID_ADDRESS", A, address, P, 8 },
	{ "address 0 is INVALID_ADDRESS", A, address, P, 9 },
	{ "a size that wraps is refused", A, wraps, P, 0 },
	{ "a size beyond RAM is refused", A, too_far, P, 0 },
	{ "the time of one call is bounded", S, bounded, P | SOFT, 0 },
	{ "agrees with config_matching: general events", "SBI 3.0 §11.14, §11.8", agree_general, P,
	  0 },
	{ "agrees with config_matching: cache events", "SBI 3.0 §11.14, §11.8", agree_cache, P, 0 },
	{ "agrees with config_matching: firmware events", "SBI 3.0 §11.14, §11.8", agree_fw, P, 0 },
	{ "agrees with config_matching: raw events", "SBI 3.0 §11.14, §11.8", agree_raw, P, 0 },
	{ "agrees with config_matching: types 4 to 14", "SBI 3.0 §11.14, §11.8", agree_types, P,
	  0 },
	{ "a busy event is still supported", S, busy, P | NEED_FW, 0 },
};

const struct group group_evinfo = { "event_get_info", evinfo_tests, ARRAY_LEN(evinfo_tests) };
