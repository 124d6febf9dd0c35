// SPDX-License-Identifier: BSD-2-Clause
/*
 * scan.c - summarizes the records of a file that has just been written (record.h), in one pass from
 * the first record to the last complete one.
 */
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record.h"
#include "term.h"

#define PIECE (1 << 20)

/* The event whose samples have this identifier. */
struct owner {
	uint64_t id;
	unsigned event;
};

struct pass {
	struct record_found *found;
	struct owner *owners;
	size_t nr_owners;
	bool no_memory;
};

static int by_id(const void *va, const void *vb)
{
	const struct owner *a = va, *b = vb;

	return (a->id > b->id) - (a->id < b->id);
}

static bool owners_make(const struct perf_file *f, struct pass *p)
{
	size_t nr = 0;

	for (unsigned i = 0; i < f->nr_events; i++)
		nr += f->events[i].nr_ids;
	p->owners = calloc(nr + 1, sizeof(*p->owners));
	if (!p->owners)
		return false;
	for (unsigned i = 0; i < f->nr_events; i++) {
		for (unsigned j = 0; j < f->events[i].nr_ids; j++)
			p->owners[p->nr_owners++] = (struct owner){ f->events[i].ids[j], i };
	}
	qsort(p->owners, p->nr_owners, sizeof(*p->owners), by_id);
	return true;
}

/* Samples begin with IDENTIFIER, IP, TID, TIME. */
static void take_sample(struct pass *p, const char *body, size_t size)
{
	struct record_found *found = p->found;
	const struct owner *owner;
	struct owner key = { 0 };
	uint64_t time;

	if (size < 32)
		return;
	memcpy(&key.id, body, sizeof(key.id));
	memcpy(&time, body + 24, sizeof(time));
	owner = bsearch(&key, p->owners, p->nr_owners, sizeof(key), by_id);
	if (owner)
		found->samples[owner->event]++;
	if (!found->all || time < found->first)
		found->first = time;
	if (time > found->last)
		found->last = time;
	found->all++;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Adds the name of an object, if the name ends within the record. */
static void take_object(struct pass *p, const char *name, size_t size)
{
	char *copy, **node;

	if (!size || !memchr(name, 0, size) || tfind(name, &p->found->objects, by_name))
		return;
	copy = strdup(name);
	node = copy ? tsearch(copy, &p->found->objects, by_name) : NULL;
	if (!node) {
		free(copy);
		p->no_memory = true;
	}
}

static void take(struct pass *p, const struct perf_event_header *h, const char *body)
{
	const size_t mmap = 32, mmap2 = 64; /* bytes in front of the name */
	size_t size = h->size - sizeof(*h);

	if (h->type == PERF_RECORD_SAMPLE)
		take_sample(p, body, size);
	else if (h->type == PERF_RECORD_MMAP && size > mmap)
		take_object(p, body + mmap, size - mmap);
	else if (h->type == PERF_RECORD_MMAP2 && size > mmap2)
		take_object(p, body + mmap2, size - mmap2);
}

/* Takes the complete records of a piece.  Returns their size in bytes. */
static size_t take_piece(struct pass *p, const char *piece, size_t size)
{
	struct perf_event_header h;
	size_t at = 0;

	while (size - at >= sizeof(h)) {
		memcpy(&h, piece + at, sizeof(h));
		if (h.size < sizeof(h) || h.size > size - at)
			break;
		take(p, &h, piece + at + sizeof(h));
		at += h.size;
	}
	return at;
}

static bool pass(int fd, uint64_t start, struct pass *p, char *piece)
{
	struct progress progress = progress_begin("reading what was recorded");
	uint64_t at = start, total = 0;
	struct stat st;
	int error;
	ssize_t n;
	size_t whole;

	if (fstat(fd, &st) == 0)
		total = (uint64_t)st.st_size;
	do {
		n = pread(fd, piece, PIECE, (off_t)at);
		whole = n < 0 ? 0 : take_piece(p, piece, (size_t)n);
		at += whole;
		progress_step(&progress, at, total);
	} while (whole);
	error = errno;
	progress_end(&progress);
	errno = error;
	p->found->size = at - start;
	return n >= 0;
}

bool record_find(const struct perf_file *f, struct record_found *found)
{
	struct pass p = { .found = found };
	char *piece = malloc(PIECE);
	bool good;
	int error;

	*found = (struct record_found){ .samples = calloc(f->nr_events + 1, sizeof(uint64_t)) };
	errno = ENOMEM;
	good = piece && found->samples && owners_make(f, &p) &&
	       pass(f->fd, f->header.data.offset, &p, piece);
	error = p.no_memory ? ENOMEM : errno;
	free(p.owners);
	free(piece);
	errno = error;
	return good && !p.no_memory;
}

void record_found_free(struct record_found *found)
{
	tdestroy(found->objects, free);
	free(found->samples);
}
