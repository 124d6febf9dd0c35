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
 * Cores number their events in their own ways.  Behind a line
 *
 *	for 0x31e-0x8000000000008a45		# mvendorid-marchid: an AX45MP
 *
 * stand metrics of that core alone, which take the place of those of the same name that are for any.
 *
 * The files of metrics/ stand in the program, so that it is one file wherever it runs; the user's lie in
 * $XDG_CONFIG_HOME/holter/metrics, and of two groups with one name theirs is taken.  May use libpmc for
 * the names of events.
 */
#ifndef TOOL_METRIC_H
#define TOOL_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expr.h"

#define METRIC_KEY     128
#define METRIC_SECONDS "seconds"

/* What core this is, or a metric is for. */
struct metric_cpu {
	bool known; /* false: it does not say; for any */
	uint64_t mvendorid, marchid;
};

struct metric {
	char *name; /* NULL: of a line `count`, an event to be counted and no more */
	char *text;
	unsigned group;
	struct metric_cpu cpu;
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
	struct metric_cpu cpu; /* of the last line `for` */
	bool here; /* lines for another core than core are not read */
	struct metric_cpu core;
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

/* Drops what is for other cores than cpu, and what is for any where cpu has a metric of its own. */
void metric_choose(struct metrics *m, const struct metric_cpu *cpu);

/* What a /proc/cpuinfo says of the first core. */
struct metric_cpu metric_cpu_of(const char *cpuinfo);

/*
 * Adds a file GROUP.metric, or all of a folder, as far as it is for the core that this runs on; 0, or 2
 * after printing an error.
 */
int metric_read(struct metrics *m, const char *path);

/* The same of the user's groups and the program's; what can be read is added despite an error. */
int metric_read_all(struct metrics *m);

/* The number of a group, or -1. */
int metric_group(const struct metrics *m, const char *name);

void metric_free(struct metrics *m);

#endif
