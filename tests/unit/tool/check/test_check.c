// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_check.c - the baseline as a file, hostile ones, and what counts as user code.
 */
#include <stdlib.h>

#include "baseline.h"
#include "check_counts.h"
#include "cmd_check.h"
#include "measure.h"
#include "said.h"
#include "scratch.h"

static void write_and_read(void)
{
	char path[] = "test_check.XXXXXX", *text = NULL;
	struct baseline b = { .machine = { 0 } };
	size_t len;
	FILE *to = open_memstream(&text, &len);

	ok(measure_add_word(&b.machine, "--cpu") && measure_add_word(&b.machine, "u74"));
	ok(measure_add_word(&b.command, "./x") && measure_add_word(&b.command, "a \"b\"\n"));
	ok(baseline_add_event(&b, "cycles:u", 100, 101));
	ok(measure_add_function(&b.events.at[0].functions, "ma\033in", 99));
	baseline_write(&b, to);
	fclose(to);
	baseline_free(&b);
	is_str(text,
	       "{\"machine\": [\"--cpu\", \"u74\"], \"command\": [\"./x\", \"a \\\"b\\\"\\n\"], "
	       "\"events\": [\n  {\"event\": \"cycles:u\", \"count\": 100, \"at_most\": "
	       "101, \"functions\": [\n    {\"function\": \"ma\\u001bin\", \"count\": 99}\n  "
	       "]}\n]}\n");
	scratch_file(path, text, len);
	ok(baseline_read(&b, path));
	unlink(path);
	is(b.machine.nr, 2);
	is_str(b.command.at[1], "a \"b\"\n");
	is(b.events.nr, 1);
	is_str(b.events.at[0].name, "cycles:u");
	is(b.events.at[0].count, 100);
	is(b.events.at[0].at_most, 101);
	is(b.events.at[0].functions.nr, 1);
	is_str(b.events.at[0].functions.at[0].name, "ma\033in");
	is(b.events.at[0].functions.at[0].count, 99);
	baseline_free(&b);
	free(text);
}

#define BASELINE(machine, command, events)                                                         \
	"{\"machine\": " machine ", \"command\": " command ", \"events\": " events "}"
#define EVENT "[{\"event\": \"cycles:u\", \"count\": 1, \"at_most\": 1}]"

/* What holter check says of a file; nothing is run. */
static bool refuses(const char *text, const char *words)
{
	char name[] = "check", path[] = "test_check.XXXXXX", *argv[] = { name, path, NULL };
	bool right;

	scratch_file(path, text, strlen(text));
	right = cmd_check(2, argv) == 2 && has_said(words);
	unlink(path);
	return right;
}

static void hostile_files(void)
{
	static const char no_baseline[] = "this is not a baseline of holter check";

	ok(refuses("", "this is not a JSON object"));
	ok(refuses("[]", no_baseline));
	ok(refuses("{}", no_baseline));
	ok(refuses(BASELINE("[]", "[\"x\"]", "[]"), no_baseline));
	ok(refuses(BASELINE("[]", "[7]", EVENT), no_baseline));
	ok(refuses(BASELINE("[[]]", "[\"x\"]", EVENT), no_baseline));
	ok(refuses(BASELINE("[]", "[\"x\"]",
			    "[{\"event\": \"cycles:u\", \"count\": -1, \"at_most\": 1}]"),
		   no_baseline));
	ok(refuses(BASELINE("[]", "[\"x\"]", "[{\"event\": \"\", \"count\": 1, \"at_most\": 1}]"),
		   no_baseline));
	ok(refuses(BASELINE("[\"--profile\", \"/etc/passwd\"]", "[\"x\"]", EVENT),
		   "'--profile' is not a machine option with a value"));
	ok(refuses(BASELINE("[\"--cpu\"]", "[\"x\"]", EVENT),
		   "'--cpu' is not a machine option with a value"));
	ok(refuses(BASELINE("[]", "[\"x\"]",
			    "[{\"event\": \"cycles\", \"count\": 1, \"at_most\": 1}]"),
		   "'cycles': an event ends with :u"));
	ok(refuses(BASELINE("[]", "[]", EVENT), "check: nothing to run"));
}

/* Which functions grew most; a full list may lack some, which had at most its least count. */
static void growth(void)
{
	struct baseline_event e = { .at_most = 10 };
	struct check_count c = { .count = 100 };
	struct check_growth grown[CHECK_GROWTHS];
	char name[16];

	ok(measure_add_function(&c.functions, "x", 5));
	is(check_grown(&e, &c, grown), 0); /* nothing is known */
	ok(measure_add_function(&c.functions, "new", 4) &&
	   measure_add_function(&c.functions, "less", 1) &&
	   measure_add_function(&c.functions, "same", 7) &&
	   measure_add_function(&c.functions, "y", 90));
	ok(measure_add_function(&e.functions, "less", 2) &&
	   measure_add_function(&e.functions, "same", 7) &&
	   measure_add_function(&e.functions, "y", 10) &&
	   measure_add_function(&e.functions, "x", 2));
	is(check_grown(&e, &c, grown), 3);
	is_str(grown[0].name, "y");
	is(grown[0].before, 10);
	is_str(grown[1].name, "new");
	ok(grown[1].is_new);
	is_str(grown[2].name, "x");
	for (unsigned n = 0; e.functions.nr < BASELINE_FUNCTIONS; n++) {
		snprintf(name, sizeof(name), "f%u", n);
		ok(measure_add_function(&e.functions, name, 3));
	}
	is(check_grown(&e, &c, grown), 3);
	is_str(grown[1].name, "x");
	is_str(grown[2].name, "new");
	is(grown[2].before, 3);
	measure_clear_functions(&e.functions);
	measure_clear_functions(&c.functions);
}

static void counts_of_user_code(void)
{
	static const struct {
		enum profile_kind kind;
		uint64_t cycles, misses;
	} rows[] = {
		{ PROFILE_USER, 10, 1 },    { PROFILE_ANON, 5, 0 },
		{ PROFILE_VDSO, 3, 0 },	    { PROFILE_KERNEL, 100, 0 },
		{ PROFILE_MODULE, 200, 0 }, { PROFILE_FIRMWARE, 1000, 0 },
	};
	struct report r = { .p = profile_new() };
	uint32_t process;
	uint64_t count;

	profile_add_event(r.p, "cycles", true);
	profile_add_event(r.p, "misses", true);
	process = profile_add_process(r.p, 1, "x");
	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		uint32_t object = profile_add_object(r.p, rows[n].kind, "x", NULL, 0);
		uint32_t place = profile_add_place(r.p, process, object, 0);
		uint32_t stack = profile_add_stack(r.p, place, PROFILE_NONE);

		profile_add(r.p, stack, 0, rows[n].cycles, 0);
		profile_add(r.p, stack, 1, rows[n].misses, 0);
	}
	ok(measure_event(&r, "cycles:u", &count));
	is(count, 18);
	ok(measure_event(&r, "misses:u", &count));
	is(count, 1);
	ok(measure_event(&r, "cycles:k", &count));
	is(count, 300);
	ok(measure_event(&r, "cycles:m", &count));
	is(count, 1000);
	ok(measure_event(&r, "cycles", &count));
	is(count, 1318);
	ok(!measure_event(&r, "cycle:u", &count));
	profile_free(r.p);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "written and read", write_and_read },
		{ "hostile files", hostile_files },
		{ "user code", counts_of_user_code },
		{ "which functions grew", growth },
	};

	return tap_run(cases, TAP_NR(cases));
}
