/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * diff.h - what two or more profiles differ in.
 *
 *	profiles.c	makes the table of several profiles, which are one report
 *	runs.c		makes the table of counts of whole runs
 *	show.c		writes the table as text, CSV or JSON
 *	compare.c, compare_files.c	how far samples are from exact counts (compare.h)
 *
 * The first file is A, the others B, C and so on; each of these is compared with A.
 *
 * An exact profile has no noise.  A number of n samples with a mean period of p stands for n * p
 * events, with a standard error of sqrt(n) * p, as for a Poisson process; without samples, of one
 * period of the event.  A difference is within noise if it is at most DIFF_SIGMAS standard errors
 * of the difference, which is the root of the sum of both squares.  The sum over all functions is
 * known to within one period, not less.  The count of a run that was not on the machine has the
 * standard error of its mean; that of one run is not known.
 */
#ifndef TOOL_DIFF_H
#define TOOL_DIFF_H

#include <stdio.h>

#include "counts.h"
#include "report.h"

#define DIFF_FILES  16
#define DIFF_SIGMAS 3

struct diff_file {
	const char *path;
	const char *command, *cpu; /* NULL: not known */
};

struct diff_cell {
	uint64_t count, samples;
	double error; /* the standard error; 0: there is none; INFINITY: not known */
};

struct diff_row {
	uint32_t event; /* index in struct diff */
	const struct report_row *names; /* NULL: the sum over all of the event */
	const struct diff_cell *cells; /* by file */
};

struct diff {
	unsigned nr; /* files */
	struct diff_file files[DIFF_FILES];
	enum diff_kind { DIFF_EXACT, DIFF_SAMPLES, DIFF_RUNS } kind;
	const struct report *r; /* merged; its strings are those of the rows; NULL: of runs */
	unsigned keys; /* enum report_key; 0: there are only sums */
	VEC(const char *) events;
	VEC(struct diff_row) rows; /* of each event: its sum, then the largest difference first */
	/* Memory of the rows. */
	struct report_rows made;
	struct diff_cell *cells;
};

/* Fills d->events, rows and kind from a merged report; d->nr, files and keys are set. */
bool diff_make(struct diff *d, struct report *merged);

/*
 * The same for the counts of d->nr runs, which must outlive d.  events: a list of names and
 * patterns; NULL: all.  0, or 2 after printing an error.
 */
int diff_make_runs(struct diff *d, const struct counts *c, const char *events);

void diff_free(struct diff *d);

/* Returns the count of a file minus the one of A; *noise: what is within noise. */
double diff_of(const struct diff_row *row, unsigned file, double *noise);

/* Whether a file differs from A, by more than noise. */
bool diff_is_real(const struct diff_row *row, unsigned file);

struct diff_view {
	unsigned long max_rows; /* of an event; 0: all */
	bool equal; /* also rows without a difference, or with one that is within noise */
};

void diff_text(const struct diff *d, const struct diff_view *v, FILE *to);
void diff_csv(const struct diff *d, FILE *to);
void diff_json(const struct diff *d, FILE *to);

#endif
