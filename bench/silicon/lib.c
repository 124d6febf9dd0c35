// SPDX-License-Identifier: BSD-2-Clause
/*
 * lib.c - page tables, random numbers and output of the programs of bench/silicon.
 *
 * RAM: the program in the first 4 MiB, then the pool, of which BUFFER gets groups of RUN contiguous
 * pages.  Their size is a guess that agrees with the published results: buffers of 32 KiB do not
 * conflict in the L1 of X60 and C910 (ways of 8 and 32 KiB), those of the size of C910's L1 and of
 * each L2 do.  Page tables lie in the program's own memory, one after the other.
 */
#include "silicon.h"

#define RAM	     0x80000000ul
#define POOL	     (RAM + (4ul << 20))
#define RUN	     4u
#define POOL_RUNS    3072u
#define BUFFER_PAGES (BUFFER_SIZE / PAGE)
#define UART	     0x10000000ul

enum { V = 1, RWX = 0xe, AD = 0xc0, ENTRIES = 512, RAM_TABLES = 2 };

static uint64_t root[ENTRIES] __attribute__((aligned(PAGE)));
static uint64_t io_middle[ENTRIES] __attribute__((aligned(PAGE)));
static uint64_t ram_middle[ENTRIES] __attribute__((aligned(PAGE)));
static uint64_t ram_leaves[RAM_TABLES][ENTRIES] __attribute__((aligned(PAGE)));
static uint64_t buffer_middle[ENTRIES] __attribute__((aligned(PAGE)));
static uint64_t buffer_leaves[BUFFER_PAGES] __attribute__((aligned(PAGE)));
static uint16_t pool[POOL_RUNS];

static uint64_t entry(uint64_t address, uint64_t bits)
{
	return address >> 12 << 10 | bits | V;
}

void *memset(void *to, int value, unsigned long size)
{
	char *p = to;

	while (size--)
		*p++ = value;
	return to;
}

void *memcpy(void *to, const void *from, unsigned long size)
{
	char *p = to;
	const char *q = from;

	while (size--)
		*p++ = *q++;
	return to;
}

uint32_t random_next(uint32_t *state)
{
	uint32_t x = *state;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return *state = x;
}

/* The program and the console map to themselves.  Called in M-mode, before translation is on. */
uint64_t pages_init(void)
{
	for (unsigned i = 0; i < RAM_TABLES; i++) {
		for (unsigned k = 0; k < ENTRIES; k++)
			ram_leaves[i][k] = entry(RAM + ((uint64_t)i * ENTRIES + k) * PAGE,
						 RWX | AD);
		ram_middle[i] = entry((uint64_t)ram_leaves[i], 0);
	}
	for (unsigned i = 0; i < BUFFER_PAGES / ENTRIES; i++)
		buffer_middle[i] = entry((uint64_t)&buffer_leaves[i * ENTRIES], 0);
	io_middle[UART >> 21] = entry(UART, RWX | AD);
	root[0] = entry((uint64_t)io_middle, 0);
	root[1] = entry((uint64_t)buffer_middle, 0);
	root[2] = entry((uint64_t)ram_middle, 0);
	return 8ul << 60 | (uint64_t)root >> 12;
}

void pages_place(uint32_t draw)
{
	uint32_t state = 2463534242u + draw * 7919u;

	for (unsigned i = 0; i < POOL_RUNS; i++)
		pool[i] = i;
	for (unsigned i = 0; i < BUFFER_PAGES / RUN; i++) {
		unsigned k = i + random_next(&state) % (POOL_RUNS - i);
		uint16_t run = pool[k];

		pool[k] = pool[i];
		pool[i] = run;
		for (unsigned page = 0; page < RUN; page++)
			buffer_leaves[i * RUN + page] =
				entry(POOL + ((uint64_t)run * RUN + page) * PAGE, RWX | AD);
	}
	asm volatile("sfence.vma" ::: "memory");
}

static void put(char c)
{
	*(volatile char *)UART = c;
}

static void put_number(uint64_t v, int digits)
{
	char text[24];
	int n = 0;

	do
		text[n++] = '0' + v % 10;
	while ((v /= 10) || n < digits);
	while (n)
		put(text[--n]);
}

void result(const char *name, uint64_t n, uint64_t cycles, uint64_t count)
{
	uint64_t thousandths = (cycles * 1000 + count / 2) / count;

	while (*name)
		put(*name++);
	put(' ');
	put_number(n, 1);
	put(' ');
	put_number(thousandths / 1000, 1);
	put('.');
	put_number(thousandths % 1000, 3);
	put('\n');
}
