// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_kept.c - what was read from an exact profile, kept (exact_kept.h).
 *
 * The file is a head of HEAD bytes and numbers in LEB128:
 *
 *	head		magic; build; the key; the bytes behind the head; the checksum of all that
 *	totals		how many events; of each the sum of its counts
 *	objects		how many; of each its kind, path and stamp
 *	processes	how many; of each its name
 *	notes		how many; their texts
 *	slices		nanoseconds; how many; of each interval, process and hart
 *	places		how many; of each process, object, and how far its address is from the last
 *	code		how many; of each place the instruction
 *	stacks		how many; of each how far its place is from the last, and how far its caller
 *			is before it (0: it has none)
 *	data		whether there is any; what exact_kept_data.h writes
 *	columns		of each event the bytes of its stacks and of its slices, each with their
 *			number in front
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytes.h"
#include "cache.h"
#include "exact_kept.h"
#include "exact_kept_data.h"
#include "exact_stamp.h"

#define MAGIC	  "HOLTKEP2"
#define HEAD	  80
#define SUM_AT	  72
#define KEPT_MAX  (256u << 20) /* bytes of a file */
#define COUNT_MAX (PROFILE_NONE - 1)
#define TEXT_MAX  65536

/* Differs from that of another build, whose rules may be others. */
static uint64_t build(void)
{
	struct exact_stamp s = { 0 };

	exact_stamp_file(&s, "/proc/self/exe");
	return s.sum;
}

static void put_head(uint8_t *head, const struct exact_kept_key *key, size_t len)
{
	const uint64_t numbers[] = { build(),	   key->content, key->size, key->files,
				     key->objects, key->all,	 len };

	memset(head, 0, HEAD);
	memcpy(head, MAGIC, 8);
	for (unsigned n = 0; n < sizeof(numbers) / sizeof(*numbers); n++)
		put_le64(head + 8 + 8 * n, numbers[n]);
}

static uint64_t sum_of(const uint8_t *head, const void *rest, size_t len)
{
	return exact_checksum(exact_checksum(0, head, SUM_AT), rest, len);
}

/* The name depends on the profile and the options, not on files: what is too old is replaced. */
static bool name_file(char to[PATH_MAX], const char *folder, const struct exact_kept_key *key)
{
	const uint64_t numbers[] = { key->content, key->size, key->all };

	return snprintf(to, PATH_MAX, "%s/" CACHE_PROFILE "%016llx", folder,
			(unsigned long long)exact_checksum(0, numbers, sizeof(numbers))) < PATH_MAX;
}

static uint64_t zigzag(uint64_t n)
{
	return n << 1 ^ (n >> 63 ? ~0ull : 0);
}

static uint64_t unzigzag(uint64_t n)
{
	return n >> 1 ^ (n & 1 ? ~0ull : 0);
}

static uint64_t stamp_of(const char *path)
{
	struct exact_stamp s = { 0 };

	exact_stamp_file(&s, path);
	return s.sum;
}

/* Writing */

struct out {
	struct leb_bytes b;
	bool failed;
};

static void put(struct out *o, uint64_t n)
{
	o->failed |= !leb_bytes_put(&o->b, n);
}

static void put_bytes(struct out *o, const void *data, size_t len)
{
	put(o, len);
	if (!len || o->failed)
		return;
	o->failed |= !VEC_ROOM(&o->b, len);
	if (o->failed)
		return;
	memcpy(o->b.at + o->b.nr, data, len);
	o->b.nr += len;
}

static void put_names(struct out *o, const struct exact_kept_key *key, const struct profile *p)
{
	put(o, p->objects.nr - key->objects);
	for (size_t n = key->objects; n < p->objects.nr; n++) {
		const struct profile_object *object = &p->objects.at[n];

		put(o, object->kind);
		put_bytes(o, object->path, strlen(object->path));
		put(o, stamp_of(object->path));
	}
	put(o, p->processes.nr);
	for (size_t n = 0; n < p->processes.nr; n++)
		put_bytes(o, p->processes.at[n].comm, strlen(p->processes.at[n].comm));
	put(o, p->notes.nr);
	for (size_t n = 0; n < p->notes.nr; n++)
		put_bytes(o, p->notes.at[n], strlen(p->notes.at[n]));
}

