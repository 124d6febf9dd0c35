/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stats.h - prints the event counts of a machine's harts: --stats (stats_groups.c), --stats-all and
 * --stats-json (stats.c).
 */
#ifndef TOOL_RUN_STATS_H
#define TOOL_RUN_STATS_H

#include "machine.h"

/* The counts of a hart when the run began. */
struct stats_before {
	uint64_t ns;
	uint64_t total[4][EVENT_NR]; /* by PRV_ */
};

/* Fills an entry for each hart of m. */
void stats_begin(const struct machine *m, struct stats_before before[HARTS_MAX]);

/*
 * --stats: prints the sums over all harts since `before`, in groups and with ratios.  Its form may
 * change.
 */
void stats_groups(const struct machine *m, const struct stats_before before[HARTS_MAX], FILE *to);

/*
 * --stats-all: prints a line for each event of each hart.  Programs may read it (holter-run(1)):
 * its form does not change.
 */
void stats_text(const struct machine *m, const struct stats_before before[HARTS_MAX], FILE *to);

/*
 * The same as JSON (holter-run(1)), with all rows of machine_shape().  The caller checks the stream
 * for write errors.
 */
void stats_json(const struct machine *m, const struct stats_before before[HARTS_MAX], FILE *to);

#endif
