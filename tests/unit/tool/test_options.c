// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_options.c - options (holter.h) and the words that were meant (near.h).
 */
#include <string.h>

#include <holter.h>
#include <near.h>
#include <tap.h>

#include "said.h"

static const char *nearest(const char *word, const char *const *list)
{
	struct near n = near_to(word);

	for (; *list; list++)
		near_try(&n, *list);
	return n.best ? n.best : "";
}

static void words(void)
{
	static const char *const commands[] = { "annotate", "cpu", "doctor", "list", "record",
						"report", "run", "stat", NULL };
	static const char *const cpus[] = { "ax45mp", "c910", "max", "rocket", "u74", "x60", NULL };
	static const char *const events[] = { "cycles", "l1d-reads", "l1d-read-misses",
					      "l1d-write-misses", "cond-mispredicts", NULL };
	char longest[200];

	is_str(nearest("runn", commands), "run");
	is_str(nearest("rnu", commands), "run");
	is_str(nearest("repotr", commands), "report");
	is_str(nearest("state", commands), "stat");
	is_str(nearest("nonsense", commands), "");
	is_str(nearest("xy", commands), ""); /* two wrong letters of two are no word */
	is_str(nearest("", commands), "");
	is_str(nearest("U74", cpus), "u74");
	is_str(nearest("sifive-u74", cpus), "u74");
	is_str(nearest("spacemit-x60", cpus), "x60");
	is_str(nearest("l1d-misses", events), "l1d-read-misses");
	is_str(nearest("l1d-read-miss", events), "l1d-read-misses");
	is_str(nearest("misses-l1d", events), ""); /* not in this order */
	memset(longest, 'x', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	is_str(nearest(longest, commands), "");
}

enum { OPT_ALL = 256, OPT_SYMFS };

static int take(void *to, int option, const char *value)
{
	return 0;
}

/* What is said to one option, and which was given. */
static int parsed(const char *word, bool given[HOLTER_CODES])
{
	static const struct option longs[] = { { "help", no_argument, NULL, 'h' },
					       { "all", no_argument, NULL, OPT_ALL },
					       { "symfs", required_argument, NULL, OPT_SYMFS },
					       { 0 } };
	static const struct holter_habit habits[] = { { "--stdio", "a table is what there is" },
						      { "-n", "samples are a column" },
						      { 0 } };
	const struct holter_options o = { ":hx:", longs, "usage\n", take, habits, given };
	char command[] = "report", text[64];
	char *argv[] = { command, text, NULL };

	strcpy(text, word);
	memset(given, 0, HOLTER_CODES * sizeof(*given));
	return holter_options(2, argv, &o, NULL);
}

static void options(void)
{
	bool given[HOLTER_CODES];

	is(parsed("--all", given), -1);
	ok(given[OPT_ALL] && !given[OPT_SYMFS] && !given['x']);
	is(parsed("-x1", given), -1);
	ok(given['x']);
	is(parsed("--nonsense", given), 2);
	ok(has_said("there is no option '--nonsense'; see holter report --help"));
	is(parsed("--symsf=x", given), 2);
	is(parsed("--symsf", given), 2);
	ok(has_said("there is no option '--symsf'; did you mean --symfs? (see holter report "
		    "--help)"));
	is(parsed("--symfs", given), 2);
	ok(has_said("--symfs wants a value behind it; see holter report --help"));
	is(parsed("-q", given), 2);
	ok(has_said("there is no option '-q'; see holter report --help"));
	is(parsed("--stdio", given), 2);
	ok(has_said("there is no option '--stdio': a table is what there is"));
	is(parsed("--stdio=1", given), 2);
	ok(has_said("there is no option '--stdio': a table is what there is"));
	is(parsed("-n", given), 2);
	ok(has_said("there is no option '-n': samples are a column"));
}

static void rules(void)
{
	static const struct holter_rule all[] = {
		{ 'a', HOLTER_WITHOUT, 'b', "a without b" },
		{ 'c', HOLTER_WITH, 'd', "c wants d" },
		{ 0 },
	};
	bool given[HOLTER_CODES] = { false };

	is(holter_rules(all, given), 0);
	given['a'] = given['d'] = true;
	is(holter_rules(all, given), 0);
	given['c'] = true;
	is(holter_rules(all, given), 0);
	given['d'] = false;
	is(holter_rules(all, given), 2);
	ok(has_said("c wants d"));
	given['b'] = true; /* the first one is said */
	is(holter_rules(all, given), 2);
	ok(has_said("a without b"));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the word that was meant", words },
		{ "options, and what is said to others", options },
		{ "options that do not go together", rules },
	};

	return tap_run(cases, TAP_NR(cases));
}
