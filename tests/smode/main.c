/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * main.c - runs the tests and prints TAP.
 *
 * Boot arguments:
 *	only=1,2,...	runs these tests only
 *	from=N		begins with test N: after a crash of the firmware, `run` continues there
 *	part=1		no tests of several harts; part=2: only these.  QEMU counts exactly with
 *			-icount, but harts that wait for each other are then very slow
 *	seed=N		the seed of storm.c
 *	stray=1		starts harts at the boot address, as a faulty firmware would (`verdict`)
 * Before each test a line "@ number name # section" tells the script which test begins.
 *
 * May call: the groups, rt.c.
 */
#include "test.h"

#define MAX_DEVIATIONS 6

static const struct group *const groups[] = {
	&group_base,	 &group_info,	&group_config,	&group_event,	 &group_start,
	&group_stop,	 &group_fwread, &group_fwevent, &group_snapshot, &group_evinfo,
	&group_overflow, &group_smp,	&group_sbi,	&group_memory,	 &group_storm,
};

unsigned char shared[3][4096] __attribute__((aligned(4096)));

/* The test that runs: what deviated so far, and why its rest was skipped or is a TODO. */
static struct {
	char text[MAX_DEVIATIONS][160];
	unsigned nr;
	const char *skip;
	const char *todo;
	char notes[256];
} now;

void deviation(const char *fmt, ...)
{
	va_list ap;

	if (now.nr < MAX_DEVIATIONS) {
		va_start(ap, fmt);
		rt_capture(now.text[now.nr], sizeof(now.text[0]));
		vout(fmt, ap);
		rt_capture(NULL, 0);
		va_end(ap);
	}
	now.nr++;
}

unsigned deviations(void)
{
	return now.nr;
}

/* A fact that the reader may like to know, whatever the result. */
void note(const char *text, uint64_t value)
{
	unsigned used = 0;

	while (now.notes[used])
		used++;
	rt_capture(now.notes + used, sizeof(now.notes) - used);
	out("%s%s %llu", used ? "; " : "", text, (unsigned long long)value);
	rt_capture(NULL, 0);
}

void skip_rest(const char *why)
{
	now.skip = why;
}

void demote(const char *why)
{
	now.todo = why;
}

bool expect(bool ok, const char *what)
{
	if (!ok)
		deviation("%s", what);
	return ok;
}

static const char *err_name(rv_long error)
{
	switch (error) {
#define ERR(name, value, text)                                                                     \
	case value:                                                                                \
		return #name;
#include <rv/sbi_err.def>
#undef ERR
	}
	return "no such code";
}

bool expect_err(const char *what, struct sbiret r, rv_long error)
{
	if (r.error != error)
		deviation("%s: got error %ld (%s) value 0x%lx, expected %ld (%s)", what,
			  (long)r.error, err_name(r.error), (unsigned long)r.value, (long)error,
			  err_name(error));
	return r.error == error;
}

bool expect_ok(const char *what, struct sbiret r)
{
	return expect_err(what, r, SBI_SUCCESS);
}

bool expect_ret(const char *what, struct sbiret r, rv_long error, rv_ulong value)
{
	if (!expect_err(what, r, error))
		return false;
	if (r.value != value)
		deviation("%s: got value 0x%lx, expected 0x%lx", what, (unsigned long)r.value,
			  (unsigned long)value);
	return r.value == value;
}

bool expect_refused(const char *what, struct sbiret r)
{
	if (!r.error)
		deviation("%s: got success, value 0x%lx, expected an error", what,
			  (unsigned long)r.value);
	return r.error;
}

bool expect_u64(const char *what, uint64_t got, uint64_t want)
{
	if (got != want)
		deviation("%s: got %llu (0x%llx), expected %llu", what, (unsigned long long)got,
			  (unsigned long long)got, (unsigned long long)want);
	return got == want;
}

bool expect_range(const char *what, uint64_t got, uint64_t low, uint64_t high)
{
	if (got < low || got > high)
		deviation("%s: got %llu (0x%llx), expected %llu to %llu", what,
			  (unsigned long long)got, (unsigned long long)got, (unsigned long long)low,
			  (unsigned long long)high);
	return got >= low && got <= high;
}

void canary_fill(void)
{
	for (unsigned i = 0; i < 4096; i++)
		shared[0][i] = shared[2][i] = (unsigned char)(i * 7 + 1);
}

bool canary_ok(void)
{
	for (unsigned i = 0; i < 4096; i++)
		if (shared[0][i] != (unsigned char)(i * 7 + 1) || shared[2][i] != shared[0][i])
			return false;
	return true;
}

