// SPDX-License-Identifier: BSD-2-Clause
/*
 * hierarchy.c - what a miss does in the levels below (hierarchy.h).
 *
 * The caches of one hart and everything below them are levels.  A level reads a line from the next
 * one (read_line) or writes it there (write_line), which may continue further down.  Each level
 * records in the answer what it did.
 */
#include <stdlib.h>
#include <string.h>

#include "hierarchy.h"

enum level { LEVEL_L1I, LEVEL_L1D, LEVEL_L2, LEVEL_LL, LEVEL_BUS };

/* The reason why a line is read: the offset of its two events from the first event of the level. */
enum by { BY_READ = 0, BY_WRITE = 2, BY_PREFETCH = 4, BY_UPDATE = 6 };

/* The access that is being answered. */
struct request {
	struct hierarchy *m;
	unsigned hart;
	uint64_t at;
	struct hierarchy_answer *a;
};

static const uint8_t next_level[] = { LEVEL_L2, LEVEL_L2, LEVEL_LL, LEVEL_BUS };
static const uint8_t prefetch_event[] = { HIERARCHY_L1I_PREFETCH, HIERARCHY_L1D_PREFETCH,
					  HIERARCHY_L2_PREFETCH, HIERARCHY_LL_PREFETCH };
static const uint8_t writeback_event[] = { HIERARCHY_EVENTS, HIERARCHY_L1D_WRITEBACK,
					   HIERARCHY_L2_WRITEBACK, HIERARCHY_LL_WRITEBACK };
static const uint8_t first_event[] = {
	[LEVEL_L2] = HIERARCHY_L2_READ, [LEVEL_LL] = HIERARCHY_LL_READ
};

static void note(struct request *r, enum hierarchy_event event)
{
	uint64_t bit = 1ull << event;

	r->a->count[event] = r->a->what & bit ? r->a->count[event] + 1 : 1;
	r->a->what |= bit;
}

/* NULL: there is no such cache. */
static struct cache *cache_at(const struct request *r, enum level level)
{
	struct hierarchy_hart *h = &r->m->hart[r->hart];
	struct cache *c = level == LEVEL_L1I   ? &h->l1i
			  : level == LEVEL_L1D ? &h->l1d
			  : level == LEVEL_L2  ? &h->l2
					       : &r->m->ll;

	return c->word ? c : NULL;
}

static unsigned cycles_of(const struct request *r, enum level level)
{
	return level == LEVEL_L2 ? r->m->config.l2_cycles : r->m->config.ll_cycles;
}

/*
 * Gives a line, or a part of one, to a level that is not an L1.  Returns the cycles until it is
 * there.
 */
static unsigned write_line(struct request *r, enum level level, uint64_t line, bool whole);

/*
 * Reads a line from a level that is not an L1, for the level above.  Returns the cycles until it
 * is there.
 */
static unsigned read_line(struct request *r, enum level level, uint64_t line, enum by by);

static void write_back(struct request *r, enum level level, uint64_t line)
{
	note(r, writeback_event[level]);
	write_line(r, next_level[level], line, true);
}

static void settle_prefetch(struct request *r, enum level level, const struct cache_answer *c)
{
	if (!(c->bits & CACHE_PREFETCH))
		return;
	note(r, prefetch_event[level]);
	if (!(c->bits & CACHE_PREFETCH_HIT)) {
		note(r, prefetch_event[level] + 1);
		read_line(r, next_level[level], c->prefetched, BY_PREFETCH);
	}
	if (c->bits & CACHE_PREFETCH_EVICTED)
		write_back(r, level, c->prefetch_evicted);
}

/* Does what remains after an access to a cache: the write-backs and the prefetches. */
static void settle(struct request *r, enum level level, const struct cache_answer *c)
{
	struct cache_answer next;

	if (c->bits & CACHE_EVICTED)
		write_back(r, level, c->evicted);
	settle_prefetch(r, level, c);
	if (!(c->bits & CACHE_AHEAD))
		return;
	for (unsigned n = 0; cache_ahead(cache_at(r, level), n, &next); n++)
		settle_prefetch(r, level, &next);
}

/*
 * Invalidates the line in the other harts (drop), or cleans it there.  Returns the cycles that this
 * takes. *dirty: the line was dirty there.
 */
static unsigned take(struct request *r, uint64_t line, bool drop, bool *dirty)
{
	bool found = false;

	*dirty = false;
	for (unsigned hart = 0; hart < r->m->harts; hart++) {
		struct hierarchy_hart *h = &r->m->hart[hart];
		enum cache_state l1d, l2 = CACHE_ABSENT;

		if (hart == r->hart)
			continue;
		l1d = drop ? cache_invalidate(&h->l1d, line) : cache_clean(&h->l1d, line);
		if (h->l2.word)
			l2 = drop ? cache_invalidate(&h->l2, line) : cache_clean(&h->l2, line);
		if (drop && (l1d != CACHE_ABSENT || l2 != CACHE_ABSENT)) {
			note(r, HIERARCHY_SNOOP_INVALIDATE);
			found = true;
		}
		*dirty |= l1d == CACHE_MODIFIED || l2 == CACHE_MODIFIED;
	}
	return found || *dirty ? r->m->config.snoop_cycles : 0;
}

