// SPDX-License-Identifier: BSD-2-Clause
/* cache.c - the parts of a cache outside of its hot path (cache.h). */
#include <stdlib.h>
#include <string.h>

#include "cache.h"

#define PA_LIMIT (1ull << 56)

/* Whether prefetch.h tells what to prefetch. */
static bool learns(const struct cache_config *config)
{
	return config->prefetch >= CACHE_PREFETCH_STREAM;
}

bool cache_check(const struct cache_config *config, struct model_error *why)
{
	return model_in_powers(why, "line", config->line, CACHE_LINE_MIN, CACHE_LINE_MAX) &&
	       model_in_powers(why, "sets", config->sets, 1, CACHE_SETS_MAX) &&
	       replace_check(config->policy, config->ways, why) &&
	       model_in_range(why, "prefetch", config->prefetch, 0, CACHE_PREFETCHES - 1) &&
	       (!learns(config) || prefetch_check(&config->ahead, why));
}

static size_t slots(const struct cache *c)
{
	return (size_t)c->config.sets * c->config.ways;
}

/* The table of near lines is larger than the cache, so that arrays side by side do not share it. */
#define NEAR_LINES 4

/* A power of two. */
static size_t near_nr(const struct cache_config *config)
{
	size_t nr = config->sets;

	while (nr < (size_t)config->sets * config->ways * NEAR_LINES)
		nr *= 2;
	return nr;
}

bool cache_init(struct cache *c, const struct cache_config *config)
{
	*c = (struct cache){
		.recent = malloc(config->sets * sizeof(*c->recent)),
		.word = malloc((size_t)config->sets * config->ways * sizeof(*c->word)),
		.arrival = malloc((size_t)config->sets * config->ways * sizeof(*c->arrival)),
		.mark = calloc(config->sets, (config->ways + 7) & ~7u),
		.mark_bytes = (config->ways + 7) & ~7u,
		.mark_shift = model_log2(config->line) + model_log2(config->sets),
		.near_mask = near_nr(config) - 1,
		.near = calloc(near_nr(config), sizeof(*c->near)),
		.line_mask = ~(uint64_t)(config->line - 1),
		.set_mask = config->sets - 1,
		.shift = model_log2(config->line),
		.load = PREFETCH_NO_PC,
		.config = *config,
	};
	prefetch_init(&c->ahead, &config->ahead, config->line,
		      config->prefetch == CACHE_PREFETCH_STRIDE);
	if (!replace_init(&c->replace, config->policy, config->sets, config->ways, config->seed) ||
	    !c->recent || !c->word || !c->arrival || !c->mark || !c->near) {
		cache_free(c);
		return false;
	}
	cache_invalidate_all(c);
	return true;
}

void cache_free(struct cache *c)
{
	replace_free(&c->replace);
	free(c->recent);
	free(c->word);
	free(c->arrival);
	free(c->entry);
	free(c->window);
	free(c->near);
	free(c->mark);
	c->recent = c->word = NULL;
	c->arrival = NULL;
	c->entry = c->near = c->mark = NULL;
	c->window = NULL;
}

bool cache_window_attach(struct cache *c, uint64_t first)
{
	const size_t sets = c->config.sets;

	c->window = malloc(2 * sets * sizeof(*c->window));
	if (!c->window)
		return false;
	for (size_t set = 0; set < sets; set++) {
		c->window[set] = first;
		c->window[sets + set] = UINT64_MAX;
	}
	return true;
}

void cache_invalidate_all(struct cache *c)
{
	c->changes++;
	if (c->l0)
		l0_clear(c->l0);
	for (size_t set = 0; c->window && set < c->config.sets; set++)
		c->window[set]++;
	memset(c->recent, 0xff, c->config.sets * sizeof(*c->recent));
	memset(c->word, 0xff, slots(c) * sizeof(*c->word));
	c->free = slots(c);
}

void cache_reset(struct cache *c)
{
	cache_invalidate_all(c);
	replace_reset(&c->replace);
	prefetch_reset(&c->ahead);
}

/* The byte of a line. */
static uint8_t mark_of(const struct cache *c, uint64_t line)
{
	uint64_t tag = line >> c->mark_shift;

	return tag ^ tag >> 8 ^ tag >> 16;
}

