/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_config.c - config_matching: sets, flags, events and errors.
 *
 * Covers: SBI 3.0 §11.8 (FID 2), §11.1 to §11.4 (legal values of event_idx and event_data), tables
 * 37 and 38; Sscofpmf 1.0 and Smcntrpmf 1.0 filter bits. test_match.c tests which counter is
 * chosen, test_firmware.c tests firmware events.
 */
#include "rig.h"

#define ALL   0x7fffdu /* the hardware counters of a hart with 16 programmable ones */
#define AUTO  SBI_PMU_CFG_FLAG_AUTO_START
#define CLEAR SBI_PMU_CFG_FLAG_CLEAR_VALUE
#define SKIP  SBI_PMU_CFG_FLAG_SKIP_MATCH

static struct rig r;
static struct rig_state before;

static void boot(void)
{
	rig_init(&r, 16, 64);
	rig_boot(&r);
}

/* A call that must be refused, without a write and without a change of state. */
static void refused(rv_ulong base, rv_ulong mask, rv_ulong flags, rv_ulong eidx, uint64_t data,
		    enum sbi_err error)
{
	rig_state_save(&r, &before);
	fake_log_clear(&r.fake);
	is_error(rig_config(&r, base, mask, flags, eidx, data), error);
	ok(rig_state_same(&r, &before));
	is(fake_all_writes(&r.fake), 0);
}

static void reserved_flags(void)
{
	boot();
	for (unsigned bit = 8; bit < RV_XLEN; bit++) {
		tap_context("bit %u", bit);
		refused(0, ALL, (rv_ulong)1 << bit, EIDX_CYCLES, 0, SBI_ERR_INVALID_PARAM);
		refused(0, ALL, (rv_ulong)1 << bit | AUTO, EIDX_FW(0), 0, SBI_ERR_INVALID_PARAM);
	}
}

static void all_flags_at_once(void)
{
	boot();
	is(rig_choose(&r, 3, 1, SBI_PMU_CFG_FLAG_ALL, EIDX_CYCLES, 0), 3);
	is(r.fake.regs.event[3], (RIG_GENERAL + 1) | MHPMEVENT_FILTER);
	is(r.h.started, 8);
}

static void invalid_sets(void)
{
	static const struct {
		rv_ulong base, mask;
	} rows[] = {
		{ 0, 2 }, /* TIME */
		{ 1, 1 },
		{ 0, ALL | 2 },
		{ 4, (rv_ulong)-1 }, /* past the last firmware counter */
		{ 35, 1 },
		{ 36, 1 },
		{ 63, 1 },
		{ 64, 1 },
		{ 64, (rv_ulong)-1 },
		{ (rv_ulong)-1, 1 }, /* base + bit wraps to a valid index */
		{ (rv_ulong)-1, 0x10 },
		{ (rv_ulong)-3, 0x40 },
		{ (rv_ulong)-64, (rv_ulong)-1 },
		{ (rv_ulong)1 << (RV_XLEN - 1), 1 },
		{ RV_XLEN, (rv_ulong)1 << (RV_XLEN - 1) },
		{ (rv_ulong)RV_XLEN * RV_XLEN, 1 }, /* Linux's restart base: not accepted here */
		{ (rv_ulong)RV_XLEN * RV_XLEN + 3, 1 },
		{ 4, (rv_ulong)1 << (RV_XLEN - 1) }, /* the mask's top bit is shifted out */
	};

	boot();
	for (unsigned i = 0; i < TAP_NR(rows); i++) {
		tap_context("row %u", i);
		for (unsigned flags = 0; flags <= SKIP; flags++) {
			refused(rows[i].base, rows[i].mask, flags, EIDX_CYCLES, 0,
				SBI_ERR_INVALID_PARAM);
			refused(rows[i].base, rows[i].mask, flags, EIDX_FW(5), 0,
				SBI_ERR_INVALID_PARAM);
		}
	}
}

/* Bits 32 and up of base and mask are not ignored. */
static void sets_are_whole_registers(void)
{
	boot();
	for (unsigned bit = 6; bit < RV_XLEN; bit++) {
		tap_context("bit %u", bit);
		refused((rv_ulong)1 << bit, 1, 0, EIDX_CYCLES, 0, SBI_ERR_INVALID_PARAM);
		refused((rv_ulong)1 << bit | 3, 1, 0, EIDX_CYCLES, 0, SBI_ERR_INVALID_PARAM);
	}
	for (unsigned bit = 35; bit < RV_XLEN; bit++) {
		tap_context("mask bit %u", bit);
		refused(0, (rv_ulong)1 << bit | 8, 0, EIDX_CYCLES, 0, SBI_ERR_INVALID_PARAM);
	}
}

