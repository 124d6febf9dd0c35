// SPDX-License-Identifier: BSD-2-Clause
/*
 * tage.c - tagged tables with long histories (tage.h).
 */
#include <stdlib.h>
#include <string.h>

#include "tage.h"

#define COUNTER_STEP 2 /* 1 in an entry's counter field */
#define WEAKLY_NOT   (3 * COUNTER_STEP)
#define WEAKLY_TAKEN (4 * COUNTER_STEP)
#define NOTHING	     WEAKLY_NOT /* an entry that was never allocated */
#define TRUST_MIN    (-8)
#define TRUST_MAX    7
#define FAR_FROM     3 /* the first table whose history may be longer than a word */

/* Odd multipliers with random bits: for the pc, the last 64 outcomes, and those before them. */
#define MIX_PC	0xd6e8feb86659fd93
#define MIX	0x9e3779b97f4a7c15
#define MIX_FAR 0xc2b2ae3d27d4eb4f

bool tage_check(const struct tage_config *config, struct model_error *why)
{
	uint32_t last = 0;

	if (!model_in_range(why, "tables", config->tables, 1, TAGE_TABLES_MAX) ||
	    !model_in_powers(why, "entries", config->entries, 16, 65536) ||
	    !model_in_range(why, "tag_bits", config->tag_bits, 4, 15))
		return false;
	for (unsigned n = 0; n < config->tables; n++) {
		if (!model_in_range(why, "history", config->history[n], last + 1,
				    n < FAR_FROM ? 64 : TAGE_HISTORY_MAX))
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
	*t = (struct tage){ .config = *config, .mix = MIX, .lanes = config->tables <= 4 ? 4 : 8 };
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

uint64_t tage_bytes(const struct tage *t)
{
	return slots(t) * sizeof(*t->entry);
}

void tage_reset(struct tage *t)
{
	for (size_t n = 0; n < slots(t); n++)
		t->entry[n] = NOTHING;
	t->past = 0;
	t->failures = 0;
	t->trust_new = 0;
}

/* Tables */

/*
 * The hash of the pc (key) and of table n's history.  Its low bits are the index of the branch in
 * table n, its high bits the tag.  The high bits of a product depend on all outcomes, the low bits
 * on the last few only: the bytes are reversed so that the index gets the high bits.
 */
static inline __attribute__((always_inline)) uint64_t hash(const struct tage *t, unsigned n,
							   uint64_t key)
{
	key += ((uint64_t)t->past & t->near[n]) * t->mix;
	if (n >= FAR_FROM)
		key += ((uint64_t)(t->past >> 64) & t->far[n]) * MIX_FAR;
	return __builtin_bswap64(key);
}

static inline bool is_of(const struct tage *t, uint32_t entry, uint32_t hashed)
{
	return !((entry ^ hashed) & t->tag_mask);
}

/* The place of an entry; BASE: the counter in the base table. */
#define BASE UINT64_MAX

struct found {
	uint32_t provider; /* the entry, or the base's counter in the layout of an entry */
	uint64_t at, alternate; /* the places of the provider and of its alternate */
};

static inline __attribute__((always_inline)) struct found search(const struct tage *t, uint64_t key,
								 uint8_t base, unsigned nr)
{
	struct found f = { (uint32_t)base << TAGE_BASE_SHIFT, BASE, BASE };
	const uint32_t *entries = t->entry;

#pragma GCC unroll 6
	for (unsigned n = 0; n < nr; n++) {
		uint64_t hashed, row;
		uint32_t entry;

		if (!(f.provider & TAGE_LONGER << n))
			continue;
		hashed = hash(t, n, key);
		row = hashed & t->rows;
		entry = entries[row + n];
		if (is_of(t, entry, hashed))
			f = (struct found){ entry, row | n, f.at };
	}
	return f;
}

/* Learning */

static inline void push(struct tage *t, unsigned taken)
{
	t->past = t->past << 1 | taken;
}

static void age(struct tage *t)
{
	t->failures = 0;
	for (size_t n = 0; n < slots(t); n++)
		t->entry[n] &= ~TAGE_USEFUL;
}

/* Allocates an entry in table first or a longer one.  Returns the table; config.tables: none. */
static unsigned allocate(struct tage *t, uint64_t key, unsigned first, bool taken)
{
	for (unsigned n = first; n < t->config.tables; n++) {
		uint64_t hashed = hash(t, n, key);
		uint32_t *e = &t->entry[(hashed & t->rows) + n];

		if (is_of(t, *e, hashed))
			return n;
		if (!(*e & TAGE_USEFUL)) {
			*e = (hashed & t->tag_mask) | (taken ? WEAKLY_TAKEN : WEAKLY_NOT);
			t->failures -= t->failures > 0;
			return n;
		}
		if (++t->failures == TAGE_PATIENCE)
			age(t);
	}
	return t->config.tables;
}

/*
 * After a wrong prediction: allocates an entry in a table longer than the provider's, and records
 * this table in the provider as its longest.
 */
static __attribute__((noinline)) void lengthen(struct tage *t, uint64_t key, uint64_t at,
					       uint8_t *base, bool taken)
{
	unsigned n = allocate(t, key, at == BASE ? 0 : at % t->lanes + 1, taken);
	uint32_t longer = TAGE_LONGER << n, all = TAGE_LONGER << TAGE_TABLES_MAX;

	if (n == t->config.tables)
		return;
	if (at != BASE)
		t->entry[at] = (t->entry[at] & ~(all - longer)) | longer;
	else
		*base = (*base & ((longer >> TAGE_BASE_SHIFT) - 1)) | longer >> TAGE_BASE_SHIFT;
}

/* The provider is an entry that disagrees with its alternate.  Returns the prediction. */
static inline bool differ(struct tage *t, uint32_t *entry, bool own, bool taken)
{
	uint32_t old = *entry, counter = old & TAGE_COUNTER;
	bool prediction = own;

	*entry = own == taken ? old | TAGE_USEFUL : old & ~TAGE_USEFUL;
	if (!(old & TAGE_USEFUL) && (counter == WEAKLY_TAKEN || counter == WEAKLY_NOT)) {
		prediction = t->trust_new >= 0 ? !own : own;
		if (own != taken)
			t->trust_new += t->trust_new < TRUST_MAX;
		else
			t->trust_new -= t->trust_new > TRUST_MIN;
	}
	return prediction;
}

/*
 * Learns the outcome when the provider is an entry, unless it is saturated and right.  Returns
 * whether the prediction was right.
 */
static __attribute__((noinline)) bool learn(struct tage *t, uint64_t key, uint64_t at,
					    uint64_t alternate, uint8_t *base, bool taken)
{
	uint32_t *e = &t->entry[at];
	uint32_t other = alternate == BASE ? (uint32_t)*base << TAGE_BASE_SHIFT
					   : t->entry[alternate];
	bool own = *e & TAGE_TAKEN, prediction = own;

	if ((*e ^ other) & TAGE_TAKEN)
		prediction = differ(t, e, own, taken);
	/* It cannot be saturated in this direction: then it would have been right. */
	*e += taken ? COUNTER_STEP : -COUNTER_STEP;
	if (prediction != taken)
		lengthen(t, key, at, base, taken);
	push(t, taken);
	return prediction == taken;
}

static __attribute__((noinline)) bool base_wrong(struct tage *t, uint64_t key, uint8_t *base,
						 bool taken)
{
	lengthen(t, key, BASE, base, taken);
	push(t, taken);
	return false;
}

static inline bool learn_base(struct tage *t, uint64_t key, uint8_t *base, unsigned taken)
{
	unsigned old = *base, counter = old & 3;

	*base = taken ? old + (counter < 3) : old - (counter > 0);
	if (__builtin_expect(counter >> 1 != taken, 0))
		return base_wrong(t, key, base, taken);
	push(t, taken);
	return true;
}

static inline __attribute__((always_inline)) bool branch(struct tage *t, uint64_t pc, uint8_t *base,
							 unsigned taken, unsigned nr)
{
	uint64_t key = pc * MIX_PC;
	struct found f = search(t, key, *base, nr);

	if (f.at == BASE)
		return learn_base(t, key, base, taken);
	if ((f.provider ^ -taken) & TAGE_COUNTER)
		return learn(t, key, f.at, f.alternate, base, taken);
	push(t, taken);
	return true;
}

static __attribute__((noinline)) bool branch_8(struct tage *t, uint64_t pc, uint8_t *base,
					       unsigned taken)
{
	return branch(t, pc, base, taken, TAGE_TABLES_MAX);
}

bool tage_branch(struct tage *t, uint64_t pc, uint8_t *base, unsigned taken)
{
	if (t->lanes != 4)
		return branch_8(t, pc, base, taken);
	return branch(t, pc, base, taken, 4);
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
	struct saved saved = { { t->past, t->past >> 64 }, t->failures, t->trust_new };
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
	t->past = (unsigned __int128)saved.past[1] << 64 | saved.past[0];
	t->failures = saved.failures;
	t->trust_new = saved.trust_new;
	return true;
}
