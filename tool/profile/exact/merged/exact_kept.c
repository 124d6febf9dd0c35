// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_kept.c - what was read from an exact profile, kept (exact_kept.h).
 *
 * The file is a head of HEAD bytes and numbers in LEB128:
 *
 *	head		magic; build; the key; the bytes after the head; those of them before the
 *			columns, and before the code; the checksum of the head and of what is before
 *			the code; that of the code, stacks, data and directory
 *	totals		how many events; of each the sum of its counts
 *	objects		how many; of each its kind, path and stamp
 *	processes	how many; of each its name
 *	notes		how many; their texts
 *	slices		nanoseconds; how many; of each interval, process and hart
 *	places		how many; of each process, object, and how far its address is from the last
 *	data		whether there is any
 *	summary		the bytes of its columns; 0: there is none.  How many functions; how far the
 *			function of each place is from that of the last one; stacks; directory
 *	code		how many; of each place the instruction
 *	stacks		how many; how many series.  In a series each place is the next one, and all
 *			stacks have one caller.  Of each series how many stacks, how far the place
 *			is from the one after the last series, and how far the caller is from that
 *			of the last series (callers from 1; 0: none)
 *	data		if there is any, what exact_kept_data.h writes
 *	directory	of each event four words of 64 bits: the bytes of its stacks (DENSE: it is
 *			dense, and has none), counts and slices; their checksum
 *	columns		of each event its stacks, counts and slices
 *	summary		of each event the same, and a bit for each place
 *
 * A report reads the columns of its events, and no others: each has a checksum of its own.  If the
 * summary is enough for it (exact_summary.h), it reads nothing from the code to the columns.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bytes.h"
#include "cache.h"
#include "exact_kept.h"
#include "exact_kept_data.h"
#include "exact_kept_file.h"
#include "exact_stamp.h"

#define MAGIC	  "HOLTKEP4"
#define HEAD	  96
#define BODY_AT	  64
#define FIRST_AT  72
#define SUM_AT	  80
#define REST_AT	  88
#define DENSE	  UINT64_MAX
#define ENTRY	  32 /* bytes of the directory, of an event */
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

/* len: the bytes after the head; body: those before the columns; first: before the code. */
static void put_head(uint8_t *head, const struct exact_kept_key *key, size_t len, size_t body,
		     size_t first)
{
	const uint64_t numbers[] = { build(),  key->content, key->size, key->files, key->objects,
				     key->all, len,	     body,	first };

	memset(head, 0, HEAD);
	memcpy(head, MAGIC, 8);
	for (unsigned n = 0; n < sizeof(numbers) / sizeof(*numbers); n++)
		put_le64(head + 8 + 8 * n, numbers[n]);
}

static uint64_t sum_of(const uint8_t *head, const void *first, size_t len)
{
	return exact_checksum(exact_checksum(0, head, SUM_AT), first, len);
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

static void put_places(struct out *o, const struct exact_merged *m)
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
}

static void put_code(struct out *o, const struct exact_merged *m)
{
	put(o, m->code.nr);
	for (size_t n = 0; n < m->code.nr; n++)
		put(o, m->code.at[n]);
}

/* The stack after the series that begins with this one. */
static size_t run_end(const struct exact_merged *m, size_t n)
{
	const struct profile_stack *s = m->stacks.at;
	size_t end = n + 1;

	while (end < m->stacks.nr && s[end].caller == s[n].caller &&
	       s[end].place == s[end - 1].place + 1)
		end++;
	return end;
}

static void put_stacks(struct out *o, const struct exact_merged *m)
{
	uint64_t place = 0, caller = 0;
	size_t runs = 0;

	for (size_t n = 0; n < m->stacks.nr; n = run_end(m, n))
		runs++;
	put(o, m->stacks.nr);
	put(o, runs);
	for (size_t n = 0, end; n < m->stacks.nr; n = end) {
		uint64_t up = (uint32_t)(m->stacks.at[n].caller + 1);

		end = run_end(m, n);
		put(o, end - n);
		put(o, zigzag(m->stacks.at[n].place - place));
		put(o, zigzag(up - caller));
		place = m->stacks.at[end - 1].place + 1ull;
		caller = up;
	}
}

static void put_part(struct out *o, const struct leb_bytes *part)
{
	o->failed |= !VEC_ROOM(&o->b, part->nr);
	if (o->failed || !part->nr)
		return;
	memcpy(o->b.at + o->b.nr, part->at, part->nr);
	o->b.nr += part->nr;
}