/* The same; a dirty line is also written back to the last level. */
static unsigned snoop(struct request *r, uint64_t line, bool drop)
{
	bool dirty;
	unsigned cycles = take(r, line, drop, &dirty);

	if (dirty) {
		note(r, HIERARCHY_SNOOP_WRITEBACK);
		write_line(r, LEVEL_LL, line, true);
	}
	return cycles;
}

static unsigned read_line(struct request *r, enum level level, uint64_t line, enum by by)
{
	struct cache *c;
	struct cache_answer answer;
	unsigned cycles = 0;

	if (level == LEVEL_BUS) {
		note(r, by == BY_PREFETCH ? HIERARCHY_BUS_PREFETCH : HIERARCHY_BUS_READ);
		if (by != BY_PREFETCH)
			r->a->from = HIERARCHY_FROM_MEMORY;
		return r->m->config.bus_cycles;
	}
	if (level == LEVEL_LL) /* it leaves the hart's own caches */
		cycles = snoop(r, line, false);
	c = cache_at(r, level);
	if (!c)
		return cycles + read_line(r, next_level[level], line, by);
	cache_access(c, CACHE_READ, line, &answer);
	note(r, first_event[level] + by);
	if (answer.bits & CACHE_HIT) {
		cycles += cycles_of(r, level);
		if (by != BY_PREFETCH)
			r->a->from = level == LEVEL_L2 ? HIERARCHY_FROM_L2 : HIERARCHY_FROM_LL;
	} else {
		note(r, first_event[level] + by + 1);
		cycles += read_line(r, next_level[level], line, by);
	}
	settle(r, level, &answer);
	return cycles;
}

static unsigned write_line(struct request *r, enum level level, uint64_t line, bool whole)
{
	enum by by = whole ? BY_UPDATE : BY_WRITE;
	struct cache *c;
	struct cache_answer answer;
	unsigned cycles;

	if (level == LEVEL_BUS) {
		note(r, HIERARCHY_BUS_WRITE);
		return r->m->config.bus_cycles;
	}
	c = cache_at(r, level);
	if (!c)
		return write_line(r, next_level[level], line, whole);
	cache_access(c, whole ? CACHE_WHOLE : CACHE_WRITE, line, &answer);
	note(r, first_event[level] + by);
	if (!(answer.bits & CACHE_HIT))
		note(r, first_event[level] + by + 1);
	if (answer.bits & CACHE_THROUGH)
		cycles = write_line(r, next_level[level], line, whole);
	else if (answer.bits & CACHE_HIT || whole)
		cycles = cycles_of(r, level);
	else
		cycles = read_line(r, next_level[level], line, by);
	settle(r, level, &answer);
	return cycles;
}

/* A read of the hart's L1I or L1D; event is that of the access. */
static void read_access(struct request *r, enum level level, enum hierarchy_event event,
			uint64_t pa)
{
	struct cache *c = cache_at(r, level);
	struct cache_answer answer;

	cache_access(c, CACHE_READ, pa, &answer);
	note(r, event);
	if (!(answer.bits & CACHE_HIT)) {
		note(r, event + 1);
		r->a->cycles += read_line(r, LEVEL_L2, pa & c->line_mask, BY_READ);
	}
	settle(r, level, &answer);
}

/* A write in L1D; whole: nothing has to be read for it. */
static void write_access(struct request *r, uint64_t pa, bool whole)
{
	struct cache *c = cache_at(r, LEVEL_L1D);
	struct cache_answer answer;
	uint64_t line = pa & c->line_mask;

	cache_access(c, whole ? CACHE_WHOLE : CACHE_WRITE, pa, &answer);
	note(r, HIERARCHY_L1D_WRITE);
	if (!(answer.bits & CACHE_HIT))
		note(r, HIERARCHY_L1D_WRITE_MISS);
	if (answer.bits & (CACHE_DIRTIED | CACHE_THROUGH))
		r->a->cycles += snoop(r, line, true);
	if (answer.bits & CACHE_THROUGH)
		r->a->cycles += write_line(r, LEVEL_L2, line, whole);
	else if (!(answer.bits & CACHE_HIT) && !whole)
		r->a->cycles += read_line(r, LEVEL_L2, line, BY_WRITE);
	settle(r, LEVEL_L1D, &answer);
}

