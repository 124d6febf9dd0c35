/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mutate.c - changes inputs as fuzzers do: flips bits, changes bytes, writes numbers from the
 * edges of a range, and removes, repeats or copies pieces (mutate.h).
 */
#include <stdbool.h>
#include <string.h>

#include "mutate.h"

#define INVENTED_MAX 600

struct making {
	const struct corpus *corpus;
	uint64_t random;
	uint8_t *to;
	size_t size, max;
};

static uint64_t next(struct making *m)
{
	m->random ^= m->random << 13;
	m->random ^= m->random >> 7;
	m->random ^= m->random << 17;
	return m->random;
}

static size_t below(struct making *m, size_t limit)
{
	return limit ? (next(m) >> 16) % limit : 0;
}

/* Chooses a place with at least len bytes.  False: the input is smaller. */
static bool place(struct making *m, size_t len, size_t *at)
{
	if (m->size < len)
		return false;
	*at = below(m, m->size - len + 1);
	return true;
}

static void number(struct making *m)
{
	static const uint64_t edge[] = { 0,	     1,		 2,	      7,	 8,
					 15,	     16,	 63,	      64,	 127,
					 128,	     255,	 256,	      4095,	 4096,
					 0x7fff,     0x8000,	 0xffff,      0x10000,	 0x7fffffff,
					 0x80000000, 0xffffffff, 0x100000000, INT64_MAX, 1ull << 63,
					 UINT64_MAX };
	size_t len = (size_t)1 << below(m, 4), at;
	uint64_t value = edge[below(m, sizeof(edge) / sizeof(edge[0]))];
	bool big = below(m, 2);

	if (!place(m, len, &at))
		return;
	for (size_t n = 0; n < len; n++)
		m->to[at + n] = (uint8_t)(value >> 8 * (big ? len - 1 - n : n));
}

/* Makes room for len bytes at a random place.  Bytes that no longer fit are dropped at the end. */
static bool widen(struct making *m, size_t len, size_t *at)
{
	*at = below(m, m->size + 1);
	if (len > m->max - *at)
		return false;
	if (m->size > m->max - len)
		m->size = m->max - len;
	if (*at > m->size)
		*at = m->size;
	memmove(m->to + *at + len, m->to + *at, m->size - *at);
	m->size += len;
	return true;
}

static void leave_out(struct making *m)
{
	size_t len = 1 + below(m, below(m, 4) ? 16 : m->size), at;

	if (!place(m, len, &at))
		return;
	memmove(m->to + at, m->to + at + len, m->size - at - len);
	m->size -= len;
}

static void repeat(struct making *m)
{
	uint8_t piece[64];
	size_t len = 1 + below(m, sizeof(piece)), at;

	if (!place(m, len, &at))
		return;
	memcpy(piece, m->to + at, len);
	if (widen(m, len, &at))
		memcpy(m->to + at, piece, len);
}

/* Inserts a piece of another input, or overwrites bytes with it. */
static void borrow(struct making *m)
{
	const struct corpus_input *other = &m->corpus->at[below(m, m->corpus->nr)];
	size_t from, len, at;

	if (!m->corpus->nr || !other->size)
		return;
	from = below(m, other->size);
	len = 1 + below(m, other->size - from);
	if (below(m, 2) ? widen(m, len, &at) : place(m, len, &at))
		memcpy(m->to + at, other->data + from, len);
}

static void change(struct making *m)
{
	size_t at = 0;

	switch (below(m, 10)) {
	case 0:
	case 1:
		if (place(m, 1, &at))
			m->to[at] ^= 1 << below(m, 8);
		break;
	case 2:
		if (place(m, 1, &at))
			m->to[at] = (uint8_t)(next(m) >> 24);
		break;
	case 3:
		if (place(m, 1, &at))
			m->to[at] += below(m, 2) ? 1 : -1;
		break;
	case 4:
	case 5:
		number(m);
		break;
	case 6:
		leave_out(m);
		break;
	case 7:
		repeat(m);
		break;
	case 8:
		borrow(m);
		break;
	case 9:
		if (widen(m, 1, &at))
			m->to[at] = (uint8_t)(next(m) >> 24);
		break;
	}
}

/* Makes random bytes.  Many are small, because structured inputs have many small numbers. */
static void invent(struct making *m)
{
	m->size = below(m, (m->max < INVENTED_MAX ? m->max : INVENTED_MAX) + 1);
	for (size_t n = 0; n < m->size; n++) {
		uint64_t x = next(m);

		m->to[n] = (uint8_t)(x >> 8 >> (x & 7));
	}
}

static uint64_t mixed(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

size_t mutate(const struct corpus *c, uint64_t seed, uint64_t n, uint8_t *to, size_t max)
{
	struct making m = { c, mixed(mixed(seed) + n) | 1, to, 0, max };
	const struct corpus_input *in;

	if (!c->nr || below(&m, 8) == 0) {
		invent(&m);
		return m.size;
	}
	in = &c->at[below(&m, c->nr)];
	m.size = in->size < max ? in->size : max;
	memcpy(to, in->data, m.size);
	for (size_t changes = (size_t)1 << below(&m, 5); changes; changes--)
		change(&m);
	return m.size;
}
