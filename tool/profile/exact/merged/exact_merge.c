// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_merge.c - an exact profile merged (exact_merge.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "exact_merge.h"
#include "fit.h"

bool exact_merged_init(struct exact_merged *m, unsigned events)
{
	*m = (struct exact_merged){ .events = events };
	m->total = calloc(events, sizeof(*m->total));
	m->column = calloc(events, sizeof(*m->column));
	return m->total && m->column;
}

void exact_merged_free(struct exact_merged *m)
{
	for (unsigned e = 0; m->column && !m->borrowed && e < m->events; e++) {
		free(m->column[e].stacks.at);
		free(m->column[e].counts.at);
		free(m->column[e].slices.at);
		free(m->column[e].places.at);
	}
	free(m->total);
	free(m->column);
	free(m->places.at);
	free(m->code.at);
	free(m->stacks.at);
	free(m->used);
	free(m->function);
	profile_data_free(m->data);
}

/* Making */

static bool put_count(struct leb_bytes *distances, struct leb_bytes *counts, uint32_t *last,
		      uint32_t n, uint64_t count)
{
	bool good = leb_bytes_put(distances, n - *last) && leb_bytes_put(counts, count);

	*last = n;
	return good;
}

/* The numbers of the rows in the order of their stacks; begin[stack] is where its rows begin. */
static void sort_rows(const uint32_t *stack, size_t rows, uint32_t *order, uint32_t *begin,
		      uint32_t stacks)
{
	for (size_t n = 0; n < rows; n++) {
		if (stack[n] != PROFILE_NONE)
			begin[stack[n] + 1]++;
	}
	for (uint32_t n = 0; n < stacks; n++)
		begin[n + 1] += begin[n];
	for (size_t n = 0; n < rows; n++) {
		if (stack[n] != PROFILE_NONE)
			order[begin[stack[n]]++] = (uint32_t)n;
	}
	memmove(begin + 1, begin, stacks * sizeof(*begin));
	begin[0] = 0;
}

struct sums { /* the counts of a stack */
	uint64_t *count; /* by event, if it is in the list */
	bool *listed; /* by event */
	uint16_t *list;
	unsigned nr;
};

static void add_row(struct sums *sums, const struct exact_rows *rows, uint32_t row)
{
	struct leb_in in = exact_rows_counts(rows, row);

	for (unsigned n = 0; n < rows->rows.at[row].nr; n++) {
		unsigned event = (unsigned)leb_in_get(&in);

		if (!sums->listed[event]) {
			sums->listed[event] = true;
			sums->list[sums->nr++] = (uint16_t)event;
		}
		sums->count[event] += leb_in_get(&in);
	}
}

/* Appends the counts of a stack to their columns, and clears them. */
static bool put_sums(struct exact_merged *m, uint32_t stack, struct sums *sums)
{
	bool good = true;

	for (unsigned n = 0; n < sums->nr; n++) {
		unsigned event = sums->list[n];
		struct exact_column *c = &m->column[event];

		m->total[event] += sums->count[event];
		good = good && put_count(&c->stacks, &c->counts, &c->last_stack, stack,
					 sums->count[event]);
		sums->count[event] = 0;
		sums->listed[event] = false;
	}
	sums->nr = 0;
	return good;
}

bool exact_merged_add_rows(struct exact_merged *m, const struct exact_rows *rows,
			   const uint32_t *stack, uint32_t stacks)
{
	struct sums sums = { calloc(m->events, sizeof(*sums.count)),
			     calloc(m->events, sizeof(*sums.listed)),
			     calloc(m->events, sizeof(*sums.list)), 0 };
	uint32_t *order = malloc((rows->rows.nr + 1) * sizeof(*order));
	uint32_t *begin = calloc((size_t)stacks + 2, sizeof(*begin));
	bool good = sums.count && sums.listed && sums.list && order && begin;

	if (good)
		sort_rows(stack, rows->rows.nr, order, begin, stacks);
	for (uint32_t s = 0; good && s < stacks; s++) {
		for (uint32_t n = begin[s]; n < begin[s + 1]; n++)
			add_row(&sums, rows, order[n]);
		good = put_sums(m, s, &sums);
	}
	free(sums.count);
	free(sums.listed);
	free(sums.list);
	free(order);
	free(begin);
	return good;
}

bool exact_merged_add_slice(struct exact_merged *m, uint32_t slice, const struct exact_cell *cell,
			    unsigned nr)
{
	bool good = true;

	for (unsigned n = 0; n < nr; n++) {
		struct exact_column *c = &m->column[cell[n].event];

		good = good && put_count(&c->slices, &c->slices, &c->last_slice, slice,
					 cell[n].count);
	}
	if (m->slices <= slice)
		m->slices = slice + 1;
	return good;
}

