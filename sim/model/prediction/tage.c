// SPDX-License-Identifier: BSD-2-Clause
/*
 * tage.c - tagged tables with long histories (tage.h).
 */
#include <stdlib.h>
#include <string.h>

#include "tage.h"

#define WEAKLY_NOT   (3 * TAGE_STEP)
#define WEAKLY_TAKEN (4 * TAGE_STEP)
#define NOTHING	     WEAKLY_NOT /* an entry that was never allocated */
#define TRUST_MIN    (-8)
#define TRUST_MAX    7

bool tage_check(const struct tage_config *config, struct model_error *why)
{
	uint32_t last = 0;

	if (!model_in_range(why, "tables", config->tables, 1, TAGE_TABLES_MAX) ||
	    !model_in_powers(why, "entries", config->entries, 16, 65536) ||
	    !model_in_range(why, "tag_bits", config->tag_bits, 4, 15))
		return false;
	for (unsigned n = 0; n < config->tables; n++) {
		if (!model_in_range(why, "history", config->history[n], last + 1,
				    n < TAGE_FEW ? 64 : TAGE_HISTORY_MAX))
			return false;
		last = config->history[n];
	}
	return true;
}

static size_t slots(const struct tage *t)
{
	return (size_t)t->lanes * t->config.entries;
}

static uint64_t ones(unsigned nr)
{
	return nr < 64 ? (1ull << nr) - 1 : UINT64_MAX;
}

bool tage_init(struct tage *t, const struct tage_config *config)
{
	*t = (struct tage){ .config = *config,
			    .mix = TAGE_MIX,
			    .lanes = config->tables <= 4 ? 4 : 8,
			    .few = config->tables <= TAGE_FEW };
	t->entry = malloc(slots(t) * sizeof(*t->entry));
	if (!t->entry)
		return false;
	for (unsigned n = 0; n < config->tables; n++) {
		t->near[n] = ones(config->history[n]);
		t->far[n] = config->history[n] > 64 ? ones(config->history[n] - 64) : 0;
	}
	t->rows = (config->entries - 1) * t->lanes;
	t->tag_mask = ~(UINT32_MAX >> config->tag_bits);
	tage_reset(t);
	return true;
}

void tage_free(struct tage *t)
{
	free(t->entry);
	t->entry = NULL;
}

void tage_reset(struct tage *t)
{
	for (size_t n = 0; n < slots(t); n++)
		t->entry[n] = NOTHING;
	t->past[0] = t->past[1] = 0;
	t->failures = 0;
	t->trust_new = 0;
}

/* Tables */

static __attribute__((cold)) void age(struct tage *t)
{
	t->failures = 0;
	for (size_t n = 0; n < slots(t); n++)
		t->entry[n] &= ~TAGE_USEFUL;
}

/*
 * Learning.  It has few jumps: what is learned is what TAGE could not predict, and the host could
 * not predict jumps that depend on it.
 */

/* What all tables have for a branch. */
struct asked {
	uint32_t *entry[TAGE_TABLES_MAX];
	uint32_t tag[TAGE_TABLES_MAX]; /* the tags that the entries of the tables would have */
	unsigned matches, useful; /* by table, as bits: the entry has this tag; it is useful */
};

/* nr: the number of tables, or more of them, up to lanes: those are never chosen. */
static inline __attribute__((always_inline)) void ask(struct tage *t, uint64_t key, unsigned nr,
						      struct asked *a)
{
	a->matches = a->useful = 0;
#pragma GCC unroll 3
	for (unsigned n = 0; n < nr; n++) {
		uint64_t hashed = tage_hash(t, n, key);

		a->entry[n] = &t->entry[(hashed & t->rows) + n];
		a->tag[n] = hashed & t->tag_mask;
		a->matches |= (unsigned)tage_is_of(t, *a->entry[n], hashed) << n;
		a->useful |= (*a->entry[n] & TAGE_USEFUL) << n;
	}
}

/* An entry, or the base's counter in the layout of one, and the one that would predict instead. */
struct found {
	uint32_t provider, alternate;
	unsigned longer; /* the next longer table than the provider's; 0: a counter of the base */
};

static inline __attribute__((always_inline)) struct found find(const struct asked *a, uint8_t base,
							       unsigned nr)
{
	struct found f = { tage_base_entry(base), tage_base_entry(base), 0 };

#pragma GCC unroll 3
	for (unsigned n = 0; n < nr; n++) {
		bool here = f.provider >> TAGE_LONGER_SHIFT & a->matches & 1u << n;

		f.alternate = here ? f.provider : f.alternate;
		f.provider = here ? *a->entry[n] : f.provider;
		f.longer = here ? n + 1 : f.longer;
	}
	return f;
}

/*
 * Returns the prediction.  If the provider and its alternate differ, the provider becomes useful or
 * not; if it is new, trust_new decides between them, and learns.
 */
static inline __attribute__((always_inline)) unsigned decide(struct tage *t, struct found *f,
							     unsigned taken)
{
	unsigned own = f->provider / TAGE_TAKEN & 1, right = own == taken;
	unsigned differ = (f->provider ^ f->alternate) / TAGE_TAKEN & 1;
	unsigned weak = (f->provider & TAGE_COUNTER) - WEAKLY_NOT <= WEAKLY_TAKEN - WEAKLY_NOT;
	unsigned trusts = t->trust_new >= 0;
	unsigned new = differ & ~f->provider &weak;
	int step = right ? -(t->trust_new > TRUST_MIN) : t->trust_new < TRUST_MAX;

	f->provider ^= (f->provider ^ right) & differ;
	t->trust_new += new ? step : 0;
	return own ^ (new &trusts);
}

