/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test.h - what the tests of the suite share: the tables of tests, expectations, facts about the
 * SBI implementation under test, and short names for the calls of the PMU extension.
 *
 * One row of a table is one line of TAP.  A test reports deviations with expect_*() and
 * deviation(); it continues after the first one.  The runner prints the section of the row and the
 * first few deviations.
 */
#ifndef TEST_H
#define TEST_H

#include "rt.h"

/* What a test needs; if it is missing, the TAP line says SKIP and why. */
enum need {
	NEED_PMU = 1 << 0, /* the PMU extension */
	NEED_HW = 1 << 1, /* a programmable counter that counts cycles */
	NEED_OVF = 1 << 2, /* Sscofpmf: scountovf and LCOFI */
	NEED_V2 = 1 << 3, /* SBI 2.0: fw_read_hi, snapshots */
	NEED_V3 = 1 << 4, /* SBI 3.0: event_get_info, raw events v2 */
	NEED_SNAPSHOT = 1 << 5, /* snapshot_set_shmem is offered */
	NEED_EVINFO = 1 << 6, /* event_get_info is offered */
	NEED_SMP = 1 << 7, /* a second hart */
	NEED_FW = 1 << 8, /* two firmware counters, and SET_TIMER as an event */
	NEED_EXACT = 1 << 9, /* counters and filters are exact: no QEMU */
	NEED_RV64 = 1 << 10,
	NEED_DBCN = 1 << 11,
	NEED_H = 1 << 12, /* the firmware serves HFENCE */
	NEED_ZKR = 1 << 13, /* the device tree names the entropy source */
	NEED_SSCCFG = 1 << 14, /* the device tree names S-mode's counter configuration */
	/*
	 * Not a need: the specification does not require it explicitly, yet Linux or common sense
	 * relies on it.  A deviation is printed as TODO and is a failure only with --strict.
	 */
	SOFT = 1 << 16,
	/*
	 * QEMU raises overflows and timers from the host's clock, sometimes from an outdated one.
	 * Unless the machine is exact, such a test runs up to three times, and only a deviation
	 * that occurs each time is the firmware's.
	 */
	RETRY = 1 << 17,
	/* Needs only one hart, but tests more with several: see main.c, part=. */
	ON_SMP = 1 << 18,
};

/* One test: a line "group: name # section".  arg is the table row of data-driven tests. */
struct test {
	const char *name;
	const char *section;
	void (*fn)(const struct test *t);
	unsigned need;
	rv_ulong arg;
};

/* A file of tests. */
struct group {
	const char *name;
	const struct test *tests;
	unsigned nr_tests;
};

/* Facts about the implementation, probed once before the first test. */
struct facts {
	rv_ulong spec; /* get_spec_version */
	rv_ulong impl, impl_version;
	bool pmu, sscofpmf, snapshot, evinfo, dbcn, hfence, hsm;
	bool exact; /* instret exact to the instruction; stopped counters and filters work */
	rv_ulong nr_ctrs;
	uint64_t hw, fw; /* counters 0 to 63 by kind, as get_info says */
	uint64_t cycles_ctrs; /* hardware counters that take the cycles event */
	uint64_t ovf_ctrs; /* the programmable ones among them */
	unsigned fw_first; /* the lowest firmware counter, and the next one */
	unsigned fw_second;
	uint8_t csr[64]; /* counter's CSR - 0xc00 */
	uint8_t width[64];
};

extern struct facts facts;

/* Events that the tests use. */
#define EV_CYCLES    SBI_PMU_EIDX(SBI_PMU_TYPE_HW, SBI_PMU_HW_CPU_CYCLES)
#define EV_INSTRET   SBI_PMU_EIDX(SBI_PMU_TYPE_HW, SBI_PMU_HW_INSTRUCTIONS)
#define EV_FW(code)  SBI_PMU_EIDX(SBI_PMU_TYPE_FW, (rv_ulong)(code))
#define EV_SET_TIMER EV_FW(SBI_PMU_FW_SET_TIMER)

