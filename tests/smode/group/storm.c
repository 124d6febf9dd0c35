/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * storm.c - calls with arbitrary registers.
 *
 * A deterministic sequence (boot argument seed=N).  Each register is a random number, a small
 * number, a number with a few bits, or a known address.  After every call the error code must be
 * one of the PMU chapter, and every register except a0 and a1 must be unchanged.  After each storm
 * no memory outside the shared page may have changed, and calls of all harts must still work.
 *
 * A correct implementation may write to the shared page only: every other address that the calls
 * use is not memory of S-mode, or wraps.
 *
 * Covers: SBI 3.0 §3, §3.2, §11.
 */
#include "group.h"

#define CALLS	   60000
#define CALLS_EACH 5000
#define CALLS_EXT  20000

struct storm {
	uint32_t rng;
	unsigned calls;
	bool shmem; /* use the shared page */
	unsigned regs_lost, bad_error;
	rv_ulong lost_fid, bad_fid;
	rv_long error;
	unsigned lost_reg;
};

static struct storm storms[RT_MAX_HARTS];

static uint32_t next(struct storm *s)
{
	s->rng ^= s->rng << 13;
	s->rng ^= s->rng >> 17;
	s->rng ^= s->rng << 5;
	return s->rng;
}

static rv_ulong wide(struct storm *s)
{
	uint64_t high = next(s);

	return (rv_ulong)(high << 32 | next(s));
}

static rv_ulong any(struct storm *s)
{
	uint32_t r = next(s);

	switch (r & 7) {
	case 0:
		return wide(s);
	case 1:
		return (rv_ulong)1 << (r >> 8) % RV_XLEN;
	case 2:
		return (rv_ulong)-1 >> (r >> 8) % RV_XLEN;
	case 3:
		return (rv_ulong)0 - (r >> 8) % 70;
	case 4:
		return EV_FW((r >> 8) % 24);
	case 5:
		return (r >> 8) & 0x1003f;
	default:
		return (r >> 8) % 40;
	}
}

/* An address for FIDs 7 and 8; the shared page only if this hart may use it. */
static rv_ulong address(struct storm *s)
{
	const rv_ulong list[] = {
		(rv_ulong)rt_boot.ram_base,
		(rv_ulong)rt_boot.ram_base + 0x1000,
		(rv_ulong)rt_boot.ram_base + 16 * (next(s) & 0xff),
		0,
		(rv_ulong)-16,
		(rv_ulong)-4096,
		(rv_ulong)(rt_boot.ram_base + rt_boot.ram_size),
		(rv_ulong)1 << (RV_XLEN - 1) | 0x10,
		(rv_ulong)shared[1] + 1 + next(s) % 15,
		s->shmem ? (rv_ulong)shared[1] : 3,
		s->shmem ? (rv_ulong)shared[1] : (rv_ulong)-1,
	};

	return list[next(s) % ARRAY_LEN(list)];
}

static void shmem_args(struct storm *s, rv_ulong in[32], bool info)
{
	static const unsigned few[] = { 0, 1, 2, 17, 64, 200 };
	const rv_ulong far[] = { (rv_ulong)-1, (rv_ulong)1 << (RV_XLEN - 4),
				 ((rv_ulong)1 << (RV_XLEN - 4)) + 1, (rv_ulong)1 << (RV_XLEN - 5) };
	uint32_t r = next(s);

	in[10] = address(s);
	in[11] = r & 3 ? 0 : any(s) | (rv_ulong)1 << (RV_XLEN - 1);
	in[12] = r & 4 ? 0 : any(s);
	if (!info)
		return;
	in[12] = r & 8 ? few[(r >> 8) % ARRAY_LEN(few)] : far[(r >> 8) % ARRAY_LEN(far)];
	in[13] = r & 16 ? 0 : any(s);
}

static bool known_error(rv_long e)
{
	return e == SBI_SUCCESS || e == SBI_ERR_FAILED || e == SBI_ERR_NOT_SUPPORTED ||
	       e == SBI_ERR_INVALID_PARAM || e == SBI_ERR_INVALID_ADDRESS ||
	       e == SBI_ERR_ALREADY_STARTED || e == SBI_ERR_ALREADY_STOPPED ||
	       e == SBI_ERR_NO_SHMEM;
}

/* The call with registers in; returns 0 or the first register that has changed. */
static unsigned call(const rv_ulong in[32], rv_long *error)
{
	struct hart *h = this_hart();

	rt_ecall_regs(in);
	*error = (rv_long)h->regs[10];
	for (unsigned i = 1; i < 32; i++)
		if (i != 10 && i != 11 && h->regs[i] != in[i])
			return i;
	return 0;
}

static void pmu_storm(void *arg)
{
	struct storm *s = arg;
	rv_ulong in[32];

	for (unsigned n = 0; n < s->calls; n++) {
		rv_ulong fid = next(s) % 11;
		rv_long error;
		unsigned lost;

		for (unsigned i = 1; i < 32; i++)
			in[i] = i >= 10 && i < 16 ? any(s) : next(s) + i;
		/* Half of the flags exist, so that some counters start. */
		if (fid >= SBI_PMU_COUNTER_CONFIG_MATCHING && fid <= SBI_PMU_COUNTER_STOP &&
		    next(s) & 1) {
			in[10] = next(s) & 1 ? 0 : facts.fw_first;
			in[12] &= fid == SBI_PMU_COUNTER_CONFIG_MATCHING ? 0xff : 3;
		}
		if (fid == SBI_PMU_SNAPSHOT_SET_SHMEM || fid == SBI_PMU_EVENT_GET_INFO)
			shmem_args(s, in, fid == SBI_PMU_EVENT_GET_INFO);
		in[16] = fid < 10 ? fid : any(s);
		if (fid == 10 && (in[16] & 0xf) >= SBI_PMU_SNAPSHOT_SET_SHMEM)
			in[16] |= 16;
		in[17] = SBI_EXT_PMU;
		lost = call(in, &error);
		if (n % 4096 == 0 && this_hart() == rt_harts)
			rt_alive();
		if (lost && !s->regs_lost++) {
			s->lost_reg = lost;
			s->lost_fid = in[16];
		}
		if (!known_error(error) && !s->bad_error++) {
			s->error = error;
			s->bad_fid = in[16];
		}
	}
	pmu_reset();
}