/* What is missing for the test, or NULL. */
static const char *missing(unsigned need)
{
	const struct {
		unsigned need;
		bool have;
		const char *text;
	} rows[] = {
		{ NEED_PMU, facts.pmu, "no PMU extension" },
		{ NEED_HW, facts.ovf_ctrs, "no programmable counter for cycles" },
		{ NEED_OVF, facts.sscofpmf, "no Sscofpmf" },
		{ NEED_V2, facts.spec >= SBI_SPEC_VERSION(2, 0), "SBI version below 2.0" },
		{ NEED_V3, facts.spec >= SBI_SPEC_VERSION(3, 0), "SBI version below 3.0" },
		{ NEED_SNAPSHOT, facts.snapshot, "snapshot_set_shmem is not offered" },
		{ NEED_EVINFO, facts.evinfo, "event_get_info is not offered" },
		{ NEED_SMP, rt_nr_harts > 1, "one hart only" },
		{ NEED_FW, facts.fw_second, "no two firmware counters that count set_timer" },
		{ NEED_EXACT, facts.exact, "this machine's counters are not exact" },
		{ NEED_RV64, RV_XLEN == 64, "RV64 only" },
		{ NEED_DBCN, facts.dbcn, "no DBCN extension" },
		{ NEED_H, facts.hfence, "no HFENCE calls" },
		{ NEED_ZKR, rt_boot.zkr, "no Zkr" },
	};

	for (unsigned i = 0; i < ARRAY_LEN(rows); i++)
		if (need & rows[i].need && !rows[i].have)
			return rows[i].text;
	return NULL;
}

static void run_fn(const void *arg)
{
	const struct test *t = arg;

	t->fn(t);
}

/* One run of the test, from and to a PMU at rest and interrupts off. */
static void attempt(const struct test *t)
{
	struct hart *h = this_hart();

	if (t->need & NEED_PMU)
		pmu_reset();
	if (rt_guard_call(run_fn, t))
		deviation("unexpected trap, cause %ld, at 0x%lx, tval 0x%lx", (long)h->cause,
			  (unsigned long)h->epc, (unsigned long)h->tval);
	csr_clear(CSR_SSTATUS, MSTATUS_SIE);
	csr_write(CSR_SIE, 0);
	if (t->need & NEED_PMU)
		pmu_reset();
}

static void print_result(unsigned number, const struct group *g, const struct test *t)
{
	const char *todo = t->need & SOFT ? "the specification does not say" : now.todo;

	out("%s %u - %s: %s # ", now.nr ? "not ok" : "ok", number, g->name, t->name);
	if (now.nr && todo)
		out("TODO %s, %s\n", t->section, todo);
	else if (!now.nr && now.skip)
		out("SKIP %s\n", now.skip);
	else
		out("%s\n", t->section);
	for (unsigned i = 0; i < now.nr && i < MAX_DEVIATIONS; i++)
		out("# %s\n", now.text[i]);
	if (now.nr > MAX_DEVIATIONS)
		out("# and %u more\n", now.nr - MAX_DEVIATIONS);
	if (now.notes[0])
		out("# note: %s\n", now.notes);
}

static void run_test(unsigned number, const struct group *g, const struct test *t)
{
	const char *why = missing(t->need);

	memset(&now, 0, sizeof(now));
	out("@ %u %s: %s # %s\n", number, g->name, t->name, t->section);
	if (why) {
		skip_rest(why);
	} else {
		unsigned tries = t->need & RETRY && !facts.exact ? 3 : 1;

		do {
			memset(&now, 0, sizeof(now));
			attempt(t);
		} while (--tries && now.nr);
	}
	print_result(number, g, t);
}

static void print_facts(void)
{
	out("# SBI %u.%u, implementation %lu version 0x%lx, RV%u, %u harts, %lu counters\n",
	    (unsigned)(facts.spec >> 24) & 0x7f, (unsigned)facts.spec & 0xffffff,
	    (unsigned long)facts.impl, (unsigned long)facts.impl_version, RV_XLEN, rt_nr_harts,
	    (unsigned long)facts.nr_ctrs);
	out("# hardware counters 0x%llx, firmware counters 0x%llx, cycles on 0x%llx\n",
	    (unsigned long long)facts.hw, (unsigned long long)facts.fw,
	    (unsigned long long)facts.cycles_ctrs);
	out("# Sscofpmf %s, snapshots %s, event_get_info %s, machine %s\n",
	    facts.sscofpmf ? "yes" : "no", facts.snapshot ? "yes" : "no",
	    facts.evinfo ? "yes" : "no", facts.exact ? "exact" : "not exact");
}

static bool chosen(unsigned number, const struct test *t)
{
	unsigned part = rt_arg("part", 0);
	bool smp = t->need & (NEED_SMP | ON_SMP);

	if (number < rt_arg("from", 1) || (part && smp != (part == 2)))
		return false;
	return !rt_arg("only", 0) || rt_arg_lists("only", number);
}

void main_payload(void)
{
	unsigned number = 0, total = 0;

	for (unsigned g = 0; g < ARRAY_LEN(groups); g++)
		total += groups[g]->nr_tests;
	out("TAP version 14\n1..%u\n", total);
	harts_start();
	facts_probe();
	print_facts();
	for (unsigned g = 0; g < ARRAY_LEN(groups); g++) {
		for (unsigned i = 0; i < groups[g]->nr_tests; i++) {
			number++;
			if (chosen(number, &groups[g]->tests[i]))
				run_test(number, groups[g], &groups[g]->tests[i]);
		}
	}
	out("# done\n");
}
