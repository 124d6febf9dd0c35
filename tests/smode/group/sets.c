/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sets.c - sets of counters that config, start and stop must refuse.
 *
 * Covers: SBI 3.0 §11.8 to §11.10.
 */
#include "group.h"

unsigned bad_sets(struct bad_set *s, unsigned max)
{
	const rv_ulong n = facts.nr_ctrs, last = facts.nr_ctrs - 1;
	const rv_ulong top = (rv_ulong)1 << (RV_XLEN - 1);
	const struct bad_set rows[] = {
		{ "base num_counters, mask 1", n, 1 },
		{ "last counter and the next", last, 3 },
		{ "base 0, the highest bit of the mask and no such counter", 0,
		  n < RV_XLEN ? top : 0 },
		{ "bits of the mask beyond 64 counters", last, (rv_ulong)-1 },
		{ "base 60, mask all ones", 60, (rv_ulong)-1 },
		{ "base 64, mask 1", n <= 64 ? 64 : n, 1 },
		{ "base 4096, mask 1", 4096, 1 },
		{ "base 2^31, mask 1", 0x80000000, 1 },
		{ "base -1, mask 1", (rv_ulong)-1, 1 },
		{ "base -1, mask 2: wraps to counter 0", (rv_ulong)-1, 2 },
		{ "base -1, mask 3: wraps to counter 0", (rv_ulong)-1, 3 },
		{ "base -8, mask of bit 8: wraps to counter 0", (rv_ulong)-8, 1 << 8 },
		{ "base 2^32, mask 1: truncated it is counter 0",
		  RV_XLEN == 64 ? (rv_ulong)BITS64(32) : n, 1 },
		{ "base 2^32 + first firmware counter",
		  RV_XLEN == 64 ? (rv_ulong)BITS64(32) + facts.fw_first : n, 1 },
	};
	unsigned nr = 0;

	for (unsigned i = 0; i < ARRAY_LEN(rows) && nr < max; i++)
		if (rows[i].mask)
			s[nr++] = rows[i];
	return nr;
}

void each_hole(void (*try)(unsigned ctr))
{
	unsigned tried = 0;

	for (unsigned c = 0; c < 64 && c < facts.nr_ctrs; c++) {
		if ((facts.hw | facts.fw) & BITS64(c))
			continue;
		tried++;
		try(c);
	}
	if (!tried)
		skip_rest("every index is a counter");
}

bool fw_take_last(unsigned *ctr)
{
	*ctr = (unsigned)facts.nr_ctrs - 1;
	if (facts.nr_ctrs > 64)
		skip_rest("more than 64 counters");
	else
		fw_take(*ctr);
	return facts.nr_ctrs <= 64;
}
