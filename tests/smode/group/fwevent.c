/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fwevent.c - firmware events count exactly the number of calls or traps.
 *
 * For each row: a counter counts the event on this hart or on the second one, the test causes the
 * event N times, and the counter must have advanced by N.  Firmware cannot count what the hardware
 * does without it (a trap that is delegated to S-mode, a misaligned load that the hart executes): a
 * count of zero is a TODO then.
 *
 * Covers: SBI 3.0 §11.5 table 35.
 */
#include "group.h"

#define CALLS 5

static uint32_t words[4] __attribute__((aligned(16)));

static rv_ulong other_base(void)
{
	return rt_harts[1].id;
}

static void rfence(rv_ulong fid, rv_ulong asid)
{
	struct sbiret r = sbi_call(SBI_EXT_RFENCE, fid, 1, other_base(), (rv_ulong)shared[1], 4096,
				   asid, 0);

	expect_ok("remote fence", r);
}

static void cause_timer(void)
{
	expect_ok("set_timer", sbi_set_timer(UINT64_MAX));
}

/* The next IPI is sent after the last one was taken, because pending IPIs merge. */
static void cause_ipi(void)
{
	unsigned before = rt_harts[1].irqs[IRQ_S_SOFT];
	unsigned steps = 0;

	expect_ok("send_ipi", sbi3(SBI_EXT_IPI, SBI_IPI_SEND_IPI, 1, other_base(), 0));
	while (rt_harts[1].irqs[IRQ_S_SOFT] == before)
		if (!expect(rt_wait_more(&steps), "the IPI did not arrive"))
			return;
}

static void cause_fence_i(void)
{
	rfence(SBI_RFENCE_FENCE_I, 0);
}

static void cause_sfence(void)
{
	rfence(SBI_RFENCE_SFENCE_VMA, 0);
}

static void cause_sfence_asid(void)
{
	rfence(SBI_RFENCE_SFENCE_VMA_ASID, 1);
}

static void cause_hfence_gvma(void)
{
	rfence(SBI_RFENCE_HFENCE_GVMA, 0);
}

static void cause_hfence_gvma_vmid(void)
{
	rfence(SBI_RFENCE_HFENCE_GVMA_VMID, 1);
}

static void cause_hfence_vvma(void)
{
	rfence(SBI_RFENCE_HFENCE_VVMA, 0);
}

static void cause_hfence_vvma_asid(void)
{
	rfence(SBI_RFENCE_HFENCE_VVMA_ASID, 1);
}

static void cause_illegal(void)
{
	expect_u64("cause of an illegal instruction", (uint64_t)rt_try_illegal(),
		   CAUSE_ILLEGAL_INSN);
}

static void cause_load(void)
{
	expect_u64("cause of a load from the firmware",
		   (uint64_t)rt_try_load((rv_ulong)rt_boot.ram_base), CAUSE_LOAD_ACCESS);
}

static void cause_store(void)
{
	expect_u64("cause of a store to the firmware",
		   (uint64_t)rt_try_store((rv_ulong)rt_boot.ram_base, 0), CAUSE_STORE_ACCESS);
}

/*
 * A misaligned lr.w or amo traps, and the firmware emulates it or redirects the trap; QEMU with one
 * hart executes the amo itself.
 */
static rv_long misaligned_trap;

static void cause_misaligned_load(void)
{
	misaligned_trap = rt_try_lr((rv_ulong)words + 1);
}

static void cause_misaligned_store(void)
{
	misaligned_trap = rt_try_amo((rv_ulong)words + 1);
}

/*
 * remote: the event happens on the second hart. trap: the hardware may handle it without the
 * firmware.
 */
