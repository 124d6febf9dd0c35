/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metric.h - metrics: what is computed from counts, named in text files that anybody can add to.
 *
 * A file GROUP.metric is a group.  Its first comment says what the group is about; then, one a line:
 *
 *	# How well branches are predicted
 *	count branches, raw=0x11		# events that are counted with the group
 *	branch-mpki = 1000 * branch_misses / instructions ; mispredictions per 1000 instructions
 *
 * that is a name, an expression (expr.h) of events (pmc(3)) and of `seconds`, the time that passed,
 * and behind the semicolon what is written behind the value.  In an expression, a hyphen is a
 * minus: events are written with _ or in quotes, 'cycles,usr'.
 *
 * The files of metrics/ stand in the program, so that it is one file wherever it runs; the user's lie in
 * $XDG_CONFIG_HOME/holter/metrics, and of two groups with one name theirs is taken.  May use libpmc for
 * the names of events.
 */
#ifndef TOOL_METRIC_H
#define TOOL_METRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "expr.h"

#define METRIC_KEY     128
#define METRIC_SECONDS "seconds"

struct metric {
	char *name; /* NULL: of a line `count`, an event to be counted and no more */
	char *text;
	unsigned group;
	struct expr expr;
};

struct metric_group {
	char *name;
	char *text; /* its first comment; "" */
};

struct metrics {
	struct metric *metric;
	unsigned nr;
	struct metric_group *group;
	unsigned nr_groups;
	char **value; /* what expressions are made of: an event's key, or METRIC_SECONDS */
	unsigned nr_values;
};

/*
 * What two specifiers of the same event have in common: the list's name and the qualifiers.
 * false: it names no event, and pmc_error_text() says so.
 */
bool metric_key(const char *spec, char key[METRIC_KEY]);

/*
 * Adds a group.  false: there is something wrong in a line, and why->text says what; *line is its
 * number and why->at the byte in it.  What was read before it stays.
 */
bool metric_parse(struct metrics *m, const char *group, const char *text, size_t len,
		  unsigned *line, struct expr_why *why);

/* Adds a file GROUP.metric, or all of a folder; 0, or 2 after a line. */
int metric_read(struct metrics *m, const char *path);

/* Adds the user's groups and the program's; 0, or 2 after a line, with all that can be read. */
int metric_read_all(struct metrics *m);

/* The number of a group, or -1. */
int metric_group(const struct metrics *m, const char *name);

void metric_free(struct metrics *m);

#endif
