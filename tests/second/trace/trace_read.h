/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trace_read.h - reads a recorded trace, holter-trace(5), record by record.
 *
 *	struct trace_header header;
 *	struct trace_record r;
 *	struct error_text why = { "" };
 *	struct trace_reader t = { .from = file };
 *
 *	if (!trace_read_header(&t, &header, &why))
 *		return fails(why.text);
 *	while (trace_read(&t, &r, &why))
 *		...
 *	if (why.text[0])
 *		return fails(why.text);
 */
#ifndef SECOND_TRACE_READ_H
#define SECOND_TRACE_READ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "errtext.h"
#include "record_format.h"

#define TRACE_FIELDS_MAX 254

struct trace_header {
	unsigned harts;
	uint64_t hz, seed, quantum, ram, ram_size;
};

struct trace_record {
	uint8_t type; /* enum record_type; a reader skips those that it does not know */
	uint8_t hart, flags;
	uint32_t more; /* bytes 4 to 7 */
	unsigned fields;
	uint64_t field[TRACE_FIELDS_MAX]; /* the first four are 0 if they are absent */
};

struct trace_reader {
	FILE *from; /* of the caller */
	unsigned harts;
	uint64_t nr; /* records read */
	bool ended; /* the record END has been read */
};

/* False, with one line in *why: the file is not a recorded trace, or of another version. */
bool trace_read_header(struct trace_reader *t, struct trace_header *h, struct error_text *why);

/*
 * Reads the next record; END is one, and the last.  False: there is none, or, with one line in
 * *why, the file is incomplete or damaged.
 */
bool trace_read(struct trace_reader *t, struct trace_record *r, struct error_text *why);

#endif
