// SPDX-License-Identifier: BSD-2-Clause
/* silicon.h - what the programs of bench/silicon share (lib.c). */
#pragma once
#include <stdint.h>

enum { LINE = 64, PAGE = 4096 };

/* The virtual memory that pages_place maps: BUFFER_SIZE bytes in pages of 4 KiB. */
#define BUFFER	    ((char *)0x40000000)
#define BUFFER_SIZE (16ul << 20)

static inline uint64_t cycles_now(void)
{
	uint64_t c;

	asm volatile("csrr %0, cycle" : "=r"(c)::"memory");
	return c;
}

/*
 * Maps BUFFER to physical pages.  Linux gives a process pages that are not contiguous, so that a
 * buffer of the size of a cache does not fit it exactly (lib.c).  Which pages, draw decides: each
 * draw is another placement, the same in each run.
 */
void pages_place(uint32_t draw);

/* Random numbers, the same in each run. */
uint32_t random_next(uint32_t *state);

/* Prints "NAME N VALUE": cycles / count with three decimals. */
void result(const char *name, uint64_t n, uint64_t cycles, uint64_t count);
