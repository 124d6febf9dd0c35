// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_ring.c - records read from a ring: contiguous, wrapped and damaged.
 */
#include <tap.h>

#include <record.h>

static uint8_t data[64];
static uint8_t out[64];

static void put(uint64_t at, uint32_t type, uint16_t size)
{
	struct perf_event_header h = { .type = type, .size = size };

	for (size_t i = 0; i < sizeof(h); i++)
		data[(at + i) % sizeof(data)] = ((uint8_t *)&h)[i];
	for (size_t i = sizeof(h); i < size; i++)
		data[(at + i) % sizeof(data)] = (uint8_t)i;
}

static struct lpmc_ring ring(uint64_t tail, uint64_t head)
{
	return (struct lpmc_ring){ .data = data, .size = sizeof(data), .head = head, .tail = tail };
}

static void in_order(void)
{
	struct lpmc_ring r = ring(0, 40);

	put(0, 1, 16);
	put(16, 2, 24);
	is(lpmc_ring_next(&r, out, sizeof(out)), 16);
	is(((struct perf_event_header *)out)->type, 1);
	is(lpmc_ring_next(&r, out, sizeof(out)), 24);
	is(out[23], 23);
	is(lpmc_ring_next(&r, out, sizeof(out)), 0);
	is(r.tail, 40);
}

static void wrapped(void)
{
	/* the record wraps around the end of the ring, and the positions around 64 bits */
	struct lpmc_ring r = ring(UINT64_MAX - 7, 24);

	put(UINT64_MAX - 7, 9, 32);
	is(lpmc_ring_next(&r, out, sizeof(out)), 32);
	is(((struct perf_event_header *)out)->type, 9);
	for (unsigned i = 8; i < 32; i++)
		is(out[i], i);
	is(r.tail, 24);
}

static void broken(void)
{
	static const struct {
		const char *what;
		uint16_t size;
		uint64_t tail, head;
	} list[] = {
		{ "no size", 0, 0, 32 },
		{ "less than a header", 4, 0, 32 },
		{ "not a multiple of 8", 12, 0, 32 },
		{ "longer than the data", 40, 0, 32 },
		{ "data shorter than a header", 8, 0, 4 },
		{ "more data than the ring can hold", 8, 0, 128 },
		{ "head behind tail", 8, 32, 0 },
	};

	for (size_t i = 0; i < TAP_NR(list); i++) {
		struct lpmc_ring r = ring(list[i].tail, list[i].head);

		tap_context("%s", list[i].what);
		put(list[i].tail, 1, list[i].size);
		is(lpmc_ring_next(&r, out, sizeof(out)), -1);
		is(r.tail, r.head); /* it continues with later records */
	}
}

static void too_large_for_the_buffer(void)
{
	struct lpmc_ring r = ring(0, 48);

	put(0, 1, 48);
	is(lpmc_ring_next(&r, out, 40), -1);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "records in order", in_order },
		{ "across the end", wrapped },
		{ "broken", broken },
		{ "larger than the buffer", too_large_for_the_buffer },
	};

	return tap_run(cases, TAP_NR(cases));
}
