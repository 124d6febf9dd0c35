/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_kept_data.h - the data of an exact profile in what is kept of it (exact_kept.h): a list
 * after the other, each with how many elements it has.
 */
#ifndef REPORT_EXACT_KEPT_DATA_H
#define REPORT_EXACT_KEPT_DATA_H

#include "leb.h"
#include "profile_data.h"

/* How many of what data names there are. */
struct exact_kept_limits {
	size_t processes, objects, places, events;
};

/* Appends the data.  False: no memory. */
bool exact_kept_put_data(struct leb_bytes *to, struct profile_data *d);

/*
 * Reads it into *d, which is empty.  Every number is checked: if one is wrong, or there is no
 * memory, in->bad is set.
 */
void exact_kept_get_data(struct leb_in *in, const struct exact_kept_limits *limits,
			 struct profile_data *d);

#endif