void exact_merged_take(struct exact_merged *m, struct profile *p)
{
	memcpy(&m->places, &p->places, sizeof(m->places));
	memcpy(&m->code, &p->code, sizeof(m->code));
	memcpy(&m->stacks, &p->stacks, sizeof(m->stacks));
	memset(&p->places, 0, sizeof(p->places));
	memset(&p->code, 0, sizeof(p->code));
	memset(&p->stacks, 0, sizeof(p->stacks));
	m->data = p->data;
	m->has_data = p->data;
	p->data = NULL;
	p->has_chains = false;
	idmap_free(&p->place_index);
	idmap_free(&p->stack_index);
}

/* Giving */

static bool is_whole(const struct leb_bytes *b, size_t nr)
{
	struct leb_in in = leb_in_of(b);
	uint64_t n = 0;

	while (in.at < in.end && !in.bad) {
		n += leb_in_below(&in, UINT32_MAX);
		leb_in_get(&in);
		in.bad |= n >= nr;
	}
	return !in.bad;
}

/* Whether there are nr whole numbers: each ends with a byte below 0x80. */
static bool has_numbers(const struct leb_bytes *b, size_t nr)
{
	size_t ends = 0;

	for (size_t n = 0; n < b->nr; n++)
		ends += b->at[n] < 0x80;
	return ends == nr && (!b->nr || b->at[b->nr - 1] < 0x80);
}

/* Marks the stacks whose counts in a dense column are not 0. */
static bool mark_dense(const struct leb_bytes *counts, uint8_t *used, size_t nr)
{
	struct leb_in in = leb_in_of(counts);

	for (size_t n = 0; n < nr && !in.bad;) {
		uint64_t word = nr - n < 8 || in.end - in.at < 8 ? UINT64_MAX : le64(in.at);

		if (!leb_are_small(word)) {
			used[n++] |= leb_in_get(&in) != 0;
			continue;
		}
		/* Adding 0x7f carries into the highest bit of a byte that is not 0. */
		put_le64(used + n, le64(used + n) | ((word + 0x7f * LEB_ONES) >> 7 & LEB_ONES));
		in.at += 8;
		n += 8;
	}
	return !in.bad && in.at == in.end;
}

static bool mark_column(const struct exact_column *c, uint8_t *used, size_t nr)
{
	struct leb_in in = leb_in_of(&c->stacks);
	uint64_t n = 0;
	size_t numbers = 0;

	if (c->dense)
		return !c->stacks.nr && mark_dense(&c->counts, used, nr);
	while (in.at < in.end && !in.bad) {
		/* Most stacks are one after the other. */
		if (in.end - in.at >= 8 && n + 8 < nr && le64(in.at) == LEB_ONES) {
			memset(used + n + 1, 1, 8);
			in.at += 8;
			n += 8;
			numbers += 8;
			continue;
		}
		n += leb_in_below(&in, UINT32_MAX);
		if (n >= nr)
			return false;
		used[n] = 1;
		numbers++;
	}
	return !in.bad && has_numbers(&c->counts, numbers);
}

bool exact_merged_is_chosen(const struct exact_merged *m, unsigned event, const uint8_t *chosen,
			    size_t nr)
{
	bool some = false;

	for (size_t to = 0; to < nr; to++)
		some |= chosen[to * m->events + event];
	return some;
}

uint8_t *exact_merged_places(const struct exact_merged *m, const uint8_t *chosen, size_t nr)
{
	uint8_t *place = calloc(exact_merged_bitmap(m), 1);

	for (unsigned e = 0; place && e < m->events; e++) {
		const struct leb_bytes *places = &m->column[e].places;

		if (!exact_merged_is_chosen(m, e, chosen, nr))
			continue;
		for (size_t n = 0; n < places->nr; n++)
			place[n] |= places->at[n];
	}
	return place;
}

bool exact_merged_find_used(struct exact_merged *m, const uint8_t *chosen, size_t nr)
{
	bool whole = true;

	free(m->used);
	m->used = calloc(m->stacks.nr + 1, sizeof(*m->used));
	for (unsigned e = 0; m->used && whole && e < m->events; e++) {
		if (exact_merged_is_chosen(m, e, chosen, nr))
			whole = mark_column(&m->column[e], m->used, m->stacks.nr) &&
				is_whole(&m->column[e].slices, m->slices);
	}
	return m->used && whole;
}

