/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report_made.h - reports that are made of a few lines, without a file: for tests of what compares
 * reports.
 */
#ifndef REPORT_MADE_H
#define REPORT_MADE_H

#include <stdlib.h>

#include "report.h"
#include "tap.h"

struct made_count {
	const char *comm, *path, *symbol;
	const char *caller; /* a symbol of the same object; NULL: none */
	uint64_t weight[2], samples[2]; /* by event */
};

/* The symbols of each object: NAMES one letter each, 16 bytes long. */
#define MADE_NAMES "abcdefgh"

static inline uint32_t made_object(struct profile *p, const char *path)
{
	uint32_t n = profile_add_object(p, PROFILE_USER, path, NULL, 0);

	if (n == PROFILE_NONE || p->objects.at[n].symbols.nr)
		return n;
	for (unsigned i = 0; MADE_NAMES[i]; i++) {
		const char name[] = { MADE_NAMES[i], '\0' };

		if (!symbols_add(&p->objects.at[n].symbols, 16 * i, 16, name, 1, SYMBOL_GLOBAL))
			p->no_memory = true;
	}
	symbols_sort(&p->objects.at[n].symbols);
	return n;
}

/* NULL: there is no memory. */
static inline struct report *made_report(const char *const *events, bool exact,
					 const struct made_count *counts, size_t nr)
{
	static const struct report_options o = { .symfs = "" };
	struct report *r = calloc(1, sizeof(*r));

	if (!r || !(r->p = profile_new())) {
		free(r);
		return NULL;
	}
	r->o = &o;
	r->path = "profile";
	for (unsigned e = 0; e < 2; e++)
		profile_add_event(r->p, events[e], exact);
	for (size_t i = 0; i < nr && !r->p->no_memory; i++) {
		const struct made_count *c = &counts[i];
		uint32_t process = profile_add_process(r->p, 1, c->comm);
		uint32_t object = made_object(r->p, c->path), stack = PROFILE_NONE;

		if (c->caller)
			stack = profile_add_stack(r->p,
						  profile_add_place(r->p, process, object,
								    16 * (*c->caller - 'a') + 4u),
						  PROFILE_NONE);
		stack = profile_add_stack(r->p,
					  profile_add_place(r->p, process, object,
							    16 * (*c->symbol - 'a') + 8u),
					  stack);
		for (uint32_t e = 0; e < 2; e++)
			profile_add(r->p, stack, e, c->weight[e], c->samples[e]);
	}
	if (!r->p->no_memory && report_resolve(r))
		return r;
	report_free(r);
	return NULL;
}

/* Two reports as one, and they are freed.  NULL: there is no memory, or one of them is NULL. */
static inline struct report *made_merged(struct report *a, struct report *b)
{
	struct report *r[] = { a, b };
	const struct report_events chosen[] = { { { 0, 1 }, 2 }, { { 0, 1 }, 2 } };
	struct report *m = a && b ? report_merge(r, chosen, 2) : NULL;

	report_free(a);
	report_free(b);
	return m;
}

#endif
