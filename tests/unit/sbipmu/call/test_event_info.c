/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_event_info.c - event_get_info: which events are supported.
 *
 * Covers: SBI 3.0 §11.14 (FID 8), tables 47 and 48; §3.2 (shared memory); the agreement with
 * config_matching.
 */
#include "rig.h"

#define TABLE 0x1000u /* where the entries are in the rig's memory */

static struct rig r;
static struct rig_state before;

static void entry(unsigned i, uint32_t eidx, uint64_t data)
{
	fake_ram_set32(&r.fake, TABLE + 16 * i, eidx);
	fake_ram_set64(&r.fake, TABLE + 16 * i + 8, data);
}

static uint32_t output(unsigned i)
{
	return fake_ram32(&r.fake, TABLE + 16 * i + 4);
}

static void refused(rv_ulong lo, rv_ulong hi, rv_ulong entries, rv_ulong flags, enum sbi_err error)
{
	rig_state_save(&r, &before);
	is_error(rig_event_info(&r, lo, hi, entries, flags), error);
	ok(rig_state_same(&r, &before));
}

static void one_call_for_all(void)
{
	static const struct {
		uint32_t eidx;
		uint64_t data;
		bool supported;
	} rows[] = {
		{ 1, 0, true },
		{ 2, 0, true },
		{ 10, 0, true },
		{ 0, 0, false },
		{ 11, 0, false },
		{ 0x10000, 0, true },
		{ 0x10006, 0, false },
		{ 0x10035, 0, true },
		{ 0x10038, 0, false },
		{ 1, 1, false },
		{ 0x20000, 0x1234, true },
		{ 0x30000, 0x1234, true },
		{ 0x20000, 0x2001, true },
		{ 0x20000, 0x2002, false },
		{ 0x20001, 0x2001, false },
		{ 0x40000, 0, false },
		{ 0xf0000, 0, true },
		{ 0xf0015, 0, true },
		{ 0xf0016, 0, false },
		{ 0xf0100, 0, true },
		{ 0xf0100, 1, false },
		{ 0xf0108, 0, false },
		{ 0xfffff, 0xb0, true },
		{ 0xfffff, 0xb8, false },
	};

	rig_usual(&r);
	for (unsigned i = 0; i < TAP_NR(rows); i++)
		entry(i, rows[i].eidx, rows[i].data);
	is_error(rig_event_info(&r, fake_addr(TABLE), 0, TAP_NR(rows), 0), SBI_SUCCESS);
	for (unsigned i = 0; i < TAP_NR(rows); i++) {
		tap_context("row %u, event 0x%x", i, rows[i].eidx);
		is(output(i), rows[i].supported); /* the whole word */
		is(fake_ram32(&r.fake, TABLE + 16 * i), rows[i].eidx);
		is(fake_ram64(&r.fake, TABLE + 16 * i + 8), rows[i].data);
	}
	ok(fake_ram_clean(&r.fake, TABLE, TABLE + 16 * TAP_NR(rows)));
}

static void addresses(void)
{
	rig_usual(&r);
	entry(0, 1, 0);
	for (unsigned bit = 0; bit < 4; bit++)
		refused(fake_addr(TABLE) | 1u << bit, 0, 1, 0, SBI_ERR_INVALID_PARAM);
	for (unsigned bit = 0; bit < RV_XLEN; bit++) {
		refused(fake_addr(TABLE), 0, 1, (rv_ulong)1 << bit, SBI_ERR_INVALID_PARAM);
		refused(fake_addr(TABLE), (rv_ulong)1 << bit, 1, 0, SBI_ERR_INVALID_ADDRESS);
	}
	refused(FAKE_RAM_BASE - 16, 0, 1, 0, SBI_ERR_INVALID_ADDRESS);
	refused(FAKE_RAM_BASE - 16, 0, 2, 0, SBI_ERR_INVALID_ADDRESS);
	refused(fake_addr(FAKE_RAM_SIZE), 0, 1, 0, SBI_ERR_INVALID_ADDRESS);
	refused(fake_addr(FAKE_RAM_SIZE - 16), 0, 2, 0, SBI_ERR_INVALID_ADDRESS);
	refused(0, 0, 1, 0, SBI_ERR_INVALID_ADDRESS);
	refused((rv_ulong)-16, 0, 1, 0, SBI_ERR_INVALID_ADDRESS);
	refused((rv_ulong)-16, 0, 2, 0, SBI_ERR_INVALID_ADDRESS); /* wraps */
	refused((rv_ulong)-1, (rv_ulong)-1, 1, 0, SBI_ERR_INVALID_PARAM);
	refused((rv_ulong)-16, (rv_ulong)-1, 1, 0, SBI_ERR_INVALID_ADDRESS);
}

static void the_last_entry_of_ram(void)
{
	rig_usual(&r);
	fake_ram_set32(&r.fake, FAKE_RAM_SIZE - 16, 1);
	fake_ram_set64(&r.fake, FAKE_RAM_SIZE - 8, 0);
	is_error(rig_event_info(&r, fake_addr(FAKE_RAM_SIZE - 16), 0, 1, 0), SBI_SUCCESS);
	is(fake_ram32(&r.fake, FAKE_RAM_SIZE - 12), 1);
	ok(fake_ram_clean(&r.fake, FAKE_RAM_SIZE - 16, FAKE_RAM_SIZE));
}

