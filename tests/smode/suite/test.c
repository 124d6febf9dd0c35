/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test.c - one test: what it needs, its expectations, and its line of TAP.
 *
 * May call: facts.c, the runtime.
 */
#include "test.h"

#define MAX_DEVIATIONS 6

unsigned char shared[3][4096] __attribute__((aligned(4096)));

/* The current test: its deviations so far, and why the rest of it was skipped or is a TODO. */
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

/* A fact for the reader, whatever the result of the test is. */
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

/* What the test needs and does not have, or NULL. */
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
		{ NEED_SSCCFG, rt_boot.ssccfg, "no Ssccfg" },
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

/* One run of the test; the PMU is at rest and interrupts are off before and after it. */
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

void run_test(unsigned number, const struct group *g, const struct test *t)
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
