// SPDX-License-Identifier: BSD-2-Clause
/* data.c - names the data of a profile, and makes the rows of its tables (data.h). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "hash.h"
#include "holter.h"
#include "keyset.h"
#include "term.h"

#define PAGE 4096

static bool enough(struct report *r, bool memory)
{
	r->p->no_memory |= !memory;
	return memory;
}

/* Names */

/* The name of data that is not a variable. */
static const char *plain_name(const struct profile_piece *p)
{
	static const char *const names[] = {
		[PROFILE_DATA_UNKNOWN] = "[unknown]",
		[PROFILE_DATA_USER] = "[anon]",
		[PROFILE_DATA_KERNEL] = "[kernel memory]",
		[PROFILE_DATA_PHYSICAL] = "[memory]",
		[PROFILE_DATA_STACK] = "[stack]",
		[PROFILE_DATA_TABLES] = "[page tables]",
		[PROFILE_DATA_CODE] = "[code]",
		[PROFILE_DATA_DEVICE] = "[device]",
		[PROFILE_DATA_HEAP] = "[heap]",
	};

	return p->object == PROFILE_NONE ? names[p->kind] : "[data]";
}

/* The variable at the address of a piece; NULL: there is none.  *end: where it ends. */
static const struct symbol *variable_of(struct report *r, const struct profile_piece *p,
					uint64_t *end)
{
	const struct symbol_table *t = NULL;
	const struct symbol *s;
	struct elf_image *elf;

	if (p->object == PROFILE_NONE)
		return NULL;
	if (p->kind == PROFILE_DATA_KERNEL) {
		t = &r->p->objects.at[p->object].variables;
	} else {
		elf = report_image(r, p->object);
		t = elf ? elf_image_variables(elf) : NULL;
	}
	s = t ? symbols_find(t, p->addr) : NULL;
	*end = s ? symbols_end(t, s) : 0;
	/* A page is of a variable if it has nothing else. */
	return s && p->page && *end - p->addr < PAGE ? NULL : s;
}

static uint32_t find_thing(struct report *r, struct idmap *index, const struct report_thing *t)
{
	struct report_data *d = r->data;
	uint64_t hash = hash_pair(hash_pair((uint64_t)t->comm << 32 | t->object, t->name), t->addr);
	uint32_t i;

	while ((i = idmap_get(index, hash)) != IDMAP_NONE) {
		const struct report_thing *o = &d->things.at[i];

		if (o->comm == t->comm && o->object == t->object && o->name == t->name &&
		    o->addr == t->addr)
			return i;
		hash++;
	}
	if (!enough(r, VEC_PUSH(&d->things, *t) && idmap_set(index, hash, d->things.nr - 1)))
		return 0;
	return d->things.nr - 1;
}

/* Names memory by the call that has allocated it: the function, and its source line. */
static void name_site(struct report *r, const struct profile_site *s, struct report_thing *t)
{
	const struct report_frame *f;
	const char *file, *slash;
	char name[4200];

	t->allocated = true;
	if (s->times && s->bytes % s->times == 0)
		t->size = s->bytes / s->times;
	if (s->place == PROFILE_NONE)
		return;
	t->object = r->p->places.at[s->place].object;
	f = &r->frames.at[r->spans[s->place].first];
	file = report_text(r, f->file);
	slash = file ? strrchr(file, '/') : NULL;
	snprintf(name, sizeof(name), file ? "[heap of %s, %s:%d]" : "[heap of %s]",
		 report_text(r, r->functions.at[f->function].name), slash ? slash + 1 : file,
		 f->line);
	t->name = report_string(r, name);
}

/* Whether offsets in a thing are counted from its begin: else they are addresses. */
static bool has_begin(const struct report_thing *t)
{
	return t->addr || t->allocated;
}

static bool name_member(struct report *r, const struct report_thing *t, uint64_t offset, char *name,
			size_t room)
{
	struct elf_image *elf;
	uint64_t addr = t->addr;

	if (!t->addr || t->object == PROFILE_NONE)
		return false;
	elf = report_image(r, t->object);
	/* Other variables have their addresses from the ELF file. */
	if (elf && r->p->objects.at[t->object].kind == PROFILE_KERNEL)
		report_elf_address(r, t->object, t->addr, &addr);
	return elf && elf_image_member(elf, addr, offset, name, room);
}

/* The member of a struct at a place of a thing; without one, the place, or all of a page. */
static uint32_t member_of(struct report *r, const struct report_thing *t, uint64_t offset,
			  bool page)
{
	const char *format = has_begin(t) ? "+%" PRIu64 : "0x%" PRIx64;
	char name[4200];
	int len;

	if (!has_begin(t) && !offset)
		return PROFILE_NONE; /* all of it */
	if (page || !name_member(r, t, offset, name, sizeof(name))) {
		len = snprintf(name, sizeof(name), format, offset);
		if (page) {
			strcpy(name + len, " to ");
			snprintf(name + len + 4, sizeof(name) - len - 4, format, offset + PAGE - 1);
		}
	}
	return report_string(r, name);
}