static const struct event_row {
	unsigned code;
	bool remote, trap;
	void (*cause)(void);
} rows[] = {
	{ SBI_PMU_FW_SET_TIMER, false, false, cause_timer },
	{ SBI_PMU_FW_IPI_SENT, false, false, cause_ipi },
	{ SBI_PMU_FW_IPI_RECEIVED, true, false, cause_ipi },
	{ SBI_PMU_FW_FENCE_I_SENT, false, false, cause_fence_i },
	{ SBI_PMU_FW_FENCE_I_RECEIVED, true, false, cause_fence_i },
	{ SBI_PMU_FW_SFENCE_VMA_SENT, false, false, cause_sfence },
	{ SBI_PMU_FW_SFENCE_VMA_RECEIVED, true, false, cause_sfence },
	{ SBI_PMU_FW_SFENCE_VMA_ASID_SENT, false, false, cause_sfence_asid },
	{ SBI_PMU_FW_SFENCE_VMA_ASID_RECEIVED, true, false, cause_sfence_asid },
	{ SBI_PMU_FW_HFENCE_GVMA_SENT, false, false, cause_hfence_gvma },
	{ SBI_PMU_FW_HFENCE_GVMA_RECEIVED, true, false, cause_hfence_gvma },
	{ SBI_PMU_FW_HFENCE_GVMA_VMID_SENT, false, false, cause_hfence_gvma_vmid },
	{ SBI_PMU_FW_HFENCE_GVMA_VMID_RECEIVED, true, false, cause_hfence_gvma_vmid },
	{ SBI_PMU_FW_HFENCE_VVMA_SENT, false, false, cause_hfence_vvma },
	{ SBI_PMU_FW_HFENCE_VVMA_RECEIVED, true, false, cause_hfence_vvma },
	{ SBI_PMU_FW_HFENCE_VVMA_ASID_SENT, false, false, cause_hfence_vvma_asid },
	{ SBI_PMU_FW_HFENCE_VVMA_ASID_RECEIVED, true, false, cause_hfence_vvma_asid },
	{ SBI_PMU_FW_ILLEGAL_INSN, false, true, cause_illegal },
	{ SBI_PMU_FW_ACCESS_LOAD, false, true, cause_load },
	{ SBI_PMU_FW_ACCESS_STORE, false, true, cause_store },
	{ SBI_PMU_FW_MISALIGNED_LOAD, false, true, cause_misaligned_load },
	{ SBI_PMU_FW_MISALIGNED_STORE, false, true, cause_misaligned_store },
};

static const struct event_row *row_of(unsigned code)
{
	const struct event_row *r = rows;

	while (r->code != code)
		r++;
	return r;
}

/* Jobs of the second hart: start and end of a count of event arg. */
static void remote_begin(void *arg)
{
	struct hart *h = this_hart();
	struct sbiret r = ctr_config(facts.fw_first, 0, (rv_ulong)arg, 0);

	csr_set(CSR_SIE, MIP_SSIP);
	csr_set(CSR_SSTATUS, MSTATUS_SIE);
	h->result[0] = (rv_ulong)r.error;
	h->result[1] = (rv_ulong)ctr_start(facts.fw_first, SBI_PMU_START_SET_INIT_VALUE, 0).error;
}

static void remote_end(void *arg)
{
	this_hart()->result[2] = pmu_fw_read(facts.fw_first).value;
	csr_clear(CSR_SSTATUS, MSTATUS_SIE);
	csr_clear(CSR_SIE, MIP_SSIP);
	pmu_reset();
}

static void listen(void *arg)
{
	csr_set(CSR_SIE, MIP_SSIP);
	csr_set(CSR_SSTATUS, MSTATUS_SIE);
}

/* If there is a second hart, it takes IPIs from here on; otherwise only its PMU is not used. */
static bool begin(const struct event_row *r)
{
	if (r->remote) {
		rt_harts[1].result[0] = 1;
		return expect(hart_do(1, remote_begin, (void *)EV_FW(r->code)),
			      "the second hart does not answer") &&
		       expect(!rt_harts[1].result[0] && !rt_harts[1].result[1],
			      "config and start on the second hart");
	}
	if (rt_nr_harts > 1)
		hart_do(1, listen, NULL);
	return expect_ok("config", ctr_config(facts.fw_first, 0, EV_FW(r->code), 0)) &&
	       expect_ok("start", ctr_start(facts.fw_first, SBI_PMU_START_SET_INIT_VALUE, 0));
}

/* Received events may arrive a little after the call has returned. */
static rv_ulong end(const struct event_row *r)
{
	rv_ulong v;

	if (r->remote) {
		rt_wait_us(100);
		hart_do(1, remote_end, NULL);
		return rt_harts[1].result[2];
	}
	v = pmu_fw_read(facts.fw_first).value;
	if (rt_nr_harts > 1)
		hart_do(1, remote_end, NULL);
	return v;
}

