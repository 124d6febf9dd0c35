// SPDX-License-Identifier: BSD-2-Clause
/*
 * show.c - prints the table of holter stat (stat.h), in a format like that of perf stat.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "stat.h"
#include "term.h"

#define NAME_WIDTH 28
#define NAME_END   (26 + NAME_WIDTH)

struct table {
	struct stat_run *s;
	const struct stat_times *t;
	FILE *to;
	const struct style *style;
	double *values;
	int *with; /* for each metric: the event that it is printed with; -1: none, or it is done */
	const char *notes[32]; /* different reasons */
	unsigned nr_notes;
};

/* Returns the index of the first event in the metric's expression that is counted, or -1. */
static int event_of(const struct stat_run *s, const struct metric *m)
{
	for (unsigned i = 0; i < m->expr.nr; i++) {
		const struct expr_op *op = &m->expr.op[i];

		for (unsigned n = 0; op->kind == EXPR_VALUE && n < s->events.nr; n++) {
			if (!strcmp(s->metrics.values.at[op->value], s->e[n].key))
				return (int)n;
		}
	}
	return -1;
}

/* The width of the column of CPUs or threads. */
static unsigned part_width(const struct stat_run *s)
{
	unsigned width = 6;

	for (unsigned n = 0; s->target.each && n < s->target.pids.nr; n++) {
		if (fit_width(s->threads[n]) > width)
			width = fit_width(s->threads[n]);
	}
	return width + 1;
}

/* Prints the first columns of a line: the time, and the CPU or thread. */
static void row_begins(const struct table *t)
{
	char name[STAT_PART_SIZE];

	if (t->t->interval)
		fprintf(t->to, "%14.6f ", t->t->to);
	if (t->t->part)
		fprintf(t->to, "%-*s", (int)part_width(t->s),
			stat_part_name(t->s, t->t->part, name));
}

/* The columns before a count: row_begins(). */
static unsigned row_at(const struct table *t)
{
	return (t->t->interval ? 15 : 0) + (t->t->part ? part_width(t->s) : 0);
}

/* Prints words that begin at a column, and go on there or at `column`.  Returns where they end. */
static unsigned words(const struct table *t, const char *text, unsigned at, unsigned column)
{
	return fit_wrap(t->to, text, at, column, t->s->width);
}

/* Prints a metric after the column of names.  Returns the column where it ends. */
static unsigned comment(const struct table *t, double value, const char *text)
{
	double size = fabs(value);
	unsigned decimals = size >= 100 ? 1 : size >= 0.01 || !size ? 2 : 4;
	unsigned begin = row_at(t) + NAME_END, at;
	char number[FIT_REAL_SIZE];

	fit_real(number, value, decimals);
	at = fit_width(number) > 10 ? fit_width(number) : 10;
	fprintf(t->to, " # %s%10s%s ", t->style->bold, number, t->style->end);
	return words(t, text, begin + 3 + at + 1, begin + 3);
}

/* Returns the next metric to print with this event, which is then printed; -1: there is none. */
static int next_metric(struct table *t, unsigned event, double *value)
{
	const struct metrics *m = &t->s->metrics;

	for (unsigned n = 0; n < m->list.nr; n++) {
		if (t->with[n] != (int)event ||
		    !stat_metric(t->s, &m->list.at[n], t->values, value))
			continue;
		t->with[n] = -1;
		return (int)n;
	}
	return -1;
}

/*
 * Prints the spread over the runs, and the share of the time that the event was counted, from
 * column at on.
 */
static void how_good(const struct table *t, const struct stat_event *e, unsigned at)
{
	double spread = spread_relative(stat_spread(e, t->t)), share = e->share;
	char text[500] = ""; /* DBL_MAX has 309 digits */
	int len = 0;

	if (t->t->interval && e->enabled)
		share = (double)e->running / e->enabled;
	if (!t->t->interval && isfinite(spread))
		len = snprintf(text, sizeof(text), "  ( +- %5.2f%% )", 100 * spread);
	if (share < 1)
		snprintf(text + len, sizeof(text) - (size_t)len,
			 "  %s(an estimate: counted %.2f%% of the time)%s", t->style->yellow,
			 100 * share, t->style->end);
	words(t, text, at, row_at(t) + NAME_END + 3);
}

