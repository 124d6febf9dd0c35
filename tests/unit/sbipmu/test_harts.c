/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_harts.c - several harts on one platform, equal or different.
 *
 * Covers: what sbipmu.h says about harts: all share tables, numbers and widths; a hart with fewer
 * counters offers fewer; no memory that calls write is shared.
 */
#include "rig.h"

static struct rig r;
static struct fake other;
static struct sbipmu_hart h2;

/* A second hart like the first; tests change it before boot2. */
static void boot(unsigned programmable, unsigned width)
{
	rig_init(&r, programmable, width);
	fake_init(&other, programmable, width);
	other.hw.sscofpmf = other.hw.smcntrpmf = true;
}

static void boot2(void)
{
	rig_boot(&r);
	fake_scramble(&other);
	rig_hart(&r, &h2, &other);
}

static struct sbiret call2(unsigned fid, rv_ulong a0, rv_ulong a1, rv_ulong a2, rv_ulong a3)
{
	return sbipmu_call(a0, a1, a2, a3, 0, 0, fid, &h2);
}

static struct sbiret config2(rv_ulong mask, rv_ulong flags, rv_ulong eidx)
{
	return call2(SBI_PMU_COUNTER_CONFIG_MATCHING, 0, mask, flags, eidx);
}

static void independent(void)
{
	static struct rig_state before;

	boot(4, 64);
	boot2();
	is(rig_choose(&r, 0, 0x7d, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_CYCLES, 0), 3);
	is(rig_choose(&r, 7, 1, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_FW(5), 0), 7);
	rig_state_save(&r, &before);
	is_ret(config2(0x7d, SBI_PMU_CFG_FLAG_AUTO_START, 3), SBI_SUCCESS, 3);
	is_ret(config2(0x7d, 0, EIDX_CYCLES), SBI_SUCCESS, 4);
	is_ret(config2(0x80, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_FW(5)), SBI_SUCCESS, 7);
	sbipmu_fw_event(&h2, SBI_PMU_FW_SET_TIMER);
	is_ret(call2(SBI_PMU_COUNTER_FW_READ, 7, 0, 0, 0), SBI_SUCCESS, 1);
	ok(rig_state_same(&r, &before));
	is_error(call2(SBI_PMU_COUNTER_STOP, 0, 0xfd, 1, 0), SBI_ERR_ALREADY_STOPPED);
	ok(rig_state_same(&r, &before));
	is(rig_fw_read(&r, 7), 0);
}

static void each_its_own_page(void)
{
	boot(4, 64);
	boot2();
	is_error(call2(SBI_PMU_SNAPSHOT_SET_SHMEM, fake_addr(0), 0, 0, 0), SBI_SUCCESS);
	is_error(rig_stop(&r, 0, 0, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT), SBI_ERR_NO_SHMEM);
	is_error(call2(SBI_PMU_COUNTER_STOP, 0, 0, 2, 0), SBI_SUCCESS);
}

static void fewer_counters(void)
{
	boot(8, 64);
	other.hw.exists &= ~(1u << 4 | 1u << 10);
	boot2();
	is(h2.valid, r.h.valid & ~(uint64_t)(1u << 4 | 1u << 10));
	is_ret(call2(SBI_PMU_NUM_COUNTERS, 0, 0, 0, 0), SBI_SUCCESS, 11 + 16);
	is_error(call2(SBI_PMU_COUNTER_GET_INFO, 4, 0, 0, 0), SBI_ERR_INVALID_PARAM);
	is_error(config2(0x10, 0, EIDX_CYCLES), SBI_ERR_INVALID_PARAM);
	is_ret(config2(0x7ed, 0, EIDX_CYCLES) /* with 10 */, SBI_ERR_INVALID_PARAM, 0);
	for (int ctr = 3; ctr < 10; ctr++)
		if (ctr != 4)
			is_ret(config2(0x3ed, 0, 3), SBI_SUCCESS, ctr);
	is_error(config2(0x3ed, 0, 3), SBI_ERR_NOT_SUPPORTED);
}

static void more_counters(void)
{
	boot(4, 64);
	other.hw.exists |= 0xff0;
	other.hw.inhibit_mask |= 0xff0;
	boot2();
	is(h2.valid, r.h.valid);
	is(other.regs.inhibit & 0xf80, 0xf80); /* counters that S-mode cannot name stand still */
	is(other.regs.event[9], 0);
}

/* A narrower counter would wrap without notice. */
static void narrower_counters(void)
{
	boot(4, 64);
	other.hw.width[5] = 48;
	other.hw.width[0] = 48;
	boot2();
	is(h2.valid, r.h.valid & ~0x21ull);
}

