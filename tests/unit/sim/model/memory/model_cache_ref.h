/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * model_cache_ref.h - a second, plain cache: lines with two timestamps and flags, a tree of real
 * bits for PLRU, and linear searches.  Shares with sim/model/memory/cache.c the shape and the
 * answer only.
 */
#ifndef SIM_MODEL_CACHE_REF_H
#define SIM_MODEL_CACHE_REF_H

#include "cache.h"
#include "model_rig.h"

struct ref_line {
	bool valid, dirty, tagged, coming;
	uint64_t line; /* its number */
	uint64_t used, filled;
	uint64_t arrives, took; /* if it is coming */
	unsigned from;
};

/* An entry of a prefetcher that learns, which counts in lines or, for a stride, in bytes. */
struct ref_entry {
	bool valid;
	uint64_t key, last, used;
	int64_t step;
	int confidence, ahead;
};

struct ref_cache {
	struct cache_config config;
	struct ref_entry entry[64];
	uint64_t load; /* pc, or PREFETCH_NO_PC */
	uint64_t target[4]; /* line numbers that the last access prefetches */
	unsigned targets;
	struct ref_line *line; /* [set * ways + way] */
	bool *node; /* [set * ways + node], node 1 is the root: the right half was used last */
	uint64_t time, random;
};

static inline struct ref_cache ref_create(const struct cache_config *config)
{
	return (struct ref_cache){
		.config = *config,
		.line = calloc(config->sets * config->ways, sizeof(struct ref_line)),
		.node = calloc(config->sets * config->ways + 1, sizeof(bool)),
		.load = PREFETCH_NO_PC,
		.random = config->seed ? config->seed : 0x9e3779b97f4a7c15,
	};
}

static inline void ref_destroy(struct ref_cache *r)
{
	free(r->line);
	free(r->node);
}

static inline struct ref_line *ref_find(const struct ref_cache *r, uint64_t number)
{
	for (unsigned n = 0; n < r->config.sets * r->config.ways; n++) {
		if (r->line[n].valid && r->line[n].line == number)
			return &r->line[n];
	}
	return NULL;
}

static inline void ref_use(struct ref_cache *r, struct ref_line *l)
{
	unsigned index = l - r->line, ways = r->config.ways;
	bool *node = r->node + index / ways * ways;

	l->used = ++r->time;
	/* From the leaf upwards: each parent notes from which child the access came. */
	for (unsigned at = index % ways + ways; at > 1; at /= 2)
		node[at / 2] = at & 1;
}

static inline unsigned ref_victim(struct ref_cache *r, unsigned set, bool peek)
{
	unsigned ways = r->config.ways, way = 0, at = 1;
	uint64_t x = r->random;

	switch (r->config.policy) {
	case REPLACE_PLRU:
		while (at < ways)
			at = 2 * at + !r->node[set * ways + at];
		return at - ways;
	case REPLACE_RANDOM:
		x ^= x >> 12;
		x ^= x << 25;
		x ^= x >> 27;
		if (!peek)
			r->random = x;
		return ((x * 0x2545f4914f6cdd1dull) >> 32) * ways >> 32;
	default:
		for (unsigned n = 1; n < ways; n++) {
			struct ref_line *a = &r->line[set * ways + n],
					*b = &r->line[set * ways + way];

			if (r->config.policy == REPLACE_LRU ? a->used < b->used
							    : a->filled < b->filled)
				way = n;
		}
		return way;
	}
}

/* Fills a line; returns true if a dirty line, *evicted, was evicted. */
static inline struct ref_line *ref_fill(struct ref_cache *r, uint64_t number, bool *went,
					uint64_t *evicted)
{
	unsigned set = number % r->config.sets, ways = r->config.ways, way;
	struct ref_line *l;

	for (way = 0; way < ways && r->line[set * ways + way].valid; way++)
		;
	if (way == ways)
		way = ref_victim(r, set, false);
	l = &r->line[set * ways + way];
	*went = l->valid && l->dirty;
	*evicted = l->line * r->config.line;
	*l = (struct ref_line){ .valid = true, .line = number };
	ref_use(r, l);
	l->filled = r->time;
	return l;
}

/* A trigger of an entry that has one: changes the entry.  Returns whether it may prefetch. */
static inline bool ref_learn(struct ref_cache *r, struct ref_entry *e, uint64_t pa, bool stride)
{
	uint64_t line = r->config.line, at = stride ? pa : pa / line;
	uint64_t region = 4096 * r->config.ahead.pages;
	int64_t apart = at - e->last, steps = 1, step = apart > 0 ? 1 : -1;
	bool same;

	if (!apart)
		return false;
	if (stride && pa / region != e->last / region) {
		e->last = at;
		e->ahead = 0;
		return true;
	}
	if (stride) {
		same = e->step && (e->last + e->step) / line == pa / line;
		step = llabs(apart) < (int64_t)line ? step * (int64_t)line : apart;
	} else {
		same = step == e->step;
		steps = llabs(apart);
	}
	e->last = at;
	e->ahead = same && e->ahead > steps ? e->ahead - steps : 0;
	if (same) {
		e->confidence = e->confidence < 3 ? e->confidence + 1 : 3;
		return true;
	}
	e->confidence = stride && e->confidence ? e->confidence - 1 : 0;
	if (!e->confidence) {
		bool far = stride && llabs(apart) >= 4096;

		e->step = far ? 0 : step;
		e->confidence = !far;
	}
	return false;
}

