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
	uint64_t size; /* 0: not known; of an allocation, if all of the call have the same */
	bool allocated; /* by a call; offsets are those in each of its allocations */
};

/* A piece of data: the thing that it is in, and where in it. */
struct report_part {
	uint32_t thing;
	uint64_t offset;
	uint32_t member; /* string: the member of a struct, or else the offset; PROFILE_NONE */
};

struct report_data {
	VEC(struct report_thing) things;
	struct report_part *parts; /* by piece */
};

/*
 * Names all data of a profile that has some (p->data), after report_resolve().  members: also the
 * members of structs.  Returns false after printing an error (no memory).
 */
bool report_data_resolve(struct report *r, bool members);

/*
 * The events of the profile that are told of data; list: those that -e names, NULL: all that
 * happened.  Returns false after printing an error.
 */
bool report_data_choose(const struct report *r, const char *list, struct report_events *events);

/* A row of a table.  Fields whose key was not chosen are PROFILE_NONE or 0. */
struct report_data_row {
	uint32_t thing;
	uint64_t offset; /* REPORT_OFFSET */
	uint32_t member; /* REPORT_MEMBER: string */
	uint32_t comm, object, function, file; /* of the code, as in struct report_row */
	uint32_t outer; /* REPORT_OUTER: the function that `function` is inlined into, or itself */
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

#endif
