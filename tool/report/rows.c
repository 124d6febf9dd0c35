// SPDX-License-Identifier: BSD-2-Clause
/*
 * rows.c - makes the rows of tables: a row is the sum of all places with the same keys (report.h).
 */
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "holter.h"
#include "near.h"
#include "report.h"

unsigned report_parse_keys(const char *text)
{
	static const struct {
		const char *name;
		unsigned key;
	} names[] = {
		{ "comm", REPORT_COMM },       { "pid", REPORT_PID },
		{ "object", REPORT_OBJECT },   { "dso", REPORT_OBJECT },
		{ "symbol", REPORT_SYMBOL },   { "sym", REPORT_SYMBOL },
		{ "line", REPORT_LINE },       { "srcline", REPORT_LINE },
		{ "addr", REPORT_ADDR },       { "data", REPORT_DATA },
		{ "offset", REPORT_OFFSET },   { "member", REPORT_MEMBER },
		{ "sharing", REPORT_SHARING },
	};
	const size_t nr = sizeof(names) / sizeof(*names);
	unsigned keys = 0;

	while (*text) {
		size_t len = strcspn(text, ","), i = 0;

		while (i < nr &&
		       (strlen(names[i].name) != len || strncmp(names[i].name, text, len)))
			i++;
		if (i == nr) {
			char word[32];
			struct near near;

			snprintf(word, sizeof(word), "%.*s", (int)len, text);
			near = near_to(word);
			for (i = 0; i < nr; i++)
				near_try(&near, names[i].name);
			holter_error("--sort '%.*s': %s%s%sthe keys are comm, pid, object, symbol, "
				     "line, addr, data, offset, member and sharing, with commas "
				     "between them",
				     (int)len, text, near.best ? "did you mean " : "",
				     near.best ? near.best : "", near.best ? "? " : "");
			return 0;
		}
		keys |= names[i].key;
		text += len + (text[len] == ',');
	}
	if (!keys)
		holter_error("--sort wants a key: comm, pid, object, symbol, line, addr, data, "
			     "offset, member or sharing");
	if (keys & REPORT_SHARING && keys != REPORT_SHARING) {
		holter_error("--sort sharing: stands alone; it shows lines that harts take from "
			     "each other, and their accesses");
		return 0;
	}
	if (keys & (REPORT_OFFSET | REPORT_MEMBER) && !(keys & REPORT_DATA)) {
		const char *key = keys & REPORT_OFFSET ? "offset" : "member";

		holter_error("--sort %s: is one of data: --sort data,%s", key, key);
		return 0;
	}
	if (keys & REPORT_DATA && keys & (REPORT_PID | REPORT_ADDR)) {
		holter_error(
			"--sort data: goes with offset, member, comm, object, symbol and line");
		return 0;
	}
	return keys;
}

/*
 * The key of a row.  Keys are compared bytewise: there is no padding, and fields that are not used
 * have fixed values.
 */
struct row_key {
	uint32_t comm, object, function, file;
	int64_t pid, line;
	uint64_t addr;
};

struct work {
	struct report *r;
	unsigned keys;
	struct idmap index; /* by hash of the key */
	VEC(struct row_key) rows;
	uint32_t *row_of; /* by place */
};

/*
 * Returns the address for addr2line and objdump if the object is a file that can be opened;
 * otherwise the address of the place.
 */
static uint64_t shown_address(struct report *r, const struct profile_place *place)
{
	uint64_t addr;

	if (profile_has_offsets(&r->p->objects.at[place->object]) &&
	    report_elf_address(r, place->object, place->addr, &addr))
		return addr;
	return place->addr;
}

static struct row_key key_of(struct work *w, uint32_t n)
{
	const struct profile_place *place = &w->r->p->places.at[n];
	const struct report_span *span = &w->r->spans[n];
	const struct report_frame *inner = &w->r->frames.at[span->first];
	const struct report_frame *outer = inner + span->nr - 1;
	struct row_key key = { .object = PROFILE_NONE, .function = PROFILE_NONE, .pid = -1 };

	key.comm = key.file = PROFILE_NONE;
	if (w->keys & REPORT_COMM)
		key.comm = report_string(w->r, w->r->p->processes.at[place->process].comm);
	if (w->keys & REPORT_PID)
		key.pid = w->r->p->processes.at[place->process].pid;
	if (w->keys & (REPORT_OBJECT | REPORT_ADDR))
		key.object = place->object;
	if (w->keys & REPORT_SYMBOL)
		key.function = outer->function;
	if (w->keys & REPORT_LINE) {
		key.file = inner->file;
		key.line = inner->line;
	}
	if (w->keys & REPORT_ADDR)
		key.addr = shown_address(w->r, place);
	return key;
}

static uint32_t find_row(struct work *w, const struct row_key *key)
{
	uint64_t hash = fnv_add(FNV_START, key, sizeof(*key));
	uint32_t i;

	while ((i = idmap_get(&w->index, hash)) != IDMAP_NONE) {
		if (!memcmp(&w->rows.at[i], key, sizeof(*key)))
			return i;
		hash++;
	}
	if (!VEC_ROOM(&w->rows, 1))
		return PROFILE_NONE;
	w->rows.at[w->rows.nr] = *key;
	return idmap_set(&w->index, hash, w->rows.nr) ? w->rows.nr++ : PROFILE_NONE;
}

static bool find_rows(struct work *w)
{
	w->row_of = calloc(w->r->p->places.nr + 1, sizeof(*w->row_of));
	for (uint32_t i = 0; w->row_of && i < w->r->p->places.nr; i++) {
		struct row_key key = key_of(w, i);

		w->row_of[i] = find_row(w, &key);
		if (w->row_of[i] == PROFILE_NONE)
			return false;
	}
	return w->row_of != NULL;
}

