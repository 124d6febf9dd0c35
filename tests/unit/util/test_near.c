// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_near.c - the suggestion for a misspelled word.
 */
#include <string.h>

#include <near.h>
#include <tap.h>

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
						"report",   "run", "stat",   NULL };
	static const char *const cpus[] = { "ax45mp", "c908", "c910", "max", "p550", "rocket",
					    "rva23",  "u74",  "x100", "x60", NULL };
	static const char *const events[] = { "cycles",		  "l1d-reads",
					      "l1d-read-misses",  "l1d-write-misses",
					      "cond-mispredicts", NULL };
	char longest[200];

	is_str(nearest("runn", commands), "run");
	is_str(nearest("rnu", commands), "run");
	is_str(nearest("repotr", commands), "report");
	is_str(nearest("state", commands), "stat");
	is_str(nearest("nonsense", commands), "");
	is_str(nearest("rec", commands), "record"); /* its beginning */
	is_str(nearest("re", commands), "");
	is_str(nearest("c2c", commands), ""); /* two wrong letters of a short word */
	is_str(nearest("test", commands), "");
	is_str(nearest("SATT", commands), "stat");
	is_str(nearest("L1D-Read-Misses", events), "l1d-read-misses");
	is_str(nearest("xy", commands), ""); /* two wrong letters of two: no suggestion */
	is_str(nearest("", commands), "");
	is_str(nearest("U74", cpus), "u74");
	is_str(nearest("sifive-u74", cpus), "u74");
	is_str(nearest("spacemit-x60", cpus), "x60");
	is_str(nearest("spacemit-x100", cpus), "x100");
	is_str(nearest("l1d-misses", events), "l1d-read-misses");
	is_str(nearest("l1d-read-miss", events), "l1d-read-misses");
	is_str(nearest("misses-l1d", events), "l1d-read-misses");
	is_str(nearest("misses-l1x", events), "");
	is_str(nearest("l1d-mises", events), "l1d-read-misses");
	is_str(nearest("mises-l1d", events), ""); /* mixed, or misspelled */
	is_str(nearest("l2d-misses", events), ""); /* short parts are all alike */
	is_str(nearest("micpsredcit", events), "");
	is_str(nearest("mispredicst", events), "cond-mispredicts");
	is_str(nearest("mipsredicst", events), "cond-mispredicts"); /* two swaps */
	memset(longest, 'x', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	is_str(nearest(longest, commands), "");
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the nearest word", words },
	};

	return tap_run(cases, TAP_NR(cases));
}
