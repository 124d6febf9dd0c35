// SPDX-License-Identifier: BSD-2-Clause
/*
 * show.c - the results of a sweep as text, CSV or JSON (sweep.h; holter-sweep(1) has the fields).
 */
#include <string.h>

#include "csv.h"
#include "fit.h"
#include "json.h"
#include "sweep.h"
#include "term.h"

/* Puts a word of the command line as it can be shown. */
static void put_word(FILE *to, void (*put)(FILE *to, const char *text), const char *before,
		     const char *word)
{
	char shown[256];

	snprintf(shown, sizeof(shown), "%.250s", word);
	term_printable(shown);
	put(to, before);
	put(to, shown);
}

void sweep_title(const struct sweep *s, FILE *to, void (*put)(FILE *to, const char *text))
{
	const char *set = " with ";

	for (size_t n = 0; n < s->command.nr; n++)
		put_word(to, put, n ? " " : "", s->command.at[n]);
	for (size_t n = 0; n + 1 < s->machine.nr; n += 2) {
		if (!strcmp(s->machine.at[n], "--cpu"))
			put_word(to, put, " on ", s->machine.at[n + 1]);
	}
	for (size_t n = 0; n + 1 < s->machine.nr; n += 2) {
		if (strcmp(s->machine.at[n], "--set") != 0)
			continue;
		put_word(to, put, set, s->machine.at[n + 1]);
		set = " ";
	}
}

void sweep_state_text(const struct sweep_row *row, char to[256])
{
	if (row->state == SWEEP_FAILED)
		snprintf(to, 256, "failed: %s", row->why);
	else
		snprintf(to, 256, "has not run");
}

/* Text */

static void put_plain(FILE *to, const char *text)
{
	fputs(text, to);
}

static unsigned width_of_axis(const struct sweep_axis *axis)
{
	unsigned width = fit_width(axis->name);

	for (size_t n = 0; n < axis->values.nr; n++) {
		unsigned value = fit_width(axis->values.at[n]);

		width = value > width ? value : width;
	}
	return width;
}

/* A text in a column; its width is in characters, not in bytes. */
static void put_left(FILE *to, const char *text, unsigned width)
{
	unsigned has = fit_width(text);

	fprintf(to, "%s%*s  ", text, has < width ? (int)(width - has) : 0, "");
}

static unsigned width_of_column(const struct sweep_column *column)
{
	unsigned width = fit_width(column->name), least = column->cycles ? 6 : 17;

	return width > least ? width : least;
}

static void put_numbers(const struct sweep_results *r, const struct sweep_row *row, FILE *to)
{
	char text[FIT_REAL_SIZE];
	double value, first;

	for (size_t n = 0; n < r->columns.nr; n++) {
		const struct sweep_column *column = &r->columns.at[n];

		if (!sweep_number(row, column, &value))
			strcpy(text, "-");
		else
			fit_real(text, value, column->cycles ? 3 : 0);
		fprintf(to, "%*s  ", (int)width_of_column(column), text);
		if (n)
			continue;
		for (unsigned i = 0; i < r->s->jobs; i++) {
			if (!sweep_number(&r->rows[i], column, &first))
				continue;
			if (first && sweep_number(row, column, &value))
				fprintf(to, "%7.1f%%  ", 100 * value / first);
			else
				fprintf(to, "%8s  ", "-");
			break;
		}
	}
}

static void put_titles(const struct sweep_results *r, FILE *to)
{
	for (unsigned n = 0; n < r->s->nr_axes; n++)
		put_left(to, r->s->axes[n].name, width_of_axis(&r->s->axes[n]));
	for (size_t n = 0; n < r->columns.nr; n++) {
		fprintf(to, "%*s  ", (int)width_of_column(&r->columns.at[n]),
			r->columns.at[n].name);
		if (!n)
			fprintf(to, "%8s  ", "of first");
	}
	fputc('\n', to);
}

