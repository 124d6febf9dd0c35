// SPDX-License-Identifier: BSD-2-Clause
/*
 * page_code.c - the code in a page (html.c): instructions and source lines of the functions that
 * have most of some event, as JSON.  The page parses it when somebody opens a function.
 *
 *	files		[{path, lines: {number: text}}], only the lines that the functions have
 *	functions	[{function, partly, cut, insns: [[address, text, file, line]...],
 *			counts: [[instruction, weight, ...] by event]}]
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "annotate.h"
#include "json.h"
#include "out.h"
#include "report.h"

#define FUNCTIONS_MAX 250
#define INSNS_MAX     4000 /* of a function */
#define LINES_MAX     1000000 /* of a file; those after them are not in the page */
#define AROUND	      4 /* lines shown before and after those that have code */
#define SHARE_MIN     0.001 /* of an event */

struct chosen {
	uint32_t function;
	double share; /* of the event of which it has most */
};

/* The lines of a file that the page has. */
struct shown_file {
	uint32_t path; /* string */
	uint8_t *lines; /* by number: 1, shown */
	size_t size;
	int nr;
};

struct out {
	struct report *r;
	const struct report_view *v;
	struct json *j;
	struct idmap file_index; /* by string */
	VEC(struct shown_file) files;
};

static int by_share(const void *left, const void *right)
{
	const struct chosen *a = left, *b = right;

	if (a->share != b->share)
		return a->share > b->share ? -1 : 1;
	return a->function < b->function ? -1 : a->function > b->function;
}

/* Writes the functions with code that have a share of an event.  Returns how many. */
static size_t choose(const struct out *o, struct chosen *chosen)
{
	const struct report *r = o->r;
	size_t nr = r->p->events.nr, kept = 0;
	uint64_t *sum = calloc(r->functions.nr * nr + 1, sizeof(*sum));

	r->p->no_memory |= !sum;
	for (uint32_t e = 0; sum && e < nr; e++) {
		struct profile_column column = profile_column(r->p, e);
		struct profile_stack_count c;

		while (profile_column_next(&column, &c)) {
			const struct report_span *span =
				&r->spans[r->p->stacks.at[c.stack].place];
			uint32_t f = r->frames.at[span->first + span->nr - 1].function;

			sum[f * nr + e] += c.weight;
		}
	}
	for (uint32_t f = 0; sum && f < r->functions.nr; f++) {
		struct chosen c = { f, 0 };

		for (unsigned n = 0; n < o->v->events.nr; n++) {
			uint64_t all = r->p->events.at[o->v->events.at[n]].total;
			double share = all ? (double)sum[f * nr + o->v->events.at[n]] / all : 0;

			c.share = share > c.share ? share : c.share;
		}
		if (c.share >= SHARE_MIN && r->functions.at[f].end > r->functions.at[f].addr)
			chosen[kept++] = c;
	}
	free(sum);
	qsort(chosen, kept, sizeof(*chosen), by_share);
	return kept < FUNCTIONS_MAX ? kept : FUNCTIONS_MAX;
}

/* The number of a file in the page, with the lines around this one.  -1: it is not known. */
static int file_of(struct out *o, const struct annotate_insn *insn)
{
	uint32_t path = report_string(o->r, insn->file), n;
	struct shown_file *f;
	int last;

	if (path == PROFILE_NONE || insn->line <= 0 || insn->line > INT32_MAX - AROUND)
		return -1;
	n = idmap_get(&o->file_index, path);
	if (n == IDMAP_NONE) {
		n = o->files.nr;
		if (!idmap_set(&o->file_index, path, n) ||
		    !VEC_PUSH(&o->files, (struct shown_file){ path, NULL, 0, 0 })) {
			o->r->p->no_memory = true;
			return -1;
		}
	}
	f = &o->files.at[n];
	last = insn->line + AROUND;
	if (last > LINES_MAX)
		return n;
	if (!vec_room(&f->lines, f->nr, last < f->nr ? 0 : last + 1 - f->nr, &f->size, 1)) {
		o->r->p->no_memory = true;
		return -1;
	}
	for (; f->nr <= last; f->nr++)
		f->lines[f->nr] = 0;
	for (int line = insn->line - AROUND; line <= last; line++) {
		if (line > 0)
			f->lines[line] = 1;
	}
	return n;
}

