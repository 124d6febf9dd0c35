// SPDX-License-Identifier: BSD-2-Clause
/* sharing.c - finds the lines that harts take from each other, and who does (sharing.h). */
#include <stdlib.h>
#include <string.h>

#include "sharing.h"

static bool enough(struct report *r, bool memory)
{
	r->p->no_memory |= !memory;
	return memory;
}

/* The sharer of a touch by a hart. */
static struct report_sharer sharer_of(const struct report *r, const struct profile_touch *t,
				      unsigned hart)
{
	const struct profile_data *d = r->p->data;
	struct report_sharer s = { .hart = hart,
				   .offset = t->offset,
				   .function = PROFILE_NONE,
				   .file = PROFILE_NONE,
				   .outer = PROFILE_NONE,
				   .thing = PROFILE_NONE };
	const struct profile_data_row *row;
	const struct profile_access *a;

	s.prefetches = t->row != PROFILE_NONE && t->offset == d->line_bytes;
	if (t->row == PROFILE_NONE)
		return s;
	row = &d->rows.at[t->row];
	if (!s.prefetches)
		s.thing = r->data->parts[row->piece].thing;
	if (row->access == PROFILE_NONE)
		return s;
	a = &d->accesses.at[row->access];
	s.hart = a->hart;
	s.reads = a->reads && !s.prefetches;
	s.writes = a->writes && !s.prefetches;
	s.bytes = s.prefetches ? 0 : a->bytes;
	if (a->place != PROFILE_NONE) {
		const struct report_frame *f = &r->frames.at[r->spans[a->place].first];

		s.function = f->function;
		s.outer = f[r->spans[a->place].nr - 1].function;
		s.file = f->file;
		s.line = f->line;
	}
	return s;
}

static bool same(const struct report_sharer *a, const struct report_sharer *b)
{
	return a->offset == b->offset && a->bytes == b->bytes && a->hart == b->hart &&
	       a->reads == b->reads && a->writes == b->writes && a->prefetches == b->prefetches &&
	       a->function == b->function && a->file == b->file && a->line == b->line &&
	       a->thing == b->thing;
}

/* The sharer of the present line, the last one, that is equal to s. */
static struct report_sharer *find_sharer(struct report *r, struct report_sharing *all,
					 const struct report_sharer *s)
{
	struct report_shared_line *l = &all->lines.at[all->lines.nr - 1];

	for (uint32_t n = l->first; n < l->first + l->nr; n++) {
		if (same(&all->sharers.at[n], s))
			return &all->sharers.at[n];
	}
	if (!enough(r, VEC_PUSH(&all->sharers, *s)))
		return NULL;
	l->nr++;
	return &all->sharers.at[all->sharers.nr - 1];
}

static void add_trade(struct report *r, struct report_sharing *all, const struct profile_trade *t)
{
	struct report_shared_line *l = &all->lines.at[all->lines.nr - 1];
	const struct report_sharer by = sharer_of(r, &t->by, 0);
	const struct report_sharer from = sharer_of(r, &t->from, t->hart);
	struct report_sharer *s = find_sharer(r, all, &by);

	if (s)
		s->took += t->times;
	s = find_sharer(r, all, &from);
	if (s)
		s->lost += t->times;
	l->took += t->times;
	l->harts |= 1u << (by.hart & 31) | 1u << (from.hart & 31);
}

/* Whether a hart writes bytes that another one accesses. */
static bool overlap(const struct report_sharer *a, const struct report_sharer *b)
{
	return a->hart != b->hart && (a->writes || b->writes) && a->bytes && b->bytes &&
	       a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

static int compare_sharers(const void *left, const void *right)
{
	const struct report_sharer *a = left, *b = right;

	if (a->took + a->lost != b->took + b->lost)
		return a->took + a->lost > b->took + b->lost ? -1 : 1;
	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	return a->hart != b->hart ? (a->hart < b->hart ? -1 : 1)
				  : (a->line > b->line) - (a->line < b->line);
}

static void end_line(struct report_sharing *all)
{
	struct report_shared_line *l = &all->lines.at[all->lines.nr - 1];
	struct report_sharer *s = all->sharers.at + l->first;

	qsort(s, l->nr, sizeof(*s), compare_sharers);
	l->thing = l->nr ? s[0].thing : PROFILE_NONE;
	for (uint32_t a = 0; a < l->nr; a++) {
		for (uint32_t b = a + 1; b < l->nr && !l->overlaps; b++)
			l->overlaps = overlap(&s[a], &s[b]);
	}
}

static void begin_line(struct report *r, struct report_sharing *all, uint32_t line)
{
	const struct profile_line *from = &r->p->data->lines.at[line];
	struct report_shared_line l = { .comm = PROFILE_NONE,
					.thing = PROFILE_NONE,
					.addr = from->addr ? from->addr : from->physical,
					.first = all->sharers.nr };

	if (from->process != PROFILE_NONE)
		l.comm = report_string(r, r->p->processes.at[from->process].comm);
	enough(r, VEC_PUSH(&all->lines, l));
}

static int compare_trades(const void *left, const void *right)
{
	const struct profile_trade *a = left, *b = right;

	return (a->line > b->line) - (a->line < b->line);
}

static int compare_lines(const void *left, const void *right)
{
	const struct report_shared_line *a = left, *b = right;

	if (a->took != b->took)
		return a->took > b->took ? -1 : 1;
	return (a->first > b->first) - (a->first < b->first);
}

bool report_data_sharing(struct report *r, struct report_sharing *s)
{
	struct profile_data *d = r->p->data;

	*s = (struct report_sharing){ 0 };
	VEC_SORT(&d->trades, compare_trades);
	for (size_t n = 0; n < d->trades.nr && !r->p->no_memory; n++) {
		bool last = n + 1 == d->trades.nr ||
			    d->trades.at[n + 1].line != d->trades.at[n].line;

		if (!n || d->trades.at[n - 1].line != d->trades.at[n].line)
			begin_line(r, s, d->trades.at[n].line);
		if (!r->p->no_memory)
			add_trade(r, s, &d->trades.at[n]);
		if (last && !r->p->no_memory)
			end_line(s);
	}
	VEC_SORT(&s->lines, compare_lines);
	return !r->p->no_memory;
}

const char *report_sharer_does(const struct report_sharer *s)
{
	return s->prefetches	       ? "prefetches"
	       : s->reads && s->writes ? "reads, writes"
	       : s->writes	       ? "writes"
	       : s->reads	       ? "reads"
				       : "-";
}

void report_sharing_free(struct report_sharing *s)
{
	free(s->lines.at);
	free(s->sharers.at);
}
