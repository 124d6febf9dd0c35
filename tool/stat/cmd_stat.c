// SPDX-License-Identifier: BSD-2-Clause
/*
 * cmd_stat.c - holter stat: counts the events of a program, of processes or of CPUs.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cmd_stat.h"
#include "file.h"
#include "fit.h"
#include "holter.h"
#include "near.h"
#include "options.h"
#include "stat.h"
#include "term.h"

#define IN(member) OPTION_FIELD(struct stat_run, member)

/* A separator must not be a part of a number or of a quoted text. */
static int take_separator(void *to, const struct option_row *row, const char *value)
{
	const char **separator = to;

	*separator = !strcmp(value, "\\t") ? "\t" : value;
	for (const char *c = *separator; *c; c++) {
		if (isalnum((unsigned char)*c) || strchr(".+-%<>\"\n\r", *c))
			return holter_error(
				"-x '%s': a separator has no letters, digits, quotes, and "
				"none of . + - %% < >",
				value);
	}
	return **separator ? 0 : holter_error("-x '': the separator is missing, as in -x ,");
}

static const struct option_row rows[] = {
	{ OPTION_CALLS, "event", 'e', "LIST",
	  "count these events (holter list shows all); :u after a name is user mode "
	  "alone, :k the kernel alone",
	  IN(events), .call = events_option },
	{ OPTION_TEXTS, "metric", 'M', "GROUP",
	  "count the events of a group of metrics, too; a name with a / is a file or a "
	  "folder of metrics",
	  IN(groups) },
	{ OPTION_ON, "metrics", 0, NULL, "list the groups and their metrics, and count nothing",
	  IN(list_groups) },
	{ OPTION_ON, "per-cpu", 'A', NULL, "with -a or -C: show each CPU by itself", IN(per_cpu) },
	{ OPTION_ON, "per-thread", 0, NULL,
	  "with -p or -t: show each thread by itself; those that a process starts later are not "
	  "counted",
	  IN(target.each) },
	{ OPTION_NUMBER, "delay", 'D', "MS",
	  "begin to count MS milliseconds after the program has started", IN(delay), 1, INT_MAX },
	{ OPTION_NUMBER, "repeat", 'r', "N", "run the program N times: show means and their spread",
	  IN(runs), 1, INT_MAX },
	{ OPTION_NUMBER, "interval", 'I', "MS",
	  "also show what was counted in each interval of MS milliseconds", IN(interval), 1,
	  INT_MAX },
	{ OPTION_TEXT, "trace", 0, "FILE",
	  "with -I: write the intervals to FILE, too, as a trace with counter tracks for "
	  "ui.perfetto.dev",
	  IN(trace_file) },
	{ OPTION_NUMBER, "timeout", 0, "MS",
	  "end the counting, and the program with SIGTERM, after MS milliseconds", IN(timeout), 1,
	  INT_MAX },
	TARGET_ROWS(struct stat_run, target),
	{ OPTION_ON, "json", 0, NULL, "print JSON; with -I one object a line", IN(json) },
	{ OPTION_CALL, "field-separator", 'x', "SEP",
	  "print a line for each event with the fields of perf stat -x, and SEP between them",
	  IN(separator), .call = take_separator },
	{ OPTION_TEXT, "output", 'o', "FILE", "print to FILE", IN(file),
	  .standard = "standard error" },
	{ 0 },
};

static const struct option_rule rules[] = {
	{ "repeat", OPTION_NEEDS, "program", "it runs the program again" },
	{ "per-thread", OPTION_NEEDS, "pid tid", "it shows threads of processes that run" },
	{ "trace", OPTION_NEEDS, "interval", "it shows intervals" },
	{ "delay", OPTION_NEEDS, "program", "what runs already is counted from now on" },
	{ "per-cpu", OPTION_NEEDS, "all-cpus cpu", "it shows each CPU by itself" },
	{ "json", OPTION_EXCLUDES, "field-separator", "both are for other programs" },
	TARGET_RULES,
	{ 0 },
};

