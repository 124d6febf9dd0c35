// SPDX-License-Identifier: BSD-2-Clause
/*
 * text.c - prints tables for a terminal: rows, or the call tree (report.h).
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "fit.h"
#include "out.h"
#include "report.h"
#include "term.h"

struct text {
	struct report *r;
	const struct report_view *v;
	const struct style *style;
	FILE *to;
	unsigned width; /* of a line; 0: lines are not cut */
	bool utf8;
};

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * part / whole : 0;
}

static void note(void *cookie, const char *line)
{
	struct text *t = cookie;

	fprintf(t->to, "# %s\n", line);
}

/* Whether an exact event counts cycles of one cause; those of wait-read-PLACE are in wait-read. */
static bool is_cause(const struct profile_event *e)
{
	return e->exact && !strncmp(e->name, "wait-", 5) && strncmp(e->name, "wait-read-", 10);
}

/* The largest cause that has less than `below` cycles; of equal ones, the one after `after`. */
static const struct profile_event *next_cause(const struct profile *p, uint64_t below,
					      const struct profile_event *after)
{
	const struct profile_event *next = NULL;

	for (size_t n = 0; n < p->events.nr; n++) {
		const struct profile_event *e = &p->events.at[n];

		if (!is_cause(e) || !e->total || e->total > below ||
		    (e->total == below && e <= after))
			continue;
		if (!next || e->total > next->total)
			next = e;
	}
	return next;
}

/* Where all cycles of an exact profile go: the CPI stack. */
static void stack(struct text *t, const struct profile_event *cycles)
{
	const struct profile *p = t->r->p;
	const struct profile_event *e = NULL;
	uint64_t issuing = cycles->total, below = UINT64_MAX;

	for (size_t n = 0; n < p->events.nr; n++)
		issuing -= is_cause(&p->events.at[n]) ? p->events.at[n].total : 0;
	if (issuing == cycles->total)
		return;
	fprintf(t->to, "# of these cycles: %.1f%% issuing", percent(issuing, cycles->total));
	while ((e = next_cause(p, below, e)) && percent(e->total, cycles->total) >= 0.1) {
		fprintf(t->to, ", %.1f%% %s", percent(e->total, cycles->total), e->name);
		below = e->total;
	}
	fputc('\n', t->to);
}

static void head(struct text *t)
{
	const struct profile *p = t->r->p;
	const char *machine = p->hostname ? p->hostname : p->cpu ? p->cpu : "a machine";
	char number[FIT_NUMBER_SIZE], samples[FIT_NUMBER_SIZE];

	if (p->command)
		fprintf(t->to, "# %s\n", p->command);
	if (p->hostname || p->cpu || p->release || p->arch)
		fprintf(t->to, "# on %s%s%s%s%s\n", machine, p->release ? ", Linux " : "",
			p->release ? p->release : "", p->arch ? ", " : "", p->arch ? p->arch : "");
	for (unsigned i = 0; i < t->v->events.nr; i++) {
		const struct profile_event *e = &p->events.at[t->v->events.at[i]];

		fit_number(number, e->total);
		fit_number(samples, e->samples);
		if (!e->exact) {
			fprintf(t->to, "# %s: about %s, from %s sample%s\n", e->name, number,
				samples, term_plural(e->samples));
			continue;
		}
		fprintf(t->to, "# %s: %s, all of them\n", e->name, number);
		if (!strcmp(e->name, "cycles"))
			stack(t, e);
	}
	report_notes(t->r, note, t);
	if (t->v->events.nr < p->events.nr)
		fprintf(t->to, "# %zu more event%s; --events lists all, -e chooses\n",
			p->events.nr - t->v->events.nr,
			term_plural(p->events.nr - t->v->events.nr));
	fputs("#\n", t->to);
}

static const char *hot(const struct text *t, double part)
{
	return part >= 5 ? t->style->red : part >= 0.5 ? t->style->green : "";
}

static void cell(struct text *t, double part)
{
	const char *colour = hot(t, part);

	fprintf(t->to, "%s%7.2f%%%s  ", colour, part, *colour ? t->style->end : "");
}

/*
 * A column of texts.  It is as wide as the widest text that is printed, up to a limit.  If lines
 * have a width, the columns get narrower until they fit, and their texts are cut.  The last column
 * is not padded.
 */
struct column {
	const char *name;
	unsigned key;
	unsigned width;
};

#define COLUMNS	  6
#define WIDTH_MAX 40 /* of a column that is padded, if lines have no width */
#define WIDTH_MIN 8

