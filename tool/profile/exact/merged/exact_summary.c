// SPDX-License-Identifier: BSD-2-Clause
/*
 * exact_summary.c - the summary of a merged profile (exact_summary.h).
 */
#include <stdlib.h>
#include <string.h>

#include "exact_summary.h"
#include "keyset.h"

struct function {
	uint32_t process, object;
	uint64_t number;
};

struct maker {
	const struct exact_merged *m;
	struct exact_merged *to;
	struct idmap index; /* of stacks by function and caller */
	uint32_t *stack; /* of the summary, by stack of m */
	/* Of the event whose column is made: */
	uint64_t *sum; /* by stack of the summary */
	uint32_t *seen; /* by stack of m: the last event whose callers it is one of, from 1 */
};

static bool find_functions(struct maker *k, const struct profile_functions *f)
{
	struct keyset functions = KEYSET(struct function);
	size_t n = 0, nr = k->m->places.nr;
	uint32_t *function = k->to->function = malloc((nr + 1) * sizeof(*function));

	for (; function && n < nr; n++) {
		const struct profile_place *place = &k->m->places.at[n];
		const struct function one = { place->process, place->object,
					      f->of(f->cookie, place) };

		function[n] = keyset_add(&functions, &one);
		if (function[n] == IDMAP_NONE)
			break;
	}
	k->to->functions = (uint32_t)functions.nr;
	keyset_free(&functions);
	return function && n == nr;
}

static uint32_t stack_of(struct maker *k, uint32_t function, uint32_t caller)
{
	uint64_t key = (uint64_t)function << 32 | caller;
	uint32_t i = idmap_get(&k->index, key);

	if (i != IDMAP_NONE)
		return i;
	i = (uint32_t)k->to->stacks.nr;
	return VEC_PUSH(&k->to->stacks, (struct profile_stack){ function, caller }) &&
			       idmap_set(&k->index, key, i)
		       ? i
		       : PROFILE_NONE;
}

static bool find_stacks(struct maker *k)
{
	size_t nr = k->m->stacks.nr;

	k->stack = malloc((nr + 1) * sizeof(*k->stack));
	for (size_t n = 0; k->stack && n < nr; n++) {
		const struct profile_stack *s = &k->m->stacks.at[n];
		uint32_t caller = s->caller == PROFILE_NONE ? PROFILE_NONE : k->stack[s->caller];

		k->stack[n] = stack_of(k, k->to->function[s->place], caller);
		if (k->stack[n] == PROFILE_NONE)
			return false;
	}
	return k->stack;
}

/* Adds up the counts of an event, and marks their places and those of all callers. */
static void add_counts(struct maker *k, unsigned e, uint8_t *place)
{
	const struct exact_column *c = &k->m->column[e];
	struct leb_in in = leb_in_of(&c->stacks);
	struct leb_in counts = leb_in_of(&c->counts);
	const struct profile_stack *s = k->m->stacks.at;
	uint32_t n = 0;

	while (in.at < in.end) {
		n += (uint32_t)leb_in_get(&in);
		k->sum[k->stack[n]] += leb_in_get(&counts);
		for (uint32_t up = n; up != PROFILE_NONE && k->seen[up] != e + 1;) {
			k->seen[up] = e + 1;
			place[s[up].place / 8] |= (uint8_t)(1 << s[up].place % 8);
			up = s[up].caller;
		}
	}
}

static bool make_column(struct maker *k, unsigned e)
{
	struct exact_column *c = &k->to->column[e];
	bool good = VEC_ROOM(&c->places, exact_merged_bitmap(k->m));
	uint32_t last = 0;

	if (!good)
		return false;
	c->places.nr = exact_merged_bitmap(k->m);
	memset(c->places.at, 0, c->places.nr);
	memset(k->sum, 0, k->to->stacks.nr * sizeof(*k->sum));
	add_counts(k, e, c->places.at);
	for (uint32_t n = 0; good && n < k->to->stacks.nr; n++) {
		if (!k->sum[n])
			continue;
		good = leb_bytes_put(&c->stacks, n - last) && leb_bytes_put(&c->counts, k->sum[n]);
		last = n;
	}
	c->slices = k->m->column[e].slices;
	return good;
}

static bool make_columns(struct maker *k)
{
	bool good;

	k->sum = malloc((k->to->stacks.nr + 1) * sizeof(*k->sum));
	k->seen = calloc(k->m->stacks.nr + 1, sizeof(*k->seen));
	good = k->sum && k->seen;
	for (unsigned e = 0; good && e < k->m->events; e++)
		good = make_column(k, e);
	return good;
}

bool exact_summary_make(struct exact_merged *summary, const struct exact_merged *m,
			const struct profile_functions *f)
{
	struct maker k = { .m = m, .to = summary };
	bool good = exact_merged_init(summary, m->events) && f->of && find_functions(&k, f) &&
		    find_stacks(&k) && make_columns(&k);

	idmap_free(&k.index);
	free(k.stack);
	free(k.sum);
	free(k.seen);
	return good;
}

void exact_summary_free(struct exact_merged *summary)
{
	for (unsigned e = 0; summary->column && e < summary->events; e++)
		summary->column[e].slices = (struct leb_bytes){ 0 }; /* of the whole */
	exact_merged_free(summary);
}

bool exact_summary_is_whole(struct exact_merged *summary, const uint8_t *chosen, size_t nr)
{
	uint8_t *place = exact_merged_places(summary, chosen, nr);
	bool *there = calloc(summary->functions + 1, sizeof(*there));
	bool whole = place && there;

	for (size_t n = 0; whole && n < summary->places.nr; n++)
		there[summary->function[n]] |= place[n / 8] >> n % 8 & 1;
	for (size_t n = summary->stacks.nr; whole && n-- > 0;) {
		const struct profile_stack *s = &summary->stacks.at[n];

		if (!summary->used[n])
			continue;
		whole = there[s->place];
		if (s->caller != PROFILE_NONE)
			summary->used[s->caller] = 1;
	}
	free(place);
	free(there);
	return whole;
}
