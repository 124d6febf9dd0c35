// SPDX-License-Identifier: BSD-2-Clause
/*
 * rows.c - makes the rows of tables: a row is the sum of all places with the same keys (report.h).
 */
#include <stdlib.h>
#include <string.h>

#include "holter.h"
#include "keyset.h"
#include "near.h"
#include "report.h"

static const struct {
	const char *name;
	unsigned key;
} names[] = {
	{ "comm", REPORT_COMM },       { "pid", REPORT_PID },	    { "object", REPORT_OBJECT },
	{ "dso", REPORT_OBJECT },      { "symbol", REPORT_SYMBOL }, { "sym", REPORT_SYMBOL },
	{ "line", REPORT_LINE },       { "srcline", REPORT_LINE },  { "addr", REPORT_ADDR },
	{ "data", REPORT_DATA },       { "offset", REPORT_OFFSET }, { "member", REPORT_MEMBER },
	{ "sharing", REPORT_SHARING },
};

#define NAMES (sizeof(names) / sizeof(*names))

static void no_key(const char *text, size_t len)
{
	char word[32];
	struct near near;

	snprintf(word, sizeof(word), "%.*s", (int)len, text);
	near = near_to(word);
	for (size_t i = 0; i < NAMES; i++)
		near_try(&near, names[i].name);
	holter_error("--sort '%.*s': %s%s%sthe keys are comm, pid, object, symbol, line, addr, "
		     "data, offset, member and sharing, with commas between them",
		     (int)len, text, near.best ? "did you mean " : "", near.best ? near.best : "",
		     near.best ? "? " : "");
}

/* Whether keys go together, after an error if they do not. */
static bool go_together(unsigned keys)
{
	const char *key = keys & REPORT_OFFSET ? "offset" : "member";

	if (keys & REPORT_SHARING && keys != REPORT_SHARING)
		holter_error("--sort sharing: stands alone; it shows lines that harts take from "
			     "each other, and their accesses");
	else if (keys & (REPORT_OFFSET | REPORT_MEMBER) && !(keys & REPORT_DATA))
		holter_error("--sort %s: is one of data: --sort data,%s", key, key);
	else if (keys & REPORT_DATA && keys & (REPORT_PID | REPORT_ADDR))
		holter_error(
			"--sort data: goes with offset, member, comm, object, symbol and line");
	else
		return true;
	return false;
}

unsigned report_parse_keys(const char *text)
{
	unsigned keys = 0;

	while (*text) {
		size_t len = strcspn(text, ","), i = 0;

		while (i < NAMES &&
		       (strlen(names[i].name) != len || strncmp(names[i].name, text, len)))
			i++;
		if (i == NAMES) {
			no_key(text, len);
			return 0;
		}
		keys |= names[i].key;
		text += len + (text[len] == ',');
	}
	if (!keys)
		holter_error("--sort needs a key: comm, pid, object, symbol, line, addr, data, "
			     "offset, member or sharing");
	return go_together(keys) ? keys : 0;
}

/* The key of a row (keyset.h). */
struct row_key {
	uint32_t comm, object, function, file;
	int64_t pid, line;
	uint64_t addr;
};