static void empty_sets(void)
{
	boot();
	refused(0, 0, 0, EIDX_CYCLES, 0, SBI_ERR_NOT_SUPPORTED);
	refused(0, 0, SKIP, EIDX_CYCLES, 0, SBI_ERR_NOT_SUPPORTED);
	refused((rv_ulong)-1, 0, 0, EIDX_CYCLES, 0, SBI_ERR_NOT_SUPPORTED);
	refused(0, 0, 0, EIDX_FW(1), 0, SBI_ERR_NOT_SUPPORTED);
}

/* All events that cannot be counted have one error (table 38).  Linux takes only it as "absent". */
static void unknown_events(void)
{
	static const uint32_t eidx[] = {
		0, /* NO_EVENT */
		11,	 12,	  63,	   0xffff,  0x10006, /* operation 3 does not exist */
		0x10007, 0x10036, 0x10038, /* cache 7 */
		0x1ffff, 0x20001, /* the code of a raw event must be zero */
		0x2ffff, 0x30001, 0x40000, 0x50001, 0xe0000,
		0xf0016, /* firmware events 22 to 255 are reserved */
		0xf00ff,
	};

	boot();
	for (unsigned i = 0; i < TAP_NR(eidx); i++) {
		tap_context("event 0x%x", eidx[i]);
		refused(0, ALL, 0, eidx[i], 0, SBI_ERR_NOT_SUPPORTED);
		refused(19, 0xffff, 0, eidx[i], 0, SBI_ERR_NOT_SUPPORTED);
		refused(0, ALL, SKIP, eidx[i], 0, SBI_ERR_NOT_SUPPORTED);
	}
}

static void event_idx_is_a_whole_register(void)
{
	boot();
	for (unsigned bit = 20; bit < RV_XLEN; bit++) {
		tap_context("bit %u", bit);
		refused(0, ALL, 0, (rv_ulong)1 << bit | EIDX_CYCLES, 0, SBI_ERR_NOT_SUPPORTED);
		refused(0, ALL, 0, (rv_ulong)1 << bit | EIDX_RAW, 0x2001, SBI_ERR_NOT_SUPPORTED);
		refused(19, 1, 0, (rv_ulong)1 << bit | EIDX_FW(0), 0, SBI_ERR_NOT_SUPPORTED);
	}
}

static void reserved_event_data(void)
{
	boot();
	for (unsigned bit = 0; bit < 64; bit++) {
		tap_context("bit %u", bit);
		refused(0, ALL, 0, EIDX_CYCLES, 1ull << bit, SBI_ERR_NOT_SUPPORTED);
		refused(0, ALL, SKIP, EIDX_CYCLES, 1ull << bit, SBI_ERR_NOT_SUPPORTED);
		refused(0, ALL, 0, 0x10003, 1ull << bit, SBI_ERR_NOT_SUPPORTED);
		refused(19, 1, 0, EIDX_FW(3), 1ull << bit, SBI_ERR_NOT_SUPPORTED);
	}
}

/* Every event of the usual tables gets its selector, and every counter gets its event. */
static void every_event(void)
{
	boot();
	for (uint32_t code = 1; code <= 10; code++) {
		tap_context("event %u", code);
		is(rig_choose(&r, 3 + code, 1, 0, code, 0), (int)(3 + code));
		is(r.fake.regs.event[3 + code], (RIG_GENERAL + code) | MHPMEVENT_MINH);
		is(r.fake.regs.value[3 + code], 0);
	}
	is_error(rig_stop(&r, 0, ALL, SBI_PMU_STOP_FLAG_RESET), SBI_ERR_ALREADY_STOPPED);
	for (uint32_t code = 0; code <= 0x35; code++) {
		if ((code >> 1 & 3) == 3)
			continue;
		tap_context("cache event %u", code);
		is(rig_choose(&r, 7, 1, SKIP, 0x10000 + code, 0), 7);
		is(r.fake.regs.event[7], (RIG_CACHE + code) | MHPMEVENT_MINH);
	}
}

static void clear_value(void)
{
	static const unsigned ctrs[] = { 0, 3 };

	for (unsigned i = 0; i < TAP_NR(ctrs); i++) {
		unsigned ctr = ctrs[i];

		boot();
		tap_context("counter %u", ctr);
		is(rig_choose(&r, ctr, 1, 0, EIDX_CYCLES, 0), (int)ctr);
		r.fake.regs.value[ctr] = 0xaabbccdd11223344;
		is(rig_choose(&r, ctr, 1, SKIP, EIDX_CYCLES, 0), (int)ctr);
		is(r.fake.regs.value[ctr], 0xaabbccdd11223344);
		is(rig_choose(&r, ctr, 1, SKIP | AUTO, EIDX_CYCLES, 0), (int)ctr);
		is(r.fake.regs.value[ctr], 0xaabbccdd11223344);
		is_error(rig_stop(&r, ctr, 1, 0), SBI_SUCCESS);
		is(rig_choose(&r, ctr, 1, SKIP | CLEAR, EIDX_CYCLES, 0), (int)ctr);
		is(r.fake.regs.value[ctr], 0);
	}
}

