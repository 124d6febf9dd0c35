// SPDX-License-Identifier: BSD-2-Clause
/*
 * idmap.c - a hash map from 64-bit numbers to indices, with open addressing, at most half full
 * (idmap.h).
 */
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "idmap.h"

static size_t find(const struct idmap *m, uint64_t id)
{
	size_t n = hash_pair(id, 0) & (m->size - 1);

	while (m->slot[n].index != IDMAP_NONE && m->slot[n].id != id)
		n = (n + 1) & (m->size - 1);
	return n;
}

static bool grow(struct idmap *m)
{
	struct idmap old = *m;

	m->size = old.size ? 2 * old.size : 16;
	m->slot = calloc(m->size, sizeof(*m->slot));
	if (!m->slot) {
		*m = old;
		return false;
	}
	for (size_t i = 0; i < m->size; i++)
		m->slot[i].index = IDMAP_NONE;
	for (size_t i = 0; i < old.size; i++) {
		if (old.slot[i].index != IDMAP_NONE)
			m->slot[find(m, old.slot[i].id)] = old.slot[i];
	}
	free(old.slot);
	return true;
}

bool idmap_set(struct idmap *m, uint64_t id, uint32_t index)
{
	size_t n;

	if (2 * m->used >= m->size && !grow(m))
		return false;
	n = find(m, id);
	m->used += m->slot[n].index == IDMAP_NONE;
	m->slot[n] = (struct idmap_slot){ id, index };
	return true;
}

uint32_t idmap_get(const struct idmap *m, uint64_t id)
{
	return m->size ? m->slot[find(m, id)].index : IDMAP_NONE;
}

void idmap_free(struct idmap *m)
{
	free(m->slot);
	*m = (struct idmap){ 0 };
}
