// SPDX-License-Identifier: BSD-2-Clause
/*
 * ledger.c - when a level serves requests: rules G3 to G8 of holter-model(7).
 */
#include <stdlib.h>
#include <string.h>

#include "ledger.h"
#include "room.h"

enum { WINDOW_MIN = 256, WINDOW_MAX = 32768, RING = 512, RING_SHARED = 4096, WAIT_MAX = 256 };

/* G3 */
void ledger_init(struct ledger *l, unsigned cycles, unsigned harts, uint64_t quantum)
{
	const uint64_t most = 1000000000;

	*l = (struct ledger){ .cycles = cycles, .harts = harts, .w = WINDOW_MIN };
	l->quantum = quantum < most ? quantum : most;
	l->z = harts > 1 ? RING_SHARED : RING;
	while (l->w < WINDOW_MAX &&
	       (l->w < 8ull * cycles || (harts > 1 && l->w * RING_SHARED < 4 * l->quantum)))
		l->w *= 2;
	l->newest = l->z - 1;
	l->ring = room(cycles ? l->z : 0, sizeof(*l->ring));
}

static uint64_t given(const struct ledger *l, uint64_t window, unsigned hart)
{
	const struct window_given *g = &l->ring[window % l->z];

	return g->window == window ? g->of[hart] : 0;
}

static void give(struct ledger *l, uint64_t window, unsigned hart, uint64_t cycles)
{
	struct window_given *g = &l->ring[window % l->z];

	if (g->window != window)
		*g = (struct window_given){ .window = window };
	g->of[hart] += cycles;
	if (window > l->newest)
		l->newest = window;
}

/* G5 */
static uint64_t idle(const struct ledger_hart *h, uint64_t a)
{
	for (unsigned n = 0; n < h->n; n++)
		if (h->period[n].from <= a && a < h->period[n].to)
			return h->period[n].to;
	return a;
}

/* The begin of the first period after a cycle. */
static uint64_t next_period(const struct ledger_hart *h, uint64_t a)
{
	for (unsigned n = 0; n < h->n; n++)
		if (h->period[n].from > a)
			return h->period[n].from;
	return UINT64_MAX;
}

static void remove_period(struct ledger_hart *h, unsigned at)
{
	h->n--;
	memmove(&h->period[at], &h->period[at + 1], (h->n - at) * sizeof(h->period[0]));
}

/* G6: a period of its own. */
static void insert_period(struct ledger_hart *h, uint64_t from, uint64_t to)
{
	unsigned at;

	if (h->n == PERIODS) {
		if (from < h->period[0].from)
			return;
		remove_period(h, 0);
	}
	for (at = h->n; at > 0 && h->period[at - 1].from > from; at--)
		h->period[at] = h->period[at - 1];
	h->period[at] = (struct period){ from, to };
	h->n++;
}

/* G6 */
static void add_period(struct ledger_hart *h, uint64_t from, uint64_t to)
{
	for (unsigned n = 0; n < h->n; n++) {
		if (h->period[n].to == from) {
			h->period[n].to = to;
			if (n + 1 < h->n && h->period[n + 1].from == to) {
				h->period[n].to = h->period[n + 1].to;
				remove_period(h, n + 1);
			}
			return;
		}
		if (h->period[n].from == to) {
			h->period[n].from = from;
			return;
		}
	}
	insert_period(h, from, to);
}

/* G7, 1: what another hart is expected to want of a window; 0: it has all that it wants. */
static uint64_t expected(const struct ledger *l, uint64_t window, unsigned hart)
{
	const struct ledger_hart *y = &l->hart[hart];
	uint64_t wants;

	if (window < y->front || window - y->front > 2 * l->quantum / l->w + 8)
		return 0;
	wants = y->wants / 256;
	return wants > given(l, window, hart) ? wants : 0;
}

/* G7: the share of a hart. */
static uint64_t share_of(const struct ledger *l, uint64_t window, unsigned hart)
{
	uint64_t wants[LEDGER_HARTS] = { 0 }, left = l->w, share;
	unsigned open = 0;
	bool again;

	for (unsigned y = 0; y < l->harts; y++) {
		if (y == hart)
			continue;
		wants[y] = expected(l, window, y);
		if (wants[y])
			open++;
		else
			left -= given(l, window, y);
	}
	do {
		share = left / (open + 1);
		again = false;
		for (unsigned y = 0; y < l->harts; y++)
			if (wants[y] && wants[y] <= share) {
				left -= wants[y];
				wants[y] = 0;
				open--;
				again = true;
			}
	} while (again);
	return share;
}

/* G7: the cycles of a window that a hart can still get. */
static uint64_t room_in(const struct ledger *l, uint64_t window, unsigned hart)
{
	uint64_t is_free = l->w, share, got = given(l, window, hart);

	for (unsigned y = 0; y < l->harts; y++)
		is_free -= given(l, window, y);
	if (l->harts == 1 || !is_free)
		return is_free;
	share = share_of(l, window, hart);
	share = share > got ? share - got : 0;
	return share < is_free ? share : is_free;
}

/* G8: a service began in a window; the hart has waited from a window on, or not (UINT64_MAX). */
static void learn(struct ledger *l, unsigned hart, uint64_t window, uint64_t waits_from)
{
	struct ledger_hart *h = &l->hart[hart];

	if (window > h->front) {
		uint64_t j = h->front;

		if (window > 32 && j < window - 32)
			j = window - 32;
		for (; j < window; j++) {
			uint64_t c = given(l, j, hart);

			if (j >= waits_from || (j == h->front && h->waited))
				c = l->w;
			h->wants = h->wants + 32 * c - h->wants / 8;
		}
		h->front = window;
		h->waited = false;
	}
	if (waits_from != UINT64_MAX)
		h->waited = true;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* G5 */
uint64_t ledger_turn(struct ledger *l, unsigned hart, uint64_t time)
{
	struct ledger_hart *h = &l->hart[hart];
	uint64_t first, now, limit, begin = UINT64_MAX;
	uint64_t left = l->cycles;

	if (!left || time > 1ull << 62 || time / l->w + l->z <= l->newest)
		return time;
	first = now = idle(h, time);
	limit = time / l->w + WAIT_MAX;
	while (left && now / l->w < limit) {
		const uint64_t k = now / l->w, end = (k + 1) * l->w;
		uint64_t m = least(least(left, room_in(l, k, hart)), end - now);

		m = least(m, next_period(h, now) - now);
		if (!m) {
			now = idle(h, end);
			continue;
		}
		if (begin == UINT64_MAX)
			begin = now;
		give(l, k, hart, m);
		add_period(h, now, now + m);
		left -= m;
		now = idle(h, now + m);
	}
	if (begin == UINT64_MAX)
		begin = limit * l->w;
	learn(l, hart, begin / l->w, begin > first ? first / l->w : UINT64_MAX);
	return begin;
}

void ledger_free(struct ledger *l)
{
	free(l->ring);
}
