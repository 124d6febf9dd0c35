/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * snapshot.c - snapshot_set_shmem, and start and stop with shared memory.
 *
 * Covers: SBI 3.0 §11.13, §11.9 (INIT_SNAPSHOT), §11.10 (TAKE_SNAPSHOT), §3.2 (addresses).
 */
#include "group.h"

#define PAGE ((rv_ulong)shared[1])
#define FILL 0xa5a5a5a5a5a5a5a5ull

static uint64_t *page(void)
{
	return (uint64_t *)shared[1];
}

static uint64_t *value(unsigned slot)
{
	return page() + 1 + slot;
}

static void fill(void)
{
	for (unsigned i = 0; i < 512; i++)
		page()[i] = FILL;
}

/* The number of words of the page that differ from what fill() wrote; n of them may differ. */
static void untouched_but(uint64_t slots)
{
	for (unsigned i = 0; i < 64; i++)
		if (!(slots & BITS64(i)) && *value(i) != FILL)
			deviation("value %u was overwritten", i);
	for (unsigned i = 65; i < 512; i++)
		if (page()[i] != FILL)
			deviation("reserved word at 0x%x was overwritten", i * 8);
	expect(canary_ok(), "memory outside the page was overwritten");
}

static bool set_page(void)
{
	canary_fill();
	fill();
	return expect_ok("set_shmem", pmu_set_shmem(PAGE, 0, 0));
}

static void set_and_clear(const struct test *t)
{
	set_page();
	untouched_but(0);
	expect_u64("the first word", page()[0], FILL);
	expect_ok("all ones", pmu_set_shmem(-1, -1, 0));
	fw_take(facts.fw_first);
	ctr_start(facts.fw_first, 0, 0);
	expect_err("TAKE_SNAPSHOT after that",
		   ctr_stop(facts.fw_first, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT), SBI_ERR_NO_SHMEM);
	expect_err("INIT_SNAPSHOT after that",
		   ctr_start(facts.fw_first, SBI_PMU_START_FLAG_INIT_SNAPSHOT, 0),
		   SBI_ERR_NO_SHMEM);
}

static void misaligned(const struct test *t)
{
	for (rv_ulong off = 1; off < 4096; off <<= 1)
		expect_err("misaligned address", pmu_set_shmem(PAGE + off, 0, 0),
			   SBI_ERR_INVALID_PARAM);
	expect_err("lower half all ones only", pmu_set_shmem(-1, 0, 0), SBI_ERR_INVALID_PARAM);
}

static void flags(const struct test *t)
{
	for (unsigned bit = 0; bit < RV_XLEN; bit++)
		expect_err("reserved flag", pmu_set_shmem(PAGE, 0, (rv_ulong)1 << bit),
			   SBI_ERR_INVALID_PARAM);
	expect_err("reserved flag with all ones", pmu_set_shmem(-1, -1, 1), SBI_ERR_INVALID_PARAM);
}

/* arg: the number of a bad address. */
static void address(const struct test *t)
{
	const rv_ulong fw = (rv_ulong)rt_boot.ram_base;
	const uint64_t end = rt_boot.ram_base + rt_boot.ram_size;
	const struct {
		const char *name;
		rv_ulong lo, hi;
	} bad[] = {
		{ "the firmware's first page", fw, 0 },
		{ "the firmware's second page", fw + 4096, 0 },
		{ "upper half not zero", PAGE, 1 },
		{ "upper half all ones", PAGE, (rv_ulong)-1 },
		{ "upper half's top bit", PAGE, (rv_ulong)1 << (RV_XLEN - 1) },
		{ "the last page of the address space", (rv_ulong)-4096, 0 },
		{ "the first page past RAM", (rv_ulong)end, 0 },
		{ "address 0", 0, 0 },
		{ "upper half all ones, lower 0", 0, (rv_ulong)-1 },
	};

	if (t->arg == 6 && RV_XLEN == 32 && end >> 32) {
		skip_rest("RAM reaches the end of the address space");
		return;
	}
	expect_err(bad[t->arg].name, pmu_set_shmem(bad[t->arg].lo, bad[t->arg].hi, 0),
		   SBI_ERR_INVALID_ADDRESS);
	/* The refused calls enabled nothing. */
	fw_take(facts.fw_first);
	ctr_start(facts.fw_first, 0, 0);
	expect_err("TAKE_SNAPSHOT after that",
		   ctr_stop(facts.fw_first, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT), SBI_ERR_NO_SHMEM);
}

/* The base for a set of these counters, so that both are in one mask. */
static rv_ulong base_for(unsigned c)
{
	return RV_XLEN == 32 ? c & ~31u : 0;
}

