/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fnv.h - FNV-1a, 64 bits: a number to tell byte strings apart by; against chance, not malice.
 */
#ifndef SIM_FNV_H
#define SIM_FNV_H

#include <stddef.h>
#include <stdint.h>

#define FNV_START 0xcbf29ce484222325ull

/* The sum of what has given sum so far (FNV_START: nothing) and then data. */
static inline uint64_t fnv_add(uint64_t sum, const void *data, size_t len)
{
	const uint8_t *p = data;

	for (size_t n = 0; n < len; n++)
		sum = (sum ^ p[n]) * 0x100000001b3ull;
	return sum;
}

#endif
