/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * smp.c - the PMU state of each hart is its own; HSM start, stop and suspend.
 *
 * Covers: SBI 3.0 §9 (HSM), §11.8 to §11.10 ("the calling hart").
 */
#include "group.h"

static struct sbiret status_of(unsigned i)
{
	return sbi1(SBI_EXT_HSM, SBI_HSM_HART_GET_STATUS, rt_harts[i].id);
}

static bool wait_status(unsigned i, rv_ulong status)
{
	unsigned steps = 0;

	while (status_of(i).value != status)
		if (!rt_wait_more(&steps))
			return false;
	return true;
}

static void same_counters_job(void *arg)
{
	struct hart *h = this_hart();

	h->result[0] = sbi0(SBI_EXT_PMU, SBI_PMU_NUM_COUNTERS).value;
	h->result[1] = 0;
	for (unsigned c = 0; c < 64; c++)
		if (!pmu_info(c).error != !!((facts.hw | facts.fw) & BITS64(c)))
			h->result[1]++;
}

static void same_counters(const struct test *t)
{
	for (unsigned i = 1; i < rt_nr_harts; i++) {
		expect(hart_do(i, same_counters_job, NULL), "the hart does not answer");
		expect_u64("num_counters of another hart", rt_harts[i].result[0], facts.nr_ctrs);
		expect_u64("counters that differ", rt_harts[i].result[1], 0);
	}
}

/* Stops hart 0's counter by its number, and uses the counter of that number itself. */
static void meddle(void *arg)
{
	struct hart *h = this_hart();
	unsigned c = facts.fw_first;

	h->result[0] = (rv_ulong)ctr_stop(c, SBI_PMU_STOP_FLAG_RESET).error;
	h->result[1] =
		(rv_ulong)ctr_config(c, SBI_PMU_CFG_FLAG_AUTO_START | SBI_PMU_CFG_FLAG_CLEAR_VALUE,
				     EV_SET_TIMER, 0)
			.error;
	fw_tick(7);
	h->result[2] = pmu_fw_read(c).value;
	pmu_reset();
}

static void independent(const struct test *t)
{
	unsigned c = facts.fw_first;

	ctr_config(c, 0, EV_FW(SBI_PMU_FW_FENCE_I_SENT), 0);
	ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 500);
	for (unsigned i = 1; i < rt_nr_harts; i++) {
		expect(hart_do(i, meddle, NULL), "the hart does not answer");
		expect(rt_harts[i].result[0], "it stopped this hart's counter");
		expect_u64("its config", rt_harts[i].result[1], SBI_SUCCESS);
		expect_u64("its count", rt_harts[i].result[2], 7);
	}
	expect_u64("this hart's counter", fw_value(c), 500);
	expect_err("this hart's start", ctr_start(c, 0, 0), SBI_ERR_ALREADY_STARTED);
}

#define ROUNDS 150

/* Configures, starts, counts, reads, stops; result[0]: how many results were wrong. */
static void rounds(void *arg)
{
	struct hart *h = this_hart();
	rv_ulong bad = 0;

	for (unsigned i = 0; i < ROUNDS; i++) {
		int hw = pmu_take(facts.hw, 0, EV_CYCLES);
		int fw = pmu_take(facts.fw, 0, EV_SET_TIMER);

		bad += hw < 0 || fw < 0;
		bad += ctr_start((unsigned)fw, SBI_PMU_START_SET_INIT_VALUE, i).error != 0;
		bad += ctr_start((unsigned)hw, SBI_PMU_START_SET_INIT_VALUE, 0).error != 0;
		fw_tick(2);
		bad += fw_value((unsigned)fw) != i + 2;
		bad += ctr_stop((unsigned)fw, SBI_PMU_STOP_FLAG_RESET).error != 0;
		bad += ctr_stop((unsigned)hw, SBI_PMU_STOP_FLAG_RESET).error != 0;
	}
	h->result[0] = bad;
}

static void concurrent(const struct test *t)
{
	for (unsigned i = 1; i < rt_nr_harts; i++)
		hart_run(i, rounds, NULL);
	rounds(NULL);
	expect_u64("faults on the boot hart", rt_harts[0].result[0], 0);
	for (unsigned i = 1; i < rt_nr_harts; i++) {
		expect(hart_wait(i), "a hart does not come back");
		expect_u64("faults on another hart", rt_harts[i].result[0], 0);
	}
}

#define PAGE ((rv_ulong)shared[1])
#define KEPT 12345

