/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tage.h - the tagged tables of a TAGE predictor.  bpred.h uses them together with its table of
 * counters, which is the base table, and contains their configuration.
 *
 * Each table has a longer history than the table before it.  Index and tag are bits of one hash of
 * the pc and of the table's history.  A branch that is predicted well only computes the hashes of
 * tables that are asked; one that learns computes all of them, because it needs them and the host
 * could not predict which ones.
 *
 * After A. Seznec and P. Michaud, "A case for (partially) TAgged GEometric history length branch
 * predictors" (JILP 2006), with these choices:
 *
 *	tables asked	each counter of the base and each entry records which longer tables got an
 *			entry when it was wrong.  The search begins at the base.  At each entry
 *			whose tag matches it goes on to the tables that this entry records.  The
 *			last match is the provider, the match before it the alternate
 *	provider	a three-bit counter.  If it is saturated and right it does not change, so
 *			that a well-known branch only reads
 *	new entries	weak and not yet useful.  One counter for all tables decides whether a new
 *			entry or its alternate makes the prediction
 *	useful		a bit: when the entry and its alternate last differed, the entry was right
 *	allocation	after a wrong prediction, in the first longer table whose entry at the index
 *			is not useful or already has the tag (no random choice); the provider then
 *			records this table and no longer one
 *	ageing		a counter goes up when a useful entry prevents an allocation, and down when
 *			an entry is allocated; at TAGE_PATIENCE all useful bits are cleared
 */
#ifndef SIM_MODEL_TAGE_H
#define SIM_MODEL_TAGE_H

#include "model.h"

#define TAGE_TABLES_MAX	 6
#define TAGE_HISTORY_MAX 128
#define TAGE_PATIENCE	 1024
#define TAGE_FEW	 3 /* the histories of so many tables are at most a word */

/* Odd multipliers with random bits: for the pc, the last 64 outcomes, and those before them. */
#define TAGE_MIX_PC  0xd6e8feb86659fd93
#define TAGE_MIX     0x9e3779b97f4a7c15
#define TAGE_MIX_FAR 0xc2b2ae3d27d4eb4f

struct tage_config {
	uint32_t tables; /* 1 to 6 */
	uint32_t entries; /* of each table; a power of two, 16 to 65536 */
	uint32_t tag_bits; /* 4 to 15 */
	/*
	 * History lengths in branches, increasing, 1 to 128, the first three up to 64.  A geometric
	 * series, such as 8 20 50 128.
	 */
	uint32_t history[TAGE_TABLES_MAX];
};

/*
 * An entry, from bit 0: the useful bit, the counter (taken if its highest bit is set), and one bit
 * for each longer table that got an entry when this one was wrong.  The tag is in the highest bits.
 * A counter of the base has two bits, and above them the same bits for tables.  Shifted left by
 * TAGE_BASE_SHIFT, it has the layout of an entry.
 */
enum {
	TAGE_USEFUL = 1,
	TAGE_COUNTER = 7 << 1,
	TAGE_STEP = 1 << 1, /* of the counter */
	TAGE_TAKEN = 4 << 1,
	TAGE_LONGER_SHIFT = 4,
	TAGE_LONGER = 1 << TAGE_LONGER_SHIFT, /* the bit of table 0 */
	TAGE_BASE_SHIFT = 2
};

struct tage {
	/* The last outcomes, 1 for taken, and those before them: bit 0 of a word is the newest. */
	uint64_t past[2];
	uint64_t near[TAGE_TABLES_MAX]; /* each table's history as a mask of the last 64 outcomes */
	uint64_t far[TAGE_TABLES_MAX]; /* the same for the 64 outcomes before them */
	uint64_t mix; /* a constant; as a literal, it would be loaded again for each table */
	uint32_t *entry; /* [index][lanes]; lanes without a table are never read */
	uint64_t rows; /* mask: the bits of a hash that are the first lane of its row */
	uint32_t tag_mask; /* mask: the tag, in a hash and in an entry */
	uint32_t failures; /* useful entries that blocked an allocation, minus new entries */
	int8_t trust_new; /* -8 to 7; negative: a new entry makes the prediction */
	uint8_t lanes; /* 4 or 8 */
	bool few; /* at most TAGE_FEW tables */
	struct tage_config config;
};

bool tage_check(const struct tage_config *config, struct model_error *why);
bool tage_init(struct tage *t, const struct tage_config *config);
void tage_free(struct tage *t);
void tage_reset(struct tage *t);
bool tage_save(const struct tage *t, const struct stream *s);
bool tage_restore(struct tage *t, const struct stream *s); /* if it fails, call tage_reset() */

/* What the hash makes of a pc. */
static inline uint64_t tage_key(uint64_t pc)
{
	return pc * TAGE_MIX_PC;
}

/*
 * The hash of the pc (key) and of table n's history.  Its low bits are the index of the branch in
 * table n, its high bits the tag.  The high bits of a product depend on all outcomes, the low bits
 * on the last few only: the bytes are reversed so that the index gets the high bits.
 */
static inline __attribute__((always_inline)) uint64_t tage_hash(const struct tage *t, unsigned n,
								uint64_t key)
{
	key += (t->past[0] & t->near[n]) * t->mix;
	if (n >= TAGE_FEW)
		key += (t->past[1] & t->far[n]) * TAGE_MIX_FAR;
	return __builtin_bswap64(key);
}

static inline bool tage_is_of(const struct tage *t, uint32_t entry, uint32_t hashed)
{
	return !((entry ^ hashed) & t->tag_mask);
}

/* A counter of the base in the layout of an entry: saturated if its three bits are equal. */
static inline uint32_t tage_base_entry(unsigned base)
{
	return base << TAGE_BASE_SHIFT | (base & 1) * TAGE_STEP;
}

/*
 * The entry that predicts the branch at pc, or the base's counter in the layout of one.  nr: there
 * are at most so many tables.
 *
 * With a jump for each table: where a branch is easy to predict, so are these, and the host goes on
 * before the tables have answered.
 */
static inline __attribute__((always_inline)) uint32_t
tage_provider(const struct tage *t, uint64_t pc, uint8_t base, unsigned nr)
{
	uint32_t provider = tage_base_entry(base);
	uint64_t key = tage_key(pc);

#pragma GCC unroll 6
	for (unsigned n = 0; n < nr; n++) {
		uint64_t hashed;
		uint32_t entry;

		if (!(provider & TAGE_LONGER << n))
			continue;
		hashed = tage_hash(t, n, key);
		entry = t->entry[(hashed & t->rows) + n];
		if (tage_is_of(t, entry, hashed))
			provider = entry;
	}
	return provider;
}

/* Adds an outcome to the histories. */
static inline void tage_push(struct tage *t, unsigned taken)
{
	t->past[1] = t->past[1] << 1 | t->past[0] >> 63;
	t->past[0] += t->past[0] + taken;
}

/* Whether a branch makes its provider learn: a saturated counter that is right does not change. */
static inline bool tage_learns(uint32_t provider, unsigned taken)
{
	return (provider ^ -taken) & TAGE_COUNTER;
}

/*
 * Predicts the branch at pc, whose counter in the base is *base, and learns its outcome (1: taken).
 * Returns whether the prediction was wrong.  tage_learn: the same, if tage_learns says so.
 */
unsigned tage_branch(struct tage *t, uint64_t pc, uint8_t *base, unsigned taken);
unsigned tage_learn(struct tage *t, uint64_t pc, uint8_t *base, unsigned taken);

#endif
