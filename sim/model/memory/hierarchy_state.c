// SPDX-License-Identifier: BSD-2-Clause
/*
 * hierarchy_state.c - making, checking, saving and restoring the caches of a machine (hierarchy.h).
 */
#include <stdlib.h>
#include <string.h>

#include "hierarchy.h"

#define CYCLES_MAX 100000

/* A ledger: windows of some lines, and a ring of them that turns do not reach around. */
#define WINDOW_LINES 8
#define WINDOW_LEAST 256
#define RING_TURNS   4

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

static bool check_rows(const struct hierarchy_config *config, struct model_error *why)
{
	return !config->row_bytes ||
	       (model_in_range(why, "row_hit_cycles", config->row_hit_cycles, 0,
			       config->bus_cycles) &&
		model_in_powers(why, "row_bytes", config->row_bytes, config->l1d.line,
				HIERARCHY_ROW_BYTES_MAX) &&
		model_in_powers(why, "row_banks", config->row_banks, 1, HIERARCHY_ROW_BANKS_MAX) &&
		model_in_powers(why, "row_interleave", config->row_interleave, config->l1d.line,
				config->row_bytes));
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
	       model_in_range(why, "misses", config->misses, 0, HIERARCHY_MISSES_MAX) &&
	       model_in_range(why, "fill_cycles", config->fill_cycles, 0,
			      HIERARCHY_FILL_CYCLES_MAX) &&
	       model_in_range(why, "write_stream", config->write_stream, 0, HIERARCHY_STREAM_MAX) &&
	       (!config->l2_banks ||
		model_in_powers(why, "l2_banks", config->l2_banks, 1, HIERARCHY_BANKS_MAX)) &&
	       (!config->ll_banks ||
		model_in_powers(why, "ll_banks", config->ll_banks, 1, HIERARCHY_BANKS_MAX)) &&
	       model_in_range(why, "l2_line_cycles", config->l2_line_cycles, 0,
			      HIERARCHY_LINE_CYCLES_MAX) &&
	       model_in_range(why, "ll_line_cycles", config->ll_line_cycles, 0,
			      HIERARCHY_LINE_CYCLES_MAX) &&
	       model_in_range(why, "bus_line_cycles", config->bus_line_cycles, 0,
			      HIERARCHY_LINE_CYCLES_MAX) &&
	       check_rows(config, why) &&
	       model_in_range(why, "turn", config->turn, 0, LEDGER_TURN_MAX) &&
	       model_in_powers(why, "cbo_bytes", config->cbo_bytes, CACHE_LINE_MIN, CACHE_LINE_MAX);
}

/* The ledger of a level that a line occupies for some cycles; 0: it has none. */
static bool make_port(struct ledger *l, const struct hierarchy_config *config, uint32_t cycles,
		      unsigned harts)
{
	struct ledger_config c = {
		.window = WINDOW_LEAST,
		.windows = harts > 1 ? LEDGER_WINDOWS_MAX : LEDGER_WINDOWS_MIN,
		.turn = harts > 1 && config->turn ? config->turn : 1,
	};
	uint64_t turns = harts > 1 ? (uint64_t)RING_TURNS * c.turn : 0;

	while (c.window < LEDGER_WINDOW_MAX &&
	       (c.window < WINDOW_LINES * cycles || (uint64_t)c.window * c.windows < turns))
		c.window *= 2;
	return !cycles || ledger_init(l, &c, harts);
}

