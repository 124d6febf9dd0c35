/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plain_bpred.h - branch prediction as bpred.h has it, written down once more without any care for
 * speed: it keeps its history as a list of outcomes, and its BTB and stack as lists.
 */
#ifndef PLAIN_BPRED_H
#define PLAIN_BPRED_H

#include "bpred.h"

#define PAST_MAX 65536

struct plain_btb {
	uint64_t pc, target, used;
};

struct plain {
	struct bpred_config config;
	int *counter; /* of BIMODE: the second table after the first */
	int *choice;
	bool past[PAST_MAX]; /* all outcomes, the first first */
	unsigned branches;
	struct plain_btb *btb; /* [set * ways + way], pc 0: free */
	uint64_t time;
	uint64_t *target;
	uint64_t path;
	uint64_t stack[BPRED_RETURNS_MAX]; /* the oldest first */
	unsigned depth;
	struct plain_entry {
		unsigned tag;
		int counter, useful;
		unsigned longer; /* a bit for each table */
	} * tage;
	unsigned *longer; /* of the counters */
	int trust, failures;
};

struct plain plain_create(const struct bpred_config *config);
void plain_destroy(struct plain *p);

/* As bpred_retire; at most PAST_MAX conditional branches. */
unsigned plain_retire(struct plain *p, enum bpred_kind kind, uint64_t pc, bool taken,
		      uint64_t target, uint64_t next);

/* Whether b knows what p knows. */
bool plain_same(const struct bpred *b, const struct plain *p);

#endif
