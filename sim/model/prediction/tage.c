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
	t->past[0] = t->past[1] = 0;
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
	key += (t->past[0] & t->near[n]) * t->mix;
	if (n >= FAR_FROM)
		key += (t->past[1] & t->far[n]) * MIX_FAR;
	return __builtin_bswap64(key);
}

static inline bool is_of(const struct tage *t, uint32_t entry, uint32_t hashed)
{
	return !((entry ^ hashed) & t->tag_mask);
}

/* A counter of the base in the layout of an entry: saturated if its three bits are equal. */
static inline uint32_t base_entry(unsigned base)
{
	return base << TAGE_BASE_SHIFT | (base & 1) * COUNTER_STEP;
}

/* An entry, or the base's counter in the layout of one, and the one that would predict instead. */
struct found {
	uint32_t provider, alternate;
	uint64_t at; /* the place of the provider; BASE: it is a counter of the base */
};

#define BASE UINT64_MAX

/*
 * With a jump for each table: where a branch is easy to predict, so are these, and the host goes on
 * before the tables have answered.
 */
static inline __attribute__((always_inline)) struct found search(const struct tage *t, uint64_t key,
								 uint8_t base, unsigned nr)
{
	struct found f = { base_entry(base), base_entry(base), BASE };

#pragma GCC unroll 6
	for (unsigned n = 0; n < nr; n++) {
		uint64_t hashed, row;
		uint32_t entry;

		if (!(f.provider & TAGE_LONGER << n))
			continue;
		hashed = hash(t, n, key);
		row = hashed & t->rows;
		entry = t->entry[row + n];
		if (is_of(t, entry, hashed))
			f = (struct found){ entry, f.provider, row | n };
	}
	return f;
}

static inline void push(struct tage *t, unsigned taken)
{
	t->past[1] = t->past[1] << 1 | t->past[0] >> 63;
	t->past[0] += t->past[0] + taken;
}

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
static unsigned allocate(struct tage *t, uint64_t key, unsigned first, unsigned taken)
{
	unsigned free = 1u << t->config.tables, same = 0, n;
	uint64_t hashed;

	for (n = first; n < t->config.tables; n++) {
		uint32_t entry;

		hashed = hash(t, n, key);
		entry = t->entry[(hashed & t->rows) + n];
		same |= (unsigned)is_of(t, entry, hashed) << n;
		free |= (~entry & TAGE_USEFUL) << n;
	}
	n = __builtin_ctz(free | same);
	t->failures += n - first;
	if (__builtin_expect(t->failures >= TAGE_PATIENCE, 0)) {
		/* No entry behind the one that made it so many is useful now. */
		n -= t->failures - TAGE_PATIENCE;
		age(t);
	}
	if (n == t->config.tables || same >> n & 1)
		return n;
	hashed = hash(t, n, key);
	t->entry[(hashed & t->rows) + n] = (hashed & t->tag_mask) |
					   (taken ? WEAKLY_TAKEN : WEAKLY_NOT);
	t->failures -= t->failures > 0;
	return n;
}

/*
 * After a wrong prediction: allocates an entry in a table longer than the provider's, and records
 * this table in the provider as its longest.
 */
static inline void lengthen(struct tage *t, uint64_t key, uint64_t at, uint8_t *base,
			    unsigned taken)
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

/* The provider is not saturated in this direction.  Returns whether the prediction was wrong. */
static __attribute__((noinline)) unsigned learn(struct tage *t, uint64_t key, struct found f,
						uint8_t *base, unsigned taken)
{
	unsigned wrong = decide(t, &f, taken) ^ taken;

	if (f.at != BASE)
		t->entry[f.at] = f.provider + (taken ? COUNTER_STEP : -COUNTER_STEP);
	else
		*base += taken ? 1 : -1;
	if (wrong)
		lengthen(t, key, f.at, base, taken);
	push(t, taken);
	return wrong;
}

static inline __attribute__((always_inline)) unsigned
branch(struct tage *t, uint64_t pc, uint8_t *base, unsigned taken, unsigned nr)
{
	uint64_t key = pc * MIX_PC;
	struct found f = search(t, key, *base, nr);

	/* A saturated counter that is right does not change. */
	if (__builtin_expect((f.provider ^ -taken) & TAGE_COUNTER, 0))
		return learn(t, key, f, base, taken);
	push(t, taken);
	return 0;
}

static __attribute__((noinline)) unsigned branch_any(struct tage *t, uint64_t pc, uint8_t *base,
						     unsigned taken)
{
	return branch(t, pc, base, taken, TAGE_TABLES_MAX);
}

unsigned tage_branch(struct tage *t, uint64_t pc, uint8_t *base, unsigned taken)
{
	if (t->config.tables > FAR_FROM)
		return branch_any(t, pc, base, taken);
	return branch(t, pc, base, taken, FAR_FROM);
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