static void count_columns(const struct table *t, const struct stat_event *e, const char *name)
{
	double count = stat_count(e, t->t);
	char text[FIT_REAL_SIZE];

	row_begins(t);
	if (stat_is_clock(e))
		fprintf(t->to, "%20s ms   %-28s", fit_real(text, count / 1e6, 2), name);
	else
		fprintf(t->to, "%20s      %-28s", fit_real(text, count, 0), name);
}

static unsigned note_of(struct table *t, const char *reason)
{
	for (unsigned n = 0; n < t->nr_notes; n++) {
		if (!strcmp(t->notes[n], reason))
			return n + 1;
	}
	if (t->nr_notes < sizeof(t->notes) / sizeof(t->notes[0]))
		t->notes[t->nr_notes++] = reason;
	return t->nr_notes;
}

/* An event that -M added, and that this machine does not count: put_left_out() tells of it. */
static bool is_left_out(const struct stat_event *e)
{
	return e->refused && e->group;
}

static void event(struct table *t, unsigned n)
{
	const struct stat_event *e = &t->s->e[n];
	const char *name = t->s->events.at[n].name;
	double value;
	unsigned end = row_at(t) + NAME_END;
	char fitted[4 * NAME_WIDTH + 16];
	int metric;

	if (is_left_out(e))
		return;
	if (t->s->width)
		name = fit_text(fitted, sizeof(fitted), name, NAME_WIDTH, false);
	if (e->reason) {
		row_begins(t);
		fprintf(t->to, "%s%20s      %-28s # [%u]%s\n", t->style->dim, "<not counted>", name,
			note_of(t, e->reason), t->style->end);
		return;
	}
	count_columns(t, e, name);
	metric = next_metric(t, n, &value);
	if (metric >= 0)
		end = comment(t, value, t->s->metrics.list.at[metric].text);
	how_good(t, e, end);
	fputc('\n', t->to);
	while ((metric = next_metric(t, n, &value)) >= 0) {
		row_begins(t);
		fprintf(t->to, "%54s", "");
		comment(t, value, t->s->metrics.list.at[metric].text);
		fputc('\n', t->to);
	}
}

/* Makes the word printable: a shell pattern can put any file name into a command. */
static void put_word(FILE *to, const char *word, bool later)
{
	char *shown = strdup(word);

	term_printable(shown);
	fprintf(to, "%s%s", later ? " " : "", shown ? shown : word);
	free(shown);
}

static void put_title(const struct table *t, FILE *to)
{
	const struct target *target = &t->s->target;

	fputs("Performance counters of ", to);
	if (target->cpus.nr) {
		fprintf(to, "%s", target->cpus.nr > 1 ? "the CPUs" : "CPU");
		for (unsigned n = 0; n < target->cpus.nr; n++)
			fprintf(to, "%s %d", n ? "," : "", target->cpus.at[n]);
	} else if (target->pids.nr) {
		fprintf(to, "%s%s", target->threads ? "thread" : "process",
			target->pids.nr < 2 ? ""
			: target->threads   ? "s"
					    : "es");
		for (unsigned n = 0; n < target->pids.nr; n++)
			fprintf(to, "%s %d", n ? "," : "", (int)target->pids.at[n]);
	} else {
		fputc('\'', to);
		for (char **word = target->command; *word; word++)
			put_word(to, *word, word > target->command);
		fputc('\'', to);
	}
	if (t->s->seconds.nr > 1)
		fprintf(to, " (%u runs)", t->s->seconds.nr);
	fputc(':', to);
}

static void title(const struct table *t)
{
	char *text = NULL;
	size_t len = 0;
	FILE *memory = t->s->width ? open_memstream(&text, &len) : NULL;

	fputs("\n ", t->to);
	if (memory)
		put_title(t, memory);
	if (memory && !fclose(memory))
		words(t, text, 1, 2);
	else
		put_title(t, t->to);
	fputs("\n\n", t->to);
	free(text);
}

static void time_line(const struct table *t, const struct spread *s, const char *what)
{
	double spread = spread_relative(s);

	fprintf(t->to, "%20.9f seconds %s", s->mean, what);
	if (isfinite(spread))
		fprintf(t->to, "  ( +- %5.2f%% )", 100 * spread);
	fputc('\n', t->to);
}

static void times(const struct table *t)
{
	fputc('\n', t->to);
	time_line(t, &t->s->seconds, "elapsed");
	if (!t->s->target.command)
		return;
	time_line(t, &t->s->user, "user");
	time_line(t, &t->s->system, "system");
}

