/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_linux.c - the call sequences of Linux's riscv_pmu_sbi driver (6.1 to 7.2).
 *
 * Covers: the calls of Linux's drivers/perf/riscv_pmu_sbi.c, in the order in which it makes them.
 */
#include "rig.h"

#define INIT  SBI_PMU_START_SET_INIT_VALUE
#define RESET SBI_PMU_STOP_FLAG_RESET
#define PAGE  0x2000u

static struct rig r;
static rv_ulong all;

static void boot(bool snapshot)
{
	uint64_t mask;

	rig_init(&r, RV_XLEN == 64 ? 16 : 12, 64); /* so that they fit into one mask on RV32, too */
	r.snapshot = snapshot;
	rig_boot(&r);
	mask = rig_valid(&r);
	all = (rv_ulong)mask;
	is(all, mask);
	ok(!(all & 2));
	is(rig_set_shmem(&r, fake_addr(PAGE), 0, 0).error,
	   snapshot ? SBI_SUCCESS : SBI_ERR_NOT_SUPPORTED);
	is_error(rig_stop(&r, 0, all, RESET), SBI_ERR_ALREADY_STOPPED);
	r.fake.regs.lcofip = false;
}

/* perf's flags: :u, :k, none, and VU and VS, which old perf adds. */
static void sched_in_and_out(void)
{
	static const rv_ulong flags[] = { 0x40, 0x20, 0, 0x58, 0x38 };

	boot(false);
	for (unsigned i = 0; i < TAP_NR(flags); i++) {
		int ctr = rig_choose(&r, 0, all, flags[i], EIDX_CYCLES, 0);

		tap_context("flags %u", i);
		is(ctr, 3);
		is_error(rig_start(&r, 3, 1, INIT, (1ull << 63) + 1), SBI_SUCCESS);
		fake_happen(&r.fake, RIG_GENERAL + 1, 1000, i == 1 || i == 4 ? FAKE_S : FAKE_U);
		is_error(rig_stop(&r, 3, 1, 0), SBI_SUCCESS);
		is(r.fake.regs.value[3], (1ull << 63) + 1 + 1000);
		is_error(rig_stop(&r, 3, 1, RESET), SBI_ERR_ALREADY_STOPPED);
		is(r.h.mapped, 0);
	}
}

static void sampling(void)
{
	int cycles, misses;

	boot(false);
	cycles = rig_choose(&r, 0, all, 0, EIDX_CYCLES, 0);
	misses = rig_choose(&r, 0, all, 0, 4, 0);
	is(cycles, 3);
	is(misses, 4);
	is_error(rig_start(&r, 3, 1, INIT, (uint64_t)-1000), SBI_SUCCESS);
	is_error(rig_start(&r, 4, 1, INIT, (uint64_t)-1000000), SBI_SUCCESS);
	for (unsigned sample = 1; sample <= 20; sample++) {
		tap_context("sample %u", sample);
		fake_happen(&r.fake, RIG_GENERAL + 1, 1003, FAKE_U);
		fake_happen(&r.fake, RIG_GENERAL + 4, 7, FAKE_U);
		ok(r.fake.regs.lcofip);
		/* the interrupt */
		is_error(rig_stop(&r, 0, 0x18, 0), SBI_SUCCESS);
		is(fake_scountovf(&r.fake), 8);
		r.fake.regs.lcofip = false;
		is(r.fake.regs.value[3], 3);
		is_error(rig_start(&r, 0, 0x10, 0, 0), SBI_SUCCESS);
		is_error(rig_start(&r, 3, 1, INIT, (uint64_t)-1000), SBI_SUCCESS);
		is(fake_scountovf(&r.fake), 0);
		is(r.fake.regs.value[4], (uint64_t)-1000000 + 7 * sample);
	}
	/* 6.x starts an empty set if all counters overflowed */
	is_error(rig_start(&r, 0, 0, 0, 0), SBI_SUCCESS);
}

/* Throttled: stopped, and started again while it runs; sampling continues. */
static void unthrottle(void)
{
	boot(false);
	is(rig_choose(&r, 0, all, 0, EIDX_CYCLES, 0), 3);
	is_error(rig_start(&r, 3, 1, INIT, (uint64_t)-10), SBI_SUCCESS);
	is_error(rig_start(&r, 3, 1, INIT, (uint64_t)-500), SBI_ERR_ALREADY_STARTED);
	fake_happen(&r.fake, RIG_GENERAL + 1, 10, FAKE_U);
	ok(r.fake.regs.lcofip);
	is(fake_scountovf(&r.fake), 8);
}