static void verdict(const struct storm *s)
{
	if (s->regs_lost)
		deviation("%u calls changed a register, first x%u in function 0x%lx", s->regs_lost,
			  s->lost_reg, (unsigned long)s->lost_fid);
	if (s->bad_error)
		deviation("%u calls gave an unknown error, first %ld in function 0x%lx",
			  s->bad_error, (long)s->error, (unsigned long)s->bad_fid);
}

static void prepare(struct storm *s, unsigned i, unsigned calls)
{
	*s = (struct storm){ .rng = rt_arg("seed", 1) * 2654435761u + i * 977 + 1,
			     .calls = calls,
			     .shmem = i == 0 };
	if (!s->rng)
		s->rng = 1;
}

static void still_served(void)
{
	fw_take(facts.fw_first);
	expect_ok("start", ctr_start(facts.fw_first, SBI_PMU_START_SET_INIT_VALUE, 10));
	fw_tick(3);
	expect_u64("a firmware counter after the storm", fw_value(facts.fw_first), 13);
	for (unsigned i = 1; i < rt_nr_harts; i++)
		expect_u64("HSM status of another hart",
			   sbi1(SBI_EXT_HSM, SBI_HSM_HART_GET_STATUS, rt_harts[i].id).value,
			   SBI_HSM_STATE_STARTED);
}

static void one_hart(const struct test *t)
{
	canary_fill();
	prepare(&storms[0], 0, CALLS);
	pmu_storm(&storms[0]);
	verdict(&storms[0]);
	expect(canary_ok(), "memory outside the shared page was overwritten");
	still_served();
}

static void all_harts(const struct test *t)
{
	canary_fill();
	for (unsigned i = 0; i < rt_nr_harts; i++)
		prepare(&storms[i], i, CALLS_EACH);
	for (unsigned i = 1; i < rt_nr_harts; i++)
		hart_run(i, pmu_storm, &storms[i]);
	pmu_storm(&storms[0]);
	for (unsigned i = 1; i < rt_nr_harts; i++)
		expect(hart_wait(i), "a hart does not come back");
	for (unsigned i = 0; i < rt_nr_harts; i++)
		verdict(&storms[i]);
	expect(canary_ok(), "memory outside the shared page was overwritten");
	still_served();
}

/* Other extensions, except functions that stop, reset, suspend or print. */
static void ext_storm(const struct test *t)
{
	static const struct {
		rv_ulong ext, fid;
	} calls[] = {
		{ SBI_EXT_BASE, 7 },   { SBI_EXT_TIME, 3 }, { SBI_EXT_IPI, 3 }, { SBI_EXT_HSM, 0 },
		{ SBI_EXT_RFENCE, 9 }, { 0x08000000, 99 },  { 0x7f000000, 99 },
	};
	struct storm *s = &storms[0];
	rv_ulong in[32];

	canary_fill();
	prepare(s, 0, CALLS_EXT);
	for (unsigned n = 0; n < s->calls; n++) {
		unsigned c = next(s) % ARRAY_LEN(calls);
		rv_long error;
		unsigned lost;

		for (unsigned i = 1; i < 32; i++)
			in[i] = i >= 10 && i < 16 ? any(s) : next(s) + i;
		in[16] = calls[c].fid ? next(s) % calls[c].fid : SBI_HSM_HART_GET_STATUS;
		in[17] = calls[c].ext;
		/* A fence on a few harts takes the host much time: this hart alone, or no hart. */
		if (calls[c].ext == SBI_EXT_RFENCE) {
			in[11] = in[11] & 1 ? rt_boot.hartid : in[11] | 0x1000;
			in[10] = in[11] & 0x1000 ? in[10] : 1;
			in[11] -= in[11] == (rv_ulong)-1;
		}
		lost = call(in, &error);
		if (lost && !s->regs_lost++) {
			s->lost_reg = lost;
			s->lost_fid = in[16];
		}
		if ((error > 0 || error < SBI_ERR_DENIED_LOCKED) && !s->bad_error++) {
			s->error = error;
			s->bad_fid = in[16];
		}
	}
	sbi_set_timer(UINT64_MAX);
	csr_clear(CSR_SIP, MIP_SSIP);
	verdict(s);
	expect(canary_ok(), "the canary pages were overwritten");
}

#define P (NEED_PMU | NEED_FW)
static const struct test storm_tests[] = {
	{ "PMU calls with arbitrary registers", "SBI 3.0 §3, §3.2, §11", one_hart, P, 0 },
	{ "PMU calls with arbitrary registers on all harts", "SBI 3.0 §3, §3.2, §11", all_harts,
	  P | NEED_SMP, 0 },
	{ "other calls with arbitrary registers", "SBI 3.0 §3", ext_storm, ON_SMP, 0 },
};

const struct group group_storm = { "storm", storm_tests, ARRAY_LEN(storm_tests) };
