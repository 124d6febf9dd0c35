// SPDX-License-Identifier: BSD-2-Clause
/*
 * profiles.c - makes the table of a merged report (diff.h).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"

static struct diff_cell cell_of(const struct profile_event *e, uint64_t count, uint64_t samples)
{
	double period = e->samples ? (double)e->total / (double)e->samples : 0;
	double mean = samples ? (double)count / (double)samples : period;

	return (struct diff_cell){ count, samples,
				   e->exact ? 0 : mean * sqrt((double)(samples ? samples : 1)) };
}

/* The sum of an event: the samples cover all of it but a part of one period. */
static struct diff_cell sum_of(const struct profile_event *e)
{
	return (struct diff_cell){ e->total, e->samples,
				   !e->exact && e->samples ? (double)e->total / (double)e->samples
							   : 0 };
}

double diff_of(const struct diff_row *row, unsigned file, double *noise)
{
	const struct diff_cell *a = &row->cells[0], *b = &row->cells[file];

	*noise = DIFF_SIGMAS * sqrt(a->error * a->error + b->error * b->error);
	return b->count >= a->count ? (double)(b->count - a->count)
				    : -(double)(a->count - b->count);
}

bool diff_is_real(const struct diff_row *row, unsigned file)
{
	double noise, by = diff_of(row, file, &noise);

	return row->cells[0].count != row->cells[file].count && fabs(by) > noise;
}

static double largest(const struct diff *d, const struct diff_row *row)
{
	double most = 0, noise;

	for (unsigned f = 1; f < d->nr; f++)
		most = fmax(most, fabs(diff_of(row, f, &noise)));
	return most;
}

static int by_difference(const void *left, const void *right, void *cookie)
{
	const struct diff_row *a = left, *b = right;
	const struct diff *d = cookie;
	double x, y;

	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	if (!a->names != !b->names)
		return a->names ? 1 : -1;
	x = largest(d, a);
	y = largest(d, b);
	if (x != y)
		return x > y ? -1 : 1;
	if (a->cells[0].count != b->cells[0].count)
		return a->cells[0].count > b->cells[0].count ? -1 : 1;
	/* Rows keep the order of the report, which is deterministic. */
	return a->cells < b->cells ? -1 : a->cells > b->cells;
}

static void add_row(struct diff *d, uint32_t event, const struct report_row *names,
		    struct diff_cell *cells)
{
	const struct profile *p = d->r->p;

	for (unsigned f = 0; f < d->nr; f++) {
		uint32_t e = event * d->nr + f;

		cells[f] = names ? cell_of(&p->events.at[e], names->self[e], names->samples[e])
				 : sum_of(&p->events.at[e]);
	}
	d->rows.at[d->rows.nr++] = (struct diff_row){ event, names, cells };
}

/* Whether a file has something of an event in a row. */
static bool has_some(const struct diff *d, uint32_t event, const struct report_row *row)
{
	bool some = false;

	for (unsigned f = 0; f < d->nr; f++)
		some |= row->self[event * d->nr + f] != 0;
	return some;
}

static void add_rows(struct diff *d)
{
	struct diff_cell *cells = d->cells;

	for (uint32_t e = 0; e < d->events.nr; e++) {
		add_row(d, e, NULL, cells);
		cells += d->nr;
		for (size_t i = 0; i < d->made.rows.nr; i++) {
			if (!has_some(d, e, &d->made.rows.at[i]))
				continue;
			add_row(d, e, &d->made.rows.at[i], cells);
			cells += d->nr;
		}
	}
	qsort_r(d->rows.at, d->rows.nr, sizeof(*d->rows.at), by_difference, d);
}

bool diff_make(struct diff *d, struct report *merged)
{
	struct report_events all = { .nr = 1 };
	size_t rows;

	d->r = merged;
	d->kind = merged->p->events.at[0].exact ? DIFF_EXACT : DIFF_SAMPLES;
	for (uint32_t e = 0; e < merged->p->events.nr; e += d->nr) {
		if (!VEC_PUSH(&d->events, merged->p->events.at[e].name))
			return false;
	}
	if (!report_make_rows(merged, d->keys, &all, &d->made))
		return false;
	rows = d->events.nr * (d->made.rows.nr + 1);
	d->cells = calloc(rows * d->nr, sizeof(*d->cells));
	if (!d->cells || !VEC_ROOM(&d->rows, rows))
		return false;
	add_rows(d);
	return true;
}

void diff_free(struct diff *d)
{
	report_rows_free(&d->made);
	free(d->cells);
	free(d->rows.at);
	free(d->events.at);
}