static void name_piece(struct report *r, struct idmap *index, uint32_t n, bool members)
{
	const struct profile_piece *p = &r->p->data->pieces.at[n];
	struct report_part *part = &r->data->parts[n];
	struct report_thing t = { PROFILE_NONE, p->object, PROFILE_NONE, 0, 0, false };
	uint64_t end;
	const struct symbol *s = variable_of(r, p, &end);

	if (p->process != PROFILE_NONE)
		t.comm = report_string(r, r->p->processes.at[p->process].comm);
	part->offset = p->addr;
	if (p->site != PROFILE_NONE)
		name_site(r, &r->p->data->sites.at[p->site], &t);
	if (s) {
		t.name = report_string(r, s->name);
		t.addr = s->addr;
		t.size = end - s->addr;
		part->offset = p->addr - s->addr;
	} else if (t.name == PROFILE_NONE) {
		t.name = report_string(r, plain_name(p));
	}
	part->thing = find_thing(r, index, &t);
	part->member = members ? member_of(r, &t, part->offset, p->page) : PROFILE_NONE;
}

bool report_data_resolve(struct report *r, bool members)
{
	const struct profile_data *d = r->p->data;
	size_t strings = r->strings.nr;
	struct idmap index = { 0 };

	r->data = calloc(1, sizeof(*r->data));
	if (!enough(r, r->data))
		return false;
	r->data->parts = calloc(d->pieces.nr + 1, sizeof(*r->data->parts));
	enough(r, r->data->parts);
	for (uint32_t n = 0; n < d->pieces.nr && !r->p->no_memory; n++)
		name_piece(r, &index, n, members);
	idmap_free(&index);
	for (size_t n = strings; n < r->strings.nr && !r->o->json; n++)
		term_printable(r->strings.at[n]);
	if (r->p->no_memory)
		holter_error("%s: out of memory for its symbols", r->path);
	return !r->p->no_memory;
}

/* Events */

/* Whether a list of -e has this very name, and not only a pattern for it. */
static bool is_listed(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = list; (at = strstr(at, name)); at++) {
		if ((at == list || at[-1] == ',') && (!at[len] || at[len] == ','))
			return true;
	}
	return false;
}

/* Keeps of the events of a list those that data has; those of a pattern need not be. */
static bool keep_of_data(const struct profile *p, const char *list, const char *const *names,
			 size_t nr, struct report_events *events)
{
	unsigned kept = 0;

	for (unsigned n = 0; n < events->nr; n++) {
		const char *name = p->events.at[events->at[n]].name;
		size_t i = 0;

		while (i < nr && strcmp(names[i], name) != 0)
			i++;
		if (i < nr)
			events->at[kept++] = events->at[n];
		else if (is_listed(list, name) || (n + 1 == events->nr && !kept))
			return !holter_error("-e %s: is not counted by data; misses, write-backs, "
					     "snoop-invalidates and wait-read-* are",
					     is_listed(list, name) ? name : list);
	}
	events->nr = kept;
	return true;
}

bool report_data_choose(const struct report *r, const char *list, struct report_events *events)
{
	static const char *const names[] = {
		"wait-read-memory", "wait-read-ll",    "wait-read-l2",	    "l1d-read-misses",
		"l1d-write-misses", "l1d-walk-misses", "l2-read-misses",    "l2-write-misses",
		"ll-read-misses",   "ll-write-misses", "bus-reads",	    "l1d-writebacks",
		"l2-writebacks",    "ll-writebacks",   "snoop-invalidates", "snoop-writebacks",
		"uncached-reads",   "uncached-writes",
	};
	const size_t nr = sizeof(names) / sizeof(*names);
	const struct profile *p = r->p;

	*events = (struct report_events){ .nr = 0 };
	if (list)
		return report_choose_events(r, list, events) &&
		       keep_of_data(p, list, names, nr, events);
	for (size_t i = 0; i < nr; i++) {
		for (uint32_t e = 0; e < p->events.nr; e++) {
			if (!strcmp(p->events.at[e].name, names[i]))
				events->at[events->nr++] = e;
		}
	}
	return true;
}

/* Rows */

struct row_key { /* keyset.h */
	uint32_t thing, member, comm, object, function, outer, file;
	int32_t line;
	uint64_t offset, addr;
};

struct work {
	struct report *r;
	unsigned keys;
	struct keyset rows; /* of struct row_key */
};

/* The innermost frame of a place: the source line that accesses the data. */
static const struct report_frame *frame_of(const struct report *r, uint32_t place)
{
	return &r->frames.at[r->spans[place].first];
}

