// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_counts.c - counts read from JSON: sums over harts and modes, errors of means, hostile files.
 */
#include <math.h>

#include "counts.h"
#include "scratch.h"

static struct error_text why;

static bool read_text(struct counts *c, const char *text)
{
	char path[] = "test_counts.XXXXXX";
	bool good;

	scratch_file(path, text, strlen(text));
	good = counts_read(c, path, &why);
	unlink(path);
	return good;
}

static uint64_t count_of(const struct counts *c, const char *name)
{
	const struct count *found = counts_find(c, name);

	return found ? found->count : UINT64_MAX;
}

static void of_the_machine(void)
{
	struct counts c;

	ok(read_text(&c,
		     "{\"machine\": {\"cpu\": {\"name\": \"u74\", \"set\": [\"l2.size=4M\", "
		     "\"clock=1G\"]}}, \"harts\": [{\"hart\": 0, \"events\": [{\"event\": "
		     "\"cycles\", \"count\": 10, \"m\": 1, \"s\": 2, \"u\": 7}]}, {\"hart\": 1, "
		     "\"events\": [{\"event\": \"cycles\", \"count\": 100, \"m\": 50, \"s\": "
		     "20, \"u\": 30}]}]}"));
	is(c.exact, 1);
	is(c.list.nr, 4);
	is(count_of(&c, "cycles"), 110);
	is(count_of(&c, "cycles:u"), 37);
	is(count_of(&c, "cycles:k"), 22);
	is(count_of(&c, "cycles:m"), 51);
	ok(counts_find(&c, "cycles")->error == 0);
	is_str(c.machine, "u74 with l2.size=4M clock=1G");
	ok(!c.command && !counts_find(&c, "cycle"));
	counts_free(&c);
}

static void of_holter_stat(void)
{
	struct counts c;

	ok(read_text(&c,
		     "{\"command\": [\"./x\", \"\\u001b[2J\"], \"events\": [{\"event\": "
		     "\"cycles:u\", \"count\": 1000.4, \"spread\": 0.01}, {\"event\": \"faults\", "
		     "\"count\": null, \"reason\": \"no\"}, {\"event\": \"ticks\", \"count\": "
		     "7}]}"));
	is(c.exact, 0);
	is(c.list.nr, 2);
	is(count_of(&c, "cycles:u"), 1000);
	ok(fabs(counts_find(&c, "cycles:u")->error - 10) < 1e-9);
	ok(isinf(counts_find(&c, "ticks")->error));
	is_str(c.command, "./x ?[2J");
	counts_free(&c);
}

static void refused(void)
{
	static const struct {
		const char *text, *why;
	} rows[] = {
		{ "", "this is not a JSON object of one run" },
		{ "null", "this is not a JSON object of one run: it is null" },
		{ "{", "this is not a JSON object" },
		{ "{\"events\": []}\n{\"events\": []}", "this is not a JSON object of one run" },
		{ "{\"events\": []} x", "this is not a JSON object of one run" },
		{ "{\"events\": [], \"\xff\": 1}", "this is not a JSON object" },
		{ "[]", "not a file of counts: neither" },
		{ "{\"rows\": []}", "not a file of counts: neither of holter run --stats-json" },
		{ "{\"harts\": [1]}", "an event lacks" },
		{ "{\"harts\": [{\"events\": [{}]}]}", "an event lacks" },
		{ "{\"harts\": [{\"events\": [{\"event\": \"c\", \"count\": 1}]}]}",
		  "an event lacks" },
		{ "{\"events\": [{\"event\": \"c\", \"count\": -1}]}", "an event lacks" },
		{ "{\"events\": [{\"event\": \"c\", \"count\": 1e300}]}", "an event lacks" },
		{ "{\"events\": [{\"event\": \"c\", \"count\": \"1\"}]}", "an event lacks" },
		{ "{\"events\": [{\"event\": 7, \"count\": 1}]}", "an event lacks" },
	};
	struct counts c;

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		tap_context("%s", rows[n].text);
		ok(!read_text(&c, rows[n].text) && strstr(why.text, rows[n].why));
		is(c.list.nr, 0);
	}
	ok(!counts_read(&c, "nowhere", &why) && strstr(why.text, "nowhere: No such file"));
	ok(!counts_know("nowhere"));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "of the machine", of_the_machine },
		{ "of holter stat", of_holter_stat },
		{ "refused", refused },
	};

	return tap_run(cases, TAP_NR(cases));
}
