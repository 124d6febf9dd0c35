// SPDX-License-Identifier: BSD-2-Clause
/* data_parse.c - reads what an exact profile knows of data (data_parse.h). */
#include <string.h>

#include "data_parse.h"
#include "exact_format.h"

static uint64_t parse_below(const struct data_source *p, uint64_t max, const char *what)
{
	return p->below(p->parser, max, what);
}

static bool parse_good(const struct data_source *p)
{
	return p->good(p->parser);
}

static bool parse_no_memory(const struct data_source *p)
{
	return p->no_memory(p->parser);
}

static uint64_t number(const struct data_source *p)
{
	return parse_below(p, UINT64_MAX, "a number");
}

static uint32_t how_many(const struct data_source *p, const char *what)
{
	return parse_below(p, EXACT_DATA_MAX, what);
}

/* An index of a list of nr elements, of which there must be one. */
static uint32_t below(const struct data_source *p, size_t nr, const char *what)
{
	/* An empty list has no valid index. */
	return nr ? parse_below(p, nr - 1, what) : (parse_below(p, 0, what), 0);
}

static bool get_users(const struct data_source *p, unsigned harts, struct exact_data *d)
{
	uint32_t nr = how_many(p, "a number of users of data");

	for (uint32_t n = 0; n < nr && parse_good(p); n++) {
		struct exact_user u;

		u.whose = parse_below(p, EXACT_OF_STARTER, "an owner");
		u.hart = parse_below(p, harts - 1, "a hart");
		u.mode = parse_below(p, 3, "a mode");
		u.satp = number(p);
		u.va = number(p);
		u.raw = parse_below(p, UINT32_MAX, "an instruction");
		u.does = parse_below(p, EXACT_READS | EXACT_WRITES, "a kind of access");
		u.bytes = parse_below(p, EXACT_LINE_MAX, "an access of bytes");
		if (!VEC_PUSH(&d->users, u))
			return parse_no_memory(p);
	}
	return parse_good(p);
}

static bool get_sites(const struct data_source *p, unsigned harts, uint32_t calls,
		      struct exact_data *d)
{
	uint32_t nr = how_many(p, "a number of allocation sites");

	for (uint32_t n = 0; n < nr && parse_good(p); n++) {
		struct exact_site s;

		s.whose = parse_below(p, EXACT_OF_STARTER, "an owner");
		s.hart = parse_below(p, harts - 1, "a hart");
		s.satp = number(p);
		s.call = parse_below(p, calls ? calls - 1 : 0, "a call");
		s.function = parse_below(p, EXACT_ALLOCATORS - 1, "an allocator");
		s.times = number(p);
		s.bytes = number(p);
		if (!VEC_PUSH(&d->sites, s))
			return parse_no_memory(p);
	}
	return parse_good(p);
}

static bool get_pieces(const struct data_source *p, struct exact_data *d)
{
	uint32_t nr = how_many(p, "a number of pieces of data");

	for (uint32_t n = 0; n < nr && parse_good(p); n++) {
		struct exact_piece e;

		e.kind = parse_below(p, EXACT_DATA_KINDS - 1, "a kind of data");
		e.page = parse_below(p, 1, "a truth value");
		if (e.kind == EXACT_DATA_HEAP && !d->sites.nr)
			e.kind = EXACT_DATA_UNKNOWN; /* no number of a site is right */
		e.satp = e.kind == EXACT_DATA_HEAP ? below(p, d->sites.nr, "an allocation site")
						   : number(p);
		e.address = number(p);
		if (!VEC_PUSH(&d->pieces, e))
			return parse_no_memory(p);
	}
	return parse_good(p);
}

static bool get_cells(const struct data_source *p, const uint16_t *event, unsigned events,
		      struct exact_data *d, struct exact_data_row *r)
{
	r->cell = d->cells.nr;
	r->nr = parse_below(p, events, "a number of counts");
	for (unsigned n = 0; n < r->nr && parse_good(p); n++) {
		struct exact_cell c;

		c.event = event[below(p, events, "an event")];
		c.count = number(p);
		if (!VEC_PUSH(&d->cells, c))
			return parse_no_memory(p);
	}
	return parse_good(p);
}

static bool get_rows(const struct data_source *p, unsigned events, struct exact_data *d)
{
	uint16_t event[EXACT_EVENTS_MAX];
	unsigned chosen = parse_below(p, events, "a number of events");
	uint32_t nr;

	for (unsigned n = 0; n < chosen; n++)
		event[n] = parse_below(p, events - 1, "an event");
	nr = how_many(p, "a number of rows");
	for (uint32_t n = 0; n < nr && parse_good(p); n++) {
		struct exact_data_row r;

		r.piece = below(p, d->pieces.nr, "a piece of data");
		r.user = parse_below(p, d->users.nr, "a user of data");
		if (!get_cells(p, event, chosen, d, &r))
			return false;
		if (d->pieces.nr && !VEC_PUSH(&d->rows, r))
			return parse_no_memory(p);
	}
	return parse_good(p);
}

static struct exact_touch get_touch(const struct data_source *p, const struct exact_data *d)
{
	struct exact_touch t;

	t.row = parse_below(p, d->rows.nr, "a row of data");
	t.offset = parse_below(p, d->line_bytes, "an offset of");
	return t;
}

static bool get_lines(const struct data_source *p, struct exact_data *d)
{
	uint32_t nr;

	d->line_bytes = parse_below(p, EXACT_LINE_MAX, "a line of");
	nr = how_many(p, "a number of lines");
	for (uint32_t n = 0; n < nr && parse_good(p); n++) {
		struct exact_shared l;

		l.number = number(p);
		l.satp = number(p);
		l.va = number(p);
		if (!VEC_PUSH(&d->lines, l))
			return parse_no_memory(p);
	}
	return parse_good(p);
}

static bool get_trades(const struct data_source *p, unsigned harts, struct exact_data *d)
{
	uint32_t nr = how_many(p, "a number of lines taken");

	for (uint32_t n = 0; n < nr && parse_good(p); n++) {
		struct exact_trade t;

		t.line = below(p, d->lines.nr, "a line");
		t.hart = parse_below(p, harts - 1, "a hart");
		t.dropped = parse_below(p, 1, "a truth value");
		t.by = get_touch(p, d);
		t.from = get_touch(p, d);
		t.times = number(p);
		if (d->lines.nr && !VEC_PUSH(&d->trades, t))
			return parse_no_memory(p);
	}
	return parse_good(p);
}

bool data_get(const struct data_source *p, struct exact_data *d)
{
	memset(d, 0, sizeof(*d));
	d->folded = number(p);
	d->lost = number(p);
	return get_users(p, p->harts, d) && get_sites(p, p->harts, p->calls, d) &&
	       get_pieces(p, d) && get_rows(p, p->events, d) && get_lines(p, d) &&
	       get_trades(p, p->harts, d);
}

void data_free(struct exact_data *d)
{
	free(d->users.at);
	free(d->sites.at);
	free(d->pieces.at);
	free(d->rows.at);
	free(d->cells.at);
	free(d->lines.at);
	free(d->trades.at);
}
