// SPDX-License-Identifier: BSD-2-Clause
/*
 * report_prog.c - a program with a known profile: hot takes 90 %; warm and main call it.
 */
#include <stdint.h>
#include <stdio.h>

static inline __attribute__((always_inline)) uint64_t mix(uint64_t x)
{
	x ^= x << 13;
	x ^= x >> 7;
	return x;
}

__attribute__((noinline)) uint64_t hot(uint64_t n)
{
	uint64_t x = 1;

	for (uint64_t i = 0; i < n; i++)
		x = mix(x) + i;
	return x;
}

__attribute__((noinline)) uint64_t warm(uint64_t n)
{
	uint64_t x = hot(n / 3);

	for (uint64_t i = 0; i < n; i++)
		__asm__ volatile("" : "+r"(x));
	return x;
}

int main(void)
{
	uint64_t x = hot(600000);

	x += warm(300000);
	printf("%lx\n", (unsigned long)x);
	return 0;
}
