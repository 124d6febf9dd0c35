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
	struct hierarchy_answer *a;
	uint64_t turn; /* when the last service of its requests begins */
};

/* When the data of a line arrives, and from which enum hierarchy_place. */
struct arrival {
	uint64_t at;
	uint8_t from;
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

static void note_write_back(struct request *r, enum hierarchy_event event, uint64_t line)
{
	const struct hierarchy_watch *watch = r->m->watch;

	note(r, event);
	if (watch)
		watch->written_back(watch->arg, event, line);
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

/* The hart's L1s are asked for a line now; the levels below will be if they miss. */
static void expect(const struct hierarchy *m, unsigned hart, uint64_t pa)
{
	if (m->hart[hart].l2.word)
		cache_expect(&m->hart[hart].l2, pa);
	if (m->ll.word)
		cache_expect(&m->ll, pa);
}

/* The bank of a line. */
static unsigned bank(const struct request *r, uint64_t line, uint32_t banks)
{
	return banks ? line / r->m->config.l1d.line & (banks - 1) : 0;
}

/* A request for a line comes to a level at a time.  Returns when its service begins. */
static uint64_t turn_at(struct request *r, enum level level, uint64_t line, uint64_t at)
{
	const struct hierarchy_config *c = &r->m->config;
	struct hierarchy_hart *h = &r->m->hart[r->hart];

	if (level == LEVEL_L2 && c->l2_line_cycles)
		at += ledger_take(&h->l2_port[bank(r, line, c->l2_banks)], at, c->l2_line_cycles,
				  0);
	else if (level == LEVEL_LL && c->ll_line_cycles)
		at += ledger_take(&r->m->ll_port[bank(r, line, c->ll_banks)], at, c->ll_line_cycles,
				  r->hart);
	else if (level == LEVEL_BUS && c->bus_line_cycles)
		at += ledger_take(&r->m->bus_port, at, c->bus_line_cycles, r->hart);
	r->turn = at > r->turn ? at : r->turn;
	return at;
}

/* A level has the line at a time: its data arrives at the requester after a fixed time. */
static struct arrival found(const struct request *r, enum level level, uint64_t at)
{
	const struct hierarchy_config *c = &r->m->config;

	if (level == LEVEL_L2)
		return (struct arrival){ at + c->l2_cycles, HIERARCHY_FROM_L2 };
	if (level == LEVEL_LL)
		return (struct arrival){ at + c->ll_cycles, HIERARCHY_FROM_LL };
	return (struct arrival){ at + c->bus_cycles, HIERARCHY_FROM_MEMORY };
}

/* Memory reads a line, from a time on. */
static struct arrival read_memory(struct request *r, uint64_t line, uint64_t at)
{
	const struct hierarchy_config *c = &r->m->config;
	uint64_t row, *open;

	if (!c->row_bytes)
		return found(r, LEVEL_BUS, at);
	row = line / ((uint64_t)c->row_bytes * c->row_banks);
	open = &r->m->open_row[(line / c->row_interleave ^ row) & (c->row_banks - 1)];
	if (*open == row + 1)
		return (struct arrival){ at + c->row_hit_cycles, HIERARCHY_FROM_MEMORY };
	*open = row + 1;
	return found(r, LEVEL_BUS, at);
}

/* The same where the access of c found a line that may be coming. */
static struct arrival late(struct cache *c, const struct cache_answer *answer, uint64_t at,
			   struct arrival otherwise)
{
	uint8_t from;
	uint64_t data;

	if (!(answer->bits & CACHE_LATE))
		return otherwise;
	data = at + cache_wait(c, answer->slot, at, &from);
	return data > otherwise.at ? (struct arrival){ data, from } : otherwise;
}

/* The arrival of data that was requested at a time. */
static struct cache_arrival arrival_since(struct arrival data, uint64_t since)
{
	uint64_t took = data.at - since;

	return (struct cache_arrival){
		.at = data.at,
		.took = took < CACHE_TOOK_MAX ? took : CACHE_TOOK_MAX,
		.from = data.from,
	};
}

/* The data of a line that was requested at a time arrives in a slot of c. */
static void comes(struct cache *c, uint32_t slot, uint64_t line, uint64_t since,
		  struct arrival data)
{
	if (data.at != since)
		cache_comes(c, slot, line, arrival_since(data, since));
}

/*
 * Gives a line, or a part of one, to a level that is not an L1, at a time.  Returns when it is
 * there.
 */
static uint64_t write_line(struct request *r, enum level level, uint64_t line, bool whole,
			   uint64_t at);

/* Reads a line from a level that is not an L1, for the level above, at a time. */
static struct arrival read_line(struct request *r, enum level level, uint64_t line, enum by by,
				uint64_t at);

/* Nobody waits for it. */
static void write_back(struct request *r, enum level level, uint64_t line, uint64_t at)
{
	note_write_back(r, writeback_event[level], line);
	write_line(r, next_level[level], line, true, at);
}

static void settle_prefetch(struct request *r, enum level level, const struct cache_answer *c,
			    uint64_t at)
{
	if (!(c->bits & CACHE_PREFETCH))
		return;
	note(r, prefetch_event[level]);
	if (!(c->bits & CACHE_PREFETCH_HIT)) {
		note(r, prefetch_event[level] + 1);
		comes(cache_at(r, level), c->prefetch_slot, c->prefetched, at,
		      read_line(r, next_level[level], c->prefetched, BY_PREFETCH, at));
	}
	if (c->bits & CACHE_PREFETCH_EVICTED)
		write_back(r, level, c->prefetch_evicted, at);
}

/*
 * Does what remains after an access to a cache, at the time of the access: the write-backs and the
 * prefetches.
 */
static void settle(struct request *r, enum level level, const struct cache_answer *c, uint64_t at)
{
	struct cache_answer next;

	if (c->bits & CACHE_EVICTED)
		write_back(r, level, c->evicted, at);
	settle_prefetch(r, level, c, at);
	if (!(c->bits & CACHE_AHEAD))
		return;
	for (unsigned n = 0; cache_ahead(cache_at(r, level), n, &next); n++)
		settle_prefetch(r, level, &next, at);
}

/* What take() has found in other harts. */
struct taken {
	bool found; /* it invalidated the line, or cleaned one that was dirty */
	bool dirty;
	uint64_t at; /* until the data of a dirty line had arrived */
};

/* Invalidates the line in a cache of another hart (drop), or cleans it there. */
static enum cache_state take_from(struct cache *c, uint64_t line, bool drop, uint64_t at,
				  struct taken *t)
{
	uint64_t wait;

	if (!c->word)
		return CACHE_ABSENT;
	if (cache_find(c, line) == CACHE_MODIFIED) {
		wait = cache_wait_line(c, line, at);
		t->dirty = t->found = true;
		t->at = at + wait > t->at ? at + wait : t->at;
	}
	return drop ? cache_invalidate(c, line) : cache_clean(c, line);
}

/* The same in all caches of all other harts, at a time. */
static struct taken take(struct request *r, uint64_t line, bool drop, uint64_t at)
{
	const struct hierarchy_watch *watch = r->m->watch;
	struct taken t = { .at = at };

	for (unsigned hart = 0; hart < r->m->harts; hart++) {
		struct hierarchy_hart *h = &r->m->hart[hart];
		enum cache_state l1d, l2;
		bool dirty = t.dirty, dropped;

		if (hart == r->hart)
			continue;
		l1d = take_from(&h->l1d, line, drop, at, &t);
		l2 = take_from(&h->l2, line, drop, at, &t);
		dropped = drop && (l1d != CACHE_ABSENT || l2 != CACHE_ABSENT);
		if (dropped) {
			note(r, HIERARCHY_SNOOP_INVALIDATE);
			t.found = true;
		}
		if (watch && (dropped || t.dirty != dirty))
			watch->taken(watch->arg, hart, line, dropped);
	}
	if (t.found)
		t.at += r->m->config.snoop_cycles;
	return t;
}

/* The same; a dirty line is also written back to the last level.  Returns when that is over. */
static uint64_t snoop(struct request *r, uint64_t line, bool drop, uint64_t at)
{
	struct taken t = take(r, line, drop, at);

	if (t.dirty) {
		note_write_back(r, HIERARCHY_SNOOP_WRITEBACK, line);
		write_line(r, LEVEL_LL, line, true, t.at);
	}
	return t.at;
}

/* Takes a line that the access writes from all other harts.  Returns when that is over. */
static uint64_t own(struct request *r, uint64_t line, uint64_t at)
{
	const struct hierarchy_watch *watch = r->m->watch;

	at = snoop(r, line, true, at);
	if (watch)
		watch->dirties(watch->arg);
	return at;
}

static struct arrival read_line(struct request *r, enum level level, uint64_t line, enum by by,
				uint64_t at)
{
	struct cache *c;
	struct cache_answer answer;
	struct arrival data;
	uint64_t since;

	if (level == LEVEL_BUS) {
		note(r, by == BY_PREFETCH ? HIERARCHY_BUS_PREFETCH : HIERARCHY_BUS_READ);
		return read_memory(r, line, turn_at(r, level, line, at));
	}
	if (level == LEVEL_LL) /* it leaves the hart's own caches */
		at = snoop(r, line, false, at);
	c = cache_at(r, level);
	if (!c)
		return read_line(r, next_level[level], line, by, at);
	since = at;
	at = turn_at(r, level, line, at);
	cache_access(c, CACHE_READ, line, &answer);
	note(r, first_event[level] + by);
	if (answer.bits & CACHE_HIT) {
		data = late(c, &answer, at, found(r, level, at));
	} else {
		note(r, first_event[level] + by + 1);
		data = read_line(r, next_level[level], line, by, at);
		comes(c, answer.slot, line, since, data);
	}
	settle(r, level, &answer, since);
	return data;
}

static uint64_t write_line(struct request *r, enum level level, uint64_t line, bool whole,
			   uint64_t at)
{
	enum by by = whole ? BY_UPDATE : BY_WRITE;
	struct cache *c;
	struct cache_answer answer;
	struct arrival data;
	uint64_t since = at;

	if (level == LEVEL_BUS) {
		note(r, HIERARCHY_BUS_WRITE);
		return found(r, level, turn_at(r, level, line, at)).at;
	}
	c = cache_at(r, level);
	if (!c)
		return write_line(r, next_level[level], line, whole, at);
	at = turn_at(r, level, line, at);
	cache_access(c, whole ? CACHE_WHOLE : CACHE_WRITE, line, &answer);
	note(r, first_event[level] + by);
	if (!(answer.bits & CACHE_HIT))
		note(r, first_event[level] + by + 1);
	if (answer.bits & CACHE_THROUGH) {
		data.at = write_line(r, next_level[level], line, whole, at);
	} else if (whole) {
		data = found(r, level, at);
	} else if (answer.bits & CACHE_HIT) {
		data = late(c, &answer, at, found(r, level, at));
	} else {
		data = read_line(r, next_level[level], line, by, at);
		comes(c, answer.slot, line, since, data);
	}
	settle(r, level, &answer, since);
	return data.at;
}

/*
 * Reads a missing line for L1D, from a time on at which it can wait for one more line; the access
 * that needs it was at the time since.
 */
static struct arrival miss(struct request *r, const struct cache_answer *answer, uint64_t line,
			   enum by by, uint64_t since, uint64_t at)
{
	struct cache_arrival *all = r->m->hart[r->hart].miss, *first = all;
	struct arrival data, filled;

	for (unsigned n = 1; n < r->m->config.misses; n++)
		first = all[n].at < first->at ? &all[n] : first;
	if (first->at > at)
		at += first->at - at < first->took ? first->at - at : first->took;
	data = read_line(r, LEVEL_L2, line, by, at);
	comes(cache_at(r, LEVEL_L1D), answer->slot, line, since, data);
	filled = (struct arrival){ data.at + r->m->config.fill_cycles, data.from };
	if (r->m->config.misses && data.at <= CACHE_TIME_MAX)
		*first = arrival_since(filled, since);
	return data;
}

/* Whether an access hits a line that is coming and for which an earlier write waits. */
static bool written(const struct cache *c, const struct cache_answer *answer)
{
	return answer->bits & CACHE_LATE && !(answer->bits & CACHE_DIRTIED) &&
	       c->word[answer->slot] & CACHE_DIRTY;
}

/* The answer of an access at a time: when the data is there. */
static void answer_with(struct request *r, uint64_t at, struct arrival data)
{
	r->a->cycles += data.at - at;
	r->a->from = data.from;
}

/* A read of the hart's L1I or L1D; event is that of the access. */
static void read_access(struct request *r, enum level level, enum hierarchy_event event,
			uint64_t pa, uint64_t at)
{
	struct cache *c = cache_at(r, level);
	struct cache_answer answer;
	struct arrival data = { at, HIERARCHY_FROM_MEMORY };

	cache_access(c, CACHE_READ, pa, &answer);
	note(r, event);
	if (answer.bits & CACHE_HIT) {
		data = late(c, &answer, at, data);
		r->a->written = data.at > at && written(c, &answer);
	} else {
		note(r, event + 1);
		/* The front end waits for the line of a fetch: it never finds that coming. */
		data = level == LEVEL_L1I
			       ? read_line(r, next_level[level], pa & c->line_mask, BY_READ, at)
			       : miss(r, &answer, pa & c->line_mask, BY_READ, at, at);
	}
	answer_with(r, at, data);
	settle(r, level, &answer, at);
}

/*
 * A store at pa misses in L1D.  A stream enters each line at its first eight bytes and goes up, or
 * at its last eight and goes down, and may go on in any other page.  Returns whether it is one, and
 * its lines are no longer read.
 */
static bool stream_goes_on(struct request *r, uint64_t pa)
{
	const struct hierarchy_config *c = &r->m->config;
	struct hierarchy_stream *s = &r->m->hart[r->hart].stream;
	uint64_t size = c->l1d.line, line = pa & ~(size - 1), offset = pa & (size - 1);
	uint64_t page_line = line & (PREFETCH_PAGE - 1);
	int8_t step = offset < 8 ? 1 : offset >= size - 8 ? -1 : 0;
	bool new_page = page_line == (step > 0 ? 0 : PREFETCH_PAGE - size), follows;

	if (!c->write_stream)
		return false;
	if (line == s->line) /* it was evicted before all of it was written */
		return s->run == c->write_stream;
	follows = step && step == s->step &&
		  (line == s->line + step * size ||
		   (new_page &&
		    (s->line & (PREFETCH_PAGE - 1)) == (step > 0 ? PREFETCH_PAGE - size : 0)));
	if (!follows)
		s->run = 0;
	else if (s->run < c->write_stream)
		s->run++;
	s->line = line;
	s->step = step;
	return s->run == c->write_stream;
}

/* A write in L1D; whole: nothing has to be read for it; store: it may belong to a stream. */
static void write_access(struct request *r, uint64_t pa, bool whole, bool store, uint64_t at)
{
	struct cache *c = cache_at(r, LEVEL_L1D);
	struct cache_answer answer;
	uint64_t line = pa & c->line_mask, since = at;
	struct arrival data;
	bool streams = false;

	cache_access(c, whole ? CACHE_WHOLE : CACHE_WRITE, pa, &answer);
	note(r, HIERARCHY_L1D_WRITE);
	if (!(answer.bits & CACHE_HIT))
		note(r, HIERARCHY_L1D_WRITE_MISS);
	if (answer.bits & (CACHE_DIRTIED | CACHE_THROUGH))
		at = own(r, line, at);
	data = (struct arrival){ at, HIERARCHY_FROM_MEMORY };
	if (answer.bits & CACHE_THROUGH) {
		data.at = write_line(r, LEVEL_L2, line, whole, at);
	} else if (!(answer.bits & CACHE_HIT) && !whole) {
		streams = store && stream_goes_on(r, pa);
		if (!streams)
			data = miss(r, &answer, line, BY_WRITE, since, at);
	} else if (!whole) {
		data = late(c, &answer, at, data);
		r->a->written = data.at > at && written(c, &answer);
	}
	settle(r, LEVEL_L1D, &answer, since);
	if (streams && r->turn > data.at)
		data.at = r->turn;
	answer_with(r, since, data);
}

/* An atomic through a write-through L1D: its line has to be there first. */
static void atomic_access(struct request *r, uint64_t pa, uint64_t at)
{
	struct cache *c = cache_at(r, LEVEL_L1D);
	struct cache_answer answer;
	uint64_t line = pa & c->line_mask, since = at;
	struct arrival data;

	if (!c->config.write_through) {
		write_access(r, pa, false, false, at);
		return;
	}
	at = own(r, line, at);
	cache_access(c, CACHE_READ, pa, &answer);
	note(r, HIERARCHY_L1D_WRITE);
	if (answer.bits & CACHE_HIT) {
		data = late(c, &answer, at, (struct arrival){ at, HIERARCHY_FROM_MEMORY });
	} else {
		note(r, HIERARCHY_L1D_WRITE_MISS);
		data = miss(r, &answer, line, BY_WRITE, since, at);
	}
	data.at = write_line(r, LEVEL_L2, line, false, data.at);
	answer_with(r, since, data);
	settle(r, LEVEL_L1D, &answer, since);
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
	struct request r = { m, hart, a, 0 };

	a->what = 0;
	a->cycles = 0;
	a->from = HIERARCHY_FROM_MEMORY;
	a->written = false;
	m->hart[hart].l1d.load = kind == HIERARCHY_READ ? m->hart[hart].pc : PREFETCH_NO_PC;
	expect(m, hart, pa);
	switch (kind) {
	case HIERARCHY_FETCH:
		read_access(&r, LEVEL_L1I, HIERARCHY_L1I_READ, pa, at);
		break;
	case HIERARCHY_READ:
		read_access(&r, LEVEL_L1D, HIERARCHY_L1D_READ, pa, at);
		break;
	case HIERARCHY_WALK:
		read_access(&r, LEVEL_L1D, HIERARCHY_L1D_WALK, pa, at);
		break;
	case HIERARCHY_WRITE:
		write_access(&r, pa, false, true, at);
		break;
	case HIERARCHY_ATOMIC:
		atomic_access(&r, pa, at);
		break;
	case HIERARCHY_FETCH_UNCACHED:
		uncached(&r, HIERARCHY_UNCACHED_FETCH);
		break;
	case HIERARCHY_READ_UNCACHED:
		uncached(&r, HIERARCHY_UNCACHED_READ);
		break;
	default:
		uncached(&r, HIERARCHY_UNCACHED_WRITE);
	}
}

/*
 * Cleans or drops a line in the hart's own caches and the last level, at a time.  Returns whether
 * it was dirty.  *until: the data of a dirty line has arrived.
 */
static bool sweep(struct request *r, uint64_t line, enum hierarchy_cbo op, uint64_t at,
		  uint64_t *until)
{
	bool dirty = false;

	for (enum level level = LEVEL_L1D; level < LEVEL_BUS; level++) {
		struct cache *c = cache_at(r, level);
		uint64_t wait;

		if (!c)
			continue;
		wait = cache_wait_line(c, line, at);
		if ((op == HIERARCHY_CBO_CLEAN ? cache_clean(c, line)
					       : cache_invalidate(c, line)) != CACHE_MODIFIED)
			continue;
		dirty = true;
		*until = at + wait > *until ? at + wait : *until;
		if (op != HIERARCHY_CBO_INVAL)
			note_write_back(r, writeback_event[level], line);
	}
	return dirty;
}

static void cbo_line(struct request *r, enum hierarchy_cbo op, uint64_t line, uint64_t at)
{
	struct taken theirs;
	uint64_t end;
	bool ours;

	at += r->a->cycles;
	if (op == HIERARCHY_CBO_ZERO) {
		write_access(r, line, r->m->config.cbo_bytes >= r->m->config.l1d.line, false, at);
		return;
	}
	theirs = take(r, line, op != HIERARCHY_CBO_CLEAN, at);
	end = theirs.at;
	ours = sweep(r, line, op, at, &end);
	if (op != HIERARCHY_CBO_INVAL && (theirs.dirty || ours)) {
		if (theirs.dirty)
			note_write_back(r, HIERARCHY_SNOOP_WRITEBACK, line);
		note(r, HIERARCHY_BUS_WRITE);
		end = found(r, LEVEL_BUS, turn_at(r, LEVEL_BUS, line, end)).at;
	}
	r->a->cycles += end - at;
}

void hierarchy_cbo(struct hierarchy *m, unsigned hart, enum hierarchy_cbo op, uint64_t pa,
		   uint64_t at, struct hierarchy_answer *a)
{
	struct request r = { m, hart, a, 0 };
	uint64_t bytes = m->config.cbo_bytes, line = m->config.l1d.line;
	uint64_t first = pa & ~(bytes - 1) & ~(line - 1);

	a->what = 0;
	a->cycles = 0;
	a->from = HIERARCHY_FROM_MEMORY;
	a->written = false;
	for (uint64_t here = first; here < (pa & ~(bytes - 1)) + bytes; here += line)
		cbo_line(&r, op, here, at);
}

void hierarchy_fence_i(struct hierarchy *m, unsigned hart)
{
	cache_invalidate_all(&m->hart[hart].l1i);
}