static void take(const struct test *t)
{
	const unsigned c = facts.fw_first;
	const rv_ulong base = base_for(c);
	const unsigned slot = c - (unsigned)base;

	fw_take(c);
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 0x123456789ull);
	fw_tick(4);
	if (!set_page())
		return;
	expect_ok("stop with TAKE_SNAPSHOT",
		  pmu_stop(base, (rv_ulong)1 << slot, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT));
	expect_u64("value", *value(slot), 0x12345678dull);
	expect_u64("overflow bitmap", page()[0], 0);
	untouched_but(BITS64(slot));
}

/* Slots are relative to counter_idx_base. */
static void take_base(const struct test *t)
{
	const unsigned c = facts.fw_second;

	fw_take(c);
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 77);
	if (!set_page())
		return;
	expect_ok("stop with base = the counter", pmu_stop(c, 1, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT));
	expect_u64("value 0", *value(0), 77);
	untouched_but(1);
	ctr_start(c, 0, 0);
	fill();
	expect_ok("stop with base = the counter - 2",
		  pmu_stop(c - 2, 4, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT));
	expect_u64("value 2", *value(2), 77);
	untouched_but(4);
}

/* "All the stopped counters": a counter that had stopped before is saved as well. */
static void take_stopped(const struct test *t)
{
	const unsigned c = facts.fw_first;

	fw_take(c);
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 88);
	ctr_stop(c, 0);
	if (!set_page())
		return;
	expect_err("stop with TAKE_SNAPSHOT", pmu_stop(c, 1, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT),
		   SBI_ERR_ALREADY_STOPPED);
	expect_u64("value 0", *value(0), 88);
}

static void take_reset(const struct test *t)
{
	const unsigned c = facts.fw_first;

	fw_take(c);
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 99);
	if (!set_page())
		return;
	expect_ok("stop with TAKE_SNAPSHOT and RESET",
		  pmu_stop(c, 1, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT | SBI_PMU_STOP_FLAG_RESET));
	expect_u64("value 0", *value(0), 99);
	expect_ok("the counter is free", ctr_config(c, 0, EV_FW(SBI_PMU_FW_IPI_SENT), 0));
}

static void take_hw(const struct test *t)
{
	const unsigned c = first_ctr(facts.ovf_ctrs);

	ctr_config(c, 0, EV_CYCLES, 0);
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, BITS64(40));
	spin(1000);
	if (!set_page())
		return;
	expect_ok("stop with TAKE_SNAPSHOT", pmu_stop(c, 1, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT));
	/* On RV32 QEMU's stopped counter loses its count at the second access. */
	expect_range("value", *value(0), BITS64(40) + (facts.exact || RV_XLEN == 64),
		     BITS64(40) + BITS64(36));
	if (facts.exact)
		expect_u64("the counter's CSR", hw_value(c), *value(0));
	untouched_but(1);
}

static void take_empty(const struct test *t)
{
	if (!set_page())
		return;
	pmu_stop(0, 0, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT);
	untouched_but(0);
}

static void init(const struct test *t)
{
	const unsigned a = facts.fw_first, b = facts.fw_second;
	const rv_ulong gap = b - a;

	fw_take(a);
	fw_take(b);
	if (!set_page())
		return;
	*value(0) = 1000;
	*value((unsigned)gap) = 0xfedcba9800000000ull;
	expect_ok("start with INIT_SNAPSHOT",
		  pmu_start(a, 1 | (rv_ulong)1 << gap, SBI_PMU_START_FLAG_INIT_SNAPSHOT, 5));
	fw_tick(2);
	expect_u64("first", fw_value(a), 1002);
	expect_u64("second", fw_value(b), 0xfedcba9800000002ull);
	untouched_but(1 | BITS64(gap));
	expect_u64("the page is only read", *value(0), 1000);
}

static void init_running(const struct test *t)
{
	const unsigned c = facts.fw_first;

	fw_take(c);
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 10);
	if (!set_page())
		return;
	*value(0) = 5555;
	expect_err("start of a running counter",
		   pmu_start(c, 1, SBI_PMU_START_FLAG_INIT_SNAPSHOT, 0), SBI_ERR_ALREADY_STARTED);
	expect_u64("its value", fw_value(c), 10);
}

static void init_hw(const struct test *t)
{
	const unsigned c = first_ctr(facts.ovf_ctrs);

	ctr_config(c, 0, EV_CYCLES, 0);
	if (!set_page())
		return;
	*value(0) = BITS64(42);
	expect_ok("start", pmu_start(c, 1, SBI_PMU_START_FLAG_INIT_SNAPSHOT, 0));
	spin(1000);
	expect_range("value", hw_value(c), BITS64(42) + 1, BITS64(42) + BITS64(36));
}

/* The bitmap shows the overflowed counters, relative to the base. */
static void overflow(const struct test *t)
{
	const unsigned c = first_ctr(facts.ovf_ctrs);

	ctr_config(c, 0, EV_CYCLES, 0);
	if (!set_page())
		return;
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, (uint64_t)-10000);
	for (unsigned i = 0; i < 2000 && !(csr_read(CSR_SIP) & MIP_LCOFIP); i++)
		spin(10000);
	expect_ok("stop", pmu_stop(c, 1, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT));
	expect_u64("overflow bitmap with base = the counter", page()[0], 1);
	untouched_but(1);
	csr_clear(CSR_SIP, MIP_LCOFIP);
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, (uint64_t)-1000000000);
	expect_ok("stop", pmu_stop(c, 1, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT));
	expect_u64("overflow bitmap after a restart", page()[0], 0);
}

