// SPDX-License-Identifier: BSD-2-Clause
/*
 * levels.c - the caches of all harts and the bus: rules C1, C5 to C9, C13 to C19, M1 to M17, G1,
 * G2 and G9 of holter-model(7).
 *
 * A function that has a time `at` gets a request that comes to its level at this time, and
 * returns when its data arrives.
 */
#include "levels.h"
#include "record_format.h"
#include "snoop.h"

enum level { L1I, L1D, L2, LL, BUS };
enum reason { READ, WRITE, PREFETCH };

/* The events of a level. */
static const struct {
	enum event reason[3], miss[3], update, update_miss, writeback;
} events[] = {
	[L1I] = { .reason[PREFETCH] = EV_L1I_PREFETCHES, .miss[PREFETCH] = EV_L1I_PREFETCH_MISSES },
	[L1D] = { .reason[PREFETCH] = EV_L1D_PREFETCHES,
		  .miss[PREFETCH] = EV_L1D_PREFETCH_MISSES,
		  .writeback = EV_L1D_WRITEBACKS },
	[L2] = { { EV_L2_READS, EV_L2_WRITES, EV_L2_PREFETCHES },
		 { EV_L2_READ_MISSES, EV_L2_WRITE_MISSES, EV_L2_PREFETCH_MISSES },
		 EV_L2_UPDATES,
		 EV_L2_UPDATE_MISSES,
		 EV_L2_WRITEBACKS },
	[LL] = { { EV_LL_READS, EV_LL_WRITES, EV_LL_PREFETCHES },
		 { EV_LL_READ_MISSES, EV_LL_WRITE_MISSES, EV_LL_PREFETCH_MISSES },
		 EV_LL_UPDATES,
		 EV_LL_UPDATE_MISSES,
		 EV_LL_WRITEBACKS },
	[BUS] = { { EV_BUS_READS, EV_BUS_READS, EV_BUS_PREFETCHES } },
};

static const struct cause no_load = { 0 };

/* C1: a level that does not exist goes to the next one. */
static enum level behind(const struct machine *m, enum level level)
{
	if (level <= L1D && m->cpu.l2.there)
		return L2;
	return level <= L2 && m->cpu.ll.there ? LL : BUS;
}

static struct cache *cache_at(struct machine *m, struct hart *h, enum level level)
{
	switch (level) {
	case L1I:
		return &h->l1i;
	case L1D:
		return &h->l1d;
	case L2:
		return &h->l2;
	case LL:
		return &m->ll;
	case BUS:
		break;
	}
	return NULL;
}

/* M2: the cycles from the service at a level where a line is found until it arrives. */
static uint64_t latency_of(const struct machine *m, enum level level)
{
	return level == L2   ? m->cpu.l2.cycles
	       : level == LL ? m->cpu.ll.cycles
			     : m->cpu.memory_cycles;
}

/* M2 */
static struct data from(const struct machine *m, enum level level, uint64_t r)
{
	return (struct data){ r + latency_of(m, level), level == L2   ? PLACE_L2
							: level == LL ? PLACE_LL
								      : PLACE_MEMORY };
}

/* M17: a line is read from memory, which serves the request at r. */
static struct data from_row(struct machine *m, uint64_t line, uint64_t r)
{
	struct data data = from(m, BUS, r);

	if (m->cpu.rows && rows_read(&m->rows, line))
		data.at = r + m->cpu.row_hit_cycles;
	return data;
}

/* G2, G9: the ledger that decides when requests for a line are served. */
static struct ledger *ledger_of(struct machine *m, struct hart *h, enum level level, uint64_t pa)
{
	if (level == L2)
		return &h->l2_turns[pa / m->cpu.line % m->cpu.l2.banks];
	if (level == LL)
		return &m->ll_turns[pa / m->cpu.line % m->cpu.ll.banks];
	return &m->bus_turns;
}

