// SPDX-License-Identifier: BSD-2-Clause
/* exact_data_file.c - writes what an exact profile knows of data (exact_data.h). */
#include "exact_data.h"
#include "exact_format.h"

struct out {
	const struct exact *x;
	const struct data *d;
	void (*put)(void *arg, uint64_t n);
	void *arg;
};

static void put(const struct out *o, uint64_t n)
{
	o->put(o->arg, n);
}

static void put_users(const struct out *o)
{
	put(o, o->d->all_users.nr);
	for (size_t n = 0; n < o->d->all_users.nr; n++) {
		const struct data_user *u = o->d->all_users.at[n];

		put(o, exact_owner_of(o->x, u->context));
		put(o, u->context->hart);
		put(o, u->context->mode);
		put(o, u->context->node.key[0]);
		put(o, u->node.key[0]);
		put(o, u->raw);
		put(o, u->does);
		put(o, u->bytes);
	}
}

static void put_sites(const struct out *o)
{
	struct heap_site *const *site = NULL;
	size_t nr = 0;

	if (o->d->heap)
		site = exact_heap_sites(o->d->heap, &nr);
	put(o, nr);
	for (size_t n = 0; n < nr; n++) {
		const struct heap_site *s = site[n];

		put(o, exact_owner_of(o->x, &s->who));
		put(o, s->who.hart);
		put(o, s->node.key[1]);
		put(o, s->call);
		put(o, s->node.key[0] >> 32);
		put(o, s->times);
		put(o, s->bytes);
	}
}

static void put_pieces(const struct out *o)
{
	put(o, o->d->all_pieces.nr);
	for (size_t n = 0; n < o->d->all_pieces.nr; n++) {
		const struct piece *p = o->d->all_pieces.at[n];

		put(o, piece_kind(p));
		put(o, piece_is_page(p));
		if (piece_kind(p) == EXACT_DATA_HEAP)
			put(o, piece_space(p));
		else
			put(o, o->d->satps.at[piece_space(p)]);
		put(o, p->node.key[0]);
	}
}

static void put_rows(const struct out *o)
{
	put(o, DATA_EVENTS);
	for (unsigned e = 0; e < DATA_EVENTS; e++)
		put(o, exact_data_event[e]);
	put(o, o->d->all_rows.nr - 1);
	for (size_t n = 1; n < o->d->all_rows.nr; n++) {
		const struct data_row *r = o->d->all_rows.at[n];
		unsigned cells = 0;

		for (unsigned e = 0; e < DATA_EVENTS; e++)
			cells += r->count[e] != 0;
		put(o, r->piece->id);
		put(o, r->user ? r->user->id : 0);
		put(o, cells);
		for (unsigned e = 0; e < DATA_EVENTS; e++) {
			if (!r->count[e])
				continue;
			put(o, e);
			put(o, r->count[e]);
		}
	}
}

static void put_touch(const struct out *o, const struct touch *t)
{
	put(o, t->row);
	put(o, t->offset);
}

static void put_lines(const struct out *o)
{
	put(o, o->d->line);
	put(o, o->d->all_lines.nr);
	for (size_t n = 0; n < o->d->all_lines.nr; n++) {
		const struct shared_line *l = o->d->all_lines.at[n];

		put(o, l->node.key[0]);
		put(o, l->satp);
		put(o, l->va);
	}
	put(o, o->d->all_trades.nr);
	for (size_t n = 0; n < o->d->all_trades.nr; n++) {
		const struct trade *t = o->d->all_trades.at[n];

		put(o, t->line->id);
		put(o, t->hart);
		put(o, t->dropped);
		put_touch(o, &t->by);
		put_touch(o, &t->from);
		put(o, t->times);
	}
}

void exact_data_write(const struct exact *x, void (*put_one)(void *arg, uint64_t n), void *arg)
{
	const struct out o = { x, x->data, put_one, arg };

	put(&o, o.d->folded);
	put(&o, o.d->lost);
	put_users(&o);
	put_sites(&o);
	put_pieces(&o);
	put_rows(&o);
	put_lines(&o);
}