static bool has_samples(const struct profile *p)
{
	for (size_t e = 0; e < p->events.nr; e++) {
		if (p->events.at[e].samples)
			return true;
	}
	return false;
}

/*
 * Makes the rows, with counts of 0.  With all events, these take most of the memory: 8 bytes for
 * each row and event.  Only what the profile has gets its own: without samples all rows have the
 * same zeros, and without callers the total is what the row has itself.
 */
static bool make_rows(const struct work *w, struct report_rows *rows)
{
	const struct profile *p = w->r->p;
	const bool samples = has_samples(p);
	size_t nr = p->events.nr, each = nr * (1 + samples + p->has_chains);
	uint64_t *at = rows->numbers = calloc(nr + each * w->rows.nr + 1, sizeof(*at));

	rows->rows.at = calloc(w->rows.nr + 1, sizeof(*rows->rows.at));
	if (!at || !rows->rows.at)
		return false;
	at += nr;
	for (size_t i = 0; i < w->rows.nr; i++, at += each) {
		const struct row_key *key = &w->rows.at[i];

		rows->rows.at[i] = (struct report_row){
			.comm = key->comm,
			.object = key->object,
			.function = key->function,
			.file = key->file,
			.line = key->line,
			.pid = key->pid,
			.addr = key->addr,
			.self = at,
			.samples = samples ? at + nr : rows->numbers,
			.total = p->has_chains ? at + each - nr : at,
		};
	}
	rows->rows.nr = w->rows.nr;
	return true;
}

/* The rows of the callers of some stacks, each once: with recursion, a row can occur twice. */
struct path {
	VEC(uint32_t) rows;
	uint32_t *mark; /* by row: the last path that has it */
	uint32_t number; /* of this path */
	uint64_t *sum; /* of all these stacks, by event */
};

static bool begin_path(const struct work *w, struct path *path, uint32_t caller)
{
	const struct profile *p = w->r->p;

	path->number++;
	path->rows.nr = 0;
	memset(path->sum, 0, p->events.nr * sizeof(*path->sum));
	for (uint32_t s = caller; s != PROFILE_NONE; s = p->stacks.at[s].caller) {
		uint32_t row = w->row_of[p->stacks.at[s].place];

		if (path->mark[row] == path->number)
			continue;
		path->mark[row] = path->number;
		if (!VEC_PUSH(&path->rows, row))
			return false;
	}
	return true;
}

static void add_stack(const struct work *w, struct path *path, uint32_t stack,
		      struct report_rows *rows)
{
	uint32_t n = w->row_of[w->r->p->stacks.at[stack].place];
	struct profile_counts counts = profile_counts(w->r->p, stack);
	struct report_row *row = &rows->rows.at[n];
	bool again = path->mark[n] == path->number; /* then end_path() adds to its total */
	struct profile_count c;

	while (profile_next(&counts, &c)) {
		row->self[c.event] += c.weight;
		row->samples[c.event] += c.samples;
		if (!again && row->total != row->self)
			row->total[c.event] += c.weight;
		path->sum[c.event] += c.weight;
	}
}

static void end_path(const struct path *path, struct report_rows *rows, size_t events)
{
	for (size_t n = 0; n < path->rows.nr; n++) {
		for (size_t e = 0; e < events; e++)
			rows->rows.at[path->rows.at[n]].total[e] += path->sum[e];
	}
}

/* Adds the weights.  Stacks of the same caller, one behind the other, go up its path at once. */
static bool add_up(const struct work *w, struct report_rows *rows)
{
	const struct profile *p = w->r->p;
	struct path path = { .mark = calloc(w->rows.nr + 1, sizeof(*path.mark)),
			     .sum = calloc(p->events.nr + 1, sizeof(*path.sum)) };
	bool good = path.mark && path.sum;

	for (uint32_t stack = 0; good && stack < p->stacks.nr;) {
		uint32_t caller = p->stacks.at[stack].caller;

		good = begin_path(w, &path, caller);
		while (good && stack < p->stacks.nr && p->stacks.at[stack].caller == caller)
			add_stack(w, &path, stack++, rows);
		end_path(&path, rows, p->events.nr);
	}
	free(path.rows.at);
	free(path.mark);
	free(path.sum);
	return good;
}

static int compare(const void *left, const void *right, void *cookie)
{
	const struct report_row *a = left, *b = right;
	const struct report_events *events = cookie;

	for (unsigned i = 0; i < events->nr; i++) {
		uint32_t e = events->at[i];

		if (a->self[e] != b->self[e])
			return a->self[e] > b->self[e] ? -1 : 1;
		if (a->total[e] != b->total[e])
			return a->total[e] > b->total[e] ? -1 : 1;
	}
	/* Otherwise keep the order in which the rows were found, which is deterministic. */
	return a->self < b->self ? -1 : a->self > b->self;
}

bool report_make_rows(struct report *r, unsigned keys, const struct report_events *events,
		      struct report_rows *rows)
{
	struct work w = { .r = r, .keys = keys };
	bool good = find_rows(&w) && !r->p->no_memory;

	*rows = (struct report_rows){ .numbers = NULL };
	good = good && make_rows(&w, rows) && add_up(&w, rows);
	if (good)
		qsort_r(rows->rows.at, rows->rows.nr, sizeof(*rows->rows.at), compare,
			(void *)events);
	if (!good)
		report_rows_free(rows);
	free(w.row_of);
	free(w.rows.at);
	idmap_free(&w.index);
	return good;
}

void report_rows_free(struct report_rows *rows)
{
	free(rows->numbers);
	free(rows->rows.at);
	*rows = (struct report_rows){ .numbers = NULL };
}
