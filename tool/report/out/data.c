// SPDX-License-Identifier: BSD-2-Clause
/*
 * data.c - writes where in data events happened, and which lines harts take from each other: as a
 * table, CSV and JSON (data.h; holter-report(1) has their names).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "data.h"
#include "fit.h"
#include "json.h"
#include "out.h"
#include "sharing.h"
#include "term.h"

#define LINES_MAX   5 /* of a table, without --rows */
#define SHARERS_MAX 8 /* of a line, without --rows */
#define CELLS	    10
#define CELL	    4200

/* Columns of a table: sums of events, or one event of -e. */

struct column {
	const char *name;
	const char *events; /* of which it is the sum, with blanks between them */
	uint32_t event; /* PROFILE_NONE: the sum */
};

static const struct column sums[] = {
	{ "wait cycles", "wait-read-l2 wait-read-ll wait-read-memory", PROFILE_NONE },
	{ "L1D misses", "l1d-read-misses l1d-write-misses l1d-walk-misses", PROFILE_NONE },
	{ "L2 misses", "l2-read-misses l2-write-misses", PROFILE_NONE },
	{ "LL misses", "ll-read-misses ll-write-misses", PROFILE_NONE },
	{ "write-backs", "l1d-writebacks", PROFILE_NONE },
	{ "invalidates", "snoop-invalidates", PROFILE_NONE },
};

#define NR_SUMS (sizeof(sums) / sizeof(*sums))

const char *report_data_column(unsigned n, const char **events)
{
	if (n >= NR_SUMS)
		return NULL;
	*events = sums[n].events;
	return sums[n].name;
}

bool report_data_has_event(const char *events, const char *event)
{
	size_t len = strlen(event);

	for (const char *at = events; (at = strstr(at, event)); at += len) {
		if ((at == events || at[-1] == ' ') && (!at[len] || at[len] == ' '))
			return true;
	}
	return false;
}

static uint64_t value(const struct report *r, const struct column *c, const uint64_t *count)
{
	uint64_t sum = 0;

	if (c->event != PROFILE_NONE)
		return count[c->event];
	for (uint32_t e = 0; e < r->p->events.nr; e++)
		sum += report_data_has_event(c->events, r->p->events.at[e].name) ? count[e] : 0;
	return sum;
}

struct table {
	struct report *r;
	const struct report_view *v;
	FILE *to;
	unsigned width;
	bool utf8;
	struct column column[256];
	uint64_t total[256];
	unsigned columns;
};

static void choose_columns(struct table *t, const struct report_data_rows *rows)
{
	size_t most = t->v->data_sums ? NR_SUMS : t->v->events.nr;

	for (size_t n = 0; n < most; n++) {
		struct column c = { NULL, NULL, PROFILE_NONE };
		uint64_t total = 0;

		if (t->v->data_sums)
			c = sums[n];
		else
			c.event = t->v->events.at[n];
		for (size_t i = 0; i < rows->rows.nr; i++)
			total += value(t->r, &c, rows->rows.at[i].count);
		if (!total && t->v->data_sums)
			continue;
		t->total[t->columns] = total;
		t->column[t->columns++] = c;
	}
}

static int compare(const void *left, const void *right, void *cookie)
{
	const struct report_data_row *a = left, *b = right;
	const struct table *t = cookie;

	for (unsigned n = 0; n < t->columns; n++) {
		uint64_t x = value(t->r, &t->column[n], a->count);
		uint64_t y = value(t->r, &t->column[n], b->count);

		if (x != y)
			return x > y ? -1 : 1;
	}
	return a->count < b->count ? -1 : a->count > b->count;
}

/* Texts of a row */

static const char *thing_name(const struct report *r, uint32_t thing)
{
	return thing == PROFILE_NONE ? "-" : report_text(r, r->data->things.at[thing].name);
}

static const char *or_none(const char *text)
{
	return text ? text : "-";
}

static const struct {
	const char *name;
	unsigned key;
} texts[CELLS] = {
	{ "Process", REPORT_DATA },	{ "Data", REPORT_DATA },      { "Size", REPORT_DATA },
	{ "Offset", REPORT_OFFSET },	{ "Member", REPORT_MEMBER },  { "Object", REPORT_DATA },
	{ "Command", REPORT_COMM },	{ "Code in", REPORT_OBJECT }, { "Function", REPORT_SYMBOL },
	{ "Source line", REPORT_LINE },
};