/* What Linux up to 7.2 does after an overflow; no other call may profit from it. */
static void linux_base(const struct test *t)
{
	const unsigned c = facts.fw_first;
	const rv_ulong base = (rv_ulong)RV_XLEN * RV_XLEN;

	if (c >= RV_XLEN) {
		skip_rest("the counter is not in the first mask");
		return;
	}
	fw_take(c);
	if (!set_page())
		return;
	*value(c) = 300;
	expect_ok("start with base XLEN * XLEN and INIT_SNAPSHOT",
		  pmu_start(base, (rv_ulong)1 << c, SBI_PMU_START_FLAG_INIT_SNAPSHOT, 0));
	expect_u64("value", fw_value(c), 300);
	expect_err("the same base in stop", pmu_stop(base, (rv_ulong)1 << c, 0),
		   SBI_ERR_INVALID_PARAM);
	expect_err("the same base without INIT_SNAPSHOT", pmu_start(base, (rv_ulong)1 << c, 0, 0),
		   SBI_ERR_INVALID_PARAM);
}

static void unsupported(const struct test *t)
{
	if (facts.snapshot) {
		skip_rest("snapshots are offered");
		return;
	}
	expect_err("set_shmem", pmu_set_shmem(PAGE, 0, 0), SBI_ERR_NOT_SUPPORTED);
}

#define PF (NEED_PMU | NEED_FW | NEED_V2 | NEED_SNAPSHOT)
#define PH (NEED_PMU | NEED_HW | NEED_V2 | NEED_SNAPSHOT)
#define A  "SBI 3.0 §11.13, §3.2"
static const struct test snapshot_tests[] = {
	{ "set_shmem is NOT_SUPPORTED where there are no snapshots", "SBI 3.0 §11.13", unsupported,
	  NEED_PMU, 0 },
	{ "set_shmem sets and clears, and writes nothing", "SBI 3.0 §11.13", set_and_clear, PF, 0 },
	{ "a misaligned address is INVALID_PARAM", "SBI 3.0 §11.13", misaligned, PF, 0 },
	{ "each flag bit is INVALID_PARAM", "SBI 3.0 §11.13", flags, PF, 0 },
	{ "the firmware's first page is INVALID_ADDRESS", A, address, PF, 0 },
	{ "the firmware's second page is INVALID_ADDRESS", A, address, PF, 1 },
	{ "an upper half is INVALID_ADDRESS", A, address, PF, 2 },
	{ "an upper half of ones is INVALID_ADDRESS", A, address, PF, 3 },
	{ "the upper half's top bit is INVALID_ADDRESS", A, address, PF, 4 },
	{ "the last page of the address space is INVALID_ADDRESS", A, address, PF, 5 },
	{ "the first page past RAM is INVALID_ADDRESS", A, address, PF, 6 },
	{ "address 0 is INVALID_ADDRESS", A, address, PF, 7 },
	{ "address 0 with an upper half of ones is INVALID_ADDRESS", A, address, PF, 8 },
	{ "TAKE_SNAPSHOT saves the value and nothing else", "SBI 3.0 §11.10", take, PF, 0 },
	{ "values are relative to the base", "SBI 3.0 §11.13", take_base, PF, 0 },
	{ "TAKE_SNAPSHOT of a stopped counter", "SBI 3.0 §11.10", take_stopped, PF | SOFT, 0 },
	{ "TAKE_SNAPSHOT with RESET", "SBI 3.0 §11.10", take_reset, PF, 0 },
	{ "TAKE_SNAPSHOT of a hardware counter", "SBI 3.0 §11.10", take_hw, PH, 0 },
	{ "TAKE_SNAPSHOT of no counter touches no value", "SBI 3.0 §11.10", take_empty, PF, 0 },
	{ "INIT_SNAPSHOT starts two counters with their values", "SBI 3.0 §11.9", init, PF, 0 },
	{ "INIT_SNAPSHOT leaves a running counter alone", "SBI 3.0 §11.9", init_running, PF, 0 },
	{ "INIT_SNAPSHOT of a hardware counter", "SBI 3.0 §11.9", init_hw, PH, 0 },
	{ "the overflow bitmap", "SBI 3.0 §11.10, §11.13", overflow, PH | NEED_OVF | RETRY, 0 },
	{ "Linux's base after an overflow means 0", "SBI 3.0 §11.9", linux_base, PF | SOFT, 0 },
};

const struct group group_snapshot = { "snapshot", snapshot_tests, ARRAY_LEN(snapshot_tests) };
