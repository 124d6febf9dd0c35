/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stat.h - the declarations that the files of holter stat share: cmd_stat.c (options), run.c and
 * group.c (counting), values.c, show.c, json.c, fields.c and trace.c (output).
 */
#ifndef TOOL_STAT_H
#define TOOL_STAT_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "events.h"
#include "json.h"
#include "metric.h"
#include "target.h"

/* Mean and variance of a series of values, by Welford's algorithm. */
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

/* The standard error divided by the mean; NaN with fewer than two values or a mean of 0. */
static inline double spread_relative(const struct spread *s)
{
	if (s->nr < 2 || s->mean == 0)
		return NAN;
	return sqrt(s->squares / (s->nr - 1) / s->nr) / fabs(s->mean);
}

/* The counts of an event on one CPU, or of one thread. */
struct stat_part {
	uint64_t count, before; /* as in struct stat_event */
	struct spread spread;
};

struct stat_event {
	char key[METRIC_KEY];
	struct target_pmcs pmcs;
	uint64_t count, before; /* count of this run so far; count at the last interval's end */
	uint64_t enabled, running; /* nanoseconds of this run */
	char *reason; /* why the event is not counted (stat_fails); NULL: it is counted */
	bool refused; /* it could not even begin to count */
	unsigned group; /* the group of -M that added the event, from 1; 0: none */
	bool grouped; /* in this run libpmc counts it in one group with others of its group */
	struct spread spread; /* over the runs */
	struct stat_part *parts; /* with -A or --per-thread: stat_parts() of them */
	double share; /* of the enabled time, that it was on a counter; 1 without multiplexing */
};

/* Selects what to print: one interval, or the end result. */
struct stat_times {
	double seconds, from, to; /* duration; the interval's begin and end since the start */
	bool interval;
	unsigned run; /* with interval: the run, from 1 */
	unsigned part; /* of the target's CPUs or threads, from 1; 0: all together */
};

struct stat_run {
	struct target target;
	struct events events;
	struct stat_event *e; /* one for each of events */
	struct metrics metrics;
	bool metrics_read;
	struct option_texts groups; /* the arguments of -M */
	VEC(unsigned) came_with; /* the group of each event, until e is allocated */
	unsigned nr_came; /* number of groups that have added events */
	bool apart; /* a group did not fit on the counters: its events count independently */
	bool chosen; /* -e or -M chose the events; false: default events */
	bool per_cpu;
	unsigned runs;
	int interval; /* milliseconds; 0: none */
	int timeout; /* milliseconds after which each run ends; 0: none */
	int delay; /* milliseconds after which counting begins; 0: at once */
	char **threads; /* with --per-thread: the name of each, "COMMAND-TID" */
	bool json;
	const char *separator; /* of -x; NULL: not given */
	bool list_groups; /* --metrics: only list the groups */
	const char *trace_file; /* of --trace; NULL: none */
	FILE *trace_to;
	struct json trace;
	const char *file; /* NULL: standard error */
	FILE *to;
	unsigned width; /* of the terminal that `to` is; 0: lines are not broken */
	struct spread seconds, user, system;
};

/* Runs the program as often as asked, prints the counts, and returns the exit status. */
int stat_run(struct stat_run *s);

/*
 * reason.c: the event has this reason instead of a count from now on.  Takes ownership of reason,
 * from malloc(); NULL: there was no memory for it.
 */
void stat_fails(struct stat_event *e, char *reason);
void stat_forget_reason(struct stat_event *e);

/*
 * group.c: for each group of -M, allocates its hardware events as one libpmc group, for this run.
 * If they do not fit, or if there is only one, it does nothing: the caller then counts each
 * independently.
 */
void stat_groups_begin(struct stat_run *s);
/* Starts the groups that stat_groups_begin() has not: those of a run with a delay. */
int stat_groups_start(struct stat_run *s);
/* Reads the groups.  An event that cannot be read gets a reason. */
void stat_groups_read(struct stat_run *s);

/* The parts of the target that are shown by themselves; 0: there are none. */
static inline unsigned stat_parts(const struct stat_run *s)
{
	return s->per_cpu ? s->target.cpus.nr : s->target.each ? s->target.pids.nr : 0;
}

/* Writes the name of a part, from 1 on: "CPU3", or that of a thread. */
#define STAT_PART_SIZE 32
char *stat_part_name(const struct stat_run *s, unsigned part, char to[STAT_PART_SIZE]);

/* Print one table, one JSON object, and one line for each event. */
void stat_show(struct stat_run *s, const struct stat_times *t);
void stat_json(struct stat_run *s, const struct stat_times *t);
void stat_fields(struct stat_run *s, const struct stat_times *t);

/* --trace: begin the file, write an interval, end the file. */
void stat_trace_begin(struct stat_run *s);
void stat_trace(struct stat_run *s, const struct stat_times *t);
void stat_trace_end(struct stat_run *s);

/* Returns whether the event is a clock, which counts nanoseconds. */
bool stat_is_clock(const struct stat_event *e);

/*
 * The count that both outputs show: of the interval, or the mean of the runs.  NaN if the event is
 * not counted.
 */
double stat_count(const struct stat_event *e, const struct stat_times *t);
/* The exact count of the interval or of the last run. */
uint64_t stat_exact(const struct stat_event *e, const struct stat_times *t);
/* Mean and spread over the runs, for the part that t selects or for all. */
const struct spread *stat_spread(const struct stat_event *e, const struct stat_times *t);

/* Returns the values for the expressions of metrics; NULL: no memory.  The caller frees them. */
double *stat_values(const struct stat_run *s, const struct stat_times *t);
/*
 * Computes the value of a metric.  Returns whether to show it: the value must be finite, and no
 * earlier metric may have the same name.
 */
bool stat_metric(const struct stat_run *s, const struct metric *m, const double *values,
		 double *value);

#endif