/* The highest bit of each byte of v that is 0; bytes above one that is 0 may have it, too. */
static uint64_t zeros(uint64_t v)
{
	return (v - 0x0101010101010101) & ~v & 0x8080808080808080;
}

static uint64_t *find(const struct cache *c, uint64_t line)
{
	size_t index = cache_set(c, line);
	uint64_t *set = c->word + index * c->config.ways;
	uint64_t all = mark_of(c, line) * 0x0101010101010101ull, marks;

	for (unsigned first = 0; first < c->mark_bytes; first += 8) {
		memcpy(&marks, c->mark + index * c->mark_bytes + first, sizeof(marks));
		for (uint64_t left = zeros(marks ^ all); left; left &= left - 1) {
			unsigned way = first + __builtin_ctzll(left) / 8;

			if (way < c->config.ways && (set[way] & ~CACHE_FLAGS) == line)
				return &set[way];
		}
	}
	return NULL;
}

/* A slot gets a line. */
static void mark(struct cache *c, size_t slot)
{
	size_t set = slot / c->config.ways;

	c->mark[set * c->mark_bytes + slot % c->config.ways] = mark_of(c, c->word[slot] &
										  ~CACHE_FLAGS);
}

/*
 * Finds a slot for line, which is absent: *word is its word.  Returns true if that evicts a dirty
 * line, *evicted.
 */
static bool make_room(struct cache *c, uint64_t line, uint64_t **word, uint64_t *evicted)
{
	size_t set = cache_set(c, line), first = set * c->config.ways;
	unsigned way = c->free ? 0 : c->config.ways;
	bool dirty;

	while (way < c->config.ways && c->word[first + way] != CACHE_FREE)
		way++;
	if (way == c->config.ways)
		way = replace_victim(&c->replace, first);
	else
		c->free--;
	*word = &c->word[first + way];
	dirty = **word != CACHE_FREE && **word & CACHE_DIRTY;
	*evicted = **word & ~CACHE_FLAGS;
	**word = line;
	c->mark[set * c->mark_bytes + way] = mark_of(c, line);
	replace_filled(&c->replace, first + way);
	return dirty;
}

static void prefetch(struct cache *c, uint64_t line, struct cache_answer *a)
{
	uint64_t *word;

	a->bits |= CACHE_PREFETCH;
	a->prefetched = line;
	if (find(c, line)) {
		a->bits |= CACHE_PREFETCH_HIT;
		return;
	}
	if (make_room(c, line, &word, &a->prefetch_evicted))
		a->bits |= CACHE_PREFETCH_EVICTED;
	if (c->config.prefetch != CACHE_PREFETCH_ON_MISS)
		*word |= CACHE_TAGGED;
	a->prefetch_slot = word - c->word;
	cache_used_last(c, cache_set(c, line), *word);
}

/* Prefetches after an access to pa that brought its line in, or used a prefetched one first. */
static void prefetch_after(struct cache *c, enum cache_op op, uint64_t pa, struct cache_answer *a)
{
	uint64_t next = (pa & c->line_mask) + c->config.line;

	switch (c->config.prefetch) {
	case CACHE_PREFETCH_NONE:
		return;
	case CACHE_PREFETCH_STREAM:
		prefetch_stream(&c->ahead, pa);
		break;
	case CACHE_PREFETCH_STRIDE:
		prefetch_stride(&c->ahead, op == CACHE_READ ? c->load : PREFETCH_NO_PC, pa);
		break;
	default:
		if (next & (CACHE_PAGE_BYTES - 1))
			prefetch(c, next, a);
	}
	if (c->ahead.nr)
		a->bits |= CACHE_AHEAD;
}

bool cache_ahead(struct cache *c, unsigned n, struct cache_answer *a)
{
	if (n >= c->ahead.nr)
		return false;
	a->bits = 0;
	prefetch(c, c->ahead.target[n], a);
	return true;
}

/*
 * The line is present: updates the policy.  Returns whether the line was prefetched and not used
 * since (not ON_MISS).
 */
static bool use(struct cache *c, uint64_t *word, enum cache_op op)
{
	bool tagged = op != CACHE_WHOLE && *word & CACHE_TAGGED;

	if (tagged)
		*word &= ~CACHE_TAGGED;
	replace_hit(&c->replace, word - c->word);
	return tagged;
}

