// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_metric.c - groups of metrics: their lines, the error messages, and the built-in groups.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <tap.h>
#include <unistd.h>

#include <metric.h>

#include "fakekernel.h"
#include "said.h"
#include "scratch.h"

static struct metrics m;
static struct expr_error error;
static unsigned line;
static char scratch[] = "/tmp/test-metric.XXXXXX";

static bool parse(const char *group, const char *text)
{
	return metric_parse(&m, group, text, strlen(text), &line, &error);
}

static void group(void)
{
	ok(parse("g", "# What it is about\n"
		      "\n"
		      "# more\n"
		      "count cycles , 'x'\n") == false);
	metric_free(&m);
	ok(parse("g", "# What it is about\n\n  # more\ncount cycles, raw=0x11,FW_SET_TIMER\n"
		      "ipc=instructions/cycles;instructions per cycle # of all\n"
		      " rate = 'cycles,usr' / seconds ; cycles; a second\n"
		      "count = cycles ; a metric of this name"));
	is(m.groups.nr, 1);
	is_str(m.groups.at[0].name, "g");
	is_str(m.groups.at[0].text, "What it is about");
	is(m.list.nr, 6);
	ok(!m.list.at[0].name && !m.list.at[2].name);
	is_str(m.list.at[3].name, "ipc");
	is_str(m.list.at[3].text, "instructions per cycle");
	is_str(m.list.at[4].text, "cycles; a second");
	is_str(m.list.at[5].name, "count");
	is(m.values.nr, 6);
	is_str(m.values.at[0], "HW_CPU_CYCLES");
	is_str(m.values.at[1], "raw=0x11");
	is_str(m.values.at[2], "FW_SET_TIMER");
	is_str(m.values.at[3], "HW_INSTRUCTIONS");
	is_str(m.values.at[4], "HW_CPU_CYCLES,usr");
	is_str(m.values.at[5], "seconds");
	ok(parse("h", "ipc = instructions / cycles ; again, in another group"));
	is(m.values.nr, 6);
	is(metric_group(&m, "h"), 1);
	is((uint64_t)metric_group(&m, "i"), (uint64_t)-1);
	ok(expr_value(&m.list.at[3].expr, (const double[]){ 4, 0, 0, 6, 0, 0 }) == 1.5);
	metric_free(&m);
}

static void keys(void)
{
	char key[METRIC_KEY];

	ok(metric_key("cycles", key));
	is_str(key, "HW_CPU_CYCLES");
	ok(metric_key("Cpu_Cycles,os,multiplex,usr", key));
	is_str(key, "HW_CPU_CYCLES,usr,os");
	ok(metric_key("raw=0x11,os", key));
	is_str(key, "raw=0x11,os");
	ok(metric_key("fw=5", key));
	is_str(key, "FW_SET_TIMER");
	ok(metric_key("task clock", key));
	is_str(key, "TASK_CLOCK");
	ok(!metric_key("nonesuch", key));
}

static void wrong(const char *text, unsigned at_line, unsigned at, const char *says)
{
	tap_context("%s", text);
	ok(!parse("g", text));
	ok(strstr(error.why.text, says));
	if (!strstr(error.why.text, says))
		printf("#   %s\n", error.why.text);
	is(line, at_line);
	is(error.at, at);
	metric_free(&m);
}

