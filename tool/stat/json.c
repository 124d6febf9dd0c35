// SPDX-License-Identifier: BSD-2-Clause
/*
 * json.c - holter stat --json (stat.h): prints the contents of the table as JSON.
 */
#include <stdlib.h>

#include "json.h"
#include "stat.h"

static void target(struct json *j, const struct target *t)
{
	if (t->command) {
		json_open(j, "command", '[');
		for (char **word = t->command; *word; word++)
			json_text(j, NULL, *word);
		json_close(j, ']');
	}
	if (t->pids.nr) {
		json_open(j, t->threads ? "tids" : "pids", '[');
		for (unsigned n = 0; n < t->pids.nr; n++)
			json_integer(j, NULL, t->pids.at[n]);
		json_close(j, ']');
	}
	if (t->cpus.nr) {
		json_open(j, "cpus", '[');
		for (unsigned n = 0; n < t->cpus.nr; n++)
			json_integer(j, NULL, t->cpus.at[n]);
		json_close(j, ']');
	}
}

static void one_time(struct json *j, const char *name, const char *spread_name,
		     const struct spread *s)
{
	json_real(j, name, s->mean);
	if (s->nr > 1)
		json_real(j, spread_name, spread_relative(s));
}

static void times(struct json *j, const struct stat_run *s, const struct stat_times *t)
{
	if (t->interval) {
		if (s->runs > 1)
			json_number(j, "run", t->run);
		json_real(j, "from", t->from);
		json_real(j, "to", t->to);
		return;
	}
	json_number(j, "runs", s->seconds.nr);
	if (s->target.command)
		json_integer(j, "status", s->target.status);
	one_time(j, "seconds", "seconds_spread", &s->seconds);
	if (!s->target.command)
		return;
	one_time(j, "user_seconds", "user_spread", &s->user);
	one_time(j, "system_seconds", "system_spread", &s->system);
}

static void event(struct json *j, const struct stat_run *s, unsigned n, const struct stat_times *t)
{
	const struct stat_event *e = &s->e[n];
	const struct spread *spread = stat_spread(e, t);

	json_open(j, NULL, '{');
	json_text(j, "event", s->events.at[n].name);
	json_text(j, "name", e->key);
	if (e->reason)
		json_null(j, "count");
	else if (t->interval || spread->nr == 1)
		json_number(j, "count", stat_exact(e, t));
	else
		json_real(j, "count", spread->mean);
	if (!t->interval && spread->nr > 1 && !e->reason)
		json_real(j, "spread", spread_relative(spread));
	if (!e->reason && !t->interval)
		json_real(j, "share", e->share);
	json_text(j, "reason", e->reason);
	json_close(j, '}');
}

static void metrics(struct json *j, const struct stat_run *s, const struct stat_times *t)
{
	double *values = stat_values(s, t), value;

	json_open(j, "metrics", '[');
	for (unsigned n = 0; values && n < s->metrics.list.nr; n++) {
		const struct metric *m = &s->metrics.list.at[n];

		if (!stat_metric(s, m, values, &value))
			continue;
		json_open(j, NULL, '{');
		json_text(j, "metric", m->name);
		json_text(j, "group", s->metrics.groups.at[m->group].name);
		json_real(j, "value", value);
		json_text(j, "text", m->text);
		json_close(j, '}');
	}
	json_close(j, ']');
	free(values);
}

static void counts(struct json *j, const struct stat_run *s, const struct stat_times *t)
{
	json_open(j, "events", '[');
	for (unsigned n = 0; n < s->events.nr; n++)
		event(j, s, n, t);
	json_close(j, ']');
	metrics(j, s, t);
}

static void each_part(struct json *j, const struct stat_run *s, const struct stat_times *t)
{
	const struct target_numbers *of = s->per_cpu ? &s->target.cpus : &s->target.pids;
	struct stat_times when = *t;

	json_open(j, s->per_cpu ? "per_cpu" : "per_thread", '[');
	for (when.part = 1; when.part <= stat_parts(s); when.part++) {
		json_open(j, NULL, '{');
		json_integer(j, s->per_cpu ? "cpu" : "thread", of->at[when.part - 1]);
		if (!s->per_cpu)
			json_text(j, "name", s->threads[when.part - 1]);
		counts(j, s, &when);
		json_close(j, '}');
	}
	json_close(j, ']');
}

void stat_json(struct stat_run *s, const struct stat_times *t)
{
	struct json j = json_to(s->to);

	j.compact = s->interval != 0;
	json_open(&j, NULL, '{');
	if (s->interval)
		json_bool(&j, "interval", t->interval);
	if (!t->interval)
		target(&j, &s->target);
	times(&j, s, t);
	counts(&j, s, t);
	if (stat_parts(s))
		each_part(&j, s, t);
	json_close(&j, '}');
}