/* Allocates an entry in table first or a longer one.  Returns the table; config.tables: none. */
static inline __attribute__((always_inline)) unsigned
allocate(struct tage *t, const struct asked *a, unsigned first, unsigned taken)
{
	unsigned last = t->config.tables, n;

	n = __builtin_ctz((~a->useful | a->matches | 1u << last) >> first) + first;
	n = n < last ? n : last;
	t->failures += n - first;
	if (__builtin_expect(t->failures >= TAGE_PATIENCE, 0)) {
		/* No entry after the one that made it so many is useful now. */
		n -= t->failures - TAGE_PATIENCE;
		age(t);
	}
	if (n == last || a->matches >> n & 1)
		return n;
	*a->entry[n] = a->tag[n] | (taken ? WEAKLY_TAKEN : WEAKLY_NOT);
	t->failures -= t->failures > 0;
	return n;
}

/*
 * After a wrong prediction: allocates an entry in a table longer than the provider's, and records
 * this table in the provider as its longest.
 */
static inline __attribute__((always_inline)) void
lengthen(struct tage *t, const struct asked *a, unsigned first, uint8_t *base, unsigned taken)
{
	unsigned n = allocate(t, a, first, taken);
	uint32_t longer = TAGE_LONGER << n, all = TAGE_LONGER << TAGE_TABLES_MAX;

	if (n == t->config.tables)
		return;
	if (first)
		*a->entry[first - 1] = (*a->entry[first - 1] & ~(all - longer)) | longer;
	else
		*base = (*base & ((longer >> TAGE_BASE_SHIFT) - 1)) | longer >> TAGE_BASE_SHIFT;
}

static inline __attribute__((always_inline)) unsigned
learn(struct tage *t, uint64_t pc, uint8_t *base, unsigned taken, unsigned nr)
{
	struct asked a;
	struct found f;
	unsigned wrong;

	ask(t, tage_key(pc), nr, &a);
	f = find(&a, *base, nr);
	wrong = decide(t, &f, taken) ^ taken;
	if (f.longer)
		*a.entry[f.longer - 1] = f.provider + (taken ? TAGE_STEP : -TAGE_STEP);
	else
		*base += taken ? 1 : -1;
	if (wrong)
		lengthen(t, &a, f.longer, base, taken);
	tage_push(t, taken);
	return wrong;
}

static __attribute__((noinline)) unsigned learn_any(struct tage *t, uint64_t pc, uint8_t *base,
						    unsigned taken)
{
	return learn(t, pc, base, taken, t->config.tables);
}

unsigned tage_learn(struct tage *t, uint64_t pc, uint8_t *base, unsigned taken)
{
	return t->few ? learn(t, pc, base, taken, TAGE_FEW) : learn_any(t, pc, base, taken);
}

unsigned tage_branch(struct tage *t, uint64_t pc, uint8_t *base, unsigned taken)
{
	uint32_t provider = t->few ? tage_provider(t, pc, *base, TAGE_FEW)
				   : tage_provider(t, pc, *base, TAGE_TABLES_MAX);

	if (__builtin_expect(tage_learns(provider, taken), 0))
		return tage_learn(t, pc, base, taken);
	tage_push(t, taken);
	return 0;
}

/* State */

struct saved {
	uint64_t past[2];
	uint32_t failures;
	int32_t trust_new;
};

#define SHAPE_NR (3 + TAGE_TABLES_MAX)

static void shape_of(const struct tage *t, uint32_t shape[SHAPE_NR])
{
	memset(shape, 0, SHAPE_NR * sizeof(*shape));
	shape[0] = t->config.tables;
	shape[1] = t->config.entries;
	shape[2] = t->config.tag_bits;
	memcpy(shape + 3, t->config.history, t->config.tables * sizeof(*shape));
}

bool tage_save(const struct tage *t, const struct stream *s)
{
	struct saved saved = { { t->past[0], t->past[1] }, t->failures, t->trust_new };
	uint32_t shape[SHAPE_NR];

	shape_of(t, shape);
	return model_save_shape(s, shape, SHAPE_NR) &&
	       stream_write(s, t->entry, slots(t) * sizeof(*t->entry)) &&
	       stream_write(s, &saved, sizeof(saved));
}

/* Whether each entry has no bits outside its fields, and names only tables that exist. */
static bool entries_possible(const struct tage *t)
{
	uint32_t end = TAGE_LONGER << t->config.tables;

	for (size_t n = 0; n < slots(t); n++) {
		unsigned table = n % t->lanes;
		uint32_t longer = end - (TAGE_LONGER << 1 << table);

		if (table >= t->config.tables)
			longer = 0;
		if (t->entry[n] & ~(t->tag_mask | TAGE_USEFUL | TAGE_COUNTER | longer))
			return false;
	}
	return true;
}

bool tage_restore(struct tage *t, const struct stream *s)
{
	struct saved saved;
	uint32_t shape[SHAPE_NR];

	shape_of(t, shape);
	if (!model_restore_shape(s, shape, SHAPE_NR) ||
	    !stream_read(s, t->entry, slots(t) * sizeof(*t->entry)) ||
	    !stream_read(s, &saved, sizeof(saved)) || !entries_possible(t) ||
	    saved.failures >= TAGE_PATIENCE || saved.trust_new < TRUST_MIN ||
	    saved.trust_new > TRUST_MAX)
		return false;
	memcpy(t->past, saved.past, sizeof(t->past));
	t->failures = saved.failures;
	t->trust_new = saved.trust_new;
	return true;
}
