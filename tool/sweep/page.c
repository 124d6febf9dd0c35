// SPDX-License-Identifier: BSD-2-Clause
/*
 * page.c - the results of a sweep as a page: a plot of each column, and the table (sweep.h).  It
 * has no scripts and asks no network.
 *
 * The values of the first axis stand from left to right, at equal distances; each combination of
 * the others is a line.  The scale begins at 0.
 */
#include <math.h>
#include <string.h>

#include "fit.h"
#include "sweep.h"
#include "term.h"

#define WIDTH  640.0 /* of a plot, in pixels */
#define HEIGHT 300.0
#define LEFT   110.0 /* the space of the scale */
#define RIGHT  20.0
#define TOP    14.0
#define BOTTOM 46.0
#define TICKS  4

static const char style[] =
	"body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:84rem;padding:0 1rem;"
	"color:#222;background:#fff}h1{font-size:1.3rem}h2{font-size:1rem;margin:0}"
	"figure{display:inline-block;margin:0 1.5rem 1.5rem 0;max-width:100%}svg{max-width:100%}"
	"svg text{font-size:12px;fill:currentColor}.grid{stroke:#8886}.line{fill:none;"
	"stroke-width:2}table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:right;"
	"border-bottom:1px solid #8884}th:not([scope]),td.name{text-align:left}"
	".wide{overflow-x:auto}ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:0 "
	"1.5rem}li span{display:inline-block;width:1rem;height:.7rem;margin-right:.4rem}"
	"@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}}"
	"@media print{body{margin:0}}";

/* Colours that also people with red-green blindness tell apart (Okabe and Ito). */
static const char *const colours[] = { "#0072b2", "#d55e00", "#009e73", "#cc79a7",
				       "#e69f00", "#56b4e9", "#8a7f00", "#777777" };

#define COLOURS (sizeof(colours) / sizeof(*colours))

struct page {
	const struct sweep_results *r;
	FILE *to;
	unsigned lines, points; /* combinations of the other axes; values of the first */
};

/* Text of an element or of an attribute in quotes. */
static void put_text(FILE *to, const char *text)
{
	char shown[SWEEP_NAME_SIZE];

	snprintf(shown, sizeof(shown), "%s", text);
	term_printable(shown);
	for (const char *c = shown; *c; c++) {
		if (strchr("<>&\"'", *c))
			fprintf(to, "&#%d;", *c);
		else
			fputc(*c, to);
	}
}

/* The name of a line: the values of all axes but the first. */
static void put_line_name(const struct page *p, unsigned line)
{
	const struct sweep *s = p->r->s;

	for (unsigned n = 1; n < s->nr_axes; n++) {
		fputs(n > 1 ? " " : "", p->to);
		put_text(p->to, s->axes[n].name);
		fputc('=', p->to);
		put_text(p->to, sweep_value(s, line + 1, n));
	}
}

/* The highest number of the scale: 1, 2 or 5 times a power of ten, times TICKS. */
static double scale_of(const struct page *p, const struct sweep_column *column)
{
	double most = 0, value, step, power;

	for (unsigned n = 0; n < p->r->s->jobs; n++) {
		if (sweep_number(&p->r->rows[n], column, &value) && value > most)
			most = value;
	}
	if (most <= 0)
		return 1;
	power = pow(10, floor(log10(most / TICKS)));
	step = most / TICKS / power;
	return (step <= 1     ? 1
		: step <= 2   ? 2
		: step <= 2.5 ? 2.5
		: step <= 5   ? 5
			      : 10) *
	       power * TICKS;
}

static double x_of(const struct page *p, unsigned point)
{
	double room = WIDTH - LEFT - RIGHT;

	return LEFT + (p->points > 1 ? room * point / (p->points - 1) : room / 2);
}

static double y_of(double value, double scale)
{
	return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / scale;
}

static void put_scale(const struct page *p, double scale, bool real)
{
	const struct sweep_axis *axis = &p->r->s->axes[0];
	unsigned every = p->points / 12 + 1;
	char text[FIT_REAL_SIZE];

	for (unsigned n = 0; n <= TICKS; n++) {
		double value = scale * n / TICKS, y = y_of(value, scale);

		fprintf(p->to,
			"<path class=\"grid\" d=\"M%.0f %.1fH%.0f\"/>"
			"<text x=\"%.0f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
			LEFT, y, WIDTH - RIGHT, LEFT - 6, y + 4,
			fit_real(text, value, real ? 3 : 0));
	}
	for (unsigned n = 0; n < p->points; n += every) {
		fprintf(p->to, "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">", x_of(p, n),
			HEIGHT - BOTTOM + 18);
		put_text(p->to, axis->values.at[n]);
		fputs("</text>\n", p->to);
	}
	fprintf(p->to, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\">",
		LEFT + (WIDTH - LEFT - RIGHT) / 2, HEIGHT - 6);
	put_text(p->to, axis->name);
	fputs("</text>\n", p->to);
}

