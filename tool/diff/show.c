// SPDX-License-Identifier: BSD-2-Clause
/*
 * show.c - writes differences as text, CSV or JSON (diff.h; holter-diff(1) has the fields).
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "csv.h"
#include "diff.h"
#include "fit.h"
#include "json.h"
#include "term.h"

#define NUMBER_WIDTH 15

static const struct {
	unsigned key;
	const char *name, *title;
} keys[] = {
	{ REPORT_COMM, "comm", "Command" },
	{ REPORT_OBJECT, "object", "Object" },
	{ REPORT_SYMBOL, "symbol", "Symbol" },
	{ REPORT_LINE, "source", "Source line" },
};

#define KEYS (sizeof(keys) / sizeof(*keys))

/* Returns the name that a row has for a key; room: for a source line. */
static const char *name_of(const struct diff *d, const struct report_row *row, unsigned key,
			   char *room, size_t size)
{
	const struct report *r = d->r;
	const char *file;

	switch (key) {
	case REPORT_COMM:
		return report_text(r, row->comm);
	case REPORT_OBJECT:
		return report_object_name(r, row->object);
	case REPORT_SYMBOL:
		return report_text(r, r->functions.at[row->function].name);
	default:
		file = report_text(r, row->file);
		if (!file)
			return "-";
		snprintf(room, size, "%s:%d", file, row->line);
		return room;
	}
}

/* Text */

/* Writes a number; ? if it is not known. */
static void put_number(FILE *to, double number, bool sign)
{
	char text[FIT_REAL_SIZE] = "?";

	if (isfinite(number))
		fit_real(text, number, 0);
	fprintf(to, "%*s%s  ", NUMBER_WIDTH - (int)strlen(text), sign && number > 0 ? "+" : "",
		text);
}

static void put_counts(const struct diff *d, const struct diff_row *row, const struct style *style,
		       FILE *to)
{
	char text[FIT_NUMBER_SIZE];
	double noise;

	for (unsigned f = 0; f < d->nr; f++)
		fprintf(to, "%*s  ", NUMBER_WIDTH, fit_number(text, row->cells[f].count));
	for (unsigned f = 1; f < d->nr; f++) {
		double by = diff_of(row, f, &noise);
		bool real = diff_is_real(row, f);

		fputs(!real ? "" : by > 0 ? style->red : style->green, to);
		put_number(to, by, true);
		if (row->cells[0].count)
			fprintf(to, "%+8.2f%%  ", 100 * by / (double)row->cells[0].count);
		else
			fprintf(to, "%9s  ", row->cells[f].count ? "new" : "");
		fputs(real ? style->end : "", to);
		if (d->kind != DIFF_EXACT)
			put_number(to, noise, false);
	}
}

static void put_titles(const struct diff *d, const char *last, FILE *to)
{
	for (unsigned f = 0; f < d->nr; f++)
		fprintf(to, "%*c  ", NUMBER_WIDTH, 'A' + f);
	for (unsigned f = 1; f < d->nr; f++) {
		fprintf(to, "%*s%c - A  %9s  ", NUMBER_WIDTH - 5, "", 'A' + f, "of A");
		if (d->kind != DIFF_EXACT)
			fprintf(to, "%*s  ", NUMBER_WIDTH, "noise");
	}
	fputs(last, to);
}

static void put_head(const struct diff *d, FILE *to)
{
	static const char *const kinds[] = {
		[DIFF_EXACT] = "exact counts, without noise: every difference is real",
		[DIFF_SAMPLES] = "samples: a difference that is not larger than its noise may be "
				 "chance",
		[DIFF_RUNS] = "runs: a difference that is not larger than its noise may be chance; "
			      "?: holter stat -r tells it",
	};

	for (unsigned f = 0; f < d->nr; f++) {
		const struct diff_file *file = &d->files[f];

		fprintf(to, "# %c: %s", 'A' + f, file->path);
		if (file->command)
			fprintf(to, ", %s", file->command);
		if (file->cpu)
			fprintf(to, ", on %s", file->cpu);
		fputc('\n', to);
	}
	fprintf(to, "# %s\n#\n", kinds[d->kind]);
}

static bool differs(const struct diff *d, const struct diff_row *row)
{
	bool some = false;

	for (unsigned f = 1; f < d->nr; f++)
		some |= diff_is_real(row, f);
	return some;
}

/* What a table leaves out. */
struct left_out {
	size_t equal, more;
};

/* Whether a row is shown; counts those that are not. */
static bool is_shown(const struct diff *d, const struct diff_view *v, const struct diff_row *row,
		     size_t *shown, struct left_out *out)
{
	if (!v->equal && !differs(d, row))
		out->equal++;
	else if (v->max_rows && *shown == v->max_rows)
		out->more++;
	else
		return (*shown)++, true;
	return false;
}

static void put_left_out(const struct diff *d, const struct left_out *out, FILE *to)
{
	const char *are = out->equal == 1 ? "is equal" : "are equal";

	if (out->more)
		fprintf(to, "# %zu more row%s%s; --rows chooses how many\n", out->more,
			term_plural(out->more), d->keys ? " with smaller differences" : "");
	if (out->equal)
		fprintf(to, "# %zu more row%s %s; --equal shows %s\n", out->equal,
			term_plural(out->equal),
			d->kind == DIFF_EXACT ? are : "without a difference beyond noise",
			out->equal == 1 ? "it" : "them");
}

/* Writes the sums: all of them, if rows of functions follow. */
static void put_sums(const struct diff *d, const struct diff_view *v, const struct style *style,
		     FILE *to)
{
	struct left_out out = { 0 };
	size_t shown = 0;

	put_titles(d, "Event\n", to);
	for (size_t i = 0; i < d->rows.nr; i++) {
		const struct diff_row *row = &d->rows.at[i];

		if (row->names || (!d->keys && !is_shown(d, v, row, &shown, &out)))
			continue;
		put_counts(d, row, style, to);
		fprintf(to, "%s\n", d->events.at[row->event]);
	}
	put_left_out(d, &out, to);
}