static void put_text(const struct report *r, const struct report_data_row *row, unsigned cell,
		     char *to)
{
	const struct report_thing *t = &r->data->things.at[row->thing];
	const char *text = NULL;

	*to = '\0';
	switch (cell) {
	case 0:
		text = or_none(report_text(r, t->comm));
		break;
	case 1:
		text = or_none(report_text(r, t->name));
		break;
	case 2:
		if (t->size)
			snprintf(to, CELL, "%" PRIu64, t->size);
		break;
	case 3:
		snprintf(to, CELL, t->addr || t->allocated ? "+%" PRIu64 : "0x%" PRIx64,
			 row->offset);
		break;
	case 4:
		text = or_none(report_text(r, row->member));
		break;
	case 5:
		text = t->object == PROFILE_NONE ? "-" : report_object_name(r, t->object);
		break;
	case 6:
		text = or_none(report_text(r, row->comm));
		break;
	case 7:
		text = row->object == PROFILE_NONE ? "-" : report_object_name(r, row->object);
		break;
	case 8:
		text = row->function == PROFILE_NONE
			       ? "-"
			       : report_text(r, r->functions.at[row->function].name);
		break;
	default:
		if (row->file == PROFILE_NONE)
			text = "-";
		else
			snprintf(to, CELL, "%s:%d", report_text(r, row->file), row->line);
	}
	if (text)
		snprintf(to, CELL, "%s", text);
}

static bool is_shown(const struct table *t, unsigned cell)
{
	return t->v->keys & texts[cell].key;
}

/* Whether a row has the part of some column that --percent-limit asks for. */
static bool is_enough(const struct table *t, const struct report_data_row *row)
{
	for (unsigned n = 0; n < t->columns; n++) {
		uint64_t count = value(t->r, &t->column[n], row->count);

		if (count && 100.0 * count >= t->v->limit * t->total[n])
			return true;
	}
	return false;
}

static const char *column_name(const struct table *t, unsigned n)
{
	return t->column[n].event == PROFILE_NONE ? t->column[n].name
						  : t->r->p->events.at[t->column[n].event].name;
}

static unsigned column_width(const struct table *t, unsigned n)
{
	unsigned width = strlen(column_name(t, n));

	return width < 12 ? 12 : width;
}

/* The widths of the texts: as wide as the widest one, or what a line has room for. */
static void measure(const struct table *t, const struct report_data_rows *rows, unsigned *widths)
{
	unsigned used = 8, nr = 0, shown[CELLS], given[CELLS];
	char text[CELL];

	for (unsigned c = 0; c < CELLS; c++) {
		widths[c] = strlen(texts[c].name);
		for (size_t n = 0; n < rows->rows.nr; n++) {
			if (!is_shown(t, c) || !is_enough(t, &rows->rows.at[n]))
				continue;
			put_text(t->r, &rows->rows.at[n], c, text);
			widths[c] = fit_width(text) > widths[c] ? fit_width(text) : widths[c];
		}
		if (!t->width && widths[c] > 40)
			widths[c] = 40;
		if (is_shown(t, c)) {
			shown[nr] = c;
			given[nr++] = widths[c];
		}
	}
	for (unsigned n = 0; n < t->columns; n++)
		used += column_width(t, n) + 2;
	used += 2 * nr;
	if (t->width)
		fit_columns(given, nr, t->width > used ? t->width - used : 0, 8);
	for (unsigned n = 0; n < nr; n++)
		widths[shown[n]] = given[n];
}

static void print_texts(const struct table *t, const struct report_data_row *row,
			const unsigned *widths)
{
	unsigned last = 0;

	for (unsigned c = 0; c < CELLS; c++)
		last = is_shown(t, c) ? c : last;
	for (unsigned c = 0; c <= last; c++) {
		char text[CELL], fitted[CELL];
		const char *shown = text;
		unsigned width;

		if (!is_shown(t, c))
			continue;
		if (row)
			put_text(t->r, row, c, text);
		else
			snprintf(text, sizeof(text), "%s", texts[c].name);
		if (t->width && fit_width(text) > widths[c])
			shown = (c == CELLS - 1 ? fit_path : fit_text)(fitted, sizeof(fitted), text,
								       widths[c], t->utf8);
		width = fit_width(shown);
		fprintf(t->to, "  %s%*s", shown,
			c < last && width < widths[c] ? (int)(widths[c] - width) : 0, "");
	}
	fputc('\n', t->to);
}