/* Marks the callers of the stacks that have counts, and the places of all.  Returns how many. */
static size_t find_used(const struct exact_merged *m, bool code, uint32_t *place)
{
	size_t nr = 0;

	for (size_t n = m->stacks.nr; n-- > 0;) {
		const struct profile_stack *s = &m->stacks.at[n];

		if (!m->used[n])
			continue;
		nr++;
		if (!m->function)
			place[s->place] = 1;
		if (s->caller != PROFILE_NONE)
			m->used[s->caller] = 1;
	}
	for (size_t n = 0; code && n < m->code.nr; n++)
		place[n] |= m->code.at[n] != 0;
	return nr;
}

/* Gives p the places that are used, and writes the new numbers over the marks. */
static bool give_places(const struct exact_merged *m, struct profile *p, bool code, uint32_t *place)
{
	if (!VEC_ROOM(&p->places, m->places.nr))
		return false;
	for (size_t n = 0; n < m->places.nr; n++) {
		if (!place[n])
			continue;
		place[n] = (uint32_t)p->places.nr;
		p->places.at[p->places.nr++] = m->places.at[n];
		if (code && n < m->code.nr && m->code.at[n])
			profile_set_code(p, place[n], m->code.at[n]);
	}
	return true;
}

/*
 * Gives p the functions of the places that it has.  Returns the first place of each function, which
 * stands for all of them in stacks.  The caller frees it; NULL: no memory.
 */
static uint32_t *give_functions(const struct exact_merged *m, struct profile *p,
				const uint32_t *place, const uint8_t *is_used)
{
	uint32_t *first = malloc((m->functions + 1) * sizeof(*first));

	if (!first || !VEC_ROOM(&p->function, p->places.nr)) {
		free(first);
		return NULL;
	}
	memset(first, 0xff, (m->functions + 1) * sizeof(*first)); /* PROFILE_NONE */
	for (size_t n = 0; n < m->places.nr; n++) {
		uint32_t function = m->function[n];

		if (!(is_used[n / 8] >> n % 8 & 1))
			continue;
		if (first[function] == PROFILE_NONE)
			first[function] = place[n];
		p->function.at[p->function.nr++] = function;
	}
	return first;
}

/*
 * Gives p the stacks, with the new numbers of places.  Stacks keep their numbers, which the columns
 * have; those that are not used have no place.
 */
static void give_stacks(struct exact_merged *m, struct profile *p, size_t nr, const uint32_t *place)
{
	memcpy(&p->stacks, &m->stacks, sizeof(p->stacks));
	memset(&m->stacks, 0, sizeof(m->stacks));
	for (size_t n = 0; n < p->stacks.nr; n++) {
		struct profile_stack *s = &p->stacks.at[n];

		s->place = m->used[n] ? place[s->place] : PROFILE_NONE;
		p->has_chains |= m->used[n] && s->caller != PROFILE_NONE;
	}
	if (!nr)
		p->stacks.nr = 0;
}

/* Gives p the counts of an event of the file, which are some of those of its own event. */
static bool give_column(const struct exact_merged *m, struct profile *p, unsigned from,
			uint32_t event)
{
	const struct exact_column *c = &m->column[from];
	struct leb_in in = leb_in_of(&c->slices);
	size_t n = 0;

	p->events.at[event].total += m->total[from];
	while (in.at < in.end) {
		n += leb_in_get(&in);
		p->slice_counts.at[n * p->events.nr + event] += leb_in_get(&in);
	}
	return VEC_PUSH(&p->parts, (struct profile_part){ event, c->stacks, c->counts,
							 c->dense });
}

/* Gives p the memory of the columns that it has. */
static bool give_memory(struct exact_merged *m, struct profile *p)
{
	if (m->borrowed)
		return true;
	if (!VEC_ROOM(&p->memory, 2 * (size_t)m->events))
		return false;
	for (unsigned e = 0; e < m->events; e++) {
		p->memory.at[p->memory.nr++] = m->column[e].stacks.at;
		p->memory.at[p->memory.nr++] = m->column[e].counts.at;
		m->column[e].stacks = m->column[e].counts = (struct leb_bytes){ 0 };
	}
	return true;
}

/* Data */

static void mark_places(const struct profile_data *d, uint32_t *place)
{
	for (size_t n = 0; n < d->accesses.nr; n++) {
		if (d->accesses.at[n].place != PROFILE_NONE)
			place[d->accesses.at[n].place] = 1;
	}
	for (size_t n = 0; n < d->sites.nr; n++) {
		if (d->sites.at[n].place != PROFILE_NONE)
			place[d->sites.at[n].place] = 1;
	}
}

void exact_add_note(struct profile *p, uint64_t nr, const char *text)
{
	char line[200], number[FIT_NUMBER_SIZE];

	if (!nr)
		return;
	snprintf(line, sizeof(line), "%s %s", fit_number(number, nr), text);
	profile_add_note(p, line);
}

