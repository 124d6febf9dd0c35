// SPDX-License-Identifier: BSD-2-Clause
/*
 * values.c - computes the values of events and metrics that the outputs print (stat.h).
 */
#include <stdlib.h>
#include <string.h>

#include "stat.h"

char *stat_part_name(const struct stat_run *s, unsigned part, char to[STAT_PART_SIZE])
{
	if (s->target.each)
		snprintf(to, STAT_PART_SIZE, "%s", s->threads[part - 1]);
	else
		snprintf(to, STAT_PART_SIZE, "CPU%d", s->target.cpus.at[part - 1]);
	return to;
}

bool stat_is_clock(const struct stat_event *e)
{
	return !strncmp(e->key, "TASK_CLOCK", 10) || !strncmp(e->key, "CPU_CLOCK", 9);
}

const struct spread *stat_spread(const struct stat_event *e, const struct stat_times *t)
{
	return t->part ? &e->parts[t->part - 1].spread : &e->spread;
}

uint64_t stat_exact(const struct stat_event *e, const struct stat_times *t)
{
	const struct stat_part *c = t->part ? &e->parts[t->part - 1] : NULL;
	uint64_t count = c ? c->count : e->count, before = c ? c->before : e->before;

	if (!t->interval)
		return count;
	return count > before ? count - before : 0;
}

double stat_count(const struct stat_event *e, const struct stat_times *t)
{
	if (e->reason)
		return NAN;
	return t->interval ? (double)stat_exact(e, t) : stat_spread(e, t)->mean;
}

double *stat_values(const struct stat_run *s, const struct stat_times *t)
{
	double *values = malloc((s->metrics.values.nr + 1) * sizeof(*values));

	for (unsigned n = 0; values && n < s->metrics.values.nr; n++) {
		const char *key = s->metrics.values.at[n];

		values[n] = strcmp(key, METRIC_SECONDS) ? NAN : t->seconds;
		for (unsigned i = 0; i < s->events.nr; i++) {
			if (!strcmp(s->e[i].key, key))
				values[n] = stat_count(&s->e[i], t);
		}
	}
	return values;
}

bool stat_metric(const struct stat_run *s, const struct metric *m, const double *values,
		 double *value)
{
	*value = m->name && !m->absent ? expr_value(&m->expr, values) : NAN;
	for (const struct metric *same = s->metrics.list.at; isfinite(*value) && same < m; same++) {
		if (same->name && !strcmp(same->name, m->name))
			return false;
	}
	return isfinite(*value);
}
