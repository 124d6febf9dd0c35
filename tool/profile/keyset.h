/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * keyset.h - a set of keys of one size, which have numbers in the order in which they were added.
 * Calls idmap.h and lib/util.
 *
 * Keys are compared bytewise: a key has no padding, and what it does not use has a fixed value.
 */
#ifndef PROFILE_KEYSET_H
#define PROFILE_KEYSET_H

#include "idmap.h"

struct keyset { /* KEYSET(): empty */
	size_t key; /* the size of a key in bytes */
	struct idmap index; /* by hash of the key */
	char *at; /* the keys, by number */
	size_t nr, size; /* nr: how many there are */
};

#define KEYSET(type) ((struct keyset){ .key = sizeof(type) })

/* Returns the number of a key, which is added if it is new.  IDMAP_NONE: no memory. */
uint32_t keyset_add(struct keyset *s, const void *key);

/* Returns key n < s->nr, until the next keyset_add. */
static inline const void *keyset_at(const struct keyset *s, size_t n)
{
	return s->at + n * s->key;
}

void keyset_free(struct keyset *s);

#endif