/* What another hart has found in its PMU. */
static struct {
	unsigned running, closed, not_zero, overflown, stands_still;
	uint64_t fw_value, kept, filtered;
	struct sbiret snapshot, config, fw_start, hw_start;
	bool lcofip;
} seen;

/* Leaves a running counter of each kind, a counter that has overflowed, and a snapshot page. */
static void run_and_stop(void *arg)
{
	const uint64_t hw = facts.ovf_ctrs;

	ctr_config(facts.fw_first, SBI_PMU_CFG_FLAG_AUTO_START, EV_SET_TIMER, 0);
	fw_tick(3);
	if (hw) {
		ctr_config(first_ctr(hw), SBI_PMU_CFG_FLAG_AUTO_START, EV_CYCLES, 0);
		ctr_config(last_ctr(hw), 0, EV_CYCLES, 0);
		ctr_start(last_ctr(hw), SBI_PMU_START_SET_INIT_VALUE, (uint64_t)-1);
	}
	if (facts.snapshot)
		pmu_set_shmem(PAGE, 0, 0);
	sbi0(SBI_EXT_HSM, SBI_HSM_HART_STOP);
}

static void look_at_counters(void *arg)
{
	rv_ulong v, w;

	seen.lcofip = csr_read(CSR_SIP) & MIP_LCOFIP;
	seen.overflown = facts.sscofpmf && rt_scountovf();
	for (unsigned c = 0; c < 64; c++) {
		if (facts.hw & BITS64(c)) {
			seen.closed += rt_try_hpm(facts.csr[c], &v) != RT_NO_TRAP;
			if (facts.csr[c] >= COUNTER_HPM_FIRST)
				seen.not_zero += v != 0;
			else if (rt_try_hpm(facts.csr[c], &w) == RT_NO_TRAP)
				seen.stands_still += v == w && facts.exact;
		}
		if ((facts.hw | facts.fw) & BITS64(c) && !ctr_stop(c, 0).error)
			seen.running++;
	}
	seen.snapshot = ctr_stop(facts.fw_first, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT);
	seen.config = ctr_config(facts.fw_first, 0, EV_SET_TIMER, 0);
	ctr_start(facts.fw_first, SBI_PMU_START_SET_INIT_VALUE, 0);
	fw_tick(2);
	seen.fw_value = fw_value(facts.fw_first);
	pmu_reset();
}

/*
 * After a restart a hart has no counter that runs, is mapped or has overflowed, and no snapshot
 * page.  S-mode can read every counter, and the fixed ones run.
 */
static void after_restart(const struct test *t)
{
	memset(&seen, 0, sizeof(seen));
	hart_run(1, run_and_stop, NULL);
	if (!expect(wait_status(1, SBI_HSM_STATE_STOPPED), "the hart does not stop"))
		return;
	if (!expect(hart_restart(1), "the hart does not start again"))
		return;
	expect(hart_do(1, look_at_counters, NULL), "the hart does not answer");
	expect_u64("counters that run", seen.running, 0);
	expect_u64("counters that S-mode may not read", seen.closed, 0);
	expect_u64("programmable counters that are not 0", seen.not_zero, 0);
	expect_u64("cycle and instret that stand still", seen.stands_still, 0);
	expect(!seen.overflown, "scountovf is not 0");
	expect(!seen.lcofip, "LCOFI pends");
	expect_ret("config of a firmware counter", seen.config, SBI_SUCCESS, facts.fw_first);
	expect_u64("firmware counter after two events", seen.fw_value, 2);
	if (facts.snapshot)
		expect_err("stop into the snapshot page of before", seen.snapshot,
			   SBI_ERR_NO_SHMEM);
}

/*
 * Suspends non-retentively until the timer; the hart resumes at rt_hart_entry.  Leaves a running
 * counter of each kind, a stopped counter, a running counter that filters S-mode, and a snapshot
 * page.
 */
