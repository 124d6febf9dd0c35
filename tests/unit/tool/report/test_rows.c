// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_rows.c - the sums of rows and of the call tree, compared with those of the definition: each
 * count belongs to the row of its place, and once to each row on its path.  The stacks are random,
 * with much recursion; the counts are weights, or the parts of an exact profile.
 */
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "report.h"
#include "tap.h"

#define EVENTS	  3
#define FUNCTIONS 6
#define PLACES	  60 /* in each function as many */
#define STACKS	  400

static uint64_t state;

static uint32_t below(uint32_t n)
{
	return (uint32_t)(splitmix64(&state) % n);
}

struct made {
	struct report_options o;
	struct report *r;
	uint64_t count[STACKS][EVENTS];
	bool used[STACKS]; /* or a stack that it calls */
	VEC(struct leb_bytes) bytes;
};

static bool is_symbol(struct symbol_table *t, unsigned n)
{
	char name[16];

	snprintf(name, sizeof(name), "f%u", n);
	return symbols_add(t, 0x1000 + 64 * n, 64, name, strlen(name), SYMBOL_GLOBAL);
}

static void make_stacks(struct made *m)
{
	struct profile *p = m->r->p;
	uint32_t process = profile_add_process(p, 1, "x");
	uint32_t object = profile_add_object(p, PROFILE_KERNEL, "[kernel]", NULL, 0);

	for (unsigned n = 0; n < FUNCTIONS; n++)
		ok(is_symbol(&p->objects.at[object].symbols, n));
	for (unsigned n = 0; n < PLACES; n++)
		profile_add_place(p, process, object,
				  0x1000 + 64 * (n * FUNCTIONS / PLACES) + 2 * (n % 10));
	while (p->stacks.nr < STACKS) {
		uint32_t caller = p->stacks.nr && below(8) ? below(p->stacks.nr) : PROFILE_NONE;
		uint32_t place = below(PLACES), run = 1 + below(20);

		/* Some at the next place and with the same caller, as code has them. */
		while (run-- && place < PLACES && p->stacks.nr < STACKS)
			profile_add_stack(p, place++, caller);
	}
}

static void make_counts(struct made *m)
{
	const struct profile *p = m->r->p;

	for (uint32_t s = 0; s < STACKS; s++) {
		for (unsigned e = 0; e < EVENTS; e++) {
			if (below(10) < 2 + 3 * e) /* the first event has most counts */
				continue;
			m->count[s][e] = below(10) ? 1 + below(100) : splitmix64(&state) >> 30;
			for (uint32_t n = s; n != PROFILE_NONE; n = p->stacks.at[n].caller)
				m->used[n] = true;
		}
	}
}

/* Gives an event's counts of the stacks from first on, one of `step`, as a part. */
static void give_part(struct made *m, unsigned event, bool dense, uint32_t first, uint32_t step)
{
	struct leb_bytes stacks = { 0 }, counts = { 0 };
	uint32_t last = 0;

	for (uint32_t s = dense ? 0 : first; s < STACKS; s++) {
		uint64_t count = s % step == first ? m->count[s][event] : 0;

		if (!dense && !count)
			continue;
		ok(dense || leb_bytes_put(&stacks, s - last));
		ok(leb_bytes_put(&counts, count));
		last = s;
	}
	ok(VEC_PUSH(&m->r->p->parts, (struct profile_part){ event, stacks, counts, dense }));
	ok(VEC_PUSH(&m->bytes, stacks) && VEC_PUSH(&m->bytes, counts));
}

static void make(struct made *m, uint64_t seed, bool parts)
{
	static const char *const names[EVENTS] = { "a", "b", "c" };
	struct profile *p;

	*m = (struct made){ .o = { .symfs = "" }, .r = calloc(1, sizeof(*m->r)) };
	state = seed;
	m->r->o = &m->o;
	m->r->path = "profile";
	m->r->p = p = profile_new();
	for (unsigned e = 0; e < EVENTS; e++)
		profile_add_event(p, names[e], true);
	make_stacks(m);
	make_counts(m);
	for (uint32_t s = 0; s < STACKS; s++) {
		for (unsigned e = 0; e < EVENTS; e++) {
			if (parts)
				p->events.at[e].total += m->count[s][e];
			else
				profile_add(p, s, e, m->count[s][e], 0);
		}
		if (!m->used[s])
			p->stacks.at[s].place = PROFILE_NONE;
	}
	p->has_parts = parts;
	if (parts) {
		give_part(m, 0, true, 0, 1);
		give_part(m, 1, false, 0, 2);
		give_part(m, 2, false, 0, 1);
		give_part(m, 1, true, 1, 2);
	}
	ok(report_resolve(m->r));
}