static inline void ref_trigger(struct ref_cache *r, uint64_t pa, bool stride)
{
	const struct prefetch_config *c = &r->config.ahead;
	uint64_t region = 4096 * c->pages, scale = stride ? 1 : r->config.line;
	uint64_t key = stride ? r->load : pa / region;
	struct ref_entry *e = r->entry;

	if (stride)
		e = &r->entry[r->load / 2 % c->entries];
	for (unsigned n = 1; !stride && n < c->entries; n++) {
		struct ref_entry *other = &r->entry[n];
		bool found = e->valid && e->key == key;

		if (!found && ((other->valid && other->key == key) || other->used < e->used))
			e = other;
	}
	e->used = ++r->time;
	if (!e->valid || e->key != key) {
		*e = (struct ref_entry){
			.valid = true, .key = key, .last = pa / scale, .used = r->time
		};
		return;
	}
	if (!ref_learn(r, e, pa, stride) || e->confidence < 2)
		return;
	while (r->targets < c->degree && e->ahead < (int)c->distance) {
		uint64_t to = (e->last + (e->ahead + 1) * e->step) * scale;

		if (to / region != pa / region)
			return;
		e->ahead++;
		r->target[r->targets++] = to / r->config.line;
	}
}

/* Brings in a line that is prefetched. */
static inline void ref_prefetch(struct ref_cache *r, uint64_t number, struct cache_answer *a)
{
	struct ref_line *l;
	bool went;

	a->bits |= CACHE_PREFETCH;
	a->prefetched = number * r->config.line;
	if (ref_find(r, number)) {
		a->bits |= CACHE_PREFETCH_HIT;
		return;
	}
	l = ref_fill(r, number, &went, &a->prefetch_evicted);
	l->tagged = r->config.prefetch != CACHE_PREFETCH_ON_MISS;
	a->bits |= went ? CACHE_PREFETCH_EVICTED : 0;
}

static inline struct cache_answer ref_access(struct ref_cache *r, enum cache_op op, uint64_t pa)
{
	uint64_t number = pa / r->config.line;
	struct ref_line *l = ref_find(r, number);
	struct cache_answer a = { 0 };
	bool next = false, went = false;

	r->targets = 0;
	if (l) {
		a.bits |= CACHE_HIT;
		ref_use(r, l);
		if (op != CACHE_WHOLE && l->tagged) {
			l->tagged = false;
			next = true;
		}
	} else if (!(r->config.write_through && op != CACHE_READ)) {
		l = ref_fill(r, number, &went, &a.evicted);
		a.bits |= went ? CACHE_EVICTED : 0;
		next = op != CACHE_WHOLE;
	}
	if (op != CACHE_READ) {
		if (r->config.write_through) {
			a.bits |= CACHE_THROUGH;
		} else {
			a.bits |= l->dirty ? 0 : CACHE_DIRTIED;
			l->dirty = true;
		}
	}
	if (next && r->config.prefetch == CACHE_PREFETCH_STREAM)
		ref_trigger(r, pa, false);
	if (next && r->config.prefetch == CACHE_PREFETCH_STRIDE && op == CACHE_READ &&
	    r->load != PREFETCH_NO_PC)
		ref_trigger(r, pa, true);
	a.bits |= r->targets ? CACHE_AHEAD : 0;
	if (next &&
	    (r->config.prefetch == CACHE_PREFETCH_ON_MISS ||
	     r->config.prefetch == CACHE_PREFETCH_TAGGED) &&
	    number * r->config.line / 4096 == (number + 1) * r->config.line / 4096)
		ref_prefetch(r, number + 1, &a);
	return a;
}

static inline enum cache_state ref_state(const struct ref_cache *r, uint64_t pa)
{
	struct ref_line *l = ref_find(r, pa / r->config.line);

	return !l ? CACHE_ABSENT : l->dirty ? CACHE_MODIFIED : CACHE_CLEAN;
}

static inline enum cache_state ref_drop(struct ref_cache *r, uint64_t pa)
{
	enum cache_state before = ref_state(r, pa);

	if (before != CACHE_ABSENT)
		ref_find(r, pa / r->config.line)->valid = false;
	return before;
}

static inline enum cache_state ref_clean(struct ref_cache *r, uint64_t pa)
{
	enum cache_state before = ref_state(r, pa);

	if (before != CACHE_ABSENT)
		ref_find(r, pa / r->config.line)->dirty = false;
	return before;
}

/* Compares every line with its way and flags, and the next victim of every set. */
static inline bool ref_same(struct ref_cache *r, struct cache *c)
{
	for (unsigned n = 0; n < r->config.sets * r->config.ways; n++) {
		struct ref_line *l = &r->line[n];
		uint64_t word = l->line * r->config.line | (l->dirty ? CACHE_DIRTY : 0) |
				(l->tagged ? CACHE_TAGGED : 0) | (l->coming ? CACHE_COMING : 0);

		if (c->word[n] != (l->valid ? word : CACHE_FREE))
			return false;
	}
	if (r->config.policy == REPLACE_RANDOM)
		return r->random == c->replace.random;
	for (unsigned set = 0; set < r->config.sets; set++) {
		bool full = true;

		for (unsigned way = 0; way < r->config.ways; way++)
			full = full && r->line[set * r->config.ways + way].valid;
		if (full && ref_victim(r, set, true) !=
				    replace_victim(&c->replace, (size_t)set * r->config.ways))
			return false;
	}
	return true;
}

#endif
