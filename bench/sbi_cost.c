/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sbi_cost.c - the cost of SBI calls, in retired instructions from ecall to mret.
 *
 * On QEMU with -icount the counter is exact and the same each time.  The result is the least of
 * several rounds, which excludes the first call after boot.  Prints a line "cost NAME N" or
 * "cost NAME refused" for each row of the table that bench/run prints.
 *
 * Boot arguments: raw=N, the selector of a raw event in the device tree.
 *
 * May call: the runtime of tests/smode, cost.S.  Calls of SBI 3.0 §4, §6, §11.
 */
#include "rt.h"

#define ROUNDS 5

#define EV_CYCLES SBI_PMU_EIDX(SBI_PMU_TYPE_HW, SBI_PMU_HW_CPU_CYCLES)
#define EV_DTLB	  SBI_PMU_EIDX_CACHE(SBI_PMU_HW_CACHE_DTLB, SBI_PMU_HW_CACHE_OP_READ, 1)
#define EV_FW(c)  SBI_PMU_EIDX(SBI_PMU_TYPE_FW, (rv_ulong)(c))
#define INIT	  (((uint64_t)1 << 63) + 1)
#define ENTRIES	  32

rv_ulong cost_ecall(rv_ulong regs[8]);

static struct {
	uint32_t idx, output;
	uint64_t data;
} info[256] __attribute__((aligned(4096)));

static struct {
	unsigned nr; /* num_counters */
	unsigned hpm; /* the first programmable counter */
	unsigned fw; /* the first firmware counter */
	rv_ulong all_hw; /* all hardware counters as a mask from 0 */
	rv_ulong hpms; /* the programmable ones only: a reset of the others would stop instret */
} ctr;

/* Makes one call; stores its cost in *cost and returns its error. */
static rv_long call(rv_ulong *cost, rv_ulong ext, rv_ulong fid, rv_ulong a0, rv_ulong a1,
		    rv_ulong a2, rv_ulong a3, rv_ulong a4, rv_ulong a5)
{
	rv_ulong regs[8] = { a0, a1, a2, a3, a4, a5, fid, ext };

	*cost = cost_ecall(regs);
	return (rv_long)regs[0];
}

static rv_long pmu(rv_ulong *cost, rv_ulong fid, rv_ulong a0, rv_ulong a1, rv_ulong a2, uint64_t a3)
{
	return call(cost, SBI_EXT_PMU, fid, a0, a1, a2, (rv_ulong)a3, hi_of(a3), 0);
}

static rv_long config(rv_ulong *cost, rv_ulong base, rv_ulong mask, rv_ulong eidx, uint64_t data)
{
	return call(cost, SBI_EXT_PMU, SBI_PMU_COUNTER_CONFIG_MATCHING, base, mask, 0, eidx,
		    (rv_ulong)data, hi_of(data));
}

static rv_long start(rv_ulong *cost, rv_ulong base, rv_ulong mask, rv_ulong flags)
{
	return pmu(cost, SBI_PMU_COUNTER_START, base, mask, flags, INIT);
}

static rv_long stop(rv_ulong *cost, rv_ulong base, rv_ulong mask, rv_ulong flags)
{
	return pmu(cost, SBI_PMU_COUNTER_STOP, base, mask, flags, 0);
}

/* A measurement: returns the cost, or 0 if a call was refused.  Leaves the PMU as it was. */
struct row {
	const char *name;
	rv_ulong (*fn)(rv_ulong arg);
	rv_ulong arg;
};

static rv_ulong base_call(rv_ulong arg)
{
	rv_ulong n;

	return call(&n, SBI_EXT_BASE, SBI_BASE_GET_SPEC_VERSION, 0, 0, 0, 0, 0, 0) ? 0 : n;
}

static rv_ulong num_counters(rv_ulong arg)
{
	rv_ulong n;

	return pmu(&n, SBI_PMU_NUM_COUNTERS, 0, 0, 0, 0) ? 0 : n;
}

static rv_ulong get_info(rv_ulong fw)
{
	rv_ulong n;

	return pmu(&n, SBI_PMU_COUNTER_GET_INFO, fw ? ctr.fw : ctr.hpm, 0, 0, 0) ? 0 : n;
}

/* As Linux does it: any hardware counter may be chosen. */
static rv_ulong config_hw(rv_ulong eidx)
{
	rv_ulong n, x;
	rv_long error = config(&n, 0, ctr.all_hw, eidx,
			       eidx >> SBI_PMU_EIDX_TYPE_SHIFT < 2 ? 0 : rt_arg("raw", 0));

	stop(&x, 0, ctr.hpms, SBI_PMU_STOP_FLAG_RESET);
	return error ? 0 : n;
}

