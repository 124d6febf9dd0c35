/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tage.h - tagged tables of a conditional predictor, indexed with ever longer histories; what
 * bpred.h asks beside its table of counters, which is the base.  bpred.h has its shape.
 *
 * Index and tag are bits of one hash of the pc and of as many of the last outcomes as the table
 * has for its history; it is made only of tables that are asked.
 *
 * After A. Seznec and P. Michaud, "A case for (partially) TAgged GEometric history length branch
 * predictors" (JILP 2006), with these choices:
 *
 *	tables asked	the base's counter, and every entry, says which longer tables were given
 *			an entry when it was wrong.  The search goes from the base to longer
 *			histories, and at each entry that knows the branch on to the tables it
 *			says; the last is the provider, the one before it the alternate
 *	provider	three-bit counters.  One that is saturated and right learns nothing, so that
 *			a branch that is known well only reads
 *	new entries	weak and never useful: one counter says whether they or their alternates are
 *			to be believed
 *	useful		a bit: the entry was right where its alternate was wrong, the last time that
 *			they differed
 *	allocation	where the provider was wrong, in the first longer table that has a useless
 *			entry there, or this very one; the provider forgets that it knew of longer
 *			ones (no random choice)
 *	ageing		a useful entry that is in the way counts up, a new one down; at
 *			TAGE_PATIENCE all become useless
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
 * two, it has the layout of an entry.
 */
enum {
	TAGE_USEFUL = 1,
	TAGE_COUNTER = 7 << 1,
	TAGE_TAKEN = 4 << 1,
	TAGE_LONGER = 1 << 4, /* of table 0 */
	TAGE_BASE_SHIFT = 2
};

struct tage {
	unsigned __int128 past; /* the last outcomes: bit 0 is the newest; 1, taken */
	uint64_t near[TAGE_TABLES_MAX]; /* masks of each table's history: in the low 64 outcomes */
	uint64_t far[TAGE_TABLES_MAX]; /* and in the high ones */
	uint64_t mix; /* a constant; a compiler loads a literal again for each table */
	uint32_t *entry; /* [index][lanes]; lanes without a table are never read */
	uint64_t rows; /* of a hash, the first lane of its index */
	uint32_t tag_mask; /* of one, and of an entry */
	uint32_t failures; /* useful entries that blocked an allocation, minus new entries */
	int8_t trust_new; /* -8 to 7; negative: a new entry is believed */
	uint8_t lanes; /* 4 or 8 */
	struct tage_config config;
};

bool tage_check(const struct tage_config *config, struct model_error *why);
bool tage_init(struct tage *t, const struct tage_config *config);
void tage_free(struct tage *t);
uint64_t tage_bytes(const struct tage *t); /* of host memory, beside *t */
void tage_reset(struct tage *t);
bool tage_save(const struct tage *t, const struct stream *s);
bool tage_restore(struct tage *t, const struct stream *s); /* after a failure, reset */

/*
 * Predicts the branch at pc, whose counter in the base is *base, and learns its outcome (1: taken).
 * Returns whether the prediction was right.
 */
bool tage_branch(struct tage *t, uint64_t pc, uint8_t *base, unsigned taken);

#endif
