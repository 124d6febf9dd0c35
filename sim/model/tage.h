/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tage.h - tagged tables of a conditional predictor, indexed with ever longer histories; what
 * bpred.c asks beside its table of counters, which is the base.  bpred.h has its shape.
 *
 * A table's index is the pc xor its history folded to the index's bits; the tag is the pc xor the
 * history folded to two other widths, the largest up to the tag's that the index does not use.
 *
 * After A. Seznec and P. Michaud, "A case for (partially) TAgged GEometric history length branch
 * predictors" (JILP 2006), with these choices: three-bit counters; two-bit usefulness, halved
 * every TAGE_PERIOD branches; a new entry is made in the first longer table that has a useless
 * one there, and if none has, all those become less useful (no random choice); one counter says
 * whether new entries are to be believed.
 */
#ifndef SIM_MODEL_TAGE_H
#define SIM_MODEL_TAGE_H

#include "model.h"

#define TAGE_TABLES_MAX	 8
#define TAGE_HISTORY_MAX 256
#define TAGE_PERIOD	 (1u << 18)

struct tage_config {
	uint32_t tables; /* 1 to 8 */
	uint32_t entries; /* of each table; a power of two, 16 to 65536 */
	uint32_t tag_bits; /* 4 to 15 */
	uint32_t history[TAGE_TABLES_MAX]; /* branches, rising, 1 to 256: geometric, as 5 9 15 25 */
};

struct tage_entry {
	uint16_t tag;
	int8_t counter; /* -4 to 3; taken if not negative */
	uint8_t useful; /* 0 to 3 */
};

/* A number for each table: all tables are worked on at once. */
typedef uint16_t tage_lanes __attribute__((vector_size(2 * TAGE_TABLES_MAX)));

/* By table, its last branches folded to some bits: branch n back is xored to bit n % bits. */
struct tage_fold {
	tage_lanes value;
	tage_lanes leaves; /* the bit at which the branch that has just become too old stands */
	tage_lanes mask;
	unsigned bits;
};

enum { TAGE_INDEX, TAGE_TAG, TAGE_TAG_2, TAGE_FOLDS };

struct tage {
	struct tage_fold fold[TAGE_FOLDS];
	tage_lanes used; /* all bits, of the tables that there are */
	tage_lanes tag_mask;
	uint16_t oldest[TAGE_TABLES_MAX]; /* how far back the last branch of a history is */
	struct tage_entry *entry; /* [table][index]; tables up to the next four, which stay empty */
	/* All bits: taken.  The last branch is at newest, and once more TAGE_HISTORY_MAX on. */
	uint16_t past[2 * TAGE_HISTORY_MAX];
	uint32_t newest;
	uint32_t branches; /* since usefulness was halved */
	int8_t trust_new; /* -8 to 7; negative: a new entry is believed */
	struct tage_config config;
};

bool tage_check(const struct tage_config *config, struct model_why *why);
bool tage_init(struct tage *t, const struct tage_config *config);
void tage_free(struct tage *t);
uint64_t tage_bytes(const struct tage *t); /* of host memory, beside *t */
void tage_reset(struct tage *t);
bool tage_save(const struct tage *t, const struct stream *s);
bool tage_restore(struct tage *t, const struct stream *s); /* after a failure, reset */

/*
 * The branch at pc, of which the base table has this counter, went taken.  Returns the prediction;
 * the counter learns if no table knew the branch.
 */
bool tage_branch(struct tage *t, uint64_t pc, uint8_t *base, bool taken);

#endif
