// SPDX-License-Identifier: BSD-2-Clause
/*
 * near.c - see near.h.
 */
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "near.h"

#define WORD_MAX 64
#define FAR	 (2 * WORD_MAX) /* shared parts count less than a few wrong letters */

/* The Levenshtein distance of two words. */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[WORD_MAX], n = strlen(b);

	for (unsigned i = 0; i <= n; i++)
		row[i] = i;
	for (unsigned j = 1; *a; a++, j++) {
		unsigned corner = row[0];

		row[0] = j;
		for (unsigned i = 1; i <= n; i++) {
			unsigned change = corner + (*a != b[i - 1]);
			unsigned skip = (row[i] < row[i - 1] ? row[i] : row[i - 1]) + 1;

			corner = row[i];
			row[i] = change < skip ? change : skip;
		}
	}
	return row[n];
}

/* Whether many has all parts of few, in the same order. */
static bool has_parts(const char *many, const char *few)
{
	while (*few) {
		size_t len = strcspn(few, "-"), have = strcspn(many, "-");

		if (!*many)
			return false;
		if (have == len && !strncmp(many, few, len))
			few += len + (few[len] == '-');
		many += have + (many[have] == '-');
	}
	return true;
}

/* Whether text has this part of len letters. */
static bool has_part(const char *text, const char *part, size_t len)
{
	while (*text) {
		size_t have = strcspn(text, "-");

		if (have == len && !strncmp(text, part, len))
			return true;
		text += have + (text[have] == '-');
	}
	return false;
}

/* Whether many has all parts of few, in any order. */
static bool has_parts_mixed(const char *many, const char *few)
{
	while (*few) {
		size_t len = strcspn(few, "-");

		if (!has_part(many, few, len))
			return false;
		few += len + (few[len] == '-');
	}
	return true;
}

struct near near_to(const char *word)
{
	return (struct near){ word, NULL, UINT_MAX };
}

void near_try(struct near *n, const char *candidate)
{
	size_t len = strlen(n->word);
	unsigned d;

	if (!len || len >= WORD_MAX || !*candidate || strlen(candidate) >= WORD_MAX)
		return;
	d = distance(n->word, candidate);
	if (d <= 2 && d < len)
		d *= 2;
	else if (has_parts(candidate, n->word) || has_parts(n->word, candidate))
		d = FAR + 2 * d;
	else if (has_parts_mixed(candidate, n->word))
		d = 3 * FAR + 2 * d;
	else
		return;
	d += *candidate != *n->word; /* the first letter is seldom the wrong one */
	if (d < n->distance) {
		n->distance = d;
		n->best = candidate;
	}
}
