// SPDX-License-Identifier: BSD-2-Clause
/*
 * rows.c - which rows of memory are open: rule M17 of holter-model(7).
 */
#include "rows.h"

void rows_init(struct rows *r, const struct cpu *cpu)
{
	*r = (struct rows){
		.bytes = (uint64_t)cpu->row_bytes * cpu->dram_banks,
		.banks = cpu->dram_banks,
		.interleave = cpu->dram_interleave,
	};
}

bool rows_read(struct rows *r, uint64_t pa)
{
	const uint64_t row = pa / r->bytes;
	struct rows_bank *b = &r->bank[((pa / r->interleave) ^ row) % r->banks];
	const bool was_open = b->open && b->row == row;

	*b = (struct rows_bank){ .open = true, .row = row };
	return was_open;
}
