/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sbi.c - the other extensions as far as users of the PMU need them, and memory protection.
 *
 * Covers: SBI 3.0 §6 (TIME), §7 (IPI), §8 (RFENCE), §10 (SRST), §12 (DBCN), §3.2 (addresses); Priv
 * 1.13 §3.7 (physical memory protection), §2.1 (CSR privilege), §3.1.19 (mseccfg, seed).
 */
#include "group.h"

/* Waits for STIP, 100 ms at most. */
static bool timer_pends(void)
{
	uint64_t end = rt_time() + rt_boot.timebase / 10;

	while (!(csr_read(CSR_SIP) & MIP_STIP) && rt_time() < end)
		spin(100);
	return csr_read(CSR_SIP) & MIP_STIP;
}

static void timer(const struct test *t)
{
	uint64_t when = rt_time() + rt_boot.timebase / 1000;

	expect_ok("set_timer", sbi_set_timer(when));
	expect(timer_pends(), "STIP does not pend");
	expect(rt_time() >= when, "STIP before its time");
	expect_ok("set_timer", sbi_set_timer(UINT64_MAX));
	expect(!(csr_read(CSR_SIP) & MIP_STIP), "STIP pends after set_timer(-1)");
	expect_ok("set_timer in the past", sbi_set_timer(1));
	expect(timer_pends(), "a time in the past does not pend");
	sbi_set_timer(UINT64_MAX);
}

static void timer_irq(const struct test *t)
{
	struct hart *h = this_hart();
	unsigned before = h->irqs[IRQ_S_TIMER];

	csr_set(CSR_SSTATUS, MSTATUS_SIE);
	rt_wait_us(500);
	csr_clear(CSR_SSTATUS, MSTATUS_SIE);
	expect_u64("timer interrupts taken", h->irqs[IRQ_S_TIMER] - before, 1);
}

static bool own_ipi(void)
{
	for (unsigned n = 0; n < 1000 && !(csr_read(CSR_SIP) & MIP_SSIP); n++)
		spin(100);
	return csr_read(CSR_SIP) & MIP_SSIP;
}

static void ipi(const struct test *t)
{
	expect_ok("send_ipi to oneself", sbi3(SBI_EXT_IPI, SBI_IPI_SEND_IPI, 1, rt_boot.hartid, 0));
	expect(own_ipi(), "SSIP does not pend");
	csr_clear(CSR_SIP, MIP_SSIP);
	expect_ok("send_ipi to all", sbi3(SBI_EXT_IPI, SBI_IPI_SEND_IPI, 0, -1, 0));
	expect(own_ipi(), "SSIP does not pend after one to all");
	csr_clear(CSR_SIP, MIP_SSIP);
	expect_ok("send_ipi to none", sbi3(SBI_EXT_IPI, SBI_IPI_SEND_IPI, 0, 0, 0));
}

static void ipi_invalid(const struct test *t)
{
	expect_err("hart mask base 4000", sbi3(SBI_EXT_IPI, SBI_IPI_SEND_IPI, 1, 4000, 0),
		   SBI_ERR_INVALID_PARAM);
	expect_err("hart mask base -2", sbi3(SBI_EXT_IPI, SBI_IPI_SEND_IPI, 1, -2, 0),
		   SBI_ERR_INVALID_PARAM);
	csr_clear(CSR_SIP, MIP_SSIP);
}

static void rfence(const struct test *t)
{
	for (rv_ulong fid = SBI_RFENCE_FENCE_I; fid <= SBI_RFENCE_SFENCE_VMA_ASID; fid++) {
		expect_ok("oneself, one page", sbi_call(SBI_EXT_RFENCE, fid, 1, rt_boot.hartid,
							(rv_ulong)shared[1], 4096, 1, 0));
		expect_ok("all, everything", sbi_call(SBI_EXT_RFENCE, fid, 0, -1, 0, -1, 1, 0));
		expect_ok("all, start and size zero",
			  sbi_call(SBI_EXT_RFENCE, fid, 0, -1, 0, 0, 1, 0));
		expect_ok("all, an end that wraps to zero",
			  sbi_call(SBI_EXT_RFENCE, fid, 0, -1, (rv_ulong)-4096, 4096, 1, 0));
	}
}

static void rfence_invalid(const struct test *t)
{
	for (rv_ulong fid = SBI_RFENCE_FENCE_I; fid <= SBI_RFENCE_SFENCE_VMA_ASID; fid++)
		expect_err("hart mask base 4000",
			   sbi_call(SBI_EXT_RFENCE, fid, 1, 4000, 0, 4096, 1, 0),
			   SBI_ERR_INVALID_PARAM);
}