static void print_rows(struct table *t, struct report_data_rows *rows)
{
	char number[FIT_NUMBER_SIZE];
	unsigned widths[CELLS];
	unsigned long printed = 0, left = 0;

	measure(t, rows, widths);
	fputs("   Share", t->to);
	for (unsigned n = 0; n < t->columns; n++)
		fprintf(t->to, "  %*s", column_width(t, n), column_name(t, n));
	print_texts(t, NULL, widths);
	for (size_t i = 0; i < rows->rows.nr; i++) {
		const struct report_data_row *row = &rows->rows.at[i];

		if (!is_enough(t, row) || (t->v->max_rows && printed == t->v->max_rows)) {
			left++;
			continue;
		}
		fprintf(t->to, "%7.2f%%",
			t->total[0] ? 100.0 * value(t->r, &t->column[0], row->count) / t->total[0]
				    : 0);
		for (unsigned n = 0; n < t->columns; n++)
			fprintf(t->to, "  %*s", column_width(t, n),
				fit_number(number, value(t->r, &t->column[n], row->count)));
		print_texts(t, row, widths);
		printed++;
	}
	report_rows_left(t->to, left);
}

/* Lines */

static void print_harts(FILE *to, unsigned harts)
{
	const char *before = "";

	for (unsigned n = 0; n < 32; n++) {
		if (!(harts >> n & 1))
			continue;
		fprintf(to, "%s%u", before, n);
		before = ", ";
	}
}

static void print_sharer(const struct table *t, const struct report_sharer *s)
{
	const struct report *r = t->r;
	char took[FIT_NUMBER_SIZE], lost[FIT_NUMBER_SIZE], where[16] = "-";

	if (s->bytes)
		snprintf(where, sizeof(where), "%u-%u", s->offset, s->offset + s->bytes - 1);
	fprintf(t->to, "  %7s  %4u  %-13s  %10s  %10s  %s", where, s->hart, report_sharer_does(s),
		fit_number(took, s->took), fit_number(lost, s->lost),
		s->function == PROFILE_NONE ? "-"
					    : report_text(r, r->functions.at[s->function].name));
	if (s->file != PROFILE_NONE)
		fprintf(t->to, "  %s:%d", report_text(r, s->file), s->line);
	if (s->thing != PROFILE_NONE)
		fprintf(t->to, "  %s", thing_name(r, s->thing));
	fputc('\n', t->to);
}

static void print_line(const struct table *t, const struct report_sharing *s,
		       const struct report_shared_line *l)
{
	char number[FIT_NUMBER_SIZE];

	fprintf(t->to, "#\n# %s time%s: 0x%" PRIx64 ", %s", fit_number(number, l->took),
		term_plural(l->took), l->addr, thing_name(t->r, l->thing));
	if (l->comm != PROFILE_NONE)
		fprintf(t->to, " of %s", report_text(t->r, l->comm));
	fputs(", harts ", t->to);
	print_harts(t->to, l->harts);
	fputs(l->overlaps ? ": they use the same bytes\n"
			  : ": false sharing, no hart uses bytes that another one writes\n",
	      t->to);
	fputs("    Bytes  Hart  Does                 Took        Lost  Function\n", t->to);
	for (uint32_t n = 0; n < l->nr && (t->v->max_rows || n < SHARERS_MAX); n++)
		print_sharer(t, &s->sharers.at[l->first + n]);
	if (l->nr > SHARERS_MAX && !t->v->max_rows)
		fprintf(t->to, "  # %u more; --rows shows them\n", l->nr - SHARERS_MAX);
}

static bool print_sharing(const struct table *t)
{
	unsigned long most = t->v->max_rows ? t->v->max_rows : LINES_MAX;
	struct report_sharing s;
	bool good = report_data_sharing(t->r, &s);
	char number[FIT_NUMBER_SIZE];
	uint64_t took = 0;

	for (size_t n = 0; n < s.lines.nr; n++)
		took += s.lines.at[n].took;
	if (good && s.lines.nr)
		fprintf(t->to, "#\n# harts took %zu line%s from each other, %s times in all\n",
			s.lines.nr, term_plural(s.lines.nr), fit_number(number, took));
	for (size_t n = 0; good && n < s.lines.nr && n < most; n++)
		print_line(t, &s, &s.lines.at[n]);
	if (good && s.lines.nr > most)
		fprintf(t->to, "#\n# %s more lines; --rows N shows N\n",
			fit_number(number, s.lines.nr - most));
	report_sharing_free(&s);
	return good;
}

static void note(void *cookie, const char *line)
{
	fprintf(cookie, "# %s\n", line);
}

