// SPDX-License-Identifier: BSD-2-Clause
/*
 * cache.c - one cache: rules C2 to C4 and C12 of holter-model(7).
 */
#include <stdlib.h>

#include "cache.h"
#include "room.h"

void cache_init(struct cache *c, const struct cpu *cpu, const struct cpu_cache *shape,
		unsigned kind, uint64_t seed)
{
	*c = (struct cache){ .sets = shape->sets, .ways = shape->ways, .line = cpu->line };
	c->slot = room((size_t)c->sets * c->ways, sizeof(*c->slot));
	replace_init(&c->replace, shape->policy, c->sets, c->ways, kind, cpu->random_seed, seed);
	prefetch_init(&c->prefetcher, shape, cpu->line);
}

/* C2 */
static unsigned set_of(const struct cache *c, uint64_t pa)
{
	return pa / c->line % c->sets;
}

struct slot *cache_find(const struct cache *c, uint64_t pa)
{
	struct slot *slot = &c->slot[(size_t)set_of(c, pa) * c->ways];

	for (unsigned way = 0; way < c->ways; way++)
		if (slot[way].held && slot[way].line == pa / c->line * c->line)
			return &slot[way];
	return NULL;
}

/* C4, 2: the line takes a way; what was there may be the victim. */
static struct slot *fill(struct cache *c, uint64_t pa, struct cache_result *r)
{
	unsigned set = set_of(c, pa), way;
	struct slot *slot = &c->slot[(size_t)set * c->ways];

	for (way = 0; way < c->ways && slot[way].held; way++)
		;
	if (way == c->ways) {
		way = replace_choose(&c->replace, set);
		r->has_victim = slot[way].dirty;
		r->victim = slot[way].line;
	}
	slot[way] = (struct slot){ .held = true, .line = pa / c->line * c->line };
	replace_fill(&c->replace, set, way);
	return &slot[way];
}

struct cache_result cache_access(struct cache *c, uint64_t pa, enum cache_access what,
				 const struct cause *cause)
{
	struct cache_result r = { 0 };
	struct slot *s = cache_find(c, pa);
	bool ask = false;

	r.hit = s != NULL;
	r.slot = s;
	r.was_dirty = s && s->dirty;
	if (!s && c->write_through && what != CACHE_READ)
		return r;
	if (s) {
		replace_use(&c->replace, set_of(c, pa), (s - c->slot) % c->ways);
		ask = s->marked && what != CACHE_WRITE_LINE;
		if (ask)
			s->marked = false;
	} else {
		r.slot = s = fill(c, pa, &r);
		ask = what != CACHE_WRITE_LINE;
	}
	if (what != CACHE_READ && !c->write_through) {
		r.made_dirty = !s->dirty;
		s->dirty = true;
	}
	if (ask)
		prefetch_ask(&c->prefetcher, pa, cause, &r.asked);
	return r;
}

struct cache_result cache_prefetch(struct cache *c, uint64_t pa)
{
	struct cache_result r = { 0 };

	/* C3: the prefetcher "on-miss" does not mark. */
	r.slot = fill(c, pa, &r);
	r.slot->marked = c->prefetcher.kind != PREFETCH_ON_MISS;
	return r;
}

void slot_comes(struct slot *s, uint64_t asked, const struct data *arrives)
{
	const uint64_t most = 1u << 28;

	s->coming = arrives->at != asked && arrives->at <= 1ull << 62;
	s->arrives = *arrives;
	s->duration = arrives->at - asked < most ? arrives->at - asked : most;
}

void slot_needed(struct slot *s, uint64_t r, struct data *data)
{
	if (!s->coming)
		return;
	if (r >= s->arrives.at) {
		s->coming = false;
		return;
	}
	if (s->arrives.at - r > s->duration)
		s->arrives.at = r + s->duration;
	if (s->arrives.at > data->at)
		*data = s->arrives;
}

void cache_clear(struct cache *c)
{
	for (size_t n = 0; n < (size_t)c->sets * c->ways; n++)
		c->slot[n].held = false;
}

void cache_free(struct cache *c)
{
	free(c->slot);
	replace_free(&c->replace);
	prefetch_free(&c->prefetcher);
}
