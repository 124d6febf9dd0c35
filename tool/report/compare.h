/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * compare.h - how far samples are from what happened: holter report --compare.
 *
 * Compared are the processes that both know by their commands; and in these what the samples' event
 * counts: all, or (:u, :k) programs or the kernel alone.  Shares are of what is compared.
 */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include "report.h"

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
 * The name of the exact profile's event that an event of samples counts: without perf's modifiers.
 * To be freed; NULL: no memory.
 */
char *compare_event(const char *sampled);

/*
 * Loads samples, and names their places, with what exact, which is loaded, knows of the guest: its
 * kernel's symbols, and where its programs can be opened.  NULL after holter_error.
 */
struct report *compare_load(const char *path, const struct report_options *o,
			    const struct report *exact);

/*
 * Both resolved; exact has one event, its first; event is the samples'.  False: no memory.  The
 * texts live as long as the reports.
 */
bool compare(struct report *exact, struct report *samples, uint32_t event, struct comparison *c);
void compare_free(struct comparison *c);

/* limit: rows of less percent on both sides are left out; max_rows: 0, all. */
void compare_out_text(const struct comparison *c, const char *event, const struct report_view *v,
		      FILE *to);
void compare_out_json(const struct comparison *c, const char *event, FILE *to);

#endif
