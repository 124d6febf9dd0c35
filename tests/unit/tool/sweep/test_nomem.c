// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_nomem.c - a sweep is planned, and its results are read, while an allocation fails: the error
 * is one line that says so, and no machine, event or result is missing silently.
 */
#include <stdlib.h>

#include "nomem.h"
#include "said.h"
#include "scratch.h"
#include "sweep.h"

const char holter_commit[] = "test"; /* dist/commit makes it for holter */

static const char axes[] = "l2.size=256K..1M,bpred.kind=gshare,tage,clock=1G..3G:1G";
static char folder[] = "test_nomem.XXXXXX";

/* Ends a run: without the result, one line says why. */
static bool result(bool good)
{
	nomem_pause();
	if (!good)
		ok(has_said_only("out of memory"));
	return good;
}

static bool adds(void *arg)
{
	struct sweep s = { .jobs = 0 };
	bool good = result(sweep_add_axes(&s, axes) == 0);

	(void)arg;
	if (good) {
		is(s.nr_axes, 3);
		is(sweep_count_jobs(&s), 0);
		is(s.jobs, 3 * 2 * 3);
	}
	sweep_free(&s);
	return good;
}

/* A sweep of two jobs, made with enough memory. */
static struct sweep made(void)
{
	struct sweep s = { .jobs = 0 };

	nomem_pause();
	ok(measure_add_word(&s.machine, "--cpu") && measure_add_word(&s.machine, "u74"));
	ok(measure_add_word(&s.command, "./x"));
	is(sweep_add_axes(&s, "l2.size=1M,2M,seed=1"), 0);
	is(sweep_count_jobs(&s), 0);
	s.events = strdup("cycles,instructions:u");
	nomem_resume();
	return s;
}

static bool names_a_machine(void *arg)
{
	struct measure_words words = { 0 };
	struct sweep s = made();
	bool good = sweep_machine(&s, 2, &words);

	(void)arg;
	nomem_pause();
	if (good)
		is(words.nr, 2 + 2 + 2 + 2);
	measure_clear_words(&words);
	sweep_free(&s);
	return good;
}

static bool checks_events(void *arg)
{
	return result(sweep_check_events(arg) == 0);
}

static void options(void)
{
	char events[] = "cycles,LLC-loads:k";

	nomem_each(adds, NULL, NOMEM_NEEDS_ALL);
	nomem_each(names_a_machine, NULL, NOMEM_NEEDS_ALL);
	nomem_each(checks_events, events, NOMEM_NEEDS_ALL);
}

static bool hashes(void *arg)
{
	struct measure_words command = { 0 };
	char hash[24];
	bool good;

	nomem_pause();
	ok(measure_add_word(&command, arg));
	nomem_resume();
	good = sweep_hash_program(&command, hash);
	nomem_pause();
	if (good)
		is(strlen(hash), 18);
	measure_clear_words(&command);
	return good;
}

static bool begins(void *arg)
{
	struct sweep s = made();
	bool good = result(sweep_begin(&s, arg) == 0);

	sweep_free(&s);
	return good;
}

static bool begins_anew(void *arg)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/sweep.json", (char *)arg);
	unlink(path);
	return begins(arg);
}

static bool reads(void *arg)
{
	struct sweep s;
	bool good = result(sweep_read(&s, arg) == 0);

	if (good) {
		is(s.jobs, 2);
		is(s.machine.nr, 2);
		is_str(s.events, "cycles,instructions:u");
	}
	sweep_free(&s);
	return good;
}

static void plan(void)
{
	char path[64];

	ok(mkdtemp(folder));
	nomem_each(begins_anew, folder, NOMEM_NEEDS_ALL);
	nomem_each(begins, folder, NOMEM_NEEDS_ALL);
	nomem_each(reads, folder, NOMEM_NEEDS_ALL);
	snprintf(path, sizeof(path), "%s/sweep.json", folder);
	nomem_each(hashes, path, NOMEM_NEEDS_ALL);
}

static bool collects(void *arg)
{
	struct sweep s = made();
	struct sweep_results r;
	bool good;

	nomem_pause();
	s.dir = realpath(folder, NULL);
	nomem_resume();
	good = result(sweep_results(&r, &s, arg) == 0);
	if (good) {
		is(r.done, 1);
		is(r.rows[1].state, SWEEP_FAILED);
		is_str(r.rows[1].why, "it failed");
		is(r.columns.nr, arg ? 3 : 2);
	}
	sweep_results_free(&r);
	sweep_free(&s);
	return good;
}

static void results(void)
{
	char events[] = "cycles:u,instructions:u";

	scratch_text(folder, "0001.json",
		     "{\"harts\": [{\"events\": [{\"event\": \"cycles\", \"count\": 3, \"m\": 0, "
		     "\"s\": 1, \"u\": 2}, {\"event\": \"instructions\", \"count\": 3, \"m\": 0, "
		     "\"s\": 1, \"u\": 2}]}]}");
	scratch_text(folder, "0002.failed", "it failed\n");
	nomem_each(collects, NULL, NOMEM_NEEDS_ALL);
	nomem_each(collects, events, NOMEM_NEEDS_ALL);
	ok(scratch_remove(folder));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "properties and events", options },
		{ "the plan", plan },
		{ "results", results },
	};

	return tap_run(cases, TAP_NR(cases));
}