static void put_slices(struct out *o, const struct profile *p)
{
	put(o, p->slice_ns);
	put(o, p->slices.nr);
	for (size_t n = 0; n < p->slices.nr; n++) {
		put(o, p->slices.at[n].interval);
		put(o, p->slices.at[n].process);
		put(o, p->slices.at[n].hart);
	}
}

static void put_stacks(struct out *o, const struct exact_merged *m)
{
	uint64_t last = 0;

	put(o, m->places.nr);
	for (size_t n = 0; n < m->places.nr; n++) {
		const struct profile_place *place = &m->places.at[n];

		put(o, place->process);
		put(o, place->object);
		put(o, zigzag(place->addr - last));
		last = place->addr;
	}
	put(o, m->code.nr);
	for (size_t n = 0; n < m->code.nr; n++)
		put(o, m->code.at[n]);
	put(o, m->stacks.nr);
	last = 0;
	for (size_t n = 0; n < m->stacks.nr; n++) {
		const struct profile_stack *s = &m->stacks.at[n];

		put(o, zigzag(s->place - last));
		put(o, s->caller == PROFILE_NONE ? 0 : n - s->caller);
		last = s->place;
	}
}

static bool write_file(const char *path, const uint8_t *head, const struct leb_bytes *b)
{
	char new[PATH_MAX + 32];
	FILE *to = NULL;
	bool good;
	int fd;

	snprintf(new, sizeof(new), "%s.%d", path, (int)getpid());
	unlink(new); /* a process with the same number was killed */
	fd = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	flock(fd, LOCK_EX | LOCK_NB); /* so that cache_prune() leaves it */
	to = fdopen(fd, "w");
	good = to && fwrite(head, HEAD, 1, to) == 1 && (!b->nr || fwrite(b->at, b->nr, 1, to) == 1);
	good = (to ? !fclose(to) : !close(fd)) && good && !rename(new, path);
	if (!good)
		unlink(new);
	return good;
}

void exact_kept_write(const struct exact_kept_key *key, const struct exact_merged *m,
		      const struct profile *p)
{
	char folder[PATH_MAX], path[PATH_MAX];
	struct out o = { .failed = false };
	struct error_text why;
	uint8_t head[HEAD];

	if (!cache_folder(folder, &why) || !name_file(path, folder, key))
		return;
	put(&o, m->events);
	for (unsigned e = 0; e < m->events; e++)
		put(&o, m->total[e]);
	put_names(&o, key, p);
	put_slices(&o, p);
	put_stacks(&o, m);
	put(&o, m->data != NULL);
	if (m->data)
		o.failed |= !exact_kept_put_data(&o.b, m->data);
	for (unsigned e = 0; e < m->events; e++) {
		put_bytes(&o, m->column[e].stacks.at, m->column[e].stacks.nr);
		put_bytes(&o, m->column[e].slices.at, m->column[e].slices.nr);
	}
	if (!o.failed && o.b.nr <= KEPT_MAX - HEAD) {
		put_head(head, key, o.b.nr);
		put_le64(head + SUM_AT, sum_of(head, o.b.at, o.b.nr));
		if (write_file(path, head, &o.b))
			cache_prune_profiles(folder, CACHE_PROFILES);
	}
	free(o.b.at);
}

/* Reading */

