/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compare.h - measures how much samples differ from an exact profile: holter diff EXACT SAMPLES.
 * compare.c compares two reports, compare_files.c two files.
 *
 * The comparison covers the processes whose commands are in both profiles.  If the samples' event
 * has the modifier :u or :k, it covers only programs or only the kernel.  Shares are relative to
 * what is compared.
 */
#ifndef TOOL_DIFF_COMPARE_H
#define TOOL_DIFF_COMPARE_H

#include "report.h"

struct json;

struct compare_row {
	const char *comm, *object, *symbol; /* owned by the reports */
	uint64_t exact, sampled, samples;
};

struct comparison {
	VEC(struct compare_row) rows; /* the highest sum of both shares first */
	uint64_t exact, sampled, samples; /* sums */
	/*
	 * distance: the total variation distance, 0 to 1, which is the part of the samples' weight
	 * that is at the wrong function.  by_chance: the mean distance of as many samples that are
	 * drawn at random from the exact profile.
	 */
	double distance, by_chance;
};

/*
 * Compares two resolved reports, by the event of each that counts the same.  Returns false if there
 * is no memory.  The texts live as long as the reports.
 */
bool compare(struct report *exact, uint32_t exact_event, struct report *samples,
	     uint32_t samples_event, struct comparison *c);
void compare_free(struct comparison *c);

/* v->limit: leave out rows with less percent on both sides.  v->max_rows: 0, all. */
void compare_out_text(const struct comparison *c, const char *event, const struct report_view *v,
		      FILE *to);
void compare_out_json(const struct comparison *c, const char *event, struct json *j);

/* compare_files.c: compares each event of a perf.data with the same event of an exact profile. */
struct compare_options {
	const char *samples, *exact; /* files */
	const char *events; /* names and patterns of the samples' events; NULL: all */
	bool json;
	struct report_options report;
	const struct report_view *view;
};

/* Returns the exit status; if it is not 0, an error has been printed. */
int compare_files(const struct compare_options *o, FILE *to);

#endif
