/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * base.c - the Base extension, the calling convention, and what the PMU says about its counters.
 *
 * Covers: SBI 3.0 §3 (calling convention), §4 (Base), §11.6 (num_counters), §11.7 (get_info).
 */
#include "group.h"

static void spec_version(const struct test *t)
{
	struct sbiret r = sbi0(SBI_EXT_BASE, SBI_BASE_GET_SPEC_VERSION);

	expect_ok("get_spec_version", r);
	expect(!(r.value >> 31), "bit 31 and those above it must be zero");
	expect(r.value >= SBI_SPEC_VERSION(0, 2), "a version below 0.2 has no Base extension");
}

static void identity(const struct test *t)
{
	for (rv_ulong fid = SBI_BASE_GET_IMPL_ID; fid <= SBI_BASE_GET_MIMPID; fid++)
		if (fid != SBI_BASE_PROBE_EXT)
			expect_ok("identity function", sbi0(SBI_EXT_BASE, fid));
}

static void probe(const struct test *t)
{
	struct sbiret r = sbi1(SBI_EXT_BASE, SBI_BASE_PROBE_EXT, SBI_EXT_BASE);

	expect_ok("probe of Base", r);
	expect(r.value, "Base must be there");
	/* Experimental and vendor numbers that nobody has registered. */
	expect_ret("probe of 0x08ffffff", sbi1(SBI_EXT_BASE, SBI_BASE_PROBE_EXT, 0x08ffffff),
		   SBI_SUCCESS, 0);
	expect_ret("probe of 0x7ffffff1", sbi1(SBI_EXT_BASE, SBI_BASE_PROBE_EXT, 0x7ffffff1),
		   SBI_SUCCESS, 0);
}

static void unknown_ext(const struct test *t)
{
	expect_err("extension 0x08ffffff", sbi0(0x08ffffff, 0), SBI_ERR_NOT_SUPPORTED);
	expect_err("extension 0x7ffffff1", sbi0(0x7ffffff1, 0), SBI_ERR_NOT_SUPPORTED);
}

static void unknown_fid(const struct test *t)
{
	static const struct {
		const char *name;
		rv_ulong ext;
	} exts[] = {
		{ "Base", SBI_EXT_BASE }, { "TIME", SBI_EXT_TIME },	{ "IPI", SBI_EXT_IPI },
		{ "HSM", SBI_EXT_HSM },	  { "RFENCE", SBI_EXT_RFENCE }, { "PMU", SBI_EXT_PMU },
		{ "DBCN", SBI_EXT_DBCN },
	};

	for (unsigned i = 0; i < ARRAY_LEN(exts); i++) {
		if (!sbi1(SBI_EXT_BASE, SBI_BASE_PROBE_EXT, exts[i].ext).value)
			continue;
		expect_err(exts[i].name, sbi0(exts[i].ext, 99), SBI_ERR_NOT_SUPPORTED);
		expect_err(exts[i].name, sbi0(exts[i].ext, 0x7fffffff), SBI_ERR_NOT_SUPPORTED);
		expect_err(exts[i].name, sbi0(exts[i].ext, -1), SBI_ERR_NOT_SUPPORTED);
	}
}

/* One call; every register that the call does not use holds a pattern. */
static void check_regs(const char *what, rv_ulong ext, rv_ulong fid, rv_ulong a0, rv_ulong a1)
{
	rv_ulong in[32];
	struct hart *h = this_hart();

	for (unsigned i = 0; i < 32; i++)
		in[i] = (rv_ulong)0x5a5a1234a5a50000ull + i * 0x01010101;
	in[10] = a0;
	in[11] = a1;
	in[12] = in[13] = in[14] = in[15] = 0;
	in[16] = fid;
	in[17] = ext;
	rt_ecall_regs(in);
	for (unsigned i = 1; i < 32; i++)
		if (i != 10 && i != 11 && h->regs[i] != in[i])
			deviation("%s: x%u was 0x%lx, is 0x%lx", what, i, (unsigned long)in[i],
				  (unsigned long)h->regs[i]);
}

static void regs_base(const struct test *t)
{
	check_regs("get_spec_version", SBI_EXT_BASE, SBI_BASE_GET_SPEC_VERSION, 1, 2);
	check_regs("probe", SBI_EXT_BASE, SBI_BASE_PROBE_EXT, SBI_EXT_PMU, 2);
	check_regs("unknown extension", 0x7ffffff1, 3, 1, 2);
	check_regs("set_timer", SBI_EXT_TIME, 0, -1, -1);
}

static void regs_pmu(const struct test *t)
{
	for (rv_ulong fid = 0; fid <= SBI_PMU_EVENT_GET_INFO + 1; fid++)
		check_regs("PMU call", SBI_EXT_PMU, fid, 0, 1);
}

static const struct test base_tests[] = {
	{ "get_spec_version is well-formed", "SBI 3.0 §4.1", spec_version, 0, 0 },
	{ "the identity functions succeed", "SBI 3.0 §4.2, §4.3, §4.5 to §4.7", identity, 0, 0 },
	{ "probe_extension says non-zero or zero", "SBI 3.0 §4.4", probe, 0, 0 },
	{ "an unknown extension is NOT_SUPPORTED", "SBI 3.0 §3", unknown_ext, 0, 0 },
	{ "an unknown function is NOT_SUPPORTED", "SBI 3.0 §3", unknown_fid, 0, 0 },
	{ "calls preserve all registers but a0 and a1", "SBI 3.0 §3", regs_base, 0, 0 },
	{ "PMU calls preserve all registers but a0 and a1", "SBI 3.0 §3", regs_pmu, NEED_PMU, 0 },
};