static const char *word(struct text *t, const struct report_row *row, unsigned key, char *room,
			size_t size)
{
	const struct report *r = t->r;

	switch (key) {
	case REPORT_COMM:
		return report_text(r, row->comm);
	case REPORT_PID:
		snprintf(room, size, "%" PRId64, row->pid);
		return room;
	case REPORT_OBJECT:
		return report_object_name(r, row->object);
	case REPORT_SYMBOL:
		return report_text(r, r->functions.at[row->function].name);
	case REPORT_ADDR:
		snprintf(room, size, "0x%" PRIx64, row->addr);
		return room;
	default:
		if (row->file == PROFILE_NONE)
			return "-";
		snprintf(room, size, "%s:%d", report_text(r, row->file), row->line);
		return room;
	}
}

static bool shown(const struct text *t, const struct report_row *row)
{
	for (unsigned i = 0; i < t->v->events.nr; i++) {
		uint32_t e = t->v->events.at[i];

		if (row->total[e] &&
		    percent(row->total[e], t->r->p->events.at[e].total) >= t->v->limit)
			return true;
	}
	return false;
}

static void column_heads(struct text *t, const struct column *columns, unsigned nr)
{
	const struct profile *p = t->r->p;

	if (t->v->events.nr > 1) {
		for (unsigned i = 0; i < t->v->events.nr; i++)
			fprintf(t->to, "%-*.*s  ", p->has_chains ? 18 : 8, p->has_chains ? 18 : 8,
				p->events.at[t->v->events.at[i]].name);
		fputc('\n', t->to);
	}
	for (unsigned i = 0; i < t->v->events.nr; i++)
		fputs(p->has_chains ? "   Total      Self  " : "   Share  ", t->to);
	if (t->v->events.nr == 1)
		fprintf(t->to, "%14s  ",
			p->events.at[t->v->events.at[0]].exact ? "Count" : "Samples");
	for (unsigned i = 0; i < nr; i++)
		fprintf(t->to, "%-*s%s", i + 1 < nr ? (int)columns[i].width : 0, columns[i].name,
			i + 1 < nr ? "  " : "\n");
}

static void print_row(struct text *t, const struct report_row *row, const struct column *columns,
		      unsigned nr)
{
	const struct profile *p = t->r->p;
	char room[4200], fitted[4200], number[FIT_NUMBER_SIZE];

	for (unsigned i = 0; i < t->v->events.nr; i++) {
		uint32_t e = t->v->events.at[i];

		if (p->has_chains)
			cell(t, percent(row->total[e], p->events.at[e].total));
		cell(t, percent(row->self[e], p->events.at[e].total));
	}
	if (t->v->events.nr == 1) {
		uint32_t e = t->v->events.at[0];

		fprintf(t->to, "%14s  ",
			fit_number(number, p->events.at[e].exact ? row->self[e] : row->samples[e]));
	}
	for (unsigned i = 0; i < nr; i++) {
		const char *text = word(t, row, columns[i].key, room, sizeof(room));
		unsigned width = fit_width(text);

		if (t->width && width > columns[i].width) {
			text = (columns[i].key == REPORT_LINE ? fit_path
							      : fit_text)(fitted, sizeof(fitted),
									  text, columns[i].width,
									  t->utf8);
			width = fit_width(text);
		}
		fprintf(t->to, "%s%*s", text,
			i + 1 < nr && width < columns[i].width ? (int)(columns[i].width - width)
							       : 0,
			"");
		fputs(i + 1 < nr ? "  " : "\n", t->to);
	}
}

/* The columns of a line before the texts. */
static unsigned numbers_width(const struct text *t)
{
	unsigned cells = t->v->events.nr * (t->r->p->has_chains ? 20 : 10);

	return cells + (t->v->events.nr == 1 ? 16 : 0);
}

/* Makes the columns fit a line, with two blanks between them. */
static void fit(const struct text *t, struct column *columns, unsigned nr)
{
	unsigned widths[COLUMNS], used = numbers_width(t) + 2 * (nr - 1);

	for (unsigned i = 0; i < nr; i++)
		widths[i] = columns[i].width;
	fit_columns(widths, nr, t->width > used ? t->width - used : 0, WIDTH_MIN);
	for (unsigned i = 0; i < nr; i++)
		columns[i].width = widths[i];
}

static unsigned choose_columns(struct text *t, const struct report_rows *rows,
			       struct column *columns)
{
	static const struct column all[] = {
		{ "Command", REPORT_COMM, 0 },	{ "Pid", REPORT_PID, 0 },
		{ "Object", REPORT_OBJECT, 0 }, { "Symbol", REPORT_SYMBOL, 0 },
		{ "Address", REPORT_ADDR, 0 },	{ "Source line", REPORT_LINE, 0 },
	};
	unsigned nr = 0, max = t->width ? UINT_MAX : WIDTH_MAX;
	char room[4200];

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct column *c = &columns[nr];

