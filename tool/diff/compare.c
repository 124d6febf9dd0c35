// SPDX-License-Identifier: BSD-2-Clause
/*
 * compare.c - compares samples with an exact profile (compare.h).
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "fit.h"
#include "json.h"
#include "term.h"

/* Rows */

/* The kinds of code that an event of the samples covers. */
struct scope {
	bool user, kernel;
};

static struct scope scope_of(const char *event)
{
	const char *modifiers = strchr(event, ':');
	bool u = modifiers && strchr(modifiers, 'u'), k = modifiers && strchr(modifiers, 'k');

	return (struct scope){ u || !k, k || !u };
}

static bool in_scope(const struct scope *s, enum profile_kind kind)
{
	if (kind == PROFILE_KERNEL || kind == PROFILE_MODULE)
		return s->kernel;
	return kind != PROFILE_FIRMWARE && s->user;
}

static bool add_row(struct comparison *c, const struct compare_row *row)
{
	return VEC_PUSH(&c->rows, *row);
}

/* Returns whether a command has samples. */
static bool has_samples(const struct comparison *c, const char *comm)
{
	for (size_t n = 0; n < c->rows.nr && c->rows.at[n].samples; n++) {
		if (!strcmp(c->rows.at[n].comm, comm))
			return true;
	}
	return false;
}

/*
 * Takes the rows of a report.  Call it for the samples first: of the exact profile, it takes only
 * commands that have samples.
 */
static bool take(struct report *r, uint32_t event, const struct scope *scope, bool sampled,
		 struct comparison *c)
{
	const struct report_events events = { { event }, 1 };
	struct report_rows rows;
	bool good = report_make_rows(r, REPORT_COMM | REPORT_OBJECT | REPORT_SYMBOL, &events,
				     &rows);

	for (size_t n = 0; good && n < rows.rows.nr; n++) {
		const struct report_row *from = &rows.rows.at[n];
		struct compare_row row = {
			.comm = report_text(r, from->comm),
			.object = report_object_name(r, from->object),
			.symbol = report_text(r, r->functions.at[from->function].name),
		};

		if (!in_scope(scope, r->p->objects.at[from->object].kind))
			continue;
		if (sampled) {
			row.sampled = from->self[event];
			row.samples = from->samples[event];
			good = !row.samples || add_row(c, &row);
		} else if (has_samples(c, row.comm)) {
			row.exact = from->self[event];
			good = !row.exact || add_row(c, &row);
		}
	}
	report_rows_free(&rows);
	return good;
}

static int by_name(const void *left, const void *right)
{
	const struct compare_row *a = left, *b = right;
	int order = strcmp(a->comm, b->comm);

	order = order ? order : strcmp(a->object, b->object);
	return order ? order : strcmp(a->symbol, b->symbol);
}

static double part(uint64_t n, uint64_t of)
{
	return of ? (double)n / of : 0;
}

static int by_share(const void *left, const void *right, void *cookie)
{
	const struct comparison *c = cookie;
	const struct compare_row *a = left, *b = right;
	double x = part(a->exact, c->exact) + part(a->sampled, c->sampled),
	       y = part(b->exact, c->exact) + part(b->sampled, c->sampled);

	return x != y ? (x < y) - (x > y) : by_name(a, b);
}

/* Merges rows with the same names. */
static void merge(struct comparison *c)
{
	size_t kept = 0;

	if (!c->rows.nr)
		return;
	VEC_SORT(&c->rows, by_name);
	for (size_t n = 1; n < c->rows.nr; n++) {
		struct compare_row *row = &c->rows.at[n], *last = &c->rows.at[kept];

		if (by_name(row, last)) {
			c->rows.at[++kept] = *row;
			continue;
		}
		last->exact += row->exact;
		last->sampled += row->sampled;
		last->samples += row->samples;
	}
	c->rows.nr = kept + 1;
}

/*
 * A function has the share p.  Of n random samples, it gets a share that differs from p.  Returns
 * the mean difference: the mean absolute deviation of a binomial variable, by de Moivre's formula.
 */
