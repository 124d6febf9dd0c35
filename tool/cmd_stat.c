// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_stat.c - holter stat: counts what a program, processes or CPUs do.
 */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "file.h"
#include "holter.h"
#include "stat/stat.h"

static const char usage[] =
	"usage: holter stat [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
	"       holter stat [OPTION]... -p PID | -t TID | -C CPU | -a [[--] PROGRAM [ARGUMENT]...]\n"
	"Counts what a program does, and all that it forks; then shows a table on standard error.\n"
	"  -e, --event LIST     these events: holter list has them; :u and :k behind one are its\n"
	"                       user mode and its kernel part\n"
	"  -M, --metric GROUP   the events of a group of metrics, too; a file or a folder, if "
	"there\n"
	"                       is a / in it\n"
	"      --metrics        lists the groups, and what is in them\n"
	"  -A, --per-cpu        with -a or -C: each CPU by itself\n"
	"  -r, --repeat N       runs the program N times: means, and how far they spread\n"
	"  -I, --interval MS    shows what was counted every so many milliseconds, "
	"too\n" TARGET_USAGE "      --json           as JSON, with -I one object a line\n"
	"  -o, --output FILE    into a file\n"
	"The exit status is the program's.\n";

static const char default_events[] =
	"task-clock,context-switches,cpu-migrations,page-faults,cycles,instructions,branches,"
	"branch-misses";

/* A number of an option; -1 after a line. */
static int number(const char *option, const char *text)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (errno || end == text || *end || value < 1 || value > INT_MAX) {
		holter_error("%s '%s': wants a number from 1 to %d", option, text, INT_MAX);
		return -1;
	}
	return (int)value;
}

static int group_add(struct stat *s, const char *name)
{
	const char **groups = realloc(s->groups, (s->nr_groups + 1) * sizeof(*groups));

	if (!groups)
		return holter_error("out of memory");
	s->groups = groups;
	groups[s->nr_groups++] = name;
	s->chosen = true;
	return 0;
}

static int list_groups(void)
{
	struct metrics m = { 0 };
	int status = metric_read_all(&m);

	for (unsigned n = 0; n < m.nr_groups; n++) {
		printf("%-20s %s\n", m.group[n].name, m.group[n].text);
		for (unsigned i = 0; i < m.nr; i++) {
			if (m.metric[i].group == n && m.metric[i].name)
				printf("  %-18s %s\n", m.metric[i].name, m.metric[i].text);
		}
	}
	metric_free(&m);
	return status;
}

/* Takes an option, as holter_options() wants it. */
static int option(void *to, int c, const char *value)
{
	struct stat *s = to;

	switch (c) {
	case 'e':
		s->chosen = true;
		return events_add(&s->events, value);
	case 'M':
		return group_add(s, value);
	case 'A':
		s->per_cpu = true;
		return 0;
	case 'r':
		s->runs = (unsigned)number("-r", value);
		return s->runs == (unsigned)-1 ? 2 : 0;
	case 'I':
		s->interval = number("-I", value);
		return s->interval < 0 ? 2 : 0;
	case 'j':
		s->json = true;
		return 0;
	case 'o':
		s->file = value;
		return 0;
	case 'm':
		return list_groups() ? 2 : HOLTER_SAID;
	default: /* TARGET_OPTIONS */
		return target_option(&s->target, c, value);
	}
}

static int options(struct stat *s, int argc, char **argv)
{
	static const struct option list[] = { { "event", required_argument, NULL, 'e' },
					      { "metric", required_argument, NULL, 'M' },
					      { "metrics", no_argument, NULL, 'm' },
					      { "per-cpu", no_argument, NULL, 'A' },
					      { "repeat", required_argument, NULL, 'r' },
					      { "interval", required_argument, NULL, 'I' },
					      { "json", no_argument, NULL, 'j' },
					      { "output", required_argument, NULL, 'o' },
					      TARGET_LONG_OPTIONS,
					      { "help", no_argument, NULL, 'h' },
					      { NULL, 0, NULL, 0 } };
	static const struct holter_habit habits[] = {
		{ "-d", "-M cache -M tlb counts caches and TLBs" },
		{ "--detailed", "-M cache -M tlb counts caches and TLBs" },
		{ "-x", "--json is for other programs" },
		{ "--field-separator", "--json is for other programs" },
		{ "--no-aggr", "-A shows each CPU by itself" },
		{ "-B", "numbers have separators already" },
		{ "--big-num", "numbers have separators already" },
		{ "--topdown", "-M stalls counts stalled cycles" },
		{ 0 },
	};
	static const struct holter_options all = { "+:e:M:Ar:I:o:h" TARGET_OPTIONS, list, usage,
						   option, habits };

	return holter_options(argc, argv, &all, s);
}

/*
 * Which events
 */

