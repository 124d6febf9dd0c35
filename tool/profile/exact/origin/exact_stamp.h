/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_stamp.h - whether files are still what they were, without reading them: the sum of their
 * names, numbers, sizes and times.
 */
#ifndef REPORT_EXACT_STAMP_H
#define REPORT_EXACT_STAMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct exact_stamp { /* all zero: of no file */
	uint64_t sum;
	int64_t changed; /* when the newest one was last changed: nanoseconds since 1970 */
};

/* Adds a file; NULL, or one that is not there: that it is not. */
void exact_stamp_file(struct exact_stamp *s, const char *path);

/*
 * Whether all files were last changed long enough ago: a later change also changes the stamp.  A
 * file that is changed twice within one tick of the host's clock has the same times.
 */
bool exact_stamp_is_settled(const struct exact_stamp *s);

/* Extends a checksum by len bytes. */
uint64_t exact_checksum(uint64_t sum, const void *data, size_t len);

#endif