void sweep_text(const struct sweep_results *r, FILE *to)
{
	const struct sweep *s = r->s;
	char text[256];

	fputs("# ", to);
	sweep_title(s, to, put_plain);
	fprintf(to, "\n# %u machine%s, exact counts", s->jobs, term_plural(s->jobs));
	if (r->done < s->jobs)
		fprintf(to, "; %u without a result", s->jobs - r->done);
	fputs("\n#\n", to);
	put_titles(r, to);
	for (unsigned job = 1; job <= s->jobs; job++) {
		const struct sweep_row *row = &r->rows[job - 1];

		for (unsigned n = 0; n < s->nr_axes; n++)
			put_left(to, sweep_value(s, job, n), width_of_axis(&s->axes[n]));
		if (row->state == SWEEP_DONE) {
			put_numbers(r, row, to);
		} else {
			sweep_state_text(row, text);
			fprintf(to, "%s; %04u.log", text, job);
		}
		fputc('\n', to);
	}
}

/* CSV */

void sweep_csv(const struct sweep_results *r, FILE *to)
{
	struct csv c = csv_to(to, ",");
	char text[256];
	double value;

	csv_text(&c, "job");
	for (unsigned n = 0; n < r->s->nr_axes; n++)
		csv_text(&c, r->s->axes[n].name);
	for (size_t n = 0; n < r->columns.nr; n++)
		csv_text(&c, r->columns.at[n].name);
	csv_text(&c, "state");
	csv_end(&c);
	for (unsigned job = 1; job <= r->s->jobs; job++) {
		const struct sweep_row *row = &r->rows[job - 1];

		csv_number(&c, job);
		for (unsigned n = 0; n < r->s->nr_axes; n++)
			csv_text(&c, sweep_value(r->s, job, n));
		for (size_t n = 0; n < r->columns.nr; n++) {
			if (!sweep_number(row, &r->columns.at[n], &value))
				csv_text(&c, NULL);
			else if (r->columns.at[n].cycles)
				csv_real(&c, value);
			else
				csv_number(&c, (uint64_t)value);
		}
		sweep_state_text(row, text);
		csv_text(&c, row->state == SWEEP_DONE ? "done" : text);
		csv_end(&c);
	}
}

/* JSON */

static void json_words(struct json *j, const char *key, const struct measure_words *words)
{
	json_open(j, key, '[');
	for (size_t n = 0; n < words->nr; n++)
		json_text(j, NULL, words->at[n]);
	json_close(j, ']');
}

static void json_job(struct json *j, const struct sweep_results *r, unsigned job)
{
	static const char *const states[] = { "done", "failed", "not run" };
	const struct sweep_row *row = &r->rows[job - 1];
	double value;

	json_open(j, NULL, '{');
	json_number(j, "job", job);
	json_open(j, "values", '[');
	for (unsigned n = 0; n < r->s->nr_axes; n++)
		json_text(j, NULL, sweep_value(r->s, job, n));
	json_close(j, ']');
	json_text(j, "state", states[row->state]);
	json_text(j, "why", row->state == SWEEP_FAILED ? row->why : NULL);
	json_open(j, "counts", '[');
	for (size_t n = 0; n < r->columns.nr; n++) {
		if (!sweep_number(row, &r->columns.at[n], &value))
			json_null(j, NULL);
		else if (r->columns.at[n].cycles)
			json_real(j, NULL, value);
		else
			json_number(j, NULL, (uint64_t)value);
	}
	json_close(j, ']');
	json_close(j, '}');
}

void sweep_json(const struct sweep_results *r, FILE *to)
{
	struct json j = json_to(to);

	json_open(&j, NULL, '{');
	json_words(&j, "machine", &r->s->machine);
	json_words(&j, "command", &r->s->command);
	json_open(&j, "axes", '[');
	for (unsigned n = 0; n < r->s->nr_axes; n++)
		json_text(&j, NULL, r->s->axes[n].name);
	json_close(&j, ']');
	json_open(&j, "columns", '[');
	for (size_t n = 0; n < r->columns.nr; n++)
		json_text(&j, NULL, r->columns.at[n].name);
	json_close(&j, ']');
	json_open(&j, "jobs", '[');
	for (unsigned job = 1; job <= r->s->jobs; job++)
		json_job(&j, r, job);
	json_close(&j, ']');
	json_close(&j, '}');
}