/* G2: when the service of a request at a level begins. */
static uint64_t turn(struct machine *m, struct hart *h, enum level level, uint64_t pa, uint64_t at)
{
	uint64_t r = ledger_turn(ledger_of(m, h, level, pa), level == L2 ? 0 : h->number, at);

	if (r > h->latest_turn)
		h->latest_turn = r;
	return r;
}

static void write_back(struct machine *m, struct hart *h, enum level from, uint64_t line,
		       uint64_t at);

/* C7: a write of the whole line to a level.  Returns when it has taken it. */
static struct data update(struct machine *m, struct hart *h, enum level level, uint64_t line,
			  uint64_t at)
{
	uint64_t r = turn(m, h, level, line, at);
	struct cache_result c;

	if (level == BUS) {
		count(&h->totals, EV_BUS_WRITES);
		return from(m, BUS, r);
	}
	count(&h->totals, events[level].update);
	c = cache_access(cache_at(m, h, level), line, CACHE_WRITE_LINE, &no_load);
	if (!c.hit)
		count(&h->totals, events[level].update_miss);
	if (c.has_victim)
		write_back(m, h, level, c.victim, at);
	return from(m, level, r);
}

/* C7 */
static void write_back(struct machine *m, struct hart *h, enum level from, uint64_t line,
		       uint64_t at)
{
	count(&h->totals, events[from].writeback);
	update(m, h, behind(m, from), line, at);
}

/*
 * C10, C11: a snoop, with the write of a dirty line to LL, or without LL to the bus.
 * Returns its end.
 */
static uint64_t snoop_and_update(struct machine *m, struct hart *h, uint64_t pa, uint64_t at,
				 enum snoop what)
{
	struct snooped s = snoop(m, h, pa, at, what);

	if (s.dirty) {
		count(&h->totals, EV_SNOOP_WRITEBACKS);
		update(m, h, behind(m, L2), pa, s.end);
	}
	return s.end;
}

static struct data line_read(struct machine *m, struct hart *h, enum level level, uint64_t pa,
			     enum reason reason, uint64_t at);

/* PF2: one line that the prefetcher of a level asks for. */
static void prefetch(struct machine *m, struct hart *h, enum level level, uint64_t line,
		     uint64_t at)
{
	struct cache *c = cache_at(m, h, level);
	struct cache_result r;
	struct data data;

	count(&h->totals, events[level].reason[PREFETCH]);
	if (cache_find(c, line))
		return;
	count(&h->totals, events[level].miss[PREFETCH]);
	r = cache_prefetch(c, line);
	data = line_read(m, h, behind(m, level), line, PREFETCH, at);
	slot_comes(r.slot, at, &data);
	if (r.has_victim)
		write_back(m, h, level, r.victim, at);
}

/* C5, 3 and 4; M4. */
static void victim_and_prefetches(struct machine *m, struct hart *h, enum level level,
				  const struct cache_result *r, uint64_t at)
{
	if (r->has_victim)
		write_back(m, h, level, r->victim, at);
	for (unsigned n = 0; n < r->asked.n; n++)
		prefetch(m, h, level, r->asked.line[n], at);
}

/*
 * C5, 2 to 4, and M6 after an access to a level, not L1D, that came at `at` and was served at
 * r: a read, or a write of a part.
 */
static struct data after(struct machine *m, struct hart *h, enum level level, uint64_t pa,
			 const struct cache_result *c, enum reason reason, uint64_t at, uint64_t r)
{
	struct data data = from(m, level, r);

	if (c->hit) {
		slot_needed(c->slot, r, &data);
	} else {
		data = line_read(m, h, behind(m, level), pa, reason, r);
		slot_comes(c->slot, at, &data);
	}
	victim_and_prefetches(m, h, level, c, at);
	return data;
}

/* C6, M2: a line is read from a level. */
static struct data line_read(struct machine *m, struct hart *h, enum level level, uint64_t pa,
			     enum reason reason, uint64_t at)
{
	uint64_t r, line = pa / m->cpu.line * m->cpu.line;
	struct cache_result c;

