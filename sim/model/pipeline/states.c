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
	uint32_t from, why, cycles, charged, to;
};

struct states {
	const struct cost *cost;
	char *state; /* STATES_MAX of cost->state_bytes */
	uint32_t slot[SLOTS]; /* a number plus 1; 0: free */
	struct wait wait[WAITS]; /* the last ones, by a hash; STATES_EMPTY has none */
	uint32_t nr, limit;
	bool full;
};

struct states *states_new(const struct cost *c)
{
	struct states *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->cost = c;
	t->state = calloc(STATES_MAX, c->state_bytes);
	if (!t->state) {
		free(t);
		return NULL;
	}
	t->limit = STATES_MAX;
	states_clear(t);
	return t;
}

void states_free(struct states *t)
{
	if (t)
		free(t->state);
	free(t);
}

static void *state(const struct states *t, uint32_t number)
{
	return t->state + number * t->cost->state_bytes;
}

uint32_t states_number(struct states *t, const struct cost_state *s)
{
	const size_t bytes = t->cost->state_bytes;
	uint32_t *slot = &t->slot[hash_words(0, s, bytes) % SLOTS];

	for (; *slot; slot = slot == &t->slot[SLOTS - 1] ? t->slot : slot + 1) {
		if (!memcmp(state(t, *slot - 1), s, bytes))
			return *slot - 1;
	}
	if (t->nr >= t->limit) {
		t->full = true;
		return STATES_NONE;
	}
	memcpy(state(t, t->nr++), s, bytes);
	*slot = t->nr;
	return t->nr - 1;
}

uint32_t states_wait(struct states *t, uint32_t number, enum cost_front why, unsigned cycles,
		     unsigned *charged)
{
	struct wait *w = &t->wait[hash_pair(number, cycles << 2 | why) % WAITS];
	bool in_order = t->cost->config.order == COST_IN_ORDER;
	struct cost_state s;
	struct cost_pipe p;
	uint32_t to;

	if (why == COST_FRONT_GOES_ON && (in_order || number == STATES_EMPTY)) {
		*charged = 0;
		return number;
	}
	*charged = cycles;
	if (why == COST_FRONT_RESOLVES && number == STATES_EMPTY &&
	    cycles < t->cost->config.recovery_cycles)
		*charged = t->cost->config.recovery_cycles;
	/* Nothing is in flight for longer. */
	if (number == STATES_EMPTY || (in_order && cycles > COST_CYCLES_MAX))
		return STATES_EMPTY;
	if (w->from == number && w->cycles == cycles && w->why == why) {
		*charged = w->charged;
		return w->to;
	}
	states_get(t, number, &p);
	*charged = cost_wait(t->cost, &p, why, cycles);
	cost_pack(t->cost, &p, &s);
	to = states_number(t, &s);
	if (to != STATES_NONE)
		*w = (struct wait){ number, why, cycles, *charged, to };
	return to;
}

void states_get(const struct states *t, uint32_t number, struct cost_pipe *p)
{
	struct cost_state s;

	memcpy(&s, state(t, number), t->cost->state_bytes);
	cost_unpack(t->cost, &s, p);
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
		memset(t->slot, 0, sizeof(t->slot));
		memset(t->wait, 0, sizeof(t->wait));
	}
	t->nr = 0;
	t->full = false;
	states_number(t, &empty);
}