static void refused(void)
{
	wrong("words", 1, 0, "needs NAME = EXPRESSION ; TEXT, or count EVENT");
	wrong("# a\n\n  words", 3, 2, "needs NAME = EXPRESSION ; TEXT");
	wrong("= cycles ; x", 1, 0, "a metric's name has letters, digits");
	wrong("a b = cycles ; x", 1, 0, "a metric's name has letters, digits");
	wrong("a = cycles", 1, 10, "a ; and a text are expected after the expression");
	wrong("a = cycles ; \033[31mx", 1, 13, "a control character is here");
	wrong("a = cycles ; x\n# \a", 2, 2, "a control character is here");
	wrong("a = cycles ;  # x", 1, 11, "a ; and a text are expected after the expression");
	wrong("a = ; x", 1, 4, "it ends where an event");
	wrong("a = 2 * cycels ; x", 1, 8, "unknown event cycels; did you mean cycles?");
	wrong("a = branch-misses ; x", 1, 4, "unknown event branch");
	wrong("for 1-2", 1, 4, "needs mvendorid-marchid, as in 0x31e");
	wrong("for 0x1-0x2 0x3", 1, 4, "needs mvendorid-marchid");
	wrong("for 0x1-0x2\na = cycles ; x\na = cycles ; x", 3, 0, "of this name already");
	wrong("a = cycles ; x\na = cycles ; x", 2, 0, "has a metric of this name already");
	wrong("without a ; x", 1, 7, "comes after a line 'for' of a core");
	wrong("for 0x1-0x2\nwithout a", 2, 9, "a ; and a text are expected after the names: why");
	wrong("for 0x1-0x2\nwithout a, ; x", 2, 11, "needs names of metrics: without NAME");
	wrong("for 0x1-0x2\nwithout a, b, a ; x", 2, 14, "has a metric of this name already");
	wrong("for 0x1-0x2\nwithout a ; x\na = cycles ; x", 3, 0, "of this name already");
	wrong("count cycles,,instructions", 1, 13, "1 to 63 characters");
	wrong("count", 1, 0, "needs NAME = EXPRESSION ; TEXT");
	wrong("a = 'cycles,sometimes' ; x", 1, 4, "unknown qualifier 'sometimes'");
}

/* Of two metrics with one name the core's own is taken; those for other cores are dropped. */
static void cores(void)
{
	static const char *const text = "a = cycles ; any\n"
					"b = cycles ; any\n"
					"count instructions\n"
					"for 0x31e-0x8000000000008a45\n"
					"a = 'raw=0x1' ; AX45MP\n"
					"c = 'raw=0x2' ; AX45MP\n"
					"count raw=0x3\n"
					"for 0x0-0x1 # Rocket\n"
					"a = 'raw=0x1' ; Rocket\n"
					"without b ; Rocket\n";
	static const struct {
		struct metric_cpu cpu;
		const char *names, *a;
	} cases[] = {
		{ { false, 0, 0 }, "ab-", "any" },
		{ { true, 0x31e, 0x8000000000008a45 }, "b-ac-", "AX45MP" },
		{ { true, 0, 1 }, "-ab", "Rocket" },
		{ { true, 0, 0 }, "ab-", "any" },
	};

	for (unsigned n = 0; n < TAP_NR(cases); n++) {
		char names[10] = "";
		const char *a = "";

		tap_context("case %u", n);
		ok(parse("g", text));
		ok(parse("h", "a = cycles ; of another group"));
		ok(metric_choose(&m, &cases[n].cpu));
		for (unsigned i = 0; i < m.list.nr && m.list.at[i].group == 0; i++) {
			strcat(names, m.list.at[i].name ? m.list.at[i].name : "-");
			if (m.list.at[i].name && *m.list.at[i].name == 'a')
				a = m.list.at[i].text;
		}
		is_str(names, cases[n].names);
		is_str(a, cases[n].a);
		is_str(m.list.at[m.list.nr - 1].text, "of another group");
		metric_free(&m);
	}
}

/* Metrics of events that the device tree names: on every core that has the names. */
static void named_events(void)
{
	static const char text[] = "a = cycles ; any\n"
				   "for six # has five, too\n"
				   "b = 'Five,usr' / six ; named\n"
				   "c = five / seven ; one is not\n"
				   "count seven, six\n"
				   "for seven\n"
				   "d = seven / eight + ; not read\n"
				   "without a ; nor this\n"
				   "for 0x0-0x1\n"
				   "e = cycles ; of a core\n";

	fake_boot();
	fake_event_names();
	ok(parse("g", text));
	is(m.list.nr, 5);
	is_str(m.list.at[1].name, "b");
	ok(!m.list.at[1].absent && !m.list.at[1].cpu.known);
	is_str(m.values.at[m.list.at[1].expr.op[0].value], "five,usr");
	is_str(m.list.at[2].name, "c");
	ok(m.list.at[2].absent);
	is_str(m.list.at[2].text, "this machine has no event seven");
	ok(!m.list.at[3].name);
	is_str(m.values.at[m.list.at[3].expr.op[0].value], "six");
	ok(m.list.at[4].cpu.known);
	metric_free(&m);

	/* The caller does not want the names to be read. */
	m = (struct metrics){ .unnamed = true };
	ok(parse("g", text));
	is(m.list.nr, 2);
	is_str(m.list.at[1].name, "e");
	metric_free(&m);

	wrong("for six\na = 'five,sometimes' ; x", 2, 4, "unknown qualifier 'sometimes'");
	wrong("for six\nwithout a ; x", 2, 7, "comes after a line 'for' of a core");
	wrong("for six\na = six + ; x", 2, 9, "it ends where an event");
	/* A line for a core ends it. */
	wrong("for seven\nfor 0x0-0x1\na = seven ; x", 3, 4, "unknown event seven");
	fake_end();
	fake_boot();
	ok(parse("g", text));
	is(m.list.nr, 2);
	metric_free(&m);
	fake_end();
}