/* Whether a dense column is shorter: then most stacks have a count.  No count is 0. */
static bool is_dense(const struct exact_column *c, size_t stacks)
{
	size_t numbers = 0;

	for (size_t n = 0; n < c->counts.nr; n++) {
		if (!c->counts.at[n] && (!n || c->counts.at[n - 1] < 0x80))
			return false;
		numbers += c->counts.at[n] < 0x80;
	}
	return numbers > stacks - numbers;
}

static void put_dense(struct out *o, const struct exact_column *c, size_t stacks)
{
	struct leb_in in = leb_in_of(&c->stacks);
	struct leb_in counts = leb_in_of(&c->counts);
	size_t next = 0;

	o->failed |= !VEC_ROOM(&o->b, stacks + c->counts.nr);
	for (size_t n = 0; !o->failed && in.at < in.end; next = n + 1) {
		n += leb_in_get(&in);
		for (; next < n; next++)
			o->b.at[o->b.nr++] = 0;
		o->b.nr = (size_t)(leb_write(o->b.at + o->b.nr, leb_in_get(&counts)) - o->b.at);
	}
	for (; !o->failed && next < stacks; next++)
		o->b.at[o->b.nr++] = 0;
}

/* Appends the directory, and then the columns, which may be elsewhere. */
static void put_columns(struct out *directory, struct out *o, const struct exact_merged *m)
{
	size_t entry = directory->b.nr;

	directory->failed |= !VEC_ROOM(&directory->b, (size_t)m->events * ENTRY);
	if (directory->failed)
		return;
	directory->b.nr += (size_t)m->events * ENTRY;
	for (unsigned e = 0; e < m->events && !o->failed; e++, entry += ENTRY) {
		const struct exact_column *c = &m->column[e];
		bool dense = is_dense(c, m->stacks.nr);
		size_t at = o->b.nr, counts;

		if (dense) {
			put_dense(o, c, m->stacks.nr);
		} else {
			put_part(o, &c->stacks);
			put_part(o, &c->counts);
		}
		counts = o->b.nr - at - (dense ? 0 : c->stacks.nr);
		put_part(o, &c->slices);
		put_part(o, &c->places);
		if (o->failed)
			return;
		put_le64(directory->b.at + entry, dense ? DENSE : c->stacks.nr);
		put_le64(directory->b.at + entry + 8, counts);
		put_le64(directory->b.at + entry + 16, c->slices.nr);
		put_le64(directory->b.at + entry + 24,
			 exact_checksum(e, o->b.at + at, o->b.nr - at));
	}
}

/* Puts what is read before the columns, and the columns into a buffer of their own. */
static void put_summary(struct out *o, struct out *columns, const struct exact_merged *summary,
			size_t places)
{
	struct out directory = { .failed = !summary };
	uint64_t last = 0;

	if (summary)
		put_columns(&directory, columns, summary);
	o->failed |= summary && (directory.failed || columns->failed);
	put(o, columns->b.nr);
	if (columns->b.nr) {
		put(o, summary->functions);
		for (size_t n = 0; n < places; n++) {
			put(o, zigzag(summary->function[n] - last));
			last = summary->function[n];
		}
		put_stacks(o, summary);
		put_part(o, &directory.b);
	}
	free(directory.b.at);
}

void exact_kept_write(const struct exact_kept_key *key, const struct exact_merged *m,
		      const struct exact_merged *summary, const struct profile *p)
{
	struct out o = { .failed = false }, columns = { .failed = false };
	char folder[PATH_MAX], path[PATH_MAX];
	struct error_text why;
	uint8_t head[HEAD];
	struct leb_bytes parts[] = { { head, HEAD, 0 }, { 0 }, { 0 } };
	size_t first, body;
	bool fits;

	if (!cache_folder(folder, &why) || !name_file(path, folder, key))
		return;
	put(&o, m->events);
	for (unsigned e = 0; e < m->events; e++)
		put(&o, m->total[e]);
	put_names(&o, key, p);
	put_slices(&o, p);
	put_places(&o, m);
	put(&o, m->data != NULL);
	put_summary(&o, &columns, summary, m->places.nr);
	first = o.b.nr;
	put_code(&o, m);
	put_stacks(&o, m);
	if (m->data)
		o.failed |= !exact_kept_put_data(&o.b, m->data);
	body = o.b.nr + (size_t)m->events * ENTRY;
	put_columns(&o, &o, m);
	fits = o.b.nr + columns.b.nr <= KEPT_MAX - HEAD;
	if (!o.failed && fits) {
		put_head(head, key, o.b.nr + columns.b.nr, body, first);
		put_le64(head + SUM_AT, sum_of(head, o.b.at, first));
		put_le64(head + REST_AT, exact_checksum(0, o.b.at + first, body - first));
		parts[1] = o.b;
		parts[2] = columns.b;
		if (exact_kept_put_file(path, parts, 3))
			cache_prune_profiles(folder, CACHE_PROFILES);
	}
	free(o.b.at);
	free(columns.b.at);
	if (summary && !fits) /* better all without it than nothing */
		exact_kept_write(key, m, NULL, p);
}