/* Counts whose product 16 * n wraps, and counts that would keep M-mode busy for too long. */
static void too_many_entries(void)
{
	rig_usual(&r);
	refused(fake_addr(TABLE), 0, SBIPMU_EVENT_INFO_MAX + 1, 0, SBI_ERR_FAILED);
	for (unsigned bit = 11; bit < RV_XLEN; bit++) {
		refused(fake_addr(TABLE), 0, (rv_ulong)1 << bit, 0, SBI_ERR_FAILED);
		refused(fake_addr(TABLE), 0, (rv_ulong)1 << bit | 1, 0, SBI_ERR_FAILED);
	}
	refused(fake_addr(TABLE), 0, (rv_ulong)-1, 0, SBI_ERR_FAILED);
	for (unsigned i = 0; i < SBIPMU_EVENT_INFO_MAX; i++)
		entry(i, 1 + i % 10, 0);
	is_error(rig_event_info(&r, fake_addr(TABLE), 0, SBIPMU_EVENT_INFO_MAX, 0), SBI_SUCCESS);
	for (unsigned i = 0; i < SBIPMU_EVENT_INFO_MAX; i++)
		is(output(i), 1);
}

static void no_entries(void)
{
	rig_usual(&r);
	refused(fake_addr(TABLE), 0, 0, 0, SBI_SUCCESS);
	refused(fake_addr(TABLE), 0, 0, 1, SBI_ERR_INVALID_PARAM);
	refused(fake_addr(TABLE) + 8, 0, 0, 0, SBI_ERR_INVALID_PARAM);
}

/* With a reserved bit in any entry, the last one too, no entry is answered. */
static void reserved_bits(void)
{
	rig_usual(&r);
	for (unsigned bit = 20; bit < 32; bit++)
		for (unsigned bad = 0; bad < 3; bad++) {
			tap_context("bit %u of entry %u", bit, bad);
			for (unsigned i = 0; i < 3; i++)
				entry(i, 1, 0);
			entry(bad, 1 | 1u << bit, 0);
			refused(fake_addr(TABLE), 0, 3, 0, SBI_ERR_INVALID_PARAM);
		}
}

/* Support is a fact of the hart, whatever counters are busy. */
static void busy_counters_do_not_matter(void)
{
	rig_usual(&r);
	for (unsigned i = 0; i < 4; i++)
		is(rig_choose(&r, 3, 0xf, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_CYCLES, 0), 3 + (int)i);
	is_error(rig_config(&r, 0, 0x7d, 0, 3, 0), SBI_ERR_NOT_SUPPORTED);
	ok(rig_supported(&r, 3, 0));
	ok(rig_supported(&r, EIDX_RAW_V2, 0x1005));
	ok(rig_supported(&r, EIDX_RAW_V2, 0x2001));
	ok(!rig_supported(&r, EIDX_RAW_V2, 0x2002));
}

/* Every event, each on a fresh hart: config_matching does what event_get_info says. */
static void agrees(bool sscofpmf)
{
	static const uint64_t data[] = { 0,
					 1,
					 0x1000,
					 0x1fff,
					 0x2000,
					 0x2001,
					 1ull << 47,
					 0x1000 | 1ull << 47,
					 0x2001 | 1ull << 55,
					 1ull << 56,
					 0xb1 };
	uint64_t all;

	rig_init(&r, 4, 64);
	r.fake.hw.sscofpmf = r.fake.hw.smcntrpmf = sscofpmf;
	r.counters.len = 12; /* without cache events */
	rig_boot(&r);
	all = rig_valid(&r);
	for (uint32_t type = 0; type < 16; type++)
		for (uint32_t code = 0; code < 0x110; code++)
			for (unsigned i = 0; i < (type > 1 ? TAP_NR(data) : 2); i++) {
				uint32_t eidx = type << 16 | code;
				bool said = rig_supported(&r, eidx, data[i]);
				bool done =
					!rig_config(&r, 0, (rv_ulong)all, 0, eidx, data[i]).error;

				tap_context("event 0x%x, data %u", eidx, i);
				is(said, done);
				rig_stop(&r, 0, (rv_ulong)all, SBI_PMU_STOP_FLAG_RESET);
			}
}

static void agrees_with_config_matching(void)
{
	agrees(true);
	agrees(false);
}

static void leaves_counters_alone(void)
{
	rig_usual(&r);
	is(rig_choose(&r, 3, 1, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_CYCLES, 0), 3);
	rig_state_save(&r, &before);
	ok(rig_supported(&r, EIDX_RAW, 0x1234)); /* asks a free counter's mhpmevent */
	ok(memcmp(&r.h, &before.h, sizeof(r.h)) == 0);
	ok(memcmp(&r.fake.regs, &before.regs, sizeof(before.regs)) == 0);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "one call for many events", one_call_for_all },
		{ "bad addresses and flags are refused, each with its error", addresses },
		{ "the last entry of memory may be used", the_last_entry_of_ram },
		{ "too many entries are refused", too_many_entries },
		{ "no entries", no_entries },
		{ "a reserved bit anywhere refuses the whole call", reserved_bits },
		{ "busy counters do not matter", busy_counters_do_not_matter },
		{ "answers agree with config_matching", agrees_with_config_matching },
		{ "counters are left as they were", leaves_counters_alone },
	};

	return tap_run(cases, TAP_NR(cases));
}