static rv_ulong config_fw(rv_ulong arg)
{
	rv_ulong n, x;
	/* Use base 0 if the mask reaches far enough: OpenSBI 1.6 handles other bases wrongly. */
	rv_ulong base = ctr.fw + 16 <= RV_XLEN ? 0 : ctr.fw;
	rv_ulong mask = (rv_ulong)0xffff << (ctr.fw - base);
	rv_long error = config(&n, base, mask, EV_FW(SBI_PMU_FW_SET_TIMER), 0);

	stop(&x, base, mask, SBI_PMU_STOP_FLAG_RESET);
	return error ? 0 : n;
}

/* Starts and stops one counter; arg selects which of the two costs is returned. */
static rv_ulong one(rv_ulong arg)
{
	rv_ulong n, m, x;
	bool bad = config(&x, 0, (rv_ulong)1 << ctr.hpm, EV_CYCLES, 0) ||
		   start(&n, ctr.hpm, 1, SBI_PMU_START_SET_INIT_VALUE) || stop(&m, ctr.hpm, 1, 0);

	stop(&x, ctr.hpm, 1, SBI_PMU_STOP_FLAG_RESET);
	return bad ? 0 : arg ? m : n;
}

static rv_ulong sixteen(rv_ulong arg)
{
	rv_ulong n, m, x;
	bool bad = false;

	for (unsigned i = 0; i < 16; i++)
		bad |= config(&x, 0, (rv_ulong)1 << (ctr.hpm + i), EV_CYCLES, 0) != 0;
	bad |= start(&n, ctr.hpm, 0xffff, 0) || stop(&m, ctr.hpm, 0xffff, 0);
	stop(&x, ctr.hpm, 0xffff, SBI_PMU_STOP_FLAG_RESET);
	return bad ? 0 : arg ? m : n;
}

/* Reads a firmware counter that counts event arg. */
static rv_ulong fw_read(rv_ulong arg)
{
	rv_ulong n, x;
	bool bad;

	config(&x, RV_XLEN == 32 ? ctr.fw & 32 : 0, (rv_ulong)1 << ctr.fw % RV_XLEN,
	       EV_FW(SBI_PMU_FW_SET_TIMER), 0);
	start(&x, ctr.fw, 1, 0);
	bad = pmu(&n, SBI_PMU_COUNTER_FW_READ, ctr.fw, 0, 0, 0);
	stop(&x, ctr.fw, 1, SBI_PMU_STOP_FLAG_RESET);
	return bad ? 0 : n;
}

/* Calls set_timer while arg firmware counters count other events. */
static rv_ulong set_timer(rv_ulong arg)
{
	rv_ulong n, x;
	bool bad;

	for (unsigned c = ctr.fw; c < ctr.fw + arg && c < ctr.nr; c++) {
		config(&x, RV_XLEN == 32 ? c & 32 : 0, (rv_ulong)1 << c % RV_XLEN,
		       EV_FW(SBI_PMU_FW_FENCE_I_SENT), 0);
		start(&x, c, 1, 0);
	}
	bad = call(&n, SBI_EXT_TIME, SBI_TIME_SET_TIMER, -1, -1, 0, 0, 0, 0);
	for (unsigned c = ctr.fw; c < ctr.fw + arg && c < ctr.nr; c++)
		stop(&x, c, 1, SBI_PMU_STOP_FLAG_RESET);
	return bad ? 0 : n;
}

/* One counter; arg 0: start with INIT_SNAPSHOT, 1: stop with TAKE_SNAPSHOT. */
static rv_ulong snapshot(rv_ulong arg)
{
	rv_ulong n, m, x;
	bool bad = pmu(&x, SBI_PMU_SNAPSHOT_SET_SHMEM, (rv_ulong)info, 0, 0, 0) ||
		   config(&x, 0, (rv_ulong)1 << ctr.hpm, EV_CYCLES, 0) ||
		   start(&n, ctr.hpm, 1, SBI_PMU_START_FLAG_INIT_SNAPSHOT) ||
		   stop(&m, ctr.hpm, 1, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT);

	stop(&x, ctr.hpm, 1, SBI_PMU_STOP_FLAG_RESET);
	pmu(&x, SBI_PMU_SNAPSHOT_SET_SHMEM, -1, -1, 0, 0);
	return bad ? 0 : arg ? m : n;
}

