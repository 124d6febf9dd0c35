/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * data.h - the data of a profile (profile_data.h) with names, and the rows of its tables.
 *
 *	thing	a variable, or something else that has a name: [stack], [heap], [anon]
 *	row	the sum of the events of a thing, or of a part of it
 */
#ifndef REPORT_DATA_H
#define REPORT_DATA_H

#include "profile_data.h"
#include "report.h"

struct report_thing {
	uint32_t comm; /* string; PROFILE_NONE: of no process */
	uint32_t object; /* PROFILE_NONE: none */
	uint32_t name; /* string */
	uint64_t addr; /* where it begins; 0: it has no address */
	uint64_t size; /* 0: not known */
};

/* A piece of data: the thing that it is in, and where in it. */
struct report_part {
	uint32_t thing;
	uint64_t offset;
};

struct report_data {
	VEC(struct report_thing) things;
	struct report_part *parts; /* by piece */
};

/*
 * Names all data of the profile, if it has any.  report_resolve() calls it.  False: no memory.
 */
bool report_data_resolve(struct report *r);
void report_data_free(struct report *r);

/*
 * The events of the profile that are told of data; list: those that -e names, NULL: all that
 * happened.  Returns false after printing an error.
 */
bool report_data_choose(const struct report *r, const char *list, struct report_events *events);

/* A row of a table.  Fields whose key was not chosen are PROFILE_NONE or 0. */
struct report_data_row {
	uint32_t thing;
	uint64_t offset; /* REPORT_OFFSET */
	uint32_t comm, object, function, file; /* of the code, as in struct report_row */
	int line;
	uint64_t addr;
	uint64_t *count; /* by event of the profile */
};

struct report_data_rows {
	VEC(struct report_data_row) rows;
	uint64_t *numbers;
};

/* Makes the rows by the keys, which have REPORT_DATA.  As report_make_rows(). */
bool report_data_make_rows(struct report *r, unsigned keys, const struct report_events *events,
			   struct report_data_rows *rows);
void report_data_rows_free(struct report_data_rows *rows);

/* What one instruction does with a line that harts take from each other. */
struct report_sharer {
	unsigned offset, bytes; /* in the line; bytes 0: not known, or a prefetch */
	unsigned hart;
	bool reads, writes, prefetches;
	uint32_t function, file; /* or PROFILE_NONE */
	int line;
	uint32_t thing; /* or PROFILE_NONE */
	uint64_t took, lost; /* how often it took the line; how often its hart lost it after it */
};

struct report_shared_line {
	uint32_t comm; /* string; PROFILE_NONE: of no process, or not known */
	uint32_t thing; /* the one that was taken most often; PROFILE_NONE: not known */
	uint64_t addr; /* virtual, or else physical */
	uint64_t took; /* how often harts took it from each other */
	unsigned harts; /* as bits */
	bool overlaps; /* what a hart writes, another one accesses; false: false sharing */
	uint32_t first, nr; /* of its sharers, those that took it most often first */
};

struct report_sharing {
	VEC(struct report_shared_line) lines; /* those that were taken most often first */
	VEC(struct report_sharer) sharers;
};

/* Finds the lines that harts took from each other.  False: no memory. */
bool report_data_sharing(struct report *r, struct report_sharing *s);
void report_sharing_free(struct report_sharing *s);

#endif
