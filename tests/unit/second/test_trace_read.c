// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_trace_read.c - the reader of recorded traces: records of known and unknown types, and files
 * that are no trace, incomplete or damaged.
 */
#include <stdlib.h>

#include "../tap.h"
#include "bytes.h"
#include "trace_read.h"

#define SIZE 256

struct image {
	uint8_t bytes[SIZE];
	size_t len;
};

static void put(struct image *i, unsigned type, unsigned hart, unsigned fields, uint64_t first)
{
	uint8_t *to = i->bytes + i->len;

	to[0] = type;
	to[1] = hart;
	to[2] = 1 + fields;
	to[3] = 0x84;
	put_le32(to + 4, 0x12345678);
	for (unsigned n = 0; n < fields; n++)
		put_le64(to + 8 + 8 * n, first + n);
	i->len += 8 + 8 * fields;
}

/* A trace of two harts: WAKE, a record of an unknown type, ACCESS with a field too many, END. */
static void make(struct image *i)
{
	*i = (struct image){ .bytes = RECORD_MAGIC, .len = RECORD_HEADER };
	put_le32(i->bytes + RECORD_AT_VERSION, RECORD_VERSION);
	put_le32(i->bytes + RECORD_AT_SIZE, RECORD_HEADER);
	put_le32(i->bytes + RECORD_AT_HARTS, 2);
	put_le64(i->bytes + RECORD_AT_HZ, 1000);
	put_le64(i->bytes + RECORD_AT_SEED, 3);
	put_le64(i->bytes + RECORD_AT_QUANTUM, 4);
	put_le64(i->bytes + RECORD_AT_RAM, 0x80000000);
	put_le64(i->bytes + RECORD_AT_RAM_SIZE, 4096);
	put(i, RECORD_WAKE, 1, 1, 0x1122334455667788);
	put(i, 200, 0, 0, 0);
	put(i, RECORD_ACCESS, 0, 3, 5);
	put(i, RECORD_END, 0, 1, 3);
}

/* Reads all of a trace.  Returns the number of records; *why is empty if it is complete. */
static unsigned read_all(const struct image *i, struct error_text *why)
{
	FILE *from = fmemopen((void *)i->bytes, i->len, "r");
	struct trace_reader t = { .from = from };
	struct trace_header header;
	struct trace_record r;
	unsigned nr = 0;

	*why = (struct error_text){ "" };
	if (trace_read_header(&t, &header, why)) {
		while (trace_read(&t, &r, why))
			nr++;
	}
	fclose(from);
	return nr;
}

static void whole(void)
{
	struct error_text why = { "" };
	struct trace_header header;
	struct trace_record r;
	struct trace_reader t = { 0 };
	struct image i;

	make(&i);
	t.from = fmemopen(i.bytes, i.len, "r");
	ok(trace_read_header(&t, &header, &why));
	is(header.harts, 2);
	is(header.hz, 1000);
	is(header.seed, 3);
	is(header.quantum, 4);
	is(header.ram, 0x80000000);
	is(header.ram_size, 4096);
	ok(trace_read(&t, &r, &why));
	is(r.type, RECORD_WAKE);
	is(r.hart, 1);
	is(r.flags, 0x84);
	is(r.more, 0x12345678);
	is(r.fields, 1);
	is(r.field[0], 0x1122334455667788);
	is(r.field[1], 0);
	ok(trace_read(&t, &r, &why));
	is(r.type, 200);
	is(r.fields, 0);
	ok(trace_read(&t, &r, &why));
	is(r.type, RECORD_ACCESS);
	is(r.fields, 3);
	is(r.field[2], 7);
	ok(trace_read(&t, &r, &why));
	is(r.type, RECORD_END);
	ok(!trace_read(&t, &r, &why));
	is_str(why.text, "");
	fclose(t.from);
}

static void cut(void)
{
	struct error_text why;
	struct image i;

	make(&i);
	for (size_t all = i.len; i.len-- > 1;) {
		tap_context("%zu of %zu bytes", i.len, all);
		ok(read_all(&i, &why) < 4);
		ok(!strncmp(why.text, "the trace is incomplete: it ends after ", 39));
	}
}

static void damaged(void)
{
	static const struct {
		unsigned at, value;
		const char *why;
	} rows[] = {
		{ 0, 'h', "the file is not a recorded trace" },
		{ RECORD_AT_VERSION, 2, "the trace has version 2; this reader knows version 1" },
		{ RECORD_AT_SIZE, 72, "the header of the trace is damaged" },
		{ RECORD_AT_HARTS, 0, "the header of the trace is damaged" },
		{ RECORD_AT_HARTS, 9, "the header of the trace is damaged" },
		{ RECORD_HEADER + 1, 2, "the trace is damaged at record 0" }, /* a third hart */
		{ RECORD_HEADER + 2, 0, "the trace is damaged at record 0" }, /* no size */
		{ RECORD_HEADER + 2, 1, "the trace is damaged at record 0" }, /* no field */
		{ RECORD_HEADER + 16 + 8 + 2, 2, "the trace is damaged at record 2" },
		{ RECORD_HEADER + 16 + 8 + 32 + 8, 4, "the trace is damaged at record 3" },
	};
	struct error_text why;
	struct image i;

	for (unsigned n = 0; n < TAP_NR(rows); n++) {
		make(&i);
		i.bytes[rows[n].at] = rows[n].value;
		tap_context("row %u", n);
		read_all(&i, &why);
		is_str(why.text, rows[n].why);
	}
}

static void longer(void)
{
	struct error_text why;
	struct image i;

	make(&i);
	is(read_all(&i, &why), 4);
	is_str(why.text, "");
	put(&i, RECORD_WAKE, 0, 1, 0);
	is(read_all(&i, &why), 3);
	is_str(why.text, "the trace goes on after its end");
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "a trace", whole },
		{ "traces that end too early", cut },
		{ "damaged traces", damaged },
		{ "a trace that goes on", longer },
	};

	return tap_run(cases, TAP_NR(cases));
}