	/* M2: before LL is asked, or without LL the bus. */
	if (level == behind(m, L2))
		at = snoop_and_update(m, h, line, at, SNOOP_CLEAN);
	r = turn(m, h, level, line, at);
	count(&h->totals, events[level].reason[reason]);
	if (level == BUS)
		return from_row(m, line, r);
	c = cache_access(cache_at(m, h, level), line, CACHE_READ, &no_load);
	if (!c.hit)
		count(&h->totals, events[level].miss[reason]);
	return after(m, h, level, line, &c, reason, at, r);
}

/* M8: a miss in L1D reads its line; begin is t', at the time of the access. */
static struct data l1d_miss(struct machine *m, struct hart *h, uint64_t pa, enum reason reason,
			    uint64_t at, uint64_t begin)
{
	struct miss *e = &h->miss[0];
	struct data data;

	for (unsigned n = 1; n < m->cpu.pipeline.misses; n++)
		if (h->miss[n].end < e->end)
			e = &h->miss[n];
	if (m->cpu.pipeline.misses && e->end > begin)
		begin += e->end - begin < e->duration ? e->end - begin : e->duration;
	data = line_read(m, h, behind(m, L1D), pa, reason, begin);
	if (m->cpu.pipeline.misses && data.at <= 1ull << 62) {
		e->end = data.at + m->cpu.pipeline.fill_cycles;
		e->duration = e->end - at < 1u << 28 ? e->end - at : 1u << 28;
	}
	return data;
}

static struct answer answer(const struct data *data, uint64_t at)
{
	return (struct answer){ .cycles = data->at - at, .place = data->place };
}

struct answer levels_fetch(struct machine *m, struct hart *h, uint64_t pa, uint64_t at)
{
	struct cache_result c = cache_access(&h->l1i, pa, CACHE_READ, &no_load);
	struct data data = { at, PLACE_MEMORY };

	count(&h->totals, EV_L1I_FETCHES);
	if (c.hit) {
		slot_needed(c.slot, at, &data);
	} else {
		count(&h->totals, EV_L1I_FETCH_MISSES);
		/* M5: the line of a fetch is simply there in L1I. */
		data = line_read(m, h, behind(m, L1I), pa, READ, at);
	}
	victim_and_prefetches(m, h, L1I, &c, at);
	return answer(&data, at);
}

/* The line of an access in L1D, which begins at t' = begin: M6 after a hit, else M2 and M8. */
static struct data l1d_line(struct machine *m, struct hart *h, uint64_t pa,
			    const struct cache_result *c, enum reason reason, uint64_t at,
			    uint64_t begin)
{
	struct data data = { begin, PLACE_MEMORY };

	if (c->hit) {
		slot_needed(c->slot, begin, &data);
		return data;
	}
	data = l1d_miss(m, h, pa, reason, at, begin);
	slot_comes(c->slot, at, &data);
	return data;
}

struct answer levels_read(struct machine *m, struct hart *h, uint64_t pa, uint64_t at,
			  const struct cause *cause)
{
	struct cache_result c = cache_access(&h->l1d, pa, CACHE_READ, cause);
	struct data data;
	struct answer a;

	count(&h->totals, EV_L1D_READS);
	if (!c.hit)
		count(&h->totals, EV_L1D_READ_MISSES);
	data = l1d_line(m, h, pa, &c, READ, at, at);
	victim_and_prefetches(m, h, L1D, &c, at);
	a = answer(&data, at);
	a.written = c.was_dirty; /* M7 */
	return a;
}

struct answer levels_walk(struct machine *m, struct hart *h, uint64_t pa, uint64_t at)
{
	struct cache_result c = cache_access(&h->l1d, pa, CACHE_READ, &no_load);
	struct data data;