static void suspend_job(void *arg)
{
	struct hart *h = this_hart();
	const uint64_t hw = facts.ovf_ctrs;

	ctr_config(facts.fw_first, 0, EV_SET_TIMER, 0);
	ctr_start(facts.fw_first, SBI_PMU_START_SET_INIT_VALUE, 1000);
	if (hw) {
		ctr_config(first_ctr(hw), SBI_PMU_CFG_FLAG_AUTO_START, EV_CYCLES, 0);
		ctr_config(last_ctr(hw), 0, EV_CYCLES, 0);
		ctr_start(last_ctr(hw), SBI_PMU_START_SET_INIT_VALUE, KEPT);
		ctr_stop(last_ctr(hw), 0);
		seen.kept = hw_value(last_ctr(hw));
	}
	if (facts.exact)
		ctr_config(first_ctr(hw) + 1,
			   SBI_PMU_CFG_FLAG_SET_SINH | SBI_PMU_CFG_FLAG_CLEAR_VALUE |
				   SBI_PMU_CFG_FLAG_AUTO_START,
			   EV_CYCLES, 0);
	if (facts.snapshot)
		pmu_set_shmem(PAGE, 0, 0);
	h->job = NULL;
	sbi_set_timer(rt_time() + rt_boot.timebase / 1000);
	csr_set(CSR_SIE, MIP_STIP);
	h->result[0] = (rv_ulong)sbi3(SBI_EXT_HSM, SBI_HSM_HART_SUSPEND,
				      SBI_HSM_SUSPEND_NON_RETENTIVE, (rv_ulong)rt_hart_entry,
				      (rv_ulong)h)
			       .error;
	h->result[1] = 1;
}

static void look_after_suspend(void *arg)
{
	const uint64_t hw = facts.ovf_ctrs;
	rv_ulong v;

	for (unsigned c = 0; c < 64; c++)
		if (facts.hw & BITS64(c))
			seen.closed += rt_try_hpm(facts.csr[c], &v) != RT_NO_TRAP;
	if (facts.exact)
		seen.filtered = hw_value(first_ctr(hw) + 1);
	if (hw) {
		seen.kept -= hw_value(last_ctr(hw));
		seen.hw_start = ctr_start(first_ctr(hw), 0, 0);
		v = (rv_ulong)hw_value(first_ctr(hw));
		spin(10000);
		seen.stands_still = hw_value(first_ctr(hw)) == v;
	}
	seen.fw_start = ctr_start(facts.fw_first, 0, 0);
	seen.fw_value = fw_value(facts.fw_first);
	if (facts.snapshot)
		seen.snapshot = ctr_stop(facts.fw_first, SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT);
	pmu_reset();
}

static void non_retentive(const struct test *t)
{
	struct hart *h = &rt_harts[1];
	unsigned steps = 0;

	memset(&seen, 0, sizeof(seen));
	h->result[0] = h->result[1] = 0;
	h->online = false;
	hart_run(1, suspend_job, NULL);
	while (!h->online && !h->result[1] && rt_wait_more(&steps))
		;
	if (h->result[1]) {
		h->online = true;
		skip_rest("non-retentive suspend is not supported");
		hart_do(1, look_after_suspend, NULL);
		return;
	}
	if (!expect(h->online, "the hart does not resume at its address"))
		return;
	if (!expect(hart_do(1, look_after_suspend, NULL), "the hart does not answer"))
		return;
	expect_range("firmware counter after the suspend", seen.fw_value, 1001, 20000);
	expect_err("start of the firmware counter", seen.fw_start, SBI_ERR_ALREADY_STARTED);
	expect_u64("counters that S-mode may not read", seen.closed, 0);
	if (facts.ovf_ctrs) {
		expect_u64("what a stopped counter has lost", seen.kept, 0);
		expect_err("start of the running counter", seen.hw_start, SBI_ERR_ALREADY_STARTED);
		expect(!seen.stands_still, "the running counter stands still");
	}
	expect_u64("what a counter counted of a mode that it filters", seen.filtered, 0);
	if (facts.snapshot)
		expect_ok("stop into the snapshot page", seen.snapshot);
}

static void retentive(const struct test *t)
{
	struct sbiret r;

	if (facts.fw_first) {
		fw_take(facts.fw_first);
		ctr_start(facts.fw_first, SBI_PMU_START_SET_INIT_VALUE, 10);
	}
	sbi_set_timer(rt_time() + rt_boot.timebase / 1000);
	csr_set(CSR_SIE, MIP_STIP);
	r = sbi3(SBI_EXT_HSM, SBI_HSM_HART_SUSPEND, SBI_HSM_SUSPEND_RETENTIVE, 0, 0);
	csr_clear(CSR_SIE, MIP_STIP);
	sbi_set_timer(UINT64_MAX);
	expect_ok("retentive suspend", r);
	if (facts.fw_first)
		expect_u64("firmware counter after the suspend", fw_value(facts.fw_first), 12);
}