static rv_ulong event_get_info(rv_ulong arg)
{
	rv_ulong n;

	for (unsigned i = 0; i < ENTRIES; i++) {
		info[i].idx = i < 10 ? i + 1 : 0x10000 + (i - 10) * 2;
		info[i].output = 0;
		info[i].data = 0;
	}
	return call(&n, SBI_EXT_PMU, SBI_PMU_EVENT_GET_INFO, (rv_ulong)info, 0, ENTRIES, 0, 0, 0)
		       ? 0
		       : n;
}

/* Configures cycles on any hardware counter, and stores its number in *c. */
static bool take(rv_ulong *cost, rv_ulong *c)
{
	rv_ulong regs[8] = {
		0, ctr.all_hw, 0, EV_CYCLES, 0, 0, SBI_PMU_COUNTER_CONFIG_MATCHING, SBI_EXT_PMU
	};

	*cost = cost_ecall(regs);
	*c = regs[1];
	return !regs[0];
}

/* The calls of Linux to schedule one event in and out. */
static rv_ulong schedule(rv_ulong arg)
{
	rv_ulong n[4], c;

	if (!take(&n[0], &c) || start(&n[1], c, 1, SBI_PMU_START_SET_INIT_VALUE) ||
	    stop(&n[2], c, 1, 0))
		return 0;
	stop(&n[3], c, 1, SBI_PMU_STOP_FLAG_RESET);
	return n[0] + n[1] + n[2] + n[3];
}

/* The calls of Linux for a sample: stop what is used, start the others (none), start this one. */
static rv_ulong sample(rv_ulong arg)
{
	rv_ulong n[3], c, x;

	if (!take(&x, &c) || start(&x, c, 1, SBI_PMU_START_SET_INIT_VALUE) ||
	    stop(&n[0], 0, (rv_ulong)1 << c, 0))
		return 0;
	start(&n[1], 0, 0, 0);
	if (start(&n[2], c, 1, SBI_PMU_START_SET_INIT_VALUE))
		return 0;
	stop(&x, c, 1, SBI_PMU_STOP_FLAG_RESET);
	return n[0] + n[1] + n[2];
}

static const struct row rows[] = {
	{ "base", base_call, 0 },
	{ "num_counters", num_counters, 0 },
	{ "get_info_hw", get_info, 0 },
	{ "get_info_fw", get_info, 1 },
	{ "config_general", config_hw, EV_CYCLES },
	{ "config_cache", config_hw, EV_DTLB },
	{ "config_raw", config_hw, SBI_PMU_EIDX(SBI_PMU_TYPE_RAW, 0) },
	{ "config_raw_v2", config_hw, SBI_PMU_EIDX(SBI_PMU_TYPE_RAW_V2, 0) },
	{ "config_fw", config_fw, 0 },
	{ "start_1", one, 0 },
	{ "start_16", sixteen, 0 },
	{ "stop_1", one, 1 },
	{ "stop_16", sixteen, 1 },
	{ "fw_read", fw_read, 0 },
	{ "start_snapshot", snapshot, 0 },
	{ "stop_snapshot", snapshot, 1 },
	{ "event_get_info", event_get_info, 0 },
	{ "set_timer_0", set_timer, 0 },
	{ "set_timer_16", set_timer, 16 },
	{ "schedule", schedule, 0 },
	{ "sample", sample, 0 },
};

static void find_counters(void)
{
	ctr.nr = (unsigned)sbi0(SBI_EXT_PMU, SBI_PMU_NUM_COUNTERS).value;
	for (unsigned c = 0; c < ctr.nr && c < 64; c++) {
		struct sbiret r = sbi1(SBI_EXT_PMU, SBI_PMU_COUNTER_GET_INFO, c);

		if (r.error)
			continue;
		if ((rv_long)r.value < 0) {
			if (!ctr.fw)
				ctr.fw = c;
			continue;
		}
		ctr.all_hw |= (rv_ulong)1 << c;
		if ((r.value & 0xfff) < CSR_HPMCOUNTER + COUNTER_HPM_FIRST)
			continue;
		ctr.hpms |= (rv_ulong)1 << c;
		if (!ctr.hpm)
			ctr.hpm = c;
	}
}

/* instret must run, and must count M-mode, too; if it does not, the least cost is too low. */
void main_payload(void)
{
	find_counters();
	for (unsigned i = 0; i < ARRAY_LEN(rows); i++) {
		rv_ulong best = 0;

		for (unsigned n = 0; n < ROUNDS; n++) {
			rv_ulong v = rows[i].fn(rows[i].arg);

			if (v && (!best || v < best))
				best = v;
		}
		if (best)
			out("cost %s %lu\n", rows[i].name, (unsigned long)best);
		else
			out("cost %s refused\n", rows[i].name);
	}
	out("cost end 0\n");
}