bool report_out_data_text(struct report *r, const struct report_view *v, FILE *to)
{
	struct table t = { .r = r, .v = v, .to = to, .width = v->width };
	struct report_data_rows rows;
	bool good = report_data_make_rows(r, v->keys, &v->events, &rows);

	t.utf8 = term_has_utf8(to);
	if (v->width == REPORT_AS_TERMINAL)
		t.width = term_width(to);
	if (r->p->command)
		fprintf(to, "# %s\n", r->p->command);
	report_notes(r, note, to);
	if (good && v->keys & REPORT_DATA) {
		choose_columns(&t, &rows);
		if (t.columns)
			qsort_r(rows.rows.at, rows.rows.nr, sizeof(*rows.rows.at), compare, &t);
		print_rows(&t, &rows);
	}
	report_data_rows_free(&rows);
	return good && print_sharing(&t);
}

/* CSV */

static void csv_thing(struct csv *c, const struct report *r, uint32_t n)
{
	const struct report_thing *t = n == PROFILE_NONE ? NULL : &r->data->things.at[n];

	csv_text(c, t ? report_text(r, t->comm) : NULL);
	csv_text(c, t ? report_text(r, t->name) : NULL);
	csv_text(c, t && t->object != PROFILE_NONE ? r->p->objects.at[t->object].path : NULL);
	if (t && t->addr)
		csv_hex(c, t->addr);
	else
		csv_text(c, NULL);
	if (t && t->size)
		csv_number(c, t->size);
	else
		csv_text(c, NULL);
}

static void csv_head(struct csv *c, const struct report *r, const struct report_view *v)
{
	static const struct {
		unsigned key;
		const char *name;
	} names[] = {
		{ REPORT_DATA, "process" },  { REPORT_DATA, "data" },	{ REPORT_DATA, "object" },
		{ REPORT_DATA, "address" },  { REPORT_DATA, "size" },	{ REPORT_OFFSET, "offset" },
		{ REPORT_MEMBER, "member" }, { REPORT_COMM, "comm" },	{ REPORT_OBJECT, "code" },
		{ REPORT_SYMBOL, "symbol" }, { REPORT_LINE, "source" }, { REPORT_LINE, "line" },
	};

	for (size_t n = 0; n < sizeof(names) / sizeof(*names); n++) {
		if (v->keys & names[n].key)
			csv_text(c, names[n].name);
	}
	for (unsigned n = 0; n < v->events.nr; n++)
		csv_text(c, r->p->events.at[v->events.at[n]].name);
	csv_end(c);
}

static void csv_row(struct csv *c, const struct report *r, const struct report_view *v,
		    const struct report_data_row *row)
{
	csv_thing(c, r, row->thing);
	if (v->keys & REPORT_OFFSET)
		csv_number(c, row->offset);
	if (v->keys & REPORT_MEMBER)
		csv_text(c, report_text(r, row->member));
	if (v->keys & REPORT_COMM)
		csv_text(c, report_text(r, row->comm));
	if (v->keys & REPORT_OBJECT)
		csv_text(c,
			 row->object == PROFILE_NONE ? NULL : r->p->objects.at[row->object].path);
	if (v->keys & REPORT_SYMBOL)
		csv_text(c, row->function == PROFILE_NONE
				    ? NULL
				    : report_text(r, r->functions.at[row->function].name));
	if (v->keys & REPORT_LINE) {
		csv_text(c, report_text(r, row->file));
		csv_integer(c, row->line);
	}
	for (unsigned n = 0; n < v->events.nr; n++)
		csv_number(c, row->count[v->events.at[n]]);
	csv_end(c);
}

static void csv_sharer(struct csv *c, const struct report *r, const struct report_shared_line *l,
		       const struct report_sharer *s)
{
	csv_hex(c, l->addr);
	csv_number(c, l->took);
	csv_text(c, l->overlaps ? "true" : "false");
	csv_thing(c, r, s->thing);
	csv_number(c, s->offset);
	csv_number(c, s->bytes);
	csv_number(c, s->hart);
	csv_text(c, report_sharer_does(s));
	csv_number(c, s->took);
	csv_number(c, s->lost);
	csv_text(c, s->function == PROFILE_NONE
			    ? NULL
			    : report_text(r, r->functions.at[s->function].name));
	csv_text(c, report_text(r, s->file));
	csv_integer(c, s->line);
	csv_end(c);
}

static bool csv_sharing(struct csv *c, struct report *r)
{
	static const char *const names[] = { "cacheline", "taken",   "sharing", "process", "data",
					     "object",	  "address", "size",	"offset",  "bytes",
					     "hart",	  "does",    "took",	"lost",	   "symbol",
					     "source",	  "line" };
	struct report_sharing s;
	bool good = report_data_sharing(r, &s);

	for (size_t n = 0; n < sizeof(names) / sizeof(*names); n++)
		csv_text(c, names[n]);
	csv_end(c);
	for (size_t n = 0; good && n < s.lines.nr; n++) {
		const struct report_shared_line *l = &s.lines.at[n];

		for (uint32_t i = l->first; i < l->first + l->nr; i++)
			csv_sharer(c, r, l, &s.sharers.at[i]);
	}
	report_sharing_free(&s);
	return good;
}

