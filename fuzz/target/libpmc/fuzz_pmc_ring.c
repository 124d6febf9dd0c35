// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_pmc_ring.c - any bytes as a perf ring buffer, whose records are parsed.
 *
 * The first two bytes choose head and tail.  Must hold: no byte outside the ring or the record is
 * read (the sanitizer checks it).  Each step moves towards head, and the last one reaches it.  The
 * name and the call chain of an accepted record are inside the record.
 */
#include <record.h>

#include "fuzz.h"

static uint8_t buf[LPMC_RECORD_MAX];

static void take_apart(size_t size)
{
	uint8_t *exact = malloc(size);

	memcpy(exact, buf, size);
	for (int layout = LPMC_PLAIN; layout <= LPMC_RECORDS; layout++) {
		const char *end = (const char *)exact + size;
		struct lpmc_record r;

		if (lpmc_record_parse(exact, size, (enum lpmc_layout)layout, &r) < 0)
			continue;
		must(!r.name || r.name + strlen(r.name) < end);
		must(!r.chain || (const char *)r.chain + (uint64_t)r.nr_chain * 8 <= end);
	}
	free(exact);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, data + size };
	uint64_t tail = input_byte(&in) * 8u, head = tail + input_byte(&in) * 8u;
	uint64_t ring_size = 64;
	struct lpmc_ring r;
	uint8_t *ring;
	int n;

	while (ring_size < (uint64_t)(in.end - in.at))
		ring_size *= 2;
	ring = calloc(1, ring_size);
	memcpy(ring, in.at, (size_t)(in.end - in.at));
	r = (struct lpmc_ring){ .data = ring, .size = ring_size, .head = head, .tail = tail };
	while ((n = lpmc_ring_next(&r, buf, sizeof(buf))) != 0) {
		must(r.tail > tail && r.tail <= head);
		tail = r.tail;
		if (n > 0)
			take_apart((size_t)n);
	}
	must(r.tail == head);
	free(ring);
	return 0;
}