static void insn(struct out *o, const struct annotate *a, size_t n)
{
	const struct annotate_insn *i = &a->insns.at[n];
	char text[ANNOTATE_TEXT], line[ANNOTATE_TEXT + 4096];
	uint64_t distance;
	const char *symbol = annotate_assembly(o->r, a, n, text, &distance);

	if (symbol && distance)
		snprintf(line, sizeof(line), "%s <%s+0x%" PRIx64 ">", text, symbol, distance);
	else if (symbol)
		snprintf(line, sizeof(line), "%s <%s>", text, symbol);
	else
		strcpy(line, text);
	json_open(o->j, NULL, '[');
	json_hex(o->j, NULL, i->addr);
	json_text(o->j, NULL, line);
	json_integer(o->j, NULL, file_of(o, i));
	json_integer(o->j, NULL, i->line);
	json_close(o->j, ']');
}

static void counts(struct out *o, const struct annotate *a, size_t nr)
{
	json_open(o->j, "counts", '[');
	for (unsigned e = 0; e < o->v->events.nr; e++) {
		json_open(o->j, NULL, '[');
		for (size_t n = 0; n < nr; n++) {
			uint64_t weight = a->insns.at[n].self[o->v->events.at[e]];

			if (!weight)
				continue;
			json_number(o->j, NULL, n);
			json_number(o->j, NULL, weight);
		}
		json_close(o->j, ']');
	}
	json_close(o->j, ']');
}

static bool function(struct out *o, uint32_t f)
{
	struct annotate a;
	bool good = annotate_make(o->r, f, &a);
	size_t nr = a.insns.nr < INSNS_MAX ? a.insns.nr : INSNS_MAX;

	if (good) {
		json_open(o->j, NULL, '{');
		json_number(o->j, "function", f);
		json_text(o->j, "partly", a.partly);
		json_number(o->j, "cut", a.insns.nr - nr);
		json_open(o->j, "insns", '[');
		for (size_t n = 0; n < nr; n++)
			insn(o, &a, n);
		json_close(o->j, ']');
		counts(o, &a, nr);
		json_close(o->j, '}');
	}
	annotate_free(&a);
	return good;
}

static void files(struct out *o)
{
	struct sources sources = { .symfs = o->r->o->symfs };
	char number[16];

	json_open(o->j, "files", '[');
	for (size_t n = 0; n < o->files.nr; n++) {
		const struct shown_file *f = &o->files.at[n];
		const char *path = report_text(o->r, f->path);

		json_open(o->j, NULL, '{');
		json_text(o->j, "path", path);
		json_open(o->j, "lines", '{');
		for (int line = 1; line < f->nr; line++) {
			const char *text = f->lines[line] ? sources_line(&sources, path, line)
							  : NULL;

			snprintf(number, sizeof(number), "%d", line);
			if (text)
				json_text(o->j, number, text);
		}
		json_close(o->j, '}');
		json_close(o->j, '}');
	}
	json_close(o->j, ']');
	sources_free(&sources);
}

bool report_page_code(struct json *j, struct report *r, const struct report_view *v)
{
	struct out o = { .r = r, .v = v, .j = j };
	struct chosen *chosen = calloc(r->functions.nr + 1, sizeof(*chosen));
	size_t nr = chosen && !v->files ? choose(&o, chosen) : 0;
	bool good = chosen != NULL;

	json_open(j, NULL, '{');
	json_open(j, "functions", '[');
	for (size_t n = 0; good && n < nr; n++)
		good = function(&o, chosen[n].function);
	json_close(j, ']');
	files(&o);
	json_close(j, '}');
	for (size_t n = 0; n < o.files.nr; n++)
		free(o.files.at[n].lines);
	free(o.files.at);
	idmap_free(&o.file_index);
	free(chosen);
	return good && !r->p->no_memory;
}