/* Whether a metric lacks an event that was left out. */
static bool lacks_event(const struct stat_run *s, const struct metric *m)
{
	for (unsigned i = 0; i < m->expr.nr; i++) {
		const struct expr_op *op = &m->expr.op[i];

		for (unsigned n = 0; op->kind == EXPR_VALUE && n < s->events.nr; n++) {
			if (is_left_out(&s->e[n]) &&
			    !strcmp(s->metrics.values.at[op->value], s->e[n].key))
				return true;
		}
	}
	return false;
}

/* Writes the names of the metrics from first on that are left out for the same reason. */
static void put_names(const struct stat_run *s, size_t first, bool *told, FILE *to)
{
	const struct metric *list = s->metrics.list.at, *same = &list[first];

	for (size_t n = first; n < s->metrics.list.nr; n++) {
		if (told[n] || list[n].group != same->group || list[n].absent != same->absent ||
		    (same->absent && strcmp(list[n].text, same->text) != 0))
			continue;
		told[n] = true;
		fprintf(to, "%s%s", n > first ? ", " : "", list[n].name);
	}
}

/* One line for each group of -M and reason: the metrics that this machine cannot have. */
static void put_left_out(const struct table *t)
{
	const struct metrics *m = &t->s->metrics;
	bool *told = calloc(m->list.nr + 1, sizeof(*told));

	for (size_t n = 0; told && n < m->list.nr; n++)
		told[n] = !m->list.at[n].name || !m->groups.at[m->list.at[n].group].asked ||
			  !(m->list.at[n].absent || lacks_event(t->s, &m->list.at[n]));
	for (size_t n = 0; told && n < m->list.nr; n++) {
		const struct metric *metric = &m->list.at[n];
		char *text = NULL;
		size_t len;
		FILE *f = told[n] ? NULL : open_memstream(&text, &len);

		if (!f)
			continue;
		fprintf(f, "-M %s: without ", m->groups.at[metric->group].name);
		put_names(t->s, n, told, f);
		fprintf(f, ": %s",
			metric->absent ? metric->text : "this machine does not count their events");
		fclose(f);
		fputs("\n ", t->to);
		words(t, text, 1, 1);
		fputc('\n', t->to);
		free(text);
	}
	free(told);
}

static void notes(const struct table *t)
{
	for (unsigned n = 0; n < t->nr_notes; n++) {
		unsigned at = (unsigned)fprintf(t->to, "%s [%u] ", n ? "" : "\n", n + 1) - !n;

		words(t, t->notes[n], at, at);
		fputc('\n', t->to);
	}
	put_left_out(t);
	if (t->s->apart) {
		fputs("\n ", t->to);
		words(t,
		      "The events of a group of -M do not fit on the counters together: each "
		      "counts by itself,\nand their ratios are of different moments.",
		      1, 1);
		fputc('\n', t->to);
	}
}

/* Prints all events, for one CPU or thread or for all together. */
static void rows(struct table *t)
{
	const struct metrics *m = &t->s->metrics;

	t->values = stat_values(t->s, t->t);
	t->with = malloc((m->list.nr + 1) * sizeof(*t->with));
	for (unsigned n = 0; n < m->list.nr && t->with; n++)
		t->with[n] = event_of(t->s, &m->list.at[n]);
	for (unsigned n = 0; n < t->s->events.nr && t->values && t->with; n++)
		event(t, n);
	free(t->values);
	free(t->with);
}

static void show(struct stat_run *s, const struct stat_times *given, FILE *to)
{
	unsigned nr = stat_parts(s);
	struct stat_times when = *given;
	struct table t = { .s = s, .t = &when, .to = to, .style = style_of(s->to) };

	if (!when.interval)
		title(&t);
	else if (s->runs > 1 && when.from == 0)
		fprintf(to, "# run %u of %u\n", when.run, s->runs);
	if (!nr)
		rows(&t);
	for (when.part = 1; when.part <= nr; when.part++)
		rows(&t);
	if (!when.interval) {
		times(&t);
		notes(&t);
		fputc('\n', to);
	}
}

/* Standard error has no buffer: the table is collected and written at once, if there is memory. */
void stat_show(struct stat_run *s, const struct stat_times *given)
{
	char *text = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&text, &len);
	bool whole = false;

	if (memory) {
		show(s, given, memory);
		whole = !ferror(memory);
		whole &= !fclose(memory);
	}
	if (whole)
		fwrite(text, 1, len, s->to);
	else
		show(s, given, s->to);
	free(text);
}