static const struct option_habit habits[] = {
	{ "-d --detailed", "-M cache -M tlb counts caches and TLBs" },
	{ "--csv", "-x , prints a line for each event" },
	{ "-j --json-output", "--json is for other programs" },
	{ "--no-aggr", "-A shows each CPU by itself" },
	{ "--per-core --per-socket --per-die --per-node --per-cache --per-cluster",
	  "-A shows each CPU by itself" },
	{ "-B --big-num --no-big-num", "numbers have separators already, and --json has none" },
	{ "--topdown --td-level", "-M cpi shows what the cycles of an instruction wait for" },
	{ "--all-user", "user mode alone is -e cycles:u" },
	{ "--all-kernel", "the kernel alone is -e cycles:k" },
	{ "--transaction -T", "RISC-V has no transactions" },
	{ "-c --scale --no-scale", "a count that is an estimate is marked" },
	{ "-n --null", "-e task-clock counts time alone" },
	{ "-i --no-inherit", "-t TID counts one thread, and nothing that it starts" },
	{ "-G --cgroup --for-each-cgroup --bpf-counters -b --bpf-prog",
	  "-p PID,... counts processes and what they fork" },
	{ "--interval-print", "-I MS shows what was counted in each interval" },
	{ "--interval-count --interval-clear",
	  "--timeout MS ends it: holter stat -I 100 --timeout 1000 -p PID" },
	{ "--metric-only --metric-no-group --metric-no-merge --metric-no-threshold",
	  "-M GROUP counts the metrics of a group" },
	{ "--metricgroups", "--metrics lists them" },
	{ "-S --sync --pre --post", "write it before and after holter stat, in a script" },
	{ "--append --log-fd", "2>>FILE of the shell appends to FILE" },
	{ "--summary --no-summary --no-csv-summary", "the totals come after the intervals" },
	{ "--filter", "it counts no tracepoints" },
	{ "--control", "-p PID counts a program from now on until Ctrl-C, --timeout or its end" },
	{ "--smi-cost", "M-mode is RISC-V's: -M firmware shows what the firmware does" },
	{ "--hybrid --cputype", "-C CPU,... counts these CPUs" },
	{ "--table", "-r N shows the mean of the runs and its spread" },
	{ "--quiet", "-o FILE keeps the table apart" },
	{ "-v --verbose", "holter doctor says more about counters" },
	{ 0 },
};

static const struct options options = {
	.usage = "stat [OPTION]... [--] PROGRAM [ARGUMENT]...\n"
		 "stat [OPTION]... -p PID | -t TID | -C CPU | -a [[--] PROGRAM [ARGUMENT]...]",
	.about = "Counts what a program and its children do, or processes, threads or CPUs; then "
		 "prints a table.",
	.rows = rows,
	.end = "The exit status is the program's.",
	.rules = rules,
	.habits = habits,
	.first = true,
};

static const char default_events[] =
	"task-clock,context-switches,cpu-migrations,page-faults,cycles,instructions,branches,"
	"branch-misses";

/* Prints a name, and its text in the columns that are left. */
static void list_line(const char *indent, const char *name, const char *text)
{
	unsigned at = (unsigned)printf("%s%-*s ", indent, 20 - (int)strlen(indent), name);

	fit_wrap(stdout, text, at, at, term_width(stdout));
	putchar('\n');
}

/* Whether a group has a metric here.  absent: metrics whose events are not here count, too. */
static bool has_some(const struct metrics *m, unsigned group, bool absent)
{
	for (unsigned n = 0; n < m->list.nr; n++) {
		if (m->list.at[n].group == group && (absent || !m->list.at[n].absent))
			return true;
	}
	return false;
}

static int list_groups(void)
{
	struct metrics m = { 0 };
	int status = metric_read_all(&m);

	for (unsigned n = 0; n < m.groups.nr; n++) {
		list_line("", m.groups.at[n].name, m.groups.at[n].text);
		for (unsigned i = 0; i < m.list.nr; i++) {
			if (m.list.at[i].group == n && m.list.at[i].name && !m.list.at[i].absent)
				list_line("  ", m.list.at[i].name, m.list.at[i].text);
		}
		if (!has_some(&m, n, false))
			list_line("  ", "(none)", "this machine has none of its events");
	}
	metric_free(&m);
	return status;
}

