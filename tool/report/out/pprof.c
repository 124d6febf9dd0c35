// SPDX-License-Identifier: BSD-2-Clause
/*
 * pprof.c - writes the format of pprof: the message Profile of its profile.proto, in gzip
 * (report.h; RFC 1952).
 *
 * A stack is a sample with one value for each event; a place is a location, with a line for each
 * inlined function; an object is a mapping.  Command and pid are labels.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "out.h"
#include "report.h"

/* Numbers of fields in profile.proto. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING_TABLE = 6,
	PROFILE_COMMENT = 13,
	TYPE_NAME = 1,
	TYPE_UNIT = 2,
	SAMPLE_LOCATION = 1,
	SAMPLE_VALUE = 2,
	SAMPLE_LABEL = 3,
	LABEL_KEY = 1,
	LABEL_STRING = 2,
	LABEL_NUMBER = 3,
	MAPPING_ID = 1,
	MAPPING_LIMIT = 3,
	MAPPING_FILE = 5,
	MAPPING_BUILD_ID = 6,
	MAPPING_HAS_FUNCTIONS = 7,
	MAPPING_HAS_INLINED = 10,
	LOCATION_ID = 1,
	LOCATION_MAPPING = 2,
	LOCATION_ADDRESS = 3,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	LINE_NUMBER = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4,
};

/* A message, or a part of one, in the wire format of Protocol Buffers. */
struct message {
	VEC(unsigned char) bytes;
	bool no_memory;
};

static void put_varint(struct message *m, uint64_t value)
{
	do {
		unsigned char byte = value & 0x7f;

		value >>= 7;
		if (!VEC_PUSH(&m->bytes, byte | (value ? 0x80 : 0)))
			m->no_memory = true;
	} while (value);
}

/* Writes a number; 0 is the value of a field that is not there. */
static void put_number(struct message *m, unsigned field, uint64_t value)
{
	if (!value)
		return;
	put_varint(m, field << 3);
	put_varint(m, value);
}

static void put_bytes(struct message *m, unsigned field, const void *data, size_t len)
{
	put_varint(m, field << 3 | 2);
	put_varint(m, len);
	if (!VEC_ROOM(&m->bytes, len)) {
		m->no_memory = true;
	} else if (len) {
		memcpy(m->bytes.at + m->bytes.nr, data, len);
		m->bytes.nr += len;
	}
}

/* Writes a message as a field of another one, and empties it. */
static void put_message(struct message *m, unsigned field, struct message *part)
{
	put_bytes(m, field, part->bytes.at, part->bytes.nr);
	m->no_memory |= part->no_memory;
	part->bytes.nr = 0;
}

struct out {
	struct report *r;
	const struct report_view *v;
	struct message all, part, sub;
	FILE *to;
	z_stream z;
	uint64_t *weight; /* of a stack, by event of the profile */
};

/* Compresses what is in o->all, and empties it.  flush: as for deflate(). */
static void flush_all(struct out *o, int flush)
{
	unsigned char room[16384];

	o->z.next_in = o->all.bytes.at;
	o->z.avail_in = (unsigned)o->all.bytes.nr;
	do {
		o->z.next_out = room;
		o->z.avail_out = sizeof(room);
		deflate(&o->z, flush);
		fwrite(room, 1, sizeof(room) - o->z.avail_out, o->to);
	} while (!o->z.avail_out);
	o->all.bytes.nr = 0;
}

static void put_part(struct out *o, unsigned field)
{
	put_message(&o->all, field, &o->part);
	if (o->all.bytes.nr > 1 << 20)
		flush_all(o, Z_NO_FLUSH);
}

/* Returns the index of a text in the string table: index 0 is the empty text. */
static uint64_t index_of(uint32_t string)
{
	return string == PROFILE_NONE ? 0 : string + 1ull;
}

static uint64_t text(struct out *o, const char *text)
{
	return index_of(report_string(o->r, text));
}

static void put_types(struct out *o)
{
	for (unsigned i = 0; i < o->v->events.nr; i++) {
		put_number(&o->part, TYPE_NAME,
			   text(o, o->r->p->events.at[o->v->events.at[i]].name));
		put_number(&o->part, TYPE_UNIT, text(o, "count"));
		put_part(o, PROFILE_SAMPLE_TYPE);
	}
}

static void put_label(struct out *o, const char *key, const char *value, int64_t number)
{
	put_number(&o->sub, LABEL_KEY, text(o, key));
	put_number(&o->sub, LABEL_STRING, text(o, value));
	put_number(&o->sub, LABEL_NUMBER, (uint64_t)number);
	put_message(&o->part, SAMPLE_LABEL, &o->sub);
}

static void put_sample(struct out *o, uint32_t stack)
{
	const struct profile *p = o->r->p;
	struct profile_counts counts = profile_counts(p, stack);
	struct profile_count c;
	uint64_t any = 0;

	memset(o->weight, 0, p->events.nr * sizeof(*o->weight));
	while (profile_next(&counts, &c))
		o->weight[c.event] += c.weight;
	for (unsigned i = 0; i < o->v->events.nr; i++)
		any |= o->weight[o->v->events.at[i]];
	if (!any)
		return;
	for (uint32_t s = stack; s != PROFILE_NONE; s = p->stacks.at[s].caller)
		put_number(&o->part, SAMPLE_LOCATION, p->stacks.at[s].place + 1ull);
	for (unsigned i = 0; i < o->v->events.nr; i++) {
		uint64_t weight = o->weight[o->v->events.at[i]];

		/* Each value has its place in the list, also 0. */
		put_varint(&o->part, SAMPLE_VALUE << 3);
		put_varint(&o->part, weight < INT64_MAX ? weight : INT64_MAX);
	}
	{
		const struct profile_process *process =
			&p->processes.at[p->places.at[p->stacks.at[stack].place].process];

		put_label(o, "comm", process->comm, 0);
		if (process->pid > 0)
			put_label(o, "pid", NULL, process->pid);
	}
	put_part(o, PROFILE_SAMPLE);
}

