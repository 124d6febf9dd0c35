// SPDX-License-Identifier: BSD-2-Clause
/*
 * perf_pipe.c - writes a complete perf.data file to a pipe (perf_file.h).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perf_file.h"
#include "write.h"

#define PIECE (1 << 20)

static bool get(const struct perf_file *f, void *data, size_t size, uint64_t at)
{
	ssize_t n = pread(f->fd, data, size, (off_t)at);

	if (n >= 0 && (size_t)n < size)
		errno = EIO;
	return n == (ssize_t)size;
}

static bool put_header(int to, uint32_t type, size_t body)
{
	struct perf_event_header h = { .type = type, .size = (uint16_t)(sizeof(h) + body) };

	return write_all(to, &h, sizeof(h));
}

static bool has_room(size_t body)
{
	return body <= UINT16_MAX - sizeof(struct perf_event_header);
}

static bool put_event(int to, const struct perf_file_event *e)
{
	const size_t most = (UINT16_MAX - sizeof(struct perf_event_header) - sizeof(e->attr)) /
			    sizeof(*e->ids);

	if (e->nr_ids > most) {
		errno = EFBIG;
		return false;
	}
	return put_header(to, PERF_DATA_RECORD_ATTR,
			  sizeof(e->attr) + e->nr_ids * sizeof(*e->ids)) &&
	       write_all(to, &e->attr, sizeof(e->attr)) &&
	       write_all(to, e->ids, e->nr_ids * sizeof(*e->ids));
}

/* The content of this feature is already a list of records; only their type must be set. */
static bool put_build_ids(int to, char *at, size_t size)
{
	while (size >= sizeof(struct perf_event_header)) {
		struct perf_event_header h;

		memcpy(&h, at, sizeof(h));
		if (h.size < sizeof(h) || h.size > size)
			break;
		h.type = PERF_DATA_RECORD_BUILD_ID;
		memcpy(at, &h, sizeof(h));
		if (!write_all(to, at, h.size))
			return false;
		at += h.size;
		size -= h.size;
	}
	return true;
}

static bool put_feature(int to, uint64_t which, char *text, size_t size)
{
	static const char zeros[8];
	size_t padding = -size & 7;

	if (which == PERF_DATA_BUILD_ID)
		return put_build_ids(to, text, size);
	if (!has_room(sizeof(which) + size + padding))
		return true;
	return put_header(to, PERF_DATA_RECORD_FEATURE, sizeof(which) + size + padding) &&
	       write_all(to, &which, sizeof(which)) && write_all(to, text, size) &&
	       write_all(to, zeros, padding);
}

static bool put_features(const struct perf_file *f, int to)
{
	uint64_t table = f->header.data.offset + f->header.data.size;
	bool good = true;

	for (unsigned i = 0; good && i < 256; i++) {
		struct perf_data_section s;
		char *text;

		if (!(f->header.features[i / 64] >> i % 64 & 1))
			continue;
		if (!get(f, &s, sizeof(s), table))
			return false;
		table += sizeof(s);
		text = malloc(s.size + 1);
		good = text && get(f, text, s.size, s.offset) && put_feature(to, i, text, s.size);
		free(text);
	}
	return good;
}

static bool put_records(const struct perf_file *f, int to)
{
	char *piece = malloc(PIECE);
	uint64_t at = f->header.data.offset, left = f->header.data.size;
	bool good = piece;

	while (good && left) {
		size_t size = left < PIECE ? left : PIECE;

		good = get(f, piece, size, at) && write_all(to, piece, size);
		at += size;
		left -= size;
	}
	free(piece);
	return good;
}

bool perf_file_pipe(const struct perf_file *f, int to)
{
	const struct perf_data_pipe_header h = { PERF_DATA_MAGIC, sizeof(h) };

	if (!write_all(to, &h, sizeof(h)))
		return false;
	for (unsigned i = 0; i < f->nr_events; i++) {
		if (!put_event(to, &f->events[i]))
			return false;
	}
	return put_features(f, to) && put_records(f, to);
}