static char text[] = "# written by debug_console_write\n";

static void dbcn_write(const struct test *t)
{
	const rv_ulong len = sizeof(text) - 1;
	struct sbiret r = sbi3(SBI_EXT_DBCN, SBI_DBCN_WRITE, len, (rv_ulong)text, 0);

	expect_ok("write", r);
	expect(r.value <= len, "more written than asked for");
	for (rv_ulong done = r.value; !r.error && done < len; done += r.value)
		r = sbi3(SBI_EXT_DBCN, SBI_DBCN_WRITE, len - done, (rv_ulong)text + done, 0);
	expect_ret("write of no bytes", sbi3(SBI_EXT_DBCN, SBI_DBCN_WRITE, 0, (rv_ulong)text, 0),
		   SBI_SUCCESS, 0);
	expect_ret("write of a byte", sbi1(SBI_EXT_DBCN, SBI_DBCN_WRITE_BYTE, '\n'), SBI_SUCCESS,
		   0);
}

static void dbcn_read(const struct test *t)
{
	struct sbiret r;

	canary_fill();
	r = sbi3(SBI_EXT_DBCN, SBI_DBCN_READ, 64, (rv_ulong)shared[1], 0);
	expect_ok("read", r);
	expect(r.value <= 64, "more read than asked for");
	expect_ret("read of no bytes", sbi3(SBI_EXT_DBCN, SBI_DBCN_READ, 0, (rv_ulong)shared[1], 0),
		   SBI_SUCCESS, 0);
	expect(canary_ok(), "memory outside the buffer was overwritten");
}

/* arg: the function. */
static void dbcn_hostile(const struct test *t)
{
	const rv_ulong fw = (rv_ulong)rt_boot.ram_base;
	const struct {
		const char *name;
		rv_ulong n, lo, hi;
	} bad[] = {
		{ "the firmware's memory", 8, fw, 0 },
		{ "the firmware's second page", 8, fw + 4096, 0 },
		{ "upper half not zero", 8, (rv_ulong)text, 1 },
		{ "from before the firmware's memory into it", 32, fw - 16, 0 },
		{ "an end that wraps", (rv_ulong)-16, (rv_ulong)text, 0 },
		{ "the top of the address space", 32, (rv_ulong)-16, 0 },
	};

	for (unsigned i = 0; i < ARRAY_LEN(bad); i++)
		expect_err(bad[i].name, sbi3(SBI_EXT_DBCN, t->arg, bad[i].n, bad[i].lo, bad[i].hi),
			   SBI_ERR_INVALID_PARAM);
}

static void srst(const struct test *t)
{
	expect(sbi1(SBI_EXT_BASE, SBI_BASE_PROBE_EXT, SBI_EXT_SRST).value, "SRST is not there");
	expect_err("reset with a reserved type",
		   sbi3(SBI_EXT_SRST, SBI_SRST_RESET, 0x0fffffff, 0, 0), SBI_ERR_INVALID_PARAM);
	expect_err("reset with a reserved reason",
		   sbi3(SBI_EXT_SRST, SBI_SRST_RESET, SBI_SRST_TYPE_COLD_REBOOT, 0x0fffffff, 0),
		   SBI_ERR_INVALID_PARAM);
}

static const struct test sbi_tests[] = {
	{ "set_timer makes STIP pend and clears it", "SBI 3.0 §6.1", timer, 0, 0 },
	{ "the timer interrupt is taken in S-mode", "SBI 3.0 §6.1", timer_irq, 0, 0 },
	{ "send_ipi", "SBI 3.0 §7.1", ipi, ON_SMP, 0 },
	{ "send_ipi to an unknown hart is INVALID_PARAM", "SBI 3.0 §7.1", ipi_invalid, 0, 0 },
	{ "remote fences to oneself and to all", "SBI 3.0 §8", rfence, ON_SMP, 0 },
	{ "remote fences to an unknown hart are INVALID_PARAM", "SBI 3.0 §8", rfence_invalid, 0,
	  0 },
	{ "console write", "SBI 3.0 §12.1, §12.3", dbcn_write, NEED_DBCN, 0 },
	{ "console read", "SBI 3.0 §12.2", dbcn_read, NEED_DBCN, 0 },
	{ "console write from a forbidden address is INVALID_PARAM", "SBI 3.0 §12.1, §3.2",
	  dbcn_hostile, NEED_DBCN, SBI_DBCN_WRITE },
	{ "console read to a forbidden address is INVALID_PARAM", "SBI 3.0 §12.2, §3.2",
	  dbcn_hostile, NEED_DBCN, SBI_DBCN_READ },
	{ "system_reset exists and refuses reserved values", "SBI 3.0 §10.1", srst, 0, 0 },
};

