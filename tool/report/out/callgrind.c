// SPDX-License-Identifier: BSD-2-Clause
/*
 * callgrind.c - writes Callgrind's format, which KCachegrind, QCachegrind and callgrind_annotate
 * read: own weights by function and line, and the calls from each line (report.h; Valgrind's
 * manual, "Callgrind Format Specification").
 *
 * Samples do not tell how often a function was called.  The number of calls is instead the number
 * of samples that contain the call.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "out.h"
#include "report.h"

struct call { /* from a line of a function to a function */
	uint32_t caller, file, callee;
	int line;
	uint64_t last; /* 1 + the stack that was added last */
	uint64_t samples;
	uint64_t *weight;
};

struct work {
	struct report *r;
	const struct report_view *v;
	FILE *to;
	struct idmap index;
	VEC(struct call) calls;
};

static uint32_t outer(const struct report *r, uint32_t place)
{
	const struct report_span *s = &r->spans[place];

	return r->frames.at[s->first + s->nr - 1].function;
}

static struct call *find_call(struct work *w, const struct call *want)
{
	uint64_t hash = hash_pair((uint64_t)want->caller << 32 | want->callee,
				  (uint64_t)want->file << 32 | (uint32_t)want->line);
	struct call *c;
	uint32_t i;

	while ((i = idmap_get(&w->index, hash)) != IDMAP_NONE) {
		c = &w->calls.at[i];
		if (c->caller == want->caller && c->callee == want->callee &&
		    c->file == want->file && c->line == want->line)
			return c;
		hash++;
	}
	if (!VEC_ROOM(&w->calls, 1))
		return NULL;
	c = &w->calls.at[w->calls.nr];
	*c = *want;
	c->weight = calloc(w->v->events.nr, sizeof(*c->weight));
	if (!c->weight || !idmap_set(&w->index, hash, w->calls.nr)) {
		free(c->weight);
		return NULL;
	}
	w->calls.nr++;
	return c;
}

/* Adds the counts of a stack to a call. */
static void add_counts(const struct work *w, uint32_t stack, struct call *c)
{
	struct profile_counts counts = profile_counts(w->r->p, stack);
	struct profile_count count;

	while (profile_next(&counts, &count)) {
		for (unsigned e = 0; e < w->v->events.nr; e++) {
			if (w->v->events.at[e] != count.event)
				continue;
			c->weight[e] += count.weight;
			c->samples += count.samples;
		}
	}
}

/* Adds the weight of each stack to each of its calls, only once even with recursion. */
static bool add_calls(struct work *w)
{
	const struct profile *p = w->r->p;

	for (uint32_t i = 0; i < p->stacks.nr; i++) {
		if (p->stacks.at[i].place == PROFILE_NONE)
			continue;
		for (uint32_t s = i; p->stacks.at[s].caller != PROFILE_NONE;
		     s = p->stacks.at[s].caller) {
			uint32_t from = p->stacks.at[p->stacks.at[s].caller].place;
			const struct report_frame *f = &w->r->frames.at[w->r->spans[from].first];
			struct call want = { .caller = outer(w->r, from),
					     .file = f->file,
					     .callee = outer(w->r, p->stacks.at[s].place),
					     .line = f->line };
			struct call *c = find_call(w, &want);

			if (!c)
				return false;
			if (c->last == i + 1ull)
				continue;
			c->last = i + 1ull;
			add_counts(w, i, c);
		}
	}
	return true;
}

static void put_text(const char *text, FILE *to)
{
	for (; *text; text++)
		fputc(isprint((unsigned char)*text) || *text & 0x80 ? *text : '?', to);
	fputc('\n', to);
}

/* Writes the events.  In this format, names only have letters, digits and underscores. */
static void put_events(struct work *w)
{
	const struct profile *p = w->r->p;

	fputs("events:", w->to);
	for (unsigned i = 0; i < w->v->events.nr; i++) {
		const char *name = p->events.at[w->v->events.at[i]].name;

		fputs(isdigit((unsigned char)*name) ? " _" : " ", w->to);
		for (; *name; name++)
			fputc(isalnum((unsigned char)*name) ? *name : '_', w->to);
	}
	fputs("\nsummary:", w->to);
	for (unsigned i = 0; i < w->v->events.nr; i++)
		fprintf(w->to, " %" PRIu64, p->events.at[w->v->events.at[i]].total);
	fputs("\n", w->to);
}

static const char *file_name(const struct report *r, uint32_t file)
{
	return file == PROFILE_NONE ? "???" : report_text(r, file);
}