/* Maps the whole file, if it is ours.  False: it is not there, too long, or somebody else's. */
static bool map_file(struct exact_kept *k, const char *path)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	void *at = MAP_FAILED;
	struct stat st;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    !(st.st_mode & (S_IWGRP | S_IWOTH)) && st.st_size >= HEAD && st.st_size <= KEPT_MAX)
		at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (at == MAP_FAILED)
		return false;
	k->memory = at;
	k->size = (size_t)st.st_size;
	return true;
}

/* Whether a file is whole and of this build and this key. */
static bool is_valid(const uint8_t *data, size_t len, const struct exact_kept_key *key)
{
	uint8_t head[HEAD];

	put_head(head, key, len - HEAD);
	return !memcmp(data, head, SUM_AT) &&
	       le64(data + SUM_AT) == sum_of(data, data + HEAD, len - HEAD);
}

/* Reads how many elements there are, each of which takes a byte at least. */
static size_t get_nr(struct leb_in *in)
{
	return leb_in_below(in, (uint64_t)(in->end - in->at));
}

static struct leb_bytes get_bytes(struct leb_in *in)
{
	size_t len = get_nr(in);
	struct leb_bytes b = { (uint8_t *)in->at, len, 0 };

	if (len > (size_t)(in->end - in->at)) {
		in->bad = true;
		b.nr = 0;
	}
	in->at += b.nr;
	return b;
}

/* A copy of a text, which the caller frees; NULL: no memory, or it is not good. */
static char *get_text(struct leb_in *in)
{
	struct leb_bytes b = get_bytes(in);
	char *text = in->bad || b.nr > TEXT_MAX ? NULL : strndup((const char *)b.at, b.nr);

	in->bad |= !text;
	return text;
}

/* Whether p has an object: then its number is not the next one. */
static bool has_object(const struct profile *p, enum profile_kind kind, const char *path)
{
	for (size_t n = 0; n < p->objects.nr; n++) {
		if (p->objects.at[n].kind == kind && !strcmp(p->objects.at[n].path, path))
			return true;
	}
	return false;
}

/* Reads the names for p into a profile that has nothing else; its objects begin with number 0. */
static void get_names(struct leb_in *in, const struct profile *p, struct profile *to)
{
	for (size_t n = get_nr(in); n && !in->bad; n--) {
		enum profile_kind kind = leb_in_below(in, PROFILE_UNKNOWN);
		char *path = get_text(in);

		in->bad |= !path || leb_in_get(in) != stamp_of(path) || has_object(p, kind, path) ||
			   has_object(to, kind, path);
		if (!in->bad)
			profile_add_object(to, kind, path, NULL, 0);
		free(path);
	}
	for (size_t n = get_nr(in); n && !in->bad; n--) {
		char *comm = get_text(in);

		if (comm)
			profile_add_process(to, -1, comm);
		free(comm);
	}
	for (size_t n = get_nr(in); n && !in->bad; n--) {
		char *note = get_text(in);

		if (note)
			profile_add_note(to, note);
		free(note);
	}
}

static void get_slices(struct leb_in *in, struct exact_merged *m, struct profile *to)
{
	size_t nr;

	to->slice_ns = leb_in_get(in);
	nr = get_nr(in);
	in->bad |= nr > COUNT_MAX || !VEC_ROOM(&to->slices, nr);
	for (size_t n = 0; n < nr && !in->bad; n++) {
		struct profile_slice s = { .interval = leb_in_get(in) };

		s.process = (uint32_t)leb_in_get(in);
		s.hart = (unsigned)leb_in_below(in, 63);
		in->bad |= s.process >= to->processes.nr;
		to->slices.at[to->slices.nr++] = s;
	}
	m->slices = (uint32_t)nr;
}

