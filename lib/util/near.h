/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near.h - finds the word that was probably meant, for "did you mean".
 *
 *	struct near n = near_to("runn");
 *
 *	for (...)
 *		near_try(&n, name);
 *	if (n.best)
 *		... did you mean n.best?
 */
#ifndef UTIL_NEAR_H
#define UTIL_NEAR_H

struct near {
	const char *word;
	const char *best; /* the nearest candidate so far; NULL: there is none */
	unsigned distance; /* of best from the word */
};

/* The greatest distance of a word of which only letters are wrong. */
#define NEAR_LETTERS 5

struct near near_to(const char *word);

/*
 * Tries a candidate, which must live as long as n.  It is near if at most two letters (of a word
 * of up to four letters: one) are wrong, missing, extra or swapped with the next, if the word is
 * its beginning, or if one word has all hyphen-separated parts of the other, in the same order:
 * l1d-misses is near l1d-read-misses.  Small and capital letters are equal.  If nothing is nearer,
 * the candidate may have the parts of the word in another order, misses-l1d; and if nothing is
 * nearer than that, their longer ones may have a letter or two wrong, l1d-mises.
 */
void near_try(struct near *n, const char *candidate);

#endif
