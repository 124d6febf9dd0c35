// SPDX-License-Identifier: BSD-2-Clause
/*
 * page_things.c - the data of a page (html.c): at which things (data.h) events happened, in which
 * of their parts, by which code; and the lines that harts take from each other, as JSON.
 *
 *	columns	[{name, events: [event of the page...]}], the sums of a table of data
 *	list	[{name, process, object, size, counts: [event, count, ...]}...]
 *	parts	[[thing, member, function, outer, file, line, [event, count, ...]]...]; outer: the
 *		function with the code, into which `function` may be inlined
 *	cut	how many parts are left out
 *	lines	[{address, process, taken, overlaps, accesses: [[thing, offset, bytes, hart, does,
 *		took, lost, function, outer, file, line]...]}...]
 *
 * Things, functions, files and processes are numbers, of the list, of the page's functions and of
 * its names; -1: not known.
 */
#include <stdlib.h>

#include "data.h"
#include "json.h"
#include "out.h"
#include "sharing.h"

/* A page opens quickly only if what it has is bounded. */
#define THINGS_MAX  2000
#define PARTS_MAX   20000
#define LINES_MAX   500
#define SHARERS_MAX 64 /* of a line */

struct out {
	struct report *r;
	struct json *j;
	struct report_events events; /* of data */
	int32_t *shown; /* by event: its number in the page, or -1 */
	int32_t *place; /* by thing: its number in the list, or -1 */
};

static void index_or_none(struct json *j, const char *key, uint32_t n)
{
	json_integer(j, key, n == PROFILE_NONE ? -1 : (int64_t)n);
}

static void thing_or_none(struct out *o, uint32_t thing)
{
	json_integer(o->j, NULL, thing == PROFILE_NONE ? -1 : o->place[thing]);
}

static void counts(struct out *o, const char *key, const uint64_t *count)
{
	json_open(o->j, key, '[');
	for (unsigned n = 0; n < o->events.nr; n++) {
		uint32_t e = o->events.at[n];

		if (!count[e] || o->shown[e] < 0)
			continue;
		json_integer(o->j, NULL, o->shown[e]);
		json_number(o->j, NULL, count[e]);
	}
	json_close(o->j, ']');
}

static void columns(struct out *o)
{
	const struct profile *p = o->r->p;
	const char *name, *events;

	json_open(o->j, "columns", '[');
	for (unsigned n = 0; (name = report_data_column(n, &events)); n++) {
		json_open(o->j, NULL, '{');
		json_text(o->j, "name", name);
		json_open(o->j, "events", '[');
		for (uint32_t e = 0; e < p->events.nr; e++) {
			if (o->shown[e] >= 0 && report_data_has_event(events, p->events.at[e].name))
				json_integer(o->j, NULL, o->shown[e]);
		}
		json_close(o->j, ']');
		json_close(o->j, '}');
	}
	json_close(o->j, ']');
}

static void thing(struct out *o, const struct report_data_row *row)
{
	const struct report_thing *t = &o->r->data->things.at[row->thing];

	json_open(o->j, NULL, '{');
	index_or_none(o->j, "name", t->name);
	index_or_none(o->j, "process", t->comm);
	index_or_none(o->j, "object", t->object);
	json_number(o->j, "size", t->size);
	counts(o, "counts", row->count);
	json_close(o->j, '}');
}

static bool list(struct out *o)
{
	struct report_data_rows rows;
	bool good = report_data_make_rows(o->r, REPORT_DATA, &o->events, &rows);

	json_open(o->j, "list", '[');
	for (size_t n = 0; good && n < rows.rows.nr && n < THINGS_MAX; n++) {
		o->place[rows.rows.at[n].thing] = (int32_t)n;
		thing(o, &rows.rows.at[n]);
	}
	json_close(o->j, ']');
	report_data_rows_free(&rows);
	return good;
}