static void put_mapping(struct out *o, uint32_t object, uint64_t limit)
{
	const struct profile_object *from = &o->r->p->objects.at[object];
	char id[2 * PROFILE_BUILD_ID + 1] = "";

	for (unsigned i = 0; i < from->build_id_size; i++)
		snprintf(id + 2 * i, 3, "%02x", from->build_id[i]);
	put_number(&o->part, MAPPING_ID, object + 1ull);
	put_number(&o->part, MAPPING_LIMIT, limit);
	put_number(&o->part, MAPPING_FILE, text(o, from->path));
	if (*id)
		put_number(&o->part, MAPPING_BUILD_ID, text(o, id));
	/* Names are complete: pprof needs not look for the file. */
	for (unsigned has = MAPPING_HAS_FUNCTIONS; has <= MAPPING_HAS_INLINED; has++)
		put_number(&o->part, has, 1);
	put_part(o, PROFILE_MAPPING);
}

/* An object is mapped from address 0 up to its highest place. */
static bool put_mappings(struct out *o)
{
	const struct profile *p = o->r->p;
	uint64_t *limit = calloc(p->objects.nr + 1, sizeof(*limit));

	for (size_t i = 0; limit && i < p->places.nr; i++) {
		const struct profile_place *place = &p->places.at[i];
		uint64_t end = place->addr == UINT64_MAX ? UINT64_MAX : place->addr + 1;

		if (end > limit[place->object])
			limit[place->object] = end;
	}
	for (uint32_t i = 0; limit && i < p->objects.nr; i++)
		put_mapping(o, i, limit[i]);
	free(limit);
	return limit;
}

static void put_location(struct out *o, uint32_t n)
{
	const struct profile_place *place = &o->r->p->places.at[n];
	const struct report_span *span = &o->r->spans[n];

	put_number(&o->part, LOCATION_ID, n + 1ull);
	put_number(&o->part, LOCATION_MAPPING, place->object + 1ull);
	put_number(&o->part, LOCATION_ADDRESS, place->addr);
	for (uint32_t i = 0; i < span->nr; i++) {
		const struct report_frame *f = &o->r->frames.at[span->first + i];

		if (f->inlined && !o->v->inlined)
			continue;
		put_number(&o->sub, LINE_FUNCTION, f->function + 1ull);
		put_number(&o->sub, LINE_NUMBER, f->line > 0 ? (uint64_t)f->line : 0);
		put_message(&o->part, LOCATION_LINE, &o->sub);
	}
	put_part(o, PROFILE_LOCATION);
}

static bool put_functions(struct out *o)
{
	struct report_line *lines;
	bool good = report_first_lines(o->r, &lines);

	for (uint32_t i = 0; good && i < o->r->functions.nr; i++) {
		put_number(&o->part, FUNCTION_ID, i + 1ull);
		put_number(&o->part, FUNCTION_NAME, index_of(o->r->functions.at[i].name));
		put_number(&o->part, FUNCTION_SYSTEM_NAME, index_of(o->r->functions.at[i].name));
		put_number(&o->part, FUNCTION_FILE, index_of(lines[i].file));
		put_part(o, PROFILE_FUNCTION);
	}
	free(lines);
	return good;
}

static void put_strings(struct out *o)
{
	put_bytes(&o->all, PROFILE_STRING_TABLE, "", 0);
	for (size_t i = 0; i < o->r->strings.nr; i++) {
		const char *string = o->r->strings.at[i];

		put_bytes(&o->all, PROFILE_STRING_TABLE, string, strlen(string));
		if (o->all.bytes.nr > 1 << 20)
			flush_all(o, Z_NO_FLUSH);
	}
}

static void comment(void *cookie, const char *line)
{
	struct out *o = cookie;

	put_number(&o->all, PROFILE_COMMENT, text(o, line));
}

static bool put_all(struct out *o)
{
	const struct profile *p = o->r->p;
	bool good;

	if (!profile_pack(o->r->p))
		return false;
	put_types(o);
	for (uint32_t i = 0; i < p->stacks.nr; i++)
		put_sample(o, i);
	for (uint32_t i = 0; i < p->places.nr; i++)
		put_location(o, i);
	good = put_mappings(o) && put_functions(o);
	if (p->command)
		comment(o, p->command);
	report_notes(o->r, comment, o);
	put_strings(o); /* last: the others add to them */
	flush_all(o, Z_FINISH);
	return good && !o->all.no_memory && !p->no_memory;
}

bool report_out_pprof(struct report *r, const struct report_view *v, FILE *to)
{
	struct out o = { .r = r, .v = v, .to = to };
	bool good;

	o.weight = calloc(r->p->events.nr + 1, sizeof(*o.weight));
	if (!o.weight)
		return false;
	/* 16: with the head and end of gzip. */
	if (deflateInit2(&o.z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8,
			 Z_DEFAULT_STRATEGY) != Z_OK) {
		free(o.weight);
		return false;
	}
	good = put_all(&o);
	deflateEnd(&o.z);
	free(o.all.bytes.at);
	free(o.part.bytes.at);
	free(o.sub.bytes.at);
	free(o.weight);
	return good;
}
