// SPDX-License-Identifier: BSD-2-Clause
/*
 * plain_hierarchy.c - plain_hierarchy.h: each level asks the one below it.
 */
#include "plain_hierarchy.h"

static struct ledger turns(unsigned cycles, unsigned harts, unsigned turn)
{
	struct ledger_config config = { 256, harts > 1 ? 4096 : 512, turn };
	struct ledger l = { 0 };

	while (config.window < 8 * cycles)
		config.window *= 2;
	if (cycles)
		ok(ledger_init(&l, &config, harts));
	return l;
}

static void turns_of_banks(struct ledger *l, unsigned banks, unsigned cycles, unsigned harts,
			   unsigned turn)
{
	for (unsigned n = 0; n < (banks ? banks : 1); n++)
		l[n] = turns(cycles, harts, turn);
}

struct plain plain_create(const struct hierarchy_config *config, unsigned harts)
{
	struct plain p = { .config = *config, .harts = harts, .ll = ref_create(&config->ll) };

	for (unsigned n = 0; n < harts; n++) {
		p.l1i[n] = ref_create(&config->l1i);
		p.l1d[n] = ref_create(&config->l1d);
		p.l2[n] = ref_create(&config->l2);
		turns_of_banks(p.l2_turns[n], config->l2_banks, config->l2_line_cycles, 1,
			       config->turn);
	}
	turns_of_banks(p.ll_turns, config->ll_banks, config->ll_line_cycles, harts, config->turn);
	p.bus_turns = turns(config->bus_line_cycles, harts, config->turn);
	return p;
}

