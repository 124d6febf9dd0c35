/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * near.h - the word that was probably meant: "did you mean".
 *
 *	struct near n = near_to("runn");
 *
 *	for (...)
 *		near_try(&n, name);
 *	if (n.best)
 *		... did you mean n.best?
 */
#ifndef TOOL_NEAR_H
#define TOOL_NEAR_H

struct near {
	const char *word;
	const char *best; /* the nearest candidate so far; NULL: none is near */
	unsigned distance; /* how far it is */
};

struct near near_to(const char *word);

/*
 * A candidate, which must live as long as n.  It is near if two letters at most are wrong, missing or
 * too many, or if the parts between the hyphens of one word are, in their order, parts of the other:
 * l1d-misses is near l1d-read-misses.
 */
void near_try(struct near *n, const char *candidate);

#endif
