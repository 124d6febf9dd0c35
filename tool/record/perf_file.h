/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf_file.h - writes a perf.data (perf_data.h has its format).
 *
 *	perf_file_begin()	header and events; the descriptor is where records go
 *	write(2)		records, by whoever has them
 *	perf_file_feature()	what else is to be known, feature by feature in ascending order
 *	perf_file_end()		features behind the records, and a header that is whole
 *	perf_file_pipe()	then, the same for a pipe
 *
 * Until perf_file_end() the header says that there are no records, which perf takes for a file
 * whose writer was killed.  Errors are errno's.
 */
#ifndef TOOL_PERF_FILE_H
#define TOOL_PERF_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "../perf_data.h"

struct perf_file_event {
	const char *name;
	struct perf_event_attr attr;
	uint64_t *ids;
	uint32_t nr_ids;
};

#define PERF_FILE_FEATURES 32

struct perf_file { /* zeroed but for fd and events, which stay the caller's */
	int fd;
	const struct perf_file_event *events;
	unsigned nr_events;
	struct perf_data_header header;
	FILE *features;
	char *text; /* of features */
	size_t text_size;
	size_t starts[PERF_FILE_FEATURES]; /* in text, of each that there is */
	unsigned nr_features;
};

bool perf_file_begin(struct perf_file *f);

/* Begins a feature; NULL: no memory.  What is printed there until the next one is what it says. */
FILE *perf_file_feature(struct perf_file *f, enum perf_data_feature which);

/* A string as features have it. */
void perf_file_string(FILE *to, const char *text);

/* PERF_DATA_EVENT_DESC, of the file's events. */
void perf_file_describe(struct perf_file *f);

/*
 * Ends the file, whose records are `size` bytes.  False: it could not be written, but what is of
 * it is whole without its features.  Frees what features took.
 */
bool perf_file_end(struct perf_file *f, uint64_t size);

/*
 * Writes a file that has ended to a descriptor that cannot seek, in the format that perf has for
 * pipes: everything is a record there, and what says of the records what they are comes first.  Of
 * features those are left out that no record has room for.
 */
bool perf_file_pipe(const struct perf_file *f, int to);

#endif
