// SPDX-License-Identifier: BSD-2-Clause
/*
 * chase.c - loads that follow pointers: the latency of each level, and how many misses overlap.
 *
 * chase1, chase2, chase4, chase8: the order of ramlat (github.com/wtarreau/ramspeed), whose
 * results are published: addresses count upwards with their bits in reverse order, so that each
 * line is visited once a pass, two successive loads are far apart, and all chains move through the
 * same pages.  Cycles for one load of each chain.
 *
 * rand1, rand2: random addresses that depend on the last load, and what they cost more than the
 * same program on two bytes (as tinymembench's table, github.com/ssvb/tinymembench).
 *
 * The mean of several placements of the physical pages (silicon.h), more for small sizes, where
 * they differ more.
 */
#include "silicon.h"

enum { SMALLEST = 4096, LARGEST = 8 << 20, SIZES = 12, DRAWS = 16, WARM = 65536, LOADS = 8192 };

static uint64_t reversed(uint64_t x, unsigned bits)
{
	uint64_t r = 0;

	while (bits--) {
		r = r << 1 | (x & 1);
		x >>= 1;
	}
	return r;
}

/*
 * Links the lines of the buffer, as ramlat does from the first to the last: with FIFO, the order in
 * which lines came into a cache decides which ones miss later.
 */
static void ring_make(uint64_t size)
{
	uint64_t lines = size / LINE;
	unsigned bits = 0;

	while (1ul << bits < lines)
		bits++;
	for (uint64_t from = 0; from < lines; from++) {
		uint64_t turn = reversed(from, bits) + 1;

		*(void **)(BUFFER + from * LINE) = BUFFER +
						   reversed(turn & (lines - 1), bits) * LINE;
	}
}

#define STEP(p) "ld " p ", 0(" p ")\n"
#define STEPS2	STEP("%1") STEP("%2")
#define STEPS4	STEPS2 STEP("%3") STEP("%4")
#define STEPS8	STEPS4 STEP("%5") STEP("%6") STEP("%7") STEP("%8")
#define CHASE(steps)                                                                               \
	asm volatile("1:\n.rept 16\n" steps ".endr\naddi %0, %0, -16\nbnez %0, 1b\n"               \
		     : "+r"(loads), "+r"(p[0]), "+r"(p[1]), "+r"(p[2]), "+r"(p[3]), "+r"(p[4]),    \
		       "+r"(p[5]), "+r"(p[6]), "+r"(p[7])::"memory")

/* The cycles for loads steps of each of so many chains. */
static uint64_t chase(unsigned chains, uint64_t loads)
{
	char *p[8];
	uint64_t start;

	for (int i = 0; i < 8; i++)
		p[i] = BUFFER + i * 8 * LINE;
	start = cycles_now();
	switch (chains) {
	case 1:
		CHASE(STEP("%1"));
		break;
	case 2:
		CHASE(STEPS2);
		break;
	case 4:
		CHASE(STEPS4);
		break;
	default:
		CHASE(STEPS8);
		break;
	}
	return cycles_now() - start;
}

static inline uint32_t lcg(uint32_t x)
{
	return x * 1664525u + 1013904223u;
}

/*
 * Chases zeros at random addresses below mask + 1, which is a power of two.
 */
static inline uint64_t __attribute__((always_inline))
random_loop(const char *zeros, uint32_t mask, int dual, unsigned count)
{
	uint32_t x = 1;
	uint64_t start = cycles_now();

	while (count--) {
		uint32_t at, other, first, second = 0;

		x = lcg(x);
		at = x >> 16;
		x = lcg(x);
		at ^= x >> 4;
		other = lcg(at) >> 5;
		first = (unsigned char)zeros[at & mask];
		if (dual)
			second = (unsigned char)zeros[other & mask];
		/* Neither is used before both are read. */
		asm volatile("" : "+r"(first), "+r"(second));
		x = (x | first) + second;
	}
	asm volatile("" ::"r"(x));
	return cycles_now() - start;
}

static uint64_t __attribute__((noipa)) reads_of_one(uint32_t mask, unsigned count)
{
	return random_loop(BUFFER, mask, 0, count);
}

static uint64_t __attribute__((noipa)) reads_of_two(uint32_t mask, unsigned count)
{
	return random_loop(BUFFER, mask, 1, count);
}

/* The cycles that LOADS random reads of mask + 1 bytes take longer than those of two bytes. */
static uint64_t random_cost(uint32_t mask, int dual)
{
	uint64_t (*reads)(uint32_t mask, unsigned count) = dual ? reads_of_two : reads_of_one;
	uint64_t with, without;

	reads(mask, WARM);
	with = reads(mask, LOADS);
	without = reads(1, LOADS);
	return with > without ? with - without : 0;
}

/* The loads that are measured, and the placements over which the mean is taken. */
static uint64_t loads_for(uint64_t size)
{
	return size <= 65536 ? 2048 : 8192;
}

static unsigned draws_for(uint64_t size)
{
	return size <= 65536 ? DRAWS : size <= 1 << 20 ? 4 : 2;
}

/* Passes until the caches are as after many: with random replacement each pass finds more lines. */
static uint64_t warm_for(uint64_t size)
{
	return size / LINE * (size <= 65536 ? 24 : size <= 2 << 20 ? 6 : 2);
}

int main(void)
{
	static uint64_t chased[4][SIZES], random[2][SIZES];
	static const char *const names[] = { "chase1", "chase2", "chase4",
					     "chase8", "rand1",	 "rand2" };

	for (unsigned draw = 0; draw < DRAWS; draw++) {
		pages_place(draw);
		for (int s = 0; s < SIZES; s++) {
			uint64_t size = (uint64_t)SMALLEST << s;

			if (draw >= draws_for(size))
				break;
			ring_make(size);
			chase(1, warm_for(size));
			for (int c = 0; c < 4; c++)
				chased[c][s] += chase(1u << c, loads_for(size));
		}
		if (draw)
			continue;
		for (uint64_t at = 0; at < LARGEST; at += LINE)
			*(void **)(BUFFER + at) = 0;
		for (int s = 0; s < SIZES; s++)
			for (int dual = 0; dual < 2; dual++)
				random[dual][s] = random_cost(((uint32_t)SMALLEST << s) - 1, dual);
	}
	for (int s = 0; s < SIZES; s++) {
		uint64_t size = (uint64_t)SMALLEST << s;

		for (int c = 0; c < 4; c++)
			result(names[c], size, chased[c][s], draws_for(size) * loads_for(size));
		for (int dual = 0; dual < 2; dual++)
			result(names[4 + dual], size, random[dual][s], LOADS);
	}
	return 0;
}