static void get_stacks(struct leb_in *in, struct exact_merged *m, size_t processes, size_t objects)
{
	size_t nr = get_nr(in);
	uint64_t last = 0;

	in->bad |= nr > COUNT_MAX || !VEC_ROOM(&m->places, nr);
	for (size_t n = 0; n < nr && !in->bad; n++) {
		uint64_t process = leb_in_get(in), object = leb_in_get(in);

		last += unzigzag(leb_in_get(in));
		in->bad |= process >= processes || object >= objects;
		m->places.at[m->places.nr++] = (struct profile_place){ (uint32_t)process,
								       (uint32_t)object, last };
	}
	nr = get_nr(in);
	in->bad |= nr > m->places.nr || !VEC_ROOM(&m->code, nr);
	for (size_t n = 0; n < nr && !in->bad; n++)
		m->code.at[m->code.nr++] = (uint32_t)leb_in_below(in, UINT32_MAX);
	nr = get_nr(in);
	in->bad |= nr > COUNT_MAX || !VEC_ROOM(&m->stacks, nr);
	last = 0;
	for (size_t n = 0; n < nr && !in->bad; n++) {
		uint64_t place = last += unzigzag(leb_in_get(in)), up = leb_in_below(in, n);

		in->bad |= place >= m->places.nr;
		m->stacks.at[m->stacks.nr++] = (struct profile_stack){ (uint32_t)place,
								       up ? (uint32_t)(n - up)
									  : PROFILE_NONE };
	}
}

static void get_data(struct leb_in *in, struct exact_merged *m, size_t processes, size_t objects)
{
	const struct exact_kept_limits limits = { processes, objects, m->places.nr, m->events };

	if (!leb_in_below(in, 1) || in->bad)
		return;
	m->data = calloc(1, sizeof(*m->data));
	if (m->data)
		exact_kept_get_data(in, &limits, m->data);
	in->bad |= !m->data;
}

/* Reads all of it, what is for p into a profile of its own. */
static bool get_all(struct leb_in *in, struct exact_merged *m, const struct profile *p,
		    struct profile *to)
{
	in->bad |= leb_in_get(in) != m->events;
	for (unsigned e = 0; e < m->events && !in->bad; e++)
		m->total[e] = leb_in_get(in);
	get_names(in, p, to);
	get_slices(in, m, to);
	get_stacks(in, m, to->processes.nr, p->objects.nr + to->objects.nr);
	get_data(in, m, to->processes.nr, p->objects.nr + to->objects.nr);
	for (unsigned e = 0; e < m->events && !in->bad; e++) {
		m->column[e].stacks = get_bytes(in);
		m->column[e].slices = get_bytes(in);
	}
	return !in->bad && in->at == in->end && !to->no_memory;
}

void exact_kept_give(struct exact_kept *k, struct profile *p)
{
	struct profile *from = k->names;

	for (size_t n = 0; n < from->objects.nr; n++)
		profile_add_object(p, from->objects.at[n].kind, from->objects.at[n].path, NULL, 0);
	for (size_t n = 0; n < from->processes.nr; n++)
		profile_add_process(p, -1, from->processes.at[n].comm);
	for (size_t n = 0; n < from->notes.nr; n++)
		profile_add_note(p, from->notes.at[n]);
	p->slice_ns = from->slice_ns;
	memcpy(&p->slices, &from->slices, sizeof(p->slices));
	memset(&from->slices, 0, sizeof(from->slices));
}

bool exact_kept_read(struct exact_kept *k, const struct exact_kept_key *key, struct exact_merged *m,
		     const struct profile *p)
{
	char folder[PATH_MAX], path[PATH_MAX];
	struct leb_in in;

	if (!cache_folder_there(folder) || !name_file(path, folder, key) || !map_file(k, path) ||
	    !is_valid(k->memory, k->size, key))
		return false;
	k->names = profile_new();
	in = (struct leb_in){ k->memory + HEAD, k->memory + k->size, false };
	m->borrowed = true;
	if (!k->names || !get_all(&in, m, p, k->names))
		return false;
	cache_used(path);
	return true;
}

void exact_kept_free(struct exact_kept *k)
{
	if (k->memory)
		munmap((void *)k->memory, k->size);
	profile_free(k->names);
}