/* An atomic through a write-through L1D: its line has to be there first. */
static void atomic_access(struct request *r, uint64_t pa)
{
	struct cache *c = cache_at(r, LEVEL_L1D);
	struct cache_answer answer;
	uint64_t line = pa & c->line_mask;

	if (!c->config.write_through) {
		write_access(r, pa, false);
		return;
	}
	r->a->cycles += snoop(r, line, true);
	cache_access(c, CACHE_READ, pa, &answer);
	note(r, HIERARCHY_L1D_WRITE);
	if (!(answer.bits & CACHE_HIT)) {
		note(r, HIERARCHY_L1D_WRITE_MISS);
		r->a->cycles += read_line(r, LEVEL_L2, line, BY_WRITE);
	}
	r->a->cycles += write_line(r, LEVEL_L2, line, false);
	settle(r, LEVEL_L1D, &answer);
}

static void uncached(struct request *r, enum hierarchy_event event)
{
	note(r, event);
	note(r, event == HIERARCHY_UNCACHED_WRITE ? HIERARCHY_BUS_WRITE : HIERARCHY_BUS_READ);
	r->a->from = HIERARCHY_FROM_MEMORY;
	r->a->cycles = r->m->config.uncached_cycles;
}

void hierarchy_access(struct hierarchy *m, unsigned hart, enum hierarchy_kind kind, uint64_t pa,
		      uint64_t at, struct hierarchy_answer *a)
{
	struct request r = { m, hart, at, a };

	a->what = 0;
	a->cycles = 0;
	a->from = HIERARCHY_FROM_MEMORY;
	m->hart[hart].l1d.load = kind == HIERARCHY_READ ? m->hart[hart].pc : PREFETCH_NO_PC;
	switch (kind) {
	case HIERARCHY_FETCH:
		read_access(&r, LEVEL_L1I, HIERARCHY_L1I_READ, pa);
		break;
	case HIERARCHY_READ:
		read_access(&r, LEVEL_L1D, HIERARCHY_L1D_READ, pa);
		break;
	case HIERARCHY_WALK:
		read_access(&r, LEVEL_L1D, HIERARCHY_L1D_WALK, pa);
		break;
	case HIERARCHY_WRITE:
		write_access(&r, pa, false);
		break;
	case HIERARCHY_ATOMIC:
		atomic_access(&r, pa);
		break;
	default:
		uncached(&r, HIERARCHY_UNCACHED_FETCH + (kind - HIERARCHY_FETCH_UNCACHED));
	}
}

/*
 * Cleans or drops a line in the hart's own caches and the last level.  Returns whether it was
 * dirty.
 */
static bool sweep(struct request *r, uint64_t line, enum hierarchy_cbo op)
{
	bool dirty = false;

	for (enum level level = LEVEL_L1D; level < LEVEL_BUS; level++) {
		struct cache *c = cache_at(r, level);
		enum cache_state before;

		if (!c)
			continue;
		before = op == HIERARCHY_CBO_CLEAN ? cache_clean(c, line)
						   : cache_invalidate(c, line);
		if (before != CACHE_MODIFIED)
			continue;
		dirty = true;
		if (op != HIERARCHY_CBO_INVAL)
			note(r, writeback_event[level]);
	}
	return dirty;
}

static void cbo_line(struct request *r, enum hierarchy_cbo op, uint64_t line)
{
	bool theirs, ours;

	if (op == HIERARCHY_CBO_ZERO) {
		write_access(r, line, r->m->config.cbo_bytes >= r->m->config.l1d.line);
		return;
	}
	r->a->cycles += take(r, line, op != HIERARCHY_CBO_CLEAN, &theirs);
	ours = sweep(r, line, op);
	if (op == HIERARCHY_CBO_INVAL || !(theirs || ours))
		return;
	if (theirs)
		note(r, HIERARCHY_SNOOP_WRITEBACK);
	note(r, HIERARCHY_BUS_WRITE);
	r->a->cycles += r->m->config.bus_cycles;
}

void hierarchy_cbo(struct hierarchy *m, unsigned hart, enum hierarchy_cbo op, uint64_t pa,
		   uint64_t at, struct hierarchy_answer *a)
{
	struct request r = { m, hart, at, a };
	uint64_t bytes = m->config.cbo_bytes, line = m->config.l1d.line;
	uint64_t first = pa & ~(bytes - 1) & ~(line - 1);

	a->what = 0;
	a->cycles = 0;
	a->from = HIERARCHY_FROM_MEMORY;
	for (uint64_t here = first; here < (pa & ~(bytes - 1)) + bytes; here += line)
		cbo_line(&r, op, here);
}

void hierarchy_fence_i(struct hierarchy *m, unsigned hart)
{
	cache_invalidate_all(&m->hart[hart].l1i);
}