/* Returns what options_read() returns. */
static int parse(struct stat_run *s, int argc, char **argv)
{
	struct options_read read;
	int status = options_read(&read, &options, s, argc, argv);

	if (status >= 0)
		return status;
	if (s->list_groups && optind < argc)
		return holter_error("--metrics lists the groups, and does not run '%s': -M GROUP "
				    "counts one",
				    argv[optind]);
	if (s->list_groups)
		return list_groups();
	if (optind < argc)
		s->target.command = argv + optind;
	s->chosen = s->events.nr || s->groups.nr;
	return options_check(&read) ? 2 : -1;
}

/*
 * Choosing events
 */

static bool event_there(const struct stat_run *s, const char *key)
{
	char other[METRIC_KEY];

	for (unsigned n = 0; n < s->events.nr; n++) {
		if (metric_key(s->events.at[n].spec, other) && !strcmp(other, key))
			return true;
	}
	return false;
}

/* Records that the new events belong to a group; 0: to none. */
static int came_with(struct stat_run *s, unsigned group)
{
	while (s->came_with.nr < s->events.nr) {
		if (!VEC_PUSH(&s->came_with, group))
			return holter_error("out of memory");
	}
	return 0;
}

/* Adds the events that the metrics of a group need. */
static int group_events(struct stat_run *s, unsigned group)
{
	s->metrics.groups.at[group].asked = true;
	for (unsigned n = 0; n < s->metrics.list.nr; n++) {
		const struct metric *m = &s->metrics.list.at[n];

		for (unsigned i = 0; m->group == group && i < m->expr.nr; i++) {
			const struct expr_op *op = &m->expr.op[i];
			const char *key = op->kind == EXPR_VALUE ? s->metrics.values.at[op->value]
								 : NULL;

			if (key && strcmp(key, METRIC_SECONDS) && !event_there(s, key) &&
			    events_add(&s->events, key))
				return 2;
		}
	}
	return came_with(s, ++s->nr_came);
}

static int unknown_group(const struct metrics *m, const char *name)
{
	struct near near = near_to(name), metric = near_to(name);
	const struct metric *best = NULL;

	for (unsigned n = 0; n < m->list.nr; n++) {
		const unsigned before = metric.distance;

		if (m->list.at[n].name)
			near_try(&metric, m->list.at[n].name);
		if (metric.distance < before)
			best = &m->list.at[n];
	}
	for (unsigned n = 0; n < m->groups.nr; n++)
		near_try(&near, m->groups.at[n].name);
	if (best && !strcmp(best->name, name))
		return holter_error("-M '%s': this is a metric; -M %s counts its group", name,
				    m->groups.at[best->group].name);
	if (best && metric.distance < near.distance)
		return holter_error("there is no group of metrics '%s'; did you mean -M %s, which "
				    "has the metric %s?",
				    name, m->groups.at[best->group].name, best->name);
	if (near.best)
		return holter_error("there is no group of metrics '%s'; did you mean %s? (holter "
				    "stat --metrics lists them)",
				    name, near.best);
	return holter_error("there is no group of metrics '%s'; holter stat --metrics lists those "
			    "that there are",
			    name);
}

/* The group whose name begins so, if it is the only one; -1: it is not. */
static int short_group(const struct metrics *m, const char *name)
{
	int found = -1;

	for (unsigned n = 0; n < m->groups.nr && *name; n++) {
		if (strncmp(m->groups.at[n].name, name, strlen(name)) != 0)
			continue;
		if (found >= 0)
			return -1;
		found = (int)n;
	}
	return found;
}

