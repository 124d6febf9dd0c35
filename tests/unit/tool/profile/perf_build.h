/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf_build.h - makes perf.data files in memory, for tests.
 */
#ifndef PERF_BUILD_H
#define PERF_BUILD_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "perf_data.h"
#include "tap.h"

struct perf_build {
	char bytes[1 << 16];
	size_t len;
	size_t record; /* start of the record that is being made */
	struct perf_event_attr attrs[4];
	uint64_t ids[4];
	unsigned nr_attrs;
};

static inline void build_bytes(struct perf_build *b, const void *data, size_t len)
{
	if (b->len + len > sizeof(b->bytes))
		abort();
	memcpy(b->bytes + b->len, data, len);
	b->len += len;
}

static inline void build32(struct perf_build *b, uint32_t value)
{
	build_bytes(b, &value, sizeof(value));
}

static inline void build64(struct perf_build *b, uint64_t value)
{
	build_bytes(b, &value, sizeof(value));
}

/* A string as records have it: ended by a zero and padded to 8 bytes. */
static inline void build_text(struct perf_build *b, const char *text)
{
	build_bytes(b, text, strlen(text) + 1);
	while (b->len % 8)
		build_bytes(b, "", 1);
}

/* A string as features have it. */
static inline void build_string(struct perf_build *b, const char *text)
{
	build32(b, 64);
	build_bytes(b, text, strlen(text));
	for (size_t i = strlen(text); i < 64; i++)
		build_bytes(b, "", 1);
}

/* An event; the first id is its own. */
static inline void build_event(struct perf_build *b, uint64_t config, uint64_t sample_type,
			       uint64_t period)
{
	struct perf_event_attr *a = &b->attrs[b->nr_attrs];

	memset(a, 0, sizeof(*a));
	a->size = sizeof(*a);
	a->type = PERF_TYPE_HARDWARE;
	a->config = config;
	a->sample_type = sample_type;
	a->sample_period = period;
	a->sample_id_all = 1;
	b->ids[b->nr_attrs] = 100 + b->nr_attrs;
	b->nr_attrs++;
}

static inline void build_record(struct perf_build *b, uint32_t type, uint16_t misc)
{
	struct perf_event_header h = { type, misc, 0 };

	b->record = b->len;
	build_bytes(b, &h, sizeof(h));
}

static inline void build_record_end(struct perf_build *b)
{
	uint16_t size = b->len - b->record;

	memcpy(b->bytes + b->record + offsetof(struct perf_event_header, size), &size,
	       sizeof(size));
}

/*
 * The fields after every record that is not a sample: TID and TIME (and IDENTIFIER if there is
 * one).
 */
static inline void build_sample_id(struct perf_build *b, uint64_t time)
{
	if (b->attrs[0].sample_type & PERF_SAMPLE_TID)
		build64(b, 0);
	if (b->attrs[0].sample_type & PERF_SAMPLE_TIME)
		build64(b, time);
	if (b->attrs[0].sample_type & PERF_SAMPLE_IDENTIFIER)
		build64(b, b->ids[0]);
	build_record_end(b);
}

static inline void build_comm(struct perf_build *b, uint32_t pid, uint32_t tid, const char *comm,
			      bool exec, uint64_t time)
{
	build_record(b, PERF_RECORD_COMM, exec ? PERF_RECORD_MISC_COMM_EXEC : 0);
	build32(b, pid);
	build32(b, tid);
	build_text(b, comm);
	build_sample_id(b, time);
}

static inline void build_mmap(struct perf_build *b, uint32_t pid, uint64_t start, uint64_t len,
			      uint64_t pgoff, const char *path, uint64_t time)
{
	build_record(b, PERF_RECORD_MMAP,
		     path[0] == '[' && pid == UINT32_MAX ? PERF_RECORD_MISC_KERNEL
							 : PERF_RECORD_MISC_USER);
	build32(b, pid);
	build32(b, pid);
	build64(b, start);
	build64(b, len);
	build64(b, pgoff);
	build_text(b, path);
	build_sample_id(b, time);
}

static inline void build_fork(struct perf_build *b, uint32_t pid, uint32_t ppid, uint32_t tid,
			      uint64_t time)
{
	build_record(b, PERF_RECORD_FORK, 0);
	build32(b, pid);
	build32(b, ppid);
	build32(b, tid);
	build32(b, ppid);
	build64(b, time);
	build_sample_id(b, time);
}

/* A sample of IP | TID | TIME. */
static inline void build_sample(struct perf_build *b, uint16_t mode, uint32_t pid, uint64_t ip,
				uint64_t time)
{
	build_record(b, PERF_RECORD_SAMPLE, mode);
	build64(b, ip);
	build32(b, pid);
	build32(b, pid);
	build64(b, time);
	build_record_end(b);
}

/* A sample of IP | TID | TIME | CALLCHAIN in the kernel.  chain: the outermost address first. */
static inline void build_kernel_calls(struct perf_build *b, uint64_t time, const uint64_t *chain,
				      unsigned nr)
{
	build_record(b, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL);
	build64(b, chain[nr - 1]);
	build64(b, 7ull << 32 | 7);
	build64(b, time);
	build64(b, nr + 1);
	build64(b, PERF_CONTEXT_KERNEL);
	for (unsigned i = nr; i--;)
		build64(b, chain[i]);
	build_record_end(b);
}

/*
 * The file of these records, then the output of features() (bytes of features first to last);
 * features may be NULL.
 */
struct build_feature {
	unsigned number;
	void (*make)(struct perf_build *b);
};

static inline void build_file(struct perf_build *to, const struct perf_build *records,
			      const struct build_feature *features, unsigned nr)
{
	struct perf_data_header h = { PERF_DATA_MAGIC, sizeof(h), 0 };
	struct perf_data_section s[4];
	size_t sections;

	h.attr_size = sizeof(struct perf_event_attr) + sizeof(struct perf_data_section);
	h.attrs = (struct perf_data_section){ sizeof(h), records->nr_attrs * h.attr_size };
	h.data = (struct perf_data_section){ sizeof(h) + h.attrs.size + 8 * records->nr_attrs,
					     records->len };
	for (unsigned i = 0; i < nr; i++)
		h.features[features[i].number / 64] |= 1ull << features[i].number % 64;
	to->len = 0;
	build_bytes(to, &h, sizeof(h));
	for (unsigned i = 0; i < records->nr_attrs; i++) {
		build_bytes(to, &records->attrs[i], sizeof(records->attrs[i]));
		build64(to, sizeof(h) + h.attrs.size + 8 * i);
		build64(to, 8);
	}
	for (unsigned i = 0; i < records->nr_attrs; i++)
		build64(to, records->ids[i]);
	build_bytes(to, records->bytes, records->len);
	sections = to->len;
	build_bytes(to, s, nr * sizeof(*s));
	for (unsigned i = 0; i < nr; i++) {
		s[i].offset = to->len;
		features[i].make(to);
		s[i].size = to->len - s[i].offset;
	}
	memcpy(to->bytes + sections, s, nr * sizeof(*s));
}

#endif
