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

static unsigned min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool differ(char a, char b)
{
	return lower(a) != lower(b);
}

/*
 * Damerau's edit distance, which counts a swap of neighbours as one edit, and capital letters as
 * small ones.  Both words are shorter than WORD_MAX.
 */
static unsigned distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	unsigned row[3][WORD_MAX];
	unsigned *before = row[0], *last = row[1], *now = row[2], *spare;

	for (size_t j = 0; j <= b_len; j++)
		last[j] = j;
	for (size_t i = 1; i <= a_len; i++) {
		now[0] = i;
		for (size_t j = 1; j <= b_len; j++) {
			now[j] = min(min(last[j], now[j - 1]) + 1,
				     last[j - 1] + differ(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && !differ(a[i - 1], b[j - 2]) &&
			    !differ(a[i - 2], b[j - 1]))
				now[j] = min(now[j], before[j - 2] + 1);
		}
		spare = before;
		before = last;
		last = now;
		now = spare;
	}
	return last[b_len];
}

/* How many letters may be wrong in a part of len letters: short parts are all alike. */
static unsigned wrong_letters(size_t len)
{
	return len < 4 ? 0 : len < 6 ? 1 : 2;
}

/* Whether many has all parts of few, in the same order.  about: parts may have wrong letters. */
static bool has_parts(const char *many, const char *few, bool about)
{
	while (*few) {
		size_t len = strcspn(few, "-"), have = strcspn(many, "-");

		if (!*many)
			return false;
		if ((have == len && !strncmp(many, few, len)) ||
		    (about && distance(many, have, few, len) <= wrong_letters(len)))
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
	size_t len = strlen(n->word), size = strlen(candidate);
	unsigned d;

	if (!len || len >= WORD_MAX || !size || size >= WORD_MAX)
		return;
	d = distance(n->word, len, candidate, size);
	if (d <= 1 + (len > 4) && d < len)
		d *= 2;
	else if (len > 2 && !strncmp(candidate, n->word, len))
		d = FAR + 2 * d;
	else if (has_parts(candidate, n->word, false) || has_parts(n->word, candidate, false))
		d = FAR + 2 * d;
	else if (has_parts_mixed(candidate, n->word))
		d = 3 * FAR + 2 * d;
	else if (has_parts(candidate, n->word, true))
		d = 5 * FAR + 2 * d;
	else
		return;
	d += differ(*candidate, *n->word); /* the first letter is seldom the wrong one */
	if (d < n->distance) {
		n->distance = d;
		n->best = candidate;
	}
}