const struct group group_sbi = { "other extensions", sbi_tests, ARRAY_LEN(sbi_tests) };

static void protect(const struct test *t)
{
	static const rv_ulong offsets[] = { 0, 8, 0x1000, 0x4000 };

	for (unsigned i = 0; i < ARRAY_LEN(offsets); i++) {
		rv_ulong a = (rv_ulong)rt_boot.ram_base + offsets[i];

		expect_u64("load", (uint64_t)rt_try_load(a), CAUSE_LOAD_ACCESS);
		expect_u64("store", (uint64_t)rt_try_store(a, 0), CAUSE_STORE_ACCESS);
		expect_u64("lr", (uint64_t)rt_try_lr(a), CAUSE_LOAD_ACCESS);
		/* QEMU 7.2 reads first, and reports a load. */
		if (facts.exact || rt_try_amo(a) != CAUSE_LOAD_ACCESS)
			expect_u64("amo", (uint64_t)rt_try_amo(a), CAUSE_STORE_ACCESS);
		expect_u64("fetch", (uint64_t)rt_try_exec(a), CAUSE_FETCH_ACCESS);
	}
}

static void protect_tval(const struct test *t)
{
	rv_ulong a = (rv_ulong)rt_boot.ram_base + 16;

	rt_try_load(a);
	expect_u64("stval of the load", this_hart()->tval, a);
	rt_try_store(a, 0);
	expect_u64("stval of the store", this_hart()->tval, a);
	rt_try_exec(a);
	expect_u64("stval of the fetch", this_hart()->tval, a);
	expect_u64("sepc of the fetch", this_hart()->epc, a);
}

static void own_memory(const struct test *t)
{
	expect_u64("load", (uint64_t)rt_try_load((rv_ulong)shared), (uint64_t)RT_NO_TRAP);
	expect_u64("store", (uint64_t)rt_try_store((rv_ulong)shared, 1), (uint64_t)RT_NO_TRAP);
}

static void m_csr(const struct test *t)
{
	expect_u64("csrr mstatus", (uint64_t)rt_try_mstatus(), CAUSE_ILLEGAL_INSN);
}

/* The source gives entropy within a few tries. */
static void seed(const struct test *t)
{
	rv_ulong v = 0;
	unsigned tries = 0;

	do {
		if (!expect_u64("csrrw seed", (uint64_t)rt_try_seed(&v), (uint64_t)RT_NO_TRAP))
			return;
	} while ((v >> SEED_OPST_SHIFT & 3) != SEED_ES16 && ++tries < 100000);
	expect(tries < 100000, "no entropy");
}

static void user_seed(const struct test *t)
{
	rv_ulong v = 0;

	expect_u64("csrrw seed", (uint64_t)rt_try_user_seed(&v), CAUSE_ECALL_U);
}

static void job_protect(void *arg)
{
	rv_ulong a = (rv_ulong)rt_boot.ram_base;

	this_hart()->result[0] = rt_try_load(a) == CAUSE_LOAD_ACCESS &&
				 rt_try_store(a, 0) == CAUSE_STORE_ACCESS;
}

static void protect_all(const struct test *t)
{
	for (unsigned i = 1; i < rt_nr_harts; i++)
		expect(hart_do(i, job_protect, NULL) && rt_harts[i].result[0],
		       "another hart reaches the firmware's memory");
}

static const struct test memory_tests[] = {
	{ "the firmware's memory is closed to S-mode", "Priv 1.13 §3.7", protect, 0, 0 },
	{ "stval and sepc of such a fault", "Priv 1.13 §4.1.9", protect_tval, 0, 0 },
	{ "it is closed on every hart", "Priv 1.13 §3.7", protect_all, NEED_SMP, 0 },
	{ "S-mode's own memory is open", "Priv 1.13 §3.7", own_memory, 0, 0 },
	{ "a machine-mode CSR is an illegal instruction", "Priv 1.13 §2.1", m_csr, 0, 0 },
	{ "the entropy source is open to S-mode", "Priv 1.13 §3.1.19", seed, NEED_ZKR, 0 },
	{ "the entropy source is open to U-mode", "Priv 1.13 §3.1.19", user_seed, NEED_ZKR, 0 },
};

const struct group group_memory = { "memory", memory_tests, ARRAY_LEN(memory_tests) };