static void put_names(const struct diff *d, const struct report_row *row, FILE *to)
{
	char room[4608];
	bool later = false;

	for (size_t k = 0; k < KEYS; k++) {
		if (!(d->keys & keys[k].key))
			continue;
		fprintf(to, "%s%s", later ? "  " : "",
			row ? name_of(d, row, keys[k].key, room, sizeof(room)) : keys[k].title);
		later = true;
	}
	fputc('\n', to);
}

/* Writes the rows of one event, which begin at index i.  Returns the index after them. */
static size_t put_event(const struct diff *d, const struct diff_view *v, size_t i,
			const struct style *style, FILE *to)
{
	uint32_t event = d->rows.at[i].event;
	struct left_out out = { 0 };
	size_t shown = 0;

	fprintf(to, "\n# %s\n", d->events.at[event]);
	put_titles(d, "", to);
	put_names(d, NULL, to);
	for (i++; i < d->rows.nr && d->rows.at[i].event == event; i++) {
		if (!is_shown(d, v, &d->rows.at[i], &shown, &out))
			continue;
		put_counts(d, &d->rows.at[i], style, to);
		put_names(d, d->rows.at[i].names, to);
	}
	put_left_out(d, &out, to);
	return i;
}

void diff_text(const struct diff *d, const struct diff_view *v, FILE *to)
{
	const struct style *style = style_of(to);

	put_head(d, to);
	put_sums(d, v, style, to);
	for (size_t i = 0; d->keys && i < d->rows.nr;)
		i = put_event(d, v, i, style, to);
}

/* CSV */

void diff_csv(const struct diff *d, FILE *to)
{
	struct csv c = csv_to(to, ",");
	char text[4608];
	double noise;

	csv_text(&c, "event");
	for (size_t k = 0; k < KEYS; k++) {
		if (d->keys & keys[k].key)
			csv_text(&c, keys[k].name);
	}
	for (unsigned f = 0; f < d->nr; f++) {
		static const char *const names[] = { "%c", "%c difference", "%c noise", "%c real" };

		for (unsigned k = 0; k < (f ? 4 : 1); k++) {
			snprintf(text, sizeof(text), names[k], 'A' + f);
			csv_text(&c, text);
		}
	}
	csv_end(&c);
	for (size_t i = 0; i < d->rows.nr; i++) {
		const struct diff_row *row = &d->rows.at[i];

		csv_text(&c, d->events.at[row->event]);
		for (size_t k = 0; k < KEYS; k++) {
			if (d->keys & keys[k].key)
				csv_text(&c, row->names ? name_of(d, row->names, keys[k].key, text,
								  sizeof(text))
							: NULL);
		}
		for (unsigned f = 0; f < d->nr; f++) {
			csv_number(&c, row->cells[f].count);
			if (!f)
				continue;
			csv_integer(&c, (int64_t)(row->cells[f].count - row->cells[0].count));
			diff_of(row, f, &noise);
			csv_real(&c, noise);
			csv_text(&c, diff_is_real(row, f) ? "yes" : "no");
		}
		csv_end(&c);
	}
}

/* JSON */

static void json_row(const struct diff *d, const struct diff_row *row, struct json *j)
{
	char room[4608];
	double noise;

	json_open(j, NULL, '{');
	json_text(j, "event", d->events.at[row->event]);
	for (size_t k = 0; row->names && k < KEYS; k++) {
		if (d->keys & keys[k].key)
			json_text(j, keys[k].name,
				  name_of(d, row->names, keys[k].key, room, sizeof(room)));
	}
	json_open(j, "counts", '[');
	for (unsigned f = 0; f < d->nr; f++)
		json_number(j, NULL, row->cells[f].count);
	json_close(j, ']');
	json_open(j, "samples", '[');
	for (unsigned f = 0; f < d->nr; f++)
		json_number(j, NULL, row->cells[f].samples);
	json_close(j, ']');
	json_open(j, "differences", '[');
	for (unsigned f = 1; f < d->nr; f++)
		json_integer(j, NULL, (int64_t)(row->cells[f].count - row->cells[0].count));
	json_close(j, ']');
	json_open(j, "noise", '[');
	for (unsigned f = 1; f < d->nr; f++) {
		diff_of(row, f, &noise);
		json_real(j, NULL, noise);
	}
	json_close(j, ']');
	json_open(j, "real", '[');
	for (unsigned f = 1; f < d->nr; f++)
		json_bool(j, NULL, diff_is_real(row, f));
	json_close(j, ']');
	json_close(j, '}');
}

void diff_json(const struct diff *d, FILE *to)
{
	struct json j = json_to(to);

	json_open(&j, NULL, '{');
	json_open(&j, "files", '[');
	for (unsigned f = 0; f < d->nr; f++) {
		char name[2] = { (char)('A' + f), '\0' };

		json_open(&j, NULL, '{');
		json_text(&j, "name", name);
		json_text(&j, "file", d->files[f].path);
		json_text(&j, "command", d->files[f].command);
		json_text(&j, "cpu", d->files[f].cpu);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_bool(&j, "exact", d->kind == DIFF_EXACT);
	for (unsigned sums = 2; sums--;) {
		json_open(&j, sums ? "sums" : "rows", '[');
		for (size_t i = 0; i < d->rows.nr; i++) {
			if (sums != (d->rows.at[i].names != NULL))
				json_row(d, &d->rows.at[i], &j);
		}
		json_close(&j, ']');
	}
	json_close(&j, '}');
}