	count(&h->totals, EV_L1D_WALKS);
	if (!c.hit)
		count(&h->totals, EV_L1D_WALK_MISSES);
	data = l1d_line(m, h, pa, &c, READ, at, at);
	victim_and_prefetches(m, h, L1D, &c, at);
	return answer(&data, at);
}

/* C13, M10: a write of a part of the line goes through L1D. */
static struct data part_through(struct machine *m, struct hart *h, uint64_t pa, uint64_t at)
{
	enum level level = behind(m, L1D);
	uint64_t r = turn(m, h, level, pa, at);
	struct cache_result c;

	if (level == BUS) {
		count(&h->totals, EV_BUS_WRITES);
		return from(m, BUS, r);
	}
	count(&h->totals, events[level].reason[WRITE]);
	c = cache_access(cache_at(m, h, level), pa, CACHE_WRITE_PART, &no_load);
	if (!c.hit)
		count(&h->totals, events[level].miss[WRITE]);
	return after(m, h, level, pa, &c, WRITE, at, r);
}

/* C19, 1: the step of a store that misses at pa in a line. */
static int step_of(uint64_t offset, unsigned line)
{
	return offset < 8 ? 1 : offset >= line - 8 ? -1 : 0;
}

/* C19, 2: whether a line follows the last one of the stream. */
static bool follows(const struct stores *s, uint64_t line, int step, unsigned size)
{
	const uint64_t last = PAGE - size;

	if (!step || step != s->step)
		return false;
	if (line == s->line + (uint64_t)(step * (int)size))
		return true;
	return step > 0 ? s->line % PAGE == last && line % PAGE == 0
			: s->line % PAGE == 0 && line % PAGE == last;
}

/* C19: a store or sc misses at pa.  True: its line is not read. */
static bool stream_takes(const struct machine *m, struct hart *h, uint64_t pa)
{
	struct stores *s = &h->stores;
	const unsigned size = m->cpu.line;
	const uint64_t line = pa / size * size;
	const int step = step_of(pa - line, size);

	if (!m->cpu.write_stream)
		return false;
	if (line != s->line) {
		s->run = follows(s, line, step, size) ? s->run + 1 : 0;
		if (s->run > m->cpu.write_stream)
			s->run = m->cpu.write_stream;
		s->line = line;
		s->step = step;
	}
	return s->run == m->cpu.write_stream;
}

/*
 * A write in a write-back L1D, of a part of the line or of all of it (C5, C9, C11, C15, M9); a
 * store or sc may belong to a stream.
 */
static struct answer write_back_l1d(struct machine *m, struct hart *h, uint64_t pa, uint64_t at,
				    enum cache_access what, bool is_store)
{
	struct cache_result c = cache_access(&h->l1d, pa, what, &no_load);
	struct data data = { at, PLACE_MEMORY };
	struct answer a;
	bool streams;

	count(&h->totals, EV_L1D_WRITES);
	if (!c.hit)
		count(&h->totals, EV_L1D_WRITE_MISSES);
	streams = is_store && !c.hit && stream_takes(m, h, pa);
	h->latest_turn = 0;
	if (c.made_dirty)
		data.at = snoop_and_update(m, h, pa, at, SNOOP_INVALIDATE);
	if (what != CACHE_WRITE_LINE && !streams)
		data = l1d_line(m, h, pa, &c, WRITE, at, data.at);
	victim_and_prefetches(m, h, L1D, &c, at);
	if (streams && h->latest_turn > data.at) /* M16 */
		data.at = h->latest_turn;
	a = answer(&data, at);
	a.written = c.was_dirty; /* M7 */
	return a;
}

/* The same in a write-through L1D (C13, M10). */
static struct answer write_through_l1d(struct machine *m, struct hart *h, uint64_t pa, uint64_t at,
				       enum cache_access what)
{
	struct cache_result c = cache_access(&h->l1d, pa, what, &no_load);
	struct data data;
	uint64_t end;