static int one_group(struct stat_run *s, const char *name)
{
	unsigned before = s->metrics.groups.nr;
	int group;

	if (strchr(name, '/')) {
		if (metric_read(&s->metrics, name))
			return 2;
		for (unsigned n = before; n < s->metrics.groups.nr; n++) {
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
		group = short_group(&s->metrics, name);
	if (group < 0)
		return unknown_group(&s->metrics, name);
	if (!has_some(&s->metrics, (unsigned)group, true))
		return holter_error("-M %s: this machine has none of the group's events; holter "
				    "stat --metrics lists the metrics that it has",
				    s->metrics.groups.at[group].name);
	return group_events(s, (unsigned)group);
}

/* Names the threads of --per-thread: "COMMAND-TID", or "TID" if it has ended. */
static int name_threads(struct stat_run *s)
{
	s->threads = calloc(s->target.pids.nr + 1, sizeof(*s->threads));
	for (unsigned n = 0; s->threads && n < s->target.pids.nr; n++) {
		char path[40], *comm;
		size_t len;

		snprintf(path, sizeof(path), "/proc/%d/comm", s->target.pids.at[n]);
		comm = file_read("", path, 64, &len);
		if (comm)
			comm[strcspn(comm, "\n")] = '\0';
		term_printable(comm);
		if (asprintf(&s->threads[n], "%.15s%s%d", comm ? comm : "", comm ? "-" : "",
			     s->target.pids.at[n]) < 0)
			s->threads[n] = NULL;
		free(comm);
		if (!s->threads[n])
			return holter_error("out of memory");
	}
	return s->threads ? 0 : holter_error("out of memory");
}

static int choose_events(struct stat_run *s)
{
	if (!s->chosen && events_add(&s->events, default_events))
		return 2;
	if (came_with(s, 0))
		return 2;
	for (unsigned n = 0; n < s->groups.nr; n++) {
		if (one_group(s, s->groups.at[n]))
			return 2;
	}
	if (!s->events.nr)
		return holter_error("-M: this machine has no event of these metrics; "
				    "holter stat --metrics lists the metrics that it has");
	s->e = calloc(s->events.nr, sizeof(*s->e));
	if (!s->e)
		return holter_error("out of memory");
	for (unsigned n = 0; n < s->events.nr; n++) {
		s->e[n].group = s->came_with.at[n];
		if (stat_parts(s))
			s->e[n].parts = calloc(stat_parts(s), sizeof(*s->e[n].parts));
		if (stat_parts(s) && !s->e[n].parts)
			return holter_error("out of memory");
		if (!metric_key(s->events.at[n].spec, s->e[n].key))
			return holter_error("-e: %s", pmc_error_text());
	}
	return 0;
}

static int check(struct stat_run *s)
{
	if (pmc_init() < 0)
		return holter_error("%s", pmc_error_text());
	s->target.later = s->delay;
	if (target_check(&s->target) || (s->target.each && name_threads(s)))
		return 2;
	return choose_events(s);
}

/* Runs with the file of --trace. */
static int with_trace(struct stat_run *s)
{
	int status, failed;

	s->trace_to = file_create_stream(s->trace_file, NULL);
	if (!s->trace_to)
		return holter_error("--trace %s: %s", s->trace_file, file_text(errno));
	stat_trace_begin(s);
	status = stat_run(s);
	stat_trace_end(s);
	failed = ferror(s->trace_to);
	failed |= fclose(s->trace_to);
	return failed ? holter_error("%s: %s", s->trace_file, strerror(errno)) : status;
}

static int with_output(struct stat_run *s)
{
	int status, failed;

	s->to = s->file ? file_create_stream(s->file, NULL) : stderr;
	if (!s->to)
		return holter_error("-o %s: %s", s->file, file_text(errno));
	s->width = term_width(s->to);
	status = s->trace_file ? with_trace(s) : stat_run(s);
	failed = ferror(s->to);
	if (s->file)
		failed |= fclose(s->to);
	if (failed)
		return holter_error("%s: %s", s->file ? s->file : "standard error",
				    strerror(errno));
	return status;
}

static int count(struct stat_run *s)
{
	int status = check(s);

	return status ? status : with_output(s);
}

int cmd_stat(int argc, char **argv)
{
	struct stat_run s = { .runs = 1 };
	int status = parse(&s, argc, argv);

	if (status < 0)
		status = count(&s);
	for (unsigned n = 0; s.e && n < s.events.nr; n++) {
		stat_forget_reason(&s.e[n]);
		free(s.e[n].parts);
	}
	free(s.e);
	for (unsigned n = 0; s.threads && n < s.target.pids.nr; n++)
		free(s.threads[n]);
	free(s.threads);
	free(s.groups.at);
	free(s.came_with.at);
	metric_free(&s.metrics);
	events_free(&s.events);
	target_free(&s.target);
	return status;
}
