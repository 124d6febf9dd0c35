/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exact_bytes.h - numbers in unsigned LEB128, in memory.
 */
#ifndef REPORT_EXACT_BYTES_H
#define REPORT_EXACT_BYTES_H

#include <stdbool.h>
#include <stdint.h>

#include "vec.h"

struct exact_bytes {
	uint8_t *at;
	size_t nr, size;
};

/* Appends a number.  False: no memory. */
static inline bool exact_bytes_put(struct exact_bytes *b, uint64_t n)
{
	if (!VEC_ROOM(b, 10))
		return false;
	for (; n > 0x7f; n >>= 7)
		b->at[b->nr++] = (uint8_t)(n | 0x80);
	b->at[b->nr++] = (uint8_t)n;
	return true;
}

struct exact_in {
	const uint8_t *at, *end;
	bool bad; /* something was read behind the end, or a number has more than 64 bits */
};

/* Reads a number; 0 on an error. */
static inline uint64_t exact_in_get(struct exact_in *in)
{
	uint64_t n = 0;

	for (unsigned shift = 0; in->at < in->end && shift < 64; shift += 7) {
		uint8_t byte = *in->at++;

		n |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return n;
	}
	in->bad = true;
	return 0;
}

/* Reads a number of at most max; 0 on an error. */
static inline uint64_t exact_in_below(struct exact_in *in, uint64_t max)
{
	uint64_t n = exact_in_get(in);

	in->bad |= n > max;
	return in->bad ? 0 : n;
}

#endif
