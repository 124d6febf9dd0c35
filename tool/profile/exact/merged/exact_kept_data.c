// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_kept_data.c - the data of an exact profile, kept (exact_kept_data.h).  One function for
 * each kind of element both writes and reads it, so that the two agree.
 */
#include <string.h>

#include "exact_kept_data.h"

struct io {
	struct leb_bytes *to; /* NULL: reads */
	struct leb_in *in; /* NULL: writes */
	const struct exact_kept_limits *limits; /* when it reads */
	struct profile_data *d;
	bool failed;
};

static uint64_t number(struct io *io, uint64_t n)
{
	if (io->to)
		io->failed |= !leb_bytes_put(io->to, n);
	else
		n = leb_in_get(io->in);
	return n;
}

/* A number that must be at most max when it is read. */
static uint64_t below(struct io *io, uint64_t n, uint64_t max)
{
	n = number(io, n);
	if (io->in && n > max) {
		io->failed = true;
		return 0;
	}
	return n;
}

/* An index of a list of nr elements, or PROFILE_NONE. */
static uint32_t index_or_none(struct io *io, uint32_t i, size_t nr)
{
	return (uint32_t)(below(io, (uint32_t)(i + 1), nr) - 1);
}

/* An index of a list of nr elements. */
static uint32_t index_of(struct io *io, uint32_t i, size_t nr)
{
	uint32_t n = index_or_none(io, i, nr);

	io->failed |= io->in && n == PROFILE_NONE;
	return n;
}

static void site(struct io *io, struct profile_site *s)
{
	s->place = index_or_none(io, s->place, io->in ? io->limits->places : 0);
	s->times = number(io, s->times);
	s->bytes = number(io, s->bytes);
}

static void access_of(struct io *io, struct profile_access *a)
{
	a->place = index_or_none(io, a->place, io->in ? io->limits->places : 0);
	a->hart = (unsigned)below(io, a->hart, 63);
	a->reads = below(io, a->reads, 1);
	a->writes = below(io, a->writes, 1);
	a->bytes = (unsigned)below(io, a->bytes, UINT16_MAX);
}

static void piece(struct io *io, struct profile_piece *p)
{
	p->kind = below(io, p->kind, PROFILE_DATA_HEAP);
	p->page = below(io, p->page, 1);
	p->process = index_or_none(io, p->process, io->in ? io->limits->processes : 0);
	p->object = index_or_none(io, p->object, io->in ? io->limits->objects : 0);
	p->addr = number(io, p->addr);
	p->site = index_or_none(io, p->site, io->d->sites.nr);
}

static void cell(struct io *io, struct profile_cell *c)
{
	c->event = index_of(io, c->event, io->in ? io->limits->events : 0);
	c->count = number(io, c->count);
}

static void row(struct io *io, struct profile_data_row *r)
{
	r->piece = index_of(io, r->piece, io->d->pieces.nr);
	r->access = index_or_none(io, r->access, io->d->accesses.nr);
	r->cell = (uint32_t)below(io, r->cell, io->d->cells.nr);
	r->nr = (uint32_t)below(io, r->nr, io->d->cells.nr - r->cell);
}

static void line(struct io *io, struct profile_line *l)
{
	l->physical = number(io, l->physical);
	l->addr = number(io, l->addr);
	l->process = index_or_none(io, l->process, io->in ? io->limits->processes : 0);
}

static void touch(struct io *io, struct profile_touch *t)
{
	t->row = index_or_none(io, t->row, io->d->rows.nr);
	t->offset = (unsigned)below(io, t->offset, io->d->line_bytes);
}

static void trade(struct io *io, struct profile_trade *t)
{
	t->line = index_of(io, t->line, io->d->lines.nr);
	t->hart = (unsigned)below(io, t->hart, 63);
	t->dropped = below(io, t->dropped, 1);
	touch(io, &t->by);
	touch(io, &t->from);
	t->times = number(io, t->times);
}

/* How many elements a list has; there is room for them.  Each takes a byte at least. */
static size_t elements(struct io *io, size_t nr)
{
	return below(io, nr, io->in ? (size_t)(io->in->end - io->in->at) : 0);
}

#define LIST(io, list, element)                                                                    \
	do {                                                                                       \
		size_t nr_ = elements(io, (list)->nr);                                             \
		if ((io)->in && !VEC_ROOM(list, nr_ + 1))                                          \
			(io)->failed = true;                                                       \
		else if ((io)->in)                                                                 \
			memset((list)->at, 0, (nr_ + 1) * sizeof(*(list)->at));                    \
		for (size_t n_ = 0; n_ < nr_ && !(io)->failed; n_++)                               \
			element(io, &(list)->at[n_]);                                              \
		if ((io)->in)                                                                      \
			(list)->nr = (io)->failed ? 0 : nr_;                                       \
	} while (0)

static void all(struct io *io)
{
	struct profile_data *d = io->d;

	d->folded = number(io, d->folded);
	d->lost = number(io, d->lost);
	LIST(io, &d->sites, site);
	LIST(io, &d->accesses, access_of);
	LIST(io, &d->pieces, piece);
	LIST(io, &d->cells, cell);
	LIST(io, &d->rows, row);
	d->line_bytes = (unsigned)below(io, d->line_bytes, UINT16_MAX);
	LIST(io, &d->lines, line);
	LIST(io, &d->trades, trade);
}

bool exact_kept_put_data(struct leb_bytes *to, struct profile_data *d)
{
	struct io io = { .to = to, .d = d };

	all(&io);
	return !io.failed;
}

void exact_kept_get_data(struct leb_in *in, const struct exact_kept_limits *limits,
			 struct profile_data *d)
{
	struct io io = { .in = in, .limits = limits, .d = d };

	all(&io);
	in->bad |= io.failed;
}