const struct group group_base = { "base", base_tests, ARRAY_LEN(base_tests) };

static void num_counters(const struct test *t)
{
	struct sbiret r = sbi0(SBI_EXT_PMU, SBI_PMU_NUM_COUNTERS);

	expect_ok("num_counters", r);
	expect_ret("num_counters again", sbi0(SBI_EXT_PMU, SBI_PMU_NUM_COUNTERS), SBI_SUCCESS,
		   r.value);
	expect(r.value > 0, "a PMU extension without any counter");
	note("counters", r.value);
}

static void info_reserved(const struct test *t)
{
	for (rv_ulong c = 0; c < facts.nr_ctrs; c++) {
		struct sbiret r = pmu_info(c);

		if (r.error) {
			expect_err("get_info below num_counters", r, SBI_ERR_INVALID_PARAM);
			continue;
		}
		if (r.value << 1 >> 19)
			deviation("counter %lu: reserved bits set in 0x%lx", (unsigned long)c,
				  (unsigned long)r.value);
	}
}

static void info_hw(const struct test *t)
{
	uint64_t seen = 0;

	for (rv_ulong c = 0; c < facts.nr_ctrs; c++) {
		struct sbiret r = pmu_info(c);
		unsigned csr = r.value & 0xfff;

		if (r.error || (rv_long)r.value < 0)
			continue;
		if (csr < CSR_CYCLE || csr > CSR_CYCLE + 31 || csr == CSR_TIME)
			deviation("counter %lu: CSR 0x%x is not a hardware counter",
				  (unsigned long)c, csr);
		else if (seen & BITS64(csr & 31))
			deviation("counter %lu: CSR 0x%x twice", (unsigned long)c, csr);
		seen |= BITS64(csr & 31);
	}
}

static void info_readable(const struct test *t)
{
	for (unsigned c = 0; c < 64; c++) {
		rv_ulong v;

		if (!(facts.hw & BITS64(c)))
			continue;
		if (rt_try_hpm(facts.csr[c], &v) != RT_NO_TRAP)
			deviation("counter %u: reading CSR 0x%x traps", c, 0xc00 + facts.csr[c]);
		if (RV_XLEN == 32 && rt_try_hpm(facts.csr[c] + 32u, &v) != RT_NO_TRAP)
			deviation("counter %u: reading CSR 0x%x traps", c, 0xc80 + facts.csr[c]);
	}
}

static void info_invalid(const struct test *t)
{
	const rv_ulong n = facts.nr_ctrs;
	const rv_ulong bad[] = {
		n, n + 1, n + 64, 0xffff, (rv_ulong)1 << 31, (rv_ulong)-1, (rv_ulong)-2
	};

	for (unsigned i = 0; i < ARRAY_LEN(bad); i++)
		if (pmu_info(bad[i]).error != SBI_ERR_INVALID_PARAM)
			deviation("counter 0x%lx: error %ld", (unsigned long)bad[i],
				  (long)pmu_info(bad[i]).error);
}

/* Indexes that would be valid if only their low 32 bits counted. */
static void info_truncated(const struct test *t)
{
	for (unsigned bit = 32; bit < RV_XLEN; bit++)
		if (pmu_info((rv_ulong)BITS64(bit)).error != SBI_ERR_INVALID_PARAM)
			deviation("counter 1 << %u: error %ld", bit,
				  (long)pmu_info((rv_ulong)BITS64(bit)).error);
}

/* Linux uses the width field as a mask for the differences of firmware counters. */
static void info_fw_width(const struct test *t)
{
	for (unsigned c = 0; c < 64; c++)
		if (facts.fw & BITS64(c) &&
		    (pmu_info(c).value >> SBI_PMU_INFO_WIDTH_SHIFT & 63) != 63)
			deviation("counter %u: width field %lu, Linux needs 63", c,
				  (unsigned long)(pmu_info(c).value >> 12 & 63));
}

static const struct test info_tests[] = {
	{ "num_counters succeeds, always the same", "SBI 3.0 §11.6", num_counters, NEED_PMU, 0 },
	{ "reserved bits of counter_info are zero", "SBI 3.0 §11.7", info_reserved, NEED_PMU, 0 },
	{ "hardware counters have distinct counter CSRs", "SBI 3.0 §11.7", info_hw, NEED_PMU, 0 },
	{ "hardware counters are readable from S-mode", "SBI 3.0 §11", info_readable, NEED_PMU, 0 },
	{ "an index past the last is INVALID_PARAM", "SBI 3.0 §11.7", info_invalid, NEED_PMU, 0 },
	{ "an index above 32 bits is INVALID_PARAM", "SBI 3.0 §11.7", info_truncated,
	  NEED_PMU | NEED_RV64, 0 },
	{ "the width of firmware counters serves Linux", "SBI 3.0 §11.7", info_fw_width,
	  NEED_PMU | SOFT, 0 },
};

const struct group group_info = { "info", info_tests, ARRAY_LEN(info_tests) };
