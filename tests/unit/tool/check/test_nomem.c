// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_nomem.c - a baseline is read and changed, and functions are summed, while an allocation
 * fails: the error is one line that says so.
 */
#include <stdlib.h>

#include "baseline.h"
#include "cmd_check.h"
#include "measure.h"
#include "nomem.h"
#include "report_made.h"
#include "said.h"
#include "scratch.h"

static const char text[] = "{\"machine\": [\"--cpu\", \"u74\"], \"command\": [\"./x\", \"a\"], "
			   "\"events\": [{\"event\": \"cycles:u\", \"count\": 100, \"at_most\": "
			   "101, \"functions\": [{\"function\": \"main\", \"count\": 99}]}]}";
static char path[] = "test_nomem.XXXXXX";

static bool reads(void *arg)
{
	struct baseline b;
	bool good = baseline_read(&b, path);

	(void)arg;
	nomem_pause();
	if (good) {
		is(b.machine.nr, 2);
		is(b.command.nr, 2);
		is(b.events.nr, 1);
		is(b.events.at[0].functions.nr, 1);
	} else {
		ok(has_said_only("out of memory"));
	}
	baseline_free(&b);
	return good;
}

/* Without a command, which would be run; what is before it has then succeeded. */
static bool prepares(void *arg)
{
	static const char *const words[] = { "check", "--update", "-e",	   "cycles,misses:k",
					     "--cpu", "x60",	  "--set", "l2.ways=8" };
	char *argv[TAP_NR(words) + 2] = { NULL };
	bool good;

	for (size_t n = 0; n < TAP_NR(words); n++)
		argv[n] = (char *)words[n];
	argv[TAP_NR(words)] = arg;
	is(cmd_check(TAP_NR(words) + 1, argv), 2);
	nomem_pause();
	good = !nomem_failed();
	ok(has_said_only(good ? "nothing to run" : "out of memory"));
	return good;
}

static void baselines(void)
{
	char none[] = "{\"machine\": [], \"command\": [], \"events\": [{\"event\": "
		      "\"cycles:u\", \"count\": 1, \"at_most\": 1}]}";
	char empty[] = "test_nomem.XXXXXX";

	scratch_file(path, text, strlen(text));
	scratch_file(empty, none, strlen(none));
	nomem_each(reads, NULL, NOMEM_NEEDS_ALL);
	nomem_each(prepares, empty, NOMEM_NEEDS_ALL);
	unlink(path);
	unlink(empty);
}

static bool sums(void *arg)
{
	static const char *const events[] = { "cycles", "misses" };
	static const struct made_count counts[] = {
		{ "x", "/x", "a", NULL, { 10, 1 }, { 1, 1 } },
		{ "x", "/x", "b", "a", { 20, 0 }, { 2, 0 } },
	};
	struct measure_functions functions = { 0 };
	struct report *r;
	bool good;

	(void)arg;
	nomem_pause();
	r = made_report(events, true, counts, 2);
	nomem_resume();
	good = measure_functions(r, "cycles:u", &functions);
	nomem_pause();
	if (good) {
		is(functions.nr, 2);
		is_str(functions.at[0].name, "b");
		is(functions.at[0].count, 20);
	}
	measure_clear_functions(&functions);
	report_free(r);
	return good;
}

static void functions_of_an_event(void)
{
	nomem_each(sums, NULL, NOMEM_NEEDS_ALL);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "baselines", baselines },
		{ "functions", functions_of_an_event },
	};

	return tap_run(cases, TAP_NR(cases));
}
