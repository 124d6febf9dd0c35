/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_merge.h - an exact profile merged: each place and each stack once, with the counts of all
 * events.  exact_load.c makes it from the records of the file, or exact_kept.c from what is kept of
 * an earlier time; the report's profile gets the places, stacks and counts of its events from it.
 *
 * The counts of an event are a column: of each stack how far it is from the one before, and its
 * count; of the slices of the time line the same, one after the other.  A report of a few events
 * reads only their columns, and gets them as they are.
 */
#ifndef REPORT_EXACT_MERGE_H
#define REPORT_EXACT_MERGE_H

#include "exact_rows.h"
#include "profile_data.h"

struct exact_column {
	struct leb_bytes stacks, counts; /* distances, in ascending order; counts */
	bool dense; /* counts of all stacks, no distances; some are 0 */
	struct leb_bytes slices; /* (distance, count), in ascending order */
	struct leb_bytes places; /* of a summary: a bit for each place (exact_summary.h) */
	uint32_t last_stack, last_slice; /* while it is made */
};

struct exact_merged {
	unsigned events; /* of the file */
	uint64_t *total; /* by event */
	struct exact_column *column; /* by event */
	bool borrowed; /* the bytes of the columns are in a file that is mapped */
	VEC(struct profile_place) places;
	VEC(uint32_t) code; /* by place; may have fewer elements */
	VEC(struct profile_stack) stacks; /* a caller is before the stacks that it calls */
	uint8_t *used; /* by stack: whether it has chosen counts; NULL: not known */
	uint32_t slices; /* of the time line */
	struct profile_data *data; /* with events of the file; NULL: there is none, or not read */
	bool has_data; /* there is some, read or not */
	/* Of a summary (exact_summary.h), otherwise NULL: the function of each place. */
	uint32_t *function;
	uint32_t functions; /* how many; stacks have a function in place of a place */
};

/* Makes it empty.  False: no memory; it can be freed. */
bool exact_merged_init(struct exact_merged *m, unsigned events);
void exact_merged_free(struct exact_merged *m);

/*
 * Adds the counts of all rows to their stacks: stack has one for each row, or PROFILE_NONE for a
 * row that is left out.  False: no memory, as below.
 */
bool exact_merged_add_rows(struct exact_merged *m, const struct exact_rows *rows,
			   const uint32_t *stack, uint32_t stacks);

/* Adds counts to a slice, which must not be before the last one. */
bool exact_merged_add_slice(struct exact_merged *m, uint32_t slice, const struct exact_cell *cell,
			    unsigned nr);

/* Takes places, code, stacks and data out of p, which has no events, after the last stack. */
void exact_merged_take(struct exact_merged *m, struct profile *p);

/*
 * Finds the stacks with counts of the chosen events (exact_choose.h), of which there are nr.
 * False: no memory, or a column is not whole, or names a stack or slice that there is not.
 */
bool exact_merged_find_used(struct exact_merged *m, const uint8_t *chosen, size_t nr);

/*
 * Gives p, which has its events, their places, stacks and counts, of stacks and slices.  code:
 * also the instructions that ran, with all of their places.  data: also the data.  m is then only
 * to be freed.  If its columns are borrowed, exact_merged_find_used() must have seen them, and they
 * must stay until p is freed.  Lack of memory is noted in p.
 */
void exact_merged_give(struct exact_merged *m, struct profile *p, const uint8_t *chosen, bool code,
		       bool data);

/* Whether the column of an event is that of a chosen one. */
bool exact_merged_is_chosen(const struct exact_merged *m, unsigned event, const uint8_t *chosen,
			    size_t nr);

/* The bytes of the places of a column: a bit for each. */
static inline size_t exact_merged_bitmap(const struct exact_merged *m)
{
	return m->places.nr / 8 + 1;
}

/*
 * The places that the chosen events of a summary have: a bit for each place, which the caller
 * frees.  NULL: no memory.
 */
uint8_t *exact_merged_places(const struct exact_merged *m, const uint8_t *chosen, size_t nr);

/* Adds a note to p that begins with a number, unless it is 0. */
void exact_add_note(struct profile *p, uint64_t nr, const char *text);

#endif