static void hsm_status(const struct test *t)
{
	for (unsigned i = 0; i < rt_nr_harts; i++) {
		struct sbiret r = status_of(i);

		expect_ok("get_status", r);
		/* A waiting hart may use a suspend on its own; here it must not. */
		expect_u64("status", r.value, SBI_HSM_STATE_STARTED);
	}
	expect_err("hart 4095", sbi1(SBI_EXT_HSM, SBI_HSM_HART_GET_STATUS, 4095),
		   SBI_ERR_INVALID_PARAM);
	expect_err("hart -1", sbi1(SBI_EXT_HSM, SBI_HSM_HART_GET_STATUS, -1),
		   SBI_ERR_INVALID_PARAM);
}

static void hsm_start_errors(const struct test *t)
{
	expect_err("a started hart",
		   sbi3(SBI_EXT_HSM, SBI_HSM_HART_START, rt_boot.hartid, (rv_ulong)rt_hart_entry,
			0),
		   SBI_ERR_ALREADY_AVAILABLE);
	expect_err("hart 4095",
		   sbi3(SBI_EXT_HSM, SBI_HSM_HART_START, 4095, (rv_ulong)rt_hart_entry, 0),
		   SBI_ERR_INVALID_PARAM);
	expect_err("hart -1", sbi3(SBI_EXT_HSM, SBI_HSM_HART_START, -1, (rv_ulong)rt_hart_entry, 0),
		   SBI_ERR_INVALID_PARAM);
}

static void stop_self(void *arg)
{
	sbi0(SBI_EXT_HSM, SBI_HSM_HART_STOP);
}

static void hsm_start_address(const struct test *t)
{
	hart_run(1, stop_self, NULL);
	if (!expect(wait_status(1, SBI_HSM_STATE_STOPPED), "the hart does not stop"))
		return;
	expect_err("start in the firmware's memory",
		   sbi3(SBI_EXT_HSM, SBI_HSM_HART_START, rt_harts[1].id, (rv_ulong)rt_boot.ram_base,
			0),
		   SBI_ERR_INVALID_ADDRESS);
	expect_u64("status", status_of(1).value, SBI_HSM_STATE_STOPPED);
	expect(hart_restart(1), "the hart does not start again");
	expect_u64("status", status_of(1).value, SBI_HSM_STATE_STARTED);
}

/*
 * Counts all starts of this boot.  The fault needs two harts: one looks for its start address while
 * the other is still writing it, and goes where it was sent last.
 */
static void hsm_start_place(const struct test *t)
{
	expect_u64("harts that came to the address of the boot instead", rt_strays, 0);
}

static void suspend_type(const struct test *t)
{
	static const uint32_t types[] = { 1, 0x0fffffff, 0x80000001, 0x8fffffff };

	for (unsigned i = 0; i < ARRAY_LEN(types); i++)
		expect_err("reserved suspend type",
			   sbi3(SBI_EXT_HSM, SBI_HSM_HART_SUSPEND, types[i],
				(rv_ulong)rt_hart_entry, 0),
			   SBI_ERR_INVALID_PARAM);
}

#define PM (NEED_PMU | NEED_SMP)
static const struct test smp_tests[] = {
	{ "every hart has the same counters", "SBI 3.0 §11.6, §11.7", same_counters, PM | SOFT, 0 },
	{ "a hart's counters are its own", "SBI 3.0 §11.8 to §11.10", independent, PM | NEED_FW,
	  0 },
	{ "all harts call at the same time", "SBI 3.0 §11.8 to §11.10", concurrent,
	  PM | NEED_FW | NEED_HW, 0 },
	{ "a hart that starts again has free counters", "SBI 3.0 §9.1, §11", after_restart,
	  PM | NEED_FW | SOFT, 0 },
	{ "counters outlast a retentive suspend", "SBI 3.0 §9.4, §11", retentive, NEED_PMU, 0 },
	{ "counters outlast a non-retentive suspend", "SBI 3.0 §9.4, §11", non_retentive,
	  PM | NEED_FW | SOFT, 0 },
	{ "hart_get_status", "SBI 3.0 §9.3", hsm_status, ON_SMP, 0 },
	{ "hart_start of a started or unknown hart", "SBI 3.0 §9.1", hsm_start_errors, ON_SMP, 0 },
	{ "hart_start in the firmware's memory is INVALID_ADDRESS", "SBI 3.0 §9.1",
	  hsm_start_address, NEED_SMP, 0 },
	{ "hart_start starts at its address", "SBI 3.0 §9.1", hsm_start_place, NEED_SMP, 0 },
	{ "hart_suspend with a reserved type is INVALID_PARAM", "SBI 3.0 §9.4", suspend_type, 0,
	  0 },
};

const struct group group_smp = { "harts", smp_tests, ARRAY_LEN(smp_tests) };
