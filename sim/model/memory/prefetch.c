// SPDX-License-Identifier: BSD-2-Clause
/* prefetch.c - prefetchers that learn (prefetch.h). */
#include <stdlib.h>
#include <string.h>

#include "prefetch.h"

#define PA_LIMIT       (1ull << 56)
#define CONFIDENT      2
#define CONFIDENCE_MAX 3

static const struct prefetch_entry free_entry = { .key = PREFETCH_NO_PC };

bool prefetch_check(const struct prefetch_config *config, struct model_error *why)
{
	return model_in_powers(why, "entries", config->entries, 1, PREFETCH_ENTRIES_MAX) &&
	       model_in_range(why, "degree", config->degree, 1, PREFETCH_DEGREE_MAX) &&
	       model_in_range(why, "distance", config->distance, 1, PREFETCH_DISTANCE_MAX) &&
	       model_in_powers(why, "pages", config->pages, 1, PREFETCH_PAGES_MAX);
}

void prefetch_init(struct prefetch *p, const struct prefetch_config *config, uint32_t line,
		   bool stride)
{
	*p = (struct prefetch){ .line = line, .stride = stride, .config = *config };
	prefetch_reset(p);
}

void prefetch_reset(struct prefetch *p)
{
	for (unsigned n = 0; n < PREFETCH_ENTRIES_MAX; n++)
		p->entry[n] = free_entry;
	p->nr = p->first = 0;
}

/* The index of the n-th most recently used entry of a stream; of a stride: n. */
static unsigned place(const struct prefetch *p, unsigned n)
{
	return (p->first + n) & (p->config.entries - 1);
}

static uint64_t region_of(const struct prefetch *p, uint64_t pa)
{
	return pa & ~((uint64_t)p->config.pages * PREFETCH_PAGE - 1);
}

static uint64_t line_of(const struct prefetch *p, uint64_t pa)
{
	return pa & ~(p->line - 1ull);
}

/* Chooses the lines to prefetch after a trigger that confirmed the step. */
static void go_ahead(struct prefetch *p, struct prefetch_entry *e)
{
	while (e->confidence >= CONFIDENT && p->nr < p->config.degree &&
	       e->ahead < p->config.distance) {
		uint64_t target = e->last + (e->ahead + 1) * (int64_t)e->step;

		if (region_of(p, target) != region_of(p, e->last))
			return;
		e->ahead++;
		p->target[p->nr++] = line_of(p, target);
	}
}

static void confirm(struct prefetch *p, struct prefetch_entry *e, unsigned steps)
{
	e->confidence += e->confidence < CONFIDENCE_MAX;
	e->ahead -= e->ahead < steps ? e->ahead : steps;
	go_ahead(p, e);
}

/* Makes the n-th entry the first one.  Returns it. */
static struct prefetch_entry *make_first(struct prefetch *p, unsigned n)
{
	struct prefetch_entry *e = p->entry, entry = e[place(p, n)];

	if (n == p->config.entries - 1) {
		p->first += n;
		return &e[place(p, 0)];
	}
	for (; n; n--)
		e[place(p, n)] = e[place(p, n - 1)];
	e[place(p, 0)] = entry;
	return &e[place(p, 0)];
}

/* Makes the entry of a region the first one.  Returns it, or NULL if it is new. */
static struct prefetch_entry *find_region(struct prefetch *p, uint64_t pa)
{
	uint64_t region = region_of(p, pa);
	struct prefetch_entry *e;
	unsigned n = 0;

	while (n + 1 < p->config.entries && p->entry[place(p, n)].key != region)
		n++;
	e = make_first(p, n);
	if (e->key == region)
		return e;
	*e = (struct prefetch_entry){ .key = region, .last = line_of(p, pa) };
	return NULL;
}

void prefetch_stream(struct prefetch *p, uint64_t pa)
{
	struct prefetch_entry *e = find_region(p, pa);
	int32_t lines, step;

	p->nr = 0;
	if (!e)
		return;
	lines = ((int64_t)line_of(p, pa) - (int64_t)e->last) / (int32_t)p->line;
	if (!lines)
		return;
	step = lines < 0 ? -(int32_t)p->line : (int32_t)p->line;
	e->last = line_of(p, pa);
	if (e->step == step) {
		confirm(p, e, abs(lines));
		return;
	}
	e->step = step;
	e->confidence = 1;
	e->ahead = 0;
}

