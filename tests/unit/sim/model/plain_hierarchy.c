// SPDX-License-Identifier: BSD-2-Clause
/*
 * plain_hierarchy.c - plain_hierarchy.h: each level asks the one below it.
 */
#include "plain_hierarchy.h"

struct plain plain_create(const struct hierarchy_config *config, unsigned harts)
{
	struct plain p = { .config = *config, .harts = harts, .ll = ref_create(&config->ll) };

	for (unsigned n = 0; n < harts; n++) {
		p.l1i[n] = ref_create(&config->l1i);
		p.l1d[n] = ref_create(&config->l1d);
		p.l2[n] = ref_create(&config->l2);
	}
	return p;
}

void plain_destroy(struct plain *p)
{
	for (unsigned n = 0; n < p->harts; n++) {
		ref_destroy(&p->l1i[n]);
		ref_destroy(&p->l1d[n]);
		ref_destroy(&p->l2[n]);
	}
	ref_destroy(&p->ll);
}

/* What a cache leaves to the level below it; lower tells how (a line to read, one to write). */
typedef unsigned plain_read(struct plain *p, unsigned h, uint64_t line, char by);
typedef unsigned plain_write(struct plain *p, unsigned h, uint64_t line, bool whole);

static unsigned bus_read(struct plain *p, unsigned h, uint64_t line, char by)
{
	p->what[by == 'p' ? HIERARCHY_BUS_PREFETCH : HIERARCHY_BUS_READ]++;
	return p->config.bus_cycles;
}

static unsigned bus_write(struct plain *p, unsigned h, uint64_t line, bool whole)
{
	p->what[HIERARCHY_BUS_WRITE]++;
	return p->config.bus_cycles;
}

static void one(struct plain *p, unsigned h, const struct cache_answer *a, unsigned prefetch,
		unsigned writeback, plain_read *read, plain_write *write)
{
	if (a->bits & CACHE_EVICTED) {
		p->what[writeback]++;
		write(p, h, a->evicted, true);
	}
	if (a->bits & CACHE_PREFETCH)
		p->what[prefetch]++;
	if ((a->bits & CACHE_PREFETCH) && !(a->bits & CACHE_PREFETCH_HIT)) {
		p->what[prefetch + 1]++;
		read(p, h, a->prefetched, 'p');
	}
	if (a->bits & CACHE_PREFETCH_EVICTED) {
		p->what[writeback]++;
		write(p, h, a->prefetch_evicted, true);
	}
}

static void rest(struct plain *p, unsigned h, struct ref_cache *c, const struct cache_answer *a,
		 unsigned prefetch, unsigned writeback, plain_read *read, plain_write *write)
{
	one(p, h, a, prefetch, writeback, read, write);
	for (unsigned n = 0; n < c->targets; n++) {
		struct cache_answer more = { 0 };

		ref_prefetch(c, c->target[n], &more);
		one(p, h, &more, prefetch, writeback, read, write);
	}
}

static unsigned ll_read(struct plain *p, unsigned h, uint64_t line, char by)
{
	unsigned event = by == 'r'   ? HIERARCHY_LL_READ
			 : by == 'w' ? HIERARCHY_LL_WRITE
				     : HIERARCHY_LL_PREFETCH;
	unsigned cycles = p->config.ll_cycles;
	struct cache_answer a;

	if (!p->config.ll.sets)
		return bus_read(p, h, line, by);
	a = ref_access(&p->ll, CACHE_READ, line);
	p->what[event]++;
	if (!(a.bits & CACHE_HIT)) {
		p->what[event + 1]++;
		cycles = bus_read(p, h, line, by);
	}
	rest(p, h, &p->ll, &a, HIERARCHY_LL_PREFETCH, HIERARCHY_LL_WRITEBACK, bus_read, bus_write);
	return cycles;
}

static unsigned ll_write(struct plain *p, unsigned h, uint64_t line, bool whole)
{
	unsigned event = whole ? HIERARCHY_LL_UPDATE : HIERARCHY_LL_WRITE,
		 cycles = p->config.ll_cycles;
	struct cache_answer a;

	if (!p->config.ll.sets)
		return bus_write(p, h, line, whole);
	a = ref_access(&p->ll, whole ? CACHE_WHOLE : CACHE_WRITE, line);
	p->what[event]++;
	p->what[event + 1] += !(a.bits & CACHE_HIT);
	if (p->config.ll.write_through)
		cycles = bus_write(p, h, line, whole);
	else if (!(a.bits & CACHE_HIT) && !whole)
		cycles = bus_read(p, h, line, 'w');
	rest(p, h, &p->ll, &a, HIERARCHY_LL_PREFETCH, HIERARCHY_LL_WRITEBACK, bus_read, bus_write);
	return cycles;
}