static bool event_there(const struct stat *s, const char *key)
{
	char other[METRIC_KEY];

	for (unsigned n = 0; n < s->events.nr; n++) {
		if (metric_key(s->events.list[n].spec, other) && !strcmp(other, key))
			return true;
	}
	return false;
}

/* Notes that the events from that one on have come together. */
static int came_with(struct stat *s, unsigned before)
{
	unsigned *list = realloc(s->came_with, (s->events.nr + 1) * sizeof(*list));

	if (!list)
		return holter_error("out of memory");
	s->came_with = list;
	s->nr_came++;
	for (unsigned n = before; n < s->events.nr; n++)
		list[n] = s->nr_came;
	return 0;
}

/* What the metrics of a group are computed of. */
static int group_events(struct stat *s, unsigned group)
{
	const unsigned before = s->events.nr;

	for (unsigned n = 0; n < s->metrics.nr; n++) {
		const struct metric *m = &s->metrics.metric[n];

		for (unsigned i = 0; m->group == group && i < m->expr.nr; i++) {
			const struct expr_op *op = &m->expr.op[i];
			const char *key = op->kind == EXPR_VALUE ? s->metrics.value[op->value]
								 : NULL;

			if (key && strcmp(key, METRIC_SECONDS) && !event_there(s, key) &&
			    events_add(&s->events, key))
				return 2;
		}
	}
	return came_with(s, before);
}

static int one_group(struct stat *s, const char *name)
{
	unsigned before = s->metrics.nr_groups;
	int group;

	if (strchr(name, '/')) {
		if (metric_read(&s->metrics, name))
			return 2;
		for (unsigned n = before; n < s->metrics.nr_groups; n++) {
			if (group_events(s, n))
				return 2;
		}
		return 0;
	}
	if (!s->metrics_read && metric_read_all(&s->metrics))
		return 2;
	s->metrics_read = true;
	group = metric_group(&s->metrics, name);
	if (group < 0)
		return holter_error(
			"there is no group of metrics '%s'; holter stat --metrics lists "
			"those that there are",
			name);
	return group_events(s, (unsigned)group);
}

static int choose_events(struct stat *s)
{
	if (!s->chosen && events_add(&s->events, default_events))
		return 2;
	s->came_with = calloc(s->events.nr + 1, sizeof(*s->came_with));
	if (!s->came_with)
		return holter_error("out of memory");
	for (unsigned n = 0; n < s->nr_groups; n++) {
		if (one_group(s, s->groups[n]))
			return 2;
	}
	if (!s->events.nr)
		return holter_error("there is no event in what -M names");
	s->e = calloc(s->events.nr, sizeof(*s->e));
	if (!s->e)
		return holter_error("out of memory");
	for (unsigned n = 0; n < s->events.nr; n++) {
		s->e[n].group = s->came_with[n];
		s->e[n].cpus = s->per_cpu ? calloc(s->target.nr_cpus, sizeof(*s->e[n].cpus)) : NULL;
		if (s->per_cpu && !s->e[n].cpus)
			return holter_error("out of memory");
		if (!metric_key(s->events.list[n].spec, s->e[n].key))
			return holter_error("-e: %s", pmc_error_text());
	}
	return 0;
}

static int check(struct stat *s, char **command)
{
	if (pmc_init() < 0)
		return holter_error("%s", pmc_error_text());
	if (target_check(&s->target, command))
		return 2;
	if (s->runs > 1 && !s->target.command)
		return holter_error("-r wants a program to run");
	if (s->per_cpu && !s->target.nr_cpus)
		return holter_error("-A shows each CPU by itself: it wants -a or -C");
	return choose_events(s);
}

static int with_output(struct stat *s)
{
	int status, failed;

	s->to = s->file ? file_create_stream(s->file, NULL) : stderr;
	if (!s->to)
		return holter_error("-o %s: %s", s->file, file_text(errno));
	status = stat_run(s);
	failed = ferror(s->to);
	if (s->file)
		failed |= fclose(s->to);
	if (failed)
		return holter_error("%s: %s", s->file ? s->file : "standard error",
				    strerror(errno));
	return status;
}

static int count(struct stat *s, char **argv)
{
	int status = check(s, argv);

	return status ? status : with_output(s);
}

int cmd_stat(int argc, char **argv)
{
	struct stat s = { .runs = 1 };
	int status = options(&s, argc, argv);

	if (status < 0)
		status = count(&s, argv + optind);
	for (unsigned n = 0; s.e && n < s.events.nr; n++) {
		free(s.e[n].reason);
		free(s.e[n].cpus);
	}
	free(s.e);
	free(s.groups);
	free(s.came_with);
	metric_free(&s.metrics);
	events_free(&s.events);
	target_free(&s.target);
	return status;
}
