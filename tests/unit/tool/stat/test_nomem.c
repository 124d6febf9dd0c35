// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_nomem.c - metrics while an allocation fails: each time the error is "out of memory", and
 * what was read before can be used and freed.
 */
#include <string.h>

#include <metric.h>
#include <nomem.h>
#include <tap.h>

#include "fakekernel.h"
#include "said.h"

static const char text[] = "# What it is about\n"
			   "count cycles, raw=0x11\n"
			   "ipc = instructions / cycles ; instructions per cycle\n"
			   "rate = cycles / seconds ; cycles a second\n"
			   "for 0x31e-0x1\n"
			   "ipc = 'raw=0x2' / cycles ; of this core\n"
			   "for 0x0-0x1\n"
			   "ipc = 'raw=0x3' / cycles ; of another one\n"
			   "for six\n"
			   "sixes = six / cycles ; of a named event\n"
			   "sevens = seven / six ; of one that has no name here\n";

/* The names of events are read again each time. */
static void boot(void)
{
	nomem_pause();
	fake_boot();
	fake_event_names();
	nomem_resume();
}

/* What is there can be printed. */
static void look(const struct metrics *m)
{
	for (unsigned n = 0; n < m->groups.nr; n++)
		ok(m->groups.at[n].name && m->groups.at[n].text);
	for (unsigned n = 0; n < m->list.nr; n++)
		ok(!m->list.at[n].name || m->list.at[n].text);
	for (unsigned n = 0; n < m->values.nr; n++)
		ok(m->values.at[n]);
}

static bool reads(void *arg)
{
	static const struct metric_cpu cpu = { true, 0x31e, 1 };
	struct metrics m = { 0 };
	struct expr_error error = { .at = 0 };
	unsigned line;
	bool good;

	boot();
	good = metric_parse(&m, "g", text, strlen(text), &line, &error);
	if (!good)
		is_str(error.why.text, "out of memory");
	good = good && metric_choose(&m, &cpu);
	nomem_pause();
	look(&m);
	if (good) {
		is(m.list.nr, 6);
		is_str(m.groups.at[0].text, "What it is about");
		is_str(m.list.at[2].name, "rate");
		is_str(m.list.at[3].text, "of this core");
		ok(m.list.at[5].absent);
	}
	metric_free(&m);
	return good;
}

static void parsing(void)
{
	nomem_each(reads, NULL, NOMEM_NEEDS_ALL);
}

/* The built-in groups. */
static bool reads_all(void *arg)
{
	struct metrics m = { 0 };
	int status;

	said[0] = '\0';
	boot();
	status = metric_read_all(&m);
	nomem_pause();
	look(&m);
	if (status)
		ok(has_said("memory"));
	metric_free(&m);
	return !status;
}

static void files(void)
{
	nomem_each(reads_all, NULL, NOMEM_NEEDS_ALL);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "lines", parsing },
		{ "all groups", files },
	};

	return tap_run(cases, TAP_NR(cases));
}