		if (!(t->v->keys & all[i].key))
			continue;
		*c = all[i];
		c->width = strlen(c->name);
		for (size_t n = 0, printed = 0; n < rows->rows.nr; n++) {
			const struct report_row *row = &rows->rows.at[n];
			unsigned width;

			if (!shown(t, row))
				continue;
			if (t->v->max_rows && printed++ == t->v->max_rows)
				break;
			width = fit_width(word(t, row, c->key, room, sizeof(room)));
			if (width > c->width)
				c->width = width < max ? width : max;
		}
		nr++;
	}
	if (t->width && nr)
		fit(t, columns, nr);
	return nr;
}

void report_rows_left(FILE *to, uint64_t left)
{
	char number[FIT_NUMBER_SIZE];

	if (left)
		fprintf(to,
			"# %s more row%s with smaller counts; "
			"--rows and --percent-limit choose how many\n",
			fit_number(number, left), term_plural(left));
}

static void print_rows(struct text *t, const struct report_rows *rows)
{
	struct column columns[COLUMNS];
	unsigned nr = choose_columns(t, rows, columns);
	unsigned long printed = 0, left = 0;

	column_heads(t, columns, nr);
	for (size_t i = 0; i < rows->rows.nr; i++) {
		if (!shown(t, &rows->rows.at[i]) || (t->v->max_rows && printed == t->v->max_rows)) {
			left++;
			continue;
		}
		print_row(t, &rows->rows.at[i], columns, nr);
		printed++;
	}
	report_rows_left(t->to, left);
}

#define DEPTH_MAX 512

static void print_name(struct text *t, const char *lead, const struct report_node *node)
{
	const char *name = report_node_name(t->r, node);
	const char *inlined = node->kind == REPORT_NODE_INLINED ? " (inlined)" : "";
	unsigned used = 20 * t->v->events.nr + strlen(lead) + strlen(inlined);
	unsigned left = t->width > used + WIDTH_MIN ? t->width - used : WIDTH_MIN;
	char fitted[4200];

	if (t->width && fit_width(name) > left)
		name = fit_text(fitted, sizeof(fitted), name, left, t->utf8);
	fprintf(t->to, "%s%s%s\n", lead, name, inlined);
}

/* Prints a node's children.  lead: the prefix of a line, with a bar for each open branch. */
static void print_nodes(struct text *t, const struct report_tree *tree, uint32_t node,
			unsigned depth, char *lead)
{
	size_t nr = t->r->p->events.nr, len = strlen(lead);

	for (uint32_t n = tree->nodes.at[node].child; n != PROFILE_NONE;
	     n = tree->nodes.at[n].next) {
		const struct report_node *child = &tree->nodes.at[n];
		uint32_t first = t->v->events.at[0];
		double most = percent(tree->total[n * nr + first], t->r->p->events.at[first].total);

		if (most < t->v->limit || !tree->total[n * nr + first])
			break;
		for (unsigned i = 0; i < t->v->events.nr; i++) {
			uint32_t e = t->v->events.at[i];
			uint64_t whole = t->r->p->events.at[e].total;

			cell(t, percent(tree->total[n * nr + e], whole));
			cell(t, percent(tree->self[n * nr + e], whole));
		}
		print_name(t, lead, child);
		if (depth == DEPTH_MAX)
			continue;
		strcpy(lead + len, child->next == PROFILE_NONE ? "  " : "| ");
		print_nodes(t, tree, n, depth + 1, lead);
		lead[len] = '\0';
	}
}

static bool print_tree(struct text *t)
{
	char lead[2 * DEPTH_MAX + 8] = "";
	struct report_tree tree;
	bool good = report_make_tree(t->r, t->v->inlined, t->v->events.at[0], &tree);

	if (good) {
		if (t->v->events.nr > 1) {
			for (unsigned i = 0; i < t->v->events.nr; i++)
				fprintf(t->to, "%-18.18s  ",
					t->r->p->events.at[t->v->events.at[i]].name);
			fputc('\n', t->to);
		}
		for (unsigned i = 0; i < t->v->events.nr; i++)
			fputs("   Total      Self  ", t->to);
		fputs("Calls\n", t->to);
		print_nodes(t, &tree, 0, 0, lead);
	}
	report_tree_free(&tree);
	return good;
}

bool report_out_text(struct report *r, const struct report_view *v, FILE *to)
{
	struct text t = { r, v, style_of(to), to, v->width, term_has_utf8(to) };
	struct report_rows rows;
	bool good;

	if (v->width == REPORT_AS_TERMINAL)
		t.width = term_width(to);
	head(&t);
	if (v->graph)
		return print_tree(&t);
	good = report_make_rows(r, v->keys, &v->events, &rows);
	if (good)
		print_rows(&t, &rows);
	report_rows_free(&rows);
	return good;
}