static struct row_key key_of(const struct work *w, const struct profile_data_row *row)
{
	const struct report *r = w->r;
	const struct report_part *part = &r->data->parts[row->piece];
	uint32_t place = row->access == PROFILE_NONE ? PROFILE_NONE
						     : r->p->data->accesses.at[row->access].place;
	struct row_key key = { .thing = part->thing };

	key.member = key.comm = key.object = PROFILE_NONE;
	key.function = key.outer = key.file = PROFILE_NONE;

	if (w->keys & REPORT_OFFSET)
		key.offset = part->offset;
	if (w->keys & REPORT_MEMBER)
		key.member = part->member;
	if (place == PROFILE_NONE)
		return key;
	if (w->keys & REPORT_COMM)
		key.comm = report_string(w->r,
					 r->p->processes.at[r->p->places.at[place].process].comm);
	if (w->keys & REPORT_OBJECT)
		key.object = r->p->places.at[place].object;
	if (w->keys & REPORT_SYMBOL)
		key.function = frame_of(r, place)->function;
	if (w->keys & REPORT_OUTER)
		key.outer = frame_of(r, place)[r->spans[place].nr - 1].function;
	if (w->keys & REPORT_LINE) {
		key.file = frame_of(r, place)->file;
		key.line = frame_of(r, place)->line;
	}
	if (w->keys & REPORT_ADDR)
		key.addr = r->p->places.at[place].addr;
	return key;
}

/* The row of each row of the profile.  NULL: no memory. */
static uint32_t *find_rows(struct work *w)
{
	const struct profile_data *d = w->r->p->data;
	uint32_t *row_of = calloc(d->rows.nr + 1, sizeof(*row_of));

	enough(w->r, row_of);
	for (size_t n = 0; n < d->rows.nr && !w->r->p->no_memory; n++) {
		struct row_key key;

		row_of[n] = PROFILE_NONE;
		if (!d->rows.at[n].nr)
			continue;
		key = key_of(w, &d->rows.at[n]);
		row_of[n] = keyset_add(&w->rows, &key);
		enough(w->r, row_of[n] != IDMAP_NONE);
	}
	return row_of;
}

static int compare_rows(const void *left, const void *right, void *cookie)
{
	const struct report_data_row *a = left, *b = right;
	const struct report_events *events = cookie;

	for (unsigned i = 0; i < events->nr; i++) {
		uint64_t m = a->count[events->at[i]], n = b->count[events->at[i]];

		if (m != n)
			return m > n ? -1 : 1;
	}
	return a->count < b->count ? -1 : a->count > b->count;
}

static void fill_rows(struct work *w, const uint32_t *row_of, struct report_data_rows *rows)
{
	const struct profile_data *d = w->r->p->data;
	size_t events = w->r->p->events.nr;

	for (size_t n = 0; n < w->rows.nr; n++) {
		const struct row_key *k = keyset_at(&w->rows, n);

		rows->rows.at[n] = (struct report_data_row){
			.thing = k->thing,
			.offset = k->offset,
			.member = k->member,
			.comm = k->comm,
			.object = k->object,
			.function = k->function,
			.file = k->file,
			.outer = k->outer,
			.line = k->line,
			.addr = k->addr,
			.count = rows->numbers + events * n,
		};
	}
	rows->rows.nr = w->rows.nr;
	for (size_t n = 0; n < d->rows.nr; n++) {
		const struct profile_data_row *from = &d->rows.at[n];

		for (uint32_t c = from->cell; c < from->cell + from->nr; c++)
			rows->rows.at[row_of[n]].count[d->cells.at[c].event] +=
				d->cells.at[c].count;
	}
}

bool report_data_make_rows(struct report *r, unsigned keys, const struct report_events *events,
			   struct report_data_rows *rows)
{
	struct work w = { .r = r, .keys = keys, .rows = KEYSET(struct row_key) };
	uint32_t *row_of = find_rows(&w);

	*rows = (struct report_data_rows){ .numbers = NULL };
	if (!r->p->no_memory) {
		rows->numbers = calloc(w.rows.nr * r->p->events.nr + 1, sizeof(*rows->numbers));
		enough(r, rows->numbers && VEC_ROOM(&rows->rows, w.rows.nr + 1));
	}
	if (!r->p->no_memory) {
		fill_rows(&w, row_of, rows);
		qsort_r(rows->rows.at, rows->rows.nr, sizeof(*rows->rows.at), compare_rows,
			(void *)events);
	}
	free(row_of);
	keyset_free(&w.rows);
	return !r->p->no_memory;
}

void report_data_rows_free(struct report_data_rows *rows)
{
	free(rows->rows.at);
	free(rows->numbers);
	*rows = (struct report_data_rows){ .numbers = NULL };
}
