// SPDX-License-Identifier: BSD-2-Clause
/*
 * hierarchy_state.c - making, checking, saving and restoring the caches of a machine (hierarchy.h).
 */
#include <stdlib.h>

#include "hierarchy.h"

#define CYCLES_MAX 100000

/* Checks what all caches of the machine have in common, then this cache by itself. */
static bool check_cache(const struct hierarchy_config *config, const struct cache_config *c,
			const char *part, struct model_error *why)
{
	why->part = part;
	if (!cache_check(c, why))
		return false;
	if (c->line != config->l1d.line)
		return model_refuse(why, "line",
				    "%u, where L1D has %u: all caches need one line size", c->line,
				    config->l1d.line);
	return true;
}

bool hierarchy_check(const struct hierarchy_config *config, struct model_error *why)
{
	if (!check_cache(config, &config->l1d, "l1d", why) ||
	    !check_cache(config, &config->l1i, "l1i", why) ||
	    (config->l2.sets && !check_cache(config, &config->l2, "l2", why)) ||
	    (config->ll.sets && !check_cache(config, &config->ll, "ll", why)))
		return false;
	why->part = NULL;
	return model_in_range(why, "l2_cycles", config->l2_cycles, 0, CYCLES_MAX) &&
	       model_in_range(why, "ll_cycles", config->ll_cycles, 0, CYCLES_MAX) &&
	       model_in_range(why, "bus_cycles", config->bus_cycles, 0, CYCLES_MAX) &&
	       model_in_range(why, "snoop_cycles", config->snoop_cycles, 0, CYCLES_MAX) &&
	       model_in_range(why, "uncached_cycles", config->uncached_cycles, 0, CYCLES_MAX) &&
	       model_in_powers(why, "cbo_bytes", config->cbo_bytes, CACHE_LINE_MIN, CACHE_LINE_MAX);
}

bool hierarchy_init(struct hierarchy *m, const struct hierarchy_config *config, unsigned harts)
{
	bool made = true;

	*m = (struct hierarchy){
		.hart = calloc(harts, sizeof(*m->hart)),
		.config = *config,
	};
	if (!m->hart)
		return false;
	m->harts = harts;
	if (config->ll.sets)
		made = cache_init(&m->ll, &config->ll);
	for (unsigned hart = 0; hart < harts; hart++) {
		struct hierarchy_hart *h = &m->hart[hart];

		made = made && cache_init(&h->l1i, &config->l1i) &&
		       cache_init(&h->l1d, &config->l1d) &&
		       (!config->l2.sets || cache_init(&h->l2, &config->l2));
	}
	if (!made)
		hierarchy_free(m);
	return made;
}

/* Calls fn for every cache, until one call returns false. */
static bool each_cache(struct hierarchy *m, bool (*fn)(struct cache *c, const struct stream *s),
		       const struct stream *s)
{
	if (m->ll.word && !fn(&m->ll, s))
		return false;
	for (unsigned hart = 0; hart < m->harts; hart++) {
		struct hierarchy_hart *h = &m->hart[hart];

		if ((h->l1i.word && !fn(&h->l1i, s)) || (h->l1d.word && !fn(&h->l1d, s)) ||
		    (h->l2.word && !fn(&h->l2, s)))
			return false;
	}
	return true;
}

static bool reset_one(struct cache *c, const struct stream *s)
{
	cache_reset(c);
	return true;
}

static bool free_one(struct cache *c, const struct stream *s)
{
	cache_free(c);
	return true;
}

static bool save_one(struct cache *c, const struct stream *s)
{
	return cache_save(c, s);
}

void hierarchy_free(struct hierarchy *m)
{
	each_cache(m, free_one, NULL);
	free(m->hart);
	m->hart = NULL;
	m->harts = 0;
}

uint64_t hierarchy_bytes(const struct hierarchy *m)
{
	uint64_t bytes = m->harts * sizeof(*m->hart) + cache_bytes(&m->ll);

	for (unsigned hart = 0; hart < m->harts; hart++) {
		const struct hierarchy_hart *h = &m->hart[hart];

		bytes += cache_bytes(&h->l1i) + cache_bytes(&h->l1d) + cache_bytes(&h->l2);
	}
	return bytes;
}

void hierarchy_reset(struct hierarchy *m)
{
	each_cache(m, reset_one, NULL);
}

bool hierarchy_save(const struct hierarchy *m, const struct stream *s)
{
	uint32_t harts = m->harts;

	/* save_one changes nothing. */
	return model_save_shape(s, &harts, 1) && each_cache((struct hierarchy *)m, save_one, s);
}

/* Whether no line that is dirty in c, of hart, is in another hart's L1D or L2. */
static bool exclusive(const struct hierarchy *m, unsigned hart, const struct cache *c)
{
	for (size_t slot = 0; c->word && slot < (size_t)c->config.sets * c->config.ways; slot++) {
		uint64_t word = c->word[slot];

		if (word == CACHE_FREE || !(word & CACHE_DIRTY))
			continue;
		for (unsigned n = 0; n < m->harts; n++) {
			const struct hierarchy_hart *other = &m->hart[n];

			if (n != hart &&
			    (cache_find(&other->l1d, word) != CACHE_ABSENT ||
			     (other->l2.word && cache_find(&other->l2, word) != CACHE_ABSENT)))
				return false;
		}
	}
	return true;
}

bool hierarchy_restore(struct hierarchy *m, const struct stream *s)
{
	uint32_t harts = m->harts;
	bool possible;

	hierarchy_reset(m);
	possible = model_restore_shape(s, &harts, 1) && each_cache(m, cache_restore, s);
	for (unsigned hart = 0; possible && hart < m->harts; hart++)
		possible = exclusive(m, hart, &m->hart[hart].l1d) &&
			   exclusive(m, hart, &m->hart[hart].l2);
	if (!possible)
		hierarchy_reset(m);
	return possible;
}
