/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf_reader.h - reads a perf.data (perf's or holter record's, ../perf_data.h) into a profile.
 *
 * In two steps.  Opening looks at the whole file: what was counted, on which machine, where the
 * records are and in which order they happened.  Running follows the records: processes, what they
 * map, samples.  In between, the caller may add kallsyms to the profile, which it can choose by what
 * is then known of the machine.
 *
 * The file may be damaged or made to do harm: every length is checked before it is believed.
 */
#ifndef REPORT_PERF_READER_H
#define REPORT_PERF_READER_H

#include "profile.h"

struct perf_why {
	char text[256]; /* what is wrong with the file, and what to do; one line without its name */
};

struct perf_reader;

/* Whether this is the beginning of such a file. */
bool perf_reader_knows(const void *data, size_t len);

/*
 * Opens what is at data, which must stay there until it is closed, for an empty profile.  Sets its
 * events, hostname, release, arch, command and kernel_symbol.  NULL: why says it.
 */
struct perf_reader *perf_reader_open(struct profile *p, const void *data, size_t len,
				     struct perf_why *why);

/* Adds the samples to the profile, once.  False: why says it, and the profile is of no use. */
bool perf_reader_run(struct perf_reader *r, struct perf_why *why);

void perf_reader_close(struct perf_reader *r); /* NULL is fine */

#endif
