/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sharing.h - the lines that harts take from each other, and the accesses that do (data.h).
 */
#ifndef REPORT_SHARING_H
#define REPORT_SHARING_H

#include "data.h"

/* What one instruction does with a line that harts take from each other. */
struct report_sharer {
	unsigned offset, bytes; /* in the line; bytes 0: not known, or a prefetch */
	unsigned hart;
	bool reads, writes, prefetches;
	uint32_t function, file; /* or PROFILE_NONE */
	uint32_t outer; /* the function that `function` is inlined into, or itself */
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
	uint32_t first, nr; /* of its sharers: the first one took it most often */
};

struct report_sharing {
	VEC(struct report_shared_line) lines; /* the lines that were taken most often come first */
	VEC(struct report_sharer) sharers;
};

/* What it does with the line, as words for tables. */
const char *report_sharer_does(const struct report_sharer *s);

/* Finds the lines that harts took from each other.  False: no memory. */
bool report_data_sharing(struct report *r, struct report_sharing *s);
void report_sharing_free(struct report_sharing *s);

#endif