/* One for each bank of a cache. */
static bool make_ports(struct ledger *l, const struct hierarchy_config *config, uint32_t banks,
		       uint32_t cycles, unsigned harts)
{
	bool made = true;

	for (unsigned n = 0; n < (banks ? banks : 1); n++)
		made = made && make_port(&l[n], config, cycles, harts);
	return made;
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
		made = cache_init(&m->ll, &config->ll) &&
		       make_ports(m->ll_port, config, config->ll_banks, config->ll_line_cycles,
				  harts);
	made = made && make_port(&m->bus_port, config, config->bus_line_cycles, harts);
	for (unsigned hart = 0; hart < harts; hart++) {
		struct hierarchy_hart *h = &m->hart[hart];

		made = made && cache_init(&h->l1i, &config->l1i) &&
		       cache_init(&h->l1d, &config->l1d) &&
		       (!config->l2.sets || (cache_init(&h->l2, &config->l2) &&
					     make_ports(h->l2_port, config, config->l2_banks,
							config->l2_line_cycles, 1)));
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

/* The same for every ledger. */
static bool each_port(struct hierarchy *m, bool (*fn)(struct ledger *l, const struct stream *s),
		      const struct stream *s)
{
	for (unsigned n = 0; n < HIERARCHY_BANKS_MAX; n++) {
		if (m->ll_port[n].window && !fn(&m->ll_port[n], s))
			return false;
	}
	if (m->bus_port.window && !fn(&m->bus_port, s))
		return false;
	for (unsigned n = 0; n < m->harts * HIERARCHY_BANKS_MAX; n++) {
		struct ledger *l =
			&m->hart[n / HIERARCHY_BANKS_MAX].l2_port[n % HIERARCHY_BANKS_MAX];

		if (l->window && !fn(l, s))
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

static bool reset_port(struct ledger *l, const struct stream *s)
{
	ledger_reset(l);
	return true;
}

static bool free_port(struct ledger *l, const struct stream *s)
{
	ledger_free(l);
	return true;
}

static bool save_port(struct ledger *l, const struct stream *s)
{
	return ledger_save(l, s);
}

void hierarchy_free(struct hierarchy *m)
{
	each_cache(m, free_one, NULL);
	each_port(m, free_port, NULL);
	free(m->hart);
	m->hart = NULL;
	m->harts = 0;
}

void hierarchy_reset(struct hierarchy *m)
{
	each_cache(m, reset_one, NULL);
	each_port(m, reset_port, NULL);
	memset(m->open_row, 0, sizeof(m->open_row));
	for (unsigned hart = 0; hart < m->harts; hart++) {
		memset(m->hart[hart].miss, 0, sizeof(m->hart[hart].miss));
		m->hart[hart].stream = (struct hierarchy_stream){ 0 };
	}
}

/* The misses that an L1D waits for, in a snapshot. */
static bool save_misses(const struct hierarchy *m, const struct stream *s)
{
	for (unsigned n = 0; n < m->harts * m->config.misses; n++) {
		const struct cache_arrival *miss =
			&m->hart[n / m->config.misses].miss[n % m->config.misses];

		if (!cache_save_arrival(miss, s))
			return false;
	}
	return true;
}

static bool restore_misses(struct hierarchy *m, const struct stream *s)
{
	for (unsigned n = 0; n < m->harts * m->config.misses; n++) {
		struct cache_arrival *miss =
			&m->hart[n / m->config.misses].miss[n % m->config.misses];

		if (!cache_restore_arrival(miss, s))
			return false;
	}
	return true;
}

/* The streams of stores. */

struct saved_stream {
	uint64_t line;
	uint32_t run;
	int32_t step;
};

static bool save_streams(const struct hierarchy *m, const struct stream *s)
{
	for (unsigned hart = 0; m->config.write_stream && hart < m->harts; hart++) {
		const struct hierarchy_stream *t = &m->hart[hart].stream;
		struct saved_stream saved = { t->line, t->run, t->step };

		if (!stream_write(s, &saved, sizeof(saved)))
			return false;
	}
	return true;
}

static bool restore_streams(struct hierarchy *m, const struct stream *s)
{
	for (unsigned hart = 0; m->config.write_stream && hart < m->harts; hart++) {
		struct saved_stream saved;

		if (!stream_read(s, &saved, sizeof(saved)) || saved.step < -1 || saved.step > 1 ||
		    saved.run > (saved.step ? m->config.write_stream : 0) ||
		    saved.line % m->config.l1d.line)
			return false;
		m->hart[hart].stream = (struct hierarchy_stream){
			.line = saved.line,
			.run = (uint8_t)saved.run,
			.step = (int8_t)saved.step,
		};
	}
	return true;
}

/* The bytes of the rows with one number, of all banks. */
static uint64_t row_span(const struct hierarchy_config *config)
{
	return (uint64_t)config->row_bytes * config->row_banks;
}

/* The open rows of DRAM.  Without rows there are no banks. */
static unsigned rows(const struct hierarchy *m)
{
	return m->config.row_bytes ? m->config.row_banks : 0;
}

static bool save_rows(const struct hierarchy *m, const struct stream *s)
{
	return stream_write(s, m->open_row, rows(m) * sizeof(m->open_row[0]));
}

static bool restore_rows(struct hierarchy *m, const struct stream *s)
{
	if (!stream_read(s, m->open_row, rows(m) * sizeof(m->open_row[0])))
		return false;
	for (unsigned n = 0; n < rows(m); n++) {
		if (m->open_row[n] > UINT64_MAX / row_span(&m->config) + 1)
			return false;
	}
	return true;
}

#define SHAPE(m)                                                                                   \
	{                                                                                          \
		(m)->harts, (m)->config.misses, (m)->config.write_stream, (m)->config.l2_banks,    \
			(m)->config.ll_banks, (m)->config.row_bytes, (m)->config.row_banks,        \
			(m)->config.row_interleave                                                 \
	}

#define SHAPE_NR 8

bool hierarchy_save(const struct hierarchy *m, const struct stream *s)
{
	uint32_t shape[] = SHAPE(m);

	/* save_one and save_port change nothing. */
	return model_save_shape(s, shape, SHAPE_NR) && save_misses(m, s) && save_streams(m, s) &&
	       save_rows(m, s) && each_port((struct hierarchy *)m, save_port, s) &&
	       each_cache((struct hierarchy *)m, save_one, s);
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
	uint32_t shape[] = SHAPE(m);
	bool possible;

	hierarchy_reset(m);
	possible = model_restore_shape(s, shape, SHAPE_NR) && restore_misses(m, s) &&
		   restore_streams(m, s) && restore_rows(m, s) && each_port(m, ledger_restore, s) &&
		   each_cache(m, cache_restore, s);
	for (unsigned hart = 0; possible && hart < m->harts; hart++)
		possible = exclusive(m, hart, &m->hart[hart].l1d) &&
			   exclusive(m, hart, &m->hart[hart].l2);
	if (!possible)
		hierarchy_reset(m);
	return possible;
}