/* Linux sets a counter to overflow at the boot hart's width; a wider one would not overflow. */
static void wider_counters(void)
{
	boot(4, 40);
	other.hw.width[5] = 64;
	other.hw.width[0] = 64;
	boot2();
	is(h2.valid, r.h.valid & ~0x20ull);
	/* without an overflow interrupt, more bits do no harm */
	boot(4, 40);
	r.fake.hw.sscofpmf = other.hw.sscofpmf = false;
	other.hw.width[5] = 64;
	boot2();
	is(h2.valid, r.h.valid);
	is_ret(call2(SBI_PMU_COUNTER_GET_INFO, 5, 0, 0, 0), SBI_SUCCESS,
	       39u << SBI_PMU_INFO_WIDTH_SHIFT | (CSR_HPMCOUNTER + 5));
}

/* The hart without Sscofpmf has no scountovf to read and no mip bit to clear. */
static void one_without_sscofpmf(void)
{
	boot(4, 64);
	other.hw.sscofpmf = false;
	boot2();
	is(h2.valid, 5 | 0xffffull << 7);
	is_ret(config2(5, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_CYCLES), SBI_SUCCESS, 0);
	is_error(call2(SBI_PMU_SNAPSHOT_SET_SHMEM, fake_addr(0), 0, 0, 0), SBI_SUCCESS);
	is_error(call2(SBI_PMU_COUNTER_STOP, 0, 1, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT, 0),
		 SBI_SUCCESS);
	is(fake_ram64(&other, 0), 0);
	is_error(call2(SBI_PMU_COUNTER_START, 0, 1, SBI_PMU_START_FLAG_INIT_SNAPSHOT, 0),
		 SBI_SUCCESS);
	is_error(call2(SBI_PMU_COUNTER_STOP, 0, 1, SBI_PMU_STOP_FLAG_RESET, 0), SBI_SUCCESS);
	sbipmu_hart_save(&h2);
	sbipmu_hart_restore(&h2);
}

/* The boot hart decides: if it lacks Sscofpmf, no hart's is used. */
static void only_the_other_with_sscofpmf(void)
{
	boot(4, 64);
	r.fake.hw.sscofpmf = false;
	boot2();
	is(h2.valid, r.h.valid);
	ok(!h2.facts.sscofpmf);
	for (unsigned ctr = 3; ctr < 7; ctr++)
		is(other.regs.event[ctr], 0); /* both halves */
	is_ret(config2(8, SBI_PMU_CFG_FLAG_SET_SINH, EIDX_CYCLES), SBI_SUCCESS, 3);
	is(other.regs.event[3], RIG_GENERAL + 1);
	is_error(call2(SBI_PMU_COUNTER_START, 3, 1, 0, 0), SBI_SUCCESS);
	is_error(call2(SBI_PMU_COUNTER_STOP, 3, 1, 1, 0), SBI_SUCCESS);
}

static void one_without_smcntrpmf(void)
{
	boot(4, 64);
	other.hw.smcntrpmf = false;
	boot2();
	is(h2.valid, r.h.valid & ~5ull); /* its fixed counters could not be filtered */
	boot(4, 64);
	r.fake.hw.smcntrpmf = false;
	boot2();
	is(h2.valid, r.h.valid);
	ok(!h2.facts.smcntrpmf);
	is(other.regs.event[0], 0);
}

static void one_without_mcountinhibit(void)
{
	boot(4, 64);
	other.hw.mcountinhibit = false;
	boot2();
	is(h2.valid, 0xffffull << 7);
	is_ret(call2(SBI_PMU_NUM_COUNTERS, 0, 0, 0, 0), SBI_SUCCESS, 7 + 16);
	is_error(call2(SBI_PMU_COUNTER_STOP, 7, 0xffff, 1, 0), SBI_ERR_ALREADY_STOPPED);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "two harts are independent", independent },
		{ "each hart has its own page", each_its_own_page },
		{ "a hart with fewer counters", fewer_counters },
		{ "a hart with more counters", more_counters },
		{ "a hart with narrower counters", narrower_counters },
		{ "a hart with wider counters", wider_counters },
		{ "one hart without Sscofpmf", one_without_sscofpmf },
		{ "Sscofpmf on another than the boot hart", only_the_other_with_sscofpmf },
		{ "one hart without Smcntrpmf", one_without_smcntrpmf },
		{ "one hart without mcountinhibit", one_without_mcountinhibit },
	};

	return tap_run(cases, TAP_NR(cases));
}
