// SPDX-License-Identifier: BSD-2-Clause
/*
 * runtime.c - the functions that a C compiler calls by itself.
 *
 * The compiler's runtime library exists for a few instruction sets only, and not always for ours.
 * fw/meson.build has the option that keeps the compiler from replacing these loops by calls of the
 * same functions.
 */
#include <stddef.h>
#include <stdint.h>

void *memset(void *to, int value, size_t n);
void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
int memcmp(const void *a, const void *b, size_t n);
uint64_t __ashldi3(uint64_t value, int n);
uint64_t __lshrdi3(uint64_t value, int n);
int64_t __ashrdi3(int64_t value, int n);

void *memset(void *to, int value, size_t n)
{
	unsigned char *p = to;

	while (n--)
		*p++ = (unsigned char)value;
	return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
	unsigned char *p = to;
	const unsigned char *q = from;

	while (n--)
		*p++ = *q++;
	return to;
}

void *memmove(void *to, const void *from, size_t n)
{
	unsigned char *p = to;
	const unsigned char *q = from;

	if (p <= q)
		return memcpy(to, from, n);
	while (n--)
		p[n] = q[n];
	return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *p = a, *q = b;

	for (; n; n--, p++, q++) {
		if (*p != *q)
			return *p - *q;
	}
	return 0;
}

/* 64-bit shifts by 0 to 63 for RV32, in halves: a 64-bit shift here would call itself. */
uint64_t __ashldi3(uint64_t value, int n)
{
	uint32_t lo = (uint32_t)value, hi = (uint32_t)(value >> 32);

	if (n >= 32)
		return (uint64_t)(lo << (n - 32)) << 32;
	return n ? (uint64_t)(hi << n | lo >> (32 - n)) << 32 | lo << n : value;
}

uint64_t __lshrdi3(uint64_t value, int n)
{
	uint32_t lo = (uint32_t)value, hi = (uint32_t)(value >> 32);

	if (n >= 32)
		return hi >> (n - 32);
	return n ? (uint64_t)(hi >> n) << 32 | (lo >> n | hi << (32 - n)) : value;
}

int64_t __ashrdi3(int64_t value, int n)
{
	uint32_t lo = (uint32_t)value;
	int32_t hi = (int32_t)(value >> 32);

	if (n >= 32)
		return hi >> (n - 32);
	return n ? (int64_t)((uint64_t)(uint32_t)(hi >> n) << 32 |
			     (lo >> n | (uint32_t)hi << (32 - n)))
		 : value;
}
