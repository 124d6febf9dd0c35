/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compare.h - how far samples are from what happened: holter report --compare.  compare.c compares
 * two reports, compare_files.c two files.
 *
 * Compared are the processes that both know by their commands; and in these what the samples' event
 * counts: all, or (:u, :k) programs or the kernel alone.  Shares are of what is compared.
 */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include "report.h"

struct json;

struct compare_row {
	const char *comm, *object, *symbol; /* of the reports */
	uint64_t exact, sampled, samples;
};

struct comparison {
	PROFILE_ARRAY(struct compare_row) rows; /* most of both first */
	uint64_t exact, sampled, samples; /* sums */
	/*
	 * Total variation distance: the part of the samples' weight that is at another function
	 * than what happened, 0 to 1.  And what it would be, on the average, of as many samples
	 * that were drawn at random from what happened.
	 */
	double distance, by_chance;
};

/*
 * Both resolved; the events of both that count the same.  False: no memory.  The texts live as long
 * as the reports.
 */
bool compare(struct report *exact, uint32_t exact_event, struct report *samples,
	     uint32_t samples_event, struct comparison *c);
void compare_free(struct comparison *c);

/* limit: rows of less percent on both sides are left out; max_rows: 0, all. */
void compare_out_text(const struct comparison *c, const char *event, const struct report_view *v,
		      FILE *to);
void compare_out_json(const struct comparison *c, const char *event, struct json *j);

/* compare_files.c: each event of a perf.data, and the same one of an exact profile. */
struct compare_options {
	const char *samples, *exact; /* files */
	const char *events; /* names and patterns of the samples' events; NULL: all */
	bool json;
	struct report_options report;
	const struct report_view *view;
};

/* The status of the command, after holter_error if it is not 0. */
int compare_files(const struct compare_options *o, FILE *to);

#endif