/*
 * In the other harts' L1D and L2: the line is invalidated or cleaned.  Returns whether it cost
 * time.
 */
static bool others(struct plain *p, unsigned h, uint64_t line, bool lose, bool *dirty)
{
	bool moved = false;

	*dirty = false;
	for (unsigned n = 0; n < p->harts; n++) {
		bool there;

		if (n == h)
			continue;
		there = ref_state(&p->l1d[n], line) || ref_state(&p->l2[n], line);
		*dirty = *dirty || ref_state(&p->l1d[n], line) == CACHE_MODIFIED ||
			 ref_state(&p->l2[n], line) == CACHE_MODIFIED;
		ref_clean(&p->l1d[n], line);
		ref_clean(&p->l2[n], line);
		if (lose) {
			ref_drop(&p->l1d[n], line);
			ref_drop(&p->l2[n], line);
			p->what[HIERARCHY_SNOOP_INVALIDATE] += there;
			moved = moved || there;
		}
	}
	return moved || *dirty;
}

static unsigned plain_snoop(struct plain *p, unsigned h, uint64_t line, bool lose)
{
	bool dirty, moved = others(p, h, line, lose, &dirty);

	if (dirty) {
		p->what[HIERARCHY_SNOOP_WRITEBACK]++;
		ll_write(p, h, line, true);
	}
	return moved ? p->config.snoop_cycles : 0;
}

static unsigned shared_read(struct plain *p, unsigned h, uint64_t line, char by)
{
	unsigned cycles = plain_snoop(p, h, line, false);

	return cycles + ll_read(p, h, line, by);
}

static unsigned l2_read(struct plain *p, unsigned h, uint64_t line, char by)
{
	unsigned event = by == 'r'   ? HIERARCHY_L2_READ
			 : by == 'w' ? HIERARCHY_L2_WRITE
				     : HIERARCHY_L2_PREFETCH;
	unsigned cycles = p->config.l2_cycles;
	struct cache_answer a;

	if (!p->config.l2.sets)
		return shared_read(p, h, line, by);
	a = ref_access(&p->l2[h], CACHE_READ, line);
	p->what[event]++;
	if (!(a.bits & CACHE_HIT)) {
		p->what[event + 1]++;
		cycles = shared_read(p, h, line, by);
	}
	rest(p, h, &p->l2[h], &a, HIERARCHY_L2_PREFETCH, HIERARCHY_L2_WRITEBACK, shared_read,
	     ll_write);
	return cycles;
}

static unsigned l2_write(struct plain *p, unsigned h, uint64_t line, bool whole)
{
	unsigned event = whole ? HIERARCHY_L2_UPDATE : HIERARCHY_L2_WRITE,
		 cycles = p->config.l2_cycles;
	struct cache_answer a;

	if (!p->config.l2.sets)
		return ll_write(p, h, line, whole);
	a = ref_access(&p->l2[h], whole ? CACHE_WHOLE : CACHE_WRITE, line);
	p->what[event]++;
	p->what[event + 1] += !(a.bits & CACHE_HIT);
	if (p->config.l2.write_through)
		cycles = ll_write(p, h, line, whole);
	else if (!(a.bits & CACHE_HIT) && !whole)
		cycles = shared_read(p, h, line, 'w');
	rest(p, h, &p->l2[h], &a, HIERARCHY_L2_PREFETCH, HIERARCHY_L2_WRITEBACK, shared_read,
	     ll_write);
	return cycles;
}