static void auto_start(void)
{
	boot();
	is(rig_choose(&r, 3, 1, 0, EIDX_CYCLES, 0), 3);
	ok(fake_inhibited(&r.fake, 3));
	is(rig_choose(&r, 4, 1, AUTO, EIDX_CYCLES, 0), 4);
	ok(!fake_inhibited(&r.fake, 4));
	is_error(rig_start(&r, 4, 1, 0, 0), SBI_ERR_ALREADY_STARTED);
	is(rig_choose(&r, 2, 1, 0, EIDX_INSTRUCTIONS, 0), 2);
	ok(fake_inhibited(&r.fake, 2));
	is(rig_choose(&r, 0, 1, AUTO, EIDX_CYCLES, 0), 0);
	ok(!fake_inhibited(&r.fake, 0));
}

static void skip_match(void)
{
	boot();
	/* the first counter of the set and no other */
	is(rig_choose(&r, 5, 7, SKIP, EIDX_CYCLES, 0), 5);
	/* again, although it is mapped: S-mode names the counter */
	is(rig_choose(&r, 5, 7, SKIP, EIDX_INSTRUCTIONS, 0), 5);
	is(r.fake.regs.event[5], (RIG_GENERAL + 2) | MHPMEVENT_MINH);
	/* but not while it runs */
	is_error(rig_start(&r, 5, 1, 0, 0), SBI_SUCCESS);
	refused(5, 7, SKIP, EIDX_CYCLES, 0, SBI_ERR_NOT_SUPPORTED);
	refused(0, ALL & ~0x3du, SKIP | SBI_PMU_CFG_FLAG_SET_SINH, 0x30, 0, SBI_ERR_NOT_SUPPORTED);
}

/* Event and counter must be of the same kind, also with SKIP_MATCH. */
static void skip_match_checks_the_kind(void)
{
	boot();
	refused(19, 1, SKIP, EIDX_CYCLES, 0, SBI_ERR_NOT_SUPPORTED);
	refused(19, 1, SKIP, 0x10001, 0, SBI_ERR_NOT_SUPPORTED);
	refused(34, 1, SKIP, EIDX_RAW_V2, 0x2001, SBI_ERR_NOT_SUPPORTED);
	refused(3, 1, SKIP, EIDX_FW(0), 0, SBI_ERR_NOT_SUPPORTED);
	refused(0, 1, SKIP, EIDX_FW(0), 0, SBI_ERR_NOT_SUPPORTED);
	refused(0, 1, SKIP, EIDX_INSTRUCTIONS, 0, SBI_ERR_NOT_SUPPORTED);
	refused(2, 1, SKIP, EIDX_CYCLES, 0, SBI_ERR_NOT_SUPPORTED);
	refused(0, 1, SKIP, 3, 0, SBI_ERR_NOT_SUPPORTED);
	refused(2, 1, SKIP, EIDX_RAW, 0x2001, SBI_ERR_NOT_SUPPORTED);
}

/* Each of the five flags sets its bit, and M-mode is never counted. */
static void filters(void)
{
	static const struct {
		unsigned flag;
		uint64_t bits;
	} rows[] = {
		{ 0, 0 },
		{ SBI_PMU_CFG_FLAG_SET_VUINH, MHPMEVENT_VUINH },
		{ SBI_PMU_CFG_FLAG_SET_VSINH, MHPMEVENT_VSINH },
		{ SBI_PMU_CFG_FLAG_SET_UINH, MHPMEVENT_UINH },
		{ SBI_PMU_CFG_FLAG_SET_SINH, MHPMEVENT_SINH },
		{ SBI_PMU_CFG_FLAG_SET_MINH, 0 },
		{ SBI_PMU_CFG_FLAG_FILTER, MHPMEVENT_FILTER },
	};

	boot();
	for (unsigned i = 0; i < TAP_NR(rows); i++) {
		tap_context("flags 0x%x", rows[i].flag);
		is(rig_choose(&r, 3, 1, SKIP | rows[i].flag, EIDX_CYCLES, 0), 3);
		is(r.fake.regs.event[3], (RIG_GENERAL + 1) | MHPMEVENT_MINH | rows[i].bits);
		is(rig_choose(&r, 4, 1, SKIP | rows[i].flag, EIDX_RAW_V2, 0x1abc), 4);
		is(r.fake.regs.event[4], 0x1abc | MHPMEVENT_MINH | rows[i].bits);
		is(rig_choose(&r, 0, 1, SKIP | rows[i].flag, EIDX_CYCLES, 0), 0);
		is(r.fake.regs.event[0], MHPMEVENT_MINH | rows[i].bits);
		is(rig_choose(&r, 2, 1, SKIP | rows[i].flag, EIDX_INSTRUCTIONS, 0), 2);
		is(r.fake.regs.event[2], MHPMEVENT_MINH | rows[i].bits);
	}
	/* a fixed counter that was released is not filtered */
	is_error(rig_stop(&r, 0, 5, SBI_PMU_STOP_FLAG_RESET), SBI_ERR_ALREADY_STOPPED);
	is(r.fake.regs.event[0], 0);
	is(r.fake.regs.event[2], 0);
}