static void put_point(const struct page *p, const struct sweep_column *column, unsigned job,
		      double x, double y, double value)
{
	char name[SWEEP_NAME_SIZE], text[FIT_REAL_SIZE];

	fprintf(p->to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>", x, y);
	put_text(p->to, sweep_name(p->r->s, job, name));
	fprintf(p->to, ": %s ", fit_real(text, value, column->cycles ? 3 : 0));
	put_text(p->to, column->name);
	fputs("</title></circle>\n", p->to);
}

/* A job without a result is a gap in its line. */
static void put_line(const struct page *p, const struct sweep_column *column, unsigned line,
		     double scale)
{
	const char *colour = colours[line % COLOURS];
	bool gap = true;
	double value;

	fprintf(p->to, "<path class=\"line\" stroke=\"%s\" d=\"", colour);
	for (unsigned n = 0; n < p->points; n++) {
		if (!sweep_number(&p->r->rows[n * p->lines + line], column, &value)) {
			gap = true;
			continue;
		}
		fprintf(p->to, "%c%.1f %.1f", gap ? 'M' : 'L', x_of(p, n), y_of(value, scale));
		gap = false;
	}
	fprintf(p->to, "\"/><g fill=\"%s\">\n", colour);
	for (unsigned n = 0; n < p->points; n++) {
		unsigned job = n * p->lines + line;

		if (sweep_number(&p->r->rows[job], column, &value))
			put_point(p, column, job + 1, x_of(p, n), y_of(value, scale), value);
	}
	fputs("</g>\n", p->to);
}

static void put_plot(const struct page *p, const struct sweep_column *column)
{
	double scale = scale_of(p, column);

	fputs("<figure><h2>", p->to);
	put_text(p->to, column->name);
	fprintf(p->to,
		"</h2>\n<svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" role=\"img\" "
		"aria-label=\"",
		WIDTH, HEIGHT, WIDTH);
	put_text(p->to, column->name);
	fputs("\">\n", p->to);
	put_scale(p, scale, column->cycles);
	for (unsigned n = 0; n < p->lines; n++)
		put_line(p, column, n, scale);
	fputs("</svg></figure>\n", p->to);
}

static void put_legend(const struct page *p)
{
	if (p->lines < 2)
		return;
	fputs("<ul>\n", p->to);
	for (unsigned n = 0; n < p->lines; n++) {
		fprintf(p->to, "<li><span style=\"background:%s\"></span>", colours[n % COLOURS]);
		put_line_name(p, n);
		fputs("</li>\n", p->to);
	}
	fputs("</ul>\n", p->to);
}

/* The table */

static void put_cell(const struct page *p, const char *tag, const char *text)
{
	fprintf(p->to, "<%s>", tag);
	put_text(p->to, text);
	fprintf(p->to, "</%.2s>", tag);
}

static void put_row(const struct page *p, unsigned job)
{
	const struct sweep_row *row = &p->r->rows[job - 1];
	char text[FIT_REAL_SIZE], state[256];
	double value;

	fputs("<tr>", p->to);
	for (unsigned n = 0; n < p->r->s->nr_axes; n++)
		put_cell(p, "td class=\"name\"", sweep_value(p->r->s, job, n));
	for (size_t n = 0; n < p->r->columns.nr && row->state == SWEEP_DONE; n++) {
		const struct sweep_column *column = &p->r->columns.at[n];
		bool has = sweep_number(row, column, &value);

		put_cell(p, "td", has ? fit_real(text, value, column->cycles ? 3 : 0) : "-");
	}
	sweep_state_text(row, state);
	if (row->state != SWEEP_DONE)
		put_cell(p, "td class=\"name\" colspan=\"99\"", state);
	fputs("</tr>\n", p->to);
}

static void put_table(const struct page *p)
{
	fputs("<div class=\"wide\"><table>\n<tr>", p->to);
	for (unsigned n = 0; n < p->r->s->nr_axes; n++)
		put_cell(p, "th", p->r->s->axes[n].name);
	for (size_t n = 0; n < p->r->columns.nr; n++)
		put_cell(p, "th scope=\"col\"", p->r->columns.at[n].name);
	fputs("</tr>\n", p->to);
	for (unsigned job = 1; job <= p->r->s->jobs; job++)
		put_row(p, job);
	fputs("</table></div>\n", p->to);
}

void sweep_page(const struct sweep_results *r, FILE *to)
{
	struct page p = { r, to, 1, (unsigned)r->s->axes[0].values.nr };

	p.lines = r->s->jobs / p.points;
	fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'\">\n<title>holter sweep: ",
	      to);
	sweep_title(r->s, to, put_text);
	fprintf(to, "</title>\n<style>%s</style></head>\n<body><h1>", style);
	sweep_title(r->s, to, put_text);
	fprintf(to, "</h1>\n<p>%u machine%s, exact counts", r->s->jobs, term_plural(r->s->jobs));
	if (r->done < r->s->jobs)
		fprintf(to, "; %u without a result", r->s->jobs - r->done);
	fputs("</p>\n", to);
	put_legend(&p);
	for (size_t n = 0; n < r->columns.nr; n++)
		put_plot(&p, &r->columns.at[n]);
	put_table(&p);
	fputs("</body></html>\n", to);
}
