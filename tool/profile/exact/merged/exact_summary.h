/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_summary.h - the summary of a merged profile, for a report with a row for each function: a
 * stack is a path of functions instead of instructions, and there are far fewer.
 *
 * It is a struct exact_merged whose stacks have functions instead of places.  It knows the function
 * of each place as the symbols were when it was made.  If they are others now, two places of one of
 * its functions may be in two rows: who makes rows of it checks that they are not.
 *
 * The column of an event also has a bit for each place: whether the event happened there, or in
 * what it called.
 */
#ifndef EXACT_SUMMARY_H
#define EXACT_SUMMARY_H

#include "exact_merge.h"

/*
 * Makes the summary of m, which must stay as long.  False: no memory, or functions are not known.
 * Free it with exact_summary_free() in any case.
 */
bool exact_summary_make(struct exact_merged *summary, const struct exact_merged *m,
			const struct profile_functions *f);
void exact_summary_free(struct exact_merged *summary);

/*
 * Marks the callers of the stacks that exact_merged_find_used() has marked for the chosen events,
 * of which there are nr.  Returns whether each marked stack has a place; false, too: no memory.
 */
bool exact_summary_is_whole(struct exact_merged *summary, const uint8_t *chosen, size_t nr);

#endif