static void filters_count(void)
{
	boot();
	is(rig_choose(&r, 3, 1, CLEAR | AUTO | SBI_PMU_CFG_FLAG_SET_UINH, EIDX_CYCLES, 0), 3);
	is(rig_choose(&r, 4, 1, CLEAR | AUTO | SBI_PMU_CFG_FLAG_SET_SINH, EIDX_CYCLES, 0), 4);
	for (enum fake_mode mode = FAKE_M; mode <= FAKE_VU; mode++)
		fake_happen(&r.fake, RIG_GENERAL + 1, 1u << mode, mode);
	is(r.fake.regs.value[3], 1u << FAKE_S | 1u << FAKE_VS | 1u << FAKE_VU);
	is(r.fake.regs.value[4], 1u << FAKE_U | 1u << FAKE_VS | 1u << FAKE_VU);
}

/* Filters are hints: without the extensions they are ignored, and no CSR gets a bit. */
static void filters_without_hardware(void)
{
	rig_init(&r, 16, 64);
	r.fake.hw.sscofpmf = r.fake.hw.smcntrpmf = false;
	rig_boot(&r);
	is(rig_choose(&r, 3, 1, SBI_PMU_CFG_FLAG_FILTER, EIDX_CYCLES, 0), 3);
	is(fake_event(&r.fake, 3), RIG_GENERAL + 1);
	is(rig_choose(&r, 0, 1, SBI_PMU_CFG_FLAG_FILTER, EIDX_CYCLES, 0), 0);
}

static void smcntrpmf_alone(void)
{
	rig_init(&r, 4, 64);
	r.fake.hw.sscofpmf = false;
	rig_boot(&r);
	is(rig_choose(&r, 0, 0x7d, SBI_PMU_CFG_FLAG_SET_SINH | AUTO, EIDX_CYCLES, 0), 0);
	is(r.fake.regs.event[0], MHPMEVENT_MINH | MHPMEVENT_SINH);
	is(rig_choose(&r, 3, 1, SBI_PMU_CFG_FLAG_SET_SINH, EIDX_CYCLES, 0), 3);
	is(fake_event(&r.fake, 3), RIG_GENERAL + 1);
}

/* A fixed counter runs until it is mapped, and stands still after that. */
static void fixed_counter_stops_when_mapped(void)
{
	uint64_t value;

	boot();
	ok(!fake_inhibited(&r.fake, 0));
	is(rig_choose(&r, 0, 1, 0, EIDX_CYCLES, 0), 0);
	value = r.fake.regs.value[0];
	fake_tick(&r.fake, 0, 100, FAKE_S);
	is(r.fake.regs.value[0], value);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "reserved flags are refused", reserved_flags },
		{ "all flags at once", all_flags_at_once },
		{ "sets with a counter that does not exist", invalid_sets },
		{ "no bit of base and mask is ignored", sets_are_whole_registers },
		{ "empty sets", empty_sets },
		{ "unknown events are not supported", unknown_events },
		{ "no bit of event_idx is ignored", event_idx_is_a_whole_register },
		{ "reserved event_data", reserved_event_data },
		{ "every event gets its selector", every_event },
		{ "CLEAR_VALUE", clear_value },
		{ "AUTO_START", auto_start },
		{ "SKIP_MATCH takes the first counter", skip_match },
		{ "SKIP_MATCH checks the kind of the counter", skip_match_checks_the_kind },
		{ "filter bits; M-mode is never counted", filters },
		{ "filtered counters count only in the other modes", filters_count },
		{ "filters without Sscofpmf and Smcntrpmf", filters_without_hardware },
		{ "Smcntrpmf without Sscofpmf", smcntrpmf_alone },
		{ "a fixed counter stands still once mapped", fixed_counter_stops_when_mapped },
	};

	return tap_run(cases, TAP_NR(cases));
}
