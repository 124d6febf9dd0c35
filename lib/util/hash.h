/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hash.h - hashes of byte strings and of pairs of numbers, and random numbers.  Collisions are
 * unlikely, but somebody who wants one can make one.
 */
#ifndef UTIL_HASH_H
#define UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* FNV-1a, 64 bits.  Files hold its results: it never changes. */
#define FNV_START 0xcbf29ce484222325ull

/* Extends a hash by len bytes of data.  sum is the hash of the bytes so far (FNV_START: none). */
static inline uint64_t fnv_add(uint64_t sum, const void *data, size_t len)
{
	const uint8_t *p = data;

	for (size_t n = 0; n < len; n++)
		sum = (sum ^ p[n]) * 0x100000001b3ull;
	return sum;
}

/* The hash of a text without its zero byte. */
static inline uint64_t fnv_text(const char *text)
{
	return fnv_add(FNV_START, text, strlen(text));
}

/*
 * The hash of two numbers, for tables in memory.  All 64 bits of it may be used.  No file holds its
 * results.
 * (SplitMix64's multipliers: Steele, Lea, Flood 2014.)
 */
static inline uint64_t hash_pair(uint64_t a, uint64_t b)
{
	uint64_t x = (a ^ (b << 32 | b >> 32)) * 0x9e3779b97f4a7c15ull;

	x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9ull;
	return x ^ x >> 32;
}

/* Extends the hash of the data so far (0: none) by bytes of data, eight at a time. */
static inline uint64_t hash_words(uint64_t hash, const void *data, size_t bytes)
{
	uint64_t word;

	for (size_t at = 0; at < bytes; at += sizeof(word)) {
		size_t left = bytes - at;

		word = 0;
		memcpy(&word, (const char *)data + at, left < sizeof(word) ? left : sizeof(word));
		hash = hash_pair(hash, word);
	}
	return hash;
}

/* The next random number after *state: SplitMix64.  Guests see its results: it never changes. */
static inline uint64_t splitmix64(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

#endif