struct work {
	struct report *r;
	unsigned keys;
	struct keyset rows; /* of struct row_key */
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

static bool find_rows(struct work *w)
{
	w->row_of = calloc(w->r->p->places.nr + 1, sizeof(*w->row_of));
	for (uint32_t i = 0; w->row_of && i < w->r->p->places.nr; i++) {
		struct row_key key = key_of(w, i);

		w->row_of[i] = keyset_add(&w->rows, &key);
		if (w->row_of[i] == IDMAP_NONE)
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
		const struct row_key *key = keyset_at(&w->rows, i);

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

/*
 * What the sums need to know of the stacks.  A stack counts for its row, and for those of its
 * callers, each once: with recursion, a row can be on a path several times.  The outermost stack of
 * each row on a path has the row's total.  So the counts go to the stacks' callers, from there up
 * to the callers of these, and the outermost ones give them to their rows.
 *
 * Most stacks have the row and the caller of the one before: they are a group.
 */
struct caller {
	uint32_t up; /* its own caller; NO_CALLER */
	uint32_t row;
	bool outermost; /* the first caller of its row on its path */
	/* The last answer for a stack that it calls, which is that of most: */
	uint32_t row_called;
	bool on_path;
	uint64_t below; /* the counts of an event of all that it calls */
};

#define NO_CALLER UINT32_MAX

struct group {
	uint32_t end; /* the stack after it */
	uint32_t row, caller;
	bool inner; /* the row is on the path of the caller */
};

struct marks { /* of 64 stacks: which ones call others; how many before them do */
	uint64_t calls;
	uint32_t before;
};

struct paths {
	VEC(struct caller) callers; /* one before those that it calls */
	VEC(struct group) groups;
	struct marks *marks;
};

static bool is_on_path(const struct paths *t, uint32_t caller, uint32_t row)
{
	while (caller != NO_CALLER && t->callers.at[caller].row != row)
		caller = t->callers.at[caller].up;
	return caller != NO_CALLER;
}

static bool is_inner(struct paths *t, uint32_t caller, uint32_t row)
{
	struct caller *c;

	if (caller == NO_CALLER)
		return false;
	c = &t->callers.at[caller];
	if (c->row_called != row) {
		c->row_called = row;
		c->on_path = is_on_path(t, caller, row);
	}
	return c->on_path;
}

static bool mark_callers(const struct profile *p, struct paths *t)
{
	size_t words = p->stacks.nr / 64 + 1;
	uint32_t last = PROFILE_NONE;

	t->marks = calloc(words, sizeof(*t->marks));
	for (size_t n = 0; t->marks && n < p->stacks.nr; n++) {
		const struct profile_stack *s = &p->stacks.at[n];

		if (s->caller == last || s->place == PROFILE_NONE)
			continue;
		last = s->caller;
		if (last != PROFILE_NONE)
			t->marks[last / 64].calls |= 1ull << last % 64;
	}
	for (size_t n = 1; t->marks && n < words; n++)
		t->marks[n].before = t->marks[n - 1].before +
				     (uint32_t)__builtin_popcountll(t->marks[n - 1].calls);
	return t->marks;
}

static bool is_caller(const struct paths *t, size_t stack)
{
	return t->marks[stack / 64].calls >> stack % 64 & 1;
}

/* The number of a stack that calls others in callers. */
static uint32_t caller_number(const struct paths *t, uint32_t stack)
{
	const struct marks *m = &t->marks[stack / 64];

	if (stack == PROFILE_NONE)
		return NO_CALLER;
	return m->before + (uint32_t)__builtin_popcountll(m->calls & ((1ull << stack % 64) - 1));
}

static bool make_paths(const struct work *w, struct paths *t)
{
	const struct profile *p = w->r->p;
	uint32_t last = PROFILE_NONE; /* caller */
	struct group g = { .row = PROFILE_NONE, .caller = NO_CALLER };

	if (!mark_callers(p, t))
		return false;
	for (uint32_t n = 0; n < p->stacks.nr; n++) {
		const struct profile_stack *s = &p->stacks.at[n];
		uint32_t row;

		if (s->place == PROFILE_NONE)
			continue;
		row = w->row_of[s->place];
		if (row != g.row || s->caller != last) {
			g.end = n;
			if (g.row != PROFILE_NONE && !VEC_PUSH(&t->groups, g))
				return false;
			last = s->caller;
			g.row = row;
			g.caller = caller_number(t, last);
			g.inner = is_inner(t, g.caller, row);
		}
		if (is_caller(t, n) &&
		    !VEC_PUSH(&t->callers, (struct caller){ .up = g.caller,
							    .row = row,
							    .outermost = !g.inner,
							    .row_called = PROFILE_NONE }))
			return false;
	}
	g.end = UINT32_MAX;
	return VEC_PUSH(&t->groups, g);
}

static void add_group(const struct paths *t, const struct group *g, uint32_t e,
		      const struct profile_weight *sum, struct report_rows *rows)
{
	struct report_row *row = &rows->rows.at[g->row];

	row->self[e] += sum->weight;
	row->samples[e] += sum->samples;
	if (row->total == row->self)
		return;
	if (!g->inner)
		row->total[e] += sum->weight;
	if (g->caller != NO_CALLER)
		t->callers.at[g->caller].below += sum->weight;
}

static void add_event(const struct profile *p, const struct paths *t, uint32_t e,
		      struct report_rows *rows)
{
	struct profile_column column = profile_column(p, e);
	const struct group *g = t->groups.at;
	struct profile_weight sum = { 0, 0 };
	struct profile_stack_count c;
	uint32_t before = 0; /* the stack at which the group was looked for */

	while (profile_column_next(&column, &c)) {
		if (c.stack >= g->end || c.stack < before) {
			if (sum.weight || sum.samples)
				add_group(t, g, e, &sum, rows);
			sum = (struct profile_weight){ 0, 0 };
			g = c.stack < before ? t->groups.at : g; /* another part */
			while (c.stack >= g->end)
				g++;
			before = c.stack;
		}
		sum.weight += c.weight;
		sum.samples += c.samples;
		while (profile_column_eight(&column, g->end, &sum.weight))
			;
	}
	if (sum.weight || sum.samples)
		add_group(t, g, e, &sum, rows);
	for (size_t n = t->callers.nr; n-- > 0;) {
		struct caller *at = &t->callers.at[n];

		if (at->outermost)
			rows->rows.at[at->row].total[e] += at->below;
		if (at->up != NO_CALLER)
			t->callers.at[at->up].below += at->below;
		at->below = 0;
	}
}

/* Adds the weights. */
static bool add_up(const struct work *w, struct report_rows *rows)
{
	const struct profile *p = w->r->p;
	struct paths t = { 0 };
	bool good = make_paths(w, &t);

	for (uint32_t e = 0; good && e < p->events.nr; e++)
		add_event(p, &t, e, rows);
	free(t.callers.at);
	free(t.groups.at);
	free(t.marks);
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
	struct work w = { .r = r, .keys = keys, .rows = KEYSET(struct row_key) };
	bool good = find_rows(&w) && !r->p->no_memory;

	*rows = (struct report_rows){ .numbers = NULL };
	good = good && make_rows(&w, rows) && add_up(&w, rows);
	if (good)
		qsort_r(rows->rows.at, rows->rows.nr, sizeof(*rows->rows.at), compare,
			(void *)events);
	if (!good)
		report_rows_free(rows);
	free(w.row_of);
	keyset_free(&w.rows);
	return good;
}

void report_rows_free(struct report_rows *rows)
{
	free(rows->numbers);
	free(rows->rows.at);
	*rows = (struct report_rows){ .numbers = NULL };
}
