/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * leb.h - numbers in unsigned LEB128, in memory.
 */
#ifndef TOOL_LEB_H
#define TOOL_LEB_H

#include <stdbool.h>
#include <stdint.h>

#include "vec.h"

struct leb_bytes {
	uint8_t *at;
	size_t nr, size;
};

/* The bytes of a number. */
static inline unsigned leb_size(uint64_t n)
{
	unsigned size = 1;

	for (; n > 0x7f; n >>= 7)
		size++;
	return size;
}

/* Writes a number; returns what is after it. */
static inline uint8_t *leb_write(uint8_t *at, uint64_t n)
{
	for (; n > 0x7f; n >>= 7)
		*at++ = (uint8_t)(n | 0x80);
	*at++ = (uint8_t)n;
	return at;
}

/* Appends a number.  False: no memory. */
static inline bool leb_bytes_put(struct leb_bytes *b, uint64_t n)
{
	if (!VEC_ROOM(b, 10))
		return false;
	b->nr = (size_t)(leb_write(b->at + b->nr, n) - b->at);
	return true;
}

#define LEB_ONES 0x0101010101010101ull /* eight numbers that are 1, in one word */

/* Whether eight numbers in one word are a byte each. */
static inline bool leb_are_small(uint64_t word)
{
	return !(word & 0x80 * LEB_ONES);
}

/* The sum of eight small numbers in one word. */
static inline uint64_t leb_sum(uint64_t word)
{
	const uint64_t even = 0x00ff00ff00ff00ffull;

	return ((word & even) + (word >> 8 & even)) * 0x0001000100010001ull >> 48;
}

struct leb_in {
	const uint8_t *at, *end;
	bool bad; /* something was read after the end, or a number has more than 64 bits */
};

/* All of b, which must stay. */
static inline struct leb_in leb_in_of(const struct leb_bytes *b)
{
	/* C has no sum of a null pointer and 0. */
	return (struct leb_in){ b->at, b->nr ? b->at + b->nr : b->at, false };
}

/* Reads a number; 0 on an error. */
static inline uint64_t leb_in_get(struct leb_in *in)
{
	uint64_t n = 0;

	if (in->at < in->end && *in->at < 0x80)
		return *in->at++;
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
static inline uint64_t leb_in_below(struct leb_in *in, uint64_t max)
{
	uint64_t n = leb_in_get(in);

	in->bad |= n > max;
	return in->bad ? 0 : n;
}

#endif
