/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plain_bpred.h - the branch prediction of bpred.h in a second, plain form that does not care for
 * speed: the history is a list of outcomes, and BTB and stack are lists.
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
	bool past[PAST_MAX]; /* all outcomes, the oldest first */
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
		unsigned longer; /* one bit for each table */
	} * tage;
	unsigned *longer; /* of the counters */
	int trust, failures;
};

struct plain plain_create(const struct bpred_config *config);
void plain_destroy(struct plain *p);

/* The same as bpred_cond and bpred_jump; for at most PAST_MAX conditional branches. */
unsigned plain_retire(struct plain *p, enum bpred_kind kind, uint64_t pc, bool taken,
		      uint64_t target, uint64_t next);

/* True if b and p have the same state. */
bool plain_same(const struct bpred *b, const struct plain *p);

#endif
