/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * metric.h - metrics: values that are computed from counts.  Text files define them, and users can
 * add their own files.  metric.c and metric_file.c define the functions.
 *
 * A file GROUP.metric is a group.  Its first comment describes the group.  Each further line is a
 * list of events or a metric:
 *
 *	# How well branches are predicted
 *	count branches, raw=0x11		# also count these events
 *	branch-mpki = 1000 * branch_misses / instructions ; mispredictions per 1000 instructions
 *
 * A metric has a name, an expression (expr.h) and, after the semicolon, the text to print after
 * the value.  The names in an expression are events (pmc(3)) and `seconds`, the elapsed time.  A
 * hyphen in an expression is a minus, so event names are written with _ or in quotes: 'cycles,usr'.
 *
 * Each core has its own numbers for raw events.  The metrics after a line
 *
 *	for 0x31e-0x8000000000008a45		# mvendorid-marchid: an AX45MP
 *
 * are for that core only.  They replace the metrics for any core that have the same name.  A line
 *
 *	without ll-miss-ratio, ll-mpki ; it has one level of caches
 *
 * there only removes such metrics, because the core does not count their events; the words after
 * the semicolon say why.
 *
 * A device tree can name raw events (libpmc/event/cpu_names.c).  The metrics after a line
 *
 *	for vector
 *
 * are for every machine that has an event of this name.  If one of their other events has no name
 * there, the metric is absent.
 *
 * The build embeds the files of metrics/ in the program, so that the program is a single file.
 * Users put their own files into $XDG_CONFIG_HOME/holter/metrics.  If a user's group and an
 * embedded one have the same name, the user's is used.  The functions may call libpmc for the
 * names of events.
 */
#ifndef TOOL_METRIC_H
#define TOOL_METRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "expr.h"
#include "vec.h"

#define METRIC_KEY     128
#define METRIC_SECONDS "seconds"

/* Identifies the core that runs Holter, or the core that a metric is for. */
struct metric_cpu {
	bool known; /* false: this core is unknown, or the metric is for any core */
	uint64_t mvendorid, marchid;
};

struct metric {
	char *name; /* NULL: an event of a line `count`, which is only counted */
	char *text;
	bool absent; /* `without`, or an event has no name: no expression, and text says why */
	unsigned group;
	struct metric_cpu cpu;
	struct expr expr;
};

struct metric_group {
	char *name;
	char *text; /* its first comment; "" if it has none */
	bool asked; /* -M names it */
};

struct metrics {
	VEC(struct metric) list;
	VEC(struct metric_group) groups;
	VEC(char *) values; /* the names in expressions: an event's key, or METRIC_SECONDS */
	struct metric_cpu cpu; /* that the last line `for` names */
	bool named, skipped; /* the last `for` names an event; this machine does not have it */
	/* The caller's: skip what is after `for EVENT`.  Reading the CPU's names takes long. */
	bool unnamed;
	bool missing; /* an expression after such a line has an event that has no name here */
	bool here; /* core is valid: skip the lines for other cores */
	struct metric_cpu core;
};

/*
 * Writes a key that all specifiers of the same event share: the name from the list of events, and
 * the qualifiers.  Returns false if spec names no event; pmc_error_text() tells the reason.
 */
bool metric_key(const char *spec, char key[METRIC_KEY]);

/*
 * Adds a group.  Returns false if a line has an error: error->why describes it, *line is the number
 * of the line and error->at the byte in it.  The lines before it remain added.
 */
bool metric_parse(struct metrics *m, const char *group, const char *text, size_t len,
		  unsigned *line, struct expr_error *error);

/*
 * Removes the metrics for other cores than cpu.  Also removes a metric for any core if cpu has its
 * own metric of the same name.  Returns false if there is no memory: then all of them stay.
 */
bool metric_choose(struct metrics *m, const struct metric_cpu *cpu);

/* Reads the identity of the first core from the text of /proc/cpuinfo. */
struct metric_cpu metric_cpu_of(const char *cpuinfo);

/*
 * Adds a file GROUP.metric, or all such files of a folder.  Keeps only the metrics that apply to
 * the core that runs this program.  Returns 0, or 2 after printing an error.
 */
int metric_read(struct metrics *m, const char *path);

/* Does the same for the user's groups and the embedded ones.  Continues after an error. */
int metric_read_all(struct metrics *m);

/* Returns the index of a group, or -1. */
int metric_group(const struct metrics *m, const char *name);

void metric_free(struct metrics *m);

#endif
