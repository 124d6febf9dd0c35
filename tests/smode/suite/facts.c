/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * facts.c - short names for the PMU calls, and probes before the first test.
 *
 * The probes use the calls under test and do not trust them: a function that does not work counts
 * as absent here, and its own tests show why.  SBI 3.0 §11.6 to §11.14 (numbers of arguments and
 * functions).
 */
#include "test.h"

struct facts facts;

struct sbiret pmu_info(rv_ulong ctr)
{
	return sbi1(SBI_EXT_PMU, SBI_PMU_COUNTER_GET_INFO, ctr);
}

struct sbiret pmu_config(rv_ulong base, rv_ulong mask, rv_ulong flags, rv_ulong eidx, uint64_t data)
{
	return sbi_call(SBI_EXT_PMU, SBI_PMU_COUNTER_CONFIG_MATCHING, base, mask, flags, eidx,
			(rv_ulong)data, hi_of(data));
}

struct sbiret pmu_start(rv_ulong base, rv_ulong mask, rv_ulong flags, uint64_t value)
{
	return sbi_call(SBI_EXT_PMU, SBI_PMU_COUNTER_START, base, mask, flags, (rv_ulong)value,
			hi_of(value), 0);
}

struct sbiret pmu_stop(rv_ulong base, rv_ulong mask, rv_ulong flags)
{
	return sbi3(SBI_EXT_PMU, SBI_PMU_COUNTER_STOP, base, mask, flags);
}

struct sbiret pmu_fw_read(rv_ulong ctr)
{
	return sbi1(SBI_EXT_PMU, SBI_PMU_COUNTER_FW_READ, ctr);
}

struct sbiret pmu_set_shmem(rv_ulong lo, rv_ulong hi, rv_ulong flags)
{
	return sbi3(SBI_EXT_PMU, SBI_PMU_SNAPSHOT_SET_SHMEM, lo, hi, flags);
}

struct sbiret pmu_event_info(rv_ulong lo, rv_ulong hi, rv_ulong n, rv_ulong flags)
{
	return sbi_call(SBI_EXT_PMU, SBI_PMU_EVENT_GET_INFO, lo, hi, n, flags, 0, 0);
}

/*
 * As sets whose base is a multiple of XLEN: Linux uses these, and every implementation accepts
 * them.
 */
static rv_ulong base_of(rv_ulong ctr)
{
	return ctr & ~(rv_ulong)(RV_XLEN - 1);
}

static rv_ulong mask_of(rv_ulong ctr)
{
	return (rv_ulong)1 << (ctr & (RV_XLEN - 1));
}

struct sbiret ctr_config(rv_ulong ctr, rv_ulong flags, rv_ulong eidx, uint64_t data)
{
	return pmu_config(base_of(ctr), mask_of(ctr), flags, eidx, data);
}

struct sbiret ctr_start(rv_ulong ctr, rv_ulong flags, uint64_t value)
{
	return pmu_start(base_of(ctr), mask_of(ctr), flags, value);
}

struct sbiret ctr_stop(rv_ulong ctr, rv_ulong flags)
{
	return pmu_stop(base_of(ctr), mask_of(ctr), flags);
}

uint64_t fw_value(unsigned ctr)
{
	uint64_t v = pmu_fw_read(ctr).value;

	if (RV_XLEN == 32)
		v |= (uint64_t)sbi1(SBI_EXT_PMU, SBI_PMU_COUNTER_FW_READ_HI, ctr).value << 32;
	return v;
}

uint64_t hw_value(unsigned ctr)
{
	rv_ulong lo = 0, hi = 0, again = 0;
	unsigned n = facts.csr[ctr];

	if (RV_XLEN == 64) {
		rt_try_hpm(n, &lo);
		return lo;
	}
	do {
		rt_try_hpm(n + 32, &hi);
		rt_try_hpm(n, &lo);
		rt_try_hpm(n + 32, &again);
	} while (hi != again);
	return (uint64_t)hi << 16 << 16 | lo;
}

/* On RV32 a mask has 32 bits, so a set of 64 counters needs two calls. */
int pmu_take(uint64_t ctrs, rv_ulong flags, rv_ulong eidx)
{
	for (unsigned base = 0; base < 64; base += RV_XLEN) {
		rv_ulong mask = (rv_ulong)(ctrs >> base);
		struct sbiret r;

		if (!mask)
			continue;
		r = pmu_config(base, mask, flags, eidx, 0);
		if (!r.error)
			return (int)r.value;
	}
	return -1;
}

bool fw_take(unsigned ctr)
{
	return expect_ret("config_matching of a firmware counter for SET_TIMER",
			  ctr_config(ctr, 0, EV_SET_TIMER, 0), SBI_SUCCESS, ctr);
}

bool fw_take_two(rv_ulong *base, rv_ulong *mask)
{
	*base = facts.fw_first;
	*mask = 1 | (rv_ulong)1 << (facts.fw_second - facts.fw_first);
	return fw_take(facts.fw_first) && fw_take(facts.fw_second);
}

void fw_tick(unsigned n)
{
	while (n--)
		sbi_set_timer(UINT64_MAX);
}

