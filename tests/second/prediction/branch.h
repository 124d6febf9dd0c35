/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * branch.h - holter-model(7), BRANCH PREDICTION: the predictor of a hart.
 */
#ifndef SECOND_BRANCH_H
#define SECOND_BRANCH_H

#include "cpu.h"
#include "decode.h"
#include "tage.h"

struct btb_entry {
	bool held;
	uint64_t pc, target, used;
};

struct branch {
	const struct cpu_predictor *is;
	uint8_t *counter, *taken_counter, *choice; /* bimode: tables N, T, and the choice */
	uint64_t history;
	struct tage tage;
	struct btb_entry *btb;
	uint64_t now; /* grows with each use of the BTB */
	uint64_t *target, path; /* rule B11 */
	uint64_t *stack; /* rule B12 */
	unsigned next, depth;
};

/* One branch or jump, and what became of it. */
struct branch_asked {
	enum transfer transfer;
	uint64_t pc, after; /* its address, and that of the instruction after it */
	uint64_t target; /* also of a branch that is not taken */
	bool taken;
};
struct branch_answer {
	bool bad_direction, bad_target, bad_return, btb_miss;
};

void branch_init(struct branch *b, const struct cpu_predictor *is);
struct branch_answer branch_predict(struct branch *b, const struct branch_asked *a);
void branch_free(struct branch *b);

#endif
