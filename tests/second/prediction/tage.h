/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * tage.h - the predictor "tage": rules B8 and B9 of holter-model(7).
 */
#ifndef SECOND_TAGE_H
#define SECOND_TAGE_H

#include "cpu.h"

struct tage_entry {
	uint32_t tag;
	unsigned counter; /* 0 to 7 */
	bool useful;
	bool longer[TAGE_MAX];
};
struct tage_base {
	uint8_t counter; /* 0 to 3 */
	bool longer[TAGE_MAX];
};

struct tage {
	const struct cpu_predictor *is;
	struct tage_base *base;
	struct tage_entry *table[TAGE_MAX];
	uint64_t past[2]; /* the outcomes: the last one in bit 0 of past[0] */
	int trust;
	unsigned failures;
};

void tage_init(struct tage *t, const struct cpu_predictor *is);
/* Predicts, and learns.  True: the prediction was right. */
bool tage_branch(struct tage *t, uint64_t pc, bool taken);
void tage_free(struct tage *t);

#endif