static void unmake(struct made *m)
{
	report_free(m->r);
	for (size_t n = 0; n < m->bytes.nr; n++)
		free(m->bytes.at[n].at);
	free(m->bytes.at);
}

/* The sums of a function, by the definition. */
static void sum_up(const struct made *m, unsigned f, unsigned e, uint64_t *self, uint64_t *total)
{
	const struct profile *p = m->r->p;

	*self = *total = 0;
	for (uint32_t s = 0; s < STACKS; s++) {
		bool on = false;

		if (!m->used[s])
			continue;
		for (uint32_t n = s; n != PROFILE_NONE; n = p->stacks.at[n].caller)
			on |= p->stacks.at[n].place * FUNCTIONS / PLACES == f;
		*self += p->stacks.at[s].place * FUNCTIONS / PLACES == f ? m->count[s][e] : 0;
		*total += on ? m->count[s][e] : 0;
	}
}

static void rows_are_right(const struct made *m)
{
	struct report_events events = { { 0, 1, 2 }, EVENTS };
	struct report_rows rows;
	uint64_t self, total;

	ok(report_make_rows(m->r, REPORT_SYMBOL, &events, &rows));
	is(rows.rows.nr, FUNCTIONS);
	for (size_t n = 0; n < rows.rows.nr; n++) {
		const struct report_row *row = &rows.rows.at[n];
		const char *name = report_text(m->r, m->r->functions.at[row->function].name);

		for (unsigned e = 0; e < EVENTS; e++) {
			sum_up(m, (unsigned)(name[1] - '0'), e, &self, &total);
			is(row->self[e], self);
			is(row->total[e], total);
			is(row->samples[e], 0);
		}
	}
	report_rows_free(&rows);
}

static void tree_is_right(const struct made *m)
{
	struct report_tree tree;
	uint64_t want[EVENTS] = { 0 }, self[EVENTS] = { 0 };

	ok(report_make_tree(m->r, true, 0, &tree));
	for (uint32_t s = 0; s < STACKS; s++) {
		for (unsigned e = 0; e < EVENTS; e++)
			want[e] += m->count[s][e];
	}
	for (size_t n = 0; n < tree.nodes.nr * EVENTS; n++)
		self[n % EVENTS] += tree.self[n];
	for (unsigned e = 0; e < EVENTS; e++) {
		is(self[e], want[e]);
		is(tree.total[e], want[e]);
	}
	report_tree_free(&tree);
}

static void are_right(bool parts)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct made m;

		make(&m, seed, parts);
		rows_are_right(&m);
		tree_is_right(&m);
		unmake(&m);
	}
}

/* A summary is right as long as no symbol begins within one of its functions. */
static void of_summary(void)
{
	struct symbol_table *t;
	struct profile *p;
	struct made m;

	make(&m, 1, false);
	p = m.r->p;
	ok(report_is_summed_right(m.r));
	for (uint32_t n = 0; n < PLACES; n++) {
		uint64_t number = report_function_number(m.r, &p->places.at[n]);

		ok(VEC_PUSH(&p->function, (uint32_t)number));
		is(number, 0x1000 + 64 * (n * FUNCTIONS / PLACES) + 1);
	}
	ok(report_is_summed_right(m.r));
	t = &p->objects.at[0].symbols;
	ok(symbols_add(t, 0x1000 + 64 + 8, 56, "new", 3, SYMBOL_GLOBAL));
	symbols_sort(t);
	report_close_images(m.r);
	free(m.r->spans);
	m.r->frames.nr = 0;
	ok(report_resolve(m.r));
	ok(!report_is_summed_right(m.r));
	unmake(&m);
}

static void of_weights(void)
{
	are_right(false);
}

static void of_parts(void)
{
	are_right(true);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "rows and tree of weights", of_weights },
		{ "rows and tree of parts", of_parts },
		{ "functions of a summary, and a new symbol", of_summary },
	};

	return tap_run(cases, TAP_NR(cases));
}