static void put_rows(struct work *w, const struct report_row *row, uint32_t file)
{
	uint64_t any = 0;

	for (unsigned i = 0; i < w->v->events.nr; i++)
		any |= row->self[w->v->events.at[i]];
	if (!any)
		return;
	if (row->file != file) {
		fputs("fi=", w->to);
		put_text(file_name(w->r, row->file), w->to);
	} else {
		fputs("fe=", w->to);
		put_text(file_name(w->r, file), w->to);
	}
	fprintf(w->to, "%d", row->line);
	for (unsigned i = 0; i < w->v->events.nr; i++)
		fprintf(w->to, " %" PRIu64, row->self[w->v->events.at[i]]);
	fputc('\n', w->to);
}

static void put_call(struct work *w, const struct call *c, const uint32_t *file_of)
{
	uint32_t object = w->r->functions.at[c->callee].object;

	fputs("fi=", w->to);
	put_text(file_name(w->r, c->file), w->to);
	fputs("cob=", w->to);
	put_text(w->r->p->objects.at[object].path, w->to);
	fputs("cfi=", w->to);
	put_text(file_name(w->r, file_of[c->callee]), w->to);
	fputs("cfn=", w->to);
	put_text(report_text(w->r, w->r->functions.at[c->callee].name), w->to);
	fprintf(w->to, "calls=%" PRIu64 " 0\n%d", c->samples ? c->samples : 1, c->line);
	for (unsigned i = 0; i < w->v->events.nr; i++)
		fprintf(w->to, " %" PRIu64, c->weight[i]);
	fputc('\n', w->to);
}

/* Finds the file of each function: the file of the outermost frame of one of its places. */
static uint32_t *files_of(const struct report *r)
{
	uint32_t *file_of = malloc((r->functions.nr + 1) * sizeof(*file_of));

	for (size_t i = 0; file_of && i <= r->functions.nr; i++)
		file_of[i] = PROFILE_NONE;
	for (uint32_t i = 0; file_of && i < r->p->places.nr; i++) {
		const struct report_span *s = &r->spans[i];
		const struct report_frame *f = &r->frames.at[s->first + s->nr - 1];

		if (f->file != PROFILE_NONE)
			file_of[f->function] = f->file;
	}
	return file_of;
}

static int by_function(const void *left, const void *right)
{
	const struct report_row *a = left, *b = right;

	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static int by_caller(const void *left, const void *right)
{
	const struct call *a = left, *b = right;

	if (a->caller != b->caller)
		return a->caller < b->caller ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->callee < b->callee ? -1 : a->callee > b->callee;
}

static void put_functions(struct work *w, struct report_rows *rows, const uint32_t *file_of)
{
	size_t row = 0, call = 0;

	VEC_SORT(&rows->rows, by_function);
	VEC_SORT(&w->calls, by_caller);
	while (row < rows->rows.nr) {
		uint32_t function = rows->rows.at[row].function, file = file_of[function];
		const struct report_function *f = &w->r->functions.at[function];

		fputs("\nob=", w->to);
		put_text(w->r->p->objects.at[f->object].path, w->to);
		fputs("fl=", w->to);
		put_text(file_name(w->r, file), w->to);
		fputs("fn=", w->to);
		put_text(report_text(w->r, f->name), w->to);
		for (; row < rows->rows.nr && rows->rows.at[row].function == function; row++)
			put_rows(w, &rows->rows.at[row], file);
		while (call < w->calls.nr && w->calls.at[call].caller < function)
			call++;
		for (; call < w->calls.nr && w->calls.at[call].caller == function; call++)
			put_call(w, &w->calls.at[call], file_of);
	}
}

bool report_out_callgrind(struct report *r, const struct report_view *v, FILE *to)
{
	struct work w = { .r = r, .v = v, .to = to };
	struct report_rows rows;
	uint32_t *file_of = files_of(r);
	bool good = report_make_rows(r, REPORT_OBJECT | REPORT_SYMBOL | REPORT_LINE, &v->events,
				     &rows) &&
		    file_of && profile_pack(r->p) && add_calls(&w);

	if (good) {
		fputs("# callgrind format\nversion: 1\ncreator: holter\n", to);
		if (r->p->command) {
			fputs("cmd: ", to);
			put_text(r->p->command, to);
		}
		fputs("positions: line\n", to);
		put_events(&w);
		put_functions(&w, &rows, file_of);
	}
	for (size_t i = 0; i < w.calls.nr; i++)
		free(w.calls.at[i].weight);
	free(w.calls.at);
	idmap_free(&w.index);
	free(file_of);
	report_rows_free(&rows);
	return good;
}