static double by_chance(double p, double n)
{
	double more = floor(n * p) + 1;

	if (p <= 0 || p >= 1 || more > n)
		return 0;
	return 2 * more / n *
	       exp(lgamma(n + 1) - lgamma(more + 1) - lgamma(n - more + 1) + more * log(p) +
		   (n - more + 1) * log1p(-p));
}

static void measure(struct comparison *c)
{
	for (size_t n = 0; n < c->rows.nr; n++) {
		double p = part(c->rows.at[n].exact, c->exact);

		c->distance += fabs(p - part(c->rows.at[n].sampled, c->sampled)) / 2;
		if (c->samples)
			c->by_chance += by_chance(p, c->samples) / 2;
	}
}

bool compare(struct report *exact, uint32_t exact_event, struct report *samples,
	     uint32_t samples_event, struct comparison *c)
{
	struct scope scope = scope_of(samples->p->events.at[samples_event].name);

	*c = (struct comparison){ .distance = 0 };
	if (!take(samples, samples_event, &scope, true, c) ||
	    !take(exact, exact_event, &scope, false, c)) {
		compare_free(c);
		return false;
	}
	merge(c);
	for (size_t n = 0; n < c->rows.nr; n++) {
		c->exact += c->rows.at[n].exact;
		c->sampled += c->rows.at[n].sampled;
		c->samples += c->rows.at[n].samples;
	}
	if (c->rows.nr)
		qsort_r(c->rows.at, c->rows.nr, sizeof(*c->rows.at), by_share, c);
	measure(c);
	return true;
}

void compare_free(struct comparison *c)
{
	free(c->rows.at);
	*c = (struct comparison){ .distance = 0 };
}

/* Output */

void compare_out_text(const struct comparison *c, const char *event, const struct report_view *v,
		      FILE *to)
{
	char exact[FIT_NUMBER_SIZE], samples[FIT_NUMBER_SIZE], sampled[FIT_NUMBER_SIZE];
	unsigned long shown = 0;

	fprintf(to, "# %s: %s happened; %s sample%s for %s\n", event, fit_number(exact, c->exact),
		fit_number(samples, c->samples), c->samples == 1 ? " stands" : "s stand",
		fit_number(sampled, c->sampled));
	fprintf(to, "# %.2f%% of the samples' weight is at another function than what happened; ",
		100 * c->distance);
	fprintf(to, "of as many at random it\n# would be about %.2f%%.  They agree in %.2f%%.\n#\n",
		100 * c->by_chance, 100 * (1 - c->distance));
	fprintf(to, "%8s  %8s  %8s  %8s  %-16s %-16s %s\n", "Exact", "Sampled", "Differ", "Samples",
		"Command", "Object", "Symbol");
	for (size_t n = 0; n < c->rows.nr; n++) {
		const struct compare_row *row = &c->rows.at[n];
		double is = 100 * part(row->exact, c->exact);
		double seen = 100 * part(row->sampled, c->sampled);

		if ((is < v->limit && seen < v->limit) || (v->max_rows && shown == v->max_rows))
			continue;
		shown++;
		fprintf(to, "%7.2f%%  %7.2f%%  %+7.2f%%  %8" PRIu64 "  %-16s %-16s %s\n", is, seen,
			seen - is, row->samples, row->comm, row->object, row->symbol);
	}
}

void compare_out_json(const struct comparison *c, const char *event, struct json *j)
{
	json_open(j, NULL, '{');
	json_text(j, "event", event);
	json_number(j, "exact", c->exact);
	json_number(j, "sampled", c->sampled);
	json_number(j, "samples", c->samples);
	json_real(j, "distance", c->distance);
	json_real(j, "by_chance", c->by_chance);
	json_open(j, "functions", '[');
	for (size_t n = 0; n < c->rows.nr; n++) {
		const struct compare_row *row = &c->rows.at[n];

		json_open(j, NULL, '{');
		json_text(j, "command", row->comm);
		json_text(j, "object", row->object);
		json_text(j, "symbol", row->symbol);
		json_number(j, "exact", row->exact);
		json_number(j, "sampled", row->sampled);
		json_number(j, "samples", row->samples);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}