/* As find, but fast for a line that is usually present. */
static inline uint64_t *find_near(struct cache *c, uint64_t line)
{
	uint64_t *word = cache_near(c, line);

	if ((*word & ~CACHE_FLAGS) == line)
		return word;
	word = find(c, line);
	if (word)
		c->near[line >> c->shift & c->near_mask] = (word - c->word) -
							   cache_set(c, line) * c->config.ways;
	return word;
}

bool cache_rehit(struct cache *c, uint64_t pa, bool write)
{
	uint64_t line = pa & c->line_mask, *word = find_near(c, line);

	if (!word || *word & (CACHE_TAGGED | CACHE_COMING) || (write && !(*word & CACHE_DIRTY)))
		return false;
	replace_hit(&c->replace, word - c->word);
	cache_used_last(c, cache_set(c, line), *word);
	return true;
}

void cache_access(struct cache *c, enum cache_op op, uint64_t pa, struct cache_answer *a)
{
	uint64_t line = pa & c->line_mask, *word = find_near(c, line);
	bool wants_next = false;

	a->bits = 0;
	c->ahead.nr = 0;
	if (word) {
		a->bits = *word & CACHE_COMING ? CACHE_HIT | CACHE_LATE : CACHE_HIT;
		wants_next = use(c, word, op);
	} else if (op == CACHE_READ || !c->config.write_through) {
		if (make_room(c, line, &word, &a->evicted))
			a->bits |= CACHE_EVICTED;
		wants_next = op != CACHE_WHOLE;
	}
	if (op != CACHE_READ && c->config.write_through) {
		a->bits |= CACHE_THROUGH;
	} else if (op != CACHE_READ && !(*word & CACHE_DIRTY)) {
		*word |= CACHE_DIRTY;
		a->bits |= CACHE_DIRTIED;
	}
	if (word) {
		a->slot = word - c->word;
		cache_used_last(c, cache_set(c, line), *word);
	}
	if (wants_next)
		prefetch_after(c, op, pa, a);
}

/* The word of a line has changed; it may be the one that its set used last. */
static void changed(struct cache *c, uint64_t line, uint64_t word)
{
	c->changes++;
	if ((c->recent[cache_set(c, line)] & ~CACHE_FLAGS) == line)
		cache_used_last(c, cache_set(c, line), word);
}

void cache_comes(struct cache *c, uint32_t slot, uint64_t line, struct cache_arrival arrival)
{
	uint64_t *word = &c->word[slot];

	if ((*word & ~CACHE_FLAGS) != line || arrival.at > CACHE_TIME_MAX)
		return;
	c->arrival[slot] = arrival;
	*word |= CACHE_COMING;
	changed(c, line, *word);
}

uint32_t cache_wait(struct cache *c, uint32_t slot, uint64_t at, uint8_t *from)
{
	struct cache_arrival *a = &c->arrival[slot];
	uint64_t *word = &c->word[slot];

	*from = a->from;
	if (at < a->at) {
		if (a->at - at > a->took)
			a->at = at + a->took;
		return a->at - at;
	}
	*word &= ~CACHE_COMING;
	changed(c, *word & ~CACHE_FLAGS, *word);
	return 0;
}

uint32_t cache_wait_line(struct cache *c, uint64_t pa, uint64_t at)
{
	uint64_t *word = find(c, pa & c->line_mask);
	uint8_t from;

	return word && *word & CACHE_COMING ? cache_wait(c, word - c->word, at, &from) : 0;
}

bool cache_l0_attach(struct cache *c, struct l0 *f)
{
	if (c->config.line != L0_LINE)
		return true;
	c->entry = calloc(c->config.sets, sizeof(*c->entry));
	if (c->entry)
		c->l0 = f;
	return c->entry;
}

void cache_l0_enter(struct cache *c, uint64_t va, uint64_t pa, uint64_t addend, bool write)
{
	if (c->l0 && (write ? cache_write_hit(c, pa) : cache_read_hit(c, pa)))
		cache_l0_put(c, cache_set(c, pa), va, addend, write);
}

static enum cache_state state_of(const uint64_t *word)
{
	if (!word)
		return CACHE_ABSENT;
	return *word & CACHE_DIRTY ? CACHE_MODIFIED : CACHE_CLEAN;
}

enum cache_state cache_find(const struct cache *c, uint64_t pa)
{
	return state_of(find(c, pa & c->line_mask));
}