/* The load was at e->last, and is now at pa, in the same region.  A step is less than a page. */
static void learn_stride(struct prefetch *p, struct prefetch_entry *e, uint64_t pa)
{
	int32_t step = (int32_t)(pa - e->last), line = (int32_t)p->line;
	bool confirmed = e->step && line_of(p, e->last + (int64_t)e->step) == line_of(p, pa);

	if (!step)
		return;
	e->last = pa;
	if (confirmed) {
		confirm(p, e, 1);
		return;
	}
	e->ahead = 0;
	e->confidence -= e->confidence > 0;
	if (e->confidence)
		return;
	if (abs(step) >= PREFETCH_PAGE) {
		e->step = 0;
		return;
	}
	if (abs(step) < line)
		step = step < 0 ? -line : line;
	e->step = step;
	e->confidence = 1;
}

void prefetch_stride(struct prefetch *p, uint64_t pc, uint64_t pa)
{
	struct prefetch_entry *e = &p->entry[pc / 2 % p->config.entries];

	p->nr = 0;
	if (pc == PREFETCH_NO_PC)
		return;
	if (e->key != pc) {
		*e = (struct prefetch_entry){ .key = pc, .last = pa };
	} else if (region_of(p, e->last) == region_of(p, pa)) {
		learn_stride(p, e, pa);
	} else {
		e->last = pa;
		e->ahead = 0;
		go_ahead(p, e);
	}
}

/* Snapshots */

struct saved_entry {
	uint64_t key, last;
	int32_t step;
	uint16_t confidence, ahead;
};

#define SHAPE(p)                                                                                   \
	{                                                                                          \
		(p)->config.entries, (p)->config.degree, (p)->config.distance, (p)->config.pages,  \
			(p)->line, (p)->stride                                                     \
	}

bool prefetch_save(const struct prefetch *p, const struct stream *s)
{
	uint32_t shape[] = SHAPE(p);

	if (!model_save_shape(s, shape, 6))
		return false;
	for (unsigned n = 0; n < p->config.entries; n++) {
		const struct prefetch_entry *e = &p->entry[place(p, n)];
		struct saved_entry saved = { e->key, e->last, e->step, e->confidence, e->ahead };

		if (!stream_write(s, &saved, sizeof(saved)))
			return false;
	}
	return true;
}

static bool step_possible(const struct prefetch *p, const struct saved_entry *e)
{
	int32_t line = (int32_t)p->line;

	if (!e->step)
		return !e->confidence && !e->ahead;
	if (e->step > -line && e->step < line)
		return false;
	if (p->stride ? e->step <= -PREFETCH_PAGE || e->step >= PREFETCH_PAGE
		      : e->step != line && e->step != -line)
		return false;
	return e->confidence >= 1 && e->confidence <= CONFIDENCE_MAX &&
	       e->ahead <= p->config.distance;
}

/* Whether the entry may be the n-th one, after those that are restored. */
static bool entry_possible(const struct prefetch *p, unsigned n, const struct saved_entry *e)
{
	if (e->key == PREFETCH_NO_PC)
		return !e->last && !e->step && !e->confidence && !e->ahead;
	if (e->last >= PA_LIMIT || !step_possible(p, e))
		return false;
	if (p->stride)
		return !(e->key & 1) && e->key / 2 % p->config.entries == n;
	if (e->key != region_of(p, e->last) || e->last != line_of(p, e->last))
		return false;
	/* Entries are used from the first on, each for another region. */
	for (unsigned before = 0; before < n; before++) {
		if (p->entry[before].key == e->key || p->entry[before].key == PREFETCH_NO_PC)
			return false;
	}
	return true;
}

bool prefetch_restore(struct prefetch *p, const struct stream *s)
{
	uint32_t shape[] = SHAPE(p);
	bool possible = model_restore_shape(s, shape, 6);

	prefetch_reset(p);
	for (unsigned n = 0; possible && n < p->config.entries; n++) {
		struct saved_entry e;

		possible = stream_read(s, &e, sizeof(e)) && entry_possible(p, n, &e);
		if (possible)
			p->entry[n] = (struct prefetch_entry){
				.key = e.key,
				.last = e.last,
				.step = e.step,
				.confidence = (uint8_t)e.confidence,
				.ahead = (uint8_t)e.ahead,
			};
	}
	if (!possible)
		prefetch_reset(p);
	return possible;
}
