/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tage.h - the tagged tables of a TAGE predictor.  bpred.h uses them together with its table of
 * counters, which is the base table, and contains their configuration.
 *
 * Each table has a longer history than the table before it.  Index and tag are bits of one hash of
 * the pc and of the table's history.  The hash is computed only for tables that are asked.
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
 *	ageing		a counter goes up when a useful entry blocks an allocation, and down when
 *			an entry is allocated; at TAGE_PATIENCE all useful bits are cleared
 */
#ifndef SIM_MODEL_TAGE_H
#define SIM_MODEL_TAGE_H

#include "model.h"

#define TAGE_TABLES_MAX	 6
#define TAGE_HISTORY_MAX 128
#define TAGE_PATIENCE	 1024

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
	struct tage_config config;
};

bool tage_check(const struct tage_config *config, struct model_error *why);
bool tage_init(struct tage *t, const struct tage_config *config);
void tage_free(struct tage *t);
uint64_t tage_bytes(const struct tage *t); /* host memory, without *t itself */
void tage_reset(struct tage *t);
bool tage_save(const struct tage *t, const struct stream *s);
bool tage_restore(struct tage *t, const struct stream *s); /* if it fails, call tage_reset() */

/*
 * Predicts the branch at pc, whose counter in the base is *base, and learns its outcome (1: taken).
 * Returns whether the prediction was wrong.
 */
unsigned tage_branch(struct tage *t, uint64_t pc, uint8_t *base, unsigned taken);

#endif
