// SPDX-License-Identifier: BSD-2-Clause
/*
 * perf_open.c - reads the header and the event attributes of a perf.data file, and sorts its
 * records by time (perf_reader.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perf_internal.h"

#define ATTR_MIN 64 /* PERF_ATTR_SIZE_VER0 */

/* The name of an event that the file does not name. */
static char *default_name(const struct perf_event_attr *a)
{
	static const char *const hardware[] = {
		"cycles",
		"instructions",
		"cache-references",
		"cache-misses",
		"branches",
		"branch-misses",
		"bus-cycles",
		"stalled-cycles-frontend",
		"stalled-cycles-backend",
		"ref-cycles",
	};
	char name[64];

	if (a->type == PERF_TYPE_HARDWARE && a->config < sizeof(hardware) / sizeof(*hardware))
		return strdup(hardware[a->config]);
	snprintf(name, sizeof(name), "type %u, config 0x%llx", a->type,
		 (unsigned long long)a->config);
	return strdup(name);
}

static bool add_event(struct perf_reader *r, const char *attr, size_t attr_size, const char *ids,
		      size_t nr_ids)
{
	struct perf_event *e;

	if (attr_size < ATTR_MIN)
		return perf_damaged(r, attr, "an event's attributes are too short");
	if (!PERF_GROW(r, &r->events))
		return false;
	e = &r->events.at[r->events.nr];
	*e = (struct perf_event){ .event = PROFILE_NONE };
	memcpy(&e->attr, attr, attr_size < sizeof(e->attr) ? attr_size : sizeof(e->attr));
	e->name = default_name(&e->attr);
	if (!e->name)
		return perf_refuse(r, "out of memory");
	r->events.nr++;
	for (size_t i = 0; i < nr_ids; i++) {
		uint64_t id;

		memcpy(&id, ids + 8 * i, sizeof(id));
		if (!idmap_set(&r->ids, id, r->events.nr - 1))
			return perf_refuse(r, "out of memory");
	}
	return true;
}

static bool has(const struct perf_reader *r, const struct perf_data_section *s)
{
	return s->offset <= r->len && s->size <= r->len - s->offset;
}

static bool read_attrs(struct perf_reader *r, const struct perf_data_header *h)
{
	size_t nr;

	if (h->attr_size < ATTR_MIN + sizeof(struct perf_data_section) || !has(r, &h->attrs))
		return perf_refuse(r, "is damaged or cut short: its list of events is not there");
	nr = h->attrs.size / h->attr_size;
	for (size_t i = 0; i < nr; i++) {
		const char *at = r->data + h->attrs.offset + i * h->attr_size;
		size_t size = h->attr_size - sizeof(struct perf_data_section);
		struct perf_data_section ids;

		memcpy(&ids, at + size, sizeof(ids));
		if (!has(r, &ids))
			return perf_damaged(r, at, "the ids of an event lie beyond the end");
		if (!add_event(r, at, size, r->data + ids.offset, ids.size / 8))
			return false;
	}
	return true;
}

static bool read_features(struct perf_reader *r, const struct perf_data_header *h)
{
	size_t at = h->data.offset + h->data.size;

	for (unsigned i = 0; i < 256; i++) {
		struct perf_data_section s;

		if (!(h->features[i / 64] >> i % 64 & 1))
			continue;
		if (r->len - at < sizeof(s))
			return perf_refuse(r,
					   "is cut short: what it says of its machine is missing");
		memcpy(&s, r->data + at, sizeof(s));
		at += sizeof(s);
		if (!has(r, &s))
			return perf_refuse(r, "is cut short: feature %u lies beyond the end", i);
		if (!perf_feature(r, i, r->data + s.offset, s.size))
			return false;
	}
	return true;
}

/* PERF_RECORD_HEADER_ATTR.  The attributes contain their own size. */
static bool attr_record(struct perf_reader *r, const char *at, size_t len)
{
	uint32_t size = 0;

	at += sizeof(struct perf_event_header);
	len -= sizeof(struct perf_event_header);
	if (len >= ATTR_MIN)
		memcpy(&size, at + offsetof(struct perf_event_attr, size), sizeof(size));
	if (size < ATTR_MIN || size > len)
		return perf_damaged(r, at, "an event's attributes are truncated");
	return add_event(r, at, size, at + size, (len - size) / 8);
}

static bool update_record(struct perf_reader *r, const char *at, size_t len)
{
	struct in in = { at + sizeof(struct perf_event_header), at + len, false };
	uint64_t type = get64(&in), id = get64(&in);
	uint32_t event = idmap_get(&r->ids, id);
	char *name;

	if (in.bad || type != PERF_DATA_UPDATE_NAME || event >= r->events.nr)
		return true;
	name = strndup(in.at, in.end - in.at);
	if (!name)
		return perf_refuse(r, "out of memory");
	free(r->events.at[event].name);
	r->events.at[event].name = name;
	return true;
}

