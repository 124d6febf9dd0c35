// SPDX-License-Identifier: BSD-2-Clause
/*
 * suggest.c - finds the event whose name is nearest to a misspelled one.
 *
 * Nearest is by edit distance (Damerau's, which also counts a swap of neighbours as one edit), over
 * the names and aliases of event.c.  Pure.
 */
#include <stdio.h>
#include <string.h>

#include "event.h"

static unsigned min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* The edit distance of two names, which are both shorter than PMC_NAME_MAX. */
static unsigned distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	unsigned row[3][PMC_NAME_MAX];
	unsigned *before = row[0], *last = row[1], *now = row[2], *spare;

	for (size_t j = 0; j <= b_len; j++)
		last[j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		now[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			bool differ = lpmc_fold(a[i - 1]) != lpmc_fold(b[j - 1]);

			now[j] = min(min(last[j], now[j - 1]) + 1, last[j - 1] + differ);
			if (i > 1 && j > 1 && lpmc_fold(a[i - 1]) == lpmc_fold(b[j - 2]) &&
			    lpmc_fold(a[i - 2]) == lpmc_fold(b[j - 1]))
				now[j] = min(now[j], before[j - 2] + 1);
		}
		spare = before;
		before = last;
		last = now;
		now = spare;
	}
	return last[b_len];
}

/* Copies a candidate to `near` and sets *least, if its distance is less than *least. */
static void consider(const char *candidate, const char *name, size_t len, unsigned *least,
		     char near[PMC_NAME_MAX])
{
	size_t size = strlen(candidate);
	unsigned d = distance(name, len, candidate, size);

	if (d >= *least)
		return;
	*least = d;
	memcpy(near, candidate, size + 1);
}

bool lpmc_suggest(const char *name, size_t len, char near[PMC_NAME_MAX])
{
	const unsigned far = len / 3 + 1;
	const char *candidate, *more;
	const struct lpmc_event *e;
	unsigned least = far;
	uint32_t ev;

	if (len >= PMC_NAME_MAX)
		return false;
	for (unsigned i = 0; (e = lpmc_event_row(i)); i++)
		consider(e->name, name, len, &least, near);
	for (unsigned i = 0; (candidate = lpmc_event_alias(i, &ev)); i++)
		consider(candidate, name, len, &least, near);
	for (unsigned i = 0; (e = lpmc_event_row(i)); i++) {
		char both[PMC_NAME_MAX];

		if (!lpmc_event_cache_alias(e->ev, &candidate, &more))
			continue;
		snprintf(both, sizeof(both), "%s%s", candidate, more);
		consider(both, name, len, &least, near);
	}
	return least < far;
}