bool report_out_data_csv(struct report *r, const struct report_view *v, FILE *to)
{
	struct csv c = csv_to(to, ",");
	struct report_data_rows rows;
	bool good;

	if (!(v->keys & REPORT_DATA))
		return csv_sharing(&c, r);
	good = report_data_make_rows(r, v->keys, &v->events, &rows);
	if (good)
		csv_head(&c, r, v);
	for (size_t n = 0; good && n < rows.rows.nr; n++)
		csv_row(&c, r, v, &rows.rows.at[n]);
	report_data_rows_free(&rows);
	return good;
}

/* JSON */

static void json_thing(struct json *j, const struct report *r, uint32_t n)
{
	const struct report_thing *t = n == PROFILE_NONE ? NULL : &r->data->things.at[n];

	json_text(j, "process", t ? report_text(r, t->comm) : NULL);
	json_text(j, "data", t ? report_text(r, t->name) : NULL);
	json_text(j, "object",
		  t && t->object != PROFILE_NONE ? r->p->objects.at[t->object].path : NULL);
	if (t && t->addr)
		json_hex(j, "address", t->addr);
	if (t && t->size)
		json_number(j, "size", t->size);
}

static void json_code(struct json *j, const struct report *r, uint32_t function, uint32_t file,
		      int line)
{
	json_text(j, "symbol",
		  function == PROFILE_NONE ? NULL : report_text(r, r->functions.at[function].name));
	json_text(j, "source", report_text(r, file));
	json_integer(j, "line", line);
}

static void json_row(struct json *j, const struct report *r, const struct report_view *v,
		     const struct report_data_row *row)
{
	json_open(j, NULL, '{');
	json_thing(j, r, row->thing);
	if (v->keys & REPORT_OFFSET)
		json_number(j, "offset", row->offset);
	if (v->keys & REPORT_MEMBER)
		json_text(j, "member", report_text(r, row->member));
	if (v->keys & REPORT_COMM)
		json_text(j, "comm", report_text(r, row->comm));
	if (v->keys & REPORT_OBJECT)
		json_text(j, "code",
			  row->object == PROFILE_NONE ? NULL : r->p->objects.at[row->object].path);
	if (v->keys & (REPORT_SYMBOL | REPORT_LINE))
		json_code(j, r, row->function, row->file, row->line);
	json_open(j, "count", '[');
	for (unsigned n = 0; n < v->events.nr; n++)
		json_number(j, NULL, row->count[v->events.at[n]]);
	json_close(j, ']');
	json_close(j, '}');
}

static void json_line(struct json *j, const struct report *r, const struct report_sharing *s,
		      const struct report_shared_line *l)
{
	json_open(j, NULL, '{');
	json_hex(j, "address", l->addr);
	json_text(j, "process", report_text(r, l->comm));
	json_number(j, "taken", l->took);
	json_bool(j, "false_sharing", !l->overlaps);
	json_open(j, "accesses", '[');
	for (uint32_t n = l->first; n < l->first + l->nr; n++) {
		const struct report_sharer *a = &s->sharers.at[n];

		json_open(j, NULL, '{');
		json_thing(j, r, a->thing);
		json_number(j, "offset", a->offset);
		json_number(j, "bytes", a->bytes);
		json_number(j, "hart", a->hart);
		json_text(j, "does", report_sharer_does(a));
		json_number(j, "took", a->took);
		json_number(j, "lost", a->lost);
		json_code(j, r, a->function, a->file, a->line);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}

bool report_json_data(struct json *j, struct report *r, const struct report_view *v)
{
	struct report_data_rows rows = { .numbers = NULL };
	struct report_sharing s = { 0 };
	bool good = report_data_make_rows(r, v->keys, &v->events, &rows) &&
		    report_data_sharing(r, &s);

	json_open(j, "data", '[');
	for (size_t n = 0; good && n < rows.rows.nr; n++)
		json_row(j, r, v, &rows.rows.at[n]);
	json_close(j, ']');
	json_number(j, "line_bytes", r->p->data->line_bytes);
	json_open(j, "cachelines", '[');
	for (size_t n = 0; good && n < s.lines.nr; n++)
		json_line(j, r, &s, &s.lines.at[n]);
	json_close(j, ']');
	report_data_rows_free(&rows);
	report_sharing_free(&s);
	return good;
}