/* Gives the counts of a row the chosen events of which they are a part. */
static bool choose_cells(const struct exact_merged *m, size_t events, const uint8_t *chosen,
			 struct profile_data *d)
{
	struct profile_data from = { 0 };
	bool good = true;

	memcpy(&from.cells, &d->cells, sizeof(from.cells));
	memset(&d->cells, 0, sizeof(d->cells));
	for (size_t n = 0; n < d->rows.nr && good; n++) {
		struct profile_data_row *r = &d->rows.at[n];
		uint32_t begin = r->cell, end = begin + r->nr;

		r->cell = (uint32_t)d->cells.nr;
		for (uint32_t c = begin; c < end; c++) {
			struct profile_cell cell = from.cells.at[c];
			uint32_t event = cell.event;

			for (cell.event = 0; cell.event < events; cell.event++) {
				if (chosen[cell.event * m->events + event])
					good = good && VEC_PUSH(&d->cells, cell);
			}
		}
		r->nr = (uint32_t)d->cells.nr - r->cell;
	}
	free(from.cells.at);
	return good;
}

/* place: the new numbers of places. */
static void give_data(struct exact_merged *m, struct profile *p, const uint8_t *chosen,
		      const uint32_t *place)
{
	struct profile_data *d = p->data = m->data;

	m->data = NULL;
	for (size_t n = 0; n < d->accesses.nr; n++) {
		if (d->accesses.at[n].place != PROFILE_NONE)
			d->accesses.at[n].place = place[d->accesses.at[n].place];
	}
	for (size_t n = 0; n < d->sites.nr; n++) {
		if (d->sites.at[n].place != PROFILE_NONE)
			d->sites.at[n].place = place[d->sites.at[n].place];
	}
	p->no_memory |= !choose_cells(m, p->events.nr, chosen, d);
	exact_add_note(
		p, d->folded,
		"accesses had no place in the profile: they are counted with others of their page");
	exact_add_note(p, d->lost, "lines taken from another hart had no place in the profile");
}

/* Gives p the stacks, of which nr are used, and the counts of all chosen events. */
static bool give_counts(struct exact_merged *m, struct profile *p, const uint8_t *chosen, size_t nr,
			const uint32_t *place)
{
	size_t slices = m->slices * p->events.nr, all = p->events.nr * m->events;
	bool good;

	p->slice_counts.at = calloc(slices + 1, sizeof(*p->slice_counts.at));
	p->slice_counts.nr = p->slice_counts.size = p->slice_counts.at ? slices : 0;
	good = p->slice_counts.at;
	give_stacks(m, p, nr, place);
	p->has_parts = true;
	for (size_t n = 0; good && n < all; n++) {
		if (chosen[n])
			good = give_column(m, p, (unsigned)(n % m->events),
					   (uint32_t)(n / m->events));
	}
	return good && give_memory(m, p);
}

/* Gives p the places and stacks of a summary, and the counts. */
static bool give_summary(struct exact_merged *m, struct profile *p, const uint8_t *chosen,
			 uint32_t *place)
{
	uint8_t *is_used = exact_merged_places(m, chosen, p->events.nr);
	uint32_t *first = NULL;
	size_t nr = find_used(m, false, NULL);
	bool good = is_used;

	for (size_t n = 0; good && n < m->places.nr; n++)
		place[n] = is_used[n / 8] >> n % 8 & 1;
	good = good && give_places(m, p, false, place);
	if (good)
		first = give_functions(m, p, place, is_used);
	good = first && give_counts(m, p, chosen, nr, first);
	free(is_used);
	free(first);
	return good;
}

/* Gives p the places and stacks, the counts, and the data. */
static bool give_all(struct exact_merged *m, struct profile *p, const uint8_t *chosen, bool code,
		     bool data, uint32_t *place)
{
	size_t nr = find_used(m, code, place);

	if (data && m->data)
		mark_places(m->data, place);
	if (!give_places(m, p, code, place) || !give_counts(m, p, chosen, nr, place))
		return false;
	if (data && m->data)
		give_data(m, p, chosen, place);
	return true;
}

void exact_merged_give(struct exact_merged *m, struct profile *p, const uint8_t *chosen, bool code,
		       bool data)
{
	uint32_t *place = calloc(m->places.nr + 1, sizeof(*place));

	p->has_data = m->has_data;
	p->no_memory |= !place || (!m->used && !exact_merged_find_used(m, chosen, p->events.nr));
	if (!p->no_memory && !(m->function ? give_summary(m, p, chosen, place)
					   : give_all(m, p, chosen, code, data, place)))
		p->no_memory = true;
	if (!p->no_memory)
		profile_join_slices(p);
	free(place);
}
