// SPDX-License-Identifier: BSD-2-Clause
/* keyset.c - numbers keys that differ (keyset.h). */
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "keyset.h"
#include "vec.h"

uint32_t keyset_add(struct keyset *s, const void *key)
{
	uint64_t hash = fnv_add(FNV_START, key, s->key);
	uint32_t n;

	/* If two keys have the same hash, the second uses the next free number. */
	while ((n = idmap_get(&s->index, hash)) != IDMAP_NONE) {
		if (!memcmp(keyset_at(s, n), key, s->key))
			return n;
		hash++;
	}
	n = (uint32_t)s->nr;
	if (!vec_room(&s->at, s->nr, 1, &s->size, s->key) || !idmap_set(&s->index, hash, n))
		return IDMAP_NONE;
	memcpy(s->at + s->nr++ * s->key, key, s->key);
	return n;
}

void keyset_free(struct keyset *s)
{
	idmap_free(&s->index);
	free(s->at);
}
