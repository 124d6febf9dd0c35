// SPDX-License-Identifier: BSD-2-Clause
/*
 * states.c - a hash table of pipeline states, which are numbered in the order in which they come
 * (states.h).
 */
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "states.h"

#define SLOTS (4 * STATES_MAX)
#define WAITS 8192

/* An answer of states_wait. */
struct wait {
	uint32_t from, cycles, to;
};

struct states {
	struct cost_state state[STATES_MAX];
	uint32_t slot[SLOTS]; /* a number plus 1; 0: free */
	struct wait wait[WAITS]; /* the last ones, by a hash; a free one is right, too: 0, 0, 0 */
	uint32_t nr, limit;
	bool full;
};

struct states *states_new(void)
{
	struct states *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->limit = STATES_MAX;
	states_clear(t);
	return t;
}

void states_free(struct states *t)
{
	free(t);
}

uint64_t states_bytes(void)
{
	return sizeof(struct states);
}

static uint64_t hash(const struct cost_state *s)
{
	uint64_t sum = 0, word;

	for (size_t at = 0; at < sizeof(*s); at += sizeof(word)) {
		size_t len = sizeof(*s) - at < sizeof(word) ? sizeof(*s) - at : sizeof(word);

		word = 0;
		memcpy(&word, (const char *)s + at, len);
		sum = hash_pair(sum, word);
	}
	return sum;
}

uint32_t states_number(struct states *t, const struct cost_state *s)
{
	uint32_t *slot = &t->slot[hash(s) % SLOTS];

	for (; *slot; slot = slot == &t->slot[SLOTS - 1] ? t->slot : slot + 1) {
		if (!memcmp(&t->state[*slot - 1], s, sizeof(*s)))
			return *slot - 1;
	}
	if (t->nr >= t->limit) {
		t->full = true;
		return STATES_NONE;
	}
	t->state[t->nr++] = *s;
	*slot = t->nr;
	return t->nr - 1;
}

uint32_t states_wait(struct states *t, const struct cost *c, uint32_t number, unsigned cycles)
{
	struct wait *w = &t->wait[hash_pair(number, cycles) % WAITS];
	struct cost_state s;
	struct cost_pipe p;
	uint32_t to;

	/* Nothing is in flight for longer. */
	if (number == STATES_EMPTY || cycles > COST_CYCLES_MAX)
		return STATES_EMPTY;
	if (w->from == number && w->cycles == cycles)
		return w->to;
	cost_unpack(&t->state[number], &p);
	cost_wait(&p, cycles);
	cost_pack(c, &p, &s);
	to = states_number(t, &s);
	if (to != STATES_NONE)
		*w = (struct wait){ number, cycles, to };
	return to;
}

const struct cost_state *states_get(const struct states *t, uint32_t number)
{
	return &t->state[number];
}

void states_limit(struct states *t, uint32_t nr)
{
	t->limit = nr;
}

bool states_full(const struct states *t)
{
	return t->full;
}

void states_clear(struct states *t)
{
	static const struct cost_state empty;

	if (t->nr) {
		memset(t->state, 0, t->nr * sizeof(t->state[0]));
		memset(t->slot, 0, sizeof(t->slot));
		memset(t->wait, 0, sizeof(t->wait));
	}
	t->nr = 0;
	t->full = false;
	states_number(t, &empty);
}
