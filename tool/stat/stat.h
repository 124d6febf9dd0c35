/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stat.h - what the files of holter stat share: cmd_stat.c (options), run.c (counting),
 * show.c and json.c (what is printed of it).
 */
#ifndef TOOL_STAT_H
#define TOOL_STAT_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "events.h"
#include "metric.h"
#include "target.h"

/* The mean of some values, and how far they are spread (Welford). */
struct spread {
	unsigned nr;
	double mean, squares;
};

static inline void spread_add(struct spread *s, double value)
{
	double off = value - s->mean;

	s->mean += off / ++s->nr;
	s->squares += off * (value - s->mean);
}

/* The standard error of the mean, relative to it; NaN if it has none. */
static inline double spread_relative(const struct spread *s)
{
	if (s->nr < 2 || s->mean == 0)
		return NAN;
	return sqrt(s->squares / (s->nr - 1) / s->nr) / fabs(s->mean);
}

/* What an event has counted on one CPU. */
struct stat_cpu {
	uint64_t count, before; /* as the event's */
	struct spread spread;
};

struct stat_event {
	char key[METRIC_KEY];
	struct target_pmcs pmcs;
	uint64_t count, before; /* of this run so far; at the last interval's end */
	uint64_t enabled, running; /* nanoseconds of this run */
	char *reason; /* why it is not counted; NULL: it is */
	unsigned group; /* it came with a group of -M, from 1; 0: it did not */
	bool grouped; /* in this run it counts together with others of its group */
	struct spread spread; /* over the runs */
	struct stat_cpu *cpus; /* with -A: of each of the target's */
	double share; /* of the time that it was on a counter; 1 without multiplex */
	unsigned note; /* of the reason among those that are shown */
};

/* What is printed: an interval, or all. */
struct stat_times {
	double seconds, from, to; /* passed; the interval's, from the start */
	bool interval;
	unsigned run; /* of an interval, from 1 */
	unsigned cpu; /* which of the target's, from 1; 0: all of them together */
};

struct stat {
	struct target target;
	struct events events;
	struct stat_event *e; /* of each event */
	struct metrics metrics;
	bool metrics_read;
	const char **groups; /* of -M */
	unsigned nr_groups;
	unsigned *came_with; /* of each event, until there is e: as its group */
	unsigned nr_came; /* groups that have brought events */
	bool apart; /* a group did not fit on the counters: its events were counted by themselves */
	bool chosen; /* with -e or -M, not by default */
	bool per_cpu;
	unsigned runs;
	int interval; /* milliseconds; 0: none */
	bool json;
	const char *file; /* NULL: standard error */
	FILE *to;
	struct spread seconds, user, system;
};

/* Runs it all and prints; the exit status. */
int stat_run(struct stat *s);

/*
 * group.c: the hardware's events of a group of -M as one of libpmc's groups, for this run.  Where they
 * do not fit, and where there is one alone, they are left to be counted by themselves.
 */
void stat_groups_begin(struct stat *s);
/* Reads them; an event that cannot be read has a reason. */
void stat_groups_read(struct stat *s);

/* One table, or one object. */
void stat_show(struct stat *s, const struct stat_times *t);
void stat_json(struct stat *s, const struct stat_times *t);

/*
 * What both show of an event: its count, of the interval or the mean of the runs; NaN if it is not
 * counted.
 */
double stat_count(const struct stat_event *e, const struct stat_times *t);
/* What an interval, or the last run, has counted, to the last one. */
uint64_t stat_exact(const struct stat_event *e, const struct stat_times *t);
/* Its runs; of the CPU or of all, as t has it. */
const struct spread *stat_spread(const struct stat_event *e, const struct stat_times *t);

/* Values for the metrics' expressions; NULL: no memory.  The caller frees. */
double *stat_values(const struct stat *s, const struct stat_times *t);
/* Whether a metric is to be shown: what it is computed of has been counted. */
bool stat_metric(const struct stat *s, const struct metric *m, const double *values, double *value);

#endif