static void identities(void)
{
	struct metric_cpu cpu = metric_cpu_of("processor\t: 0\nmvendorid\t: 0x31e\n"
					      "marchid\t\t: 0x8000000000008a45\nmimpid\t\t: 0x0\n"
					      "\nprocessor\t: 1\nmvendorid\t: 0x1\n");

	ok(cpu.known);
	is(cpu.mvendorid, 0x31e);
	is(cpu.marchid, 0x8000000000008a45);
	ok(!metric_cpu_of("").known);
	ok(!metric_cpu_of("vendor_id\t: GenuineIntel\n").known);
	ok(!metric_cpu_of("mvendorid\t: 0x31e\nmarchid\t\t: what\n").known);
}

static void files(void)
{
	char path[200];

	scratch_text(scratch, "good.metric", "a = cycles ; x\n");
	scratch_text(scratch, "other.txt", "not metrics\n");
	is(metric_read(&m, scratch), 0);
	is(m.groups.nr, 1);
	is_str(m.groups.at[0].name, "good");
	is(metric_read(&m, scratch), 0); /* again is nothing */
	is(m.list.nr, 1);
	scratch_text(scratch, "zbad.metric", "# x\n\na = cycles + ; x\n");
	is(metric_read(&m, scratch), 2);
	ok(has_said("zbad.metric:3:13: it ends where an event"));
	snprintf(path, sizeof(path), "%s/none.metric", scratch);
	is(metric_read(&m, path), 2);
	ok(has_said("none.metric: No such file"));
	metric_free(&m);
}

static void user_first(void)
{
	char path[200];

	snprintf(path, sizeof(path), "%s/holter", scratch);
	mkdir(path, 0700);
	strcat(path, "/metrics");
	mkdir(path, 0700);
	scratch_text(scratch, "holter/metrics/mine.metric", "b = cycles ; of mine\n");
	setenv("XDG_CONFIG_HOME", scratch, 1);
	is(metric_read_all(&m), 0);
	is(m.groups.nr, 10);
	is_str(m.groups.at[0].name, "mine");
	metric_free(&m);
	scratch_text(scratch, "holter/metrics/tlb.metric", "c = cycles ; instead of ours\n");
	is(metric_read_all(&m), 0);
	is_str(m.list.at[1].name, "c");
	is(m.groups.nr, 10); /* mine, and tlb once */
	metric_free(&m);
}

static void ours(void)
{
	setenv("XDG_CONFIG_HOME", "/nonesuch", 1);
	is(metric_read_all(&m), 0);
	is(m.groups.nr, 9);
	for (unsigned n = 0; n < m.groups.nr; n++) {
		tap_context("%s", m.groups.at[n].name);
		ok(m.groups.at[n].text[0]);
	}
	ok(metric_group(&m, "default") >= 0);
	ok(m.list.nr >= 20);
	metric_free(&m);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a group", group },
		{ "events by what they are", keys },
		{ "errors in lines, and their positions", refused },
		{ "metrics of a core", cores },
		{ "metrics of events that the machine names", named_events },
		{ "which core this is", identities },
		{ "files and folders", files },
		{ "the user's own", user_first },
		{ "the built-in groups", ours },
	};
	int result;

	if (!mkdtemp(scratch))
		return 1;
	result = tap_run(cases, TAP_NR(cases));
	return !scratch_remove(scratch) || result;
}
