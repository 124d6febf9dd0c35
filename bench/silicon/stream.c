// SPDX-License-Identifier: BSD-2-Clause
/*
 * stream.c - cycles a byte of long copies, fills and scans: the loops of tinymembench
 * (github.com/ssvb/tinymembench), whose results are published.  copy: four loads, four stores;
 * fill: eight stores in turn; fill-shuffled: out of order within 32 bytes; scan: load, compare,
 * branch.
 */
#include "silicon.h"

enum { SIZE = 6 << 20 };

#define TO   ((volatile uint64_t *)BUFFER)
#define FROM ((volatile uint64_t *)(BUFFER + (8 << 20)))

static void __attribute__((noipa)) copy(void)
{
	volatile uint64_t *to = TO, *from = FROM;

	for (long left = SIZE; left > 0; left -= 64) {
		for (int half = 0; half < 2; half++) {
			uint64_t a = from[0], b = from[1], c = from[2], d = from[3];

			to[0] = a;
			to[1] = b;
			to[2] = c;
			to[3] = d;
			from += 4;
			to += 4;
		}
	}
}

static void __attribute__((noipa)) copy_backwards(void)
{
	volatile uint64_t *to = TO + SIZE / 8, *from = FROM + SIZE / 8;

	for (long left = SIZE; left > 0; left -= 32) {
		uint64_t a = from[-1], b = from[-2], c = from[-3], d = from[-4];

		to[-1] = a;
		to[-2] = b;
		to[-3] = c;
		to[-4] = d;
		from -= 4;
		to -= 4;
	}
}

static void __attribute__((noipa)) fill(uint64_t value)
{
	volatile uint64_t *to = TO;

	for (long left = SIZE; left > 0; left -= 64) {
		to[0] = value;
		to[1] = value;
		to[2] = value;
		to[3] = value;
		to[4] = value;
		to[5] = value;
		to[6] = value;
		to[7] = value;
		to += 8;
	}
}

static void __attribute__((noipa)) fill_shuffled(uint64_t value)
{
	volatile uint64_t *to = TO;

	for (long left = SIZE; left > 0; left -= 64) {
		to[3] = value;
		to[0] = value;
		to[2] = value;
		to[1] = value;
		to[7] = value;
		to[4] = value;
		to[6] = value;
		to[5] = value;
		to += 8;
	}
}

#define SCAN(name, type)                                                                           \
	static void __attribute__((noipa)) name(type filler)                                       \
	{                                                                                          \
		const type *at = (const type *)FROM;                                               \
		long left = SIZE;                                                                  \
                                                                                                   \
		while ((left -= (long)sizeof *at) >= 0 && *at == filler)                           \
			at++;                                                                      \
		*(const type *volatile *)TO = at;                                                  \
	}
SCAN(scan8, uint8_t)
SCAN(scan16, uint16_t)
SCAN(scan32, uint32_t)
SCAN(scan64, uint64_t)

#define MEASURE(name, call)                                                                        \
	do {                                                                                       \
		uint64_t start;                                                                    \
                                                                                                   \
		call;                                                                              \
		start = cycles_now();                                                              \
		call;                                                                              \
		result(name, 0, cycles_now() - start, SIZE);                                       \
	} while (0)

int main(void)
{
	pages_place(0);
	for (long i = 0; i < SIZE / 8; i++)
		FROM[i] = 0x5555555555555555;
	MEASURE("copy", copy());
	MEASURE("copy-backwards", copy_backwards());
	MEASURE("fill", fill(7));
	MEASURE("fill-shuffled", fill_shuffled(7));
	MEASURE("scan8", scan8(0x55));
	MEASURE("scan16", scan16(0x5555));
	MEASURE("scan32", scan32(0x55555555));
	MEASURE("scan64", scan64(0x5555555555555555));
	return 0;
}
