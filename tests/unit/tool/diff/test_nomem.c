// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_nomem.c - a diff while an allocation fails: it is the same as with enough memory, or there
 * is none.
 */
#include <stdlib.h>

#include "compare.h"
#include "diff.h"
#include "nomem.h"
#include "report_made.h"

static const char *const events[] = { "cycles", "misses" };
static const struct made_count before[] = {
	{ "x", "/x", "a", NULL, { 10, 1 }, { 1, 1 } },
	{ "x", "/x", "b", "a", { 20, 0 }, { 2, 0 } },
};
static const struct made_count after[] = {
	{ "y", "/y", "a", NULL, { 11, 1 }, { 1, 1 } },
	{ "y", "/y", "c", "a", { 5, 0 }, { 1, 0 } },
};

static bool diffs(void *arg)
{
	struct diff d = { .nr = 2, .keys = REPORT_COMM | REPORT_SYMBOL };
	struct report *one = made_report(events, true, before, 2);
	struct report *m = made_merged(one, one ? made_report(events, true, after, 2) : NULL);
	bool good;

	(void)arg;
	good = m && diff_make(&d, m);
	nomem_pause();
	if (good) {
		is(d.rows.nr, 1 + 3 + 1 + 1);
		is(d.rows.at[0].cells[1].count, 16);
	}
	diff_free(&d);
	report_free(m);
	return good;
}

static void diffing(void)
{
	nomem_each(diffs, NULL, NOMEM_NEEDS_ALL);
}

static bool compares(void *arg)
{
	struct report *exact = made_report(events, true, before, 2), *samples = NULL;
	struct comparison c;
	bool good;

	(void)arg;
	if (exact)
		samples = made_report(events, false, before, 2);
	good = samples && compare(exact, 0, samples, 0, &c);
	nomem_pause();
	if (good) {
		is(c.rows.nr, 2);
		is_str(c.rows.at[0].symbol, "b");
		is(c.samples, 3);
		compare_free(&c);
	}
	report_free(samples);
	report_free(exact);
	return good;
}

static void comparing(void)
{
	nomem_each(compares, NULL, NOMEM_NEEDS_ALL);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "diff", diffing },
		{ "compare", comparing },
	};

	return tap_run(cases, TAP_NR(cases));
}