static void part(struct out *o, const struct report_data_row *row)
{
	json_open(o->j, NULL, '[');
	thing_or_none(o, row->thing);
	index_or_none(o->j, NULL, row->member);
	index_or_none(o->j, NULL, row->function);
	index_or_none(o->j, NULL, row->outer);
	index_or_none(o->j, NULL, row->file);
	json_integer(o->j, NULL, row->line);
	counts(o, NULL, row->count);
	json_close(o->j, ']');
}

static bool parts(struct out *o)
{
	const unsigned keys = REPORT_DATA | REPORT_MEMBER | REPORT_SYMBOL | REPORT_OUTER |
			      REPORT_LINE;
	struct report_data_rows rows;
	bool good = report_data_make_rows(o->r, keys, &o->events, &rows);

	json_open(o->j, "parts", '[');
	for (size_t n = 0; good && n < rows.rows.nr && n < PARTS_MAX; n++) {
		if (o->place[rows.rows.at[n].thing] >= 0)
			part(o, &rows.rows.at[n]);
	}
	json_close(o->j, ']');
	json_number(o->j, "cut", rows.rows.nr > PARTS_MAX ? rows.rows.nr - PARTS_MAX : 0);
	report_data_rows_free(&rows);
	return good;
}

static void sharer(struct out *o, const struct report_sharer *s)
{
	json_open(o->j, NULL, '[');
	thing_or_none(o, s->thing);
	json_number(o->j, NULL, s->offset);
	json_number(o->j, NULL, s->bytes);
	json_number(o->j, NULL, s->hart);
	json_text(o->j, NULL, report_sharer_does(s));
	json_number(o->j, NULL, s->took);
	json_number(o->j, NULL, s->lost);
	index_or_none(o->j, NULL, s->function);
	index_or_none(o->j, NULL, s->outer);
	index_or_none(o->j, NULL, s->file);
	json_integer(o->j, NULL, s->line);
	json_close(o->j, ']');
}

static bool lines(struct out *o)
{
	struct report_sharing s;
	bool good = report_data_sharing(o->r, &s);

	json_open(o->j, "lines", '[');
	for (size_t n = 0; good && n < s.lines.nr && n < LINES_MAX; n++) {
		const struct report_shared_line *l = &s.lines.at[n];

		json_open(o->j, NULL, '{');
		json_hex(o->j, "address", l->addr);
		index_or_none(o->j, "process", l->comm);
		json_number(o->j, "taken", l->took);
		json_bool(o->j, "overlaps", l->overlaps);
		json_open(o->j, "accesses", '[');
		for (uint32_t i = 0; i < l->nr && i < SHARERS_MAX; i++)
			sharer(o, &s.sharers.at[l->first + i]);
		json_close(o->j, ']');
		json_close(o->j, '}');
	}
	json_close(o->j, ']');
	report_sharing_free(&s);
	return good;
}

/* Numbers all events and things as the page has them.  False: no memory. */
static bool begin(struct out *o, const struct report_view *v)
{
	size_t events = o->r->p->events.nr, things = o->r->data->things.nr;

	o->shown = calloc(events + 1, sizeof(*o->shown));
	o->place = calloc(things + 1, sizeof(*o->place));
	if (!o->shown || !o->place)
		return false;
	for (size_t n = 0; n < events; n++)
		o->shown[n] = -1;
	for (size_t n = 0; n < things; n++)
		o->place[n] = -1;
	for (unsigned n = 0; n < v->events.nr; n++)
		o->shown[v->events.at[n]] = (int32_t)n;
	return report_data_choose(o->r, NULL, &o->events);
}

bool report_page_things(struct json *j, struct report *r, const struct report_view *v)
{
	struct out o = { .r = r, .j = j };
	bool good;

	if (!r->data) {
		json_null(j, "things");
		return true;
	}
	json_open(j, "things", '{');
	good = begin(&o, v);
	if (good)
		columns(&o);
	good = good && list(&o) && parts(&o) && lines(&o);
	json_close(j, '}');
	free(o.shown);
	free(o.place);
	return good;
}