static unsigned plain_l1_read(struct plain *p, unsigned h, unsigned event, uint64_t pa)
{
	bool fetch = event == HIERARCHY_L1I_READ;
	uint64_t line = pa / p->config.l1d.line * p->config.l1d.line;
	struct cache_answer a = ref_access(fetch ? &p->l1i[h] : &p->l1d[h], CACHE_READ, pa);
	unsigned cycles = 0;

	p->what[event]++;
	if (!(a.bits & CACHE_HIT)) {
		p->what[event + 1]++;
		cycles = l2_read(p, h, line, 'r');
	}
	rest(p, h, fetch ? &p->l1i[h] : &p->l1d[h], &a,
	     fetch ? HIERARCHY_L1I_PREFETCH : HIERARCHY_L1D_PREFETCH, HIERARCHY_L1D_WRITEBACK,
	     l2_read, l2_write);
	return cycles;
}

static unsigned plain_l1_write(struct plain *p, unsigned h, uint64_t pa, bool atomic, bool whole)
{
	bool through = p->config.l1d.write_through, read_first = through && atomic;
	uint64_t line = pa / p->config.l1d.line * p->config.l1d.line;
	enum cache_op op = read_first ? CACHE_READ : whole ? CACHE_WHOLE : CACHE_WRITE;
	bool owned = ref_state(&p->l1d[h], pa) == CACHE_MODIFIED;
	struct cache_answer a = ref_access(&p->l1d[h], op, pa);
	bool missed = !(a.bits & CACHE_HIT);
	unsigned cycles = owned ? 0 : plain_snoop(p, h, line, true);

	p->what[HIERARCHY_L1D_WRITE]++;
	p->what[HIERARCHY_L1D_WRITE_MISS] += missed;
	if (missed && (read_first || (!through && !whole)))
		cycles += l2_read(p, h, line, 'w');
	if (through)
		cycles += l2_write(p, h, line, whole);
	rest(p, h, &p->l1d[h], &a, HIERARCHY_L1D_PREFETCH, HIERARCHY_L1D_WRITEBACK, l2_read,
	     l2_write);
	return cycles;
}

unsigned plain_access(struct plain *p, unsigned h, enum hierarchy_kind kind, uint64_t pa)
{
	memset(p->what, 0, sizeof(p->what));
	p->l1d[h].load = kind == HIERARCHY_READ ? p->pc : PREFETCH_NO_PC;
	switch (kind) {
	case HIERARCHY_FETCH:
		return plain_l1_read(p, h, HIERARCHY_L1I_READ, pa);
	case HIERARCHY_READ:
		return plain_l1_read(p, h, HIERARCHY_L1D_READ, pa);
	case HIERARCHY_WALK:
		return plain_l1_read(p, h, HIERARCHY_L1D_WALK, pa);
	case HIERARCHY_WRITE:
	case HIERARCHY_ATOMIC:
		return plain_l1_write(p, h, pa, kind == HIERARCHY_ATOMIC, false);
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

unsigned plain_cbo(struct plain *p, unsigned h, enum hierarchy_cbo op, uint64_t pa)
{
	unsigned line = p->config.l1d.line, bytes = p->config.cbo_bytes, cycles = 0;
	unsigned step = line < bytes ? line : bytes;
	uint64_t first = pa / bytes * bytes;

	memset(p->what, 0, sizeof(p->what));
	for (uint64_t at = first; at < first + bytes; at += step) {
		struct ref_cache *own[] = { &p->l1d[h], &p->l2[h], &p->ll };
		static const uint8_t event[] = { HIERARCHY_L1D_WRITEBACK, HIERARCHY_L2_WRITEBACK,
						 HIERARCHY_LL_WRITEBACK };
		bool lose = op != HIERARCHY_CBO_CLEAN, dirty;

		if (op == HIERARCHY_CBO_ZERO) {
			cycles += plain_l1_write(p, h, at, false, bytes >= line);
			continue;
		}
		cycles += others(p, h, at, lose, &dirty) ? p->config.snoop_cycles : 0;
		p->what[HIERARCHY_SNOOP_WRITEBACK] += dirty && op != HIERARCHY_CBO_INVAL;
		for (unsigned n = 0; n < 3; n++) {
			bool here = ref_state(own[n], at) == CACHE_MODIFIED;

			p->what[event[n]] += here && op != HIERARCHY_CBO_INVAL;
			dirty = dirty || here;
			if (lose)
				ref_drop(own[n], at);
			else
				ref_clean(own[n], at);
		}
		if (dirty && op != HIERARCHY_CBO_INVAL)
			cycles += bus_write(p, h, at, true);
	}
	return cycles;
}