static bool feature_record(struct perf_reader *r, const char *at, size_t len)
{
	struct in in = { at + sizeof(struct perf_event_header), at + len, false };
	uint64_t feature = get64(&in);

	return in.bad || feature > 255 || perf_feature(r, feature, in.at, in.end - in.at);
}

/*
 * Takes the kernel's load address from a PERF_RECORD_MMAP such as "[kernel.kallsyms]_text": pgoff
 * is the address of the symbol that the name ends with.
 */
static bool kernel_record(struct perf_reader *r, const struct perf_event_header *h, const char *at)
{
	size_t name = h->type == PERF_RECORD_MMAP ? 40 : 72, prefix = strlen(PERF_DATA_KERNEL);
	uint64_t pgoff;

	if (r->p->kernel_symbol || h->size <= name + prefix ||
	    (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_KERNEL ||
	    memcmp(at + name, PERF_DATA_KERNEL, prefix))
		return true;
	memcpy(&pgoff, at + 32, sizeof(pgoff));
	r->p->kernel_symbol = strndup(at + name + prefix, h->size - name - prefix);
	r->p->kernel_addr = pgoff;
	return r->p->kernel_symbol || perf_refuse(r, "out of memory");
}

static bool add_record(struct perf_reader *r, const char *at)
{
	if (!PERF_GROW(r, &r->records))
		return false;
	r->records.at[r->records.nr++] =
		(struct perf_record){ 0, (const struct perf_event_header *)at };
	return true;
}

/* Some records are followed by other data: *behind is its size.  False: the data is cut short. */
static bool bytes_behind(const struct perf_event_header *h, const char *at, size_t len,
			 uint64_t *behind)
{
	uint32_t size32;

	*behind = 0;
	if (h->type == PERF_DATA_RECORD_TRACING_DATA && h->size >= 12) {
		memcpy(&size32, at + 8, sizeof(size32));
		*behind = ((uint64_t)size32 + 7) & ~7ull;
	} else if (h->type == PERF_DATA_RECORD_AUXTRACE && h->size >= 16) {
		memcpy(behind, at + 8, sizeof(*behind));
	}
	return *behind <= len - h->size;
}

static bool compressed(struct perf_reader *r, const struct perf_event_header *h, const char *at,
		       void **stream)
{
	uint64_t size = h->size - sizeof(*h);
	size_t skip = sizeof(*h);

	if (h->type == PERF_DATA_RECORD_COMPRESSED2) {
		skip += 8;
		if (h->size < skip)
			return perf_damaged(r, at, "a compressed record is too short");
		memcpy(&size, at + sizeof(*h), sizeof(size));
		if (size > h->size - skip)
			return perf_damaged(r, at, "a compressed record is truncated");
	}
	return perf_inflate(r, at + skip, size, stream);
}

static bool index_record(struct perf_reader *r, const struct perf_event_header *h, const char *at,
			 void **stream)
{
	switch (h->type) {
	case PERF_DATA_RECORD_ATTR:
		/* Only a pipe has its events here; a file lists them in its header. */
		return !r->pipe || attr_record(r, at, h->size);
	case PERF_DATA_RECORD_FEATURE:
		return feature_record(r, at, h->size);
	case PERF_DATA_RECORD_EVENT_UPDATE:
		return update_record(r, at, h->size);
	case PERF_DATA_RECORD_BUILD_ID:
		return perf_build_id_record(r, at, h->size);
	case PERF_DATA_RECORD_COMPRESSED:
	case PERF_DATA_RECORD_COMPRESSED2:
		return stream ? compressed(r, h, at, stream)
			      : perf_damaged(r, at, "one is compressed again");
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return kernel_record(r, h, at) && add_record(r, at);
	case PERF_RECORD_LOST:
	case PERF_RECORD_COMM:
	case PERF_RECORD_EXIT:
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_FORK:
	case PERF_RECORD_SAMPLE:
	case PERF_RECORD_LOST_SAMPLES:
	case PERF_RECORD_KSYMBOL:
		return add_record(r, at);
	default:
		return true;
	}
}

/* stream: state of the decompression; NULL: these records are themselves decompressed ones. */
static bool index_records(struct perf_reader *r, const char *at, size_t len, void **stream)
{
	while (len) {
		struct perf_event_header h;
		uint64_t behind;

		if (len < sizeof(h))
			return perf_damaged(r, at, "a record is truncated");
		memcpy(&h, at, sizeof(h));
		if (h.size < sizeof(h) || h.size > len)
			return perf_damaged(r, at, "a record is truncated");
		if (!bytes_behind(&h, at, len, &behind))
			return perf_damaged(r, at, "the data after a record is truncated");
		if (!index_record(r, &h, at, stream))
			return false;
		at += h.size + behind;
		len -= h.size + behind;
	}
	return true;
}

static int by_time(const void *left, const void *right)
{
	const struct perf_record *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

/*
 * Sorts the records by time.  In the file they are in the order in which perf read the buffers of
 * the CPUs.  If an event has no times, that order stays.
 */
static void sort_records(struct perf_reader *r)
{
	for (size_t i = 0; i < r->events.nr; i++) {
		if (!(r->events.at[i].attr.sample_type & PERF_SAMPLE_TIME))
			return;
	}
	for (size_t i = 0; i < r->records.nr; i++) {
		struct perf_record *record = &r->records.at[i];
		const struct perf_event *e = perf_event_of(r, record->at);

		record->time = e ? perf_time_of(e, record->at) : 0;
	}
	VEC_SORT(&r->records, by_time);
}

static bool read_records(struct perf_reader *r, const char *at, size_t len)
{
	void *stream = NULL;
	bool good = index_records(r, at, len, &stream) &&
		    index_records(r, r->inflated.at, r->inflated.nr, NULL);

	perf_inflate_end(stream);
	return good;
}

/* A dummy event counts nothing: perf opens it to get the records of mappings and commands. */
static bool is_dummy(const struct perf_event_attr *a)
{
	return a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_DUMMY;
}

/*
 * Adds the events to the profile.  Refuses a file whose records do not tell their event: there must
 * be one event only, or each record must have its event's id at the same position.
 */
static bool check_events(struct perf_reader *r)
{
	uint64_t type;

	if (!r->events.nr)
		return perf_refuse(r, "says of no event what was recorded");
	type = r->events.at[0].attr.sample_type;
	for (size_t i = 0; r->events.nr > 1 && i < r->events.nr; i++) {
		uint64_t other = r->events.at[i].attr.sample_type;

		if (!(other & PERF_SAMPLE_IDENTIFIER) &&
		    (!(other & PERF_SAMPLE_ID) || other != type))
			return perf_refuse(r, "has several events, and samples that do not tell "
					      "which they are of");
	}
	for (size_t i = 0; i < r->events.nr; i++) {
		struct perf_event *e = &r->events.at[i];

		if (is_dummy(&e->attr))
			continue;
		e->event = profile_add_event(r->p, e->name, false);
		if (e->event == PROFILE_NONE)
			return perf_refuse(r, "out of memory");
	}
	return r->p->events.nr || perf_refuse(r, "has only dummy events, which count nothing");
}

static bool open_file(struct perf_reader *r)
{
	struct perf_data_header h;

	if (r->len < sizeof(h))
		return perf_refuse(r, "is cut short: it ends within its header");
	memcpy(&h, r->data, sizeof(h));
	if (!read_attrs(r, &h))
		return false;
	if (!h.data.size)
		return perf_refuse(r, "has no records: what recorded it has not ended properly");
	if (!has(r, &h.data))
		return perf_refuse(r, "is cut short: it says that it has %llu bytes of records",
				   (unsigned long long)h.data.size);
	return read_features(r, &h) && read_records(r, r->data + h.data.offset, h.data.size);
}

static bool open_any(struct perf_reader *r)
{
	uint64_t magic = 0, size = 0;

	if (r->len >= sizeof(struct perf_data_pipe_header)) {
		memcpy(&magic, r->data, sizeof(magic));
		memcpy(&size, r->data + 8, sizeof(size));
	}
	if (magic == PERF_DATA_SWAPPED)
		return perf_refuse(r, "is of a machine of the other byte order; report it there");
	if (magic != PERF_DATA_MAGIC)
		return perf_refuse(r, "is not a perf.data file");
	r->pipe = size == sizeof(struct perf_data_pipe_header);
	if (!(r->pipe ? read_records(r, r->data + size, r->len - size) : open_file(r)))
		return false;
	if (!check_events(r))
		return false;
	sort_records(r);
	return true;
}

bool perf_reader_knows(const void *data, size_t len)
{
	return len >= 8 && (!memcmp(data, "PERFILE2", 8) || !memcmp(data, "2ELIFREP", 8));
}

struct perf_reader *perf_reader_open(struct profile *p, const void *data, size_t len,
				     struct error_text *why)
{
	struct perf_reader *r = calloc(1, sizeof(*r));

	if (!r) {
		error_set(why, "out of memory");
		return NULL;
	}
	r->p = p;
	r->why = why;
	r->data = data;
	r->len = len;
	if (open_any(r))
		return r;
	perf_reader_close(r);
	return NULL;
}

void perf_reader_close(struct perf_reader *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->events.nr; i++)
		free(r->events.at[i].name);
	for (size_t i = 0; i < r->spaces.nr; i++) {
		free(r->spaces.at[i].maps.at);
		free(r->spaces.at[i].processes.at);
	}
	perf_jit_free(r);
	free(r->kernel.maps.at);
	free(r->written.maps.at);
	free(r->ksymbols.at);
	free(r->events.at);
	free(r->last_values.at);
	free(r->records.at);
	free(r->build_ids.at);
	free(r->inflated.at);
	free(r->spaces.at);
	free(r->threads.at);
	idmap_free(&r->ids);
	idmap_free(&r->values);
	idmap_free(&r->space_of);
	idmap_free(&r->thread_of);
	free(r);
}