static void counts(const struct test *t)
{
	const struct event_row *r = row_of((unsigned)t->arg);
	rv_ulong got;

	if (ctr_config(facts.fw_first, 0, EV_FW(r->code), 0).error) {
		skip_rest("the event is not supported");
		return;
	}
	ctr_stop(facts.fw_first, SBI_PMU_STOP_FLAG_RESET);
	if (!begin(r))
		return;
	misaligned_trap = 0;
	for (unsigned i = 0; i < CALLS; i++)
		r->cause();
	got = end(r);
	if (!got && r->code <= SBI_PMU_FW_MISALIGNED_STORE && misaligned_trap == RT_NO_TRAP)
		skip_rest("the hart carries it out without a trap");
	else if (!got && r->trap)
		demote("the hardware may have kept the trap from the firmware");
	if (got || !r->trap || misaligned_trap != RT_NO_TRAP)
		expect_u64("the event's count", got, CALLS);
}

/* Events are independent: a sent one does not count as received, and so on. */
static void only_own(const struct test *t)
{
	static const unsigned codes[] = {
		SBI_PMU_FW_IPI_SENT,	    SBI_PMU_FW_IPI_RECEIVED, SBI_PMU_FW_FENCE_I_SENT,
		SBI_PMU_FW_SFENCE_VMA_SENT, SBI_PMU_FW_ILLEGAL_INSN, SBI_PMU_FW_ACCESS_LOAD,
	};

	for (unsigned i = 0; i < ARRAY_LEN(codes); i++) {
		ctr_config(facts.fw_first, 0, EV_FW(codes[i]), 0);
		ctr_start(facts.fw_first, SBI_PMU_START_SET_INIT_VALUE, 0);
		fw_tick(CALLS);
		expect_u64("another event's count after set_timer calls",
			   pmu_fw_read(facts.fw_first).value, 0);
		ctr_stop(facts.fw_first, SBI_PMU_STOP_FLAG_RESET);
	}
}

static void two_counters(const struct test *t)
{
	fw_take(facts.fw_first);
	fw_take(facts.fw_second);
	ctr_start(facts.fw_first, SBI_PMU_START_SET_INIT_VALUE, 100);
	fw_tick(2);
	ctr_start(facts.fw_second, SBI_PMU_START_SET_INIT_VALUE, 200);
	fw_tick(3);
	expect_u64("first counter", fw_value(facts.fw_first), 105);
	expect_u64("second counter", fw_value(facts.fw_second), 203);
	ctr_stop(facts.fw_first, SBI_PMU_STOP_FLAG_RESET);
	fw_tick(1);
	expect_u64("second counter, the first gone", fw_value(facts.fw_second), 204);
}

static void all_counters(const struct test *t)
{
	for (unsigned c = 0; c < 64; c++) {
		if (!(facts.fw & BITS64(c)))
			continue;
		ctr_config(c, 0, EV_SET_TIMER, 0);
		ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, c);
	}
	fw_tick(4);
	for (unsigned c = 0; c < 64; c++)
		if (facts.fw & BITS64(c) && fw_value(c) != c + 4)
			deviation("firmware counter %u: got %llu, expected %u", c,
				  (unsigned long long)fw_value(c), c + 4);
}

/* A timer interrupt counts nothing: the event is the call. */
static void timer_fires(const struct test *t)
{
	fw_take(facts.fw_first);
	ctr_start(facts.fw_first, SBI_PMU_START_SET_INIT_VALUE, 0);
	for (unsigned i = 0; i < 3; i++)
		rt_wait_us(20);
	expect_u64("set_timer calls, two for each wait", fw_value(facts.fw_first), 6);
}

/* One call for two harts: implementations count the call or its targets; the test prints which. */
static void ipi_to_two(const struct test *t)
{
	rv_ulong got;

	if (rt_nr_harts < 3) {
		skip_rest("two harts only");
		return;
	}
	ctr_config(facts.fw_first, 0, EV_FW(SBI_PMU_FW_IPI_SENT), 0);
	ctr_start(facts.fw_first, SBI_PMU_START_SET_INIT_VALUE, 0);
	expect_ok("send_ipi",
		  sbi3(SBI_EXT_IPI, SBI_IPI_SEND_IPI,
		       (rv_ulong)1 << rt_harts[1].id | (rv_ulong)1 << rt_harts[2].id, 0, 0));
	got = pmu_fw_read(facts.fw_first).value;
	expect_range("IPI_SENT after one call for two harts", got, 1, 2);
	note("IPI_SENT after one call for two harts:", got);
}

