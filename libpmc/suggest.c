// SPDX-License-Identifier: BSD-2-Clause
/*
 * suggest.c - the name that a misspelled one was meant to be.
 *
 * Edit distance (Damerau's, with swaps of neighbours) over the names and aliases of event.c.
 * Pure.
 */
#include <string.h>

#include "internal.h"

static unsigned min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Both shorter than PMC_NAME_MAX. */
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

const char *lpmc_suggest(const char *name, size_t len)
{
	const char *best = NULL, *candidate;
	unsigned least = len / 3 + 1, d;
	const struct lpmc_event *e;
	uint32_t ev;

	if (len >= PMC_NAME_MAX)
		return NULL;
	for (unsigned i = 0; (e = lpmc_event_row(i)); i++) {
		d = distance(name, len, e->name, strlen(e->name));
		if (d < least) {
			least = d;
			best = e->name;
		}
	}
	for (unsigned i = 0; (candidate = lpmc_event_alias(i, &ev)); i++) {
		d = distance(name, len, candidate, strlen(candidate));
		if (d < least) {
			least = d;
			best = candidate;
		}
	}
	return best;
}