/* Reading */

/* Whether a file is whole up to its code, and of this build and this key. */
static bool is_valid(const uint8_t *data, size_t len, const struct exact_kept_key *key)
{
	uint64_t body = le64(data + BODY_AT), first = le64(data + FIRST_AT);
	uint8_t head[HEAD];

	put_head(head, key, len - HEAD, body, first);
	return first <= body && body <= len - HEAD && !memcmp(data, head, SUM_AT) &&
	       le64(data + SUM_AT) == sum_of(data, data + HEAD, first);
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

static void get_places(struct leb_in *in, struct exact_merged *m, size_t processes, size_t objects)
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
}

static void get_code(struct leb_in *in, struct exact_merged *m)
{
	size_t nr = get_nr(in);

	in->bad |= nr > m->places.nr || !VEC_ROOM(&m->code, nr);
	for (size_t n = 0; n < nr && !in->bad; n++)
		m->code.at[m->code.nr++] = (uint32_t)leb_in_below(in, UINT32_MAX);
}

/* places: how many there are; or functions, of a summary. */
static void get_stacks(struct leb_in *in, struct exact_merged *m, size_t places)
{
	uint64_t place = 0, caller = 0, nr = leb_in_below(in, COUNT_MAX), runs = get_nr(in);

	/* A run has no more stacks than there are places. */
	in->bad |= (runs ? (nr - 1) / runs >= places : nr) || !VEC_ROOM(&m->stacks, nr);
	while (runs-- && !in->bad) {
		uint64_t length = leb_in_get(in), first = m->stacks.nr;

		place += unzigzag(leb_in_get(in));
		caller += unzigzag(leb_in_get(in));
		in->bad |= caller > first || length > nr - first || place > places ||
			   length > places - place;
		for (uint64_t n = 0; n < length && !in->bad; n++)
			m->stacks.at[first + n] = (struct profile_stack){ (uint32_t)place++,
									  (uint32_t)caller - 1 };
		m->stacks.nr += in->bad ? 0 : length;
	}
	in->bad |= m->stacks.nr != nr;
}

static void get_data(struct leb_in *in, struct exact_merged *m, size_t processes, size_t objects)
{
	const struct exact_kept_limits limits = { processes, objects, m->places.nr, m->events };

	if (!m->has_data || in->bad)
		return;
	m->data = calloc(1, sizeof(*m->data));
	if (m->data)
		exact_kept_get_data(in, &limits, m->data);
	in->bad |= !m->data;
}

/*
 * The directory, and the columns from at to end, which they fill.  Their checksums are not looked
 * at.  places: the bytes that each has of these; 0, if it is not a summary.
 */
static void get_columns(struct leb_in *in, const uint8_t *at, const uint8_t *end, size_t places,
			struct exact_merged *m)
{
	for (unsigned e = 0; e < m->events && !in->bad; e++) {
		struct leb_bytes *part[] = { &m->column[e].stacks, &m->column[e].counts,
					     &m->column[e].slices, &m->column[e].places };

		in->bad |= in->end - in->at < ENTRY;
		m->column[e].dense = !in->bad && le64(in->at) == DENSE;
		for (unsigned n = 0; n < 4 && !in->bad; n++) {
			uint64_t len = n || !m->column[e].dense ? le64(in->at + 8 * n) : 0;

			len = n == 3 ? places : len;
			in->bad |= len > (size_t)(end - at);
			*part[n] = (struct leb_bytes){ (uint8_t *)at, in->bad ? 0 : len, 0 };
			at += part[n]->nr;
		}
		in->at += in->bad ? 0 : ENTRY;
	}
	in->bad |= at != end;
}