#define BITS64(n) ((uint64_t)1 << (n))

/* Expectations. what: a few words.  Each records a deviation if it does not hold. */
__attribute__((format(printf, 1, 2))) void deviation(const char *fmt, ...);
void note(const char *text, uint64_t value);
bool expect(bool ok, const char *what);
bool expect_ret(const char *what, struct sbiret r, rv_long error, rv_ulong value);
bool expect_err(const char *what, struct sbiret r, rv_long error);
bool expect_ok(const char *what, struct sbiret r);
bool expect_refused(const char *what, struct sbiret r);
bool expect_u64(const char *what, uint64_t got, uint64_t want);
bool expect_range(const char *what, uint64_t got, uint64_t low, uint64_t high);
void skip_rest(const char *why); /* the line becomes SKIP unless there was a deviation */
void demote(const char *why); /* deviations of this run of the test are TODO */
unsigned deviations(void);

/* The PMU extension, FIDs 1 to 8. */
struct sbiret pmu_info(rv_ulong ctr);
struct sbiret pmu_config(rv_ulong base, rv_ulong mask, rv_ulong flags, rv_ulong eidx,
			 uint64_t data);
struct sbiret pmu_start(rv_ulong base, rv_ulong mask, rv_ulong flags, uint64_t value);
struct sbiret pmu_stop(rv_ulong base, rv_ulong mask, rv_ulong flags);
struct sbiret pmu_fw_read(rv_ulong ctr);
struct sbiret pmu_set_shmem(rv_ulong lo, rv_ulong hi, rv_ulong flags);
struct sbiret pmu_event_info(rv_ulong lo, rv_ulong hi, rv_ulong n, rv_ulong flags);

/* The same for a set of one counter. */
struct sbiret ctr_config(rv_ulong ctr, rv_ulong flags, rv_ulong eidx, uint64_t data);
struct sbiret ctr_start(rv_ulong ctr, rv_ulong flags, uint64_t value);
struct sbiret ctr_stop(rv_ulong ctr, rv_ulong flags);

/* All 64 bits of firmware counter ctr; on RV32 by fw_read_hi. */
uint64_t fw_value(unsigned ctr);

/* The value of a hardware counter, read from its CSR. */
uint64_t hw_value(unsigned ctr);

/* The lowest and the highest counter of a set that is not empty. */
static inline unsigned first_ctr(uint64_t ctrs)
{
	return (unsigned)__builtin_ctzll(ctrs);
}

static inline unsigned last_ctr(uint64_t ctrs)
{
	return 63u - (unsigned)__builtin_clzll(ctrs);
}

/* Configures event eidx on any counter of ctrs (indexes 0..63); the counter or -1. */
int pmu_take(uint64_t ctrs, rv_ulong flags, rv_ulong eidx);

/* Configures counter ctr for SET_TIMER, which fw_tick() moves by n. */
bool fw_take(unsigned ctr);
/* The same for two counters, facts.fw_first and fw_second, as one set: base and mask. */
bool fw_take_two(rv_ulong *base, rv_ulong *mask);
void fw_tick(unsigned n);

/* Stops and frees every counter of this hart; no overflow pends, and there is no snapshot page. */
void pmu_reset(void);

/* Fills facts, before the first test. */
void facts_probe(void);

/* Executes exactly 2 * n + a few instructions. */
void spin(rv_ulong n);

/* The shared test page (4 KiB, aligned) with a canary page on each side. */
extern unsigned char shared[3][4096];
void canary_fill(void);
bool canary_ok(void);

/*
 * Runs one test of group g, if the implementation has what the test needs, and prints its lines:
 * "@ number group: name # section" before it, TAP after it.
 */
void run_test(unsigned number, const struct group *g, const struct test *t);

#endif
