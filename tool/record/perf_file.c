// SPDX-License-Identifier: BSD-2-Clause
/*
 * perf_file.c - see perf_file.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perf_file.h"

/* Writes all data at an offset. */
static bool put(int fd, const void *data, size_t size, uint64_t at)
{
	const char *from = data;

	while (size) {
		ssize_t n = pwrite(fd, from, size, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n ? errno : ENOSPC;
			return false;
		}
		from += n;
		size -= (size_t)n;
		at += (uint64_t)n;
	}
	return true;
}

/* Writes the identifiers of all events, then each event with the section of its identifiers. */
static bool put_events(struct perf_file *f)
{
	uint64_t at = sizeof(f->header);

	for (unsigned i = 0; i < f->nr_events; i++) {
		size_t size = f->events[i].nr_ids * sizeof(uint64_t);

		if (!put(f->fd, f->events[i].ids, size, at))
			return false;
		at += size;
	}
	f->header.attrs.offset = at;
	f->header.attrs.size = f->nr_events * f->header.attr_size;
	for (unsigned i = 0, before = 0; i < f->nr_events; i++) {
		const struct perf_file_event *e = &f->events[i];
		struct perf_data_section ids = {
			.offset = sizeof(f->header) + before * sizeof(uint64_t),
			.size = e->nr_ids * sizeof(uint64_t),
		};

		if (!put(f->fd, &e->attr, sizeof(e->attr), at) ||
		    !put(f->fd, &ids, sizeof(ids), at + sizeof(e->attr)))
			return false;
		at += f->header.attr_size;
		before += e->nr_ids;
	}
	f->header.data.offset = at;
	return true;
}

bool perf_file_begin(struct perf_file *f)
{
	f->header = (struct perf_data_header){
		.magic = PERF_DATA_MAGIC,
		.size = sizeof(f->header),
		.attr_size = sizeof(struct perf_event_attr) + sizeof(struct perf_data_section),
	};
	if (!put_events(f) || !put(f->fd, &f->header, sizeof(f->header), 0))
		return false;
	return lseek(f->fd, (off_t)f->header.data.offset, SEEK_SET) >= 0;
}

FILE *perf_file_feature(struct perf_file *f, enum perf_data_feature which)
{
	if (!f->features)
		f->features = open_memstream(&f->text, &f->text_size);
	f->no_memory |= !f->features;
	if (!f->features || f->nr_features == PERF_FILE_FEATURES)
		return NULL;
	f->starts[f->nr_features++] = (size_t)ftell(f->features);
	f->header.features[which / 64] |= 1ull << which % 64;
	return f->features;
}

void perf_file_string(FILE *to, const char *text)
{
	uint32_t len = (uint32_t)strlen(text) + 1, padded = (len + 63) & ~63u;

	fwrite(&padded, sizeof(padded), 1, to);
	fwrite(text, 1, len, to);
	for (; len < padded; len++)
		fputc(0, to);
}

void perf_file_describe(struct perf_file *f)
{
	FILE *to = perf_file_feature(f, PERF_DATA_EVENT_DESC);
	uint32_t size = sizeof(struct perf_event_attr);

	if (!to)
		return;
	fwrite(&f->nr_events, sizeof(f->nr_events), 1, to);
	fwrite(&size, sizeof(size), 1, to);
	for (unsigned i = 0; i < f->nr_events; i++) {
		const struct perf_file_event *e = &f->events[i];

		fwrite(&e->attr, sizeof(e->attr), 1, to);
		fwrite(&e->nr_ids, sizeof(e->nr_ids), 1, to);
		perf_file_string(to, e->name);
		fwrite(e->ids, sizeof(uint64_t), e->nr_ids, to);
	}
}

/* Writes the table of features, then their contents. */
static bool put_features(struct perf_file *f)
{
	uint64_t table = f->header.data.offset + f->header.data.size;
	uint64_t text = table + f->nr_features * sizeof(struct perf_data_section);

	for (unsigned i = 0; i < f->nr_features; i++) {
		size_t end = i + 1 < f->nr_features ? f->starts[i + 1] : f->text_size;
		struct perf_data_section s = { text + f->starts[i], end - f->starts[i] };

		if (!put(f->fd, &s, sizeof(s), table + i * sizeof(s)))
			return false;
	}
	return put(f->fd, f->text, f->text_size, text);
}

bool perf_file_end(struct perf_file *f, uint64_t size)
{
	bool good = (!f->features || fclose(f->features) == 0) && !f->no_memory;
	int error;

	f->header.data.size = size;
	errno = ENOMEM;
	good = good && put_features(f);
	error = errno;
	if (!good)
		memset(f->header.features, 0, sizeof(f->header.features));
	if (!put(f->fd, &f->header, sizeof(f->header), 0)) {
		error = errno;
		good = false;
	}
	free(f->text);
	f->features = NULL;
	f->text = NULL;
	errno = error;
	return good;
}