void pmu_reset(void)
{
	if (facts.snapshot)
		pmu_set_shmem(-1, -1, 0);
	/* One by one, because some implementations handle sets wrongly. */
	for (unsigned c = 0; c < 64; c++)
		if ((facts.hw | facts.fw) & BITS64(c))
			ctr_stop(c, SBI_PMU_STOP_FLAG_RESET);
	csr_clear(CSR_SIP, MIP_LCOFIP);
}

void __attribute__((noinline)) spin(rv_ulong n)
{
	__asm__ volatile("1:	addi %0, %0, -1\n"
			 "	bnez %0, 1b\n"
			 : "+r"(n));
}

static void probe_counters(void)
{
	facts.nr_ctrs = sbi0(SBI_EXT_PMU, SBI_PMU_NUM_COUNTERS).value;
	for (unsigned c = 0; c < 64 && c < facts.nr_ctrs; c++) {
		struct sbiret r = pmu_info(c);

		if (r.error)
			continue;
		if ((rv_long)r.value < 0) {
			facts.fw |= BITS64(c);
			continue;
		}
		facts.hw |= BITS64(c);
		facts.csr[c] = r.value & 31;
		facts.width[c] = (uint8_t)((r.value >> SBI_PMU_INFO_WIDTH_SHIFT & 63) + 1);
	}
	for (unsigned c = 0; c < 64; c++) {
		struct sbiret r;

		if (!(facts.hw & BITS64(c)))
			continue;
		r = ctr_config(c, 0, EV_CYCLES, 0);
		if (!r.error && r.value == c)
			facts.cycles_ctrs |= BITS64(c);
		pmu_reset();
	}
	for (unsigned c = 0; c < 64; c++)
		if (facts.cycles_ctrs & BITS64(c) && facts.csr[c] >= COUNTER_HPM_FIRST)
			facts.ovf_ctrs |= BITS64(c);
}

/* Firmware counters that count set_timer, the event that the tests can cause at any time. */
static void probe_fw(void)
{
	for (unsigned c = 0; c < 64 && !facts.fw_second; c++) {
		struct sbiret r;

		if (!(facts.fw & BITS64(c)))
			continue;
		r = ctr_config(c, 0, EV_SET_TIMER, 0);
		if (!r.error && r.value == c &&
		    !ctr_start(c, SBI_PMU_START_SET_INIT_VALUE, 5).error) {
			fw_tick(3);
			if (pmu_fw_read(c).value == 8 && !facts.fw_first)
				facts.fw_first = c;
			else if (pmu_fw_read(c).value == 8)
				facts.fw_second = c;
		}
		pmu_reset();
	}
}

/* Instructions in a loop of 2000, by instret, which is stopped after the loop; ~0 on failure. */
static uint64_t count_loop(rv_ulong flags, bool *still)
{
	int c = pmu_take(facts.ovf_ctrs, flags, EV_INSTRET);
	uint64_t v, again;

	if (c < 0)
		return UINT64_MAX;
	ctr_start((unsigned)c, SBI_PMU_START_SET_INIT_VALUE, 0);
	spin(1000);
	ctr_stop((unsigned)c, 0);
	v = hw_value((unsigned)c);
	spin(1000);
	again = hw_value((unsigned)c);
	*still = v == again;
	pmu_reset();
	return v;
}

/*
 * Exact means: two runs give the same, plausible count; filtered modes and stopped counters give 0.
 */
static void probe_exact(void)
{
	bool still[3] = { false };
	uint64_t a = count_loop(0, &still[0]);
	uint64_t b = count_loop(0, &still[1]);
	uint64_t s = count_loop(SBI_PMU_CFG_FLAG_SET_SINH, &still[2]);

	facts.exact = a == b && a >= 2000 && a < 2100 && s == 0 && still[0] && still[1] && still[2];
}

static bool probe_ext(rv_ulong ext)
{
	struct sbiret r = sbi1(SBI_EXT_BASE, SBI_BASE_PROBE_EXT, ext);

	return !r.error && r.value;
}

void facts_probe(void)
{
	facts.spec = sbi0(SBI_EXT_BASE, SBI_BASE_GET_SPEC_VERSION).value;
	facts.impl = sbi0(SBI_EXT_BASE, SBI_BASE_GET_IMPL_ID).value;
	facts.impl_version = sbi0(SBI_EXT_BASE, SBI_BASE_GET_IMPL_VERSION).value;
	facts.pmu = probe_ext(SBI_EXT_PMU);
	facts.dbcn = probe_ext(SBI_EXT_DBCN);
	facts.hsm = probe_ext(SBI_EXT_HSM);
	facts.hfence = !sbi_call(SBI_EXT_RFENCE, SBI_RFENCE_HFENCE_GVMA, 1, rt_boot.hartid, 0, 4096,
				 0, 0)
				.error;
	if (!facts.pmu)
		return;
	probe_counters();
	probe_fw();
	facts.sscofpmf = facts.ovf_ctrs && rt_try_scountovf() == RT_NO_TRAP;
	facts.snapshot = !pmu_set_shmem((rv_ulong)shared[1], 0, 0).error;
	pmu_set_shmem(-1, -1, 0);
	facts.evinfo = !pmu_event_info((rv_ulong)shared[1], 0, 1, 0).error;
	probe_exact();
}