/* Snapshots: values and overflows are in the page, and the restart uses Linux's odd base. */
static void sampling_with_snapshots(void)
{
	rv_ulong base = (rv_ulong)RV_XLEN * RV_XLEN;
	unsigned v3 = PAGE + SBI_PMU_SNAPSHOT_VALUES + 8 * 3;
	unsigned v4 = PAGE + SBI_PMU_SNAPSHOT_VALUES + 8 * 4;

	boot(true);
	is(rig_choose(&r, 0, all, 0, EIDX_CYCLES, 0), 3);
	is(rig_choose(&r, 0, all, 0, 4, 0), 4);
	is_error(rig_start(&r, 3, 1, INIT, (uint64_t)-1000), SBI_SUCCESS);
	is_error(rig_start(&r, 4, 1, INIT, (uint64_t)-1000000), SBI_SUCCESS);
	for (unsigned sample = 1; sample <= 20; sample++) {
		tap_context("sample %u", sample);
		fake_happen(&r.fake, RIG_GENERAL + 1, 1003, FAKE_U);
		fake_happen(&r.fake, RIG_GENERAL + 4, 7, FAKE_U);
		is_error(rig_stop(&r, 0, 0x18, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT), SBI_SUCCESS);
		is(fake_ram64(&r.fake, PAGE), 8);
		is(fake_ram64(&r.fake, v3), 3);
		is(fake_ram64(&r.fake, v4), (uint64_t)-1000000 + 7 * sample);
		r.fake.regs.lcofip = false;
		fake_ram_set64(&r.fake, v3, (uint64_t)-1000);
		is_error(rig_start(&r, base, 0x18, SBI_PMU_START_FLAG_INIT_SNAPSHOT, 0),
			 SBI_SUCCESS);
		is(fake_scountovf(&r.fake), 0);
	}
	/* one event out: its value at index 0 of the page */
	fake_happen(&r.fake, RIG_GENERAL + 1, 5, FAKE_U);
	is_error(rig_stop(&r, 3, 1, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT), SBI_SUCCESS);
	is(fake_ram64(&r.fake, PAGE + SBI_PMU_SNAPSHOT_VALUES), (uint64_t)-995);
	is_error(rig_stop(&r, 3, 1, RESET | SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT),
		 SBI_ERR_ALREADY_STOPPED);
}

/* Before SBI 3.0 every event is tried at boot: CFG_MATCH and STOP with RESET. */
static void trying_every_event(void)
{
	unsigned supported = 0;

	boot(false);
	for (uint32_t eidx = 1; eidx < 0x10038; eidx = eidx == 10 ? 0x10000 : eidx + 1) {
		struct sbiret ret = rig_config(&r, 0, all, 0, eidx, 0);

		if (ret.error) {
			is(ret.error, SBI_ERR_NOT_SUPPORTED);
			continue;
		}
		supported++;
		is_error(rig_stop(&r, ret.value, 1, RESET), SBI_ERR_ALREADY_STOPPED);
	}
	is(supported, r.pmu.nr_events);
	is(r.h.mapped, 0);
}

/* perf_user_access=2: legacy rdcycle and rdinstret by SKIP_MATCH. */
static void legacy_user_access(void)
{
	boot(false);
	is(rig_choose(&r, 0, 1, SBI_PMU_CFG_FLAG_SKIP_MATCH, EIDX_CYCLES, 0), 0);
	is_error(rig_start(&r, 0, 1, INIT, 0), SBI_SUCCESS);
	is(rig_choose(&r, 0, 4, SBI_PMU_CFG_FLAG_SKIP_MATCH, EIDX_INSTRUCTIONS, 0), 2);
	is_error(rig_start(&r, 2, 1, INIT, 0), SBI_SUCCESS);
	fake_tick(&r.fake, 0, 9, FAKE_U);
	fake_tick(&r.fake, 2, 8, FAKE_U);
	is(r.fake.regs.value[0], 9);
	is(r.fake.regs.value[2], 8);
	is_error(rig_stop(&r, 0, 5, RESET), SBI_SUCCESS);
	fake_tick(&r.fake, 0, 1, FAKE_U);
	is(r.fake.regs.value[0], 10);
}

/* More events than counters: perf multiplexes. */
static void multiplexing(void)
{
	unsigned n = 0;

	boot(false);
	while (rig_choose(&r, 0, all, 0, EIDX_CYCLES, 0) >= 0)
		n++;
	is(n, (RV_XLEN == 64 ? 16 : 12) + 1); /* and the cycle counter */
	is_error(rig_stop(&r, 5, 1, RESET), SBI_ERR_ALREADY_STOPPED);
	is(rig_choose(&r, 0, all, 0, 3, 0), 5);
}

static void hotplug(void)
{
	boot(true);
	is(rig_choose(&r, 0, all, SBI_PMU_CFG_FLAG_AUTO_START, EIDX_CYCLES, 0), 3);
	is_error(rig_stop(&r, 0, all, RESET), SBI_ERR_ALREADY_STOPPED);
	r.fake.live = false;
	rig_hart(&r, &r.h, &r.fake);
	is_error(rig_stop(&r, 0, all, RESET), SBI_ERR_ALREADY_STOPPED);
	is(rig_choose(&r, 0, all, 0, EIDX_CYCLES, 0), 3);
	is_error(rig_start(&r, 3, 1, INIT, (uint64_t)-4), SBI_SUCCESS);
	fake_happen(&r.fake, RIG_GENERAL + 1, 4, FAKE_U);
	ok(r.fake.regs.lcofip);
	/* the page is gone, and Linux does not register it again */
	is_error(rig_stop(&r, 3, 1, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT), SBI_ERR_NO_SHMEM);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "scheduling an event in and out", sched_in_and_out },
		{ "sampling", sampling },
		{ "unthrottling", unthrottle },
		{ "sampling with snapshots", sampling_with_snapshots },
		{ "trying every event", trying_every_event },
		{ "legacy user access", legacy_user_access },
		{ "multiplexing", multiplexing },
		{ "hotplug", hotplug },
	};

	return tap_run(cases, TAP_NR(cases));
}
