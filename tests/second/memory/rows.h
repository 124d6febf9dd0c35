/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rows.h - which rows of memory are open: rule M17 of holter-model(7).
 */
#ifndef SECOND_ROWS_H
#define SECOND_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu.h"

struct rows {
	uint64_t bytes; /* of the rows with the same number in all banks */
	unsigned banks;
	unsigned interleave; /* bytes until the next bank */
	struct rows_bank {
		bool open;
		uint64_t row; /* the number of the open one */
	} bank[DRAM_BANKS_MAX];
};

/* At reset: no row is open. */
void rows_init(struct rows *r, const struct cpu *cpu);
/* A cache reads the line at pa from memory.  True: its row was open; it is from now on. */
bool rows_read(struct rows *r, uint64_t pa);

#endif
