// SPDX-License-Identifier: BSD-2-Clause
/*
 * trace.c - holter stat -I --trace: the intervals as counter tracks of a trace, in the JSON form of
 * the Trace Event Format, which Perfetto and Chrome show (stat.h).
 *
 * An event of type C sets the value of its counter from its time, in microseconds, on.  Each run,
 * and each CPU or thread that is shown by itself, is a process of the trace.
 */
#include <stdlib.h>

#include "stat.h"

static uint64_t process_of(const struct stat_run *s, const struct stat_times *t)
{
	return (uint64_t)(t->run - 1) * (stat_parts(s) + 1) + t->part + 1;
}

static void begin_event(struct stat_run *s, const char *type, const char *name, uint64_t process)
{
	struct json *j = &s->trace;

	json_open(j, NULL, '{');
	json_text(j, "ph", type);
	json_text(j, "name", name);
	json_number(j, "pid", process);
	json_number(j, "tid", 0);
}

static void put_counter(struct stat_run *s, const char *name, double value, double seconds,
			uint64_t process)
{
	struct json *j = &s->trace;

	begin_event(s, "C", name, process);
	json_real(j, "ts", seconds * 1e6);
	json_open(j, "args", '{');
	json_real(j, "value", value);
	json_close(j, '}');
	json_close(j, '}');
}

/* Names the process of a run and part, when its first interval comes. */
static void put_name(struct stat_run *s, const struct stat_times *t)
{
	char name[STAT_PART_SIZE + 32], part[STAT_PART_SIZE] = "";
	struct json *j = &s->trace;

	if (t->part)
		stat_part_name(s, t->part, part);
	if (s->runs > 1)
		snprintf(name, sizeof(name), "run %u%s%s", t->run, t->part ? ", " : "", part);
	else
		snprintf(name, sizeof(name), "%s", t->part ? part : "holter stat");
	begin_event(s, "M", "process_name", process_of(s, t));
	json_open(j, "args", '{');
	json_text(j, "name", name);
	json_close(j, '}');
	json_close(j, '}');
}

/* The counters of one part in one interval. */
static void put_counters(struct stat_run *s, const struct stat_times *t)
{
	double *values = stat_values(s, t), value;
	uint64_t process = process_of(s, t);
	char name[METRIC_KEY + 16];

	if (t->from == 0)
		put_name(s, t);
	for (unsigned n = 0; n < s->events.nr; n++) {
		if (s->e[n].reason || t->seconds <= 0)
			continue;
		snprintf(name, sizeof(name), "%s per second", s->events.at[n].name);
		put_counter(s, name, stat_count(&s->e[n], t) / t->seconds, t->from, process);
	}
	for (unsigned n = 0; values && n < s->metrics.list.nr; n++) {
		if (stat_metric(s, &s->metrics.list.at[n], values, &value))
			put_counter(s, s->metrics.list.at[n].text, value, t->from, process);
	}
	free(values);
}

void stat_trace_begin(struct stat_run *s)
{
	s->trace = json_to(s->trace_to);
	json_open(&s->trace, NULL, '{');
	json_text(&s->trace, "displayTimeUnit", "ms");
	json_open(&s->trace, "traceEvents", '[');
}

void stat_trace(struct stat_run *s, const struct stat_times *t)
{
	struct stat_times when = *t;

	if (!stat_parts(s))
		put_counters(s, t);
	for (when.part = 1; when.part <= stat_parts(s); when.part++)
		put_counters(s, &when);
}

void stat_trace_end(struct stat_run *s)
{
	json_close(&s->trace, ']');
	json_close(&s->trace, '}');
}