/* "Sent IPI to other hart": an IPI to oneself does not count. */
static void ipi_to_self(const struct test *t)
{
	ctr_config(facts.fw_first, 0, EV_FW(SBI_PMU_FW_IPI_SENT), 0);
	ctr_start(facts.fw_first, SBI_PMU_START_SET_INIT_VALUE, 0);
	expect_ok("send_ipi", sbi3(SBI_EXT_IPI, SBI_IPI_SEND_IPI, 1, rt_boot.hartid, 0));
	rt_wait_us(50);
	csr_clear(CSR_SIP, MIP_SSIP);
	expect_u64("IPI_SENT", pmu_fw_read(facts.fw_first).value, 0);
}

#define S  "SBI 3.0 §11.5"
#define PF (NEED_PMU | NEED_FW)
#define PM (PF | NEED_SMP)
static const struct test fwevent_tests[] = {
	{ "SET_TIMER", S, counts, PF, SBI_PMU_FW_SET_TIMER },
	{ "IPI_SENT", S, counts, PM, SBI_PMU_FW_IPI_SENT },
	{ "IPI_RECEIVED", S, counts, PM, SBI_PMU_FW_IPI_RECEIVED },
	{ "FENCE_I_SENT", S, counts, PM, SBI_PMU_FW_FENCE_I_SENT },
	{ "FENCE_I_RECEIVED", S, counts, PM, SBI_PMU_FW_FENCE_I_RECEIVED },
	{ "SFENCE_VMA_SENT", S, counts, PM, SBI_PMU_FW_SFENCE_VMA_SENT },
	{ "SFENCE_VMA_RECEIVED", S, counts, PM, SBI_PMU_FW_SFENCE_VMA_RECEIVED },
	{ "SFENCE_VMA_ASID_SENT", S, counts, PM, SBI_PMU_FW_SFENCE_VMA_ASID_SENT },
	{ "SFENCE_VMA_ASID_RECEIVED", S, counts, PM, SBI_PMU_FW_SFENCE_VMA_ASID_RECEIVED },
	{ "HFENCE_GVMA_SENT", S, counts, PM | NEED_H, SBI_PMU_FW_HFENCE_GVMA_SENT },
	{ "HFENCE_GVMA_RECEIVED", S, counts, PM | NEED_H, SBI_PMU_FW_HFENCE_GVMA_RECEIVED },
	{ "HFENCE_GVMA_VMID_SENT", S, counts, PM | NEED_H, SBI_PMU_FW_HFENCE_GVMA_VMID_SENT },
	{ "HFENCE_GVMA_VMID_RECEIVED", S, counts, PM | NEED_H,
	  SBI_PMU_FW_HFENCE_GVMA_VMID_RECEIVED },
	{ "HFENCE_VVMA_SENT", S, counts, PM | NEED_H, SBI_PMU_FW_HFENCE_VVMA_SENT },
	{ "HFENCE_VVMA_RECEIVED", S, counts, PM | NEED_H, SBI_PMU_FW_HFENCE_VVMA_RECEIVED },
	{ "HFENCE_VVMA_ASID_SENT", S, counts, PM | NEED_H, SBI_PMU_FW_HFENCE_VVMA_ASID_SENT },
	{ "HFENCE_VVMA_ASID_RECEIVED", S, counts, PM | NEED_H,
	  SBI_PMU_FW_HFENCE_VVMA_ASID_RECEIVED },
	{ "ILLEGAL_INSN", S, counts, PF, SBI_PMU_FW_ILLEGAL_INSN },
	{ "ACCESS_LOAD", S, counts, PF, SBI_PMU_FW_ACCESS_LOAD },
	{ "ACCESS_STORE", S, counts, PF, SBI_PMU_FW_ACCESS_STORE },
	{ "MISALIGNED_LOAD", S, counts, PF | ON_SMP, SBI_PMU_FW_MISALIGNED_LOAD },
	{ "MISALIGNED_STORE", S, counts, PF | ON_SMP, SBI_PMU_FW_MISALIGNED_STORE },
	{ "set_timer moves no other event", S, only_own, PF, 0 },
	{ "two counters on one event count both", S, two_counters, PF, 0 },
	{ "all counters on one event count", S, all_counters, PF, 0 },
	{ "a timer interrupt is not a SET_TIMER", S, timer_fires, PF, 0 },
	{ "one IPI call for two harts counts one or two", S, ipi_to_two, PM, 0 },
	{ "an IPI to oneself is not sent to another hart", S, ipi_to_self, PF | SOFT, 0 },
};

const struct group group_fwevent = { "firmware event", fwevent_tests, ARRAY_LEN(fwevent_tests) };
