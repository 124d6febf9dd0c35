// SPDX-License-Identifier: BSD-2-Clause
/*
 * fields.c - holter stat -x: one line for each event, with the fields that perf stat -x prints, in
 * its order, so that scripts for it read it (stat.h; holter-stat(1) lists the fields).
 */
#include <stdlib.h>

#include "csv.h"
#include "stat.h"

/* The first fields of a line: the end of the interval, and the CPU or thread. */
static void begin(struct csv *c, const struct stat_run *s, const struct stat_times *t)
{
	char text[64];

	if (t->interval) {
		snprintf(text, sizeof(text), "%.9f", t->to);
		csv_text(c, text);
	}
	if (t->part)
		csv_text(c, stat_part_name(s, t->part, text));
}

static void share(struct csv *c, const struct stat_event *e, const struct stat_times *t)
{
	double part = t->interval ? (e->enabled ? (double)e->running / (double)e->enabled : 1)
				  : e->share;
	char text[64];

	csv_number(c, e->running);
	snprintf(text, sizeof(text), "%.2f", 100 * part);
	csv_text(c, text);
}

static void value(struct csv *c, const struct stat_event *e, const struct stat_times *t)
{
	char text[400]; /* DBL_MAX has 309 digits */

	if (e->reason)
		csv_text(c, "<not counted>");
	else if (stat_is_clock(e))
		csv_real(c, stat_count(e, t) / 1e6);
	else if (t->interval || stat_spread(e, t)->nr == 1)
		csv_number(c, stat_exact(e, t));
	else {
		snprintf(text, sizeof(text), "%.0f", stat_count(e, t));
		csv_text(c, text);
	}
	csv_text(c, stat_is_clock(e) ? "msec" : "");
}

static void event(struct csv *c, const struct stat_run *s, const struct stat_times *t, unsigned n)
{
	const struct stat_event *e = &s->e[n];
	double spread = spread_relative(stat_spread(e, t));
	char text[400];

	begin(c, s, t);
	value(c, e, t);
	csv_text(c, s->events.at[n].name);
	if (s->runs > 1 && !t->interval) {
		snprintf(text, sizeof(text), "%.2f%%", isfinite(spread) ? 100 * spread : 0);
		csv_text(c, text);
	}
	share(c, e, t);
	csv_text(c, ""); /* a metric has a line of its own */
	csv_text(c, "");
	csv_end(c);
}

/* A metric: all fields of an event are empty. */
static void metric(struct csv *c, const struct stat_run *s, const struct stat_times *t,
		   const struct metric *m, double number)
{
	unsigned empty = 5 + (s->runs > 1 && !t->interval);

	begin(c, s, t);
	while (empty--)
		csv_text(c, "");
	csv_real(c, number);
	csv_text(c, m->text);
	csv_end(c);
}

static void rows(struct csv *c, const struct stat_run *s, const struct stat_times *t)
{
	double *values = stat_values(s, t), number;

	for (unsigned n = 0; n < s->events.nr; n++)
		event(c, s, t, n);
	for (unsigned n = 0; values && n < s->metrics.list.nr; n++) {
		if (stat_metric(s, &s->metrics.list.at[n], values, &number))
			metric(c, s, t, &s->metrics.list.at[n], number);
	}
	free(values);
}

void stat_fields(struct stat_run *s, const struct stat_times *t)
{
	struct csv c = csv_to(s->to, s->separator);
	struct stat_times when = *t;

	if (!stat_parts(s))
		rows(&c, s, t);
	for (when.part = 1; when.part <= stat_parts(s); when.part++)
		rows(&c, s, &when);
}