/* Changes the word of a line, also in the copy that the hot path reads. */
static enum cache_state change(struct cache *c, uint64_t line, bool drop)
{
	uint64_t *word = find(c, line);
	enum cache_state before = state_of(word);

	if (word) {
		*word = drop ? CACHE_FREE : *word & ~CACHE_DIRTY;
		c->free += drop;
		changed(c, line, *word);
	}
	return before;
}

enum cache_state cache_clean(struct cache *c, uint64_t pa)
{
	return change(c, pa & c->line_mask, false);
}

enum cache_state cache_invalidate(struct cache *c, uint64_t pa)
{
	return change(c, pa & c->line_mask, true);
}

#define SHAPE(config)                                                                              \
	{                                                                                          \
		(config).line, (config).sets, (config).ways, (config).policy, (config).prefetch,   \
			(config).write_through                                                     \
	}

struct saved_arrival {
	uint64_t at;
	uint32_t took, from;
};

bool cache_save_arrival(const struct cache_arrival *a, const struct stream *s)
{
	struct saved_arrival saved = { a->at, a->took, a->from };

	return stream_write(s, &saved, sizeof(saved));
}

bool cache_restore_arrival(struct cache_arrival *a, const struct stream *s)
{
	struct saved_arrival saved;

	if (!stream_read(s, &saved, sizeof(saved)) || saved.took > CACHE_TOOK_MAX ||
	    saved.at < saved.took || saved.at > CACHE_TIME_MAX || saved.from >= CACHE_ORIGINS)
		return false;
	*a = (struct cache_arrival){ saved.at, saved.took, (uint8_t)saved.from };
	return true;
}

static bool is_coming(const struct cache *c, size_t slot)
{
	return c->word[slot] != CACHE_FREE && c->word[slot] & CACHE_COMING;
}

/* Of the lines that are coming, in the order of their slots. */
static bool save_arrivals(const struct cache *c, const struct stream *s)
{
	for (size_t slot = 0; slot < slots(c); slot++) {
		if (is_coming(c, slot) && !cache_save_arrival(&c->arrival[slot], s))
			return false;
	}
	return true;
}

static bool restore_arrivals(struct cache *c, const struct stream *s)
{
	for (size_t slot = 0; slot < slots(c); slot++) {
		if (is_coming(c, slot) &&
		    (!cache_restore_arrival(&c->arrival[slot], s) || !c->arrival[slot].took))
			return false;
	}
	return true;
}

bool cache_save(const struct cache *c, const struct stream *s)
{
	uint32_t shape[] = SHAPE(c->config);

	return model_save_shape(s, shape, 6) && replace_save(&c->replace, s) &&
	       stream_write(s, c->word, slots(c) * sizeof(*c->word)) && save_arrivals(c, s) &&
	       (!learns(&c->config) || prefetch_save(&c->ahead, s));
}

/* Whether a slot of this set may hold this word, if no slot before it holds the same line. */
static bool word_possible(const struct cache *c, size_t slot)
{
	size_t set = slot / c->config.ways;
	uint64_t word = c->word[slot], line = word & ~CACHE_FLAGS;

	if (word == CACHE_FREE)
		return true;
	if (line & ~c->line_mask || line >= PA_LIMIT || cache_set(c, line) != set)
		return false;
	if (word & CACHE_DIRTY && c->config.write_through)
		return false;
	if (word & CACHE_TAGGED && c->config.prefetch < CACHE_PREFETCH_TAGGED)
		return false;
	return find(c, line) == &c->word[slot];
}

bool cache_restore(struct cache *c, const struct stream *s)
{
	uint32_t shape[] = SHAPE(c->config);
	bool possible;

	cache_reset(c);
	possible = model_restore_shape(s, shape, 6) && replace_restore(&c->replace, s) &&
		   stream_read(s, c->word, slots(c) * sizeof(*c->word)) && restore_arrivals(c, s) &&
		   (!learns(&c->config) || prefetch_restore(&c->ahead, s));
	for (size_t slot = 0; slot < slots(c); slot++)
		mark(c, slot);
	for (size_t slot = 0; possible && slot < slots(c); slot++) {
		possible = word_possible(c, slot);
		c->free -= c->word[slot] != CACHE_FREE;
	}
	if (!possible)
		cache_reset(c);
	/* recent stays empty: it only makes hits fast. */
	return possible;
}