void plain_destroy(struct plain *p)
{
	for (unsigned n = 0; n < p->harts; n++) {
		ref_destroy(&p->l1i[n]);
		ref_destroy(&p->l1d[n]);
		ref_destroy(&p->l2[n]);
		for (unsigned k = 0; k < HIERARCHY_BANKS_MAX; k++)
			ledger_free(&p->l2_turns[n][k]);
	}
	for (unsigned k = 0; k < HIERARCHY_BANKS_MAX; k++)
		ledger_free(&p->ll_turns[k]);
	ledger_free(&p->bus_turns);
	ref_destroy(&p->ll);
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Lines that are coming */

/*
 * When an access at a time has the data of a line, which it would have at `otherwise` if the line
 * were not coming.
 */
static uint64_t data_of(struct plain *p, struct ref_cache *c, uint64_t pa, uint64_t at,
			uint64_t otherwise)
{
	struct ref_line *l = ref_find(c, pa / c->config.line);

	if (!l || !l->coming)
		return otherwise;
	if (at >= l->arrives) {
		l->coming = false;
		return otherwise;
	}
	if (l->arrives > at + l->took) /* before the request, in another hart's turn */
		l->arrives = at + l->took;
	if (l->arrives <= otherwise)
		return otherwise;
	p->from = l->from;
	return l->arrives;
}

/* The line was requested at a time, and arrives. */
static void comes(struct plain *p, struct ref_cache *c, uint64_t pa, uint64_t since,
		  uint64_t arrives)
{
	struct ref_line *l = ref_find(c, pa / c->config.line);

	if (!l || arrives == since)
		return;
	l->coming = true;
	l->arrives = arrives;
	l->took = arrives - since;
	l->from = p->from;
}

/*
 * What a cache leaves to the level below it; lower tells how (a line to read, one to write).  Each
 * takes a time, and returns when the data is there.
 */
typedef uint64_t plain_read(struct plain *p, unsigned h, uint64_t line, char by, uint64_t at);
typedef uint64_t plain_write(struct plain *p, unsigned h, uint64_t line, bool whole, uint64_t at);

static uint64_t bus_turn(struct plain *p, unsigned h, uint64_t at)
{
	unsigned cycles = p->config.bus_line_cycles;

	if (cycles)
		at += ledger_take(&p->bus_turns, at, cycles, h);
	p->last_turn = later(p->last_turn, at);
	return at;
}

/* Memory reads a line: whether its row is not open.  It is then. */
static bool opens_row(struct plain *p, uint64_t line)
{
	uint64_t row, bank, was;

	if (!p->config.row_bytes)
		return true;
	row = line / p->config.row_bytes / p->config.row_banks;
	bank = (line / p->config.row_interleave ^ row) % p->config.row_banks;
	was = p->row[bank];
	p->row[bank] = row + 1;
	return was != row + 1;
}

static uint64_t bus_read(struct plain *p, unsigned h, uint64_t line, char by, uint64_t at)
{
	p->what[by == 'p' ? HIERARCHY_BUS_PREFETCH : HIERARCHY_BUS_READ]++;
	p->from = HIERARCHY_FROM_MEMORY;
	at = bus_turn(p, h, at);
	return at + (opens_row(p, line) ? p->config.bus_cycles : p->config.row_hit_cycles);
}

static uint64_t bus_write(struct plain *p, unsigned h, uint64_t line, bool whole, uint64_t at)
{
	p->what[HIERARCHY_BUS_WRITE]++;
	return bus_turn(p, h, at) + p->config.bus_cycles;
}

/* A cache between two others, or an L1: its events, and what is below it. */
struct level {
	struct ref_cache *c;
	unsigned prefetch, writeback, cycles, from;
	plain_read *read;
	plain_write *write;
	struct ledger *turns; /* of harts, or of one alone; one for each bank */
	unsigned banks, line_cycles, who;
};

static uint64_t level_turn(struct plain *p, const struct level *l, uint64_t pa, uint64_t at)
{
	unsigned bank = pa / p->config.l1d.line % (l->banks ? l->banks : 1);

	if (l->line_cycles)
		at += ledger_take(&l->turns[bank], at, l->line_cycles, l->who);
	p->last_turn = later(p->last_turn, at);
	return at;
}

static void one(struct plain *p, unsigned h, const struct level *l, const struct cache_answer *a,
		uint64_t at)
{
	if (a->bits & CACHE_EVICTED) {
		p->what[l->writeback]++;
		l->write(p, h, a->evicted, true, at);
	}
	if (a->bits & CACHE_PREFETCH)
		p->what[l->prefetch]++;
	if ((a->bits & CACHE_PREFETCH) && !(a->bits & CACHE_PREFETCH_HIT)) {
		p->what[l->prefetch + 1]++;
		comes(p, l->c, a->prefetched, at, l->read(p, h, a->prefetched, 'p', at));
	}
	if (a->bits & CACHE_PREFETCH_EVICTED) {
		p->what[l->writeback]++;
		l->write(p, h, a->prefetch_evicted, true, at);
	}
}

static void rest(struct plain *p, unsigned h, const struct level *l, const struct cache_answer *a,
		 uint64_t at)
{
	unsigned from = p->from;

	one(p, h, l, a, at);
	for (unsigned n = 0; n < l->c->targets; n++) {
		struct cache_answer more = { 0 };

		ref_prefetch(l->c, l->c->target[n], &more);
		one(p, h, l, &more, at);
	}
	p->from = from;
}

static uint64_t level_read(struct plain *p, unsigned h, const struct level *l, unsigned event,
			   uint64_t line, char by, uint64_t came)
{
	uint64_t at = level_turn(p, l, line, came);
	uint64_t end = data_of(p, l->c, line, at, 0);
	bool late = end > at + l->cycles;
	struct cache_answer a = ref_access(l->c, CACHE_READ, line);

	event += by == 'r' ? 0 : by == 'w' ? 2 : 4;
	p->what[event]++;
	if (!(a.bits & CACHE_HIT)) {
		p->what[event + 1]++;
		end = l->read(p, h, line, by, at);
		comes(p, l->c, line, came, end);
	} else if (!late) {
		p->from = l->from;
		end = at + l->cycles;
	}
	rest(p, h, l, &a, came);
	return end;
}

static uint64_t level_write(struct plain *p, unsigned h, const struct level *l, unsigned event,
			    uint64_t line, bool whole, uint64_t came)
{
	uint64_t at = level_turn(p, l, line, came);
	bool through = l->c->config.write_through;
	uint64_t end = at + l->cycles;
	struct cache_answer a;

	if (!through && !whole)
		end = data_of(p, l->c, line, at, end);
	a = ref_access(l->c, whole ? CACHE_WHOLE : CACHE_WRITE, line);
	event += whole ? 6 : 2;
	p->what[event]++;
	p->what[event + 1] += !(a.bits & CACHE_HIT);
	if (through) {
		end = l->write(p, h, line, whole, at);
	} else if (!(a.bits & CACHE_HIT) && !whole) {
		end = l->read(p, h, line, 'w', at);
		comes(p, l->c, line, came, end);
	}
	rest(p, h, l, &a, came);
	return end;
}

static struct level last_level(struct plain *p, unsigned h)
{
	return (struct level){ &p->ll,
			       HIERARCHY_LL_PREFETCH,
			       HIERARCHY_LL_WRITEBACK,
			       p->config.ll_cycles,
			       HIERARCHY_FROM_LL,
			       bus_read,
			       bus_write,
			       p->ll_turns,
			       p->config.ll_banks,
			       p->config.ll_line_cycles,
			       h };
}

static uint64_t ll_read(struct plain *p, unsigned h, uint64_t line, char by, uint64_t at)
{
	struct level l = last_level(p, h);

	if (!p->config.ll.sets)
		return bus_read(p, h, line, by, at);
	return level_read(p, h, &l, HIERARCHY_LL_READ, line, by, at);
}

static uint64_t ll_write(struct plain *p, unsigned h, uint64_t line, bool whole, uint64_t at)
{
	struct level l = last_level(p, h);

	if (!p->config.ll.sets)
		return bus_write(p, h, line, whole, at);
	return level_write(p, h, &l, HIERARCHY_LL_READ, line, whole, at);
}

/*
 * In the other harts' L1D and L2: the line is invalidated or cleaned.  Returns when that is over.
 */
static uint64_t others(struct plain *p, unsigned h, uint64_t line, bool lose, bool *dirty,
		       uint64_t at)
{
	bool moved = false;
	uint64_t end = at;

	*dirty = false;
	for (unsigned n = 0; n < p->harts; n++) {
		struct ref_cache *c[] = { &p->l1d[n], &p->l2[n] };
		bool there = ref_state(c[0], line) || ref_state(c[1], line);

		if (n == h)
			continue;
		for (unsigned k = 0; k < 2; k++) {
			if (ref_state(c[k], line) == CACHE_MODIFIED) {
				end = later(end, data_of(p, c[k], line, at, at));
				*dirty = true;
			}
			ref_clean(c[k], line);
			if (lose)
				ref_drop(c[k], line);
		}
		if (lose) {
			p->what[HIERARCHY_SNOOP_INVALIDATE] += there;
			moved = moved || there;
		}
	}
	return moved || *dirty ? end + p->config.snoop_cycles : end;
}

static uint64_t plain_snoop(struct plain *p, unsigned h, uint64_t line, bool lose, uint64_t at)
{
	bool dirty;
	uint64_t end = others(p, h, line, lose, &dirty, at);

	if (dirty) {
		p->what[HIERARCHY_SNOOP_WRITEBACK]++;
		ll_write(p, h, line, true, end);
	}
	p->from = HIERARCHY_FROM_MEMORY;
	return end;
}

static uint64_t shared_read(struct plain *p, unsigned h, uint64_t line, char by, uint64_t at)
{
	return ll_read(p, h, line, by, plain_snoop(p, h, line, false, at));
}

static struct level second_level(struct plain *p, unsigned h)
{
	return (struct level){ &p->l2[h],
			       HIERARCHY_L2_PREFETCH,
			       HIERARCHY_L2_WRITEBACK,
			       p->config.l2_cycles,
			       HIERARCHY_FROM_L2,
			       shared_read,
			       ll_write,
			       p->l2_turns[h],
			       p->config.l2_banks,
			       p->config.l2_line_cycles,
			       0 };
}

static uint64_t l2_read(struct plain *p, unsigned h, uint64_t line, char by, uint64_t at)
{
	struct level l = second_level(p, h);

	if (!p->config.l2.sets)
		return shared_read(p, h, line, by, at);
	return level_read(p, h, &l, HIERARCHY_L2_READ, line, by, at);
}

static uint64_t l2_write(struct plain *p, unsigned h, uint64_t line, bool whole, uint64_t at)
{
	struct level l = second_level(p, h);

	if (!p->config.l2.sets)
		return ll_write(p, h, line, whole, at);
	return level_write(p, h, &l, HIERARCHY_L2_READ, line, whole, at);
}

static struct level first_level(struct plain *p, unsigned h, bool fetch)
{
	return (struct level){ fetch ? &p->l1i[h] : &p->l1d[h],
			       fetch ? HIERARCHY_L1I_PREFETCH : HIERARCHY_L1D_PREFETCH,
			       HIERARCHY_L1D_WRITEBACK,
			       0,
			       HIERARCHY_FROM_MEMORY,
			       l2_read,
			       l2_write,
			       NULL,
			       0,
			       0,
			       0 };
}

/*
 * L1D of hart h reads a line at a time, if it waits for fewer lines than it can; else when the
 * first of them comes.
 */
static uint64_t miss(struct plain *p, unsigned h, uint64_t line, char by, uint64_t since,
		     uint64_t at)
{
	unsigned waiting = 0, first = 0;
	uint64_t end;

	for (unsigned n = 0; n < p->config.misses; n++) {
		waiting += p->miss[h][n].until > at;
		if (p->miss[h][n].until < p->miss[h][first].until)
			first = n;
	}
	if (p->config.misses && waiting == p->config.misses) {
		uint64_t took = p->miss[h][first].until - p->miss[h][first].since;

		end = p->miss[h][first].until;
		at = end < at + took ? end : at + took;
	}
	end = l2_read(p, h, line, by, at);
	p->miss[h][first] = (struct plain_miss){ since, end };
	return end;
}

/* Whether an access that waits finds a line that an earlier write waits for. */
static bool plain_written(const struct ref_cache *c, uint64_t pa)
{
	struct ref_line *l = ref_find(c, pa / c->config.line);

	return l && l->coming && l->dirty;
}

static uint64_t plain_l1_read(struct plain *p, unsigned h, unsigned event, uint64_t pa, uint64_t at)
{
	struct level l = first_level(p, h, event == HIERARCHY_L1I_READ);
	uint64_t line = pa / p->config.l1d.line * p->config.l1d.line;
	uint64_t end = data_of(p, l.c, pa, at, at);
	struct cache_answer a;

	p->written = end > at && plain_written(l.c, pa);
	a = ref_access(l.c, CACHE_READ, pa);
	p->what[event]++;
	if (!(a.bits & CACHE_HIT)) {
		p->what[event + 1]++;
		end = event == HIERARCHY_L1I_READ ? l2_read(p, h, line, 'r', at)
						  : miss(p, h, line, 'r', at, at);
		if (event != HIERARCHY_L1I_READ)
			comes(p, l.c, line, at, end);
	}
	rest(p, h, &l, &a, at);
	return end;
}

/* A store of hart h misses in L1D: whether its line belongs to a stream, and is not read. */
static bool in_stream(struct plain *p, unsigned h, uint64_t pa)
{
	struct plain_stream *s = &p->stream[h], old = *s;
	unsigned size = p->config.l1d.line, in_page = 4096 / size;
	uint64_t n = pa / size;
	bool next_up, next_down;

	if (p->config.write_stream == 0)
		return false;
	if (n != old.line) {
		s->line = n;
		s->up = pa % size < 8;
		s->down = !s->up && pa % size >= size - 8;
		next_up = n == old.line + 1 || (n % in_page == 0 && (old.line + 1) % in_page == 0);
		next_down = n + 1 == old.line ||
			    ((n + 1) % in_page == 0 && old.line % in_page == 0);
		if ((s->up && old.up && next_up) || (s->down && old.down && next_down))
			s->followers++;
		else
			s->followers = 0;
	}
	return s->followers >= p->config.write_stream;
}

static uint64_t plain_l1_write(struct plain *p, unsigned h, uint64_t pa, bool atomic, bool whole,
			       bool store, uint64_t since)
{
	struct level l = first_level(p, h, false);
	bool through = p->config.l1d.write_through, read_first = through && atomic;
	uint64_t line = pa / p->config.l1d.line * p->config.l1d.line, at = since, end;
	enum cache_op op = read_first ? CACHE_READ : whole ? CACHE_WHOLE : CACHE_WRITE;
	struct cache_answer a;
	bool missed, streams = false;

	if (ref_state(l.c, pa) != CACHE_MODIFIED)
		at = plain_snoop(p, h, line, true, at);
	end = at;
	if (read_first || (!through && !whole))
		end = data_of(p, l.c, pa, at, at);
	p->written = end > at && plain_written(l.c, pa);
	a = ref_access(l.c, op, pa);
	missed = !(a.bits & CACHE_HIT);
	p->what[HIERARCHY_L1D_WRITE]++;
	p->what[HIERARCHY_L1D_WRITE_MISS] += missed;
	if (missed && store && !through)
		streams = in_stream(p, h, pa);
	if (missed && !streams && (read_first || (!through && !whole))) {
		end = miss(p, h, line, 'w', since, at);
		comes(p, l.c, line, since, end);
	}
	if (through) {
		unsigned from = p->from;

		end = l2_write(p, h, line, whole, end);
		p->from = from;
	}
	rest(p, h, &l, &a, since);
	return streams ? later(end, p->last_turn) : end;
}

unsigned plain_access(struct plain *p, unsigned h, enum hierarchy_kind kind, uint64_t pa,
		      uint64_t at)
{
	memset(p->what, 0, sizeof(p->what));
	p->from = HIERARCHY_FROM_MEMORY;
	p->written = false;
	p->last_turn = 0;
	p->l1d[h].load = kind == HIERARCHY_READ ? p->pc : PREFETCH_NO_PC;
	switch (kind) {
	case HIERARCHY_FETCH:
		return plain_l1_read(p, h, HIERARCHY_L1I_READ, pa, at) - at;
	case HIERARCHY_READ:
		return plain_l1_read(p, h, HIERARCHY_L1D_READ, pa, at) - at;
	case HIERARCHY_WALK:
		return plain_l1_read(p, h, HIERARCHY_L1D_WALK, pa, at) - at;
	case HIERARCHY_WRITE:
	case HIERARCHY_ATOMIC:
		return plain_l1_write(p, h, pa, kind == HIERARCHY_ATOMIC, false,
				      kind == HIERARCHY_WRITE, at) -
		       at;
	case HIERARCHY_FETCH_UNCACHED:
		p->what[HIERARCHY_UNCACHED_FETCH] = p->what[HIERARCHY_BUS_READ] = 1;
		break;
	case HIERARCHY_READ_UNCACHED:
		p->what[HIERARCHY_UNCACHED_READ] = p->what[HIERARCHY_BUS_READ] = 1;
		break;
	default:
		p->what[HIERARCHY_UNCACHED_WRITE] = p->what[HIERARCHY_BUS_WRITE] = 1;
	}
	return p->config.uncached_cycles;
}

/* One line of an operation that is not zero.  Returns when it is over. */
static uint64_t plain_cbo_line(struct plain *p, unsigned h, enum hierarchy_cbo op, uint64_t line,
			       uint64_t at)
{
	struct ref_cache *own[] = { &p->l1d[h], &p->l2[h], &p->ll };
	static const uint8_t event[] = { HIERARCHY_L1D_WRITEBACK, HIERARCHY_L2_WRITEBACK,
					 HIERARCHY_LL_WRITEBACK };
	bool lose = op != HIERARCHY_CBO_CLEAN, dirty;
	uint64_t end = others(p, h, line, lose, &dirty, at);

	p->what[HIERARCHY_SNOOP_WRITEBACK] += dirty && op != HIERARCHY_CBO_INVAL;
	for (unsigned n = 0; n < 3; n++) {
		bool here = ref_state(own[n], line) == CACHE_MODIFIED;
		uint64_t data = data_of(p, own[n], line, at, at);

		p->what[event[n]] += here && op != HIERARCHY_CBO_INVAL;
		dirty = dirty || here;
		end = here ? later(end, data) : end;
		if (lose)
			ref_drop(own[n], line);
		else
			ref_clean(own[n], line);
	}
	return dirty && op != HIERARCHY_CBO_INVAL ? bus_write(p, h, line, true, end) : end;
}

unsigned plain_cbo(struct plain *p, unsigned h, enum hierarchy_cbo op, uint64_t pa, uint64_t at)
{
	unsigned line = p->config.l1d.line, bytes = p->config.cbo_bytes;
	unsigned step = line < bytes ? line : bytes;
	uint64_t first = pa / bytes * bytes, now = at;

	memset(p->what, 0, sizeof(p->what));
	for (uint64_t piece = first; piece < first + bytes; piece += step) {
		if (op == HIERARCHY_CBO_ZERO)
			now = plain_l1_write(p, h, piece, false, bytes >= line, false, now);
		else
			now = plain_cbo_line(p, h, op, piece, now);
	}
	return now - at;
}
