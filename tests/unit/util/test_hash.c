// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_hash.c - FNV-1a, the hash of pairs and SplitMix64.
 */
#include "hash.h"
#include "tap.h"

/* Test vectors of the authors' page and of draft-eastlake-fnv. */
static void fnv(void)
{
	is(fnv_text(""), 0xcbf29ce484222325);
	is(fnv_text("a"), 0xaf63dc4c8601ec8c);
	is(fnv_text("foobar"), 0x85944171f73967e8);
	is(fnv_add(fnv_add(FNV_START, "foo", 3), "bar", 3), 0x85944171f73967e8);
	is(fnv_add(FNV_START, "\xff\0", 2),
	   ((0xcbf29ce484222325 ^ 0xff) * 0x100000001b3) * 0x100000001b3);
}

/* Small and regular numbers fill at least 60 % of 2^16 slots, as random numbers would. */
static void pairs(void)
{
	static bool used[1 << 16];
	unsigned nr = 0;

	for (uint64_t a = 0; a < 256; a++) {
		for (uint64_t b = 0; b < 256; b++) {
			uint64_t slot = hash_pair(a << 12, b << 3) & 0xffff;

			nr += !used[slot];
			used[slot] = true;
		}
	}
	ok(nr > 39000);
	ok(hash_pair(1, 2) != hash_pair(2, 1));
}

/* The first numbers that the authors' program prints for the seed 1234567. */
static void splitmix(void)
{
	uint64_t state = 1234567;

	is(splitmix64(&state), 6457827717110365317u);
	is(splitmix64(&state), 3203168211198807973u);
	is(splitmix64(&state), 9817491932198370423u);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "FNV-1a gives its published numbers", fnv },
		{ "pairs of regular numbers are spread", pairs },
		{ "SplitMix64 gives its published numbers", splitmix },
	};

	return tap_run(cases, TAP_NR(cases));
}
