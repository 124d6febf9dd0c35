/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf_file.h - writes a perf.data file (perf_data.h has its format).
 * perf_file.c and perf_pipe.c define the functions.  Call them in this order:
 *
 *	perf_file_begin()	writes the header and the events
 *	write(2)		the caller and libpmc write records to the descriptor
 *	perf_file_feature()	adds a feature; features must come in ascending order
 *	perf_file_end()		writes the features after the records, and the final header
 *	perf_file_pipe()	optional: then writes the file to a pipe
 *
 * Until perf_file_end() the header says that there are no records.  perf treats such a file as one
 * whose writer was killed.  Functions that fail set errno.
 */
#ifndef TOOL_PERF_FILE_H
#define TOOL_PERF_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "perf_data.h"

struct perf_file_event {
	const char *name;
	struct perf_event_attr attr;
	uint64_t *ids;
	uint32_t nr_ids;
};

#define PERF_FILE_FEATURES 32

/* The caller sets fd, events and nr_events, still owns them, and zeroes the rest. */
struct perf_file {
	int fd;
	const struct perf_file_event *events;
	unsigned nr_events;
	struct perf_data_header header;
	FILE *features;
	char *text; /* the buffer of features */
	size_t text_size;
	size_t starts[PERF_FILE_FEATURES]; /* offset in text of each feature */
	unsigned nr_features;
	bool no_memory; /* a feature is missing */
};

bool perf_file_begin(struct perf_file *f);

/*
 * Begins a feature.  Returns the stream for its content, which ends at the next feature; NULL: no
 * memory.
 */
FILE *perf_file_feature(struct perf_file *f, enum perf_data_feature which);

/* Writes a string in the format of features. */
void perf_file_string(FILE *to, const char *text);

/* Adds the feature PERF_DATA_EVENT_DESC, which describes the file's events. */
void perf_file_describe(struct perf_file *f);

/*
 * Ends the file, whose records have `size` bytes.  Returns false if the features or the header
 * could not be written, or if there was no memory for a feature; the header then lists no features,
 * so that the file is still valid.  Frees the features.
 */
bool perf_file_end(struct perf_file *f, uint64_t size);

/*
 * Writes a file that has ended to a descriptor that cannot seek, in perf's format for pipes: the
 * events and features are records, too, and precede the others.  A feature that is too long for a
 * record is left out.
 */
bool perf_file_pipe(const struct perf_file *f, int to);

#endif
