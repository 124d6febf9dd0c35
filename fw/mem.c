// SPDX-License-Identifier: BSD-2-Clause
/*
 * mem.c - the functions that a C compiler may call without being asked to.
 *
 * Compiled so that their own loops are not turned into calls of themselves.
 */
#include <stddef.h>

void *memset(void *to, int value, size_t n);
void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
int memcmp(const void *a, const void *b, size_t n);

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
