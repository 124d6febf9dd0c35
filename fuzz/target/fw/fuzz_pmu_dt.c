/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fuzz_pmu_dt.c - any event tables in the device tree, on any hart.
 *
 * Input: a hart (six bytes), the lengths of the first two properties, then the bytes of all three.
 *
 * Must hold: only counters that exist are given out.  event_get_info says what config_matching then
 * does.  The number of diagnostics is bounded.
 */
#include "fuzz.h"
#include "rig.h"

#define MAX_SLOTS 64

static struct rig r;
static rv_ulong all; /* all counters that a mask from base 0 can name */

static const void *property(const uint8_t *bytes, size_t len)
{
	return len ? bytes : NULL;
}

/* Makes a hart and its tables.  The properties are in the input itself, at any alignment. */
static void make_hart(struct input *in, struct sbipmu_dt *dt)
{
	unsigned flags;
	size_t left, len[3];

	rig_init(&r, input_byte(in) % 30, 64);
	flags = input_byte(in);
	r.fake.hw.sscofpmf = !(flags & 1);
	r.fake.hw.mcountinhibit = !(flags & 2);
	if (flags & 4)
		r.fake.hw.exists &= ~(uint32_t)0x50;
	for (unsigned ctr = 3; ctr < 32 && flags & 8; ctr++)
		r.fake.hw.warl[ctr].mask = ctr & 1 ? 0xff : 0xffffff0f;
	r.nr_slots = flags & 16 ? input_byte(in) % (MAX_SLOTS + 1) : MAX_SLOTS;
	len[0] = (size_t)input_bytes(in, 2);
	len[1] = (size_t)input_bytes(in, 2);
	left = (size_t)(in->end - in->at);
	len[0] = len[0] < left ? len[0] : left;
	len[1] = len[1] < left - len[0] ? len[1] : left - len[0];
	len[2] = left - len[0] - len[1];
	*dt = (struct sbipmu_dt){
		property(in->at, len[0]),	    len[0],
		property(in->at + len[0], len[1]),  len[1],
		property(in->end - len[2], len[2]), len[2],
	};
}

/* config_matching must do what event_get_info says, and choose a counter that exists. */
static void check_event(uint32_t eidx, uint64_t data)
{
	struct sbiret ret;
	bool said = rig_supported(&r, eidx, data);

	ret = rig_config(&r, 0, all, SBI_PMU_CFG_FLAG_AUTO_START, eidx, data);
	must(said == (ret.error == SBI_SUCCESS));
	if (ret.error) {
		must(ret.error == SBI_ERR_NOT_SUPPORTED);
		return;
	}
	must(ret.value < 32 && r.h.facts.hw_ctrs >> ret.value & 1);
	must((eidx < 0x20000 && data == 0) || (ret.value != 0 && ret.value != 2));
	must(rig_stop(&r, ret.value, 1, SBI_PMU_STOP_FLAG_RESET).error == SBI_SUCCESS);
	must(r.h.mapped == 0);
}

/* Checks all standard events, and raw events at and around every row. */
static void check_events(const struct sbipmu_dt *dt)
{
	const uint8_t *raw = dt->raw_event_to_mhpmcounters;

	for (uint32_t code = 0; code < 16; code++)
		check_event(code, 0);
	for (uint32_t code = 0; code < 0x40; code++)
		check_event(0x10000 + code, 0);
	for (size_t i = 0; raw && i + 20 <= dt->raw_event_to_mhpmcounters_len && i < 20 * 40;
	     i += 20) {
		struct input row = { raw + i, raw + i + 20 };
		uint64_t select = input_bytes(&row, 8), mask = input_bytes(&row, 8);

		check_event(EIDX_RAW_V2, select);
		check_event(EIDX_RAW_V2, (select | ~mask) & RV_MASK(55, 0));
		check_event(EIDX_RAW, select + 1);
	}
}

/* There are at most three diagnostics for a row, two for an event, and one for a property. */
static void check_complaints(const struct sbipmu_dt *dt)
{
	size_t rows = dt->event_to_mhpmevent_len / 12 + dt->event_to_mhpmcounters_len / 12 +
		      dt->raw_event_to_mhpmcounters_len / 20;

	must(r.fake.nr_diags == r.pmu.nr_diags);
	must(r.fake.nr_diags <= 3 * rows + 2 * 66 + 3);
	must(r.pmu.nr_events <= 66);
	must(r.pmu.nr_raw_rows <= dt->raw_event_to_mhpmcounters_len / 20);
	must(2 * r.pmu.nr_raw_rows <= r.nr_slots);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, data + size };
	struct sbipmu_dt dt;
	struct sbipmu_config config;

	make_hart(&in, &dt);
	config = (struct sbipmu_config){ r.slots, r.nr_slots, false, &dt };
	sbipmu_init(&r.pmu, &fake_ops, &r.fake, &config);
	check_complaints(&dt);
	rig_hart(&r, &r.h, &r.fake);
	all = (rv_ulong)(rig_valid(&r) & 0xffffffff);
	check_events(&dt);
	must(tap.failed == 0);
	return 0;
}
