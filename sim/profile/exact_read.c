// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_read.c - reads an exact profile, page by page in order (exact.h).
 */
#include <stdlib.h>
#include <string.h>

#include "exact_parts.h"
#include "vec.h"

static int compare_numbers(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_versions(const void *left, const void *right)
{
	const struct version *const *a = left, *const *b = right;
	const struct site *s = (*a)->site, *t = (*b)->site;
	const struct context *c = s->context, *d = t->context;

	return c->hart != d->hart		  ? c->hart - d->hart
	       : c->mode != d->mode		  ? c->mode - d->mode
	       : c->owner != d->owner		  ? c->owner - d->owner
	       : c->node.key[0] != d->node.key[0] ? compare_numbers(c->node.key[0], d->node.key[0])
	       : s != t ? compare_numbers(s->node.key[0], t->node.key[0]) * 2 + c->translated -
				  d->translated
			: compare_numbers((*a)->content, (*b)->content);
}

struct list {
	struct version **at;
	size_t nr, size;
};

static void list_versions(struct exact *x, struct list *l)
{
	for (size_t n = 0; n < x->sites.size; n++) {
		for (struct node *at = x->sites.bucket[n]; at; at = at->next) {
			for (struct version *v = ((struct site *)at)->now; v; v = v->older) {
				if (!VEC_PUSH(l, v)) {
					x->no_memory = true;
					return;
				}
			}
		}
	}
	VEC_SORT(l, compare_versions);
}

/* The counts of a page on one path of calls, by instruction; those from `from` to `to` - 1. */
struct rows {
	unsigned from, to;
	uint64_t count[PAGE_SIZE / 2][EVENT_NR];
	struct event_set set[PAGE_SIZE / 2];
	uint32_t raw[PAGE_SIZE / 2];
};

static void to_rows(struct sink *s, uint64_t va, uint32_t raw, unsigned event, uint64_t n)
{
	unsigned at = (va & ~PAGE_MASK) / 2;

	s->rows->from = at < s->rows->from ? at : s->rows->from;
	s->rows->to = at < s->rows->to ? s->rows->to : at + 1;
	s->rows->count[at][event] += n;
	event_set_add(&s->rows->set[at], event);
	if (raw)
		s->rows->raw[at] = raw;
}

static void read_place(const struct place *p, struct sink *s)
{
	for (unsigned n = 0; n < p->cells; n++)
		to_rows(s, p->node.key[0], p->raw, p->cell[n].event, p->cell[n].n);
	exact_resolve(p, s);
}

/* Reports a row to the reader, and empties it. */
static void read_row(struct rows *rows, unsigned n, uint64_t page, uint32_t call,
		     const struct exact_reader *r)
{
	const struct event_set set = rows->set[n];
	struct exact_row row = {
		.va = page + 2 * n, .call = call, .raw = rows->raw[n], .count = rows->count[n]
	};

	for (unsigned e = event_set_next(&set, 0); e < EVENT_NR; e = event_set_next(&set, e + 1)) {
		if (rows->count[n][e])
			event_set_add(&row.set, e);
	}
	if (!event_set_empty(&row.set))
		r->row(r->arg, &row);
	for (unsigned e = event_set_next(&set, 0); e < EVENT_NR; e = event_set_next(&set, e + 1))
		rows->count[n][e] = 0;
	rows->set[n] = (struct event_set){ 0 };
	rows->raw[n] = 0;
}

static void read_rows(struct rows *rows, uint64_t page, uint32_t call, const struct exact_reader *r)
{
	for (unsigned n = rows->from; n < rows->to; n++) {
		if (!event_set_empty(&rows->set[n]))
			read_row(rows, n, page, call, r);
	}
	rows->from = PAGE_SIZE / 2;
	rows->to = 0;
}

static int compare_calls(const void *left, const void *right)
{
	const struct place *const *a = left, *const *b = right;

	return ((*a)->call > (*b)->call) - ((*a)->call < (*b)->call);
}

/* If no starter was seen, all of it belongs to processes. */
enum exact_owner exact_owner_of(const struct exact *x, const struct context *c)
{
	return c->owner == EXACT_STARTER && !x->found ? EXACT_PROCESS : c->owner;
}

struct places {
	struct place **at;
	size_t nr, size;
};

static void read_version(struct exact *x, const struct version *v, struct rows *rows,
			 struct places *l, const struct exact_reader *r)
{
	const struct context *c = v->site->context;
	struct exact_page page = {
		.hart = c->hart,
		.mode = c->mode,
		.owner = exact_owner_of(x, c),
		.satp = c->node.key[0],
		.va = v->site->node.key[0],
		.known = v->known,
		.content = v->content,
	};
	struct sink s = { to_rows, x, NULL, rows };

	l->nr = 0;
	for (struct place *p = v->places; p; p = p->sibling)
		x->no_memory |= !VEC_PUSH(l, p);
	if (!l->nr)
		return;
	VEC_SORT(l, compare_calls);
	r->page(r->arg, &page);
	for (size_t n = 0; n < l->nr; n++) {
		read_place(l->at[n], &s);
		if (n + 1 == l->nr || l->at[n + 1]->call != l->at[n]->call)
			read_rows(rows, page.va, l->at[n]->call, r);
	}
}

bool exact_read(struct cluster *cl, const struct exact_reader *r)
{
	struct exact *x = exact_of(cl);
	struct rows *rows = x->sums ? NULL : calloc(1, sizeof(*rows));
	struct list versions = { 0 };
	struct places places = { 0 };

	if (x->sums) {
		exact_sums_read(cl, r);
		return !x->no_memory;
	}
	for (unsigned n = 0; n < cl->harts; n++)
		tally_settle(cl->hart[n]);
	x->no_memory |= !rows;
	if (rows)
		rows->from = PAGE_SIZE / 2;
	list_versions(x, &versions);
	for (size_t n = 0; rows && n < versions.nr; n++)
		read_version(x, versions.at[n], rows, &places, r);
	free(places.at);
	free(versions.at);
	free(rows);
	return !x->no_memory;
}