	count(&h->totals, EV_L1D_WRITES);
	if (!c.hit)
		count(&h->totals, EV_L1D_WRITE_MISSES);
	end = snoop_and_update(m, h, pa, at, SNOOP_INVALIDATE);
	if (what == CACHE_WRITE_LINE)
		data = update(m, h, behind(m, L1D), pa, end);
	else
		data = part_through(m, h, pa, end);
	victim_and_prefetches(m, h, L1D, &c, at);
	return answer(&data, at);
}

static struct answer l1d_write(struct machine *m, struct hart *h, uint64_t pa, uint64_t at,
			       enum cache_access what, bool is_store)
{
	return h->l1d.write_through ? write_through_l1d(m, h, pa, at, what)
				    : write_back_l1d(m, h, pa, at, what, is_store);
}

struct answer levels_write(struct machine *m, struct hart *h, uint64_t pa, uint64_t at)
{
	return l1d_write(m, h, pa, at, CACHE_WRITE_PART, true);
}

struct answer levels_atomic(struct machine *m, struct hart *h, uint64_t pa, uint64_t at)
{
	struct cache_result c;
	struct data data;
	uint64_t end;

	if (!h->l1d.write_through)
		return write_back_l1d(m, h, pa, at, CACHE_WRITE_PART, false);
	end = snoop_and_update(m, h, pa, at, SNOOP_INVALIDATE);
	c = cache_access(&h->l1d, pa, CACHE_READ, &no_load);
	count(&h->totals, EV_L1D_WRITES);
	if (!c.hit)
		count(&h->totals, EV_L1D_WRITE_MISSES);
	data = l1d_line(m, h, pa, &c, WRITE, at, end);
	data.at = part_through(m, h, pa, data.at).at;
	victim_and_prefetches(m, h, L1D, &c, at);
	return answer(&data, at);
}

/* C15, M13: one cache of the own ones.  True: the line was dirty there. */
static bool cbo_own(struct slot *s, unsigned kind, uint64_t begin, uint64_t *end)
{
	struct data data = { .at = begin };
	bool dirty = s && s->dirty;

	if (!s)
		return false;
	slot_needed(s, begin, &data);
	if (dirty && data.at > *end)
		*end = data.at;
	s->dirty = false;
	if (kind != RECORD_CBO_CLEAN)
		s->held = false;
	return dirty;
}

/* C15, M13: cbo.inval, cbo.clean and cbo.flush. */
static struct answer cbo(struct machine *m, struct hart *h, uint64_t pa, uint64_t at, unsigned kind)
{
	enum snoop what = kind == RECORD_CBO_CLEAN ? SNOOP_CLEAN : SNOOP_INVALIDATE;
	struct snooped s = snoop(m, h, pa, at, what);
	struct data data = { s.end, PLACE_MEMORY };
	bool dirty = s.dirty;

	if (s.dirty && kind != RECORD_CBO_INVAL)
		count(&h->totals, EV_SNOOP_WRITEBACKS);
	for (enum level level = L1D; level <= LL; level++) {
		struct slot *own = level < LL	     ? private_slot(m, h, level == L2, pa)
				   : m->cpu.ll.there ? cache_find(&m->ll, pa)
						     : NULL;

		if (!cbo_own(own, kind, at, &data.at))
			continue;
		dirty = true;
		if (kind != RECORD_CBO_INVAL)
			count(&h->totals, events[level].writeback);
	}
	if (dirty && kind != RECORD_CBO_INVAL) {
		count(&h->totals, EV_BUS_WRITES);
		data = from(m, BUS, turn(m, h, BUS, pa, data.at));
	}
	return answer(&data, at);
}

struct answer levels_cbo(struct machine *m, struct hart *h, uint64_t pa, uint64_t at, unsigned kind)
{
	if (kind != RECORD_CBO_ZERO)
		return cbo(m, h, pa, at, kind);
	return l1d_write(m, h, pa, at, m->cpu.line <= 64 ? CACHE_WRITE_LINE : CACHE_WRITE_PART,
			 false);
}