/* Reads the summary; in is where it begins, end where the file ends. */
static void get_summary(struct leb_in *in, const uint8_t *columns, const uint8_t *end,
			struct exact_merged *m)
{
	uint64_t last = 0, nr = leb_in_below(in, COUNT_MAX);

	m->function = malloc((m->places.nr + 1) * sizeof(*m->function));
	in->bad |= !m->function || nr > m->places.nr;
	m->functions = (uint32_t)nr;
	for (size_t n = 0; n < m->places.nr && !in->bad; n++) {
		last += unzigzag(leb_in_get(in));
		in->bad |= last >= nr;
		m->function[n] = (uint32_t)last;
	}
	get_stacks(in, m, nr);
	get_columns(in, columns, end, exact_merged_bitmap(m), m);
	in->bad |= in->at != in->end;
}

/*
 * Reads what is before the code, what is for p into a profile of its own.  Returns the bytes of the
 * columns of the summary, which begins where it stops.
 */
static uint64_t get_first(struct leb_in *in, struct exact_merged *m, const struct profile *p,
			  struct profile *to)
{
	in->bad |= leb_in_get(in) != m->events;
	for (unsigned e = 0; e < m->events && !in->bad; e++)
		m->total[e] = leb_in_get(in);
	get_names(in, p, to);
	get_slices(in, m, to);
	get_places(in, m, to->processes.nr, p->objects.nr + to->objects.nr);
	m->has_data = leb_in_below(in, 1);
	return leb_in_get(in);
}

/* Reads the code, stacks, data and columns. */
static void get_rest(struct leb_in *in, const uint8_t *end, struct exact_merged *m,
		     size_t processes, size_t objects)
{
	get_code(in, m);
	get_stacks(in, m, m->places.nr);
	get_data(in, m, processes, objects);
	get_columns(in, in->end, end, 0, m);
	in->bad |= in->at != in->end;
}

/* Reads the summary, if it is there and enough, or all. */
static bool get_all(const struct exact_kept *k, bool summary, struct exact_merged *m,
		    const struct profile *p)
{
	const uint8_t *at = k->memory + HEAD, *end = k->memory + k->size;
	const uint8_t *first = at + le64(k->memory + FIRST_AT);
	const uint8_t *body = at + le64(k->memory + BODY_AT);
	struct leb_in in = { at, first, false };
	uint64_t columns = get_first(&in, m, p, k->names);

	if (in.bad || k->names->no_memory || columns > (size_t)(end - body))
		return false;
	if (summary && columns) {
		get_summary(&in, end - columns, end, m);
		return !in.bad;
	}
	if (le64(k->memory + REST_AT) != exact_checksum(0, first, (size_t)(body - first)))
		return false;
	in = (struct leb_in){ first, body, false };
	get_rest(&in, end - columns, m, k->names->processes.nr,
		 p->objects.nr + k->names->objects.nr);
	return !in.bad;
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
	p->mapped = (void *)k->memory;
	p->mapped_size = k->size;
	k->memory = NULL;
}

bool exact_kept_has_columns(const struct exact_kept *k, const struct exact_merged *m,
			    const uint8_t *chosen, size_t nr)
{
	uint64_t end = le64(k->memory + (m->function ? FIRST_AT : BODY_AT));
	const uint8_t *entry = k->memory + HEAD + end - (size_t)m->events * ENTRY;

	for (unsigned e = 0; e < m->events; e++, entry += ENTRY) {
		const struct exact_column *c = &m->column[e];
		size_t len = c->stacks.nr + c->counts.nr + c->slices.nr + c->places.nr;

		if (exact_merged_is_chosen(m, e, chosen, nr) &&
		    exact_checksum(e, c->stacks.at, len) != le64(entry + 24))
			return false;
	}
	return true;
}

bool exact_kept_read(struct exact_kept *k, const struct exact_kept_key *key, bool summary,
		     struct exact_merged *m, const struct profile *p)
{
	char folder[PATH_MAX], path[PATH_MAX];

	if (!cache_folder_there(folder) || !name_file(path, folder, key) ||
	    !exact_kept_map(k, path, HEAD, KEPT_MAX) || !is_valid(k->memory, k->size, key))
		return false;
	k->names = profile_new();
	m->borrowed = true;
	if (!k->names || !get_all(k, summary, m, p))
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
